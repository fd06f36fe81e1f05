"""What the report claims of its curves (Castilho & Welter 2018, ch. 5.3 and 6), asked of records.

Rules 4 and 6 have three readings (see ``docs/encodings.md``), and the report's figures show one of them without saying
which. A claim is a predicate on curves: a mean for each encoding and density. Boards are resampled (the bootstrap, with
each density's boards drawn anew); a claim *holds* if it does so in at least 95 % of the samples, *does not hold* if it
does in at most 5 %, and else there is not enough data to tell, as there is not where an encoding or density is missing.
The thresholds that "very few" and "close to" are given here are ours, and named.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pandas as pd

from nonosat.experiments.analysis import intervals
from nonosat.experiments.analysis.frames import sizes, values_of
from nonosat.experiments.analysis.report_figures import DOMAINS, READINGS, RULES, of_report
from nonosat.experiments.analysis.summary import groups, report_counts

FEW = 0.25
"""Very few: at most this part of the decisions with rule 3."""
MUCH = 2.0
"""A significant rise, a great difference: at least this factor."""
CLOSE = 1.25
"""Close to, stable: at most this factor apart."""
NEARLY_ALL = 0.8
"""Nearly always: at least this share of the cases."""
DENSE = 0.4
"""From here on a board's density counts as close to 50 %."""
FEWEST_BOARDS = 3
SURE = 0.95

HOLDS, FAILS, UNKNOWN = "holds", "does not hold", "not enough data"
Array = npt.NDArray[np.float64]
Truth = npt.NDArray[np.bool_]


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
    for at, density in enumerate(found):
        here = ended[ended["density"].eq(density)]
        table = here.pivot_table(index="instance", columns="report_name", values="value", aggfunc="mean")
        values = table.reindex(columns=list(names)).to_numpy(dtype=np.float64)
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


@dataclass(frozen=True)
class Claim:
    """``check`` gives its truth in every sample (the boards' own first), and the numbers in words."""

    name: str
    says: str
    column: str
    needs: tuple[str, ...]
    check: Callable[[Curves], tuple[Truth, str]]


