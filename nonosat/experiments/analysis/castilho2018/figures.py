"""The report's figures 5.1 to 5.7 (Castilho & Welter 2018), for whatever solver, size and reading there is.

The upper panels have the report's means: runs over the limit are left out, and nobody looks whether the picture is
right. What the report does not show is shown: a hollow marker where runs were left out, a cross at lines with wrong
pictures, an arrow where no run ended. The lower panels have medians in which runs over the limit count as longer, with
intervals.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from nonosat.experiments.analysis.boards import clock_of
from nonosat.experiments.analysis.frames import densities, sizes
from nonosat.experiments.analysis.intervals import median
from nonosat.experiments.analysis.lines import Line, arrows_told, draw_lines, limit_line, name_lines
from nonosat.experiments.analysis.style import (
    Drawing,
    Look,
    drawn,
    grid,
    headed,
    labelled,
    logarithmic,
    look,
    looks,
    no_data,
)
from nonosat.experiments.analysis.summary import limit_of, report_counts, said, survival_of

READINGS = ("ends", "printed", "mirrored")
RULES = ("3", "4", "5", "6", "3+4", "5+6")
DOMAINS = ("2", "2alt")
TIMES = ("time_s", "cpu_time_s")
_WORDS = {"time_s": "wall time, s", "cpu_time_s": "CPU time, s"}


def of_report(frame: pd.DataFrame, reading: str = "ends") -> pd.DataFrame:
    """The runs of the report's twelve encodings, rules 4 and 6 in one reading (the others are in every reading)."""
    return frame[frame["report_name"].notna() & frame["rules"].isin(RULES) & frame["reading"].isin(["", reading])]


def by_fill(
    frame: pd.DataFrame, solver: str, size: str, column: str = "decisions", reading: str = "ends", log: bool = True
) -> Drawing:
    """Mean and median of ``column`` by density, a line a rule, rule 2 and 2-alt side by side.

    Figures 5.1 to 5.4 with ``decisions`` (or another counter), 5.5 with ``cpu_time_s`` or ``time_s``.
    """
    runs = of_report(frame, reading)
    runs = runs[runs["solver"].eq(solver) & runs["size"].eq(size)]
    title = (
        f"{'Time' if column in TIMES else column.capitalize()} by density, {size}, {solver}{_reading(runs, reading)}"
    )
    styles = looks(RULES)
    parts = [
        [(rule, here[here["rules"].eq(rule)], styles[rule]) for rule in RULES]
        for here in (runs[runs["domain_rule"].eq(domain)] for domain in DOMAINS)
    ]
    return _figure(runs, title, parts, column, log, "rule")


def decisions_by_fill(frame: pd.DataFrame, solver: str, size: str, reading: str = "ends", log: bool = True) -> Drawing:
    """Figures 5.1 (Glucose), 5.2 (Lingeling), 5.3 and 5.4 (MiniSat): mean decisions by density, a line a rule."""
    return by_fill(frame, solver, size, "decisions", reading, log)


def time_by_fill(frame: pd.DataFrame, solver: str, size: str, reading: str = "ends", log: bool = True) -> Drawing:
    """Figure 5.5: mean time by density, a line a rule."""
    return by_fill(frame, solver, size, clock_of(frame).column, reading, log)


def time_by_size(
    frame: pd.DataFrame, solver: str, rules: str = "3", reading: str = "ends", log: bool = True
) -> Drawing:
    """Figures 5.6 (rule 3) and 5.7 (rule 6): mean time by density, a line a size.

    The report does not say which rule 2 these are with, so both are shown.
    """
    runs = of_report(frame, reading)
    runs = runs[runs["solver"].eq(solver) & runs["rules"].eq(rules)]
    title = f"Time by density and size, rule {rules}, {solver}{_reading(runs, reading)}"
    parts = [
        [(size, here[here["size"].eq(size)], look(index)) for index, size in enumerate(sizes(runs))]
        for here in (runs[runs["domain_rule"].eq(domain)] for domain in DOMAINS)
    ]
    return _figure(runs, title, parts, clock_of(frame).column, log, "size")


NUMBERED: dict[str, Callable[[pd.DataFrame], Drawing]] = {
    "5.1": lambda frame: decisions_by_fill(frame, "glucose4", "30x30"),
    "5.2": lambda frame: decisions_by_fill(frame, "lingeling", "40x40"),
    "5.3": lambda frame: decisions_by_fill(frame, "minisat22", "30x30"),
    "5.4": lambda frame: decisions_by_fill(frame, "minisat22", "40x40"),
    "5.5": lambda frame: time_by_fill(frame, "minisat22", "40x40"),
    "5.6": lambda frame: time_by_size(frame, "minisat22", "3"),
    "5.7": lambda frame: time_by_size(frame, "minisat22", "6"),
}
"""The report's own figures, by their numbers."""


def line_of(
    runs: pd.DataFrame, name: str, column: str, style: Look, shift: float = 0.0, shares: Sequence[float] = ()
) -> Line:
    """The line of the report's means of ``column`` by density; ``shift``: to the right, in per cent.

    ``shares``: the figure's densities; at one that was not run the line breaks.
    """
    kept = runs[report_counts(runs)]
    limit = limit_of(runs) if column in TIMES else math.nan
    x, y, hollow, beyond = [], [], [], []
    for density in shares or densities(runs):
        here = int(runs["density"].eq(density).sum())
        values = kept.loc[kept["density"].eq(density), column].astype("Float64").dropna()
        x.append(100 * density + shift)
        y.append(float(values.mean()) if len(values) else math.nan)
        hollow.append(bool(len(kept[kept["density"].eq(density)]) < here))
        if here and not len(values) and math.isfinite(limit):
            beyond.append(x[-1])
    told = f"{name} ✗" if runs["wrong"].any() else name
    return Line(told, x, y, style, hollow, beyond=beyond, limit=limit)


