"""What Castilho & Welter (2018) report, from records of their encodings: figures, claims, and where encodings differ.

    python experiments/castilho2018/analysis.py [DIR]

makes the files of results/castilho2018-again anew, or in DIR. A study that names this file
(``analysis = "analysis.py"``) has ``sheets`` and ``figures`` in its report.

- Figures: the publication's seven (``NUMBERED``), for any solver, size and reading of rules 4 and 6.
- Verdicts (``verdicts``): each claim is one number over all boards of the grid, mostly the median of the boards'
  ratios, with the paired bootstrap's 95 % interval. Rules 4 and 6 are read as the publication's prose says. Wrong
  pictures count as answers, as they do there.
- Claims by size (``examine``): each claim is a predicate on curves of one size and one reading.
- Differences: decisions, runs over the limit, wrong pictures, and densities at which times peak.

"The report" is Castilho & Welter's technical report.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd
from matplotlib.axes import Axes

from nonosat.studies.analysis import intervals, plots
from nonosat.studies.analysis.boards import Clock, boards_of, clock_of, latest
from nonosat.studies.analysis.frames import densities, load, sizes, values_of
from nonosat.studies.analysis.intervals import NOTHING, IntervalEstimate, median
from nonosat.studies.analysis.lines import PlotLine, arrows_note, draw_lines, limit_line, name_lines
from nonosat.studies.analysis.ranking import FEWEST, compared, ends, samples_of
from nonosat.studies.analysis.report import Drawn, ReportedStudy
from nonosat.studies.analysis.sheets import Column, Sheet, markdown, plain_columns
from nonosat.studies.analysis.style import (
    Look,
    TitledFigure,
    drawn,
    drawn_for,
    headed,
    labelled,
    logarithmic,
    look,
    looks,
    no_data,
    panel_grid,
    paper,
    save,
)
from nonosat.studies.analysis.summary import MEANINGS, counts_line, groups, limit_of, report_counts, survival_of

RESULTS = Path(__file__).parents[2] / "results"

# The report's figures 5.1 to 5.7, for any solver, size and reading.
#
# The upper panels have the report's means: runs over the limit are left out, and wrong pictures count. A hollow marker
# says that runs were left out, a cross that a line has wrong pictures, an arrow that no run ended. The lower panels
# have medians with intervals; a run over the limit counts as longer than it.


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
) -> TitledFigure:
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


def decisions_by_fill(
    frame: pd.DataFrame, solver: str, size: str, reading: str = "ends", log: bool = True
) -> TitledFigure:
    """Figures 5.1 (Glucose), 5.2 (Lingeling), 5.3 and 5.4 (MiniSat): mean decisions by density, a line a rule."""
    return by_fill(frame, solver, size, "decisions", reading, log)


def time_by_fill(frame: pd.DataFrame, solver: str, size: str, reading: str = "ends", log: bool = True) -> TitledFigure:
    """Figure 5.5: mean time by density, a line a rule."""
    return by_fill(frame, solver, size, clock_of(frame).column, reading, log)


def time_by_size(
    frame: pd.DataFrame, solver: str, rules: str = "3", reading: str = "ends", log: bool = True
) -> TitledFigure:
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


NUMBERED: dict[str, Callable[[pd.DataFrame], TitledFigure]] = {
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
) -> PlotLine:
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
    label = f"{name} ✗" if runs["wrong"].any() else name
    return PlotLine(label, x, y, style, hollow, beyond=beyond, limit=limit)


def medians(
    runs: pd.DataFrame, name: str, column: str, style: Look, shift: float = 0.0, shares: Sequence[float] = ()
) -> PlotLine:
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
    label = f"{name} ✗" if runs["wrong"].any() else name
    return PlotLine(label, x, y, style, low=low, high=high, beyond=beyond, limit=limit)


def _reading(runs: pd.DataFrame, reading: str) -> str:
    return f" (rules 4 and 6: {reading})" if runs["reading"].eq(reading).any() else ""


Parts = Sequence[tuple[str, pd.DataFrame, Look]]


def _figure(
    runs: pd.DataFrame, title: str, parts: Sequence[Parts], column: str, log: bool, heading: str
) -> TitledFigure:
    """Two rows of panels, a column a domain that has runs."""
    rows: list[list[list[PlotLine]]] = [[], []]
    for part in parts:
        for row, made in zip(rows, (line_of, medians), strict=True):
            row.append([made(some, name, column, style, 0.7 * (at - (len(part) - 1) / 2), densities(runs))
                        for at, (name, some, style) in enumerate(part)])  # fmt: skip
    heads = [f"rule {domain}" for domain in DOMAINS]
    kept = [at for at in range(len(parts)) if any(_finite(line) for row in rows for line in row[at])]
    if not kept:
        return no_data(title, counts_line(runs))
    shown = [(heads[at], word, row[at]) for row, word in zip(rows, ("mean", "median"), strict=True) for at in kept]
    every = [line for _, _, lines in shown for line in lines if _finite(line) or line.beyond]
    sizes_ = runs.groupby(["size", "density"])["instance"].nunique()
    boards = f"{sizes_.min()}" if sizes_.min() == sizes_.max() else f"{sizes_.min()} to {sizes_.max()}"
    above, below = ([line for _, word, lines in shown for line in lines if word == row] for row in ("mean", "median"))
    foot = f"{counts_line(runs)}; {boards} boards a point. {_foot(above, below)}"
    figure, panels = drawn(title, foot, len(shown), len(kept), (4.2, 2.7), [line.name for line in every], sharey=True,
                           sharex=True)  # fmt: skip
    words = _WORDS.get(column, column)
    for panel, (head, word, lines) in zip(panels, shown, strict=True):
        headed(panel, f"{head}, {word}")
        draw_lines(panel, lines)
        panel.set_xticks(sorted({100 * density for density in densities(runs)}))
        panel_grid(panel)
        spec = panel.get_subplotspec()
        labelled(panel, "density, %" if spec is None or spec.is_last_row() else "",
                 f"{words}" if spec is None or spec.is_first_col() else "")  # fmt: skip
    _scale(panels[0], every, column, log)
    if column in TIMES:
        for panel in panels:
            limit_line(panel, limit_of(runs))
    name_lines(figure, every, heading)
    return figure


def _foot(above: Sequence[PlotLine], below: Sequence[PlotLine]) -> str:
    """What the two rows of panels show, and of their marks those that are there."""
    left = any(any(line.hollow) for line in above)
    some = any(hollow and math.isfinite(y) for line in above for y, hollow in zip(line.y, line.hollow, strict=True))
    marks = [*["hollow marker: some were"] * some, *["arrow: all were"] * any(line.beyond for line in above)]
    text = "Above: means as the report takes them"
    text += "; runs over the limit are left out" if left else ""
    text += f" ({', '.join(marks)})" if marks else ""
    text += "; wrong pictures count (✗: some were)" if any("✗" in line.name for line in above) else ""
    text += f". Below: medians{', runs over the limit as longer than it' if left else ''}, with 95 % intervals."
    return text + arrows_note(below)


def _scale(panel: Axes, lines: Sequence[PlotLine], column: str, log: bool) -> None:
    smallest = min((y for line in lines for y in _finite(line)), default=1.0)
    if log and (smallest >= 1 or (smallest > 0 and column in TIMES)):
        logarithmic(panel)
    elif log:
        panel.set_yscale("symlog", linthresh=1)  # a mean of 0 decisions is common at low densities
        panel.set_ylim(bottom=0)
    else:
        panel.set_ylim(bottom=0)


def _finite(line: PlotLine) -> list[float]:
    return [float(y) for y in np.asarray(line.y, dtype=np.float64) if math.isfinite(y)]


# Curves as in the report: a mean for each encoding and density, of the boards and of bootstrap samples of them.


FEWEST_BOARDS = 3
Array = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Curves:
    """Means by encoding and density: ``means[0]`` of the boards, ``means[1:]`` of the samples drawn from them."""

    names: tuple[str, ...]
    densities: tuple[float, ...]
    means: Array
    boards: npt.NDArray[np.int64]

    def of(self, name: str) -> Array:
        """One encoding's curve in every sample: shape (samples + 1, densities)."""
        return np.asarray(self.means[:, self.names.index(name)])

    def peaks(self, name: str) -> Array:
        """The density at which the encoding's mean is highest, in every sample."""
        curve = self.of(name)
        at = np.where(np.isnan(curve), -np.inf, curve).argmax(axis=1)
        return np.asarray(np.array(self.densities)[at], dtype=np.float64)

    def has(self, names: Sequence[str]) -> bool:
        """Whether all of ``names`` have enough boards at every density."""
        known = all(name in self.names for name in names)
        rows = [self.names.index(name) for name in names] if known else []
        return known and len(self.densities) > 1 and bool((self.boards[rows] >= FEWEST_BOARDS).all())


