"""Intervals: Wilson's for shares, the bootstrap's for medians; their chance is a seed."""

from __future__ import annotations

import math
from statistics import NormalDist
from typing import Any

import numpy as np
import numpy.typing as npt

from nonosat import chance
from nonosat.experiments.analysis.survival import NOTHING, Estimate

RESAMPLES = 1000


def wilson(successes: int, runs: int, level: float = 0.95) -> Estimate:
    """A share with its score interval (Wilson, JASA 22, 1927), which is sensible at 0 and 1 too.

    >>> estimate = wilson(81, 263)
    >>> round(estimate.value, 4), round(estimate.low, 4), round(estimate.high, 4)
    (0.308, 0.2553, 0.3662)
    """
    if runs < 1:
        return NOTHING
    z, share = NormalDist().inv_cdf((1 + level) / 2), successes / runs
    scale = 1 + z * z / runs
    middle = (share + z * z / (2 * runs)) / scale
    half = z / scale * math.sqrt(share * (1 - share) / runs + z * z / (4 * runs * runs))
    low = 0.0 if successes == 0 else middle - half
    high = 1.0 if successes == runs else middle + half
    return Estimate(share, low, high)


def resamples(count: int, resamples: int, seed: int) -> npt.NDArray[np.int64]:
    """Indices of ``resamples`` samples of ``count`` out of ``count``, with replacement: shape (resamples, count).

    The same for a seed everywhere (see ``chance``).
    """
    drawn = chance.Chance(seed).many_below(count, resamples * count) if count else np.zeros(0, dtype=np.int64)
    return drawn.reshape(resamples, count)


def median(values: npt.ArrayLike, seed: int = 0, level: float = 0.95, count: int = RESAMPLES) -> Estimate:
    """The median with the bootstrap's percentile interval (Efron & Tibshirani, 1993, ch. 13); NaN are left out.

    inf: beyond the limit. ``survival`` has the rule for medians.
    """
    known = np.sort(np.asarray(values, dtype=np.float64))
    known = known[~np.isnan(known)]
    if not len(known):
        return NOTHING
    medians = np.median(known[resamples(len(known), count, seed)], axis=1)
    method: Any = "linear" if np.isfinite(medians).all() else "higher"  # there is nothing between a number and infinity
    low, high = np.quantile(medians, [(1 - level) / 2, (1 + level) / 2], method=method)
    return Estimate(float(np.median(known)), float(low), float(high))
