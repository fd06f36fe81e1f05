"""CSP to CSP: every family restated as clauses of comparisons and memberships, with auxiliary integers where needed.

What comes out has the same solutions on the variables that went in. The integer encodings compile clauses and nothing
else, so a new family needs one function here, not one in each encoding.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import repeat
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from nonosat.csp.meanings import AtMostMeaning, Entry, Meanings, MeaningTerm, Means, Pigeonhole, SumMeaning, Within
from nonosat.csp.model import (
    CSP,
    LARGEST,
    AllDifferent,
    AnyInts,
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
    numbers,
    outside,
    ranges,
    within,
)
from nonosat.errors import UnsupportedError

# The CSP under restatement: its domains, which grow by auxiliaries, and its clauses, in terms that encodings have.


class Flat:
    """The CSP under restatement: its domains, which grow by auxiliaries, and the clauses so far."""

    def __init__(self, csp: CSP, supports: Has, conflicts: Has, memberships: Has, digits: Has = False) -> None:
        self.supports, self.conflicts, self.memberships, self.digits = supports, conflicts, memberships, digits
        self.lower, self.upper = [csp.lower], [csp.upper]
        self.count = len(csp)
        self.kept: list[Constraint] = []
        self.clauses: list[Clauses] = []
        self.meanings: list[Meanings] = []

    def listed(
        self, pairs: type[Precedes | Differ], one: Ints, distance: AnyInts, other: Ints, values: AnyInts
    ) -> npt.NDArray[np.bool_]:
        """Which pairs are to be stated by listing their ``values``, so many; those to compare by digits are kept."""
        many = values > MOST_PAIRED
        if self.digits is not False and many.any():
            many &= self.have(self.digits, np.concatenate((one, other))).reshape(2, -1).all(axis=0)
            self.kept.append(pairs(one[many], distance[many], other[many]))
            return ~many
        return np.ones(len(values), dtype=np.bool_)

    def have(self, what: Has, variables: Ints) -> npt.NDArray[np.bool_]:
        """Which of the variables have it, by what their encoding says of their domains."""
        if isinstance(what, bool):
            return np.full(len(variables), what)
        lower, upper = self.domains()
        return what(lower[variables], upper[variables])

    def fresh(self, count: int, low: AnyInts | int = 0, high: AnyInts | int = 1) -> Ints:
        """``count`` new variables with the domain ``low..high``, or one each."""
        first = self.count
        self.count += count
        self.lower.append(np.full(count, numbers(low)))
        self.upper.append(np.full(count, numbers(high)))
        return np.arange(first, self.count, dtype=np.int32)

    def domain(self, variable: int) -> tuple[int, int]:
        """The domain of one variable, auxiliaries included."""
        lower, upper = self.domains()
        return int(lower[variable]), int(upper[variable])

    def domains(self) -> tuple[AnyInts, AnyInts]:
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


def _memberships(named: Ints, variables: Ints, low: AnyInts, high: AnyInts) -> Iterator[Entry]:
    for name, *condition in zip(*(column.tolist() for column in (named, variables, low, high)), strict=True):
        yield Means(name, [Within(*condition)])


def _joined(columns: list[Interval]) -> tuple[Ints, Ints, AnyInts, AnyInts]:
    """Columns of memberships as one, clause by clause: (clauses, variables, lowest values, highest values)."""
    rows = [np.arange(len(c.variables), dtype=np.int32) if c.rows is None else c.rows for c in columns]
    if len(columns) == 1:
        return rows[0], columns[0].variables, columns[0].low, columns[0].high
    joined = np.concatenate(
        [np.stack((row, c.variables, c.low, c.high)) for row, c in zip(rows, columns, strict=True)], 1
    )
    joined = joined[:, np.argsort(joined[0], kind="stable")]
    return ints(joined[0]), ints(joined[1]), joined[2], joined[3]


Has: TypeAlias = bool | Callable[[AnyInts, AnyInts], npt.NDArray[np.bool_]]
"""Whether an encoding has something of a variable: always, or by its domain, by functions of (lower, upper)."""

Positions: TypeAlias = np.ndarray[Any, np.dtype[np.intp]]


def flatten(
    csp: CSP,
    *,
    supports: Has = False,
    conflicts: Has = False,
    memberships: Has = False,
    digits: Has = False,
    keep: tuple[type[Constraint], ...] = (),
    restated: Mapping[type, Callable[[Any, Flat], None]] | None = None,
) -> CSP:
    """``csp`` with nothing but ``Clauses`` and the families to ``keep``; auxiliaries are numbered behind its variables.

    ``memberships``: the encoding has a Boolean a value and takes ``within`` columns as they are. ``supports``: state
    precedences and sums by the supports of every value (Gent 2002) instead of by bounds; ``conflicts``: by the values
    that exclude each other (Walsh 2000). Each may depend on variables' domains; what is about variables of which some
    have it, and some not, is stated as if none had it (of supports and conflicts: by conflicts). ``digits``: it has
    fewer Booleans than values; pairs of variables with it are kept, as ``Precedes`` and ``Differ``, where more than
    ``MOST_PAIRED`` values would be listed. ``restated``: other ways than ours to state families.
    """
    ways = {**_RESTATED, **(restated or {})}
    flat = Flat(csp, supports, conflicts, memberships, digits)
    kept = [constraint for constraint in csp.constraints if isinstance(constraint, keep)]
    for constraint in csp.constraints if ways[Paths] is not paths else graphs_joined(csp.constraints):
        if not isinstance(constraint, keep):
            if type(constraint) not in ways:
                raise UnsupportedError(f"a {type(constraint).__name__} is no constraint: see nonosat.csp.model")
            ways[type(constraint)](constraint, flat)
    lower, upper = flat.domains()
    extra = np.arange(len(lower) - len(csp), dtype=np.int32).reshape(-1, 1)
    blocks = (*csp.blocks, Block("aux", len(csp), extra)) if len(extra) else csp.blocks
    return CSP(lower, upper, (*kept, *flat.kept, *flat.clauses), csp.board, blocks, tuple(flat.meanings))


def _clauses(family: Clauses, flat: Flat) -> None:
    flat.add(*family.columns, count=family.count)


def _precedes(family: Precedes, flat: Flat) -> None:
    if flat.digits is not False:
        before, distance, after = family.before, family.distance, family.after
        listed = flat.listed(Precedes, before, distance, after, _shared(before, distance, after, flat)[2])
        family = Precedes(before[listed], distance[listed], after[listed])
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


def _precedes_by_supports(family: Precedes, lower: AnyInts, upper: AnyInts, flat: Flat) -> None:
    """``before = a`` needs ``after >= a + distance``; ``after = b`` needs ``before <= b - distance``."""
    before, distance, after = family.before, family.distance, family.after
    owner, a = ranges(lower[before], upper[before] + 1)
    flat.add(outside(before[owner], a, a), at_least(after[owner], a + distance[owner]))
    owner, b = ranges(lower[after], upper[after] + 1)
    flat.add(outside(after[owner], b, b), at_most(before[owner], b - distance[owner]))


def _precedes_by_bounds(family: Precedes, lower: AnyInts, upper: AnyInts, flat: Flat) -> None:
    """``after <= a + distance`` implies ``before <= a``."""
    before, distance, after = family.before, family.distance, family.after
    # For every a for which that is neither constant nor implied; where no values fit, a = lower - 1 is left, and its
    # clause is empty.
    lowest = np.maximum(lower[before] - 1, lower[after] - distance)
    highest = np.minimum(upper[before] - 1, np.maximum(upper[after] - distance, lower[before] - 1))
    owner, a = ranges(lowest, highest + 1)
    flat.add(at_least(after[owner], a + distance[owner] + 1), at_most(before[owner], a))


def _shared(left: Ints, distance: AnyInts, right: Ints, flat: Flat) -> tuple[AnyInts, AnyInts, AnyInts]:
    """The least and the greatest value of the left that the right can have so far behind it, and how many they are."""
    lower, upper = flat.domains()
    low = np.maximum(lower[left], lower[right] - distance)
    high = np.minimum(upper[left], upper[right] - distance)
    return low, high, high - low + 1


def _differ(family: Differ, flat: Flat) -> None:
    """No value of the left with the one of the right that lies so far behind it (conflict clauses)."""
    left, distance, right = family.left, family.distance, family.right
    low, high, values = _shared(left, distance, right, flat)
    listed = flat.listed(Differ, left, distance, right, values)
    left, distance, right, low, high = (column[listed] for column in (left, distance, right, low, high))
    refuse_clauses(int((high - low + 1.0).max(initial=0)), "a disequality", PRODUCTS)
    owner, a = ranges(low, high + 1)
    b = a + distance[owner]
    flat.add(outside(left[owner], a, a), outside(right[owner], b, b))


MOST_PAIRED = 32
"""Values of two variables that a comparison of them lists, where digits could be compared."""
PIECE = 2**16
"""Clauses of sums that are made at a time."""
MOST_CLAUSES = 2**24
"""Of one constraint: with more, memory is filled before a solver begins."""
PRODUCTS = "encode by log+adder, "
ADDER = "state sums by +adder, "
"""What to do about a sum: its digits are fewer than its values."""


def refuse_clauses(count: int, what: str, instead: str = "") -> None:
    """UnsupportedError: one constraint would be too many clauses. ``instead``: what would help."""
    if count > MOST_CLAUSES:
        raise UnsupportedError(f"{what} would be {count:,} clauses; give smaller domains, {instead}or solve by CP-SAT")


def _product(family: Product, flat: Flat) -> None:
    """Where no factor is negative, bounds give bounds; else each pair of values gives the product's value."""
    lower, upper = flat.domains()
    for x, y, z in zip(family.left.tolist(), family.right.tolist(), family.result.tolist(), strict=True):
        (low, high), (least, most) = flat.domain(x), flat.domain(y)
        size = (high - low + 1) * (most - least + 1)
        refuse_clauses(size, "a product", PRODUCTS)
        grid = np.meshgrid(np.arange(low, high + 1), np.arange(least, most + 1), indexing="ij")
        a, b = (numbers(part.reshape(-1)) for part in grid)
        made = grid[0].reshape(-1) * grid[1].reshape(-1)
        clipped = numbers(np.clip(made, lower[z].astype(np.int64) - 1, upper[z].astype(np.int64) + 1))
        xs, ys, zs = (np.full(size, v, dtype=np.int32) for v in (x, y, z))
        if lower[x] >= 0 and lower[y] >= 0:
            # In this order each clause follows from those before it by unit propagation, given the values of all pairs,
            # as a certificate needs it: of bounds from below the largest come first.
            flat.add(at_most(xs, a[::-1] - 1), at_most(ys, b[::-1] - 1), at_least(zs, clipped[::-1]))
            flat.add(at_least(xs, a + 1), at_least(ys, b + 1), at_most(zs, clipped))
        else:
            flat.add(outside(xs, a, a), outside(ys, b, b), within(zs, clipped, clipped))


