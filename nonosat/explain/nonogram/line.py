"""A line as a person sees it who looks at nothing else: its clue and its known cells. What techniques are given."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import NamedTuple

from nonosat.explain.words import listed, ordinal, places
from nonosat.puzzles.drawing import channels
from nonosat.puzzles.nonogram.puzzle import BLACK, Clue, Colour, Run

# What the values of cells are called: filled, blank, or a colour by its name.


_NAMES = {
    "black": (0, 0, 0),
    "white": (255, 255, 255),
    "grey": (128, 128, 128),
    "red": (215, 60, 10),
    "orange": (235, 140, 0),
    "yellow": (245, 230, 50),
    "green": (0, 150, 60),
    "light blue": (90, 180, 235),
    "blue": (0, 80, 200),
    "purple": (128, 0, 128),
    "pink": (235, 130, 180),
    "brown": (140, 80, 30),
}


@lru_cache(maxsize=100)
def names(palette: tuple[Colour, ...]) -> tuple[str, ...]:
    """The name of each value of a cell, 0 (blank) first; colours whose names would be the same go by their symbols.

    >>> names((Colour("#", "#000000"),)), names((Colour("#", "#000000"), Colour("r", "#d55e00")))
    (('blank', 'filled'), ('blank', 'black', 'red'))
    """
    if len(palette) == 1:
        return "blank", "filled"
    nearest = [_nearest(colour.rgb) for colour in palette]
    unique = len(set(nearest)) == len(nearest)
    return "blank", *(nearest if unique else [f"colour {colour.symbol}" for colour in palette])


def _nearest(shade: str) -> str:
    here = channels(shade)
    return min(_NAMES, key=lambda name: sum((a - b) ** 2 for a, b in zip(_NAMES[name], here, strict=True)))


# Where the runs of a line can stand: all that techniques ask, by a dynamic program in plain Python.
#
# Sets of cells, and of boundaries (p lies before cell p), are the bits of whole numbers.


@dataclass(frozen=True)
class LinePlacements:
    """The fillings of ``size`` cells with the runs of ``clue``, where the cells ``may[v]`` may have the value v.

    >>> from nonosat.puzzles.nonogram.puzzle import Run
    >>> two_and_one = Placements((Run(2), Run(1)), 5, (0b11111, 0b11111))
    >>> [bin(starts) for starts in two_and_one.starts], two_and_one.count
    (['0b11', '0b11000'], 3)
    """

    clue: Clue
    size: int
    may: tuple[int, ...]

    @cached_property
    def starts(self) -> list[int]:
        """For each run the cells that it begins with in some filling."""
        return [ahead & behind for ahead, behind in zip(self._begun, self._ended, strict=True)]

    @cached_property
    def possible(self) -> tuple[int, ...]:
        """For each value the cells that have it in some filling; all are empty if there is no filling."""
        found = [0] * len(self.may)
        for (length, colour), starts in zip(self.clue, self.starts, strict=True):
            found[colour] |= spread(starts, length)
        for done, (after, _) in enumerate(self._after):
            found[0] |= after & (self._before[done] >> 1) & self.may[0]
        return tuple(found)

    @property
    def none(self) -> bool:
        """Is there no filling?"""
        return not self._before[0] & 1

    @cached_property
    def count(self) -> int:
        """How many fillings there are."""
        ways = [int(p == self.size) for p in range(self.size + 2)]
        for k in range(len(self.clue) - 1, -1, -1):
            ways = self._ways(k, self._walked(ways))
        return self._walked(ways)[0]

    def some(self, most: int) -> Iterator[tuple[int, ...]]:
        """The first ``most`` fillings, runs as early as can be; a value a cell."""
        todo: list[tuple[int, int, tuple[int, ...]]] = [] if self.none else [(0, 0, ())]
        while todo and most:
            k, at, begins = todo.pop()
            if k == len(self.clue):
                most -= 1
                yield self._filled(begins)
                continue
            later = [s for s in bits(self._ended[k]) if s >= at and self._blank(at, s) and self._may_follow(k, at, s)]
            todo += [(k + 1, s + self.clue[k].length, (*begins, s)) for s in reversed(later)]

    def covering(self, cell: int) -> list[int]:
        """The runs that have ``cell`` in some filling."""
        return [
            k
            for k, (starts, (length, _)) in enumerate(zip(self.starts, self.clue, strict=True))
            if spread(starts, length) >> cell & 1
        ]

    @cached_property
    def _fits(self) -> list[int]:
        """For each run the cells from which on all that it needs may have its colour."""
        fits = []
        for length, colour in self.clue:
            cells, have = self.may[colour], 1
            while have < length:
                step = min(have, length - have)
                cells &= cells >> step
                have += step
            fits.append(cells)
        return fits

    def _close(self, k: int) -> bool:
        """May run k touch the run before it?"""
        return k == 0 or self.clue[k - 1].colour != self.clue[k].colour

    @cached_property
    def _after(self) -> list[tuple[int, int]]:
        """For each number k of runs that are done: (boundaries behind them, those where run k may begin)."""
        ends, found = 1, []
        for k in range(len(self.clue) + 1):
            after = self._on(ends)
            begin = after if k == len(self.clue) or self._close(k) else self._on((ends & self.may[0]) << 1)
            found.append((after, begin))
            if k < len(self.clue):
                ends = (begin & self._fits[k]) << self.clue[k].length
        return found

    @cached_property
    def _begun(self) -> list[int]:
        return [begin & fits for (_, begin), fits in zip(self._after, self._fits, strict=False)]

    @cached_property
    def _ended(self) -> list[int]:
        """For each run the cells from which it and all later ones can be completed."""
        return [self._completed(k) for k in range(len(self.clue))]

    def _completed(self, k: int) -> int:
        then = self._before[k + 1]
        if k + 1 < len(self.clue) and not self._close(k + 1):
            then = (then >> 1) & self.may[0]
        return self._fits[k] & (then >> self.clue[k].length)

    @cached_property
    def _before(self) -> list[int]:
        """For each number k of runs: boundaries from which on run k and all later ones can be completed."""
        found = {len(self.clue): self._back(1 << self.size)}
        for k in range(len(self.clue) - 1, -1, -1):
            then = found[k + 1]
            if k + 1 < len(self.clue) and not self._close(k + 1):
                then = (then >> 1) & self.may[0]
            found[k] = self._back(self._fits[k] & (then >> self.clue[k].length))
        return [found[k] for k in range(len(self.clue) + 1)]

    def _on(self, boundaries: int) -> int:
        """``boundaries``, and those behind them with only blanks between."""
        found, more = 0, boundaries
        while more != found:
            found = more
            more |= (more & self.may[0]) << 1
        return found

    def _back(self, boundaries: int) -> int:
        """``boundaries``, and those before them with only blanks between."""
        found, more = 0, boundaries
        while more != found:
            found = more
            more |= (more >> 1) & self.may[0]
        return found

    def _blank(self, begin: int, end: int) -> bool:
        cells = (1 << end) - (1 << begin)
        return cells & self.may[0] == cells

    def _may_follow(self, k: int, at: int, start: int) -> bool:
        return start > at or self._close(k)

    def _walked(self, ways: list[int]) -> list[int]:
        """Ways to go on from every boundary, where blanks may come first."""
        found = list(ways)
        for p in range(self.size - 1, -1, -1):
            if self.may[0] >> p & 1:
                found[p] += found[p + 1]
        return found

    def _ways(self, k: int, then: list[int]) -> list[int]:
        """Ways to complete the line with run k beginning at each cell; ``then``: from its end on."""
        length = self.clue[k].length
        found = [0] * (self.size + 2)
        apart = k + 1 < len(self.clue) and not self._close(k + 1)
        for s in bits(self._fits[k]):
            end = s + length
            if not apart:
                found[s] = then[end]
            elif end < self.size and self.may[0] >> end & 1:
                found[s] = then[end + 1]
        return found

    def _filled(self, begins: tuple[int, ...]) -> tuple[int, ...]:
        cells = [0] * self.size
        for (length, colour), begin in zip(self.clue, begins, strict=True):
            cells[begin : begin + length] = [colour] * length
        return tuple(cells)


def spread(starts: int, length: int) -> int:
    """The cells of runs of ``length`` that begin at ``starts``.

    >>> bin(spread(0b10001, 3))
    '0b1110111'
    """
    cells, have = starts, 1
    while have < length:
        step = min(have, length - have)
        cells |= cells << step
        have += step
    return cells


def bits(cells: int) -> Iterator[int]:
    """The numbers in a set, from the least on.

    >>> list(bits(0b1101))
    [0, 2, 3]
    """
    while cells:
        low = cells & -cells
        yield low.bit_length() - 1
        cells ^= low


OPEN = -1
"""The value of a cell that is not known."""


class LineFinding(NamedTuple):
    """What a technique sees: the cells that it fixes (some may be known already), and why.

    ``Line.says`` makes a sentence of it: ``{why}{so} columns 3 and 4 are filled``. ``why`` is without the line's name
    and without the conclusion, which names the cells that are fixed and no others. ``settles``: value by cell.
    ``placements``: those that the sentence speaks of, a sample if there are many.
    """

    settles: Mapping[int, int]
    why: str
    so: str = ", so"
    placements: tuple[tuple[int, ...], ...] = ()


@dataclass(frozen=True)
class ClueLine:
    """A row or a column. ``cells``: the value of each, ``OPEN`` if not known.

    >>> line = Line.drawn([2, 1], "?#?.?")
    >>> line.told([0, 1]), line.run(0), line.filled([1, 2])
    ('columns 1 and 2', 'the 2', 'columns 2 and 3 are filled')
    """

    clue: Clue
    cells: tuple[int, ...]
    axis: str = "row"
    index: int = 0
    palette: tuple[Colour, ...] = (BLACK,)

    @classmethod
    def drawn(cls, lengths: Iterable[int], text: str) -> ClueLine:
        """A line in black and white: ``#`` filled, ``.`` blank, ``?`` open. For examples."""
        return cls(tuple(map(Run, lengths)), tuple({"#": 1, ".": 0, "?": OPEN}[mark] for mark in text))

    @property
    def size(self) -> int:
        """How many cells it has."""
        return len(self.cells)

    @cached_property
    def placements(self) -> LinePlacements:
        """The fillings that agree with the known cells."""
        every = (1 << self.size) - 1
        may = [every] * (len(self.palette) + 1)
        for cell, known in enumerate(self.cells):
            if known != OPEN:
                for value in range(len(may)):
                    may[value] &= ~(int(value != known) << cell)
        return LinePlacements(self.clue, self.size, tuple(may))

    @cached_property
    def one_colour(self) -> bool:
        """Are all runs of one colour?"""
        return len({run.colour for run in self.clue}) < 2

    def only(self, known: Iterable[int]) -> ClueLine:
        """The line with no other cells known than these."""
        kept = set(known)
        return replace(self, cells=tuple(v if c in kept else OPEN for c, v in enumerate(self.cells)))

    def mirrored(self) -> ClueLine:
        """The line from its other end; its words are those of this one no more."""
        return replace(self, clue=self.clue[::-1], cells=self.cells[::-1])

    def groups(self) -> list[tuple[int, int, int]]:
        """Neighbouring known cells of one colour: (first, behind the last, colour).

        >>> Line.drawn([2, 1], "?##?#").groups()
        [(1, 3, 1), (4, 5, 1)]
        """
        found: list[tuple[int, int, int]] = []
        for cell, value in enumerate(self.cells):
            if value > 0:
                if found and found[-1][1:] == (cell, value):
                    found[-1] = (found[-1][0], cell + 1, value)
                else:
                    found.append((cell, cell + 1, value))
        return found

    def rooms(self) -> list[tuple[int, int]]:
        """Where runs could be: neighbouring cells that are not known to be blank, (first, behind the last).

        >>> Line.drawn([2, 1], "?#.??").rooms()
        [(0, 2), (3, 5)]
        """
        edges = [-1, *(cell for cell, value in enumerate(self.cells) if value == 0), self.size]
        return [(a + 1, b) for a, b in pairwise(edges) if b > a + 1]

    def open(self, cells: Iterable[int]) -> list[int]:
        """Those of ``cells`` that are not known."""
        return [cell for cell in cells if self.cells[cell] == OPEN]

    def told(self, cells: Iterable[int]) -> str:
        """Cells in words: a row's are columns."""
        return places("column" if self.axis == "row" else "row", cells)

    def are(self, cells: Iterable[int], value: int) -> str:
        """That cells have a value, in words."""
        listing = list(cells)
        return f"{self.told(listing)} {'is' if len(listing) == 1 else 'are'} {names(self.palette)[value]}"

    def filled(self, cells: Iterable[int], colour: int = 1) -> str:
        """That cells have a colour, in words."""
        return self.are(cells, colour)

    def all_told(self, settles: Mapping[int, int]) -> str:
        """All that cells are, in words: colours first."""
        values = sorted(set(settles.values()), key=lambda value: (value == 0, value))
        return listed([self.are([c for c, v in settles.items() if v == value], value) for value in values])

    def says(self, found: LineFinding) -> str:
        """What a technique sees, in words; of the cells that it settles, those that are open here.

        >>> Line.drawn([4], "?#?#?#").says(Finding({2: 1, 3: 1, 4: 1}, "only the 4 can be there"))
        'only the 4 can be there, so columns 3 and 5 are filled'
        """
        new = {cell: found.settles[cell] for cell in self.open(found.settles)}
        return f"{found.why}{found.so} {self.all_told(new)}"

    def run(self, k: int) -> str:
        """Run k in words: ``the 9``, or ``the second 2`` where there are several."""
        length, colour = self.clue[k]
        same = [i for i, run in enumerate(self.clue) if run == self.clue[k]]
        which = f"{ordinal(same.index(k) + 1)} " if len(same) > 1 else ""
        shade = f"{names(self.palette)[colour]} " if len(self.palette) > 1 else ""
        return f"the {which}{shade}{length}"
