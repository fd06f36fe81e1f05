"""A picture: the values of all cells of a board, and the colours to show them in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from nonosat.errors import PuzzleError
from nonosat.puzzles.nonogram.palette import BLACK, Colour
from nonosat.puzzles.puzzle import Board


@dataclass(frozen=True, eq=False)
class Picture(Board):
    """``cells``: uint8, shape (rows, columns), 0 is blank, c is ``palette[c - 1]``; read-only.

    Equality is equality of cells: a picture in other shades is the same picture.

    >>> print(Picture([[1, 0], [0, 1]]))
    #.
    .#
    """

    palette: tuple[Colour, ...] = (BLACK,)

    kind: ClassVar[str] = "nonogram"

    def __post_init__(self) -> None:
        given = np.asarray(self.cells)
        if given.dtype.kind not in "biu" or (given.size and not 0 <= int(given.min()) <= int(given.max()) <= 255):
            raise PuzzleError("a picture's cells are small whole numbers, 0 for blank")
        cells = np.array(given, dtype=np.uint8)
        if cells.ndim != 2 or 0 in cells.shape:
            raise PuzzleError(f"a picture has rows and columns, this one the shape {cells.shape}")
        if (most := int(cells.max())) > len(self.palette):
            raise PuzzleError(f"a cell has colour {most}, the palette has {len(self.palette)}")
        self._keep(cells)

    def rows(self) -> list[str]:
        """One string a row: ``.`` for blank, each colour's symbol for its cells."""
        symbols = np.frombuffer(
            ("." + "".join(colour.symbol for colour in self.palette)).encode("ascii"), dtype=np.uint8
        )
        return [line.tobytes().decode("ascii") for line in symbols[self.cells]]
