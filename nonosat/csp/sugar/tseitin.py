"""From a circuit to a CSP: what is required, as linear constraints and clauses, with as few auxiliaries as is simple.

The clauses are Tseitin's with Plaisted & Greenbaum's polarities (*A structure-preserving clause form translation*,
J. Symbolic Computation 2, 1986): a 0/1 integer that stands for a formula implies it where the formula is used
positively, and its negation where it is used negatively. So the solutions, projected on the variables that were there
before, are exactly those of the formulas; auxiliaries may have several values in one.

>>> c = Circuit()
>>> x, y = c.integer("x", 0, 2), c.integer("y", 0, 2)
>>> c.require(c.some([c.at_most(x, 0), c.not_positive(Term({x: 1, y: -1}, 1))]))  # x <= 0 or x + 1 <= y
>>> csp = stated(c, 2)
>>> csp.names(), csp.board.tolist(), len(csp.constraints)
(['x', 'y', 'aux(1)'], [[0, 1]], 2)
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations

from nonosat.csp.model import CSP
from nonosat.csp.sugar.circuit import Circuit
from nonosat.csp.sugar.nodes import FALSE, TRUE, All, AtMost, Different, Formula, Node, Same, Sum
from nonosat.csp.sugar.term import Term
from nonosat.errors import UnsupportedError

MOST_DIFFERENT = 100
"""The most terms of an all-different inside another formula: there it is stated pair by pair."""
_SMALL = 3  # comparisons that may be repeated rather than named


def stated(circuit: Circuit, board: int) -> CSP:
    """The CSP of all that ``circuit`` requires; its first ``board`` variables are the board. To be asked for once."""
    statement = _Statement(circuit)
    work = [[formula] for formula in reversed(circuit.required)]
    while work:
        work += reversed(list(statement.state(work.pop())))
    csp = circuit.model.csp()
    return replace(csp, board=csp.board[:, :board])


class _Statement:
    """What of ``circuit`` has been stated, spelled out and named so far."""

    def __init__(self, circuit: Circuit) -> None:
        self.circuit = circuit
        self._stated: set[Formula] = set()
        self._spelled: set[Formula] = set()
        self._defined: set[Formula] = set()

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
                (comparisons if isinstance(node, AtMost) else others)[part] = None
        return list(comparisons), list(others)

    def _opens(self, formula: Formula, node: All) -> bool:
        """Is ``formula`` spelled out here? A few comparisons always are, all else once, or formulas would explode."""
        nodes = self.circuit.nodes
        short = len(node.parts) <= _SMALL and all(isinstance(nodes[abs(part)], AtMost) for part in node.parts)
        first = formula not in self._spelled
        self._spelled.add(formula)
        return short or first

    def _alone(self, formula: Formula, node: Node) -> Iterator[list[Formula]]:
        """State ``formula`` by itself, once."""
        if formula in self._stated:
            return
        self._stated.add(formula)
        if isinstance(node, Sum):
            self._linear([(a, v) for v, a in node.terms], node.bound, formula > 0)
        elif isinstance(node, Different) and formula > 0:
            self.circuit.model.all_different(node.variables)
        else:
            yield from self._clauses(formula, node)

    def _named(self, formula: Formula) -> tuple[Formula, list[list[Formula]]]:
        """A comparison of an auxiliary that implies ``formula``, and the clauses that make it so (once)."""
        variable, _ = self.circuit.auxiliary(abs(formula))
        name = -self.circuit.at_most(variable, 0) if formula > 0 else self.circuit.at_most(variable, 0)
        if formula in self._defined:
            return name, []
        self._defined.add(formula)
        node = self.circuit.nodes[abs(formula)]
        if not isinstance(node, Sum):
            return name, [[-name, *clause] for clause in self._clauses(formula, node)]
        # With the auxiliary at its other value, the bound is one that every sum keeps.
        low, high = self.circuit.bounds(Term(dict(node.terms)))
        slack = high - node.bound if formula > 0 else node.bound + 1 - low
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
            case Different(variables):
                pairwise = self._pairwise(variables)
                yield [pairwise if formula > 0 else -pairwise]

    def _pairwise(self, variables: tuple[int, ...]) -> Formula:
        if len(variables) > MOST_DIFFERENT:
            raise UnsupportedError(f"alldifferent of over {MOST_DIFFERENT} terms inside another formula")
        terms = [Term({variable: 1}) for variable in variables]
        return self.circuit.every([-self.circuit.equal(one, other) for one, other in combinations(terms, 2)])

    def _linear(self, terms: list[tuple[int, int]], bound: int, at_most: bool) -> None:
        """``sum(a * v) <= bound``, or ``> bound``. Small terms come first, so that their partial sums are small too."""
        domains = self.circuit.domains
        terms.sort(key=lambda term: abs(term[0]) * (domains[term[1]][1] - domains[term[1]][0]))
        self.circuit.model.linear(terms, "<=" if at_most else ">", bound)

    def _comparison(self, formula: Formula) -> tuple[int, int, bool]:
        node = self.circuit.nodes[abs(formula)]
        assert isinstance(node, AtMost)
        if formula > 0:
            return self.circuit.model.at_most(node.variable, node.bound)
        return self.circuit.model.at_least(node.variable, node.bound + 1)
