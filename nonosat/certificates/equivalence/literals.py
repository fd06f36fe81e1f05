"""The statement's variables in the words of a formula: literals of a proof over its clauses, or constants.

What the encoding knows of a cell or of a run's start says it. One that the encoding has no word for has the least value
that the statement's own constraints leave it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from nonosat.certificates.equivalence.cases import Cases, Outcome, normalised
from nonosat.certificates.statement import PBConstraint, Statement
from nonosat.certificates.steps import Steps, negation
from nonosat.csp.meanings import Means
from nonosat.csp.model import at_most, numbers
from nonosat.encodings.cnf import TRUE
from nonosat.encodings.formula import Formula
from nonosat.errors import UnsupportedError

# What a formula's Booleans say of the values of its variables, as literals of a proof over the clauses.


def boolean(literal: int) -> str:
    """A literal of the formula in a proof.

    >>> boolean(7), boolean(-7)
    ('cnf7', '~cnf7')
    """
    return f"cnf{literal}" if literal > 0 else f"~cnf{-literal}"


class ValueLiterals:
    """Sets of values as literals: those that the encoding has, and others that are defined where they are needed."""

    def __init__(self, formula: Formula, steps: Steps) -> None:
        self.formula, self.steps = formula, steps
        self.lower, self.upper = formula.map.lower.tolist(), formula.map.upper.tolist()
        self._known: dict[tuple[int, frozenset[int]], str] = {}
        self._defined: dict[frozenset[str], str] = {}
        for number, variable, values in formula.boolean_meanings():
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
        clause = self.formula.map.differ(np.full(1, variable, dtype=np.int32), numbers([value]))
        return [boolean(-literal) for literal in clause]

    def at_most(self, variable: int, bound: int) -> str | bool:
        """The variable has that value at most, in the encoding's own words for a comparison."""
        some = frozenset(value for value in self.formula.map.values(variable) if value <= bound)
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
        """That it is at most ``value`` and not at most ``value - 1``; what its domain fixes is left out."""
        least, below = self.at_most(variable, value), self.at_most(variable, value - 1)
        found = [] if isinstance(least, bool) else [least]
        return found if isinstance(below, bool) else [*found, negation(below)]

    def _domain(self, variable: int) -> frozenset[int]:
        return frozenset(self.formula.map.values(variable))

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