def _precedes_by_conflicts(family: Precedes, lower: AnyInts, upper: AnyInts, flat: Flat) -> None:
    """Values without any support are excluded by themselves, and of the others each pair that does not fit."""
    before, distance, after = family.before, family.distance, family.after
    most, least = upper[after] - distance, lower[before] + distance  # of those that have a support
    owner, a = ranges(np.maximum(lower[before], most + 1), upper[before] + 1)
    flat.add(outside(before[owner], a, a))
    owner, b = ranges(lower[after], np.minimum(upper[after] + 1, least))
    flat.add(outside(after[owner], b, b))
    owner, a = ranges(lower[before], np.minimum(upper[before], most) + 1)
    conflicts = np.maximum(np.minimum(upper[after][owner] + 1, a + distance[owner]) - lower[after][owner], 0)
    refuse_clauses(
        int(conflicts.sum(dtype=np.int64)) // max(len(before), 1), "a comparison", "encode by order or log, "
    )
    pair, b = ranges(np.maximum(lower[after], least)[owner], np.minimum(upper[after][owner] + 1, a + distance[owner]))
    flat.add(outside(before[owner[pair]], a[pair], a[pair]), outside(after[owner[pair]], b, b))


def linear(family: Linear, flat: Flat) -> None:
    """Up to three terms directly, longer sums through partial sums (as Sugar does), which are added up one by one."""

    def shorter(terms: list[int], subtotal: Subtotal) -> list[int]:
        return [subtotal(terms[0], terms[1]), *terms[2:]]

    sums(family, flat, shorter)


