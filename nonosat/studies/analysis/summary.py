"""Numbers for groups of runs: with Castilho & Welter's conventions (2018), and with those of survival analysis.

The report of Castilho & Welter leaves out runs over the limit, and never looks at the pictures. Its means, over the
runs that ended by themselves, are here as ``report_...``, with the numbers of runs left out and of wrong pictures: they
are of the effort until the end of a run, not until an answer. In all other numbers a wrong picture, an UNSAT for a
board that has a solution, and a failure are no result. PAR2 counts twice the limit for them. Kaplan & Meier's estimator
takes their time as infinite, so that it is one minus the cumulative incidence of results (Kalbfleisch & Prentice 1980,
ch. 7). Interrupted runs are only counted.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from nonosat.encodings.registry import MODEL
from nonosat.runs.events import Verdict
from nonosat.studies.analysis import intervals
from nonosat.studies.analysis.axes import natural
from nonosat.studies.analysis.boards import limits_of
from nonosat.studies.analysis.intervals import Array, IntervalEstimate, Survival, kaplan_meier
from nonosat.studies.records import FAILED

BY = ("solver", "label", "size", "density")
COUNTED = {
    "sat": (Verdict.SAT,),
    "unsat": (Verdict.UNSAT,),
    "measured": (Verdict.MEASURED,),
    "wrong": (Verdict.WRONG,),
    "timeout": (Verdict.TIMEOUT,),
    "cpuout": (Verdict.CPUOUT,),
    "memout": (Verdict.MEMOUT,),
    "failed": FAILED,
    "interrupted": (Verdict.INTERRUPTED,),
}


def counts(frame: pd.DataFrame) -> dict[str, int]:
    """How many runs there are, and how they ended. ``false_unsat`` are among ``unsat`` and ``wrong``; ``solved`` leaves
    them out.

    ``other``: outcomes that this version does not know.
    """
    found = {str(name): int(number) for name, number in frame["outcome"].value_counts().items()}
    classes = {name: sum(found.get(str(outcome), 0) for outcome in outcomes) for name, outcomes in COUNTED.items()}
    return {
        "runs": len(frame),
        "solved": int(frame["solved"].sum()),
        **classes,
        "other": len(frame) - sum(classes.values()),
        "false_unsat": int(frame["false_unsat"].sum()),
    }


def counted(count: int, thing: str) -> str:
    """``1 board``, ``2,000 boards``."""
    return f"{count:,} {thing}{'s' * (count != 1)}"


def thing_of(frame: pd.DataFrame) -> str:
    """What the runs are on: ``board``, or ``model``."""
    kinds = set(frame["kind"].dropna())
    return MODEL if kinds == {MODEL} else "board"


def counts_line(frame: pd.DataFrame) -> str:
    """The counts as one line, for the foot of a figure: what is 0 is left out, but the four that matter most. They add
    up to all runs.
    """
    number = counts(frame)
    over, wrong = number["timeout"] + number["cpuout"], int((frame["wrong"] | frame["false_unsat"]).sum())
    line = f"{counted(number['runs'], 'run')}: {number['solved']:,} solved, {over:,} timed out, "
    line += f"{number['failed']:,} failed, {wrong:,} wrong"
    line += f" ({number['false_unsat']:,} of them false UNSAT)" if number["false_unsat"] else ""
    rest = {"out of memory": "memout", "interrupted": "interrupted", "other": "other"}
    return line + "".join(f", {number[name]:,} {words}" for words, name in rest.items() if number[name])


# Runs of one board by one configuration are repetitions: intervals are over boards, each with its median.


def _board_keys(runs: pd.DataFrame) -> list[pd.Series]:
    unknown = pd.Series(runs.index.astype(str), index=runs.index, dtype=object)  # foreign records may name no board
    return [runs["instance"].astype(object).where(runs["instance"].notna(), unknown), runs["configuration"]]


def boards_in(runs: pd.DataFrame) -> int:
    """How many boards ``runs`` are of, each counted once for each configuration."""
    return int((~pd.concat(_board_keys(runs), axis=1).duplicated()).sum())


def by_board(values: pd.Series, runs: pd.DataFrame) -> Array:
    """The median of the ``values`` of each board's repetitions; NaN are left out."""
    keys = _board_keys(runs)
    if not pd.concat(keys, axis=1).duplicated().any():
        return np.asarray(values, dtype=np.float64)
    return np.asarray(values.astype("float64").groupby(keys, dropna=False, sort=False).median(), dtype=np.float64)


