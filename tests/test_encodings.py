"""One battery over every sound encoding: all models are all solutions."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from brute import pictures, placements, random_puzzle
from sampling import repeated, spread

from nonosat.encodings import nonogram
from nonosat.encodings.nonogram import ENCODINGS, FIGURES, RELAXED, REPORT, Runs
from nonosat.encodings.registry import PARTS, encoding
from nonosat.errors import UnknownNameError, UnsupportedError
from nonosat.generators.density import random_density
from nonosat.puzzles.nonogram import Given, Nonogram, Run
from nonosat.puzzles.nonogram.puzzle import Picture, palette_of
from nonosat.runs.events import Verdict
from nonosat.solvers.solve import solve


@cache
def sample(count: int, most: int, seed: int) -> list[tuple[Nonogram, frozenset[Picture]]]:
    """Random boards with all their solutions, found once for all encodings."""
    rng = np.random.default_rng(seed)
    puzzles = [random_puzzle(rng, most) for _ in range(count)]
    return [(puzzle, frozenset(pictures(puzzle))) for puzzle in puzzles]


def compare(name: str, count: int, most: int, seed: int) -> None:
    verdicts = {Verdict.SAT: 0, Verdict.UNSAT: 0}
    for puzzle, expected in sample(count, most, seed):
        answer = solve(puzzle, encoding=name, count=None)
        assert set(answer.pictures) == expected, puzzle
        assert len(answer.pictures) == len(expected)
        assert answer.exhausted
        assert answer.unique == (len(expected) == 1)
        verdicts[answer.verdict] += 1
    assert min(verdicts.values()) > count / 12


@pytest.mark.parametrize("name", ENCODINGS)
@pytest.mark.parametrize("count", repeated(10, 250))
def test_all_models_are_all_solutions(name: str, count: int) -> None:
    compare(name, count, most=5, seed=11)


@pytest.mark.slow
@pytest.mark.nightly
@pytest.mark.parametrize("name", ENCODINGS)
def test_all_models_are_all_solutions_on_many_boards(name: str) -> None:
    compare(name, count=2000, most=6, seed=12)


@pytest.mark.parametrize("name", spread(RELAXED, 2))
def test_relaxed_readings_are_what_they_are_marked_as(name: str) -> None:
    """Solutions are models exactly where the reading is complete; a model that is no solution is told to be WRONG."""
    parts = encoding(name)
    assert not parts.sound
    lost = 0
    for puzzle, expected in sample(120, 5, 13):
        for solution in list(expected)[:2]:
            given = tuple(Given(*index, int(value)) for index, value in np.ndenumerate(solution.cells))
            lost += solve(replace(puzzle, given=given), encoding=name).verdict != Verdict.SAT
    assert (lost == 0) == parts.complete
    # Every board here has a solution. The prose's reading finds wrong pictures, the formula's none or wrong ones.
    boards = [random_density(12, 12, 0.4, seed=seed) for seed in range(10)]
    verdicts = {solve(board, encoding=name).verdict for board in boards}
    assert verdicts <= ({Verdict.SAT, Verdict.WRONG} if parts.complete else {Verdict.UNSAT, Verdict.WRONG})
    assert (Verdict.WRONG in verdicts) or not parts.complete


def test_the_report_s_twelve() -> None:
    assert len(REPORT) == len(FIGURES) == 12
    assert REPORT["2/3"] == "plain+r3+iff"
    assert REPORT["2alt/5+6"] == "tight+r5+r6ends+iff"
    for name, parts in REPORT.items():
        assert encoding(name).name == parts + "+order"
        assert encoding(name).sound == bool({"3", "5"} & set(name.partition("/")[2].split("+")))
    assert FIGURES["2/6"] == "5.1-5.5, 5.7"


def test_mirrored_readings_are_the_rules_themselves() -> None:
    puzzle = random_density(9, 9, 0.5, seed=1)
    for one, other in (("r4mirrored", "r3"), ("r6mirrored", "r5")):
        first, second = (encoding(f"plain+{rule}+iff").formula(puzzle).cnf for rule in (one, other))
        assert np.array_equal(first.literals, second.literals)


def test_tight_starts_are_the_first_and_last_that_placements_have() -> None:
    for colours, length in ((1, 7), (2, 5)):
        for clue, lines in placements(length, colours).items():
            if not clue:
                continue
            row = tuple(Run(*run) for run in clue)
            columns = tuple((Run(1, value),) if value else () for value in lines[0])
            runs = Runs.of(Nonogram((row,), columns, palette=palette_of(colours)))
            lower, upper = (bounds[: len(row)].tolist() for bounds in nonogram.tight(runs))
            begins = [_starts(line) for line in lines]
            assert lower == [min(starts) for starts in zip(*begins, strict=True)]
            assert upper == [max(starts) for starts in zip(*begins, strict=True)]


def _starts(line: tuple[int, ...]) -> list[int]:
    return [j for j, value in enumerate(line) if value and (j == 0 or line[j - 1] != value)]


def test_numbering_is_by_meaning() -> None:
    puzzle = Nonogram.from_lengths([[1], [1]], [[1], [1]])
    csp = encoding("plain+r3+order").csp(puzzle)
    assert csp.names() == ["x_0_0", "x_0_1", "x_1_0", "x_1_1", "h_0_0", "h_1_0", "v_0_0", "v_1_0"]
    formula = encoding("plain+r3+order").formula(puzzle)
    assert formula.map.lines(csp.names())[:2] == ["order x_0_0 1 0 1", "order x_0_1 2 0 1"]
    # As many as Sugar 2.3.3 makes of it: 8 variables, 16 clauses.
    assert (formula.cnf.variables, formula.cnf.clauses) == (8, 16)


def test_the_same_puzzle_gives_the_same_formula() -> None:
    one, two = (encoding("tight+r3+order").formula(random_density(15, 15, 0.5, seed=3)).cnf for _ in range(2))
    assert np.array_equal(one.literals, two.literals)
    assert np.array_equal(one.ends, two.ends)


def test_names_are_written_and_read_back() -> None:
    for name in ENCODINGS:
        assert encoding(name).name == name
        assert encoding(name).sound
        assert encoding(name).complete
        assert encoding(encoding(name).rules).rules == encoding(name).rules
    assert encoding("tight+r3+gaps").name == "tight+r3+order"


def test_wrong_names_list_the_right_ones() -> None:
    with pytest.raises(UnknownNameError, match="unknown encoding part 'nope'; known: plain, tight, r3"):
        encoding("nope")
    with pytest.raises(UnsupportedError, match="needs at least one ordering: r3"):
        encoding("tight+order")
    with pytest.raises(UnsupportedError, match="needs one domain: plain, tight"):
        encoding("tight+plain+r3")
    with pytest.raises(UnsupportedError, match="automaton states whole lines, tight has no place"):
        encoding("automaton+tight")


def test_every_part_has_a_meaning_and_a_source() -> None:
    for part in PARTS.values():
        assert part.meaning
        assert part.source
        assert part.make.__doc__


def test_a_board_of_one_cell_and_boards_of_one_line() -> None:
    for cells in ([[0]], [[1]], [[1, 0, 1, 1]], [[1], [0], [1]], [[0, 0, 0]]):
        puzzle = Nonogram.from_picture(Picture(np.array(cells)))
        for name in ENCODINGS:
            answer = solve(puzzle, encoding=name, count=None)
            assert answer.pictures == (puzzle.goal,)
