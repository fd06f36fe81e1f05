"""Quantities that are sums of others, as counters: a Boolean for each value that the sum may reach.

A counter is defined by the counters of the terms ("at least k" iff at least k of these are true), so that unit
propagation goes from the terms to the sum and back. That as many counters are true as of what they count follows by
cutting planes (Gocht, Martins, Nordström & Oertel, SAT 2022), and ties the last sum of a chain to the statement.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from nonosat.certificates.facts import Facts, Numbered, added
from nonosat.certificates.statement.model import Literal
from nonosat.certificates.steps import Steps, negation

Weighted = list[tuple[int, str]]


@dataclass
class Unary:
    """A quantity that is ``low`` and as much more as so many of the ``literals`` are true.

    It is ``least`` and the sum of ``leaves`` as well, in the statement's own literals. ``above``: constraints that add
    up to "the first is at most the second"; ``below``: to "at least".
    """

    low: int
    literals: list[str]
    least: int
    leaves: Weighted
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


def counted(parts: list[tuple[int, Unary]], names: list[str], steps: Steps) -> Unary:
    """The sum of parts (coefficient, quantity); ``names`` are those of its counters, one for each value but the least."""
    low, terms = 0, []
    for coefficient, part in parts:
        constant, weighted = part.times(coefficient)
        low, terms = low + constant, terms + weighted
    numbers = [steps.define_sum(name, terms, k) for k, name in enumerate(names, 1)]
    for (_, converse), (number, _) in zip(numbers, numbers[1:]):  # k + 1 implies k
        steps.derive(added([(1, converse), (1, number)]))
    above, below = (
        [(1, _unary([one for one, _ in numbers], steps))],
        [(1, _unary([two for _, two in numbers][::-1], steps))],
    )
    least, leaves = 0, []
    for coefficient, part in parts:
        least += coefficient * part.least
        leaves += [(coefficient * weight, literal) for weight, literal in part.leaves]
        ways = (part.above, part.below) if coefficient > 0 else (part.below, part.above)
        above += [(abs(coefficient) * times, number) for times, number in ways[0]]
        below += [(abs(coefficient) * times, number) for times, number in ways[1]]
    return Unary(low, names, least, leaves, above, below)


def _unary(numbers: list[int], steps: Steps) -> int:
    """From ``k ~c_k + S >= k`` for k from 1, the constraints ``numbers``: as many c are true as S says, at most."""
    told = f"{numbers[0]}"
    for k, number in enumerate(numbers[1:], 1):
        told += f" {k} * {number} + {k + 1} d"
    return steps.derive(told)


def bounded(parts: list[tuple[int, Unary]], bound: int, facts: Facts, steps: Steps) -> None:
    """That the sum of the parts is at most ``bound``, if the statement says so of the leaves."""
    leaves, least, ways = [], 0, []
    for coefficient, part in parts:
        least += coefficient * part.least
        leaves += [(-coefficient * weight, literal) for weight, literal in part.leaves]
        ways += [
            (abs(coefficient) * times, number) for times, number in (part.above if coefficient > 0 else part.below)
        ]
    if (number := facts.number(leaves, least - bound)) is not None:
        steps.derive(added([(1, number), *ways]))


def flag(literals: list[str], numbers: tuple[int, int], facts: Facts, steps: Steps) -> Unary | None:
    """A 0/1 quantity that is 1 iff one of ``literals[1:]`` is true, and so is ``literals[0]``; None: more may be.

    ``numbers``: of the two constraints that define the negation of ``literals[0]`` as all of the others' negations.
    """
    name, *leaves = literals
    one = facts.number([(-1, leaf) for leaf in leaves], -1)
    if one is None:
        return None
    count = len(leaves)
    below = steps.derive(f"{numbers[1]} {one} {count - 1} * + {count} d")
    return Unary(0, [name], 0, [(1, leaf) for leaf in leaves], [(1, numbers[0])], [(1, below)])
