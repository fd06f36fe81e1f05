"""Random Latin squares."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from nonosat import chance


def latin_square(size: int, stream: chance.Chance) -> npt.NDArray[np.uint8]:
    """A random Latin square of the heights 1 .. size, nearly uniform: Jacobson & Matthews' Markov chain.

    J. Combinatorial Designs 4 (1996). A step moves a one of the incidence cube (row, column, height) along with seven
    other entries; a cell that is "improper" (-1) is where the next step goes on. The chain begins with the cyclic
    square, its rows, columns and heights shuffled, and ends after it has come to size³ proper squares. (To end it at
    the first proper square after so many steps would prefer those that many improper ones lead to.)
    """
    if size == 1:
        return np.ones((1, 1), dtype=np.uint8)
    cube = np.zeros((size, size, size), dtype=np.int8)
    rows, columns, heights = (stream.shuffled(size) for _ in range(3))
    for row in range(size):
        for column in range(size):
            cube[rows[row], columns[column], heights[(row + column) % size]] = 1
    improper: tuple[int, int, int] | None = None
    left = size**3
    while left:
        if improper is None:
            while True:
                row, column, height = (stream.below(size) for _ in range(3))
                if cube[row, column, height] == 0:
                    break
        else:
            row, column, height = improper
        row_2 = _one(cube[:, column, height], stream)
        column_2 = _one(cube[row, :, height], stream)
        height_2 = _one(cube[row, column, :], stream)
        for i in (row, row_2):
            for j in (column, column_2):
                for k in (height, height_2):
                    even = (i == row_2) + (j == column_2) + (k == height_2)
                    cube[i, j, k] += 1 if even % 2 == 0 else -1
        improper = (row_2, column_2, height_2) if cube[row_2, column_2, height_2] < 0 else None
        left -= improper is None
    square: npt.NDArray[np.uint8] = (np.argmax(cube, axis=2) + 1).astype(np.uint8)
    return square


def _one(line: npt.NDArray[np.int8], stream: chance.Chance) -> int:
    """A random place of a one in ``line``: there are two of them if it crosses the improper cell, else one."""
    places = np.flatnonzero(line == 1)
    return int(places[0] if len(places) == 1 else places[stream.below(len(places))])
