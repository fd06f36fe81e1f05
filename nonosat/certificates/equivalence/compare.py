"""Two proofs, without any solver: from the statement every clause of an encoding, from the clauses the statement.

What does not follow is shown in words, and by a board.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass

from nonosat.certificates.booleans import DOMAIN, MEANINGS, literals
from nonosat.certificates.checker import RefusedError
from nonosat.certificates.equivalence.cases import Cases, Outcome
from nonosat.certificates.equivalence.literals import StatementLiterals, boolean
from nonosat.certificates.equivalence.origin import clause_text, domain_text, origin, part_of_meanings
from nonosat.certificates.sat import ClauseLemmas
from nonosat.certificates.statement import PBConstraint, Statement, opb_lines, statement_of
from nonosat.certificates.statement.model import text
from nonosat.certificates.steps import VERSIONS, Steps, negation
from nonosat.encodings.formula import Formula
from nonosat.encodings.registry import Encoding, encoding_of
from nonosat.errors import PuzzleError, SolverError, UnsupportedError
from nonosat.puzzles.puzzle import Board, Puzzle, PuzzleOrFile, is_solution, puzzle_from, puzzle_kind
from nonosat.runs.events import Finished, Progress, Statistics, Stopped, Values, Verdict
from nonosat.runs.run import EventConsumer, consume, limits_of, run
from nonosat.runs.solver import BARE

# What came of comparing an encoding with a puzzle's statement: both say the same, or what does not follow.


@dataclass(frozen=True, eq=False)
class Difference:
    """What does not follow. ``lost``: it is a constraint of the statement, and no clause of the encoding.

    ``part``: of the encoding's parts the one that made the clause (None: none of them, or a constraint is lost);
    ``words``: the clause, or what is wrong without the constraint, in words. ``board``: a solution that the clause
    excludes, or a board that the encoding allows, if it is one of the puzzle's kind. ``given_up``: none was found, and
    within the bound on cases it was not proved. ``by_auxiliaries``: the board is a solution, and the encoding has it,
    but its auxiliaries do not mean what is said of them, so that nothing is known of its boards.
    """

    lost: bool
    part: str | None
    words: str
    board: Board | None
    given_up: bool = False
    by_auxiliaries: bool = False

    @property
    def about_board(self) -> str:
        """What the ``board`` shows."""
        if self.by_auxiliaries:
            return "a solution that the encoding has, with auxiliaries that do not mean what is said of them"
        return "the encoding lets this through" if self.lost else "a solution that it shuts out"

    def __str__(self) -> str:
        where, colon, what = self.words.partition(": ")
        part = f"{self.part}: " if self.part else ""
        text = f"{where}: {part}{what}" if colon and not self.lost else f"{part}{self.words}"
        if self.given_up:
            return f"{text}: after so many cases nothing is known of that"
        return text if self.lost else f"{text}: that does not follow"


@dataclass(frozen=True, eq=False)
class Equivalence:
    """How many ``clauses`` and ``constraints`` follow, by so many ``lines`` of proof, and the first that does not.

    ``stopped``: a limit was reached before that was known, and the ``reason`` names it; nothing is counted then.
    """

    puzzle: Puzzle
    encoding: str
    clauses: int
    constraints: int
    lines: int
    difference: Difference | None
    stopped: Verdict | None = None
    reason: str | None = None

    def __bool__(self) -> bool:
        return self.equivalent is True

    @property
    def equivalent(self) -> bool | None:
        """Whether the two are equivalent.

        None: it is not known, since a limit was reached, a lemma given up, or auxiliaries do not mean what is said.
        """
        fault = self.difference
        if self.stopped is not None or (fault is not None and (fault.given_up or fault.by_auxiliaries)):
            return None
        return fault is None

    def __str__(self) -> str:
        if self.stopped is not None:
            return f"{self.encoding}: not decided: {self.reason}"
        if self.difference is not None:
            return f"{self.encoding}: {self.difference}"
        text = f"its {self.clauses:,} clauses follow from the statement, whose {self.constraints:,} constraints follow"
        return f"{self.encoding}: {text} from them"


# The clauses of an encoding from the puzzle's statement: each is a lemma of it.


@dataclass(frozen=True, eq=False)
class Forward:
    """The proof; how many clauses follow before the first that does not; the outcome of that one.

    ``variable``: it is no clause, but the domain of that variable. ``section``: it is none, but a lemma about what
    Booleans mean (see ``Steps.section``), for which only propagation was tried.
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
        defined = literals(formula, statement, cases.steps, encoding)
        cases.checker.database.run()
    except RefusedError as refused:
        return Forward(cases, 0, Outcome.OPEN, section=cases.steps.section_of(refused.line or 0))
    positive = [0, *cases.literals(defined[1:])]
    for number, clause in enumerate(formula.cnf):
        outcome = cases.clause([positive[x] if x > 0 else positive[-x] ^ 1 for x in clause])
        if outcome is not Outcome.PROVED:
            return Forward(cases, number, outcome)
    return Forward(cases, formula.cnf.clauses, Outcome.PROVED)


