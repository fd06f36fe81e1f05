"""Integer encodings as docs/extending.md allows them, and ours are not: lists of columns, conjunctions everywhere."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from nonosat.csp.flatten import flatten
from nonosat.csp.model import CSP, Column, Comparison, Ints, ints, ranges
from nonosat.encodings.cnf import TRUE
from nonosat.encodings.direct import DirectMap
from nonosat.encodings.expand import compiled
from nonosat.encodings.formula import Disjunctions, DomainMap, Formula
from nonosat.encodings.log import LogMap
from nonosat.encodings.order import OrderMap
from nonosat.encodings.parts import Integers


class DigitsMap(LogMap):
    """Digits, by which "outside" is two conjunctions."""

    kind = "digits"

    def columns(self, column: Column) -> list[Ints | Disjunctions]:
        if isinstance(column, Comparison):
            return super().columns(column)
        below, above = column.low - 1, column.high
        return [self._compare(column.variables, below, False), self._compare(column.variables, above, True)]


class HalvesMap(DigitsMap):
    """Each comparison is "and in the lower half" or "and in the upper half", each of which is a conjunction."""

    kind = "halves"

    def columns(self, column: Column) -> list[Ints | Disjunctions]:
        if not isinstance(column, Comparison):
            return super().columns(column)
        variables = column.variables
        middle = ints((self.lower[variables] + self.upper[variables]) // 2)
        bounds = column.bounds - 1 if column.at_least else column.bounds
        own = self._compare(variables, bounds, column.at_least)
        return [both(own, self._compare(variables, middle, more)) for more in (False, True)]


class ParityMap(HalvesMap):
    """As halves where there is an odd bound, else as digits: what is said of a variable takes names or none."""

    kind = "parity"

    def columns(self, column: Column) -> list[Ints | Disjunctions]:
        if isinstance(column, Comparison) and not (column.bounds % 2).any():
            return DigitsMap.columns(self, column)
        return super().columns(column)


class RefutedMap(DirectMap):
    """Values, by which a comparison is what it excludes: a conjunction, true where it excludes nothing."""

    kind = "refuted"

    def columns(self, column: Column) -> list[Ints | Disjunctions]:
        variables = column.variables
        low, high = self.lower[variables], self.upper[variables]
        if not isinstance(column, Comparison):
            return [self._none(variables, np.maximum(low, column.low), np.minimum(high, column.high))]
        if column.at_least:
            return [self._none(variables, low, np.minimum(high, column.bounds - 1))]
        return [self._none(variables, np.maximum(low, column.bounds + 1), high)]

    def _none(self, variables: Ints, low: Ints, high: Ints) -> Disjunctions:
        entry, value = ranges(low, high + 1)
        return Disjunctions(entry.astype(np.int32), -self.equal(variables[entry], value), np.arange(1, len(entry) + 1))


class SplitMap(OrderMap):
    """Bounds, by which everything is a list of a false column, and one that says a literal twice over."""

    kind = "split"

    def columns(self, column: Column) -> list[Ints | Disjunctions]:
        found: list[Ints | Disjunctions] = []
        for part in super().columns(column):
            assert isinstance(part, np.ndarray)
            entry = np.repeat(np.arange(len(part), dtype=np.int32), 2)
            found += [np.full_like(part, -TRUE), Disjunctions(entry, part[entry], np.arange(1, len(entry) + 1))]
        return found


def both(one: Disjunctions, two: Disjunctions) -> Disjunctions:
    """Entries that are conjunctions of those of ``one`` and of ``two``."""
    widths = np.concatenate([np.diff(parts.ends, prepend=0) for parts in (one, two)])
    entry = np.concatenate((one.entry, two.entry))
    order = np.argsort(entry, kind="stable")
    begins = np.cumsum(widths) - widths
    _, at = ranges(begins[order], (begins + widths)[order])
    return Disjunctions(entry[order], np.concatenate((one.literals, two.literals))[at], np.cumsum(widths[order]))


def compiler(kind: type[DomainMap], memberships: bool) -> Callable[[CSP], Formula]:
    def make(csp: CSP) -> Formula:
        flat = flatten(csp, memberships=memberships)
        return compiled(flat, kind.of(flat.lower, flat.upper))

    return make


ODD = {
    kind.kind: Integers(kind.kind, compiler(kind, False), "", "these tests", map=kind)
    for kind in (DigitsMap, HalvesMap, ParityMap, RefutedMap, SplitMap)
}
