"""Random boards of a given density (Castilho & Welter 2018, ch. 4): each cell is filled by a draw of its own.

At least one solution exists by construction; that it is the only one is not promised.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from nonosat import chance
from nonosat.errors import UnsupportedError
from nonosat.puzzles.nonogram import MAX_CELLS, Nonogram
from nonosat.puzzles.nonogram.palette import palette_of
from nonosat.puzzles.nonogram.picture import Picture


def random_density(height: int, width: int, density: float | Sequence[float], seed: int) -> Nonogram:
    """A random puzzle; ``density`` is the share of filled cells, or one share for each of several colours.

    A seed means the same board everywhere (see ``chance``): cell by cell, row by row, a number u in 0..1 is drawn; the
    cell gets the first colour whose shares, added up, exceed u.

    >>> random_density(3, 5, 0.5, seed=7).goal.rows()
    ['...##', '.#..#', '####.']
    """
    shares = [float(density)] if isinstance(density, int | float) else [float(share) for share in density]
    if not shares or not all(0 <= share <= 1 for share in shares) or sum(shares) > 1 + 1e-9:
        raise UnsupportedError(f"density {density}: shares lie in 0..1 and add up to at most 1")
    if height < 1 or width < 1 or height * width > MAX_CELLS:
        raise UnsupportedError(f"size {height}x{width}: a board has 1 to {MAX_CELLS:,} cells")
    u = chance.Chance(seed).uniforms(height * width)
    cells = np.zeros(height * width, dtype=np.uint8)
    for colour in range(len(shares), 0, -1):
        cells[u < sum(shares[:colour])] = colour
    picture = Picture(cells.reshape(height, width), palette_of(len(shares)))
    shown = "+".join(f"{share:g}" for share in shares)
    return Nonogram.from_picture(picture, title=f"random {height}x{width}, density {shown}, seed {seed}")
