"""Figures of records: along an axis, scatter, cactus, by file, heat maps, decisions against time, wrong answers.

Solved are runs with a right picture, and UNSAT that nothing contradicts.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.colors import LogNorm, Normalize
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.ticker import MaxNLocator

from nonosat.studies.analysis.axes import FILE, Axis, axes_of, axis_of, grid, natural
from nonosat.studies.analysis.boards import TIMES, Clock, boards_of, clock_by, clock_of, limits_of
from nonosat.studies.analysis.frames import refuse_unknown, values_of
from nonosat.studies.analysis.intervals import FEWEST
from nonosat.studies.analysis.lines import (
    FAR,
    OVER_LIMIT,
    PlotLine,
    draw_lines,
    limit_line,
    marks_note,
    name_handles,
    name_lines,
    open_marker,
)
from nonosat.studies.analysis.ranking import VIRTUAL
from nonosat.studies.analysis.sheets import NONE
from nonosat.studies.analysis.style import (
    GREY,
    HIGHEST,
    MOST_LINES,
    Look,
    Numbers,
    TitledFigure,
    drawn,
    headed,
    labelled,
    logarithmic,
    look,
    looks,
    marks,
    no_data,
    panel_grid,
    panels_across,
    plain,
    shortened,
    theme,
)
from nonosat.studies.analysis.summary import (
    counted,
    counts_line,
    ended_runs,
    limit_of,
    share_of,
    solutions_of,
    survival_of,
    thing_of,
)

# Panels and the order of names.


RASTER = 2000
"""Panels of more points than this are pixels in a vector drawing."""
MOST_PANELS = 6


def panels(frame: pd.DataFrame, panel: str | None) -> list[tuple[str, pd.DataFrame]]:
    """The runs of each value of ``panel`` under its heading, and those without one; None: all runs in one panel."""
    if panel is None:
        return [("", frame)]
    heads = values_of(frame, panel)
    word = {"domain_rule": "rule "}.get(panel, "")
    found = [(f"{word}{head}", frame[frame[panel].eq(head)]) for head in heads]
    rest = frame[frame[panel].isna()]
    return [*found, ("other encodings", rest)] if len(rest) else found


def in_order(names: Sequence[str]) -> list[str]:
    """Rule 2 before 2-alt, single rules before pairs; then the rest by name."""
    return sorted(names, key=lambda name: (name.partition("/")[0] if "/" in name else "~", name.count("+"), name))


def best_first(frame: pd.DataFrame, line: str, column: str) -> list[str]:
    """The values of ``line`` that solve something: the largest share first, then those that take least."""
    groups = frame[frame[line].notna()].groupby(line)
    table = pd.DataFrame(
        {"share": groups["solved"].mean(), "time": frame[frame["solved"]].groupby(line)[column].mean()}
    )
    table = table[table["share"].gt(0)]
    table["name"] = table.index.astype(str)
    return [str(name) for name in table.sort_values(["share", "time", "name"], ascending=[False, True, True])["name"]]


def spread(values: Sequence[str], most: int) -> list[str]:
    """``most`` of ``values``, evenly, with the first and the last.

    >>> spread(["a", "b", "c", "d", "e"], 3)
    ['a', 'c', 'e']
    """
    if len(values) <= most:
        return list(values)
    return [values[round(at * (len(values) - 1) / (most - 1))] for at in range(most)]


# Time along an axis that a study varies: a line an encoding or solver, a panel each value of another axis.


Panel = tuple[str, pd.DataFrame]


def along(
    frame: pd.DataFrame,
    axis: Axis | str,
    across: Axis | str | None = None,
    line: str = "label",
    title: str | None = None,
    names: Sequence[str] | None = None,
    clock: Clock | str | None = None,
) -> TitledFigure:
    """Kaplan-Meier's median time by the values of ``axis`` ("size"), with 95 % intervals.

    A line each of ``names``, values of ``line`` (default: all), a panel per value of ``across``. Where half of a
    group's runs or more are not solved its median lies beyond the limit: the line breaks, and an open marker on
    the limit says so.
    """
    refuse_unknown(frame, line, names)
    axis, across = axis_of(frame, axis), None if across is None else axis_of(frame, across)
    clock = clock_by(frame, clock)
    title = title or f"{clock.words[0].upper()}{clock.words[1:]} by {axis.words.removesuffix(', %')}"
    names = list(names if names is not None else sorted(set(frame[line].dropna())))
    runs = frame[frame[line].isin(names) & axis.of[frame.index].notna()]
    parts = _panels(runs, axis, across)
    styles = looks(names) if axis.ordered else {name: look._replace(dash="") for name, look in looks(names).items()}
    limit = limit_of(runs)
    made = [(head, *_lines(part, axis, line, styles, limit, clock)) for head, part in parts]
    made = [entry for entry in made if any(_shown(item) for item in entry[1])]
    if not made:
        return no_data(title, counts_line(runs))
    counts = [count for _, _, some in made for count in some]
    heads = {head for head, _, _ in made}
    several = any(len(lines) > 1 for _, lines, _ in made)
    there = {item.name for _, lines, _ in made for item in lines if _shown(item)}
    drawn_runs = pd.concat(
        [part[part[line].replace("", "no encoding").isin(there)] for head, part in parts if head in heads]
    )
    foot = _foot(drawn_runs, counts, several)
    foot += marks_note([item for _, lines, _ in made for item in lines])
    foot += " Panels without a result are left out." if len(made) < len(parts) else ""
    empty = [name or "no encoding" for name in names if (name or "no encoding") not in there]
    foot += f" Without a point: {', '.join(empty)}." if empty else ""
    foot += _single(runs, axis, across)
    figure, panels = drawn(title, foot, len(made), names=names, sharey=True)
    places = {value for head, part in parts if head in heads for value in axis.of[part.index]}
    for panel, (head, lines, _) in zip(panels, made, strict=True):
        headed(panel, head)
        draw_lines(panel, lines)
        logarithmic(panel)
        _ticks(panel, axis, places)
        panel_grid(panel)
    for panel in panels:
        limit_line(panel, limit, reached=bool(runs["censored"].any()))
    _labels(figure, panels, axis, clock)
    name_lines(figure, [item for _, lines, _ in made for item in lines if _shown(item)])
    return figure


def _single(runs: pd.DataFrame, axis: Axis, across: Axis | None) -> str:
    """Which panels are not drawn since nothing varies in them, for the foot."""
    if across is None:
        return ""
    there = axis.of[runs.index].groupby(across.of[runs.index]).nunique()
    single = [value for value in across.values if there.get(value, 0) == 1]
    word, unit = across.words.removesuffix(", %"), " %" if across.words.endswith(", %") else ""
    of_one = f"of one {axis.words.removesuffix(', %')} only"
    return f" Not drawn: {word} {', '.join(single)}{unit}, {of_one}." if single else ""


def _panels(runs: pd.DataFrame, axis: Axis, across: Axis | None) -> list[Panel]:
    """Those in which there is more than one value of ``axis``."""
    if across is None:
        return [("", runs)]
    there = axis.of[runs.index].groupby(across.of[runs.index]).nunique()
    values = [value for value in across.values if there.get(value, 0) > 1]
    unit = " %" if across.words.endswith(", %") else ""
    word = across.words.removesuffix(", %")
    found = spread(values, MOST_PANELS)
    return [(f"{word} {value}{unit}", runs[across.of[runs.index].eq(value)]) for value in found]


def _lines(
    runs: pd.DataFrame, axis: Axis, line: str, styles: dict[str, Look], limit: float, clock: Clock
) -> tuple[list[PlotLine], list[int]]:
    """The lines of a panel, and how many boards its points stand for."""
    step = min((b - a for a, b in pairwise(axis.places)), default=1.0)
    made: list[PlotLine] = []
    counts: list[int] = []
    for at, (name, style) in enumerate(styles.items()):
        here = runs[runs[line].eq(name)]
        shift = 0.05 * step * (at - (len(styles) - 1) / 2) * min(1.0, 8 / len(styles))
        x, values, lows, highs, beyond, boards = [], [], [], [], [], []
        for value, place in zip(axis.values, axis.places, strict=True):
            group = here[axis.of[here.index].eq(value)]
            if group.empty:
                continue
            middle = survival_of(group, clock.column).median()
            boards.append(group["instance"].nunique())
            x.append(place + shift)
            values.append(middle.value)
            lows.append(middle.of_boards(boards[-1]).low)
            highs.append(middle.high)
            if math.isinf(middle.value) and group["censored"].any() and math.isfinite(limit):
                beyond.append(place + shift)
        made.append(PlotLine(name or "no encoding", x, values, style, low=lows, high=highs, beyond=beyond, limit=limit))
        counts += boards if _shown(made[-1]) else []
    return made, counts


def _shown(line: PlotLine) -> bool:
    return bool(np.isfinite(line.y).any() or line.beyond)


def _foot(runs: pd.DataFrame, counts: Sequence[int], several: bool) -> str:
    few, most = min(counts), max(counts)
    boards = f"{few} to " if few < most else ""
    foot = f"{counts_line(runs)}. Median (Kaplan-Meier) of {boards}{counted(most, thing_of(runs))} a point"
    foot += ", with its 95 % interval" if most >= FEWEST else ", too few for an interval"
    foot += " (none for fewer than 6)." if few < FEWEST <= most else "."
    return foot + (" Points of one value stand side by side." if several else "")


def _ticks(panel: Axes, axis: Axis, there: set[str]) -> None:
    shown = [(place, value) for place, value in zip(axis.places, axis.values, strict=True) if value in there]
    kept = shown
    if len(shown) > 8:
        values = spread([value for _, value in shown], 8)
        kept = [entry for entry in shown if entry[1] in values]
    long = max(len(value) for _, value in kept) * len(kept) > 34
    panel.set_xticks([place for place, _ in kept], [plain(value, 24) for _, value in kept], rotation=40 if long else 0,
                     ha="right" if long else "center", rotation_mode="anchor" if long else None)  # fmt: skip
    panel.set_xticks([place for place, _ in shown], minor=True)


def _labels(figure: TitledFigure, panels: Sequence[Axes], axis: Axis, clock: Clock) -> None:
    """The axes' names: below each panel that has none below it, and left of each row."""
    for panel in panels:
        spec = panel.get_subplotspec()
        labelled(panel, axis.words, f"{clock.words}, s" if spec is None or spec.is_first_col() else "")


