"""How the transition moves and sharpens with the size of boards, with intervals by the bootstrap over boards."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import pandas as pd

from nonosat.experiments.analysis.intervals import resamples, wilson
from nonosat.experiments.analysis.survival import Estimate
from nonosat.experiments.analysis.transition.cells import LEVEL, resampled

Floats = npt.NDArray[np.float64]
FROM = 0.3
"""Both curves rise from here on; below it they are high again on the smallest boards."""


def half_way(table: pd.DataFrame, column: str, seed: int = 0) -> pd.DataFrame:
    """Of each size the density at which the mean of ``column`` crosses one half, and what it takes from 1/4 to 3/4.

    Between two densities the curve is a straight line; it is made monotonous first (pool adjacent violators).
    """
    rows = []
    for n, here in table[table["density"].ge(FROM)].groupby("n"):
        values = here.assign(value=here[column].astype("Float64").astype("float64"))
        middle = resampled(values, "value", lambda x, y: crossing(x, y, 0.5), seed)
        width = resampled(values, "value", lambda x, y: crossing(x, y, 0.75) - crossing(x, y, 0.25), seed)
        rows.append(
            {
                "n": n, "boards": int(values["value"].notna().sum()),
                "half": middle.value, "half_low": middle.low, "half_high": middle.high,
                "width": width.value, "width_low": width.low, "width_high": width.high,
            }
        )  # fmt: skip
    return pd.DataFrame(rows)


def crossing(x: Floats, y: Floats, level: float) -> float:
    """Where the rising curve through the points crosses ``level``; NaN if it does not.

    >>> round(crossing(np.array([0.0, 1.0, 2.0]), np.array([0.0, 0.4, 0.8]), 0.5), 3)
    1.25
    """
    rising = monotonous(y)
    above = np.flatnonzero(rising >= level)
    if not len(above) or above[0] == 0:
        return math.nan
    i = int(above[0])
    return float(x[i - 1] + (level - rising[i - 1]) / (rising[i] - rising[i - 1]) * (x[i] - x[i - 1]))


def monotonous(y: Floats) -> Floats:
    """The rising sequence nearest to ``y`` in squares: pool adjacent violators.

    >>> monotonous(np.array([0.0, 2.0, 1.0, 3.0])).tolist()
    [0.0, 1.5, 1.5, 3.0]
    """
    pools: list[list[float]] = []
    for value in y.tolist():
        pools.append([value, 1])
        while len(pools) > 1 and pools[-2][0] > pools[-1][0]:
            other, many = pools.pop()
            mean, more = pools.pop()
            pools.append([(mean * more + other * many) / (more + many), more + many])
    return np.repeat([mean for mean, _ in pools], [int(many) for _, many in pools])


def rests(table: pd.DataFrame, least: int = 20) -> pd.DataFrame:
    """-ln of the share of unique boards by size and density, where some are and some are not: how many causes of a
    second solution a board has, if these come by themselves (a Poisson number: the share is that of none). The interval
    is Wilson's of the share.
    """
    known = table.dropna(subset=["unique"])
    cells = known.assign(value=known["unique"].astype(int)).groupby(["n", "density"])["value"].agg(["sum", "size"])
    cells = cells[(cells["size"] >= least) & (cells["sum"] > 0) & (cells["sum"] < cells["size"])].reset_index()
    shares = [wilson(int(alone), int(all_)) for alone, all_ in zip(cells["sum"], cells["size"], strict=True)]
    return cells.assign(
        causes=[-math.log(share.value) for share in shares],
        causes_low=[-math.log(share.high) for share in shares],
        causes_high=[-math.log(share.low) for share in shares],
    )


def growth(table: pd.DataFrame, density: float, seed: int = 0, count: int = 400) -> Estimate:
    """The exponent a of -ln P(unique) ~ n^a at one density, by least squares over the sizes; bootstrap's interval.

    Half a board is added to both counts of every cell, so that a share of 0 or 1 has a logarithm.
    """
    here = table[table["density"].eq(density)].dropna(subset=["unique"])
    cells = [(float(n), group["unique"].to_numpy(dtype=bool)) for n, group in here.groupby("n")]
    sides = np.log([n for n, _ in cells])

    def slope(shares: list[float]) -> float:
        return float(np.polyfit(sides, np.log(-np.log(shares)), 1)[0])

    def share(values: npt.NDArray[np.bool_]) -> float:
        return float((values.sum() + 0.5) / (len(values) + 1))

    drawn = [values[resamples(len(values), count, seed + i)] for i, (_, values) in enumerate(cells)]
    slopes = [slope([share(values[k]) for values in drawn]) for k in range(count)]
    low, high = np.quantile(slopes, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return Estimate(slope([share(values) for _, values in cells]), float(low), float(high))


def growths(table: pd.DataFrame, densities: Sequence[float], seed: int = 0) -> pd.DataFrame:
    """``growth`` at several densities, a row each."""
    found = {density: growth(table, density, seed) for density in densities}
    rows = [(density, each.value, each.low, each.high) for density, each in found.items()]
    return pd.DataFrame(rows, columns=["density", "exponent", "low", "high"])
