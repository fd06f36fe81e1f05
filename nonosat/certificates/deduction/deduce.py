"""Certificates of nonograms: proved by what lines conclude, by probes, and by SAT where these leave cells open.

Lines come first, and are enough for most puzzles that people make. If they are not, ``auto`` searches for solutions. If
it finds as many as are wanted, the proof names them and proves nothing more. Otherwise each value that no solution has
is refuted: by probes, as long as one of them fixes a value (and up to a number of lines, ``WORK``), and then by SAT.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import replace
from itertools import product
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from nonosat.certificates.booleans import literals
from nonosat.certificates.deduction.lemmas import LineLemmas
from nonosat.certificates.sat import write
from nonosat.certificates.statement import Statement
from nonosat.certificates.steps import Steps, negation
from nonosat.encodings.cnf import CNF
from nonosat.encodings.registry import encoding_of
from nonosat.errors import SolverError
from nonosat.puzzles.nonogram import Given, Nonogram
from nonosat.puzzles.nonogram.line_board import LineBoard, LineConclusion, removed
from nonosat.puzzles.nonogram.placements import May, bits
from nonosat.puzzles.puzzle import Puzzle, derived
from nonosat.runs.events import Event, Finished, Found, Progress, Statistics
from nonosat.solvers import registry
from nonosat.solvers.formulas import formula_of
from nonosat.solvers.sat.proofs import attempt
from nonosat.solvers.sat.session import session_of

# Rows and columns that fill different numbers of cells with a colour: a contradiction in one step.
#
# The equalities of a line's cells, added up, leave of every run its length, since all its other terms cancel out: so
# many cells have the colour. Those of all rows, less those of all columns, say ``0 >= d``.


def unbalanced(puzzle: Nonogram, statement: Statement) -> list[int]:
    """The numbers of constraints that add up to a contradiction; none, if rows and columns agree."""
    totals = [[0, 0] for _ in range(puzzle.colours)]
    for axis, clues in enumerate((puzzle.rows, puzzle.columns)):
        for clue in clues:
            for length, colour in clue:
                totals[colour - 1][axis] += length
    wrong = next((colour for colour, (across, down) in enumerate(totals) if across != down), None)
    if wrong is None:
        return []
    least = totals[wrong][0] < totals[wrong][1]  # of rows the half `<=` of the equality, of columns `>=`; or otherwise
    found, number, cells = [], 1, 0
    many = puzzle.height * puzzle.width * puzzle.colours
    for constraint in statement.constraints():
        if constraint.equal and cells < 2 * many:  # those of the rows' cells, then those of the columns'
            if cells % puzzle.colours == wrong:
                found.append(number + (least if cells < many else not least))
            cells += 1
        number += 1 + constraint.equal
    return found


# Why a cell cannot have a value: conclusions of lines up to a contradiction, and of these only the necessary ones.


Fact = tuple[int, int, int]
"""A value that a cell does not have: (row, column, value)."""


class Tried(NamedTuple):
    """What assuming a value led to: the ``conclusions`` up to a contradiction, or the ``lines`` that were changed."""

    conclusions: list[LineConclusion] | None
    lines: frozenset[int] = frozenset()


def tried(board: LineBoard, row: int, column: int, value: int) -> Tried:
    """Assume that an open cell has a value. The board stays as it is."""
    branch = board.copy()
    branch.assume(row, column, value)
    found = list(branch.propagate((row, board.height + column)))
    if found and found[-1].after is None:
        return Tried(_trimmed(board, found))
    changed = (line for line, (was, now) in enumerate(zip(board.may, branch.may, strict=True)) if was != now)
    return Tried(None, frozenset(changed))


def _trimmed(board: LineBoard, found: list[LineConclusion]) -> list[LineConclusion]:
    """The conclusions that the last one needs, each from the fewest facts and with no more than is needed."""
    origin: dict[Fact, int] = {}
    for number, (line, before, after) in enumerate(found[:-1]):
        assert after is not None
        for fact in _facts(board, line, before, after):
            origin.setdefault(fact, number)
    pending: dict[int, set[Fact]] = {len(found) - 1: set()}
    kept: list[LineConclusion] = []
    while pending:
        number = max(pending)
        line, before, after = found[number]
        wanted = board.may[line] if after is not None else None
        if wanted is not None:
            wanted = _without(board, line, wanted, pending[number])
        del pending[number]
        before = _weakened(board, line, before, wanted, origin)
        for fact in _facts(board, line, board.may[line], before):
            if fact in origin:
                pending.setdefault(origin[fact], set()).add(fact)
        if wanted is not None:
            wanted = tuple(one & other for one, other in zip(before, wanted, strict=True))
        kept.append(LineConclusion(line, before, wanted))
    return kept[::-1]


def _weakened(board: LineBoard, line: int, before: May, wanted: May | None, origin: dict[Fact, int]) -> May:
    """The weakest knowledge of a line from which it still concludes ``wanted`` (None: that it has no filling)."""
    facts = sorted(_facts(board, line, board.may[line], before), key=lambda fact: -origin.get(fact, -1))
    for fact in facts:
        row, column, value = fact
        place = column if line < board.height else row
        more = (*before[:value], before[value] | 1 << place, *before[value + 1 :])
        after = board.implied(line, more)
        if after is None or (
            wanted is not None
            and not any(new & ~most & was for new, most, was in zip(after, wanted, board.may[line], strict=True))
        ):
            before = more
    return before


def _facts(board: LineBoard, line: int, before: May, after: May) -> list[Fact]:
    return [
        (line, place, value) if line < board.height else (place, line - board.height, value)
        for value, gone in removed(before, after)
        for place in bits(gone)
    ]


def _without(board: LineBoard, line: int, may: May, facts: set[Fact]) -> May:
    out = list(may)
    for row, column, value in facts:
        out[value] &= ~(1 << (column if line < board.height else row))
    return tuple(out)


# Probing: values that no solution has are assumed, cell by cell; a contradiction refutes the value for good.
#
# A value that was not refuted is probed again when a line that it changed has changed for good.


Probe = tuple[int, int, int]


class Probing:
    """Probes on a board whose queue is empty; ``lemmas`` gets their clauses."""

    def __init__(self, board: LineBoard, lemmas: LineLemmas, wrong: Callable[[int, int, int], bool]) -> None:
        self.board, self.lemmas, self.wrong = board, lemmas, wrong
        self.clock = 0
        self.changed = [0] * len(board.lines)
        self.ran: dict[Probe, tuple[int, frozenset[int]]] = {}

    def run(self, work: int) -> None:
        """Probe until nothing more follows, the board is dead, or so many lines have been propagated."""
        until, learnt = self.board.work[0] + work, True
        while learnt:
            learnt = False
            for probe in self._open():
                if self.board.work[0] > until:
                    return
                learnt |= self._probe(probe)
                if self.board.dead:
                    return

    def _open(self) -> Iterator[Probe]:
        """Values worth a probe, on the board as it is at that time."""
        for row, column in self.board.open():
            for value in self.board.choices(row, column):
                left = self.board.choices(row, column)
                if value in left and len(left) > 1 and self.wrong(row, column, value):
                    yield row, column, value

    def _probe(self, probe: Probe) -> bool:
        """Try a value, unless it would be in vain; whether it has been refuted."""
        if probe in self.ran:
            when, lines = self.ran[probe]
            if all(self.changed[line] <= when for line in lines):
                return False
        self.clock += 1
        conclusions, lines = tried(self.board, *probe)
        self.ran[probe] = self.clock, lines
        if conclusions is not None:
            self._refute(probe, conclusions)
        return conclusions is not None

    def _refute(self, probe: Probe, conclusions: Sequence[LineConclusion]) -> None:
        row, column, value = probe
        self.lemmas.under(self._otherwise(*probe))
        for conclusion in conclusions:
            self.lemmas.conclude(conclusion)
        self.lemmas.leave()
        before = list(self.board.may)
        self.board.forbid(row, column, value)
        for conclusion in self.board.propagate((row, self.board.height + column)):
            self.lemmas.conclude(conclusion)
        self.clock += 1
        for line, (was, now) in enumerate(zip(before, self.board.may, strict=True)):
            if was != now:
                self.changed[line] = self.clock

    def _otherwise(self, row: int, column: int, value: int) -> list[str]:
        """The clause that the cell does not have this value."""
        if value:
            return [f"~x{row}_{column}_{value}"]
        return [f"x{row}_{column}_{colour}" for colour in self.board.choices(row, column) if colour]


# What lines and probes leave open, by a SAT solver: only the open part of the encoding's clauses becomes lemmas.


PROVER = "maplecm"
"""Its proofs are the shortest of those tried, and the quickest to check (results/what-we-tried.md)."""


def refute(
    puzzle: Puzzle, boards: Sequence[npt.NDArray[Any]], statement: Statement, steps: Steps
) -> Iterator[Statistics]:
    """Prove that ``puzzle``, whose known cells are given, has no solution besides ``boards``, and conclude.

    Yields what it has cost so far.
    """
    encoding = encoding_of(puzzle)
    formula, about = formula_of(puzzle, encoding)
    cnf = formula.cnf.extended_by([formula.block(board) for board in boards])
    known = _known(cnf)
    cnf, needed = _open(cnf, known)
    formula = replace(formula, cnf=cnf)
    about = replace(about, clauses=cnf.clauses)
    yield about
    found = attempt(PROVER, formula)
    if found.cells is not None:
        raise SolverError("there is a solution that the search has not found")
    about = about.plus(found.statistics)
    yield about
    texts = literals(formula, statement, steps, encoding.name)
    for literal in known:
        if needed[abs(literal)]:
            steps.lemma([texts[literal] if literal > 0 else negation(texts[-literal])])
    write(formula, texts, statement, (), found.steps, steps)


def _known(cnf: CNF) -> list[int]:
    """The literals that propagation finds to be true, in an order in which each follows."""
    session = session_of("minisat22", cnf)
    try:
        return session.known()
    finally:
        session.close()


def _open(cnf: CNF, known: Sequence[int]) -> tuple[CNF, npt.NDArray[np.bool_]]:
    """The clauses without what is ``known``; by variable, whether some literal was left out of one for that."""
    value = np.zeros(cnf.variables + 1, dtype=np.int8)
    true = np.array(known, dtype=np.int64)
    value[np.abs(true)] = np.sign(true)
    sign = np.sign(cnf.literals) * value[np.abs(cnf.literals)]
    clause = np.repeat(np.arange(cnf.clauses), cnf.widths())
    satisfied = np.zeros(cnf.clauses, dtype=bool)
    satisfied[clause[sign > 0]] = True
    kept = ~satisfied[clause]
    needed = np.zeros(cnf.variables + 1, dtype=bool)
    needed[np.abs(cnf.literals[kept & (sign < 0)])] = True
    left = kept & (sign == 0)
    widths = np.bincount(clause[left], minlength=cnf.clauses)[~satisfied]
    return CNF(cnf.variables, cnf.literals[left], np.cumsum(widths)), needed


SOLVER = "auto"
WORK = 40
"""Lines that probes propagate at most, for each cell."""


def deduced(
    puzzle: Nonogram, at_most: int | None, statement: Statement, steps: Steps
) -> Generator[Event, None, Statistics]:
    """Find at most ``at_most`` boards, and if there are no others, prove it: the whole proof goes to ``steps``."""
    if wrong := unbalanced(puzzle, statement):
        steps.derive(f"{wrong[0]} {' '.join(f'{number} +' for number in wrong[1:])}")
        steps.conclude(True)
        return Statistics()
    yield Progress("settling lines")
    begin = perf_counter()
    board = LineBoard(puzzle)
    trace = list(board.propagate(range(len(board.lines))))
    boards: list[npt.NDArray[Any]] = []
    lines_s = perf_counter() - begin
    spent = yield from _solutions(puzzle, board, at_most, boards)
    for cells in boards:
        steps.solution(statement.literals(cells.tolist()))
    if at_most is not None and len(boards) == at_most:
        steps.conclude(False)
        return spent.plus(Statistics(solve_s=lines_s, lines_checked=board.work[0]))
    begin = perf_counter() - lines_s
    yield Progress("proving by lines", spent)
    probes = _by_lines(board, trace, steps, boards)
    own = Statistics(solve_s=perf_counter() - begin, lines_checked=board.work[0], probes=probes)
    spent = spent.plus(own)
    if board.dead or not board.open():
        steps.conclude(True)
        return spent
    yield Progress("encoding", spent)
    rest = Statistics()
    for rest in refute(derived(puzzle, given=_given(board)), boards, statement, steps):
        yield Progress("proving by SAT", spent.plus(rest))
    return spent.plus(rest)


def _solutions(
    puzzle: Nonogram, board: LineBoard, at_most: int | None, boards: list[npt.NDArray[Any]]
) -> Generator[Event, None, Statistics]:
    """At most ``at_most`` solutions, which go to ``boards``; fewer are all."""
    spent = Statistics()
    if not board.dead and not board.open():
        boards.append(np.array(board.cells(), dtype=np.uint8))
        yield Found(boards[0])
    elif not board.dead:
        for event in registry.search(puzzle, None, at_most, registry.solver(SOLVER)):
            if isinstance(event, Finished):
                spent = event.statistics
                continue
            if isinstance(event, Found):
                boards.append(event.cells)
            yield event
    return spent


def _by_lines(
    board: LineBoard, trace: Sequence[LineConclusion], steps: Steps, boards: Sequence[npt.NDArray[Any]]
) -> int:
    """Prove what the lines concluded, and what probes refute; the number of probes."""
    lemmas = LineLemmas(board, steps)
    for conclusion in trace:
        lemmas.conclude(conclusion)
    if board.dead or not board.open():
        return 0
    probing = Probing(board, lemmas, _in_none(boards))
    probing.run(WORK * board.height * board.lines[0].size)
    return probing.clock


def _in_none(boards: Sequence[npt.NDArray[Any]]) -> Callable[[int, int, int], bool]:
    """Whether a cell has a value (row, column, value) on none of the boards: then it can be refuted."""
    lists = [cells.tolist() for cells in boards]
    return lambda row, column, value: all(cells[row][column] != value for cells in lists)


def _given(board: LineBoard) -> tuple[Given, ...]:
    """The cells that are known."""
    every = product(range(board.height), range(board.lines[0].size))
    return tuple(Given(*cell, left[0]) for cell in every if len(left := board.choices(*cell)) == 1)
