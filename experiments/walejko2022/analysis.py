"""Wałejko's tables 4.1 to 4.4 (2022), measured on other pictures: our milliseconds, and the thesis' in brackets.

    python experiments/walejko2022/analysis.py [DIR]

makes the files of results/walejko2022 anew, or in DIR. A study that names this file has the tables in its report.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import mean
from typing import Any

import numpy as np
import pandas as pd

from nonosat import Verdict
from nonosat.studies.analysis.boards import limits_of
from nonosat.studies.analysis.frames import load
from nonosat.studies.analysis.intervals import resamples
from nonosat.studies.analysis.report import ReportedStudy
from nonosat.studies.analysis.sheets import Sheet, plain_columns
from nonosat.studies.analysis.summary import MEANINGS

RESULTS = Path(__file__).parents[2] / "results"

# The figures of the thesis: milliseconds of its solvers on eighteen pictures.
#
# The thesis measured on an i5-6300HQ with Node.js 14, in whole milliseconds. Of five runs it dropped the fastest and
# the slowest and took the others' mean. A run over five minutes ended the measurement.


EXCEEDED = None
"""The thesis' "przekroczono": no result within five minutes."""

Milliseconds = float | None


@dataclass(frozen=True)
class ThesisTable:
    """A table of the thesis: ``columns`` are (heading, the thesis' heading, solver), and ``thesis`` its figures.

    ``thesis[puzzle]`` has a number of milliseconds for every column, or ``EXCEEDED``.
    """

    number: str
    title: str
    columns: tuple[tuple[str, str, str], ...]
    thesis: Mapping[str, tuple[Milliseconds, ...]]


PICTURES = {
    "Cross": 3, "Flame": 5, "Jellyfish": 8, "Candy": 8, "Shield": 10, "Dog": 10, "Duck": 16, "Shrimp": 16,
    "Cherries": 20, "Potion": 20, "Tape": 25, "Lighter": 25, "Ghost": 32, "Demon": 32, "Butcher": 48, "Ranger": 48,
    "Orc": 64, "Swordsman": 64,
}  # fmt: skip


def _figures(rows: Sequence[str]) -> dict[str, tuple[Milliseconds, ...]]:
    """The thesis' rows, in the order of ``PICTURES``; x is exceeded."""
    return {
        name: tuple(EXCEEDED if word == "x" else float(word) for word in row.split())
        for name, row in zip(PICTURES, rows, strict=False)
    }


TABLES = (
    ThesisTable("4.1", "Exhaustive", (("exhaustive", "całościowy", "exhaustive"),), _figures(["1", "46", "x", "x"])),
    ThesisTable(
        "4.2",
        "Axis",
        (("plain", "bez modyfikacji", "axis"), ("partial verification", "z częściową weryfikacją", "axis+partial")),
        _figures(
            ["0 0", "0 0", "463 2", "0 0", "x 3", "12004 1", "x 12", "x 14", "x 25", "x 315", "x 1091", "x 60945",
             "x 40040", "x 3997", "x x", "x 59703", "x x", "x x"]
        ),
    ),
    ThesisTable(
        "4.3",
        "Elimination, part 1",
        (
            ("base", "bez modyfikacji", "elimination"),
            ("no early exit", "bez przerw.", "elimination+nobreak"),
            ("columns first", "kolumny", "elimination+columns"),
            ("min placements", "min komb.", "elimination+min"),
            ("max placements", "max komb.", "elimination+max"),
        ),
        _figures(
            ["0 0 0 0 0", "0 0 0 0 0", "1 1 1 1 1", "0 0 0 0 0", "2 2 2 2 1", "1 0 0 0 1", "2 1 1 1 1", "1 1 1 1 1",
             "3 3 3 3 3", "12 13 13 13 13", "2 2 2 2 2", "13 13 13 12 13", "47 47 48 45 47",
             "1787 1817 1806 1800 1822", "1811 1809 1819 1790 1791", "46 48 47 47 48", "1463 1454 1446 1465 1456",
             "1440 1467 1451 1429 1432"]
        ),
    ),
    ThesisTable(
        "4.4",
        "Elimination, part 2: the queue",
        (
            ("lifo", "lifo", "elimination"),
            ("fifo", "fifo", "elimination+fifo"),
            ("unchanged", "bez zm.", "elimination+unchanged"),
            ("tracking, lifo", "śl. ind. lifo", "elimination+tracking"),
            ("tracking, fifo", "śl. ind. fifo", "elimination+fifo+tracking"),
            ("tracking, unchanged", "śl. ind. bez zm.", "elimination+unchanged+tracking"),
        ),
        _figures(
            ["0 0 0 0 0 0", "0 0 0 0 0 0", "1 2 2 2 1 1", "0 0 0 0 0 0", "2 1 1 2 3 2", "1 1 1 1 0 1", "2 1 2 2 2 2",
             "1 1 1 1 1 1", "3 4 4 3 4 3", "12 13 14 16 16 13", "2 2 2 4 3 3", "13 13 13 13 15 13",
             "47 47 52 56 72 54", "1787 2380 1980 1194 1257 1127", "1811 1884 1798 1854 1962 1717",
             "46 44 53 61 62 59", "1463 1413 1437 1413 1415 1311", "1440 1489 1544 1534 1608 1451"]
        ),
    ),
)  # fmt: skip


