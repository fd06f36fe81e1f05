"""From the pixels of an image to the cells of a picture: thresholds, dithers, and few colours out of many.

``pixels`` are uint8 of shape (rows, columns, 4): red, green, blue and alpha (0 is transparent), a pixel a cell.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from nonosat.puzzles.nonogram.palette import BLACK, Colour, palette_of
from nonosat.puzzles.nonogram.picture import Picture

Pixels = npt.NDArray[np.uint8]

DITHERS = ("none", "floyd-steinberg", "bayer")


def black_and_white(pixels: Pixels, threshold: float | None, invert: bool, dither: str) -> Picture:
    """Filled are the cells of a luminance below ``threshold`` (with ``invert``, all others); never transparent ones.

    None is Otsu's threshold. With a dither, half of the cells whose luminance is the threshold are filled, and None is
    0.5, so that the share of filled cells in a part of the picture is its darkness.
    """
    grey = luma(over(pixels, 0 if invert else 255))
    if dither == "none":
        dark = grey / 255 < (otsu(grey) if threshold is None else threshold)
    else:
        level = grey / 255 + 0.5 - (0.5 if threshold is None else threshold)
        dark = (bayer if dither == "bayer" else floyd_steinberg)(np.clip(level, 0, 1))
    return Picture((dark != invert) & (pixels[..., 3] > 0))


def over(pixels: Pixels, paper: int) -> Pixels:
    """``pixels`` without their transparency, on paper of the grey ``paper``."""
    alpha = pixels[..., 3:].astype(np.uint32)
    laid: Pixels = ((pixels[..., :3] * alpha + paper * (255 - alpha) + 127) // 255).astype(np.uint8)
    return laid


def luma(rgb: Pixels) -> Pixels:
    """The luminance of each pixel, 0 to 255 (ITU-R BT.601, in whole numbers so that white is 255)."""
    red, green, blue = np.moveaxis(rgb.astype(np.uint32), -1, 0)
    grey: Pixels = ((red * 19595 + green * 38470 + blue * 7471 + 0x8000) >> 16).astype(np.uint8)
    return grey


def otsu(grey: Pixels) -> float:
    """The luminance (0..1) that best splits ``grey`` in two: the variance between dark and light is greatest.

    Of several equally good ones the middle; 0.5 where all is one shade. After Otsu, A threshold selection method from
    gray-level histograms, IEEE Trans. SMC 9, 1979.

    >>> otsu(np.array([[0, 0, 255]], np.uint8)), round(otsu(np.array([[10, 12, 90]], np.uint8)) * 255, 1)
    (0.5, 51.0)
    """
    share = np.bincount(grey.ravel(), minlength=256) / grey.size
    below = np.cumsum(share)[:-1]
    mean_below = np.cumsum(share * np.arange(256))
    mean, mean_below = mean_below[-1], mean_below[:-1]
    both = (below > 0) & (below < 1 - 1e-12)
    if not both.any():
        return 0.5
    between = np.zeros(255)
    between[both] = (mean * below[both] - mean_below[both]) ** 2 / (below[both] * (1 - below[both]))
    best = np.flatnonzero(between >= between.max() * (1 - 1e-9))
    return float((best[0] + best[-1] + 1) / 2 / 255)


def bayer(level: npt.NDArray[np.float64]) -> npt.NDArray[np.bool_]:
    """What is dark in an ordered dither of ``level`` (0 black .. 1 white) with Bayer's 8 x 8 matrix (1973)."""
    matrix = np.zeros((1, 1), int)
    for _ in range(3):
        matrix = np.block([[4 * matrix, 4 * matrix + 2], [4 * matrix + 3, 4 * matrix + 1]])
    rows, columns = np.indices(level.shape) % 8
    dark: npt.NDArray[np.bool_] = level < (matrix[rows, columns] + 0.5) / 64
    return dark