def _domains(formula: Formula, statement: Statement) -> Iterator[tuple[int, str]]:
    """(Variable, literal) for the ends of its domain, if the statement defines it and has more values for it."""
    cells = set(formula.board.reshape(-1).tolist())
    domains = zip(formula.names(), formula.map.lower.tolist(), formula.map.upper.tolist(), strict=True)
    for variable, (name, low, high) in enumerate(domains):
        if variable in cells:
            continue
        for bound, inside in ((low - 1, False), (high, True)):
            literals = statement.at_most(name, bound)
            if literals and len(literals) == 1 and isinstance(literals[0], str):
                yield variable, literals[0] if inside else negation(literals[0])


# The puzzle's statement from the clauses of an encoding: each of its constraints is a lemma of them.


@dataclass(frozen=True, eq=False)
class Backward:
    """The proof; how many constraints follow; the first that does not, and whether its sum may be more, not less."""

    cases: Cases
    count: int
    outcome: Outcome
    lost: PBConstraint | None = None
    more: bool = False


def derive_statement(formula: Formula, statement: Statement, encoding: str, most: int) -> Backward:
    """The constraints one by one. UnsupportedError: the encoding does not define some variable of it."""
    cases = Cases(_lines(formula), most)
    stated = StatementLiterals(formula, statement, encoding, cases)
    count = 0
    for constraint in statement.constraints():
        for more in (False, True) if constraint.equal else (False,):
            outcome = cases.sum(*stated.written(constraint, more))
            if outcome is not Outcome.PROVED:
                return Backward(cases, count, outcome, constraint, more)
        count += 1
    return Backward(cases, count, Outcome.PROVED)


def _lines(formula: Formula) -> Iterator[str]:
    """The clauses as the lines of a statement of their own."""
    yield f"preserved: {' '.join(boolean(number) for number in range(1, formula.cnf.variables + 1))} ;"
    for clause in formula.cnf:
        if len(found := dict.fromkeys(clause)) == len(set(map(abs, clause))):  # else it says nothing
            yield f"{''.join(f'1 {boolean(x)} ' for x in found)}>= 1 ;"


def compared(puzzle: Puzzle, parts: Encoding, most: int) -> Generator[Progress, None, Equivalence]:
    """What came of both proofs, with at most so many cases a lemma; each stage is reported before it begins.

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
        words = backward.lost.more if backward.more else backward.lost.less
        given_up = backward.outcome is Outcome.OPEN
        board = None if given_up else _model(puzzle, formula, backward.cases)
        right = board is not None and is_solution(puzzle, board)
        lost = Difference(True, None, words or f"nothing says that {text(backward.lost)}", board, given_up, right)
    return Equivalence(puzzle, parts.name, formula.cnf.clauses, backward.count, lines, lost)


def _not_followed(
    puzzle: Puzzle, encoding: Encoding, formula: Formula, statement: Statement, forward: Forward
) -> Difference:
    """A clause, or the domain of a variable."""
    given_up = forward.outcome is Outcome.OPEN
    board = None if given_up else _solution(puzzle, statement, forward.cases)
    had = board is not None and _has(formula, board)
    if forward.section is not None:
        return Difference(False, *section_text(puzzle, encoding, formula, statement, forward.section), None, True)
    if forward.variable is not None:
        words = domain_text(formula, statement, forward.variable)
        return Difference(False, encoding.domain, words, board, given_up, had)
    found = origin(puzzle, encoding, forward.count)
    words = clause_text(formula, statement, formula.cnf.clause(forward.count), found.variables)
    return Difference(False, found.part, words, board, given_up, had)


def section_text(
    puzzle: Puzzle, encoding: Encoding, formula: Formula, statement: Statement, section: tuple[str, int]
) -> tuple[str | None, str]:
    """(The part, in words) what lemmas of a section of a proof's steps are about."""
    what, number = section
    if what == DOMAIN:
        return encoding.domain, domain_text(formula, statement, number)
    if what == MEANINGS:
        return part_of_meanings(puzzle, encoding, number), "what it says that sums, rows or auxiliaries mean"
    return encoding.integers, "what its Booleans mean"


def line_text(puzzle: Puzzle, encoding: Encoding, statement: Statement, line: int) -> str:
    """What ``line`` of a certificate (from 1) is about: a clause of the encoding, by its part and in words; or nothing.

    The steps are made again: nothing of this is kept while a certificate is written.
    """
    formula, steps = encoding.formula(puzzle), Steps(VERSIONS[0], 0, lambda text: None)
    texts = literals(formula, statement, steps, encoding.name)
    if line <= steps.lines:
        part, words = section_text(puzzle, encoding, formula, statement, steps.section_of(line))
        return f"by {part}: {words}" if part else words
    lemmas = ClauseLemmas(texts, steps, ())
    for number, clause in enumerate(formula.cnf):
        before = steps.lines
        lemmas.add(clause)
        if before < line <= steps.lines:
            found = origin(puzzle, encoding, number)
            words = clause_text(formula, statement, clause, found.variables)
            return f"clause {number + 1}{f', by {found.part}' if found.part else ''}: {words}"
    return ""


