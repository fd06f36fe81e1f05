"""Other ways to state all-different and linear constraints than those of ``csp/flatten.py``, each by its name.

Each restates a family as clauses of comparisons, or as paths, so that it goes with every integer encoding; and it says
what its auxiliaries mean, so that it has certificates.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from itertools import product, zip_longest
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from nonosat.csp.flatten import (
    PRODUCTS,
    Flat,
    Subtotal,
    at_most_sum,
    by_size,
    ends_needed,
    ends_of,
    net_terms,
    no_two,
    paths,
    refuse_clauses,
    span,
    sums,
)
from nonosat.csp.meanings import (
    AtMostMeaning,
    Entry,
    LemmaMeaning,
    Meanings,
    MeaningTerm,
    Means,
    Pigeonhole,
    SumMeaning,
    Within,
)
from nonosat.csp.model import (
    AllDifferent,
    AnyInts,
    Differ,
    Ints,
    Linear,
    Paths,
    Precedes,
    Product,
    ints,
    numbers,
    within,
)
from nonosat.encodings.cnf import Collector
from nonosat.encodings.formula import (
    Adder,
    Binary,
    BinaryDifference,
    BinaryProduct,
    BinarySum,
    DomainMap,
    Network,
    Sides,
)
from nonosat.errors import UnsupportedError


def pairs(family: AllDifferent, flat: Flat) -> None:
    """No two variables have the value a, and nothing else."""
    for groups in by_size(family):
        no_two(groups, flat)


def channel(family: AllDifferent, flat: Flat) -> None:
    """No two variables have the value a; and where there are as many values as variables, some variable has each.

    That is the constraint and its dual, in which each value has one of the variables (Hnich, Smith & Walsh 2004): with
    a Boolean a value, "value a is at variable i" is "variable i has value a". Groups with more values have the
    pigeonhole's clauses, as they have without this.
    """
    for groups in by_size(family):
        n = groups.shape[1]
        no_two(groups, flat)
        ends = ends_of(groups, flat)
        permuted = ends.from_least == ends.most
        if not permuted.all():
            ends_needed(groups[~permuted], flat)
        if permuted.any():
            chosen = np.flatnonzero(permuted).tolist()
            values = np.array([ends.of_group(number) for number in chosen])
            flat.add(*(within(np.repeat(one, n), *2 * (numbers(values.reshape(-1)),)) for one in groups[permuted].T))
            flat.meanings.append(Meanings(partial(_all_needed, groups[permuted], values)))


def _all_needed(groups: Ints, values: AnyInts) -> Iterator[Entry]:
    for group, every in zip(groups.tolist(), values.tolist(), strict=True):
        for value in every:
            yield Pigeonhole(group, every, value)


def totalizer(family: Linear, flat: Flat) -> None:
    """Partial sums as a balanced tree: its depth is logarithmic (Bailleux & Boufkhad 2003, for any integers)."""

    def shorter(terms: list[int], subtotal: Subtotal) -> list[int]:
        halves = [terms[at : at + 2] for at in range(0, len(terms), 2)]
        return [subtotal(*half) if len(half) > 1 else half[0] for half in halves]

    sums(family, flat, shorter)


# Linear constraints as diagrams.


MOST_SUMS = 2_000_000
"""A constraint whose terms make more sums than that has no diagram: coefficients may double them with each term."""


@dataclass
class _Diagrams:
    """The graphs so far: nodes by the interval of partial sums that leads there, and arcs with the value they ask."""

    nodes: int = 0

    def __post_init__(self) -> None:
        self.tail: list[Ints] = []
        self.head: list[Ints] = []
        self.variables: list[Ints] = []
        self.values: list[AnyInts] = []
        self.sources: list[int] = []
        self.sinks: list[int] = []
        self.layers: list[_Layered] = []


@dataclass(frozen=True)
class _Layered:
    """One constraint's graph.

    ``first`` and ``sums``: for each layer its first node, and the intervals of sums, (lowest, highest, node), -1 where
    no values lead; ``arcs``: for each step the first arc, and (node of the layer before, of the layer behind, value) of
    each.
    """

    terms: list[tuple[int, int]]
    bound: int
    first: list[int]
    sums: list[list[tuple[int, int, int]]]
    arcs: list[tuple[int, list[tuple[int, int, int]]]]


def mdd(family: Linear, flat: Flat) -> None:
    """A path through a diagram whose nodes are partial sums, those with the same rest being one (Abío & Stuckey 2014).

    Its clauses are those of ``Paths``, by which unit propagation excludes each value without a support where values
    have Booleans.
    """
    made = _Diagrams()
    for coefficients, variables, bound in family.each():
        terms = net_terms(coefficients, variables)
        if len(terms) < 2:
            at_most_sum(terms, bound, flat)
        else:
            _diagram(terms, bound, made, flat)
    if made.sources:
        graphs = Paths(
            nodes=made.nodes,
            sources=ints(made.sources),
            sinks=ints(made.sinks),
            tail=np.concatenate(made.tail),
            head=np.concatenate(made.head),
            variables=np.concatenate(made.variables),
            values=np.concatenate(made.values),
            ends=np.arange(1, sum(map(len, made.tail)) + 1, dtype=np.int32),
            meanings=partial(_meanings, made.layers, {v: flat.values(v) for one in made.layers for _, v in one.terms}),
        )
        paths(graphs, flat)


def _diagram(terms: list[tuple[int, int]], bound: int, made: _Diagrams, flat: Flat) -> None:
    """Layer k's nodes are the sums of k terms, by how many sums of the other terms they leave; none is left out.

    Sums that allow the same sums of the rest are one interval, since these are all that matters. A constraint that no
    values satisfy is stated as a sum.
    """
    domains = [flat.values(v) for _, v in terms]
    steps = [a * values for (a, _), values in zip(terms, domains, strict=True)]
    rests: list[npt.NDArray[np.int64]] = [np.zeros(1, dtype=np.int64)]
    for step in reversed(steps):  # by layer, the sums of what is behind it
        if len(rests[-1]) * len(step) > MOST_SUMS:
            about = f"of {len(terms)} terms has more than {MOST_SUMS:,} partial sums"
            raise UnsupportedError(f"mdd: a linear constraint {about}; totalizer, sums and adder need no diagram")
        rests.append(np.unique(rests[-1][:, np.newaxis] + step))
    rests.reverse()
    if rests[0][0] > bound:
        at_most_sum(terms, bound, flat)
        return
    reached = np.zeros(1, dtype=np.int64)  # one sum a node
    least = most = 0
    first, ranges_of, arcs_of = [made.nodes], [[(0, 0, 0)]], []
    made.sources.append(made.nodes)
    made.nodes += 1
    arcs = sum(map(len, made.tail))
    for number, step in enumerate(steps):
        rest = rests[number + 1]
        totals = reached[:, np.newaxis] + step
        left = np.searchsorted(rest, bound - totals, side="right")  # sums of the rest that fit
        alive = left > 0
        kinds, place = np.unique(left[alive], return_inverse=True)
        node, value = np.nonzero(alive)
        reached = np.array([totals[alive][place == kind].min() for kind in range(len(kinds))], dtype=np.int64)
        v, asked = terms[number][1], domains[number][value]
        made.tail.append(ints(first[-1] + node))
        made.head.append(ints(made.nodes + place))
        made.variables.append(np.full(len(node), v, dtype=np.int32))
        made.values.append(numbers(asked))
        arcs_of.append((arcs, list(zip(node.tolist(), place.tolist(), asked.tolist(), strict=True))))
        arcs += len(node)
        least, most = least + int(step.min()), most + int(step.max())
        tops = np.minimum(bound - rest, most)[::-1]  # the largest sum that leaves all of the rest, ..., one of it
        bottoms = np.concatenate(([least], tops[:-1] + 1))
        place_of = np.full(len(rest) + 1, -1)
        place_of[kinds] = np.arange(len(kinds))
        ends = zip(bottoms.tolist(), tops.tolist(), place_of[:0:-1].tolist(), strict=True)
        ranges_of.append([(bottom, top, node) for bottom, top, node in ends if bottom <= top])
        first.append(made.nodes)
        made.nodes += len(kinds)
    made.sinks.append(made.nodes - 1)
    made.layers.append(_Layered(terms, bound, first, ranges_of, arcs_of))


def _meanings(
    layers: list[_Layered], values: dict[int, npt.NDArray[np.int64]], node: Ints, arc: Ints
) -> Iterator[Entry]:
    """A node is used iff the sum of the terms up to it is in its interval, an arc iff its tail is, with its value."""
    domains = {v: (int(some[0]), int(some[-1])) for v, some in values.items()}
    for number, one in enumerate(layers):
        names, low, high = [""], 0, 0
        for k, (a, v) in enumerate(one.terms, 1):
            own, before = MeaningTerm(a, v, *domains[v]), MeaningTerm(1, names[-1], low, high)
            name = f"sum_{number}_{k}_{v}_{int(node[one.first[k]])}"
            yield SumMeaning(name, [before, own] if k > 1 else [own])
            ends = span(a, *domains[v])
            low, high = low + ends[0], high + ends[1]
            names.append(name)
        yield AtMostMeaning([MeaningTerm(1, names[-1], low, high)], one.bound)
        tiles = [[([Within(name, *ends)] if name else [], place) for *ends, place in one.sums[k]]
                 for k, name in enumerate(names)]  # fmt: skip
        among = [{place: conditions for conditions, place in tiled} for tiled in tiles]
        for k, first in enumerate(one.first):
            yield from (Means(int(node[first + place]), some) for place, some in among[k].items() if place >= 0)
        for k, (begin, arcs) in enumerate(one.arcs):
            v = one.terms[k][1]
            for place, (tail, _, value) in enumerate(arcs):
                yield Means(int(arc[begin + place]), [*among[k][tail], Within(v, value, value)])
            yield from _steps(one, k, tiles, values[v].tolist())


def _steps(one: _Layered, k: int, tiles: list[list[tuple[list[Within], int]]], domain: list[int]) -> Iterator[Entry]:
    """Lemmas: a sum of k + 1 terms is in an interval only by arcs; in one that no arc leads to it is not at all."""
    (a, v), arcs = one.terms[k], one.arcs[k][1]
    before = [(tile, tiled) for tile, tiled in zip(one.sums[k], tiles[k], strict=True) if tile[2] >= 0]
    for (low, high, head), (conditions, _) in zip(one.sums[k + 1], tiles[k + 1], strict=True):
        yield LemmaMeaning(conditions, [given for _, (given, _) in before])
        for (least, most, tail), (given, _) in before:
            less = [x for x in domain if most + a * x < low]
            more = [x for x in domain if least + a * x > high]
            small, large = (less, more) if a > 0 else (more, less)
            known = [*conditions, *given]
            if small:
                yield LemmaMeaning(known, [[Within(v, small[-1] + 1, None)]])
            if large:
                yield LemmaMeaning(known, [[Within(v, None, large[0] - 1)]])
            leading = [value for start, end, value in arcs if (start, end) == (tail, head)]
            yield LemmaMeaning(known, [[*given, Within(v, value, value)] for value in leading])
        if head < 0:
            yield LemmaMeaning(conditions, [])


# Linear constraints as adders, over literals.


@dataclass
class _Written:
    """Adders, and clauses, that are to be written; ``booleans``: the last Boolean so far."""

    booleans: int
    adders: list[Adder] = field(default_factory=list)
    clauses: list[list[int]] = field(default_factory=list)

    def fresh(self) -> int:
        """A new Boolean."""
        self.booleans += 1
        return self.booleans

    def added(self, buckets: list[list[int]]) -> tuple[list[Adder], list[int]]:
        """The sum of literals by the digits of their weights: its adders, and its digits (0: none)."""
        adders, digits = list[Adder](), list[int]()
        place = 0
        while place < len(buckets):
            bucket = buckets[place]
            while len(bucket) > 1:
                adders.append(Adder(tuple(bucket[:3]), self.fresh(), self.fresh(), place))
                buckets[place] = bucket = [*bucket[3:], adders[-1].total]
                if place + 1 == len(buckets):
                    buckets.append([])
                buckets[place + 1].append(adders[-1].carry)
            digits.append(bucket[0] if bucket else 0)
            place += 1
        self.adders += adders
        return adders, digits

    def sides(self, terms: list[tuple[int, int]]) -> Sides:
        """Those of a sum of literals, (weight, literal)."""
        buckets: tuple[list[list[int]], list[list[int]]] = [], []
        for weight, literal in terms:
            if weight:
                _put(abs(weight), literal, buckets[weight < 0])
        return self.added(buckets[0]), self.added(buckets[1])

    def constant(self, value: int, terms: list[tuple[int, int]]) -> int:
        """Add a number to the ``terms``: a new Boolean, which is true, counts it. The Boolean; 0: there is none."""
        if not value:
            return 0
        one = self.fresh()
        self.clauses.append([one])
        terms.append((value, one))
        return one

    def write(self, out: Collector) -> None:
        """All of it."""
        out.fresh(self.booleans - out.variables)
        rows = [[*one.inputs, one.total, one.carry] for one in self.adders]
        full, half = ([row for row in rows if len(row) == width] for width in (5, 4))
        _write_adders(ints(full).reshape(-1, 5), ints(half).reshape(-1, 4), out)
        ends = np.cumsum([len(clause) for clause in self.clauses], dtype=np.int64)
        out.add_ragged(ints([x for clause in self.clauses for x in clause]), ends)


_Made: TypeAlias = Callable[[_Written], Iterator[Binary]]


def _network(made: _Made, out: Collector) -> Network:
    """Written, and to be made again for a proof, which has the same Booleans."""
    found = partial(_again, made, out.variables)
    written = _Written(out.variables)
    for _ in made(written):
        pass
    written.write(out)
    return found


def _again(made: _Made, booleans: int) -> Iterator[Binary]:
    return made(_Written(booleans))


def adder(family: Linear, encoding: DomainMap, out: Collector) -> Network:
    """The sum of the terms in binary, by full and half adders, and a comparison of its digits (Warners 1998).

    A variable is its lowest value and a weighted sum of its Booleans (``DomainMap.weighted``), so that this is the
    adder network of a pseudo-Boolean constraint (Eén & Sörensson 2006) in any encoding; by ``log`` its inputs are the
    digits.
    """
    return _network(partial(_binary_sums, family, encoding), out)


def _binary_sums(family: Linear, encoding: DomainMap, made: _Written) -> Iterator[BinarySum]:
    for coefficients, variables, bound in family.each():
        buckets: list[list[int]] = []
        terms, left = net_terms(coefficients, variables), bound
        for a, v in terms:
            left -= a * int(encoding.lower[v])
            for weight, literal in encoding.weighted(v):
                weight *= a
                if weight < 0:
                    left, weight, literal = left - weight, -weight, -literal
                _put(weight, literal, buckets)
        adders, digits = made.added(buckets)
        made.clauses += _compared(digits, left)
        yield BinarySum(terms, bound, adders)


def _put(weight: int, literal: int, buckets: list[list[int]]) -> None:
    """A literal that counts ``weight``, into the buckets of its weight's digits."""
    while len(buckets) < weight.bit_length():
        buckets.append([])
    for digit in range(weight.bit_length()):
        if weight >> digit & 1:
            buckets[digit].append(literal)


