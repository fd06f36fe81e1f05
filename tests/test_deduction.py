"""Certificates by lines and probes: each step follows, claims are true, each part is needed."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from brute import clue_of, placements
from sampling import nightly, sampled

import nonosat
from nonosat.certificates.checker import Claim, RefusedError
from nonosat.certificates.checker.proof import Checker, check
from nonosat.certificates.deduction import deduce, lemmas
from nonosat.certificates.deduction.deduce import Probing, tried, unbalanced
from nonosat.certificates.deduction.lemmas import LineLemmas
from nonosat.certificates.statement import opb_lines, statement_of
from nonosat.certificates.steps import Steps
from nonosat.errors import UnsupportedError
from nonosat.generators.density import random_density
from nonosat.puzzles.nonogram import Nonogram, Run
from nonosat.puzzles.nonogram.line_board import LineBoard
from nonosat.puzzles.nonogram.placements import May, consequences, prefixes, runs_of, suffixes
from nonosat.puzzles.nonogram.puzzle import Clue
from nonosat.puzzles.puzzle import Given
from nonosat.rng import Rng

PINWHEEL = Nonogram.from_lengths([[2, 1], [1], [1], [1], [1], [1, 2]], [[2, 1], [1], [1], [1], [1], [1, 2]])


def board_of(seed: int, most: int = 7) -> Nonogram:
    """Boards of one to three colours, as they are, turned, with given cells, or with another board's columns."""
    stream = Rng(seed)
    colours, height, width = (1 + stream.below(many) for many in (3, most, most))
    fill = ((0.3 + 0.1 * stream.below(5)) / colours,) * colours
    board = random_density(height, width, fill, seed)
    match stream.below(6):
        case 0:
            return replace(board, rows=board.rows[1:] + board.rows[:1], goal=None)
        case 1 | 2:
            cells = {(stream.below(height), stream.below(width)): stream.below(colours + 1) for _ in range(3)}
            return replace(board, given=tuple(Given(*cell, value) for cell, value in cells.items()), goal=None)
        case 3:
            return replace(board, columns=random_density(height, width, fill, seed + 10**6).columns, goal=None)
    return board


def hard(seed: int, size: int) -> Nonogram:
    """Boards that lines alone do not settle."""
    return random_density(size, size, 0.4 + 0.02 * (seed % 6), seed)


def proved(puzzle: Nonogram, at_most: int | None = 2, version: str = "3.0") -> tuple[Claim, list[str]]:
    """What is proved, and the lines."""
    statement, lines = statement_of(puzzle), []
    stated = list(opb_lines(statement, preserved=version == "3.0"))
    count = sum(1 + (" = " in line) for line in stated if line[0] not in "*p")
    for _ in deduce.deduced(puzzle, at_most, statement, Steps(version, count, lines.append)):
        pass
    return check(stated, lines), lines


def holds(seed: int, puzzle: Nonogram) -> tuple[int, bool]:
    """Certify it, and compare with all that a SAT solver finds."""
    at_most = (2, 3, None)[seed % 3]
    claim, _ = proved(puzzle, at_most, ("3.0", "1.1")[seed % 2])
    count = len(nonosat.solve(puzzle, count=at_most).pictures)
    assert (claim.solutions, claim.complete) == (count, at_most is None or count < at_most)
    return claim.solutions, claim.complete


@pytest.mark.parametrize("part", sampled(range(2), 1))
def test_small_boards(part: int) -> None:
    said = {holds(seed, board_of(seed)) for seed in range(50 * part, 50 * (part + 1))}
    assert said >= {(0, True), (1, True)}


@pytest.mark.slow
@pytest.mark.parametrize("part", nightly(range(20), 3))
def test_many_small_boards(part: int) -> None:
    for seed in range(1000 + 300 * part, 1300 + 300 * part):
        holds(seed, board_of(seed))


