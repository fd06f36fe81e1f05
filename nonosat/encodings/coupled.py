"""Order and direct encoding coupled: ``[v <= a]`` for bounds, ``[v = a]`` for values, and the channel between them.

Source: the usual pairing of lazy clause generation solvers (Ohrimenko, Stuckey & Codish, *Propagation via lazy clause
generation*, Constraints 14, 2009), written out in full. The order Booleans come first, as in ``order``; the equality
Booleans are auxiliaries, two of which (at the ends of a domain) are order literals.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from nonosat.csp.model import CSP, AnyInts, Column, Comparison, Ints, ints, ranges
from nonosat.encodings.cnf import TRUE, Collector
from nonosat.encodings.expand import compiled_by
from nonosat.encodings.formula import BooleanMeaning, Disjunctions, Formula, total
from nonosat.encodings.order import OrderMap


@dataclass(frozen=True, eq=False)
class CoupledMap(OrderMap):
    """``OrderMap``, with Booleans ``[v = a]`` for the inner values a of each domain behind all order Booleans."""

    by_value = True
    behind: int = -1
    """The last Boolean before those of inner values; -1: the last of the order Booleans."""

    @classmethod
    def placed(cls, first: Ints, lower: AnyInts, upper: AnyInts, behind: int) -> CoupledMap:
        """See ``DomainMap.placed``."""
        return cls(first, lower, upper, behind)

    def _equal_first(self) -> Ints:
        """Per variable: the number of the Boolean ``[v = lower + 1]``."""
        inner = np.maximum(self.upper.astype(np.int64) - self.lower - 1, 0)
        behind = super().booleans if self.behind < 0 else self.behind
        return ints(1 + behind + np.cumsum(inner) - inner)

    @property
    def booleans(self) -> int:
        """Order Booleans and equality Booleans."""
        return super().booleans + total(np.maximum(self.upper.astype(np.int64) - self.lower - 1, 0))

    def equal(self, variables: Ints, values: AnyInts) -> Ints:
        """The literals ``[v = value]``."""
        low, high = self.lower[variables], self.upper[variables]
        literals = ints(self._equal_first()[variables] + (values - low - 1))
        ends = np.flatnonzero((values <= low) | (values >= high))  # which have no Boolean of their own
        variables, values, low, high = variables[ends], values[ends], low[ends], high[ends]
        found = np.where(values == low, self.at_most(variables, values), -self.at_most(variables, values - 1))
        literals[ends] = np.where((values < low) | (values > high), -TRUE, found)
        return literals

    def axioms(self, out: Collector) -> None:
        """The order axioms, and ``[v = a]`` iff ``[v <= a]`` and not ``[v <= a - 1]``."""
        super().axioms(out)
        variable, value = ranges(self.lower + 1, self.upper)
        variables = variable.astype(np.int32)
        equal = self.equal(variables, value)
        at, below = self.at_most(variables, value), self.at_most(variables, value - 1)
        out.add(-equal, at)
        out.add(-equal, -below)
        out.add(equal, -at, below)

    def meanings(self) -> Iterator[BooleanMeaning]:
        """See ``DomainMap.meanings``: those of the order encoding, then the values."""
        yield from super().meanings()
        for variable, (first, low, high) in enumerate(
            zip(self._equal_first().tolist(), self.lower.tolist(), self.upper.tolist(), strict=True)
        ):
            for value in range(low + 1, high):
                yield first + value - low - 1, variable, range(value, value + 1)

    def columns(self, column: Column) -> list[Ints | Disjunctions]:
        """A comparison is an order literal, a membership values or their negations."""
        if isinstance(column, Comparison):
            return super().columns(column)
        variables = column.variables
        if column.outside and (column.low == column.high).all():
            return [-self.equal(variables, column.low)]
        low = np.maximum(column.low, self.lower[variables])
        high = np.minimum(column.high, self.upper[variables])
        entry, value = ranges(low, high + 1)
        literals = self.equal(variables[entry], value)
        if column.outside:
            return [Disjunctions(entry.astype(np.int32), -literals, np.arange(1, len(entry) + 1))]
        whole = (low <= self.lower[variables]) & (high >= self.upper[variables])
        literals[whole[entry]] = TRUE
        widths = np.maximum(high - low + 1, 0)
        return [Disjunctions(np.arange(len(variables), dtype=np.int32), literals, np.cumsum(widths, dtype=np.int64))]


def compile_coupled(csp: CSP) -> Formula:
    """The CNF whose models are the solutions of ``csp``, by order and direct encoding together."""
    return compiled_by(CoupledMap, csp)