def share_of(which: pd.Series, runs: pd.DataFrame) -> IntervalEstimate:
    """The share of ``runs`` that are among ``which``, with Wilson's interval for as many boards as they are of."""
    boards = boards_in(runs)
    return intervals.wilson(float(which.astype("float64").mean()) * boards, boards) if boards else intervals.NOTHING


def ended_runs(frame: pd.DataFrame) -> pd.Series:
    """Which runs ended by themselves within the limit: what effort until the end of a run is taken of.

    A wrong picture is such an end, and no answer: what is taken of these runs says how many of them were wrong.
    """
    return frame["outcome"].isin([str(outcome) for outcome in (Verdict.SAT, Verdict.UNSAT, Verdict.WRONG)])


def limit_of(frame: pd.DataFrame) -> float:
    """The limit on time that the runs had, of wall and CPU time the shorter; NaN if none, or not the same for all."""
    limits = limits_of(frame)
    return float(limits.iloc[0]) if len(limits) and limits.nunique(dropna=False) == 1 else math.nan


def par2(times: npt.ArrayLike, solved: npt.ArrayLike, limit: float) -> float:
    """The mean time, where a run without a result counts twice the limit (as in the SAT competitions); NaN: unknown.

    >>> par2([1, 2, 10], [True, True, False], 10)
    7.666666666666667
    """
    time, done = np.asarray(times, dtype=np.float64), np.asarray(solved, dtype=bool)
    if not len(time) or (math.isnan(limit) and not done.all()):
        return math.nan
    return float(np.where(done, time, 2 * limit).mean())


def survival_of(frame: pd.DataFrame, time: str = "time_s") -> Survival:
    """Kaplan & Meier's estimate of the time to a result; ``time``: the column, ``time_s`` or a CPU time. A board that
    was repeated has the medians of its bounds, as in ``boards_of``.

    A run that a limit ended counts as longer than its limit on time, though it may have used less of this clock: the
    estimate takes it that when a run is given up says nothing of how long it would take, and one that waits for the
    processor, or fills the memory, is given up early.
    """
    frame = frame[frame["outcome"].ne(str(Verdict.INTERRUPTED)).fillna(True)]
    times = frame[time].astype("float64")
    times = times.where(~frame["censored"], np.fmax(times, limits_of(frame)))
    low = by_board(times.where(frame["solved"] | frame["censored"], math.inf), frame)
    high = by_board(times.where(frame["solved"], math.inf), frame)
    solved = np.isfinite(high)
    return kaplan_meier(np.where(solved, high, low), solved)


def solutions_of(frame: pd.DataFrame) -> Survival:
    """Kaplan & Meier's estimate of the number of solutions, as its decimal logarithm.

    Of a board that was not counted to its end it is known that it has more than were found. (That a count is stopped
    has to do with how many there are, which the estimate takes not to be so: its upper half is a bound from below.)
    """
    return kaplan_meier(frame["log10_known"].fillna(0.0), frame["log10_solutions"].notna())


def describe(frame: pd.DataFrame, seed: int = 0, time: str = "time_s") -> dict[str, Any]:
    """The numbers of one group of runs; ``MEANINGS`` has the meanings of their names."""
    kept = frame[ended_runs(frame)]
    ended = frame[frame["outcome"].ne(str(Verdict.INTERRUPTED)).fillna(True)]
    limit = limit_of(ended)
    curve = survival_of(frame, time)
    share = share_of(ended["solved"], ended)
    boards, answered = boards_in(ended), frame[frame["solved"]]
    middle = curve.median().of_boards(boards)
    until = limit if math.isfinite(limit) else curve.last
    area = curve.restricted_mean(until).of_boards(boards)
    of_solved = intervals.median(by_board(answered[time], answered), seed).of_boards(boards_in(answered))
    counted_by = by_board(_floats(answered["decisions"]), answered)
    decisions = intervals.median(counted_by, seed).of_boards(int((~np.isnan(counted_by)).sum()))
    return {
        **counts(frame),
        "share_solved": share.value, "share_low": share.low, "share_high": share.high,
        "report_runs": len(kept), "report_left_out": len(frame) - len(kept),
        "report_mean_s": _mean(kept[time]), "report_mean_decisions": _mean(kept["decisions"]),
        "limit_s": limit, "par2_s": par2(ended[time], ended["solved"], limit),
        "solved_median_s": of_solved.value,
        "solved_median_low_s": of_solved.low, "solved_median_high_s": of_solved.high,
        "km_median_s": middle.value, "km_median_low_s": middle.low, "km_median_high_s": middle.high,
        "km_mean_s": area.value, "km_mean_low_s": area.low, "km_mean_high_s": area.high, "km_mean_until_s": until,
        "solved_median_decisions": decisions.value,
        "solved_median_decisions_low": decisions.low, "solved_median_decisions_high": decisions.high,
    }  # fmt: skip


