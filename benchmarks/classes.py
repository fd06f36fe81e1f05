"""Sets of puzzles by class, each made by generator and seed: what ``compare.py`` measures two commits on.

A class is a list of nonograms, and what is asked of them: a first picture, or whether there is a second one. Seeds from
``SEEDS`` on, so that no other benchmark and no test has the same boards.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from encoding import waves

from nonosat.generators.density import random_density
from nonosat.puzzles.nonogram import Given, Nonogram
from nonosat.rng import Rng

SEEDS = 5_000


class Class(NamedTuple):
    """``make(i)``: puzzle i of ``boards``; ``unique``: the question is whether it has another picture."""

    boards: int
    unique: bool
    make: Callable[[int], Nonogram]


def random_boards(boards: int, sizes: list[int], densities: list[float], unique: bool = False) -> Class:
    """Sizes and densities by turns."""
    kinds = [(size, density) for size in sizes for density in densities]

    def make(i: int) -> Nonogram:
        size, density = kinds[i % len(kinds)]
        return random_density(size, size, density, SEEDS + i)

    return Class(boards, unique, make)


def dominoes(n: int) -> Nonogram:
    """The "Domino Logic" family (n = 9 is webpbn 8098): a staircase of dominoes, 2n + 1 cells wide, of one solution."""
    inner = [[1] if i % 2 else [3, 1] for i in range(1, 2 * n)]
    columns = [[1], *([1] if i % 2 else [1, 3] for i in range(1, 2 * n)), [3]]
    return Nonogram.from_lengths([[3], *inner, [1]], columns, title=f"{n}-dom")


def ring(n: int) -> Nonogram:
    """One cycle through all lines: each has two fillings; a cell assumed settles all. Two solutions."""
    open_cells = {(i, j % n) for i in range(n) for j in (i, i + 1)}
    given = [(i, j, 0) for i in range(n) for j in range(n) if (i, j) not in open_cells]
    return Nonogram.from_lengths([[1]] * n, [[1]] * n, given, title=f"ring {n}")


def bricks(n: int) -> Nonogram:
    """Squares of two by two along a diagonal, each of which swaps with all others: 2n x 2n, clues alone."""
    cells = np.kron(np.eye(n, dtype=np.uint8), np.array([[1, 0], [0, 1]], dtype=np.uint8))
    return Nonogram.from_picture(cells, title=f"bricks {n}")


def blobs(height: int, width: int, radius: int, seed: int, share: float = 0.5) -> Nonogram:
    """Noise, smoothed ``radius`` times over 3x3 cells, cut where ``share`` of the cells lie above."""
    field: npt.NDArray[np.float64] = Rng(seed).uniforms(height * width).reshape(height, width)
    for _ in range(radius):
        field = sum(np.roll(field, (i, j), (0, 1)) for i in (-1, 0, 1) for j in (-1, 0, 1)) / 9.0  # type: ignore[assignment]
    cells = (field > np.quantile(field, 1 - share)).astype(np.uint8)
    return Nonogram.from_picture(cells, title=f"blobs {height}x{width}, radius {radius}, seed {seed}")


def blocks(many: int, seed: int, size: int = 25, density: float = 0.4) -> Nonogram:
    """Random squares along a diagonal, the cells outside of them given: regions that share no line."""
    cells = np.zeros((many * size, many * size), dtype=np.uint8)
    for i in range(many):
        at = slice(i * size, (i + 1) * size)
        cells[at, at] = Rng(seed + i).uniforms(size * size).reshape(size, size) < density
    outside = np.kron(np.eye(many), np.ones((size, size))) == 0
    given = tuple(Given(row, column, 0) for row, column in np.argwhere(outside).tolist())
    return replace(Nonogram.from_picture(cells, title=f"{many} blocks, seed {seed}"), given=given)


BLOBS = ((60, 50), (60, 60), (80, 60), (80, 80), (100, 80), (100, 100))


def domino_like(i: int) -> Nonogram:
    """Families by turns, each of growing size."""
    family, step = (dominoes, ring, bricks)[i % 3], i // 3
    return family({dominoes: 4 + step, ring: 8 * (step + 1), bricks: 4 * (step + 1)}[family])


CLASSES: dict[str, Class] = {
    "small, first": random_boards(300, [5, 10, 15, 20], [0.4, 0.5, 0.6]),
    "25x25 at 50 %, first": random_boards(300, [25], [0.5]),
    "25x25 at 50 %, second": random_boards(300, [25], [0.5], unique=True),
    "25x25 at 40 %, second": random_boards(60, [25], [0.4], unique=True),
    "hard, first": random_boards(90, [25, 30], [0.35, 0.4, 0.45]),
    "40x40 and 50x50 at 50 %, first": random_boards(20, [40, 50], [0.5]),
    "80x80 at 40 %, first": random_boards(10, [80], [0.4]),
    "100x100 at 40 %, first": random_boards(5, [100], [0.4]),
    "blocks, first": Class(12, False, lambda i: blocks(2 + i % 3, SEEDS + 10 * i)),
    "dominoes, second": Class(24, True, domino_like),
    "blobs, second": Class(30, True, lambda i: blobs(*BLOBS[i % 6], 2 + i % 3, SEEDS + i)),
    "blobs, first": Class(30, False, lambda i: blobs(*BLOBS[i % 6], 2 + i % 3, SEEDS + i)),
    "waves, first": Class(9, False, lambda i: waves((16, 32, 64)[i % 3], (4.0, 3.0, 2.0)[i // 3])),
    "large waves, first": Class(6, False, lambda i: waves((128, 192, 256)[i % 3], (2.0, 3.0)[i // 3])),
}