def multiplier(family: Product, encoding: DomainMap, out: Collector) -> Network:
    """A product's partial products, a Boolean for two Booleans of the factors, added up as by ``adder``.

    With factors ``a + sum(w x)`` and ``b + sum(u y)`` these are ``w u (x and y)``, ``a u y`` and ``b w x``. By ``log``
    this is the array multiplier. The digits of what counts positively are those of what counts negatively, the result
    among them.
    """
    return _network(partial(_binary_products, family, encoding), out)


def _binary_products(family: Product, encoding: DomainMap, made: _Written) -> Iterator[BinaryProduct]:
    for left, right, result in zip(family.left.tolist(), family.right.tolist(), family.result.tolist(), strict=True):
        a, b, c = (int(encoding.lower[v]) for v in (left, right, result))
        xs, ys = encoding.weighted(left), encoding.weighted(right)
        refuse_clauses(14 * len(xs) * len(ys), "a product", PRODUCTS)
        terms = [(b * w, x) for w, x in xs] + [(a * u, y) for u, y in ys]
        terms += [(-w, z) for w, z in encoding.weighted(result)]
        ands = []
        for (w, x), (u, y) in product(xs, ys):
            if abs(x) == abs(y):
                both = x if x == y else 0
            else:
                both = made.fresh()
                ands.append((both, x, y))
                made.clauses += [[-both, x], [-both, y], [both, -x, -y]]
            terms += [(w * u, both)] if both else []
        one = made.constant(a * b - c, terms)
        sides = made.sides(terms)
        for first, other in zip_longest(sides[0][1], sides[1][1], fillvalue=0):
            if first and other:
                made.clauses += [[-first, other], [first, -other]]
            elif first or other:
                made.clauses.append([-first or -other])
        yield BinaryProduct(left, right, result, ands, one, terms, sides)