Subtotal: TypeAlias = Callable[[int, int], int]
"""Two terms of a sum, by their places, as one: the place of a fresh integer that stands for both."""


@dataclass(frozen=True, eq=False)
class Sums:
    """``sum(coefficients[i] * variables[i]) <= bounds[i]``, sums of as many terms: shapes (sums, terms) and (sums,).

    No variable is twice in a sum, and no coefficient is 0.
    """

    coefficients: npt.NDArray[np.int64]
    variables: Ints
    bounds: npt.NDArray[np.int64]

    def chosen(self, some: npt.NDArray[Any] | slice, terms: Positions | slice = slice(None)) -> Sums:
        """Some of the sums, or of their terms."""
        return Sums(self.coefficients[some][:, terms], self.variables[some][:, terms], self.bounds[some])


def by_width(family: Linear) -> Iterator[Sums]:
    """The constraints by their numbers of terms, once what is about the same variable has been added up."""
    rows = np.repeat(np.arange(len(family.ends), dtype=np.int32), np.diff(family.ends, prepend=0))
    number, first = distinct(family.variables, rows)
    net = np.zeros(len(first), dtype=np.int64)
    np.add.at(net, number, family.coefficients)
    first, net = first[net != 0], net[net != 0]
    rows, variables, bounds = rows[first], family.variables[first], family.bounds.astype(np.int64)
    widths = np.bincount(rows, minlength=len(bounds))
    for width in np.unique(widths).tolist():
        some, which = widths[rows] == width, widths == width
        shape = int(which.sum()), width
        yield Sums(net[some].reshape(shape), variables[some].reshape(shape), bounds[which])


