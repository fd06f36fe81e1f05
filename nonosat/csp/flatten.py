"""CSP to CSP: every family restated as clauses of comparisons and memberships, with auxiliary integers where needed.

What comes out has the same solutions on the variables that went in. The integer encodings compile clauses and nothing
else, so a new family needs one function here, not one in each encoding.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from itertools import combinations
from math import prod
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from nonosat.csp.meanings import AtMostMeaning, Entry, Meanings, MeaningTerm, Means, Pigeonhole, SumMeaning, Within
from nonosat.csp.model import (
    CSP,
    AllDifferent,
    Block,
    Clauses,
    Column,
    Constraint,
    Differ,
    Interval,
    Ints,
    Linear,
    Paths,
    Precedes,
    Product,
    at_least,
    at_most,
    distinct,
    ints,
    outside,
    ranges,
    within,
)
from nonosat.errors import UnsupportedError

# The CSP under restatement: its domains, which grow by auxiliaries, and its clauses, in terms that encodings have.


class Flat:
    """The CSP under restatement: its domains, which grow by auxiliaries, and the clauses so far."""

    def __init__(self, csp: CSP, supports: Has, conflicts: Has, memberships: Has) -> None:
        self.supports, self.conflicts, self.memberships = supports, conflicts, memberships
        self.lower, self.upper = [csp.lower], [csp.upper]
        self.count = len(csp)
        self.clauses: list[Clauses] = []
        self.meanings: list[Meanings] = []

    def have(self, what: Has, variables: Ints) -> npt.NDArray[np.bool_]:
        """Which of the variables have it, by what their encoding says of their domains."""
        if isinstance(what, bool):
            return np.full(len(variables), what)
        lower, upper = self.domains()
        return what(lower[variables], upper[variables])

    def fresh(self, count: int, low: int = 0, high: int = 1) -> Ints:
        """``count`` new variables with the domain ``low..high``."""
        first = self.count
        self.count += count
        self.lower.append(np.full(count, low, dtype=np.int32))
        self.upper.append(np.full(count, high, dtype=np.int32))
        return np.arange(first, self.count, dtype=np.int32)

    def domain(self, variable: int) -> tuple[int, int]:
        """The domain of one variable, auxiliaries included."""
        lower, upper = self.domains()
        return int(lower[variable]), int(upper[variable])

    def domains(self) -> tuple[Ints, Ints]:
        """All domains."""
        if len(self.lower) > 1:
            self.lower, self.upper = [np.concatenate(self.lower)], [np.concatenate(self.upper)]
        return self.lower[0], self.upper[0]

    def add(self, *columns: Column, count: int = -1) -> None:
        """Clauses. Where the encoding has no Boolean a value, a membership is two comparisons.

        A clause with one membership becomes two clauses. Where a clause has several, each is named by an auxiliary:
        k of them multiplied out would be 2**k clauses.
        """
        memberships = [column for column in columns if isinstance(column, Interval) and not column.outside]
        direct: npt.NDArray[np.bool_] = np.array([not memberships or self.memberships is True])
        if memberships and not isinstance(self.memberships, bool):
            direct = np.concatenate([self.have(self.memberships, column.variables) for column in memberships])
            if all(column.rows is None for column in columns):
                direct = np.logical_and.reduce(direct.reshape(len(memberships), -1))
                if direct.any() and not direct.all():
                    for some in (np.flatnonzero(direct), np.flatnonzero(~direct)):
                        self.add(*(column.chosen(some) for column in columns))
                    return
        if not direct.all():
            count = len(Clauses(columns, count))
            others = tuple(column for column in columns if column not in memberships)
            if len(memberships) == 1 and memberships[0].rows is None:
                self._add_halves(others, memberships[0], count)
                return
            columns = (*others, self._named(memberships))
        self.clauses.append(Clauses(columns, count))

    def _add_halves(self, others: tuple[Column, ...], membership: Interval, count: int) -> None:
        """The clauses with the one half of the membership, then those with the other."""
        lower, upper = self.domains()
        variables = membership.variables
        if (membership.low > lower[variables]).any():  # else that half is true, and all of its clauses
            self.clauses.append(Clauses((*others, at_least(variables, membership.low)), count))
        if (membership.high < upper[variables]).any():
            self.clauses.append(Clauses((*others, at_most(variables, membership.high)), count))

    def _named(self, memberships: list[Interval]) -> Column:
        """The memberships of some clauses as one column of fresh 0/1 variables, each of which implies its membership.

        One direction is enough in a clause (as in Sugar). Clauses that have the same membership share its variable; one
        that no value of the domain is in has none. All others have one, though at the end of a domain a comparison
        would do.
        """
        rows, variables, low, high = _joined(memberships)
        lower, upper = self.domains()
        some = np.flatnonzero((low <= upper[variables]) & (high >= lower[variables]))
        rows, variables, low, high = rows[some], variables[some], low[some], high[some]
        number = first = np.arange(len(some))
        if len(memberships) > 1:  # those of one column, such as "run k covers cell j", differ
            number, first = distinct(variables, low, high)
        named = self.fresh(len(first))
        self.meanings.append(Meanings(partial(_memberships, named, variables[first], low[first], high[first])))
        self.clauses.append(Clauses((at_most(named, 0), at_least(variables[first], low[first]))))
        self.clauses.append(Clauses((at_most(named, 0), at_most(variables[first], high[first]))))
        return at_least(named[number], 1, rows)


def _memberships(named: Ints, variables: Ints, low: Ints, high: Ints) -> Iterator[Entry]:
    for name, *condition in zip(*(column.tolist() for column in (named, variables, low, high)), strict=True):
        yield Means(name, [Within(*condition)])


def _joined(columns: list[Interval]) -> tuple[Ints, Ints, Ints, Ints]:
    """Columns of memberships as one, clause by clause: (clauses, variables, lowest values, highest values)."""
    rows = [np.arange(len(c.variables), dtype=np.int32) if c.rows is None else c.rows for c in columns]
    if len(columns) == 1:
        return rows[0], columns[0].variables, columns[0].low, columns[0].high
    joined = np.concatenate(
        [np.stack((row, c.variables, c.low, c.high)) for row, c in zip(rows, columns, strict=True)], 1
    )
    joined = joined[:, np.argsort(joined[0], kind="stable")]
    return joined[0], joined[1], joined[2], joined[3]


Has: TypeAlias = bool | Callable[[Ints, Ints], npt.NDArray[np.bool_]]
"""Whether an encoding has something of a variable: always, or by its domain, by functions of (lower, upper)."""

Positions: TypeAlias = np.ndarray[Any, np.dtype[np.intp]]


def flatten(
    csp: CSP,
    *,
    supports: Has = False,
    conflicts: Has = False,
    memberships: Has = False,
    keep: tuple[type[Constraint], ...] = (),
    restated: Mapping[type, Callable[[Any, Flat], None]] | None = None,
) -> CSP:
    """``csp`` with nothing but ``Clauses`` and the families to ``keep``; auxiliaries are numbered behind its variables.

    ``memberships``: the encoding has a Boolean a value and takes ``within`` columns as they are. ``supports``: state
    precedences and sums by the supports of every value (Gent 2002) instead of by bounds; ``conflicts``: by the values
    that exclude each other (Walsh 2000). Each may depend on variables' domains; what is about variables of which some
    have it, and some not, is stated as if none had it (of supports and conflicts: by conflicts). ``restated``: other
    ways than ours to state families.
    """
    ways = {**_RESTATED, **(restated or {})}
    flat = Flat(csp, supports, conflicts, memberships)
    kept = [constraint for constraint in csp.constraints if isinstance(constraint, keep)]
    for constraint in csp.constraints:
        if not isinstance(constraint, keep):
            ways[type(constraint)](constraint, flat)
    lower, upper = flat.domains()
    extra = np.arange(len(lower) - len(csp), dtype=np.int32).reshape(-1, 1)
    blocks = (*csp.blocks, Block("aux", len(csp), extra)) if len(extra) else csp.blocks
    return CSP(lower, upper, (*kept, *flat.clauses), csp.board, blocks, tuple(flat.meanings))


def _clauses(family: Clauses, flat: Flat) -> None:
    flat.add(*family.columns, count=family.count)


def _precedes(family: Precedes, flat: Flat) -> None:
    ends = np.concatenate((family.before, family.after))
    supports = flat.have(flat.supports, ends).reshape(2, -1)
    values = supports | flat.have(flat.conflicts, ends).reshape(2, -1)
    way = np.where(supports.all(axis=0), 0, np.where(values.all(axis=0), 1, 2))
    for number, state in enumerate((_precedes_by_supports, _precedes_by_conflicts, _precedes_by_bounds)):
        some = np.flatnonzero(way == number)
        if len(some) == len(way):
            state(family, *flat.domains(), flat)
        elif len(some):
            chosen = Precedes(family.before[some], family.distance[some], family.after[some])
            state(chosen, *flat.domains(), flat)


def _precedes_by_supports(family: Precedes, lower: Ints, upper: Ints, flat: Flat) -> None:
    """``before = a`` needs ``after >= a + distance``; ``after = b`` needs ``before <= b - distance``."""
    before, distance, after = family.before, family.distance, family.after
    owner, a = ranges(lower[before], upper[before] + 1)
    flat.add(outside(before[owner], a, a), at_least(after[owner], a + distance[owner]))
    owner, b = ranges(lower[after], upper[after] + 1)
    flat.add(outside(after[owner], b, b), at_most(before[owner], b - distance[owner]))


def _precedes_by_bounds(family: Precedes, lower: Ints, upper: Ints, flat: Flat) -> None:
    """``after <= a + distance`` implies ``before <= a``."""
    before, distance, after = family.before, family.distance, family.after
    # For every a for which that is neither constant nor implied; where no values fit, a = lower - 1 is left, and its
    # clause is empty.
    lowest = np.maximum(lower[before] - 1, lower[after] - distance)
    highest = np.minimum(upper[before] - 1, np.maximum(upper[after] - distance, lower[before] - 1))
    owner, a = ranges(lowest, highest + 1)
    flat.add(at_least(after[owner], a + distance[owner] + 1), at_most(before[owner], a))


def _differ(family: Differ, flat: Flat) -> None:
    """No value of the left with the one of the right that lies so far behind it (conflict clauses)."""
    lower, upper = flat.domains()
    left, distance, right = family.left, family.distance, family.right
    low = np.maximum(lower[left], lower[right] - distance)
    high = np.minimum(upper[left], upper[right] - distance)
    owner, a = ranges(low, high + 1)
    b = a + distance[owner]
    flat.add(outside(left[owner], a, a), outside(right[owner], b, b))


MOST_CLAUSES = 2**24
"""Of one constraint: with more, memory is filled before a solver begins."""


def refuse_clauses(count: int, what: str) -> None:
    """UnsupportedError: one constraint would be too many clauses."""
    if count > MOST_CLAUSES:
        raise UnsupportedError(f"{what} would be {count:,} clauses; give smaller domains, or solve by CP-SAT")


def _product(family: Product, flat: Flat) -> None:
    """Where no factor is negative, bounds give bounds; else each pair of values gives the product's value."""
    lower, upper = flat.domains()
    lower, upper = lower.astype(np.int64), upper.astype(np.int64)
    for x, y, z in zip(family.left.tolist(), family.right.tolist(), family.result.tolist(), strict=True):
        size = int((upper[x] - lower[x] + 1) * (upper[y] - lower[y] + 1))
        refuse_clauses(size, "a product")
        a, b = (part.reshape(-1) for part in np.meshgrid(
            np.arange(lower[x], upper[x] + 1), np.arange(lower[y], upper[y] + 1), indexing="ij"
        ))  # fmt: skip
        clipped = ints(np.clip(a * b, lower[z] - 1, upper[z] + 1))
        a, b = ints(a), ints(b)
        xs, ys, zs = (np.full(size, v, dtype=np.int32) for v in (x, y, z))
        if lower[x] >= 0 and lower[y] >= 0:
            flat.add(at_most(xs, a - 1), at_most(ys, b - 1), at_least(zs, clipped))
            flat.add(at_least(xs, a + 1), at_least(ys, b + 1), at_most(zs, clipped))
        else:
            flat.add(outside(xs, a, a), outside(ys, b, b), within(zs, clipped, clipped))