# What answers cost and which are wrong: decisions against time, and wrong answers by encoding.


def decisions_against_time(
    frame: pd.DataFrame, solver: str, column: str = "decisions", names: Sequence[str] | None = None
) -> TitledFigure:
    """A point a run that ended within the limit, a marker each of ``names`` (encodings); wrong answers are crosses.

    ``names`` default to the ``MOST_LINES`` that solve the most; the foot counts their runs and names what is left out.
    """
    refuse_unknown(frame, "solver", [solver])
    runs = frame[frame["solver"].eq(solver)]
    refuse_unknown(runs, "label", names)
    clock = clock_of(runs)
    title = f"{column.capitalize()} against {clock.words}, {solver}"
    ended = runs[ended_runs(runs) & runs[clock.column].gt(0) & runs[column].notna()]
    if ended.empty:
        return no_data(title, counts_line(runs))
    best = best_first(ended, "label", clock.column)
    every = best + in_order([name for name in values_of(ended, "label") if name not in best])
    shown = list(names if names is not None else every[:MOST_LINES])
    left = [name for name in every if name not in shown]
    runs, ended = (some[some["label"].isin(shown)] for some in (runs, ended))
    bad = ended["wrong"] | ended["false_unsat"]
    foot = f"{counts_line(runs)}."
    foot += " Runs that a limit ended are not shown." if runs["censored"].any() else ""
    foot += " ×: wrong answers." if bad.any() else ""
    foot += f" Not shown: {', '.join(left)}." if left else ""
    figure, (axis,) = drawn(title, foot, 1, size=(5.0, 3.6), names=shown)
    handles = []
    for name, style in looks(shown).items():
        here = ended[ended["label"].eq(name)]
        for wrong, marker in ((False, style.marker), (True, "x")):
            some = here[bad[here.index].eq(wrong)]
            axis.plot(some[clock.column], some[column].astype("float64"), marker, color=style.colour, alpha=0.6,
                      markersize=0.8 * theme().marker, markeredgewidth=0.8 if wrong else 0,
                      rasterized=len(ended) > RASTER)  # fmt: skip
        crossed = bad[here.index].all()
        handles.append(Line2D([], [], linestyle="none", marker="x" if crossed else style.marker, color=style.colour,
                              markersize=theme().marker))  # fmt: skip
    logarithmic(axis, "x")
    panel_grid(axis)
    if ended[column].min() >= 1:
        axis.set_yscale("log")
    else:
        axis.set_yscale("symlog", linthresh=1)
        axis.set_ylim(bottom=-0.3)
    labelled(axis, f"{clock.words}, s", column)
    name_handles(figure, shown, handles)
    return figure


