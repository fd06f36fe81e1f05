"""The clauses of an encoding from the puzzle's statement: each is a lemma of it."""

from __future__ import annotations

from nonosat.certificates.equivalence.cases import Cases, Outcome
from nonosat.certificates.meanings import literals
from nonosat.certificates.statement import Statement, opb_lines
from nonosat.encodings.formula import Formula


def derive_clauses(formula: Formula, statement: Statement, encoding: str, most: int) -> tuple[Cases, int, Outcome]:
    """(The proof, the number of clauses up to the first that does not follow, the outcome of that one, or ``PROVED``).

    UnsupportedError: the encoding or the statement does not say what the Booleans mean.
    """
    cases = Cases(opb_lines(statement), most)
    told = literals(formula, statement, cases.steps, encoding)
    positive = [0, *cases.literals(told[1:])]
    outcome = Outcome.PROVED
    for number, clause in enumerate(formula.cnf):
        outcome = cases.clause([positive[x] if x > 0 else positive[-x] ^ 1 for x in clause])
        if outcome is not Outcome.PROVED:
            return cases, number, outcome
    return cases, formula.cnf.clauses, outcome
