"""A line as a person sees it who looks at nothing else: its clue and its known cells. What techniques are given."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import NamedTuple

from nonosat.explanations.words import listed, ordinal, places
from nonosat.puzzles.nonogram.placements import LinePlacements
from nonosat.puzzles.nonogram.puzzle import BLACK, Clue, Colour, Run, name_of

# What the values of cells are called: filled, blank, or a colour by its name.


@lru_cache(maxsize=100)
def names(palette: tuple[Colour, ...]) -> tuple[str, ...]:
    """The name of each value of a cell, 0 (blank) first; colours of one name are told apart by their letters.

    >>> names((Colour("#", "#000000"),)), names((Colour("#", "#000000"), Colour("r", "#d55e00")))
    (('blank', 'filled'), ('blank', 'black', 'red'))
    >>> names((Colour("b", "#0000f0"), Colour("l", "#0000c0"), Colour("r", "#d55e00")))
    ('blank', 'blue (b)', 'blue (l)', 'red')
    """
    if len(palette) == 1:
        return "blank", "filled"
    nearest = [name_of(colour.rgb) for colour in palette]
    told = [
        name if nearest.count(name) == 1 else f"{name} ({c.symbol})" for name, c in zip(nearest, palette, strict=True)
    ]
    return "blank", *told


OPEN = -1
"""The value of a cell that is not known."""


class LineFinding(NamedTuple):
    """What a technique sees: the cells that it fixes (some may be known already), and why.

    ``ClueLine.says`` makes a sentence of it: ``{why}{so} columns 3 and 4 are filled``. ``why`` is without the line's
    name and without the conclusion, which names the cells that are fixed and no others. ``fixes``: value by cell.
    ``placements``: those that the sentence speaks of, a sample if there are many. ``whole``: the sentence is about all
    known cells, not about those that the conclusion takes alone.
    """

    fixes: Mapping[int, int]
    why: str
    so: str = ", so"
    placements: tuple[tuple[int, ...], ...] = ()
    whole: bool = False


@dataclass(frozen=True)
class ClueLine:
    """A row or a column. ``cells``: the value of each, ``OPEN`` if not known.

    >>> line = ClueLine.drawn([2, 1], "?#?.?")
    >>> line.format_cells([0, 1]), line.run(0), line.filled([1, 2])
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
    def bare(self) -> LinePlacements:
        """The fillings whose runs stand where nothing else is known to be; they need not cover what is filled."""
        may = [(1 << self.size) - 1] * (len(self.palette) + 1)
        for cell, known in enumerate(self.cells):
            for value in range(1, len(may)):
                if known not in (OPEN, value):
                    may[value] &= ~(1 << cell)
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

        >>> ClueLine.drawn([2, 1], "?##?#").groups()
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

        >>> ClueLine.drawn([2, 1], "?#.??").rooms()
        [(0, 2), (3, 5)]
        """
        edges = [-1, *(cell for cell, value in enumerate(self.cells) if value == 0), self.size]
        return [(a + 1, b) for a, b in pairwise(edges) if b > a + 1]

    def open(self, cells: Iterable[int]) -> list[int]:
        """Those of ``cells`` that are not known."""
        return [cell for cell in cells if self.cells[cell] == OPEN]

    def format_cells(self, cells: Iterable[int]) -> str:
        """Cells in words: a row's are columns."""
        return places("column" if self.axis == "row" else "row", cells)

    def are(self, cells: Iterable[int], value: int) -> str:
        """That cells have a value, in words."""
        listing = list(cells)
        return f"{self.format_cells(listing)} {'is' if len(listing) == 1 else 'are'} {names(self.palette)[value]}"

    def filled(self, cells: Iterable[int], colour: int = 1) -> str:
        """That cells have a colour, in words."""
        return self.are(cells, colour)

    def format_values(self, fixes: Mapping[int, int]) -> str:
        """All that cells are, in words: colours first."""
        values = sorted(set(fixes.values()), key=lambda value: (value == 0, value))
        return listed([self.are([c for c, v in fixes.items() if v == value], value) for value in values])

    def says(self, found: LineFinding) -> str:
        """What a technique sees, in words; of the cells that it fixes, those that are open here.

        >>> ClueLine.drawn([4], "?#?#?#").says(LineFinding({2: 1, 3: 1, 4: 1}, "only the 4 can be there"))
        'only the 4 can be there, so columns 3 and 5 are filled'
        """
        new = {cell: found.fixes[cell] for cell in self.open(found.fixes)}
        return f"{found.why}{found.so} {self.format_values(new)}"

    def run(self, k: int) -> str:
        """Run k in words: ``the 9``, or ``the second 2`` where there are several."""
        length, colour = self.clue[k]
        same = [i for i, run in enumerate(self.clue) if run == self.clue[k]]
        which = f"{ordinal(same.index(k) + 1)} " if len(same) > 1 else ""
        shade = f"{names(self.palette)[colour]} " if len(self.palette) > 1 else ""
        return f"the {which}{shade}{length}"
