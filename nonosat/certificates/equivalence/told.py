"""The statement's variables in the words of a formula: literals of a proof over its clauses, or constants.

What the encoding knows of a cell or of a run's start says it. One that the encoding has no word for has the least value
that the statement's own constraints leave it.
"""

from __future__ import annotations

from collections.abc import Iterator

from nonosat.certificates.equivalence.cases import Cases
from nonosat.certificates.equivalence.values import Values
from nonosat.certificates.statement import Constraint, Statement
from nonosat.certificates.steps import negation
from nonosat.encodings.formula import Formula
from nonosat.errors import UnsupportedError


class Told:
    """What each name of the ``statement`` is (``literals``). UnsupportedError: the encoding does not tell some.

    ``bounds``: of a name that says that a variable of the CSP is a value at most, these two.
    """

    def __init__(self, formula: Formula, statement: Statement, encoding: str, cases: Cases) -> None:
        self.cases, self.values = cases, Values(formula, cases.steps)
        self.literals: dict[str, str | bool] = {}
        self.bounds: dict[str, tuple[int, int]] = {}
        self._cells(formula, statement)
        self._others(formula, statement)
        cases.follow()
        self._rest(statement)
        if unknown := next((name for name in _names(statement) if name not in self.literals), None):
            raise UnsupportedError(f"encoding {encoding} does not tell the statement's variable {unknown}")

    def written(self, constraint: Constraint, more: bool = False) -> tuple[list[tuple[int, int]], int, list[int]]:
        """(Terms, degree, literals to split by) of the constraint; ``more``: that its sum is no more than that.

        To split by: of a variable of which the terms say two bounds, those between.
        """
        terms: list[tuple[int, int]] = []
        bounds: dict[int, list[int]] = {}
        sign = -1 if more else 1
        degree = sign * constraint.degree
        for coefficient, literal in constraint.terms:
            signed, name = sign * coefficient, literal.removeprefix("~")
            if name != literal:  # c ~x = c - c x
                signed, degree = -signed, degree - signed
            found = self.literals[name]
            if isinstance(found, bool):
                degree -= signed * found
            else:
                terms.append((signed, self.cases.literals([found])[0]))
            if name in self.bounds:
                variable, bound = self.bounds[name]
                bounds.setdefault(variable, []).append(bound)
        between = [(v, bound) for v, both in bounds.items() for bound in range(min(both) + 1, max(both))]
        split = [literal for variable, bound in between for literal in self.values.bounds(variable, bound)]
        return terms, degree, self.cases.literals(dict.fromkeys(split))

    def _cells(self, formula: Formula, statement: Statement) -> None:
        board = formula.board.tolist()
        for name, (row, column, value) in statement.board.items():
            self.literals[name] = self.values.among(board[row][column], [value])

    def _others(self, formula: Formula, statement: Statement) -> None:
        """What else the CSP has a variable for, such as starts."""
        if (at_most := statement.at_most) is None:
            return
        known, values = set(_names(statement)), self.values
        unsaid = {*formula.board.reshape(-1).tolist()}
        for block in formula.blocks:
            if block.name == "aux":
                unsaid.update(range(block.first, block.first + len(block.index)))
        for variable, name in enumerate(formula.names()):
            if variable in unsaid:
                continue
            low, high = values.lower[variable], values.upper[variable]
            for bound, step in ((low, 1), (low - 1, -1)):  # beyond the domain too, as far as the statement has names
                while (here := at_most(name, bound)[0]) in known or low <= bound <= high:
                    self.literals[here] = values.at_most(variable, bound)
                    self.bounds[here] = variable, bound
                    bound += step
            self._couple(variable, low, high)

    def _couple(self, variable: int, low: int, high: int) -> None:
        """It is a iff it is at most a and not at most a - 1: propagation does not see that in digits, or in values."""
        lemmas = []
        for value in range(low, high + 1):
            bounds, equal = self.values.bounds(variable, value), self.values.equal(variable, value)
            lemmas += [([*map(negation, bounds), literal], equal) for literal in equal if literal not in bounds]
            lemmas += [([*map(negation, equal), literal], equal) for literal in bounds if literal not in equal]
        self.cases.follow()
        for lemma, equal in lemmas:
            self.cases.clause(self.cases.literals(lemma), self.cases.literals(equal), most=high - low)

    def _rest(self, statement: Statement) -> None:
        """A variable that one constraint bounds from below is true iff the rest of that constraint asks for it."""
        news = any(name not in self.literals for name in _names(statement))
        while news:
            news = False
            for constraint in statement.constraints():
                unknown = [term for term in constraint.terms if term[1].removeprefix("~") not in self.literals]
                if len(unknown) != 1 or constraint.equal:
                    continue
                [(coefficient, literal)] = unknown
                name = literal.removeprefix("~")
                if (coefficient > 0) == (literal == name):
                    self.literals[name] = False
                    self.literals[name] = self.cases.less(*self.written(constraint)[:2])
                    news = True


def _names(statement: Statement) -> Iterator[str]:
    """The names of the statement's variables, some more than once."""
    yield from statement.board
    for constraint in statement.constraints():
        for _, literal in constraint.terms:
            yield literal.removeprefix("~")
