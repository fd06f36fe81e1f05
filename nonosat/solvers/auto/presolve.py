"""The part of ``auto`` before SAT: tree search, greedy search, decimation, and a search for a second solution.

It is compiled code, which ``auto/nonogram.py`` imports when it starts to search.
"""

from __future__ import annotations

from collections.abc import Generator
from functools import cache
from time import perf_counter
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from nonosat.interrupts import loading
from nonosat.puzzles.nonogram import Nonogram
from nonosat.runs.events import Event, Finished, Statistics
from nonosat.runs.watched import Pace, glimpse
from nonosat.solvers.auto.search import load_sat
from nonosat.solvers.propagation.board import LINES, PAUSED, TRAIL, cells_of
from nonosat.solvers.propagation.probing import PROBES, QUIET
from nonosat.solvers.propagation.tree import EXHAUSTED, FOUND, GUESSES, TreeSearch

if TYPE_CHECKING:
    from nonosat.solvers.propagation.decimation import Decimation
    from nonosat.solvers.propagation.greedy import GreedySearch, SecondSolutionSearch

CellValues = npt.NDArray[Any]

MOST = 1_300_000
"""Lines that the tree search filters in all."""
PIECE = 2_000
SECOND = 16
"""Lines filtered for each cell by the search for a second solution."""


@cache
def load_greedy() -> None:
    """Import the searches that choose cells one by one."""
    with loading():
        import nonosat.solvers.propagation.greedy  # noqa: F401


@cache
def load_decimation() -> None:
    """Import decimation, and SAT, which comes next."""
    with loading():
        import nonosat.solvers.propagation.decimation  # noqa: F401
    load_sat()


