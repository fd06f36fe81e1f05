"""Random models: every operator and global constraint over domains of all kinds, as expressions and as plain data.

A model as data is nested tuples, ``(operator, data, *operands)`` for an expression, so that it shrinks and can be
written; reading it gives equal parts as one object, as users share them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product
from typing import Any, ClassVar

import numpy as np

from nonosat.csp import expressions as e
from nonosat.csp.model import CSP, Clauses
from nonosat.csp.statement import Problem
from nonosat.errors import ModelError

Rng = np.random.Generator
Plain = tuple[Any, ...]

# Expressions, drawn.


class Drawn:
    """A random statement: variables of all kinds of domains, and expressions over them of any depth.

    ``wide``: one of the variables may have many values.
    """

    def __init__(self, rng: Rng, wide: int = 0) -> None:
        self.rng, self.statement, self.wide = rng, Problem(), wide
        self.integers = [self.variable(f"x{i}") for i in range(int(rng.integers(1, 4)))]
        self.booleans = [self.statement.boolean(f"b{i}") for i in range(int(rng.integers(0, 3)))]

    def variable(self, name: str) -> Any:
        rng = self.rng
        if self.wide:
            low, self.wide = int(rng.integers(-self.wide, 10)), 0
            if rng.random() < 0.5:
                return self.statement.integer(name, low, low + int(rng.integers(20, 200)))
            return self.statement.integer(name, np.unique(rng.integers(low, low + 200, 30)).tolist())
        match int(rng.integers(5)):
            case 0:  # sparse
                return self.statement.integer(name, rng.choice([-9, -3, -1, 0, 1, 2, 5, 12], 3, replace=False).tolist())
            case 1:  # one value
                return self.statement.integer(name, *[int(rng.integers(-3, 4))] * 2)
            case 2:
                return self.statement.integer(name, 0, int(rng.integers(0, 4)))
            case _:
                return self.statement.integer(name, *sorted(rng.integers(-3, 4, 2).tolist()))

    def pick(self, choices: list[Any]) -> Any:
        return choices[int(self.rng.integers(len(choices)))]

    def many(self, make: Callable[[int], Any], depth: int, least: int = 1, most: int = 3) -> list[Any]:
        return [make(depth - 1) for _ in range(int(self.rng.integers(least, most + 1)))]

    def small(self, depth: int = 0) -> Any:
        """A variable, or it shifted."""
        return (
            self.pick(self.integers) + int(self.rng.integers(-1, 2))
            if self.rng.random() < 0.3
            else self.pick(self.integers)
        )

    def number(self, depth: int) -> Any:
        rng = self.rng
        if depth <= 0 or rng.random() < 0.3:
            return self.pick(self.integers) if rng.random() < 0.8 else int(rng.integers(-3, 4))
        op = self.pick(sorted(NUMBERS))
        return NUMBERS[op](self, depth - 1)

    def constraint(self, depth: int) -> Any:
        rng = self.rng
        if depth <= 0 and self.booleans and rng.random() < 0.4:
            return self.pick(self.booleans)
        if depth <= 0:
            return self.compare(0)
        return CONSTRAINTS[self.pick(sorted(CONSTRAINTS))](self, depth - 1)

    def compare(self, depth: int) -> Any:
        one, other = e.integer(self.number(depth)), self.number(depth)
        return self.pick([one == other, one != other, one <= other, one < other, one >= other, one > other])

    def starred(self, width: int) -> list[list[Any]]:
        rows = self.rng.integers(-2, 4, (int(self.rng.integers(0, 7)), width)).tolist()
        return [["*" if self.rng.random() < 0.4 else value for value in row] for row in rows]

    def automaton(self) -> tuple[list[tuple[int, int, int]], list[int]]:
        rng = self.rng
        arcs = [tuple(rng.integers([0, -2, 0], [3, 4, 3]).tolist()) for _ in range(int(rng.integers(1, 14)))]
        return arcs, rng.choice(3, int(rng.integers(0, 3)), replace=False).tolist()


def alone(d: Drawn, depth: int) -> Any:
    """A function of functions of one variable, which has no value somewhere."""
    x = d.small()
    return d.pick([x * x % 3, abs(x) // d.pick([2, x]), e.maximum(x * x, 4) - x, e.quotient(6, abs(x)), abs(x * x - 4)])


def small_power(d: Drawn, depth: int) -> Any:
    return e.if_then_else(abs(d.small()) <= 5, d.small(), 2) ** d.pick([0, 1, 2, e.minimum(d.small(), 2)])


NUMBERS: dict[str, Callable[[Drawn, int], Any]] = {
    "function of a function": alone,
    "plus": lambda d, n: d.number(n) + e.integer(d.number(n)),
    "minus": lambda d, n: e.integer(d.number(n)) - d.number(n),
    "scaled": lambda d, n: int(d.rng.integers(-3, 4)) * e.integer(d.number(n)) + int(d.rng.integers(-2, 3)),
    "sum": lambda d, n: e.sum_of(d.many(d.number, n)),
    "long sum": lambda d, n: e.weighted(
        (int(d.rng.integers(-3, 4)), d.pick([*d.integers, *d.booleans])) for _ in range(int(d.rng.integers(3, 7)))
    ),
    "product": lambda d, n: e.integer(d.small()) * d.small(),
    "product of numbers": lambda d, n: e.integer(d.number(min(n, 1))) * d.small(),
    "square": lambda d, n: (lambda one: one * one)(e.integer(d.small())),
    "abs": lambda d, n: abs(e.integer(d.number(n))),
    "max": lambda d, n: e.maximum(d.many(d.number, n)),
    "min": lambda d, n: e.minimum(d.many(d.number, n)),
    "floordiv": lambda d, n: e.integer(d.small()) // d.pick([d.small(), 2, -2, 3, 0]),
    "mod": lambda d, n: e.integer(d.small()) % d.pick([d.small(), 2, -2, 3, 0]),
    "quotient": lambda d, n: e.quotient(d.small(), d.pick([d.small(), 2, -2])),
    "remainder": lambda d, n: e.remainder(d.small(), d.pick([d.small(), 2, -2])),
    "divided number": lambda d, n: d.pick([e.quotient, e.remainder])(d.number(n), d.pick([d.number(n), 3, -2])),
    "power": small_power,
    "choice": lambda d, n: e.if_then_else(d.constraint(n), d.number(n), d.number(n)),
    "element": lambda d, n: e.element(d.rng.integers(-3, 4, 4).tolist(), d.small()),
    "element of variables": lambda d, n: e.element(d.many(d.small, 0, 1, 4), d.small()),
    "element of numbers": lambda d, n: e.element(d.many(d.number, n, 1, 3), e.integer(d.number(n))),
    "element of two": lambda d, n: e.element(np.array(d.rng.integers(-3, 4, (2, 3))), d.small(), d.small()),
    "indicator": lambda d, n: e.integer(d.constraint(n)),
    "count": lambda d, n: e.count(d.many(d.small, n), d.pick([d.small(), 1])),
    "count of numbers": lambda d, n: e.count(d.many(d.number, n), d.number(n)),
    "n_values": lambda d, n: e.n_values(d.many(d.small, n)),
}
CONSTRAINTS: dict[str, Callable[[Drawn, int], Any]] = {
    "compare": Drawn.compare,
    "truth": lambda d, n: e.boolean(bool(d.rng.random() < 0.8)),
    "and": lambda d, n: e.all_of(d.many(d.constraint, n)),
    "or": lambda d, n: e.any_of(d.many(d.constraint, n)),
    "not": lambda d, n: ~e.boolean(d.constraint(n)),
    "implies": lambda d, n: e.implies(d.constraint(n), d.constraint(n)),
    "same": lambda d, n: e.boolean(d.constraint(n)) == d.constraint(n),
    "xor": lambda d, n: e.boolean(d.constraint(n)) ^ d.constraint(n),
    "if": lambda d, n: e.if_then_else(d.constraint(n), d.constraint(n), d.constraint(n)),
    "all_different": lambda d, n: e.all_different(d.many(d.small, n, 1, 4)),
    "all_different of numbers": lambda d, n: e.all_different(d.many(d.number, n, 2, 3)),
    "all_equal": lambda d, n: e.all_equal(d.many(d.small, n)),
    "table": lambda d, n: (lambda s: e.table(s, d.rng.integers(-2, 4, (int(d.rng.integers(0, 9)), len(s)))))(
        d.many(d.small, n)
    ),
    "table with stars": lambda d, n: (lambda s: e.table(s, d.starred(len(s))))(d.many(d.small, n)),
    "regular": lambda d, n: e.regular(d.many(d.small, n), d.automaton()[0], 0, d.automaton()[1]),
    "cardinality": lambda d, n: e.cardinality(
        d.many(d.small, n), [0, 2], [d.pick([0, 1, d.small()]), 1], closed=bool(d.rng.random() < 0.5)
    ),
    "cardinality of numbers": lambda d, n: e.cardinality(d.many(d.number, n), [d.small()], [d.number(n)]),
    "all_equal of numbers": lambda d, n: e.all_equal(d.many(d.number, n)),
    "lex_less": lambda d, n: e.lex_less([d.small(), d.small()], [d.small(), d.small()]),
    "lex_lesseq": lambda d, n: e.lex_lesseq([d.small(), d.small()], [d.small(), d.small()]),
    "cumulative": lambda d, n: (
        lambda s: e.cumulative(s, d.rng.integers(0, 4, len(s)).tolist(), d.rng.integers(0, 3, len(s)).tolist(), 3)
    )(d.many(d.small, n)),
    "cumulative of variables": lambda d, n: (
        lambda s: e.cumulative(
            s, [d.pick([1, 2, d.small()]) for _ in s], [d.pick([1, d.small()]) for _ in s], d.pick([2, d.small()])
        )
    )(d.many(d.small, n, 1, 2)),
    "disjunctive": lambda d, n: (lambda s: e.disjunctive(s, [d.pick([0, 1, 2, d.small()]) for _ in s]))(
        d.many(d.small, n)
    ),
    "inverse": lambda d, n: e.inverse([d.small(), d.small()], [d.small(), d.small()]),
    "longer inverse": lambda d, n: (lambda one: e.inverse(one, [d.small() for _ in one]))(d.many(d.small, n, 1, 3)),
    "circuit": lambda d, n: e.circuit(d.many(d.small, n, 1, 3)),
    "circuit with loops": lambda d, n: e.circuit(d.many(d.small, n, 1, 4), loops=True),
    "connected": lambda d, n: e.connected([d.constraint(0) for _ in range(4)], [(0, 1), (1, 2), (2, 3), (3, 1)]),
    "connected grid": lambda d, n: e.connected(
        e.array([d.constraint(0) for _ in range(6)]).reshape(d.pick([(2, 3), (3, 2), (1, 6)]))
    ),
}


def drawn_statement(rng: Rng, first: str = "", wide: int = 0) -> Problem:
    """A random statement; ``first``: an operator that is in it, at the top or inside."""
    drawn = Drawn(rng, wide)
    for number in range(int(rng.integers(1, 3))):
        depth = int(rng.integers(0, 3))
        if number == 0 and first in NUMBERS:
            inner = e.integer(NUMBERS[first](drawn, depth))
            made = drawn.pick([inner == drawn.number(0), inner <= drawn.number(0), inner != drawn.number(1)])
        elif number == 0 and first:
            made = CONSTRAINTS[first](drawn, depth)
            made = drawn.pick([made, made, ~e.boolean(made), e.boolean(made) | drawn.constraint(0)])
        else:
            made = drawn.constraint(depth)
        drawn.statement.add(made)
    return drawn.statement


# Models as data.


_NUMBERS = frozenset({
    "variable", "constant", "indicator", "sum", "product", "abs", "max", "min", "floordiv", "mod", "truncdiv",
    "truncmod", "power", "choice", "element", "n_values",
})  # fmt: skip
_OPEN = frozenset({"and", "or", "max", "min", "all_different", "n_values"})
"""Operators of any number of operands that nothing else depends on."""


@dataclass(frozen=True)
class PlainModel:
    """A model as data. ``domains``: values behind "of", (low, high) behind "to", or "bool"; behind "among" (low, high)
    and the values to which a constraint of its own restricts the variable.

    ``goal``: whether it is to be greatest, and the expression; or nothing.
    """

    domains: tuple[Plain, ...]
    constraints: tuple[Plain, ...]
    goal: Plain = ()

    kind: ClassVar[str] = "model"

    @cached_property
    def statement(self) -> Problem:
        """As users state it."""
        made = Problem()
        for number, (what, *about) in enumerate(self.domains):
            if what == "bool":
                made.boolean(f"b{number}")
            else:
                x = made.integer(f"x{number}", *(about if what == "to" else about[:2] if what == "among" else [about]))
                if what == "among":
                    made.add(
                        e.any_of([x == one for one in about[2:]])
                        if number % 2
                        else e.table([x], [[one] for one in about[2:]])
                    )
        known: dict[Plain, e.Expression] = {}
        made.add(*(_expression(constraint, made, known) for constraint in self.constraints))
        if self.goal:
            (made.maximize if self.goal[0] else made.minimize)(_expression(self.goal[1], made, known))
        return made

    def csp(self) -> CSP:
        """The CSP."""
        return self.statement.csp()

    @property
    def size(self) -> int:
        """Values of the largest domain."""
        sizes = [about[1] - about[0] + 1 if what == "to" else len(about) for what, *about in self.domains]
        return max(sizes, default=1)

    @cached_property
    def large(self) -> bool:
        """Has it numbers of five digits, in itself or in what it is lowered to? Then not every encoding can take it."""
        text = repr((self.domains, self.constraints, self.goal)).replace(str(e.STAR), "")
        if re.search(r"\d{5}", text) is not None:
            return True
        csp = self.csp()
        return bool((csp.upper - csp.lower.astype(np.int64) > 9_999).any())

    def assignments(self) -> Iterator[tuple[int, ...]]:
        """All values of the variables."""
        listed = {"bool": lambda a: range(2), "to": lambda a: range(a[0], a[1] + 1), "among": lambda a: a[2:]}
        every = [listed.get(w, lambda a: a)(a) for w, *a in self.domains]
        return product(*every)

    @cached_property
    def best(self) -> int | None:
        """The objective's value in the best solution, by brute force."""
        statement = self.statement
        found = [statement.value(values) for values in self.assignments() if statement.holds(values)]
        return (max if self.goal[0] else min)(found, default=None)


