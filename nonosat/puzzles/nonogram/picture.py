"""A picture: the values of all cells of a board, and the colours to show them in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from nonosat.errors import PuzzleError
from nonosat.puzzles.nonogram.palette import BLACK, BLANKS, SYMBOLS, Colour, shade
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

    @classmethod
    def from_text(cls, rows: Sequence[str]) -> Picture:
        """The picture that ``rows`` draw: ``#`` and letters are colours, in the order of the default palette's symbols.

        PuzzleError: another character, or rows of different lengths.

        >>> Picture.from_text(["#.b", "..#"]).cells.tolist()
        [[1, 0, 2], [0, 0, 1]]
        """
        for number, row in enumerate(rows, 1):
            if len(row) != len(rows[0]):
                raise PuzzleError(f"row {number} has {len(row)} cells, row 1 has {len(rows[0])}")
            if odd := [letter for letter in row if letter not in BLANKS + SYMBOLS]:
                raise PuzzleError(f"row {number}: {odd[0]!r} is no colour: # or a letter; blank is one of {BLANKS!r}")
        used = sorted({letter for row in rows for letter in row} - set(BLANKS), key=SYMBOLS.index) or ["#"]
        values = {letter: number for number, letter in enumerate(used, 1)}
        palette = tuple(Colour(letter, shade(number)) for number, letter in enumerate(used))
        return cls(np.array([[values.get(letter, 0) for letter in row] for row in rows], dtype=np.uint8), palette)

    def rows(self) -> list[str]:
        """One string a row: ``.`` for blank, each colour's symbol for its cells."""
        symbols = np.frombuffer(
            ("." + "".join(colour.symbol for colour in self.palette)).encode("ascii"), dtype=np.uint8
        )
        return [line.tobytes().decode("ascii") for line in symbols[self.cells]]
