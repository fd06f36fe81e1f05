"""A finite CSP as data: integer variables with bounds, and columnar families of constraints over them.

Every family is a few integer arrays, one entry (or one slice) a constraint, so that a compiler turns a whole family
into clauses with array code. Each family can also say which assignments satisfy it (``holds``): slowly, from its
definition, sharing nothing with any compiler; the tests compare the two.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from operator import mul
from typing import Any, Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

from nonosat.csp.meanings import Entry, Meanings

Ints: TypeAlias = npt.NDArray[np.int32]
AnyInts: TypeAlias = npt.NDArray[np.signedinteger[Any]]

NEVER = -(2**29)
"""A bound below every small domain: ``x <= NEVER`` is false, ``x >= NEVER`` true. ``-NEVER`` is above them."""

LARGEST = 2**62 - 1
"""No value and no sum may be larger than this: two of them can be added with 64 bits."""


def ints(values: npt.ArrayLike) -> Ints:
    """``values`` as an int32 array. OverflowError: one of them needs more bits."""
    given: npt.NDArray[Any] = values if isinstance(values, np.ndarray) else np.asarray(values, dtype=np.int64)
    if given.dtype == np.int32:
        return given
    if given.dtype == np.int64 and given.size and (given.max() >= 2**31 or given.min() < -(2**31)):
        raise OverflowError("a number of over 32 bits among variables or literals")
    return given.astype(np.int32)


def numbers(values: npt.ArrayLike) -> AnyInts:
    """``values`` as a column of numbers: of 32 bits where all are below 2**29 in size, so that sums fit; else of 64.

    Variables, literals and places always have 32 bits. numpy widens what is calculated of both.
    """
    given = values if isinstance(values, np.ndarray) else np.asarray(values, dtype=np.int64)
    if given.dtype == np.int32:
        return given
    wide = given.astype(np.int64)
    small = not wide.size or (wide.max() < -NEVER and wide.min() > NEVER)
    return wide.astype(np.int32) if small else wide


@dataclass(frozen=True, eq=False)
class Comparison:
    """A column of comparisons ``variable <= bound`` (or ``variable >= bound``).

    Entry i belongs to clause i, or to clause ``rows[i]`` (``rows`` is sorted) where a clause has any number of entries.
    """

    variables: Ints
    bounds: AnyInts
    at_least: bool = False
    rows: Ints | None = None

    def truth(self, values: AnyInts) -> npt.NDArray[np.bool_]:
        """Which of the comparisons are true under the assignment ``values``."""
        chosen = values[self.variables]
        return chosen >= self.bounds if self.at_least else chosen <= self.bounds

    def chosen(self, entries: npt.NDArray[np.intp] | slice) -> Comparison:
        """Some of the entries, without their rows."""
        return Comparison(self.variables[entries], self.bounds[entries], self.at_least)


@dataclass(frozen=True, eq=False)
class Interval:
    """A column of memberships ``low <= variable <= high``, or of their negations where ``outside``.

    ``rows`` as in ``Comparison``. An encoding with a Boolean a value says these directly; the order encoding says
    "outside" by two literals, and "inside" by an auxiliary variable.
    """

    variables: Ints
    low: AnyInts
    high: AnyInts
    outside: bool = False
    rows: Ints | None = None

    def truth(self, values: AnyInts) -> npt.NDArray[np.bool_]:
        """Which of the memberships are true under the assignment ``values``."""
        chosen = values[self.variables]
        inside: npt.NDArray[np.bool_] = (chosen >= self.low) & (chosen <= self.high)
        return ~inside if self.outside else inside

    def chosen(self, entries: npt.NDArray[np.intp] | slice) -> Interval:
        """Some of the entries, without their rows."""
        return Interval(self.variables[entries], self.low[entries], self.high[entries], self.outside)


Column: TypeAlias = Comparison | Interval


def at_most(variables: npt.ArrayLike, bounds: npt.ArrayLike, rows: Ints | None = None) -> Comparison:
    """The comparisons ``variable <= bound``; a single bound serves all."""
    variables = ints(variables)
    return Comparison(variables, _like(bounds, variables), rows=rows)


def at_least(variables: npt.ArrayLike, bounds: npt.ArrayLike, rows: Ints | None = None) -> Comparison:
    """The comparisons ``variable >= bound``; a single bound serves all."""
    variables = ints(variables)
    return Comparison(variables, _like(bounds, variables), at_least=True, rows=rows)


def within(variables: Ints, low: AnyInts, high: AnyInts, rows: Ints | None = None) -> Interval:
    """The memberships ``low <= variable <= high``."""
    return Interval(variables, low, high, rows=rows)


def outside(variables: Ints, low: AnyInts, high: AnyInts) -> Interval:
    """The negated memberships ``variable < low or variable > high``."""
    return Interval(variables, low, high, outside=True)


def _like(bounds: npt.ArrayLike, variables: Ints) -> AnyInts:
    given = numbers(bounds)
    return given if given.shape == variables.shape else np.full(variables.shape, given)


def _largest(values: AnyInts) -> int:
    """The greatest size of a number among them."""
    return max(int(values.max(initial=0)), -int(values.min(initial=0)))


class Constraint(Protocol):
    """One family of constraints."""

    def holds(self, values: AnyInts) -> bool:
        """Whether the assignment ``values`` (one value a variable of the CSP) satisfies the whole family."""


@dataclass(frozen=True, eq=False)
class Clauses:
    """Clauses of comparisons and memberships: clause i is the disjunction of its entries in every column.

    ``count`` (the number of clauses) is needed only where every column has ``rows``.
    """

    columns: tuple[Column, ...]
    count: int = -1

    def __len__(self) -> int:
        if self.count >= 0:
            return self.count
        return next(len(column.variables) for column in self.columns if column.rows is None)

    def holds(self, values: AnyInts) -> bool:
        """See ``Constraint.holds``."""
        satisfied = np.zeros(len(self), dtype=bool)
        for column in self.columns:
            truth = column.truth(values)
            if column.rows is None:
                satisfied |= truth
            else:
                satisfied[column.rows[truth]] = True
        return bool(satisfied.all())


@dataclass(frozen=True, eq=False)
class Precedes:
    """``before[i] + distance[i] <= after[i]``: a thing of that length, and the thing behind it."""

    before: Ints
    distance: AnyInts
    after: Ints

    def holds(self, values: AnyInts) -> bool:
        """See ``Constraint.holds``."""
        return bool((values[self.before] + self.distance <= values[self.after]).all())


@dataclass(frozen=True, eq=False)
class Differ:
    """``left[i] + distance[i] != right[i]``."""

    left: Ints
    distance: AnyInts
    right: Ints

    def holds(self, values: AnyInts) -> bool:
        """See ``Constraint.holds``."""
        return bool((values[self.left] + self.distance != values[self.right]).all())


@dataclass(frozen=True, eq=False)
class Product:
    """``left[i] * right[i] == result[i]``."""

    left: Ints
    right: Ints
    result: Ints

    def holds(self, values: AnyInts) -> bool:
        """See ``Constraint.holds``."""
        if _largest(values) < 2**31:
            left, right = (values[side].astype(np.int64) for side in (self.left, self.right))
            return bool((left * right == values[self.result]).all())
        columns = (values[side].tolist() for side in (self.left, self.right, self.result))
        return all(left * right == result for left, right, result in zip(*columns, strict=True))


@dataclass(frozen=True, eq=False)
class Linear:
    """``sum(coefficient * variable) <= bound``; constraint i has the terms ``ends[i-1]:ends[i]``."""

    coefficients: AnyInts
    variables: Ints
    ends: Ints
    bounds: AnyInts

    def each(self) -> Iterator[tuple[AnyInts, Ints, int]]:
        """Every constraint as (coefficients, variables, bound)."""
        start = 0
        for end, bound in zip(self.ends.tolist(), self.bounds.tolist(), strict=True):
            yield self.coefficients[start:end], self.variables[start:end], bound
            start = end

    def holds(self, values: AnyInts) -> bool:
        """See ``Constraint.holds``."""
        if _largest(self.coefficients) * _largest(values) * len(self.variables) < 2**62:
            begins = np.concatenate((np.zeros(1, dtype=np.int64), self.ends))
            products = self.coefficients.astype(np.int64) * values[self.variables]
            sums = np.concatenate((np.zeros(1, dtype=np.int64), np.cumsum(products)))[begins]
            return bool((np.diff(sums) <= self.bounds).all())
        return all(sum(map(mul, a.tolist(), values[v].tolist())) <= bound for a, v, bound in self.each())


@dataclass(frozen=True, eq=False)
class AllDifferent:
    """The variables of each group have pairwise different values; group i is ``ends[i-1]:ends[i]``."""

    variables: Ints
    ends: Ints

    def each(self) -> Iterator[Ints]:
        """Every group of variables."""
        start = 0
        for end in self.ends.tolist():
            yield self.variables[start:end]
            start = end

    def holds(self, values: AnyInts) -> bool:
        """See ``Constraint.holds``."""
        return all(len(set(values[group].tolist())) == len(group) for group in self.each())


@dataclass(frozen=True, eq=False)
class Paths:
    """In each of several acyclic graphs, a path leads from its source to its sink over arcs whose assignments hold.

    Arc i goes from node ``tail[i]`` to ``head[i] > tail[i]`` and asks ``variables[e] == values[e]`` for every e in
    ``ends[i-1]:ends[i]``. Node g of ``sources`` and of ``sinks`` belongs to graph g; the graphs' nodes follow each
    other, and a graph's sink is its last node. All paths of a graph from source to sink must ask for the same variables
    (so that each has its value from an arc): regular, table and MDD constraints over finite domains are of this form.

    ``meanings``: for proofs, what it is for a node to be on the path, and for an arc, by the 0/1 variables that stand
    for the nodes and for the arcs.
    """

    nodes: int
    sources: Ints
    sinks: Ints
    tail: Ints
    head: Ints
    variables: Ints
    values: AnyInts
    ends: Ints
    meanings: Callable[[Ints, Ints], Iterable[Entry]] | None = None

    def holds(self, values: AnyInts) -> bool:
        """See ``Constraint.holds``."""
        agrees = values[self.variables] == self.values
        reached = np.zeros(self.nodes, dtype=bool)
        reached[self.sources] = True
        begins = np.concatenate(([0], self.ends[:-1]))
        for arc in np.argsort(self.tail, kind="stable").tolist():
            if reached[self.tail[arc]] and agrees[begins[arc] : self.ends[arc]].all():
                reached[self.head[arc]] = True
        return bool(reached[self.sinks].all())


@dataclass(frozen=True, eq=False)
class Block:
    """Named neighbours: variable ``first + i`` is called by ``name`` and row i of ``index``: ``x_3_4``."""

    name: str
    first: int
    index: Ints

    def names(self) -> list[str]:
        """The names of the block's variables, in order."""
        return ["_".join((self.name, *map(str, index))) for index in self.index.tolist()]


