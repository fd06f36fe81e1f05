"""How figures look: shades that the colour-blind tell apart, a marker and a dash for each, names at the lines' ends.

matplotlib's objects are used without pyplot, which keeps figures in a global list. Files are the same on every run.
"""

from __future__ import annotations

import io
import math
import warnings
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from nonosat.files import printable, write_atomically
from nonosat.puzzles.nonogram.palette import shade

FORMATS = ("svg", "pdf", "png")
DPI = 130
SMALL, NORMAL = 7.5, 9.0
GREY = "#666666"


class Look(NamedTuple):
    """Of one line: colour, marker and dash, each of which tells it from the others by itself."""

    colour: str
    marker: str
    dash: Any


_MARKERS = "osD^vPX"
_DASHES: tuple[Any, ...] = ("-", (0, (5, 1.5)), (0, (1.5, 1.2)), (0, (6, 1.5, 1.5, 1.5)), (0, (3, 1)), (0, (8, 2)))
_RULES = ("3", "4", "5", "6", "3+4", "5+6")
_COLOURS = 7
"""Of the palette's eight; the last is yellow, which is hardly seen on white."""


def look(index: int) -> Look:
    """The ``index``-th look; 42 differ."""
    return Look(shade(index % _COLOURS), _MARKERS[index % len(_MARKERS)], _DASHES[index % len(_DASHES)])


def looks(names: Iterable[str]) -> dict[str, Look]:
    """A look for each name: the report's rules have the same in every figure."""
    names = list(dict.fromkeys(names))
    rules = {name: name.rpartition("/")[2].partition(" ")[0] for name in names}
    if len(set(rules.values())) == len(names) and all(rule in _RULES for rule in rules.values()):
        return {name: look(_RULES.index(rule)) for name, rule in rules.items()}
    return {name: look(index) for index, name in enumerate(names)}


def plain(text: object) -> str:
    """``text`` as a figure shows it: on one line, not too long, and never as mathematics."""
    return printable(str(text), 80).replace("$", r"\$")


def drawn(title: str, foot: str, panels: tuple[int, int] = (1, 1), size: tuple[float, float] | None = None,
          **axes: Any) -> tuple[Figure, list[Axes]]:  # fmt: skip
    """A figure with its panels in reading order, a title, and small text at its foot."""
    rows, columns = panels
    figure = Figure(figsize=size or (4.6 * columns + 0.6, 3.6 * rows + 0.7), dpi=DPI, layout="constrained")
    figure.suptitle(plain(title), fontsize=NORMAL + 2)
    lines = "\n".join(plain_lines(foot, int(figure.get_figwidth() * 17)))
    figure.supxlabel(lines, x=0.01, ha="left", fontsize=SMALL - 0.5, color=GREY)
    found = figure.subplots(rows, columns, squeeze=False, **axes)
    flat: list[Axes] = list(found.flat)
    for axis in flat:
        axis.tick_params(which="both", labelsize=SMALL)
        axis.spines[["top", "right"]].set_visible(False)
    return figure, flat


def plain_lines(text: str, width: int) -> list[str]:
    """``text`` broken at spaces to lines of at most ``width`` characters; it is shown as it is."""
    import textwrap

    paragraphs = [textwrap.wrap(printable(line, 1000), width) for line in text.split("\n")]
    return [line.replace("$", r"\$") for lines in paragraphs for line in lines]


def no_data(title: str, foot: str, why: str = "no data") -> Figure:
    """What a figure is when there is nothing to draw."""
    figure, (axes,) = drawn(title, foot, size=(5.2, 2.2))
    axes.set_axis_off()
    axes.text(0.5, 0.5, plain(why), ha="center", va="center", fontsize=NORMAL + 1, transform=axes.transAxes)
    return figure


@dataclass(frozen=True)
class Line:
    """A line of a panel. ``hollow``: which points are drawn hollow. Points that are NaN are left out."""

    name: str
    x: Sequence[float]
    y: Sequence[float]
    look: Look
    hollow: Sequence[bool] = ()
    drop_markers: bool = False


