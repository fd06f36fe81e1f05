"""Files with many puzzles, such as those of tournaments: what each configuration made of each file."""

from __future__ import annotations

import math

import pandas as pd

from nonosat.experiments.analysis.boards import Clock, limits_of
from nonosat.experiments.analysis.intervals import wilson
from nonosat.experiments.analysis.report.study import Study
from nonosat.experiments.analysis.sheets.sheet import Column, Sheet
from nonosat.experiments.analysis.survival import kaplan_meier

ALL = "all files"
COLUMNS = (
    *("file", "configuration", "puzzles", "solved", "share", "share_low", "share_high"),
    *("sum_s", "median_s", "median_low_s", "median_high_s", "most_s"),
)


def by_collection(runs: pd.DataFrame, clock: Clock) -> pd.DataFrame:
    """A row a file and configuration, over the puzzles that all configurations have run on; then all files together.

    ``sum_s``: an unsolved run counts as its limit, as the tournaments do; infinite without one. ``median_s`` is Kaplan
    & Meier's, with Brookmeyer & Crowley's 95 % interval, ``share`` solved with Wilson's; ``most_s``: the longest that
    was solved. A configuration's row counts repetitions as runs of their own. Empty if no file has several puzzles.
    """
    names = runs["configuration"].nunique()
    here = runs[runs["instance"].str.startswith("file/").fillna(False)]
    met = here.groupby("instance")["configuration"].nunique()
    here = here[here["instance"].isin(met[met.eq(names)].index)]
    sizes = here.groupby("source")["instance"].nunique()
    here = here[here["source"].isin(sizes[sizes.gt(1)].index)]
    rows = [_row(str(file), str(name), some, clock) for (file, name), some in here.groupby(["source", "configuration"])]
    if here["source"].nunique() > 1:
        rows += [_row(ALL, str(name), some, clock) for name, some in here.groupby("configuration")]
    table = pd.DataFrame(rows, columns=list(COLUMNS))
    last = table["file"].eq(ALL)
    return table.assign(last=last).sort_values(
        ["last", "file", "solved", "sum_s", "configuration"], ascending=[True, True, False, True, True],
        ignore_index=True,
    ).drop(columns="last")  # fmt: skip


def _row(file: str, name: str, runs: pd.DataFrame, clock: Clock) -> dict[str, object]:
    solved, times = runs["solved"].astype(bool), runs[clock.column].astype("float64")
    limits = limits_of(runs).fillna(math.inf)
    share = wilson(int(solved.sum()), len(runs))
    spent = times.where(solved, times.where(runs["censored"], math.inf))
    median = kaplan_meier(spent.to_numpy(), solved.to_numpy()).median()
    return {
        "file": file, "configuration": name, "puzzles": runs["instance"].nunique(), "solved": int(solved.sum()),
        "share": share.value, "share_low": share.low, "share_high": share.high,
        "sum_s": float(times.where(solved, limits).sum()),
        "median_s": median.value, "median_low_s": median.low, "median_high_s": median.high,
        "most_s": float(times[solved].max()) if solved.any() else math.nan,
    }  # fmt: skip


def collections_sheet(study: Study) -> Sheet | None:
    """The table by file; None if no file has several puzzles."""
    table = by_collection(study.runs, study.clock)
    if table.empty:
        return None
    columns = [
        Column("file", "file"),
        Column("configuration", "configuration"),
        Column("puzzles", "puzzles", "count"),
        Column("solved", "solved", "count"),
        Column("share", "solved", "share", "share_low", "share_high", meaning="with Wilson's 95 % interval"),
        Column("sum_s", f"sum ({study.clock.words})", "seconds", meaning="an unsolved run counts as its limit"),
        Column("median_s", "median", "seconds", "median_low_s", "median_high_s", beyond=study.limit,
               meaning="Kaplan-Meier's, with Brookmeyer & Crowley's 95 % interval"),
        Column("most_s", "longest solved", "seconds"),
    ]  # fmt: skip
    caption = "By file and solver: puzzles solved, the sum of times, the median; the most solved first"
    caption += f"; limit {study.limit:g} s." if math.isfinite(study.limit) else "."
    return Sheet("by-collection", caption, table, columns, True)
