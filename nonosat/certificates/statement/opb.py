"""A statement as OPB text: a line a constraint."""

from __future__ import annotations

from collections.abc import Iterator

from nonosat.certificates.statement.model import Constraint, Statement


def opb_lines(statement: Statement, preserved: bool = True) -> Iterator[str]:
    """The lines of the OPB file, one after the other: a board of any size takes the memory of its names.

    ``preserved``: name the variables that make a solution, as proofs of version 3.0 want it (and 1.1 does not know).
    """
    count, names = 0, set(statement.board)
    for found in statement.constraints():
        count += 1
        names.update(literal.removeprefix("~") for _, literal in found.terms)
    yield f"* #variable= {len(names)} #constraint= {count}"
    if preserved:
        yield f"preserved: {' '.join(statement.board)} ;"
    for found in statement.constraints():
        yield text(found)


def constraints_in(statement: Statement) -> int:
    """How many constraints there are as proofs count them: an equality is two."""
    return sum(1 + found.equal for found in statement.constraints())


def text(constraint: Constraint) -> str:
    """One constraint.

    >>> text(Constraint([(1, "aa"), (-2, "~bb")], 0))
    '1 aa -2 ~bb >= 0 ;'
    """
    terms = "".join(f"{coefficient} {literal} " for coefficient, literal in constraint.terms)
    return f"{terms}{'=' if constraint.equal else '>='} {constraint.degree} ;"
