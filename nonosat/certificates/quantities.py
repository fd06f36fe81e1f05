"""Quantities in literals: a cell, what the statement tells of, and auxiliaries by what they are said to mean."""

from __future__ import annotations

from collections.abc import Sequence

from nonosat.certificates.facts import Facts
from nonosat.certificates.statement import Statement
from nonosat.certificates.statement.model import Literal
from nonosat.certificates.steps import Steps, negation
from nonosat.certificates.sums import Unary, bounded, counted, flag
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
        self.defined: dict[tuple[Literal, ...], str] = {}
        self.numbers: dict[str, tuple[int, int]] = {}
        self.sums: dict[str, Unary] = {}
        self.facts = Facts(statement, steps)
        self.count = 0

    def name(self, quantity: Quantity) -> str:
        """What a quantity is called."""
        return quantity if isinstance(quantity, str) else self.names[quantity]

    def means(self, variable: Quantity, conditions: Sequence[Within]) -> None:
        """The 0/1 variable is 1 iff all of these hold."""
        self.meant[self.name(variable)] = conditions

    def at_most(self, name: str, bound: int) -> Literal:
        """It has that value at most. UntoldError: nobody says what it is."""
        if (values := self.cells.get(name)) is not None:
            return bound >= 0 and self.all_of([negation(literal) for v, literal in values.items() if v > bound])
        if (conditions := self.meant.get(name)) is not None:
            if bound != 0:
                return bound > 0
            return negation(self.all_of([part for within in conditions for part in self.parts(within)]))
        if (total := self.sums.get(name)) is not None:
            return total.at_most(bound)
        if (told := self.statement.at_most(name, bound)) is None:
            raise UntoldError(name)
        return self.all_of(told)

    def parts(self, within: Within) -> list[Literal]:
        """Literals that together say it."""
        name, low, high = self.name(within.quantity), within.low, within.high
        if low == high and low is not None and (literal := self.cells.get(name, {}).get(low)):
            return [literal]
        parts: list[Literal] = [] if high is None else [self.at_most(name, high)]
        return parts if low is None else [*parts, negation(self.at_most(name, low - 1))]

    def among(self, variable: int, values: Sequence[int]) -> Literal:
        """A variable of the CSP, whose domain has been shown, has one of the ``values``, which are in order."""
        low, high = self.lower[variable], self.upper[variable]
        if not values or values[-1] - values[0] + 1 == len(values):
            ends = (values[0] if values[0] > low else None, values[-1] if values[-1] < high else None)
            if values[0] == values[-1] and values[0] in self.cells.get(self.names[variable], ()):
                ends = values[0], values[0]
            return self.all_of(self.parts(Within(variable, *ends)))
        each = [self.among(variable, [value]) for value in values]
        some = negation(self.all_of([negation(one) for one in each]))
        for value in range(low, high + 1):
            if value not in values:
                self.steps.lemma(map(self.literal, (negation(self.among(variable, [value])), negation(some))))
        return some

    def all_of(self, parts: Sequence[Literal]) -> Literal:
        """All of the ``parts``."""
        key = tuple(dict.fromkeys(part for part in parts if part is not True))
        if len(key) < 2 or False in key:
            return key[0] if len(key) == 1 else not key
        if key not in self.defined:
            self.defined[key] = self.new()
            self.steps.define(self.defined[key], [part for part in key if isinstance(part, str)])
            self.numbers[self.defined[key]] = self.steps.count - 1, self.steps.count
        return self.defined[key]

    def literal(self, one: Literal) -> str:
        """As text; what is settled has a variable too."""
        if isinstance(one, str):
            return one
        if () not in self.defined:
            self.defined[()] = self.new()
            self.steps.define(self.defined[()], [])
        return self.defined[()] if one else negation(self.defined[()])

    def new(self) -> str:
        """A name that nothing has yet."""
        self.count += 1
        return f"y{self.count - 1:02}"

    def adds(self, quantity: Quantity, terms: Sequence[Term]) -> None:
        """The quantity is the sum of these."""
        parts = [(coefficient, self.unary(*rest)) for coefficient, *rest in terms]
        span = sum(abs(coefficient) * len(part.literals) for coefficient, part in parts)
        self.sums[self.name(quantity)] = counted(parts, [self.new() for _ in range(span)], self.steps)

    def bounded(self, terms: Sequence[Term], bound: int) -> None:
        """Their sum is at most that, if the statement has it."""
        bounded([(coefficient, self.unary(*rest)) for coefficient, *rest in terms], bound, self.facts, self.steps)

    def unary(self, quantity: Quantity, low: int, high: int) -> Unary:
        """A quantity from ``low`` to ``high`` as so many literals."""
        name = self.name(quantity)
        if name not in self.sums:
            reached = [negation(self.at_most(name, bound)) for bound in range(low, high)]
            literals = [literal for literal in reached if isinstance(literal, str)]
            low += reached.count(True)
            self.sums[name] = self._flag(name, low, literals) or Unary(low, literals, low, [(1, x) for x in literals])
        return self.sums[name]

    def _flag(self, name: str, low: int, literals: list[str]) -> Unary | None:
        told = self.statement.at_most(name, low) if name not in self.cells and name not in self.meant else None
        if low or len(literals) != 1 or (numbers := self.numbers.get(negation(literals[0]))) is None or not told:
            return None
        return flag([literals[0], *(negation(x) for x in told if isinstance(x, str))], numbers, self.facts, self.steps)
