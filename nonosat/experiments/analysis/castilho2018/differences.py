"""Where encodings, solvers and sizes differ, in tables: decisions, time-outs, wrong pictures, and where times peak."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pandas as pd

from nonosat.experiments.analysis import intervals
from nonosat.experiments.analysis.boards import clock_of
from nonosat.experiments.analysis.castilho2018.claims import UNKNOWN
from nonosat.experiments.analysis.castilho2018.curves import curves
from nonosat.experiments.analysis.castilho2018.figures import of_report
from nonosat.experiments.analysis.castilho2018.predicates import CLOSE, quotient
from nonosat.experiments.analysis.summary import groups, report_counts


def only_minisat(frame: pd.DataFrame, reading: str = "ends") -> pd.DataFrame:
    """The claim that only MiniSat's decisions differ between the rules: how far they do, solver by solver.

    ``same``: the share of boards on which all encodings that ended have the same count; ``spread``: the highest mean of
    an encoding by the lowest, over all boards of the size.
    """
    runs = of_report(frame, reading)
    runs = runs[report_counts(runs) & runs["decisions"].notna()]
    rows = []
    for (solver, size), group in groups(runs, ("solver", "size")):
        table = group.assign(value=group["decisions"].astype("float64")).pivot_table(
            index="instance", columns="report_name", values="value", aggfunc="mean"
        )
        means, several = table.mean(), table[table.notna().sum(axis=1) > 1]
        same = float((several.nunique(axis=1) == 1).mean()) if len(several) else math.nan
        spread = float(quotient(means.max(), means.min())) if len(means) > 1 else math.nan
        differs = UNKNOWN if len(means) < 2 else ("they differ" if spread > CLOSE else "they hardly differ")
        rows.append((solver, size, len(several), same, spread, differs))
    return pd.DataFrame(rows, columns=["solver", "size", "boards", "same", "spread", "verdict"])


def timeouts_by_size(frame: pd.DataFrame) -> pd.DataFrame:
    """The claim that time-outs grow with the size: their share with Wilson's interval, by solver and size."""
    rows = []
    for (solver, size), group in groups(frame, ("solver", "size")):
        over = int(group["outcome"].isin(["TIMEOUT", "CPUOUT"]).sum())
        share = intervals.wilson(over, len(group))
        rows.append((solver, size, len(group), over, share.value, share.low, share.high))
    return pd.DataFrame(rows, columns=["solver", "size", "runs", "over", "share", "low", "high"])


def wrong_by_reading(
    frame: pd.DataFrame, by: Sequence[str] = ("domain_rule", "rules", "reading", "channel", "integers")
) -> pd.DataFrame:
    """The share of wrong pictures among the answers (SAT, UNSAT, WRONG), by the encodings' parts."""
    rows = []
    for names, group in groups(frame[report_counts(frame)], by):
        wrong, unsat = int(group["wrong"].sum()), int(group["false_unsat"].sum())
        share = intervals.wilson(wrong, len(group))
        rows.append((*names, len(group), wrong, share.value, share.low, share.high, unsat))
    return pd.DataFrame(rows, columns=[*by, "answers", "wrong", "share", "low", "high", "false_unsat"])


def time_peaks(
    frame: pd.DataFrame, reading: str = "ends", at_limit: bool = False, seed: int = 0, samples: int = 1000
) -> pd.DataFrame:
    """At which density the mean time peaks, for each solver, size and encoding, with a bootstrap 95 % interval.

    ``low`` and ``high`` are the least and greatest density among the central 95 % of the samples' peaks; ``support``
    is the share of the samples that peak at ``peak``. Means are the report's: ``over`` runs over the limit are not in
    them, or count the limit (``at_limit``).
    """
    rows = []
    runs = of_report(frame, reading)
    for (solver, size), group in groups(runs, ("solver", "size")):
        c = curves(group, str(solver), str(size), clock_of(frame).column, reading, False, seed, samples, at_limit)
        for name in c.names:
            over = int((group["report_name"].eq(name) & group["censored"]).sum())
            if not c.has((name,)):
                rows.append((solver, size, name, *[math.nan] * 4, over))
                continue
            places = c.peaks(name)
            ends = np.quantile(places[1:], [0.025, 0.975], method="inverted_cdf")
            support = float(np.isclose(places[1:], places[0]).mean())
            rows.append((solver, size, name, float(places[0]), float(ends[0]), float(ends[1]), support, over))
    return pd.DataFrame(rows, columns=["solver", "size", "encoding", "peak", "low", "high", "support", "over"])
