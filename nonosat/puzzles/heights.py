"""The heights of all towers of a board: what solves a Skyscrapers puzzle."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from nonosat.errors import PuzzleError


@dataclass(frozen=True, eq=False)
class Heights:
    """``cells``: uint8, shape (N, N), heights from 1 to N; read-only. Whether they solve anything is not asked here.

    >>> print(Heights([[1, 2], [2, 1]]))
    1 2
    2 1
    """

    cells: npt.NDArray[np.uint8]

    def __post_init__(self) -> None:
        given = np.asarray(self.cells)
        if given.ndim != 2 or given.shape[0] != given.shape[1] or not given.size:
            raise PuzzleError(f"the heights of a board are a square, these have the shape {given.shape}")
        if given.dtype.kind not in "iu" or not 1 <= int(given.min()) <= int(given.max()) <= min(255, len(given)):
            raise PuzzleError(
                f"the heights of a {len(given)}x{len(given)} board are whole numbers from 1 to {len(given)}"
            )
        cells = np.array(given, dtype=np.uint8)
        cells.setflags(write=False)
        object.__setattr__(self, "cells", cells)

    @property
    def shape(self) -> tuple[int, int]:
        """(rows, columns)."""
        return len(self.cells), len(self.cells)

    def rows(self) -> list[str]:
        """One string a row: its heights with a space between."""
        return [" ".join(map(str, row)) for row in self.cells.tolist()]

    def __str__(self) -> str:
        return "\n".join(self.rows())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Heights) and np.array_equal(self.cells, other.cells)

    def __hash__(self) -> int:
        return hash((self.cells.shape, self.cells.tobytes()))

    def __array__(self, dtype: npt.DTypeLike | None = None, copy: bool | None = None) -> npt.NDArray[np.uint8]:
        return np.array(self.cells, dtype=dtype) if copy or dtype is not None else self.cells

    def _repr_svg_(self) -> str:
        from nonosat.puzzles.drawing.svg import svg_picture

        return svg_picture(self)
