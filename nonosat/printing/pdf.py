"""Pages of shapes as a PDF, by matplotlib's backend: vectors, and DejaVu's letters of them that are used, embedded.

That library is a dependency all the same, its font has the letters of most alphabets, and equal pages give equal bytes.
(A writer of our own would have PDF's own fonts only, without Wałejko's ł; cairo is a library of the system's.)
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from io import BytesIO
from typing import Any, NamedTuple
from xml.etree import ElementTree

from nonosat.errors import UnsupportedError

# A drawing as shapes: what our SVG documents have in them, with all groups and transforms worked out.
#
# Not any SVG: paths of straight lines, rectangles, groups that are moved or scaled, and one-line texts, which is what
# the
# drawings of our kinds are made of, and the plain ones of all others.


Point = tuple[float, float]
_TOKEN = re.compile(r"[A-Za-z]|-?[0-9]*\.?[0-9]+")
_SVG = "{http://www.w3.org/2000/svg}"


class Outline(NamedTuple):
    """Polylines, each with whether it is closed; ``fill`` and ``stroke`` are ``#rrggbb`` or None; ``wide``: the pen."""

    lines: tuple[tuple[tuple[Point, ...], bool], ...]
    fill: str | None
    stroke: str | None
    wide: float
    opacity: float


class Text(NamedTuple):
    """``text`` on the base line at (``x``, ``y``); ``anchor``: start, middle or end."""

    text: str
    x: float
    y: float
    size: float
    fill: str
    anchor: str
    bold: bool
    mono: bool


