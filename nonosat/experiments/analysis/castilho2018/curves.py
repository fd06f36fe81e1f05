"""Curves as in the report, a mean for each encoding and density: of boards, and of samples of them (the bootstrap)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pandas as pd

from nonosat.experiments.analysis import intervals
from nonosat.experiments.analysis.castilho2018.figures import DOMAINS, RULES, of_report
from nonosat.experiments.analysis.summary import report_counts

FEWEST_BOARDS = 3
Array = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Curves:
    """Means by encoding and density: ``means[0]`` of the boards, ``means[1:]`` of the samples drawn from them."""

    names: tuple[str, ...]
    densities: tuple[float, ...]
    means: Array
    boards: npt.NDArray[np.int64]

    def of(self, name: str) -> Array:
        """One encoding's curve in every sample: shape (samples + 1, densities)."""
        return np.asarray(self.means[:, self.names.index(name)])

    def peaks(self, name: str) -> Array:
        """The density at which the encoding's mean is highest, in every sample."""
        curve = self.of(name)
        at = np.where(np.isnan(curve), -np.inf, curve).argmax(axis=1)
        return np.asarray(np.array(self.densities)[at], dtype=np.float64)

    def has(self, names: Sequence[str]) -> bool:
        """Whether all of ``names`` have enough boards at every density."""
        known = all(name in self.names for name in names)
        rows = [self.names.index(name) for name in names] if known else []
        return known and len(self.densities) > 1 and bool((self.boards[rows] >= FEWEST_BOARDS).all())


def curves(
    frame: pd.DataFrame, solver: str, size: str, column: str, reading: str = "ends", paired: bool = False,
    seed: int = 0, samples: int = 400, at_limit: bool = False,
) -> Curves:  # fmt: skip
    """The curves of the report's encodings, of runs as the report counts them (over the limit: left out; wrong: in).

    ``paired``: over the boards that all encodings ended within the limit; else each over its own, as in the report.
    ``at_limit``: the time of runs over a limit is the limit, instead of leaving them out (for ``time_s`` only): a lower
    bound of the mean that does not flatter the hard boards.
    """
    told = [
        "instance",
        "outcome",
        "censored",
        "limit_wall_s",
        "limit_cpu_s",
        "solver",
        "size",
        "density",
        "report_name",
    ]
    runs = of_report(frame[[*told, "rules", "reading", column]], reading)
    runs = runs[runs["solver"].eq(solver) & runs["size"].eq(size) & runs["density"].notna()]
    kept = report_counts(runs) | (runs["censored"] & at_limit)
    ended = runs[kept].assign(value=lambda table: table[column].astype("Float64").astype("float64"))
    if at_limit:
        limits = ended[["limit_wall_s", "limit_cpu_s"]].astype("float64").min(axis=1).fillna(ended["value"])
        ended["value"] = ended["value"].mask(ended["censored"], limits)
    names = tuple(f"{domain}/{rules}" for domain in DOMAINS for rules in RULES)
    names = tuple(name for name in names if runs["report_name"].eq(name).any())
    found = tuple(sorted(float(d) for d in runs["density"].unique()))
    means = np.full((samples + 1, len(names), len(found)), math.nan)
    boards = np.zeros((len(names), len(found)), dtype=np.int64)
    wide = ended.groupby(["density", "instance", "report_name"], sort=True)["value"].mean().unstack()
    every = wide.reindex(columns=list(names)).to_numpy(dtype=np.float64)
    of = wide.index.get_level_values("density")
    for at, density in enumerate(found):
        values = every[of == density]
        if paired:
            values = values[~np.isnan(values).any(axis=1)]
        boards[:, at] = (~np.isnan(values)).sum(axis=0)
        means[:, :, at] = _means(values, samples, seed + at)
    return Curves(names, found, means, boards)


def _means(values: Array, samples: int, seed: int) -> Array:
    """The columns' means without the NaN: of all rows first, then of each sample of the rows."""
    count = len(values)
    weights = np.zeros((samples + 1, count))
    weights[0] = 1
    drawn = intervals.resamples(count, samples, seed)
    np.add.at(weights, (np.arange(1, samples + 1)[:, None], drawn), 1)
    known = ~np.isnan(values)
    with np.errstate(invalid="ignore"):
        means: Array = (weights @ np.where(known, values, 0.0)) / (weights @ known)
    return means
