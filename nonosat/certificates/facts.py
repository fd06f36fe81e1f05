"""The numbers of constraints by what they say: those of the statement, and those that follow by adding some up."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from nonosat.certificates.statement import Constraint, Statement
from nonosat.certificates.steps import Steps

Net = dict[str, int]
"""Coefficients by variable."""
Key = tuple[frozenset[tuple[str, int]], int]
Numbered = list[tuple[int, int]]
"""Constraints to add up: (how many times, its number)."""


class Facts:
    """Indexed when the first one is asked for, so that statements whose sums nobody needs are not gone through.

    ``cells``: the names of each cell's values. Where the statement says that exactly one of them is true, what it says
    of the cell's value can be written in several ways: ``v`` times the name of ``v``, or only what is above 1.
    ``settled``: variables that are the same in all solutions, whose values propagation knows.
    """

    def __init__(self, statement: Statement, steps: Steps, cells: Iterable[Sequence[str]]) -> None:
        self.statement, self.steps = statement, steps
        self.cells = [tuple(names) for names in cells]
        self.settled: dict[str, bool] = {}
        self.numbers: dict[Key, int] = {}
        self.sums: dict[object, list[tuple[Net, int, int]]] = {}  # by a variable, or by its cell
        self.cell: dict[str, int] = {}  # of a variable; those of cells of which exactly one is true
        self.one: dict[int, tuple[int, int]] = {}  # by cell, the numbers of "at least one" and of "at most one"

    def number(self, terms: Iterable[tuple[int, str]], degree: int) -> int | None:
        """The number of ``sum(coefficient * literal) >= degree``, if it is known."""
        self._state()
        net, degree = _net(terms, degree)
        return self.numbers.get((frozenset(net.items()), degree))

    def adding(self, terms: Iterable[tuple[int, str]], degree: int) -> Numbered | None:
        """What adds up to ``sum(coefficient * literal) >= degree`` or more, if one constraint of the statement says it.

        As far as variables go that are not ``settled``: what is added up may have others of these.
        """
        self._state()
        net, degree = _net(terms, degree)
        wanted, wanted_degree, wanted_times = self._reduced(net, degree)
        places = [self.sums.get(self.cell.get(name, name), []) for name in wanted]
        for has, least, number in min(places, key=len, default=[]):
            reduced, reduced_degree, times = self._reduced(has, least)
            if reduced == wanted and reduced_degree >= wanted_degree:
                found = [(1, number)]
                for cell in {**times, **wanted_times}:
                    more = wanted_times.get(cell, 0) - times.get(cell, 0)
                    if more:
                        found.append((abs(more), self.one[cell][more < 0]))
                return found
        return None

    def _reduced(self, net: Net, degree: int) -> tuple[Net, int, dict[int, int]]:
        """The same without what is settled, and without one name of each cell: (net, degree, how often by cell).

        "Exactly one is true" is taken away so often that the first name that is open has the coefficient 0.
        """
        times = {}
        net = dict(net)
        for cell in {self.cell[name] for name in net if name in self.cell}:
            if first := next((name for name in self.cells[cell] if name not in self.settled), None):
                times[cell] = net.get(first, 0)
                degree -= times[cell]
                for name in self.cells[cell]:
                    net[name] = net.get(name, 0) - times[cell]
        degree -= sum(coefficient * self.settled.get(name, False) for name, coefficient in net.items())
        return {name: c for name, c in net.items() if c and name not in self.settled}, degree, times

    def _state(self) -> None:
        if self.numbers:
            return
        count, every = 0, []
        for stated in self.statement.constraints():
            for terms, degree in (stated[:2], _negated(stated))[: 1 + stated.equal]:
                count += 1
                every.append((*_net(terms, degree), count))
                self.numbers[_key(terms, degree)] = count
        for says, parts in self.statement.sums():
            names = {name for _, name in says.terms}
            numbered = [(times, self.numbers[_key(part.terms, part.degree)]) for times, part in parts]
            others = dict.fromkeys(name for _, part in parts for _, name in part.terms if name not in names)
            number = self.numbers[_key(says.terms, says.degree)] = self.steps.derive(added(numbered, others))
            every.append((*_net(says.terms, says.degree), number))
        for cell, values in enumerate(self.cells):
            some = self.numbers.get(_key([(1, name) for name in values], 1))
            most = self.numbers.get(_key([(-1, name) for name in values], -1))
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
    told = [f"{number}" if times == 1 else f"{number} {times} *" for times, number in parts]
    return " ".join([told[0], *(f"{one} +" for one in told[1:]), *(f"{name} w" for name in without)])


def _negated(stated: Constraint) -> tuple[list[tuple[int, str]], int]:
    return [(-coefficient, literal) for coefficient, literal in stated.terms], -stated.degree


def _key(terms: Iterable[tuple[int, str]], degree: int) -> Key:
    net, degree = _net(terms, degree)
    return frozenset(net.items()), degree


def _net(terms: Iterable[tuple[int, str]], degree: int) -> tuple[Net, int]:
    """Without negations, each variable once."""
    net: Net = {}
    for coefficient, literal in terms:
        if literal[0] == "~":  # c ~x = c - c x
            coefficient, literal, degree = -coefficient, literal[1:], degree - coefficient
        net[literal] = net.get(literal, 0) + coefficient
    return {name: coefficient for name, coefficient in net.items() if coefficient}, degree
