"""Skyscrapers by level: Majdandžić's table (2022) from our records, his figures, and the times of SAT and CP-SAT.

    python experiments/majdandzic2022/analysis.py [DIR]

makes the files of results/majdandzic2022 anew, or in DIR.

Times are CPU milliseconds to the first solution: of the native solver its search, of the others encoding, loading and
solving. A mean is over the runs that ended with a solution, as in the thesis. The medians count runs that the limit
ended as longer, and as with more boards, than any other.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import pandas as pd

from nonosat.studies.analysis.boards import CPU, clock_of
from nonosat.studies.analysis.frames import load
from nonosat.studies.analysis.intervals import median, ratio_of_sums
from nonosat.studies.analysis.lines import PlotLine, draw_lines, limit_line, marks_note, name_lines
from nonosat.studies.analysis.style import (
    COLUMNS,
    Look,
    TitledFigure,
    coloured,
    drawn,
    drawn_for,
    labelled,
    logarithmic,
    looks,
    no_data,
    panel_grid,
    paper,
    publish,
)
from nonosat.studies.analysis.summary import counts_line, limit_of, survival_of

RESULTS = Path(__file__).parents[2] / "results"

PHASES = {
    "phases+no2+no3+no4": "phases 1, 5",
    "phases+no3+no4": "phases 1-2, 5",
    "phases+no4": "phases 1-3, 5",
    "phases": "phases 1-4, 5",
}
"""The thesis' columns by the solver's name."""


class ThesisLevel(NamedTuple):
    """The thesis' figures for a level and its phases: milliseconds, and the number of runs."""

    mean_ms: float
    min_ms: float
    max_ms: float
    runs: int


THESIS: dict[tuple[int, str], ThesisLevel] = {
    (0, "phases 1, 5"): ThesisLevel(0.357, 0.164, 39.5, 1000),
    (0, "phases 1-2, 5"): ThesisLevel(0.447, 0.187, 17.9, 1000),
    (0, "phases 1-3, 5"): ThesisLevel(0.306, 0.142, 5.9, 1000),
    (0, "phases 1-4, 5"): ThesisLevel(0.519, 0.075, 394, 1000),
    (4, "phases 1, 5"): ThesisLevel(61.5, 28.3, 705, 200),
    (4, "phases 1-2, 5"): ThesisLevel(64.7, 34.8, 704, 400),
    (4, "phases 1-3, 5"): ThesisLevel(3.40, 1.05, 51.5, 1000),
    (4, "phases 1-4, 5"): ThesisLevel(1.04, 0.489, 8.2, 1000),
    (7, "phases 1, 5"): ThesisLevel(8826, 2889, 14729, 5),
    (7, "phases 1-2, 5"): ThesisLevel(8130, 6198, 9927, 5),
    (7, "phases 1-3, 5"): ThesisLevel(36.5, 13.0, 423, 150),
    (7, "phases 1-4, 5"): ThesisLevel(2.21, 1.01, 23.6, 1000),
    (8, "phases 1-4, 5"): ThesisLevel(2.95, 2.15, 27.3, 1000),
    (9, "phases 1-4, 5"): ThesisLevel(18.3, 16.5, 51.8, 1000),
    (10, "phases 1-4, 5"): ThesisLevel(476, 431, 665, 1000),
    (11, "phases 1-4, 5"): ThesisLevel(84.7, 74.5, 399, 500),
}
"""Its table 5.1 (wall time of one board each, on another machine)."""

THESIS_BOARDS = {
    (6, "phases 1, 5"): 21729, (6, "phases 1-2, 5"): 21733, (6, "phases 1-3, 5"): 29, (6, "phases 1-4, 5"): 1,
    (8, "phases 1-2, 5"): 438214, (8, "phases 1-3, 5"): 4427, (8, "phases 1-4, 5"): 11, (11, "phases 1-4, 5"): 9,
}  # fmt: skip
"""The boards that it created on one puzzle of each level; with threads, another number each time."""


def with_ways(frame: pd.DataFrame) -> pd.DataFrame:
    """The runs on skyscrapers, with ``way`` (what solved: phases, or solver and encoding) and ``ms``."""
    runs = frame[frame["kind"].eq("skyscrapers")].copy()
    named = runs["solver"].map(PHASES)
    runs["way"] = named.fillna(runs["solver"] + (" " + runs["label"]).where(runs["label"].ne(""), "")).astype(str)
    clock = clock_of(runs)
    search = "solve_cpu_s" if clock is CPU else "solve_s"
    runs["ms"] = 1000 * runs[clock.column].where(runs["family"].ne("own"), runs[search]).astype("float64")
    return runs


