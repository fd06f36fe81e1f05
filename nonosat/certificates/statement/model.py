"""What a statement is: names that say which value a cell has, and linear constraints over 0/1 variables."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from nonosat.certificates.statement.words import Said
from nonosat.errors import UnsupportedError
from nonosat.puzzles.kinds import puzzle_kind
from nonosat.puzzles.puzzle import Puzzle

Literal = str | bool
"""A variable's name, or a constant where the puzzle leaves no choice. A negation has ``~`` in front."""


class Constraint(NamedTuple):
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

    says: Constraint
    parts: list[tuple[int, Constraint]]


def constraint(
    terms: Iterable[tuple[int, Literal]], degree: int, equal: bool = False, less: str = "", more: str = ""
) -> Iterator[Constraint]:
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
        yield Constraint(named, degree, equal, less, more)


@dataclass(frozen=True, eq=False)
class Statement:
    """A puzzle as constraints, made anew (one by one, in one order) whenever they are asked for.

    ``board``: by name, the (row, column, value) that it is true of; a cell none of whose names is true has the value 0.
    The solutions of the puzzle are the models of the constraints, as these names tell them; the constraints leave no
    other variable open once the names of the board are known.

    For the writers of proofs, ``at_most``: literals that together say that a quantity of some name (``h_0_1``) which is
    no cell has a value at most; None: the statement tells of no such quantity. ``sums``: what follows by adding
    constraints up, which unit propagation does not do. An equality's two halves are constraints of their own there.

    For messages, ``said``: a variable of the CSP in words, if there are better ones than its name.
    """

    board: dict[str, tuple[int, int, int]]
    constraints: Callable[[], Iterable[Constraint]]
    at_most: Callable[[str, int], list[Literal] | None] = lambda name, bound: None
    sums: Callable[[], Iterable[Added]] = tuple
    said: Callable[[str], Said | None] = lambda name: None

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
