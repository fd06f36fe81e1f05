"""A Boolean ``[v = a]`` a value: the direct encoding (what is forbidden) and the support encoding (what is allowed).

They have the same Booleans, so that either decodes the other's models, and differ in what a comparison is in literals.
``direct``: the negations of the values that it excludes, so that a constraint of two variables is the pairs of values
that conflict (de Kleer 1989; Walsh, *SAT v CSP*, CP 2000). ``support``: the disjunction of the values that it allows,
so that a clause lists the supports of a value (Kasif 1990; Gent, *Arc consistency in SAT*, ECAI 2002). A variable of
two values is one Boolean, true at the lower one. Values exclude each other pairwise, or as ``at_most_one.py`` has it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from nonosat.csp.model import CSP, AnyInts, Column, Comparison, Ints, ints, numbers, ranges
from nonosat.encodings.at_most_one import Auxiliaries, at_most_one
from nonosat.encodings.cnf import TRUE, Collector
from nonosat.encodings.expand import compiled_by
from nonosat.encodings.formula import BooleanMeaning, Disjunctions, DomainMap, Formula, Precedences


@dataclass(frozen=True, eq=False)
class DirectMap(DomainMap):
    """Direct-encoded domains: ``first[v] + i`` is ``[v = lower[v] + i]``."""

    kind = "direct"
    by_value = True
    precedences: ClassVar[Precedences] = "conflicts"
    at_most_one: ClassVar[str] = "pairwise"
    """How values exclude each other; see ``at_most_one.py``."""

    behind: int = -1
    """The last Boolean before those of ``at_most_one``; -1: the last of the values' Booleans."""

    @classmethod
    def placed(cls, first: Ints, lower: AnyInts, upper: AnyInts, behind: int) -> DirectMap:
        """See ``DomainMap.placed``."""
        return cls(first, lower, upper, behind)

    @cached_property
    def _auxiliaries(self) -> Auxiliaries:
        return Auxiliaries(self.at_most_one, self.upper.astype(np.int64) - self.lower + 1)

    @property
    def _behind(self) -> int:
        return super().booleans if self.behind < 0 else self.behind

    @property
    def booleans(self) -> int:
        """Those of values, and the auxiliaries of "at most one"."""
        return super().booleans + int(self._auxiliaries.counts().sum())

    @staticmethod
    def sizes(lower: AnyInts, upper: AnyInts) -> npt.NDArray[np.int64]:
        """Booleans a variable: none, one, or one a value."""
        values = upper.astype(np.int64) - lower + 1
        return np.where(values > 2, values, values - 1)

    def axioms(self, out: Collector) -> None:
        """Some value, and no two."""
        large = np.flatnonzero(self.upper - self.lower > 1)
        first, values = self.first[large], (self.upper - self.lower)[large] + 1
        out.add_ragged(ranges(first, first + values)[1], np.cumsum(values, dtype=np.int64))
        if self.at_most_one != "pairwise":
            self._auxiliaries.state(self.first, self._behind, out)
            return
        out.expect(int((values.astype(np.int64) * (values - 1)).sum()))
        variable, low = ranges(first, first + values - 1)
        pair, high = ranges(low + 1, (first + values)[variable])
        out.add(-low[pair], -high)

    def equal(self, variables: Ints, values: AnyInts) -> Ints:
        """The literals ``[v = value]``; ``TRUE`` or ``-TRUE`` where the domain decides it."""
        low, high = self.lower[variables], self.upper[variables]
        offset = values - low
        literals = self.first[variables] + offset
        two = high - low == 1
        literals[two] = np.where(offset[two] == 0, 1, -1) * self.first[variables][two]
        literals[high == low] = TRUE
        literals[(values < low) | (values > high)] = -TRUE
        return ints(literals)

    def columns(self, column: Column) -> list[Ints | Disjunctions]:
        """A comparison is the values that it excludes, all negated; but one that allows one value is that value's.

        A membership is the disjunction of its values: clauses that have several would be multiplied out.
        """
        variables = column.variables
        low, high = self.lower[variables], self.upper[variables]
        if isinstance(column, Comparison):
            first = np.maximum(low, column.bounds) if column.at_least else low
            last = high if column.at_least else np.minimum(high, column.bounds)
            return [self._all_but(variables, first, last)]
        low, high = np.maximum(low, column.low), np.minimum(high, column.high)
        if not column.outside:
            return [self._any(variables, low, high)]
        if (column.low == column.high).all():
            return [-self.equal(variables, column.low)]
        entry, value = ranges(low, high + 1)
        literals = -self.equal(variables[entry], value)
        return [Disjunctions(entry.astype(np.int32), literals, np.arange(1, len(entry) + 1))]

    def _all_but(self, variables: Ints, first: AnyInts, last: AnyInts) -> Ints | Disjunctions:
        """A value from ``first`` to ``last``, which lie in the domain: none of the others, or that one if it is one."""
        low, high = self.lower[variables], self.upper[variables]
        whole = (first <= low) & (last >= high)
        single = (first >= last) & ~whole  # one value, or none: the literal is false
        literals = self.equal(variables, np.where(first == last, first, low - 1))
        if (single | whole).all():
            literals[whole] = TRUE
            return literals
        below, under = ranges(low, np.where(single, low, first))
        above, over = ranges(np.where(single, high, last) + 1, high + 1)
        excluded, value = np.concatenate((below, above)), np.concatenate((under, over))
        entry = np.concatenate((np.flatnonzero(single), excluded))
        literals = np.concatenate((literals[single], -self.equal(variables[excluded], value)))
        order = np.argsort(entry, kind="stable")
        return Disjunctions(entry[order].astype(np.int32), literals[order], np.arange(1, len(entry) + 1))

    def _any(self, variables: Ints, low: AnyInts, high: AnyInts) -> Disjunctions:
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

    def meanings(self) -> Iterator[BooleanMeaning]:
        """See ``DomainMap.meanings``."""
        for variable, (first, low, high) in enumerate(self.domains()):
            for value in range(low, high + 1 if high - low > 1 else high):
                yield first + value - low, variable, range(value, value + 1)
        boolean, counts = self._behind + 1, self._auxiliaries.counts()
        for variable in np.flatnonzero(counts).tolist():
            low, high = int(self.lower[variable]), int(self.upper[variable])
            for true in at_most_one(self.at_most_one, high - low + 1).sets():
                yield boolean, variable, [low + value for value in true]
                boolean += 1

    def weighted(self, variable: int) -> list[tuple[int, int]]:
        """See ``DomainMap.weighted``: each value by its distance from the lowest."""
        first, span = int(self.first[variable]), int(self.upper[variable]) - int(self.lower[variable])
        return [(1, -first)] if span == 1 else [(at, first + at) for at in range(1, span + 1)]

    def decode(self, true: npt.NDArray[np.bool_], variables: Ints) -> AnyInts:
        """See ``DomainMap.decode``."""
        low, high, first = self.lower[variables], self.upper[variables], self.first[variables]
        size = np.where(high - low > 1, high - low + 1, high - low)
        position = np.arange(len(true), dtype=np.int64)
        count = np.cumsum(true[1:], dtype=np.int64)
        weight = np.cumsum(np.where(true, position, 0)[1:], dtype=np.int64)
        count, weight = (np.concatenate((np.zeros(1, dtype=np.int64), sums)) for sums in (count, weight))
        ones = count[first - 1 + size] - count[first - 1]
        index = weight[first - 1 + size] - weight[first - 1] - ones * first
        return numbers(np.where(high - low > 1, low + index, high - ones))


