"""Lines of a panel, with intervals, gaps and what lies beyond a limit; and the key with their names."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.path import Path

from nonosat.studies.analysis.style import GREY, Look, key_columns, plain, theme

HEADROOM = 0.1
"""Of a panel, for words at its edge."""
FAR = 8
"""A limit so many times beyond what is drawn is far."""
OPEN = Path([(0, 0), (0, 1), (-0.3, 0.6), (0, 1), (0.3, 0.6)],
            [Path.MOVETO, Path.LINETO, Path.MOVETO, Path.LINETO, Path.LINETO])  # fmt: skip
"""The end of an interval without an end: a marker that is an arrow, up from its place."""


@dataclass(frozen=True)
class PlotLine:
    """A line of a panel; a point that is NaN or inf breaks it.

    ``low`` and ``high``: intervals of the points, drawn as bars, one whose ``high`` is inf with an arrow for its end;
    ``hollow``: which points are drawn hollow; ``every``: a marker at every so-many-th point only. ``beyond``: places at
    which the value lies beyond the limit, where an open marker stands at ``limit``.
    """

    name: str
    x: Sequence[float]
    y: Sequence[float]
    look: Look
    hollow: Sequence[bool] = ()
    drop_markers: bool = False
    every: int = 1
    low: Sequence[float] = ()
    high: Sequence[float] = ()
    beyond: Sequence[float] = ()
    limit: float = math.nan

    def bars(self) -> list[tuple[float, float, float, float]]:
        """(place, value, low, high) of the intervals that are drawn: those of points that are; ``high`` may be inf."""
        if not self.low:
            return []
        every = zip(self.x, self.y, self.low, self.high, strict=True)
        return [bar for bar in every if math.isfinite(bar[1]) and math.isfinite(bar[2])]

    def opened(self) -> bool:
        """Whether there is an open marker: on the limit, or at a point that is drawn."""
        places = zip(self.hollow, self.y, strict=False)
        return bool(self.beyond) or any(hollow and math.isfinite(y) for hollow, y in places)


def marks_note(lines: Sequence[PlotLine]) -> str:
    """The sentences of a caption about open markers and arrows that are drawn; "" if there are none.

    >>> look = Look("black", "o", "-")
    >>> marks_note([PlotLine("a", [1], [3], look, low=[2], high=[4])])
    ''
    >>> marks_note([PlotLine("a", [1], [3], look, low=[2], high=[math.inf])])
    ' Bars that end in an arrow: intervals without an upper end.'
    """
    note = " Open markers on the limit: beyond it." if any(line.beyond for line in lines) else ""
    unbounded = any(math.isinf(high) for line in lines for *_, high in line.bars())
    return note + (" Bars that end in an arrow: intervals without an upper end." if unbounded else "")


def draw_lines(axes: Axes, lines: Sequence[PlotLine]) -> None:
    """The lines, without their names (``name_lines``)."""
    chosen = theme()
    for line in lines:
        y = [value if math.isfinite(value) else math.nan for value in line.y]
        axes.plot(line.x, y, color=line.look.colour, linestyle=line.look.dash, linewidth=chosen.line)
        _intervals(axes, line)
        if not line.drop_markers:
            _markers(axes, line, y)
        if line.beyond:
            _open_markers(axes, line)


def _markers(axes: Axes, line: PlotLine, y: Sequence[float]) -> None:
    marked = [i for i, value in enumerate(y) if math.isfinite(value) and i % line.every == line.every // 2]
    for hollow in (False, True):
        some = [i for i in marked if bool(line.hollow and line.hollow[i]) is hollow]
        face = "white" if hollow else line.look.colour
        if some:
            axes.plot([line.x[i] for i in some], [y[i] for i in some], line.look.marker, markersize=theme().marker,
                      color=line.look.colour, markerfacecolor=face, linestyle="none")  # fmt: skip


def _open_markers(axes: Axes, line: PlotLine) -> None:
    """The line's marker, open, on the limit."""
    axes.plot(line.beyond, [line.limit] * len(line.beyond), line.look.marker, markersize=theme().marker,
              color=line.look.colour, markerfacecolor="white", linestyle="none", clip_on=False, zorder=3)  # fmt: skip


