"""What can be said of curves: predicates that tell their truth in every sample, and the numbers in words.

The thresholds that "very few" and "close to" are given here are ours, and named.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from nonosat.experiments.analysis.castilho2018.curves import Array, Curves
from nonosat.experiments.analysis.castilho2018.figures import RULES

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
Truth = npt.NDArray[np.bool_]
Check = Callable[[Curves], tuple[Truth, str]]


def quotient(over: Array, under: Array) -> Array:
    """Element by element; means that differ by no more than rounding are the same."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(np.where(np.isclose(over, under, rtol=1e-9, atol=0), 1.0, over / under))


def _percents(c: Curves, values: Array) -> str:
    return ", ".join(f"{100 * d:g} %: {v:.3g}" for d, v in zip(c.densities, values, strict=True))


def _nearly_all(case: Truth) -> Truth:
    """Whether the cases of each sample (all axes but the first) are true nearly always."""
    return np.asarray(case.reshape(len(case), -1).mean(axis=1) >= NEARLY_ALL)


def alt_is_less(c: Curves) -> tuple[Truth, str]:
    """2-alt is less than 2, nearly always."""
    rules = [rule for rule in RULES if f"2/{rule}" in c.names and f"2alt/{rule}" in c.names]
    ratios = np.stack([quotient(c.of(f"2alt/{rule}"), c.of(f"2/{rule}")) for rule in rules], axis=1)
    told = "; ".join(f"{rule}: {np.nanmean(ratio):.3g}" for rule, ratio in zip(rules, ratios[0], strict=True))
    less, same = int((ratios[0] < 1).sum()), int((ratios[0] == 1).sum())
    return _nearly_all(ratios < 1), f"less in {less}, the same in {same} of {ratios[0].size} points; mean ratio {told}"


def few(name: str, against: str, bar: float) -> Check:
    """The middle ratio of two curves is at most ``bar``."""

    def check(c: Curves) -> tuple[Truth, str]:
        ratio = quotient(c.of(name), c.of(against))
        return np.median(ratio, axis=1) <= bar, f"{name} to {against}: {_percents(c, ratio[0])}"

    return check


def fewest_when_dense(name: str, against: str) -> Check:
    """Less than the other curve, and relatively least on a dense board."""

    def check(c: Curves) -> tuple[Truth, str]:
        ratio, dense = quotient(c.of(name), c.of(against)), np.array(c.densities) >= DENSE
        if not dense.any() or dense.all():
            return np.zeros(0, dtype=bool), f"needs densities below and from {100 * DENSE:g} %"
        below = np.where(dense, np.inf, ratio).min(axis=1)
        above = np.where(dense, ratio, np.inf).min(axis=1)
        return (above < below) & (above < 1), f"{name} to {against}: {_percents(c, ratio[0])}"

    return check


def close(name: str, against: str) -> Check:
    """Nearly always close to the other curve."""

    def check(c: Curves) -> tuple[Truth, str]:
        ratio = quotient(c.of(name), c.of(against))
        near = (ratio <= CLOSE) & (ratio >= 1 / CLOSE)
        return _nearly_all(near), f"{name} to {against}: {_percents(c, ratio[0])}"

    return check


def rises(name: str) -> Check:
    """Rises from its first density to its highest mean by ``MUCH``, and by more than the middle one of the others."""

    def check(c: Curves) -> tuple[Truth, str]:
        growth = quotient(c.means.max(axis=2), c.means[:, :, 0])
        at = c.names.index(name)
        others = np.median(np.delete(growth, at, axis=1), axis=1)
        told = f"{name} grows by {growth[0, at]:.3g}, the others' median is {others[0]:.3g}"
        return (growth[:, at] >= MUCH) & (growth[:, at] > others * CLOSE), told

    return check


def others_stable(c: Curves) -> tuple[Truth, str]:
    """The curves that the report does not except differ little between densities."""
    named = [i for i, name in enumerate(c.names) if name not in _EXCEPTIONS]
    spread = quotient(c.means.max(axis=2), c.means.min(axis=2))[:, named]
    told = ", ".join(f"{c.names[i]}: {value:.3g}" for i, value in zip(named, spread[0], strict=True))
    return _nearly_all(spread <= MUCH), f"highest to lowest mean: {told}"


def falls_when_dense(name: str) -> Check:
    """Far less on dense boards than at its highest on others."""

    def check(c: Curves) -> tuple[Truth, str]:
        dense = np.array(c.densities) >= DENSE
        if not dense.any() or dense.all():
            return np.zeros(0, dtype=bool), f"needs densities below and from {100 * DENSE:g} %"
        curve = c.of(name)
        factor = quotient(curve[:, dense].min(axis=1), curve[:, ~dense].max(axis=1))
        return factor <= 1 / MUCH, f"{name}: {_percents(c, curve[0])}"

    return check


def peak_at(density: float, name: str) -> Check:
    """Highest at ``density``."""

    def check(c: Curves) -> tuple[Truth, str]:
        if density not in c.densities:
            return np.zeros(0, dtype=bool), f"no boards of {100 * density:g} %"
        return np.isclose(c.peaks(name), density), f"{name}: {_percents(c, c.of(name)[0])}"

    return check


def least(name: str) -> Check:
    """Nearly always less than all others of its domain rule."""

    def check(c: Curves) -> tuple[Truth, str]:
        domain = name.partition("/")[0]
        rivals = [c.names.index(f"{domain}/{rule}") for rule in RULES if f"{domain}/{rule}" in c.names]
        rivals.remove(c.names.index(name))
        best = c.means[:, rivals].min(axis=1)
        ratio = quotient(c.of(name), best)
        return _nearly_all(ratio < 1), f"{name} to the best of the others: {_percents(c, ratio[0])}"

    return check


_EXCEPTIONS = ("2alt/5", "2/3+4", "2alt/3+4", "2/5+6", "2alt/5+6")