def _expression(plain: Plain, statement: Problem, known: dict[Plain, e.Expression]) -> Any:
    if plain not in known:
        op, data, *operands = plain
        if op in ("variable", "boolean"):
            known[plain] = statement.variables[data]
        else:
            children = tuple(_expression(operand, statement, known) for operand in operands)
            if op == "table":
                data = np.array(data, dtype=np.int64).reshape(-1, len(children))
            elif op == "regular":
                data = (np.array(data[0], dtype=np.int64).reshape(-1, 3), *data[1:])
            kind = e.IntegerExpression if op in _NUMBERS else e.BooleanExpression
            known[plain] = kind(op, children, data)
    return known[plain]


def plain(statement: Problem) -> PlainModel:
    """A statement as data."""
    domains: list[Plain] = []
    for variable, domain in zip(statement.variables, statement.domains, strict=True):
        values = domain if isinstance(domain, tuple) else domain.tolist()
        domains.append(
            ("bool",) if variable.op == "boolean" else ("to" if isinstance(domain, tuple) else "of", *values)
        )
    goal = statement.objective
    return PlainModel(
        tuple(domains),
        tuple(e.folded(constraint, {}, _plain) for _, constraint in statement.constraints),
        () if goal is None else (goal.greatest, e.folded(goal.expression, {}, _plain)),
    )


