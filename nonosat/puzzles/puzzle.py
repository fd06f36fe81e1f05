"""What all kinds of puzzles have in common, so that encodings, solvers and experiments need not know which one it is.

A kind of puzzle is a frozen class with the attributes of ``Puzzle``, and a ``Board`` for its answers. All else that is
known of it (is this board a solution, formats, drawings, encodings) is found by its ``kind``, in ``kinds``.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from operator import index
from typing import ClassVar, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from nonosat.errors import PuzzleError
from nonosat.files import printable
from nonosat.puzzles.kinds import kind_of


class Given(NamedTuple):
    """A cell whose value is known from the start: 0-based ``row`` and ``column``; ``value`` as in the board."""

    row: int
    column: int
    value: int


@dataclass(frozen=True, eq=False)
class Board:
    """The values of all cells, as an answer: a nonogram's ``Picture``, the ``Heights`` of skyscrapers.

    ``cells``: uint8, shape (rows, columns), read-only. Boards of a kind are equal if their cells are.
    """

    cells: npt.NDArray[np.uint8]

    kind: ClassVar[str]

    def _keep(self, cells: npt.NDArray[np.uint8]) -> None:
        """Make ``cells``, which nobody else has, those of the board."""
        cells.setflags(write=False)
        object.__setattr__(self, "cells", cells)

    @property
    def shape(self) -> tuple[int, int]:
        """(rows, columns)."""
        height, width = self.cells.shape
        return height, width

    def rows(self) -> list[str]:
        """One string a row."""
        raise NotImplementedError

    def __str__(self) -> str:
        return "\n".join(self.rows())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, type(self)) and np.array_equal(self.cells, other.cells)

    def __hash__(self) -> int:
        return hash((self.cells.shape, self.cells.tobytes()))

    def __array__(self, dtype: npt.DTypeLike | None = None, copy: bool | None = None) -> npt.NDArray[np.uint8]:
        return np.array(self.cells, dtype=dtype) if copy or dtype is not None else self.cells

    def _repr_svg_(self) -> str:
        return kind_of(self).svg_picture(self)


class Puzzle(Protocol):
    """A puzzle whose answer is a board of small whole numbers."""

    kind: ClassVar[str]

    @property
    def shape(self) -> tuple[int, int]:
        """(rows, columns) of the board."""

    @property
    def title(self) -> str:
        """What people call it, or nothing."""

    @property
    def given(self) -> tuple[Given, ...]:
        """Cells that are known from the start."""

    @property
    def goal(self) -> Board | None:
        """The board that the puzzle was made from, if that is known; no solver looks at it."""

    def picture(self, cells: npt.ArrayLike) -> Board:
        """The board of these values; PuzzleError (a ValueError) if no board of the puzzle can have them."""

    def facts(self) -> dict[str, int | float]:
        """What records tell of it beside its kind and shape, by the names of their fields."""

    def contradiction(self) -> str | None:
        """Why no board can solve the puzzle, where its clues say so at a glance; None says nothing."""


def told_title(title: str) -> str:
    """A title as the end of a ``repr``, which fits a line: cut, on one line, or nothing.

    >>> told_title("Hearts and " * 9)
    ": 'Hearts and Hearts and Hearts and Hearts...'"
    """
    return f": {printable(title.strip(), 40)!r}" if title.strip() else ""


def given_cells(
    given: Iterable[tuple[int, int, int]], shape: tuple[int, int], least: int, most: int, value: str = "value"
) -> tuple[Given, ...]:
    """Given cells in order, each once, of Python's whole numbers: compiled code takes numpy's for another type.

    ``least`` and ``most``: the values of a board's cells; ``value`` is the word for one. PuzzleError: a cell is outside
    the board, or has another value, or two.

    >>> given_cells([(np.int64(1), 0, np.uint8(2)), Given(0, 1, 1), (1, 0, 2)], (2, 2), 1, 2)
    (Given(row=0, column=1, value=1), Given(row=1, column=0, value=2))
    """
    cells = sorted({Given(*map(index, cell)) for cell in given})
    for row, column, number in cells:
        if not (0 <= row < shape[0] and 0 <= column < shape[1]):
            raise PuzzleError(f"given cell ({row}, {column}) is outside the board")
        if not least <= number <= most:
            board = f"a {shape[0]}x{shape[1]} board"
            raise PuzzleError(f"given {value} {number}: those of {board} are from {least} to {most}")
    for cell, after in pairwise(cells):
        if cell[:2] == after[:2]:
            raise PuzzleError(f"cell ({cell.row}, {cell.column}) is given twice, with different {value}s")
    return tuple(cells)


def given_board(puzzle: Puzzle, still_open: int = 0) -> list[list[int]]:
    """The values of the given cells as rows of a board; ``still_open`` stands for the others."""
    height, width = puzzle.shape
    rows = [[still_open] * width for _ in range(height)]
    for row, column, value in puzzle.given:
        rows[row][column] = int(value)
    return rows
