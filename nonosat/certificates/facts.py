"""The numbers of constraints by what they say: those of the statement, and those that follow by adding some up."""

from __future__ import annotations

from collections.abc import Iterable

from nonosat.certificates.statement import Constraint, Statement
from nonosat.certificates.steps import Steps

Key = tuple[frozenset[tuple[str, int]], int]
Numbered = list[tuple[int, int]]
"""Constraints to add up: (how many times, its number)."""


class Facts:
    """Looked for when the first one is asked for, so that statements whose sums nobody needs are not gone through."""

    def __init__(self, statement: Statement, steps: Steps) -> None:
        self.statement, self.steps = statement, steps
        self.numbers: dict[Key, int] = {}

    def number(self, terms: Iterable[tuple[int, str]], degree: int) -> int | None:
        """The number of ``sum(coefficient * literal) >= degree``, if it is known."""
        if not self.numbers:
            self._state()
        return self.numbers.get(_key(terms, degree))

    def _state(self) -> None:
        count = 0
        for stated in self.statement.constraints():
            for terms, degree in (stated[:2], _negated(stated))[: 1 + stated.equal]:
                count += 1
                self.numbers[_key(terms, degree)] = count
        for says, parts in self.statement.sums():
            names = {name for _, name in says.terms}
            numbered = [(times, self.numbers[_key(part.terms, part.degree)]) for times, part in parts]
            others = dict.fromkeys(name for _, part in parts for _, name in part.terms if name not in names)
            self.numbers[_key(says.terms, says.degree)] = self.steps.derive(added(numbered, others))


def added(parts: Numbered, without: Iterable[str] = ()) -> str:
    """A derivation, in reverse Polish notation: the sum of the parts, weakened on variables ``without`` which it is.

    >>> added([(1, 4), (2, 7)], ["aa"])
    '4 7 2 * + aa w'
    """
    told = [f"{number}" if times == 1 else f"{number} {times} *" for times, number in parts]
    return " ".join([told[0], *(f"{one} +" for one in told[1:]), *(f"{name} w" for name in without)])


def _negated(stated: Constraint) -> tuple[list[tuple[int, str]], int]:
    return [(-coefficient, literal) for coefficient, literal in stated.terms], -stated.degree


def _key(terms: Iterable[tuple[int, str]], degree: int) -> Key:
    net: dict[str, int] = {}
    for coefficient, literal in terms:
        if literal[0] == "~":  # c ~x = c - c x
            coefficient, literal, degree = -coefficient, literal[1:], degree - coefficient
        net[literal] = net.get(literal, 0) + coefficient
    return frozenset(net.items()), degree
