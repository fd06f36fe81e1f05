"""CSP to CSP: every family restated as clauses of comparisons and memberships, with auxiliary integers where needed.

What comes out has the same solutions on the variables that went in. The integer encodings compile clauses and nothing
else, so a new family needs one function here, not one in each encoding.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise, repeat
from typing import Any, NamedTuple, TypeAlias, cast

import numpy as np
import numpy.typing as npt

from nonosat.csp.meanings import (
    AtMostMeaning,
    Entry,
    LemmaMeaning,
    Meanings,
    MeaningTerm,
    Means,
    Pigeonhole,
    Quantity,
    SumMeaning,
    Within,
)
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
    Gaps,
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

    def __init__(
        self, csp: CSP, supports: Has, conflicts: Has, memberships: Has, digits: Has = False, gapped: bool = False
    ) -> None:
        self.supports, self.conflicts, self.memberships, self.digits = supports, conflicts, memberships, digits
        self.lower, self.upper = [csp.lower], [csp.upper]
        self.gapped = gapped
        self.gaps = csp.gaps if gapped or csp.gaps is None else csp.gaps.chosen(~csp.gaps.implied)
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
        sizes = upper[variables].astype(np.int64) - lower[variables] + 1
        if self.gapped and self.gaps is not None:
            places = self.gaps.places(variables)
            sizes[places >= 0] = self.gaps.sizes()[places[places >= 0]]
        return what(sizes)

    def fresh(self, count: int, low: AnyInts | int = 0, high: AnyInts | int = 1) -> Ints:
        """``count`` new variables with the domain ``low..high``, or one each."""
        first = self.count
        self.count += count
        self.lower.append(np.full(count, numbers(low)))
        self.upper.append(np.full(count, numbers(high)))
        return np.arange(first, self.count, dtype=np.int32)

    def domain(self, variable: int) -> tuple[int, int]:
        """The ends of one domain, auxiliaries included."""
        lower, upper = self.domains()
        return int(lower[variable]), int(upper[variable])

    def values(self, variable: int) -> npt.NDArray[np.int64]:
        """The values of one variable."""
        listed = None if self.gaps is None else self.gaps.of_variable(variable)
        low, high = self.domain(variable)
        return np.arange(low, high + 1, dtype=np.int64) if listed is None else listed.astype(np.int64)

    def among(self, variables: Ints, low: AnyInts, high: AnyInts) -> tuple[Positions, AnyInts]:
        """(Entry, value) for each value of each domain from ``low[i]`` to ``high[i]``, not beyond its ends."""
        return ranges(low, high + 1) if self.gaps is None else self.gaps.among(variables, low, high)

    def size(self, variables: Ints, low: AnyInts | None = None, high: AnyInts | None = None) -> npt.NDArray[np.int64]:
        """How many values each has, or has from ``low[i]`` to ``high[i]``; shape of ``variables``."""
        lower, upper = self.domains()
        low = lower[variables] if low is None else low
        high = upper[variables] if high is None else high
        if self.gaps is None:
            found: npt.NDArray[np.int64] = np.maximum(high.astype(np.int64) - low + 1, 0)
            return found
        return self.gaps.count(variables.reshape(-1), low.reshape(-1), high.reshape(-1)).reshape(variables.shape)

    def size_of_both(
        self, left: Ints, distance: AnyInts | int, right: Ints, low: AnyInts, high: AnyInts
    ) -> npt.NDArray[np.int64]:
        """How many values, at most, the left has from ``low[i]`` to ``high[i]`` with the right so far behind it."""
        found = self.size(left, low, high)
        return found if self.gaps is None else np.minimum(found, self.size(right, low + distance, high + distance))

    def unequal(self, left: Ints, distance: AnyInts, right: Ints, low: AnyInts, high: AnyInts) -> None:
        """The left has no value from ``low[i]`` to ``high[i]`` with the right so far behind it, where both have these.

        Of two domains with gaps that with fewer such values is listed.
        """
        if self.gaps is not None:
            swapped = self.size(right, low + distance, high + distance) < self.size(left, low, high)
            low, high = (np.where(swapped, end + distance, end) for end in (low, high))
            left, right = np.where(swapped, right, left), np.where(swapped, left, right)
            distance = np.where(swapped, -distance, distance)
        owner, a = self.among(left, low, high)
        b = a + distance[owner]
        if self.gaps is not None:
            both = self.gaps.has(right[owner], b)
            owner, a, b = owner[both], a[both], b[both]
        self.add(outside(left[owner], a, a), outside(right[owner], b, b))

    def rounded(self, variables: Ints, values: AnyInts, up: bool) -> AnyInts:
        """Values in gaps moved to the next value of the domain; beyond its ends nothing changes but by how far."""
        return values if self.gaps is None else self.gaps.rounded(variables, values, up)

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


Has: TypeAlias = bool | Callable[[npt.NDArray[np.int64]], npt.NDArray[np.bool_]]
"""Whether an encoding has something of a variable: always, or by how many values the variable has."""

Positions: TypeAlias = np.ndarray[Any, np.dtype[np.intp]]


def flatten(
    csp: CSP,
    *,
    supports: Has = False,
    conflicts: Has = False,
    memberships: Has = False,
    digits: Has = False,
    gapped: bool = False,
    keep: tuple[type[Constraint], ...] = (),
    restated: Mapping[type, Callable[[Any, Flat], None]] | None = None,
) -> CSP:
    """``csp`` with nothing but ``Clauses`` and the families to ``keep``; auxiliaries are numbered behind its variables.

    ``memberships``: the encoding has a Boolean a value and takes ``within`` columns as they are. ``supports``: state
    precedences and sums by the supports of every value (Gent 2002) instead of by bounds; ``conflicts``: by the values
    that exclude each other (Walsh 2000). Each may depend on variables' domains; what is about variables of which some
    have it, and some not, is stated as if none had it (of supports and conflicts: by conflicts). ``digits``: it has
    fewer Booleans than values; pairs of variables with it are kept, as ``Precedes`` and ``Differ``, where more than
    ``MOST_PAIRED`` values would be listed. ``gapped``: a domain with gaps has Booleans for its values alone; else
    clauses state those gaps that no constraints imply. ``restated``: other ways than ours to state families.
    """
    ways = {**_RESTATED, **(restated or {})}
    flat = Flat(csp, supports, conflicts, memberships, digits, gapped)
    if flat.gaps is not None and not gapped:
        flat.clauses.append(flat.gaps.clauses())
    kept = [constraint for constraint in csp.constraints if isinstance(constraint, keep)]
    for constraint in csp.constraints if ways[Paths] is not paths else graphs_joined(csp.constraints):
        if not isinstance(constraint, keep):
            if type(constraint) not in ways:
                raise UnsupportedError(f"a {type(constraint).__name__} is no constraint: see nonosat.csp.model")
            ways[type(constraint)](constraint, flat)
    lower, upper = flat.domains()
    extra = np.arange(len(lower) - len(csp), dtype=np.int32).reshape(-1, 1)
    blocks = (*csp.blocks, Block("aux", len(csp), extra)) if len(extra) else csp.blocks
    constraints = (*kept, *flat.kept, *flat.clauses)
    return CSP(lower, upper, constraints, csp.board, blocks, tuple(flat.meanings), flat.gaps if gapped else None)


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
    owner, a = flat.among(before, lower[before], upper[before])
    flat.add(outside(before[owner], a, a), at_least(after[owner], a + distance[owner]))
    owner, b = flat.among(after, lower[after], upper[after])
    flat.add(outside(after[owner], b, b), at_most(before[owner], b - distance[owner]))


def _precedes_by_bounds(family: Precedes, lower: AnyInts, upper: AnyInts, flat: Flat) -> None:
    """``after <= a + distance`` implies ``before <= a``."""
    before, distance, after = family.before, family.distance, family.after
    if flat.gaps is not None and (flat.gaps.places(np.concatenate((before, after))) >= 0).any():
        _precedes_by_values(family, lower, upper, flat)
        return
    # For every a for which that is neither constant nor implied; where no values fit, a = lower - 1 is left, and its
    # clause is empty.
    lowest = np.maximum(lower[before] - 1, lower[after] - distance)
    highest = np.minimum(upper[before] - 1, np.maximum(upper[after] - distance, lower[before] - 1))
    owner, a = ranges(lowest, highest + 1)
    flat.add(at_least(after[owner], a + distance[owner] + 1), at_most(before[owner], a))


def _precedes_by_values(family: Precedes, lower: AnyInts, upper: AnyInts, flat: Flat) -> None:
    """The same for domains with gaps: a clause for each value of the one that has fewer of them to be listed.

    Those of ``before`` that some value of ``after`` is not behind, up to the first that none is; or those of ``after``
    that are not behind all of ``before``, from the last that is behind none. Unit propagation gets the same from both.
    """
    before, distance, after = family.before, family.distance, family.after
    low, high = np.maximum(lower[before], lower[after] - distance + 1), upper[after] - distance + 1
    high = np.minimum(upper[before], flat.rounded(before, np.maximum(high, lower[before]), True))
    least, most = np.minimum(lower[before] + distance - 1, upper[after]), upper[before] + distance - 1
    least, most = np.maximum(lower[after], flat.rounded(after, least, False)), np.minimum(upper[after], most)
    by_after = flat.size(after, least, most) < flat.size(before, low, high)
    some, others = np.flatnonzero(~by_after), np.flatnonzero(by_after)
    owner, value = flat.among(before[some], low[some], high[some])
    owner = some[owner]
    flat.add(at_least(after[owner], value + distance[owner]), at_most(before[owner], value - 1))
    owner, value = flat.among(after[others], least[others], most[others])
    owner = others[owner]
    flat.add(at_least(after[owner], value + 1), at_most(before[owner], value - distance[owner]))


def _shared(left: Ints, distance: AnyInts, right: Ints, flat: Flat) -> tuple[AnyInts, AnyInts, AnyInts]:
    """The least and the greatest value of the left that the right can have so far behind it, and how many they are."""
    lower, upper = flat.domains()
    low = np.maximum(lower[left], lower[right] - distance)
    high = np.minimum(upper[left], upper[right] - distance)
    return low, high, flat.size_of_both(left, distance, right, low, high)


def _differ(family: Differ, flat: Flat) -> None:
    """No value of the left with the one of the right that lies so far behind it (conflict clauses)."""
    left, distance, right = family.left, family.distance, family.right
    low, high, values = _shared(left, distance, right, flat)
    listed = flat.listed(Differ, left, distance, right, values)
    left, distance, right, low, high, values = (c[listed] for c in (left, distance, right, low, high, values))
    refuse_clauses(int(values.max(initial=0)), "a disequality", PRODUCTS)
    flat.unequal(left, distance, right, low, high)


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
        size = int(flat.size(ints([x]))[0]) * int(flat.size(ints([y]))[0])
        refuse_clauses(size, "a product", PRODUCTS)
        grid = np.meshgrid(flat.values(x), flat.values(y), indexing="ij")
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
    owner, a = flat.among(before, np.maximum(lower[before], most + 1), upper[before])
    flat.add(outside(before[owner], a, a))
    owner, b = flat.among(after, lower[after], np.minimum(upper[after], least - 1))
    flat.add(outside(after[owner], b, b))
    owner, a = flat.among(before, lower[before], np.minimum(upper[before], most))
    first, last = np.maximum(lower[after], least)[owner], np.minimum(upper[after][owner], a + distance[owner] - 1)
    conflicts = flat.size(after[owner], lower[after][owner], last)
    refuse_clauses(
        int(conflicts.sum(dtype=np.int64)) // max(len(before), 1), "a comparison", "encode by order or log, "
    )
    pair, b = flat.among(after[owner], first, last)
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
        none = np.zeros((len(some.bounds), 0), dtype=np.int64)
        whole, made = some, Subtotals(none, none, [])
        if pairs:
            whole, made = _with_subtotals(some, pairs, flat)
            _state_subtotals(whole, pairs, flat)
        at_most_sums(whole.chosen(slice(None), np.array(terms, dtype=np.intp)), flat)
        if width:
            lower, upper = (side[whole.variables] for side in flat.domains())
            flat.meanings.append(Meanings(partial(_sums_mean, whole, lower, upper, pairs, terms, flat.gaps, made)))


def _with_subtotals(some: Sums, pairs: list[tuple[int, int]], flat: Flat) -> tuple[Sums, Subtotals]:
    """The sums with a fresh integer for each pair, behind their own terms.

    It is never more than the bound allows, and never less than what satisfies the sum whatever the other terms are:
    a sum of 200 Booleans that is to be 12 at least has partial sums of 13 values, not of up to 200. Where its terms
    combine in fewer ways than there are numbers between these, it has the values that they make.
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
    made = Subtotals(least, greatest, [])
    if flat.gapped:
        _leave_gaps(some, pairs, made, fresh.reshape(count, -1), flat)
    whole = Sums(
        np.concatenate((some.coefficients, np.ones((count, len(pairs)), dtype=np.int64)), axis=1),
        np.concatenate((some.variables, fresh.reshape(count, -1)), axis=1),
        some.bounds,
    )
    return whole, made