def sums(family: Linear, flat: Flat, shorter: Callable[[list[int], Subtotal], list[int]]) -> None:
    """Up to three terms directly; ``shorter`` makes less of more of them, by integers that stand for two each.

    Sums of as many terms are stated at once. Proofs know every sum: what its clauses say is seen by unit propagation in
    counters of the terms alone.
    """
    for some in by_width(family):
        width = some.variables.shape[1]
        pairs: list[tuple[int, int]] = []

        def subtotal(one: int, other: int, pairs: list[tuple[int, int]] = pairs, width: int = width) -> int:
            pairs.append((one, other))
            return width + len(pairs) - 1

        terms = list(range(width))
        while len(terms) > 3:
            terms = shorter(terms, subtotal)
        whole = some
        if pairs:
            whole = _with_subtotals(some, pairs, flat)
            _state_subtotals(whole, pairs, flat)
        at_most_sums(whole.chosen(slice(None), np.array(terms, dtype=np.intp)), flat)
        if width:
            lower, upper = (side[whole.variables] for side in flat.domains())
            flat.meanings.append(Meanings(partial(_sums_mean, whole, lower, upper, pairs, terms)))


def _with_subtotals(some: Sums, pairs: list[tuple[int, int]], flat: Flat) -> Sums:
    """The sums with a fresh integer for each pair, behind their own terms.

    It is never more than the bound allows, and never less than what satisfies the sum whatever the other terms are:
    a sum of 200 Booleans that is to be 12 at least has partial sums of 13 values, not of up to 200.
    """
    count, width = some.variables.shape
    lower, upper = flat.domains()
    low, high = (np.zeros((count, width + len(pairs)), dtype=np.int64) for _ in range(2))
    ends = some.coefficients * lower[some.variables], some.coefficients * upper[some.variables]
    low[:, :width], high[:, :width] = np.minimum(*ends), np.maximum(*ends)
    for place, (one, other) in enumerate(pairs, width):
        low[:, place], high[:, place] = low[:, one] + low[:, other], high[:, one] + high[:, other]
    most = some.bounds - low[:, :width].sum(axis=1)  # that a term may be above its least value
    need = high[:, :width].sum(axis=1) - some.bounds  # that all terms must be below their greatest values together
    least, greatest = low[:, width:], high[:, width:]
    highest = np.minimum(greatest, least + np.maximum(most, 0)[:, np.newaxis])
    lowest = np.minimum(np.maximum(least, greatest - np.maximum(need, 0)[:, np.newaxis]), highest)
    fresh = flat.fresh(count * len(pairs), lowest.reshape(-1), highest.reshape(-1))
    return Sums(
        np.concatenate((some.coefficients, np.ones((count, len(pairs)), dtype=np.int64)), axis=1),
        np.concatenate((some.variables, fresh.reshape(count, -1)), axis=1),
        some.bounds,
    )


