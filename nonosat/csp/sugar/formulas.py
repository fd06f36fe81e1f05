"""From a circuit to a CSP: what is required, as linear constraints and clauses, with as few auxiliaries as is simple.

The clauses are Tseitin's with Plaisted & Greenbaum's polarities (*A structure-preserving clause form translation*,
J. Symbolic Computation 2, 1986): a 0/1 integer that stands for a formula implies it where the formula is used
positively, and its negation where it is used negatively. So the solutions, projected on the variables that were there
before, are exactly those of the formulas; auxiliaries may have several values in one.

>>> c = Circuit()
>>> x, y = c.integer("x", 0, 2), c.integer("y", 0, 2)
>>> c.require(c.some([c.at_most(x, 0), c.not_positive(LinearTerm({x: 1, y: -1}, 1))]))  # x <= 0 or x + 1 <= y
>>> csp = stated(c, 2)
>>> csp.names(), csp.board.tolist(), len(csp.constraints)
(['x', 'y', 'aux(1)'], [[0, 1]], 2)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from math import gcd
from typing import TypeAlias

from nonosat.csp.build import Model
from nonosat.csp.model import CSP, NEVER
from nonosat.errors import UnsupportedError

# Linear terms over integer variables, and how large their numbers may be.


LARGEST = -NEVER - 1
"""No value and no sum may be larger than this: what the compilers calculate with 32 bits then stays right."""


@dataclass(frozen=True, eq=False)
class LinearTerm:
    """``sum(coefficient * variable) + constant``."""

    coefficients: Mapping[int, int]
    constant: int = 0

    def times(self, factor: int) -> LinearTerm:
        """``factor`` times this."""
        return LinearTerm({v: a * factor for v, a in self.coefficients.items()}, self.constant * factor)

    def minus(self, other: LinearTerm, constant: int = 0) -> LinearTerm:
        """The difference, and ``constant``."""
        merged = dict(self.coefficients)
        for variable, coefficient in other.coefficients.items():
            merged[variable] = merged.get(variable, 0) - coefficient
        return LinearTerm(merged, self.constant - other.constant + constant)

    def key(self) -> tuple[tuple[tuple[int, int], ...], int]:
        """What equal terms have in common."""
        return tuple(sorted((v, a) for v, a in self.coefficients.items() if a)), self.constant


def total(terms: Iterable[LinearTerm]) -> LinearTerm:
    """The sum of ``terms``."""
    first, *others = sorted(terms, key=lambda term: len(term.coefficients), reverse=True) or [LinearTerm({})]
    merged, constant = dict(first.coefficients), first.constant
    for term in others:
        constant += term.constant
        for variable, coefficient in term.coefficients.items():
            merged[variable] = merged.get(variable, 0) + coefficient
    return LinearTerm(merged, constant)


def checked(*values: int) -> None:
    """OverflowError if one of ``values`` is over ``LARGEST``."""
    for value in values:
        if abs(value) > LARGEST:
            shown = str(value) if abs(value) < 10**20 else "one of over 20 digits"
            raise OverflowError(f"a number too large: {shown}; the limit is {LARGEST}")


# What a formula can be: a comparison, a gate over formulas, or pairwise different values.


Formula: TypeAlias = int
TRUE: Formula = 1
FALSE: Formula = -1


@dataclass(frozen=True)
class Bound:
    """``variable <= bound``, which the variable's domain does not settle."""

    variable: int
    bound: int


@dataclass(frozen=True)
class LinearSum:
    """``sum(a * v) <= bound`` for the terms (v, a): two at least, no common divisor, the first coefficient positive."""

    terms: tuple[tuple[int, int], ...]
    bound: int


@dataclass(frozen=True)
class All:
    """Every one of ``parts``."""

    parts: tuple[Formula, ...]


@dataclass(frozen=True)
class Same:
    """``left`` exactly if ``right``."""

    left: Formula
    right: Formula


@dataclass(frozen=True)
class Different:
    """The variables have pairwise different values."""

    variables: tuple[int, ...]


Node: TypeAlias = Bound | LinearSum | All | Same | Different