class StatementLiterals:
    """What each name of the ``statement`` is (``literals``). UnsupportedError: the encoding does not define some.

    ``bounds``: of a name that says that a variable of the CSP is a value at most, these two.
    """

    def __init__(self, formula: Formula, statement: Statement, encoding: str, cases: Cases) -> None:
        self.cases, self.values = cases, ValueLiterals(formula, cases.steps)
        self.literals: dict[str, str | bool] = {}
        self.bounds: dict[str, tuple[int, int]] = {}
        self._cells(formula, statement)
        self._others(formula, statement)
        self._rest(statement)
        if unknown := next((name for name in _names(statement) if name not in self.literals), None):
            raise UnsupportedError(f"encoding {encoding} does not tell the statement's variable {unknown}")

    def written(self, constraint: PBConstraint, more: bool = False) -> tuple[list[tuple[int, int]], int, list[int]]:
        """(Terms, degree, literals to split by) of the constraint; ``more``: that its sum is no more than that.

        To split by: of a variable of which the terms say two bounds, those between; then all.
        """
        terms: list[tuple[int, int]] = []
        bounds: dict[int, list[int]] = {}
        sign = -1 if more else 1
        degree = sign * constraint.degree
        for coefficient, literal in constraint.terms:
            signed, name = sign * coefficient, literal.removeprefix("~")
            if name != literal:  # c ~x = c - c x
                signed, degree = -signed, degree - signed
            found = self.literals[name]
            if isinstance(found, bool):
                degree -= signed * found
            else:
                terms.append((signed, self.cases.literals([found])[0]))
            if name in self.bounds:
                variable, bound = self.bounds[name]
                bounds.setdefault(variable, []).append(bound)
        between = [(v, bound) for v, both in bounds.items() for bound in range(min(both) + 1, max(both))]
        between += [(v, bound) for v in bounds for bound in self.values.formula.map.values(v)]
        split = [literal for variable, bound in between for literal in self.values.bounds(variable, bound)]
        return terms, degree, self.cases.literals(dict.fromkeys(split))

    def _cells(self, formula: Formula, statement: Statement) -> None:
        board = formula.board.tolist()
        for name, (row, column, value) in statement.board.items():
            self.literals[name] = self.values.among(board[row][column], [value])

    def _others(self, formula: Formula, statement: Statement) -> None:
        """What else the statement defines, such as starts: variables of the CSP, or what auxiliaries together mean."""
        for variable, name in enumerate(formula.names()):
            if statement.at_most(name, self.values.lower[variable]) is None:
                continue
            for literal, bound in self._bounds(statement, name, self.values.lower[variable]):
                self.literals[literal] = self.values.at_most(variable, bound)
                self.bounds[literal] = variable, bound
            self._couple(variable)
        for name, by_value in _valued(formula).items():
            if statement.at_most(name, 0) == [negation(name)]:  # it is a 0/1 variable itself
                self.literals[name] = self.values.any_of(
                    one for value, ones in by_value.items() if value for one in ones
                )
                continue
            some = self.values.any_of(one for ones in by_value.values() for one in ones)
            if isinstance(some, str) and self.cases.clause(self.cases.literals([some])) is not Outcome.PROVED:
                continue  # the clauses leave it open which value it has; what it is without these follows below
            for literal, bound in self._bounds(statement, name, min(by_value)):
                own = [one for value, some in by_value.items() if value <= bound for one in some]
                self.literals[literal] = self.values.any_of(own)

    def _bounds(self, statement: Statement, name: str, low: int) -> Iterator[tuple[str, int]]:
        """(A new name, a) for each a for which it means that the quantity is at most a."""
        for bound, step in ((low, 1), (low - 1, -1)):
            while (here := statement.at_most(name, bound)) and len(here) == 1 and isinstance(here[0], str):
                if here[0] in self.literals or here[0][0] == "~":
                    break
                yield here[0], bound
                bound += step

    def _couple(self, variable: int) -> None:
        """It is a iff it is at most a and not at most a - 1: propagation does not see that in digits, or in values."""
        lemmas = []
        domain = self.values.formula.map.values(variable)
        for value in domain:
            bounds, equal = self.values.bounds(variable, value), self.values.equal(variable, value)
            lemmas += [([*map(negation, bounds), literal], equal) for literal in equal if literal not in bounds]
            lemmas += [([*map(negation, equal), literal], equal) for literal in bounds if literal not in equal]
        for lemma, equal in lemmas:
            self.cases.clause(self.cases.literals(lemma), self.cases.literals(equal), most=len(domain) - 1)

    def _rest(self, statement: Statement) -> None:
        """A variable that one constraint bounds from below is true iff the rest of that constraint asks for it."""
        news = any(name not in self.literals for name in _names(statement))
        while news:
            news = False
            for constraint in statement.constraints():
                unknown = [term for term in constraint.terms if term[1].removeprefix("~") not in self.literals]
                if len(unknown) != 1 or constraint.equal:
                    continue
                [(coefficient, literal)] = unknown
                name = literal.removeprefix("~")
                if (coefficient > 0) == (literal == name):
                    self.literals[name] = False
                    coefficients, degree = normalised(*self.written(constraint)[:2])
                    self.literals[name] = (
                        negation(self.cases.reached(coefficients.items(), degree)) if degree else False
                    )
                    news = True


def _valued(formula: Formula) -> dict[str, dict[int, list[int]]]:
    """By the name of a quantity that is no variable of the CSP, by value: 0/1 variables that are 1 only if it has that.

    The arcs of an automaton that put a run at a place, say.
    """
    found: dict[str, dict[int, list[int]]] = {}
    for family in formula.meanings:
        for entry in family.entries():
            if isinstance(entry, Means) and isinstance(entry.variable, int):
                for name, low, high in entry.conditions:
                    if isinstance(name, str) and low is not None and low == high:
                        found.setdefault(name, {}).setdefault(low, []).append(entry.variable)
    return found


def _names(statement: Statement) -> Iterator[str]:
    """The names of the statement's variables, some more than once."""
    yield from statement.board
    for constraint in statement.constraints():
        for _, literal in constraint.terms:
            yield literal.removeprefix("~")
