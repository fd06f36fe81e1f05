"""What a statement is: names that say which value a cell has, and linear constraints over 0/1 variables."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from shutil import copyfileobj
from typing import NamedTuple

from nonosat.errors import UnsupportedError
from nonosat.puzzles.puzzle import Puzzle, puzzle_kind

# How people speak of cells, and of the variables of a CSP; rows, columns and places are counted from 1.


class VariableWords(NamedTuple):
    """How people speak of a variable: the line it is on (if it is on one), ``run 2``, ``starts at``, a value's word.

    ``ends``: what stands behind a value for those below it, and above; None: values have no order.
    """

    line: str
    subject: str
    verb: str
    word: Callable[[int], str]
    ends: tuple[str, str] | None = ("or less", "or more")


def where(row: int, column: int) -> str:
    """A cell, whose row and column are counted from 0.

    >>> where(0, 4)
    'row 1, column 5'
    """
    return f"row {row + 1}, column {column + 1}"


Literal = str | bool
"""A variable's name, or a constant where the puzzle leaves no choice. A negation has ``~`` in front."""


class PBConstraint(NamedTuple):
    """``sum(coefficient * literal) >= degree``, or ``=`` where it is ``equal``; a term: (coefficient, literal).

    ``less``, ``more``: what would be wrong with a sum that is less, or more, in words.
    """

    terms: list[tuple[int, str]]
    degree: int
    equal: bool = False
    less: str = ""
    more: str = ""


class Added(NamedTuple):
    """``says`` follows by adding ``parts`` up, each so many times, without what they say of other variables."""

    says: PBConstraint
    parts: list[tuple[int, PBConstraint]]


def constraint(
    terms: Iterable[tuple[int, Literal]], degree: int, equal: bool = False, less: str = "", more: str = ""
) -> Iterator[PBConstraint]:
    """The constraint with its constants added up; none, if it says nothing.

    >>> [found] = constraint([(1, "aa"), (-1, True), (1, False)], 0)
    >>> found.terms, found.degree
    ([(1, 'aa')], 1)
    """
    named: list[tuple[int, str]] = []
    for coefficient, literal in terms:
        if isinstance(literal, str):
            named.append((coefficient, literal))
        else:
            degree -= coefficient * literal
    if equal or sum(min(coefficient, 0) for coefficient, _ in named) < degree:
        yield PBConstraint(named, degree, equal, less, more)


@dataclass(frozen=True, eq=False)
class Statement:
    """A puzzle as constraints, made anew (one by one, in one order) at each request.

    ``board``: by name, the (row, column, value) that it is true of; a cell none of whose names is true has the value 0.
    The solutions of the puzzle are the models of the constraints, by these names' values; the constraints leave no
    other variable open once the names of the board are known.

    For the writers of proofs, ``at_most``: literals that together say that a quantity of some name (``h_0_1``) which is
    no cell has a value at most; None: the statement has no such quantity. ``sums``: what follows by adding
    constraints up, which unit propagation does not do. An equality's two halves are constraints of their own there.

    ``between``: its name for a quantity (a name) having a value from one to another, if it has one: where a clause has
    two such names, propagation does not know them by what they are defined as.

    For messages, ``words_of``: a variable of the CSP in words, if there are better ones than its name.
    """

    board: dict[str, tuple[int, int, int]]
    constraints: Callable[[], Iterable[PBConstraint]]
    at_most: Callable[[str, int], list[Literal] | None] = lambda name, bound: None
    sums: Callable[[], Iterable[Added]] = tuple
    words_of: Callable[[str], VariableWords | None] = lambda name: None
    between: Callable[[str, int, int], str | None] = lambda name, low, high: None

    def literals(self, cells: Sequence[Sequence[int]]) -> list[str]:
        """The names of the board as the values ``cells`` make them, in order; ``~`` before those that are false."""
        return [
            name if cells[row][column] == value else f"~{name}" for name, (row, column, value) in self.board.items()
        ]


def statement_of(puzzle: Puzzle) -> Statement:
    """The statement of ``puzzle``. UnsupportedError: its kind has none."""
    kind = puzzle_kind(puzzle)
    if (state := kind.statement) is None:
        raise UnsupportedError(f"the puzzle {kind.name} has no pseudo-Boolean statement")
    stated: Statement = state(puzzle)
    return stated


# A statement as OPB text: a line a constraint.


def opb_lines(statement: Statement, preserved: bool = True) -> Iterator[str]:
    """The lines of the OPB file, one after the other: a board of any size takes the memory of its names.

    ``preserved``: name the variables that make a solution, as proofs of version 3.0 want it (and 1.1 does not know).
    """
    count = OpbSize(statement)
    for found in statement.constraints():
        count.add(found)
    yield count.comment()
    yield from body(statement, preserved)


def write_opb(statement: Statement, path: Path, preserved: bool = True) -> int:
    """Write the OPB file; how many constraints it has as proofs count them: an equality is two.

    The first line counts what is known only at the end: the others are written first, rather than made twice.
    """
    count, below = OpbSize(statement), path.with_suffix(".below")
    with below.open("w", encoding="ascii") as file:
        file.writelines(f"{line}\n" for line in body(statement, preserved, count))
    with path.open("wb") as whole, below.open("rb") as rest:
        whole.write(f"{count.comment()}\n".encode("ascii"))
        copyfileobj(rest, whole)
    below.unlink()
    return count.constraints + count.equalities


class OpbSize:
    """The variables and constraints so far."""

    def __init__(self, statement: Statement) -> None:
        self.names = set(statement.board)
        self.constraints = self.equalities = 0

    def add(self, found: PBConstraint) -> None:
        """One constraint more."""
        self.constraints += 1
        self.equalities += found.equal
        self.names.update([literal.removeprefix("~") for _, literal in found.terms])

    def comment(self) -> str:
        """The first line of an OPB file."""
        return f"* #variable= {len(self.names)} #constraint= {self.constraints}"


def body(statement: Statement, preserved: bool, count: OpbSize | None = None) -> Iterator[str]:
    """All lines but the first, which ``count``, if given, is called for."""
    if preserved:
        yield f"preserved: {' '.join(statement.board)} ;"
    for found in statement.constraints():
        if count is not None:
            count.add(found)
        yield text(found)


def text(constraint: PBConstraint) -> str:
    """One constraint.

    >>> text(PBConstraint([(1, "aa"), (-2, "~bb")], 0))
    '1 aa -2 ~bb >= 0 ;'
    """
    terms = "".join([f"{coefficient} {literal} " for coefficient, literal in constraint.terms])
    return f"{terms}{'=' if constraint.equal else '>='} {constraint.degree} ;"
