"""A position: what is known of the board, line by line."""

from __future__ import annotations

from collections.abc import Iterable

from nonosat.explanations.nonogram.line import OPEN, ClueLine
from nonosat.explanations.steps import ConstraintRef, Fact
from nonosat.puzzles.nonogram.puzzle import Nonogram
from nonosat.puzzles.puzzle import given_board


class Position:
    """The values of all cells (``OPEN`` where not known), and the lines they make; line i < height is row i.

    ``unknown``: how many cells are not known. ``may``: what a cell that is not known may still be, where that is not
    every value: what lines rule out of colours.
    """

    def __init__(self, puzzle: Nonogram, values: list[list[int]] | None = None) -> None:
        self.puzzle = puzzle
        self.values = [list(row) for row in (given_board(puzzle, OPEN) if values is None else values)]
        self.every = tuple(range(puzzle.colours + 1))
        self.may: dict[tuple[int, int], tuple[int, ...]] = {}
        self.unknown = sum(row.count(OPEN) for row in self.values)
        self._lines: dict[int, ClueLine] = {}
        self._known: dict[int, tuple[Fact, ...]] = {}

    @property
    def count(self) -> int:
        """How many lines there are."""
        return self.puzzle.height + self.puzzle.width

    def line(self, number: int) -> ClueLine:
        """A line as it is known now."""
        if number not in self._lines:
            height = self.puzzle.height
            row = number < height
            index = number if row else number - height
            cells = self.values[index] if row else [line[index] for line in self.values]
            clue = self.puzzle.rows[index] if row else self.puzzle.columns[index]
            axis = "row" if row else "column"
            self._lines[number] = ClueLine(clue, tuple(cells), axis, index, self.puzzle.palette)
        return self._lines[number]

    def constraint(self, number: int) -> ConstraintRef:
        """The name of a line."""
        height = self.puzzle.height
        return ConstraintRef("row", number) if number < height else ConstraintRef("column", number - height)

    def number(self, constraint: ConstraintRef) -> int:
        """The line of that name."""
        return constraint.place + (self.puzzle.height if constraint.family == "column" else 0)

    def place(self, number: int, cell: int) -> tuple[int, int]:
        """(row, column) of a cell of a line."""
        height = self.puzzle.height
        return (number, cell) if number < height else (cell, number - height)

    def facts(self, number: int, cells: Iterable[int]) -> tuple[Fact, ...]:
        """The known ones among ``cells`` of a line."""
        places = [self.place(number, cell) for cell in cells]
        return tuple(Fact(row, column, (self.values[row][column],)) for row, column in places)

    def known(self, number: int) -> tuple[Fact, ...]:
        """The known cells of a line."""
        if number not in self._known:
            cells = self.line(number).cells
            self._known[number] = self.facts(number, (i for i, value in enumerate(cells) if value != OPEN))
        return self._known[number]

    def fix(self, facts: Iterable[Fact]) -> list[int]:
        """Take up cells that are known from now on; the lines that changed."""
        changed = set()
        for row, column, (value,) in facts:
            self.unknown -= self.values[row][column] == OPEN
            self.values[row][column] = value
            self.may.pop((row, column), None)
            changed |= {row, self.puzzle.height + column}
        for number in changed:
            self._lines.pop(number, None)
            self._known.pop(number, None)
        return sorted(changed)

    def cell(self, row: int, column: int) -> tuple[int, ...]:
        """What a cell may be, as far as is known."""
        value = self.values[row][column]
        return (value,) if value != OPEN else self.may.get((row, column), self.every)

    def open_cells(self) -> list[tuple[int, int]]:
        """(row, column) of all cells that are not known."""
        return [(r, c) for r, row in enumerate(self.values) for c, value in enumerate(row) if value == OPEN]
