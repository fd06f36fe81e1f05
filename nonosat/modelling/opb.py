"""A CSP as pseudo-Boolean constraints: a name a bound of each variable, and each family by what it means.

``x3_2`` is true iff variable 3 is at most its least value and 2. A comparison is a literal; a linear constraint is one
line over these names, since a variable is its greatest value less the number of its names that are true. Where a clause
has a membership, or a table a row, there is a name for that, which the statement defines. Nodes and arcs of an
automaton's graph have names that say that they are marked: marked arcs hold, and a marked node goes on and comes from
somewhere, so that there is a path among the marks.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import combinations
from typing import Any

import numpy as np

from nonosat.certificates.statement.model import Literal, PBConstraint, Statement, constraint
from nonosat.certificates.steps import LARGEST, negation
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
    """The constraints of ``csp``; proofs are about the formula of ``named_graphs(csp)``."""

    csp: CSP
    constraints: list[PBConstraint] = field(default_factory=list)
    _defined: dict[tuple[int, int, int], str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.lower, self.upper = self.csp.lower.tolist(), self.csp.upper.tolist()
        self._numbers = {name: number for number, name in enumerate(self.csp.names())}
        self._rows = self._nodes = 0
        if (names := sum(self.upper) - sum(self.lower)) > MOST_LINES:
            raise UnsupportedError(f"the statement has a name a value, which are {names:,}: there are no certificates")
        for v, (low, high) in enumerate(zip(self.lower, self.upper, strict=True)):
            for bound in range(low, high - 1):
                self.clause([negation(self.at_most(v, bound)), self.at_most(v, bound + 1)])
        for family in (*([] if self.csp.gaps is None else [self.csp.gaps.clauses()]), *self.csp.constraints):
            self._state(family)

    def statement(self, board: bool = False) -> Statement:
        """As writers of proofs take it; ``board``: with a name for each value of a cell but 0, which tell solutions."""
        names: dict[str, tuple[int, int, int]] = {}
        cells = [(r, c, v) for r, row in enumerate(self.csp.board.tolist()) for c, v in enumerate(row)] if board else []
        for row, column, v in cells:
            for value in filter(None, self.csp.values(v)):
                name = f"c{row}_{column}_{value}"
                names[name] = row, column, value
                known = self._defined.get((v, value, value))
                self._all_of(name, [known] if known else list(map(negation, self._not(v, value))))
        return Statement(names, lambda: self.constraints, self._at_most, between=self._between)

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
        if max((abs(coefficient) for coefficient, _ in terms), default=0) > LARGEST or abs(degree) > LARGEST:
            raise UnsupportedError(f"a number over {LARGEST:,} in the statement: there are no certificates")
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

    def excluded(self, variables: Iterable[int], values: Iterable[int]) -> None:
        """The variables have not all of these values."""
        self.clause(
            literal
            for v, value in zip(variables, values, strict=True)
            for literal in (self.at_most(v, value - 1), negation(self.at_most(v, value)))
        )

    def _at_most(self, name: str, bound: int) -> list[Literal] | None:
        if name in self._numbers:
            return [self.at_most(self._numbers[name], bound)]
        if name[0] in "pr" and name[1:].isdecimal():  # a node, or a row or an arc
            return [bound > 0 if bound else negation(name)]
        return None

    def _between(self, name: str, low: int, high: int) -> str | None:
        return self._defined.get((self._numbers.get(name, -1), low, high))

    # Families.

    def _state(self, family: Constraint) -> None:
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
                    for value in self.csp.values(left):
                        self.clause([*self._not(left, value), *self._not(right, value + distance)])
            case Product():
                for left, right, result in _columns(family.left, family.right, family.result):
                    for one in self.csp.values(left):
                        for other in self.csp.values(right):
                            unless = [*self._not(left, one), *self._not(right, other)]
                            self.clause([*unless, self.at_most(result, one * other)])
                            self.clause([*unless, negation(self.at_most(result, one * other - 1))])
            case AllDifferent():
                for group in family.each():
                    self._different(group.tolist())
            case Paths() if _is_table(family):
                self._table(family)
            case Paths():
                self._graph(family)
            case _:
                raise UnsupportedError(f"{type(family).__name__}: such constraints have no certificates")

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

    def _table(self, family: Paths) -> None:
        begin, names = 0, []
        for end in family.ends.tolist():
            names.append(f"r{self._rows}")
            self._rows += 1
            pairs = zip(family.variables[begin:end].tolist(), family.values[begin:end].tolist(), strict=True)
            self._all_of(names[-1], [part for v, value in pairs for part in map(negation, self._not(v, value))])
            begin = end
        self.clause(names)

    def _graph(self, family: Paths) -> None:
        nodes = [f"p{self._nodes + number}" for number in range(family.nodes)]
        arcs = [f"r{self._rows + number}" for number in range(len(family.tail))]
        self._nodes, self._rows = self._nodes + len(nodes), self._rows + len(arcs)
        out: list[list[str]] = [[] for _ in nodes]
        into: list[list[str]] = [[] for _ in nodes]
        begin = 0
        for name, tail, head, end in zip(arcs, *_lists(family.tail, family.head, family.ends), strict=True):
            pairs = zip(family.variables[begin:end].tolist(), family.values[begin:end].tolist(), strict=True)
            parts = [part for v, value in pairs for part in map(negation, self._not(v, value))]
            for part in (nodes[tail], nodes[head], *parts):
                self.clause([negation(name), part])
            out[tail].append(name)
            into[head].append(name)
            begin = end
        for ends, needed in ((family.sinks, out), (family.sources, into)):
            exempt = set(ends.tolist())
            for number, some in enumerate(needed):
                if number in exempt:
                    self.clause([nodes[number]])
                else:
                    self.clause([negation(nodes[number]), *some])


def _is_table(family: Paths) -> bool:
    return family.nodes == 2 * len(family.sources) == 2


def named_graphs(csp: CSP) -> CSP:
    """The CSP whose graphs say, for proofs, what the statement of it calls their nodes and arcs."""
    nodes = arcs = 0
    families: list[Constraint] = []
    for family in csp.constraints:
        if isinstance(family, Paths):
            first = None if _is_table(family) else nodes
            nodes += 0 if first is None else family.nodes
            family = replace(family, meanings=partial(_graph_means, first, arcs))
            arcs += len(family.tail)
        families.append(family)
    return replace(csp, constraints=tuple(families))


def _graph_means(first_node: int | None, first_arc: int, node: Ints, arc: Ints) -> Iterator[Entry]:
    for number, one in enumerate(node.tolist(), first_node or 0):
        yield Means(one, () if first_node is None else (Within(f"p{number}", 1, 1),))
    for number, one in enumerate(arc.tolist(), first_arc):
        yield Means(one, (Within(f"r{number}", 1, 1),))


def _lists(*columns: Any) -> list[list[int]]:
    return [np.asarray(column).tolist() for column in columns]


def _columns(*columns: Any) -> Iterator[tuple[int, ...]]:
    return zip(*_lists(*columns), strict=True)