def _precedes_by_conflicts(family: Precedes, lower: Ints, upper: Ints, flat: Flat) -> None:
    """Values without any support are excluded by themselves, and of the others each pair that does not fit."""
    before, distance, after = family.before, family.distance, family.after
    most, least = upper[after] - distance, lower[before] + distance  # of those that have a support
    owner, a = ranges(np.maximum(lower[before], most + 1), upper[before] + 1)
    flat.add(outside(before[owner], a, a))
    owner, b = ranges(lower[after], np.minimum(upper[after] + 1, least))
    flat.add(outside(after[owner], b, b))
    owner, a = ranges(lower[before], np.minimum(upper[before], most) + 1)
    pair, b = ranges(np.maximum(lower[after], least)[owner], np.minimum(upper[after][owner] + 1, a + distance[owner]))
    flat.add(outside(before[owner[pair]], a[pair], a[pair]), outside(after[owner[pair]], b, b))


def linear(family: Linear, flat: Flat) -> None:
    """Up to three terms directly, longer sums through partial sums (as Sugar does), which are added up one by one."""

    def shorter(terms: list[tuple[int, int]], subtotal: Subtotal) -> list[tuple[int, int]]:
        return [subtotal(terms[:2]), *terms[2:]]

    sums(family, flat, shorter)