@dataclass(frozen=True, eq=False)
class Gaps:
    """The domains that have gaps: those of ``variables`` (ascending), which have two values at least.

    ``values``: of each variable the values, ascending; those of number i are ``values[ends[i-1]:ends[i]]``. The rank of
    a value is how many of its domain are less. ``implied``: whose gaps follow from constraints, as those of a product.

    >>> gaps = Gaps.of({1: [0, 5, 9], 4: [2, 7]})
    >>> entry, value = gaps.among(ints([1, 3, 4]), ints([1, 1, 1]), ints([9, 2, 6]))
    >>> entry.tolist(), value.tolist()
    ([0, 0, 1, 1, 2], [5, 9, 1, 2, 2])
    """

    variables: Ints
    values: AnyInts
    ends: npt.NDArray[np.int64]
    implied: npt.NDArray[np.bool_]

    @classmethod
    def of(cls, domains: Mapping[int, npt.ArrayLike], implied: Container[int] = ()) -> Gaps | None:
        """From the values of each variable, ascending. None: there are no such variables."""
        if not domains:
            return None
        chosen = sorted(domains)
        values = [np.asarray(domains[variable], dtype=np.int64) for variable in chosen]
        ends = np.cumsum([len(some) for some in values])
        follows = np.array([variable in implied for variable in chosen])
        return cls(ints(chosen), numbers(np.concatenate(values)), ends, follows)

    @classmethod
    def joined(cls, several: Sequence[Gaps]) -> Gaps:
        """Those of all, which are of different variables."""
        variables, values, implied = (
            np.concatenate([getattr(some, name) for some in several]) for name in ("variables", "values", "implied")
        )
        sizes = np.concatenate([some.sizes() for some in several])
        order = np.argsort(variables)
        return cls(variables[order], values[spread((np.cumsum(sizes) - sizes)[order], sizes[order])],
                   np.cumsum(sizes[order]), implied[order])  # fmt: skip

    @cached_property
    def begins(self) -> npt.NDArray[np.int64]:
        """Where the values of each variable begin."""
        return np.concatenate((np.zeros(1, dtype=np.int64), self.ends[:-1]))

    @cached_property
    def _sorted(self) -> tuple[npt.NDArray[np.int64] | None, int, int]:
        """Keys in which all values ascend, domain by domain: (keys, the least value, keys a domain); or no keys."""
        least = int(self.values.min())
        wide = int(self.values.max()) - least + 2
        if wide * len(self.variables) >= 2**62:
            return None, least, wide
        owner = np.repeat(np.arange(len(self.ends)), self.ends - self.begins)
        return owner * wide + (self.values.astype(np.int64) - least), least, wide

    def __len__(self) -> int:
        return len(self.variables)

    def sizes(self) -> npt.NDArray[np.int64]:
        """How many values each has."""
        return self.ends - self.begins

    def places(self, variables: Ints) -> npt.NDArray[np.intp]:
        """Each variable's number among those with gaps; -1: its domain has none."""
        at = np.minimum(np.searchsorted(self.variables, variables), len(self.variables) - 1)
        return np.where(self.variables[at] == variables, at, -1)

    def of_variable(self, variable: int) -> AnyInts | None:
        """Its values; None: all from its lowest to its highest."""
        [place] = self.places(ints([variable])).tolist()
        return None if place < 0 else self.values[self.begins[place] : self.ends[place]]

    def below(self, places: npt.NDArray[np.intp], bounds: AnyInts) -> npt.NDArray[np.int64]:
        """How many values of the domain number ``places[i]`` are less than ``bounds[i]``."""
        keys, least, wide = self._sorted
        if keys is not None:
            offsets = np.clip(bounds.astype(np.int64), least, least + wide - 1) - least
            ranks: npt.NDArray[np.int64] = np.searchsorted(keys, places * wide + offsets) - self.begins[places]
            return ranks
        found = np.empty(len(places), dtype=np.int64)
        for place in np.unique(places).tolist():  # numbers too large for one table
            some = places == place
            found[some] = np.searchsorted(self.values[self.begins[place] : self.ends[place]], bounds[some])
        return found

    def has(self, variables: Ints, values: AnyInts) -> npt.NDArray[np.bool_]:
        """Which of ``values`` are in no gap of the domain of ``variables[i]``."""
        places = self.places(variables)
        some = np.flatnonzero(places >= 0)
        found = np.ones(len(variables), dtype=bool)
        inside = values[some].astype(np.int64)
        found[some] = self.below(places[some], inside + 1) > self.below(places[some], inside)
        return found

    def count(self, variables: Ints, low: AnyInts, high: AnyInts) -> npt.NDArray[np.int64]:
        """How many values of each domain are from ``low[i]`` to ``high[i]``, which are not beyond its ends."""
        places = self.places(variables)
        some = np.flatnonzero(places >= 0)
        found: npt.NDArray[np.int64] = np.maximum(high.astype(np.int64) - low + 1, 0)
        first = self.below(places[some], low[some])
        found[some] = np.maximum(self.below(places[some], high[some].astype(np.int64) + 1) - first, 0)
        return found

    def among(self, variables: Ints, low: AnyInts, high: AnyInts) -> tuple[npt.NDArray[np.intp], AnyInts]:
        """(Entry, value) for each value of each domain from ``low[i]`` to ``high[i]``, not beyond its ends."""
        places = self.places(variables)
        some = np.flatnonzero(places >= 0)
        first, last = low.astype(np.int64), high.astype(np.int64)
        first[some] = self.below(places[some], low[some])
        last[some] = self.below(places[some], high[some].astype(np.int64) + 1) - 1
        entry, at = ranges(first, last + 1)
        listed = np.flatnonzero(places[entry] >= 0)
        at[listed] = self.values[self.begins[places[entry[listed]]] + at[listed]]
        return entry, numbers(at)

    def rounded(self, variables: Ints, values: AnyInts, up: bool) -> AnyInts:
        """Each value that is in a gap of its domain, or beyond its end there, moved to the next one that is not.

        ``up``: to the next larger one; where there is none it is one beyond the domain's end.
        """
        places = self.places(variables)
        some = np.flatnonzero(places >= 0)
        found = values.astype(np.int64)
        begins, ends = self.begins[places[some]], self.ends[places[some]]
        at = self.below(places[some], found[some] + (not up)) - (not up)
        beyond = np.where(at < 0, self.values[begins].astype(np.int64) - 1, self.values[ends - 1].astype(np.int64) + 1)
        inside = (at >= 0) & (begins + at < ends)
        found[some] = np.where(inside, self.values[np.where(inside, begins + at, begins)], beyond)
        return numbers(found)

    def ranked(self, column: Column) -> Column:
        """The same in ranks where domains have gaps; what is about no value of a domain is about rank -1."""
        places = self.places(column.variables)
        some = np.flatnonzero(places >= 0)
        if not len(some):
            return column
        places = places[some]
        if isinstance(column, Comparison):
            bounds = column.bounds.astype(np.int64)
            bounds[some] = self.below(places, bounds[some] + (not column.at_least)) - (not column.at_least)
            return replace(column, bounds=numbers(bounds))
        low, high = column.low.astype(np.int64), column.high.astype(np.int64)
        first, last = self.below(places, low[some]), self.below(places, high[some] + 1) - 1
        low[some], high[some] = np.where(first <= last, first, -1), np.where(first <= last, last, -1)
        return replace(column, low=numbers(low), high=numbers(high))

    def ranks(self, lower: AnyInts, upper: AnyInts) -> tuple[AnyInts, AnyInts]:
        """The ends of all domains, in ranks where there are gaps."""
        low, high = lower.astype(np.int64), upper.astype(np.int64)
        low[self.variables], high[self.variables] = 0, self.sizes() - 1
        return numbers(low), numbers(high)

    def chosen(self, which: npt.NDArray[np.bool_]) -> Gaps | None:
        """Some of the domains."""
        if not which.any():
            return None
        values = self.values[np.repeat(which, self.sizes())]
        return Gaps(self.variables[which], values, np.cumsum(self.sizes()[which]), self.implied[which])

    def clauses(self) -> Clauses:
        """What the gaps say: a clause each."""
        entry = np.repeat(self.variables, self.sizes())
        low, high = numbers(self.values[:-1].astype(np.int64) + 1), numbers(self.values[1:].astype(np.int64) - 1)
        inner = (entry[:-1] == entry[1:]) & (low <= high)
        return Clauses((outside(entry[:-1][inner], low[inner], high[inner]),))