def comparator(family: Precedes, encoding: DomainMap, out: Collector) -> Network:
    """A comparison of two variables as the sum that it is, by ``adder``."""
    count = len(family.before)
    signs = np.tile(ints([1, -1]), count)
    pairs = np.stack((family.before, family.after), axis=1).reshape(-1)
    sums = Linear(signs, pairs, ints(np.arange(2, 2 * count + 1, 2)), numbers(-family.distance))
    return adder(sums, encoding, out)


def unequal(family: Differ, encoding: DomainMap, out: Collector) -> Network:
    """Some digit differs of what the two are above their lowest values, to one of which a constant is added."""
    return _network(partial(_binary_differences, family, encoding), out)


def _binary_differences(family: Differ, encoding: DomainMap, made: _Written) -> Iterator[BinaryDifference]:
    for left, distance, right in zip(
        family.left.tolist(), family.distance.tolist(), family.right.tolist(), strict=True
    ):
        terms = encoding.weighted(left) + [(-weight, y) for weight, y in encoding.weighted(right)]
        one = made.constant(distance + int(encoding.lower[left]) - int(encoding.lower[right]), terms)
        sides = made.sides(terms)
        differ, some = list[int](), list[int]()
        for first, other in zip_longest(sides[0][1], sides[1][1], fillvalue=0):
            differ.append(made.fresh() if first and other else 0)
            for a, b in ((first, other), (-first, -other)) if differ[-1] else ():
                made.clauses += [[-differ[-1], a, b], [differ[-1], a, -b]]
            some += filter(None, [differ[-1] or first or other])
        made.clauses.append(some)
        yield BinaryDifference(left, distance, right, one, sides, differ)


