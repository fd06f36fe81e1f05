"""The puzzle's statement from the clauses of an encoding: each of its constraints is a lemma of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from nonosat.certificates.equivalence.cases import Cases, Outcome
from nonosat.certificates.equivalence.told import Told
from nonosat.certificates.equivalence.values import boolean
from nonosat.certificates.statement import Constraint, Statement
from nonosat.encodings.formula import Formula


@dataclass(frozen=True, eq=False)
class Backward:
    """The proof; how many constraints follow; the first that does not, and whether its sum may be more, not less."""

    cases: Cases
    count: int
    outcome: Outcome
    lost: Constraint | None = None
    more: bool = False


def derive_statement(formula: Formula, statement: Statement, encoding: str, most: int) -> Backward:
    """The constraints one by one. UnsupportedError: the encoding does not tell some variable of the statement."""
    cases = Cases(_lines(formula), most)
    told = Told(formula, statement, encoding, cases)
    count = 0
    for constraint in statement.constraints():
        for more in (False, True) if constraint.equal else (False,):
            outcome = cases.sum(*told.written(constraint, more))
            if outcome is not Outcome.PROVED:
                return Backward(cases, count, outcome, constraint, more)
        count += 1
    return Backward(cases, count, Outcome.PROVED)


def _lines(formula: Formula) -> Iterator[str]:
    """The clauses as the lines of a statement of their own."""
    yield f"preserved: {' '.join(boolean(number) for number in range(1, formula.cnf.variables + 1))} ;"
    for clause in formula.cnf:
        yield f"{''.join(f'1 {boolean(x)} ' for x in clause)}>= 1 ;"