def _plain(node: e.Expression, operands: list[Plain]) -> Plain:
    if node.op in ("variable", "boolean"):
        return (node.op, node.data[0])
    return (node.op, _data(node.data), *operands)


def _data(data: Any) -> Any:
    if isinstance(data, np.ndarray):
        data = data.tolist()
    return tuple(map(_data, data)) if isinstance(data, list | tuple) else data


def model(rng: Rng) -> PlainModel:
    """A random model; of some tens one has a wide domain, of three one an objective."""
    while True:
        try:
            if rng.random() < 0.25:
                return large(rng)
            wide = 100 * int(rng.random() < 0.04)
            first = [*NUMBERS, *CONSTRAINTS, ""][int(rng.integers(len(NUMBERS) + len(CONSTRAINTS) + 1))]
            statement = drawn_statement(rng, first, wide)
            if rng.random() < 0.3:
                goal = Drawn.number(_again(statement, rng), 2)
                (statement.minimize if rng.random() < 0.5 else statement.maximize)(goal)
            statement.lowered()
        except ModelError as error:
            if "smaller domains" not in str(error):
                raise
        else:
            return plain(statement)


SIZES = (10**4, 2**16, 10**6, 2**29, 10**9, 2**31, 2**40, 10**12, 2**53, 2**60, 2**62 - 1)


