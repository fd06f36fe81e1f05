"""What adders add up: of a sum or a product in the statement, what it says of the digits that come out.

An adder's carry and total are defined by its inputs, so that cutting planes show that these are twice the one and the
other. All adders of a constraint, and the constraint over the literals that go in, add up to the constraint over its
digits, from which its clauses follow by propagation (Gocht, Martins, Nordström & Oertel, SAT 2022). The statement has
sums in bounds of variables, and products value by value, so the literals that go in are tied to these.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from itertools import product
from math import prod
from operator import itemgetter
from typing import NamedTuple

from nonosat.certificates.quantities import Numbered, Quantities, Unary, added, bounded, joined, net_of
from nonosat.certificates.statement.model import Literal
from nonosat.certificates.steps import LARGEST, Steps, negation
from nonosat.encodings.formula import Adder, Binary, BinaryDifference, BinaryProduct, DomainMap, Sides
from nonosat.errors import UnsupportedError


class _Sides(NamedTuple):
    """Constraints that add up to: one sum is at most another (``above``), and at least (``below``)."""

    above: Numbered
    below: Numbered

    def times(self, weight: int) -> _Sides:
        """The same of both sums, ``weight`` times."""
        above, below = ([(abs(weight) * times, number) for times, number in side] for side in self)
        return _Sides(above, below) if weight > 0 else _Sides(below, above)


@dataclass(frozen=True)
class _Values:
    """A literal for each value v; it is "at least v" less "at least v + 1" (``sides``); no two are true (``one``)."""

    literals: dict[int, Literal]
    sides: dict[int, _Sides]
    one: Numbered


class _Defined(NamedTuple):
    """An adder's place, and derivations: what goes in is at most what comes out (``above``), and at least."""

    place: int
    above: list[str]
    below: list[str]


