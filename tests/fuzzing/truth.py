"""What is true of a small case, by brute force that shares nothing with the package's encodings and solvers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import permutations, product

import numpy as np

from fuzzing import proofs
from fuzzing.cases import Case, PlainCsp, PlainFormula, PlainModel, PlainProof
from nonosat.puzzles.nonogram import Clue, Nonogram
from nonosat.puzzles.skyscrapers import Skyscrapers

Line = tuple[int, ...]
LINES, STEPS, MOST = 3_000, 6_000, 40
"""How many placements of a line, how many partial boards, and how many solutions brute force bears with."""


@dataclass
class Truth:
    """The ``boards`` that are solutions; ``whole``: there are no others. ``how`` that is known."""

    boards: set[bytes]
    whole: bool
    how: str

    def __str__(self) -> str:
        return f"{'' if self.whole else 'at least '}{len(self.boards)} solutions ({self.how})"


def truth_of(case: Case, steps: int = STEPS) -> Truth:
    """All solutions of ``case``, or some, or none where that takes more than a small case may."""
    boards = _boards(case, steps)
    found: set[bytes] = set()
    try:
        for board in boards:
            found.add(board)
            if len(found) > MOST:
                return Truth(found, False, "brute force, not to the end")
    except _TooMuch:
        return Truth(found, False, "brute force, not to the end")
    return Truth(found, True, "brute force")


class _TooMuch(Exception):  # noqa: N818 - no error, but an end
    """More work than may be done."""


def _boards(case: Case, steps: int) -> Iterator[bytes]:
    if isinstance(case, Nonogram):
        return _pictures(case, steps)
    if isinstance(case, Skyscrapers):
        return _squares(case, steps)
    if isinstance(case, PlainCsp):
        return _assignments(case)
    if isinstance(case, PlainModel):
        return _solutions(case)
    if isinstance(case, PlainFormula):
        return _models(case)
    if isinstance(case, PlainProof):
        return _models_of_statement(case)
    return _too_much()


def _too_much() -> Iterator[bytes]:
    raise _TooMuch
    yield b""


@lru_cache(maxsize=20_000)
def placements(clue: Clue, length: int) -> list[Line]:
    """Every line of ``length`` cells with the runs of ``clue``, told from left to right."""
    lines: list[Line] = []

    def grown(line: Line, runs: Clue) -> None:
        if len(lines) > LINES:
            raise _TooMuch
        if not runs:
            lines.append(line + (0,) * (length - len(line)))
            return
        size, colour = runs[0]
        least = len(line) + (bool(line) and line[-1] == colour)
        for start in range(least, length - sum(run.length for run in runs) + 1):
            grown(line + (0,) * (start - len(line)) + (colour,) * size, runs[1:])

    grown((), clue)
    return lines


@lru_cache(maxsize=20_000)
def _prefixes(clue: Clue, length: int) -> set[Line]:
    return {line[:n] for line in placements(clue, length) for n in range(length + 1)}


def _pictures(puzzle: Nonogram, steps: int) -> Iterator[bytes]:
    known = {(row, column): value for row, column, value in puzzle.given}
    rows = []
    for row, clue in enumerate(puzzle.rows):
        lines = placements(clue, puzzle.width)
        given = [(column, known[row, column]) for column in range(puzzle.width) if (row, column) in known]
        rows.append([line for line in lines if all(line[column] == value for column, value in given)])
    prefixes = [_prefixes(clue, puzzle.height) for clue in puzzle.columns]
    done = 0

    def grown(columns: list[Line], row: int) -> Iterator[list[Line]]:
        nonlocal done
        if row == len(rows):
            yield columns
            return
        for line in rows[row]:
            if (done := done + 1) > steps:
                raise _TooMuch
            longer = []
            for above, value, allowed in zip(columns, line, prefixes, strict=True):
                column = (*above, value)
                if column not in allowed:
                    break
                longer.append(column)
            else:
                yield from grown(longer, row + 1)

    for columns in grown([()] * puzzle.width, 0):
        yield bytes(columns[c][r] for r in range(puzzle.height) for c in range(puzzle.width))


def _seen(line: Line) -> int:
    return sum(all(height > before for before in line[:i]) for i, height in enumerate(line))


def _squares(puzzle: Skyscrapers, steps: int) -> Iterator[bytes]:
    size = puzzle.size
    if size > 6:
        raise _TooMuch
    known = {(row, column): value for row, column, value in puzzle.given}
    every = [(line, _seen(line), _seen(line[::-1])) for line in permutations(range(1, size + 1))]
    rows = [
        [
            line
            for line, left, right in every
            if puzzle.left[row] in (0, left)
            and puzzle.right[row] in (0, right)
            and all(known.get((row, column), value) == value for column, value in enumerate(line))
        ]
        for row in range(size)
    ]
    done = 0

    def grown(above: list[Line]) -> Iterator[list[Line]]:
        nonlocal done
        if len(above) == size:
            yield above
            return
        for line in rows[len(above)]:
            if (done := done + 1) > steps:
                raise _TooMuch
            if all(a != b for other in above for a, b in zip(line, other, strict=True)):
                yield from grown([*above, line])

    for square in grown([]):
        columns = list(zip(*square, strict=True))
        tops = all(clue in (0, _seen(column)) for clue, column in zip(puzzle.top, columns, strict=True))
        if tops and all(clue in (0, _seen(column[::-1])) for clue, column in zip(puzzle.bottom, columns, strict=True)):
            yield bytes(height for line in square for height in line)


def _assignments(case: PlainCsp) -> Iterator[bytes]:
    sizes = [high - low + 1 for low, high in case.domains]
    if np.prod(sizes) > 20_000:
        raise _TooMuch
    lows = np.array([low for low, _ in case.domains])
    values = np.indices(sizes).reshape(len(sizes), -1) + lows[:, None]
    holds = np.ones(values.shape[1], dtype=bool)
    for what, *about in case.constraints:
        if what == "linear":
            total = sum((a * values[v] for a, v in about[0]), np.zeros(values.shape[1], dtype=np.int64))
            relation, bound = about[1:]
            truths = {"<=": total <= bound, ">=": total >= bound, "=": total == bound}
            holds &= {**truths, "<": total < bound, ">": total > bound}[relation]
        elif what == "different":
            for i, v in enumerate(about[0]):
                for w in about[0][:i]:
                    holds &= values[v] != values[w]
        elif what == "precedes":
            holds &= values[about[0]] + about[1] <= values[about[2]]
        else:
            some = np.zeros(values.shape[1], dtype=bool)
            for v, relation, low, *high in about[0]:
                inside = (values[v] >= low) & (values[v] <= (high[0] if high else low))
                some |= {"<=": values[v] <= low, ">=": values[v] >= low, "in": inside, "out": ~inside}[relation]
            holds &= some
    for assignment in values.T[holds]:
        yield assignment.astype(np.int64).tobytes()


def _solutions(case: PlainModel) -> Iterator[bytes]:
    """By the meanings of the operators, which share nothing with how they are stated."""
    for number, values in enumerate(case.assignments()):
        if number > 20_000:
            raise _TooMuch
        if case.statement.holds(values):
            yield np.array(values, dtype=np.int64).tobytes()


def _models(case: PlainFormula) -> Iterator[bytes]:
    if case.variables > 12:
        raise _TooMuch
    for values in product((0, 1), repeat=case.variables):
        true = {v if value == 0 else -v for v, value in enumerate(values, 1)}
        if all(true & set(clause) for clause in case.clauses):
            yield bytes(values)


def _models_of_statement(case: PlainProof) -> Iterator[bytes]:
    """None if it is no statement."""
    reference = proofs.Reference()
    if not all(map(reference.state, case.statement)):
        return
    count = len(reference.names)
    if count > 12:
        raise _TooMuch
    reference.begin()
    for number in range(1 << count):
        if reference.models >> number & 1:
            yield bytes(number >> at & 1 for at in range(count))