@dataclass(frozen=True, eq=False)
class Subtotals:
    """What the partial sums of some sums can be, by their places: (row of ``low`` and of ``high``, place).

    ``gaps``: of each partial sum the rows, as variables, in which its values have gaps.
    """

    low: npt.NDArray[np.int64]
    high: npt.NDArray[np.int64]
    gaps: list[Gaps | None]

    def among(self, place: int, rows: Ints) -> tuple[Positions, npt.NDArray[np.int64]]:
        """(Entry, value) for each value of the partial sum in some rows."""
        low, high, gaps = self.low[rows, place], self.high[rows, place], self.gaps[place]
        entry, value = ranges(low, high + 1) if gaps is None else gaps.among(rows, low, high)
        return entry, value.astype(np.int64)


def _leave_gaps(some: Sums, pairs: list[tuple[int, int]], made: Subtotals, fresh: Ints, flat: Flat) -> None:
    """Partial sums have the values that their terms make where these are few; beyond their ends, the ends."""
    width = some.variables.shape[1]
    lower, upper = flat.domains()
    sizes = [*flat.size(some.variables).T]
    found = list[Gaps]()

    def listed(place: int, rows: Ints) -> tuple[Positions, npt.NDArray[np.int64]]:
        if place >= width:
            return made.among(place - width, rows)
        variables = some.variables[rows, place]
        entry, value = flat.among(variables, lower[variables], upper[variables])
        return entry, some.coefficients[rows[entry], place] * value

    for number, (one, other) in enumerate(pairs):
        size = made.high[:, number] - made.low[:, number] + 1
        own = lower[fresh[:, number]], upper[fresh[:, number]]
        few = sizes[one].astype(np.float64) * sizes[other] < own[1].astype(np.int64) - own[0]
        rows, gaps = ints(np.flatnonzero(few)), None
        if len(rows):
            (row, value), (behind, added) = listed(one, rows), listed(other, rows)
            begins = np.searchsorted(behind, np.arange(len(rows) + 1))
            entry, at = ranges(begins[row], begins[row + 1])
            gaps = _distinct_values(rows, row[entry], value[entry] + added[at])
            size[rows] = gaps.sizes()
            row = np.repeat(np.arange(len(rows)), gaps.sizes())
            variables = fresh[rows, number]
            kept = np.clip(gaps.values, lower[variables][row], upper[variables][row])
            found.append(_distinct_values(variables, row, kept))
        sizes.append(size)
        made.gaps.append(gaps)
    if found:
        flat.gaps = Gaps.joined([*([] if flat.gaps is None else [flat.gaps]), *found])


