"""The order encoding: a Boolean ``[v <= a]`` for every value a of a variable but its last.

Source: Tamura, Taga, Kitagawa & Banbara, *Compiling finite linear CSP into SAT*, Constraints 14 (2009). Numbering is
by meaning: variable by variable, value by value, then auxiliaries; ``[v <= lower + i]`` is ``first[v] + i``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt

from nonosat.csp.model import CSP, AllDifferent, Clauses, Comparison, Ints, Linear, Precedes, ints, ranges
from nonosat.encodings.cnf import CNF, TRUE, Collector
from nonosat.encodings.formula import Formula


@dataclass(frozen=True, eq=False)
class OrderMap:
    """Where each integer variable's Booleans are: ``first[v] + i`` is ``[v <= lower[v] + i]``."""

    first: Ints
    lower: Ints
    upper: Ints

    @classmethod
    def of(cls, lower: Ints, upper: Ints) -> OrderMap:
        """Booleans for the domains ``lower..upper``, numbered from 1 in the variables' order."""
        sizes = (upper - lower).astype(np.int64)
        return cls((1 + np.cumsum(sizes) - sizes).astype(np.int32), lower, upper)

    @property
    def booleans(self) -> int:
        """How many Booleans the map covers."""
        return int((self.upper.astype(np.int64) - self.lower).sum())

    def at_most(self, variables: Ints, bounds: Ints) -> Ints:
        """The literals ``[v <= bound]``, ``TRUE`` or ``-TRUE`` where the bound lies outside the domain."""
        literals = (self.first - self.lower)[variables] + bounds
        literals[bounds >= self.upper[variables]] = TRUE
        literals[bounds < self.lower[variables]] = -TRUE
        return literals

    def literals(self, comparison: Comparison) -> Ints:
        """The literals of a column of comparisons."""
        if comparison.at_least:
            return -self.at_most(comparison.variables, comparison.bounds - 1)
        return self.at_most(comparison.variables, comparison.bounds)

    def decode(self, true: npt.NDArray[np.bool_], variables: Ints) -> Ints:
        """The values of ``variables`` (any shape) in an assignment (``true[b]`` for Boolean b): one less a true."""
        below = np.concatenate((np.zeros(1, dtype=np.int32), np.cumsum(true[1:], dtype=np.int32)))
        first, size = self.first[variables] - 1, self.upper[variables] - self.lower[variables]
        return ints(self.upper[variables] - (below[first + size] - below[first]))

    def differ(self, variables: Ints, values: Ints) -> list[int]:
        """The clause that ``variables`` do not all have ``values``."""
        literals = np.concatenate((self.at_most(variables, values - 1), -self.at_most(variables, values)))
        return [int(literal) for literal in literals if abs(literal) != TRUE]

    def lines(self, names: list[str]) -> list[str]:
        """The map as text, for DIMACS comments: ``order NAME FIRST LOWER UPPER``."""
        columns = (names, self.first.tolist(), self.lower.tolist(), self.upper.tolist())
        return [f"order {name} {first} {low} {high}" for name, first, low, high in zip(*columns, strict=True)]


def compile_order(csp: CSP) -> Formula:
    """The CNF whose models are the solutions of ``csp``, by the order encoding."""
    order = OrderMap.of(csp.lower, csp.upper)
    out = Collector(order.booleans)
    _axioms(order, out)
    for constraint in csp.constraints:
        _COMPILERS[type(constraint)](constraint, order, out)
    return Formula(out.cnf(), order, csp.board, csp.blocks)


def _axioms(order: OrderMap, out: Collector) -> None:
    """``[v <= a]`` implies ``[v <= a + 1]``."""
    inner = np.ones(order.booleans, dtype=bool)
    inner[(order.first + (order.upper - order.lower) - 2)[order.upper > order.lower]] = False
    here = np.flatnonzero(inner).astype(np.int32) + np.int32(1)
    out.add(-here, here + np.int32(1))


def _clauses(family: Clauses, order: OrderMap, out: Collector) -> None:
    out.add(*(order.literals(column) for column in family.columns))


def _precedes(family: Precedes, order: OrderMap, out: Collector) -> None:
    """``after <= a + distance`` implies ``before <= a``, for every a for which that is not settled or implied."""
    before, distance, after = family.before, family.distance, family.after
    lowest = np.maximum(order.lower[before] - 1, order.lower[after] - distance)
    highest = np.minimum(order.upper[before] - 1, order.upper[after] - distance)
    owner, a = ranges(lowest, highest + 1)
    out.add(-order.at_most(after[owner], a + distance[owner]), order.at_most(before[owner], a))


def _linear(family: Linear, order: OrderMap, out: Collector) -> None:
    for coefficients, variables, bound in family.each():
        _at_most_sum([(int(a), int(v)) for a, v in zip(coefficients, variables, strict=True) if a], bound, order, out)


