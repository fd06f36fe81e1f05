"""The transition of random boards by density: uniqueness, backbone, and the costs of finding, proving and counting.

    python experiments/transition/analysis.py [DIR]

makes the files of results/transition anew, or in DIR, from the records of three studies on the same boards: ``boards``
has a row a board, ``by_cell`` a row a size and density; ``by_solver`` is of a study of its own, of four solvers.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from nonosat import Verdict
from nonosat.studies.analysis import frames, intervals
from nonosat.studies.analysis.intervals import IntervalEstimate, kaplan_meier, resamples, wilson
from nonosat.studies.analysis.lines import PlotLine, draw_lines, name_lines
from nonosat.studies.analysis.style import (
    COLUMNS,
    TitledFigure,
    drawn,
    drawn_for,
    headed,
    labelled,
    logarithmic,
    look,
    panel_grid,
    paper,
    publish,
)

# Records of the three studies as one table, a row a board.


RESULTS = Path(__file__).parents[2] / "results"
STUDIES = ("transition", "transition-finding", "transition-counting")
SAT, BELIEFS, COUNTER, BACKBONE, REASONING = "minisat22", "beliefs", "components", "backbone", "difficulty"


def load_boards(folder: str | Path) -> pd.DataFrame:
    """The runs of all three studies, from the Parquet files of their names in ``folder``; no interrupted ones."""
    runs = pd.concat([frames.load(Path(folder) / f"{study}.parquet") for study in STUDIES], ignore_index=True)
    return runs[runs["outcome"].ne(str(Verdict.INTERRUPTED))].reset_index(drop=True)


def boards(runs: pd.DataFrame) -> pd.DataFrame:
    """A row a board: ``n`` (its side), ``density`` and ``seed``, and these, NaN or NA where no run has them:

    - ``unique``: there is one picture (True), or several (False), by SAT or a count
    - ``backbone_least``, ``backbone_most``: the share of cells that all solutions share lies between them; 0 and 1 if
      the run was stopped before it knew anything
    - ``by_lines``: share of cells that lines fix; ``hardness``: the label of its difficulty
    - ``log10``: of the number of solutions, and ``counted``: that is the number, and not a lower bound
    - ``bethe``: the same by Bethe
    - ``find_s``, ``prove_s``, ``count_s``: CPU seconds of SAT until the first picture, of SAT from there until the
      second or the proof that there is none (and the end of the process, of milliseconds), and of counting;
      ``beliefs_s``: of beliefs until the first picture.
      Encoding and loading are left out; ``..._ended``: it came to that end, and was not stopped
    - ``find_conflicts``, ``prove_conflicts``
    """
    whole = pd.DataFrame(index=pd.MultiIndex.from_frame(_names(runs).drop_duplicates()))
    sat, count, backbone = _of(runs, SAT), _of(runs, COUNTER), _of(runs, BACKBONE)
    reasoning, beliefs = _of(runs, REASONING), _of(runs, BELIEFS)
    unique = [run["unique"].astype("boolean") for run in (sat, count, backbone)]
    whole["unique"] = unique[0].reindex(whole.index)
    for other in unique[1:]:
        whole["unique"] = whole["unique"].fillna(other.reindex(whole.index))
    for name, unknown in (("backbone_least", 0.0), ("backbone_most", 1.0)):
        known = backbone[name].reindex(whole.index).fillna(count[name].reindex(whole.index))
        whole[name] = known.mask(known.isna() & whole.index.isin(backbone.index), unknown)
    whole["by_lines"], whole["hardness"] = reasoning["by_lines"], reasoning["hardness"]
    whole["hardness"] = whole["hardness"].mask(whole["unique"].eq(False).fillna(False), "ambiguous")
    exact = pd.concat([run["log10_solutions"] for run in (count, backbone, sat)])
    least = pd.concat([run["log10_known"] for run in (count, backbone, sat)])
    whole["log10"] = exact.groupby(level=[0, 1, 2]).max()
    whole["counted"] = whole["log10"].notna()
    whole["log10"] = whole["log10"].fillna(least.groupby(level=[0, 1, 2]).max())
    whole["bethe"] = count["entropy_bethe"].reindex(whole.index).fillna(backbone["entropy_bethe"].reindex(whole.index))
    return _with_costs(whole, sat, count, beliefs).reset_index().sort_values(["n", "density", "seed"])


def _with_costs(whole: pd.DataFrame, sat: pd.DataFrame, count: pd.DataFrame, beliefs: pd.DataFrame) -> pd.DataFrame:
    sat = finding_and_proving(sat)
    whole["find_s"], whole["find_ended"], whole["prove_s"] = sat["find_s"], sat["found"], sat["prove_s"]
    whole["prove_ended"] = sat["solved"].where(sat["found"])
    whole["count_s"], whole["count_ended"] = count["solve_cpu_s"], count["solved"]
    whole["beliefs_s"] = beliefs["first_cpu_s"].fillna(beliefs["solve_cpu_s"])
    whole["beliefs_ended"] = beliefs["first_cpu_s"].notna()
    whole["find_conflicts"] = sat["first_conflicts"].astype("Float64").astype("float64")
    last = sat["conflicts"].astype("Float64").astype("float64")
    whole["prove_conflicts"] = np.maximum(last - whole["find_conflicts"], 0)
    return whole


def finding_and_proving(runs: pd.DataFrame) -> pd.DataFrame:
    """``runs`` on two pictures, with ``find_s`` and ``prove_s``: see ``by_solver``. ``found``: was there a picture?"""
    before = runs["encode_cpu_s"].fillna(0) + runs["load_cpu_s"].fillna(0)
    first = runs["first_cpu_s"].notna()
    return runs.assign(
        find_s=runs["first_cpu_s"].where(first, runs["cpu_s"]) - before,
        prove_s=(runs["cpu_s"] - runs["first_cpu_s"]).where(first),
        found=first,
    )


def _of(runs: pd.DataFrame, solver: str) -> pd.DataFrame:
    """The runs of a solver, by board."""
    found = runs[runs["solver"].eq(solver)]
    return found.set_index(pd.MultiIndex.from_frame(_names(found)))


def _names(runs: pd.DataFrame) -> pd.DataFrame:
    return pd.DataFrame(
        {"n": runs["rows"].astype("int64"), "density": runs["density"], "seed": runs["seed"].astype("int64")}
    )


# The boards of one size and density (a cell): shares, means and times, each with an interval; and where they peak.
#
# A run that the limit ended would have taken longer. The mean is Kaplan & Meier's restricted mean up to ``UNTIL``
# seconds; since all runs had that limit, it is the mean of the seconds spent. Intervals of shares are Wilson's; all
# others are the bootstrap's percentile intervals over the boards of a cell.


UNTIL = 3.0
"""CPU seconds that every run had."""
COSTS = ("find", "prove", "count", "beliefs")
LEVEL = 0.95

Floats = npt.NDArray[np.float64]


def by_cell(table: pd.DataFrame, seed: int = 0) -> pd.DataFrame:
    """A row a size ``n`` and density, of the rows of ``boards``.

    ``boards``: how many; ``asked``: of how many SAT was asked; ``settled``: of how many it is known whether they are
    unique; ``unique``: the share of those (Wilson's interval); ``backbone_least``, ``backbone_most``: the means of the
    bounds, ``backbone`` their middle, with the interval from the lower one's lower to the upper one's upper end;
    ``backbone_open``: boards whose backbone is not settled; ``by_lines``, ``line_solvable``; ``counts``: how many were
    given to ``components``; ``numbers``: of how many something is known, by that or by the short count of
    ``backbone``, and ``counted``: the share of these that was counted; ``log10``: Kaplan & Meier's median (inf: half
    of them or more were not); ``log10_least``: the median of what is known at least; ``bethe``: the median; ``find_s``
    and so on: restricted means, and ``find_late``: the share of runs that were ended. ``..._low``, ``..._high``: the
    interval.
    """
    rows = []
    for (n, density), here in table.groupby(["n", "density"]):
        unique = here["unique"].dropna()
        row = {"n": n, "density": density, "boards": len(here), "settled": len(unique)}
        row["asked"] = int(here["find_s"].notna().sum())
        row |= _spread("unique", intervals.wilson(int(unique.sum()), len(unique)))
        least, most = (mean(here[name], seed) for name in ("backbone_least", "backbone_most"))
        row |= _spread("backbone", IntervalEstimate((least.value + most.value) / 2, least.low, most.high))
        row |= {"backbone_least": least.value, "backbone_most": most.value}
        row["backbone_open"] = int((here["backbone_most"] > here["backbone_least"]).sum())
        row |= _spread("by_lines", mean(here["by_lines"], seed))
        row["line_solvable"] = float((here["by_lines"].dropna() == 1).mean())
        numbers = here[here["log10"].notna()]
        row |= {
            "counts": int(here["count_s"].notna().sum()),
            "numbers": len(numbers),
            "counted": float(numbers["counted"].mean()),
        }
        row |= _spread("log10", kaplan_meier(numbers["log10"], numbers["counted"]).median())
        row |= {"log10_least": numbers["log10"].median(), "bethe": here["bethe"].median()}
        for cost in COSTS:
            row |= _spread(f"{cost}_s", mean(here[f"{cost}_s"].clip(upper=UNTIL), seed))
            ended = here.loc[here[f"{cost}_s"].notna(), f"{cost}_ended"].astype(bool)
            row[f"{cost}_late"] = float((~ended).mean()) if len(ended) else np.nan
        row |= _spread("prove_conflicts", mean(here["prove_conflicts"], seed))
        row |= _spread("find_conflicts", mean(here["find_conflicts"], seed))
        rows.append(row)
    return pd.DataFrame(rows)


def _spread(name: str, estimate: IntervalEstimate) -> dict[str, float]:
    return {name: estimate.value, f"{name}_low": estimate.low, f"{name}_high": estimate.high}


def mean(values: pd.Series, seed: int = 0) -> IntervalEstimate:
    """The mean, with the bootstrap's percentile interval; what is not known is left out."""
    known = values.dropna().to_numpy(dtype=np.float64)
    if not len(known):
        return IntervalEstimate(np.nan, np.nan, np.nan)
    drawn = known[intervals.resamples(len(known), intervals.RESAMPLES, seed)].mean(axis=1)
    return IntervalEstimate(
        float(known.mean()), *(float(q) for q in np.quantile(drawn, [(1 - LEVEL) / 2, (1 + LEVEL) / 2]))
    )


