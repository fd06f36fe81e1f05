"""Boards by configurations: what each got out of each board, with bounds where a limit ended the run.

A run that a limit ended would have taken longer than the time that it had: its time lies between that and infinity. A
wrong answer and a failure never become a result: their time is infinite. The penalised time (PAR2) of both is twice the
limit.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd

from nonosat.errors import UnknownNameError, UnsupportedError
from nonosat.runs.events import Verdict

Array = npt.NDArray[np.float64]


class Clock(NamedTuple):
    """What a page compares: a column of the frame, what it is called, and whether it is a time.

    A limit on time is none on a count. There, twice the largest value of any run stands for a run without a result in
    PAR2, and infinity in medians; ratios take it as any number.
    """

    column: str
    words: str
    time: bool = True

    @property
    def kind(self) -> Literal["seconds", "number"]:
        """How tables write it."""
        return "seconds" if self.time else "number"


CPU = Clock("cpu_time_s", "CPU time")
WALL = Clock("time_s", "wall time")
SOLVE_CPU = Clock("solving_cpu_s", "CPU time of solving")
SOLVE_WALL = Clock("solving_s", "wall time of solving")
TIMES = {clock.column: clock for clock in (CPU, WALL, SOLVE_CPU, SOLVE_WALL)}
COUNTS = {name: Clock(name, name, False) for name in ("conflicts", "decisions", "propagations")}
BY = ("total", "solve", *COUNTS)
"""What a report may rank by: all times, solving alone, or a counter of the solvers."""


def of_clock(runs: pd.DataFrame, clock: Clock) -> pd.DataFrame:
    """The runs that ``clock`` can compare: a conflict of CP-SAT is not one of a SAT solver."""
    return runs if clock.time else runs[runs["family"].eq("SAT").fillna(False).astype(bool)]


def clock_by(frame: pd.DataFrame, by: str | Clock | None) -> Clock:
    """The clock that ``by`` names, or it itself; None: ``clock_of``. UnknownNameError; UnsupportedError: no run with a
    result tells of it.
    """
    if by is None or isinstance(by, Clock):
        return by or clock_of(frame)
    if by not in BY:
        raise UnknownNameError("measure", by, BY)
    total = clock_of(frame)
    if by == "total":
        return total
    found = COUNTS.get(by, SOLVE_CPU if total == CPU else SOLVE_WALL)
    measured = of_clock(frame, found)
    if measured.loc[measured["solved"], found.column].isna().all():
        raise UnsupportedError(f"no run of the study tells its {found.words}")
    return found


def clock_of(frame: pd.DataFrame) -> Clock:
    """CPU time, which other work on the machine changes least; wall time if it is not known of every result."""
    return WALL if frame.loc[frame["solved"], CPU.column].isna().any() else CPU


def latest(frame: pd.DataFrame) -> pd.DataFrame:
    """The runs without the interrupted ones, and without those that were made again later with other limits or
    versions.
    """
    ended = frame[frame["outcome"].ne(str(Verdict.INTERRUPTED)).fillna(True)]
    order = ended.sort_values("started", kind="stable", na_position="first")
    return order.drop_duplicates(["instance", "configuration", "repetition", "count"], keep="last").sort_index()


@dataclass(frozen=True)
class Boards:
    """``solved`` (a share of the repetitions), ``par2`` and the bounds ``low`` and ``high``: shape (boards, names).

    ``low`` and ``high`` are the medians of the repetitions' bounds. NaN: there is no run, or the PAR2 has no limit.
    """

    names: tuple[str, ...]
    boards: tuple[str, ...]
    solved: Array
    par2: Array
    low: Array
    high: Array

    def common(self) -> Boards:
        """The boards that every configuration has run on."""
        kept = np.isfinite(self.solved.sum(axis=1))
        boards = tuple(board for board, keep in zip(self.boards, kept.tolist(), strict=True) if keep)
        return Boards(self.names, boards, *(part[kept] for part in (self.solved, self.par2, self.low, self.high)))

    def of(self, names: Sequence[str]) -> Boards:
        """Some of the configurations."""
        at = [self.names.index(name) for name in names]
        parts = (self.solved, self.par2, self.low, self.high)
        return Boards(tuple(names), self.boards, *(part[:, at] for part in parts))


def boards_of(runs: pd.DataFrame, clock: Clock, by: str = "configuration") -> Boards:
    """The matrix of ``runs`` (as ``latest`` gives them), a column each value of ``by``, in order of name."""
    runs = of_clock(runs, clock)
    times = runs[clock.column].astype("float64")
    over = runs["censored"]
    limits = limits_of(runs)
    if not clock.time:
        runs = runs[runs["solved"] & times.notna() | ~runs["solved"]]  # a solver that does not count is not compared
        times, over = times[runs.index].where(runs["solved"], 0.0), over[runs.index]
        limits = pd.Series(times.max(), index=runs.index)
    table = pd.DataFrame(
        {
            "board": runs["instance"].astype(object),
            "name": runs[by].astype(object),
            "solved": runs["solved"].astype("float64"),
            "par2": times.where(runs["solved"], 2 * limits),
            "low": times.where(runs["solved"] | over, math.inf),
            "high": times.where(runs["solved"], math.inf),
        }
    )
    names = sorted(set(table["name"].dropna()))
    found = sorted(set(table["board"].dropna()))
    groups = table.groupby(["board", "name"], sort=True)
    parts = [groups[part].mean() if part in ("solved", "par2") else groups[part].median() for part in _PARTS]
    # a mean leaves NaN out, but a PAR2 that lacks a limit is unknown
    parts[1] = parts[1].where(groups["par2"].count() == groups["solved"].count())
    wide = [
        part.unstack("name").reindex(index=found, columns=names).to_numpy(dtype=np.float64, copy=True) for part in parts
    ]
    return Boards(tuple(names), tuple(found), *wide)


_PARTS = ("solved", "par2", "low", "high")


def limits_of(runs: pd.DataFrame) -> pd.Series:
    """Of each run the shorter of its limits on time; NaN without one."""
    limits: pd.Series = runs[["time_limit_s", "cpu_limit_s"]].astype("float64").min(axis=1)
    return limits