def _ratio(over: Array, under: Array) -> Array:
    """Element by element; means that differ by no more than rounding are the same."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(np.where(np.isclose(over, under, rtol=1e-9, atol=0), 1.0, over / under))


def _percents(c: Curves, values: Array) -> str:
    return ", ".join(f"{100 * d:g} %: {v:.3g}" for d, v in zip(c.densities, values, strict=True))


def _nearly_all(case: Truth) -> Truth:
    """Whether the cases of each sample (all axes but the first) are true nearly always."""
    return np.asarray(case.reshape(len(case), -1).mean(axis=1) >= NEARLY_ALL)


def _alt_is_less(c: Curves) -> tuple[Truth, str]:
    rules = [rule for rule in RULES if f"2/{rule}" in c.names and f"2alt/{rule}" in c.names]
    ratios = np.stack([_ratio(c.of(f"2alt/{rule}"), c.of(f"2/{rule}")) for rule in rules], axis=1)
    told = "; ".join(f"{rule}: {np.nanmean(ratio):.3g}" for rule, ratio in zip(rules, ratios[0], strict=True))
    less, same = int((ratios[0] < 1).sum()), int((ratios[0] == 1).sum())
    return _nearly_all(ratios < 1), f"less in {less}, the same in {same} of {ratios[0].size} points; mean ratio {told}"


def _few(name: str, against: str, bar: float) -> Callable[[Curves], tuple[Truth, str]]:
    def check(c: Curves) -> tuple[Truth, str]:
        ratio = _ratio(c.of(name), c.of(against))
        return np.median(ratio, axis=1) <= bar, f"{name} to {against}: {_percents(c, ratio[0])}"

    return check


def _fewest_when_dense(name: str, against: str) -> Callable[[Curves], tuple[Truth, str]]:
    def check(c: Curves) -> tuple[Truth, str]:
        ratio, dense = _ratio(c.of(name), c.of(against)), np.array(c.densities) >= DENSE
        if not dense.any() or dense.all():
            return np.zeros(0, dtype=bool), f"needs densities below and from {100 * DENSE:g} %"
        below = np.where(dense, np.inf, ratio).min(axis=1)
        above = np.where(dense, ratio, np.inf).min(axis=1)
        return (above < below) & (above < 1), f"{name} to {against}: {_percents(c, ratio[0])}"

    return check


def _close(name: str, against: str) -> Callable[[Curves], tuple[Truth, str]]:
    def check(c: Curves) -> tuple[Truth, str]:
        ratio = _ratio(c.of(name), c.of(against))
        near = (ratio <= CLOSE) & (ratio >= 1 / CLOSE)
        return _nearly_all(near), f"{name} to {against}: {_percents(c, ratio[0])}"

    return check


def _rises(name: str) -> Callable[[Curves], tuple[Truth, str]]:
    """Rises from its first density to its highest mean by ``MUCH``, and by more than the middle one of the others."""

    def check(c: Curves) -> tuple[Truth, str]:
        growth = _ratio(c.means.max(axis=2), c.means[:, :, 0])
        at = c.names.index(name)
        others = np.median(np.delete(growth, at, axis=1), axis=1)
        told = f"{name} grows by {growth[0, at]:.3g}, the others' median is {others[0]:.3g}"
        return (growth[:, at] >= MUCH) & (growth[:, at] > others * CLOSE), told

    return check


def _others_stable(c: Curves) -> tuple[Truth, str]:
    named = [i for i, name in enumerate(c.names) if name not in _EXCEPTIONS]
    spread = _ratio(c.means.max(axis=2), c.means.min(axis=2))[:, named]
    told = ", ".join(f"{c.names[i]}: {value:.3g}" for i, value in zip(named, spread[0], strict=True))
    return _nearly_all(spread <= MUCH), f"highest to lowest mean: {told}"


def _falls_when_dense(name: str) -> Callable[[Curves], tuple[Truth, str]]:
    def check(c: Curves) -> tuple[Truth, str]:
        dense = np.array(c.densities) >= DENSE
        if not dense.any() or dense.all():
            return np.zeros(0, dtype=bool), f"needs densities below and from {100 * DENSE:g} %"
        curve = c.of(name)
        factor = _ratio(curve[:, dense].min(axis=1), curve[:, ~dense].max(axis=1))
        return factor <= 1 / MUCH, f"{name}: {_percents(c, curve[0])}"

    return check


def _peak_at(density: float, name: str) -> Callable[[Curves], tuple[Truth, str]]:
    def check(c: Curves) -> tuple[Truth, str]:
        if density not in c.densities:
            return np.zeros(0, dtype=bool), f"no boards of {100 * density:g} %"
        return np.isclose(c.peaks(name), density), f"{name}: {_percents(c, c.of(name)[0])}"

    return check


def _least(name: str) -> Callable[[Curves], tuple[Truth, str]]:
    def check(c: Curves) -> tuple[Truth, str]:
        domain = name.partition("/")[0]
        rivals = [c.names.index(f"{domain}/{rule}") for rule in RULES if f"{domain}/{rule}" in c.names]
        rivals.remove(c.names.index(name))
        best = c.means[:, rivals].min(axis=1)
        ratio = _ratio(c.of(name), best)
        return _nearly_all(ratio < 1), f"{name} to the best of the others: {_percents(c, ratio[0])}"

    return check


_ALL = tuple(f"{domain}/{rules}" for domain in DOMAINS for rules in RULES)
_EXCEPTIONS = ("2alt/5", "2/3+4", "2alt/3+4", "2/5+6", "2alt/5+6")


def _claims() -> tuple[Claim, ...]:
    found = [
        Claim(
            "2alt fewer decisions", "2-alt needs fewer decisions than 2 nearly always", "decisions", _ALL, _alt_is_less
        ),
        Claim("2alt faster", "2-alt is faster than 2 nearly always", "time_s", _ALL, _alt_is_less),
    ]
    for d in DOMAINS:
        for rule in ("6", "5+6"):
            a, b = f"{d}/{rule}", f"{d}/3"
            found += [
                Claim(f"{a} few decisions", f"{a} needs very few decisions", "decisions", (a, b), _few(a, b, FEW)),
                Claim(
                    f"{a} fewest when dense", f"{a} needs few decisions most of all near 50 %", "decisions", (a, b),
                    _fewest_when_dense(a, b),
                ),
            ]  # fmt: skip
        five, six, four, three, both = (f"{d}/{rule}" for rule in ("5", "6", "4", "3", "5+6"))
        group = tuple(f"{d}/{rule}" for rule in RULES)
        found += [
            Claim(f"{five} like {three}", "5 needs about as many decisions as 3", "decisions", (five, three),
                  _close(five, three)),
            Claim(f"{six} unlike {four}", "6 needs far fewer decisions than 4", "decisions", (six, four),
                  _few(six, four, 1 / MUCH)),
            Claim(f"{six} best", "6 needs fewer decisions than all other rules", "decisions", group, _least(six)),
            Claim(f"{six} fastest", "6 is faster than all other rules", "time_s", group, _least(six)),
            Claim(f"{d}/3+4 slows", "3+4 gets slower with density", "time_s", _ALL, _rises(f"{d}/3+4")),
            Claim(f"{both} falls", "5+6 gets far faster on dense boards", "time_s", (both,), _falls_when_dense(both)),
            Claim(f"{three} peak", "the time with rule 3 peaks at 40 %", "time_s", (three,), _peak_at(0.4, three)),
            Claim(f"{six} peak", "the time with rule 6 peaks at 40 %", "time_s", (six,), _peak_at(0.4, six)),
        ]  # fmt: skip
    found += [
        Claim("2alt/5 slows", "5 with 2-alt gets slower with density", "time_s", _ALL, _rises("2alt/5")),
        Claim("others stable", "the other rules take about the same time at every density", "time_s", _ALL,
              _others_stable),
    ]  # fmt: skip
    return tuple(found)


CLAIMS = _claims()
"""The claims that are about one solver and one size; ``only_minisat`` and ``timeouts_grow`` are about several."""

HEADS = ("claim", "says", "reading", "solver", "size", "boards", "verdict", "support", "numbers")


def verdict(truth: Truth) -> tuple[str, float]:
    """What the samples say together, and the share of them in which the claim holds.

    >>> verdict(np.array([True] * 100)), verdict(np.array([True, False])), verdict(np.array([], dtype=bool))[0]
    (('holds', 1.0), ('not enough data', 0.0), 'not enough data')
    """
    if len(truth) < 2:
        return UNKNOWN, math.nan
    support = float(truth[1:].mean())
    if support >= SURE and truth[0]:
        return HOLDS, support
    return (FAILS if support <= 1 - SURE and not truth[0] else UNKNOWN), support


def examine(
    frame: pd.DataFrame, readings: Sequence[str] = READINGS, paired: bool = False, seed: int = 0, samples: int = 400
) -> pd.DataFrame:
    """Every claim for every reading of rules 4 and 6, solver and size: holds, does not hold, or not enough data.

    Claims that name no rule 4 or 6 alone are told under every reading that has runs, since others of its encodings may
    take part in them. ``support``: the share of samples in which the claim holds.
    """
    rows = []
    for reading in readings:
        runs = of_report(frame, reading)
        for solver in values_of(runs, "solver"):
            for size in sizes(runs[runs["solver"].eq(solver)]):
                if not (runs["solver"].eq(solver) & runs["size"].eq(size) & runs["reading"].eq(reading)).any():
                    continue
                drawn = {
                    column: curves(frame, solver, size, column, reading, paired, seed, samples)
                    for column in ("decisions", "time_s")
                }
                over = "ended by all" if paired else "ended"
                for claim in CLAIMS:
                    told = _told(claim, drawn[claim.column])
                    rows.append((claim.name, claim.says, reading, solver, size, over, *told))
    return pd.DataFrame(rows, columns=list(HEADS))


def _told(claim: Claim, c: Curves) -> tuple[str, float, str]:
    if not c.has(claim.needs):
        return UNKNOWN, math.nan, f"needs {FEWEST_BOARDS} boards a density that ended, of {_listed(claim.needs)}"
    truth, numbers = claim.check(c)
    return (*verdict(truth), numbers)


def _listed(names: Sequence[str]) -> str:
    return "all twelve encodings" if len(names) == len(_ALL) else ", ".join(names)


def readings_compared(examined: pd.DataFrame) -> pd.DataFrame:
    """How many of the report's claims hold in each reading of rules 4 and 6: which curves have the report's shape."""
    table = examined.groupby(["reading", "verdict"], sort=True).size().unstack(fill_value=0)
    table = table.reindex(columns=[HOLDS, FAILS, UNKNOWN], fill_value=0)
    return table.reset_index().rename_axis(columns=None)


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
        spread = float(_ratio(means.max(), means.min())) if len(means) > 1 else math.nan
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
        c = curves(group, str(solver), str(size), "time_s", reading, False, seed, samples, at_limit)
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
