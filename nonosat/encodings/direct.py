"""The direct encoding: a Boolean ``[v = a]`` a value, with support clauses for precedences.

Sources: de Kleer 1989 and Walsh, *SAT v CSP* (CP 2000), for the encoding; Gent, *Arc consistency in SAT* (ECAI 2002),
for support clauses. A variable of two values is one Boolean, true at the lower one. Values exclude each other pairwise.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from nonosat.csp.flatten import flatten
from nonosat.csp.model import CSP, Column, Comparison, Ints, ints, ranges
from nonosat.encodings.cnf import TRUE, Collector
from nonosat.encodings.expand import compiled
from nonosat.encodings.formula import Disjunctions, DomainMap, Formula, Told


@dataclass(frozen=True, eq=False)
class DirectMap(DomainMap):
    """Direct-encoded domains: ``first[v] + i`` is ``[v = lower[v] + i]``."""

    kind = "direct"

    @staticmethod
    def sizes(lower: Ints, upper: Ints) -> npt.NDArray[np.int64]:
        """Booleans a variable: none, one, or one a value."""
        values = upper.astype(np.int64) - lower + 1
        return np.where(values > 2, values, values - 1)

    def axioms(self, out: Collector) -> None:
        """Some value, and no two."""
        large = np.flatnonzero(self.upper - self.lower > 1)
        first, values = self.first[large], (self.upper - self.lower)[large] + 1
        out.add_ragged(ranges(first, first + values)[1], np.cumsum(values, dtype=np.int64))
        variable, low = ranges(first, first + values - 1)
        pair, high = ranges(low + 1, (first + values)[variable])
        out.add(-low[pair], -high)

    def equal(self, variables: Ints, values: Ints) -> Ints:
        """The literals ``[v = value]``; ``TRUE`` or ``-TRUE`` where the domain settles it."""
        low, high = self.lower[variables], self.upper[variables]
        offset = values - low
        literals = self.first[variables] + offset
        two = high - low == 1
        literals[two] = np.where(offset[two] == 0, 1, -1) * self.first[variables][two]
        literals[high == low] = TRUE
        literals[(values < low) | (values > high)] = -TRUE
        return literals

    def columns(self, column: Column) -> list[Ints | Disjunctions]:
        """A comparison or membership is the disjunction of its values, its negation the conjunction of theirs."""
        variables = column.variables
        low, high = self.lower[variables], self.upper[variables]
        if isinstance(column, Comparison):
            if (high - low <= 1).all():
                return [self._two(column)]
            if column.at_least:
                low = np.maximum(low, column.bounds)
            else:
                high = np.minimum(high, column.bounds)
            return [self._any(variables, low, high)]
        low, high = np.maximum(low, column.low), np.minimum(high, column.high)
        if not column.outside:
            return [self._any(variables, low, high)]
        if (column.low == column.high).all():
            return [-self.equal(variables, column.low)]
        entry, value = ranges(low, high + 1)
        literals = -self.equal(variables[entry], value)
        return [Disjunctions(entry.astype(np.int32), literals, np.arange(1, len(entry) + 1))]

    def _two(self, column: Comparison) -> Ints:
        """Comparisons of variables that have two values at most: one literal each."""
        bounds = column.bounds - 1 if column.at_least else column.bounds
        literals = self.first[column.variables].copy()
        literals[bounds >= self.upper[column.variables]] = TRUE
        literals[bounds < self.lower[column.variables]] = -TRUE
        return -literals if column.at_least else literals

    def _any(self, variables: Ints, low: Ints, high: Ints) -> Disjunctions:
        """The disjunction of the values ``low..high``, which lie in the domain; of all of them: true."""
        whole = (low <= self.lower[variables]) & (high >= self.upper[variables])
        high = np.where(whole, low, high)  # one literal will do, and it is TRUE
        entry, value = ranges(low, high + 1)
        literals = self.equal(variables[entry], value)
        literals[whole[entry]] = TRUE
        return Disjunctions(
            np.arange(len(variables), dtype=np.int32),
            literals,
            np.cumsum(np.maximum(high - low + 1, 0), dtype=np.int64),
        )

    def meanings(self) -> Iterator[Told]:
        """See ``DomainMap.meanings``."""
        for variable, (first, low, high) in enumerate(self.domains()):
            for value in range(low, high + 1 if high - low > 1 else high):
                yield first + value - low, variable, range(value, value + 1)

    def decode(self, true: npt.NDArray[np.bool_], variables: Ints) -> Ints:
        """See ``DomainMap.decode``."""
        low, high, first = self.lower[variables], self.upper[variables], self.first[variables]
        size = np.where(high - low > 1, high - low + 1, high - low)
        position = np.arange(len(true), dtype=np.int64)
        count = np.cumsum(true[1:], dtype=np.int64)
        weight = np.cumsum(np.where(true, position, 0)[1:], dtype=np.int64)
        count, weight = (np.concatenate((np.zeros(1, dtype=np.int64), sums)) for sums in (count, weight))
        ones = count[first - 1 + size] - count[first - 1]
        index = weight[first - 1 + size] - weight[first - 1] - ones * first
        return ints(np.where(high - low > 1, low + index, high - ones))


def compile_direct(csp: CSP) -> Formula:
    """The CNF whose models are the solutions of ``csp``, by the direct encoding with support clauses."""
    flat = flatten(csp, supports=True, memberships=True)
    return compiled(flat, DirectMap.of(flat.lower, flat.upper))