def wrong_pictures(frame: pd.DataFrame, line: str = "label") -> TitledFigure:
    """The share of ended runs that are wrong, a bar each value of ``line`` that has some: pictures that break the
    clues, and false UNSAT.
    """
    title = "Wrong answers"
    ends = frame[ended_runs(frame)]
    bad = ends[ends["wrong"] | ends["false_unsat"]]
    names = in_order(values_of(bad, line))[::-1]
    if not names:
        return no_data(title, counts_line(frame), "no wrong answers" if len(ends) else "no run ended")
    without = [name or "no encoding" for name in in_order(values_of(ends, line)) if name not in names]
    foot = f"{counts_line(frame)}. Share of the runs that ended by themselves"
    foot += ", with Wilson's 95 % interval over boards of all wrong answers."
    foot += f" None wrong: {', '.join(without)}." if without else ""
    kinds = ["wrong picture", "UNSAT, but a solution exists"]
    figure, (axes,) = drawn(title, foot, 1, size=(5.6, 0.23 * len(names) + 0.75), names=kinds, fixed=True)
    for place, name in enumerate(names):
        here = ends[ends[line].eq(name)]
        wrong, unsat, runs = int(here["wrong"].sum()), int(here["false_unsat"].sum()), len(here)
        share = share_of(here["wrong"] | here["false_unsat"], here)
        axes.barh(place, wrong / runs, color=look(1).colour, height=0.62)
        axes.barh(place, unsat / runs, left=wrong / runs, color=look(2).colour, hatch="////", edgecolor="white",
                  height=0.62)  # fmt: skip
        axes.plot([share.low, share.high], [place, place], color="black", linewidth=1.1, marker="|", markersize=5)
        note = f"{wrong:,}{f' + {unsat:,}' if unsat else ''} of {runs:,}"
        axes.annotate(note, (1, place), xycoords=("axes fraction", "data"), xytext=(5, 0), textcoords="offset points",
                      fontsize=theme().small, va="center", color=GREY)  # fmt: skip
    axes.set_yticks(range(len(names)), [plain(name or "no encoding", 40) for name in names])
    axes.set_xlim(0, 1)
    axes.set_ylim(-0.6, len(names) - 0.4)
    labelled(axes, "share of ended runs")
    patches = [Patch(color=look(1).colour), Patch(facecolor=look(2).colour, hatch="////", edgecolor="white")]
    shown = [at for at, kind in enumerate(("wrong", "false_unsat")) if bad[kind].any()]
    name_handles(figure, [kinds[at] for at in shown], [patches[at] for at in shown])
    return figure