# The tables cell by cell, from records of the solvers on pictures of the thesis' names and sizes.
#
# As in the thesis, of a puzzle's runs the fastest and the slowest are dropped, and the mean of the others is the
# result; if a run was over the limit there is none. Times are ``solve_cpu_s`` of the records: CPU time from the puzzle
# to the picture with the listing of placements, in a process of its own. On an idle machine wall time is the same.


OVER = (str(Verdict.TIMEOUT), str(Verdict.CPUOUT))
COUNTERS = ("placements", "lines_checked", "assumptions", "nodes", "contradictions")
COLUMNS = (
    *("table", "puzzle", "size", "column", "solver", "limit_s", "runs", "outcome"),
    *("ms", "wall_ms", "thesis_ms", "faster", *COUNTERS),
)
STATED = ["instance", "count", "time_limit_s", "cpu_limit_s", "memory_limit_mb"]
"""What a study states of a cell in addition to its solver. It may change while the store keeps the old runs."""


def cells(frame: pd.DataFrame) -> pd.DataFrame:
    """A row for each cell that has runs, with ``COLUMNS``; times in milliseconds, absent where there is no result.

    ``outcome``: SAT if every run found a picture, TIMEOUT or CPUOUT if one was over the limit. ``wall_ms``: wall time
    by the same rule, longer on a machine that does other things too. ``thesis_ms``: absent for its "exceeded".
    ``faster``: how many times we are; absent if either is, or if the thesis' is rounded to 0.
    """
    found = dict(list(of_pictures(frame).groupby(["puzzle", "solver"])))
    rows = []
    for table in TABLES:
        for place, (column, _, solver) in enumerate(table.columns):
            for puzzle in table.thesis:
                if (puzzle, solver) not in found:
                    continue
                ours, theirs = measured(last_stated(found[puzzle, solver])), table.thesis[puzzle][place]
                faster = theirs / ours["ms"] if theirs and ours["ms"] else None
                where = {"table": table.number, "puzzle": puzzle, "size": PICTURES[puzzle], "column": column}
                rows.append({**where, "solver": solver, **ours, "thesis_ms": theirs, "faster": faster})
    types: dict[str, Any] = dict.fromkeys(("limit_s", "ms", "wall_ms", "thesis_ms", "faster"), "float64")
    return pd.DataFrame(rows, columns=list(COLUMNS)).astype({**types, **dict.fromkeys(COUNTERS, "Int64")})


def of_pictures(frame: pd.DataFrame) -> pd.DataFrame:
    """The runs on puzzles of the thesis' names (the file's: ``20-cherries.png``) and sizes, with ``puzzle``."""
    names = {name.lower(): name for name in PICTURES}
    stems = {source: Path(source).stem.lower().lstrip("0123456789-_ ") for source in frame["source"].unique()}
    puzzle = frame["source"].map({source: names[stem] for source, stem in stems.items() if stem in names})
    side = puzzle.map(PICTURES).astype("Int64")
    as_large = (frame["rows"].eq(side) & frame["columns"].eq(side)).fillna(False).astype(bool)
    return frame.assign(puzzle=puzzle)[as_large & frame["outcome"].ne(str(Verdict.INTERRUPTED))]


def last_stated(runs: pd.DataFrame) -> pd.DataFrame:
    """Of the runs of one puzzle and solver those with the picture and the limits that were run last."""
    alike = [part for _, part in runs.groupby(STATED, dropna=False)]
    return max(alike, key=lambda part: str(part["started"].fillna("").max()))


def measured(runs: pd.DataFrame) -> dict[str, Any]:
    """The result of a cell's runs. Counters are the same in every run that ended."""
    without = runs.loc[runs["outcome"].ne(str(Verdict.SAT)), "outcome"].tolist()
    over = [outcome for outcome in without if outcome in OVER]
    solved = runs[:0] if without else runs
    return {
        "limit_s": float(limits_of(runs).iloc[0]),
        "runs": len(runs),
        "outcome": (over or without or [str(Verdict.SAT)])[0],
        "ms": trimmed_mean(1000 * solved["solve_cpu_s"].dropna()),
        "wall_ms": trimmed_mean(1000 * solved["solve_s"]),
        **{name: next(iter(runs[name].dropna()), None) for name in COUNTERS},
    }


