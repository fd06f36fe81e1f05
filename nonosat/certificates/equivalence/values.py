"""What a formula's Booleans say of the values of its variables, as literals of a proof over the clauses."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from nonosat.certificates.steps import Steps, negation
from nonosat.csp.model import at_most
from nonosat.encodings.cnf import TRUE
from nonosat.encodings.formula import Formula


def boolean(literal: int) -> str:
    """A literal of the formula in a proof.

    >>> boolean(7), boolean(-7)
    ('cnf7', '~cnf7')
    """
    return f"cnf{literal}" if literal > 0 else f"~cnf{-literal}"


class Values:
    """Sets of values as literals: those that the encoding has, and others that are defined where they are asked for."""

    def __init__(self, formula: Formula, steps: Steps) -> None:
        self.formula, self.steps = formula, steps
        self.lower, self.upper = formula.map.lower.tolist(), formula.map.upper.tolist()
        self._known: dict[tuple[int, frozenset[int]], str] = {}
        self._defined: dict[frozenset[str], str] = {}
        for number, variable, values in formula.told():
            true = frozenset(values)
            self._known[variable, true] = boolean(number)
            self._known[variable, self._domain(variable) - true] = boolean(-number)

    def among(self, variable: int, values: Iterable[int]) -> str | bool:
        """The variable has one of ``values``."""
        domain = self._domain(variable)
        some = domain.intersection(values)
        if not some or some == domain:
            return bool(some)
        if literal := self._known.get((variable, some)):
            return literal
        if len(some) == 1:
            found = self._all(self.equal(variable, *some))
        else:
            found = self._any(str(self.among(variable, [value])) for value in some)
        self._known[variable, some] = found
        return found

    def equal(self, variable: int, value: int) -> list[str]:
        """What together says that the variable has a value of its domain."""
        clause = self.formula.map.differ(np.full(1, variable, dtype=np.int32), np.full(1, value, dtype=np.int32))
        return [boolean(-literal) for literal in clause]

    def at_most(self, variable: int, bound: int) -> str | bool:
        """The variable has that value at most, in the encoding's own words for a comparison."""
        some = frozenset(range(self.lower[variable], min(bound, self.upper[variable]) + 1))
        if not some or bound >= self.upper[variable]:
            return bool(some)
        if literal := self._known.get((variable, some)):
            return literal
        ways = []
        for column in self.formula.map.columns(at_most([variable], [bound])):
            every = [column] if isinstance(column, np.ndarray) else np.split(column.literals, column.ends[:-1])
            parts = [[int(literal) for literal in part if literal != -TRUE] for part in every if TRUE not in part]
            if all(parts):  # else one is false, and so are all together
                ways.append(self._all(self._any(map(boolean, part)) for part in parts))
        self._known[variable, some] = found = self._any(ways)
        return found

    def any_of(self, variables: Iterable[int]) -> str | bool:
        """One of these 0/1 variables is 1."""
        found = [self.among(variable, [1]) for variable in variables]
        return (
            True if True in found else self._any(one for one in found if isinstance(one, str)) if any(found) else False
        )

    def bounds(self, variable: int, value: int) -> list[str]:
        """That it is at most ``value`` and not at most ``value - 1``; what its domain settles is left out."""
        least, below = self.at_most(variable, value), self.at_most(variable, value - 1)
        found = [] if isinstance(least, bool) else [least]
        return found if isinstance(below, bool) else [*found, negation(below)]

    def _domain(self, variable: int) -> frozenset[int]:
        return frozenset(range(self.lower[variable], self.upper[variable] + 1))

    def _any(self, literals: Iterable[str]) -> str:
        return negation(self._all(map(negation, literals)))

    def _all(self, literals: Iterable[str]) -> str:
        """A literal that is true iff all of these are."""
        parts = list(literals)
        if len(parts) == 1:
            return parts[0]
        key = frozenset(parts)
        if key not in self._defined:
            name = self._defined[key] = f"def{len(self._defined)}"
            self.steps.define(name, parts)
        return self._defined[key]
