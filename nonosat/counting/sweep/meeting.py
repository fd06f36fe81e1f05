"""A count by two sweeps, from the first row on and from the last, that meet where they come to.

The one with the smaller layer goes on, so that neither passes where there are most states, unless it must.
"""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from nonosat.counting.sweep.join import MARK, Classified, classified, columns_of, pairs, parts_of
from nonosat.counting.sweep.side import Layer, Side
from nonosat.counting.sweep.sizes import bounds
from nonosat.counting.sweep.step import OVERFLOW, PAUSED
from nonosat.solvers.propagation.board import Board
from nonosat.solvers.propagation.changes import may_be

if TYPE_CHECKING:
    from nonosat.puzzles.nonogram.puzzle import Clue, Nonogram
    from nonosat.solvers.arrays import Ints, Words

JOINED, SORTED = 16, 32
"""Bytes that a state takes more while two layers are joined, and if its part is kept."""
JOINING = 4
"""What a state costs there, in states that are read: about."""
MET, STOPPED = 8, 9
"""What ``Sweep.go_on`` says, beside PAUSED: all is counted; there is no room, or a number that no word holds."""


def may_of(board: Board) -> npt.NDArray[np.bool_]:
    """Of each cell and value, whether it is possible: shape (rows, columns, values)."""
    shape = board.height, board.width, board.colours + 1
    return np.array([may_be(board, *cell) for cell in np.ndindex(shape)], dtype=bool).reshape(shape)


class Part(NamedTuple):
    """Some states of both sides that may fit, sorted by class: all that fit with others are in other parts.

    ``marks``: the sum of all pairs before every MARK-th state above, in four words.
    """

    above: Classified
    below: Classified
    marks: Words


class Sweep:
    """A count that can be gone on with. ``turned``: columns are swept instead of rows.

    ``expected``: more states than it will read, but for those of rows that are half done; ``inf``: the board is too
    large for it. ``keep``: solutions are to be drawn afterwards: all ``parts`` stay.
    """

    def __init__(self, puzzle: Nonogram, board: Board, keep: bool = False) -> None:
        may = may_of(board)
        ways = [(puzzle.rows, puzzle.columns, may, False), (puzzle.columns, puzzle.rows, may.transpose(1, 0, 2), True)]
        tried = [(*two_sides(rows, columns, allowed, keep), turned) for rows, columns, allowed, turned in ways]
        costs = [expected(above, below) for above, below, _ in tried]
        self.expected = min(costs)
        self.above, self.below, self.turned = tried[costs.index(self.expected)]
        self.shape, self.joined, self.keep = may.shape, 0, keep
        self.layers: tuple[Layer, Layer] | None = None
        self.todo: list[tuple[int, ...]] = []
        self.parts: list[Part] = []
        self.at: Ints = np.zeros(2, dtype=np.int64)
        self.total: Words = np.zeros(4, dtype=np.uint64)

    @property
    def work(self) -> int:
        """How many states have been read."""
        return self.above.work + self.below.work + self.joined

    @property
    def solutions(self) -> int:
        """Once they have MET."""
        return number_of(self.total)

    @property
    def bytes(self) -> int:
        """The memory that it takes."""
        layers = sum(layer.bytes for layer in self.layers or ())
        parts = sum(part.above.bytes + part.below.bytes + part.marks.nbytes for part in self.parts)
        return self.above.bytes + self.below.bytes + layers + parts

    def go_on(self, budget: int, room: int) -> int:
        """Read some ``budget`` states, and take ``room`` bytes at most: PAUSED, MET or STOPPED."""
        if self.layers is not None:
            return self._join(budget)
        above, below = self.above, self.below
        side = min((above, below), key=lambda one: (one.between, one.states))  # a row is done at one go
        if side.between and above.row + below.row == above.height:
            more = JOINED + (SORTED if self.keep else 0)
            if self.bytes + more * (above.states + below.states) > room:
                return STOPPED
            self.columns = columns_of(above, below)
            self.todo = parts_of(self.columns, above.states + below.states)[::-1]
            self.layers = above.taken(), below.taken()
            return PAUSED
        said = side.go_on(budget)
        return STOPPED if said == OVERFLOW or self.bytes > room else PAUSED

    def _join(self, budget: int) -> int:
        """Go on with the part at work, or begin the next one."""
        assert self.layers is not None
        if not self.parts or self.at[0] == len(self.parts[-1].above.classes):
            if not self.todo:
                return MET
            self._begin(self.todo.pop())
        one, other, marks = self.parts[-1]
        until = min(len(one.classes), int(self.at[0]) + budget // JOINING + 1)
        self.joined += JOINING * (until - int(self.at[0]))
        pairs(*one[1:], *other[1:], self.at, until, self.total, marks)
        return PAUSED

    def _begin(self, part_of: tuple[int, ...]) -> None:
        """The next part: states of these classes."""
        assert self.layers is not None
        sides = zip(self.layers, self.columns[:2], strict=True)
        one, other = (classified(layer, columns, self.columns.places, part_of) for layer, columns in sides)
        self.joined += JOINING * (len(one.classes) + len(other.classes))
        self.parts = [*(self.parts if self.keep else []), Part(one, other, marks_for(len(one.classes), self.total))]
        self.at[:] = 0


def marks_for(states: int, total: Words) -> Words:
    """Room for the marks of so many states; the first is there even if there is none."""
    marks = np.zeros(4 * (states // MARK + 1), dtype=np.uint64)
    marks[:4] = total
    return marks


def two_sides(
    rows: tuple[Clue, ...], columns: tuple[Clue, ...], may: npt.NDArray[np.bool_], keep: bool
) -> tuple[Side, Side]:
    """The sweeps from above and from below."""
    turned = tuple(clue[::-1] for clue in columns)
    return Side(rows, columns, may, keep), Side(rows[::-1], turned, may[::-1], keep)


def expected(above: Side, below: Side) -> float:
    """How many states both will read, at most: at the row where they had best meet."""
    if not (above.fits() and below.fits()):
        return inf
    one, other = (np.cumsum(bounds(side.across, side.down)) for side in (above, below))
    return above.width * float((one + other[::-1]).min())


def number_of(words: Words) -> int:
    """The number that is held in words of 64 bits, the lowest first."""
    return sum(int(word) << 64 * i for i, word in enumerate(words))