# Puzzles from files: a row each, a marker an encoding or solver.


MOST_FILES = 30


def by_file(
    frame: pd.DataFrame, axis: Axis | str, line: str = "configuration", names: Sequence[str] | None = None,
    title: str = "", clock: Clock | str | None = None,
) -> TitledFigure:  # fmt: skip
    """The median time of each puzzle (of its repetitions), the hardest above; at most ``MOST_FILES``, the hardest.

    Hollow at the limit: not solved within it. What gave a wrong answer or failed has no marker.
    """
    refuse_unknown(frame, line, names)
    axis, clock = axis_of(frame, axis), clock_by(frame, clock)
    title = title or f"{clock.words[0].upper()}{clock.words[1:]} by file"
    every = sorted(set(frame[line].dropna()))
    names = list(names if names is not None else every)
    left = [plain(name) for name in every if name not in names]
    runs = frame[axis.of[frame.index].notna() & frame[line].isin(names)]
    if runs.empty:
        return no_data(title, counts_line(runs))
    runs = runs.assign(instance=axis.of[runs.index])
    found = boards_of(runs, clock, line)
    times = pd.DataFrame(found.high, index=found.boards, columns=found.names).reindex(columns=names)
    met = times.replace(math.inf, 2 * float(limits_of(runs).max()))
    by_time = pd.DataFrame({"median": met.median(axis=1), "mean": met.mean(axis=1)})
    hard = by_time.sort_values(["median", "mean"], kind="stable").index
    shown = list(hard[-MOST_FILES:])
    limit = limit_of(runs)
    over = pd.DataFrame(found.low, index=found.boards, columns=found.names).reindex(columns=names)
    stopped = (over.lt(math.inf) & times.eq(math.inf)).reindex(shown)
    foot = f"{counts_line(runs)}. {clock.words[0].upper()}{clock.words[1:]} a {thing_of(runs)}, the hardest above"
    foot += "; hollow: over the limit." if stopped.to_numpy().any() and math.isfinite(limit) else "."
    foot += f" {len(hard) - len(shown)} easier {thing_of(runs)}s are not shown." if len(shown) < len(hard) else ""
    foot += f" Not shown: {', '.join(left)}." if left else ""
    figure, (axes,) = drawn(title, foot, 1, size=(5.2, 0.17 * len(shown) + 0.6), names=names, fixed=True)
    styles = looks(names)
    for at, (name, style) in enumerate(styles.items()):
        shift = 0.09 * (at - (len(names) - 1) / 2)
        places = [place + shift for place in range(len(shown))]
        value = times[name].reindex(shown)
        axes.plot(value.where(value.lt(math.inf)), places, style.marker, color=style.colour, linestyle="none",
                  markersize=theme().marker)  # fmt: skip
        if stopped[name].any():
            some = [place for place, over_it in zip(places, stopped[name], strict=True) if over_it]
            axes.plot([limit] * len(some), some, style.marker,
                      color=style.colour, markerfacecolor="white", linestyle="none", markersize=theme().marker,
                      clip_on=False)  # fmt: skip
    logarithmic(axes, "x")
    limit_line(axes, limit, upright=True, reached=bool(runs["censored"].any()))
    axes.set_yticks(range(len(shown)), [plain(shortened(name, 32)) for name in shown])
    axes.set_ylim(-0.7, len(shown) - 0.3)
    labelled(axes, f"{clock.words}, s")
    panel_grid(axes)
    over = bool(stopped.to_numpy().any())
    shown_names = [name or "no encoding" for name in names] + [OVER_LIMIT] * over
    name_handles(figure, shown_names, [*marks(styles), *[open_marker()] * over])
    return figure


