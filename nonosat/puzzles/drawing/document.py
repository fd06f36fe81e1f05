"""SVG documents: what the drawings of all kinds of puzzles share."""

from __future__ import annotations

import re
from collections.abc import Iterable
from xml.sax.saxutils import escape

from nonosat.puzzles.drawing.shades import PAPER

EDGE = 6
"""White around the drawing, in units."""

FONTS = "Helvetica,Arial,'Liberation Sans',sans-serif"
"""For numbers."""


def document(title: str, left: int, top: int, width: int, height: int, parts: Iterable[str]) -> str:
    """A whole SVG on white paper (so that it can be read in a dark notebook), its origin at the board's corner."""
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
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
    return escape(re.sub("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]", "\ufffd", text))
