"""Time along an axis that a study varies: a line an encoding or solver, a panel each value of another axis."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from nonosat.experiments.analysis.axes import Axis
from nonosat.experiments.analysis.boards import Clock, clock_of
from nonosat.experiments.analysis.lines import Line, arrows_told, draw_lines, limit_line, name_lines
from nonosat.experiments.analysis.plots.panels import MOST_PANELS, spread
from nonosat.experiments.analysis.ranking import FEWEST
from nonosat.experiments.analysis.style import (
    Drawing,
    Look,
    drawn,
    grid,
    headed,
    labelled,
    logarithmic,
    looks,
    no_data,
    plain,
)
from nonosat.experiments.analysis.summary import limit_of, said, survival_of

Panel = tuple[str, pd.DataFrame]


def along(
    frame: pd.DataFrame,
    axis: Axis,
    across: Axis | None = None,
    line: str = "label",
    title: str | None = None,
    names: Sequence[str] | None = None,
    clock: Clock | None = None,
) -> Drawing:
    """Kaplan-Meier's median time by the values of ``axis``, with 95 % intervals.

    A line each of ``names``, values of ``line`` (default: all), a panel each value of ``across``. Where half of a
    group's runs or more are not solved its median lies beyond the limit: the line breaks, and an arrow at the limit
    says so.
    """
    clock = clock or clock_of(frame)
    title = title or f"{clock.words[0].upper()}{clock.words[1:]} by {axis.words.removesuffix(', %')}"
    names = list(names if names is not None else sorted(set(frame[line].dropna())))
    runs = frame[frame[line].isin(names) & axis.of[frame.index].notna()]
    parts = _panels(runs, axis, across)
    styles = looks(names) if axis.ordered else {name: look._replace(dash="") for name, look in looks(names).items()}
    limit = limit_of(runs)
    made = [(head, *_lines(part, axis, line, styles, limit, clock)) for head, part in parts]
    made = [entry for entry in made if any(_shown(item) for item in entry[1])]
    if not made:
        return no_data(title, said(runs))
    counts = [count for _, _, some in made for count in some]
    heads = {head for head, _, _ in made}
    foot = _foot(pd.concat([part for head, part in parts if head in heads]), counts)
    foot += arrows_told([item for _, lines, _ in made for item in lines])
    foot += " Panels without a result are left out." if len(made) < len(parts) else ""
    foot += _single(runs, axis, across)
    figure, panels = drawn(title, foot, len(made), beside=names, sharey=True)
    there = {value for head, part in parts if head in heads for value in axis.of[part.index]}
    for panel, (head, lines, _) in zip(panels, made, strict=True):
        headed(panel, head)
        draw_lines(panel, lines)
        logarithmic(panel)
        _ticks(panel, axis, there)
        grid(panel)
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
) -> tuple[list[Line], list[int]]:
    """The lines of a panel, and how many boards its points stand for."""
    step = min((b - a for a, b in pairwise(axis.places)), default=1.0)
    made, counts = [], []
    for at, (name, style) in enumerate(styles.items()):
        here = runs[runs[line].eq(name)]
        shift = 0.05 * step * (at - (len(styles) - 1) / 2) * min(1.0, 8 / len(styles))
        x, values, lows, highs, beyond = [], [], [], [], []
        for value, place in zip(axis.values, axis.places, strict=True):
            group = here[axis.of[here.index].eq(value)]
            if group.empty:
                continue
            middle = survival_of(group, clock.column).median()
            counts.append(group["instance"].nunique())
            x.append(place + shift)
            values.append(middle.value)
            lows.append(middle.low if counts[-1] >= FEWEST else math.nan)
            highs.append(middle.high)
            if math.isinf(middle.value) and group["censored"].any() and math.isfinite(limit):
                beyond.append(place + shift)
        made.append(Line(name or "no encoding", x, values, style, low=lows, high=highs, beyond=beyond, limit=limit))
    return made, counts


def _shown(line: Line) -> bool:
    return bool(np.isfinite(line.y).any() or line.beyond)


def _foot(runs: pd.DataFrame, counts: Sequence[int]) -> str:
    few, most = min(counts), max(counts)
    boards = f"{few}" if few == most else f"{few} to {most}"
    foot = f"{said(runs)}. Median (Kaplan-Meier) of {boards} {'board' if most == 1 else 'boards'} a point"
    foot += ", with its 95 % interval" if most >= FEWEST else ", too few for an interval"
    return foot + (" (not told of fewer than 6)." if few < FEWEST <= most else ".")


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


def _labels(figure: Drawing, panels: Sequence[Axes], axis: Axis, clock: Clock) -> None:
    """The axes' names: below each panel that has none below it, and left of each row."""
    for panel in panels:
        spec = panel.get_subplotspec()
        labelled(panel, axis.words, f"{clock.words}, s" if spec is None or spec.is_first_col() else "")
