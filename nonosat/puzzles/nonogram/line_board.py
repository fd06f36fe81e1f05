"""A board on which lines are propagated one by one, with what each of them concluded."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from nonosat.puzzles.nonogram import Nonogram
from nonosat.puzzles.nonogram.placements import LineRuns, May, bits, consequences, runs_of

REMEMBERED = 1 << 16
"""Results of lines that are kept at most: probes meet most lines again."""


class LineConclusion(NamedTuple):
    """A line concludes the possible values ``after`` from those ``before`` (None: it has no filling)."""

    line: int
    before: May
    after: May | None


class LineBoard:
    """The values that every cell may have, by line (the rows, then the columns); each cell is there twice.

    ``dead``: some line has no filling. ``work``: how many lines have been propagated, on this board and its copies.
    """

    def __init__(self, puzzle: Nonogram) -> None:
        height, width = puzzle.shape
        self.height, self.values = height, puzzle.colours + 1
        sizes = [width] * height + [height] * width
        clues = puzzle.rows + puzzle.columns
        self.lines: list[LineRuns] = [runs_of(size, clue) for size, clue in zip(sizes, clues, strict=True)]
        self.may: list[May] = [((1 << line.size) - 1,) * self.values for line in self.lines]
        self.results: dict[tuple[int, May], May | None] = {}
        self.work = [0]
        self.dead = False
        for row, column, value in puzzle.given:
            self.assume(row, column, value)

    def copy(self) -> LineBoard:
        """Another board with the same values."""
        other = object.__new__(LineBoard)
        vars(other).update(vars(self))
        other.may = list(self.may)
        return other

    def name(self, line: int) -> str:
        """What the statement calls a line."""
        return f"h{line}" if line < self.height else f"v{line - self.height}"

    def crossing(self, line: int, place: int) -> tuple[int, int]:
        """The other line of a cell, and its place there."""
        return (self.height + place, line) if line < self.height else (place, line - self.height)

    def choices(self, row: int, column: int) -> list[int]:
        """The values that a cell may have."""
        return [value for value, cells in enumerate(self.may[row]) if cells >> column & 1]

    def assume(self, row: int, column: int, value: int) -> None:
        """Take all other values from a cell."""
        for line, place in ((row, column), (self.height + column, row)):
            bit = 1 << place
            self.may[line] = tuple(cells if v == value else cells & ~bit for v, cells in enumerate(self.may[line]))

    def forbid(self, row: int, column: int, value: int) -> None:
        """Take a value from a cell."""
        self._take(row, column, value)
        self._take(self.height + column, row, value)

    def _take(self, line: int, place: int, value: int) -> None:
        may = self.may[line]
        self.may[line] = (*may[:value], may[value] & ~(1 << place), *may[value + 1 :])

    def propagate(self, waiting: Iterable[int]) -> Iterator[LineConclusion]:
        """Propagate lines, and those that cross where a value went, until nothing more follows."""
        queue = dict.fromkeys(waiting)
        while queue:
            line = next(iter(queue))
            del queue[line]
            before = self.may[line]
            after = self.implied(line, before)
            if after == before:
                continue
            self.dead = after is None
            yield LineConclusion(line, before, after)
            if after is None:
                return
            self.may[line] = after
            for value, gone in removed(before, after):
                for place in bits(gone):
                    other, there = self.crossing(line, place)
                    self._take(other, there, value)
                    queue.setdefault(other)

    def implied(self, line: int, may: May) -> May | None:
        """What a line implies for cells that ``may`` have these values."""
        key = (line, may)
        if key not in self.results:
            if len(self.results) > REMEMBERED:
                self.results.clear()
            self.work[0] += 1
            self.results[key] = consequences(self.lines[line], may)
        return self.results[key]

    def cells(self) -> list[list[int]]:
        """The values of a full board."""
        return [[self.choices(row, column)[0] for column in range(self.lines[row].size)] for row in range(self.height)]

    def open(self) -> list[tuple[int, int]]:
        """The (row, column) of cells that may have several values."""
        found = []
        for row in range(self.height):
            some = several = 0
            for cells in self.may[row]:
                several |= some & cells
                some |= cells
            found += [(row, column) for column in bits(several)]
        return found


def removed(before: May, after: May) -> list[tuple[int, int]]:
    """(value, the cells that it was taken from)."""
    return [(value, old & ~new) for value, (old, new) in enumerate(zip(before, after, strict=True)) if old != new]
