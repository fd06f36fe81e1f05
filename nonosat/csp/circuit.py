"""From formulas to a CSP: what is required, as linear constraints and clauses, with as few auxiliaries as is simple.

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

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from math import gcd
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from nonosat.csp.build import Builder
from nonosat.csp.flatten import LISTED
from nonosat.csp.model import (
    CSP,
    LARGEST,
    AnyInts,
    Clauses,
    Column,
    Constraint,
    Differ,
    Gaps,
    Ints,
    Precedes,
    at_least,
    ints,
    numbers,
    outside,
    ranges,
)
from nonosat.errors import UnsupportedError

# Linear terms over integer variables, whose numbers may be as large as ``LARGEST``.


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
    """``variable <= bound``, which the variable's domain does not decide."""

    variable: int
    bound: int


@dataclass(frozen=True)
class LinearSum:
    """``sum(a * v) <= bound`` for the terms (v, a): two at least, no common divisor, the first coefficient positive."""

    terms: tuple[tuple[int, int], ...]
    bound: int


@dataclass(frozen=True)
class EqualSum:
    """``sum(a * v) = value`` for the terms (v, a), as in ``LinearSum``."""

    terms: tuple[tuple[int, int], ...]
    value: int


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


@dataclass(frozen=True, eq=False)
class Global:
    """A constraint that is stated in one of several ways; each may require more, and is called once at most.

    ``post``: it must hold. ``refuse``: it must not (None: by ``spelled``). ``spelled``: a formula that is equivalent,
    for where it is a part of another.
    """

    post: Callable[[], None]
    spelled: Callable[[], Formula]
    refuse: Callable[[], None] | None = None


Node: TypeAlias = Bound | LinearSum | EqualSum | All | Same | Different | Global


# Any Boolean structure over linear comparisons: variables, formulas, and which of these are required.
#
# A formula is a number: that of a node, or minus that for its negation. Equal nodes get equal numbers, so that what is
# said twice is encoded once.


