"""Any Boolean structure over linear comparisons: variables, formulas, and which of these are required.

A formula is a number: that of a node, or minus that for its negation. Equal nodes get equal numbers, so that what is
said twice is encoded once.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import gcd

from nonosat.csp.build import Model
from nonosat.csp.sugar.nodes import FALSE, TRUE, All, AtMost, Different, Formula, Node, Same, Sum
from nonosat.csp.sugar.term import Term, checked


class Circuit:
    """Variables and formulas, and what is required of them. OverflowError: over ``LARGEST``."""

    def __init__(self) -> None:
        self.model = Model()
        self.domains: list[tuple[int, int]] = []
        self.nodes: list[Node] = [All(()), All(())]  # 0 is nothing, 1 is TRUE
        self._numbers: dict[Node, int] = {All(()): 1}
        self.required: dict[Formula, None] = {}
        self._auxiliaries: dict[object, int] = {}

    def integer(self, name: str, lower: int, upper: int) -> int:
        """A new variable; auxiliaries come by themselves, so declare those that matter first."""
        checked(lower, upper)
        self.domains.append((lower, upper))
        return self.model.integer(name, lower, upper)

    def auxiliary(self, key: object, lower: int = 0, upper: int = 1) -> tuple[int, bool]:
        """The auxiliary that stands for ``key``, and whether it is new. No name in a text can be one of theirs."""
        if key in self._auxiliaries:
            return self._auxiliaries[key], False
        self._auxiliaries[key] = self.integer(f"aux({len(self._auxiliaries) + 1})", lower, upper)
        return self._auxiliaries[key], True

    def bounds(self, term: Term) -> tuple[int, int]:
        """The least and the greatest value that the domains allow ``term``."""
        low = high = term.constant
        largest = abs(term.constant)
        for variable, coefficient in term.coefficients.items():
            domain = self.domains[variable]
            least, most = coefficient * domain[coefficient < 0], coefficient * domain[coefficient > 0]
            low, high = low + least, high + most
            largest += max(abs(coefficient), -least, most)
        checked(largest)
        return low, high

    def variable(self, term: Term) -> int:
        """A variable that is equal to ``term``."""
        coefficients, constant = term.key()
        if len(coefficients) == 1 and coefficients[0][1] == 1 and not constant:
            return coefficients[0][0]
        variable, new = self.auxiliary(term.key(), *self.bounds(term))
        if new:
            self.require(self.equal(term, Term({variable: 1})))
        return variable

    def greatest(self, terms: Sequence[Term]) -> Term:
        """The greatest of ``terms``, as an auxiliary."""
        bounds = [self.bounds(term) for term in terms]
        key = ("max", *(term.key() for term in terms))
        variable, new = self.auxiliary(key, *(max(bound[side] for bound in bounds) for side in (0, 1)))
        result = Term({variable: 1})
        if new:
            self.require(self.every([self.not_positive(term.minus(result)) for term in terms]))
            self.require(self.some([self.not_positive(result.minus(term)) for term in terms]))
        return result

    def choice(self, condition: Formula, then: Term, otherwise: Term) -> Term:
        """``then`` if ``condition``, else ``otherwise``; an auxiliary."""
        bounds = [self.bounds(term) for term in (then, otherwise)]
        key = ("if", condition, then.key(), otherwise.key())
        variable, new = self.auxiliary(key, min(low for low, _ in bounds), max(high for _, high in bounds))
        result = Term({variable: 1})
        if new:
            self.require(self.some([-condition, self.equal(result, then)]))
            self.require(self.some([condition, self.equal(result, otherwise)]))
        return result

    def at_most(self, variable: int, bound: int) -> Formula:
        """``variable <= bound``."""
        low, high = self.domains[variable]
        return TRUE if bound >= high else FALSE if bound < low else self._node(AtMost(variable, bound))

    def not_positive(self, term: Term) -> Formula:
        """``term <= 0``."""
        terms, constant = term.key()
        low, high = self.bounds(term)
        if high <= 0 or low > 0:
            return TRUE if high <= 0 else FALSE
        divisor = gcd(*(a for _, a in terms))
        bound = -constant // divisor
        if len(terms) == 1:
            variable, coefficient = terms[0]
            return self.at_most(variable, bound) if coefficient > 0 else -self.at_most(variable, -bound - 1)
        terms = tuple((v, a // divisor) for v, a in terms)
        if terms[0][1] < 0:
            return -self._node(Sum(tuple((v, -a) for v, a in terms), -bound - 1))
        return self._node(Sum(terms, bound))

    def equal(self, one: Term, other: Term) -> Formula:
        """``one = other``."""
        return self.every([self.not_positive(one.minus(other)), self.not_positive(other.minus(one))])

    def every(self, parts: Iterable[Formula]) -> Formula:
        """The conjunction of ``parts``."""
        distinct = set(parts) - {TRUE}
        if FALSE in distinct or any(-part in distinct for part in distinct):
            return FALSE
        return distinct.pop() if len(distinct) == 1 else self._node(All(tuple(sorted(distinct))))

    def some(self, parts: Iterable[Formula]) -> Formula:
        """The disjunction of ``parts``."""
        return -self.every(-part for part in parts)

    def same(self, one: Formula, other: Formula) -> Formula:
        """``one`` exactly if ``other``."""
        left, right = sorted((abs(one), abs(other)))
        sign = 1 if one * other > 0 else -1
        if left == right:
            return sign * TRUE
        return sign * (right if left == TRUE else self._node(Same(left, right)))

    def different(self, terms: Sequence[Term]) -> Formula:
        """Pairwise different values."""
        variables = sorted(self.variable(term) for term in terms)
        for variable in variables:
            self.bounds(Term({variable: 2}))  # no difference of two may be too large
        if len(set(variables)) < len(variables):
            return FALSE
        return TRUE if len(variables) < 2 else self._node(Different(tuple(variables)))

    def require(self, formula: Formula) -> None:
        """``formula`` must hold."""
        self.required[formula] = None

    def _node(self, node: Node) -> Formula:
        if node not in self._numbers:
            self._numbers[node] = len(self.nodes)
            self.nodes.append(node)
        return self._numbers[node]