def _intervals(axes: Axes, line: PlotLine) -> None:
    """Thin bars; one without an upper end goes to the limit, or to its point if there is none, and on as an arrow."""
    thin: Any = {"color": line.look.colour, "linewidth": 0.6 * theme().line, "alpha": 0.7, "zorder": 1.5}
    for x, value, low, high in line.bars():
        top = high if math.isfinite(high) else float(np.fmax(value, line.limit))
        axes.plot([x, x], [low, top], **thin)
        if math.isinf(high):
            axes.plot([x], [top], marker=OPEN, markersize=4.4 * theme().marker, markerfacecolor="none",
                      markeredgewidth=0.6 * theme().line, clip_on=False, **thin)  # fmt: skip


OVER_LIMIT = "over the limit"


def name_lines(figure: Figure, lines: Sequence[PlotLine], heading: str = "", hollow: str = OVER_LIMIT) -> None:
    """The names of all panels' lines with what they look like, right of the panels or below them; each name once.

    ``hollow``: what open markers mean; their entry is there if some are.
    """
    handles: dict[str, Artist] = {}
    for line in lines:
        marker = "" if line.drop_markers else line.look.marker
        handles.setdefault(line.name, Line2D([], [], color=line.look.colour, linestyle=line.look.dash, marker=marker,
                                             markersize=theme().marker, linewidth=theme().line))  # fmt: skip
    if any(line.opened() for line in lines):
        handles[hollow] = open_marker()
    name_handles(figure, list(handles), list(handles.values()), heading)


def open_marker() -> Line2D:
    """The key's open marker."""
    return Line2D([], [], linestyle="none", marker="o", color=GREY, markerfacecolor="white", markersize=theme().marker)


def name_handles(figure: Figure, names: Sequence[str], handles: Sequence[Artist], heading: str = "") -> None:
    """As ``name_lines``, for things that look like ``handles``."""
    if not names:
        return
    chosen = theme()
    words = [plain(name, 60) for name in names]
    right = chosen.key == "right"
    figure.legend(handles, words, loc="outside right center" if right else "outside lower center", frameon=False,
                  ncols=1 if right else key_columns(words, figure.get_figwidth(), chosen), fontsize=chosen.small,
                  title=plain(heading) or None, title_fontsize=chosen.small, handlelength=2.6, labelspacing=0.35,
                  columnspacing=1.2, handletextpad=0.5, borderaxespad=0.2)  # fmt: skip


def limit_line(axes: Axes, limit: float, label: str | None = None, upright: bool = False, reached: bool = True) -> None:
    """The limit on time as a dotted line with its name, and room beyond it for arrows.

    To be called when the data of all panels that share the scale are drawn, since it fixes what is in view. A limit
    that nothing has ``reached`` and that is ``FAR`` is only named, at the edge: the data would be lost below it.
    """
    if not math.isfinite(limit):
        return
    high = (axes.get_xlim() if upright else axes.get_ylim())[1]
    word: Any = {"fontsize": theme().small, "color": GREY, "textcoords": "offset points"}
    label = label or f"limit {limit:g} s"
    if not reached and limit > FAR * high:
        where = "to the right" if upright else "above"
        place = (1, 0.01) if upright else (0.01, 1)
        axes.annotate(f"{label}, far {where}", place, xycoords="axes fraction", xytext=(0, -1),
                      va="bottom" if upright else "top", ha="right" if upright else "left", **word)  # fmt: skip
        (axes.set_xmargin if upright else axes.set_ymargin)(HEADROOM)  # the points keep clear of the words
        return
    look: Any = {"color": GREY, "linewidth": 0.8, "linestyle": (0, (1, 1.5)), "zorder": 1}
    clear = 1 + theme().marker / 2  # of open markers on the limit
    if upright:
        axes.axvline(limit, **look)
        axes.annotate(label, (limit, 0.02), xycoords=("data", "axes fraction"), xytext=(-clear, 0), rotation=90,
                      va="bottom", ha="right", **word)  # fmt: skip
        axes.set_xlim(right=max(high, 1.2 * limit))
        return
    axes.axhline(limit, **look)
    axes.annotate(
        label, (0.01, limit), xycoords=("axes fraction", "data"), xytext=(0, clear), va="bottom", ha="left", **word
    )
    axes.set_ylim(top=max(high, 2.2 * limit))
