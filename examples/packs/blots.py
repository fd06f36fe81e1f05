"""Ink blots: random cells of the left half, made smooth and mirrored."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from nonosat.rng import Rng

DENSITY = 47
"""Of the first cells, in percent."""


def blot(size: int, seed: int) -> npt.NDArray[np.uint8]:
    """A mirrored blot of ``size`` rows and columns, with a blank edge that thins it out."""
    half = (size + 1) // 2
    cells = (np.array(Rng(seed).many_below(100, size * half)) < DENSITY).reshape(size, half)
    cells[[0, -1]] = False
    cells[:, 0] = False
    for _ in range(2):  # a cell becomes as most of the nine around it
        whole = np.concatenate([cells, cells[:, : size - half][:, ::-1]], axis=1)
        wide = np.pad(whole, 1).astype(int)
        around = sum(wide[r : r + size, c : c + size] for r in range(3) for c in range(3))
        cells = (around >= 5)[:, :half]
    return np.concatenate([cells, cells[:, : size - half][:, ::-1]], axis=1).astype(np.uint8)
