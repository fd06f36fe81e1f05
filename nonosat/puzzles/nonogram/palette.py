"""The colours of a puzzle: one character each for text, and a shade for drawings."""

from __future__ import annotations

import string
from typing import NamedTuple

from nonosat.errors import PuzzleError

BLANKS = ".·-_0 "
"""The characters that stand for a blank cell when a picture is read (the first is the one we write)."""


class Colour(NamedTuple):
    """``symbol``: ``#`` or a letter, for text; ``rgb``: ``#rrggbb``, for drawings."""

    symbol: str
    rgb: str


BLACK = Colour("#", "#000000")
SYMBOLS = "#" + string.ascii_letters
MAX_COLOURS = len(SYMBOLS)

# Okabe & Ito's eight (colour-blind safe), in an order in which neighbours differ in lightness too.
_SHADES = ("#000000", "#d55e00", "#0072b2", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#f0e442")


def palette_of(count: int) -> tuple[Colour, ...]:
    """``count`` colours: black as ``#``, then ``b``, ``c``, ... in shades that the colour-blind can tell apart.

    >>> [colour.symbol for colour in palette_of(3)]
    ['#', 'b', 'c']
    """
    if not 1 <= count <= MAX_COLOURS - 1:
        raise PuzzleError(f"{count} colours; a puzzle has 1 to {MAX_COLOURS - 1}")
    letters = "#" + string.ascii_letters[1:]
    return tuple(Colour(letters[i], shade(i)) for i in range(count))


def shade(index: int) -> str:
    """The default shade of colour number ``index`` (from 0); past the eighth, shades repeat darkened."""
    base = _SHADES[index % len(_SHADES)]
    if index < len(_SHADES):
        return base
    factor = 0.8 ** (index // len(_SHADES))
    channels = (int(base[i : i + 2], 16) for i in (1, 3, 5))
    return "#" + "".join(f"{int((c or 90) * factor):02x}" for c in channels)


def check_palette(palette: tuple[Colour, ...]) -> None:
    """Raise ``PuzzleError`` unless ``palette`` is one to 53 colours with symbols and shades of the right form."""
    if not 1 <= len(palette) <= MAX_COLOURS:
        raise PuzzleError(f"{len(palette)} colours; a puzzle has 1 to {MAX_COLOURS}")
    symbols = [colour.symbol for colour in palette]
    for colour in palette:
        if len(colour.symbol) != 1 or colour.symbol not in SYMBOLS:
            raise PuzzleError(f"colour symbol {colour.symbol!r}: it must be # or one ASCII letter")
        if symbols.count(colour.symbol) > 1:
            raise PuzzleError(f"two colours have the symbol {colour.symbol!r}")
        digits = colour.rgb[1:]
        if len(colour.rgb) != 7 or colour.rgb[0] != "#" or any(c not in string.hexdigits for c in digits):
            raise PuzzleError(f"shade {colour.rgb!r}: it must be #rrggbb")