class Presolve:
    """A search for ``at_most`` solutions (None: all) of ``puzzle``. ``complete``: those it has ``found`` are all."""

    def __init__(self, puzzle: Nonogram, at_most: int | None) -> None:
        self.at_most, self.cells = at_most, puzzle.height * puzzle.width
        self.began, self.tree_s = perf_counter(), 0.0
        self.tree, self.pace = TreeSearch(puzzle), Pace(PIECE)
        self.greedy: GreedySearch | None = None
        self.decimation: Decimation | None = None
        self.second: SecondSolutionSearch | None = None
        self.found: dict[bytes, CellValues] = {}
        self.complete, self.by_tree = False, False
        self.first: int | None = None
        """What the first piece of the tree search came to, where ``at_once`` left it."""

    @property
    def done(self) -> bool:
        """Is there nothing left to look for?"""
        return self.complete or len(self.found) == self.at_most

    @property
    def solutions(self) -> list[CellValues]:
        """Those found, in their order."""
        return list(self.found.values())

    def at_once(self, lines: int) -> bool:
        """Search the tree for so many ``lines``, but one ``PIECE`` at most, without events; is all done?

        If not, ``go_on_from_there``.
        """
        if lines <= 0:
            return False
        lines = min(lines, PIECE)
        status, state = PAUSED, self.tree.board.state
        while status == PAUSED and state[LINES] < lines:
            status = self.tree.go_on(lines - int(state[LINES]))
        if status == EXHAUSTED or (status == FOUND and (self.at_most == 1 or not self.tree.guessed)):
            self._settled(status)
            if status == FOUND:
                cells = self._cells()
                self.found[cells.tobytes()] = cells
            self._note_time()
            return True
        self.first = status
        return False

    def go_on_from_there(self) -> Generator[Event, None, None]:
        """Take what ``at_once`` left, if it was called."""
        if self.first is not None:
            yield from self._taken(self.first)

    def search_greedily(self, lines: int, ways: slice) -> Generator[Event, None, bool]:
        """Search greedily in these of the ``WAYS``, for so many ``lines`` each; is all done?

        That is once the queue is empty, unless a guess was needed.
        """
        while lines and not self.done and not self.tree.guessed and not self.tree.idle():
            yield from self._piece(PIECE)
        if lines and not self.done and self.tree.idle():
            paused_at = perf_counter()
            load_greedy()
            from nonosat.solvers.propagation.greedy import NONE, WAYS, GreedySearch

            self.began += perf_counter() - paused_at
            if self.greedy is None:
                self.greedy = GreedySearch(self.tree.board)
            for way in range(len(WAYS))[ways]:
                cells = yield from self.greedy.within(lines, way)
                self.complete = self.greedy.status == NONE
                if self.complete or cells is not None:
                    break
            self.tree.probes.state[QUIET] = 0  # it may have fixed something that probes can use
            if cells is not None:
                yield from self._add(cells)
        self._note_time()
        return self.done

    def search_tree(self, lines: int, guesses: bool) -> Generator[Event, None, bool]:
        """Search the tree for so many lines in all, without ``guesses`` up to the first one; is all done?

        Those of the greedy search are not among them.
        """
        tree, most = self.tree, min(lines, MOST) + (0 if self.greedy is None else self.greedy.lines)
        while not self.done and tree.board.state[LINES] < most and (guesses or not tree.tree.state[GUESSES]):
            yield from self._piece(min(PIECE, most - int(tree.board.state[LINES])))
        self._note_time()
        return self.done

    def search_small_tree(self, lines: int) -> Generator[Event, None, bool]:
        """Search the tree from its root on, for so many lines more; is all done?"""
        self.tree.restart()
        until = int(self.tree.board.state[LINES]) + lines
        while not self.done and self.tree.board.state[LINES] < until:
            yield from self._piece(min(PIECE, until - int(self.tree.board.state[LINES])))
        self._note_time()
        return self.done

    def _piece(self, lines: int) -> Generator[Event, None, None]:
        """Search the tree for so many lines, and keep what it finds."""
        yield from self._taken((yield from self._lines(lines)))

    def _taken(self, status: int) -> Generator[Event, None, None]:
        """Take what a piece of the tree search has come to."""
        self._settled(status)
        if status == FOUND:
            yield from self._add(self._cells())

    def _settled(self, status: int) -> None:
        """Note what a piece of the tree search has come to."""
        self.complete |= status == EXHAUSTED or (status == FOUND and not self.tree.guessed)
        self.by_tree |= self.complete or status == FOUND

    def _cells(self) -> CellValues:
        """The solution on the tree search's board, as SAT's are."""
        return cells_of(self.tree.board).astype(np.uint8)

    def _lines(self, lines: int) -> Generator[Event, None, int]:
        """Search the tree for so many lines, in smaller pieces if it is watched: the search is the same."""
        state = self.tree.board.state
        until = int(state[LINES]) + lines
        while True:
            status = self.tree.go_on(min(self.pace(), until - int(state[LINES])))
            yield from glimpse(lambda: self.tree.seen(perf_counter() - self.began))
            if status != PAUSED or state[LINES] >= until:
                return status

    def decimator(self) -> Decimation:
        """The decimation on the tree search's board, made at the first call."""
        if self.decimation is None:
            paused_at = perf_counter()
            load_decimation()
            from nonosat.solvers.propagation.decimation import Decimation

            self.began += perf_counter() - paused_at
            self.decimation = Decimation(self.tree.board)
        return self.decimation

    def decimate(self, lines: int) -> Generator[Event, None, None]:
        """Decimate until a solution is found, or for so many messages of ``lines``; not if a guess is on the board."""
        if self.tree.idle() and (cells := (yield from self.decimator().within(lines))) is not None:
            yield from self._add(cells)
        self._note_time()

    def _add(self, cells: CellValues) -> Generator[Event, None, None]:
        """Keep a solution, and if it is the first of two, search for the second near it."""
        self.found.setdefault(cells.tobytes(), cells)
        if self.complete or self.second is not None or (len(self.found), self.at_most) != (1, 2):
            return
        paused_at = perf_counter()
        load_greedy()
        from nonosat.solvers.propagation.greedy import NONE, SecondSolutionSearch

        self.began += perf_counter() - paused_at
        board, tree = self.tree.board, self.tree.tree
        self.second = SecondSolutionSearch(board, int(tree.mark[0] if self.tree.guessed else board.state[TRAIL]), cells)
        if (other := (yield from self.second.within(SECOND * self.cells))) is not None:
            self.found[other.tobytes()] = other
        self.complete = self.second.status == NONE

    def implications(self, most: int) -> npt.NDArray[np.int64]:
        """See ``TreeSearch``."""
        pairs = self.tree.implications(most)
        self._note_time()
        return pairs

    def release(self) -> None:
        """The search is over, and its statistics are read: another thread may have the arrays from here on."""
        for part in (self.tree, self.greedy, self.decimation, self.second):
            if part is not None:
                part.release()

    def _note_time(self) -> None:
        """Note how long the tree search has taken: all the time that the others have not."""
        others = (part.spent_s for part in (self.greedy, self.decimation, self.second) if part is not None)
        self.tree_s = perf_counter() - self.began - sum(others)

    def spent(self) -> Statistics:
        """The cost of all parts."""
        others = [part.costs() for part in (self.greedy, self.decimation, self.second) if part is not None]
        return Statistics.of(self.tree.costs(self.tree_s), *others)

    def finished(self, exhausted: bool, how: str | None = None) -> Finished:
        """The end of a search without SAT. ``how``: what the tree search did."""
        if how is None:
            probed = bool(self.tree.probes.state[PROBES])
            guessed = bool(self.tree.tree.state[GUESSES]) or (self.greedy is not None and self.greedy.ended)
            how = f"lines{', probing' * probed} and guesses" if guessed else "lines and probing"
        nearby = ", then near the picture" if self.second is not None and self.second.decided else ""
        by_decimation = self.decimation is not None and self.decimation.found and not self.by_tree
        reason = f"by beliefs{nearby} after {how}" if by_decimation else f"by {how}{nearby}"
        return Finished(exhausted, self.spent(), reason)
