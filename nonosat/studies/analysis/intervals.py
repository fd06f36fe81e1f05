"""Estimates with intervals: shares (Wilson), medians (the bootstrap), and times that a limit cut off (Kaplan & Meier);
p-values corrected for their number.

The bootstrap's samples follow from a seed.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any

import numpy as np
import numpy.typing as npt

from nonosat import rng

# Times that were cut off at a limit: Kaplan & Meier's estimator.
#
# Of a run that a limit ended it is known that its time is longer than the limit. If such runs are left out, hard boards
# look easy: with 31 % of the runs over the limit and a true median of 93 s, the median of the others may be 39 s.
#
# Kaplan & Meier, *Nonparametric estimation from incomplete observations*, JASA 53, 1958; Greenwood's variance, 1926;
# the interval of S(t) on the scale log(-log S) as in Kalbfleisch & Prentice, *The Statistical Analysis of Failure Time
# Data*, 1980, and the interval of the median by inverting it: Brookmeyer & Crowley, Biometrics 38, 1982.
#
# Every median of the package follows one rule, with or without censoring. Where a range of values has one half of the
# sample below it and one half above, the median is the middle of that range: of an even number of values the mean of
# the two in the middle, as in numpy, pandas, ``statistics.median`` and R's ``survfit``. If the upper one lies beyond
# the limit, so does the median.


Array = npt.NDArray[np.float64]
HALF = 0.5
HAIR = 1e-12
"""A product that is one half on paper may be 0.5000000000000001."""


@dataclass(frozen=True)
class IntervalEstimate:
    """A value with an interval; NaN: there is no data, inf: beyond what was observed."""

    value: float
    low: float
    high: float

    def of_boards(self, count: int) -> IntervalEstimate:
        """The estimate, without its interval if it is of fewer boards than ``FEWEST``."""
        return self if count >= FEWEST else IntervalEstimate(self.value, math.nan, math.nan)


NOTHING = IntervalEstimate(math.nan, math.nan, math.nan)


@dataclass(frozen=True)
class Survival:
    """The share S(t) of runs that are not solved after ``times``; a step function, 1 before the first time.

    ``greenwood`` is the sum of d / (n (n - d)) up to each time, so that Var S = S² · greenwood (inf once S is 0).
    ``last``: the longest time observed, solved or not.
    """

    times: Array
    at_risk: npt.NDArray[np.int64]
    events: npt.NDArray[np.int64]
    survival: Array
    greenwood: Array
    last: float

    def at(self, time: float) -> float:
        """S(time)."""
        index = int(np.searchsorted(self.times, time, side="right"))
        return float(self.survival[index - 1]) if index else 1.0

    def band(self, level: float = 0.95) -> tuple[Array, Array]:
        """The interval of S at each time, on the scale log(-log S), which keeps it within 0 and 1."""
        z = NormalDist().inv_cdf((1 + level) / 2)
        inner = (self.survival > 0) & (self.survival < 1)
        low, high = self.survival.copy(), self.survival.copy()
        logs = np.log(self.survival[inner])
        width = z * np.sqrt(self.greenwood[inner]) / -logs
        low[inner] = np.exp(logs * np.exp(width))
        high[inner] = np.exp(logs * np.exp(-width))
        return low, high

    def median(self, level: float = 0.95) -> IntervalEstimate:
        """The time at which one half of the runs are solved, with its interval; inf: not within what was observed.

        Where S is one half from one time to another, the middle of both. Without censoring this is ``numpy.median``,
        and with all of it behind the last result, ``numpy.median`` with inf for what was censored.
        """
        if not math.isfinite(self.last):
            return NOTHING
        low, high = self.band(level)
        until, past = self._first(self.survival <= HALF + HAIR), self._first(self.survival < HALF - HAIR)
        return IntervalEstimate((until + past) / 2, self._first(low <= HALF + HAIR), self._first(high <= HALF + HAIR))

    def _first(self, where: npt.NDArray[np.bool_]) -> float:
        """The first of ``times`` at which ``where`` is true; inf without one."""
        found = np.flatnonzero(where)
        return float(self.times[found[0]]) if len(found) else math.inf

    def restricted_mean(self, until: float, level: float = 0.95) -> IntervalEstimate:
        """The mean time if every run is ended at ``until``: the area under S up to it, with a normal interval.

        The variance is the sum over events of (area to the right)² d / (n (n - d)) (Klein & Moeschberger, *Survival
        Analysis*, 2003, ch. 4.5). Beyond the last time S is taken to stay as it was.
        """
        if not math.isfinite(self.last) or not until > 0:
            return NOTHING
        inside = self.times < until
        steps = np.concatenate(([0.0], self.times[inside], [until]))
        heights = np.concatenate(([1.0], self.survival[inside]))
        areas = heights * np.diff(steps)
        right = areas[::-1].cumsum()[::-1][1:]
        n, d = self.at_risk[inside], self.events[inside]
        with np.errstate(divide="ignore", invalid="ignore"):
            terms = np.where(n > d, right**2 * d / (n * (n - d)), 0.0)
        mean, half = float(areas.sum()), NormalDist().inv_cdf((1 + level) / 2) * math.sqrt(float(terms.sum()))
        return IntervalEstimate(mean, max(0.0, mean - half), min(until, mean + half))


def kaplan_meier(times: npt.ArrayLike, solved: npt.ArrayLike) -> Survival:
    """The estimate from the ``times`` of runs, each up to its end, and whether it was ``solved`` then.

    A time that ends both a solved and an unsolved run counts the unsolved one as longer. A run that ended without a
    result, and would never have had one, has the time inf. Times that are NaN are left out.

    >>> curve = kaplan_meier([1, 2, 2, 3, 4], [True, True, False, True, False])
    >>> curve.survival.round(3).tolist(), curve.median().value
    ([0.8, 0.6, 0.3], 3.0)
    """
    time, event = np.asarray(times, dtype=np.float64), np.asarray(solved, dtype=bool)
    known = ~np.isnan(time)
    time, event = time[known], event[known]
    finite = time[np.isfinite(time)]
    last = float(finite.max()) if len(finite) else math.nan
    if len(time) and not len(finite):
        last = 0.0
    ends = np.sort(time)
    moments, events = np.unique(time[event], return_counts=True)
    at_risk = len(ends) - np.searchsorted(ends, moments, side="left")
    survival = np.asarray(np.cumprod(1 - events / at_risk), dtype=np.float64)
    with np.errstate(divide="ignore"):
        greenwood = np.cumsum(events / (at_risk * (at_risk - events)))
    return Survival(moments, at_risk.astype(np.int64), events.astype(np.int64), survival, greenwood, last)


RESAMPLES = 1000


FEWEST = 6
"""With fewer boards a median or mean has no interval: the bootstrap's would be much too short."""