def _write_adders(full: Ints, half: Ints, out: Collector) -> None:
    """Rows of a full adder's three inputs, sum and carry, and of a half adder's two."""
    a, b, c, total, carry = full.T
    for x, y, z in ((1, 1, 1), (1, -1, -1), (-1, 1, -1), (-1, -1, 1)):  # an odd number of them
        out.add(-x * a, -y * b, -z * c, total)
        out.add(x * a, y * b, z * c, -total)
    for one, other in ((a, b), (a, c), (b, c)):
        out.add(-one, -other, carry)
        out.add(one, other, -carry)
    a, b, total, carry = half.T
    out.add(-a, b, total)
    out.add(a, -b, total)
    out.add(a, b, -total)
    out.add(-a, -b, -total)
    out.add(-a, -b, carry)
    out.add(a, -carry)
    out.add(b, -carry)


def _compared(digits: list[int], bound: int) -> list[list[int]]:
    """The clauses by which a number is at most ``bound``: it has no digit more, unless it has one less above that."""
    if bound < 0:
        return [[]]
    if bound >> len(digits):
        return []
    clauses = []
    for place, digit in enumerate(digits):
        above = [place_above for place_above in range(place + 1, len(digits)) if bound >> place_above & 1]
        if digit and not bound >> place & 1 and all(digits[other] for other in above):
            clauses.append([-digit, *(-digits[other] for other in above)])
    return clauses