def trimmed_mean(values: Iterable[float]) -> float | None:
    """The mean without the least and the greatest; None if nothing is left.

    >>> trimmed_mean([5.0, 1.0, 2.0, 3.0, 100.0])
    3.3333333333333335
    """
    left = sorted(values)[1:-1]
    return mean(left) if left else None


EXCEEDED_MARK = "x"
CELLS = "walejko-cells"


def tables(frame: pd.DataFrame) -> Iterator[tuple[str, str, pd.DataFrame]]:
    """(name, caption, table) of those that the records permit: the thesis' four, how much faster, and all cells."""
    found = cells(frame)
    for table in TABLES:
        if len(here := found[found["table"].eq(table.number)]):
            caption = f"Table {table.number}: {table.title}, ms (the thesis')"
            yield f"walejko-{table.number}", caption, grid(table, here)
    if len(found):
        caption = "How many times faster than the thesis, where both have a figure and the thesis' is not rounded to 0"
        yield "walejko-faster", caption, faster(found)
        yield CELLS, "The cells of these tables", found


def grid(table: ThesisTable, here: pd.DataFrame) -> pd.DataFrame:
    """The cells of one table as text: a row a puzzle, a column a solver; "" where there are no runs."""
    texts = {(row["puzzle"], row["column"]): format_cell(row) for row in here.to_dict("records")}
    sizes = dict(zip(here["puzzle"], here["size"], strict=True))
    rows = [
        [puzzle, sizes[puzzle], *(texts.get((puzzle, ours), "") for ours, _, _ in table.columns)]
        for puzzle in table.thesis
        if puzzle in sizes
    ]
    headings = [f"{ours} ({theirs})" for ours, theirs, _ in table.columns]
    return pd.DataFrame(rows, columns=["puzzle", "size", *headings])


def format_cell(cell: dict[str, Any]) -> str:
    """One cell: ``0.144 (1)``; x is exceeded; without a result how the runs ended, or how few they are."""
    if pd.notna(ms := cell["ms"]):
        ours = f"{ms:.3g}" if ms < 100 else f"{ms:,.0f}"
    elif cell["outcome"] in OVER:
        ours = EXCEEDED_MARK
    else:
        ours = f"runs: {cell['runs']}" if cell["outcome"] == Verdict.SAT else cell["outcome"]
    theirs = cell["thesis_ms"]
    return f"{ours} ({EXCEEDED_MARK if pd.isna(theirs) else f'{theirs:,.0f}'})"


def faster(found: pd.DataFrame) -> pd.DataFrame:
    """Per solver: the puzzles solved, and of the ratios to the thesis' figures the median, the least and the most."""
    once = found.drop_duplicates(["puzzle", "solver"])  # two tables share a solver
    rows = []
    for solver, mine in once.groupby("solver", sort=False):
        ratios = mine["faster"]
        rows.append(
            {
                "solver": solver, "puzzles": len(mine), "solved": int(mine["ms"].notna().sum()),
                "compared": int(ratios.count()), "median": ratios.median(), "least": ratios.min(), "most": ratios.max(),
            }
        )  # fmt: skip
    return pd.DataFrame(rows)


def markdown(frame: pd.DataFrame, machine: str) -> str:
    """All tables but that of the cells; ``machine``: what the records were made on."""
    found, load = cells(frame), of_pictures(frame)["load_average"]
    runs, limits = _all(found.loc[found["ms"].notna(), "runs"]), _all(found["limit_s"].dropna())
    parts = [
        "# The tables of Wałejko 2022, measured on other pictures",
        f"Milliseconds of {machine}, in a process a run: the mean of {runs} runs without the fastest and the slowest; "
        f"limit {limits} s. CPU time, since others used the machine, whose load was {load.min():.1f} to "
        f"{load.max():.1f} (wall_ms in tables.csv has the wall time, which is longer by that). In "
        "brackets the thesis' figures (i5-6300HQ, Node.js 14, limit 300 s, whole milliseconds), which are "
        "those of its own pictures: ours have their names and sizes only. *x*: a run was over the limit.",
    ]
    for name, caption, table in tables(frame):
        if name != CELLS:
            parts += [f"## {caption}", pipes(table)]
    return "\n\n".join(parts) + "\n"


def _all(values: pd.Series) -> str:
    return " or ".join(f"{value:g}" for value in sorted(values.unique())) or "no"


