"""A line as a person sees it who looks at nothing else: its clues, and the heights that its cells can have.

A set of heights is the bits of a whole number: bit h - 1 is height h.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import NamedTuple

from nonosat.explanations.words import listed, places

OPEN = 0
"""The height of a cell that is not known."""


class CandidateFinding(NamedTuple):
    """What a technique sees: the heights that it leaves to cells, a set a cell; none of any: a contradiction.

    It is written as ``Row 2: {known facts}; {why}{so} {then}``: ``why`` may be empty, ``then`` is what follows, if that
    is not just which heights cells have. ``since``: known facts are to be named. ``ways``: orders of the line's towers
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
    def text(self) -> str:
        """The clue in words."""
        return seen(self.clue, self.side)


@dataclass(frozen=True)
class TowerLine:
    """A row or a column. ``heights``: of its cells, 0 where open; ``cells``: what each can have; ``front``, ``back``:
    the clues at its ends, 0 for none.

    >>> line = TowerLine.drawn(". 3 . 12", front=2)
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
    def drawn(cls, text: str, front: int = 0, back: int = 0) -> TowerLine:
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
    ) -> TowerLine:
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

    def format_cells(self, cells: Iterable[int]) -> str:
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


def format_heights(heights: Iterable[int], last: str = "and") -> str:
    """Heights in words: ``2 and 5``."""
    return listed([str(height) for height in heights], last)


def single(mask: int) -> bool:
    """Is there just one height in the set?"""
    return mask != 0 and mask & (mask - 1) == 0


# The orders in which a line's towers can stand, by a dynamic program from the highest tower down.
#
# Of the towers from height h up, the one on the far left and the one on the far right say how many are seen from either
# end: a tower is seen from the left if all higher ones stand to its right. So the places that are taken, and how many
# are seen from the ends that have a clue, are all that matters for those to come.


State = tuple[int, int, int]
"""The places that are taken (bits), and how many towers are seen from the front and from the back (0: no clue)."""

STATES = 400_000
"""Of a line, at most: some seconds. Longer lines with hardly anything known are given up."""


class Orders(NamedTuple):
    """``possible``: for each cell its heights in some order, all empty if there is none; ``number``: of the orders.

    ``layers[k]``: by state after k towers the number of orders of the rest. ``complete``: nothing was given up.
    """

    possible: tuple[int, ...]
    number: int
    layers: tuple[dict[State, int], ...]
    complete: bool = True

    def some(self, most: int, places: tuple[int, ...], front: int, back: int) -> Iterator[tuple[int, ...]]:
        """The first ``most`` orders; ``places``: see ``orders``."""
        size = len(places)
        todo: list[tuple[State, tuple[int, ...]]] = [((0, 0, 0), (0,) * size)] if self.number else []
        while todo and most:
            state, line = todo.pop()
            done = state[0].bit_count()
            if done == size:
                most -= 1
                yield line
                continue
            for cell, after in reversed(list(_after(state, places[size - 1 - done], size, front, back))):
                if after in self.layers[done + 1]:
                    todo.append((after, (*line[:cell], size - done, *line[cell + 1 :])))


@lru_cache(maxsize=60_000)
def orders(cells: tuple[int, ...], front: int, back: int) -> Orders:
    """All orders with which cells have heights that they can have, and clues (0: none) are right.

    >>> found = orders((0b111, 0b111, 0b111), 2, 0)
    >>> found.number, [bin(one) for one in found.possible]
    (3, ['0b11', '0b101', '0b111'])
    >>> list(found.some(9, places_in_orders((0b111,) * 3), 2, 0))
    [(2, 3, 1), (1, 3, 2), (2, 1, 3)]
    """
    size = len(cells)
    where = places_in_orders(cells)
    layers: list[dict[State, int]] = [{(0, 0, 0): 0}]
    states = 0
    for height in range(size, 0, -1):
        following: dict[State, int] = {}
        for state in layers[-1]:
            for _, after in _after(state, where[height - 1], size, front, back):
                following[after] = 0
        states += len(following)
        if states > STATES:
            return Orders(cells, 1 << 62, (), complete=False)
        layers.append(following)
    return _counted(layers, where, front, back)


def _counted(layers: list[dict[State, int]], where: tuple[int, ...], front: int, back: int) -> Orders:
    """Backwards: how many orders of the rest there are, and the heights of those that come to an end."""
    size = len(where)
    possible = [0] * size
    for state in layers[-1]:
        if state[1:] == (front, back):
            layers[-1][state] = 1
    for done in range(size - 1, -1, -1):
        height, behind = size - done, layers[done + 1]
        for state in layers[done]:
            ways = 0
            for cell, after in _after(state, where[height - 1], size, front, back):
                if more := behind[after]:
                    ways += more
                    possible[cell] |= 1 << height - 1
            layers[done][state] = ways
    kept = tuple({state: ways for state, ways in layer.items() if ways} for layer in layers)
    return Orders(tuple(possible), layers[0][0, 0, 0], kept)


def places_in_orders(cells: tuple[int, ...]) -> tuple[int, ...]:
    """For each height the cells that can have it."""
    return tuple(sum((cell >> h & 1) << i for i, cell in enumerate(cells)) for h in range(len(cells)))


def _after(state: State, where: int, size: int, front: int, back: int) -> Iterator[tuple[int, State]]:
    """The cells where the next tower can stand, and the states after that; those that no clue can come of are left out.

    Left of all higher towers it is seen from the front; as many more can be seen as there are cells left of it.
    """
    taken, left, right = state
    low, high = taken & -taken, 1 << taken.bit_length() >> 1
    free = where & ~taken
    while free:
        bit = free & -free
        free ^= bit
        first, last = bit < low or not taken, bit > high
        ahead, behind = left + (first and front > 0), right + (last and back > 0)
        if front and not ahead <= front <= ahead + (bit if first else low).bit_length() - 1:
            continue
        if back and not behind <= back <= behind + size - (bit if last else high).bit_length():
            continue
        yield bit.bit_length() - 1, (taken | bit, ahead, behind)
