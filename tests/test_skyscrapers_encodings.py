"""Skyscrapers through the whole pipeline: every encoding's models are the boards that brute force finds."""

from __future__ import annotations

import numpy as np
import pytest
from latin import clues_of, full_clue_sets, solutions, squares, subsets
from sampling import nightly, repeated, spread

from nonosat import rng
from nonosat.csp.model import Paths
from nonosat.encodings.registry import KINDS, default_for, encoding
from nonosat.encodings.skyscrapers import Seen, counted, cut, full
from nonosat.errors import UnsupportedError
from nonosat.generators.skyscrapers import LEVELS, Level
from nonosat.generators.skyscrapers_made import latin_square, made
from nonosat.puzzles.nonogram import Nonogram
from nonosat.puzzles.puzzle import fault
from nonosat.puzzles.skyscrapers import Skyscrapers
from nonosat.runs.events import Verdict
from nonosat.solvers.sat.proofs import prove
from nonosat.solvers.sat.session import Session
from nonosat.solvers.solve import solve

ENCODINGS = KINDS["skyscrapers"].tested


def found(puzzle: Skyscrapers, **how: str) -> set[bytes]:
    answer = solve(puzzle, count=None, **how)  # type: ignore[arg-type]
    assert answer.verdict in (Verdict.SAT, Verdict.UNSAT), answer
    assert answer.exhausted
    return {picture.cells.tobytes() for picture in answer.pictures}


def test_the_squares_are_those_of_the_books() -> None:
    assert [len(squares(size)) for size in (1, 2, 3, 4)] == [1, 2, 12, 576]
    for square in squares(4)[::7]:
        assert Skyscrapers.from_heights(square).clues == clues_of(square)


@pytest.mark.parametrize("name", ENCODINGS)
@pytest.mark.parametrize("number", repeated(3, 25))
def test_models_are_the_boards_of_random_clue_sets(name: str, number: int) -> None:
    for puzzle in subsets(number, seed=len(name)):
        assert found(puzzle, encoding=name) == solutions(puzzle.clues, puzzle.given)


@pytest.mark.slow
def test_models_are_the_boards_of_every_full_clue_set() -> None:
    for clues in full_clue_sets():
        assert found(Skyscrapers.from_clues(clues)) == solutions(clues)


@pytest.mark.slow
@pytest.mark.parametrize("name", nightly(ENCODINGS, 1))
def test_models_are_the_boards_of_every_clue_set(name: str) -> None:
    for clues in full_clue_sets():
        assert found(Skyscrapers.from_clues(clues), encoding=name) == solutions(clues)
    for puzzle in subsets(200, seed=7):
        assert found(puzzle, encoding=name) == solutions(puzzle.clues, puzzle.given)


@pytest.mark.parametrize("lines", ["different", "permutation"])
@pytest.mark.parametrize("seen", ["running", "visible", "states"])
def test_cp_sat_finds_the_same(lines: str, seen: str) -> None:
    for puzzle in subsets(4, seed=3):
        assert found(puzzle, encoding=f"{lines}+{seen}", solver="cpsat") == solutions(puzzle.clues, puzzle.given)


@pytest.mark.parametrize("size", spread([2, 1, 3], 1))
def test_small_boards(size: int) -> None:
    for name in ENCODINGS:
        for square in squares(size):
            clues = clues_of(square)
            assert found(Skyscrapers.from_clues(clues), encoding=name) == solutions(clues)
        assert len(found(Skyscrapers.from_clues([0] * 4 * size), encoding=name)) == len(squares(size))


@pytest.mark.parametrize("name", ENCODINGS)
def test_clues_that_contradict_each_other(name: str) -> None:
    given = Skyscrapers.from_clues([0] * 16, given=[(0, 0, 1), (0, 3, 1)])
    lines = Skyscrapers.from_clues([1, 1, 0, 0] + [0] * 12)  # two fours in the first row
    corner = Skyscrapers.from_clues([1, 0, 0, 0] + [0] * 4 + [4, 0, 0, 0] + [0] * 4)  # the first cell is 4 and 1
    for puzzle in (given, lines, corner):
        assert puzzle.contradiction() is None
        assert solve(puzzle, encoding=name).verdict == Verdict.UNSAT


def test_contradictions_of_clues_are_seen_at_once() -> None:
    both = Skyscrapers.from_clues([3, 0, 0, 0, 3, 0, 0, 0] + [0] * 8)
    assert "column 1" in str(both.contradiction())
    assert solutions(both.clues) == set()
    for clues in full_clue_sets():
        assert Skyscrapers.from_clues(clues).contradiction() is None


def test_cuts_leave_what_solutions_have() -> None:
    for puzzle in subsets(200, seed=11):
        lower, upper = cut(Seen.of(puzzle))
        low, high = full(Seen.of(puzzle))
        assert (low <= lower).all()
        assert (upper <= high).all()
        for board in solutions(puzzle.clues, puzzle.given):
            cells = np.frombuffer(board, dtype=np.uint8)
            assert (lower <= cells).all()
            assert (cells <= upper).all()