def _state_subtotals(whole: Sums, pairs: list[tuple[int, int]], flat: Flat) -> None:
    """A fresh integer is at least the two terms it stands for, as far as its domain goes: that is enough under "<="."""
    parts, count = np.array(pairs), len(whole.bounds)
    width = whole.variables.shape[1] - len(pairs)
    minus = np.full((count, len(pairs), 1), -1, dtype=np.int64)
    coefficients = np.concatenate((whole.coefficients[:, parts], minus), axis=2).reshape(-1, 3)
    variables = np.concatenate((whole.variables[:, parts], whole.variables[:, width:, np.newaxis]), axis=2)
    at_most_sums(Sums(coefficients, variables.reshape(-1, 3), np.zeros(len(coefficients), dtype=np.int64)), flat)


def _sums_mean(
    whole: Sums, lower: AnyInts, upper: AnyInts, pairs: list[tuple[int, int]], rest: list[int]
) -> Iterator[Entry]:
    width = whole.variables.shape[1] - len(pairs)
    rows = zip(*(part.tolist() for part in (whole.coefficients, whole.variables, lower, upper)), strict=True)
    for row, bound in zip(rows, whole.bounds.tolist(), strict=True):
        terms = [MeaningTerm(*term) for term in zip(*row, strict=True)]
        for place, (one, other) in enumerate(pairs, width):
            yield SumMeaning(terms[place].quantity, (terms[one], terms[other]))
        yield AtMostMeaning([terms[place] for place in rest], bound)


def net_terms(coefficients: AnyInts, variables: Ints) -> list[tuple[int, int]]:
    """Each variable once, with a coefficient that is not 0."""
    net: dict[int, int] = {}
    for a, v in zip(coefficients.tolist(), variables.tolist(), strict=True):
        net[v] = net.get(v, 0) + a
    return [(a, v) for v, a in net.items() if a]


def span(a: int, low: int, high: int) -> tuple[int, int]:
    """The least and the greatest value of a term."""
    return min(a * low, a * high), max(a * low, a * high)


def at_most_sum(terms: list[tuple[int, int]], bound: int, flat: Flat) -> None:
    """One sum, as ``at_most_sums``."""
    table = np.array(terms, dtype=np.int64).reshape(1, -1, 2)
    at_most_sums(Sums(table[:, :, 0], ints(table[:, :, 1]), np.array([bound], dtype=np.int64)), flat)


