"""Two proofs, without any solver: from the statement every clause of an encoding, from the clauses the statement.

What does not follow is told by what it says, and by a board.
"""

from __future__ import annotations

from collections.abc import Generator

from nonosat.certificates.equivalence.backward import derive_statement
from nonosat.certificates.equivalence.cases import Cases, Outcome
from nonosat.certificates.equivalence.forward import Forward, derive_clauses
from nonosat.certificates.equivalence.origin import origin, part_of_meanings
from nonosat.certificates.equivalence.result import Difference, Equivalence
from nonosat.certificates.equivalence.words import clause_said, domain_said
from nonosat.certificates.meanings import DOMAIN, MEANINGS, literals
from nonosat.certificates.sat import Lemmas
from nonosat.certificates.statement import Statement, statement_of
from nonosat.certificates.statement.opb import text
from nonosat.certificates.steps import VERSIONS, Steps
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
    if forward.section is not None:
        return Difference(False, *section_said(puzzle, encoding, formula, statement, forward.section), None, True)
    if forward.variable is not None:
        said = domain_said(formula, statement, forward.variable)
        return Difference(False, encoding.domain, said, board, given_up)
    found = origin(puzzle, encoding, forward.count)
    said = clause_said(formula, statement, formula.cnf.clause(forward.count), found.variables)
    return Difference(False, found.part, said, board, given_up)


def section_said(
    puzzle: Puzzle, encoding: Encoding, formula: Formula, statement: Statement, section: tuple[str, int]
) -> tuple[str | None, str]:
    """(The part, in words) what lemmas of a section of a proof's steps are about."""
    what, number = section
    if what == DOMAIN:
        return encoding.domain, domain_said(formula, statement, number)
    if what == MEANINGS:
        return part_of_meanings(puzzle, encoding, number), "what it says that sums, rows or auxiliaries mean"
    return encoding.integers, "what its Booleans mean"


def line_said(puzzle: Puzzle, encoding: Encoding, statement: Statement, line: int) -> str:
    """What ``line`` of a certificate (from 1) is about: a clause of the encoding, by its part and in words; or nothing.

    The steps are made again: nothing of this is kept while a certificate is written.
    """
    formula, steps = encoding.formula(puzzle), Steps(VERSIONS[0], 0, lambda text: None)
    texts = literals(formula, statement, steps, encoding.name)
    if line <= steps.lines:
        part, said = section_said(puzzle, encoding, formula, statement, steps.section_of(line))
        return f"by {part}: {said}" if part else said
    lemmas = Lemmas(texts, steps, ())
    for number, clause in enumerate(formula.cnf):
        before = steps.lines
        lemmas.add(clause)
        if before < line <= steps.lines:
            found = origin(puzzle, encoding, number)
            said = clause_said(formula, statement, clause, found.variables)
            return f"clause {number + 1}{f', by {found.part}' if found.part else ''}: {said}"
    return ""


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
