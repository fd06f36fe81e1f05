"""What a Sudoku means, as pseudo-Boolean constraints. ``xR_C_V``: the cell in row R and column C has the value V."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from nonosat.certificates.statement import PBConstraint, Statement, constraint
from nonosat_sudoku.puzzle import Sudoku


def statement(puzzle: Sudoku) -> Statement:
    """Cells, units, given cells."""
    every = range(puzzle.size)
    cells = [(row, column, v + 1) for row in every for column in every for v in every]
    return Statement({_cell(*cell): cell for cell in cells}, partial(_constraints, puzzle))


def _constraints(puzzle: Sudoku) -> Iterator[PBConstraint]:
    every, values = range(puzzle.size), range(1, puzzle.size + 1)
    for row in every:
        for column in every:  # a cell has one value
            yield from constraint([(1, _cell(row, column, v)) for v in values], 1, equal=True)
    for _, _, cells in puzzle.units():
        for v in values:  # a row, a column, a box has each value once
            yield from constraint([(1, _cell(row, column, v)) for row, column in cells], 1, equal=True)
    for row, column, value in puzzle.given:
        yield from constraint([(1, _cell(row, column, value))], 1, equal=True)


def _cell(row: int, column: int, value: int) -> str:
    return f"x{row}_{column}_{value}"
