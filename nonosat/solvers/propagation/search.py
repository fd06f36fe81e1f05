"""The solver ``propagation``: complete line solving, probing, backtracking.

Switches: ``noprobe`` guesses as soon as the lines are stuck; ``nomemo`` remembers no results of lines.
"""

from __future__ import annotations

from collections.abc import Iterator
from time import perf_counter

from nonosat.puzzles.nonogram import Nonogram
from nonosat.solvers.answer import Event, Finished, Found, Progress, Statistics
from nonosat.solvers.propagation.board import CONTRADICTIONS, LINES, Board, board_of, cells_of
from nonosat.solvers.propagation.probing import PROBES, Probes, probes_of
from nonosat.solvers.propagation.tree import DEPTH, EXHAUSTED, FOUND, GUESSES, NODES, Tree, tree_of
from nonosat.solvers.propagation.tree import search as go_on

EVERY_S = 0.1
"""About how often the compiled search comes back, so that Ctrl-C is heard and progress is seen."""


def search(puzzle: Nonogram, encoding_name: str, at_most: int | None, solver: str) -> Iterator[Event]:
    """Find at most ``at_most`` pictures (None: all). No encoding plays a part."""
    switches = solver.split("+")[1:]
    probing = "noprobe" not in switches
    yield Progress("solving")
    begin = perf_counter()
    board = board_of(puzzle, memo="nomemo" not in switches)
    probes, tree = probes_of(board), tree_of(board)

    def statistics() -> Statistics:
        return counted(board, probes, tree, perf_counter() - begin)

    budget, found = 1000, 0
    while found != at_most:
        started = perf_counter()
        said = go_on(board, probes, tree, probing, budget)
        if said == FOUND:
            found += 1
            yield Found(cells_of(board))
            if tree.state[DEPTH] == 0:  # nothing was guessed, so that there is no other picture
                break
            continue
        if said == EXHAUSTED:
            yield Finished(True, statistics())
            return
        budget = int(budget * min(4.0, max(0.25, EVERY_S / max(perf_counter() - started, 1e-6)))) + 1
        yield Progress("solving", statistics())
    yield Finished(found > 0 and bool(tree.state[DEPTH] == 0), statistics())


def _compile() -> None:
    """Compile everything now: this module is imported before a limited search starts its clock."""
    board = board_of(Nonogram.from_lengths([[1]], [[1]]))
    go_on(board, probes_of(board), tree_of(board), True, 1)


def counted(board: Board, probes: Probes, tree: Tree, solve_s: float) -> Statistics:
    """The counters of a search."""
    return Statistics(
        solve_s=solve_s,
        lines_checked=int(board.state[LINES]),
        assumptions=int(tree.state[GUESSES]),
        probes=int(probes.state[PROBES]),
        nodes=int(tree.state[NODES]),
        contradictions=int(board.state[CONTRADICTIONS]),
    )


_compile()
