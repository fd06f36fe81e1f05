"""The solver ``propagation``: depth-first search with propagation and probing at every node, compiled.

It guesses the cell whose probes changed most: the product of the squared smaller and the larger number of changes. (On
the boards of the TAAI 2011 tournament that is better than their plain product, than either alone, and than the smaller
one with ties broken by the larger.) The value that changes *less* is guessed first: it is likelier to hold. Without
probing the first open cell is guessed. Switches: ``noprobe`` guesses as soon as the lines are stuck; ``nomemo`` keeps
no results of lines.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from time import perf_counter
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from nonosat.compiled import compiled, ready
from nonosat.compiled.kernel import RecordLayout, record, release
from nonosat.compiled.words import Ints
from nonosat.puzzles.nonogram import Nonogram
from nonosat.runs.events import Event, Finished, Found, Glimpse, Progress, Statistics
from nonosat.runs.solver import Solver
from nonosat.runs.watched import Pace, glimpse
from nonosat.solvers.propagation.board import (
    CONTRADICTIONS,
    DEAD,
    KEPT_SIZES,
    LINES,
    NEVER,
    PAUSED,
    TRAIL,
    WAITING,
    PropagationBoard,
    assume,
    board_of,
    cells_of,
    choices,
    forbid,
    mark_changed,
    may_be,
    propagate,
    remember,
    undo,
    unknown,
)
from nonosat.solvers.propagation.probing import (
    CURSOR,
    LEARNT,
    PROBES,
    QUIET,
    Probes,
    implications,
    probe_around,
    probes_of,
)

# Indices of ``Tree.state``.
DEPTH, PHASE, NODES, GUESSES, DEEPEST = range(5)

FOUND, EXHAUSTED = 1, 2
"""Results of ``search_tree``, besides PAUSED."""

ENTER, PROBE, GUESS, BACK, DONE = range(5)
DOING = ("propagating lines", "probing", "guessing", "undoing a guess", "done")
"""The phases in words."""


@record
class Tree(NamedTuple):
    """The guesses on the way to this node: ``cell`` has ``value``; ``mark`` was the trail's length before."""

    cell: Ints
    value: Ints
    mark: Ints
    state: Ints


def tree_of(board: PropagationBoard) -> Tree:
    """The arrays of a search that has not begun."""
    return _tree_layout(board.height * board.width * board.colours + 1).record()


@lru_cache(maxsize=KEPT_SIZES)
def _tree_layout(deepest: int) -> RecordLayout[Tree]:
    return RecordLayout(Tree, {}, {"state": (5,)}, dict.fromkeys(("cell", "value", "mark"), (deepest,)))


@compiled
def best_guess(b: PropagationBoard, p: Probes) -> tuple[int, int]:
    """The open cell to guess and its value."""
    values = b.colours + 1
    best, best_score, best_value = -1, -1.0, 0
    for cell in range(b.height * b.width):
        row, column = cell // b.width, cell % b.width
        if choices(b, row, column) < 2:
            continue
        least, most, value = NEVER, 0, 0
        for v in range(values):
            if may_be(b, row, column, v):
                gain = p.gain[cell * values + v]
                most = max(most, gain)
                if gain <= least:
                    least, value = gain, v
        score = float(least) * float(least) * float(most)
        if score > best_score:
            best, best_score, best_value = cell, score, value
    return best, best_value


@compiled
def first_guess(b: PropagationBoard) -> tuple[int, int]:
    """The first open cell, row by row, and its last value."""
    for cell in range(b.height * b.width):
        row, column = cell // b.width, cell % b.width
        if choices(b, row, column) > 1:
            for v in range(b.colours, -1, -1):
                if may_be(b, row, column, v):
                    return cell, v
    return -1, 0