class Adders:
    """Adders, whose Booleans get their ``texts`` here; ``means``: by Boolean of a domain, the values it is true of."""

    def __init__(
        self,
        encoding: DomainMap,
        means: Mapping[int, Sequence[int]],
        quantities: Quantities,
        texts: list[str],
        steps: Steps,
    ) -> None:
        self.map, self.means, self.quantities, self.texts, self.steps = encoding, means, quantities, texts, steps
        self._values: dict[int, _Values] = {}
        self._variables: dict[int, Unary] = {}

    def expect(self, one: Binary) -> None:
        """Before anything is written. UnsupportedError: there are too many values, or pairs of them in a product."""
        if isinstance(one, BinaryProduct):
            ends = map(self._domain, {one.left, one.right})
            self.quantities.expect(2 * len(one.terms) * prod(high - low + 1 for low, high in ends), "products")
        elif isinstance(one, BinaryDifference):
            low, high = self._domain(one.left)
            self.quantities.expect(11 * (high - low + 1), "differences")

    def take(self, one: Binary) -> None:
        """Define the Booleans, and derive of the digits what the statement says."""
        if isinstance(one, BinaryProduct):
            self._product(one)
            return
        if isinstance(one, BinaryDifference):
            self._difference(one)
            return
        number = bounded([(a, self._variable(v)) for a, v in one.terms], one.bound, self.quantities.facts, self.steps)
        if one.adders:  # the statement leaves out a bound that no values break; digits have to be told
            derived = _by_place(self._defined(one.adders), True)
            self.steps.derive(derived if number is None else f"{derived} {number} +")

    def _text(self, literal: int) -> str:
        return self.texts[literal] if literal > 0 else negation(self.texts[-literal])

    def _clause(self, literals: Iterable[Literal]) -> Numbered:
        """A lemma; none, if it says nothing."""
        found = dict.fromkeys(literal for literal in literals if literal is not False)
        if any(literal is True or negation(literal) in found for literal in found):
            return []
        return [(1, self.steps.lemma(map(str, found)))]

    def _added(self, ways: Numbered, without: Iterable[Literal] = ()) -> Numbered:
        """As one constraint, if there are any."""
        return [(1, self.steps.derive(added(ways, _names(without))))] if ways else []

    # Variables, as their literals.

    def _variable(self, variable: int) -> Unary:
        """A variable as its literals weigh, by what the statement says of it."""
        if variable not in self._variables:
            low, high = self._domain(variable)
            ways, values = _Sides([], []), dict[int, int]()
            for weight, literal in self.map.weighted(variable):
                boolean, sign = abs(literal), 1 if literal > 0 else -1
                some = self.means[boolean]
                if some[-1] - some[0] + 1 == len(some):
                    sides = self._between(self._text(boolean), variable, some[0], some[-1])
                else:
                    sides = self._one_of(self._text(boolean), variable, some)
                    for value in some:
                        values[value] = values.get(value, 0) + sign * weight
                _add(ways, sides.times(sign * weight))
            for value, weight in values.items():
                if weight:
                    _add(ways, self._values_of(variable).sides[value].times(weight))
            found = self.quantities.unary(self.quantities.name(variable), low, high)
            above, below = map(self._added, ways)
            self._variables[variable] = replace(found, above=above + found.above, below=below + found.below)
        return self._variables[variable]

    def _domain(self, variable: int) -> tuple[int, int]:
        return int(self.map.lower[variable]), int(self.map.upper[variable])

    def _at_least(self, variable: int, bound: int) -> Literal:
        low, high = self._domain(variable)
        if low < bound <= high:
            return negation(self.quantities.at_most(self.quantities.name(variable), bound - 1))
        return bound <= low

    def _between(self, literal: Literal, variable: int, first: int, last: int) -> _Sides:
        """The ``literal``, which says "from first to last", is "at least first" less "at least last + 1"."""
        one, other = self._at_least(variable, first), self._at_least(variable, last + 1)
        below = self._clause([literal, negation(one), other])
        none = negation(literal)
        above = self._clause([none, one]) + self._clause([none, negation(other)]) + self._clause([one, negation(other)])
        if len(above) > 1:  # twice that, and 1 at most
            above = [(1, self.steps.derive(f"{added(above)} 2 d"))]
        return _Sides(above, below)

    def _values_of(self, variable: int) -> _Values:
        if variable not in self._values:
            low, high = self._domain(variable)
            literals = {value: self.quantities.among(variable, [value]) for value in range(low, high + 1)}
            sides = {value: self._between(one, variable, value, value) for value, one in literals.items()}
            above = [way for side in sides.values() for way in side.above]
            self._values[variable] = _Values(literals, sides, self._added(above))
        return self._values[variable]

    def _one_of(self, literal: str, variable: int, some: Sequence[int]) -> _Sides:
        """The ``literal``, which says "one of these values", is the sum of their literals."""
        values = self._values_of(variable)
        chosen = dict.fromkeys(some)
        parts = [values.literals[value] for value in chosen]
        others = [other for value, other in values.literals.items() if value not in chosen]
        return _Sides(self._clause([negation(literal), *parts]), self._all_below(literal, parts, values.one, others))

    def _all_below(
        self, whole: Literal, parts: Sequence[Literal], one: Numbered, others: Iterable[Literal]
    ) -> Numbered:
        """``whole`` is at least the sum of ``parts``, all of which propagation makes false with it.

        ``one``: of these and ``others`` one is true at the most.
        """
        if not parts:
            return [(1, str(whole))]
        if list(parts) == [whole]:
            return []
        names = _names(others)
        self.quantities.expect(3 * len(parts) + len(names), "values")
        count = len(parts)
        terms = [(count, str(whole)), *((1, str(negation(part))) for part in parts)]
        each = f"{self.steps.implied(*net_of(terms, count))}"
        ways = [each, f"{added(one, names)} {count - 1} *"] if one and count > 1 else [each]
        return [(1, self.steps.derive(f"{joined(ways)} {count} d"))]

    # Adders, as sums of what goes in and what comes out.

    def _defined(self, adders: list[Adder]) -> list[_Defined]:
        found = []
        for one in adders:
            inputs, below, above = dict[str, str](), list[str](), list[str]()
            for literal in map(self._text, one.inputs):
                if (name := literal.removeprefix("~")) in inputs:  # the same variable twice: by another name
                    name = self.quantities.new()
                    self.steps.define(name, [literal])
                    above.append(f"{self.steps.count - 1}")
                    below.append(f"{self.steps.count}")
                    literal = name
                inputs[name] = literal
            terms = [(1, literal) for literal in inputs.values()]
            carry, total = (self.quantities.new() for _ in range(2))
            two, few = self.steps.define_sum(carry, terms, 2)
            odd, even = self.steps.define_sum(total, [*terms, (2, negation(carry))], 3)
            self.texts[one.carry], self.texts[one.total] = carry, total
            below.append(f"{two} 2 * {odd} + 3 d")
            above.append(f"{few} 2 * {even} + 3 d" if len(terms) > 2 else f"{few} {even} + 2 d")
            found.append(_Defined(one.place, above, below))
        return found

    # Products: each literal of the sum is the sum of those pairs of the factors' values of which it is true.

    def _product(self, one: BinaryProduct) -> None:
        weights: dict[int, int] = {}
        for weight, literal in one.terms:
            weights[literal] = weights.get(literal, 0) + weight
        _check_size("a product", one.sides, weights.values())
        pairs = self._pairs(one)
        some, most = self._one_pair(one, pairs)
        ways = _Sides([], [])
        for literal, sides in self._of_pairs(one, pairs, some, most).items():
            if weights.get(literal):
                _add(ways, sides.times(weights[literal]))
        sums = [self.steps.derive(joined(parts)) if parts else 0 for parts in self._two_sides(one.sides, ways)]
        self._same_digits(sums, [digits for _, digits in one.sides])

    def _two_sides(self, sides: Sides, ways: _Sides) -> list[list[str]]:
        """Derivations that add up to: the digits of one side, less the other's, are the sum at least; and at most."""
        defined = [self._defined(adders) for adders, _ in sides]
        found = []
        for way, below in ((ways.below, False), (ways.above, True)):
            parts = [_by_place(side, which) for side, which in zip(defined, (below, not below), strict=True) if side]
            found.append([*parts, added(way)] if way else parts)
        return found

    def _pairs(self, one: BinaryProduct) -> dict[tuple[int, int], Literal]:
        """A literal for each pair of values that the factors can have."""
        xs, ys = (self._values_of(factor).literals for factor in (one.left, one.right))
        low, high = self._domain(one.result)
        pairs = dict[tuple[int, int], Literal]()
        for (x, has_x), (y, has_y) in product(xs.items(), ys.items()):
            known = [(one.left, x), (one.right, y), (one.result, x * y)]
            if low <= x * y <= high and len(set(known)) == len(dict(known)):  # one variable has one value
                both = self.quantities.all_of([has_x, has_y])
                if both is not False:
                    pairs[x, y] = both
        return pairs

    def _one_pair(self, one: BinaryProduct, pairs: Mapping[tuple[int, int], Literal]) -> tuple[Numbered, Numbered]:
        """That some pair is true, and that no two are: of each value of the first factor, with one of the other's."""
        xs, ys = self._values_of(one.left), self._values_of(one.right)
        found = _Sides([], [])
        for x, has in xs.literals.items():
            _add(found, _Sides(xs.sides[x].below, xs.sides[x].above))
            row = {y: pairs[x, y] for y in ys.literals if (x, y) in pairs}
            each = [way for y, pair in row.items() for way in self._clause([negation(pair), ys.literals[y]])]
            others = [other for y, other in ys.literals.items() if y not in row]
            once = self._added(ys.one + each, others)
            some = self._clause([negation(has), *row.values()])
            _add(found, _Sides(some, once if has is True else self._all_below(has, list(row.values()), once, ())))
        return self._added(found.above), self._added(found.below)

    def _of_pairs(
        self, one: BinaryProduct, pairs: Mapping[tuple[int, int], Literal], some: Numbered, most: Numbered
    ) -> dict[int, _Sides]:
        """By literal of the sum: that it is the sum of those pairs of which it is true."""
        found: dict[int, _Sides] = {}
        true: dict[int, AbstractSet[tuple[int, int]]] = {}
        for variable, value in ((one.left, itemgetter(0)), (one.right, itemgetter(1)), (one.result, prod)):
            for _, literal in self.map.weighted(variable):
                values = set(self.means[abs(literal)])
                true[literal] = {pair for pair in pairs if (value(pair) in values) == (literal > 0)}
        for pair, text in pairs.items():  # a pair tells all that domains have
            fixed = [(1, self._text(literal if pair in holds else -literal)) for literal, holds in true.items()]
            self.steps.implied(*net_of([*fixed, (len(fixed), str(negation(text)))], len(fixed)))

        def below(whole: str, holds: AbstractSet[tuple[int, int]], no: bool = False) -> Numbered:
            """It is at least the sum of the pairs of which it is true; ``no``: of the others, being false."""
            parts: tuple[list[Literal], list[Literal]] = [], []
            for pair, text in pairs.items():
                parts[(pair in holds) == no].append(text)
            return self._all_below(negation(whole) if no else whole, parts[0], most, parts[1])

        for literal, holds in true.items():
            text = self._text(literal)
            found[literal] = _Sides(below(text, holds, True) + some, below(text, holds))
        for both, x, y in one.ands:
            parts = [self._text(x), self._text(y)]
            text = self.texts[both] = self.quantities.literal(self.quantities.all_of(parts))
            true[both] = true[x] & true[y]
            least: Numbered = []
            if [pair for values, pair in pairs.items() if values in true[both]] != [text]:
                # At least those with both, twice, and those with one, less 1; without these last, half of it.
                ways = self._clause([text, *map(negation, parts)]) + found[x].below + found[y].below
                mixed = [pair for values, pair in pairs.items() if (values in true[x]) != (values in true[y])]
                least = [(1, self.steps.derive(f"{added(ways, _names(mixed))} 2 d"))]
            found[both] = _Sides(below(text, true[both], True) + some, least)
        if one.one:
            text = self.texts[one.one] = self.quantities.literal(True)
            found[one.one] = _Sides(below(text, pairs.keys(), True) + some, below(text, pairs.keys()))
        return found

    def _same_digits(self, sums: list[int], sides: list[list[int]]) -> None:
        """Two numbers are the same in each digit, as one less the other is at least 0, and at most (``sums``).

        From the highest digit down: once it is the same in both, it is taken out of the sums.
        """
        for place in reversed(range(max(map(len, sides)))):
            one, other = (self._text(side[place]) if side[place:] and side[place] else False for side in sides)
            for which, (less, more) in enumerate(((one, other), (other, one))):
                lemma = self._clause([negation(less), more])
                taken = [*lemma, *([(1, str(more))] if less is False and more else [])]
                if taken:
                    sums[which] = self.steps.derive(added([(1, sums[which]), *((2**place, way) for _, way in taken)]))

    # Differences: where no digits differ, the one is the other less the distance, and no value of it goes with that.

    def _difference(self, one: BinaryDifference) -> None:
        _check_size("a difference", one.sides)
        if one.one:
            self.texts[one.one] = self.quantities.literal(True)
        left, right = self._variable(one.left), self._variable(one.right)
        sums = self._two_sides(one.sides, _Sides(left.above + right.below, left.below + right.above))
        differ = list[Literal]()
        for place, boolean in enumerate(one.differ):
            more, less = (self._text(side[place]) if side[place:] and side[place] else False for _, side in one.sides)
            ways = [self.quantities.all_of(way) for way in ([more, negation(less)], [negation(more), less])]
            differ.append(negation(self.quantities.all_of(list(map(negation, ways)))))
            if boolean:
                self.texts[boolean] = self.quantities.literal(differ[-1])
            for parts, (a, b) in zip(sums, ((more, less), (less, more)), strict=True):
                parts += [f"{way} {2**place} *" for _, way in self._clause([negation(a), b, differ[-1]])]
        for parts in filter(None, sums):
            self.steps.derive(joined(parts))
        none = self.quantities.all_of(list(map(negation, differ)))
        low, high = self._domain(one.left)
        for value in range(low, high + 1):
            other = value + one.distance
            unless = [negation(self._at_least(one.left, value)), self._at_least(one.left, value + 1), negation(none)]
            for also in (self._at_least(one.right, other), negation(self._at_least(one.right, other + 1)), False):
                self._clause([*unless, also])
        self._clause([negation(none)])


def _add(ways: _Sides, more: _Sides) -> None:
    for side, some in zip(ways, more, strict=True):
        side += some


def _check_size(what: str, sides: Sides, weights: Iterable[int] = ()) -> None:
    if max([2 ** max(len(digits) for _, digits in sides), *map(abs, weights)]) > LARGEST:
        raise UnsupportedError(f"{what} over {LARGEST:,}: there are no certificates")


def _names(literals: Iterable[Literal]) -> list[str]:
    return [literal.removeprefix("~") for literal in literals if isinstance(literal, str)]


def _by_place(defined: list[_Defined], below: bool) -> str:
    """The sum of adders, each as often as its place says: by doubling, so that no number is large."""
    places: list[list[str]] = [[] for _ in range(1 + max(one.place for one in defined))]
    for one in defined:
        places[one.place] += one.below if below else one.above
    whole = joined(places.pop())
    for some in reversed(places):
        whole = joined([f"{whole} 2 *", *some])
    return whole