def at_most_sums(some: Sums, flat: Flat) -> None:
    """``sum(a v) <= bound``: if all terms but one have at least these values, the last has at most what is left.

    One clause for all values of the others (Tamura et al. 2009, without the combinations that no values reach); the
    variable with the largest domain is the last. Where values have Booleans: if the others have just these values. By
    supports two terms are stated from either side then, so that unit propagation makes them arc consistent.
    """
    count, width = some.variables.shape
    if not width:
        if (some.bounds < 0).any():
            flat.add(at_least(ints([]), 1, rows=ints([])), count=1)  # an empty clause
        return
    lower, upper = flat.domains()
    order = np.argsort((upper - lower)[some.variables], axis=1, kind="stable")
    some = Sums(
        np.take_along_axis(some.coefficients, order, 1), np.take_along_axis(some.variables, order, 1), some.bounds
    )
    supports: npt.NDArray[np.bool_] = np.zeros(count, dtype=bool)
    values = supports
    if width > 1 and (flat.supports is not False or flat.conflicts is not False):
        variables = some.variables.reshape(-1)
        has = flat.have(flat.supports, variables)
        has_values = has | flat.have(flat.conflicts, variables)
        values = np.logical_and.reduce(has_values.reshape(count, width), axis=1)
        supports = np.logical_and.reduce(has.reshape(count, width), axis=1)
    _state_sums(some.chosen(~values), None, flat)
    _state_sums(some.chosen(values & ~supports), "conflicts", flat)
    _state_sums(some.chosen(supports), "supports", flat)
    if width == 2:
        _state_sums(some.chosen(supports, np.array([1, 0])), "supports", flat)


def _state_sums(some: Sums, by_values: str | None, flat: Flat) -> None:
    """A clause for all values of the terms before the last; which way its comparisons go depends on the signs.

    ``by_values``: whether the last term has a literal for each value that is left (``supports``), or a clause for each
    that is not (``conflicts``); None: the terms are compared.
    """
    if not len(some.bounds):
        return
    lower, upper = (side[some.variables] for side in flat.domains())
    most = (upper - lower + 1.0)[:, :-1].prod(axis=1).max()  # no integers, which overflow
    refuse_clauses(int(min(most, LARGEST)), "a sum", ADDER)
    sizes = (upper - lower + 1).astype(np.int64)[:, :-1].prod(axis=1)
    signs = some.coefficients[:, -1:] > 0 if by_values else some.coefficients > 0
    number, first = distinct(*ints(signs.T))
    for sign in range(len(first)):
        same = np.flatnonzero(number == sign)
        for piece in pieces_of(sizes[same]):
            at = same[piece]
            _state_piece(some.chosen(at), lower[at], upper[at], by_values, flat)


def pieces_of(sizes: npt.NDArray[Any]) -> list[npt.NDArray[np.intp]]:
    """The indices of constraints of so many clauses in pieces: what is worked on stays in the cache."""
    pieces = np.cumsum(sizes.astype(np.int64)) // PIECE
    return np.split(np.arange(len(sizes)), np.flatnonzero(np.diff(pieces)) + 1)


