"""What ``auto`` does before it asks SAT: lines, a plunge, probing and guesses, dives, and a look beside a picture."""

from __future__ import annotations

from collections.abc import Generator
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
    from nonosat.solvers.propagation.greedy import GreedyDescent, NearbySearch

CellValues = npt.NDArray[Any]

MOST = 1_300_000
"""Lines that the hunt settles in all."""
PIECE = 2_000
BESIDE = 16
"""Lines settled for each cell by the look beside a picture."""


class Beginning:
    """A search for ``at_most`` pictures (None: all) of ``puzzle``; ``alone``: there are none but those it has found."""

    def __init__(self, puzzle: Nonogram, at_most: int | None) -> None:
        self.at_most, self.cells = at_most, puzzle.height * puzzle.width
        self.began, self.hunt_s = perf_counter(), 0.0
        self.hunt, self.pace = TreeSearch(puzzle), Pace(PIECE)
        self.plunge: GreedyDescent | None = None
        self.dives: Decimation | None = None
        self.beside: NearbySearch | None = None
        self.found: dict[bytes, CellValues] = {}
        self.alone, self.by_hunt = False, False

    @property
    def done(self) -> bool:
        """Is there nothing left to look for?"""
        return self.alone or len(self.found) == self.at_most

    @property
    def pictures(self) -> list[CellValues]:
        """Those found, in their order."""
        return list(self.found.values())

    def plunged(self, lines: int) -> Generator[Event, None, bool]:
        """Plunge for so many ``lines`` once none waits, if there is no guess by then; is nothing left to look for?"""
        while lines and not self.done and not self.hunt.guessed and not self.hunt.at_rest():
            yield from self._piece()
        if lines and not self.done and self.hunt.at_rest():
            halt = perf_counter()
            with loading():
                from nonosat.solvers.propagation.greedy import NONE, GreedyDescent
            self.began += perf_counter() - halt
            self.plunge = GreedyDescent(self.hunt.board)
            cells = yield from self.plunge.within(lines)
            self.hunt.probes.state[QUIET] = 0  # it may have learnt something that probes can use
            self.alone = self.plunge.said == NONE
            if cells is not None:
                yield from self._add(cells)
        self._note()
        return self.done

    def hunted(self, lines: int, guesses: bool) -> Generator[Event, None, bool]:
        """Hunt for so many lines in all, without ``guesses`` up to the first one; is nothing left to look for?"""
        hunt, most = self.hunt, min(lines, MOST)
        while not self.done and hunt.board.state[LINES] < most and (guesses or not hunt.tree.state[GUESSES]):
            yield from self._piece()
        self._note()
        return self.done

    def _piece(self) -> Generator[Event, None, None]:
        """Hunt for a piece of lines, and keep what comes of it."""
        said = yield from self._lines()
        self.alone |= said == EXHAUSTED or (said == FOUND and not self.hunt.guessed)
        self.by_hunt |= self.alone or said == FOUND
        if said == FOUND:
            yield from self._add(cells_of(self.hunt.board).astype(np.uint8))  # as SAT's are

    def _lines(self) -> Generator[Event, None, int]:
        """Hunt for a piece of lines, in smaller ones if it is watched: the way is the same."""
        state = self.hunt.board.state
        until = int(state[LINES]) + PIECE
        while True:
            said = self.hunt.go_on(min(self.pace(), until - int(state[LINES])))
            yield from glimpse(lambda: self.hunt.seen(perf_counter() - self.began))
            if said != PAUSED or state[LINES] >= until:
                return said

    def diving(self) -> Decimation:
        """The dives on the hunt's board, made at the first call."""
        if self.dives is None:
            halt = perf_counter()
            with loading():
                from nonosat.solvers.propagation.decimation import Decimation
            load_sat()  # it comes next
            self.began += perf_counter() - halt
            self.dives = Decimation(self.hunt.board)
        return self.dives

    def dived(self, lines: int) -> Generator[Event, None, None]:
        """Dive until a picture is found, or so many ``lines`` have been asked; not where a guess is on the board."""
        dives = self.diving()
        if self.hunt.at_rest() and (cells := (yield from dives.within(lines))) is not None:
            yield from self._add(cells)
        self._note()

    def _add(self, cells: CellValues) -> Generator[Event, None, None]:
        """Count a picture, and if it is the first of two, look beside it."""
        self.found.setdefault(cells.tobytes(), cells)
        if self.alone or self.beside is not None or (len(self.found), self.at_most) != (1, 2):
            return
        halt = perf_counter()
        with loading():
            from nonosat.solvers.propagation.greedy import NONE, NearbySearch
        self.began += perf_counter() - halt
        board, tree = self.hunt.board, self.hunt.tree
        self.beside = NearbySearch(board, int(tree.mark[0] if self.hunt.guessed else board.state[TRAIL]), cells)
        if (other := (yield from self.beside.within(BESIDE * self.cells))) is not None:
            self.found[other.tobytes()] = other
        self.alone = self.beside.said == NONE

    def implications(self, most: int) -> npt.NDArray[np.int64]:
        """See ``Hunt``."""
        pairs = self.hunt.implications(most)
        self._note()
        return pairs

    def _note(self) -> None:
        """Note how long the hunt has taken: all the time that the others have not."""
        others = (part.spent_s for part in (self.plunge, self.dives, self.beside) if part is not None)
        self.hunt_s = perf_counter() - self.began - sum(others)

    def spent(self) -> Statistics:
        """What all have cost."""
        about = self.hunt.statistics(self.hunt_s)
        for part in (self.plunge, self.dives, self.beside):
            about = about if part is None else about.plus(part.statistics())
        return about

    def finished(self, exhausted: bool, how: str | None = None) -> Finished:
        """The end of a search that took no SAT. ``how``: what the hunt did."""
        if how is None:
            probed = bool(self.hunt.probes.state[PROBES])
            guessed = bool(self.hunt.tree.state[GUESSES]) or (self.plunge is not None and self.plunge.ended)
            how = f"lines{', probing' * probed} and guesses" if guessed else "lines and probing"
        near = ", then near the picture" if self.beside is not None and self.beside.settled else ""
        by_dives = self.dives is not None and self.dives.found and not self.by_hunt
        return Finished(exhausted, self.spent(), f"by beliefs{near} after {how}" if by_dives else f"by {how}{near}")
