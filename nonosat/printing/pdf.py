"""Pages of shapes as a PDF, by matplotlib's backend: vectors, and DejaVu's letters of them that are used, embedded.

That library is a dependency all the same, its font has the letters of most alphabets, and equal pages give equal bytes.
(A writer of our own would have PDF's own fonts only, without Wałejko's ł; cairo is a library of the system's.)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from io import BytesIO
from typing import Any

from nonosat.printing.vectors import Outline, Text

POINT = 72 / 25.4
"""Points a millimetre."""


@dataclass(frozen=True)
class Page:
    """``shapes`` on paper of these millimetres, down and right from the upper left corner."""

    width: float
    height: float
    shapes: tuple[Outline | Text, ...]


def pdf(pages: Sequence[Page], title: str) -> bytes:
    """The file."""
    import matplotlib
    from matplotlib.backends.backend_pdf import PdfPages
    from matplotlib.figure import Figure

    file = BytesIO()
    about = {"Title": title, "Creator": "nonosat", "Producer": "matplotlib", "CreationDate": None}
    with matplotlib.rc_context({"pdf.fonttype": 42, "pdf.compression": 6}), PdfPages(file, metadata=about) as book:
        for page in pages:
            figure = Figure(figsize=(page.width / 25.4, page.height / 25.4))
            figure.patch.set_visible(False)
            figure.add_artist(_artist(page))
            book.savefig(figure)
    return file.getvalue()


def _artist(page: Page) -> Any:
    """What draws the page itself, without an axis or a scale."""
    from matplotlib.artist import Artist

    class Sheet(Artist):
        def draw(self, renderer: Any) -> None:
            for shape in page.shapes:
                (_write if isinstance(shape, Text) else _trace)(renderer, shape, page.height)

    return Sheet()


def _trace(renderer: Any, shape: Any, height: float) -> None:
    from matplotlib.colors import to_rgb
    from matplotlib.path import Path
    from matplotlib.transforms import IdentityTransform

    vertices, codes = [], []
    for line, closed in shape.lines:
        points = [(x * POINT, (height - y) * POINT) for x, y in line]
        vertices += [*points, points[0]] if closed else points
        codes += [Path.MOVETO, *[Path.LINETO] * (len(points) - 1), *[Path.CLOSEPOLY] * closed]
    if not vertices:
        return
    pen = renderer.new_gc()
    pen.set_linewidth(shape.wide * POINT if shape.stroke else 0)
    pen.set_foreground(shape.stroke or "#000000")
    pen.set_alpha(shape.opacity)
    pen.set_capstyle("projecting")
    pen.set_joinstyle("miter")
    renderer.draw_path(pen, Path(vertices, codes), IdentityTransform(), shape.fill and to_rgb(shape.fill))
    pen.restore()


def _write(renderer: Any, shape: Any, height: float) -> None:
    font = _font(round(shape.size * POINT, 2), shape.bold, shape.mono)
    text = "".join(letter if _has(letter, shape.bold, shape.mono) else "\ufffd" for letter in shape.text)
    width = renderer.get_text_width_height_descent(text, font, False)[0]
    left = shape.x * POINT - width * {"start": 0.0, "middle": 0.5, "end": 1.0}[shape.anchor]
    pen = renderer.new_gc()
    pen.set_foreground(shape.fill)
    renderer.draw_text(pen, left, (height - shape.y) * POINT, text, font, 0)
    pen.restore()


@cache
def _font(points: float, bold: bool, mono: bool) -> Any:
    from matplotlib.font_manager import FontProperties

    family = "DejaVu Sans Mono" if mono else "DejaVu Sans"
    return FontProperties(family=[family], weight="bold" if bold else "normal", size=points)


@cache
def _has(letter: str, bold: bool, mono: bool) -> bool:
    """Has the font this letter? matplotlib would warn, and draw nothing."""
    from matplotlib.font_manager import findfont, get_font

    return letter >= " " and bool(get_font(findfont(_font(10, bold, mono))).get_char_index(ord(letter)))
