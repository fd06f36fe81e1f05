"""Configurations in order: what each solved, and how sure the order is."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd

from nonosat.experiments.analysis import intervals
from nonosat.experiments.analysis.boards import Array, Boards, Clock, boards_of
from nonosat.experiments.analysis.survival import kaplan_meier

FEWEST = 6
"""With fewer boards no interval is told: a bootstrap of them would be much too short."""
SAMPLES = 1000
VIRTUAL = "virtual best"

COLUMNS = (
    *("rank", "configuration", "encoding", "solver", "boards", "solved", "wrong", "over", "failed"),
    *("par2_s", "par2_low_s", "par2_high_s", "median_s", "median_low_s", "median_high_s", "fastest", "first"),
)


def ranking(runs: pd.DataFrame, clock: Clock, seed: int = 0) -> pd.DataFrame:
    """A row a configuration, the best first, over the boards that all of them have run on; then the virtual best.

    ``par2_s`` decides, then the number solved (where a run without a limit has no result, PAR2 is not known).
    ``solved``, ``wrong``, ``over`` (a limit) and ``failed`` are numbers of runs. ``fastest``: boards on which no other
    is faster; ``first``: the share of bootstrap samples of the boards in which the configuration has the least PAR2.
    """
    both = boards_of(runs, clock).common()
    if not both.boards or not both.names:
        return pd.DataFrame(columns=list(COLUMNS))
    here = runs[runs["instance"].isin(both.boards)]
    best = both.high.min(axis=1)
    drawn = samples_of(len(both.boards), seed)
    means = np.array([weights @ both.par2 for weights in drawn]) if len(drawn) else np.zeros((0, len(both.names)))
    first = _shares_first(means)
    rows = []
    for at, name in enumerate(both.names):
        mine = here[here["configuration"].eq(name)]
        told = mine.iloc[0]
        rows.append(
            {
                "configuration": name, "encoding": told["label"], "solver": told["solver"], **_counted(mine),
                **_times(both, at, means), **_median(both.low[:, at], both.high[:, at]),
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


def _median(low: Array, high: Array) -> dict[str, float]:
    """Kaplan & Meier's over the boards, from the bounds of each one's time."""
    solved = np.isfinite(high)
    found = kaplan_meier(np.where(solved, high, low), solved).median()
    ends = (found.low, found.high) if len(low) >= FEWEST else (math.nan, math.nan)
    return {"median_s": found.value, "median_low_s": ends[0], "median_high_s": ends[1]}


def _virtual(both: Boards, least: float) -> dict[str, object]:
    """For each board what was best on it: what a chooser that is always right would get.

    Its median is estimated as all others are, and is not more than ``least``, the members' least. The true one never
    is; the estimate could be where runs were ended long before others (out of memory, or by shorter limits), since
    Kaplan & Meier take such a run of a member for one like those that went on, and here another's result counts.
    """
    found = _median(both.low.min(axis=1), both.high.min(axis=1))["median_s"]
    return {
        "configuration": VIRTUAL, "encoding": "", "solver": "", "boards": len(both.boards),
        "solved": float(both.solved.max(axis=1).sum()), "par2_s": float(both.par2.min(axis=1).mean()),
        "median_s": float(np.fmin(found, least)),
    }  # fmt: skip