def _distinct_values(owners: Ints, entry: npt.NDArray[Any], values: AnyInts) -> Gaps:
    """Those of each owner (by its number), sorted."""
    order = np.lexsort((values, entry))
    entry, values = entry[order], values[order]
    new = np.append(True, (np.diff(entry) != 0) | (np.diff(values) != 0))
    ends = np.cumsum(np.bincount(entry[new], minlength=len(owners)))
    return Gaps(owners, numbers(values[new]), ends, np.ones(len(owners), dtype=np.bool_))


def _state_subtotals(whole: Sums, pairs: list[tuple[int, int]], flat: Flat) -> None:
    """A fresh integer is at least the two terms it stands for, as far as its domain goes: that is enough under "<="."""
    parts, count = np.array(pairs), len(whole.bounds)
    width = whole.variables.shape[1] - len(pairs)
    minus = np.full((count, len(pairs), 1), -1, dtype=np.int64)
    coefficients = np.concatenate((whole.coefficients[:, parts], minus), axis=2).reshape(-1, 3)
    variables = np.concatenate((whole.variables[:, parts], whole.variables[:, width:, np.newaxis]), axis=2)
    at_most_sums(Sums(coefficients, variables.reshape(-1, 3), np.zeros(len(coefficients), dtype=np.int64)), flat)