@dataclass(frozen=True)
class ShapeDrawing:
    """Shapes in units, down and right from the upper left corner, back to front."""

    width: float
    height: float
    shapes: tuple[Outline | Text, ...]

    @property
    def text_size(self) -> float | None:
        """The size of its usual text; None: it has none."""
        sizes = sorted(shape.size for shape in self.shapes if isinstance(shape, Text))
        return sizes[len(sizes) // 2] if sizes else None


class _State(NamedTuple):
    """What a group hands down: where its units lie, and what its texts look like."""

    right: float
    down: float
    scale: float
    size: float = 16.0
    fill: str | None = "#000000"
    anchor: str = "start"
    bold: bool = False
    mono: bool = False


def drawing(svg: str) -> ShapeDrawing:
    """The shapes of an SVG document. UnsupportedError: it has others.

    >>> from nonosat.puzzles.drawing import svg
    >>> from nonosat.puzzles.nonogram import Nonogram
    >>> plan = drawing(svg(Nonogram.from_lengths([[1]], [[1]])))
    >>> [shape.text for shape in plan.shapes if isinstance(shape, Text)]
    ['1', '1']
    """
    root = ElementTree.fromstring(svg)
    box = [float(part) for part in root.get("viewBox", "").split()]
    if root.tag != f"{_SVG}svg" or len(box) != 4:
        raise UnsupportedError("the drawing is no SVG with a viewBox, and cannot be printed")
    left, top, width, height = box
    return ShapeDrawing(width, height, tuple(_shapes(root, _State(-left, -top, 1.0))))


def _shapes(group: ElementTree.Element, outer: _State) -> Iterator[Outline | Text]:
    for element in group:
        name, here = str(element.tag).removeprefix(_SVG), _inside(element, outer)
        if name == "g":
            yield from _shapes(element, here)
        elif name == "path":
            yield _outline(element, here, _path(element.get("d", "")))
        elif name == "rect":
            yield _outline(element, here, [(_rectangle(element), True)])
        elif name == "text":
            x, y = _placed(here, (float(element.get("x", 0)), float(element.get("y", 0))))
            ink = here.fill or "#000000"
            size = here.size * here.scale
            yield Text(element.text or "", x, y, size, ink, here.anchor, here.bold, here.mono)
        elif name != "title":
            raise UnsupportedError(f"the drawing has <{name}>, which cannot be printed")


def _inside(element: ElementTree.Element, outer: _State) -> _State:
    right, down, scale = outer.right, outer.down, outer.scale
    for kind, numbers in re.findall(r"(\w+)\(([^)]*)\)", element.get("transform", "")):
        values = [float(part) for part in re.split(r"[\s,]+", numbers.strip())]
        if kind == "translate" and len(values) == 2:
            right, down = right + scale * values[0], down + scale * values[1]
        elif kind == "scale" and len(values) == 1:
            scale *= values[0]
        else:
            raise UnsupportedError(f"the drawing has {kind}({numbers}), which cannot be printed")
    fill = element.get("fill", outer.fill)
    return _State(
        right,
        down,
        scale,
        float(element.get("font-size", outer.size)),
        None if fill == "none" else fill,
        element.get("text-anchor", outer.anchor),
        element.get("font-weight", "bold" if outer.bold else "") == "bold",
        element.get("font-family", "monospace" if outer.mono else "") == "monospace",
    )


def _placed(state: _State, point: Point) -> Point:
    return state.right + state.scale * point[0], state.down + state.scale * point[1]


def _outline(element: ElementTree.Element, state: _State, lines: list[tuple[list[Point], bool]]) -> Outline:
    stroke = element.get("stroke")
    placed = tuple((tuple(_placed(state, point) for point in line), closed) for line, closed in lines)
    wide = float(element.get("stroke-width", 1)) * state.scale
    return Outline(placed, state.fill, None if stroke == "none" else stroke, wide, float(element.get("opacity", 1)))


def _rectangle(element: ElementTree.Element) -> list[Point]:
    """Its corners; round ones are cut, which nobody sees at that size."""
    x, y, width, height, r = (float(element.get(name, 0)) for name in ("x", "y", "width", "height", "rx"))
    right, low = x + width, y + height
    if not r:
        return [(x, y), (right, y), (right, low), (x, low)]
    s = 0.3 * r
    return [
        *((x, y + r), (x + s, y + s), (x + r, y), (right - r, y), (right - s, y + s), (right, y + r)),
        *((right, low - r), (right - s, low - s), (right - r, low), (x + r, low), (x + s, low - s), (x, low - r)),
    ]


def _path(d: str) -> list[tuple[list[Point], bool]]:
    """The polylines of a path of straight lines."""
    found: list[tuple[list[Point], bool]] = []
    tokens, command, at = _TOKEN.findall(d), "", 0
    x = y = 0.0
    while at < len(tokens):
        if tokens[at].isalpha():
            command, at = tokens[at], at + 1
            if command in "zZ":
                found[-1] = (found[-1][0], True)
                x, y = found[-1][0][0]
                continue
        if command not in tuple("MmLlHhVv"):
            raise UnsupportedError(f"the drawing has a path with {command or d[:1]}, which cannot be printed")
        many = 1 if command in "HhVv" else 2
        values, at = [float(token) for token in tokens[at : at + many]], at + many
        relative = command.islower()
        if command in "Hh":
            x = values[0] + x * relative
        elif command in "Vv":
            y = values[0] + y * relative
        else:
            x, y = values[0] + x * relative, values[1] + y * relative
        if command in "Mm":
            found.append(([(x, y)], False))
            command = "l" if relative else "L"
        elif found[-1][1]:  # a line after a closed one begins where that began
            found.append(([found[-1][0][0], (x, y)], False))
        else:
            found[-1][0].append((x, y))
    return found


def scaled(plan: ShapeDrawing, scale: float) -> ShapeDrawing:
    """``plan`` in units that are ``scale`` times as large."""
    return replace(
        plan,
        width=plan.width * scale,
        height=plan.height * scale,
        shapes=tuple(moved(shape, 0, 0, scale) for shape in plan.shapes),
    )


def moved(shape: Outline | Text, right: float, down: float, scale: float) -> Outline | Text:
    """``shape``, scaled and then moved."""
    if isinstance(shape, Text):
        return shape._replace(x=right + scale * shape.x, y=down + scale * shape.y, size=scale * shape.size)
    lines = tuple(
        (tuple((right + scale * x, down + scale * y) for x, y in line), closed) for line, closed in shape.lines
    )
    return shape._replace(lines=lines, wide=scale * shape.wide)


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

    class PageArtist(Artist):
        def draw(self, renderer: Any) -> None:
            for shape in page.shapes:
                (_write if isinstance(shape, Text) else _trace)(renderer, shape, page.height)

    return PageArtist()


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
    text = _printable(shape.text, shape.bold, shape.mono)
    width = renderer.get_text_width_height_descent(text, font, False)[0]
    left = shape.x * POINT - width * {"start": 0.0, "middle": 0.5, "end": 1.0}[shape.anchor]
    pen = renderer.new_gc()
    pen.set_foreground(shape.fill)
    renderer.draw_text(pen, left, (height - shape.y) * POINT, text, font, 0)
    pen.restore()


def _printable(text: str, bold: bool, mono: bool) -> str:
    return "".join(letter if _has(letter, bold, mono) else "\ufffd" for letter in text)


def text_width(text: str, points: float, bold: bool = False) -> float:
    """The millimetres that a line of text takes.

    >>> round(text_width("Snail", 9)), text_width("Snail", 9) < text_width("Snail", 9, bold=True)
    (8, True)
    """
    from matplotlib.textpath import text_to_path

    font = _font(round(points, 2), bold, False)
    return float(text_to_path.get_text_width_height_descent(_printable(text, bold, False), font, False)[0]) / POINT


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