@pytest.mark.parametrize("work", [40, 1, 0])
def test_boards_that_take_more_than_lines(work: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """With no probes or few of them SAT has more to do."""
    monkeypatch.setattr(deduce, "WORK", work)
    for seed in range(8):
        holds(seed, hard(seed, 7 + seed % 4))
    holds(1, PINWHEEL)


@pytest.mark.slow
@pytest.mark.parametrize(("work", "boards"), nightly([(40, 300), (1, 300), (1, 100), (0, 300)], 1))
def test_many_boards_that_take_more_than_lines(work: int, boards: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deduce, "WORK", work)
    for seed in range(100, 100 + boards):
        holds(seed, hard(seed, 8 + seed % 8))


def by_lines(puzzle: Nonogram, probes: bool = False) -> tuple[LineBoard, list[str]]:
    """What lines conclude (and probes refute, those of values that some solution has too: then none is), as steps."""
    board, lines = LineBoard(puzzle), []
    count = sum(1 + found.equal for found in statement_of(puzzle).constraints())
    said = LineLemmas(board, Steps("3.0", count, lines.append))
    for conclusion in board.propagate(range(len(board.lines))):
        said.conclude(conclusion)
    if probes and not board.dead:
        Probing(board, said, lambda *_: True).run(10**6)
    return board, lines


def known(puzzle: Nonogram, board: LineBoard, lines: list[str]) -> None:
    """All that the board knows follows by propagation from the lines. RefusedError: it does not, or they do not."""
    statement, checker, more = statement_of(puzzle), Checker(), ["rup >= 1 ;"] * board.dead
    for name, (row, column, value) in statement.board.items():
        if (left := board.choices(row, column)) == [value]:
            more.append(f"rup 1 {name} >= 1 ;")
        elif value not in left:
            more.append(f"rup 1 ~{name} >= 1 ;")
    checker.take(opb_lines(statement), checker.state, "statement")
    checker.begin()
    checker.take([*lines, *more], checker.step, "proof")


@pytest.mark.parametrize("part", sampled(range(2), 1))
def test_all_that_lines_conclude_is_proved(part: int) -> None:
    for seed in range(50 * part, 50 * (part + 1)):
        puzzle = board_of(seed)
        known(puzzle, *by_lines(puzzle, probes=True))


def test_every_conclusion_of_a_refutation_is_needed() -> None:
    """Without any of its conclusions, the last one is not come to."""
    board = LineBoard(PINWHEEL)
    for _ in board.propagate(range(len(board.lines))):
        pass
    found = [tried(board, row, column, value).conclusions for row, column in board.open() for value in (0, 1)]
    refutations = [conclusions for conclusions in found if conclusions]
    assert len(refutations) > 5
    for conclusions in refutations:
        assert [conclusion.after is None for conclusion in conclusions] == [False] * (len(conclusions) - 1) + [True]
        for line, before, after in conclusions:
            result = consequences(board.lines[line], before)
            assert (result is None) == (after is None)
            assert after is None or all(not new & ~told for new, told in zip(result or (), after, strict=True))


def silent(self: lemmas._Line, k: int, a: int, b: int) -> None:
    """Take starts for excluded, and do not say so."""
    self.excluded[k] |= (2 << b) - (1 << a)


FAULTS = {
    "no start is excluded": {"exclude": silent},
    "what a start rests on is not said": {"below": lambda *_: None, "above": lambda *_: None},
    "colours by their unit alone": {
        "not_coloured": lambda self, place, colour: (
            [self.uncover(k, place) for k in range(self.runs) if self.line.colours[k] == colour],
            self.add(f"~{self.cell(place, colour)}"),
        )
    },
}
LINES = [
    replace(board, given=tuple(Given(*cell, int(board.goal.cells[cell])) for cell in places), goal=None)
    for seed in range(30)
    for board in [random_density(3, 24, (0.5, (0.3, 0.3))[seed % 2], seed)]  # type: ignore[arg-type]
    for stream in [Rng(seed)]
    for places in [sorted({(stream.below(3), stream.below(24)) for _ in range(8)})]
    if board.goal is not None
]
HARD = [hard(seed, 12) for seed in range(12)]


@pytest.mark.slow
@pytest.mark.parametrize("fault", nightly(FAULTS, 3))
def test_each_part_of_the_scheme_is_needed(fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Lemmas that are left out leave others without reason, and the checker says so."""
    for puzzle in (*LINES, *HARD):
        known(puzzle, *by_lines(puzzle, probes=True))
    for name, function in FAULTS[fault].items():
        monkeypatch.setattr(lemmas._Line, name, function)
    refused = 0
    for puzzle in (*LINES, *HARD):
        try:
            known(puzzle, *by_lines(puzzle, probes=True))
        except RefusedError:
            refused += 1
    assert refused > 0


def test_a_conclusion_that_does_not_follow_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """A line solver that knows the picture and no reason for it."""
    puzzle = hard(3, 12)
    assert puzzle.goal is not None
    cells = puzzle.goal.cells

    def cheat(board: LineBoard, line: int, _: May) -> May:
        values = cells[line] if line < board.height else cells.T[line - board.height]
        return tuple(sum(1 << place for place in np.flatnonzero(values == value).tolist()) for value in (0, 1))

    monkeypatch.setattr(LineBoard, "implied", cheat)
    with pytest.raises(UnsupportedError, match="there is no certificate: propagation does not show"):
        nonosat.certify(puzzle)


def starts_of(filling: tuple[int, ...], clue: Clue) -> list[int]:
    """Where the runs of a filling start, from the left."""
    found, place = [], 0
    for length, colour in clue:
        while filling[place : place + length] != (colour,) * length:
            place += 1
        found.append(place)
        place += length
    return found


@pytest.mark.parametrize("seed", sampled(range(100), 40))
def test_a_line_is_settled_as_by_brute_force(seed: int) -> None:
    stream = Rng(seed)
    size, colours = 1 + stream.below(7), 1 + stream.below(3)
    clue = clue_of(tuple(stream.below(colours + 1) for _ in range(size)))
    may = tuple(sum((stream.below(5) > 0) << place for place in range(size)) for _ in range(colours + 1))
    fitting = [
        filling
        for filling in placements(size, colours)[clue]
        if all(may[value] >> place & 1 for place, value in enumerate(filling))
    ]
    line = runs_of(size, tuple(Run(*run) for run in clue))
    found = consequences(line, may)
    if not fitting:
        assert found is None
        return
    for value, place in product(range(colours + 1), range(size)):
        assert (found or ())[value] >> place & 1 == any(filling[place] == value for filling in fitting)
    first, last = prefixes(line, may)[0], suffixes(line, may)[0]
    for k in range(len(clue)):
        wanted = sum(1 << start for start in {starts_of(filling, clue)[k] for filling in fitting})
        assert first[k] & last[k] == wanted


def test_rows_and_columns_that_disagree_take_one_step() -> None:
    """However large the board: what lines and SAT would need very many steps for."""
    for colour in (1, 2):
        clues = ((Run(1, 1), Run(1, colour)),) * 12
        puzzle = replace(
            random_density(12, 12, (0.3, 0.3), 1), rows=clues, columns=(*clues[1:], (Run(2, 2),)), goal=None
        )
        assert bool(unbalanced(puzzle, statement_of(puzzle)))
        for version in ("3.0", "1.1"):
            claim, lines = proved(puzzle, version=version)
            assert str(claim) == "no solution"
            assert sum(line.startswith("pol") for line in lines) == 1
            assert len(lines) < 8
    assert unbalanced(PINWHEEL, statement_of(PINWHEEL)) == []


def test_a_line_of_very_many_runs() -> None:
    """Starts are excluded in order there: on demand, one would ask for the next deeper than Python goes."""
    size = 1601
    given = [(0, place, 0) for place in range(9, 13)]
    board = LineBoard(Nonogram.from_lengths([[1] * (size // 2)], [[1]] * size, given))
    lines: list[str] = []
    said = LineLemmas(board, Steps("3.0", 0, lines.append))
    for conclusion in board.propagate([0]):
        said.conclude(conclusion)
    assert board.dead
    assert lines[-1] == "rup >= 1 ;\n"
    assert len(lines) > size // 2