def _state_piece(some: Sums, lower: AnyInts, upper: AnyInts, by_values: str | None, flat: Flat) -> None:
    """The same for sums whose coefficients have the same signs."""
    owner, given = np.arange(len(some.bounds)), list[AnyInts]()
    for place in range(lower.shape[1] - 1):
        entry, value = ranges(lower[owner, place], upper[owner, place] + 1)
        owner, given = owner[entry], [*(values[entry] for values in given), value]
    rest = some.bounds[owner]
    for place, values in enumerate(given):
        rest -= some.coefficients[owner, place] * values
    positive, units = bool(some.coefficients[0, -1] > 0), bool((abs(some.coefficients[:, -1]) == 1).all())
    coefficients, low, high = abs(some.coefficients[owner, -1]), lower[owner, -1], upper[owner, -1]

    def left(rest: npt.NDArray[np.int64]) -> AnyInts:  # beyond the domain nothing changes
        most = rest if units else rest // coefficients
        return numbers(np.clip(most, low - 1, high) if positive else np.clip(-most, low, high + 1))

    bounds = left(rest)
    needed = bounds != (high if positive else low)
    if not by_values:  # a clause is implied by one with a weaker condition that leaves the last no more
        least = np.minimum(some.coefficients * lower, some.coefficients * upper).sum(axis=1)
        for place, values in enumerate(given):
            end = (lower if some.coefficients[0, place] > 0 else upper)[owner, place]
            needed &= (values == end) | (left(rest + abs(some.coefficients[owner, place])) != bounds)
        needed |= (least > some.bounds)[owner]  # what no values satisfy is proved by all of them, one by one
    which = np.flatnonzero(needed)
    columns: list[Column] = []
    for place, every in enumerate(given):
        variables, values = some.variables[owner[which], place], every[which]
        if by_values:
            columns.append(outside(variables, values, values))
        elif some.coefficients[0, place] > 0:
            columns.append(at_most(variables, values - 1))
        else:
            columns.append(at_least(variables, values + 1))
    columns.append((at_most if positive else at_least)(some.variables[owner[which], -1], bounds[which]))
    if by_values is not None:
        allowed = bounds - low + 1 if positive else high - bounds + 1
        literals = allowed if by_values == "supports" else high - low + 1 - allowed  # a clause each by conflicts
        most = int(np.bincount(owner[which], literals[which], 1).max()) // (4 if by_values == "supports" else 1)
        refuse_clauses(most, "a sum", f"encode by order or log, {ADDER}")
    flat.add(*columns)


def all_different(family: AllDifferent, flat: Flat) -> None:
    """No two variables have the value a; and the pigeonhole's two clauses a group."""
    for groups in by_size(family):
        no_two(groups, flat)
        ends_needed(groups, flat)


def by_size(family: AllDifferent) -> Iterator[Ints]:
    """The groups of at least two variables by their size n: shape (groups, n)."""
    counts = np.diff(family.ends, prepend=0)
    for n in np.unique(counts[counts > 1]).tolist():
        yield family.variables[np.repeat(counts == n, counts)].reshape(-1, n)


def no_two(groups: Ints, flat: Flat) -> None:
    """No two variables of a group have one value."""
    lower, upper = flat.domains()
    one, other = np.triu_indices(groups.shape[1], 1)
    low = np.maximum(lower[groups[:, one]], lower[groups[:, other]])
    high = np.minimum(upper[groups[:, one]], upper[groups[:, other]])
    if flat.digits is not False:
        x, y = groups[:, one].reshape(-1), groups[:, other].reshape(-1)
        listed = flat.listed(Differ, x, np.zeros_like(x), y, (high - low + 1).reshape(-1))
        high = np.where(listed.reshape(high.shape), high, low - 1)
    refuse_clauses(int(min(np.maximum(high - low + 1.0, 0).sum(axis=1).max(), LARGEST)), "an all-different", PRODUCTS)
    sizes = np.maximum(high.astype(np.int64) - low + 1, 0).sum(axis=1)
    for piece in pieces_of(sizes):
        x, y = groups[piece][:, one].reshape(-1), groups[piece][:, other].reshape(-1)
        pair, values = ranges(low[piece].reshape(-1), high[piece].reshape(-1) + 1)
        flat.add(outside(x[pair], values, values), outside(y[pair], values, values))


def ends_needed(groups: Ints, flat: Flat) -> None:
    """Some variable of a group is among the values from the n-th smallest up, and some from the n-th largest down."""
    count, n = groups.shape
    lower, upper = flat.domains()
    low, high = lower[groups].min(axis=1), upper[groups].max(axis=1)
    conflicts = flat.have(flat.conflicts, groups.reshape(-1)).reshape(count, n).all(axis=1)
    for by_values in (False, True):
        some = np.flatnonzero(conflicts == by_values)
        least, most = low[some], high[some]
        each = groups[some].T
        if not len(some):
            continue
        if by_values:  # what comparisons exclude would be named
            flat.add(*(within(one, least + n - 1, most) for one in each))
            flat.add(*(within(one, least, most - n + 1) for one in each))
        else:
            flat.add(*(at_least(one, least + n - 1) for one in each))
            flat.add(*(at_most(one, most - n + 1) for one in each))
    flat.meanings.append(Meanings(partial(_ends_mean, groups, low, high)))