@compiled
def guess(b: PropagationBoard, p: Probes, t: Tree, probing: bool) -> None:
    """Go one level down."""
    cell, value = best_guess(b, p) if probing else first_guess(b)
    depth = t.state[DEPTH]
    t.cell[depth], t.value[depth], t.mark[depth] = cell, value, b.state[TRAIL]
    t.state[DEPTH] = depth + 1
    t.state[DEEPEST] = max(t.state[DEEPEST], depth + 1)
    t.state[GUESSES] += 1
    assume(b, cell // b.width, cell % b.width, value)


@compiled
def back(b: PropagationBoard, t: Tree) -> bool:
    """Undo the last guess and rule its value out; False: there is none left."""
    if t.state[DEPTH] == 0:
        return False
    depth = t.state[DEPTH] - 1
    t.state[DEPTH] = depth
    mark_changed(b, t.mark[depth])  # they are what they were before, and no probe since then holds for them
    undo(b, t.mark[depth])
    forbid(b, t.cell[depth] // b.width, t.cell[depth] % b.width, t.value[depth])
    return True


@compiled
def search_tree(b: PropagationBoard, p: Probes, t: Tree, probing: bool, budget: int) -> int:
    """Go on with the search until a board is FOUND, the tree is EXHAUSTED, or ``budget`` lines more are solved.

    It does not pause on a contradiction, so that the board of a paused search has none, as far as is known.
    """
    until = b.state[LINES] + budget
    while True:
        phase = t.state[PHASE]
        if phase == ENTER:
            status = propagate(b, until)
            if status == PAUSED:
                return PAUSED
            t.state[NODES] += 1
            mark_changed(b, t.mark[t.state[DEPTH] - 1] if t.state[DEPTH] > 0 else 0)
            remember(b)
            p.state[CURSOR] = p.state[QUIET] = 0
            t.state[PHASE] = BACK if status == DEAD else PROBE if probing else GUESS
        elif phase == PROBE:
            status = probe_around(b, p, until)
            t.state[PHASE] = BACK if status == DEAD else PROBE if status == LEARNT else GUESS
        elif phase == GUESS:
            guess(b, p, t, probing)
            t.state[PHASE] = ENTER
        elif phase == BACK:
            t.state[PHASE] = ENTER if back(b, t) else DONE
        else:
            return EXHAUSTED
        if (t.state[PHASE] == PROBE or t.state[PHASE] == GUESS) and unknown(b) == 0:
            t.state[PHASE] = BACK
            return FOUND
        if b.state[LINES] > until and t.state[PHASE] != BACK and t.state[PHASE] != DONE:
            return PAUSED


EVERY_S = 0.1
"""About how often the compiled search returns, so that Ctrl-C takes effect and progress is shown."""


class TreeSearch:
    """A search for all solutions of a puzzle, in pieces: its board, its arrays, and its pace."""

    def __init__(self, puzzle: Nonogram, probing: bool = True, memo: bool = True) -> None:
        self.board = board_of(puzzle, memo)
        self.probes, self.tree = probes_of(self.board), tree_of(self.board)
        self.probing, self.budget = probing, 1000
        self.complete = False

    def release(self) -> None:
        """The search is over, and nobody uses its board: the arrays are for the next search on a board of this size."""
        release(self.board)
        release(self.probes)
        release(self.tree)

    def go_on(self, most: int | None = None) -> int:
        """FOUND (the board is a solution), EXHAUSTED, or PAUSED after some ``EVERY_S`` seconds or ``most`` lines."""
        begin = perf_counter()
        budget = self.budget if most is None else min(self.budget, most)
        status = search_tree(self.board, self.probes, self.tree, self.probing, budget)
        if status == PAUSED and budget == self.budget:
            pace = EVERY_S / max(perf_counter() - begin, 1e-6)
            self.budget = int(budget * min(4.0, max(0.25, pace))) + 1
        return status

    def solutions(self, work: int | None = None, time_limit_s: float | None = None) -> Iterator[npt.NDArray[np.int64]]:
        """The solutions that are left; when the iterator ends, ``complete`` shows whether these are all.

        It ends early after ``work`` checked lines in all, or after about ``time_limit_s`` wall seconds.
        """
        return (cells for cells in self.steps(work, time_limit_s) if cells is not None)

    def steps(
        self, work: int | None = None, time_limit_s: float | None = None
    ) -> Iterator[npt.NDArray[np.int64] | None]:
        """The same, with None after each stretch of the search, of a second or less, that found no solution."""
        begin = perf_counter()
        while not self.complete:
            left = None if work is None else work - int(self.board.state[LINES])
            if left is not None and left <= 0:
                return
            status = self.go_on(left)
            if status == FOUND:
                self.complete = not self.guessed
                yield cells_of(self.board)
                continue
            self.complete = status == EXHAUSTED
            yield None
            if time_limit_s is not None and perf_counter() - begin > time_limit_s:
                return

    def restart(self) -> None:
        """Undo all guesses, to begin anew with what is known at the root."""
        if self.guessed:
            mark_changed(self.board, self.tree.mark[0])  # no probe below the guesses holds at the root
            undo(self.board, self.tree.mark[0])
            self.tree.state[DEPTH] = 0
        if self.tree.state[PHASE] != DONE:
            self.tree.state[PHASE] = ENTER

    def back_to_root(self) -> bool:
        """Undo all guesses and propagate at the root; a search then begins anew. Is the board without a solution?"""
        self.restart()
        while self.board.state[WAITING] > 0:
            if propagate(self.board, NEVER) == DEAD:
                return True
        return False

    def idle(self) -> bool:
        """Is the queue empty, at the root? Then others may use the board between two calls of ``go_on``."""
        return not self.guessed and bool(self.board.state[WAITING] == 0)

    def implications(self, most: int) -> npt.NDArray[np.int64]:
        """The implications of values of open cells, at most ``most`` pairs, after ``back_to_root``; see ``probing``."""
        cause, effect = np.empty((2, most), dtype=np.int64)
        found = implications(self.board, cause, effect)
        return np.stack((cause[:found], effect[:found]), axis=1)

    def seen(self, solve_s: float) -> Glimpse:
        """The board as it is now, and the phase."""
        guesses, doing = int(self.tree.state[DEPTH]), DOING[int(self.tree.state[PHASE])]
        return Glimpse(doing, self.statistics(solve_s), cells_of(self.board), guesses=guesses)

    @property
    def guessed(self) -> bool:
        """Is a guess on the board? If not, what is fixed is so in every solution."""
        return bool(self.tree.state[DEPTH] > 0)

    def costs(self, solve_s: float) -> dict[str, float]:
        """The cost so far, by fields of ``Statistics``."""
        board, tree = self.board.state.tolist(), self.tree.state.tolist()
        return {
            "solve_s": solve_s,
            "lines_checked": board[LINES],
            "assumptions": tree[GUESSES],
            "probes": int(self.probes.state[PROBES]),
            "nodes": tree[NODES],
            "contradictions": board[CONTRADICTIONS],
        }

    def statistics(self, solve_s: float) -> Statistics:
        """The cost so far."""
        return Statistics.of(self.costs(solve_s))


def search(puzzle: Nonogram, encoding: object, at_most: int | None, solver: Solver) -> Iterator[Event]:
    """Find at most ``at_most`` solutions (None: all). No encoding is used."""
    yield Progress("solving")
    begin = perf_counter()
    tree = TreeSearch(puzzle, probing="noprobe" not in solver.chosen, memo="nomemo" not in solver.chosen)
    found, complete, pace = 0, False, Pace(int(NEVER))
    while found != at_most and not complete:
        status = tree.go_on(pace())
        yield from glimpse(lambda: tree.seen(perf_counter() - begin))
        if status == EXHAUSTED:
            complete = True
        elif status == FOUND:
            found += 1
            complete = not tree.guessed
            yield Found(cells_of(tree.board))
        else:
            yield Progress("solving", tree.statistics(perf_counter() - begin))
    yield Finished(complete, tree.statistics(perf_counter() - begin))


ready(__name__)