@dataclass(frozen=True, eq=False, repr=False)
class CSP:
    """Variables ``lower[v] <= v <= upper[v]``, constraints, and the variables that make up the answer's board.

    ``board`` has the shape of the puzzle's board and holds variables; ``blocks`` name all variables, in order: those
    that come without a name get a last block of their own, ``v_0``, ``v_1``, ...
    ``meanings`` stand among the constraints, until flattening puts them here with those of its own auxiliaries.
    ``gaps``: the domains that have not all values from the lowest to the highest.
    """

    lower: AnyInts
    upper: AnyInts
    constraints: tuple[Constraint, ...]
    board: Ints
    blocks: tuple[Block, ...] = ()
    meanings: tuple[Meanings, ...] = ()
    gaps: Gaps | None = None

    def __post_init__(self) -> None:
        named = sum(len(block.index) for block in self.blocks)
        if named < len(self):
            taken = {block.name for block in self.blocks}
            name = next(name for many in range(1, len(taken) + 2) if (name := "v" * many) not in taken)
            index = np.arange(len(self) - named, dtype=np.int32)[:, np.newaxis]
            object.__setattr__(self, "blocks", (*self.blocks, Block(name, named, index)))

    def __repr__(self) -> str:
        return f"<CSP {len(self):,} variables, {len(self.constraints):,} families of constraints>"

    def __len__(self) -> int:
        return len(self.lower)

    def names(self) -> list[str]:
        """One name a variable."""
        return [name for block in self.blocks for name in block.names()]

    def sizes(self) -> npt.NDArray[np.int64]:
        """How many values each variable has."""
        low, high = (self.lower, self.upper) if self.gaps is None else self.gaps.ranks(self.lower, self.upper)
        found: npt.NDArray[np.int64] = high.astype(np.int64) - low + 1
        return found

    def values(self, variable: int) -> Sequence[int]:
        """The domain of a variable."""
        listed = None if self.gaps is None else self.gaps.of_variable(variable)
        return range(int(self.lower[variable]), int(self.upper[variable]) + 1) if listed is None else listed.tolist()

    def holds(self, values: AnyInts) -> bool:
        """Whether the assignment ``values`` is within the domains and satisfies every constraint."""
        values = np.asarray(values, dtype=np.int64)
        inside = bool(((values >= self.lower) & (values <= self.upper)).all())
        inside = inside and (self.gaps is None or self.gaps.clauses().holds(values))
        return inside and all(constraint.holds(values) for constraint in self.constraints)