# A term of a sum is a coefficient and the literals of its variable: literal(values) = [v <= value].
_Term = tuple[int, int, int, Callable[[Ints], Ints]]


def _at_most_sum(terms: list[tuple[int, int]], bound: int, order: OrderMap, out: Collector) -> None:
    """``sum(a v) <= bound``: up to three terms directly, longer sums through partial sums (as Sugar does)."""

    def term(a: int, v: int) -> _Term:
        return (
            a,
            int(order.lower[v]),
            int(order.upper[v]),
            lambda values: order.at_most(np.full_like(values, v), values),
        )

    rest = [term(a, v) for a, v in terms]
    while len(rest) > 3:
        # A fresh integer t >= (first two terms) takes their place. One direction is enough under "<=".
        (a, low_a, high_a, _), (b, low_b, high_b, _) = rest[:2]
        low = min(a * low_a, a * high_a) + min(b * low_b, b * high_b)
        high = max(a * low_a, a * high_a) + max(b * low_b, b * high_b)
        partial = _fresh_integer(low, high, out)
        _direct([*rest[:2], (-1, *partial)], 0, out)
        rest = [(1, *partial), *rest[2:]]
    _direct(rest, bound, out)


def _fresh_integer(low: int, high: int, out: Collector) -> tuple[int, int, Callable[[Ints], Ints]]:
    """A new order-encoded variable with its axioms, for a partial sum."""
    codes = out.fresh(high - low)
    if len(codes) > 1:
        out.add(-codes[:-1], codes[1:])
    offset = int(codes[0]) - low if len(codes) else 0

    def literal(values: Ints) -> Ints:
        literals = values + np.int32(offset)
        literals[values >= high] = TRUE
        literals[values < low] = -TRUE
        return literals

    return low, high, literal


def _direct(terms: list[_Term], bound: int, out: Collector) -> None:
    """``sum(a v) <= bound`` without auxiliaries: for all b_1 + .. + b_n = bound - n + 1, some ``a_i v_i <= b_i``."""
    if not terms:
        if bound < 0:
            out.add(np.full(1, -TRUE, dtype=np.int32))
        return
    lows = [min(a * low, a * high) - 1 for a, low, high, _ in terms]
    highs = [max(a * low, a * high) for a, low, high, _ in terms]
    grids = np.meshgrid(
        *(np.arange(low, high + 1, dtype=np.int64) for low, high in zip(lows[:-1], highs[:-1], strict=True)),
        indexing="ij",
    )
    limits = [grid.reshape(-1) for grid in grids]
    last = np.full(limits[0].shape if limits else (1,), bound - len(terms) + 1, dtype=np.int64)
    for limit in limits:
        last = last - limit
    columns = [
        _scaled(term, limit, low, high)
        for term, limit, low, high in zip(terms, [*limits, last], lows, highs, strict=True)
    ]
    out.add(*columns)


def _scaled(term: _Term, limits: npt.NDArray[np.int64], low: int, high: int) -> Ints:
    """The literals of ``a v <= limit``: ``[v <= floor(limit / a)]``, or for a < 0 ``[v >= ceil(limit / a)]``."""
    a, _, _, literal = term
    limits = np.clip(limits, low, high)
    if a > 0:
        return literal((limits // a).astype(np.int32))
    return -literal((-(limits // -a) - 1).astype(np.int32))


def _all_different(family: AllDifferent, order: OrderMap, out: Collector) -> None:
    """No two variables have the value a: four literals a pair and value; and the pigeonhole's two clauses a group."""
    for group in family.each():
        if len(group) < 2:
            continue
        low, high = int(order.lower[group].min()), int(order.upper[group].max())
        values = np.arange(low, high + 1, dtype=np.int32)
        pairs = ints(list(combinations(group.tolist(), 2)))
        x, y = (np.repeat(pairs[:, side], len(values)) for side in (0, 1))
        a = np.tile(values, len(pairs))
        out.add(order.at_most(x, a - 1), -order.at_most(x, a), order.at_most(y, a - 1), -order.at_most(y, a))
        # Some variable is among the values from the n-th smallest up, and some from the n-th largest down.
        n = len(group)
        out.add(*(-order.at_most(group[i : i + 1], ints([low + n - 2])) for i in range(n)))
        out.add(*(order.at_most(group[i : i + 1], ints([high - n + 1])) for i in range(n)))


_COMPILERS: dict[type, Callable[[Any, OrderMap, Collector], None]] = {
    Clauses: _clauses,
    Precedes: _precedes,
    Linear: _linear,
    AllDifferent: _all_different,
}

__all__ = ["CNF", "OrderMap", "compile_order"]
