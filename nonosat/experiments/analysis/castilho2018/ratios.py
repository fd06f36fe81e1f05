"""What one encoding of the report takes of another's decisions or time, with its interval."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd

from nonosat.experiments.analysis import intervals
from nonosat.experiments.analysis.boards import Clock, boards_of
from nonosat.experiments.analysis.castilho2018.predicates import quotient
from nonosat.experiments.analysis.paired import compared
from nonosat.experiments.analysis.ranking import FEWEST, ends, samples_of
from nonosat.experiments.analysis.survival import NOTHING, Estimate


class Pair(NamedTuple):
    """What one encoding takes of another's decisions or time, on the boards that both have run on."""

    boards: int
    over: int
    found: Estimate


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
    told = compared(boards_of(here, clock, "report_name"), name, against)
    value, low, high = (float(str(told[key])) for key in ("ratio", "ratio_low", "ratio_high"))
    return Pair(int(str(told["boards"])), int(here["censored"].sum()), Estimate(value, low, high))


def growth_of(runs: pd.DataFrame, clock: Clock, name: str, size: str, low: float, high: float) -> Pair:
    """The mean time at density ``high`` by that at ``low``; a run over the limit counts the time that it had."""
    here = runs[runs["report_name"].eq(name) & runs["size"].eq(size)]
    here = here[here["solved"] | here["censored"]].assign(value=lambda t: t[clock.column].astype("float64"))
    below, above = (here.loc[here["density"].eq(d)].groupby("instance")["value"].median() for d in (low, high))
    boards, over = len(below) + len(above), int(here["censored"].sum())
    if min(len(below), len(above)) < FEWEST:
        return Pair(boards, over, NOTHING)
    drawn = (samples_of(len(above), 1) @ above.to_numpy()) / (samples_of(len(below), 2) @ below.to_numpy())
    return Pair(boards, over, Estimate(float(above.mean() / below.mean()), *ends(drawn)))
