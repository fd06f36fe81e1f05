"""An integer encoding of one's own: the order encoding with its Booleans the other way round.

The order encoding has a Boolean ``[v <= a]``, this one ``[v >= a]``. The clauses are the same but for their signs, and
yet a solver that tries false first (MiniSat does) begins with the smallest values instead of the largest.

    nonosat --plugin examples/my_encoding.py solve examples/gchq.json --encoding tight+r3+mine --solver minisat22

docs/extending.md goes through it line by line.
"""

from dataclasses import dataclass

import numpy as np

from nonosat.csp.flatten import flatten
from nonosat.csp.model import CSP, Column, Comparison, ints
from nonosat.encodings.cnf import TRUE, Collector
from nonosat.encodings.expand import compiled
from nonosat.encodings.formula import DomainMap, Formula
from nonosat.encodings.parts import Integers


@dataclass(frozen=True, eq=False)
class MineMap(DomainMap):
    """``first[v] + i`` is ``[v >= lower[v] + 1 + i]``; a variable of two values is one Boolean, true at the lower."""

    kind = "mine"  # what its lines in a DIMACS file begin with

    @staticmethod
    def sizes(lower, upper):
        """How many Booleans each variable has."""
        return upper.astype(np.int64) - lower

    def axioms(self, out: Collector) -> None:
        """``[v >= a + 1]`` implies ``[v >= a]``."""
        inner = np.ones(self.booleans, dtype=bool)
        inner[(self.first + (self.upper - self.lower) - 2)[self.upper > self.lower]] = False
        here = np.flatnonzero(inner).astype(np.int32) + np.int32(1)
        out.add(here, -(here + np.int32(1)))

    def at_least(self, variables, bounds):
        """The literals ``[v >= bound]``; ``TRUE`` or ``-TRUE`` where the domain settles it."""
        low, high = self.lower[variables], self.upper[variables]
        literals = self.first[variables] + (bounds - low - 1)
        two = high - low == 1
        literals[two] = -self.first[variables][two]
        literals[bounds <= low] = TRUE
        literals[bounds > high] = -TRUE
        return literals

    def columns(self, column: Column):
        """A comparison is one literal; "outside an interval" is two, of which one must hold."""
        if isinstance(column, Comparison):
            if column.at_least:
                return [self.at_least(column.variables, column.bounds)]
            return [-self.at_least(column.variables, column.bounds + 1)]
        return [-self.at_least(column.variables, column.low), self.at_least(column.variables, column.high + 1)]

    def meanings(self):
        """For certificates: (Boolean, variable, the values that it is true of)."""
        for variable, (first, low, high) in enumerate(self.domains()):
            for value in range(low + 1, high + 1):
                yield first + value - low - 1, variable, range(low, high) if high - low == 1 else range(value, high + 1)

    def decode(self, true, variables):
        """The value is one more for each true Boolean."""
        low, high = self.lower[variables], self.upper[variables]
        count = np.concatenate(([0], np.cumsum(true[1:])))
        before = self.first[variables] - 1
        ones = count[before + (high - low)] - count[before]
        return ints(np.where(high - low == 1, high - ones, low + ones))


def compile_mine(csp: CSP) -> Formula:
    """The CNF whose models are the solutions of ``csp``."""
    flat = flatten(csp)
    return compiled(flat, MineMap.of(flat.lower, flat.upper))


PARTS = [Integers("mine", compile_mine, "order encoding by [v >= a]", "this file", map=MineMap)]
