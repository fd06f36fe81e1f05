"""All states that a sweep over a board's rows may come to, known before anything is counted: what it takes is known."""

from __future__ import annotations

from itertools import accumulate, pairwise

import numpy as np
import numpy.typing as npt

from nonosat.counting.sweep.automata import reader_of
from nonosat.counting.sweep.halves import Crossing, Half
from nonosat.counting.sweep.layers import Shape, shape_of
from nonosat.puzzles.nonogram.puzzle import Clue
from nonosat.solvers.arrays import ByteTable

COUNT = 8
"""Bytes of a state's count."""


class Plan:
    """A sweep over ``rows``, which are columns of the board if it is ``turned``. ``may``: of each cell and value,
    whether it is possible.

    ``ready``: all states are known; ``large``: there are too many. Then: ``shapes`` of the layers before each row and
    behind the last; ``cost``: additions that all rows take, about; ``meet``: the row before which the sweep from above
    and that from below are joined. ``work``: in additions, about.
    """

    def __init__(
        self, rows: tuple[Clue, ...], columns: tuple[Clue, ...], may: npt.NDArray[np.bool_], turned: bool
    ) -> None:
        self.across = [reader_of(clue, may[r]) for r, clue in enumerate(rows)]
        self.down = [reader_of(clue, may[:, c]) for c, clue in enumerate(columns)]
        self.turned = turned
        self.height, self.middle = len(rows), (len(columns) + 1) // 2
        rows_coloured = [sum(letter != 0 for letter in reader.letters) for reader in self.across]
        self.above = list(accumulate(rows_coloured, initial=0))
        anything = [
            np.ones((len(reader.states[self.middle]), above + 1), dtype=np.uint8)
            for reader, above in zip(self.across, self.above[:-1], strict=True)
        ]
        self.left, self.right = self._half(False, anything), self._half(True, anything)
        self.spent = 0
        self.ready = False
        self.shapes: list[Shape] = []
        self.cost, self.meet = 0.0, 0

    @property
    def large(self) -> bool:
        """Are there too many states?"""
        return self.left.large or self.right.large

    @property
    def work(self) -> int:
        """What finding the states has taken, in additions, about."""
        return self.spent + self.left.work + self.right.work

    @property
    def bytes(self) -> int:
        """The memory that the states take."""
        return self.left.bytes + self.right.bytes

    def read(self, most: int) -> bool:
        """Go on with a row of one half; False: none has ``most`` ways or fewer."""
        for half in sorted((self.left, self.right), key=lambda one: one.work):
            if not half.done and half.read(most):
                if half.done:
                    self._done(half)
                return True
        return False

    def _half(self, right: bool, fits: list[ByteTable]) -> Half:
        """A half of which nothing is read."""
        edges = (self.middle, len(self.down)) if right else (0, self.middle)
        return Half(self.across, self.down, *edges, right, fits)

    def _fits(self, other: Half) -> list[ByteTable]:
        """Where a half that is done can go on, for the other one: see ``Half``."""
        found = []
        for r, (start, _, middle) in enumerate(other.crossings):
            here = np.zeros((len(self.across[r].states[self.middle]), self.above[r] + 1), dtype=np.uint8)
            here[middle, self.above[r] - other.places[r].coloured[start]] = 1
            found.append(here)
        return found

    def _done(self, half: Half) -> None:
        """A half is done. The first one narrows the other, which begins anew, and then that one the first."""
        other, fits = self.left if half.right else self.right, self._fits(half)
        if other.done:
            other.narrow(fits)
            self._finish()
        else:
            self.spent += other.work
            self.left, self.right = (self._half(False, fits), half) if half.right else (half, self._half(True, fits))

    def _finish(self) -> None:
        """All rows are read: lay out the layers."""
        for left, right, above in zip(self.left.places, self.right.places, self.above, strict=True):
            self.shapes.append(shape_of(left, right, above))
        states = np.array([shape.states for shape in self.shapes], dtype=float)
        crossings = zip(self.left.crossings, self.right.crossings, pairwise(states.tolist()), strict=True)
        self.cost = sum(fan(one, 0) * before + fan(other, 1) * behind for one, other, (before, behind) in crossings)
        rows = range(self.height // 3, self.height - self.height // 3 + 1)
        self.meet = min(rows, key=lambda r: states[r])
        self.ready = True

    def coloured(self, row: int, state: int) -> int:
        """How many cells a row's left half has coloured, when its automaton is in a ``state`` in the middle."""
        reader = self.across[row]
        return sum(letter != 0 for letter in reader.letters[: reader.states[self.middle][state]])


def fan(crossing: Crossing, side: int) -> float:
    """How many ways across a row a state before it (``side`` 1: behind it) has, at the mean."""
    return len(crossing.start) / max(1, len(np.unique(crossing[side])))
