"""Whether an encoding is right for a puzzle: its clauses and the puzzle's statement follow from each other.

Two proofs, without any solver: over the statement, that every clause follows; over the clauses, that every constraint
of the statement does. What does not follow is told by what it says, and by a board.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from nonosat.certificates.equivalence.backward import derive_statement
from nonosat.certificates.equivalence.cases import Cases, Outcome
from nonosat.certificates.equivalence.forward import Forward, derive_clauses
from nonosat.certificates.equivalence.origin import origin
from nonosat.certificates.equivalence.words import clause_said, domain_said
from nonosat.certificates.statement import Statement, statement_of
from nonosat.certificates.statement.opb import text
from nonosat.encodings.formula import Formula
from nonosat.encodings.registry import Encoding, default_for
from nonosat.encodings.registry import encoding as encoding_named
from nonosat.errors import PuzzleError
from nonosat.puzzles.puzzle import Board, Puzzle

MOST = 2000
"""Cases of one lemma."""


@dataclass(frozen=True, eq=False)
class Difference:
    """What does not follow. ``lost``: it is a constraint of the statement, and no clause of the encoding.

    ``part``: of the encoding's parts the one that made the clause (None: none of them, or a constraint is lost);
    ``said``: the clause, or what is wrong without the constraint, in words. ``board``: a solution that the clause shuts
    out, or a board that the encoding lets through, if it is one of the puzzle's kind. ``given_up``: none was found, but
    after so many cases it was not seen to follow.
    """

    lost: bool
    part: str | None
    said: str
    board: Board | None
    given_up: bool = False

    @property
    def about_board(self) -> str:
        """What the ``board`` shows."""
        return "the encoding lets this through" if self.lost else "a solution that it shuts out"

    def __str__(self) -> str:
        where, colon, what = self.said.partition(": ")
        part = f"{self.part}: " if self.part else ""
        told = f"{where}: {part}{what}" if colon and not self.lost else f"{part}{self.said}"
        if self.given_up:
            return f"{told}: after so many cases nothing is known of that"
        return told if self.lost else f"{told}: that does not follow"


@dataclass(frozen=True, eq=False)
class Equivalence:
    """How many ``clauses`` and ``constraints`` follow, by so many ``lines`` of proof, and the first that does not."""

    puzzle: Puzzle
    encoding: str
    clauses: int
    constraints: int
    lines: int
    difference: Difference | None

    def __bool__(self) -> bool:
        return self.difference is None

    def __str__(self) -> str:
        if self.difference is not None:
            return f"{self.encoding}: {self.difference}"
        told = f"its {self.clauses:,} clauses follow from the statement, whose {self.constraints:,} constraints follow"
        return f"{self.encoding}: {told} from them"


def equivalent(
    puzzle: Puzzle,
    encoding: str | Encoding | None = None,
    *,
    most: int = MOST,
    on_progress: Callable[[str], None] = lambda stage: None,
) -> Equivalence:
    """Prove that ``encoding`` says of ``puzzle`` what its statement says, or find the first thing that does not follow.

    ``most``: cases that are tried for one lemma. UnsupportedError: a kind without a statement, an encoding that does
    not say what its Booleans mean.

    >>> from nonosat.puzzles.nonogram import Nonogram
    >>> puzzle = Nonogram.from_lengths([[1, 1]], [[1], [], [1]])
    >>> print(equivalent(puzzle, "plain+r3"))
    plain+r3+order: its 18 clauses follow from the statement, whose 11 constraints follow from them
    >>> print(equivalent(puzzle, "plain+r4printed"))
    plain+r4printed+order: row 1: r4printed: run 1 starts at 3 (which is about run 1 and run 2): that does not follow
    """
    wanted = default_for(puzzle) if encoding is None else encoding
    parts = encoding_named(wanted) if isinstance(wanted, str) else wanted
    statement, formula = statement_of(puzzle), parts.formula(puzzle)
    on_progress(f"deriving {formula.cnf.clauses:,} clauses")
    forward = derive_clauses(formula, statement, parts.name, most)
    lines = forward.cases.steps.lines
    if forward.outcome is not Outcome.PROVED:
        difference = _not_followed(puzzle, parts, formula, statement, forward)
        return Equivalence(puzzle, parts.name, forward.count, 0, lines, difference)
    on_progress("deriving the statement")
    backward = derive_statement(formula, statement, parts.name, most)
    lines += backward.cases.steps.lines
    lost = None
    if backward.lost is not None:
        said = backward.lost.more if backward.more else backward.lost.less
        given_up = backward.outcome is Outcome.OPEN
        board = None if given_up else _model(puzzle, formula, backward.cases)
        lost = Difference(True, None, said or f"nothing says that {text(backward.lost)}", board, given_up)
    return Equivalence(puzzle, parts.name, formula.cnf.clauses, backward.count, lines, lost)


def _not_followed(
    puzzle: Puzzle, encoding: Encoding, formula: Formula, statement: Statement, forward: Forward
) -> Difference:
    """A clause, or the domain of a variable."""
    given_up = forward.outcome is Outcome.OPEN
    board = None if given_up else _solution(puzzle, statement, forward.cases)
    if forward.variable is not None:
        said = domain_said(formula, statement, forward.variable)
        return Difference(False, encoding.domain, said, board, given_up)
    found = origin(puzzle, encoding, forward.count)
    said = clause_said(formula, statement, formula.cnf.clause(forward.count), found.variables)
    return Difference(False, found.part, said, board, given_up)


def _solution(puzzle: Puzzle, statement: Statement, cases: Cases) -> Board:
    """The board of a model of the statement."""
    cells = [[0] * puzzle.shape[1] for _ in range(puzzle.shape[0])]
    for literal, (row, column, value) in zip(cases.literals(statement.board), statement.board.values(), strict=True):
        if cases.model[literal]:
            cells[row][column] = value
    board: Board = puzzle.picture(cells)
    return board


def _model(puzzle: Puzzle, formula: Formula, cases: Cases) -> Board | None:
    """The board of a model of the clauses; None: its values are none that a board has."""
    names = cases.literals(f"cnf{number}" for number in range(1, formula.cnf.variables + 1))
    model = [number if cases.model[literal] else -number for number, literal in enumerate(names, 1)]
    try:
        board: Board = puzzle.picture(formula.cells(model))
    except PuzzleError:
        return None
    return board
