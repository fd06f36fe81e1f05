"""Shades to draw with, and how they are told apart; for text, SVG and PNG."""

from __future__ import annotations

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
    """The shade to fill cells with: the colour's own, unless it can't be told from a blank's white."""
    return scaled(shade, 0.86) if min(channels(shade)) >= 0xEC else shade


def scaled(shade: str, factor: float) -> str:
    """``shade`` with its channels multiplied by ``factor``."""
    return "#" + "".join(f"{int(value * factor):02x}" for value in channels(shade))