MEANINGS = {
    "runs": "runs in the group",
    "solved": "a right solution, UNSAT that nothing contradicts, or measured",
    "sat": "a right solution", "unsat": "the solver said that there is none", "measured": "a counter came to its end",
    "wrong": "a solution that breaks the rules",
    "timeout": "over the limit on wall time", "cpuout": "over the limit on CPU time", "memout": "out of memory",
    "failed": "crash, error, gave up, or cannot do this puzzle", "interrupted": "ended by Ctrl-C",
    "other": "outcomes that this version does not know", "false_unsat": "UNSAT, of a board that has a solution",
    "share_solved": "share solved, with Wilson's 95 % interval over boards (share_low, share_high)",
    "report_runs": "runs in the report's means: all that ended within the limit, wrong pictures too",
    "report_left_out": "runs that the report's means leave out",
    "report_mean_s": "mean time until a run ended, as the report takes it",
    "report_mean_decisions": "mean decisions until a run ended, as the report takes it",
    "limit_s": "limit on time", "par2_s": "mean time, twice the limit for every run without a result",
    "solved_median_s": "median time of the solved runs (of repetitions their median), with a bootstrap 95 % interval "
    "over boards, none for fewer than 6",
    "km_median_s": "Kaplan-Meier's median time to a result, with its 95 % interval; inf: not within the limit",
    "km_mean_s": "Kaplan-Meier's mean time if every run ends at km_mean_until_s, with its 95 % interval",
    "solved_median_decisions": "median decisions of the solved runs, with a bootstrap 95 % interval",
}  # fmt: skip
"""What the columns of ``summarise`` mean."""
HEADS = {
    "label": "encoding", "par2_s": "PAR2", "km_median_s": "Kaplan-Meier's median", "km_mean_s": "Kaplan-Meier's mean",
}  # fmt: skip
"""Those whose names are no headings."""


def summarise(frame: pd.DataFrame, by: Sequence[str] = BY, seed: int = 0, time: str = "time_s") -> pd.DataFrame:
    """``describe`` of every group; a row a group, sorted (sizes by cells). ``seed``: of the bootstrap."""
    needed = [
        "instance",
        "configuration",
        "outcome",
        "solved",
        "censored",
        "false_unsat",
        "decisions",
        "time_limit_s",
        "cpu_limit_s",
    ]
    needed += ["rows", "columns", "size", time]
    frame = frame[list(dict.fromkeys([*by, *needed]))]  # groups of few columns are made much faster
    rows = []
    for names, group in groups(frame, by):
        rows.append({**dict(zip(by, names, strict=True)), **describe(group, seed, time)})
    columns = [*by, *describe(frame.iloc[:0], seed, time)]
    return pd.DataFrame(rows, columns=columns)


def groups(frame: pd.DataFrame, by: Sequence[str]) -> list[tuple[tuple[Any, ...], pd.DataFrame]]:
    """The groups that have runs, in a fixed order: sizes by their cells, an absent value last."""
    if not len(by):
        return [((), frame)] if len(frame) else []
    cells = (frame["rows"] * frame["columns"]).groupby(frame["size"]).max().to_dict() if "size" in by else {}

    def order(entry: tuple[tuple[Any, ...], Any]) -> list[tuple[bool, Any]]:
        keys = [cells.get(value, 0) if name == "size" else value for name, value in zip(by, entry[0], strict=True)]
        # As text 100 comes before 85.
        keys = [natural(key) if isinstance(key, str) else None if pd.isna(key) else key for key in keys]
        return [(key is None, "" if key is None else key) for key in keys]

    found = [(tuple(names), group) for names, group in frame.groupby(list(by), dropna=False, sort=False)]
    return sorted(found, key=order)


def _floats(values: pd.Series) -> pd.Series:
    return values.astype("Float64").astype("float64")


def _mean(values: pd.Series) -> float:
    known = _floats(values).dropna()
    return float(known.mean()) if len(known) else math.nan