# Any Boolean structure over linear comparisons: variables, formulas, and which of these are required.
#
# A formula is a number: that of a node, or minus that for its negation. Equal nodes get equal numbers, so that what is
# said twice is encoded once.


class Circuit:
    """Variables and formulas, and what is required of them. OverflowError: over ``LARGEST``."""

    def __init__(self) -> None:
        self.model = Model()
        self.domains: list[tuple[int, int]] = []
        self.nodes: list[Node] = [All(()), All(())]  # 0 is nothing, 1 is TRUE
        self._numbers: dict[Node, int] = {All(()): 1}
        self.required: dict[Formula, None] = {}
        self._auxiliaries: dict[object, int] = {}

    def integer(self, name: str, lower: int, upper: int) -> int:
        """A new variable; auxiliaries come by themselves, so declare those that matter first."""
        checked(lower, upper)
        self.domains.append((lower, upper))
        return self.model.integer(name, lower, upper)

    def auxiliary(self, key: object, lower: int = 0, upper: int = 1) -> tuple[int, bool]:
        """The auxiliary that stands for ``key``, and whether it is new. No name in a text can be one of theirs."""
        if key in self._auxiliaries:
            return self._auxiliaries[key], False
        self._auxiliaries[key] = self.integer(f"aux({len(self._auxiliaries) + 1})", lower, upper)
        return self._auxiliaries[key], True

    def bounds(self, term: LinearTerm) -> tuple[int, int]:
        """The least and the greatest value that the domains allow ``term``."""
        low = high = term.constant
        largest = abs(term.constant)
        for variable, coefficient in term.coefficients.items():
            domain = self.domains[variable]
            least, most = coefficient * domain[coefficient < 0], coefficient * domain[coefficient > 0]
            low, high = low + least, high + most
            largest += max(abs(coefficient), -least, most)
        checked(largest)
        return low, high

    def variable(self, term: LinearTerm) -> int:
        """A variable that is equal to ``term``."""
        coefficients, constant = term.key()
        if len(coefficients) == 1 and coefficients[0][1] == 1 and not constant:
            return coefficients[0][0]
        variable, new = self.auxiliary(term.key(), *self.bounds(term))
        if new:
            self.require(self.equal(term, LinearTerm({variable: 1})))
        return variable

    def greatest(self, terms: Sequence[LinearTerm]) -> LinearTerm:
        """The greatest of ``terms``, as an auxiliary."""
        bounds = [self.bounds(term) for term in terms]
        key = ("max", *(term.key() for term in terms))
        variable, new = self.auxiliary(key, *(max(bound[side] for bound in bounds) for side in (0, 1)))
        result = LinearTerm({variable: 1})
        if new:
            self.require(self.every([self.not_positive(term.minus(result)) for term in terms]))
            self.require(self.some([self.not_positive(result.minus(term)) for term in terms]))
        return result

    def choice(self, condition: Formula, then: LinearTerm, otherwise: LinearTerm) -> LinearTerm:
        """``then`` if ``condition``, else ``otherwise``; an auxiliary."""
        bounds = [self.bounds(term) for term in (then, otherwise)]
        key = ("if", condition, then.key(), otherwise.key())
        variable, new = self.auxiliary(key, min(low for low, _ in bounds), max(high for _, high in bounds))
        result = LinearTerm({variable: 1})
        if new:
            self.require(self.some([-condition, self.equal(result, then)]))
            self.require(self.some([condition, self.equal(result, otherwise)]))
        return result

    def at_most(self, variable: int, bound: int) -> Formula:
        """``variable <= bound``."""
        low, high = self.domains[variable]
        return TRUE if bound >= high else FALSE if bound < low else self._node(Bound(variable, bound))

    def not_positive(self, term: LinearTerm) -> Formula:
        """``term <= 0``."""
        terms, constant = term.key()
        low, high = self.bounds(term)
        if high <= 0 or low > 0:
            return TRUE if high <= 0 else FALSE
        divisor = gcd(*(a for _, a in terms))
        bound = -constant // divisor
        if len(terms) == 1:
            variable, coefficient = terms[0]
            return self.at_most(variable, bound) if coefficient > 0 else -self.at_most(variable, -bound - 1)
        terms = tuple((v, a // divisor) for v, a in terms)
        if terms[0][1] < 0:
            return -self._node(LinearSum(tuple((v, -a) for v, a in terms), -bound - 1))
        return self._node(LinearSum(terms, bound))

    def equal(self, one: LinearTerm, other: LinearTerm) -> Formula:
        """``one = other``."""
        return self.every([self.not_positive(one.minus(other)), self.not_positive(other.minus(one))])

    def every(self, parts: Iterable[Formula]) -> Formula:
        """The conjunction of ``parts``."""
        distinct = set(parts) - {TRUE}
        if FALSE in distinct or any(-part in distinct for part in distinct):
            return FALSE
        return distinct.pop() if len(distinct) == 1 else self._node(All(tuple(sorted(distinct))))

    def some(self, parts: Iterable[Formula]) -> Formula:
        """The disjunction of ``parts``."""
        return -self.every(-part for part in parts)

    def same(self, one: Formula, other: Formula) -> Formula:
        """``one`` exactly if ``other``."""
        left, right = sorted((abs(one), abs(other)))
        sign = 1 if one * other > 0 else -1
        if left == right:
            return sign * TRUE
        return sign * (right if left == TRUE else self._node(Same(left, right)))

    def different(self, terms: Sequence[LinearTerm]) -> Formula:
        """Pairwise different values."""
        variables = sorted(self.variable(term) for term in terms)
        for variable in variables:
            self.bounds(LinearTerm({variable: 2}))  # no difference of two may be too large
        if len(set(variables)) < len(variables):
            return FALSE
        return TRUE if len(variables) < 2 else self._node(Different(tuple(variables)))

    def require(self, formula: Formula) -> None:
        """``formula`` must hold."""
        self.required[formula] = None

    def _node(self, node: Node) -> Formula:
        if node not in self._numbers:
            self._numbers[node] = len(self.nodes)
            self.nodes.append(node)
        return self._numbers[node]


MOST_DIFFERENT = 100
"""The most terms of an all-different inside another formula: there it is stated pair by pair."""
_SMALL = 3  # comparisons that may be repeated rather than named


def stated(circuit: Circuit, board: int) -> CSP:
    """The CSP of all that ``circuit`` requires; its first ``board`` variables are the board. To be asked for once."""
    statement = _Statement(circuit)
    work = [[formula] for formula in reversed(circuit.required)]
    while work:
        work += reversed(list(statement.state(work.pop())))
    csp = circuit.model.csp()
    return replace(csp, board=csp.board[:, :board])


class _Statement:
    """What of ``circuit`` has been stated, spelled out and named so far."""

    def __init__(self, circuit: Circuit) -> None:
        self.circuit = circuit
        self._stated: set[Formula] = set()
        self._spelled: set[Formula] = set()
        self._defined: set[Formula] = set()

    def state(self, parts: list[Formula]) -> Iterator[list[Formula]]:
        """State the disjunction of ``parts``; yields the clauses that this leaves to be stated."""
        opened = self._opened(parts)
        if opened is None:
            return
        comparisons, others = opened
        if len(others) == 1:
            [other] = others
            node = self.circuit.nodes[abs(other)]
            if not comparisons:
                yield from self._alone(other, node)
                return
            if other > 0 and isinstance(node, All) and len(comparisons) < _SMALL and self._opens(other, node):
                yield from ([*comparisons, part] for part in node.parts)
                return
        for other in others:
            named, definition = self._named(other)
            comparisons.append(named)
            yield from definition
        if comparisons:
            self.circuit.model.clause(*map(self._comparison, comparisons))
        else:
            impossible, _ = self.circuit.auxiliary("false", 0, 0)
            self.circuit.model.clause(self.circuit.model.at_least(impossible, 1))

    def _opened(self, parts: list[Formula]) -> tuple[list[Formula], list[Formula]] | None:
        """The comparisons and the other formulas of a clause, inner disjunctions opened; None if it is always true."""
        comparisons: dict[Formula, None] = {}
        others: dict[Formula, None] = {}
        stack = parts[::-1]
        while stack:
            part = stack.pop()
            node = self.circuit.nodes[abs(part)]
            if part == TRUE or -part in comparisons or -part in others:
                return None
            if part == FALSE:
                continue
            if part < 0 and isinstance(node, All) and self._opens(part, node):
                stack += (-inner for inner in reversed(node.parts))
            else:
                (comparisons if isinstance(node, Bound) else others)[part] = None
        return list(comparisons), list(others)

    def _opens(self, formula: Formula, node: All) -> bool:
        """Is ``formula`` spelled out here? A few comparisons always are, all else once, or formulas would explode."""
        nodes = self.circuit.nodes
        short = len(node.parts) <= _SMALL and all(isinstance(nodes[abs(part)], Bound) for part in node.parts)
        first = formula not in self._spelled
        self._spelled.add(formula)
        return short or first

    def _alone(self, formula: Formula, node: Node) -> Iterator[list[Formula]]:
        """State ``formula`` by itself, once."""
        if formula in self._stated:
            return
        self._stated.add(formula)
        if isinstance(node, LinearSum):
            self._linear([(a, v) for v, a in node.terms], node.bound, formula > 0)
        elif isinstance(node, Different) and formula > 0:
            self.circuit.model.all_different(node.variables)
        else:
            yield from self._clauses(formula, node)

    def _named(self, formula: Formula) -> tuple[Formula, list[list[Formula]]]:
        """A comparison of an auxiliary that implies ``formula``, and the clauses that make it so (once)."""
        variable, _ = self.circuit.auxiliary(abs(formula))
        name = -self.circuit.at_most(variable, 0) if formula > 0 else self.circuit.at_most(variable, 0)
        if formula in self._defined:
            return name, []
        self._defined.add(formula)
        node = self.circuit.nodes[abs(formula)]
        if not isinstance(node, LinearSum):
            return name, [[-name, *clause] for clause in self._clauses(formula, node)]
        # With the auxiliary at its other value, the bound is one that every sum keeps.
        low, high = self.circuit.bounds(LinearTerm(dict(node.terms)))
        slack = high - node.bound if formula > 0 else node.bound + 1 - low
        terms = [(slack, variable), *((a, v) for v, a in node.terms)]
        self._linear(terms, high if formula > 0 else node.bound, formula > 0)
        return name, []

    def _clauses(self, formula: Formula, node: Node) -> Iterator[list[Formula]]:
        """The clauses that say ``formula``, a gate."""
        match node:
            case All(parts) if formula > 0:
                yield from ([part] for part in parts)
            case All(parts):
                yield [-part for part in parts]
            case Same(left, right):
                signed = right if formula > 0 else -right
                yield [-left, signed]
                yield [left, -signed]
            case Different(variables):
                pairwise = self._pairwise(variables)
                yield [pairwise if formula > 0 else -pairwise]

    def _pairwise(self, variables: tuple[int, ...]) -> Formula:
        if len(variables) > MOST_DIFFERENT:
            raise UnsupportedError(f"alldifferent of over {MOST_DIFFERENT} terms inside another formula")
        terms = [LinearTerm({variable: 1}) for variable in variables]
        return self.circuit.every([-self.circuit.equal(one, other) for one, other in combinations(terms, 2)])

    def _linear(self, terms: list[tuple[int, int]], bound: int, at_most: bool) -> None:
        """``sum(a * v) <= bound``, or ``> bound``. Small terms come first, so that their partial sums are small too."""
        domains = self.circuit.domains
        terms.sort(key=lambda term: abs(term[0]) * (domains[term[1]][1] - domains[term[1]][0]))
        self.circuit.model.linear(terms, "<=" if at_most else ">", bound)

    def _comparison(self, formula: Formula) -> tuple[int, int, bool]:
        node = self.circuit.nodes[abs(formula)]
        assert isinstance(node, Bound)
        if formula > 0:
            return self.circuit.model.at_most(node.variable, node.bound)
        return self.circuit.model.at_least(node.variable, node.bound + 1)