Subtotal: TypeAlias = Callable[[list[tuple[int, int]]], tuple[int, int]]
"""Some terms as one, of a fresh integer."""


def sums(
    family: Linear, flat: Flat, shorter: Callable[[list[tuple[int, int]], Subtotal], list[tuple[int, int]]]
) -> None:
    """Up to three terms directly; ``shorter`` makes less of more of them, by integers that stand for some.

    Proofs know every sum: what its clauses say is seen by unit propagation in counters of the terms alone.
    """
    entries: list[Entry] = []

    def subtotal(terms: list[tuple[int, int]]) -> tuple[int, int]:
        # A fresh integer t >= (the terms) takes their place: one direction is enough under "<=".
        spans = [span(a, *flat.domain(v)) for a, v in terms]
        low, high = sum(low for low, _ in spans), sum(high for _, high in spans)
        [fresh] = flat.fresh(1, low, high).tolist()
        entries.append(SumMeaning(fresh, terms_of(terms, flat)))
        at_most_sum([*terms, (-1, fresh)], 0, flat)
        return 1, fresh

    for coefficients, variables, bound in family.each():
        terms = net_terms(coefficients, variables)
        while len(terms) > 3:
            terms = shorter(terms, subtotal)
        at_most_sum(terms, bound, flat)
        if terms:
            entries.append(AtMostMeaning(terms_of(terms, flat), bound))
    if entries:
        flat.meanings.append(Meanings(entries.copy))


