"""Quantities in literals: a cell, what the statement tells of, and auxiliaries by what they are said to mean."""

from __future__ import annotations

from collections.abc import Sequence

from nonosat.certificates.facts import Facts, Numbered, added
from nonosat.certificates.statement import Statement
from nonosat.certificates.statement.model import Literal
from nonosat.certificates.steps import Steps, negation
from nonosat.certificates.sums import Parts, Unary, add_flag, bounded, total
from nonosat.csp.meanings import Quantity, Term, Within
from nonosat.encodings.formula import Formula
from nonosat.errors import UnsupportedError


class UntoldError(UnsupportedError):
    """An encoding does not say what something means."""


class Quantities:
    """The literals that stand for what is said of quantities, each defined once; True and False where it is settled.

    ``names``: of the CSP's variables, by number.
    """

    def __init__(self, formula: Formula, statement: Statement, steps: Steps) -> None:
        self.names, self.statement, self.steps = formula.names(), statement, steps
        self.lower, self.upper = formula.map.lower.tolist(), formula.map.upper.tolist()
        # A cell that has no name in the statement is always 0.
        self.cells: dict[str, dict[int, str]] = {self.names[v]: {} for v in formula.board.reshape(-1).tolist()}
        for literal, (row, column, value) in statement.board.items():
            self.cells[self.names[int(formula.board[row, column])]][value] = literal
        self.meant: dict[str, Sequence[Within]] = {}
        self.sums: dict[str, Unary] = {}
        self.defined: dict[tuple[Literal, ...], tuple[str, int]] = {}  # the number of the last of its constraints
        self.facts = Facts(statement, steps, [list(values.values()) for values in self.cells.values() if values])
        self.unaries: dict[tuple[str, int, int], Unary] = {}
        self.count = 0

    def name(self, quantity: Quantity) -> str:
        """What a quantity is called."""
        return quantity if isinstance(quantity, str) else self.names[quantity]

    def means(self, variable: Quantity, conditions: Sequence[Within]) -> None:
        """The 0/1 variable is 1 iff all of these hold."""
        self.meant[self.name(variable)] = conditions

    def adds(self, quantity: Quantity, terms: Sequence[Term]) -> None:
        """The quantity is the sum of these."""
        parts = self._parts(terms)
        span = sum(abs(coefficient) * len(part.literals) for coefficient, part in parts)
        self.sums[self.name(quantity)] = total(parts, [self._new() for _ in range(span)], self.steps)

    def bounded(self, terms: Sequence[Term], bound: int) -> None:
        """The sum of these is at most ``bound``, if the statement has it."""
        bounded(self._parts(terms), bound, self.facts, self.steps)

    def crowded(self, quantities: Sequence[Quantity], low: int, high: int) -> None:
        """One of the quantities has no value from ``low`` to ``high``, if the statement has that each is there once."""
        names = [self.name(quantity) for quantity in quantities]
        for quantity, name in zip(quantities, names, strict=True):
            if isinstance(quantity, int) and name not in self.sums and name not in self.meant:
                self._unary(name, self.lower[quantity], self.upper[quantity])  # lemmas about its bounds
        found: Numbered = []
        for value in range(low, high + 1):
            each = [self._having(name, value) for name in names]
            told = [one for one in each if one is not None]
            if len(told) < len(each):
                return
            having = [one for one in told if one[0] or any(name not in self.facts.settled for _, name in one[1])]
            if len(having) > 1:
                if (once := self._once(having)) is None:
                    return
                found += once
        for name in names:
            if values := list(self.cells.get(name, {}).values()):
                some = self.facts.number([(1, literal) for literal in values], 1)
                if some is None and len(values) > 1 and not (low <= 0 <= high and 0 not in self.cells[name]):
                    zero = self.all_of([negation(literal) for literal in values])
                    some = self.steps.lemma([*values, *([zero] if isinstance(zero, str) else [])])
                found += [] if some is None else [(1, some)]
        self.steps.derive(added(found))

    def _having(self, name: str, value: int) -> tuple[int, list[tuple[int, str]]] | None:
        """A constant and a sum that are 1 together if the quantity has that value, and else 0; None: there is none."""
        if (values := self.cells.get(name)) is not None:
            if value or 0 in values:
                return 0, [(1, values[value])] if value in values else []
            return 1, [(-1, literal) for literal in values.values()]
        if name in self.meant or name in self.sums:
            return None
        constant, terms = 0, []
        for sign, bound in ((1, value), (-1, value - 1)):
            told = _key(self._conditions(name, bound))
            if len(told) > 1:
                return None
            for literal in told:
                if isinstance(literal, str):
                    terms.append((sign, literal))
            constant += sign * (not told)
        return constant, terms

    def _once(self, each: Sequence[tuple[int, list[tuple[int, str]]]]) -> Numbered | None:
        """What adds up to: the sum of these is at most 1; from one constraint, or from one a pair."""
        whole = self._at_most_one(each)
        if whole is not None:
            return whole
        last = [(1, 0)]
        for k in range(1, len(each)):
            pairs = [self._at_most_one([one, each[k]]) for one in each[:k]]
            told = [way for pair in pairs if pair is not None for way in pair]
            if any(pair is None for pair in pairs):
                return None
            if k > 1:  # (k - 1) times the sum of the k before, and each of these with the next: divided by k
                told.append((k - 1, last[0][1]))
            last = [(1, self.steps.derive(f"{added(told)}{f' {k} d' if k > 1 else ''}"))]
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
        parts: list[Literal] = [] if high is None else [self.at_most(name, high)]
        return parts if low is None else [*parts, negation(self.at_most(name, low - 1))]

    def among(self, variable: int, values: Sequence[int]) -> Literal:
        """A variable of the CSP, whose domain has been shown, has one of the ``values``, which are in order."""
        if not values:
            return False
        low, high, first, last = self.lower[variable], self.upper[variable], values[0], values[-1]
        if first == last and first in self.cells.get(self.names[variable], ()):
            return self.all_of(self.parts(Within(variable, first, first)))
        if last - first + 1 == len(values):
            return self.all_of(
                self.parts(Within(variable, first if first > low else None, last if last < high else None))
            )
        some = negation(self.all_of([negation(self.among(variable, [value])) for value in values]))
        for value in range(low, high + 1):
            if value not in values:
                self.steps.lemma(map(self.literal, (negation(self.among(variable, [value])), negation(some))))
        return some

    def all_of(self, parts: Sequence[Literal]) -> Literal:
        """All of the ``parts``."""
        key = _key(parts)
        if len(key) < 2:
            return key[0] if key else True
        if key not in self.defined:
            name = self._new()
            self.steps.define(name, [part for part in key if isinstance(part, str)])
            self.defined[key] = name, self.steps.count
        return self.defined[key][0]

    def literal(self, one: Literal) -> str:
        """As text; what is settled has a variable too."""
        if isinstance(one, str):
            return one
        if () not in self.defined:
            self.defined[()] = self._new(), 0
            self.steps.define(self.defined[()][0], [])
        return self.defined[()][0] if one else negation(self.defined[()][0])

    def _conditions(self, name: str, bound: int) -> list[Literal]:
        """Literals that together say that it has that value at most. UntoldError: nobody says what it is."""
        if (values := self.cells.get(name)) is not None:
            return [bound >= 0, *(negation(literal) for value, literal in values.items() if value > bound)]
        if (conditions := self.meant.get(name)) is not None:
            if bound:
                return [bound > 0]
            return [negation(self.all_of([part for within in conditions for part in self.parts(within)]))]
        if (found := self.sums.get(name)) is not None:
            return [found.at_most(bound)]
        if (told := self.statement.at_most(name, bound)) is None:
            raise UntoldError(name)
        return told

    def _parts(self, terms: Sequence[Term]) -> Parts:
        return [(term.coefficient, self._unary(self.name(term.quantity), term.low, term.high)) for term in terms]

    def _unary(self, name: str, low: int, high: int) -> Unary:
        """A quantity from ``low`` to ``high`` as so many literals."""
        if name in self.sums:
            return self.sums[name]
        if (name, low, high) in self.unaries:
            return self.unaries[name, low, high]
        self._settle(name, low, high)
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

    def _settle(self, name: str, low: int, high: int) -> None:
        """Lemmas: it has no value outside its domain that the statement has a name for."""
        settled = self.facts.settled
        false = [one for value, one in self.cells.get(name, {}).items() if not low <= value <= high]
        if name not in self.cells and name not in self.meant:
            for bound, step in ((low - 1, -1), (high, 1)):
                while (told := self._conditions(name, bound)) and len(told) == 1 and isinstance(told[0], str):
                    false.append(negation(told[0]) if step > 0 else told[0])
                    bound += step
        for literal in false:
            if (variable := literal.removeprefix("~")) not in settled:
                self.steps.lemma([negation(literal)])
                settled[variable] = literal != variable

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

    def _new(self) -> str:
        """A name that nothing has yet."""
        self.count += 1
        return f"y{self.count - 1:02}"


def _key(parts: Sequence[Literal]) -> tuple[Literal, ...]:
    """Those that count, each once; False alone, if they contradict each other."""
    key = dict.fromkeys(part for part in parts if part is not True)
    return (False,) if any(negation(part) in key for part in key) or False in key else tuple(key)