def _ends_mean(groups: Ints, low: AnyInts, high: AnyInts) -> Iterator[Entry]:
    n = groups.shape[1]
    for group, least, most in zip(groups.tolist(), low.tolist(), high.tolist(), strict=True):
        for first in dict.fromkeys((least, most - n + 2)):
            yield Pigeonhole(group, first, first + n - 2)


def graphs_joined(constraints: Sequence[Constraint]) -> Iterator[Constraint]:
    """``constraints`` with one family for all graphs of which proofs say nothing; models have one a constraint."""
    alone = [one for one in constraints if isinstance(one, Paths) and one.meanings is None]
    if len(alone) < 2:
        yield from constraints
        return
    nodes = np.cumsum([0, *(one.nodes for one in alone)]).tolist()
    entries = np.cumsum([0, *(len(one.variables) for one in alone)]).tolist()

    def column(name: str, offsets: Iterable[int] = repeat(0)) -> Ints:
        return ints(np.concatenate([getattr(one, name) + by for one, by in zip(alone, offsets)]))  # noqa: B905

    sources, sinks, tail, head = (column(name, nodes) for name in ("sources", "sinks", "tail", "head"))
    values = np.concatenate([one.values for one in alone])
    joined = Paths(nodes[-1], sources, sinks, tail, head, column("variables"), values, column("ends", entries))
    for one in constraints:
        if one is alone[0]:
            yield joined
        elif not (isinstance(one, Paths) and one.meanings is None):
            yield one


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
    variables, values = ints(keys[1][begins]), keys[2][begins]
    flat.add(outside(variables, values, values), at_least(arc[owner[order]], 1, rows=rows))
    # Values of the domain that no arc of a graph asks for at all.
    distinct = np.stack((keys[0][begins], keys[1][begins]))
    heads = np.flatnonzero(np.append(True, (np.diff(distinct) != 0).any(axis=0)))
    one = ints(distinct[1, heads])
    low, high = gaps(lower[one], upper[one], values, np.append(heads, len(begins)))
    owner = np.repeat(np.arange(len(one)), np.diff(np.append(heads, len(begins))) + 1)
    there = np.flatnonzero(low <= high)
    _leave_out(one[owner[there]], low[there], high[there], flat)


LISTED = 2**18
"""Where a variable has more values than that, nothing is said value by value."""
RUN = 2**8
"""Up to so many values in a row are excluded one by one; more of them, by the ends of their range."""


def gaps(lower: AnyInts, upper: AnyInts, values: AnyInts, begins: npt.NDArray[np.intp]) -> tuple[AnyInts, AnyInts]:
    """What lies before, between and behind sorted ``values[begins[i]:begins[i + 1]]`` of the domain i: (low, high).

    One more for each domain than it has values; empty ones too.

    >>> gaps(ints([0, 0]), ints([9, 3]), ints([2, 3, 7, 0]), np.array([0, 3, 4]))
    (array([0, 3, 4, 8, 0, 1], dtype=int32), array([ 1,  2,  6,  9, -1,  3], dtype=int32))
    """
    wide = values.astype(np.int64)
    return numbers(np.insert(wide + 1, begins[:-1], lower)), numbers(np.insert(wide - 1, begins[1:], upper))


def _leave_out(variables: Ints, low: AnyInts, high: AnyInts, flat: Flat) -> None:
    """Variables are not from ``low`` to ``high``: a clause for each value, or for the range where it has many."""
    wide = high - low >= RUN
    if wide.any():
        flat.add(outside(variables[wide], low[wide], high[wide]))
    owner, value = ranges(low[~wide], high[~wide] + 1)
    flat.add(outside(variables[~wide][owner], value, value))


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