def draw_lines(axes: Axes, lines: Sequence[Line]) -> None:
    """The lines, without their names (``name_lines``), which need the final limits."""
    for line in lines:
        points = [(x, y, i) for i, (x, y) in enumerate(zip(line.x, line.y, strict=True)) if math.isfinite(y)]
        if not points:
            continue
        xs, ys, _ = zip(*points, strict=True)
        axes.plot(xs, ys, color=line.look.colour, linestyle=line.look.dash, linewidth=1.4)
        if line.drop_markers:
            continue
        for hollow in (False, True):
            some = [(x, y) for x, y, i in points if bool(line.hollow and line.hollow[i]) is hollow]
            if some:
                face = "white" if hollow else line.look.colour
                axes.plot(*zip(*some, strict=True), line.look.marker, markersize=4.5, color=line.look.colour,
                          markerfacecolor=face, linestyle="none")  # fmt: skip


def name_lines(axes: Axes, lines: Sequence[Line]) -> None:
    """Each line's name to the right of the panel, at the height of its end, moved apart where they would overlap."""
    ends = []
    for line in lines:
        points = [(x, y) for x, y in zip(line.x, line.y, strict=True) if math.isfinite(y)]
        if points:
            display = axes.transData.transform(points[-1])
            ends.append((float(axes.transAxes.inverted().transform(display)[1]), points[-1], line))
    ends.sort(key=lambda end: end[0])
    gap = 0.135 / axes.get_window_extent().height * axes.figure.dpi
    heights = apart([end[0] for end in ends], min(gap, 1.04 / max(1, len(ends) - 1)))
    for height, (_, point, line) in zip(heights, ends, strict=True):
        axes.annotate(
            plain(line.name), xy=point, xytext=(1.05, height), textcoords="axes fraction", va="center",
            fontsize=SMALL, color=line.look.colour, annotation_clip=False,
            arrowprops={"arrowstyle": "-", "color": line.look.colour, "linewidth": 0.5, "alpha": 0.6, "shrinkB": 3,
                        "relpos": (0, 0.5)},
        )  # fmt: skip


def apart(heights: Sequence[float], gap: float) -> list[float]:
    """Ascending ``heights`` moved so that neighbours are ``gap`` apart, below 1 and, if there is room, above 0.

    >>> [round(h, 2) for h in apart([0.5, 0.5, 0.99, 1.0], 0.1)]
    [0.45, 0.55, 0.9, 1.0]
    """
    up, down = list(heights), list(heights)
    for i in range(1, len(up)):
        up[i] = max(up[i], up[i - 1] + gap)
    for i in range(len(down) - 2, -1, -1):
        down[i] = min(down[i], down[i + 1] - gap)
    # The mean of the two has the gaps as well, and spreads a bundle both ways.
    moved = [(a + b) / 2 for a, b in zip(up, down, strict=True)]
    for i, height in enumerate(moved):
        moved[i] = max(height, moved[i - 1] + gap if i else 0.0)
    ceiling = 1.0
    for index in range(len(moved) - 1, -1, -1):
        moved[index] = min(moved[index], ceiling)
        ceiling = moved[index] - gap
    return moved


def grid(axes: Axes) -> None:
    """Faint lines behind the data."""
    axes.grid(True, color="#dddddd", linewidth=0.6)
    axes.set_axisbelow(True)


def rendered(figure: Figure, form: str) -> bytes:
    """The figure as a file's content: ``svg``, ``pdf`` or ``png``; the same bytes every time."""
    told: dict[str, dict[str, Any]] = {"svg": {"Date": None}, "pdf": {"CreationDate": None}, "png": {"Software": None}}
    buffer = io.BytesIO()
    settings: Any = {
        "svg.hashsalt": "nonosat",
        "svg.fonttype": "path",
        "pdf.fonttype": 42,
        "text.hinting": "none",
    }  # hinted letters are wider at one resolution than at another
    with mpl.rc_context(settings), warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph .* missing")  # a puzzle may be named in any script
        if figure.get_layout_engine() is not None:  # once, and not anew for each kind of file
            figure.draw_without_rendering()
            figure.set_layout_engine("none")
        figure.savefig(buffer, format=form, dpi=DPI, metadata=told[form])
    return buffer.getvalue()


def save(figure: Figure, stem: str | Path, formats: Sequence[str] = FORMATS) -> list[Path]:
    """The figure as ``stem.svg``, ``stem.pdf``, ``stem.png``."""
    paths = [Path(f"{stem}.{form}") for form in formats]
    for path, form in zip(paths, formats, strict=True):
        write_atomically(path, rendered(figure, form))
    return paths
