"""From the bytes of an image file to pixels, one for each cell, by Pillow (imported when it is needed).

An image of as many pixels as cells is not resized, so that pixel art comes out pixel for pixel.
"""

from __future__ import annotations

import contextlib
import math
from io import BytesIO
from typing import TYPE_CHECKING, Literal

import numpy as np

from nonosat.errors import FormatError, NonosatError, UnsupportedError
from nonosat.files import MAX_BYTES, decode, printable
from nonosat.puzzles.nonogram.puzzle import MAX_CELLS
from nonosat.puzzles.nonogram.tones import Pixels

if TYPE_CHECKING:
    from PIL.Image import Image

Size = tuple[int | None, int | None] | int | Literal["auto"] | None

KINDS = ("PNG", "GIF", "PPM", "BMP", "JPEG", "WEBP", "TIFF", "ICO", "PCX", "QOI")
"""What is read, by Pillow's names. Not all that Pillow opens: some of its readers start other programs (EPS)."""

MOST_PIXELS = 2**26
"""The largest image that is decoded: 67 megapixels. Its header is enough to refuse a larger one."""

MOST_SIDE = 256
"""The longest side of an image whose pixels are taken for cells without being asked to."""


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
        raise FormatError(f"not an image{', but text' if is_text(data) else ''}; read are {', '.join(KINDS)}") from None
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


def resized(image: Image, size: Size) -> Pixels:
    """The pixels of ``image``, one for each cell, shape (rows, columns, 4): means of the pixels that a cell covers."""
    from PIL.Image import Resampling

    rows, columns = board_size(image.height, image.width, size)
    pixels = np.asarray(image)
    side = block(pixels) if size == "auto" else 1
    if size in (None, "auto") and max(rows, columns) > MOST_SIDE * side:
        example = "{}x{} (rows x columns)".format(*board_size(rows, columns, 40))
        raise UnsupportedError(
            f"{columns} x {rows} pixels are too many for a cell each: a size is needed, such as {example}"
        )
    if rows * columns > MAX_CELLS:
        raise UnsupportedError(f"a board of {rows}x{columns}; at most {MAX_CELLS:,} cells are supported")
    if pixels.shape[:2] != (rows, columns):
        return np.asarray(image.resize((columns, rows), Resampling.BOX))
    return pixels[::side, ::side]


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