def _solution(puzzle: Puzzle, statement: Statement, cases: Cases) -> Board:
    """The board of a model of the statement."""
    cells = [[0] * puzzle.shape[1] for _ in range(puzzle.shape[0])]
    for literal, (row, column, value) in zip(cases.literals(statement.board), statement.board.values(), strict=True):
        if cases.model[literal]:
            cells[row][column] = value
    board: Board = puzzle.picture(cells)
    return board


def _has(formula: Formula, board: Board) -> bool:
    """Is there a model of the clauses with this board?"""
    from pysat.solvers import Solver  # after ``import nonosat``, which need not wait for it

    if formula.cnf.has_empty_clause:
        return False
    with Solver("minisat22", bootstrap_with=formula.cnf) as solver:
        return bool(solver.solve(assumptions=formula.laid(board.cells)))


def _model(puzzle: Puzzle, formula: Formula, cases: Cases) -> Board | None:
    """The board of a model of the clauses; None: its values are none that a board has."""
    names = cases.literals(f"cnf{number}" for number in range(1, formula.cnf.variables + 1))
    model = [number if cases.model[literal] else -number for number, literal in enumerate(names, 1)]
    try:
        board: Board = puzzle.picture(formula.cells(model))
    except PuzzleError:
        return None
    return board


# Both proofs as a search, under the limits of every search.


MOST = 2000
"""Cases of one lemma."""


def equivalent(
    puzzle: PuzzleOrFile,
    encoding: str | Encoding | None = None,
    *,
    most: int = MOST,
    time_limit_s: float | None = None,
    cpu_limit_s: float | None = None,
    memory_limit_mb: float | None = None,
    on_progress: Callable[[str], None] = lambda stage: None,
) -> Equivalence:
    """Prove that ``encoding`` says of ``puzzle`` what its statement says, or find the first thing that does not follow.

    ``most``: cases that are tried for one lemma. The limits are those of ``solve`` (wall seconds, CPU seconds, MiB);
    one that is reached leaves ``equivalent`` at None. UnsupportedError: a kind without a statement, an
    encoding that does not say what its Booleans mean. SolverError: the process broke.

    >>> from nonosat.puzzles.nonogram import Nonogram
    >>> puzzle = Nonogram.from_lengths([[1, 1]], [[1], [], [1]])
    >>> print(equivalent(puzzle, "plain+r3"))
    plain+r3+order: its 18 clauses follow from the statement, whose 11 constraints follow from them
    >>> print(equivalent(puzzle, "plain+r4printed"))
    plain+r4printed+order: row 1: r4printed: run 1 starts at 3 (which is about run 1 and run 2): that does not follow
    """
    puzzle = puzzle_from(puzzle)
    puzzle_kind(puzzle)
    parts = encoding_of(puzzle, encoding)
    limits = limits_of(BARE, time_limit_s, memory_limit_mb, cpu_limit_s)
    return consume(run(search, (puzzle, parts, most), limits), EquivalenceConsumer(puzzle, parts.name, on_progress))


def search(puzzle: Puzzle, parts: Encoding, most: int) -> Iterator[Progress | Values | Finished]:
    """The events of a comparison: its value is the ``Equivalence``, or why there is none."""
    found: Equivalence | UnsupportedError
    try:
        found = yield from compared(puzzle, parts, most)
    except UnsupportedError as error:
        found = error
    yield Values((found,))
    yield Finished(True, Statistics())


class EquivalenceConsumer(EventConsumer[Equivalence]):
    """Takes the result of a comparison from its events, or the reason why it was stopped, and in which stage."""

    def __init__(self, puzzle: Puzzle, encoding: str, on_progress: Callable[[str], None]) -> None:
        super().__init__(lambda stage, _: on_progress(stage))
        self.puzzle, self.encoding = puzzle, encoding
        self.found: Equivalence | UnsupportedError | None = None

    def known(self) -> int:
        """How many solutions are known: it looks for none."""
        return 0

    def other(self, event: object) -> Equivalence | None:
        """Keep the result."""
        if not isinstance(event, Values):
            return super().other(event)
        (self.found,) = event.values
        return None

    def finished(self, event: Finished) -> Equivalence:
        """The result. UnsupportedError: the encoding cannot be compared."""
        if self.found is None:
            raise SolverError("the comparison ended without a result")
        if isinstance(self.found, UnsupportedError):
            raise self.found
        return self.found

    def stopped(self, event: Stopped) -> Equivalence:
        """What is known when a limit was reached: nothing. SolverError: the process broke."""
        if event.verdict is Verdict.CRASH:
            raise SolverError(event.reason)
        reason = f"{event.reason}{f', while {self.stage}' if self.stage else ''}"
        return Equivalence(self.puzzle, self.encoding, 0, 0, 0, None, event.verdict, reason)
