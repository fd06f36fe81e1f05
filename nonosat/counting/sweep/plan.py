"""All states that a sweep over a board's rows may come to, known before anything is counted: what it takes is known."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import numpy.typing as npt

from nonosat.counting.sweep.automata import reader_of
from nonosat.counting.sweep.halves import Crossing, Half
from nonosat.counting.sweep.layers import Shape, shape_of
from nonosat.puzzles.nonogram.puzzle import Clue

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
        self.left = Half(self.across, self.down, 0, self.middle)
        self.right = Half(self.across, self.down, self.middle, len(columns))
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
        return self.left.work + self.right.work

    @property
    def bytes(self) -> int:
        """The memory that the states take."""
        return self.left.bytes + self.right.bytes

    def read(self, most: int) -> bool:
        """Go on with a row of one half; False: none has ``most`` ways or fewer."""
        for half in sorted((self.left, self.right), key=lambda one: one.row):
            if half.row < self.height and not half.large and half.read(most):
                return True
        if min(self.left.row, self.right.row) < self.height:
            return False
        self._finish()
        return True

    def _finish(self) -> None:
        """All rows are read."""
        coloured = 0
        for half in (self.left, self.right):
            half.finish()
        for r in range(self.height + 1):
            self.shapes.append(shape_of(self.left.places[r], self.right.places[r], coloured))
            if r < self.height:
                coloured += sum(letter != 0 for letter in self.across[r].letters)
        states = np.array([shape.states for shape in self.shapes], dtype=float)
        ways = [
            (fan(one, 0), fan(other, 1)) for one, other in zip(self.left.crossings, self.right.crossings, strict=True)
        ]
        self.cost = sum(a * s + b * t for (a, b), (s, t) in zip(ways, pairwise(states.tolist()), strict=True))
        rows = range(self.height // 3, self.height - self.height // 3 + 1)
        self.meet = min(rows, key=lambda r: states[r])
        self.ready = True

    def memory(self, keep: bool) -> int:
        """Bytes of the layers that are there at the same time, at most; ``keep``: of all."""
        states = [shape.states for shape in self.shapes]
        if keep:
            return COUNT * (sum(states) + states[self.meet])
        above = max((a + b for a, b in pairwise(states[: self.meet + 1])), default=1)
        below = max((a + b for a, b in pairwise(states[self.meet :])), default=1)
        return COUNT * max(above, below + states[self.meet])

    def coloured(self, row: int, state: int) -> int:
        """How many cells a row's left half has coloured, when its automaton is in a ``state`` in the middle."""
        reader = self.across[row]
        return sum(letter != 0 for letter in reader.letters[: reader.states[self.middle][state]])


def fan(crossing: Crossing, side: int) -> float:
    """How many ways across a row a state before it (``side`` 1: behind it) has, at the mean."""
    return len(crossing.start) / max(1, len(np.unique(crossing[side])))
