"""A line as a person sees it who looks at nothing else: its clues, and the heights that its cells can have.

A set of heights is the bits of a whole number: bit h - 1 is height h.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from nonosat.solvers.explain.words import listed, places

OPEN = 0
"""The height of a cell that is not known."""


class Finding(NamedTuple):
    """What a technique sees: the heights that it leaves to cells, a set a cell; none of any: a contradiction.

    It is told as ``Row 2: {known facts}; {why}{so} {then}``: ``why`` may be empty, ``then`` is what follows, if that
    is not just which heights cells have. ``since``: known facts are to be told. ``ways``: orders of the line's towers
    that the sentence speaks of, a sample if there are many.
    """

    leaves: Mapping[int, int]
    why: str = ""
    then: str = ""
    so: str = ", so"
    since: bool = True
    ways: tuple[tuple[int, ...], ...] = ()


class End(NamedTuple):
    """A line from one end: the clue there (0: none), the cells from there on, and what the end is called."""

    clue: int
    cells: tuple[int, ...]
    side: str

    @property
    def told(self) -> str:
        """The clue in words."""
        return seen(self.clue, self.side)


@dataclass(frozen=True)
class Line:
    """A row or a column. ``heights``: of its cells, 0 where open; ``cells``: what each can have; ``front``, ``back``:
    the clues at its ends, 0 for none.

    >>> line = Line.drawn(". 3 . 12", front=2)
    >>> line.cells == (0b1011, 0b100, 0b1011, 0b11), line.open, line.missing
    (True, [0, 2, 3], [1, 2, 4])
    """

    heights: tuple[int, ...]
    cells: tuple[int, ...]
    front: int = 0
    back: int = 0
    axis: str = "row"
    index: int = 0

    @classmethod
    def drawn(cls, text: str, front: int = 0, back: int = 0) -> Line:
        """For examples: ``.`` an open cell, ``3`` a tower, ``13`` an open cell that is 1 or 3, ``3?`` one that is 3."""
        words = text.split()
        every = (1 << len(words)) - 1
        heights = tuple(int(word) if len(word) == 1 and word != "." else OPEN for word in words)
        cells = (every if word == "." else sum(1 << int(h) - 1 for h in word.strip("?")) for word in words)
        return cls.of(heights, tuple(cells), front, back)

    @classmethod
    def of(
        cls,
        heights: tuple[int, ...],
        cells: Iterable[int],
        front: int = 0,
        back: int = 0,
        axis: str = "row",
        index: int = 0,
    ) -> Line:
        """A line in which no open cell can have a height that is there; a tower that its cell cannot have is none."""
        there = 0
        for height in heights:
            there |= 1 << height >> 1
        known = (cell & (1 << h >> 1 if h else ~there) for h, cell in zip(heights, cells, strict=True))
        return cls(heights, tuple(known), front, back, axis, index)

    @property
    def size(self) -> int:
        """N."""
        return len(self.cells)

    @property
    def every(self) -> int:
        """All heights."""
        return (1 << self.size) - 1

    @cached_property
    def open(self) -> list[int]:
        """The cells whose height is not known."""
        return [cell for cell, height in enumerate(self.heights) if height == OPEN]

    @cached_property
    def missing(self) -> list[int]:
        """The heights that are not there, from the lowest on."""
        there = set(self.heights)
        return [height for height in range(1, self.size + 1) if height not in there]

    def places(self, height: int) -> list[int]:
        """The open cells that can have a height."""
        return [cell for cell in self.open if self.cells[cell] >> height - 1 & 1]

    def ends(self) -> Iterator[End]:
        """Its ends that have a clue."""
        forward = tuple(range(self.size))
        first, last = ("left", "right") if self.axis == "row" else ("top", "bottom")
        if self.front:
            yield End(self.front, forward, first)
        if self.back:
            yield End(self.back, forward[::-1], last)

    def told(self, cells: Iterable[int]) -> str:
        """Cells in words: a row's are columns."""
        return places("column" if self.axis == "row" else "row", cells)


def seen(clue: int, side: str) -> str:
    """A clue in words.

    >>> seen(1, "left"), seen(3, "top")
    ('1 tower is seen from the left', '3 towers are seen from the top')
    """
    return f"{clue} tower{'s are' if clue > 1 else ' is'} seen from the {side}"


def heights_of(mask: int) -> tuple[int, ...]:
    """The heights of a set, from the lowest on.

    >>> heights_of(0b1011)
    (1, 2, 4)
    """
    return tuple(bit + 1 for bit in range(mask.bit_length()) if mask >> bit & 1)


def mask_of(heights: Iterable[int]) -> int:
    """The set of heights."""
    return sum(1 << height - 1 for height in heights)


def heights_told(heights: Iterable[int], last: str = "and") -> str:
    """Heights in words: ``2 and 5``."""
    return listed([str(height) for height in heights], last)


def single(mask: int) -> bool:
    """Is there just one height in the set?"""
    return mask != 0 and mask & (mask - 1) == 0