def resampled(
    table: pd.DataFrame, column: str, statistic: Callable[[Floats, Floats], float], seed: int = 0, count: int = 400
) -> IntervalEstimate:
    """``statistic(densities, means of column)`` of one size's boards, with the bootstrap's interval.

    The boards of each density are drawn anew, with replacement.
    """
    cells = [
        (float(density), here[column].to_numpy(dtype=np.float64))
        for density, here in table.dropna(subset=[column]).groupby("density")
    ]
    x = np.array([density for density, _ in cells])
    value = statistic(x, np.array([values.mean() for _, values in cells]))
    drawn = np.empty((count, len(cells)))
    for i, (_, values) in enumerate(cells):
        drawn[:, i] = values[intervals.resamples(len(values), count, seed + i)].mean(axis=1)
    found = np.array([statistic(x, means) for means in drawn])
    if np.isnan(found).all():
        return IntervalEstimate(value, np.nan, np.nan)
    low, high = np.quantile(found[~np.isnan(found)], [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return IntervalEstimate(value, float(low), float(high))


def peaks(table: pd.DataFrame, costs: tuple[str, ...] = COSTS, seed: int = 0) -> pd.DataFrame:
    """Where each cost is highest, by size: the density of the largest restricted mean, with the bootstrap's interval.

    ``late``: the share of runs that were ended there; where that is near 1, the peak is a plateau that the limit cuts
    off: ``from`` and ``to`` are the densities at which half of the runs or more were ended.
    """
    rows = []
    for n, here in table.groupby("n"):
        for cost in costs:
            known = here[here[f"{cost}_s"].notna()].assign(spent=here[f"{cost}_s"].clip(upper=UNTIL))
            found = resampled(known, "spent", lambda x, y: float(x[np.argmax(y)]), seed)
            late = (~known[f"{cost}_ended"].astype(bool)).groupby(known["density"]).mean()
            over = late[late >= 0.5].index
            rows.append(
                {
                    "n": n, "cost": cost, **_spread("density", found), "late": late[found.value],
                    "from": over.min() if len(over) else np.nan, "to": over.max() if len(over) else np.nan,
                }
            )  # fmt: skip
    return pd.DataFrame(rows)


def ended_early(table: pd.DataFrame, cost: str) -> pd.DataFrame:
    """The share of runs that were ended at the limit: a row a density, a column a size."""
    known = table[table[f"{cost}_s"].notna()]
    late = ~known[f"{cost}_ended"].astype(bool)
    return late.groupby([known["density"], known["n"]]).mean().unstack("n")


# How the transition moves and sharpens with the size of boards. Intervals are the bootstrap's, over boards.


FloatArray = npt.NDArray[np.float64]
FROM = 0.3
"""Both curves rise from here on; below it they are high again on the smallest boards."""


def half_way(table: pd.DataFrame, column: str, seed: int = 0) -> pd.DataFrame:
    """Of each size the density at which the mean of ``column`` crosses one half, and what it takes from 1/4 to 3/4.

    Between two densities the curve is a straight line; it is made monotonous first (pool adjacent violators).
    """
    rows = []
    for n, here in table[table["density"].ge(FROM)].groupby("n"):
        values = here.assign(value=here[column].astype("Float64").astype("float64"))
        middle = resampled(values, "value", lambda x, y: crossing(x, y, 0.5), seed)
        width = resampled(values, "value", lambda x, y: crossing(x, y, 0.75) - crossing(x, y, 0.25), seed)
        rows.append(
            {
                "n": n, "boards": int(values["value"].notna().sum()),
                "half": middle.value, "half_low": middle.low, "half_high": middle.high,
                "width": width.value, "width_low": width.low, "width_high": width.high,
            }
        )  # fmt: skip
    return pd.DataFrame(rows)


def crossing(x: FloatArray, y: FloatArray, level: float) -> float:
    """Where the rising curve through the points crosses ``level``; NaN if it does not.

    >>> round(crossing(np.array([0.0, 1.0, 2.0]), np.array([0.0, 0.4, 0.8]), 0.5), 3)
    1.25
    """
    rising = monotonous(y)
    above = np.flatnonzero(rising >= level)
    if not len(above) or above[0] == 0:
        return math.nan
    i = int(above[0])
    return float(x[i - 1] + (level - rising[i - 1]) / (rising[i] - rising[i - 1]) * (x[i] - x[i - 1]))


def monotonous(y: FloatArray) -> FloatArray:
    """The rising sequence nearest to ``y`` in squares: pool adjacent violators.

    >>> monotonous(np.array([0.0, 2.0, 1.0, 3.0])).tolist()
    [0.0, 1.5, 1.5, 3.0]
    """
    pools: list[list[float]] = []
    for value in y.tolist():
        pools.append([value, 1])
        while len(pools) > 1 and pools[-2][0] > pools[-1][0]:
            other, many = pools.pop()
            mean, more = pools.pop()
            pools.append([(mean * more + other * many) / (more + many), more + many])
    return np.repeat([mean for mean, _ in pools], [int(many) for _, many in pools])


def rests(table: pd.DataFrame, least: int = 20) -> pd.DataFrame:
    """-ln of the share of unique boards by size and density, where some are and some are not: how many causes of a
    second solution a board has, if these come by themselves (a Poisson number: the share is that of none). The interval
    is Wilson's of the share.
    """
    known = table.dropna(subset=["unique"])
    cells = known.assign(value=known["unique"].astype(int)).groupby(["n", "density"])["value"].agg(["sum", "size"])
    cells = cells[(cells["size"] >= least) & (cells["sum"] > 0) & (cells["sum"] < cells["size"])].reset_index()
    shares = [wilson(int(alone), int(all_)) for alone, all_ in zip(cells["sum"], cells["size"], strict=True)]
    return cells.assign(
        causes=[-math.log(share.value) for share in shares],
        causes_low=[-math.log(share.high) for share in shares],
        causes_high=[-math.log(share.low) for share in shares],
    )


def growth(table: pd.DataFrame, density: float, seed: int = 0, count: int = 400) -> IntervalEstimate:
    """The exponent a of -ln P(unique) ~ n^a at one density, by least squares over the sizes; bootstrap's interval.

    Half a board is added to both counts of every cell, so that a share of 0 or 1 has a logarithm.
    """
    here = table[table["density"].eq(density)].dropna(subset=["unique"])
    cells = [(float(n), group["unique"].to_numpy(dtype=bool)) for n, group in here.groupby("n")]
    sides = np.log([n for n, _ in cells])

    def slope(shares: list[float]) -> float:
        return float(np.polyfit(sides, np.log(-np.log(shares)), 1)[0])

    def share(values: npt.NDArray[np.bool_]) -> float:
        return float((values.sum() + 0.5) / (len(values) + 1))

    drawn = [values[resamples(len(values), count, seed + i)] for i, (_, values) in enumerate(cells)]
    slopes = [slope([share(values[k]) for values in drawn]) for k in range(count)]
    low, high = np.quantile(slopes, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return IntervalEstimate(slope([share(values) for _, values in cells]), float(low), float(high))


def growths(table: pd.DataFrame, densities: Sequence[float], seed: int = 0) -> pd.DataFrame:
    """``growth`` at several densities, a row each."""
    found = {density: growth(table, density, seed) for density in densities}
    rows = [(density, each.value, each.low, each.high) for density, each in found.items()]
    return pd.DataFrame(rows, columns=["density", "exponent", "low", "high"])


# The figures.


PANEL = (3.0, 1.6)
"""Inches of a panel; three of them, one below the other, are a column of a page."""
LATE = 0.05
"""A marker is open where more runs than this share were ended at the limit."""


def _lines(cells: pd.DataFrame, column: str, late: str | None = None) -> list[PlotLine]:
    """``column`` by density in percent, with its intervals if it has some, a line a size, small boards first."""
    found = []
    for index, (n, here) in enumerate(cells.groupby("n")):
        values = here[column].where(np.isfinite(here[column]))
        hollow = [] if late is None else (here[late] > LATE).tolist()
        ends = [here[f"{column}_{end}"].tolist() if f"{column}_{end}" in here else [] for end in ("low", "high")]
        x = (100 * here["density"]).tolist()
        found.append(PlotLine(f"n = {n}", x, values.tolist(), look(index), hollow, low=ends[0], high=ends[1]))
    return found


def _panel(axes: Axes, words: str, lines: Sequence[PlotLine]) -> None:
    """A panel of lines by density."""
    headed(axes, words)
    for line in lines:
        draw_lines(axes, _pieces(line))
    axes.set_xticks(range(0, 101, 20))
    axes.set_xlim(0, 100)
    panel_grid(axes)


def _pieces(line: PlotLine) -> list[PlotLine]:
    """``line`` broken where a point is missing, so that nothing is drawn through what is not known."""
    known = np.isfinite(line.y)
    starts = np.flatnonzero(known & ~np.r_[False, known[:-1]]).tolist()
    ends = (np.flatnonzero(known & ~np.r_[known[1:], False]) + 1).tolist()
    return [
        replace(line, x=line.x[i:j], y=line.y[i:j], hollow=line.hollow[i:j], low=line.low[i:j], high=line.high[i:j])
        for i, j in zip(starts, ends, strict=True)
    ]


def three_peaks(cells: pd.DataFrame) -> TitledFigure:
    """What finding, proving and counting cost by density, a line a size: three panels, one below the other."""
    foot = "Boards of n x n."
    if cells[["find_late", "count_late"]].gt(LATE).any(axis=None):
        foot += f" Open: over {100 * LATE:.0f} % of the runs were ended after 3 CPU seconds, so that the mean is one "
        foot += "from below; in the middle before a first solution, so that it is of the other boards alone"
        none = cells[cells["find_late"].eq(1)]
        places = [f"n = {n} at {100 * share:g} %" for n, share in zip(none["n"], none["density"], strict=True)]
        foot += f" (none of {', '.join(places)})." if places else "."
    asked, counts = cells.loc[cells["asked"].gt(0), "asked"], cells.loc[cells["counts"].gt(0), "counts"]
    boards_ = [f"{int(each.min())} to {int(each.max())}" for each in (asked, counts)]
    foot += f" Boards a point: {boards_[0]}; counted: {boards_[1]}. "
    foot += "Bars: 95 %, bootstrap over boards (too short where they are fewer than six)."
    figure, axes = drawn("Finding, proving, counting", foot, 3, 1, PANEL, sharex=True)
    for panel, column, late, words in zip(
        axes,
        ("find_s", "prove_conflicts", "count_s"),
        ("find_late", "find_late", "count_late"),
        (
            "first solution (MiniSat), mean CPU s",
            "second, or proof of none: mean conflicts",
            "all solutions counted, mean CPU s",
        ),
        strict=True,
    ):
        lines = _lines(cells, column, late)
        _panel(panel, words, lines)
        if column == "prove_conflicts":
            panel.set_yscale("symlog", linthresh=1)
            panel.set_ylim(bottom=0)
        else:
            logarithmic(panel)
    _finished(figure, axes, lines, "over the limit, some")
    return figure


def _finished(figure: Figure, axes: Sequence[Axes], lines: Sequence[PlotLine], hollow: str) -> None:
    """The name of the lowest axis, and the sizes by name."""
    labelled(axes[-1], "density, %")
    name_lines(figure, lines, hollow=hollow)


def _counts(cells: pd.DataFrame) -> str:
    return f"{cells['boards'].min()} to {cells['boards'].max()} boards a point."


def states_figure(cells: pd.DataFrame) -> TitledFigure:
    """The share of unique boards and the mean backbone by density, a line a size."""
    known = cells["backbone_high"] - cells["backbone_low"] < 1
    cells = cells.assign(
        open_backbone=cells["backbone_open"] / cells["boards"], open_unique=1 - cells["settled"] / cells["asked"],
        backbone=cells["backbone"].where(known),
    )  # fmt: skip
    foot = f"Boards of n x n. {_counts(cells)} Bars: 95 %."
    if cells[["open_backbone", "open_unique"]].gt(LATE).any(axis=None):
        foot += " Open: over 5 % of the boards not decided within 3 CPU s; the backbone's point is the middle of its "
        foot += "bounds, and the bar holds both; there is none where these are 0 and 1."
    if cells["open_unique"].gt(0).any():
        foot += " Boards of which it is not known whether they are unique are left out."
    figure, axes = drawn("What boards are", foot, 3, 1, PANEL, sharex=True)
    for panel, column, late, words in zip(
        axes,
        ("backbone", "by_lines", "unique"),
        ("open_backbone", None, "open_unique"),
        ("share of cells, backbone", "share of cells that lines alone fix", "share of boards with one solution"),
        strict=True,
    ):
        lines = _lines(cells, column, late)
        _panel(panel, words, lines)
        panel.set_ylim(-0.03, 1.03)
    _finished(figure, axes, lines, "over the limit, some")
    return figure


def solutions_figure(cells: pd.DataFrame) -> TitledFigure:
    """The median number of solutions: exact, bounded from below where it was not counted, and Bethe's estimate."""
    bounded = cells[np.isinf(cells["log10"])]
    foot = "Median of log10 of the number of solutions. Above: counted, Kaplan and Meier's median"
    foot += "; open: a bound from below, where half of the counts or more were ended." if len(bounded) else "."
    shown = cells.loc[cells["numbers"].gt(0), "numbers"]
    foot += f" {int(shown.min())} to {int(shown.max())} boards a point, limit 3 CPU s."
    foot += " Below: Bethe's estimate, which promises nothing, on a scale of logarithms of these logarithms above 1."
    figure, axes = drawn("How many solutions", foot, 2, 1, PANEL, sharex=True)
    counted = [replace(line, low=[], high=[]) for line in _lines(cells, "log10")]
    _panel(axes[0], "counted, or at least", counted)
    for line, (_, here) in zip(counted, cells.groupby("n"), strict=True):
        open_ = here[np.isinf(here["log10"])]
        x, y = (100 * open_["density"]).tolist(), open_["log10_least"].tolist()
        draw_lines(axes[0], [replace(line, x=[at], y=[value], hollow=[True]) for at, value in zip(x, y, strict=True)])
    estimated = _lines(cells, "bethe")
    _panel(axes[1], "Bethe's estimate", estimated)
    axes[1].set_yscale("symlog", linthresh=1)
    axes[1].set_ylim(-0.1, 300)
    for panel in axes:
        labelled(panel, "", "log10 of the number")
    if len(bounded):
        estimated = [*estimated, replace(estimated[0], hollow=[True])]
    _finished(figure, axes, estimated, "at least")
    return figure


def scaling_figure(table: pd.DataFrame, halves: dict[str, pd.DataFrame]) -> TitledFigure:
    """Where the curves cross one half, by size; and how many causes of a second solution there are.

    ``halves``: ``half_way`` by the name of what crosses.
    """
    by_density = table.groupby(["n", "density"]).size().rename("boards").reset_index()
    foot = (
        f"{_counts(by_density)} Above: the density at which the mean over boards crosses one half; 3 CPU s a run, and "
        "of backbones that these did not settle the bounds. Below: -ln of the share of unique boards, by density, "
        "where 20 boards or more are settled and some are unique, not all; a straight line is a power of n. Bars: 95 %."
    )
    names = [*halves, *(f"below: {100 * density:g} %" for density in rests(table)["density"].unique())]
    figure, axes = drawn("How the transition scales", foot, 2, 1, PANEL, names)
    lines = [
        PlotLine(f"above: {name}", halfs["n"].tolist(), (100 * halfs["half"]).tolist(), look(index),
                 low=(100 * halfs["half_low"]).tolist(), high=(100 * halfs["half_high"]).tolist())
        for index, (name, halfs) in enumerate(halves.items())
    ]  # fmt: skip
    powers = [
        PlotLine(f"below: {100 * density:g} %", here["n"].tolist(), here["causes"].tolist(), look(len(lines) + index),
                 low=here["causes_low"].tolist(), high=here["causes_high"].tolist())
        for index, (density, here) in enumerate(rests(table).groupby("density"))
        if len(here) > 2
    ]  # fmt: skip
    draw_lines(axes[0], lines)
    draw_lines(axes[1], powers)
    axes[1].set_yscale("log")
    for panel, words in zip(axes, ("density of one half, %", "-ln of the share of unique boards"), strict=True):
        headed(panel, words)
        panel.set_xscale("log")
        panel.set_xticks([10, 15, 20, 25, 30, 40], ["10", "15", "20", "25", "30", "40"])
        panel.minorticks_off()
        panel_grid(panel)
    labelled(axes[1], "n")
    name_lines(figure, [*lines, *powers])
    return figure


# The tables and figures of the notebook, as files.


HALVES = {
    "unique": "unique",
    "lines tell": "by_lines",
    "backbone, at least": "backbone_least",
    "backbone, at most": "backbone_most",
}
"""What crosses one half, by the columns of ``boards``."""


def halves(table: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """``half_way`` of each of ``HALVES``."""
    return {name: half_way(table, column) for name, column in HALVES.items()}


def by_solver(runs: pd.DataFrame) -> pd.DataFrame:
    """A row a size, solver and density of the runs of transition-solvers.

    ``boards``, and of how many of these the first picture was ``found``; ``late``: of how many the limit ended the run.
    Means, with intervals, of CPU seconds without encoding and loading: ``find_s`` until the first picture, and
    ``prove_s`` from there to the end of the process, some milliseconds of which are no solving. A late run has the
    seconds that it spent, of which all had the same: these are restricted means.
    """
    rows = []
    for (n, solver, density), here in finding_and_proving(runs).groupby(["rows", "solver", "density"]):
        row = {"n": n, "solver": solver, "density": density, "boards": len(here), "found": int(here["found"].sum()),
               "late": int((~here["solved"]).sum())}  # fmt: skip
        for cost in ("find_s", "prove_s"):
            middle = mean(here[cost])
            row |= {cost: middle.value, f"{cost}_low": middle.low, f"{cost}_high": middle.high}
        rows.append(row)
    return pd.DataFrame(rows)


def solver_peaks(runs: pd.DataFrame) -> pd.DataFrame:
    """Of each size and solver the density at which finding takes longest in the mean, with the bootstrap's interval."""
    rows = []
    costs = finding_and_proving(runs)
    for (n, solver), here in costs[costs["find_s"].notna()].groupby(["rows", "solver"]):
        peak = resampled(here, "find_s", lambda x, y: float(x[np.argmax(y)]), count=2_000)
        rows.append({"n": n, "solver": solver, **_spread("density", peak)})
    return pd.DataFrame(rows)


def write(runs: pd.DataFrame, out: Path, of_solvers: pd.DataFrame) -> None:
    """Write ``by-cell.csv``, ``peaks.csv``, ``solvers.csv``, ``solver-peaks.csv`` and the figures."""
    out.mkdir(parents=True, exist_ok=True)
    solver_peaks(of_solvers).to_csv(out / "solver-peaks.csv", index=False, float_format="%.4g")
    by_solver(of_solvers).to_csv(out / "solvers.csv", index=False, float_format="%.4g")
    table = boards(runs)
    cells = by_cell(table)
    for name, frame in (("by-cell", cells), ("peaks", peaks(table))):
        frame.to_csv(out / f"{name}.csv", index=False, float_format="%.6g")
    for name, figure in printed(table, cells):
        publish(figure, out / name)


def printed(table: pd.DataFrame, cells: pd.DataFrame) -> Iterator[tuple[str, TitledFigure]]:
    """The figures for print, by name, of ``boards`` and ``by_cell``: one column wide."""
    with drawn_for(paper(COLUMNS[1], font=None)):
        yield "three-peaks", three_peaks(cells)
        yield "states", states_figure(cells)
        yield "solutions", solutions_figure(cells)
        yield "scaling", scaling_figure(table, halves(table))


if __name__ == "__main__":
    folder = RESULTS / "transition"
    of_solvers = frames.load(folder / "transition-solvers.parquet")
    write(load_boards(folder), Path(sys.argv[1]) if sys.argv[1:] else folder, of_solvers)