def test_encodings_are_for_their_kind() -> None:
    picture = Nonogram.from_lengths([[1]], [[1]])
    board = Skyscrapers.from_clues([0] * 8)
    assert default_for(board) in ENCODINGS
    with pytest.raises(UnsupportedError, match="encoding tight\\+r3 is for the puzzle nonogram, not for skyscrapers"):
        solve(board, encoding="tight+r3")
    with pytest.raises(UnsupportedError, match="is for the puzzle skyscrapers, not for nonogram"):
        solve(picture, encoding="different+states")
    with pytest.raises(UnsupportedError, match="solver axis is for the puzzle nonogram, not for skyscrapers"):
        solve(board, solver="axis")
    with pytest.raises(UnsupportedError, match="mixes parts for nonogram and for skyscrapers"):
        encoding("tight+r3+states")
    with pytest.raises(UnsupportedError, match="needs one visibility: running, visible, states"):
        encoding("different")


def test_every_node_of_an_automaton_is_on_a_path() -> None:
    for puzzle in subsets(20, seed=6):
        for family in encoding("different+states+order").csp(puzzle).constraints:
            if isinstance(family, Paths):
                assert {*family.tail.tolist(), *family.head.tolist()} == set(range(family.nodes))


@pytest.mark.slow
def test_one_formula_for_all_puzzles_of_a_size() -> None:
    about = counted(4)
    assert about.counters.shape == (16,)  # a clue each
    for puzzle in subsets(60, seed=5):
        session = Session("minisat22", about.formula.cnf)
        seen: set[bytes] = set()
        blocked: list[list[int]] = []
        while (model := session.solve(about.assumptions(puzzle))) is not None:
            cells = about.formula.cells(model)
            seen.add(cells.tobytes())
            blocked.append(about.formula.block(cells))
            session.add(blocked[-1])
        session.close()
        assert seen == solutions(puzzle.clues, puzzle.given)


@pytest.mark.parametrize("level", spread(range(len(LEVELS)), 3))
def test_levels(level: int) -> None:
    wanted = LEVELS[level]
    puzzle = made(wanted, seed=3)
    assert puzzle == made(wanted, seed=3)
    assert puzzle.size == wanted.size
    assert puzzle.goal is not None
    assert fault(puzzle, puzzle.goal) is None
    answer = solve(puzzle, unique=True)
    assert (answer.unique, answer.picture) == (True, puzzle.goal)
    clues = sum(clue > 0 for clue in puzzle.clues)
    if wanted.difficulty == "easy":
        assert clues == 4 * wanted.size
    elif wanted.difficulty == "normal":
        assert clues >= 2 * wanted.size
    else:  # nothing can be left out
        for place, clue in enumerate(puzzle.clues):
            if clue:
                fewer = [*puzzle.clues[:place], 0, *puzzle.clues[place + 1 :]]
                assert solve(Skyscrapers.from_clues(fewer, puzzle.given), unique=True).unique is False


@pytest.mark.slow
@pytest.mark.parametrize("level", nightly(range(len(LEVELS)), 4))
def test_every_solver_agrees_on_every_level(level: int) -> None:
    """Each sound encoding, CP-SAT with each set of rules, SAT solvers of each family, and the five phases."""
    for seed in (1, 2):
        puzzle = made(LEVELS[level], seed)
        ways = [{"encoding": name} for name in ENCODINGS]
        ways += [{"encoding": name, "solver": "cpsat"} for name in ENCODINGS if name.endswith("order")]
        ways += [{"solver": name} for name in ("cadical195", "lingeling", "glucose4", "kissat404", "maplecm", "phases")]
        ways += [{"solver": "phases+min"}]
        if level < 7:
            ways += [{"solver": f"phases+{words}"} for words in ("no4", "no1+no2", "no3+no4", "no1+no2+no3+no4")]
        for how in ways:
            answer = solve(puzzle, unique=True, time_limit_s=100, **how)  # type: ignore[arg-type]
            assert (answer.unique, answer.picture) == (True, puzzle.goal), (how, answer)


def test_the_five_phases_find_the_same() -> None:
    for number, puzzle in enumerate(subsets(60, seed=13)):
        words = [f"+no{phase}" for phase in (1, 2, 3, 4) if number >> phase & 1]
        assert found(puzzle, solver="phases" + "".join(words)) == solutions(puzzle.clues, puzzle.given)


def test_levels_that_do_not_exist() -> None:
    for size, difficulty in ((0, "easy"), (16, "hard"), (4, "extreme")):
        with pytest.raises(UnsupportedError):
            Level(size, difficulty)


@pytest.mark.slow
@pytest.mark.nightly
def test_squares_are_drawn_evenly() -> None:
    """Of 4x4: 2,304 draws of 576 squares. Pearson's statistic has the mean 575 and the standard deviation 34."""
    counts: dict[bytes, int] = {}
    for seed in range(2304):
        drawn = latin_square(4, rng.Rng(seed)).tobytes()
        counts[drawn] = counts.get(drawn, 0) + 1
    assert set(counts) <= solutions([0] * 16)
    statistic = sum((count - 4) ** 2 / 4 for count in counts.values()) + 4.0 * (576 - len(counts))
    assert statistic < 575 + 5 * 34


def test_uniqueness_is_proved() -> None:
    proof = prove(made(LEVELS[2], seed=1))
    assert proof.claim == "there is no other solution"
    assert proof.steps