class Circuit:
    """Variables and formulas, and what is required of them. OverflowError: over ``LARGEST``."""

    def __init__(self) -> None:
        self.model = Builder()
        self.domains: list[tuple[int, int]] = []
        self.nodes: list[Node] = [All(()), All(())]  # 0 is nothing, 1 is TRUE
        self._numbers: dict[Node, int] = {All(()): 1}
        self.required: dict[Formula, None] = {}
        self._auxiliaries: dict[object, int] = {}
        self.values: dict[int, npt.NDArray[np.int64]] = {}
        """The domains that are not all of ``lower..upper``, sorted."""
        self.implied: set[int] = set()
        """Auxiliaries whose gaps follow from what defines them."""
        self.families: list[Constraint] = []
        self._different: list[tuple[int, int, int, int, int, int]] = []
        self._ordered: list[tuple[int, int, int]] = []

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

    def several(self, count: int, lower: int = 0, upper: int = 1) -> Ints:
        """``count`` auxiliaries in a row."""
        checked(lower, upper)
        first = len(self.domains)
        self.domains += [(lower, upper)] * count
        self.model.integers([f"part({first + i})" for i in range(count)], lower, upper)
        return np.arange(first, first + count, dtype=np.int32)

    def size(self, variable: int) -> int:
        """How many values a variable has."""
        low, high = self.domains[variable]
        return len(self.values[variable]) if variable in self.values else high - low + 1

    def wide(self, variable: int) -> bool:
        """Has it too many values for a clause each, so that sums and comparisons are to be said by bounds?"""
        return self.size(variable) > LISTED

    def domain(self, variable: int) -> npt.NDArray[np.int64]:
        """The values of a variable, sorted. OverflowError: there are too many to be listed."""
        if self.size(variable) > MOST_LISTED:
            raise OverflowError(f"{self.size(variable):,} values of a variable would be listed")
        return self.among(variable, *self.domains[variable])

    def among(self, variable: int, low: int, high: int) -> npt.NDArray[np.int64]:
        """The values of a variable from ``low`` to ``high``, sorted."""
        if variable in self.values:
            values = self.values[variable]
            return values[(values >= low) & (values <= high)]
        least, most = self.domains[variable]
        return np.arange(max(low, least), min(high, most) + 1, dtype=np.int64)

    def has(self, variable: int, values: npt.NDArray[np.int64]) -> npt.NDArray[np.bool_]:
        """Which of ``values`` a variable may have."""
        if variable in self.values:
            return np.isin(values, self.values[variable])
        low, high = self.domains[variable]
        return (values >= low) & (values <= high)

    def only(self, variable: int, values: npt.NDArray[np.int64]) -> None:
        """The variable has one of ``values`` (sorted), the ends of its domain among them."""
        low, high = self.domains[variable]
        if len(values) <= high - low:
            self.values[variable] = values

    def results(self, auxiliary: int, values: Iterable[npt.NDArray[np.int64] | None]) -> None:
        """What defines a new ``auxiliary`` gives it only ``values``, in several arrays; None: too many to be listed."""
        low, high = self.domains[auxiliary]
        parts = list[npt.NDArray[np.int64]]()
        for part in values:
            if part is None:
                return
            parts.append(part)
        every = np.unique(np.concatenate(parts))
        every = every[every >= low]  # of a greatest value, those are no results
        if len(every) <= high - low:
            self.values[auxiliary] = every
            self.implied.add(auxiliary)

    def possible(self, term: LinearTerm, most: int) -> npt.NDArray[np.int64] | None:
        """The values that domains allow ``term``, sorted. None: they combine in more than ``most`` ways."""
        ways = 1
        for variable in term.coefficients:
            ways *= self.size(variable)
            if ways > most:
                return None
        values = np.array([term.constant], dtype=np.int64)
        for variable, coefficient in term.coefficients.items():
            values = np.unique(np.add.outer(values, coefficient * self.domain(variable)))
        return values

    def indicator(self, formula: Formula) -> LinearTerm:
        """1 where ``formula`` holds, else 0."""
        if abs(formula) == TRUE:
            return LinearTerm({}, int(formula > 0))
        node = self.nodes[abs(formula)]
        if isinstance(node, Bound) and self.domains[node.variable] == (0, 1):
            one = LinearTerm({node.variable: 1})
        else:
            variable, new = self.auxiliary(("indicator", abs(formula)))
            one = LinearTerm({variable: 1})
            if new:
                self.require(self.same(self.at_most(variable, 0), abs(formula)))
        return LinearTerm({}, 1).minus(one) if formula > 0 else one

    def bounds(self, term: LinearTerm, check: bool = True) -> tuple[int, int]:
        """The least and the greatest value that the domains allow ``term``; no sum of a part of it may be too large."""
        low = high = term.constant
        below, above = min(low, 0), max(low, 0)
        for variable, coefficient in term.coefficients.items():
            domain = self.domains[variable]
            least, most = coefficient * domain[coefficient < 0], coefficient * domain[coefficient > 0]
            low, high = low + least, high + most
            below += least if least < 0 else 0
            above += most if most > 0 else 0
            if coefficient > LARGEST or coefficient < -LARGEST:
                checked(coefficient)
        if check:
            checked(below, above)
        return low, high

    def variable(self, term: LinearTerm) -> int:
        """A variable that is equal to ``term``."""
        coefficients, constant = term.key()
        if len(coefficients) == 1 and coefficients[0][1] == 1 and not constant:
            return coefficients[0][0]
        low, high = self.bounds(term)
        variable, new = self.auxiliary(term.key(), low, high)
        if new:
            self.results(variable, [self.possible(term, min(high - low, MOST_RESULTS))])
            self.require(self.equal(term, LinearTerm({variable: 1})))
        return variable

    def greatest(self, terms: Sequence[LinearTerm]) -> LinearTerm:
        """The greatest of ``terms``, as an auxiliary."""
        bounds = [self.bounds(term) for term in terms]
        key = ("max", *(term.key() for term in terms))
        variable, new = self.auxiliary(key, *(max(bound[side] for bound in bounds) for side in (0, 1)))
        result = LinearTerm({variable: 1})
        if new:
            self.results(variable, (self.possible(term, MOST_RESULTS) for term in terms))
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
            self.results(variable, (self.possible(term, MOST_RESULTS) for term in (then, otherwise)))
            self.require(self.some([-condition, self.equal(result, then)]))
            self.require(self.some([condition, self.equal(result, otherwise)]))
        return result

    def at_most(self, variable: int, bound: int) -> Formula:
        """``variable <= bound``."""
        low, high = self.domains[variable]
        # The same of all bounds in a gap; but what defines an auxiliary must be exact without its gaps.
        if low <= bound < high and variable in self.values and variable not in self.implied:
            values = self.values[variable]
            bound = int(values[np.searchsorted(values, bound, side="right") - 1])
        return TRUE if bound >= high else FALSE if bound < low else self.node(Bound(variable, bound))

    def not_positive(self, term: LinearTerm) -> Formula:
        """``term <= 0``."""
        terms, constant = term.key()
        low, high = self.bounds(term, len(terms) > 1)  # a comparison of one variable is no sum
        if high <= 0 or low > 0:
            return TRUE if high <= 0 else FALSE
        divisor = gcd(*(a for _, a in terms))
        bound = -constant // divisor
        if len(terms) == 1:
            variable, coefficient = terms[0]
            return self.at_most(variable, bound) if coefficient > 0 else -self.at_most(variable, -bound - 1)
        terms = tuple((v, a // divisor) for v, a in terms)
        if terms[0][1] < 0:
            return -self.node(LinearSum(tuple((v, -a) for v, a in terms), -bound - 1))
        return self.node(LinearSum(terms, bound))

    def equal(self, one: LinearTerm, other: LinearTerm) -> Formula:
        """``one = other``."""
        terms, constant = one.minus(other).key()
        low, high = self.bounds(LinearTerm(dict(terms), constant), len(terms) > 1)
        if low > 0 or high < 0:
            return FALSE
        if not terms:
            return TRUE
        divisor = gcd(*(a for _, a in terms))
        if constant % divisor:
            return FALSE
        value, sign = -constant // divisor, 1 if terms[0][1] > 0 else -1
        terms = tuple((v, sign * a // divisor) for v, a in terms)
        if len(terms) > 1:
            return self.node(EqualSum(terms, sign * value))
        variable, value = terms[0][0], sign * value
        return self.every([self.at_most(variable, value), -self.at_most(variable, value - 1)])

    def differ(self, terms: Sequence[tuple[int, int]], value: int, unless: int = -1) -> None:
        """``a v + b w`` is not ``value`` for the two ``terms`` (v, a), (w, b), where ``unless`` (if any) is 0."""
        (v, a), (w, b) = sorted(terms, key=lambda term: self.wide(term[0]))
        self._different.append((v, a, w, b, value, unless))

    def precede(self, before: int, distance: int, after: int) -> None:
        """``before + distance <= after``."""
        self._ordered.append((before, distance, after))

    def shifted_differ(self, variables: Ints, offsets: AnyInts) -> None:
        """The sums ``variable + offset`` are pairwise different."""
        one, other = np.triu_indices(len(variables), 1)
        self.families.append(Differ(variables[one], offsets[one] - offsets[other], variables[other]))

    def stated_families(self) -> list[Constraint]:
        """All that was posted as families, and what was said to ``differ`` and to ``precede``."""
        found = list(self.families)
        if self._ordered:
            before, distance, after = zip(*self._ordered, strict=True)
            found.append(Precedes(ints(before), numbers(distance), ints(after)))
        rows = np.array(self._different, dtype=np.int64).reshape(-1, 6)
        simple = (rows[:, 1] == 1) & (rows[:, 3] == -1) & (rows[:, 5] < 0)  # v - w is not the value
        if simple.any():
            found.append(Differ(ints(rows[simple, 2]), numbers(rows[simple, 4]), ints(rows[simple, 0])))
        for guarded in (False, True):
            v, a, w, b, value, unless = rows[~simple & ((rows[:, 5] >= 0) == guarded)].T
            if not len(v):
                continue
            v, w, unless = ints(v), ints(w), ints(unless)
            lower, upper = (np.array([domain[side] for domain in self.domains]) for side in (0, 1))
            gaps = Gaps.of(self.values)
            row, one = ranges(lower[v], upper[v] + 1) if gaps is None else gaps.among(v, lower[v], upper[v])
            rest = value[row] - a[row] * one
            other = rest // b[row]
            kept = (rest % b[row] == 0) & (other >= lower[w[row]]) & (other <= upper[w[row]])
            if gaps is not None:
                kept &= gaps.has(w[row], other)
            row, one, other = row[kept], numbers(one[kept]), numbers(other[kept])
            columns: tuple[Column, ...] = (outside(v[row], one, one), outside(w[row], other, other))
            found.append(Clauses((*columns, at_least(unless[row], 1)) if guarded else columns))
        return found

    def every(self, parts: Iterable[Formula]) -> Formula:
        """The conjunction of ``parts``."""
        distinct = set(parts) - {TRUE}
        if FALSE in distinct or any(-part in distinct for part in distinct):
            return FALSE
        return distinct.pop() if len(distinct) == 1 else self.node(All(tuple(sorted(distinct))))

    def some(self, parts: Iterable[Formula]) -> Formula:
        """The disjunction of ``parts``."""
        return -self.every(-part for part in parts)

    def same(self, one: Formula, other: Formula) -> Formula:
        """``one`` exactly if ``other``."""
        left, right = sorted((abs(one), abs(other)))
        sign = 1 if one * other > 0 else -1
        if left == right:
            return sign * TRUE
        return sign * (right if left == TRUE else self.node(Same(left, right)))

    def different(self, terms: Sequence[LinearTerm]) -> Formula:
        """Pairwise different values."""
        keys = [term.key() for term in terms]
        if len(set(keys)) < len(keys):
            return FALSE
        shifts = [(v[0][0], c) for v, c in keys if len(v) == 1 and v[0][1] == 1]
        if len(shifts) == len(keys) > 1 and any(c for _, c in shifts) and sum(self.wide(v) for v, _ in shifts) < 2:
            return self.node(self._shifted_different(terms, shifts))
        variables = sorted(self.variable(term) for term in terms)
        for variable in variables:
            self.bounds(LinearTerm({variable: 2}))  # no difference of two may be too large
        if len(set(variables)) < len(variables):
            return FALSE
        if sum(map(self.wide, variables)) > 1:
            return self.pairwise([LinearTerm({variable: 1}) for variable in variables])
        return TRUE if len(variables) < 2 else self.node(Different(tuple(variables)))

    def _shifted_different(self, terms: Sequence[LinearTerm], shifts: list[tuple[int, int]]) -> Global:
        """Different values of terms that are variables plus constants: without an auxiliary for each."""
        variables, offsets = ints([v for v, _ in shifts]), numbers([c for _, c in shifts])

        def post() -> None:
            self.shifted_differ(variables, offsets)

        return Global(post, lambda: self.pairwise(terms))

    def pairwise(self, terms: Sequence[LinearTerm]) -> Formula:
        """The terms are pairwise different, pair by pair."""
        if len(terms) > MOST_DIFFERENT:
            raise UnsupportedError(f"alldifferent of over {MOST_DIFFERENT} terms inside another formula")
        return self.every([-self.equal(one, other) for one, other in combinations(terms, 2)])

    def require(self, formula: Formula) -> None:
        """``formula`` must hold."""
        self.required[formula] = None

    def node(self, node: Node) -> Formula:
        """The formula that ``node`` is; equal nodes are one formula."""
        if node not in self._numbers:
            self._numbers[node] = len(self.nodes)
            self.nodes.append(node)
        return self._numbers[node]


MOST_LISTED = 2**23
"""The most values of a variable whose values are listed, as functions of it are."""
MOST_RESULTS = 2**12
"""The most ways in which the values of a sum's terms combine that are tried, for the values of an auxiliary."""
MOST_DIFFERENT = 100
"""The most terms of an all-different inside another formula: there it is stated pair by pair."""
_SMALL = 3  # comparisons that may be repeated rather than named


def stated(circuit: Circuit, board: int) -> CSP:
    """The CSP of all that ``circuit`` requires; its first ``board`` variables are the board. To be called once."""
    statement = _Statement(circuit)
    known = 0
    while known < len(circuit.required):  # what is stated may require more
        work = [[formula] for formula in reversed(list(circuit.required)[known:])]
        known = len(circuit.required)
        while work:
            work += reversed(list(statement.state(work.pop())))
    csp = circuit.model.csp()
    constraints = (*csp.constraints, *circuit.stated_families())
    gaps = Gaps.of(circuit.values, circuit.implied)
    return replace(csp, board=csp.board[:, :board], constraints=constraints, gaps=gaps)


class _Statement:
    """What of ``circuit`` has been stated, spelled out and named so far."""

    def __init__(self, circuit: Circuit) -> None:
        self.circuit = circuit
        self._stated: set[Formula] = set()
        self._spelled: set[Formula] = set()
        self._defined: set[Formula] = set()
        self._formulas: dict[int, Formula] = {}

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
        elif isinstance(node, EqualSum) and formula < 0 and self._listed(node):
            self.circuit.differ(node.terms, node.value)
        elif isinstance(node, Global) and formula > 0:
            node.post()
        elif isinstance(node, Global) and node.refuse is not None:
            node.refuse()
        elif isinstance(node, Different) and formula > 0:
            self.circuit.model.all_different(node.variables)
        else:
            yield from self._clauses(formula, node)

    def _listed(self, node: EqualSum) -> bool:
        """Is the sum of two terms, so few of whose values make it what it should not be that each pair is a clause?"""
        return len(node.terms) == 2 and not all(self.circuit.wide(v) for v, _ in node.terms)

    def _named(self, formula: Formula) -> tuple[Formula, list[list[Formula]]]:
        """A comparison of an auxiliary that implies ``formula``, and the clauses that make it so (once)."""
        variable, _ = self.circuit.auxiliary(abs(formula))
        name = -self.circuit.at_most(variable, 0) if formula > 0 else self.circuit.at_most(variable, 0)
        if formula in self._defined:
            return name, []
        self._defined.add(formula)
        node = self.circuit.nodes[abs(formula)]
        if isinstance(node, EqualSum) and formula < 0 and self._listed(node):
            self.circuit.differ(node.terms, node.value, variable)
            return name, []
        if not isinstance(node, LinearSum):
            return name, [[-name, *clause] for clause in self._clauses(formula, node)]
        # With the auxiliary at its other value, the bound is one that every sum keeps.
        low, high = self.circuit.bounds(LinearTerm(dict(node.terms)))
        slack = high - node.bound if formula > 0 else node.bound + 1 - low
        most = high if formula > 0 else node.bound + 1
        self.circuit.bounds(LinearTerm({variable: slack, **dict(node.terms)}, -most))
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
            case EqualSum(terms, value):
                difference = LinearTerm(dict(terms), -value)
                bounds = [self.circuit.not_positive(term) for term in (difference, difference.times(-1))]
                yield from ([bound] for bound in bounds) if formula > 0 else [[-bound for bound in bounds]]
            case Different(variables):
                pairwise = self.circuit.pairwise([LinearTerm({variable: 1}) for variable in variables])
                yield [pairwise if formula > 0 else -pairwise]
            case Global():
                spelled = self._spelled_out(abs(formula), node)
                yield [spelled if formula > 0 else -spelled]

    def _spelled_out(self, number: Formula, node: Global) -> Formula:
        if number not in self._formulas:
            self._formulas[number] = node.spelled()
        return self._formulas[number]

    def _linear(self, terms: list[tuple[int, int]], bound: int, at_most: bool) -> None:
        """``sum(a * v) <= bound``, or ``> bound``. Small terms come first, so that their partial sums are small too."""
        if sorted(a for a, _ in terms) == [-1, 1] and not all(self.circuit.wide(v) for _, v in terms):
            (_, less), (_, more) = sorted(terms, reverse=at_most)
            self.circuit.precede(less, -bound if at_most else bound + 1, more)
            return
        domains = self.circuit.domains
        terms.sort(key=lambda term: abs(term[0]) * (domains[term[1]][1] - domains[term[1]][0]))
        self.circuit.model.linear(terms, "<=" if at_most else ">", bound)

    def _comparison(self, formula: Formula) -> tuple[int, int, bool]:
        node = self.circuit.nodes[abs(formula)]
        assert isinstance(node, Bound)
        if formula > 0:
            return self.circuit.model.at_most(node.variable, node.bound)
        return self.circuit.model.at_least(node.variable, node.bound + 1)