def net_terms(coefficients: Ints, variables: Ints) -> list[tuple[int, int]]:
    """Each variable once, with a coefficient that is not 0."""
    net: dict[int, int] = {}
    for a, v in zip(coefficients.tolist(), variables.tolist(), strict=True):
        net[v] = net.get(v, 0) + a
    return [(a, v) for v, a in net.items() if a]


def terms_of(terms: list[tuple[int, int]], flat: Flat) -> list[MeaningTerm]:
    """Terms as proofs take them."""
    return [MeaningTerm(a, v, *flat.domain(v)) for a, v in terms]


def span(a: int, low: int, high: int) -> tuple[int, int]:
    """The least and the greatest value of a term."""
    return min(a * low, a * high), max(a * low, a * high)


def at_most_sum(terms: list[tuple[int, int]], bound: int, flat: Flat) -> None:
    """``sum(a v) <= bound``: if all terms but one have at least these values, the last has at most what is left.

    One clause for all values of the others (Tamura et al. 2009, without the combinations that no values reach); the
    variable with the largest domain is the last.
    """
    if not terms:
        if bound < 0:
            flat.add(at_least(ints([]), 1, rows=ints([])), count=1)  # an empty clause
        return
    if len(terms) > 1 and (flat.supports is not False or flat.conflicts is not False):
        variables = ints([v for _, v in terms])
        supports = flat.have(flat.supports, variables)
        if (supports | flat.have(flat.conflicts, variables)).all():
            _at_most_sum_by_values(terms, bound, bool(supports.all()), flat)
            return
    domains = {v: flat.domain(v) for _, v in terms}
    *others, (a, v) = sorted(terms, key=lambda term: domains[term[1]][1] - domains[term[1]][0])
    refuse_clauses(prod(domains[w][1] - domains[w][0] + 1 for _, w in others), "a sum")
    grids = np.meshgrid(*(np.arange(domains[w][0], domains[w][1] + 1) for _, w in others), indexing="ij")
    rest = np.full(grids[0].size if others else 1, bound)
    columns: list[Column] = []
    for (b, w), grid in zip(others, grids, strict=True):
        values = grid.reshape(-1)
        rest = rest - b * values
        same = np.full(len(values), w, dtype=np.int32)
        columns.append(at_most(same, values - 1) if b > 0 else at_least(same, values + 1))
    low, high = domains[v]  # beyond them nothing changes, and 32 bits are enough
    last = np.full(len(rest), v, dtype=np.int32)
    if a > 0:
        columns.append(at_most(last, np.clip(rest // a, low - 1, high)))
    else:
        columns.append(at_least(last, np.clip(-(rest // -a), low, high + 1)))
    flat.add(*columns)


def _at_most_sum_by_values(terms: list[tuple[int, int]], bound: int, supports: bool, flat: Flat) -> None:
    """The same where values have Booleans: if the others have these values, the last has what they leave it.

    By supports two terms are stated from either side, so that unit propagation makes them arc consistent.
    """
    domains = {v: flat.domain(v) for _, v in terms}
    *others, last = sorted(terms, key=lambda term: domains[term[1]][1] - domains[term[1]][0])
    ways = [([last], others[0])] if supports and len(terms) == 2 else []
    for given, (a, v) in [(others, last), *ways]:
        grids = np.meshgrid(*(np.arange(domains[w][0], domains[w][1] + 1) for _, w in given), indexing="ij")
        rest = np.full(grids[0].size, bound)
        columns: list[Column] = []
        for (b, w), grid in zip(given, grids, strict=True):
            values = grid.reshape(-1).astype(np.int32)
            rest = rest - b * values.astype(np.int64)
            columns.append(outside(np.full(len(values), w, dtype=np.int32), values, values))
        low, high = domains[v]
        same = np.full(len(rest), v, dtype=np.int32)
        if a > 0:
            columns.append(at_most(same, np.clip(rest // a, low - 1, high)))
        else:
            columns.append(at_least(same, np.clip(-(rest // -a), low, high + 1)))
        flat.add(*columns)


def all_different(family: AllDifferent, flat: Flat) -> None:
    """No two variables have the value a; and the pigeonhole's two clauses a group."""
    entries: list[Entry] = []
    for group in family.each():
        if len(group) > 1:
            no_two(group, flat)
            entries += ends_needed(group, flat)
    if entries:
        flat.meanings.append(Meanings(entries.copy))


def no_two(group: Ints, flat: Flat) -> None:
    """No two variables of the group have one value."""
    lower, upper = flat.domains()
    low, high = int(lower[group].min()), int(upper[group].max())
    pairs = ints(list(combinations(group.tolist(), 2)))
    values = np.tile(np.arange(low, high + 1, dtype=np.int32), len(pairs))
    x, y = (np.repeat(pairs[:, side], high - low + 1) for side in (0, 1))
    flat.add(outside(x, values, values), outside(y, values, values))


def ends_needed(group: Ints, flat: Flat) -> list[Entry]:
    """Some variable is among the values from the n-th smallest up, and some from the n-th largest down."""
    lower, upper = flat.domains()
    n, low, high = len(group), int(lower[group].min()), int(upper[group].max())
    above: list[Column] = [at_least(group[i : i + 1], low + n - 1) for i in range(n)]
    below: list[Column] = [at_most(group[i : i + 1], high - n + 1) for i in range(n)]
    if flat.have(flat.conflicts, group).all():  # what comparisons exclude would be named
        above = [within(group[i : i + 1], ints([low + n - 1]), ints([high])) for i in range(n)]
        below = [within(group[i : i + 1], ints([low]), ints([high - n + 1])) for i in range(n)]
    flat.add(*above)
    flat.add(*below)
    return [Pigeonhole(group.tolist(), first, first + n - 2) for first in dict.fromkeys((low, high - n + 2))]


def paths(family: Paths, flat: Flat) -> None:
    """A Boolean a node and an arc; unit propagation then deletes just the arcs that lie on no path (Bacchus 2007).

    An arc asks for its ends and its values; a node other than the ends of its graph has an arc in and an arc out if it
    is used at all; a value of a variable needs an arc of its graph that asks for it. No "at most one" is needed: any
    path among the true arcs is a placement that the variables agree with.
    """
    node = flat.fresh(family.nodes)
    arc = flat.fresh(len(family.tail))
    if family.meanings is not None:
        flat.meanings.append(Meanings(partial(family.meanings, node, arc)))
    flat.add(at_least(node[family.sources], 1))
    flat.add(at_least(node[family.sinks], 1))
    flat.add(at_most(arc, 0), at_least(node[family.tail], 1))
    flat.add(at_most(arc, 0), at_least(node[family.head], 1))
    begins = np.concatenate((np.zeros(1, dtype=np.int32), family.ends[:-1]))
    owner, _ = ranges(begins, family.ends)
    flat.add(at_most(arc[owner], 0), within(family.variables, family.values, family.values))
    for ends, exempt in ((family.tail, family.sinks), (family.head, family.sources)):
        _some_arc(node, arc, ends, exempt, flat)
    _supports(family, arc, owner, flat)


def _some_arc(node: Ints, arc: Ints, ends: Ints, exempt: Ints, flat: Flat) -> None:
    """A used node has an arc at this end of it."""
    needs = np.ones(len(node), dtype=bool)
    needs[exempt] = False
    number = (np.cumsum(needs) - 1).astype(np.int32)
    order = np.argsort(ends, kind="stable")
    order = order[needs[ends[order]]]
    flat.add(at_most(node[needs], 0), at_least(arc[order], 1, rows=number[ends[order]]))


def _supports(family: Paths, arc: Ints, owner: Positions, flat: Flat) -> None:
    """A variable has a value only if an arc of each graph that speaks of the variable asks for it."""
    if not len(owner):  # no arc asks for anything
        return
    lower, upper = flat.domains()
    graph = np.searchsorted(family.sinks, family.tail)[owner]  # graph g has the nodes up to its sink
    order = np.lexsort((family.values, family.variables, graph))
    keys = np.stack((graph[order], family.variables[order], family.values[order]))
    begins = np.flatnonzero(np.append(True, (np.diff(keys) != 0).any(axis=0)))
    rows = np.repeat(np.arange(len(begins), dtype=np.int32), np.diff(np.append(begins, len(order))))
    variables, values = ints(keys[1][begins]), ints(keys[2][begins])
    flat.add(outside(variables, values, values), at_least(arc[owner[order]], 1, rows=rows))
    # Values of the domain that no arc of a graph asks for at all.
    distinct = np.stack((keys[0][begins], keys[1][begins]))
    heads = np.flatnonzero(np.append(True, (np.diff(distinct) != 0).any(axis=0)))
    pairs = distinct[:, heads]
    pair, value = ranges(lower[pairs[1]], upper[pairs[1]] + 1)
    number = np.repeat(np.arange(len(heads)), np.diff(np.append(heads, len(begins))))
    width = int(upper.max()) - int(lower.min()) + 1
    known = number * width + values
    missing = ~np.isin(pair * width + value, known)
    gone = ints(pairs[1][pair[missing]])
    flat.add(outside(gone, value[missing], value[missing]))


def _meanings(family: Meanings, flat: Flat) -> None:
    flat.meanings.append(family)


_RESTATED: dict[type, Callable[[Any, Flat], None]] = {
    Clauses: _clauses,
    Precedes: _precedes,
    Differ: _differ,
    Product: _product,
    Linear: linear,
    AllDifferent: all_different,
    Paths: paths,
    Meanings: _meanings,
}
