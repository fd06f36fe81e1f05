"""A CSP as pseudo-Boolean constraints: a name a bound of each variable, and each family by what it means.

``x3_2`` is true iff variable 3 is at most its least value and 2. A comparison is a literal; a linear constraint is one
line over these names, since a variable is its greatest value less the number of its names that are true. Where a clause
has a membership, or a table a row, there is a name for that, which the statement defines.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import Any

import numpy as np

from nonosat.certificates.statement.model import Literal, PBConstraint, Statement, constraint
from nonosat.certificates.steps import negation
from nonosat.csp.meanings import Entry, Means, Within
from nonosat.csp.model import (
    CSP,
    AllDifferent,
    Clauses,
    Constraint,
    Differ,
    Interval,
    Ints,
    Linear,
    Paths,
    Precedes,
    Product,
)
from nonosat.errors import UnsupportedError

MOST_LINES = 5_000_000
"""More constraints than that are no statement that anybody checks."""


@dataclass
class StatedCSP:
    """The constraints of ``csp`` and, for proofs, the CSP with ``meanings`` for what the statement has names for."""

    csp: CSP
    constraints: list[PBConstraint] = field(default_factory=list)
    _defined: dict[tuple[int, int, int], str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.lower, self.upper = self.csp.lower.tolist(), self.csp.upper.tolist()
        self._numbers = {name: number for number, name in enumerate(self.csp.names())}
        self._rows = 0
        for v, (low, high) in enumerate(zip(self.lower, self.upper, strict=True)):
            for bound in range(low, high - 1):
                self.clause([negation(self.at_most(v, bound)), self.at_most(v, bound + 1)])
        self.csp = replace(self.csp, constraints=tuple(self._stated(family) for family in self.csp.constraints))

    def statement(self) -> Statement:
        """As writers of proofs take it. Its solutions are not told by a board."""
        return Statement({}, lambda: self.constraints, self._at_most)

    def at_most(self, variable: int, bound: int) -> Literal:
        """``variable <= bound``."""
        if self.lower[variable] <= bound < self.upper[variable]:
            return f"x{variable}_{bound - self.lower[variable]}"
        return bool(bound >= self.upper[variable])

    def clause(self, literals: Iterable[Literal]) -> None:
        """One of these holds."""
        self.add((((1, literal) for literal in dict.fromkeys(literals))), 1)

    def add(self, terms: Iterable[tuple[int, Literal]], degree: int) -> None:
        """``sum(coefficient * literal) >= degree``; each variable is written once."""
        terms = list(terms)
        names = [literal.removeprefix("~") for _, literal in terms if isinstance(literal, str)]
        if len(set(names)) < len(names):
            net: dict[str, int] = {}
            for coefficient, literal in terms:
                if isinstance(literal, bool) or literal[0] == "~":  # c ~x = c - c x
                    degree -= coefficient * bool(literal)
                if isinstance(literal, str):
                    name = literal.removeprefix("~")
                    net[name] = net.get(name, 0) + (coefficient if name == literal else -coefficient)
            terms = [(coefficient, name) for name, coefficient in net.items() if coefficient]
        self.constraints += constraint(terms, degree)
        if len(self.constraints) > MOST_LINES:
            raise UnsupportedError(f"the statement has over {MOST_LINES:,} lines: there are no certificates")

    def excluded(self, values: Sequence[int]) -> None:
        """The first variables have not all of these values."""
        self.clause(
            literal
            for v, value in enumerate(values)
            for literal in (self.at_most(v, value - 1), negation(self.at_most(v, value)))
        )

    def _at_most(self, name: str, bound: int) -> list[Literal] | None:
        if name in self._numbers:
            return [self.at_most(self._numbers[name], bound)]
        if name[0] == "r" and name[1:].isdecimal():  # a row
            return [bound > 0 if bound else negation(name)]
        return None

    # Families.

    def _stated(self, family: Constraint) -> Constraint:
        """State a family; what proofs are told of it stands in the family that is given back."""
        match family:
            case Clauses():
                self._clauses(family)
            case Linear():
                for a, v, bound in family.each():
                    self._linear(a.tolist(), v.tolist(), bound)
            case Precedes():
                for before, distance, after in _columns(family.before, family.distance, family.after):
                    self._linear([1, -1], [before, after], -distance)
            case Differ():
                for left, distance, right in _columns(family.left, family.distance, family.right):
                    for value in range(self.lower[left], self.upper[left] + 1):
                        self.clause([*self._not(left, value), *self._not(right, value + distance)])
            case Product():
                for left, right, result in _columns(family.left, family.right, family.result):
                    for one in range(self.lower[left], self.upper[left] + 1):
                        for other in range(self.lower[right], self.upper[right] + 1):
                            unless = [*self._not(left, one), *self._not(right, other)]
                            self.clause([*unless, self.at_most(result, one * other)])
                            self.clause([*unless, negation(self.at_most(result, one * other - 1))])
            case AllDifferent():
                for group in family.each():
                    self._different(group.tolist())
            case Paths() if family.nodes == 2 * len(family.sources) == 2:
                return self._table(family)
            case Paths():
                raise UnsupportedError("regular: a model with an automaton has no certificates")
            case _:
                raise UnsupportedError(f"{type(family).__name__}: such constraints have no certificates")
        return family

    def _not(self, variable: int, value: int) -> list[Literal]:
        """``variable != value``, as a disjunction."""
        return [self.at_most(variable, value - 1), negation(self.at_most(variable, value))]

    def _linear(self, coefficients: list[int], variables: list[int], bound: int) -> None:
        terms: list[tuple[int, Literal]] = []
        for a, v in zip(coefficients, variables, strict=True):
            terms += [(a, self.at_most(v, value)) for value in range(self.lower[v], self.upper[v])]
            bound -= a * self.upper[v]
        self.add(terms, -bound)

    def _different(self, group: list[int]) -> None:
        for one, other in combinations(group, 2):
            low, high = max(self.lower[one], self.lower[other]), min(self.upper[one], self.upper[other])
            for value in range(low, high + 1):
                terms = [
                    (sign, self.at_most(v, value - less)) for v in (one, other) for sign, less in ((-1, 0), (1, 1))
                ]
                self.add(terms, -1)

    def _clauses(self, family: Clauses) -> None:
        clauses: list[list[Literal]] = [[] for _ in range(len(family))]
        for column in family.columns:
            rows = range(len(family)) if column.rows is None else column.rows.tolist()
            if isinstance(column, Interval):
                for row, v, low, high in zip(rows, *_lists(column.variables, column.low, column.high), strict=True):
                    if column.outside:
                        clauses[row] += [self.at_most(v, low - 1), negation(self.at_most(v, high))]
                    else:
                        clauses[row].append(self._within(v, low, high))
            else:
                for row, v, bound in zip(rows, *_lists(column.variables, column.bounds), strict=True):
                    clauses[row].append(
                        negation(self.at_most(v, bound - 1)) if column.at_least else self.at_most(v, bound)
                    )
        for clause in clauses:
            if True not in clause:
                self.clause(clause)

    def _within(self, variable: int, low: int, high: int) -> Literal:
        """``low <= variable <= high``: a literal, with a name of its own where it needs one."""
        least, most = negation(self.at_most(variable, low - 1)), self.at_most(variable, high)
        if least is False or most is False or low > high:
            return False
        if not (isinstance(least, str) and isinstance(most, str)):
            return most if least is True else least
        key = variable, low, high
        if key not in self._defined:
            name = self._defined[key] = f"w{len(self._defined)}"
            self._all_of(name, [least, most])
        return self._defined[key]

    def _all_of(self, name: str, parts: Sequence[Literal]) -> None:
        """``name`` is true iff all of ``parts`` are."""
        for part in parts:
            self.clause([negation(name), part])
        self.clause([name, *map(negation, parts)])

    def _table(self, family: Paths) -> Paths:
        begin, names = 0, []
        for end in family.ends.tolist():
            names.append(f"r{self._rows}")
            self._rows += 1
            pairs = zip(family.variables[begin:end].tolist(), family.values[begin:end].tolist(), strict=True)
            self._all_of(names[-1], [part for v, value in pairs for part in map(negation, self._not(v, value))])
            begin = end
        self.clause(names)

        def meanings(node: Ints, arc: Ints) -> Iterator[Entry]:
            yield from (Means(one, ()) for one in node.tolist())
            yield from (Means(one, (Within(name, 1, 1),)) for one, name in zip(arc.tolist(), names, strict=True))

        return replace(family, meanings=meanings)


def _lists(*columns: Any) -> list[list[int]]:
    return [np.asarray(column).tolist() for column in columns]


def _columns(*columns: Any) -> Iterator[tuple[int, ...]]:
    return zip(*_lists(*columns), strict=True)
