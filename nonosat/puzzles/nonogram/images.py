"""Pictures from image files: PNG, GIF, JPEG and others, read with Pillow (imported when it is needed).

An image becomes cells in four steps: it is turned upright as its EXIF data say; shrunk to the board's size, a cell
getting the mean of the pixels it covers; laid on the blank shade where it is transparent; and split into blank and
filled by a threshold or a dither. In few colours a cell has the colour of most of its pixels. An image of as many
pixels as cells skips the second step, so that pixel art comes out pixel for pixel.
"""

from __future__ import annotations

import contextlib
import math
import re
import warnings
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import numpy.typing as npt

from nonosat.errors import FormatError, NonosatError, PuzzleError, UnknownNameError, UnsupportedError
from nonosat.files import MAX_BYTES, decode, printable, read_bytes, shown
from nonosat.puzzles.nonogram.puzzle import BLACK, MAX_CELLS, Colour, Picture, check_palette, lettered, palette_of

if TYPE_CHECKING:
    from PIL.Image import Image


# From the pixels of an image to the cells of a picture: thresholds, dithers, and few colours out of many.
#
# ``pixels`` are uint8 of shape (rows, columns, 4): red, green, blue and alpha (0 is transparent), a pixel a cell.


Pixels = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float32]

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


def in_colours(pixels: Pixels, most: int, blank: str | None, dither: str, side: int = 1) -> Picture:
    """A picture in at most ``most`` colours without blank, the darkest first; ``side`` x ``side`` pixels are a cell.

    A cell has the colour of most of its pixels, or with a dither that of their mean. (The mean of black and white, a
    grey, would take the colour that happens to be nearest to grey.) Colours are the image's own where it has no more
    than that; else they are chosen (``quantised``). Blank is what is transparent and the colour nearest to ``blank``;
    without either, the lightest.
    """
    clear, rgb = pixels[..., 3] < 128, over(pixels, 255)
    clear_cells = blocks(clear, side).mean(axis=-1) > 0.5
    shades = unpacked(np.unique(packed(rgb[~clear])))
    spare = blank is not None or not clear_cells.any()
    if len(shades) > most + spare:
        shades = quantised(rgb[~clear], most + spare)
    if dither == "none" or not len(shades):
        labels = most_frequent(blocks(np.where(clear, len(shades), nearest(rgb, shades)), side), len(shades) + 1)
    else:
        means = np.rint(blocks(rgb, side).mean(axis=-2)).astype(np.uint8)
        labels = np.where(clear_cells, len(shades), diffused(means, shades))
    empty = blank_shade(shades, most, blank) if spare else None
    used = [label for label in np.unique(labels).tolist() if label not in (empty, len(shades))]
    used.sort(key=lambda label: (int(luma(shades[label])), *shades[label].tolist()))
    values = np.zeros(len(shades) + 1, np.uint8)
    values[used] = range(1, len(used) + 1)
    colours = tuple("#" + shades[i].tobytes().hex() for i in used)
    return Picture(values[labels], lettered(colours) if colours else (BLACK,))


def packed(rgb: Pixels) -> npt.NDArray[np.uint32]:
    """Each colour as a number; they are in the order of red, green, blue."""
    red, green, blue = np.moveaxis(rgb.astype(np.uint32), -1, 0)
    codes: npt.NDArray[np.uint32] = red << 16 | green << 8 | blue
    return codes


def unpacked(codes: npt.NDArray[np.uint32]) -> Pixels:
    """The colours that ``packed`` made ``codes`` of."""
    return np.stack([codes >> 16, codes >> 8 & 255, codes & 255], axis=-1).astype(np.uint8)


