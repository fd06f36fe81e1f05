"""Configurations in order: what each solved, and how sure the order is."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pandas as pd

from nonosat.errors import NonosatError
from nonosat.studies.analysis import intervals
from nonosat.studies.analysis.boards import Array, Boards, Clock, boards_of, clock_by, clock_of, latest
from nonosat.studies.analysis.frames import refuse_unknown
from nonosat.studies.analysis.intervals import FEWEST, kaplan_meier, resamples

SAMPLES = 1000
VIRTUAL = "virtual best"

COLUMNS = (
    *("rank", "configuration", "encoding", "solver", "boards", "solved", "wrong", "over", "failed"),
    *("par2_s", "par2_low_s", "par2_high_s", "median_s", "median_low_s", "median_high_s", "fastest", "first"),
)


def ranking(runs: pd.DataFrame, clock: Clock | str | None = None, seed: int = 0) -> pd.DataFrame:
    """A row a configuration, the best first, over the boards that all of them have run on; then the virtual best.

    ``par2_s`` decides, then the number solved (where a run without a limit has no result, PAR2 is not known).
    ``solved``, ``wrong``, ``over`` (a limit) and ``failed`` are numbers of runs. ``fastest``: boards on which no other
    is faster; ``first``: the share of bootstrap samples of the boards in which the configuration has the least PAR2.
    ``clock``: as ``clock_by`` has it.
    """
    clock = clock_by(runs, clock)
    both = boards_of(runs, clock).common()
    if not both.boards or not both.names:
        return pd.DataFrame(columns=list(COLUMNS))
    if not clock.time:  # what a run without a result counted is not known: for medians it is beyond all numbers
        both = replace(both, low=np.where(np.isfinite(both.high), both.low, math.inf))
    here = runs[runs["instance"].isin(both.boards)]
    best = both.high.min(axis=1)
    drawn = samples_of(len(both.boards), seed)
    means = np.array([weights @ both.par2 for weights in drawn]) if len(drawn) else np.zeros((0, len(both.names)))
    first = _shares_first(means)
    rows = []
    for at, name in enumerate(both.names):
        mine = here[here["configuration"].eq(name)]
        row = mine.iloc[0]
        rows.append(
            {
                "configuration": name, "encoding": row["label"], "solver": row["solver"], **_counted(mine),
                **_times(both, at, means), **_median(both.high[:, at]),
                "fastest": int((np.isfinite(best) & (both.high[:, at] <= best)).sum()), "first": float(first[at]),
            }
        )  # fmt: skip
    table = pd.DataFrame(rows).sort_values(["par2_s", "solved", "median_s", "configuration"],
                                           ascending=[True, False, True, True], kind="stable",
                                           ignore_index=True)  # fmt: skip
    if table["par2_s"].isna().any():
        table = table.sort_values(["solved", "median_s", "configuration"], ascending=[False, True, True],
                                  kind="stable", ignore_index=True)  # fmt: skip
    table["rank"] = range(1, len(table) + 1)
    if len(table) > 1:
        table = pd.concat([table, pd.DataFrame([_virtual(both, table["median_s"].min())])], ignore_index=True)
    return table.reindex(columns=list(COLUMNS))


def samples_of(count: int, seed: int) -> Array:
    """Bootstrap samples of ``count`` boards as weights that sum to one, a row a sample; none below ``FEWEST``."""
    if count < FEWEST:
        return np.zeros((0, count))
    weights = np.zeros((SAMPLES, count))
    np.add.at(weights, (np.arange(SAMPLES)[:, None], intervals.resamples(count, SAMPLES, seed)), 1 / count)
    return weights


def ends(values: Array, level: float = 0.95) -> tuple[float, float]:
    """The percentile interval of samples; NaN without any, or if one is not known.

    >>> import numpy as np
    >>> ends(np.arange(1001.0)), ends(np.array([]))
    ((25.0, 975.0), (nan, nan))
    """
    if not len(values) or np.isnan(values).any():
        return math.nan, math.nan
    low, high = np.sort(values)[
        [math.floor((1 - level) / 2 * len(values)), math.ceil((1 + level) / 2 * len(values)) - 1]
    ]
    return float(low), float(high)


def _shares_first(means: Array) -> Array:
    if not len(means) or np.isnan(means).any():
        return np.full(means.shape[1], math.nan)
    least = means == means.min(axis=1, keepdims=True)
    return np.asarray((least / least.sum(axis=1, keepdims=True)).mean(axis=0))


def _counted(mine: pd.DataFrame) -> dict[str, int]:
    return {
        "boards": mine["instance"].nunique(),
        "solved": int(mine["solved"].sum()),
        "wrong": int((mine["wrong"] | mine["false_unsat"]).sum()),
        "over": int(mine["censored"].sum()),
        "failed": int(mine["failed"].sum()),
    }


def _times(both: Boards, at: int, means: Array) -> dict[str, float]:
    low, high = ends(means[:, at])
    return {"par2_s": float(both.par2[:, at].mean()), "par2_low_s": low, "par2_high_s": high}


def _median(times: Array) -> dict[str, float]:
    """The median over the boards, with Greenwood's interval; one without a result is longer than all that have one."""
    found = kaplan_meier(times, np.isfinite(times)).median()
    ends = (found.low, found.high) if len(times) >= FEWEST else (math.nan, math.nan)
    return {"median_s": found.value, "median_low_s": ends[0], "median_high_s": ends[1]}