def medians(
    runs: pd.DataFrame, name: str, column: str, style: Look, shift: float = 0.0, shares: Sequence[float] = ()
) -> Line:
    """As ``line_of``, of medians: every run that ended counts, one over the limit as more than any; with intervals."""
    limit = limit_of(runs) if column in TIMES else math.nan
    x, y, low, high, beyond = [], [], [], [], []
    for density in shares or densities(runs):
        here = runs[runs["density"].eq(density)]
        ended = report_counts(here)
        if column in TIMES:
            found = survival_of(here.assign(solved=ended), column).median()
        else:
            values = here[column].astype("Float64").astype("float64").where(ended, math.inf)
            found = median(values)
        x.append(100 * density + shift)
        y.append(found.value)
        low.append(found.low)
        high.append(found.high)
        if math.isinf(found.value) and math.isfinite(limit):
            beyond.append(x[-1])
    told = f"{name} ✗" if runs["wrong"].any() else name
    return Line(told, x, y, style, low=low, high=high, beyond=beyond, limit=limit)


def _reading(runs: pd.DataFrame, reading: str) -> str:
    return f" (rules 4 and 6: {reading})" if runs["reading"].eq(reading).any() else ""


Parts = Sequence[tuple[str, pd.DataFrame, Look]]


def _figure(runs: pd.DataFrame, title: str, parts: Sequence[Parts], column: str, log: bool, heading: str) -> Drawing:
    """Two rows of panels, a column a domain that has runs."""
    rows: list[list[list[Line]]] = [[], []]
    for part in parts:
        for row, made in zip(rows, (line_of, medians), strict=True):
            row.append([made(some, name, column, style, 0.7 * (at - (len(part) - 1) / 2), densities(runs))
                        for at, (name, some, style) in enumerate(part)])  # fmt: skip
    heads = [f"rule {domain}" for domain in DOMAINS]
    kept = [at for at in range(len(parts)) if any(_finite(line) for row in rows for line in row[at])]
    if not kept:
        return no_data(title, said(runs))
    shown = [(heads[at], word, row[at]) for row, word in zip(rows, ("mean", "median"), strict=True) for at in kept]
    every = [line for _, _, lines in shown for line in lines if _finite(line) or line.beyond]
    sizes_ = runs.groupby(["size", "density"])["instance"].nunique()
    boards = f"{sizes_.min()}" if sizes_.min() == sizes_.max() else f"{sizes_.min()} to {sizes_.max()}"
    above, below = ([line for _, word, lines in shown for line in lines if word == row] for row in ("mean", "median"))
    foot = f"{said(runs)}; {boards} boards a point. {_told_of(above, below)}"
    figure, panels = drawn(title, foot, len(shown), len(kept), (4.2, 2.7), [line.name for line in every], sharey=True,
                           sharex=True)  # fmt: skip
    words = _WORDS.get(column, column)
    for panel, (head, word, lines) in zip(panels, shown, strict=True):
        headed(panel, f"{head}, {word}")
        draw_lines(panel, lines)
        panel.set_xticks(sorted({100 * density for density in densities(runs)}))
        grid(panel)
        spec = panel.get_subplotspec()
        labelled(panel, "density, %" if spec is None or spec.is_last_row() else "",
                 f"{words}" if spec is None or spec.is_first_col() else "")  # fmt: skip
    _scale(panels[0], every, column, log)
    if column in TIMES:
        for panel in panels:
            limit_line(panel, limit_of(runs))
    name_lines(figure, every, heading)
    return figure


def _told_of(above: Sequence[Line], below: Sequence[Line]) -> str:
    """What the two rows of panels show, and of their marks those that are there."""
    left = any(any(line.hollow) for line in above)
    some = any(hollow and math.isfinite(y) for line in above for y, hollow in zip(line.y, line.hollow, strict=True))
    marks = [*["hollow marker: some were"] * some, *["arrow: all were"] * any(line.beyond for line in above)]
    told = "Above: means as the report takes them"
    told += "; runs over the limit are left out" if left else ""
    told += f" ({', '.join(marks)})" if marks else ""
    told += "; wrong pictures count (✗: some were)" if any("✗" in line.name for line in above) else ""
    told += f". Below: medians{', runs over the limit as longer than it' if left else ''}, with 95 % intervals."
    return told + arrows_told(below)


def _scale(panel: Axes, lines: Sequence[Line], column: str, log: bool) -> None:
    smallest = min((y for line in lines for y in _finite(line)), default=1.0)
    if log and (smallest >= 1 or (smallest > 0 and column in TIMES)):
        logarithmic(panel)
    elif log:
        panel.set_yscale("symlog", linthresh=1)  # a mean of 0 decisions is common at low densities
        panel.set_ylim(bottom=0)
    else:
        panel.set_ylim(bottom=0)


def _finite(line: Line) -> list[float]:
    return [float(y) for y in np.asarray(line.y, dtype=np.float64) if math.isfinite(y)]