def ways(runs: pd.DataFrame) -> list[str]:
    """The phases as the thesis orders them, then the rest by name."""
    found = set(runs["way"])
    return [name for name in PHASES.values() if name in found] + sorted(found - set(PHASES.values()))


def by_level(frame: pd.DataFrame, by: str = "level") -> pd.DataFrame:
    """A row a level and way: runs, solved, ms (mean, min, max, Kaplan-Meier's median), boards created; the thesis'.

    ``by`` "rows": a row a size and way, over the hard boards of every level and size.
    """
    runs = with_ways(frame)
    if by == "rows":
        runs = runs[runs["difficulty"].eq("hard")]
    rows = []
    for level in sorted(runs[by].dropna().unique()):
        for way in ways(runs):
            here = runs[runs[by].eq(level) & runs["way"].eq(way) & runs["outcome"].ne("INTERRUPTED")]
            if here.empty:
                continue
            solved = here[here["solved"]]
            nodes = solved["nodes"].astype("Float64").astype("float64")
            boards = median(nodes.reindex(here.index).fillna(math.inf) if nodes.notna().any() else nodes)
            thesis = THESIS.get((int(level), way)) if by == "level" else None
            time = survival_of(here.assign(time_s=here["ms"])).median()
            rows.append(
                {
                    by: int(level), "way": way, "runs": len(here), "solved": len(solved),
                    "mean_ms": solved["ms"].mean(), "min_ms": solved["ms"].min(), "max_ms": solved["ms"].max(),
                    "median_ms": time.value, "median_low_ms": time.low, "median_high_ms": time.high,
                    "boards_mean": nodes.mean(), "boards_median": boards.value,
                    "boards_median_low": boards.low, "boards_median_high": boards.high,
                    "thesis_mean_ms": None if thesis is None else thesis.mean_ms,
                    "thesis_runs": None if thesis is None else thesis.runs,
                    "thesis_boards": THESIS_BOARDS.get((int(level), way)) if by == "level" else None,
                }
            )  # fmt: skip
    return pd.DataFrame(rows)


def across(table: pd.DataFrame, column: str) -> pd.DataFrame:
    """One ``column`` of ``by_level``: a row a level (or size), a column a way, in the table's order."""
    order = list(dict.fromkeys(table["way"]))
    return table.set_index([table.columns[0], "way"])[column].unstack("way").reindex(columns=order)


def worth(table: pd.DataFrame) -> pd.DataFrame:
    """What a phase is worth: the median time without it and the later ones, by that with it, level by level."""
    times = across(table, "median_ms")
    order = [name for name in PHASES.values() if name in times]
    pairs = pairwise(order)
    return pd.DataFrame({f"{before} / {after}": times[before] / times[after] for before, after in pairs})


def overtaken(table: pd.DataFrame, native: str = "phases 1-4, 5") -> pd.DataFrame:
    """The median time of every other way by that of ``native``: below 1 it is faster."""
    times = across(table, "median_ms")
    others = [name for name in times if name not in PHASES.values()]
    return times[others].div(times[native], axis=0)


SAMPLES, SEED = 9_999, 2022


def against(frame: pd.DataFrame, native: str = "phases 1-4, 5") -> pd.DataFrame:
    """A row a size of hard boards and way but ``native``: its times by those of ``native``, board by board.

    ``typical`` is the median of the boards' ratios, ``ratio_of_means`` the means' ratio, as in the thesis; both with 95
    % intervals of the paired bootstrap. There is no ratio of means where a limit ended a run.
    """
    runs = with_ways(frame)
    hard = runs[runs["difficulty"].eq("hard")]
    ended = hard["ms"].where(hard["solved"], math.inf)
    rows = []
    for size, here in hard.assign(ended=ended).groupby("rows"):
        boards = here.groupby(["instance", "way"])["ended"].median().unstack("way")
        for way in ways(here):
            pair = boards[[way, native]].dropna() if way != native else boards[:0]
            if pair.empty:
                continue
            above, below = (pair[name].to_numpy() for name in (way, native))
            typical = median(above / below)
            means = ratio_of_sums(above, below, SEED, SAMPLES)
            rows.append(
                {
                    "rows": int(size), "way": way, "boards": len(pair),
                    "typical": typical.value, "typical_low": typical.low, "typical_high": typical.high,
                    "ratio_of_means": means.value, "ratio_of_means_low": means.low, "ratio_of_means_high": means.high,
                }
            )  # fmt: skip
    return pd.DataFrame(rows)


