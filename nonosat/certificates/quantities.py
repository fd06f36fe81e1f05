"""Quantities in literals: a cell, what the statement tells of, and auxiliaries by what they are said to mean."""

from __future__ import annotations

from collections.abc import Sequence

from nonosat.certificates.facts import Facts, added
from nonosat.certificates.statement import Statement
from nonosat.certificates.statement.model import Literal
from nonosat.certificates.steps import Steps, negation
from nonosat.certificates.sums import Parts, Unary, add_flag, bounded, total
from nonosat.csp.meanings import Quantity, Term, Within
from nonosat.encodings.formula import Formula
from nonosat.errors import UnsupportedError


class UntoldError(UnsupportedError):
    """An encoding does not say what something means."""


class Quantities:
    """The literals that stand for what is said of quantities, each defined once; True and False where it is settled.

    ``names``: of the CSP's variables, by number.
    """

    def __init__(self, formula: Formula, statement: Statement, steps: Steps) -> None:
        self.names, self.statement, self.steps = formula.names(), statement, steps
        self.lower, self.upper = formula.map.lower.tolist(), formula.map.upper.tolist()
        self.cells: dict[str, dict[int, str]] = {}
        for literal, (row, column, value) in statement.board.items():
            self.cells.setdefault(self.names[int(formula.board[row, column])], {})[value] = literal
        self.meant: dict[str, Sequence[Within]] = {}
        self.sums: dict[str, Unary] = {}
        self.defined: dict[tuple[Literal, ...], tuple[str, int]] = {}  # the number of the last of its constraints
        self.facts = Facts(statement, steps)
        self.count = 0

    def name(self, quantity: Quantity) -> str:
        """What a quantity is called."""
        return quantity if isinstance(quantity, str) else self.names[quantity]

    def means(self, variable: Quantity, conditions: Sequence[Within]) -> None:
        """The 0/1 variable is 1 iff all of these hold."""
        self.meant[self.name(variable)] = conditions

    def adds(self, quantity: Quantity, terms: Sequence[Term]) -> None:
        """The quantity is the sum of these."""
        parts = self._parts(terms)
        span = sum(abs(coefficient) * len(part.literals) for coefficient, part in parts)
        self.sums[self.name(quantity)] = total(parts, [self._new() for _ in range(span)], self.steps)

    def bounded(self, terms: Sequence[Term], bound: int) -> None:
        """The sum of these is at most ``bound``, if the statement has it."""
        bounded(self._parts(terms), bound, self.facts, self.steps)

    def at_most(self, name: str, bound: int) -> Literal:
        """It has that value at most."""
        return self.all_of(self._conditions(name, bound))

    def parts(self, within: Within) -> list[Literal]:
        """Literals that together say it."""
        name, low, high = self.name(within.quantity), within.low, within.high
        if low == high and low is not None and (literal := self.cells.get(name, {}).get(low)):
            return [literal]
        parts: list[Literal] = [] if high is None else [self.at_most(name, high)]
        return parts if low is None else [*parts, negation(self.at_most(name, low - 1))]

    def among(self, variable: int, values: Sequence[int]) -> Literal:
        """A variable of the CSP, whose domain has been shown, has one of the ``values``, which are in order."""
        if not values:
            return False
        low, high, first, last = self.lower[variable], self.upper[variable], values[0], values[-1]
        if first == last and first in self.cells.get(self.names[variable], ()):
            return self.all_of(self.parts(Within(variable, first, first)))
        if last - first + 1 == len(values):
            return self.all_of(
                self.parts(Within(variable, first if first > low else None, last if last < high else None))
            )
        some = negation(self.all_of([negation(self.among(variable, [value])) for value in values]))
        for value in range(low, high + 1):
            if value not in values:
                self.steps.lemma(map(self.literal, (negation(self.among(variable, [value])), negation(some))))
        return some

    def all_of(self, parts: Sequence[Literal]) -> Literal:
        """All of the ``parts``."""
        key = _key(parts)
        if len(key) < 2:
            return key[0] if key else True
        if key not in self.defined:
            name = self._new()
            self.steps.define(name, [part for part in key if isinstance(part, str)])
            self.defined[key] = name, self.steps.count
        return self.defined[key][0]

    def literal(self, one: Literal) -> str:
        """As text; what is settled has a variable too."""
        if isinstance(one, str):
            return one
        if () not in self.defined:
            self.defined[()] = self._new(), 0
            self.steps.define(self.defined[()][0], [])
        return self.defined[()][0] if one else negation(self.defined[()][0])

    def _conditions(self, name: str, bound: int) -> list[Literal]:
        """Literals that together say that it has that value at most. UntoldError: nobody says what it is."""
        if (values := self.cells.get(name)) is not None:
            return [bound >= 0, *(negation(literal) for value, literal in values.items() if value > bound)]
        if (conditions := self.meant.get(name)) is not None:
            if bound:
                return [bound > 0]
            return [negation(self.all_of([part for within in conditions for part in self.parts(within)]))]
        if (found := self.sums.get(name)) is not None:
            return [found.at_most(bound)]
        if (told := self.statement.at_most(name, bound)) is None:
            raise UntoldError(name)
        return told

    def _parts(self, terms: Sequence[Term]) -> Parts:
        return [(term.coefficient, self._unary(self.name(term.quantity), term.low, term.high)) for term in terms]

    def _unary(self, name: str, low: int, high: int) -> Unary:
        """A quantity from ``low`` to ``high`` as so many literals."""
        if name in self.sums:
            return self.sums[name]
        found = Unary(low)
        for bound in range(low, high):
            key = _key(self._conditions(name, bound))
            literal = negation(self.all_of(key))
            if literal is True:
                found.low += 1
            elif isinstance(literal, str):
                leaves = [negation(part) for part in key if isinstance(part, str)]
                one = self._not_two(leaves, name) if len(leaves) > 1 else None
                if one is None:
                    found.literals.append(literal)
                    found.leaves.append((1, literal))
                else:
                    add_flag(found, literal, leaves, self.defined[key][1], one, self.steps)
        found.least = found.low
        return found

    def _not_two(self, leaves: list[str], name: str) -> int | None:
        """The number of a constraint that says that two of the leaves are not true, if there is one."""
        if (number := self.facts.number([(-1, leaf) for leaf in leaves], -1)) is not None:
            return number
        every = list(self.cells.get(name, {}).values())
        number = self.facts.number([(-1, literal) for literal in every], -1)
        if number is None or not set(leaves) <= set(every):
            return None
        return self.steps.derive(added([(1, number)], [literal for literal in every if literal not in leaves]))

    def _new(self) -> str:
        """A name that nothing has yet."""
        self.count += 1
        return f"y{self.count - 1:02}"


def _key(parts: Sequence[Literal]) -> tuple[Literal, ...]:
    """Those that count, each once; False alone, if they contradict each other."""
    key = dict.fromkeys(part for part in parts if part is not True)
    return (False,) if any(negation(part) in key for part in key) or False in key else tuple(key)
