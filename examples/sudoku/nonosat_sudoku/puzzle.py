"""What a Sudoku is: a square of N x N cells in boxes of r x c (N = r·c), some of which are given."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from nonosat.errors import PuzzleError
from nonosat.puzzles.puzzle import Board, Given, given_cells, kind_of

DIGITS = "123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
BOXES = {4: (2, 2), 6: (2, 3), 8: (2, 4), 9: (3, 3), 10: (2, 5), 12: (3, 4), 15: (3, 5), 16: (4, 4), 25: (5, 5)}
"""The box (rows, columns) of a board of N x N, where a text does not say it."""


@dataclass(frozen=True, eq=False)
class Grid(Board):
    """``cells``: uint8, shape (N, N), values from 1 to N; whether they solve anything is not asked here.

    >>> print(Grid([[1, 2, 3, 4], [3, 4, 1, 2], [2, 1, 4, 3], [4, 3, 2, 1]]))
    1234
    3412
    2143
    4321
    """

    kind: ClassVar[str] = "sudoku"

    def __post_init__(self) -> None:
        cells = np.asarray(self.cells)
        if cells.ndim != 2 or cells.shape[0] != cells.shape[1] or not 1 <= len(cells) <= len(DIGITS):
            raise PuzzleError(f"a Sudoku is a square, this has the shape {cells.shape}")
        if cells.dtype.kind not in "iu" or not 1 <= int(cells.min()) <= int(cells.max()) <= len(cells):
            raise PuzzleError(f"the values of a {len(cells)}x{len(cells)} Sudoku are from 1 to {len(cells)}")
        self._keep(np.array(cells, dtype=np.uint8))

    def rows(self) -> list[str]:
        """One string a row, a character a cell; ten is A."""
        return ["".join(DIGITS[value - 1] for value in row) for row in self.cells.tolist()]


@dataclass(frozen=True)
class Sudoku:
    """``box``: its (rows, columns). Given cells that contradict each other are a valid puzzle, whose answer is UNSAT.

    >>> Sudoku((2, 3)).shape
    (6, 6)
    """

    box: tuple[int, int] = (3, 3)
    given: tuple[Given, ...] = ()
    title: str = ""
    author: str = ""
    licence: str = ""
    source: str = ""
    goal: Grid | None = field(default=None, repr=False)

    kind: ClassVar[str] = "sudoku"

    def __post_init__(self) -> None:
        height, width = self.box
        if height < 1 or width < 1 or height * width > len(DIGITS):
            raise PuzzleError(f"boxes of {height}x{width}: they have 1 to {len(DIGITS)} cells")
        object.__setattr__(self, "given", given_cells(self.given, self.shape, 1, self.size))
        if self.goal is not None and self.goal.shape != self.shape:
            raise PuzzleError("the goal is not of the puzzle's size")

    @classmethod
    def from_rows(cls, rows: Sequence[Sequence[int]], **about: str) -> Sudoku:
        """The puzzle with the values of ``rows`` given, 0 for open cells; boxes as usual for the size."""
        if len(rows) not in BOXES:
            raise PuzzleError(f"{len(rows)} rows: known are Sudokus of {', '.join(map(str, BOXES))}")
        cells = [Given(r, c, value) for r, row in enumerate(rows) for c, value in enumerate(row) if value]
        return cls(BOXES[len(rows)], tuple(cells), **about)

    @property
    def size(self) -> int:
        """N: cells a row."""
        return self.box[0] * self.box[1]

    @property
    def shape(self) -> tuple[int, int]:
        """(rows, columns)."""
        return self.size, self.size

    def picture(self, cells: npt.ArrayLike) -> Grid:
        """A board of these values."""
        return Grid(np.asarray(cells))

    def facts(self) -> dict[str, int | float]:
        """What records tell of it."""
        return {"given": len(self.given)}

    def contradiction(self) -> str | None:
        """Nothing is seen at a glance."""
        return None

    def units(self) -> list[tuple[str, int, list[tuple[int, int]]]]:
        """("row", "column" or "box", its number from 0, its cells) of everything that has each value once."""
        every, (height, width) = range(self.size), self.box
        rows = [("row", r, [(r, c) for c in every]) for r in every]
        columns = [("column", c, [(r, c) for r in every]) for c in every]
        boxes = []
        for b in every:
            top, left = b // height * height, b % height * width
            boxes.append(("box", b, [(top + i, left + j) for i in range(height) for j in range(width)]))
        return [*rows, *columns, *boxes]

    def _repr_svg_(self) -> str:
        return kind_of(self).svg(self, None)