def _sums_mean(
    whole: Sums,
    lower: AnyInts,
    upper: AnyInts,
    pairs: list[tuple[int, int]],
    rest: list[int],
    gaps: Gaps | None,
    made: Subtotals,
) -> Iterator[Entry]:
    width = whole.variables.shape[1] - len(pairs)
    rows = zip(*(part.tolist() for part in (whole.coefficients, whole.variables, lower, upper)), strict=True)
    for number, (row, bound) in enumerate(zip(rows, whole.bounds.tolist(), strict=True)):
        terms = [MeaningTerm(*term) for term in zip(*row, strict=True)]

        def values(place: int, number: int = number, terms: list[MeaningTerm] = terms) -> list[int]:
            """Those of a term, which is a multiple of a variable, or a partial sum."""
            if place >= width:
                return cast("list[int]", made.among(place - width, ints([number]))[1].tolist())
            a, quantity, low, high = (
                getattr(terms[place], name) for name in ("coefficient", "quantity", "low", "high")
            )
            listed = None if gaps is None else gaps.of_variable(quantity)
            return sorted(a * value for value in (range(low, high + 1) if listed is None else listed.tolist()))

        for place, (one, other) in enumerate(pairs, width):
            yield SumMeaning(terms[place].quantity, (terms[one], terms[other]))
            known = made.gaps[place - width] if made.gaps else None
            if known is not None and known.of_variable(number) is not None:
                parts = sorted(((values(step), terms[step]) for step in (one, other)), key=lambda part: len(part[0]))
                yield from _none_in_gaps(terms[place].quantity, values(place), *parts)
        yield AtMostMeaning([terms[place] for place in rest], bound)


