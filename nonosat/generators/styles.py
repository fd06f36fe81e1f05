"""Random boards that look like pictures: filled cells form shapes, in one of several styles.

A style makes a height for every cell from the seed. The highest cells are filled, exactly as many as the density
demands (``symmetric``: of a half). All arithmetic is on integers, so that boards are the same on every machine.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from nonosat.errors import UnsupportedError
from nonosat.generators.density import format_shares, refuse
from nonosat.generators.pictures import NAMES
from nonosat.rng import Rng

if TYPE_CHECKING:
    from nonosat.puzzles.nonogram import Nonogram

Heights = npt.NDArray[np.int64]

_PERIOD = 2**16
"""A wave's period, in the whole numbers that phases are."""


def random_picture(height: int, width: int, density: float | Sequence[float], style: str, seed: int) -> Nonogram:
    """A random puzzle in a ``style``; ``density`` as for ``random_density``, exact up to half a cell.

    Colours lie around each other as contour lines do. Boards of one seed and style and of different densities are
    nested: the filled cells of the sparser one are filled in the denser one too.

    >>> print(random_picture(6, 12, 0.5, "symmetric", seed=1).goal)
    ###......###
    ##........##
    #....##....#
    ....####....
    ...######...
    ############
    """
    from nonosat.puzzles.nonogram import Nonogram
    from nonosat.puzzles.nonogram.puzzle import Picture, palette_of

    shares = refuse(height, width, density)
    if style not in STYLES:
        raise UnsupportedError(f"style {style!r}: known are {', '.join(NAMES)}")
    mirrored = style == "symmetric"
    heights = STYLES[style](height, (width + 1) // 2 if mirrored else width, Rng(seed))
    cells = _filled(heights, shares)
    if mirrored:
        cells = np.concatenate((cells, cells[:, : width // 2][:, ::-1]), axis=1)
    title = f"{style} {height}x{width}, density {format_shares(tuple(shares))}, seed {seed}"
    return Nonogram.from_picture(Picture(cells, palette_of(len(shares))), title=title)


def _filled(heights: Heights, shares: Sequence[float]) -> npt.NDArray[np.uint8]:
    """The highest cells in the first colour, as many as its share says, those below in the second, and so on."""
    order = np.argsort(-heights.reshape(-1), kind="stable")
    cells = np.zeros(order.size, dtype=np.uint8)
    for colour in range(len(shares), 0, -1):
        cells[order[: round(sum(shares[:colour]) * order.size)]] = colour
    return cells.reshape(heights.shape)


def _smoothed(height: int, width: int, rng: Rng, radius: int, times: int) -> Heights:
    """Noise, smoothed: each cell gets the mean of the square around it, ``times`` times; edges are extended."""
    field = (rng.raw(height * width) >> np.uint64(32)).astype(np.int64).reshape(height, width)
    for _ in range(times):
        for axis in (0, 1):
            around = [(0, 0), (0, 0)]
            around[axis] = (radius + 1, radius)
            sums = np.cumsum(np.pad(field, around, mode="edge"), axis=axis)
            length, span = field.shape[axis], 2 * radius + 1
            after, before = (np.take(sums, range(first, first + length), axis) for first in (span, 0))
            field = (after - before) // span
    return field


def _blobs(height: int, width: int, rng: Rng) -> Heights:
    """Noise smoothed three times, nearly by a Gaussian: some blobs along a side, whatever the size."""
    return _smoothed(height, width, rng, radius=max(1, (min(height, width) + 6) // 12), times=3)


def _noise(height: int, width: int, rng: Rng) -> Heights:
    """Noise smoothed once: specks and ragged edges, as in a photograph of two shades."""
    return _smoothed(height, width, rng, radius=1, times=1)


def _waves(height: int, width: int, rng: Rng) -> Heights:
    """The sum of three waves: two plane ones, of up to four periods along a side, and one in rings around a point."""
    y, x = (np.arange(n, dtype=np.int64)[:, None] * _PERIOD // n for n in (height, width))
    x = x.T
    total: Heights = np.zeros((height, width), dtype=np.int64)
    for _ in range(2):
        down, across = rng.below(4) + 1, rng.below(9) - 4
        total += _wave(down * y + across * x + rng.below(_PERIOD))
    dy, dx = (y - rng.below(_PERIOD)) >> 6, (x - rng.below(_PERIOD)) >> 6
    return total + _wave(((dy * dy + dx * dx) * (rng.below(5) + 3) >> 4) + rng.below(_PERIOD))


def _wave(phase: Heights) -> Heights:
    """Parabolas, up and down, that approximate a sine: from -2**14 to 2**14 in each period of ``phase``."""
    half = _PERIOD // 2
    along = phase % _PERIOD - half
    found: Heights = along * (half - np.abs(along)) >> 14
    return found


STYLES: dict[str, Callable[[int, int, Rng], Heights]] = dict(zip(NAMES, (_blobs, _blobs, _waves, _noise), strict=True))
"""The heights of each style; ``symmetric`` mirrors the left half of blobs."""


def of_style(size: tuple[int, int], shares: tuple[float, ...], style: str, seed: int) -> Nonogram:
    """The generator's board."""
    return random_picture(*size, shares, style, seed)