def curves(
    frame: pd.DataFrame, solver: str, size: str, column: str, reading: str = "ends", paired: bool = False,
    seed: int = 0, samples: int = 400, at_limit: bool = False,
) -> Curves:  # fmt: skip
    """The curves of the report's encodings, of runs as the report counts them (over the limit: left out; wrong: in).

    ``paired``: over the boards that all encodings ended within the limit; else each over its own, as in the report.
    ``at_limit``: the time of runs over a limit is the limit, instead of leaving them out (for ``time_s`` only): a lower
    bound of the mean that does not flatter the hard boards.
    """
    needed = [
        *("instance", "outcome", "censored", "limit_wall_s", "limit_cpu_s", "solver", "size", "density"),
        *("report_name", "rules", "reading", column),
    ]
    runs = of_report(frame[needed], reading)
    runs = runs[runs["solver"].eq(solver) & runs["size"].eq(size) & runs["density"].notna()]
    kept = report_counts(runs) | (runs["censored"] & at_limit)
    ended = runs[kept].assign(value=lambda table: table[column].astype("Float64").astype("float64"))
    if at_limit:
        limits = ended[["limit_wall_s", "limit_cpu_s"]].astype("float64").min(axis=1).fillna(ended["value"])
        ended["value"] = ended["value"].mask(ended["censored"], limits)
    names = tuple(f"{domain}/{rules}" for domain in DOMAINS for rules in RULES)
    names = tuple(name for name in names if runs["report_name"].eq(name).any())
    found = tuple(sorted(float(d) for d in runs["density"].unique()))
    means = np.full((samples + 1, len(names), len(found)), math.nan)
    boards = np.zeros((len(names), len(found)), dtype=np.int64)
    wide = ended.groupby(["density", "instance", "report_name"], sort=True)["value"].mean().unstack()
    every = wide.reindex(columns=list(names)).to_numpy(dtype=np.float64)
    of = wide.index.get_level_values("density")
    for at, density in enumerate(found):
        values = every[of == density]
        if paired:
            values = values[~np.isnan(values).any(axis=1)]
        boards[:, at] = (~np.isnan(values)).sum(axis=0)
        means[:, :, at] = _means(values, samples, seed + at)
    return Curves(names, found, means, boards)


def _means(values: Array, samples: int, seed: int) -> Array:
    """The columns' means without the NaN: of all rows first, then of each sample of the rows."""
    count = len(values)
    weights = np.zeros((samples + 1, count))
    weights[0] = 1
    drawn = intervals.resamples(count, samples, seed)
    np.add.at(weights, (np.arange(1, samples + 1)[:, None], drawn), 1)
    known = ~np.isnan(values)
    with np.errstate(invalid="ignore"):
        means: Array = (weights @ np.where(known, values, 0.0)) / (weights @ known)
    return means


# Predicates on curves. Each gives its truth in every sample, and its numbers in words. The report has no thresholds for
# "very few" and "close to": those here are ours.