def wilson(successes: float, runs: int, level: float = 0.95) -> IntervalEstimate:
    """A share with its score interval (Wilson, JASA 22, 1927), which is sensible at 0 and 1 too.

    ``successes`` need not be whole: of a board that was repeated it is the share of its runs.

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
    return IntervalEstimate(share, low, high)


def resamples(count: int, resamples: int, seed: int) -> npt.NDArray[np.int64]:
    """Indices of ``resamples`` samples of ``count`` out of ``count``, with replacement: shape (resamples, count).

    The same for a seed everywhere (``nonosat.rng``).
    """
    drawn = rng.Rng(seed).many_below(count, resamples * count) if count else np.zeros(0, dtype=np.int64)
    return drawn.reshape(resamples, count)


def median(values: npt.ArrayLike, seed: int = 0, level: float = 0.95, count: int = RESAMPLES) -> IntervalEstimate:
    """The median with the bootstrap's percentile interval (Efron & Tibshirani, 1993, ch. 13); NaN are left out.

    inf: beyond the limit. The rule for medians stands above.
    """
    known = np.sort(np.asarray(values, dtype=np.float64))
    known = known[~np.isnan(known)]
    if not len(known):
        return NOTHING
    medians = np.median(known[resamples(len(known), count, seed)], axis=1)
    method: Any = "linear" if np.isfinite(medians).all() else "higher"  # there is nothing between a number and infinity
    low, high = np.quantile(medians, [(1 - level) / 2, (1 + level) / 2], method=method)
    return IntervalEstimate(float(np.median(known)), float(low), float(high))


def ratio_of_sums(
    above: npt.ArrayLike, below: npt.ArrayLike, seed: int = 0, count: int = RESAMPLES
) -> IntervalEstimate:
    """The ratio of two sums, or means, over the same boards, with the 95 % interval of the paired bootstrap.

    A value that is not finite, such as a run over its limit, leaves the ratio unknown (NaN).

    >>> estimate = ratio_of_sums([1.0, 2.0, 3.0], [2.0, 4.0, 6.0])
    >>> estimate.value, estimate.low, estimate.high
    (0.5, 0.5, 0.5)
    """
    one, other = np.asarray(above, dtype=np.float64), np.asarray(below, dtype=np.float64)
    if not len(one) or not (np.isfinite(one).all() and np.isfinite(other).all()):
        return NOTHING
    at = resamples(len(one), count, seed)
    low, high = np.quantile(one[at].sum(axis=1) / other[at].sum(axis=1), [0.025, 0.975])
    return IntervalEstimate(float(one.sum() / other.sum()), float(low), float(high))


# Many verdicts at once: p-values, corrected. NaN (no test) stays NaN and does not count as one.


def holm(p: npt.ArrayLike) -> Array:
    """Holm's adjusted p-values: at most ``alpha`` where the chance of any false rejection stays below it.

    They hold whatever depends on what (Holm, *A simple sequentially rejective multiple test procedure*, 1979).

    >>> holm([0.01, 0.04, 0.03, float("nan")]).tolist()
    [0.03, 0.06, 0.06, nan]
    """
    return _adjusted(p, lambda ordered, ranks: np.maximum.accumulate(ordered * (len(ordered) - ranks)))


def benjamini_hochberg(p: npt.ArrayLike) -> Array:
    """Adjusted p-values that keep the expected share of false rejections among all rejections (1995).

    >>> benjamini_hochberg([0.01, 0.04, 0.03, 0.5]).round(4).tolist()
    [0.04, 0.0533, 0.0533, 0.5]
    """
    return _adjusted(
        p, lambda ordered, ranks: np.minimum.accumulate((ordered * len(ordered) / (ranks + 1))[::-1])[::-1]
    )


def _adjusted(p: npt.ArrayLike, rule: Callable[[Array, npt.NDArray[np.int64]], Array]) -> Array:
    """``rule`` takes the p-values in ascending order, and their places from 0 on."""
    values = np.asarray(p, dtype=np.float64)
    order = np.argsort(values, kind="stable")[: int((~np.isnan(values)).sum())]
    found = np.full(values.shape, math.nan)
    found[order] = np.minimum(1.0, rule(values[order], np.arange(len(order))))
    return found
