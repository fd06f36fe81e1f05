"""Quantities that are sums of others, as counters: a Boolean for each value that the sum may reach.

A counter is defined by the counters of the terms ("at least k" iff at least k of these are true), so that unit
propagation goes from the terms to the sum and back. That as many counters are true as of what they count follows by
cutting planes (Gocht, Martins, Nordström & Oertel, SAT 2022), and ties the last sum of a chain to the statement.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import pairwise

from nonosat.certificates.facts import Facts, Numbered, added
from nonosat.certificates.statement.model import Literal
from nonosat.certificates.steps import Steps, negation

Weighted = list[tuple[int, str]]


@dataclass
class Unary:
    """A quantity that is ``low`` and as much more as so many of the ``literals`` are true.

    It is ``least`` and the sum of ``leaves`` as well, literals of the statement. ``above``: constraints that add up to
    "the first is at most the second"; ``below``: to "at least".
    """

    low: int
    literals: list[str] = field(default_factory=list)
    least: int = 0
    leaves: Weighted = field(default_factory=list)
    above: Numbered = field(default_factory=list)
    below: Numbered = field(default_factory=list)

    def at_most(self, bound: int) -> Literal:
        """That it is."""
        if 0 <= bound - self.low < len(self.literals):
            return negation(self.literals[bound - self.low])
        return bound >= self.low

    def times(self, coefficient: int) -> tuple[int, Weighted]:
        """So many times the quantity: a constant, and literals with weights above 0."""
        if coefficient > 0:
            return coefficient * self.low, [(coefficient, literal) for literal in self.literals]
        high = self.low + len(self.literals)
        return coefficient * high, [(-coefficient, negation(literal)) for literal in self.literals]


Parts = list[tuple[int, Unary]]
"""Terms of a sum: (coefficient, quantity)."""


def total(parts: Parts, names: list[str], steps: Steps) -> Unary:
    """The sum of the parts; ``names`` are those of its counters, one for each value but the least."""
    each = [part.times(coefficient) for coefficient, part in parts]
    found = Unary(sum(constant for constant, _ in each), names)
    terms = _merged(term for _, weighted in each for term in weighted)
    numbers = [steps.define_sum(name, terms, k) for k, name in enumerate(names, 1)]
    for (_, here), (ahead, _) in pairwise(numbers):  # k + 1 implies k
        steps.derive(added([(1, here), (1, ahead)]))
    if numbers:
        found.above.append((1, _as_many([reached for reached, _ in numbers], steps)))
        found.below.append((1, _as_many([missed for _, missed in reversed(numbers)], steps)))
    for coefficient, part in parts:
        found.least += coefficient * part.least
        found.leaves += [(coefficient * weight, leaf) for weight, leaf in part.leaves]
        found.above += _scaled(coefficient, part.above, part.below)
        found.below += _scaled(coefficient, part.below, part.above)
    return found


def _merged(terms: Iterable[tuple[int, str]]) -> Weighted:
    """Each literal once: a cell without some values has one literal for several bounds."""
    weights: dict[str, int] = {}
    for weight, literal in terms:
        weights[literal] = weights.get(literal, 0) + weight
    return [(weight, literal) for literal, weight in weights.items()]


def _as_many(numbers: list[int], steps: Steps) -> int:
    """From "k ~c_k + S >= k" for k = 1, 2, ..., the constraints ``numbers``: at most S of all c are true."""
    told = f"{numbers[0]}"
    for k, number in enumerate(numbers[1:], 1):
        told += f" {k} * {number} + {k + 1} d"
    return steps.derive(told)


def _scaled(coefficient: int, above: Numbered, below: Numbered) -> Numbered:
    return [(abs(coefficient) * times, number) for times, number in (above if coefficient > 0 else below)]


def bounded(parts: Parts, bound: int, facts: Facts, steps: Steps) -> None:
    """That the sum of the parts is at most ``bound``, if the statement says so of their leaves."""
    least = sum(coefficient * part.least for coefficient, part in parts)
    leaves = [(-coefficient * weight, leaf) for coefficient, part in parts for weight, leaf in part.leaves]
    stated = facts.adding(leaves, least - bound)
    if stated is not None:
        ways = [way for coefficient, part in parts for way in _scaled(coefficient, part.above, part.below)]
        steps.derive(added([*stated, *ways]))


def add_flag(found: Unary, literal: str, leaves: list[str], number: int, one: int, steps: Steps) -> None:
    """One more for ``found`` if one of the ``leaves`` is true, of which constraint ``one`` says that they are not two.

    ``literal`` says so: it is the negation of what the constraints ``number`` - 1 and ``number`` define as "none is".
    """
    count = len(leaves)
    found.literals.append(literal)
    found.leaves += [(1, leaf) for leaf in leaves]
    found.above.append((1, number - 1))
    found.below.append((1, steps.derive(f"{number} {one} {count - 1} * + {count} d")))
