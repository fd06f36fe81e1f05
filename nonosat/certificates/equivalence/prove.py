"""Two proofs, without any solver: from the statement every clause of an encoding, from the clauses the statement.

What does not follow is told by what it says, and by a board.
"""

from __future__ import annotations

from collections.abc import Generator

from nonosat.certificates.equivalence.backward import derive_statement
from nonosat.certificates.equivalence.cases import Cases, Outcome
from nonosat.certificates.equivalence.forward import Forward, derive_clauses
from nonosat.certificates.equivalence.origin import origin
from nonosat.certificates.equivalence.result import Difference, Equivalence
from nonosat.certificates.equivalence.words import clause_said, domain_said
from nonosat.certificates.statement import Statement, statement_of
from nonosat.certificates.statement.opb import text
from nonosat.encodings.formula import Formula
from nonosat.encodings.registry import Encoding
from nonosat.errors import PuzzleError
from nonosat.puzzles.puzzle import Board, Puzzle
from nonosat.solvers.answer import Progress


def compared(puzzle: Puzzle, parts: Encoding, most: int) -> Generator[Progress, None, Equivalence]:
    """What came of both proofs, with at most so many cases a lemma; before each stage it is told.

    UnsupportedError: a kind without a statement, an encoding that does not say what its Booleans mean.
    """
    yield Progress("encoding")
    statement, formula = statement_of(puzzle), parts.formula(puzzle)
    yield Progress(f"deriving {formula.cnf.clauses:,} clauses")
    forward = derive_clauses(formula, statement, parts.name, most)
    lines = forward.cases.steps.lines
    if forward.outcome is not Outcome.PROVED:
        difference = _not_followed(puzzle, parts, formula, statement, forward)
        return Equivalence(puzzle, parts.name, forward.count, 0, lines, difference)
    yield Progress("deriving the statement")
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
