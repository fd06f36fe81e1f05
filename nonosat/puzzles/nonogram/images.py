"""Pictures from image files: PNG, GIF, JPEG and others, read with Pillow (imported when it is needed).

An image becomes cells in four steps: it is turned upright as its EXIF data say; shrunk to the board's size, a cell
getting the mean of the pixels it covers; laid on the blank shade where it is transparent; and split into blank and
filled by a threshold, a dither, or its own few colours. An image of as many pixels as cells skips the second step, so
that pixel art comes out pixel for pixel.
"""

from __future__ import annotations

import re
import warnings
from dataclasses import dataclass
from pathlib import Path

from nonosat.errors import FormatError, PuzzleError, UnknownNameError, UnsupportedError
from nonosat.files import printable, read_bytes, shown
from nonosat.puzzles.nonogram.palette import Colour, check_palette, palette_of
from nonosat.puzzles.nonogram.picture import Picture
from nonosat.puzzles.nonogram.pixels import Size, opened, resized
from nonosat.puzzles.nonogram.tones import DITHERS, black_and_white, in_colours


@dataclass(frozen=True)
class Reading:
    """How an image is read; the defaults suit black pixel art on white.

    ``size``: (rows, columns), one of them None to keep the proportions; a number: the longer side; "auto": pixel art
    whose cells are k x k equal pixels gets a cell for each; None: a cell a pixel. ``threshold``: cells of a luminance
    (0 black .. 1 white) below it are filled; None: Otsu's (``otsu``), or 0.5 with a dither. ``invert``: the light cells
    are filled instead. ``dither``: one of ``DITHERS``. ``colours``: the most colours beside blank; None: black and
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


def load_image(path: str | Path, how: Reading | None = None) -> Picture:
    """The picture in the image file ``path`` (``-`` is standard input)."""
    source, data = shown(path), read_bytes(path)
    try:
        return read_image(data, how)
    except FormatError as error:
        raise error.at(source) from None
    except (UnsupportedError, PuzzleError) as error:
        raise UnsupportedError(f"{source}: {error}") from None


def read_image(data: bytes, how: Reading | None = None) -> Picture:
    """The picture in the image ``data``; ``FormatError`` if it is none, ``UnsupportedError`` if it is too large.

    >>> print(read_image(b"P1 3 2  1 0 1  0 1 1"))
    #.#
    .##
    """
    how = how or Reading()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Pillow warns of oddities in files; what can't be read raises
        image = opened(data, how.frame)
        pixels = resized(image, how.size)
    if how.colours is None:
        return black_and_white(pixels, how.threshold, how.invert, how.dither)
    return in_colours(pixels, how.colours, how.blank, how.dither)


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
