"""A picture: the values of all cells of a board, and the colours to show them in."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from nonosat.errors import PuzzleError
from nonosat.puzzles.palette import BLACK, Colour


@dataclass(frozen=True, eq=False)
class Picture:
    """``cells``: uint8, shape (rows, columns), 0 is blank, c is ``palette[c - 1]``; read-only.

    Equality is equality of cells: a picture in other shades is the same picture.

    >>> print(Picture([[1, 0], [0, 1]]))
    #.
    .#
    """

    cells: npt.NDArray[np.uint8]
    palette: tuple[Colour, ...] = (BLACK,)

    def __post_init__(self) -> None:
        given = np.asarray(self.cells)
        if given.dtype.kind not in "biu" or (given.size and not 0 <= int(given.min()) <= int(given.max()) <= 255):
            raise PuzzleError("a picture's cells are small whole numbers, 0 for blank")
        cells = np.array(given, dtype=np.uint8)
        if cells.ndim != 2 or 0 in cells.shape:
            raise PuzzleError(f"a picture has rows and columns, this one the shape {cells.shape}")
        if (most := int(cells.max())) > len(self.palette):
            raise PuzzleError(f"a cell has colour {most}, the palette has {len(self.palette)}")
        cells.setflags(write=False)
        object.__setattr__(self, "cells", cells)

    @property
    def shape(self) -> tuple[int, int]:
        """(rows, columns)."""
        height, width = self.cells.shape
        return height, width

    def rows(self) -> list[str]:
        """One string a row: ``.`` for blank, each colour's symbol for its cells."""
        symbols = np.frombuffer(
            ("." + "".join(colour.symbol for colour in self.palette)).encode("ascii"), dtype=np.uint8
        )
        return [line.tobytes().decode("ascii") for line in symbols[self.cells]]

    def __str__(self) -> str:
        return "\n".join(self.rows())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Picture) and np.array_equal(self.cells, other.cells)

    def __hash__(self) -> int:
        return hash((self.cells.shape, self.cells.tobytes()))

    def __array__(self, dtype: npt.DTypeLike | None = None, copy: bool | None = None) -> npt.NDArray[np.uint8]:
        return np.array(self.cells, dtype=dtype) if copy or dtype is not None else self.cells

    def _repr_svg_(self) -> str:
        from nonosat.puzzles.drawing.svg import svg_picture

        return svg_picture(self)
