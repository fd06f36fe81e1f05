"""Quantities in literals: a cell, what the statement defines, and auxiliaries by their declared meaning."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from nonosat.certificates.statement import PBConstraint, Statement
from nonosat.certificates.statement.model import Literal
from nonosat.certificates.steps import Steps, negation
from nonosat.csp.flatten import gaps_in
from nonosat.csp.meanings import Meanings, MeaningTerm, Pigeonhole, Quantity, SumMeaning, Within
from nonosat.encodings.formula import Formula
from nonosat.errors import UnsupportedError

# The numbers of constraints by what they say: those of the statement, and those that follow by adding some up.


Net = dict[str, int]
"""Coefficients by variable."""
Key = tuple[frozenset[tuple[str, int]], int]
Numbered = list[tuple[int, int | str]]
"""Constraints to add up: (how many times, its number, or a literal, which is at least 0)."""


class Facts:
    """Indexed when the first one is requested, so that statements whose sums are not needed are not read.

    ``cells``: the names of each cell's values. Where the statement says that exactly one of them is true, what it says
    of the cell's value can be written in several ways: ``v`` times the name of ``v``, or only what is above 1.
    ``fixed``: variables that are the same in all solutions, whose values propagation knows.
    """

    def __init__(self, statement: Statement, steps: Steps, cells: Iterable[Sequence[str]]) -> None:
        self.statement, self.steps = statement, steps
        self.cells = [tuple(names) for names in cells]
        self.fixed: dict[str, bool] = {}
        self.numbers: dict[Key, int] = {}
        self.sums: dict[object, list[tuple[Net, int, int]]] = {}  # by a variable, or by its cell
        self.cell: dict[str, int] = {}  # of a variable; those of cells of which exactly one is true
        self.one: dict[int, tuple[int, int]] = {}  # by cell, the numbers of "at least one" and of "at most one"

    def number(self, terms: Iterable[tuple[int, str]], degree: int) -> int | None:
        """The number of ``sum(coefficient * literal) >= degree``, if it is known."""
        self._state()
        net, degree = net_of(terms, degree)
        return self.numbers.get((frozenset(net.items()), degree))

    def adding(self, terms: Iterable[tuple[int, str]], degree: int) -> Numbered | None:
        """What adds up to ``sum(coefficient * literal) >= degree`` or more, if one constraint of the statement says it.

        As far as variables go that are not ``fixed``: what is added up may have others of these.
        """
        self._state()
        net, degree = net_of(terms, degree)
        wanted, wanted_degree, wanted_times = self._reduced(net, degree)
        places = [self.sums.get(self.cell.get(name, name), []) for name in wanted]
        for has, least, number in min(places, key=len, default=[]):
            reduced, reduced_degree, times = self._reduced(has, least)
            if reduced == wanted and reduced_degree >= wanted_degree:
                found: Numbered = [(1, number)]
                for cell in {**times, **wanted_times}:
                    more = wanted_times.get(cell, 0) - times.get(cell, 0)
                    if more:
                        found.append((abs(more), self.one[cell][more < 0]))
                return found
        return None

    def _reduced(self, net: Net, degree: int) -> tuple[Net, int, dict[int, int]]:
        """The same without what is fixed, and without one name of each cell: (net, degree, how often by cell).

        "Exactly one is true" is taken away so often that the first name that is open has the coefficient 0.
        """
        times = {}
        net = dict(net)
        for cell in {self.cell[name] for name in net if name in self.cell}:
            if first := next((name for name in self.cells[cell] if name not in self.fixed), None):
                times[cell] = net.get(first, 0)
                degree -= times[cell]
                for name in self.cells[cell]:
                    net[name] = net.get(name, 0) - times[cell]
        degree -= sum(coefficient * self.fixed.get(name, False) for name, coefficient in net.items())
        return {name: c for name, c in net.items() if c and name not in self.fixed}, degree, times

    def _state(self) -> None:
        if self.numbers:
            return
        count, every = 0, []
        for stated in self.statement.constraints():
            for terms, degree in (stated[:2], _negated(stated))[: 1 + stated.equal]:
                count += 1
                every.append((*net_of(terms, degree), count))
                self.numbers[_fact_key(terms, degree)] = count
        for says, parts in self.statement.sums():
            names = {name for _, name in says.terms}
            numbered: Numbered = [(times, self.numbers[_fact_key(part.terms, part.degree)]) for times, part in parts]
            others = dict.fromkeys(name for _, part in parts for _, name in part.terms if name not in names)
            number = self.numbers[_fact_key(says.terms, says.degree)] = self.steps.derive(added(numbered, others))
            every.append((*net_of(says.terms, says.degree), number))
        for cell, values in enumerate(self.cells):
            some = self.numbers.get(_fact_key([(1, name) for name in values], 1))
            most = self.numbers.get(_fact_key([(-1, name) for name in values], -1))
            if some is not None and most is not None:
                self.one[cell] = some, most
                self.cell.update(dict.fromkeys(values, cell))
        for net, degree, number in every:
            for place in {self.cell.get(name, name) for name in net}:
                self.sums.setdefault(place, []).append((net, degree, number))


def added(parts: Numbered, without: Iterable[str] = ()) -> str:
    """A derivation, in reverse Polish notation: the sum of the parts, weakened on variables ``without`` which it is.

    >>> added([(1, 4), (2, 7)], ["aa"])
    '4 7 2 * + aa w'
    """
    whole = joined([f"{number}" if times == 1 else f"{number} {times} *" for times, number in parts])
    return " ".join([whole, *(f"{name} w" for name in without)])


def joined(derivations: Sequence[str]) -> str:
    """The sum of derivations, by halves: a checker that goes through both operands of each sum is done in good time.

    >>> joined(["4", "7", "9"])
    '4 7 + 9 +'
    """
    while len(derivations) > 1:
        pairs = [derivations[at : at + 2] for at in range(0, len(derivations), 2)]
        derivations = [f"{pair[0]} {pair[1]} +" if len(pair) > 1 else pair[0] for pair in pairs]
    return derivations[0]


def _negated(stated: PBConstraint) -> tuple[list[tuple[int, str]], int]:
    return [(-coefficient, literal) for coefficient, literal in stated.terms], -stated.degree


def _fact_key(terms: Iterable[tuple[int, str]], degree: int) -> Key:
    net, degree = net_of(terms, degree)
    return frozenset(net.items()), degree


def net_of(terms: Iterable[tuple[int, str]], degree: int) -> tuple[Net, int]:
    """Without negations, each variable once."""
    net: Net = {}
    for coefficient, literal in terms:
        if literal[0] == "~":  # c ~x = c - c x
            coefficient, literal, degree = -coefficient, literal[1:], degree - coefficient
        net[literal] = net.get(literal, 0) + coefficient
    return {name: coefficient for name, coefficient in net.items() if coefficient}, degree


# Quantities that are sums of others, as counters: a Boolean for each value that the sum may reach.
#
# A counter is defined by the counters of the terms ("at least k" iff at least k of these are true), so that unit
# propagation goes from the terms to the sum and back. That as many counters are true as of what they count follows by
# cutting planes (Gocht, Martins, Nordström & Oertel, SAT 2022), and ties the last sum of a chain to the statement.


Weighted = list[tuple[int, str]]


@dataclass
class Unary:
    """A quantity that is ``low`` and as much more as so many of the ``literals`` are true.

    It is ``least`` and the sum of ``leaves`` as well, literals of the statement. ``above``: constraints that add up to
    "the first is at most the second"; ``below``: to "at least".
    """

    low: int
    literals: list[str] = field(default_factory=list)
    least: int = 0
    leaves: Weighted = field(default_factory=list)
    above: Numbered = field(default_factory=list)
    below: Numbered = field(default_factory=list)

    def at_most(self, bound: int) -> Literal:
        """That it is."""
        if 0 <= bound - self.low < len(self.literals):
            return negation(self.literals[bound - self.low])
        return bound >= self.low

    def times(self, coefficient: int) -> tuple[int, Weighted]:
        """So many times the quantity: a constant, and literals with weights above 0."""
        if coefficient > 0:
            return coefficient * self.low, [(coefficient, literal) for literal in self.literals]
        high = self.low + len(self.literals)
        return coefficient * high, [(-coefficient, negation(literal)) for literal in self.literals]


Parts = list[tuple[int, Unary]]
"""Terms of a sum: (coefficient, quantity)."""


def total(parts: Parts, names: list[str], steps: Steps) -> Unary:
    """The sum of the parts; ``names`` are those of its counters, one for each value but the least."""
    each = [part.times(coefficient) for coefficient, part in parts]
    found = Unary(sum(constant for constant, _ in each), names)
    terms = _merged(term for _, weighted in each for term in weighted)
    numbers = [steps.define_sum(name, terms, k) for k, name in enumerate(names, 1)]
    for (_, here), (ahead, _) in pairwise(numbers):  # k + 1 implies k
        steps.derive(added([(1, here), (1, ahead)]))
    if numbers:
        found.above.append((1, _as_many([reached for reached, _ in numbers], steps)))
        found.below.append((1, _as_many([missed for _, missed in reversed(numbers)], steps)))
    for coefficient, part in parts:
        found.least += coefficient * part.least
        found.leaves += [(coefficient * weight, leaf) for weight, leaf in part.leaves]
        found.above += _scaled(coefficient, part.above, part.below)
        found.below += _scaled(coefficient, part.below, part.above)
    return found


def _merged(terms: Iterable[tuple[int, str]]) -> Weighted:
    """Each literal once: a cell without some values has one literal for several bounds."""
    weights: dict[str, int] = {}
    for weight, literal in terms:
        weights[literal] = weights.get(literal, 0) + weight
    return [(weight, literal) for literal, weight in weights.items()]


def _as_many(numbers: list[int], steps: Steps) -> int:
    """From "k ~c_k + S >= k" for k = 1, 2, ..., the constraints ``numbers``: at most S of all c are true."""
    derivation = f"{numbers[0]}"
    for k, number in enumerate(numbers[1:], 1):
        derivation += f" {k} * {number} + {k + 1} d"
    return steps.derive(derivation)


def _scaled(coefficient: int, above: Numbered, below: Numbered) -> Numbered:
    return [(abs(coefficient) * times, number) for times, number in (above if coefficient > 0 else below)]


def bounded(parts: Parts, bound: int, facts: Facts, steps: Steps) -> int | None:
    """That the sum of the parts is at most ``bound``, if the statement says so of their leaves: the number of it."""
    least = sum(coefficient * part.least for coefficient, part in parts)
    leaves = [(-coefficient * weight, leaf) for coefficient, part in parts for weight, leaf in part.leaves]
    stated = facts.adding(leaves, least - bound)
    if stated is None:
        return None
    ways = [way for coefficient, part in parts for way in _scaled(coefficient, part.above, part.below)]
    return steps.derive(added([*stated, *ways]))


def add_flag(found: Unary, literal: str, leaves: list[str], number: int, one: int, steps: Steps) -> None:
    """One more for ``found`` if one of the ``leaves`` is true, of which constraint ``one`` says that they are not two.

    ``literal`` says so: it is the negation of what the constraints ``number`` - 1 and ``number`` define as "none is".
    """
    count = len(leaves)
    found.literals.append(literal)
    found.leaves += [(1, leaf) for leaf in leaves]
    found.above.append((1, number - 1))
    found.below.append((1, steps.derive(f"{number} {one} {count - 1} * + {count} d")))


MOST_LITERALS = 20_000_000
"""Of the definitions of counters: hundreds of megabytes of text, and some ten seconds."""


def counted(meanings: Iterable[Meanings]) -> int:
    """How many literals the definitions of all counters would have."""
    size, spans = 0, dict[Quantity, int]()
    for entry in (entry for family in meanings for entry in family.entries()):
        if isinstance(entry, SumMeaning):
            each = [(abs(term.coefficient), spans.get(term.quantity, term.high - term.low)) for term in entry.terms]
            spans[entry.quantity] = sum(times * many for times, many in each)
            size += 2 * spans[entry.quantity] * sum(many for _, many in each)
    return size


class UndefinedMeaningError(UnsupportedError):
    """An encoding does not say what something means."""


class Quantities:
    """The literals of conditions on quantities, each defined once; True and False where these are fixed.

    ``names``: of the CSP's variables, by number.
    """

    def __init__(self, formula: Formula, statement: Statement, steps: Steps) -> None:
        self.names, self.statement, self.steps = formula.names(), statement, steps
        self.lower, self.upper = formula.map.lower.tolist(), formula.map.upper.tolist()
        self.domain = formula.map.values
        # A cell that has no name in the statement is always 0; one of which the statement says what it is at most is a
        # quantity like others.
        board = {v: self.names[v] for v in formula.board.reshape(-1).tolist()}
        self.cells: dict[str, dict[int, str]] = {
            name: {} for v, name in board.items() if statement.at_most(name, self.lower[v]) is None
        }
        for literal, (row, column, value) in statement.board.items():
            name = board[int(formula.board[row, column])]
            if name in self.cells:
                self.cells[name][value] = literal
        self.conditions: dict[str, Sequence[Within]] = {}
        self.sums: dict[str, Unary] = {}
        self.defined: dict[tuple[Literal, ...], tuple[str, int]] = {}  # the number of the last of its constraints
        self.facts = Facts(statement, steps, [list(values.values()) for values in self.cells.values() if values])
        self.unaries: dict[tuple[str, int, int], Unary] = {}
        self.count = self.size = 0

    def name(self, quantity: Quantity) -> str:
        """What a quantity is called."""
        return quantity if isinstance(quantity, str) else self.names[quantity]

    def means(self, variable: Quantity, conditions: Sequence[Within]) -> None:
        """The 0/1 variable is 1 iff all of these hold."""
        self.conditions[self.name(variable)] = conditions

    def adds(self, quantity: Quantity, terms: Sequence[MeaningTerm]) -> None:
        """The quantity is the sum of these."""
        parts = self._parts(terms)
        each = [len(part.literals) for _, part in parts]
        span = sum(abs(coefficient) * many for (coefficient, _), many in zip(parts, each, strict=True))
        self.expect(2 * span * sum(each), "sums")
        self.sums[self.name(quantity)] = total(parts, [self.new() for _ in range(span)], self.steps)

    def expect(self, literals: int, what: str) -> None:
        """Before so many more are written. UnsupportedError: they are too many."""
        self.size += literals
        if self.size > MOST_LITERALS:
            raise UnsupportedError(
                f"a certificate of {what} of so many values would have over {MOST_LITERALS:,} literals; "
                "give smaller domains or coefficients"
            )

    def bounded(self, terms: Sequence[MeaningTerm], bound: int) -> None:
        """The sum of these is at most ``bound``, if the statement has it."""
        bounded(self._parts(terms), bound, self.facts, self.steps)

    def crowded(self, stated: Pigeonhole) -> None:
        """What it says, if the statement has that no two of the quantities have one value."""
        names = [self.name(quantity) for quantity in stated.quantities]
        for quantity, name in zip(stated.quantities, names, strict=True):
            if isinstance(quantity, int) and name not in self.sums and name not in self.conditions:
                self.unary(name, self.lower[quantity], self.upper[quantity])  # lemmas about its bounds
        for name in names:  # what the statement excludes by itself need not be in its sums
            for literal in self.cells.get(name, {}).values():
                if self.facts.number([(-1, literal)], 0) is not None:
                    self.facts.fixed[literal] = False
        found: Numbered = []
        for first, last in gaps_in(stated.values):
            for name in names:
                found += self._has_none(name, first, last)
        pigeonholes = [value for value in stated.values if value != stated.but]
        for value in pigeonholes:
            each = [self._having(name, value) for name in names]
            sums = [one for one in each if one is not None]
            if len(sums) < len(each):
                return
            having = [one for one in sums if one[0] or any(name not in self.facts.fixed for _, name in one[1])]
            if len(having) > 1:
                if (once := self._once(having)) is None:
                    return
                found += once
        for name in names:
            if values := list(self.cells.get(name, {}).values()):
                some = self.facts.number([(1, literal) for literal in values], 1)
                if some is None and len(values) > 1 and not (0 in pigeonholes and 0 not in self.cells[name]):
                    zero = self.all_of([negation(literal) for literal in values])
                    some = self.steps.lemma([*values, *([zero] if isinstance(zero, str) else [])])
                found += [] if some is None else [(1, some)]
        if stated.but is not None:  # a literal says "at most it, and not less": then it, as what it is defined by adds
            for quantity, name in zip(stated.quantities, names, strict=True):
                if name in self.cells:
                    continue
                if isinstance(quantity, int) and stated.but not in self.domain(quantity):
                    found += self._has_none(name, stated.but, stated.but)
                    continue
                _, terms = self._having(name, stated.but) or (0, [])
                parts = [literal if sign > 0 else negation(literal) for sign, literal in terms]
                if len(parts) > 1 and isinstance(self.all_of(parts), str):
                    found.append((1, self.defined[_key(parts)][1] - 1))
        if found:  # else domains exclude it by themselves
            self.steps.derive(added(found))

    def _has_none(self, name: str, first: int, last: int) -> Numbered:
        """Lemmas: the quantity has none of the values from ``first`` to ``last``, which its domain has not."""
        if name in self.cells:
            each = [one for value in range(first, last + 1) if (one := self._having(name, value)) is not None]
            clauses = [[negation(literal) if sign > 0 else literal for sign, literal in terms] for _, terms in each]
            return [(1, self.steps.lemma(clause)) for clause in clauses if clause]
        below, most = self.at_most(name, first - 1), self.at_most(name, last)
        if below is True or most is False:
            return []
        return [(1, self.steps.lemma(one for one in (below, negation(most)) if isinstance(one, str)))]

    def _having(self, name: str, value: int) -> tuple[int, list[tuple[int, str]]] | None:
        """A constant and a sum that are 1 together if the quantity has that value, and else 0; None: there is none."""
        if (values := self.cells.get(name)) is not None:
            if value or 0 in values:
                return 0, [(1, values[value])] if value in values else []
            return 1, [(-1, literal) for literal in values.values()]
        if name in self.conditions or name in self.sums:
            return None
        constant, terms = 0, []
        for sign, bound in ((1, value), (-1, value - 1)):
            literals = _key(self._conditions(name, bound))
            if len(literals) > 1:
                return None
            for literal in literals:
                if isinstance(literal, str):
                    terms.append((sign, literal))
            constant += sign * (not literals)
        return constant, terms

    def _once(self, each: Sequence[tuple[int, list[tuple[int, str]]]]) -> Numbered | None:
        """What adds up to: the sum of these is at most 1; from one constraint, or from one a pair."""
        whole = self._at_most_one(each)
        if whole is not None:
            return whole
        last: Numbered = [(1, 0)]
        for k in range(1, len(each)):
            pairs = [self._at_most_one([one, each[k]]) for one in each[:k]]
            ways = [way for pair in pairs if pair is not None for way in pair]
            if any(pair is None for pair in pairs):
                return None
            if k > 1:  # (k - 1) times the sum of the k before, and each of these with the next: divided by k
                ways.append((k - 1, last[0][1]))
            last = [(1, self.steps.derive(f"{added(ways)}{f' {k} d' if k > 1 else ''}"))]
        return last

    def _at_most_one(self, each: Sequence[tuple[int, list[tuple[int, str]]]]) -> Numbered | None:
        constant = sum(one for one, _ in each)
        terms = [(-sign, literal) for _, some in each for sign, literal in some]
        return self.facts.adding(terms, constant - 1)

    def at_most(self, name: str, bound: int) -> Literal:
        """It has that value at most."""
        return self.all_of(self._conditions(name, bound))

    def parts(self, within: Within) -> list[Literal]:
        """Literals that together say it."""
        name, low, high = self.name(within.quantity), within.low, within.high
        if low == high and low is not None and (literal := self.cells.get(name, {}).get(low)):
            return [literal]
        if low is not None and high is not None and (known := self.statement.between(name, low, high)):
            return [known]
        parts: list[Literal] = [] if high is None else [self.at_most(name, high)]
        return parts if low is None else [*parts, negation(self.at_most(name, low - 1))]

    def among(self, variable: int, values: Sequence[int]) -> Literal:
        """A variable of the CSP, whose domain has been shown, has one of the ``values``, which are in order."""
        if not values:
            return False
        low, high, first, last = self.lower[variable], self.upper[variable], values[0], values[-1]
        if first == last and first in self.cells.get(self.names[variable], ()):
            return self.all_of(self.parts(Within(variable, first, first)))
        domain = self.domain(variable)
        if bisect_left(domain, last) - bisect_left(domain, first) + 1 == len(values):  # all that are between them
            return self.all_of(
                self.parts(Within(variable, first if first > low else None, last if last < high else None))
            )
        some = negation(self.all_of([negation(self.among(variable, [value])) for value in values]))
        chosen = set(values)
        for value in domain:
            other = negation(self.among(variable, [value]))
            if value not in chosen and other != some:
                self.steps.lemma(map(self.literal, (other, negation(some))))
        return some

    def all_of(self, parts: Sequence[Literal]) -> Literal:
        """All of the ``parts``."""
        key = _key(parts)
        if len(key) < 2:
            return key[0] if key else True
        if key not in self.defined:
            name = self.new()
            self.steps.define(name, [part for part in key if isinstance(part, str)])
            self.defined[key] = name, self.steps.count
        return self.defined[key][0]

    def literal(self, one: Literal) -> str:
        """As text; what is fixed has a variable too."""
        if isinstance(one, str):
            return one
        if () not in self.defined:
            self.defined[()] = self.new(), 0
            self.steps.define(self.defined[()][0], [])
        return self.defined[()][0] if one else negation(self.defined[()][0])

    def _conditions(self, name: str, bound: int) -> list[Literal]:
        """Literals that together say that it has that value at most. UnsupportedError: it has no meaning."""
        if (values := self.cells.get(name)) is not None:
            return [bound >= 0, *(negation(literal) for value, literal in values.items() if value > bound)]
        if (conditions := self.conditions.get(name)) is not None:
            if bound:
                return [bound > 0]
            return [negation(self.all_of([part for within in conditions for part in self.parts(within)]))]
        if (found := self.sums.get(name)) is not None:
            return [found.at_most(bound)]
        if (literals := self.statement.at_most(name, bound)) is None:
            raise UndefinedMeaningError(name)
        return literals

    def _parts(self, terms: Sequence[MeaningTerm]) -> Parts:
        return [(term.coefficient, self.unary(self.name(term.quantity), term.low, term.high)) for term in terms]

    def unary(self, name: str, low: int, high: int) -> Unary:
        """A quantity from ``low`` to ``high`` as so many literals."""
        if name in self.sums:
            return self.sums[name]
        if (name, low, high) in self.unaries:
            return self.unaries[name, low, high]
        self._fix_domain(name, low, high)
        found = self.unaries[name, low, high] = Unary(low)
        before: tuple[Literal, ...] = ()
        for bound in range(low, high):
            key = _key(self._conditions(name, bound))
            literal = negation(self.all_of(key))
            if literal is True:
                found.low += 1
            elif isinstance(literal, str):
                if name in self.cells and high - low > 1:
                    self._tie(name, low, bound, key)
                    if before and set(key) < set(before):  # more than the bound is more than the one before
                        self.steps.lemma([negation(literal), str(negation(self.all_of(before)))])
                before = key
                leaves = [negation(part) for part in key if isinstance(part, str)]
                one = self._not_two(leaves, name) if len(leaves) > 1 else None
                if one is None:
                    found.literals.append(literal)
                    found.leaves.append((1, literal))
                else:
                    add_flag(found, literal, leaves, self.defined[key][1], one, self.steps)
        found.least = found.low
        return found

    def _fix_domain(self, name: str, low: int, high: int) -> None:
        """Lemmas: it has no value outside its domain that the statement has a name for."""
        fixed = self.facts.fixed
        false = [one for value, one in self.cells.get(name, {}).items() if not low <= value <= high]
        if name not in self.cells and name not in self.conditions:
            for bound, step in ((low - 1, -1), (high, 1)):
                while (parts := self._conditions(name, bound)) and len(parts) == 1 and isinstance(parts[0], str):
                    false.append(negation(parts[0]) if step > 0 else parts[0])
                    bound += step
        for literal in false:
            if (variable := literal.removeprefix("~")) not in fixed:
                self.steps.lemma([negation(literal)])
                fixed[variable] = literal != variable

    def _tie(self, name: str, low: int, bound: int, key: tuple[Literal, ...]) -> None:
        """A cell has one of its values up to ``bound``, or is above it, and not both; ``key``: that it is not above.

        An encoding that says that it is not at most a bound, or that it is, may say so by its values alone.
        """
        more = negation(self.all_of(key))
        some = [self.all_of(self.parts(Within(name, value, value))) for value in range(low, bound + 1)]
        if negation(more) not in some:
            self.steps.lemma([one for one in (*some, more) if isinstance(one, str)])
        most = self.facts.number([(-1, literal) for literal in self.cells[name].values()], -1)
        if most is not None and len(key) > 1:
            self.steps.derive(added([(1, self.defined[key][1] - 1), (1, most)]))

    def _not_two(self, leaves: list[str], name: str) -> int | None:
        """The number of a constraint that says that two of the leaves are not true, if there is one."""
        if (number := self.facts.number([(-1, leaf) for leaf in leaves], -1)) is not None:
            return number
        every = list(self.cells.get(name, {}).values())
        number = self.facts.number([(-1, literal) for literal in every], -1)
        if number is None or not set(leaves) <= set(every):
            return None
        return self.steps.derive(added([(1, number)], [literal for literal in every if literal not in leaves]))

    def new(self) -> str:
        """A name that nothing has yet."""
        self.count += 1
        return f"y{self.count - 1:02}"


def _key(parts: Sequence[Literal]) -> tuple[Literal, ...]:
    """Those that count, each once; False alone, if they contradict each other."""
    key = dict.fromkeys(part for part in parts if part is not True)
    return (False,) if any(negation(part) in key for part in key) or False in key else tuple(key)