def floyd_steinberg(level: npt.NDArray[np.float64]) -> npt.NDArray[np.bool_]:
    """What is dark in a dither of ``level`` (0 black .. 1 white) by the error diffusion of Floyd & Steinberg (1976)."""
    from PIL import Image

    light: npt.NDArray[np.bool_] = np.asarray(Image.fromarray(np.rint(level * 255).astype(np.uint8)).convert("1"))
    return ~light


def in_colours(pixels: Pixels, most: int, blank: str | None, dither: str) -> Picture:
    """A picture in at most ``most`` colours beside blank, the darkest first.

    Colours are the image's own where it has no more than that; else they are chosen by median cut and k-means. Blank
    is what is transparent and the colour nearest to ``blank``; without either, the lightest.
    """
    clear = pixels[..., 3] < 128
    rgb = over(pixels, 255)
    shades, inverse = np.unique(rgb[~clear], axis=0, return_inverse=True)
    labels = inverse.ravel().astype(np.uint8)  # kept if there are few shades only
    spare = blank is not None or not clear.any()
    if len(shades) > most + spare:
        shades = quantised(rgb[~clear], most + spare)
        labels = (nearest if dither == "none" else diffused)(rgb, shades)[~clear]
    empty = blank_shade(shades, most, blank) if spare else None
    used = [label for label in np.unique(labels).tolist() if label != empty]
    used.sort(key=lambda label: (int(luma(shades[label])), *shades[label].tolist()))
    values = np.zeros(len(shades), np.uint8)
    values[used] = range(1, len(used) + 1)
    cells = np.zeros(clear.shape, np.uint8)
    cells[~clear] = values[labels]
    symbols = [colour.symbol for colour in palette_of(max(1, len(used)))]
    colours = [Colour(symbol, "#" + shades[i].tobytes().hex()) for symbol, i in zip(symbols, used, strict=False)]
    return Picture(cells, tuple(colours) or (BLACK,))


def blank_shade(shades: Pixels, most: int, wanted: str | None) -> int | None:
    """Which of the ``shades`` is blank, if any: the nearest to ``wanted``, or the lightest."""
    if not len(shades):
        return None
    if wanted is None:
        lightest = int(np.argmax(luma(shades)))
        return lightest if len(shades) > 1 or luma(shades)[0] > 127 else None
    target = np.array([[int(wanted[i : i + 2], 16) for i in (1, 3, 5)]], np.uint8)
    there = (shades == target).all(axis=1).any()
    return int(nearest(target, shades)[0]) if there or len(shades) > most else None


def quantised(rgb: Pixels, most: int) -> Pixels:
    """At most ``most`` shades that stand for all of ``rgb``, shape (pixels, 3)."""
    from PIL.Image import Dither, Quantize, fromarray

    strip = fromarray(rgb[np.newaxis]).quantize(most, Quantize.MEDIANCUT, kmeans=1, dither=Dither.NONE)
    return np.unique(np.asarray(strip.convert("RGB"))[0], axis=0)


def nearest(rgb: Pixels, shades: Pixels) -> npt.NDArray[np.uint8]:
    """For each pixel, which of the ``shades`` is nearest to it."""
    labels = np.zeros(rgb.shape[:-1], np.uint8)
    least = np.full(labels.shape, np.iinfo(np.int32).max, np.int32)
    for label, shade in enumerate(shades.astype(np.int32)):
        distance = ((rgb - shade) ** 2).sum(axis=-1, dtype=np.int32)
        labels[distance < least] = label
        least = np.minimum(least, distance)
    return labels


def diffused(rgb: Pixels, shades: Pixels) -> npt.NDArray[np.uint8]:
    """As ``nearest``, with what a pixel's shade is off by passed on to its neighbours (Floyd & Steinberg)."""
    from PIL.Image import Dither, fromarray, new

    chart = new("P", (1, 1))
    full = np.concatenate([shades, np.repeat(shades[-1:], 256 - len(shades), axis=0)])  # else Pillow adds greys
    chart.putpalette(full.ravel().tolist())
    labels = np.asarray(fromarray(rgb).quantize(palette=chart, dither=Dither.FLOYDSTEINBERG))
    known: Pixels = np.minimum(labels, len(shades) - 1).astype(np.uint8)
    return known
