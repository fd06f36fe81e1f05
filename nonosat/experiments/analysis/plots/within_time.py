"""Cactus plots: how many runs are solved within a time."""

from __future__ import annotations

import pandas as pd
from matplotlib.figure import Figure

from nonosat.experiments.analysis.frames import values_of
from nonosat.experiments.analysis.plots.panels import in_order, panels, shortened
from nonosat.experiments.analysis.style import (
    NORMAL,
    Line,
    draw_lines,
    drawn,
    grid,
    looks,
    name_lines,
    no_data,
    plain,
)  # fmt: skip
from nonosat.experiments.analysis.summary import said

MOST_LINES = 14


def cactus(
    frame: pd.DataFrame, line: str = "label", panel: str | None = "domain_rule", title: str = "Solved within a time"
) -> Figure:
    """How many runs are solved within a time, a line each value of ``line``, a panel each value of ``panel``.

    To the right and below is better. At most ``MOST_LINES`` lines a panel, those that solve the most.
    """
    parts = panels(frame, panel)
    shown = [(head, *_cactus_lines(runs, line, panel == "domain_rule")) for head, runs in parts if runs["solved"].any()]
    if not shown:
        return no_data(title, said(frame), "no run is solved")
    notes = [f"{head or 'all'}: {note}" for head, _, note in shown if note]
    notes += [f"{head or 'all'}: nothing solved" for head, runs in parts if not runs["solved"].any()]
    foot = ". ".join([said(frame), *notes]) + "."
    figure, axes = drawn(title, foot, (1, len(shown)), size=(7.4, 4.8) if len(shown) == 1 else None, sharey=True)
    for axis, (head, lines, _) in zip(axes, shown, strict=True):
        axis.set_title(plain(head), fontsize=NORMAL)
        draw_lines(axis, lines)
        axis.set_yscale("log")
        axis.set_xlim(left=0)
        axis.set_xlabel("runs solved", fontsize=8)
        grid(axis)
    axes[0].set_ylabel("within seconds", fontsize=8)
    for axis, (_, lines, _) in zip(axes, shown, strict=True):
        name_lines(axis, lines)
    return figure


def _cactus_lines(runs: pd.DataFrame, line: str, short: bool) -> tuple[list[Line], str]:
    times = {
        name: sorted(runs.loc[runs[line].eq(name) & runs["solved"], "time_s"].dropna())
        for name in values_of(runs, line)
    }
    solving = sorted((name for name in times if times[name]), key=lambda name: (-len(times[name]), sum(times[name])))
    none = [name for name in times if not times[name]]
    left = solving[MOST_LINES:]
    styles = looks(in_order(solving[:MOST_LINES]))
    lines = [
        Line(f"{shortened(name) if short else name} ({len(times[name])})", range(1, len(times[name]) + 1),
             [max(t, 1e-9) for t in times[name]], style, drop_markers=True)
        for name, style in styles.items()
    ]  # fmt: skip
    notes = [f"nothing solved by {', '.join(none)}"] if none else []
    notes += [f"not shown, as they solve less: {', '.join(left)}"] if left else []
    return lines, "; ".join(notes)
