"""What the boards of one size and density say: shares, means and times, each with an interval; and where they peak.

Times that were ended at the limit are longer than that. The mean here is the one that a limit of ``UNTIL`` seconds
leaves (Kaplan & Meier's restricted mean; all runs had that limit, so it is the mean of what was spent); its interval,
as all others that are no share's, is the bootstrap's percentile interval over the boards of a cell.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt
import pandas as pd

from nonosat.experiments.analysis import intervals
from nonosat.experiments.analysis.survival import Estimate, kaplan_meier

UNTIL = 3.0
"""CPU seconds that every run had."""
COSTS = ("find", "prove", "count", "beliefs")
LEVEL = 0.95

Floats = npt.NDArray[np.float64]


def by_cell(table: pd.DataFrame, seed: int = 0) -> pd.DataFrame:
    """A row a size ``n`` and density, of the rows of ``boards``.

    ``boards``: how many; ``asked``: of how many SAT was asked; ``settled``: of how many it is known whether they are
    unique; ``unique``: the share of those (Wilson's interval); ``backbone_least``, ``backbone_most``: the means of the
    bounds, ``backbone`` their middle, with the interval from the lower one's lower to the upper one's upper end;
    ``backbone_open``: boards whose backbone is not settled; ``by_lines``, ``line_solvable``; ``counts``: how many were
    given to ``components``; ``numbers``: of how many something is known, by that or by the short count of
    ``backbone``, and ``counted``: the share of these that was counted; ``log10``: Kaplan & Meier's median (inf: half
    of them or more were not); ``log10_least``: the median of what is known at least; ``bethe``: the median; ``find_s``
    and so on: restricted means, and ``find_late``: the share of runs that were ended. ``..._low``, ``..._high``: the
    interval.
    """
    rows = []
    for (n, density), here in table.groupby(["n", "density"]):
        told = here["unique"].dropna()
        row = {"n": n, "density": density, "boards": len(here), "settled": len(told)}
        row["asked"] = int(here["find_s"].notna().sum())
        row |= _spread("unique", intervals.wilson(int(told.sum()), len(told)))
        least, most = (mean(here[name], seed) for name in ("backbone_least", "backbone_most"))
        row |= _spread("backbone", Estimate((least.value + most.value) / 2, least.low, most.high))
        row |= {"backbone_least": least.value, "backbone_most": most.value}
        row["backbone_open"] = int((here["backbone_most"] > here["backbone_least"]).sum())
        row |= _spread("by_lines", mean(here["by_lines"], seed))
        row["line_solvable"] = float((here["by_lines"].dropna() == 1).mean())
        told = here[here["log10"].notna()]
        row |= {
            "counts": int(here["count_s"].notna().sum()),
            "numbers": len(told),
            "counted": float(told["counted"].mean()),
        }
        row |= _spread("log10", kaplan_meier(told["log10"], told["counted"]).median())
        row |= {"log10_least": told["log10"].median(), "bethe": here["bethe"].median()}
        for cost in COSTS:
            row |= _spread(f"{cost}_s", mean(here[f"{cost}_s"].clip(upper=UNTIL), seed))
            ended = here.loc[here[f"{cost}_s"].notna(), f"{cost}_ended"].astype(bool)
            row[f"{cost}_late"] = float((~ended).mean()) if len(ended) else np.nan
        row |= _spread("prove_conflicts", mean(here["prove_conflicts"], seed))
        row |= _spread("find_conflicts", mean(here["find_conflicts"], seed))
        rows.append(row)
    return pd.DataFrame(rows)


def _spread(name: str, estimate: Estimate) -> dict[str, float]:
    return {name: estimate.value, f"{name}_low": estimate.low, f"{name}_high": estimate.high}


def mean(values: pd.Series, seed: int = 0) -> Estimate:
    """The mean, with the bootstrap's percentile interval; what is not known is left out."""
    known = values.dropna().to_numpy(dtype=np.float64)
    if not len(known):
        return Estimate(np.nan, np.nan, np.nan)
    drawn = known[intervals.resamples(len(known), intervals.RESAMPLES, seed)].mean(axis=1)
    return Estimate(float(known.mean()), *(float(q) for q in np.quantile(drawn, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])))


def resampled(
    table: pd.DataFrame, column: str, statistic: Callable[[Floats, Floats], float], seed: int = 0, count: int = 400
) -> Estimate:
    """``statistic(densities, means of column)`` of one size's boards, with the bootstrap's interval.

    The boards of each density are drawn anew, with replacement.
    """
    cells = [
        (float(density), here[column].to_numpy(dtype=np.float64))
        for density, here in table.dropna(subset=[column]).groupby("density")
    ]
    x = np.array([density for density, _ in cells])
    value = statistic(x, np.array([values.mean() for _, values in cells]))
    drawn = np.empty((count, len(cells)))
    for i, (_, values) in enumerate(cells):
        drawn[:, i] = values[intervals.resamples(len(values), count, seed + i)].mean(axis=1)
    found = np.array([statistic(x, means) for means in drawn])
    if np.isnan(found).all():
        return Estimate(value, np.nan, np.nan)
    low, high = np.quantile(found[~np.isnan(found)], [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return Estimate(value, float(low), float(high))


def peaks(table: pd.DataFrame, costs: tuple[str, ...] = COSTS, seed: int = 0) -> pd.DataFrame:
    """Where each cost is highest, by size: the density of the largest restricted mean, with the bootstrap's interval.

    ``late``: the share of runs that were ended there; where that is near 1, the peak is a plateau that the limit cuts
    off: ``from`` and ``to`` are the densities at which half of the runs or more were ended.
    """
    rows = []
    for n, here in table.groupby("n"):
        for cost in costs:
            known = here[here[f"{cost}_s"].notna()].assign(spent=here[f"{cost}_s"].clip(upper=UNTIL))
            found = resampled(known, "spent", lambda x, y: float(x[np.argmax(y)]), seed)
            late = (~known[f"{cost}_ended"].astype(bool)).groupby(known["density"]).mean()
            over = late[late >= 0.5].index
            rows.append(
                {
                    "n": n, "cost": cost, **_spread("density", found), "late": late[found.value],
                    "from": over.min() if len(over) else np.nan, "to": over.max() if len(over) else np.nan,
                }
            )  # fmt: skip
    return pd.DataFrame(rows)


def ended_early(table: pd.DataFrame, cost: str) -> pd.DataFrame:
    """The share of runs that were ended at the limit: a row a density, a column a size."""
    known = table[table[f"{cost}_s"].notna()]
    late = ~known[f"{cost}_ended"].astype(bool)
    return late.groupby([known["density"], known["n"]]).mean().unstack("n")
