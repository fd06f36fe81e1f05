"""The heights of all towers of a board: what solves a Skyscrapers puzzle."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from nonosat.errors import PuzzleError
from nonosat.puzzles.puzzle import Board


@dataclass(frozen=True, eq=False)
class Heights(Board):
    """``cells``: uint8, shape (N, N), heights from 1 to N; read-only. Whether they solve anything is not asked here.

    >>> print(Heights([[1, 2], [2, 1]]))
    1 2
    2 1
    """

    kind: ClassVar[str] = "skyscrapers"

    def __post_init__(self) -> None:
        given = np.asarray(self.cells)
        if given.ndim != 2 or given.shape[0] != given.shape[1] or not given.size:
            raise PuzzleError(f"the heights of a board are a square, these have the shape {given.shape}")
        if given.dtype.kind not in "iu" or not 1 <= int(given.min()) <= int(given.max()) <= min(255, len(given)):
            raise PuzzleError(
                f"the heights of a {len(given)}x{len(given)} board are whole numbers from 1 to {len(given)}"
            )
        self._keep(np.array(given, dtype=np.uint8))

    def rows(self) -> list[str]:
        """One string a row: its heights with a space between."""
        return [" ".join(map(str, row)) for row in self.cells.tolist()]