def ranges(starts: AnyInts, stops: AnyInts) -> tuple[npt.NDArray[np.intp], AnyInts]:
    """The concatenation of ``range(starts[i], stops[i])``: (which i each entry belongs to, the entries).

    >>> owner, value = ranges(ints([2, 7, 5]), ints([4, 7, 6]))
    >>> owner.tolist(), value.tolist()
    ([0, 0, 2], [2, 3, 5])
    """
    counts: npt.NDArray[np.int64] = np.maximum(stops - starts, 0).astype(np.int64)
    return np.repeat(np.arange(len(counts)), counts), spread(starts, counts)


def spread(starts: AnyInts, counts: npt.NDArray[np.int64]) -> AnyInts:
    """The concatenation of ``range(starts[i], starts[i] + counts[i])``.

    >>> spread(ints([2, 7, 5]), np.array([2, 0, 1])).tolist()
    [2, 3, 5]
    """
    before = np.cumsum(counts) - counts
    values = np.repeat((starts - before).astype(starts.dtype), counts)
    values += np.arange(len(values), dtype=starts.dtype)
    return values


def distinct(*columns: AnyInts) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
    """The rows of a table, equal ones with one number, in the order they come: (their numbers, where each is first).

    >>> number, first = distinct(ints([5, 2, 5, 2]), ints([1, 1, 1, 3]))
    >>> number.tolist(), first.tolist()
    ([0, 1, 0, 2], [0, 1, 3])
    """
    order = np.lexsort(columns)
    new = np.ones(len(order), dtype=bool)
    new[1:] = (np.diff(np.stack(columns)[:, order]) != 0).any(axis=0)
    first = order[new]  # the sort is stable
    number = np.empty_like(order)
    number[order] = np.argsort(np.argsort(first))[np.cumsum(new) - 1]
    return number, np.sort(first)
