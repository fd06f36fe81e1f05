"""Wałejko's tables (2022) cell by cell: from the records of its solvers on pictures of its names and sizes.

As in the thesis: of a puzzle's runs the fastest and the slowest are dropped, and the mean of the others is the result;
where a run was over the limit there is none. Times are ``solve_cpu_s`` of the records: CPU time from the puzzle to the
picture, the listing of placements included, in a process of the run's own. On an idle machine wall time is the same.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from statistics import mean
from typing import Any

import pandas as pd

from nonosat.experiments.analysis.boards import limits_of
from nonosat.experiments.analysis.walejko2022.thesis import PICTURES, TABLES
from nonosat.solvers.answer import Verdict

OVER = (str(Verdict.TIMEOUT), str(Verdict.CPUOUT))
COUNTERS = ("placements", "lines_checked", "assumptions", "nodes", "contradictions")
COLUMNS = (
    *("table", "puzzle", "size", "column", "solver", "limit_s", "runs", "outcome"),
    *("ms", "wall_ms", "thesis_ms", "faster", *COUNTERS),
)
STATED = ["instance", "count", "limit_wall_s", "limit_cpu_s", "limit_memory_mb"]
"""What a study says of a cell beside its solver, and may say otherwise later, while its store keeps the old runs."""


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
    """What the runs of a cell say. Counters are the same in every run that ended."""
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
