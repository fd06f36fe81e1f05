"""The report's figures 5.1 to 5.7 (Castilho & Welter 2018), for whatever solver, size and reading there is.

The means are the report's: runs over the limit are left out, and nobody looks whether the picture is right. What the
report does not show is shown: a hollow marker where runs were left out, a cross at lines with wrong pictures.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import pandas as pd
from matplotlib.figure import Figure

from nonosat.experiments.analysis.frames import densities, sizes
from nonosat.experiments.analysis.style import (
    Line,
    Look,
    draw_lines,
    drawn,
    grid,
    look,
    looks,
    name_lines,
    no_data,
)  # fmt: skip
from nonosat.experiments.analysis.summary import report_counts, said

READINGS = ("ends", "printed", "mirrored")
RULES = ("3", "4", "5", "6", "3+4", "5+6")
DOMAINS = ("2", "2alt")
FOOT = (
    "Means as the report takes them: runs over the limit are left out (hollow marker: some were), wrong pictures count "
    "(✗: some were)."
)
_WORDS = {"decisions": "decisions, mean", "conflicts": "conflicts, mean", "time_s": "seconds, mean"}


def of_report(frame: pd.DataFrame, reading: str = "ends") -> pd.DataFrame:
    """The runs of the report's twelve encodings, rules 4 and 6 in one reading (the others are in every reading)."""
    return frame[frame["report_name"].notna() & frame["rules"].isin(RULES) & frame["reading"].isin(["", reading])]


def by_fill(
    frame: pd.DataFrame, solver: str, size: str, column: str = "decisions", reading: str = "ends", log: bool = True
) -> Figure:
    """Mean of ``column`` by density, a line a rule, rule 2 and 2-alt side by side.

    Figures 5.1 to 5.4 with ``decisions`` (or another counter), 5.5 with ``time_s``.
    """
    runs = of_report(frame, reading)
    runs = runs[runs["solver"].eq(solver) & runs["size"].eq(size)]
    words = _WORDS.get(column, f"{column}, mean")
    title = (
        f"{'Time' if column == 'time_s' else column.capitalize()} by density, {size}, {solver}{_reading(runs, reading)}"
    )
    foot = f"{said(runs)}. {FOOT}"
    panels = []
    styles = looks(RULES)
    for domain in DOMAINS:
        here = runs[runs["domain_rule"].eq(domain)]
        panels.append([line_of(here[here["rules"].eq(rule)], rule, column, styles[rule]) for rule in RULES])
    return _figure(title, foot, [f"rule {domain}" for domain in DOMAINS], panels, words, log)


def decisions_by_fill(frame: pd.DataFrame, solver: str, size: str, reading: str = "ends", log: bool = True) -> Figure:
    """Figures 5.1 (Glucose), 5.2 (Lingeling), 5.3 and 5.4 (MiniSat): mean decisions by density, a line a rule."""
    return by_fill(frame, solver, size, "decisions", reading, log)


def time_by_fill(frame: pd.DataFrame, solver: str, size: str, reading: str = "ends", log: bool = True) -> Figure:
    """Figure 5.5: mean time by density, a line a rule."""
    return by_fill(frame, solver, size, "time_s", reading, log)


def time_by_size(frame: pd.DataFrame, solver: str, rules: str = "3", reading: str = "ends", log: bool = True) -> Figure:
    """Figures 5.6 (rule 3) and 5.7 (rule 6): mean time by density, a line a size.

    The report does not say which rule 2 these are with, so both are shown.
    """
    runs = of_report(frame, reading)
    runs = runs[runs["solver"].eq(solver) & runs["rules"].eq(rules)]
    title = f"Time by density and size, rule {rules}, {solver}{_reading(runs, reading)}"
    names = sizes(runs)
    panels = []
    for domain in DOMAINS:
        here = runs[runs["domain_rule"].eq(domain)]
        panels.append(
            [line_of(here[here["size"].eq(size)], size, "time_s", look(index)) for index, size in enumerate(names)]
        )
    return _figure(title, f"{said(runs)}. {FOOT}", [f"rule {d}" for d in DOMAINS], panels, _WORDS["time_s"], log)


def line_of(runs: pd.DataFrame, name: str, column: str, style: Look) -> Line:
    """The line of the report's means of ``column`` by density."""
    kept = runs[report_counts(runs)]
    x = densities(runs)
    y, hollow = [], []
    for density in x:
        values = kept.loc[kept["density"].eq(density), column].astype("Float64").dropna()
        y.append(float(values.mean()) if len(values) else math.nan)
        hollow.append(bool(len(kept[kept["density"].eq(density)]) < int(runs["density"].eq(density).sum())))
    return Line(f"{name} ✗" if runs["wrong"].any() else name, [100 * d for d in x], y, style, hollow)


def _reading(runs: pd.DataFrame, reading: str) -> str:
    return f" (rules 4 and 6: {reading})" if runs["reading"].eq(reading).any() else ""


def _figure(
    title: str, foot: str, heads: Sequence[str], panels: Sequence[Sequence[Line]], words: str, log: bool
) -> Figure:
    shown = [(head, lines) for head, lines in zip(heads, panels, strict=True) if any(_finite(line) for line in lines)]
    if not shown:
        return no_data(title, foot)
    figure, axes = drawn(title, foot, (1, len(shown)), sharey=True)
    for panel, (head, lines) in zip(axes, shown, strict=True):
        panel.set_title(head, fontsize=9)
        draw_lines(panel, lines)
        panel.set_xlabel("density, %", fontsize=8)
        panel.set_xticks(sorted({x for line in lines for x in line.x}))
        grid(panel)
    axes[0].set_ylabel(words, fontsize=8)
    smallest = min(y for _, lines in shown for line in lines for y in _finite(line))
    if log and (smallest >= 1 or (smallest > 0 and words == _WORDS["time_s"])):
        axes[0].set_yscale("log")
    elif log:
        axes[0].set_yscale("symlog", linthresh=1)  # a mean of 0 decisions is common at low densities
        axes[0].set_ylim(bottom=0)
    else:
        axes[0].set_ylim(bottom=0)
    for panel, (_, lines) in zip(axes, shown, strict=True):
        name_lines(panel, lines)
    return figure


def _finite(line: Line) -> list[float]:
    return [y for y in line.y if math.isfinite(y)]
