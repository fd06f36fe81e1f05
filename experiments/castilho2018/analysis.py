"""What Castilho & Welter (2018) report, from records of their encodings: figures, claims, and where encodings differ.

    python experiments/castilho2018/analysis.py [DIR]

makes the files of results/castilho2018-again anew, or in DIR. A study that names this file
(``analysis = "analysis.py"``) has ``sheets`` and ``figures`` in its report.

- Figures: the publication's seven (``NUMBERED``), for any solver, size and reading of rules 4 and 6.
- Verdicts (``verdicts``): each claim of ``claims.md`` as numbers by two estimators, on complete cells, with the
  paired bootstrap's interval and a correction for their number; cell by cell (``by_cell``); and in each reading of
  rules 4 and 6 (``readings_compared``).
- Cells (``cells_table``): what was run of the grid, with means, medians, runs over the limit and wrong pictures.

"The report" is Castilho & Welter's technical report.
"""

from __future__ import annotations

import itertools
import math
import sys
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.patches import Patch, Rectangle

from nonosat.studies.analysis import intervals, plots
from nonosat.studies.analysis.boards import clock_of, latest, limits_of
from nonosat.studies.analysis.frames import densities, load, sizes, values_of
from nonosat.studies.analysis.intervals import NOTHING, median
from nonosat.studies.analysis.lines import PlotLine, draw_lines, limit_line, marks_note, name_handles, name_lines
from nonosat.studies.analysis.ranking import ends
from nonosat.studies.analysis.report import Drawn, ReportedStudy
from nonosat.studies.analysis.sheets import Column, Sheet, markdown, plain_columns
from nonosat.studies.analysis.style import (
    COLUMNS,
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
    publish,
    theme,
)
from nonosat.studies.analysis.summary import counts_line, ended_runs, groups, limit_of, share_of, survival_of

RESULTS = Path(__file__).parents[2] / "results"

# The report's figures 5.1 to 5.7, for any solver, size and reading.
#
# Points are of complete cells. The upper panels have the report's means, until a run ended, with a right picture or
# not: a cross says that a line has wrong ones. A run over the limit counts the limit there (open marker; on the limit:
# no run ended); decisions have no mean then. The lower panels have medians with intervals; a run over the
# limit counts as longer than it.


READINGS = ("ends", "printed", "mirrored")
RULES = ("3", "4", "5", "6", "3+4", "5+6")
DOMAINS = ("2", "2alt")
TIMES = ("time_s", "cpu_time_s")
APART = 1.1
"""Per cent of density between the points of two lines that stand side by side."""
_WORDS = {"time_s": "wall time, s", "cpu_time_s": "CPU time, s"}


def of_report(frame: pd.DataFrame, reading: str = "ends") -> pd.DataFrame:
    """The runs of the report's twelve encodings, rules 4 and 6 in one reading (the others are in every reading)."""
    return frame[frame["report_name"].notna() & frame["rules"].isin(RULES) & frame["reading"].isin(["", reading])]


def complete_only(runs: pd.DataFrame) -> pd.DataFrame:
    """The runs of cells that are complete for their encoding: every board that any encoding ran on has its end, or the
    limit's.
    """
    kept = runs[ended_runs(runs) | runs["censored"]]
    cell = ["solver", "size", "density"]
    boards = runs.groupby(cell)["instance"].nunique().rename("boards")
    mine = kept.groupby([*cell, "report_name"])["instance"].transform("nunique")
    return kept[mine.eq(kept[cell].join(boards, on=cell)["boards"])]


