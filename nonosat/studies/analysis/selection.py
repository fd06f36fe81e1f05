"""Choosing a configuration by instance: the single best, the virtual best, and a simple chooser between them.

The measure is PAR10, the mean time with ten times the limit for a run without a result, as in ASlib (Bischl et al.,
*ASlib: A benchmark library for algorithm selection*, AIJ 237, 2016). The gap between the single best and the virtual
best is what any chooser can close. ``nearest`` is a plain one: of an instance that it has not seen it takes what was
best on the five most similar ones that it has.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd

from nonosat.rng import Rng
from nonosat.studies.analysis.boards import Array, Boards, Clock, boards_of, limits_of
from nonosat.studies.analysis.ranking import VIRTUAL, ends, samples_of

SINGLE, CHOOSER = "single best", "five nearest"
FOLDS, NEIGHBOURS = 10, 5
FACTS = (
    *("rows", "columns", "colours", "fill", "clues", "given", "level", "density"),
    *("model_variables", "domain_median", "domain_most", "constraints"),
)
"""Fields that are known of an instance before anything is run on it."""


Choice = npt.NDArray[np.int64]


class Features(NamedTuple):
    """``values``: shape (boards, names); NaN where one is not known. Only those that differ between boards."""

    boards: tuple[str, ...]
    names: tuple[str, ...]
    values: Array


def features_of(runs: pd.DataFrame) -> Features:
    """What is known of each instance beforehand: ``FACTS``, and of models how many constraints of each kind."""
    known = runs[runs["kind"].notna()].drop_duplicates("instance").sort_values("instance", kind="stable")
    columns = {name: known[name].astype("float64").to_numpy() for name in FACTS}
    kinds = [json.loads(text) if isinstance(text, str) else {} for text in known["constraint_kinds"]]
    for word in sorted({word for entry in kinds for word in entry}):
        columns[f"constraints_{word}"] = np.array([float(entry.get(word, 0)) for entry in kinds])
    kept = [name for name, values in columns.items() if len(np.unique(values)) > 1 and not np.isnan(values).all()]
    values = np.array([columns[name] for name in kept]).reshape(len(kept), len(known)).T
    return Features(tuple(known["instance"].astype(object)), tuple(kept), values)


def folds_of(boards: Sequence[str], seed: int = 0) -> list[int]:
    """The fold (from 1) of each board, for cross-validation: as equal in size as can be, drawn by the seed."""
    folds = [0] * len(boards)
    for place, board in enumerate(Rng(seed).shuffled(len(boards))):
        folds[board] = place % FOLDS + 1
    return folds


@dataclass(frozen=True)
class Selection:
    """A row a chooser: ``par10_s``, ``solved`` boards, and the share of the gap that it closes, with intervals."""

    table: pd.DataFrame
    single: str
    boards: int


COLUMNS = ("chooser", "solved", "par10_s", "par10_low_s", "par10_high_s", "closed", "closed_low", "closed_high")


def selection(runs: pd.DataFrame, clock: Clock, seed: int = 0) -> Selection | None:
    """The choosers, over the boards that all configurations have run on.

    Boards are resampled for the intervals. None: there are fewer than two configurations, no limit on time that all
    runs have, or no gap.
    """
    both = boards_of(runs, clock).common()
    limits = limits_of(runs).unique()
    if len(both.names) < 2 or not both.boards or len(limits) != 1 or not clock.time:
        return None
    par10 = par10_of(both, float(limits[0]))
    if np.isnan(par10).any():
        return None
    at = int(np.argmin(par10.mean(axis=0)))
    chosen = {SINGLE: np.full(len(par10), at), VIRTUAL: par10.argmin(axis=1)}
    if (nearest := nearest_of(par10, both.boards, features_of(runs), seed)) is not None:
        chosen[CHOOSER] = nearest
    drawn, every = samples_of(len(both.boards), seed), np.arange(len(par10))
    costs = {name: par10[every, choice] for name, choice in chosen.items()}
    if costs[SINGLE].mean() <= costs[VIRTUAL].mean():
        return None
    rows = []
    for name in (VIRTUAL, CHOOSER, SINGLE):
        if name in costs:
            low, high = ends(drawn @ costs[name])
            closed = ends(_closed(*(drawn @ costs[who] for who in (SINGLE, name, VIRTUAL))))
            rows.append(
                (
                    *(name, float(both.solved[every, chosen[name]].sum()), costs[name].mean(), low, high),
                    float(_closed(*(costs[who].mean() for who in (SINGLE, name, VIRTUAL)))),
                    *(closed if name == CHOOSER else (math.nan, math.nan)),
                )
            )
    return Selection(pd.DataFrame(rows, columns=list(COLUMNS)), both.names[at], len(both.boards))


def par10_of(both: Boards, limit: float) -> Array:
    """PAR10 of each board and configuration: PAR2, and eight limits more for each run without a result."""
    return both.par2 + np.where(both.solved < 1, 8 * limit * (1 - both.solved), 0.0)


def _closed(single: Array, chosen: Array, virtual: Array) -> Array:
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray((single - chosen) / (single - virtual))


def nearest_of(par10: Array, boards: Sequence[str], features: Features, seed: int = 0) -> Choice | None:
    """The number of the configuration that is chosen for each board, from those of the other folds.

    Distances are Euclidean, of the features' logarithms in units of their deviations. None: there are no features.
    """
    place = {board: at for at, board in enumerate(features.boards)}
    if not features.names or any(board not in place for board in boards):
        return None
    values = np.nan_to_num(features.values[[place[board] for board in boards]])
    scaled = np.sign(values) * np.log1p(np.abs(values))
    scaled /= np.where((spread := scaled.std(axis=0)) > 0, spread, 1.0)
    folds = np.array(folds_of(boards, seed))
    chosen = np.zeros(len(boards), dtype=np.int64)
    for board in range(len(boards)):
        others = np.flatnonzero(folds != folds[board])
        if not len(others):
            return None
        near = np.argsort(((scaled[others] - scaled[board]) ** 2).sum(axis=1), kind="stable")[:NEIGHBOURS]
        chosen[board] = int(par10[others[near]].mean(axis=0).argmin())
    return chosen
