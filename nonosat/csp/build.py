"""A scalar front to the columnar CSP, for people who state a new puzzle one constraint at a time.

>>> m = Builder()
>>> x, y = m.integer("x", 0, 3), m.integer("y", 0, 3)
>>> m.linear([(1, x), (1, y)], "=", 3)
>>> m.all_different([x, y])
>>> m.clause(m.at_most(x, 0), m.at_least(y, 2))
>>> csp = m.csp()
>>> [(a, b) for a in range(4) for b in range(4) if csp.holds(ints([a, b]))]
[(0, 3), (1, 2)]
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

import numpy as np

from nonosat.csp.model import CSP, AllDifferent, Block, Clauses, Comparison, Constraint, Linear, ints, numbers

Relation = Literal["<=", ">=", "=", "<", ">"]


class Builder:
    """Collects variables and constraints, then hands them out as a ``CSP``."""

    def __init__(self) -> None:
        self._names: list[str] = []
        self._lower: list[int] = []
        self._upper: list[int] = []
        self._linear: list[tuple[list[tuple[int, int]], int]] = []
        self._different: list[list[int]] = []
        self._clauses: list[tuple[tuple[int, int, bool], ...]] = []

    def integer(self, name: str, lower: int, upper: int) -> int:
        """A new variable with the domain ``lower..upper``; returns its number."""
        if lower > upper:
            raise ValueError(f"{name}: the domain {lower}..{upper} is empty")
        self._names.append(name)
        self._lower.append(lower)
        self._upper.append(upper)
        return len(self._names) - 1

    def integers(self, names: Sequence[str], lower: int, upper: int) -> None:
        """New variables with the same domain."""
        self._names += names
        self._lower += [lower] * len(names)
        self._upper += [upper] * len(names)

    def linear(self, terms: Sequence[tuple[int, int]], relation: Relation, bound: int) -> None:
        """``sum(coefficient * variable) relation bound``, for terms ``(coefficient, variable)``."""
        if relation in ("<=", "<", "="):
            self._linear.append((list(terms), bound - (relation == "<")))
        if relation in (">=", ">", "="):
            self._linear.append(([(-a, v) for a, v in terms], -bound - (relation == ">")))

    def all_different(self, variables: Iterable[int]) -> None:
        """Pairwise different values."""
        self._different.append(list(variables))

    @staticmethod
    def at_most(variable: int, bound: int) -> tuple[int, int, bool]:
        """``variable <= bound``, for ``clause``."""
        return variable, bound, False

    @staticmethod
    def at_least(variable: int, bound: int) -> tuple[int, int, bool]:
        """``variable >= bound``, for ``clause``."""
        return variable, bound, True

    def clause(self, *comparisons: tuple[int, int, bool]) -> None:
        """The disjunction of ``comparisons``."""
        self._clauses.append(comparisons)

    def csp(self) -> CSP:
        """Everything said so far; every variable is on the board, in order."""
        constraints: list[Constraint] = []
        if self._linear:
            flat = [term for terms, _ in self._linear for term in terms]
            constraints.append(
                Linear(
                    numbers([a for a, _ in flat]),
                    ints([v for _, v in flat]),
                    ints(np.cumsum([len(terms) for terms, _ in self._linear])),
                    numbers([bound for _, bound in self._linear]),
                )
            )
        if self._different:
            ends = ints(np.cumsum([len(group) for group in self._different]))
            constraints.append(AllDifferent(ints([v for group in self._different for v in group]), ends))
        shapes: dict[tuple[bool, ...], list[tuple[tuple[int, int, bool], ...]]] = {}
        for clause in self._clauses:  # those of one shape are one family
            shapes.setdefault(tuple(least for _, _, least in clause), []).append(clause)
        for shape, members in shapes.items():
            if not shape:
                none = ints([])
                constraints.append(Clauses((Comparison(none, none, rows=none),), len(members)))
                continue
            table = numbers([[(v, b) for v, b, _ in clause] for clause in members])
            columns = [
                Comparison(ints(table[:, i, 0].copy()), table[:, i, 1].copy(), least) for i, least in enumerate(shape)
            ]
            constraints.append(Clauses(tuple(columns)))
        blocks = tuple(Block(name, v, np.empty((1, 0), np.int32)) for v, name in enumerate(self._names))
        board = np.arange(len(self._names), dtype=np.int32).reshape(1, -1)
        return CSP(numbers(self._lower), numbers(self._upper), tuple(constraints), board, blocks)