def blocks(pixels: npt.NDArray[Any], side: int) -> npt.NDArray[Any]:
    """The ``side`` x ``side`` pixels of each cell: shape (rows, columns, pixels of a cell, channels if there are)."""
    height, width, *more = pixels.shape
    tiled = pixels.reshape(height // side, side, width // side, side, *more).swapaxes(1, 2)
    return tiled.reshape(height // side, width // side, side * side, *more)


def most_frequent(labels: npt.NDArray[np.int64], count: int) -> npt.NDArray[np.int64]:
    """Which of the ``count`` labels most pixels of each cell have, ``labels`` of shape (rows, columns, pixels)."""
    votes = np.stack([(labels == label).sum(axis=-1) for label in range(count)], axis=-1)
    most: npt.NDArray[np.int64] = np.argmax(votes, axis=-1)
    return most


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
    """At most ``most`` shades that stand for all of ``rgb``, shape (pixels, 3), such that the sum of squared distances
    is small: k-means (Lloyd, IEEE Trans. IT 28, 1982).

    Centres are chosen one by one, each that lessens the sum most; then any is exchanged for another as long as that
    does. Shades are the medians of the clusters: blends on the edges of shapes do not change the shapes' colours.
    """
    codes, counts = np.unique(packed(rgb) & 0xF8F8F8, return_counts=True)
    points, weights = unpacked(codes).astype(np.float32) + 4, counts.astype(np.float32)
    tried = points[np.argsort(-weights, kind="stable")[:CENTRES_TRIED]]
    apart = squares(points, tried)
    chosen = [0]  # the most frequent
    while len(chosen) < min(most, len(tried)):
        chosen.append(int(np.argmin(weights @ np.minimum(apart[:, chosen].min(axis=1)[:, np.newaxis], apart))))
    means, least = settled(points, weights, tried[chosen])
    for _ in range(EXCHANGES if most <= EXCHANGED else 0):
        better = None
        for at in range(len(means)):
            others = np.delete(means, at, axis=0)
            left = squares(points, others).min(axis=1, initial=np.inf)
            another = tried[int(np.argmin(weights @ np.minimum(left[:, np.newaxis], apart)))]
            found, cost = settled(points, weights, np.vstack([others, another]))
            if cost < least * 0.999:
                better, least = found, cost
        if better is None:
            break
        means = better
    labels = nearest(rgb, np.rint(means).astype(np.uint8))
    shades = [np.rint(np.median(rgb[labels == label], axis=0)) for label in np.unique(labels)]
    return np.unique(np.array(shades, np.uint8), axis=0)


def settled(points: Floats, weights: Floats, centres: Floats) -> tuple[Floats, float]:
    """Each centre moved to the mean of the points that are nearest to it, until they rest, and the sum of squares."""
    for _ in range(LLOYD_ROUNDS):
        labels = np.argmin(squares(points, centres), axis=1)
        sizes = np.bincount(labels, weights, len(centres))
        sums = [np.bincount(labels, weights * points[:, channel], len(centres)) for channel in range(3)]
        moved = np.where(sizes > 0, sums / np.maximum(sizes, 1), centres.T).T.astype(np.float32)
        if np.array_equal(moved, centres):
            break
        centres = moved
    return centres, float(weights @ squares(points, centres).min(axis=1))


CENTRES_TRIED = 256
LLOYD_ROUNDS = 10
EXCHANGES = 4
EXCHANGED = 10
"""Of more centres none is exchanged: it takes seconds, and there is one wherever one is needed."""


def squares(points: Floats, centres: Floats) -> Floats:
    """The squared distance of each of ``points`` from each of ``centres``, shape (points, centres)."""
    red, green, blue = ((points[:, channel, np.newaxis] - centres[:, channel]) ** 2 for channel in range(3))
    found: Floats = red + green + blue
    return found


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


# From the bytes of an image file to pixels, one for each cell, by Pillow (imported when it is needed).
#
# An image of as many pixels as cells is not resized, so that pixel art comes out pixel for pixel.


Size = tuple[int | None, int | None] | int | Literal["auto"] | None

KINDS = ("PNG", "GIF", "PPM", "BMP", "JPEG", "WEBP", "TIFF", "ICO", "PCX", "QOI")
"""What is read, by Pillow's names. Not all that Pillow opens: some of its readers start other programs (EPS)."""

MOST_PIXELS = 2**26
"""The largest image that is decoded: 67 megapixels. Its header is enough to refuse a larger one."""

MOST_FINE = 2**18
"""The most pixels that colours are chosen from."""

PIXELS_OF_A_CELL = 8
"""As many a side, at most, say which colour a cell has."""

MOST_SIDE = 256
"""The longest side of an image whose pixels are taken for cells by default."""


def opened(data: bytes, frame: int) -> Image:
    """The image in ``data``, decoded, upright, in RGBA."""
    from PIL import Image, ImageOps, UnidentifiedImageError

    if not data:
        raise FormatError("not an image: it is empty")
    if len(data) > MAX_BYTES:
        raise FormatError(f"longer than {MAX_BYTES // 2**20} MiB, the most that is read")
    try:
        image: Image.Image = Image.open(BytesIO(data), formats=KINDS)
        if image.width * image.height > MOST_PIXELS:
            raise Image.DecompressionBombError
        turn_to(image, frame)
        image.load()
        with contextlib.suppress(Exception):  # EXIF data that can't be read say nothing about the pixels
            image = ImageOps.exif_transpose(image)
        return rgba(image)
    except (NonosatError, MemoryError):
        raise
    except Image.DecompressionBombError:
        raise UnsupportedError(f"more than {MOST_PIXELS:,} pixels, the most that are read") from None
    except UnidentifiedImageError:
        text = ", but text: `nonosat convert` reads drawings" if is_text(data) else ""
        raise FormatError(f"not an image{text}; read are {', '.join(KINDS)}") from None
    except Exception as error:  # Pillow's readers meet broken files with errors of every type
        raise FormatError(f"a broken image: {printable(str(error), 200) or type(error).__name__}") from None


def turn_to(image: Image, frame: int) -> None:
    """Let ``image`` be its frame number ``frame`` (from 1)."""
    try:
        image.seek(frame - 1)
    except EOFError:
        frames = getattr(image, "n_frames", 1)
        raise FormatError(f"no frame {frame}, the image has {frames}") from None


def is_text(data: bytes) -> bool:
    """Whether ``data`` could be a puzzle, given where an image was expected."""
    try:
        return bool(decode(data))
    except FormatError:
        return False


def rgba(image: Image) -> Image:
    """``image`` with eight bits a channel, in RGBA."""
    if image.mode.startswith(("I", "F")):
        image = eight_bits(image)
    return image.convert("RGBA") if image.has_transparency_data else image.convert("RGB").convert("RGBA")


def eight_bits(image: Image) -> Image:
    """A grey image of 16 bits in eight (Pillow would cut off what is over 255); its transparent shade becomes alpha."""
    from PIL import Image as Images

    if image.mode == "F":
        raise UnsupportedError("its pixels are floating-point numbers; whole ones of up to 16 bits are read")
    deep = np.asarray(image.convert("I"))
    if int(deep.min()) < 0 or int(deep.max()) > 0xFFFF:
        raise UnsupportedError("its pixels have more than 16 bits")
    grey = Images.fromarray(np.rint(deep / 257).astype(np.uint8))
    if isinstance(clear := image.info.get("transparency"), int):
        grey.putalpha(Images.fromarray(np.where(deep == clear, 0, 255).astype(np.uint8)))
    return grey


def resized(image: Image, size: Size, most: int = 1) -> tuple[Pixels, int]:
    """The pixels of ``image``, shape (side * rows, side * columns, 4), and ``side``: side x side pixels are a cell.

    A pixel is the mean of those of the image that it covers. ``side`` is at most ``most``, and 1 where the image has no
    more pixels than the board cells.
    """
    from PIL.Image import Resampling

    rows, columns = board_size(image.height, image.width, size)
    pixels = np.asarray(image)
    square = block(pixels) if size == "auto" else 1
    if size in (None, "auto") and max(rows, columns) > MOST_SIDE * square:
        found = ", and in them is no enlarged pixel art that auto could shrink" if size == "auto" else ""
        example = "{}x{} (rows x columns)".format(*board_size(rows, columns, 40))
        raise UnsupportedError(
            f"{columns} x {rows} pixels are too many for a cell each{found}: a size is needed, such as {example}"
        )
    if rows * columns > MAX_CELLS:
        raise UnsupportedError(f"a board of {rows}x{columns}; at most {MAX_CELLS:,} cells are supported")
    if pixels.shape[:2] != (rows, columns):
        room = math.isqrt(MOST_FINE // (rows * columns))
        side = max(1, min(most, room, image.height // rows, image.width // columns))
        return np.asarray(image.resize((columns * side, rows * side), Resampling.BOX)), side
    return pixels[::square, ::square], 1


def board_size(height: int, width: int, size: Size) -> tuple[int, int]:
    """The rows and columns that ``size`` means for an image of ``height`` x ``width`` pixels.

    >>> board_size(3000, 4000, 40), board_size(3000, 4000, (40, None)), board_size(3000, 4000, (40, 40))
    ((30, 40), (40, 53), (40, 40))
    """
    if size is None or size == "auto":
        return height, width
    if isinstance(size, int):
        size = (size, None) if height > width else (None, size)
    rows, columns = size
    return (
        rows or max(1, round((columns or 1) * height / width)),
        columns or max(1, round((rows or 1) * width / height)),
    )


def block(pixels: Pixels) -> int:
    """The side of the largest squares of equal pixels that all of an image consists of: 1 of most.

    >>> block(np.kron(np.array([[0, 1, 1], [1, 0, 0]]), np.ones((4, 4), int))[..., np.newaxis])
    4
    """
    height, width = pixels.shape[:2]
    pixels = np.where(pixels[..., -1:] == 0, 0, pixels)  # all that is transparent is equal
    rows = np.flatnonzero((pixels[1:] != pixels[:-1]).any(axis=(1, 2))) + 1
    columns = np.flatnonzero((pixels[:, 1:] != pixels[:, :-1]).any(axis=(0, 2))) + 1
    return math.gcd(height, width, *rows.tolist(), *columns.tolist())


@dataclass(frozen=True)
class ImageOptions:
    """How an image is read; the defaults suit black pixel art on white.

    ``size``: (rows, columns), one of them None to keep the proportions; a number: the longer side; "auto": pixel art
    whose cells are k x k equal pixels gets a cell for each; None: a cell a pixel. ``threshold``: cells of a luminance
    (0 black .. 1 white) below it are filled; None: Otsu's (``otsu``), or 0.5 with a dither. ``invert``: the light cells
    are filled instead. ``dither``: one of ``DITHERS``. ``colours``: the most colours without blank; None: black and
    white. ``blank``: the ``#rrggbb`` that is blank; None: the transparent, or else the lightest. ``frame``: which of an
    animation, from 1.
    """

    size: Size = None
    threshold: float | None = None
    invert: bool = False
    dither: str = "none"
    colours: int | None = None
    blank: str | None = None
    frame: int = 1

    def __post_init__(self) -> None:
        if self.size is not None and self.size != "auto":
            sides = [side for side in (self.size if isinstance(self.size, tuple) else [self.size]) if side is not None]
            if not sides or min(sides) < 1:
                raise UnsupportedError(f"size {self.size}: a board has at least one row and one column")
        if self.dither not in DITHERS:
            raise UnknownNameError("dither", self.dither, DITHERS)
        if self.threshold is not None and not 0 <= self.threshold <= 1:
            raise UnsupportedError(f"threshold {self.threshold:g}: a luminance is from 0 (black) to 1 (white)")
        if self.frame < 1:
            raise UnsupportedError(f"frame {self.frame}: the first is 1")
        if self.colours is None:
            if self.blank is not None:
                raise UnsupportedError("which colour is blank can be said of a picture in colours only")
            return
        palette_of(self.colours)
        if self.threshold is not None or self.invert or self.dither == "bayer":
            raise UnsupportedError("threshold, invert and the bayer dither are for black and white, not for colours")
        if self.blank is not None:
            check_palette((Colour("#", self.blank),))


def load_image(path: str | Path, how: ImageOptions | None = None) -> Picture:
    """The picture in the image file ``path`` (``-`` is standard input)."""
    source, data = shown(path), read_bytes(path)
    try:
        return read_image(data, how)
    except FormatError as error:
        raise error.at(source) from None
    except (UnsupportedError, PuzzleError) as error:
        raise UnsupportedError(f"{source}: {error}") from None


def read_image(data: bytes, how: ImageOptions | None = None) -> Picture:
    """The picture in the image ``data``; ``FormatError`` if it is none, ``UnsupportedError`` if it is too large.

    >>> print(read_image(b"P1 3 2  1 0 1  0 1 1"))
    #.#
    .##
    """
    how = how or ImageOptions()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Pillow warns of oddities in files; what can't be read raises
        image = opened(data, how.frame)
        pixels, side = resized(image, how.size, 1 if how.colours is None else PIXELS_OF_A_CELL)
    if how.colours is None:
        return black_and_white(pixels, how.threshold, how.invert, how.dither)
    return in_colours(pixels, how.colours, how.blank, how.dither, side)


FEW = 12
"""Of more colours an image is a photograph or has blended edges, and not drawn in them."""


def drawn_in(data: bytes, frame: int = 1) -> int:
    """In how many colours an image is drawn without blank, as ``in_colours`` has it; 0: in shades of grey, or many."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        image = opened(data, frame)
    shades: list[Any] = [shade for _, shade in image.getcolors(FEW + 1) or ()]  # which stops at once in a photograph
    found = [shade for shade in shades if shade[3]]
    drawn = any(len({*shade[:3]}) > 1 for shade in found)
    return len(found) - (len(found) == len(shades)) if drawn else 0


def size_of(text: str) -> Size:
    """The size that ``text`` means: ``30x40`` (rows x columns), ``30x``, ``x40``, ``40``, ``auto``.

    >>> size_of("30x40"), size_of("30x"), size_of("40"), size_of("auto")
    ((30, 40), (30, None), 40, 'auto')
    """
    if text == "auto":
        return "auto"
    words = text.lower().split("x")
    numbers = [int(word) if word else None for word in words if not word or re.fullmatch("0*[1-9][0-9]{0,5}", word)]
    if len(words) > 2 or len(numbers) < len(words) or not any(numbers):
        known = "30x40 (rows x columns), 30x or x40 (in proportion), 40 (the longer side), auto"
        raise UnsupportedError(f"size {printable(text, 20)}: known are sizes such as {known}")
    return numbers[0] if len(numbers) == 1 else (numbers[0], numbers[1])
