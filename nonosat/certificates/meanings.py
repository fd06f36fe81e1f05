"""The Booleans of a formula in the terms of the statement: each is one of its literals, or defined by some.

An encoding says of what values of its variable a Boolean is true (``DomainMap.meanings``); the statement, what it is
for a variable to be at most a value. From that: "is a" is "at most a and not at most a - 1", and a set is any of these.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from nonosat.certificates.statement import Statement
from nonosat.certificates.steps import Steps, negation
from nonosat.encodings.formula import Formula
from nonosat.errors import UnsupportedError


def literals(formula: Formula, statement: Statement, steps: Steps, encoding: str) -> list[str]:
    """By Boolean, its literal (entry 0 is unused); ``steps`` get definitions. UnsupportedError: not all are told."""
    at_most = statement.at_most
    if at_most is None:
        raise UnsupportedError(f"the statement does not say what encoding {encoding} means: it has no certificates")
    if any(block.name == "aux" for block in formula.blocks):
        raise UnsupportedError(f"encoding {encoding} does not say what its auxiliaries mean: it has no certificates")
    told = _Told(formula, at_most, steps)
    found = [""] * (formula.cnf.variables + 1)
    try:
        for boolean, variable, values in formula.map.meanings():
            found[boolean] = told.among(variable, values)
    except NotImplementedError:
        raise UnsupportedError(f"encoding {encoding} does not say what its Booleans mean: no certificates") from None
    if not all(found[1:]):
        raise UnsupportedError(f"encoding {encoding} does not say what its auxiliaries mean: it has no certificates")
    return found


class _Told:
    """The literals that stand for sets of values, each defined once."""

    def __init__(self, formula: Formula, at_most: Callable[[str, int], list[str]], steps: Steps) -> None:
        self.names, self.at_most, self.steps = formula.names(), at_most, steps
        self.lower, self.upper = formula.map.lower.tolist(), formula.map.upper.tolist()
        self.known: dict[tuple[str, ...], str] = {}

    def among(self, variable: int, values: Sequence[int]) -> str:
        """The variable has one of the ``values``, which are some of its domain and not all."""
        low, high = self.lower[variable], self.upper[variable]
        if list(values) == list(range(low, values[-1] + 1)):
            return self.below(variable, values[-1])
        if len(values) == 1:
            return self.equal(variable, values[0])
        some = negation(self.all_of([negation(self.equal(variable, value)) for value in values]))
        for value in range(low, high + 1):
            if value not in values:
                self.steps.lemma((negation(self.equal(variable, value)), negation(some)))
        return some

    def equal(self, variable: int, value: int) -> str:
        """It has this value; the domain's ends need no saying."""
        parts = []
        if value < self.upper[variable]:
            parts.append(self.below(variable, value))
        if value > self.lower[variable]:
            parts.append(negation(self.below(variable, value - 1)))
        return self.all_of(parts)

    def below(self, variable: int, value: int) -> str:
        """It has this value at most."""
        return self.all_of(self.at_most(self.names[variable], value))

    def all_of(self, parts: list[str]) -> str:
        """A literal that is true iff all of the ``parts`` are."""
        if len(parts) == 1:
            return parts[0]
        key = tuple(parts)
        if key not in self.known:
            self.known[key] = f"y{len(self.known)}" if len(self.known) > 9 else f"y0{len(self.known)}"
            self.steps.define(self.known[key], parts)
        return self.known[key]