def _virtual(both: Boards, least: float) -> dict[str, object]:
    """For each board what was best on it: what a chooser that is always right would get.

    A run without a limit and a result has no PAR2; another's counts then.

    Its median is estimated as all others are, and is not more than ``least``, the members' least. The true one never
    is; the estimate could be where runs were ended long before others (out of memory, or by shorter limits), since
    Kaplan & Meier take such a run of a member for one like those that went on, and here another's result counts.
    """
    found = _median(both.high.min(axis=1))["median_s"]
    return {
        "configuration": VIRTUAL, "encoding": "", "solver": "", "boards": len(both.boards),
        "solved": float(both.solved.max(axis=1).sum()), "par2_s": float(np.fmin.reduce(both.par2, axis=1).mean()),
        "median_s": float(np.fmin(found, least)),
    }  # fmt: skip


# Two configurations on the same boards: the ratio of their times, with its interval (``docs/analysis.md``).
#
# Boards are resampled with both of their times (the paired bootstrap: Efron & Tibshirani 1993, ch. 8), so that how hard
# a board is cancels out. A run that a limit ended has a time between that limit and infinity. So the ratio of two times
# has bounds, and the medians of these bounds bound the median. The interval reaches from the low end of the lower
# medians to the high end of the upper ones: what is not known makes it longer, never shorter.


PAIRED_COLUMNS = (
    *("configuration", "against", "boards", "solved_more", "solved_less", "faster", "slower", "ratio", "ratio_upper"),
    *("ratio_low", "ratio_high", "par2_s", "par2_low_s", "par2_high_s", "none", "lost", "verdict"),
)
SLOWER, FASTER, OPEN, FEW = "worse", "better", "not settled", "too few"


def differences(runs: pd.DataFrame, clock: Clock | str | None, against: str, seed: int = 0) -> pd.DataFrame:
    """Every other configuration against ``against``, over the boards that both have run on; a row each, by name.

    ``solved_more``, ``solved_less``: boards that only it, or only the other, solved. ``faster``, ``slower``: boards on
    which that is sure. ``ratio`` to ``ratio_upper``: the median of the ratios of times, which are one number unless a
    limit hides it; inf: beyond any bound. ``par2_s``: its PAR2 less the other's. ``verdict``: by that interval.
    UnknownNameError: no run is of ``against``.
    """
    refuse_unknown(runs, "configuration", [against])
    whole = boards_of(runs, clock_by(runs, clock))
    others = [name for name in whole.names if name != against]
    rows = [compared(whole, name, against, seed) for name in others]
    return pd.DataFrame(rows, columns=list(PAIRED_COLUMNS))


