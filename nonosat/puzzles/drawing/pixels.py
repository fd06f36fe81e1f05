"""PNG images: what the drawings of all kinds of puzzles share. Pillow is imported when it is needed."""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from nonosat.errors import UnsupportedError
from nonosat.puzzles.drawing.shades import PAPER, channels

if TYPE_CHECKING:
    from PIL import ImageDraw

Pixels = npt.NDArray[np.uint8]

MOST_PIXELS = 40_000_000
BARE_PIXELS = 16_000_000
USUAL = 960
"""The size (the longer side, in pixels) that we aim at."""

LEGIBLE = 16
"""Below this many pixels a cell, clue numbers can't be read; they are left out."""

GRID = 5
"""Below this many pixels a cell, the grid would hide the cells; only the frame is drawn."""


def check_cell(cell: int | None) -> None:
    """Raise ``UnsupportedError`` for cells of less than a pixel."""
    if cell is not None and cell < 1:
        raise UnsupportedError(f"cells of {cell} pixels; a cell has at least one")


def canvas(width: int, height: int) -> Pixels:
    """White paper, as an array (height, width, 3); ``UnsupportedError`` if it would be too large."""
    if width * height > MOST_PIXELS * 1.05:
        raise UnsupportedError(f"a PNG of {width} x {height} pixels; we draw up to {MOST_PIXELS // 10**6} megapixels")
    return np.full((height, width, 3), channels(PAPER), dtype=np.uint8)


def frame(pixels: Pixels, left: int, top: int, right: int, bottom: int, shade: str) -> None:
    """A line of one pixel around a rectangle (``right`` and ``bottom`` included)."""
    pixels[[top, bottom], left : right + 1] = channels(shade)
    pixels[top : bottom + 1, [left, right]] = channels(shade)


def draw_number(draw: ImageDraw.ImageDraw, text: str, x: float, y: float, ink: str, bold: int = 0) -> None:
    """``text`` with its middle at (x, y), in the font that ``draw`` has; ``bold`` pixels more on all sides."""
    # Whole pixels: a number that starts between two pixels is blurred. "ls": from the left end of the base line.
    box = draw.textbbox((0, 0), text, anchor="ls")
    place = (round(x - (box[0] + box[2]) / 2), round(y - (box[1] + box[3]) / 2))
    draw.text(place, text, fill=ink, anchor="ls", stroke_width=bold)


def encode(pixels: Pixels) -> bytes:
    """The pixels as a PNG file."""
    from PIL import Image

    file = BytesIO()
    Image.fromarray(pixels).save(file, "PNG")
    return file.getvalue()
