"""A statement as OPB text: a line a constraint."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from shutil import copyfileobj

from nonosat.certificates.statement.model import Constraint, Statement


def opb_lines(statement: Statement, preserved: bool = True) -> Iterator[str]:
    """The lines of the OPB file, one after the other: a board of any size takes the memory of its names.

    ``preserved``: name the variables that make a solution, as proofs of version 3.0 want it (and 1.1 does not know).
    """
    count = Count(statement)
    for found in statement.constraints():
        count.add(found)
    yield count.comment()
    yield from body(statement, preserved)


def write_opb(statement: Statement, path: Path, preserved: bool = True) -> int:
    """Write the OPB file; how many constraints it has as proofs count them: an equality is two.

    The first line tells what only the last one settles: the others are written first, rather than made twice.
    """
    count, below = Count(statement), path.with_suffix(".below")
    with below.open("w", encoding="ascii") as file:
        file.writelines(f"{line}\n" for line in body(statement, preserved, count))
    with path.open("wb") as whole, below.open("rb") as rest:
        whole.write(f"{count.comment()}\n".encode("ascii"))
        copyfileobj(rest, whole)
    below.unlink()
    return count.constraints + count.equalities


class Count:
    """The variables and constraints so far."""

    def __init__(self, statement: Statement) -> None:
        self.names = set(statement.board)
        self.constraints = self.equalities = 0

    def add(self, found: Constraint) -> None:
        """One constraint more."""
        self.constraints += 1
        self.equalities += found.equal
        self.names.update([literal.removeprefix("~") for _, literal in found.terms])

    def comment(self) -> str:
        """The first line of an OPB file."""
        return f"* #variable= {len(self.names)} #constraint= {self.constraints}"


def body(statement: Statement, preserved: bool, count: Count | None = None) -> Iterator[str]:
    """All lines but the first, which are counted if there is somebody to ``count`` them."""
    if preserved:
        yield f"preserved: {' '.join(statement.board)} ;"
    for found in statement.constraints():
        if count is not None:
            count.add(found)
        yield text(found)


def text(constraint: Constraint) -> str:
    """One constraint.

    >>> text(Constraint([(1, "aa"), (-2, "~bb")], 0))
    '1 aa -2 ~bb >= 0 ;'
    """
    terms = "".join([f"{coefficient} {literal} " for coefficient, literal in constraint.terms])
    return f"{terms}{'=' if constraint.equal else '>='} {constraint.degree} ;"