def pipes(table: pd.DataFrame) -> str:
    """A table in Markdown; numbers with at most one digit behind the point."""
    rows: list[Sequence[str]] = [
        [str(name) for name in table],
        ["---", *("---:" for _ in range(table.shape[1] - 1))],
        *([_digits(value) for value in row] for row in table.itertuples(index=False, name=None)),
    ]
    return "\n".join("| " + " | ".join(row) + " |" for row in rows)


def _digits(value: object) -> str:
    if isinstance(value, float):
        return "" if pd.isna(value) else f"{value:,.1f}"
    return str(value)


# The queue and the tracking on random boards (walejko2022-large): each way of table 4.4 by its first column.


PLAIN = "elimination"
WAYS = {solver: column for column, _, solver in TABLES[3].columns if solver != PLAIN}
COMPARED = ("lines_checked", "solve_cpu_s")
ALL = "all"
SAMPLES, SEED = 9_999, 2022


def queue_ratios(frame: pd.DataFrame) -> pd.DataFrame:
    """A row for each cell, and for ``ALL`` of them, each of ``WAYS`` and what is ``COMPARED``: that way by ``PLAIN``.

    ``ratio_of_means`` adds up the cells' means above and below, ``typical`` is the geometric mean of the boards'
    ratios; with 95 % intervals of the paired bootstrap, which draws boards within each cell. Of a board's repetitions
    the median counts. ``left_out``: boards that some run gave no picture of. ``plain_mean``: of ``PLAIN``.
    """
    cell = frame["rows"].astype(str) + "x" + frame["columns"].astype(str) + ", " + frame["density"].map("{:.0%}".format)
    runs = frame.assign(cell=cell)
    solved = runs["outcome"].eq(str(Verdict.SAT)).groupby(runs["instance"]).transform("all")
    boards = runs[solved].groupby(["cell", "instance", "solver"])[list(COMPARED)].median().unstack("solver")
    drawn = {}
    for seed, (name, here) in enumerate(boards.groupby(level="cell"), start=SEED):
        measured = np.arange(len(here))[None]
        drawn[name] = here, np.concatenate((measured, resamples(len(here), SAMPLES, seed)))
    rows = []
    for name in (ALL, *drawn):
        used = list(drawn.values()) if name == ALL else [drawn[name]]
        several = runs if name == ALL else runs[runs["cell"].eq(name)]
        about = {
            "cell": name,
            "boards": sum(len(here) for here, _ in used),
            "left_out": several.loc[~solved, "instance"].nunique(),
        }
        for of in COMPARED:
            for solver, column in WAYS.items():
                above, below = (
                    sum(here[of, way].to_numpy()[at].mean(axis=1) for here, at in used) for way in (solver, PLAIN)
                )
                logs = [np.log(here[of, solver].to_numpy() / here[of, PLAIN].to_numpy())[at] for here, at in used]
                typical = np.exp(np.mean([log.mean(axis=1) for log in logs], axis=0))
                plain = float(below[0]) / len(used)
                rows.append({**about, "way": column, "of": of, "plain_mean": plain})
                for estimator, values in (("ratio_of_means", above / below), ("typical", typical)):
                    low, high = np.quantile(values[1:], [0.025, 0.975])
                    rows[-1] |= {estimator: values[0], f"{estimator}_low": low, f"{estimator}_high": high}
    return pd.DataFrame(rows)


def write(frame: pd.DataFrame, out: Path, machine: str) -> None:
    """Write ``tables.md`` and, a row a cell, ``tables.csv``."""
    out.mkdir(parents=True, exist_ok=True)
    cells(frame).to_csv(out / "tables.csv", index=False, float_format="%.6g")
    (out / "tables.md").write_text(markdown(frame, machine), encoding="utf-8")


WALEJKO = "Wałejko 2022"


def sheets(study: ReportedStudy) -> Iterator[tuple[str, Sheet]]:
    """(section, table) for a study's report: the thesis' tables."""
    for name, caption, table in tables(study.runs):
        yield WALEJKO, Sheet(name, f"{caption}.", table, plain_columns(table, MEANINGS), True)


def machine_of(tables: str) -> str:
    """The machine that a ``tables.md`` names."""
    return tables.partition("Milliseconds of ")[2].partition(", in a process a run")[0]


if __name__ == "__main__":
    folder = RESULTS / "walejko2022"
    machine = machine_of((folder / "tables.md").read_text(encoding="utf-8"))
    out = Path(sys.argv[1]) if sys.argv[1:] else folder
    write(load(RESULTS / "walejko2022.parquet"), out, machine)
    queue_ratios(load(RESULTS / "walejko2022-large.parquet")).to_csv(
        out / "queue.csv", index=False, float_format="%.4g"
    )