def _none_in_gaps(
    whole: Quantity, values: list[int], one: tuple[list[int], MeaningTerm], other: tuple[list[int], MeaningTerm]
) -> Iterator[Entry]:
    """Lemmas: with each value of the one, in their order, and so at all, the whole is in no gap of its ``values``.

    The other is too small for what is behind the gap, or too large for what is before it.
    """
    (domain, term), (behind, rest) = one, other
    for below, above in pairwise(values):
        if below + 1 < above:
            inside = Within(whole, below + 1, above - 1)
            for value in domain:
                at = bisect_right(behind, below - value)
                if at:
                    yield LemmaMeaning([_to(term, value), _to(rest, behind[at - 1]), inside], [])
                if at < len(behind):
                    yield LemmaMeaning([_from(term, value), _from(rest, behind[at]), inside], [])
                yield LemmaMeaning([_to(term, value), inside], [])


def _to(term: MeaningTerm, value: int) -> Within:
    """The term, of which that is a value, is no larger."""
    at = value // term.coefficient
    return Within(term.quantity, None, at) if term.coefficient > 0 else Within(term.quantity, at, None)


def _from(term: MeaningTerm, value: int) -> Within:
    """The term, of which that is a value, is no smaller."""
    at = value // term.coefficient
    return Within(term.quantity, at, None) if term.coefficient > 0 else Within(term.quantity, None, at)


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
    variable with the largest domain is the last, of several that with the smallest coefficient. Where values have
    Booleans: if the others have just these values. By supports two terms are stated from either side then, so that
    unit propagation makes them arc consistent.
    """
    count, width = some.variables.shape
    if not width:
        if (some.bounds < 0).any():
            flat.add(at_least(ints([]), 1, rows=ints([])), count=1)  # an empty clause
        return
    order = np.lexsort((-abs(some.coefficients), flat.size(some.variables)), axis=1)
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
    sizes = flat.size(some.variables[:, :-1])
    most = sizes.astype(np.float64).prod(axis=1).max()  # no integers, which overflow
    refuse_clauses(int(min(most, LARGEST)), "a sum", ADDER)
    sizes = sizes.prod(axis=1)
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
    owner, given, rest = np.arange(len(some.bounds)), list[AnyInts](), some.bounds
    least = np.minimum(some.coefficients * lower, some.coefficients * upper).sum(axis=1)
    hopeless = least > some.bounds  # what no values satisfy is proved by all of them, one by one
    last = lower.shape[1] - 2
    for place in range(last + 1):
        low, high = lower[owner, place], upper[owner, place]
        if place == last:
            begin, end = _restricting(some, owner, rest, lower, upper, bool(by_values), flat)
            low, high = np.where(hopeless[owner], low, begin), np.where(hopeless[owner], high, end)
        entry, value = flat.among(some.variables[owner, place], low, high)
        owner, given = owner[entry], [*(values[entry] for values in given), value]
        rest = rest.take(entry) - some.coefficients[:, place].take(owner) * value
    positive, units = bool(some.coefficients[0, -1] > 0), bool((abs(some.coefficients[:, -1]) == 1).all())
    factor, low, high = abs(some.coefficients[:, -1]), lower[:, -1].take(owner), upper[:, -1].take(owner)

    def left(rest: npt.NDArray[np.int64], rows: Positions | slice) -> AnyInts:
        """What the last may be at most, or at least; beyond its domain nothing changes, nor in its gaps."""
        most = rest if units else rest // factor[owner[rows]]
        least, greatest = low[rows], high[rows]
        bounds = numbers(np.clip(most, least - 1, greatest) if positive else np.clip(-most, least, greatest + 1))
        return bounds if flat.gaps is None else flat.rounded(some.variables[owner[rows], -1], bounds, not positive)

    bounds = left(rest, slice(None))
    needed = bounds != (high if positive else low)
    if not by_values:  # a clause is implied by one with a weaker condition that leaves the last no more
        nothing = bounds == (low - 1 if positive else high + 1)
        for place, values in enumerate(given):
            rows: Positions | slice = slice(None)
            if flat.gaps is None:  # else what is left differs
                steps = abs(some.coefficients[:, place]) < factor
                rows = np.flatnonzero(nothing | steps[owner] if steps.any() else nothing)
            at, some_values = owner[rows], values[rows]
            upwards = bool(some.coefficients[0, place] > 0)
            more = abs(some.coefficients[at, place])
            if flat.gaps is not None:
                weaker = some_values.astype(np.int64) + (-1 if upwards else 1)
                more *= abs(some_values - flat.rounded(some.variables[at, place], weaker, not upwards))
            first = some_values == (lower if upwards else upper)[at, place]
            needed[rows] &= first | (left(rest[rows] + more, rows) != bounds[rows])
        needed |= hopeless[owner]
    which: Positions | slice = slice(None) if needed.all() else np.flatnonzero(needed)
    columns: list[Column] = []
    chosen = owner[which]
    for place, every in enumerate(given):
        variables, values = some.variables[:, place].take(chosen), every[which]
        if by_values:
            columns.append(outside(variables, values, values))
        elif some.coefficients[0, place] > 0:
            columns.append(at_most(variables, values - 1))
        else:
            columns.append(at_least(variables, values + 1))
    columns.append((at_most if positive else at_least)(some.variables[:, -1].take(chosen), bounds[which]))
    if by_values is not None:
        last = some.variables[owner, -1]
        allowed = flat.size(last, low, bounds) if positive else flat.size(last, bounds, high)
        literals = allowed if by_values == "supports" else flat.size(last) - allowed  # a clause each by conflicts
        most = int(np.bincount(chosen, literals[which], 1).max()) // (4 if by_values == "supports" else 1)
        refuse_clauses(most, "a sum", f"encode by order or log, {ADDER}")
    flat.add(*columns)


def _restricting(
    some: Sums,
    owner: Positions,
    rest: npt.NDArray[np.int64],
    lower: AnyInts,
    upper: AnyInts,
    by_values: bool,
    flat: Flat,
) -> tuple[AnyInts, AnyInts]:
    """The range of values of the last term but one that leave the last term less than its whole domain.

    Of those that leave it nothing only the first is in the range, since its clause implies theirs; ``by_values`` all
    are, since each value has a clause of its own. ``rest``: what the terms before leave to these two.
    """
    place = lower.shape[1] - 2
    low, high, factor = lower[owner, place], upper[owner, place], some.coefficients[owner, -1]
    up, step = some.coefficients[owner, place] > 0, abs(some.coefficients[owner, place])
    ends = factor * lower[owner, -1], factor * upper[owner, -1]

    def first_to_leave_less_than(value: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """Counted in the direction in which the term grows."""
        multiple: npt.NDArray[np.int64] = (rest - value) // step + 1
        return np.where(up, multiple, -multiple).astype(np.int64, copy=False)

    first = first_to_leave_less_than(np.maximum(*ends))
    last: AnyInts = np.clip(first_to_leave_less_than(np.minimum(*ends)), low, high)
    if by_values:
        last = np.where(up, high, low)
    elif flat.gaps is not None:
        before = some.variables[owner, place]
        last = np.where(up, *(flat.rounded(before, numbers(last), upwards) for upwards in (True, False)))
    begin = np.clip(np.where(up, first, last), low, high + 1)
    end = np.clip(np.where(up, last, first), low - 1, high)
    return begin.astype(low.dtype), np.maximum(end, begin - 1).astype(low.dtype)


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
    values = flat.size_of_both(groups[:, one], 0, groups[:, other], low, high)
    if flat.digits is not False:
        x, y = groups[:, one].reshape(-1), groups[:, other].reshape(-1)
        listed = flat.listed(Differ, x, np.zeros_like(x), y, values.reshape(-1)).reshape(high.shape)
        high, values = np.where(listed, high, low - 1), np.where(listed, values, 0)
    refuse_clauses(int(min(values.sum(axis=1, dtype=np.float64).max(), LARGEST)), "an all-different", PRODUCTS)
    for piece in pieces_of(values.sum(axis=1)):
        x, y = groups[piece][:, one].reshape(-1), groups[piece][:, other].reshape(-1)
        flat.unequal(x, np.zeros_like(x), y, low[piece].reshape(-1), high[piece].reshape(-1))


def ends_needed(groups: Ints, flat: Flat) -> None:
    """Some variable of a group is among the values from the n-th smallest up, and some from the n-th largest down."""
    count, n = groups.shape
    ends = ends_of(groups, flat)
    conflicts = flat.have(flat.conflicts, groups.reshape(-1)).reshape(count, n).all(axis=1)
    for by_values in (False, True):
        some = np.flatnonzero(conflicts == by_values)
        least, from_least, from_most, most = (one[some] for one in ends[:4])
        each = groups[some].T
        if not len(some):
            continue
        if by_values:  # what comparisons exclude would be named
            flat.add(*(within(one, from_least, most) for one in each))
            flat.add(*(within(one, least, from_most) for one in each))
        else:
            flat.add(*(at_least(one, from_least) for one in each))
            flat.add(*(at_most(one, from_most) for one in each))
    flat.meanings.append(Meanings(partial(_ends_mean, groups, ends)))


class Ends(NamedTuple):
    """Of the values that variables of a group have: the least, n-th least, n-th most and most; ``values`` are all.

    Where there are fewer than n, the n-th are beyond the others. Without ``values`` a group has all between its ends,
    or too many to be listed: then the n-th are no farther in than they are.
    """

    least: AnyInts
    from_least: AnyInts
    from_most: AnyInts
    most: AnyInts
    values: Gaps | None

    def of_group(self, group: int) -> list[int] | range:
        """All values of a group, ascending."""
        values = None if self.values is None else self.values.of_variable(group)
        return range(int(self.least[group]), int(self.most[group]) + 1) if values is None else values.tolist()


def ends_of(groups: Ints, flat: Flat) -> Ends:
    """Of groups of n variables each."""
    count, n = groups.shape
    lower, upper = flat.domains()
    least, most = lower[groups].min(axis=1), upper[groups].max(axis=1)
    from_least, from_most = least + n - 1, most - n + 1
    if flat.gaps is None:
        return Ends(least, from_least, from_most, most, None)
    gapped = np.logical_or.reduce(flat.gaps.places(groups.reshape(-1)).reshape(count, n) >= 0, axis=1)
    gapped &= flat.size(groups.reshape(-1)).reshape(count, n).sum(axis=1, dtype=np.float64) <= LISTED
    if not gapped.any():
        return Ends(least, from_least, from_most, most, None)
    variables = groups[gapped].reshape(-1)
    entry, value = flat.among(variables, lower[variables], upper[variables])
    values = _distinct_values(ints(np.flatnonzero(gapped)), entry // n, value)
    enough, last = values.sizes() >= n, len(values.values) - 1
    from_least[gapped] = np.where(enough, values.values[np.minimum(values.begins + n - 1, last)], most[gapped] + 1)
    from_most[gapped] = np.where(enough, values.values[np.maximum(values.ends - n, 0)], least[gapped] - 1)
    return Ends(least, from_least, from_most, most, values)


def _ends_mean(groups: Ints, ends: Ends) -> Iterator[Entry]:
    fewer = groups.shape[1] - 1
    for number, group in enumerate(groups.tolist()):
        values = ends.of_group(number)
        yield Pigeonhole(group, values[:fewer])
        if len(values) > fewer:
            yield Pigeonhole(group, values[-fewer:])


def gaps_in(values: Iterable[int]) -> list[tuple[int, int]]:
    """``(first, last)`` of the numbers between ascending ``values``.

    >>> gaps_in([2, 3, 7])
    [(4, 6)]
    """
    return [(a + 1, b - 1) for a, b in pairwise(values) if b > a + 1]


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
    wide = flat.size(variables, low, high) > RUN
    if wide.any():
        flat.add(outside(variables[wide], low[wide], high[wide]))
    owner, value = flat.among(variables[~wide], low[~wide], high[~wide])
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