FEW = 0.25
"""Very few: at most this part of the decisions with rule 3."""
MUCH = 2.0
"""A significant rise, a great difference: at least this factor."""
CLOSE = 1.25
"""Close to, stable: at most this factor between them."""
NEARLY_ALL = 0.8
"""Nearly always: at least this share of the cases."""
DENSE_FROM = 0.4
"""From here on a board's density counts as close to 50 %."""
Truth = npt.NDArray[np.bool_]
Check = Callable[[Curves], tuple[Truth, str]]


def quotient(over: Array, under: Array) -> Array:
    """Element by element; means that differ by no more than rounding are the same."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(np.where(np.isclose(over, under, rtol=1e-9, atol=0), 1.0, over / under))


def _percents(c: Curves, values: Array) -> str:
    return ", ".join(f"{100 * d:g} %: {v:.3g}" for d, v in zip(c.densities, values, strict=True))


def _nearly_all(case: Truth) -> Truth:
    """Whether the cases of each sample (all axes but the first) are true nearly always."""
    return np.asarray(case.reshape(len(case), -1).mean(axis=1) >= NEARLY_ALL)


def alt_is_less(c: Curves) -> tuple[Truth, str]:
    """2-alt is less than 2, nearly always."""
    rules = [rule for rule in RULES if f"2/{rule}" in c.names and f"2alt/{rule}" in c.names]
    ratios = np.stack([quotient(c.of(f"2alt/{rule}"), c.of(f"2/{rule}")) for rule in rules], axis=1)
    text = "; ".join(f"{rule}: {np.nanmean(ratio):.3g}" for rule, ratio in zip(rules, ratios[0], strict=True))
    less, same = int((ratios[0] < 1).sum()), int((ratios[0] == 1).sum())
    return _nearly_all(ratios < 1), f"less in {less}, the same in {same} of {ratios[0].size} points; mean ratio {text}"


def few(name: str, against: str, bar: float) -> Check:
    """The middle ratio of two curves is at most ``bar``."""

    def check(c: Curves) -> tuple[Truth, str]:
        ratio = quotient(c.of(name), c.of(against))
        return np.median(ratio, axis=1) <= bar, f"{name} to {against}: {_percents(c, ratio[0])}"

    return check


def fewest_when_dense(name: str, against: str) -> Check:
    """Less than the other curve, and relatively least on a dense board."""

    def check(c: Curves) -> tuple[Truth, str]:
        ratio, dense = quotient(c.of(name), c.of(against)), np.array(c.densities) >= DENSE_FROM
        if not dense.any() or dense.all():
            return np.zeros(0, dtype=bool), f"needs densities below and from {100 * DENSE_FROM:g} %"
        below = np.where(dense, np.inf, ratio).min(axis=1)
        above = np.where(dense, ratio, np.inf).min(axis=1)
        return (above < below) & (above < 1), f"{name} to {against}: {_percents(c, ratio[0])}"

    return check


def close(name: str, against: str) -> Check:
    """Nearly always close to the other curve."""

    def check(c: Curves) -> tuple[Truth, str]:
        ratio = quotient(c.of(name), c.of(against))
        near = (ratio <= CLOSE) & (ratio >= 1 / CLOSE)
        return _nearly_all(near), f"{name} to {against}: {_percents(c, ratio[0])}"

    return check


def rises(name: str) -> Check:
    """Rises from its first density to its highest mean by ``MUCH``, and by more than the middle one of the others."""

    def check(c: Curves) -> tuple[Truth, str]:
        growth = quotient(c.means.max(axis=2), c.means[:, :, 0])
        at = c.names.index(name)
        others = np.median(np.delete(growth, at, axis=1), axis=1)
        text = f"{name} grows by {growth[0, at]:.3g}, the others' median is {others[0]:.3g}"
        return (growth[:, at] >= MUCH) & (growth[:, at] > others * CLOSE), text

    return check


def others_stable(c: Curves) -> tuple[Truth, str]:
    """The curves that the report does not except differ little between densities."""
    named = [i for i, name in enumerate(c.names) if name not in _EXCEPTIONS]
    spread = quotient(c.means.max(axis=2), c.means.min(axis=2))[:, named]
    text = ", ".join(f"{c.names[i]}: {value:.3g}" for i, value in zip(named, spread[0], strict=True))
    return _nearly_all(spread <= MUCH), f"highest to lowest mean: {text}"


def falls_when_dense(name: str) -> Check:
    """Far less on dense boards than at its highest on others."""

    def check(c: Curves) -> tuple[Truth, str]:
        dense = np.array(c.densities) >= DENSE_FROM
        if not dense.any() or dense.all():
            return np.zeros(0, dtype=bool), f"needs densities below and from {100 * DENSE_FROM:g} %"
        curve = c.of(name)
        factor = quotient(curve[:, dense].min(axis=1), curve[:, ~dense].max(axis=1))
        return factor <= 1 / MUCH, f"{name}: {_percents(c, curve[0])}"

    return check


def peak_at(density: float, name: str) -> Check:
    """Highest at ``density``."""

    def check(c: Curves) -> tuple[Truth, str]:
        if density not in c.densities:
            return np.zeros(0, dtype=bool), f"no boards of {100 * density:g} %"
        return np.isclose(c.peaks(name), density), f"{name}: {_percents(c, c.of(name)[0])}"

    return check


def least(name: str) -> Check:
    """Nearly always less than all others of its domain rule."""

    def check(c: Curves) -> tuple[Truth, str]:
        domain = name.partition("/")[0]
        rivals = [c.names.index(f"{domain}/{rule}") for rule in RULES if f"{domain}/{rule}" in c.names]
        rivals.remove(c.names.index(name))
        best = c.means[:, rivals].min(axis=1)
        ratio = quotient(c.of(name), best)
        return _nearly_all(ratio < 1), f"{name} to the best of the others: {_percents(c, ratio[0])}"

    return check


_EXCEPTIONS = ("2alt/5", "2/3+4", "2alt/3+4", "2/5+6", "2alt/5+6")


# The report's claims about its curves (ch. 5.3 and 6), each a predicate.
#
# Rules 4 and 6 have three readings (``docs/encodings.md``); the report does not name the one that its figures show. The
# boards of each density are resampled (the bootstrap). A claim *holds* if it does in at least 95 % of the samples, and
# *does not hold* if it does in at most 5 %. Otherwise, or where an encoding or density is missing, there is *not enough
# data*.


SURE = 0.95
CLAIM_HOLDS, CLAIM_FAILS, UNKNOWN = "holds", "does not hold", "not enough data"


@dataclass(frozen=True)
class PublishedClaim:
    """``check`` gives its truth in every sample (the boards' own first), and the numbers in words."""

    name: str
    says: str
    column: str
    needs: tuple[str, ...]
    check: Check


_ALL = tuple(f"{domain}/{rules}" for domain in DOMAINS for rules in RULES)


def _claims() -> tuple[PublishedClaim, ...]:
    found = [
        PublishedClaim(
            "2alt fewer decisions", "2-alt needs fewer decisions than 2 nearly always", "decisions", _ALL, alt_is_less
        ),
        PublishedClaim("2alt faster", "2-alt is faster than 2 nearly always", "time_s", _ALL, alt_is_less),
    ]
    for d in DOMAINS:
        for rule in ("6", "5+6"):
            a, b = f"{d}/{rule}", f"{d}/3"
            found += [
                PublishedClaim(
                    f"{a} few decisions", f"{a} needs very few decisions", "decisions", (a, b), few(a, b, FEW)
                ),
                PublishedClaim(
                    f"{a} fewest when dense",
                    f"{a} needs few decisions most of all near 50 %",
                    "decisions",
                    (a, b),
                    fewest_when_dense(a, b),
                ),
            ]
        five, six, four, three, both = (f"{d}/{rule}" for rule in ("5", "6", "4", "3", "5+6"))
        group = tuple(f"{d}/{rule}" for rule in RULES)
        found += [
            PublishedClaim(
                f"{five} like {three}",
                "5 needs about as many decisions as 3",
                "decisions",
                (five, three),
                close(five, three),
            ),
            PublishedClaim(
                f"{six} unlike {four}",
                "6 needs far fewer decisions than 4",
                "decisions",
                (six, four),
                few(six, four, 1 / MUCH),
            ),
            PublishedClaim(
                f"{six} best", "6 needs fewer decisions than all other rules", "decisions", group, least(six)
            ),
            PublishedClaim(f"{six} fastest", "6 is faster than all other rules", "time_s", group, least(six)),
            PublishedClaim(f"{d}/3+4 slows", "3+4 gets slower with density", "time_s", _ALL, rises(f"{d}/3+4")),
            PublishedClaim(
                f"{both} falls", "5+6 gets far faster on dense boards", "time_s", (both,), falls_when_dense(both)
            ),
            PublishedClaim(
                f"{three} peak", "the time with rule 3 peaks at 40 %", "time_s", (three,), peak_at(0.4, three)
            ),
            PublishedClaim(f"{six} peak", "the time with rule 6 peaks at 40 %", "time_s", (six,), peak_at(0.4, six)),
        ]
    found += [
        PublishedClaim("2alt/5 slows", "5 with 2-alt gets slower with density", "time_s", _ALL, rises("2alt/5")),
        PublishedClaim(
            "others stable", "the other rules take about the same time at every density", "time_s", _ALL, others_stable
        ),
    ]
    return tuple(found)


CLAIMS = _claims()
"""The claims that are about one solver and one size; ``differences`` has those about several."""
HEADS = ("claim", "says", "reading", "solver", "size", "boards", "verdict", "support", "numbers")


def verdict(truth: Truth) -> tuple[str, float]:
    """The verdict of all samples, and the share of them in which the claim holds.

    >>> import numpy as np
    >>> verdict(np.array([True] * 100)), verdict(np.array([True, False])), verdict(np.array([], dtype=bool))[0]
    (('holds', 1.0), ('not enough data', 0.0), 'not enough data')
    """
    if len(truth) < 2:
        return UNKNOWN, math.nan
    support = float(truth[1:].mean())
    if support >= SURE and truth[0]:
        return CLAIM_HOLDS, support
    return (CLAIM_FAILS if support <= 1 - SURE and not truth[0] else UNKNOWN), support


def examine(
    frame: pd.DataFrame, readings: Sequence[str] = READINGS, paired: bool = False, seed: int = 0, samples: int = 400
) -> pd.DataFrame:
    """Every claim for every reading of rules 4 and 6, solver and size: holds, does not hold, or not enough data.

    Claims that name no rule 4 or 6 alone are listed under every reading that has runs, since encodings of that reading
    may be among those that they compare. ``support``: the share of samples in which the claim holds.
    """
    rows = []
    for reading in readings:
        runs = of_report(frame, reading)
        for solver in values_of(runs, "solver"):
            for size in sizes(runs[runs["solver"].eq(solver)]):
                if not (runs["solver"].eq(solver) & runs["size"].eq(size) & runs["reading"].eq(reading)).any():
                    continue
                drawn = {
                    name: curves(frame, solver, size, column, reading, paired, seed, samples)
                    for name, column in (("decisions", "decisions"), ("time_s", clock_of(frame).column))
                }
                over = "ended by all" if paired else "ended"
                for claim in CLAIMS:
                    judgement = _format_claim(claim, drawn[claim.column])
                    rows.append((claim.name, claim.says, reading, solver, size, over, *judgement))
    return pd.DataFrame(rows, columns=list(HEADS))


def _format_claim(claim: PublishedClaim, c: Curves) -> tuple[str, float, str]:
    if not c.has(claim.needs):
        return UNKNOWN, math.nan, f"needs {FEWEST_BOARDS} boards a density that ended, of {_listed(claim.needs)}"
    truth, numbers = claim.check(c)
    return (*verdict(truth), numbers)


def _listed(names: Sequence[str]) -> str:
    return "all twelve encodings" if len(names) == len(_ALL) else ", ".join(names)


def readings_compared(examined: pd.DataFrame) -> pd.DataFrame:
    """How many of the report's claims hold in each reading of rules 4 and 6: which curves have the report's shape."""
    table = examined.groupby(["reading", "verdict"], sort=True).size().unstack(fill_value=0)
    table = table.reindex(columns=[CLAIM_HOLDS, CLAIM_FAILS, UNKNOWN], fill_value=0)
    return table.reset_index().rename_axis(columns=None)


# Ratios of decisions and times of two encodings, with intervals.


class Pair(NamedTuple):
    """What one encoding takes of another's decisions or time, on the boards that both have run on."""

    boards: int
    over: int
    found: IntervalEstimate


def decisions_of(runs: pd.DataFrame, name: str, against: str, shares: Sequence[float] = ()) -> Pair:
    """The median ratio of decisions, over the boards that both ended; none and none are the same."""
    here = runs[runs["report_name"].isin([name, against])]
    here = here[here["density"].isin(shares)] if shares else here
    over = int(here["censored"].sum())
    known = here[here["solved"] & here["decisions"].notna()].assign(value=lambda t: t["decisions"].astype("float64"))
    wide = known.pivot_table(index="instance", columns="report_name", values="value").reindex(columns=[name, against])
    wide = wide.dropna()
    ratios = np.where((wide[name] == 0) & (wide[against] == 0), 1.0,
                      quotient(wide[name].to_numpy(), wide[against].to_numpy()))  # fmt: skip
    return Pair(len(wide), over, intervals.median(ratios))


def times_of(runs: pd.DataFrame, clock: Clock, name: str, against: str) -> Pair:
    """The median ratio of times; a run over the limit has taken longer than that (``paired``)."""
    here = runs[runs["report_name"].isin([name, against])]
    if here["report_name"].nunique() < 2:
        return Pair(0, 0, NOTHING)
    row = compared(boards_of(here, clock, "report_name"), name, against)
    value, low, high = (float(str(row[key])) for key in ("ratio", "ratio_low", "ratio_high"))
    return Pair(int(str(row["boards"])), int(here["censored"].sum()), IntervalEstimate(value, low, high))


def growth_of(runs: pd.DataFrame, clock: Clock, name: str, size: str, low: float, high: float) -> Pair:
    """The mean time at density ``high`` by that at ``low``; a run over the limit counts the time that it had."""
    here = runs[runs["report_name"].eq(name) & runs["size"].eq(size)]
    here = here[here["solved"] | here["censored"]].assign(value=lambda t: t[clock.column].astype("float64"))
    below, above = (here.loc[here["density"].eq(d)].groupby("instance")["value"].median() for d in (low, high))
    boards, over = len(below) + len(above), int(here["censored"].sum())
    if min(len(below), len(above)) < FEWEST:
        return Pair(boards, over, NOTHING)
    drawn = (samples_of(len(above), 1) @ above.to_numpy()) / (samples_of(len(below), 2) @ below.to_numpy())
    return Pair(boards, over, IntervalEstimate(float(above.mean() / below.mean()), *ends(drawn)))


# Differences between encodings, solvers and sizes: decisions, runs over the limit, wrong pictures, peaks of times.


def only_minisat(frame: pd.DataFrame, reading: str = "ends") -> pd.DataFrame:
    """The claim that only MiniSat's decisions differ between the rules: how far they do, solver by solver.

    ``same``: the share of boards on which all encodings that ended have the same count; ``spread``: the highest mean of
    an encoding by the lowest, over all boards of the size.
    """
    runs = of_report(frame, reading)
    runs = runs[report_counts(runs) & runs["decisions"].notna()]
    rows = []
    for (solver, size), group in groups(runs, ("solver", "size")):
        table = group.assign(value=group["decisions"].astype("float64")).pivot_table(
            index="instance", columns="report_name", values="value", aggfunc="mean"
        )
        means, several = table.mean(), table[table.notna().sum(axis=1) > 1]
        same = float((several.nunique(axis=1) == 1).mean()) if len(several) else math.nan
        spread = float(quotient(means.max(), means.min())) if len(means) > 1 else math.nan
        differs = UNKNOWN if len(means) < 2 else ("they differ" if spread > CLOSE else "they hardly differ")
        rows.append((solver, size, len(several), same, spread, differs))
    return pd.DataFrame(rows, columns=["solver", "size", "boards", "same", "spread", "verdict"])


def timeouts_by_size(frame: pd.DataFrame) -> pd.DataFrame:
    """The claim that time-outs grow with the size: their share with Wilson's interval, by solver and size."""
    rows = []
    for (solver, size), group in groups(frame, ("solver", "size")):
        over = int(group["outcome"].isin(["TIMEOUT", "CPUOUT"]).sum())
        share = intervals.wilson(over, len(group))
        rows.append((solver, size, len(group), over, share.value, share.low, share.high))
    return pd.DataFrame(rows, columns=["solver", "size", "runs", "over", "share", "low", "high"])


def wrong_by_reading(
    frame: pd.DataFrame, by: Sequence[str] = ("domain_rule", "rules", "reading", "channel", "integers")
) -> pd.DataFrame:
    """The share of wrong pictures among the answers (SAT, UNSAT, WRONG), by the encodings' parts."""
    rows = []
    for names, group in groups(frame[report_counts(frame)], by):
        wrong, unsat = int(group["wrong"].sum()), int(group["false_unsat"].sum())
        share = intervals.wilson(wrong, len(group))
        rows.append((*names, len(group), wrong, share.value, share.low, share.high, unsat))
    return pd.DataFrame(rows, columns=[*by, "answers", "wrong", "share", "low", "high", "false_unsat"])


def time_peaks(
    frame: pd.DataFrame, reading: str = "ends", at_limit: bool = False, seed: int = 0, samples: int = 1000
) -> pd.DataFrame:
    """At which density the mean time peaks, for each solver, size and encoding, with a bootstrap 95 % interval.

    ``low`` and ``high`` are the least and greatest density among the central 95 % of the samples' peaks; ``support``
    is the share of the samples that peak at ``peak``. Means are the report's: ``over`` runs over the limit are not in
    them, or count the limit (``at_limit``).
    """
    rows = []
    runs = of_report(frame, reading)
    for (solver, size), group in groups(runs, ("solver", "size")):
        c = curves(group, str(solver), str(size), clock_of(frame).column, reading, False, seed, samples, at_limit)
        for name in c.names:
            over = int((group["report_name"].eq(name) & group["censored"]).sum())
            if not c.has((name,)):
                rows.append((solver, size, name, *[math.nan] * 4, over))
                continue
            places = c.peaks(name)
            ends = np.quantile(places[1:], [0.025, 0.975], method="inverted_cdf")
            support = float(np.isclose(places[1:], places[0]).mean())
            rows.append((solver, size, name, float(places[0]), float(ends[0]), float(ends[1]), support, over))
    return pd.DataFrame(rows, columns=["solver", "size", "encoding", "peak", "low", "high", "support", "over"])


HOLDS, FAILS, OPEN = "holds", "does not hold", "cannot be told"
MINISAT = "minisat22"
DENSE, SPARSE = (0.4, 0.5), (0.1, 0.2, 0.3)

Range = tuple[float, float]
"""The values that a claim allows, both ends included."""
VERY_FEW, HALF, LESS, NO_LESS = (0.0, FEW), (0.0, 1 / MUCH), (0.0, math.nextafter(1, 0)), (1.0, math.inf)
SAME, SLOWER, STABLE = (1 / CLOSE, CLOSE), (MUCH, math.inf), (0.0, math.nextafter(MUCH, 0))
DIFFERENT, ALIKE = (math.nextafter(CLOSE, 2), math.inf), (0.0, CLOSE)
AT_40, SELDOM = (0.399, 0.401), (0.0, 0.05)


class Row(NamedTuple):
    """One number that a claim rests on; ``boards``: how many it is of, ``over``: runs of them that a limit ended."""

    claim: str
    measured: str
    solver: str
    boards: int
    over: int
    value: float
    low: float
    high: float
    verdict: str


def verdicts(frame: pd.DataFrame) -> pd.DataFrame:
    """A row a number, in the order of the report's claims, with the fields of ``Row``, where there are boards."""
    runs = latest(of_report(frame))
    counted = runs.assign(solved=report_counts(runs))
    minisat = counted[counted["solver"].eq(MINISAT)]
    if minisat.empty:
        return pd.DataFrame(columns=list(Row._fields))
    rows = [*_solvers_differ(counted), *_decisions(minisat), *_near_fifty(minisat), *_times(minisat, clock_of(frame))]
    rows += [*_along_density(minisat, clock_of(frame)), *_peaks(runs), *_over(minisat), *_wrong(minisat)]
    return pd.DataFrame([row for row in rows if row.boards], columns=list(Row._fields))


def sheet(table: pd.DataFrame) -> Sheet:
    """The table as it is read."""
    columns = [
        Column("claim", "the report says"),
        Column("measured", "measured"),
        Column("solver", "solver"),
        Column("boards", "boards", "count"),
        Column("over", "over the limit", "count", meaning="runs of these boards that a limit ended"),
        Column("value", "value", "factor", "low", "high", meaning="with its 95 % interval"),
        Column("verdict", "verdict"),
    ]
    caption = "What Castilho & Welter's report claims, each claim as a number over all boards, with its 95 % interval."
    return Sheet("verdicts", caption, table, columns, True)


def judged(found: IntervalEstimate, claimed: Range) -> str:
    """Whether an interval lies inside the claimed range (the claim holds), outside (it does not), or neither.

    >>> judged(IntervalEstimate(0.2, 0.1, 0.24), (0, 0.25)), judged(IntervalEstimate(0.2, 0.1, 0.3), (0, 0.25))
    ('holds', 'cannot be told')
    >>> judged(IntervalEstimate(1.0, 0.5, 2.0), (0.8, 1.25)), judged(IntervalEstimate(2.0, 1.5, 2.5), (0.8, 1.25))
    ('cannot be told', 'does not hold')
    """
    if np.isnan([found.low, found.high]).any():
        return OPEN
    if claimed[0] <= found.low and found.high <= claimed[1]:
        return HOLDS
    return FAILS if found.high < claimed[0] or claimed[1] < found.low else OPEN


def _row(claim: str, measured: str, pair: Pair, claimed: Range, solver: str = MINISAT) -> Row:
    found = pair.found
    return Row(
        claim, measured, solver, pair.boards, pair.over, found.value, found.low, found.high, judged(found, claimed)
    )


def _solvers_differ(runs: pd.DataFrame) -> Iterator[Row]:
    claim = "only MiniSAT's decisions differ between the rules"
    for solver in values_of(runs, "solver"):
        here = runs[runs["solver"].eq(solver) & runs["size"].eq(sizes(runs)[0]) & runs["solved"]]
        table = here.assign(value=here["decisions"].astype("float64"))
        wide = table.pivot_table(index="instance", columns="report_name", values="value").dropna()
        if wide.shape[1] < 2 or len(wide) < FEWEST:
            continue
        means = np.vstack([wide.mean().to_numpy(), samples_of(len(wide), 0) @ wide.to_numpy()])
        spread = quotient(means.max(axis=1), means.min(axis=1))
        found = IntervalEstimate(float(spread[0]), *ends(spread[1:]))
        measured = f"most by least mean decisions of {wide.shape[1]} encodings, {sizes(runs)[0]}"
        yield _row(claim, measured, Pair(len(wide), 0, found), DIFFERENT if solver == MINISAT else ALIKE, solver)


def _decisions(runs: pd.DataFrame) -> Iterator[Row]:
    for rule in RULES:
        found = decisions_of(runs, f"2alt/{rule}", f"2/{rule}")
        yield _row("2-alt needs far fewer decisions than 2", f"2alt/{rule} by 2/{rule}", found, HALF)
    for d in DOMAINS:
        for rule in ("6", "5+6"):
            for shares, where in (((), ""), ((0.4,), " at 40 %")):
                few = decisions_of(runs, f"{d}/{rule}", f"{d}/3", shares)
                yield _row("6 and 5+6 need very few decisions", f"{d}/{rule} by {d}/3{where}", few, VERY_FEW)
    for d in DOMAINS:
        yield _row("5 needs about as many decisions as 3", f"{d}/5 by {d}/3", decisions_of(runs, f"{d}/5", f"{d}/3"),
                   SAME)  # fmt: skip
    for d in DOMAINS:
        found = decisions_of(runs, f"{d}/6", f"{d}/4")
        yield _row("6 needs far fewer decisions than 4", f"{d}/6 by {d}/4", found, HALF)
    for closed, rule in (("5", "3"), ("6", "4"), ("5+6", "3+4")):
        found = decisions_of(runs, f"2alt/{closed}", f"2alt/{rule}")
        yield _row("the closure lowers the decisions", f"2alt/{closed} by 2alt/{rule}", found, LESS)


def _near_fifty(runs: pd.DataFrame) -> Iterator[Row]:
    """The ratio to rule 3 on dense boards, by that on sparser ones; intervals by their ends, so wide ones."""
    for name, against in (("2/6", "2/3"), ("2/5+6", "2/3"), ("2alt/6", "2alt/3"), ("2alt/5+6", "2alt/3")):
        rest = decisions_of(runs, name, against, SPARSE)
        for share in DENSE:
            dense = decisions_of(runs, name, against, (share,))
            a, b = dense.found, rest.found
            with np.errstate(divide="ignore", invalid="ignore"):
                value, low, high = np.array([a.value, a.low, a.high]) / np.array([b.value, b.high, b.low])
            found = IntervalEstimate(float(value), float(low), float(high))
            pair = Pair(dense.boards + rest.boards if dense.boards else 0, dense.over + rest.over, found)
            measured = f"({name} by {against}) at {100 * share:g} %, by that at 10 to 30 %"
            yield _row("and fewest near 50 %", measured, pair, LESS)


def _times(runs: pd.DataFrame, clock: Clock) -> Iterator[Row]:
    for rule in RULES:
        found = times_of(runs, clock, f"2alt/{rule}", f"2/{rule}")
        yield _row("2-alt is faster than 2, but with 3+4", f"2alt/{rule} by 2/{rule}", found,
                   LESS if rule != "3+4" else NO_LESS)  # fmt: skip
    for other in ("3", "4", "5", "3+4", "5+6"):
        found = times_of(runs, clock, "2alt/6", f"2alt/{other}")
        yield _row("6 is much better than all others", f"2alt/6 by 2alt/{other}", found, HALF)


def _along_density(runs: pd.DataFrame, clock: Clock) -> Iterator[Row]:
    """Mean times at two densities, of runs within the limit; those over it count the limit, so from below."""
    rising = {"2alt/5": True, "2alt/3+4": True, "2/3+4": True}
    names = [f"{d}/{rule}" for rule in RULES for d in DOMAINS]
    size = sizes(runs)[0]
    for name in names:
        growth = growth_of(runs, clock, name, size, 0.1, 0.4)
        word = "5 with 2-alt and 3+4 get slower with density, the others are stable"
        rises = rising.get(name, False)
        yield _row(word, f"{name}: mean time at 40 % by that at 10 %, {size}", growth,
                   SLOWER if rises else STABLE)  # fmt: skip
    for name in ("2alt/5+6", "2alt/3"):
        for large in sizes(runs):
            falls = growth_of(runs, clock, name, large, 0.3, 0.5)
            if falls.boards >= 2 * FEWEST:
                yield _row("5+6 gets far faster on dense boards", f"{name}: mean time at 50 % by that at 30 %, {large}",
                           falls, HALF)  # fmt: skip


def _peaks(runs: pd.DataFrame) -> Iterator[Row]:
    """Where mean times are highest, a run over the limit counting the limit."""
    claim = "the time peaks at 40 %"
    table = time_peaks(runs[runs["solver"].eq(MINISAT)], at_limit=True)
    reach = runs[runs["solver"].eq(MINISAT)].groupby("size")["density"].agg(set)
    whole = [str(size) for size, known in reach.items() if {0.3, 0.4, 0.5} <= known]
    for peak in table[table["encoding"].isin(["2alt/3", "2alt/6"]) & table["size"].isin(whole)].itertuples():
        here = runs[runs["solver"].eq(MINISAT) & runs["size"].eq(peak.size) & runs["report_name"].eq(peak.encoding)]
        found = IntervalEstimate(float(peak.peak), float(peak.low), float(peak.high))
        measured = f"{peak.encoding}: density of the highest mean time, {peak.size}"
        yield _row(claim, measured, Pair(here["instance"].nunique(), int(peak.over), found),
                   AT_40)  # fmt: skip


def _over(runs: pd.DataFrame) -> Iterator[Row]:
    """The share of runs over the limit by size, of the densities that were run; more than at the smallest size."""
    most = 0.0
    for size in sizes(runs):
        here = runs[runs["size"].eq(size) & runs["report_name"].eq("2alt/3")]
        over = int(here["censored"].sum())
        found = intervals.wilson(over, len(here))
        shares = ", ".join(f"{100 * density:g}" for density in densities(here))
        if size == sizes(runs)[0]:
            most = found.high
        elif size != "30x30":
            measured = f"2alt/3: share over the limit, {size} at {shares} %"
            yield _row("time-outs are more at 40x40 and 50x50", measured, Pair(len(here), over, found),
                       (math.nextafter(most, 1), 1.0))  # fmt: skip


def _wrong(runs: pd.DataFrame) -> Iterator[Row]:
    for rules in (("4",), ("6",), ("3", "5", "3+4", "5+6")):
        here = runs[runs["rules"].isin(rules) & runs["solved"]]
        found = intervals.wilson(int(here["wrong"].sum()), len(here))
        yield _row("(not asked:) the pictures are right", f"rules {', '.join(rules)}: share of wrong pictures",
                   Pair(here["instance"].nunique(), 0, found), SELDOM)  # fmt: skip


# The tables and figures of a study's report, and those in results/.


CASTILHO = "Castilho & Welter 2018"
ENOUGH = 6
"""Of the report's twelve encodings: with fewer a study is not about it."""
_NUMBERS = {
    ("decisions", "glucose", "30x30"): "5.1",
    ("decisions", "lingeling", "40x40"): "5.2",
    ("decisions", "minisat", "30x30"): "5.3",
    ("decisions", "minisat", "40x40"): "5.4",
    ("time", "minisat", "40x40"): "5.5",
    ("3", "minisat", ""): "5.6",
    ("6", "minisat", ""): "5.7",
}


def is_of_the_report(frame: pd.DataFrame) -> bool:
    """Whether the records are of the report's encodings, over densities."""
    runs = of_report(frame)
    return bool(runs["report_name"].nunique() >= ENOUGH and runs["density"].nunique() > 1)


def sheets(study: ReportedStudy) -> Iterator[tuple[str, Sheet]]:
    """(section, table) for a study's report: what the publication claims, and where encodings differ."""
    frame, seed = study.runs, study.seed
    if not is_of_the_report(frame):
        return
    yield CASTILHO, sheet(verdicts(frame))
    examined = examine(frame, seed=seed)
    compared = readings_compared(examined)
    yield CASTILHO, _sheet("readings", "The report's claims in each reading of rules 4 and 6", compared, opened=True)
    yield CASTILHO, _sheet("claims", "The report's claims, each encoding over the boards that it ended", examined)
    paired = examine(frame, paired=True, seed=seed)
    yield CASTILHO, _sheet("claims-paired", "The report's claims, over the boards that all encodings ended", paired)
    differ = only_minisat(frame)
    yield CASTILHO, _sheet("decisions-by-rule", "Do the solver's decisions differ between rules?", differ)
    yield CASTILHO, _sheet("timeouts", "Runs over the limit by size", timeouts_by_size(frame))
    yield (
        CASTILHO,
        _sheet("wrong-by-parts", "Wrong answers by the encoding's parts", wrong_by_reading(frame)),
    )
    for reading in values_of(examined, "reading"):
        words = f"Density at which the mean time peaks (rules 4 and 6: {reading})"
        yield CASTILHO, _sheet(f"peaks-{reading}", words, time_peaks(frame, reading, seed=seed))
        limited = time_peaks(frame, reading, at_limit=True, seed=seed)
        yield CASTILHO, _sheet(f"peaks-{reading}-limited", f"{words}, runs over the limit at the limit", limited)


def _sheet(name: str, caption: str, table: pd.DataFrame, opened: bool = False) -> Sheet:
    return Sheet(name, f"{caption}.", table, plain_columns(table, MEANINGS), opened)


def figures(study: ReportedStudy, every: bool = False) -> Iterator[Drawn]:
    """The publication's figures; ``every``: for all solvers, sizes and readings that the records have."""
    frame = study.runs
    if not is_of_the_report(frame):
        return
    for reading in READINGS:
        runs = of_report(frame, reading)
        runs = runs[runs["density"].notna() & report_counts(runs)]
        for solver in values_of(runs, "solver"):
            for name, number, made in _of_solver(frame, runs[runs["solver"].eq(solver)], solver, reading):
                if every or (number and reading == "ends"):
                    figure = made()
                    if number:
                        figure.title += f" (the report's figure {number})"
                    yield Drawn(name, CASTILHO, figure)


_Made = Callable[[], TitledFigure]


def _of_solver(frame: pd.DataFrame, runs: pd.DataFrame, solver: str, reading: str) -> Iterator[tuple[str, str, _Made]]:
    for size in sizes(runs):
        some = runs[runs["size"].eq(size)]
        if reading != "ends" and not some["reading"].eq(reading).any():
            continue  # it would be the same figure as under the first reading
        for column, word in (("decisions", "decisions"), (clock_of(frame).column, "time")):
            if some[column].notna().any():
                number = _number(word, solver, size)
                yield f"{word}-{solver}-{size}-{reading}", number, _by_fill(frame, solver, size, column, reading)
    for rules in ("3", "6"):
        if (rules == "6" or reading == "ends") and runs["rules"].eq(rules).any():
            number = _number(rules, solver, "")
            yield f"time-rule-{rules}-{solver}-{reading}", number, _by_size(frame, solver, rules, reading)


def _by_fill(frame: pd.DataFrame, solver: str, size: str, column: str, reading: str) -> _Made:
    return lambda: by_fill(frame, solver, size, column, reading)


def _by_size(frame: pd.DataFrame, solver: str, rules: str, reading: str) -> _Made:
    return lambda: time_by_size(frame, solver, rules, reading)


def _number(what: str, solver: str, size: str) -> str:
    for (which, name, board), number in _NUMBERS.items():
        if which == what and solver.startswith(name) and board == size:
            return number
    return ""


def write(frame: pd.DataFrame, out: Path) -> None:
    """Write the verdicts, the publication's seven figures and that of wrong answers, one column wide with captions.

    Figure 5.1, Glucose's decisions, is of 20x20: the records have no others.
    """
    out.mkdir(parents=True, exist_ok=True)
    table = verdicts(frame)
    table.to_csv(out / "verdicts.csv", index=False, float_format="%.6g")
    (out / "verdicts.md").write_text(markdown(sheet(table)), encoding="utf-8")
    made = {f"figure-{number}": draw for number, draw in NUMBERED.items() if number != "5.1"}
    made["figure-5.1-at-20x20"] = lambda runs: decisions_by_fill(runs, "glucose4", "20x20")
    made["wrong-answers"] = plots.wrong_pictures
    with drawn_for(paper(8.5, 7.0, None)):
        for name, draw in made.items():
            figure = draw(frame)
            save(figure, out / name, ("png",))
            (out / f"{name}.txt").write_text(figure.caption + "\n", encoding="utf-8")


if __name__ == "__main__":
    name = "castilho2018-again"
    write(load(RESULTS / f"{name}.parquet"), Path(sys.argv[1]) if sys.argv[1:] else RESULTS / name)
