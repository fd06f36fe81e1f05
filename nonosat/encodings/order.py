"""The order encoding: a Boolean ``[v <= a]`` for every value a of a variable but its last.

Source: Tamura, Taga, Kitagawa & Banbara, *Compiling finite linear CSP into SAT*, Constraints 14 (2009). Numbering is
by meaning: variable by variable, value by value, auxiliaries last; ``[v <= lower + i]`` is ``first[v] + i``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from nonosat.csp.model import CSP, AnyInts, Column, Comparison, Ints, ints, numbers, ranges
from nonosat.encodings.cnf import TRUE, Collector
from nonosat.encodings.expand import compiled_by
from nonosat.encodings.formula import BooleanMeaning, Disjunctions, DomainMap, Formula


@dataclass(frozen=True, eq=False)
class OrderMap(DomainMap):
    """Order-encoded domains: ``first[v] + i`` is ``[v <= lower[v] + i]``."""

    kind = "order"

    @staticmethod
    def sizes(lower: AnyInts, upper: AnyInts) -> npt.NDArray[np.int64]:
        """Booleans a variable."""
        return upper.astype(np.int64) - lower

    def axioms(self, out: Collector) -> None:
        """``[v <= a]`` implies ``[v <= a + 1]``."""
        out.expect(2 * self.booleans)
        _, here = ranges(self.first, self.first + (self.upper - self.lower) - 1)
        out.add(-here, here + np.int32(1))

    def at_most(self, variables: Ints, bounds: AnyInts) -> Ints:
        """The literals ``[v <= bound]``, ``TRUE`` or ``-TRUE`` where the bound lies outside the domain."""
        literals = (self.first - self.lower)[variables] + bounds
        literals[bounds >= self.upper[variables]] = TRUE
        literals[bounds < self.lower[variables]] = -TRUE
        return ints(literals)

    def columns(self, column: Column) -> list[Ints | Disjunctions]:
        """One literal a comparison, two a membership's negation."""
        if isinstance(column, Comparison):
            if column.at_least:
                return [-self.at_most(column.variables, column.bounds - 1)]
            return [self.at_most(column.variables, column.bounds)]
        assert column.outside  # flattening leaves no other
        return [self.at_most(column.variables, column.low - 1), -self.at_most(column.variables, column.high)]

    def meanings(self) -> Iterator[BooleanMeaning]:
        """See ``DomainMap.meanings``."""
        for variable, (first, low, high) in enumerate(self.domains()):
            for value in range(low, high):
                yield first + value - low, variable, range(low, value + 1)

    def weighted(self, variable: int) -> list[tuple[int, int]]:
        """See ``DomainMap.weighted``: one more for every false ``[v <= a]``."""
        first = int(self.first[variable])
        return [(1, -(first + at)) for at in range(int(self.upper[variable]) - int(self.lower[variable]))]

    def decode(self, true: npt.NDArray[np.bool_], variables: Ints) -> AnyInts:
        """See ``DomainMap.decode``; a value is one less for every true ``[v <= a]``."""
        below = np.concatenate((np.zeros(1, dtype=np.int32), np.cumsum(true[1:], dtype=np.int32)))
        first, size = self.first[variables] - 1, self.upper[variables] - self.lower[variables]
        return numbers(self.upper[variables] - (below[first + size] - below[first]))


def compile_order(csp: CSP) -> Formula:
    """The CNF whose models are the solutions of ``csp``, by the order encoding."""
    return compiled_by(OrderMap, csp)