WORDS = {
    "share": "Share solved, %",
    "median": "Median {clock}, s",
    "solutions": "Median number of solutions, log10",
}
MAPS = {"share": "cividis", "median": "cividis_r", "solutions": "cividis_r"}


def heat(
    frame: pd.DataFrame, solver: str, what: str = "share", line: str = "label", across: Axis | str | None = None,
    down: Axis | str | None = None, names: Sequence[str] | None = None, clock: Clock | str | None = None,
) -> TitledFigure:  # fmt: skip
    """Two axes of the boards, a panel per value of ``line``: the ``share`` solved, Kaplan-Meier's ``median``
    seconds, or of a counter the median number of ``solutions``, as its decimal logarithm.

    ``across`` and ``down``: the axes (default: the first two that are crossed). A median beyond the limit is written as
    ">" and the limit, or the longest time seen, in the darkest shade. A cell with wrong answers has a cross and their
    number.
    """
    refuse_unknown(frame, "solver", [solver])
    runs = frame[frame["solver"].eq(solver)]
    refuse_unknown(runs, line, names)
    clock = clock_by(runs, clock)
    words = WORDS[what].format(clock=clock.words)
    title = f"{words.partition(',')[0]}, {solver}"
    if across is None or down is None:
        down, across = grid(axes_of(runs)) or (None, None)
    else:
        down, across = axis_of(runs, down), axis_of(runs, across)
    if across is not None and down is not None:
        runs = runs[across.of[runs.index].notna() & down.of[runs.index].notna()]
    every = in_order(values_of(runs, line))
    names = list(names) if names is not None else every
    if across is None or down is None or not names or runs.empty:
        return no_data(title, counts_line(runs))
    rows, columns = ([v for v in axis.values if axis.of[runs.index].eq(v).any()] for axis in (down, across))
    names = names[: _most_panels(_size(rows, columns, names))]
    left = [name for name in every if name not in names]
    runs = runs[runs[line].isin(names)]
    tables = [_cells(runs[runs[line].eq(name)], (down, rows), (across, columns), what, clock) for name in names]
    values = np.concatenate([table.ravel() for table, _ in tables])
    norm = _norm(what, values[np.isfinite(values) & (values > 0)])
    size = _size(rows, columns, names)
    figure, axes = drawn(
        title,
        _heat_foot(runs, [text for _, texts in tables for row in texts for text in row])
        + (f" Not shown: {', '.join(left)}." if left else ""),
        len(names),
        min(4, len(names)),
        size,
        fixed=True,
        sharex=True,
        sharey=True,
    )
    for axis, name, (table, texts) in zip(axes, names, tables, strict=True):
        shown = np.ma.masked_invalid(np.where(np.isposinf(table), norm.vmax, table))
        edges = np.arange(len(columns) + 1) - 0.5, np.arange(len(rows) + 1) - 0.5
        axis.pcolormesh(*edges, shown, cmap=MAPS[what], norm=norm)  # no image, which PGF cannot hold
        axis.set_ylim(len(rows) - 0.5, -0.5)
        headed(axis, name or solver, 20)
        axis.set_xticks(
            range(len(columns)), [plain(value, 12) for value in columns], rotation=90 if _long(columns) else 0
        )
        axis.set_yticks(range(len(rows)), [plain(value, 16) for value in rows])
        _write(axis, shown, texts, norm, what == "share")
    _bar(figure, axes, ScalarMappable(norm, MAPS[what]), words)
    figure.supylabel(plain(down.words), fontsize=theme().small)
    for axis in axes:
        spec = axis.get_subplotspec()
        if spec is None or spec.is_last_row():
            axis.set_xlabel(plain(across.words), fontsize=theme().small, labelpad=2)
    return figure


def _bar(figure: TitledFigure, axes: Sequence[Axes], shades: ScalarMappable, words: str) -> None:
    """What the shades stand for, at the right of the maps."""
    bar = figure.colorbar(shades, ax=axes, pad=0.01, fraction=0.04, aspect=30)
    bar.ax.tick_params(which="both", labelsize=theme().small, length=2.5)
    if isinstance(shades.norm, LogNorm):  # plain numbers in the figure's font, as on its axes
        bar.ax.yaxis.set_major_formatter(Numbers())
        bar.ax.yaxis.set_minor_formatter(Numbers(minor=True))
    if bar.solids is not None:
        bar.solids.set_rasterized(False)
    bar.set_label(words, fontsize=theme().small)
    bar.ax.yaxis.get_offset_text().set_fontsize(theme().small)


def _size(rows: Sequence[str], columns: Sequence[str], names: Sequence[str]) -> tuple[float, float]:
    head = 0.16 if max(map(len, names)) > 20 else 0.0
    return max(2.4, 0.36 * len(columns) + 0.35), max(1.3, 0.28 * len(rows) + 0.55 + head)


