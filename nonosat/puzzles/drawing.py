"""Boards as lines of text: what the drawings of all kinds of puzzles share."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from io import BytesIO
from typing import TYPE_CHECKING

from nonosat.errors import FormatError, UnsupportedError
from nonosat.puzzles.puzzle import Board, Lines, Puzzle, kind_of

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    from PIL import ImageDraw

    Pixels = npt.NDArray[np.uint8]


# Shades to draw with, and how to distinguish them; for text, SVG and PNG.


PAPER, THIN, HEAVY, GUIDE, FAINT = "#ffffff", "#c4c4c4", "#6b6b6b", "#e2e2e2", "#8c8c8c"
"""Shades of what is not a cell: background, grid, every fifth line, its continuation between clues, zeros and marks."""


def channels(shade: str) -> tuple[int, int, int]:
    """``#rrggbb`` as three numbers.

    >>> channels("#ff8000")
    (255, 128, 0)
    """
    return int(shade[1:3], 16), int(shade[3:5], 16), int(shade[5:7], 16)


def luminance(shade: str) -> float:
    """The relative luminance of a shade (WCAG 2), from 0 (black) to 1 (white)."""
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in (v / 255 for v in channels(shade))]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def ink_on(shade: str) -> str:
    """Black or white, whichever reads better on ``shade``.

    >>> ink_on("#f0e442"), ink_on("#0072b2")
    ('#000000', '#ffffff')
    """
    # The contrasts are equal at 0.179, but mid-tones look better with white until a bit above.
    return "#000000" if luminance(shade) > 0.25 else "#ffffff"


def ink_of(shade: str) -> str:
    """``shade``, darkened until it can be read on white (contrast 4.5).

    >>> ink_of("#000000"), luminance(ink_of("#f0e442")) < 0.19
    ('#000000', True)
    """
    while luminance(shade) > 1.05 / 4.5 - 0.05:
        shade = scaled(shade, 0.95)
    return shade


def cell_shade(shade: str) -> str:
    """The shade to fill cells with: the colour's own, unless it is too close to a blank's white."""
    return scaled(shade, 0.86) if min(channels(shade)) >= 0xEC else shade


def scaled(shade: str, factor: float) -> str:
    """``shade`` with its channels multiplied by ``factor``."""
    return "#" + "".join(f"{int(value * factor):02x}" for value in channels(shade))


# SVG documents: what the drawings of all kinds of puzzles share.


EDGE = 6
"""White around the drawing, in units."""

FONTS = "Helvetica,Arial,'Liberation Sans',sans-serif"
"""For numbers."""


def document(
    title: str, left: int, top: int, width: int, height: int, parts: Iterable[str], cell: int | None = None
) -> str:
    """A whole SVG on white paper (so that it can be read in a dark notebook), its origin at the board's corner.

    ``cell``: the side of a cell; the workbench then shows the drawing behind the board's cells.
    """
    cells = "" if cell is None else f'data-cell="{cell}" '
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" {cells}'
        f'viewBox="{-left} {-top} {width} {height}" role="img" style="max-width:100%;height:auto">'
    )
    paper = f'<rect x="{-left}" y="{-top}" width="{width}" height="{height}" fill="{PAPER}"/>'
    return "\n".join([head, f"<title>{xml(title)}</title>", paper, *filter(None, parts), "</svg>", ""])


def number(value: float) -> str:
    """A coordinate, to a tenth of a unit.

    >>> number(12.0), number(3.14159), number(-0.01)
    ('12', '3.1', '0')
    """
    return f"{round(value, 1) + 0.0:.1f}".removesuffix(".0")


def xml(text: str) -> str:
    r"""``text`` as XML content; characters that XML has no way to write become U+FFFD.

    >>> xml("<\x00 & co>")
    '&lt;\ufffd &amp; co&gt;'
    """
    text = re.sub("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]", "\ufffd", text)
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


ANSI = re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]")
RESET = "\x1b[0m"


def numbered(text: str) -> list[tuple[int, str]]:
    """The lines of ``text`` with their numbers, without byte order mark and ANSI codes."""
    return [*enumerate(re.split("\r\n|\r|\n", ANSI.sub("", text.removeprefix("\ufeff"))), start=1)]


def is_json(text: str) -> bool:
    """Whether ``text`` seems to be the JSON of an answer."""
    return text.lstrip("\ufeff \t\r\n").startswith("{")


def json_rows(text: str) -> Lines:
    """The strings of the "picture" of an answer."""
    try:
        answer = json.loads(text.removeprefix("\ufeff"))
    except json.JSONDecodeError as error:
        raise FormatError(f"not JSON: {error.msg}", line=error.lineno) from None
    except (ValueError, RecursionError):  # a number of thousands of digits; brackets that nest too deep
        raise FormatError("not JSON that can be read") from None
    rows = answer.get("picture") if isinstance(answer, dict) else None
    if rows is None:
        verdict = answer.get("verdict") if isinstance(answer, dict) else None
        raise FormatError('the answer has no "picture"' + (f", its verdict is {verdict}" if verdict else ""))
    if not isinstance(rows, list) or not all(isinstance(row, str) for row in rows):
        raise FormatError('"picture" is not a list of strings')
    return [(None, row) for row in rows]


def size_text(what: str, shape: tuple[int, int], wanted: tuple[int, int]) -> str:
    """``the picture is 2x5 (rows x columns), the puzzle 5x5``."""
    (height, width), (rows, columns) = shape, wanted
    return f"the {what} is {height}x{width} (rows x columns), the puzzle {rows}x{columns}"


def counted(count: int, noun: str) -> str:
    """``1 row``, ``2 rows``."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def paint(text: str, ink: str, ground: str) -> str:
    """``text`` in the shade ``ink`` on the shade ``ground``."""
    (r, g, b), (x, y, z) = channels(ink), channels(ground)
    return f"\x1b[38;2;{r};{g};{b};48;2;{x};{y};{z}m{text}{RESET}"


