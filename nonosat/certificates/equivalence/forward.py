"""The clauses of an encoding from the puzzle's statement: each is a lemma of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from nonosat.certificates.checker.claim import RefusedError
from nonosat.certificates.equivalence.cases import Cases, Outcome
from nonosat.certificates.meanings import literals
from nonosat.certificates.statement import Statement, opb_lines
from nonosat.certificates.steps import negation
from nonosat.encodings.formula import Formula


@dataclass(frozen=True, eq=False)
class Forward:
    """The proof; how many clauses follow before the first that does not; the outcome of that one.

    ``variable``: it is no clause, but the domain of that variable. ``section``: it is none, but a lemma about what
    Booleans mean (see ``Steps.section``), of which only propagation was asked.
    """

    cases: Cases
    count: int
    outcome: Outcome
    variable: int | None = None
    section: tuple[str, int] | None = None


def derive_clauses(formula: Formula, statement: Statement, encoding: str, most: int) -> Forward:
    """The clauses one by one. UnsupportedError: nobody says what some Boolean means."""
    cases = Cases(opb_lines(statement), most)
    for variable, bound in _domains(formula, statement):
        outcome = cases.clause(cases.literals([bound]))
        if outcome is not Outcome.PROVED:
            return Forward(cases, 0, outcome, variable)
    try:
        told = literals(formula, statement, cases.steps, encoding)
        cases.checker.database.run()
    except RefusedError as refused:
        return Forward(cases, 0, Outcome.OPEN, section=cases.steps.section_of(refused.line or 0))
    positive = [0, *cases.literals(told[1:])]
    for number, clause in enumerate(formula.cnf):
        outcome = cases.clause([positive[x] if x > 0 else positive[-x] ^ 1 for x in clause])
        if outcome is not Outcome.PROVED:
            return Forward(cases, number, outcome)
    return Forward(cases, formula.cnf.clauses, Outcome.PROVED)


def _domains(formula: Formula, statement: Statement) -> Iterator[tuple[int, str]]:
    """(Variable, literal) for the ends of its domain, if the statement tells of it and has more values for it."""
    cells = set(formula.board.reshape(-1).tolist())
    domains = zip(formula.names(), formula.map.lower.tolist(), formula.map.upper.tolist(), strict=True)
    for variable, (name, low, high) in enumerate(domains):
        if variable in cells:
            continue
        for bound, inside in ((low - 1, False), (high, True)):
            told = statement.at_most(name, bound)
            if told and len(told) == 1 and isinstance(told[0], str):
                yield variable, told[0] if inside else negation(told[0])