def _most_panels(size: tuple[float, float]) -> int:
    """How many panels of this size a page has room for; one at least, however high it is."""
    if theme().width is None:
        return sys.maxsize
    return max(1, int((HIGHEST / 2.54 - 0.5) / size[1])) * panels_across(size[0], 4)


def _long(columns: Sequence[str]) -> bool:
    return max(map(len, columns)) > 4


def _heat_foot(runs: pd.DataFrame, texts: Sequence[str]) -> str:
    """What is written in the cells, of all that may be."""
    foot = f"{counts_line(runs)}."
    if any(text.startswith(">") for text in texts):
        foot += " >: half of the runs or more did not end within the limit."
    if any(text.startswith(NONE) for text in texts):
        foot += f" {NONE}: too many runs came to no result that more time would have given."
    return foot + (" A cross and a number: so many wrong answers." if any("✗" in text for text in texts) else "")


def _norm(what: str, finite: Any) -> Any:
    if what == "share" or not len(finite):
        return Normalize(0, 100)
    if what == "solutions":
        return Normalize(0, float(finite.max()))
    low, high = float(finite.min()), float(finite.max())
    return LogNorm(low, high if high > low else low * 1.01)


def _cells(
    runs: pd.DataFrame, down: tuple[Axis, Sequence[str]], across: tuple[Axis, Sequence[str]], what: str, clock: Clock
) -> tuple[Any, list[list[str]]]:
    """The values and what is written in the cells; NaN and "" where there are no runs."""
    rows, columns = down[1], across[1]
    table, texts = np.full((len(rows), len(columns)), math.nan), [[""] * len(columns) for _ in rows]
    runs = runs[runs["outcome"].ne("INTERRUPTED")]
    for (row, column), here in runs.groupby([down[0].of[runs.index], across[0].of[runs.index]]):
        i, j = rows.index(row), columns.index(column)
        if what == "share":
            table[i, j] = 100 * float(here["solved"].mean())
            texts[i][j] = f"{table[i, j]:.0f}"
        else:
            table[i, j], texts[i][j] = _median(here, what, clock)
        if wrong := int((here["wrong"] | here["false_unsat"]).sum()):
            texts[i][j] = f"✗{wrong}" if wrong == len(here) else f"{texts[i][j]}\n✗{wrong}"
    return table, texts


def _median(here: pd.DataFrame, what: str, clock: Clock) -> tuple[float, str]:
    """Infinite, and written as ``NONE``, when too many runs came to no result that more time would have given."""
    counts = what == "solutions"
    curve, shown = (solutions_of(here), _decades) if counts else (survival_of(here, clock.column), brief)
    value = curve.median().value
    if math.isfinite(value):
        return value, shown(value)
    over = here["censored"] | here["solved"]
    longest = curve.last if counts else min(curve.last, limit_of(here))  # runs end a little behind it; NaN: none
    return (math.inf, f">{shown(longest)}") if over.mean() > 0.5 else (math.nan, NONE)


def _decades(log10: float) -> str:
    return f"{log10:.0f}" if log10 >= 10 else f"{log10:.1f}"


def brief(seconds: float) -> str:
    """Two significant digits in the fewest characters: ``.012``, ``3.4``, ``120``.

    >>> brief(0.0123), brief(3.44), brief(123.4), brief(0.00012)
    ('.012', '3.4', '123', '1.2e-4')
    """
    if seconds < 0.001:
        return f"{seconds:.1e}".replace("e-0", "e-")
    return f"{seconds:.0f}" if seconds >= 10 else f"{seconds:.2g}".removeprefix("0")


def _write(axis: Axes, shown: Any, texts: list[list[str]], norm: Any, share: bool) -> None:
    for (i, j), value in np.ndenumerate(np.ma.filled(shown, math.nan)):
        level = float(norm(value)) if math.isfinite(value) else (1.0 if share else 0.0)
        dark = level < 0.5 if share else level > 0.5
        axis.text(j, i, texts[i][j], ha="center", va="center", fontsize=theme().small,
                  color="white" if dark else "black", linespacing=0.9)  # fmt: skip


# Scatter plots: two configurations on the same boards.


MOST_GROUPS = 7