# PNG images: what the drawings of all kinds of puzzles share. Pillow is imported when it is needed.


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
    import numpy as np

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


# Puzzles and their boards as text for terminals and files, and back.


def picture_text(picture: Board, colour: bool = False) -> str:
    """The board without clues; ``colour``: with the ANSI codes of a true-colour terminal.

    >>> from nonosat.puzzles.nonogram import Picture
    >>> print(picture_text(Picture([[1, 0], [1, 1]])))
    ██··
    ████
    """
    return kind_of(picture).picture_text(picture, colour)


def puzzle_text(puzzle: Puzzle, picture: Board | None = None, colour: bool = False) -> str:
    """The board with its clues, and ``picture`` on it; without one, what is given. ``colour`` as in ``picture_text``.

    A ``picture`` that is no board of the puzzle raises ``PuzzleError``.
    """
    return kind_of(puzzle).puzzle_text(puzzle, picture, colour)


def read_picture(text: str, puzzle: Puzzle) -> Board:
    """The board of ``puzzle`` that ``text`` shows: what this module prints, ``str`` of a board, or an answer's JSON.

    Each kind's own function reads the rest. Whatever is wrong raises ``FormatError`` with the line;
    UnsupportedError: boards of this kind cannot be read.
    """
    return kind_of(puzzle).read_picture(text, puzzle)


# Puzzles and their boards as SVG: self-contained, small, the same text every time.


def svg(puzzle: Puzzle, picture: Board | None = None) -> str:
    """The board with its clues, and ``picture`` on it (without one: what is given, which is marked either way).

    A ``picture`` that is no board of the puzzle raises ``PuzzleError``.

    >>> from nonosat.puzzles.nonogram import Nonogram
    >>> svg(Nonogram.from_lengths([[1]], [[1]]))[:38]
    '<svg xmlns="http://www.w3.org/2000/svg'
    """
    return kind_of(puzzle).svg(puzzle, picture)


def svg_picture(picture: Board) -> str:
    """The board alone, without clues."""
    return kind_of(picture).svg_picture(picture)


# Puzzles and their boards as PNG, drawn with Pillow (imported when it is needed); they look like the SVG.


__all__ = ["MOST_PIXELS", "png", "png_picture"]


def png(puzzle: Puzzle, picture: Board | None = None, cell: int | None = None) -> bytes:
    """The board with its clues, and ``picture`` on it (without one: what is given, which is marked either way).

    ``cell`` is the size of a cell in pixels; by default it is chosen so that the image is good to look at, and never of
    more than ``MOST_PIXELS``. On small cells numbers can't be read and are left out, on tiny ones the grid is too. A
    ``cell`` too large or too small for the board raises ``UnsupportedError``, as does a kind that has no PNG; a
    ``picture`` that is no board of the puzzle ``PuzzleError``.
    """
    return kind_of(puzzle).png(puzzle, picture, cell)


def png_picture(picture: Board, cell: int | None = None) -> bytes:
    """The board alone, without clues; ``cell`` as in ``png``."""
    return kind_of(picture).png_picture(picture, cell)


def pixel_art(picture: Board) -> bytes:
    """``picture`` as PNG, a pixel a cell, as images are read. UnsupportedError: its cells are no colours."""
    palette = getattr(picture, "palette", None)
    if palette is None:
        raise UnsupportedError(f"cells of the puzzle {picture.kind} have no colours: there is no pixel for them")
    import numpy as np

    shades = np.array([channels(shade) for shade in (PAPER, *(colour.rgb for colour in palette))], dtype=np.uint8)
    return encode(shades[picture.cells])