def write(frame: pd.DataFrame, out: Path) -> None:
    """Write the tables and figures of the notebook about Skyscrapers.

    ``by-level.csv``, ``by-size.csv`` (the rows of ``by_level``), ``against.csv``, ``time-by-level.png``,
    ``time-by-size.png`` and ``boards-by-level.png``.
    """
    out.mkdir(parents=True, exist_ok=True)
    against(frame).to_csv(out / "against.csv", index=False, float_format="%.4g")
    for name, by in (("by-level", "level"), ("by-size", "rows")):
        by_level(frame, by).to_csv(out / f"{name}.csv", index=False, float_format="%.6g")
    for name, figure in printed(frame):
        publish(figure, out / name)


def printed(frame: pd.DataFrame) -> Iterator[tuple[str, TitledFigure]]:
    """The figures for print, by name: two columns wide."""
    with coloured(ways(with_ways(frame))), drawn_for(paper(COLUMNS[2], font=None)):
        yield "time-by-level", lines_by_level(frame)
        yield "time-by-size", lines_by_level(frame, by="rows")
        yield "boards-by-level", lines_by_level(frame, "boards_median")


def lines_by_level(
    frame: pd.DataFrame, column: str = "median_ms", only: Sequence[str] = (), by: str = "level"
) -> TitledFigure:
    """``median_ms`` or ``boards_median`` over the levels, a line a way, log scale; crosses: the thesis' means.

    ``by`` "rows": over the sizes of the hard boards. Points have 95 % intervals. An open marker at the limit: half of
    the runs or more were ended there.
    """
    runs = with_ways(frame)
    if by == "rows":
        runs = runs[runs["difficulty"].eq("hard")]
    table = by_level(frame, by)
    title = {"median_ms": "Median CPU time to the first solution", "boards_median": "Boards created, median"}[column]
    shown = [way for way in ways(runs) if not only or way in only]
    values = across(table, column) if len(table) else pd.DataFrame()
    shown = [way for way in shown if way in values and values[way].notna().any()]
    if not shown:
        return no_data(title, counts_line(runs))
    foot = f"{counts_line(runs)}; {_boards(table)} boards a point."
    crosses = column == "median_ms" and by == "level"
    foot += " Crosses: the thesis' means, on its machine." if crosses else ""
    foot += _not_run(table[table["way"].isin(shown)])
    most = values.where(values < math.inf).max(axis=None)
    limit = 1000 * limit_of(runs) if column == "median_ms" else 2 * most
    lines = [_line(table[table["way"].eq(way)], column, way, style, limit) for way, style in looks(shown).items()]
    foot += marks_note(lines)
    figure, (axes,) = drawn(title, foot, size=(5.6, 3.6), names=shown)
    draw_lines(axes, lines)
    if crosses:
        for (level, way), thesis in THESIS.items():
            if way in shown:
                axes.plot([level], [thesis.mean_ms], "x", color=looks(shown)[way].colour, markersize=5, alpha=0.7)
    logarithmic(axes)
    if column == "median_ms":
        limit_line(axes, limit, label=f"limit {limit_of(runs):g} s")
    elif any(line.beyond for line in lines):
        limit_line(axes, limit, label="over the limit on time")
    axes.set_xticks(values.index.tolist())
    labelled(axes, "level" if by == "level" else "size of hard boards", "ms" if column == "median_ms" else "boards")
    panel_grid(axes)
    name_lines(figure, lines)
    return figure


def _boards(table: pd.DataFrame) -> str:
    return f"{table['runs'].min()} to {table['runs'].max()}"


def _not_run(table: pd.DataFrame) -> str:
    """At which levels or sizes ways have no run: `` Not run: phases 1, 5 at 10, 11.``"""
    by, lacking = table.columns[0], dict[tuple[int, ...], list[str]]()
    for way, here in table.groupby("way", sort=False):
        if places := tuple(sorted(set(table[by]) - set(here[by]))):
            lacking.setdefault(places, []).append(str(way))
    told = [f"{' and '.join(ways)} at {', '.join(map(str, places))}" for places, ways in lacking.items()]
    return f" Not run: {'; '.join(told)}." if told else ""


def _line(table: pd.DataFrame, column: str, way: str, style: Look, limit: float) -> PlotLine:
    """``limit``: where medians over the limit stand."""
    x = table.iloc[:, 0].astype(float).tolist()
    names = (column, *(column.replace("median", f"median_{end}") for end in ("low", "high")))
    y, low, high = (table[name].astype("float64").tolist() for name in names)
    beyond = [place for place, value in zip(x, y, strict=True) if value == math.inf]
    return PlotLine(way, x, y, style, low=low, high=high, beyond=beyond, limit=limit)


if __name__ == "__main__":
    name = "majdandzic2022"
    write(load(RESULTS / f"{name}.parquet"), Path(sys.argv[1]) if sys.argv[1:] else RESULTS / name)