def scatter(
    frame: pd.DataFrame, across: str, up: str, column: str | None = None, by: str = "configuration",
    title: str | None = None,
) -> TitledFigure:  # fmt: skip
    """Two configurations on the same boards: a point a board, on log scales, with the diagonal and ten times.

    ``across`` and ``up`` are values of ``by``. A run over a limit stands on the limit's rail, a wrong picture or a
    failure on a second one behind it, which is there if it is needed. ``column``: a time (default: CPU time) or a
    counter; runs without it are on the rails too. A marker each value of the axis that the boards vary (density, level,
    ...).
    """
    refuse_unknown(frame, by, (across, up))
    column = column or clock_of(frame).column
    title = title or f"{up} against {across}"
    runs = [frame[frame[by].eq(name)].set_index(["instance", "repetition"]) for name in (across, up)]
    runs = [run[~run.index.duplicated()] for run in runs]
    groups = _groups(frame)
    both = runs[0].add_suffix("_x").join(runs[1].add_suffix("_y"), how="inner")
    both = both[both["outcome_x"].ne("INTERRUPTED") & both["outcome_y"].ne("INTERRUPTED")]
    foot = f"{across}: {counts_line(runs[0].reset_index())}.\n{up}: {counts_line(runs[1].reset_index())}."
    if both.empty:
        return no_data(title, foot, f"no {thing_of(frame)} that both have run on")
    x, y = (
        both[f"{column}{end}"].astype("Float64").astype("float64").where(both[f"solved{end}"]) for end in ("_x", "_y")
    )
    known = np.concatenate([x.dropna(), y.dropna()])
    floor = 0.5  # log scales have no zero: no decisions stand at one half, and no time at the least one
    if column.endswith("_s"):
        floor = float(known[known > 0].min(initial=1e-4))
    low = max(float(known.min()), floor) if len(known) else floor
    clock = TIMES.get(column)
    limit = math.nan if clock is None else limit_of(frame)
    high = float(np.nanmax([*known, 3 * low]))
    over = limit if math.isfinite(limit) else high * 1.6
    rails = _rails(both, max(over, high * 1.15), limit, high)
    both["x"], both["y"] = _railed(x, both, "_x", rails, floor), _railed(y, both, "_y", rails, floor)
    values = sorted(set(groups.dropna()), key=natural)
    if not rails:
        foot += f"\nThe limit, {limit:g} s, is far outside." if math.isfinite(limit) else ""
    foot += "" if clock is None else f"\n{clock.words[0].upper()}{clock.words[1:]}."
    foot += "\nOn the line both are equal" + ("; dashed: one is ten times the other." if over > 10 * low else ".")
    figure, (axes,) = drawn(title, foot, 1, size=(4.2, 4.0), names=[*map(str, values), "m" * 8])
    styles = {value: look(at) for at, value in enumerate(values)}
    for value, style in styles.items():
        here = both[groups.reindex(both.index.get_level_values(0)).eq(value).to_numpy()]
        axes.plot(here["x"], here["y"], style.marker, color=style.colour, markersize=theme().marker, alpha=0.7,
                  markeredgewidth=0, rasterized=len(both) > RASTER)  # fmt: skip
    unit = "s" if column.endswith("_s") else column
    _frame(axes, rails, low, max(rails.values(), default=high * 1.15))
    labelled(axes, f"{across}, {unit}", f"{up}, {unit}")
    if groups.name:
        name_handles(figure, values, marks(styles), str(groups.name))
    return figure


def _groups(frame: pd.DataFrame) -> pd.Series:
    """By board: its value of the first axis with few values; boards from files are a value of their own."""
    boards = frame.drop_duplicates("instance").set_index("instance")
    from_files = pd.Series(boards.index.str.startswith("file/"), index=boards.index).fillna(False).astype(bool)
    few = [axis for axis in axes_of(frame) if axis.name != FILE and len(axis.values) <= MOST_GROUPS]
    chosen = next((axis for axis in few if axis.name == "density"), few[0] if few else None)
    if chosen is None:
        return pd.Series(f"all {thing_of(frame)}s", index=boards.index, name="")
    values = chosen.of.groupby(frame["instance"]).first().reindex(boards.index).astype(object)
    if chosen.name != "size":
        values = values.mask(from_files & values.isna(), "from files")
    return values.fillna(f"no {chosen.words.removesuffix(', %')}").rename(chosen.words)


def _rails(both: pd.DataFrame, over: float, limit: float, known: float) -> dict[str, float]:
    """Where runs without a result stand; a rail that nothing needs is not there, but for a limit that is near."""
    stopped = both["censored_x"] | both["censored_y"]
    bad = ~(both["solved_x"] | both["censored_x"]) | ~(both["solved_y"] | both["censored_y"])
    rails = {}
    if stopped.any() or limit <= FAR * known:
        rails[f"limit {limit:g} s" if math.isfinite(limit) else "over a limit"] = over
    if bad.any():
        rails["wrong or failed"] = over * 2
    return rails


def _railed(values: pd.Series, both: pd.DataFrame, end: str, rails: dict[str, float], floor: float) -> pd.Series:
    places = list(rails.values()) or [math.nan]
    stopped = both[f"censored{end}"] | both[f"solved{end}"]
    return values.clip(lower=floor).fillna(pd.Series(np.where(stopped, places[0], places[-1]), index=values.index))