@dataclass(frozen=True, eq=False)
class SupportMap(DirectMap):
    """The Booleans of ``DirectMap``; what is said of a variable is a disjunction of the values that are left."""

    precedences: ClassVar[Precedences] = "supports"

    def columns(self, column: Column) -> list[Ints | Disjunctions]:
        """A comparison is the disjunction of its values, as a membership is."""
        if not isinstance(column, Comparison):
            return super().columns(column)
        variables = column.variables
        low, high = self.lower[variables], self.upper[variables]
        if (high - low <= 1).all():
            return [self._two(column)]
        if column.at_least:
            low = np.maximum(low, column.bounds)
        else:
            high = np.minimum(high, column.bounds)
        return [self._any(variables, low, high)]

    def _two(self, column: Comparison) -> Ints:
        """Comparisons of variables that have two values at most: one literal each."""
        bounds = column.bounds - 1 if column.at_least else column.bounds
        literals = self.first[column.variables].copy()
        literals[bounds >= self.upper[column.variables]] = TRUE
        literals[bounds < self.lower[column.variables]] = -TRUE
        return -literals if column.at_least else literals


def compile_direct(csp: CSP) -> Formula:
    """The CNF whose models are the solutions of ``csp``, by the direct encoding: conflict clauses."""
    return compiled_by(DirectMap, csp)


def compile_support(csp: CSP) -> Formula:
    """The CNF whose models are the solutions of ``csp``, by a Boolean a value with support clauses."""
    return compiled_by(SupportMap, csp)