def by_fill(
    frame: pd.DataFrame, solver: str, size: str, column: str = "decisions", reading: str = "ends", log: bool = True
) -> TitledFigure:
    """Mean and median of ``column`` by density, a line a rule, rule 2 and 2-alt side by side.

    Figures 5.1 to 5.4 with ``decisions`` (or another counter), 5.5 with ``cpu_time_s`` or ``time_s``.
    """
    runs = complete_only(of_report(frame, reading))
    shares = densities(runs)
    runs = runs[runs["solver"].eq(solver) & runs["size"].eq(size)]
    title = (
        f"{'Time' if column in TIMES else column.capitalize()} by density, {size}, {solver}{_reading(runs, reading)}"
    )
    styles = looks(RULES)
    parts = [
        [(rule, here[here["rules"].eq(rule)], styles[rule]) for rule in RULES]
        for here in (runs[runs["domain_rule"].eq(domain)] for domain in DOMAINS)
    ]
    return _figure(runs, title, parts, column, log, "rule", shares)


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
    runs = complete_only(of_report(frame, reading))
    shares = densities(runs)
    runs = runs[runs["solver"].eq(solver) & runs["rules"].eq(rules)]
    title = f"Time by density and size, rule {rules}, {solver}{_reading(runs, reading)}"
    parts = [
        [(size, here[here["size"].eq(size)], look(index)) for index, size in enumerate(sizes(runs))]
        for here in (runs[runs["domain_rule"].eq(domain)] for domain in DOMAINS)
    ]
    return _figure(runs, title, parts, clock_of(frame).column, log, "size", shares)


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
    """The line of the means of ``column`` by density, of complete cells; ``shift``: to the right, in per cent.

    A time over the limit counts the limit, decisions have no mean then. ``shares``: the figure's densities; at one that
    was not run the line breaks.
    """
    limit = limit_of(runs) if column in TIMES else math.nan
    x, y, hollow, beyond = [], [], [], []
    for density in shares or densities(runs):
        here = runs[runs["density"].eq(density)]
        over = here["censored"] | (here[column].gt(limit).fillna(False) if math.isfinite(limit) else False)
        values = here[column].astype("Float64").astype("float64").where(~over, limit)
        some = len(here) and not over.all()
        x.append(100 * density + shift)
        y.append(float(values.to_numpy().mean()) if some else math.nan)
        hollow.append(bool(over.any()))
        if len(here) and not some and math.isfinite(limit):
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
        ended = ended_runs(here)
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
    runs: pd.DataFrame,
    title: str,
    parts: Sequence[Parts],
    column: str,
    log: bool,
    heading: str,
    shares: Sequence[float],
) -> TitledFigure:
    """Two rows of panels, a column a domain that has runs. ``shares``: the densities of all records, not of these."""
    rows: list[list[list[PlotLine]]] = [[], []]
    for part in parts:
        for row, made in zip(rows, (line_of, medians), strict=True):
            row.append([made(some, name, column, style, APART * (at - (len(part) - 1) / 2), shares)
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
    foot = f"{counts_line(runs)}; {boards} boards a point. {_foot(above, below, column in TIMES)}"
    lacking = [f"{100 * share:g}" for share in shares if share not in set(runs["density"])]
    foot += f" Not run: {', '.join(lacking)} %." if lacking else ""
    figure, panels = drawn(title, foot, len(shown), len(kept), (3.3, 2.5), [line.name for line in every], sharey=True,
                           sharex=True)  # fmt: skip
    words = _WORDS.get(column, column)
    for panel, (head, word, lines) in zip(panels, shown, strict=True):
        headed(panel, f"{head}, {word}")
        draw_lines(panel, lines)
        panel.set_xticks([100 * density for density in shares])
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


def _foot(above: Sequence[PlotLine], below: Sequence[PlotLine], timed: bool) -> str:
    """What the two rows of panels show, and of their marks those that are there."""
    left = any(any(line.hollow) for line in above)
    some = any(hollow and math.isfinite(y) for line in above for y, hollow in zip(line.y, line.hollow, strict=True))
    marks = [*["open marker: some were"] * some, *["on the limit: all were"] * any(line.beyond for line in above)]
    text = "Above: means until a run ended"
    text += f"; with runs over the limit {'these count the limit' if timed else 'there is no mean'}" if left else ""
    text += f" ({', '.join(marks)})" if marks else ""
    text += "; ✗: wrong pictures" if any("✗" in line.name for line in above) else ""
    text += f". Below: medians{', runs over the limit as longer than it' if left else ''}, with 95 % intervals."
    return text + marks_note(below) + " Points of one density stand side by side."


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


# Cells: all boards of a solver, size and density, and the bootstrap's samples of them.


CLAIMS = Path(__file__).with_name("claims.md")
"""The report's claims, and how each is judged; its head says why."""
ESTIMATORS = ("means", "typical")
CLOCKS = ("total", "solving")
MINISAT = "minisat22"
Array = npt.NDArray[np.float64]


class Cell(NamedTuple):
    """``values``: by encoding (complete ones) and quantity (decisions, total, solving, over) a number a board.

    ``weights``: each board's in the mean, of the boards and of the samples; ``counts``: of runs, of those over the
    limit, of wrong ones. ``levels``: what ``level`` has computed, since many claims ask for the same.
    """

    solver: str
    size: str
    density: float
    boards: int
    weights: Array
    values: dict[str, dict[str, Array]]
    counts: dict[str, tuple[int, int, int]]
    levels: dict[tuple[str, str, bool], Array]


def quotient(over: Array, under: Array) -> Array:
    """Element by element; numbers that differ by no more than rounding are the same."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(np.where(np.isclose(over, under, rtol=1e-9, atol=0), 1.0, np.divide(over, under)))


def cells_of(frame: pd.DataFrame, reading: str = "ends") -> list[Cell]:
    """The cells of the report's grid in these records, by the rules for censored runs in ``claims.md``."""
    rules = _read_claims()
    runs = latest(of_report(frame, reading))
    clock = clock_of(frame)
    times = {"total": clock.column, "solving": "solve_cpu_s" if clock.column == "cpu_time_s" else "solve_s"}
    runs, place = runs[runs["density"].notna()], ["solver", "size", "density"]
    limits = limits_of(runs).fillna(math.inf).groupby([runs[name] for name in place]).transform("min")
    kept = runs[ended_runs(runs) | runs["censored"]]
    over = kept["censored"] | kept[clock.column].gt(limits[kept.index])
    table = kept[[*place, "report_name", "instance"]].assign(
        **{of: kept[column].astype("float64").where(~over, limits[kept.index]) for of, column in times.items()},
        decisions=kept["decisions"].astype("Float64").astype("float64").where(~over),
        over=over.astype("float64"),
        wrong=(kept["wrong"] | kept["false_unsat"]).astype("int64"),
    )
    alike = dict(iter(table.groupby([*place, "report_name"])))
    drawn: dict[tuple[str, ...], Array] = {}
    made = []
    for (solver, size, density), here in groups(runs, place):
        boards = sorted(set(here["instance"]))
        if len(boards) < rules["grid"]["fewest"]:
            continue
        cell_values, counts = {}, {}
        for name in sorted(set(here["report_name"])):
            mine = alike.get((solver, size, density, name))
            if mine is None:
                counts[str(name)] = (0, 0, 0)
                continue
            counts[str(name)] = (len(mine), int(mine["over"].sum()), int(mine["wrong"].sum()))
            means = mine.groupby("instance")[[*times, "decisions", "over"]].mean()
            if len(means) == len(boards):
                cell_values[str(name)] = {of: values.to_numpy() for of, values in means.loc[boards].items()}
        key = tuple(boards)
        if key not in drawn:
            seed = rules["seed"] + 100 * int(here["rows"].iloc[0]) + round(100 * density)
            drawn[key] = _weights(len(boards), rules["samples"], seed)
        made.append(Cell(str(solver), str(size), float(density), len(boards), drawn[key], cell_values, counts, {}))
    return made


def _weights(boards: int, samples: int, seed: int) -> Array:
    """How often each board is in each sample, by the number of boards; the first row has every board once."""
    at = intervals.resamples(boards, samples, seed) + boards * np.arange(samples)[:, None]
    found = np.bincount(at.ravel(), minlength=boards * samples).reshape(samples, boards)
    return np.asarray(np.vstack([np.ones((1, boards)), found]) / boards)


def _read_claims() -> dict[str, Any]:
    return tomllib.loads(CLAIMS.read_text(encoding="utf-8").partition("```toml\n")[2].partition("```")[0])


def has(cell: Cell, names: Sequence[str], of: str) -> bool:
    """Whether the cell is complete for all of ``names``, and has the quantity on all boards."""
    return all(name in cell.values and not np.isnan(cell.values[name][of]).any() for name in names)


def level(cells: Sequence[Cell], name: str, of: str, estimator: str) -> Array:
    """How much of a quantity an encoding takes in these cells, of the same weight each: of the boards, then of samples.

    Levels of ``typical`` are geometric means: their ratios are those of the boards' ratios. Decisions have one added.
    """
    typical = estimator == "typical"
    parts = []
    for cell in cells:
        key = name, of, typical
        if key not in cell.levels:
            values = cell.values[name][of]
            with np.errstate(divide="ignore"):
                values = np.log(values + (of == "decisions")) if typical else values
            cell.levels[key] = cell.weights @ values
        parts.append(cell.levels[key])
    mean = np.mean(parts, axis=0)
    return np.asarray(np.exp(mean) if typical else mean)


# Verdicts: each number with its interval, the chance of it under the alternatives, and the correction for their number.


HOLDS, FAILS, OPEN = "holds", "does not hold", "cannot be told"


class Row(NamedTuple):
    """One number that a claim rests on, of ``cells`` of the report's grid.

    ``over`` and ``wrong``: how many of the ``runs`` a limit ended, and how many gave a wrong picture or a false UNSAT.
    ``p``: before the correction. ``by_cell``: in how many cells alone the claim holds, does not hold, cannot be told.
    """

    claim: str
    measured: str
    solver: str
    of: str
    estimator: str
    cells: int
    boards: int
    runs: int
    over: int
    wrong: int
    value: float
    low: float
    high: float
    p: float
    verdict: str
    by_cell: str = ""


def judged(samples: Array, allowed: dict[str, float]) -> tuple[float, str]:
    """P and what it speaks for, before any correction; the first of ``samples`` is the value itself.

    >>> within = {"to": 0.25}
    >>> judged(np.linspace(0.1, 0.2, 2000), within)[1], judged(np.linspace(0.3, 0.4, 2000), within)[1]
    ('holds', 'does not hold')
    >>> judged(np.linspace(0.1, 0.4, 2000), within)[0] > 0.05, judged(np.ones(2000), {"below": 1})[1]
    (True, 'does not hold')
    """
    drawn = samples[1:]
    if not len(drawn) or np.isnan(samples).any():
        return math.nan, OPEN
    too_low = (drawn < allowed.get("from", -math.inf)) | (drawn <= allowed.get("above", -math.inf))
    too_high = (drawn > allowed.get("to", math.inf)) | (drawn >= allowed.get("below", math.inf))
    low, high, count = int(too_low.sum()), int(too_high.sum()), len(drawn)
    inside = min(1.0, 2 * (max(low, high) + 1) / (count + 1))
    outside = min(1.0, 2 * (count - max(low, high) + 1) / (count + 1))
    return (inside, HOLDS) if inside < outside else (outside, FAILS)


def verdicts(frame: pd.DataFrame, reading: str = "ends") -> pd.DataFrame:
    """A row a number, in the order of ``claims.md``, with the fields of ``Row``; corrected by Holm."""
    return _judge(frame, reading)[0]


def by_cell(frame: pd.DataFrame, reading: str = "ends") -> pd.DataFrame:
    """The ratios of ``verdicts`` in each cell alone, with size and density; corrected by Benjamini & Hochberg."""
    return _judge(frame, reading)[1]


def _judge(frame: pd.DataFrame, reading: str) -> tuple[pd.DataFrame, pd.DataFrame]:
    rules = _read_claims()
    cells = cells_of(frame, reading)
    whole, alone = [], []
    for claim in rules["claim"]:
        ofs = CLOCKS if claim["of"] == "time" else (claim["of"],)
        for solver in claim.get("ranges", [MINISAT]):
            allowed = rules["ranges"][claim["ranges"][solver] if "ranges" in claim else claim["range"]]
            mine = [cell for cell in cells if cell.solver == solver]
            for measured, of, estimator, used, names, samples in _MEASURES[claim["measures"]](claim, mine, ofs):
                whole.append(
                    _row(claim, measured, solver, of, estimator, used, names, samples, allowed, rules["level"])
                )
                if claim["measures"] == "ratio":
                    for cell in used:
                        one = _ratio([cell], names, of, estimator)
                        row = _row(claim, measured, solver, of, estimator, [cell], names, one, allowed, rules["level"])
                        alone.append((cell.size, cell.density, *row))
    table = pd.DataFrame(whole, columns=list(Row._fields))
    parts = pd.DataFrame(alone, columns=["size", "density", *Row._fields]).drop(columns=["cells", "by_cell"])
    for made, correct in ((table, intervals.holm), (parts, intervals.benjamini_hochberg)):
        sure = correct(made["p"].to_numpy(dtype=np.float64)) <= rules["alpha"]
        made["verdict"] = made["verdict"].where(sure, OPEN)
    key = ["claim", "measured", "solver", "of", "estimator"]
    counted = (
        parts.groupby([*key, "verdict"])
        .size()
        .unstack(fill_value=0)
        .reindex(columns=[HOLDS, FAILS, OPEN], fill_value=0)
    )
    words = {at: " / ".join(map(str, row)) for at, row in zip(counted.index, counted.to_numpy().tolist(), strict=True)}
    table["by_cell"] = [words.get(tuple(row), "") for row in table[key].to_numpy()]
    return table, parts


def _row(
    claim: dict[str, Any], measured: str, solver: str, of: str, estimator: str, used: Sequence[Cell],
    names: Sequence[str], samples: Array, allowed: dict[str, float], sure: float,
) -> Row:  # fmt: skip
    p, verdict = judged(samples, allowed)
    low, high = ends(samples[1:], sure)
    runs, over, wrong = (sum(cell.counts[name][at] for cell in used for name in names) for at in range(3))
    boards = sum(cell.boards for cell in used)
    value = float(samples[0]) if len(samples) else math.nan
    return Row(claim["says"], measured, solver, of, estimator, len(used), boards, runs, over, wrong, value, low, high,
               p, verdict)  # fmt: skip


def _ratio(used: Sequence[Cell], names: Sequence[str], of: str, estimator: str) -> Array:
    return quotient(level(used, names[0], of, estimator), level(used, names[1], of, estimator))


_Number = tuple[str, str, str, Sequence[Cell], Sequence[str], Array]
"""What is measured, of which quantity, by which estimator, on which cells, of which encodings; its samples."""


def _ratios(claim: dict[str, Any], cells: Sequence[Cell], ofs: Sequence[str]) -> Iterator[_Number]:
    for pair, of, estimator in itertools.product(claim["pairs"], ofs, ESTIMATORS):
        used = [cell for cell in cells if has(cell, pair, of)]
        if used:
            yield f"{pair[0]} by {pair[1]}", of, estimator, used, pair, _ratio(used, pair, of, estimator)


DENSE, SPARSE = (0.4, 0.5), (0.1, 0.2, 0.3)


def _when_dense(claim: dict[str, Any], cells: Sequence[Cell], ofs: Sequence[str]) -> Iterator[_Number]:
    for pair, dense, of, estimator in itertools.product(claim["pairs"], DENSE, ofs, ESTIMATORS):
        used = _whole_sizes(cells, pair, of, (dense, *SPARSE))
        if used:
            above, below = ([cell for cell in used if (cell.density == dense) == at] for at in (True, False))
            samples = quotient(_ratio(above, pair, of, estimator), _ratio(below, pair, of, estimator))
            word = f"({pair[0]} by {pair[1]}) at {100 * dense:g} %, by that at 10 to 30 %"
            yield word, of, estimator, used, pair, samples


def _whole_sizes(cells: Sequence[Cell], names: Sequence[str], of: str, needed: Sequence[float]) -> list[Cell]:
    """The cells of these densities, of the sizes that have all of them."""
    found = [cell for cell in cells if cell.density in needed and has(cell, names, of)]
    count = Counter(cell.size for cell in found)
    return [cell for cell in found if count[cell.size] == len(needed)]


def _spread(claim: dict[str, Any], cells: Sequence[Cell], ofs: Sequence[str]) -> Iterator[_Number]:
    names = [f"{domain}/{rule}" for domain in DOMAINS for rule in RULES]
    for of, estimator in itertools.product(ofs, ESTIMATORS):
        used = [cell for cell in cells if has(cell, names, of)]
        if used:
            levels = np.array([level(used, name, of, estimator) for name in names])
            yield "most by least of 12 encodings", of, estimator, used, names, quotient(levels.max(0), levels.min(0))


def _growth(claim: dict[str, Any], cells: Sequence[Cell], ofs: Sequence[str]) -> Iterator[_Number]:
    low, high = claim["densities"]
    for name, of, estimator in itertools.product(claim["encodings"], ofs, ESTIMATORS):
        used = _whole_sizes(cells, [name], of, (low, high))
        if used:
            below, above = (level([c for c in used if c.density == at], name, of, estimator) for at in (low, high))
            yield f"{name} at {100 * high:g} % by {100 * low:g} %", of, estimator, used, [name], quotient(above, below)


def _peak(claim: dict[str, Any], cells: Sequence[Cell], ofs: Sequence[str]) -> Iterator[_Number]:
    for name, of, estimator, size in itertools.product(
        claim["encodings"], ofs, ESTIMATORS, dict.fromkeys(cell.size for cell in cells)
    ):
        used = [cell for cell in cells if cell.size == size and has(cell, [name], of)]
        if {0.3, 0.4, 0.5} <= {cell.density for cell in used}:
            at = np.array([level([cell], name, of, estimator) for cell in used]).argmax(axis=0)
            samples = np.array([cell.density for cell in used])[at]
            yield f"{name}: density of the most, {size}", of, estimator, used, [name], samples


def _share(claim: dict[str, Any], cells: Sequence[Cell], ofs: Sequence[str]) -> Iterator[_Number]:
    densities_ = _read_claims()["grid"]["densities"]
    for name, size in itertools.product(claim["encodings"], claim["sizes"]):
        found = _whole_sizes(cells, [name], "over", densities_)
        smallest = next((cell.size for cell in found), size)
        here, there = ([cell for cell in found if cell.size == at] for at in (size, smallest))
        if here and there and size != smallest and any(cell.counts[name][1] for cell in here + there):
            samples = level(here, name, "over", "means") - level(there, name, "over", "means")
            yield (
                f"{name}: share over the limit, {size} less {smallest}",
                "over",
                "means",
                here + there,
                [name],
                samples,
            )


_MEASURES: dict[str, Callable[[dict[str, Any], Sequence[Cell], Sequence[str]], Iterator[_Number]]] = {
    "ratio": _ratios, "when dense": _when_dense, "spread": _spread, "growth": _growth, "peak": _peak, "share": _share,
}  # fmt: skip


def sheet(table: pd.DataFrame, frame: pd.DataFrame) -> Sheet:
    """The verdicts as they are read: a row a comparison, both estimators side by side. ``frame``: for the limit."""
    key = ["claim", "measured", "solver", "of", "cells", "boards", "runs", "over", "wrong"]
    one, two = (table[table["estimator"].eq(name)].drop(columns=["estimator", "p"]) for name in ESTIMATORS)
    wide = one.merge(two, how="left", on=key, suffixes=("_means", "_typical"))
    wide["verdict_typical"] = wide["verdict_typical"].fillna("")
    columns = [
        Column("claim", "the report says"),
        Column("measured", "measured"),
        Column("solver", "solver"),
        Column("of", "of"),
        Column("cells", "cells", "count", meaning="complete cells of the report's 20"),
        Column("boards", "boards", "count"),
        Column("runs", "runs", "count"),
        Column("over", "over the limit", "count"),
        Column("wrong", "wrong", "count", meaning="runs that gave a wrong picture"),
        *(
            column
            for name, head in zip(ESTIMATORS, ("ratio of means", "typical board"), strict=True)
            for column in (
                Column(f"value_{name}", head, "factor", f"low_{name}", f"high_{name}", after=f"verdict_{name}"),
                Column(f"by_cell_{name}", "cells: holds / does not / cannot be told"),
            )
        ),
    ]
    clock, limit = clock_of(frame), limit_of(frame)
    caption = (
        "What Castilho & Welter's report claims, by two estimators, on complete cells. Intervals: 95 %, the paired "
        f"bootstrap. Verdicts: corrected by Holm for all {int(table['p'].notna().sum())} numbers, cell by cell by "
        f"Benjamini & Hochberg. Times: {clock.words}, limit {limit:g} s."
    )
    return Sheet("verdicts", caption, wide, columns, True)


def cells_table(frame: pd.DataFrame, reading: str = "ends") -> pd.DataFrame:
    """Every cell of the report's grid, solver by solver: a row an encoding, also where nothing was run.

    ``mean_...``: absent unless the cell is complete; times are restricted means. ``median_s``: Kaplan & Meier's.
    """
    grid, rows = _read_claims()["grid"], []
    known = {(cell.solver, cell.size, cell.density): cell for cell in cells_of(frame, reading)}
    runs = latest(of_report(frame, reading))
    clock = clock_of(frame)
    runs = runs.assign(solved=ended_runs(runs))
    names = [f"{domain}/{rule}" for domain in DOMAINS for rule in RULES]
    by = dict(groups(runs, ("solver", "size", "density", "report_name")))
    for at in itertools.product(values_of(runs, "solver"), grid["sizes"], grid["densities"], names):
        cell, name = known.get(at[:3]), at[3]
        count, over, wrong = cell.counts.get(name, (0, 0, 0)) if cell else (0, 0, 0)
        values = cell.values.get(name) if cell else None
        state = "complete" if values is not None else "not finished" if count else "not run"
        means = [float(np.mean(values[of])) if values is not None else math.nan for of in ("decisions", *CLOCKS)]
        middle = survival_of(by[at], clock.column).median() if values is not None else NOTHING
        rows.append(
            (*at, state, cell.boards if cell else 0, count, over, wrong, *means, middle.value, middle.low, middle.high)
        )
    head = ["solver", "size", "density", "encoding", "state", "boards", "runs", "over", "wrong"]
    head += ["mean_decisions", "mean_total_s", "mean_solving_s", "median_s", "median_low_s", "median_high_s"]
    return pd.DataFrame(rows, columns=head)


def grid_figure(frame: pd.DataFrame, reading: str = "ends") -> TitledFigure:
    """What was run of the report's grid: of each size and density the complete encodings of 12, a panel a solver.

    A cell that lacks some is hatched.
    """
    table = cells_table(frame, reading)
    solvers = list(dict.fromkeys(table["solver"]))
    shown, shares = list(dict.fromkeys(table["size"])), sorted(table["density"].unique())
    foot = (
        f"{counts_line(of_report(frame, reading))}. In a cell: how many of the {len(RULES) * len(DOMAINS)} "
        "encodings ran on all of its boards; the limit is "
        f"{limit_of(frame):g} CPU s a run, and a cell is run whole or not at all."
    )
    complete = table["state"].eq("complete").groupby([table[name] for name in ("solver", "size", "density")]).mean()
    some = "some encodings " * bool(complete.between(0, 1, inclusive="neither").any())
    figure, panels = drawn(
        "What was run of the grid", foot, len(solvers), len(solvers), (2.0, 1.7), ["hatched"], fixed=True
    )
    for panel, solver in zip(panels, solvers, strict=True):
        headed(panel, solver)
        for (size, density), here in table[table["solver"].eq(solver)].groupby(["size", "density"]):
            count = int(here["state"].eq("complete").sum())
            at = shares.index(density), shown.index(size)
            whole = count == len(here)
            panel.add_patch(Rectangle((at[0] - 0.5, at[1] - 0.5), 1, 1, facecolor="#dddddd" if count else "white",
                                      edgecolor="black", linewidth=0.5, hatch="" if whole else "////"))  # fmt: skip
            panel.text(*at, str(count), ha="center", va="center", fontsize=theme().small,
                       bbox={"facecolor": "white", "edgecolor": "none", "pad": 1.0})  # fmt: skip
        panel.set_xticks(range(len(shares)), [f"{100 * share:g}" for share in shares])
        panel.set_yticks(range(len(shown)), shown if panel is panels[0] else [""] * len(shown))
        panel.set(xlim=(-0.5, len(shares) - 0.5), ylim=(len(shown) - 0.5, -0.5))
        labelled(panel, "density, %")
    name_handles(
        figure,
        [f"{some}not run, for want of CPU time"],
        [Patch(facecolor="white", edgecolor="black", hatch="////")],
    )
    return figure


def readings_compared(frame: pd.DataFrame) -> pd.DataFrame:
    """The verdicts on decisions in each reading of rules 4 and 6, over the boards that all readings ran on."""
    boards = [set(of_report(frame, reading).query("reading == @reading")["instance"]) for reading in READINGS]
    boards = [part for part in boards if part]
    runs = frame[frame["instance"].isin(set.intersection(*boards) if boards else set())]
    parts = [verdicts(runs, reading).assign(reading=reading) for reading in READINGS]
    table = pd.concat(parts, ignore_index=True)
    return table[table["of"].eq("decisions")]


def wrong_by_reading(
    frame: pd.DataFrame, by: Sequence[str] = ("domain_rule", "rules", "reading", "channel", "integers")
) -> pd.DataFrame:
    """The share of wrong pictures among the runs that ended by themselves, by the encodings' parts.

    Wilson's interval is of the boards: what several solvers say of one is not said independently.
    """
    rows = []
    for names, group in groups(frame[ended_runs(frame)], by):
        wrong, unsat = int(group["wrong"].sum()), int(group["false_unsat"].sum())
        share = share_of(group["wrong"], group)
        rows.append((*names, len(group), wrong, share.value, share.low, share.high, unsat))
    return pd.DataFrame(rows, columns=[*by, "ended", "wrong", "share", "low", "high", "false_unsat"])


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
    frame = study.runs
    if not is_of_the_report(frame):
        return
    table, alone = _judge(frame, "ends")
    yield CASTILHO, sheet(table, frame)
    yield CASTILHO, _sheet("verdicts-by-cell", "The same ratios, each in a cell of its own", alone)
    yield (
        CASTILHO,
        _sheet(
            "cells", "What was run of the report's grid; a cell that is not complete has no mean", cells_table(frame)
        ),
    )
    yield CASTILHO, _sheet("wrong-by-parts", "Wrong answers by the encoding's parts", wrong_by_reading(frame))


def _sheet(name: str, caption: str, table: pd.DataFrame) -> Sheet:
    return Sheet(name, f"{caption}.", table, plain_columns(table))


def figures(study: ReportedStudy, every: bool = False) -> Iterator[Drawn]:
    """The publication's figures; ``every``: for all solvers, sizes and readings that the records have."""
    frame = study.runs
    if not is_of_the_report(frame):
        return
    for reading in READINGS:
        runs = of_report(frame, reading)
        runs = runs[runs["density"].notna() & ended_runs(runs)]
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
    """Write the verdicts, the publication's seven figures and that of wrong answers, with captions."""
    out.mkdir(parents=True, exist_ok=True)
    table, alone = _judge(frame, "ends")
    for stem, rows in (("verdicts", table), ("verdicts-by-cell", alone), ("cells", cells_table(frame))):
        rows.to_csv(out / f"{stem}.csv", index=False, float_format="%.6g")
    (out / "verdicts.md").write_text(markdown(sheet(table, frame)), encoding="utf-8")
    for name, figure in printed(frame):
        publish(figure, out / name)


def printed(frame: pd.DataFrame) -> Iterator[tuple[str, TitledFigure]]:
    """The figures for print, by name: two columns wide, that of wrong answers one."""
    with drawn_for(paper(COLUMNS[2], font=None)):
        for number, draw in NUMBERED.items():
            yield f"figure-{number}", draw(frame)
        yield "grid", grid_figure(frame)
    with drawn_for(paper(COLUMNS[1], font=None)):
        yield "wrong-answers", plots.wrong_pictures(frame)


if __name__ == "__main__":
    name = "castilho2018-again"
    write(load(RESULTS / f"{name}.parquet"), Path(sys.argv[1]) if sys.argv[1:] else RESULTS / name)
