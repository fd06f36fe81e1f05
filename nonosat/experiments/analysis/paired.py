"""Two configurations on the same boards: how much one takes of the other's time, and how sure that is.

``docs/analysis.md`` has the method. Boards are resampled, with all that both got out of them (the paired bootstrap:
Efron & Tibshirani 1993, ch. 8), so that how hard a board is cancels out. A run that a limit ended has a time between
that limit and infinity; so the ratio of two times has bounds, their medians bound the median, and the interval reaches
from the low end of the lower medians to the high end of the upper ones. It is never shorter for what is not known.
"""

from __future__ import annotations

import math

import numpy as np
import pandas as pd

from nonosat.experiments.analysis.boards import Array, Boards, Clock, boards_of
from nonosat.experiments.analysis.intervals import resamples
from nonosat.experiments.analysis.ranking import FEWEST, SAMPLES, ends, samples_of

COLUMNS = (
    *("configuration", "against", "boards", "solved_more", "solved_less", "faster", "slower", "ratio", "ratio_upper"),
    *("ratio_low", "ratio_high", "par2_s", "par2_low_s", "par2_high_s", "verdict"),
)
SLOWER, FASTER, OPEN, FEW = "worse", "better", "not settled", "too few boards"


def differences(runs: pd.DataFrame, clock: Clock, against: str, seed: int = 0) -> pd.DataFrame:
    """Every other configuration against ``against``, over the boards that both have run on; a row each, by name.

    ``solved_more``, ``solved_less``: boards that only it, or only the other, solved. ``faster``, ``slower``: boards on
    which that is sure. ``ratio`` to ``ratio_upper``: the median of the ratios of times, which are one number unless a
    limit hides it; inf: beyond any bound. ``par2_s``: its PAR2 less the other's. ``verdict``: by that interval.
    """
    whole = boards_of(runs, clock)
    rows = [compared(whole, name, against, seed) for name in whole.names if name != against]
    return pd.DataFrame(rows, columns=list(COLUMNS))


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
        "ratio": _exp(_median(low, -math.inf)), "ratio_upper": _exp(_median(high, math.inf)),
        "ratio_low": _exp(ratio[0]), "ratio_high": _exp(ratio[1]),
        "par2_s": float(less.mean()) if len(less) else math.nan, "par2_low_s": par2[0], "par2_high_s": par2[1],
        "verdict": _verdict(len(both.boards), par2),
    }  # fmt: skip


def _log_ratios(both: Boards) -> tuple[Array, Array]:
    """Bounds of the logarithm of each board's ratio; that of two unsolved runs may be anything."""
    with np.errstate(divide="ignore", invalid="ignore"):
        low, high = np.log(both.low[:, 0] / both.high[:, 1]), np.log(both.high[:, 0] / both.low[:, 1])
    return np.where(np.isnan(low), -math.inf, low), np.where(np.isnan(high), math.inf, high)


def _interval(low: Array, high: Array, seed: int) -> tuple[float, float]:
    if len(low) < FEWEST:
        return math.nan, math.nan
    at = resamples(len(low), SAMPLES, seed)
    lower = np.sort([_median(part, -math.inf) for part in low[at]])
    upper = np.sort([_median(part, math.inf) for part in high[at]])
    return ends(lower)[0], ends(upper)[1]


def _median(values: Array, unknown: float) -> float:
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