class LargeDrawn(Drawn):
    """With large numbers: variables of few values in wide domains, and constants that expressions really reach."""

    def __init__(self, rng: Rng) -> None:
        self.among: dict[int, list[int]] = {}
        self.scale = int(rng.choice(SIZES))
        super().__init__(rng)

    def variable(self, name: str) -> Any:
        rng = self.rng
        if rng.random() < 0.25:
            return super().variable(name)
        scale = self.pick([size for size in SIZES if size <= self.scale])
        low = -scale if rng.random() < 0.4 else 0
        some = [low, scale, scale - 1, scale // 2, 0, 1, 7, *rng.integers(low, scale, 4).tolist()]
        values = sorted(set(rng.choice(some, int(rng.integers(1, 5)), replace=False).tolist()))
        if rng.random() < 0.3:
            return self.statement.integer(name, values)
        self.among[len(self.statement.domains)] = [low, scale, *values]
        return self.statement.integer(name, low, scale)

    def number(self, depth: int) -> Any:
        if self.rng.random() < 0.15:
            a, b = self.pick(SIZES), self.pick([-1, 1])
            made = a * b * e.integer(self.pick(self.integers))
            return made if self.rng.random() < 0.5 else made + self.pick(SIZES) * e.integer(self.pick(self.integers))
        return super().number(depth)

    def small(self, depth: int = 0) -> Any:
        return self.pick(self.integers) + self.pick([0, 0, 0, 1, -1, self.pick(SIZES)])

    def compare(self, depth: int) -> Any:
        one = e.integer(self.number(depth))
        if self.rng.random() < 0.4:
            return super().compare(depth)
        values = [int(self.pick(self.values(at))) for at in range(len(self.statement.domains))]
        other = (e.value_of(one, values) or 0) + self.pick([0, 0, 0, 1, -1])
        return self.pick([one == other, one != other, one <= other, one < other, one >= other, one > other])

    def values(self, number: int) -> Any:
        if number in self.among:
            return self.among[number][2:]
        domain = self.statement.domains[number]
        return range(domain[0], domain[1] + 1) if isinstance(domain, tuple) else domain.tolist()


MOST_ROWS = 20_000
"""Constraints of a random model: more take a minute, and say no more."""


def large(rng: Rng) -> PlainModel:
    """A random model with large numbers. ModelError: they are too large."""
    drawn = LargeDrawn(rng)
    for _ in range(int(rng.integers(1, 4))):
        drawn.statement.add(drawn.compare(2) if rng.random() < 0.7 else drawn.constraint(2))
    if rng.random() < 0.3:
        (drawn.statement.minimize if rng.random() < 0.5 else drawn.statement.maximize)(drawn.number(2))
    made = plain(drawn.statement)
    domains = [("among", *drawn.among[at]) if at in drawn.among else one for at, one in enumerate(made.domains)]
    made = replace(made, domains=tuple(domains))
    rows = sum(len(family) for family in made.statement.lowered().csp.constraints if isinstance(family, Clauses))
    if rows > MOST_ROWS:
        raise ModelError(f"{rows:,} constraints: give smaller domains")
    return made


def _again(statement: Problem, rng: Rng) -> Drawn:
    """To draw more over the variables that there are."""
    drawn = Drawn.__new__(Drawn)
    drawn.rng, drawn.statement, drawn.wide = rng, statement, 0
    drawn.integers = [one for one in statement.variables if one.op == "variable"]
    drawn.booleans = [one for one in statement.variables if one.op == "boolean"]
    return drawn


def smaller(case: PlainModel) -> Iterator[Callable[[], PlainModel]]:
    """With a constraint, the objective, a part of an expression or a value less."""
    for at in range(len(case.constraints)):
        yield lambda at=at: replace(case, constraints=case.constraints[:at] + case.constraints[at + 1 :])
        for less in _less(case.constraints[at]):
            yield lambda at=at, less=less: replace(
                case, constraints=(*case.constraints[:at], less, *case.constraints[at + 1 :])
            )
    if case.goal:
        yield lambda: replace(case, goal=())
        for less in _less(case.goal[1]):
            yield lambda less=less: replace(case, goal=(case.goal[0], less))
    for at, (what, *about) in enumerate(case.domains):
        if what == "to" and about[0] < about[1]:
            fewer = [("to", about[0] + 1, about[1]), ("to", about[0], about[1] - 1)]
        else:
            first = 2 if what == "among" else 0
            each = range(first, len(about)) if len(about) > first + 1 + (not first) else ()
            fewer = [(what, *about[:i], *about[i + 1 :]) for i in each]
        for one in fewer if what != "bool" else ():
            yield lambda at=at, one=one: replace(case, domains=(*case.domains[:at], one, *case.domains[at + 1 :]))


def _less(root: Plain) -> Iterator[Plain]:
    op, data, *operands = root
    if op in ("variable", "boolean"):
        return
    number = op in _NUMBERS
    for operand in operands:
        if (operand[0] in _NUMBERS) == number:
            yield operand
    if root not in (("constant", 0), ("truth", True), ("truth", False)):
        yield from [("constant", 0)] if number else [("truth", True), ("truth", False)]
    if op in ("table", "regular"):
        rows = data if op == "table" else data[0]
        for at in range(len(rows)):
            fewer = (*rows[:at], *rows[at + 1 :])
            yield (op, fewer if op == "table" else (fewer, *data[1:]), *operands)
    for at, operand in enumerate(operands):
        if op in _OPEN and len(operands) > 1:
            yield (op, data, *operands[:at], *operands[at + 1 :])
        if op == "sum":
            yield (op, ((*data[0][:at], *data[0][at + 1 :]), data[1]), *operands[:at], *operands[at + 1 :])
        for less in _less(operand):
            yield (op, data, *operands[:at], less, *operands[at + 1 :])