def _frame(axes: Axes, rails: dict[str, float], low: float, top: float) -> None:
    """Both axes end at the last rail; the rails have their names on both."""
    ends = (low / 1.4, top)
    for which in ("x", "y"):
        logarithmic(axes, which)
    axes.set(xlim=ends, ylim=ends, aspect="equal")
    inner = min(rails.values(), default=top)
    axes.plot([ends[0], inner], [ends[0], inner], color=GREY, linewidth=0.9, zorder=1)
    for factor in (10, 0.1):
        axes.plot([ends[0], inner], [ends[0] * factor, inner * factor], color=GREY, linewidth=0.7,
                  linestyle=(0, (4, 3)), zorder=1)  # fmt: skip
    for name, place in rails.items():
        for draw in (axes.axhline, axes.axvline):
            draw(place, color=GREY, linewidth=0.7, linestyle=(0, (1, 1.5)), zorder=1)
        small: Any = {"fontsize": theme().small, "color": GREY, "textcoords": "offset points"}
        axes.annotate(plain(name), (1, place), xycoords=("axes fraction", "data"), xytext=(3, 0), va="center", **small)
        axes.annotate(plain(name), (place, 1), xycoords=("data", "axes fraction"), xytext=(0, 3), rotation=90,
                      ha="center", va="bottom", **small)  # fmt: skip
    for line in axes.lines:
        line.set_clip_on(line.get_linestyle() != "None")  # points on the rails are whole


# Cactus plots: how many runs are solved within a time.


def cactus(
    frame: pd.DataFrame, line: str = "label", panel: str | None = None, title: str = "Solved within a time",
    clock: Clock | str | None = None,
) -> TitledFigure:  # fmt: skip
    """How many runs are solved within a time, a line per value of ``line``, a panel per value of ``panel``.

    To the right and below is better. At most ``MOST_LINES`` lines a panel, those that solve the most; the foot names
    the others. Grey: for every board the one that was fastest.
    """
    for column in (line, panel) if panel else (line,):
        refuse_unknown(frame, column, None)
    clock = clock_by(frame, clock)
    parts = [(head, runs) for head, runs in panels(frame, panel) if runs["solved"].any()]
    if not parts:
        return no_data(title, counts_line(frame), "no run is solved")
    shown = [(head, runs, best_first(runs, line, clock.column)) for head, runs in parts]
    kept = [name for _, _, names in shown for name in names[:MOST_LINES]]
    styles = looks(kept)
    notes = _notes(frame, line, set(kept))
    made = [
        (head, runs, _cactus_lines(runs, line, [n for n in names if n in styles], styles, clock))
        for head, runs, names in shown
    ]
    every = [item for _, _, lines in made for item in lines]
    foot = ". ".join([counts_line(frame), *notes]) + "."
    figure, axes = drawn(title, foot, len(made), size=None if len(made) > 1 else (5.4, 3.6),
                         names=[item.name for item in every], sharey=True)  # fmt: skip
    for axis, (head, _, lines) in zip(axes, made, strict=True):
        headed(axis, head)
        draw_lines(axis, lines)
        logarithmic(axis)
        axis.set_xlim(left=0)
        axis.xaxis.set_major_locator(MaxNLocator(integer=True))  # there are no half runs
        labelled(axis, "runs solved", f"within {clock.words}, s")
        panel_grid(axis)
    for axis, (_, runs, _) in zip(axes, made, strict=True):
        limit_line(axis, limit_of(runs), reached=bool(runs["censored"].any()))
    name_lines(figure, every)
    return figure


def _cactus_lines(
    runs: pd.DataFrame, line: str, names: list[str], styles: dict[str, Look], clock: Clock
) -> list[PlotLine]:
    found = []
    for name in names:
        times = sorted(runs.loc[runs[line].eq(name) & runs["solved"], clock.column].dropna())
        marks = max(1, len(times) // 8)  # a marker now and then, so that lines differ in grey prints
        found.append(PlotLine(name, range(1, len(times) + 1), [max(t, 1e-9) for t in times], styles[name], every=marks))
    if len(names) > 1 and runs["repetition"].nunique() == 1:
        best = boards_of(runs, clock, line).high
        times = sorted(float(time) for time in _least(best) if time < float("inf"))
        look = Look(GREY, "", (0, (1, 1)))
        found.append(
            PlotLine(VIRTUAL, range(1, len(times) + 1), [max(t, 1e-9) for t in times], look, drop_markers=True)
        )
    return found


def _least(high: object) -> list[float]:
    table = pd.DataFrame(high)
    return [float(value) for value in table.min(axis=1).dropna()]


def _notes(frame: pd.DataFrame, line: str, shown: set[str]) -> list[str]:
    names = sorted(set(frame[line].dropna()))
    solving = set(frame.loc[frame["solved"], line].dropna())
    none = [name or "no encoding" for name in names if name not in solving]
    left = [name for name in names if name in solving and name not in shown]
    notes = [f"Nothing solved by {', '.join(none)}"] if none else []
    return notes + ([f"Not shown, as they solve less or take longer: {', '.join(left)}"] if left else [])