def compared(whole: Boards, name: str, against: str, seed: int = 0) -> dict[str, object]:
    """One row of ``differences``."""
    both = whole.of((name, against)).common()
    low, high = _log_ratios(both)
    less = both.par2[:, 0] - both.par2[:, 1]
    drawn = samples_of(len(both.boards), seed)
    par2 = ends(drawn @ less) if len(drawn) else (math.nan, math.nan)
    ratio = _interval(low, high, seed)
    return {
        "configuration": name, "against": against, "boards": len(both.boards),
        "solved_more": int((both.solved[:, 0] > both.solved[:, 1]).sum()),
        "solved_less": int((both.solved[:, 0] < both.solved[:, 1]).sum()),
        "faster": int((high < 0).sum()), "slower": int((low > 0).sum()),
        "ratio": _exp(_paired_median(low, -math.inf)), "ratio_upper": _exp(_paired_median(high, math.inf)),
        "ratio_low": _exp(ratio[0]), "ratio_high": _exp(ratio[1]),
        "par2_s": float(less.mean()) if len(less) else math.nan, "par2_low_s": par2[0], "par2_high_s": par2[1],
        "none": int(((both.high[:, 1] == 0) & (both.low[:, 0] > 0)).sum()),
        "lost": int(np.isinf(both.high[:, 0]).sum()), "verdict": _verdict(len(both.boards), par2),
    }  # fmt: skip


def between(one: pd.DataFrame, other: pd.DataFrame, seed: int = 0) -> tuple[pd.DataFrame, Clock]:
    """Two sets of runs of the same study, such as of two machines: a row a configuration that both have, and the clock.

    The columns are those of ``differences``: B against A. ``contradictions``: boards that are SAT in one and UNSAT in
    the other. NonosatError: they have no run in common.
    """
    both = pd.concat([latest(one).assign(side="A"), latest(other).assign(side="B")], ignore_index=True)
    clock = clock_of(both)
    rows = []
    for name in sorted(set(one["configuration"]) & set(other["configuration"])):
        mine = both[both["configuration"].eq(name)]
        sides = mine.groupby("instance")["side"].nunique()
        mine = mine[mine["instance"].isin(sides[sides == 2].index)]
        if len(mine):
            verdicts = mine[mine["outcome"].isin(["SAT", "UNSAT"])].groupby("instance")["outcome"].nunique()
            row = compared(boards_of(mine, clock, by="side"), "B", "A", seed)
            rows.append({**row, "configuration": name, "contradictions": int((verdicts > 1).sum())})
    if not rows:
        raise NonosatError("the two have no run in common: no configuration with the same puzzle")
    return pd.DataFrame(rows, columns=[*PAIRED_COLUMNS, "contradictions"]), clock


def _log_ratios(both: Boards) -> tuple[Array, Array]:
    """Bounds of the logarithm of each board's ratio; that of two unsolved runs may be anything."""
    with np.errstate(divide="ignore", invalid="ignore"):
        low, high = np.log(both.low[:, 0] / both.high[:, 1]), np.log(both.high[:, 0] / both.low[:, 1])
    same = (both.high == 0).all(axis=1)  # of counts: none is as many as none
    low, high = np.where(np.isnan(low), -math.inf, low), np.where(np.isnan(high), math.inf, high)
    return np.where(same, 0.0, low), np.where(same, 0.0, high)


def _interval(low: Array, high: Array, seed: int) -> tuple[float, float]:
    if len(low) < FEWEST:
        return math.nan, math.nan
    at = resamples(len(low), SAMPLES, seed)
    lower = np.sort([_paired_median(part, -math.inf) for part in low[at]])
    upper = np.sort([_paired_median(part, math.inf) for part in high[at]])
    return ends(lower)[0], ends(upper)[1]


def _paired_median(values: Array, unknown: float) -> float:
    """The median of logarithms (by the rule of ``survival``); ``unknown`` where its two middle ones are infinite in
    opposite ways.
    """
    if not len(values):
        return math.nan
    ordered = np.sort(values)
    one, two = float(ordered[(len(ordered) - 1) // 2]), float(ordered[len(ordered) // 2])
    return unknown if one == -two and math.isinf(one) else (one + two) / 2


def _exp(value: float) -> float:
    return math.inf if value == math.inf else math.exp(value)


def _verdict(boards: int, par2: tuple[float, float]) -> str:
    if boards < FEWEST:
        return FEW
    if math.isnan(par2[0]) or par2[0] <= 0 <= par2[1]:
        return OPEN
    return SLOWER if par2[0] > 0 else FASTER
