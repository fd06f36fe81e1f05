"""The solver ``propagation``: complete line solving, probing, backtracking.

Switches: ``noprobe`` guesses as soon as the lines are stuck; ``nomemo`` remembers no results of lines.
"""

from __future__ import annotations

from collections.abc import Iterator
from time import perf_counter

import numpy as np
import numpy.typing as npt

from nonosat.puzzles.nonogram import Nonogram
from nonosat.solvers.answer import Event, Finished, Found, Glimpse, Progress, Statistics
from nonosat.solvers.compiled import ready
from nonosat.solvers.propagation.board import CONTRADICTIONS, LINES, NEVER, WAITING, board_of, cells_of
from nonosat.solvers.propagation.changes import undo
from nonosat.solvers.propagation.probing import PROBES, implications, probes_of
from nonosat.solvers.propagation.propagate import DEAD, PAUSED, propagate
from nonosat.solvers.propagation.tree import DEPTH, DOING, EXHAUSTED, FOUND, GUESSES, NODES, PHASE, tree_of
from nonosat.solvers.propagation.tree import search as search_on
from nonosat.solvers.solver import Solver
from nonosat.solvers.watched import Pace, glimpse

EVERY_S = 0.1
"""About how often the compiled search comes back, so that Ctrl-C is heard and progress is seen."""


class Hunt:
    """A search for all solutions of a puzzle that can be gone on with: its board, its arrays, and its pace."""

    def __init__(self, puzzle: Nonogram, probing: bool = True, memo: bool = True) -> None:
        self.board = board_of(puzzle, memo)
        self.probes, self.tree = probes_of(self.board), tree_of(self.board)
        self.probing, self.budget = probing, 1000

    def go_on(self, most: int | None = None) -> int:
        """FOUND (the board is a solution), EXHAUSTED, or PAUSED after some ``EVERY_S`` seconds or ``most`` lines."""
        begin = perf_counter()
        budget = self.budget if most is None else min(self.budget, most)
        said = search_on(self.board, self.probes, self.tree, self.probing, budget)
        if said == PAUSED and budget == self.budget:
            pace = EVERY_S / max(perf_counter() - begin, 1e-6)
            self.budget = int(budget * min(4.0, max(0.25, pace))) + 1
        return said

    def back_to_root(self) -> bool:
        """Take all guesses back, and settle what the root knows; the hunt is over. Is the board without a solution?"""
        if self.guessed:
            undo(self.board, self.tree.mark[0])
            self.tree.state[DEPTH] = 0
        while self.board.state[WAITING] > 0:
            if propagate(self.board, NEVER) == DEAD:
                return True
        return False

    def at_rest(self) -> bool:
        """Does nothing wait, at the root? Then others may use the board between two calls of ``go_on``."""
        return not self.guessed and bool(self.board.state[WAITING] == 0)

    def implications(self, most: int) -> npt.NDArray[np.int64]:
        """What values of open cells imply, at most ``most`` pairs, after ``back_to_root``; see ``probing``."""
        cause, effect = np.empty((2, most), dtype=np.int64)
        found = implications(self.board, cause, effect)
        return np.stack((cause[:found], effect[:found]), axis=1)

    def seen(self, solve_s: float) -> Glimpse:
        """The board in hand, and what is at work on it."""
        guesses, doing = int(self.tree.state[DEPTH]), DOING[int(self.tree.state[PHASE])]
        return Glimpse(doing, self.statistics(solve_s), cells_of(self.board), guesses=guesses)

    @property
    def guessed(self) -> bool:
        """Does the board rest on a guess? If not, what is on it is so in every solution."""
        return bool(self.tree.state[DEPTH] > 0)

    def statistics(self, solve_s: float) -> Statistics:
        """What the search has cost so far."""
        return Statistics(
            solve_s=solve_s,
            lines_checked=int(self.board.state[LINES]),
            assumptions=int(self.tree.state[GUESSES]),
            probes=int(self.probes.state[PROBES]),
            nodes=int(self.tree.state[NODES]),
            contradictions=int(self.board.state[CONTRADICTIONS]),
        )


def search(puzzle: Nonogram, encoding: object, at_most: int | None, solver: Solver) -> Iterator[Event]:
    """Find at most ``at_most`` pictures (None: all). No encoding plays a part."""
    yield Progress("solving")
    begin = perf_counter()
    hunt = Hunt(puzzle, probing="noprobe" not in solver.chosen, memo="nomemo" not in solver.chosen)
    found, alone, pace = 0, False, Pace(int(NEVER))
    while found != at_most and not alone:
        said = hunt.go_on(pace())
        yield from glimpse(lambda: hunt.seen(perf_counter() - begin))
        if said == EXHAUSTED:
            alone = True
        elif said == FOUND:
            found += 1
            alone = not hunt.guessed
            yield Found(cells_of(hunt.board))
        else:
            yield Progress("solving", hunt.statistics(perf_counter() - begin))
    yield Finished(alone, hunt.statistics(perf_counter() - begin))


ready(__name__)
