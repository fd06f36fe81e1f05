"""Cactus plots: how many runs are solved within a time."""

from __future__ import annotations

import pandas as pd
from matplotlib.ticker import MaxNLocator

from nonosat.experiments.analysis.boards import Clock, boards_of, clock_of
from nonosat.experiments.analysis.lines import Line, draw_lines, limit_line, name_lines
from nonosat.experiments.analysis.plots.panels import best_first, panels
from nonosat.experiments.analysis.ranking import VIRTUAL
from nonosat.experiments.analysis.style import (
    GREY,
    MOST_LINES,
    Drawing,
    Look,
    drawn,
    grid,
    headed,
    labelled,
    logarithmic,
    looks,
    no_data,
)
from nonosat.experiments.analysis.summary import limit_of, said


def cactus(
    frame: pd.DataFrame, line: str = "label", panel: str | None = None, title: str = "Solved within a time",
    clock: Clock | None = None,
) -> Drawing:  # fmt: skip
    """How many runs are solved within a time, a line each value of ``line``, a panel each value of ``panel``.

    To the right and below is better. At most ``MOST_LINES`` lines a panel, those that solve the most; the foot names
    the others. Grey: for every board the one that was fastest.
    """
    clock = clock or clock_of(frame)
    parts = [(head, runs) for head, runs in panels(frame, panel) if runs["solved"].any()]
    if not parts:
        return no_data(title, said(frame), "no run is solved")
    shown = [(head, runs, best_first(runs, line, clock.column)) for head, runs in parts]
    kept = [name for _, _, names in shown for name in names[:MOST_LINES]]
    styles = looks(kept)
    notes = _notes(frame, line, set(kept))
    made = [
        (head, runs, _lines(runs, line, [n for n in names if n in styles], styles, clock))
        for head, runs, names in shown
    ]
    every = [item for _, _, lines in made for item in lines]
    foot = ". ".join([said(frame), *notes]) + "."
    figure, axes = drawn(title, foot, len(made), size=None if len(made) > 1 else (5.4, 3.6),
                         beside=[item.name for item in every], sharey=True)  # fmt: skip
    for axis, (head, _, lines) in zip(axes, made, strict=True):
        headed(axis, head)
        draw_lines(axis, lines)
        logarithmic(axis)
        axis.set_xlim(left=0)
        axis.xaxis.set_major_locator(MaxNLocator(integer=True))  # there are no half runs
        labelled(axis, "runs solved", f"within {clock.words}, s")
        grid(axis)
    for axis, (_, runs, _) in zip(axes, made, strict=True):
        limit_line(axis, limit_of(runs), reached=bool(runs["censored"].any()))
    name_lines(figure, every)
    return figure


def _lines(runs: pd.DataFrame, line: str, names: list[str], styles: dict[str, Look], clock: Clock) -> list[Line]:
    found = []
    for name in names:
        times = sorted(runs.loc[runs[line].eq(name) & runs["solved"], clock.column].dropna())
        marks = max(1, len(times) // 8)  # a marker now and then, so that grey prints tell the lines apart
        found.append(Line(name, range(1, len(times) + 1), [max(t, 1e-9) for t in times], styles[name], every=marks))
    if len(names) > 1 and runs["repetition"].nunique() == 1:
        best = boards_of(runs, clock, line).high
        times = sorted(float(time) for time in _least(best) if time < float("inf"))
        look = Look(GREY, "", (0, (1, 1)))
        found.append(Line(VIRTUAL, range(1, len(times) + 1), [max(t, 1e-9) for t in times], look, drop_markers=True))
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
