"""The solver ``auto``: whatever part solves a puzzle, the answer is that of brute force."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Generator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import reduce
from itertools import repeat
from math import prod

import numpy as np
import pytest
from brute import ambiguous, diagonal, pictures, random_puzzle
from drained import drained
from latin import full_clue_sets, solutions, subsets
from pysat.solvers import Solver
from sampling import portions, repeated, spread

from nonosat.compiled import kernel
from nonosat.encodings.registry import encoding
from nonosat.generators.density import random_density
from nonosat.generators.skyscrapers import LEVELS, Level
from nonosat.generators.skyscrapers_made import made
from nonosat.generators.styles import random_picture
from nonosat.puzzles.nonogram import Nonogram
from nonosat.puzzles.skyscrapers import Skyscrapers
from nonosat.runs.events import Answer, Event, Finished, Found, Statistics, Verdict
from nonosat.solvers import registry
from nonosat.solvers.auto import nonogram, presolve, search
from nonosat.solvers.auto import search as auto
from nonosat.solvers.propagation import board as board_module
from nonosat.solvers.propagation.board import NEVER, board_of, frame_of, propagate
from nonosat.solvers.propagation.decimation import EVERY, STUCK, UPDATES, Decimation
from nonosat.solvers.propagation.tree import TreeSearch
from nonosat.solvers.registry import solver
from nonosat.solvers.sat import search as sat
from nonosat.solvers.solve import solve, watch

NO_TIMES = dict.fromkeys(("encode_s", "load_s", "solve_s", "solve_cpu_s", "cpu_s", "wall_s", "peak_memory_mb"))


def only(monkeypatch: pytest.MonkeyPatch, **constants: int) -> None:
    """Set constants of ``auto``."""
    for name, value in constants.items():
        monkeypatch.setattr(
            next(part for part in (auto, nonogram, presolve, nonogram, search) if hasattr(part, name)), name, value
        )


@pytest.mark.parametrize("number", repeated(40, 120))
@pytest.mark.parametrize(("work", "asked"), [(0, 0), (0, 500), (1, 0), (1, 500), (800, 500)])
def test_all_pictures_whoever_finds_them(number: int, work: int, asked: int, monkeypatch: pytest.MonkeyPatch) -> None:
    only(monkeypatch, WORK=work, ROOT=work, PIECE=3, UPDATES=asked, EARLY=asked, TRIES=asked // 100)
    rng = np.random.default_rng(work)
    reasons = set()
    for _ in range(number):
        puzzle = random_puzzle(rng, 5)
        answer = solve(puzzle, solver="auto", count=None)
        assert set(answer.pictures) == set(pictures(puzzle)), puzzle
        assert answer.exhausted
        reasons.add(answer.reason)
    assert any("minisat22" in str(reason) for reason in reasons) == (work < 800)
    assert any("beliefs" in str(reason) for reason in reasons) == (work < 800 and asked > 0)


@pytest.mark.slow
@pytest.mark.parametrize("count", spread([1, 2], 1))
@pytest.mark.parametrize("colours", spread([1, 2], 1))
def test_boards_of_several_regions_whoever_finds_them(
    count: int, colours: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = np.random.default_rng(count)
    known = [board for board, _ in ambiguous(100, 3, 12) if board.colours == colours]
    apart = none = 0
    for number in range(40):
        only(monkeypatch, WORK=0, ROOT=number % 2, GREEDY=0, UPDATES=number % 3 * 100, EARLY=0)
        drawn = [known[place] for place in rng.integers(0, len(known), 2 + number % 2)]
        parts = [*drawn, random_puzzle(rng, 3, colours)]
        puzzle, everything = reduce(diagonal, parts), prod(len(pictures(part)) for part in parts)
        answer = solve(puzzle, solver="auto", count=count)
        assert len(set(answer.pictures)) == min(count, everything), puzzle
        assert answer.verdict is (Verdict.SAT if everything else Verdict.UNSAT)
        assert answer.exhausted == (everything < count)
        apart += "independent regions" in str(answer.reason)
        none += not everything
    assert apart > 10
    assert none > 2


def test_with_few_implications(monkeypatch: pytest.MonkeyPatch) -> None:
    only(monkeypatch, WORK=0, ROOT=0, PAIRS=5)
    for seed in range(10):
        puzzle = random_density(8, 8, 0.5, seed)
        assert set(solve(puzzle, solver="auto", count=None).pictures) == set(solve(puzzle, count=None).pictures)


@pytest.mark.slow
def test_sat_begins_at_once_where_the_first_attempts_end_far_from_a_solution(monkeypatch: pytest.MonkeyPatch) -> None:
    def judged(puzzle: Nonogram) -> bool:
        start = presolve.Presolve(puzzle, 1)
        drained(start.search_tree(min(nonogram.FEW * sum(puzzle.shape), nonogram.WORK * start.cells), guesses=True))
        drained(start.decimate(nonogram.EARLY * sum(puzzle.shape)))
        return nonogram.hopeless(start.decimator())

    assert judged(random_picture(150, 150, 0.3, "waves", 1))
    assert not judged(random_density(60, 60, 0.4, 1))
    only(monkeypatch, WORK=1, PIECE=3, EARLY=1, LARGE=0, OPEN=0, FAR=0)  # on small boards
    at_once = 0
    for seed in range(120):
        puzzle = random_density(16, 16, 0.45, seed)
        at_once += judged(puzzle)
        for count in (1, 2, 5):
            answer, other = solve(puzzle, solver="auto", count=count), solve(puzzle, count=count)
            assert len(set(answer.pictures)) == len(set(other.pictures))
            assert count == 1 or (answer.unique, answer.exhausted) == (other.unique, other.exhausted)
    assert at_once > 5


def test_a_tree_begins_anew() -> None:
    """Whatever it was at: the pictures are the same, and all."""
    guessed = 0
    for seed in range(40):
        puzzle = random_density(8, 8, 0.45, seed)
        hunt = TreeSearch(puzzle)
        for lines in (20, 60, 200):
            hunt.go_on(lines)
            guessed += hunt.guessed
            hunt.restart()
            assert not hunt.guessed
        found = {cells.astype(np.uint8).tobytes() for cells in hunt.solutions()}
        assert found == {
            picture.cells.tobytes() for picture in solve(puzzle, solver="propagation", count=None).pictures
        }
    assert guessed > 20


@pytest.mark.parametrize("lines", [0, 15_000])
def test_a_small_tree_comes_before_sat_where_a_solution_is_known(lines: int, monkeypatch: pytest.MonkeyPatch) -> None:
    only(monkeypatch, AGAIN=lines)
    answer = solve(random_density(25, 25, 0.5, 5231), solver="auto", unique=True)
    assert answer.unique is False
    assert ("minisat22" in str(answer.reason)) == (lines == 0)


def test_implications_hold_in_every_solution() -> None:
    seen = 0
    for seed in range(20):
        puzzle = random_density(7, 7, 0.45, seed)
        hunt = TreeSearch(puzzle)
        assert not hunt.back_to_root()
        pairs = hunt.implications(10_000)
        boards = np.array([picture.cells.reshape(-1) for picture in solve(puzzle, count=None).pictures])
        for cause, effect in pairs.tolist():
            holds = boards[:, cause // 2] != cause % 2
            assert (holds | (boards[:, effect // 2] == effect % 2)).all()
            seen += 1
    assert seen > 1000


def test_implications_become_clauses_each_once() -> None:
    puzzle = Nonogram.from_lengths([[1], [1], [1]], [[1], [1], [1]])
    hunt = TreeSearch(puzzle)
    hunt.back_to_root()
    formula = encoding("tight+r3").formula(puzzle)
    extended = nonogram.with_pairs(formula, hunt.implications(1000))
    added = list(extended.cnf)[formula.cnf.clauses :]
    assert added
    assert all(len(clause) == 2 for clause in added)
    assert len({tuple(sorted(clause)) for clause in added}) == len(added)
    assert nonogram.with_pairs(formula, np.empty((0, 2), dtype=np.int64)) is formula


def test_boards_without_a_solution(monkeypatch: pytest.MonkeyPatch) -> None:
    dead = Nonogram.from_lengths([[2, 1], [1], [1, 2]], [[1, 1], [1], [1, 1], [2]])
    assert not list(pictures(dead))
    for work in (0, 800):
        only(monkeypatch, WORK=work, ROOT=work)
        answer = solve(dead, solver="auto")
        assert (answer.verdict, answer.exhausted) == (Verdict.UNSAT, True)


@pytest.mark.slow
def test_hard_boards_go_to_beliefs_and_sat_and_report_it(monkeypatch: pytest.MonkeyPatch) -> None:
    puzzle = random_density(30, 30, 0.4, 3)
    answer = solve(puzzle, solver="auto")
    assert answer.reason == "by beliefs after lines and probing"
    assert (answer.exhausted, answer.unique, answer.statistics.clauses) == (False, None, None)
    answer = solve(puzzle, solver="auto", unique=True)
    assert answer.unique is not None
    assert answer.reason == "by beliefs, then near the picture after lines and probing"
    assert answer.pictures == solve(puzzle, solver="auto", unique=True).pictures
    only(monkeypatch, UPDATES=0, EARLY=0)
    both = solve(puzzle, solver="auto")
    assert both.reason == "by beliefs and minisat22 on tight+r3+order after lines and probing"
    only(monkeypatch, TRIES=0, LEAST_WORTH=0)
    slow = solve(puzzle, solver="auto", unique=True)
    assert (slow.verdict, slow.unique) == (Verdict.SAT, answer.unique)
    assert slow.reason == "by minisat22 on tight+r3+order after lines and probing"
    about = slow.statistics
    assert about.lines_checked is not None
    assert about.lines_checked >= nonogram.WORK * 900
    for told in (about.decisions, about.conflicts, about.clauses, about.encode_s, about.load_s, about.probes):
        assert told is not None


def test_dives_begin_before_the_root_is_probed_to_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    puzzle = random_density(40, 40, 0.5, 0)
    early = solve(puzzle, solver="auto")
    only(monkeypatch, EARLY=0)
    late = solve(puzzle, solver="auto")
    assert early.reason == late.reason == "by beliefs after lines and probing"
    for about in (early.statistics, late.statistics):
        assert about.probes is not None
        assert about.lines_checked is not None
    assert 0 < (early.statistics.probes or 0) < (late.statistics.probes or 0)
    assert (early.statistics.lines_checked or 0) < (late.statistics.lines_checked or 0)


@pytest.mark.parametrize("boards", spread([0, 3, 2000], 1))
def test_skyscrapers_whoever_finds_them(boards: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "BOARDS", boards)
    reasons = set()
    puzzles = [*subsets(40, seed=boards), *map(Skyscrapers.from_clues, full_clue_sets()[::40])]
    for puzzle in puzzles:
        answer = solve(puzzle, solver="auto", count=None)
        assert {board.cells.tobytes() for board in answer.pictures} == solutions(puzzle.clues, puzzle.given)
        reasons.add(answer.reason)
    assert ("by five phases" in reasons) == (boards > 0)
    assert ("by minisat22 on permutation+visible+coupled after five phases" in reasons) == (boards < 2000)


@pytest.mark.slow
@pytest.mark.parametrize("levels", portions(LEVELS[::3], 2))
def test_skyscrapers_of_all_sizes(levels: list[Level]) -> None:
    for level in (*levels, Level(13, "hard")):
        puzzle = made(level, 1)
        answer = solve(puzzle, solver="auto", unique=True)
        assert (answer.picture, answer.unique) == (puzzle.goal, True)
    assert answer.reason == "by minisat22 on permutation+visible+coupled"


@pytest.mark.parametrize("conflicts", spread([0, 1, 2_000], 1))
def test_quick_finds_all_pictures(conflicts: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(auto, "QUICK", conflicts)
    monkeypatch.setattr(auto, "FRESH", 1)
    rng = np.random.default_rng(conflicts)
    for _ in range(60):
        puzzle = random_puzzle(rng, 5)
        for count in (1, 2, 3, None):
            answer = solve(puzzle, solver="auto", count=count)
            everything = set(pictures(puzzle))
            assert set(answer.pictures) <= everything
            assert len(answer.pictures) == len(everything if count is None else list(everything)[:count])
            assert answer.exhausted or len(answer.pictures) == count
    for size in (4, 6):
        towers = made(Level(size, "hard"), 2)
        assert solve(towers, solver="auto", unique=True).unique


def test_quick_adds_up_what_both_ways_cost(monkeypatch: pytest.MonkeyPatch) -> None:
    puzzle = random_density(25, 25, 0.4, 3)
    only(monkeypatch, QUICK=10, UPDATES=0, EARLY=0)
    slow = solve(puzzle, solver="auto").statistics
    monkeypatch.setattr(auto, "FRESH", 1)
    both = solve(puzzle, solver="auto").statistics
    assert slow.conflicts is not None
    assert both.conflicts is not None
    assert slow.conflicts + 10 <= both.conflicts <= slow.conflicts + 12
    assert (both.lines_checked, both.clauses) == (slow.lines_checked, slow.clauses)
    monkeypatch.setattr(auto, "QUICK", 10**6)
    quick = solve(puzzle, solver="auto")
    monkeypatch.setattr(auto, "SMALL", 600)
    assert solve(puzzle, solver="auto").statistics.lines_checked == slow.lines_checked  # too large to be quick
    assert (quick.reason, quick.statistics.lines_checked) == ("by minisat22 on tight+r3+order", None)


def test_where_nothing_is_compiled_easy_puzzles_do_not_wait_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    code = (
        "import sys; from nonosat.generators.density import random_density; from nonosat.solvers.solve import solve;"
        "from nonosat.compiled import library as keeping; keeping.kept_in = lambda: None;"
        "answer = solve(random_density(15, 15, 0.5, 1), solver='auto', unique=True);"
        "assert answer.picture and answer.reason == 'by minisat22 on tight+r3+order', answer;"
        "from nonosat.compiled.library import LIBRARY; assert not LIBRARY.units"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
    monkeypatch.setattr(auto, "must_be_made", lambda module: True)
    monkeypatch.setattr(auto, "SPENT", {"s": 0.0})
    puzzle = random_density(15, 15, 0.5, 1)
    assert solve(puzzle, solver="auto").statistics.conflicts is not None
    assert 0 < auto.SPENT["s"] < auto.PATIENCE_S
    auto.SPENT["s"] = auto.PATIENCE_S  # as long as compiling takes was spent on doing without
    assert solve(puzzle, solver="auto").statistics.conflicts is None


def test_dives_and_sat_take_turns_and_find_every_picture_once(monkeypatch: pytest.MonkeyPatch) -> None:
    only(monkeypatch, WORK=0, ROOT=0, EARLY=0, CONFLICTS=1)
    reasons = set()
    for seed in range(25):
        only(monkeypatch, UPDATES=seed % 3, TRIES=seed % 2)
        puzzle = random_density(10, 10, 0.45, seed)
        everything = set(solve(puzzle, count=None).pictures)
        for count in (1, 3, None):
            answer = solve(puzzle, solver="auto", count=count)
            assert set(answer.pictures) <= everything
            assert len(answer.pictures) == (len(everything) if count is None else min(count, len(everything)))
            assert answer.exhausted == (count is None or len(everything) < count)
            reasons.add(str(answer.reason))
    end, by_sat = " after lines and probing", "minisat22 on tight+r3+order"
    expected = ("by beliefs", f"by {by_sat}", f"by beliefs, then {by_sat}", f"by beliefs and {by_sat}")
    assert {f"{how}{end}" for how in expected} <= reasons


@pytest.mark.slow
def test_what_dives_begin_and_sat_completes_is_every_picture_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """In colours too; dives that go too far, and such as lay nothing."""
    rng = np.random.default_rng(5)
    for least in (0, 1, 50):
        only(monkeypatch, WORK=0, ROOT=0, UPDATES=0, EARLY=0, TRIES=2, CONFLICTS=0, BUDGET=1, LEAST=least, DEPTHS=2)
        reasons = set()
        for _ in range(60):
            puzzle = random_puzzle(rng, 5)
            answer = solve(puzzle, solver="auto", count=None)
            assert len(answer.pictures) == len(set(answer.pictures))
            assert set(answer.pictures) == pictures(puzzle)
            assert answer.exhausted
            reasons.add(answer.reason)
        assert "by beliefs and minisat22 on tight+r3+order after lines and probing" in reasons


def test_turns_that_find_nothing_cost_what_they_cost(monkeypatch: pytest.MonkeyPatch) -> None:
    puzzle = random_density(25, 25, 0.4, 3)
    only(monkeypatch, UPDATES=0, EARLY=0, TRIES=0, CONFLICTS=10**9)
    alone = solve(puzzle, solver="auto").statistics
    monkeypatch.setattr(Decimation, "go_on", no_luck)
    only(monkeypatch, UPDATES=500, TRIES=1, CONFLICTS=2)
    both = solve(puzzle, solver="auto").statistics
    assert alone.lines_checked is not None
    assert both.lines_checked is not None
    assert both.lines_checked >= alone.lines_checked + 500 * 50 + EVERY * 3  # two turns of SAT come to 300 conflicts
    assert both.conflicts is not None
    assert both.conflicts > 100


def no_luck(dives: Decimation, most: int) -> int:
    """A dive that has asked all it may, in vain."""
    dives.attempt.state[UPDATES] += most
    return STUCK


class Stuck:
    """Attempts of 1,000 messages that are all stuck, at best when this share was ``nearest`` to be unknown."""

    def __init__(self, nearest: float) -> None:
        self.nearest, self.updates, self.unknown = nearest, 0, 6_400

    def beside(self) -> Stuck:
        """Others."""
        return Stuck(self.nearest)

    def within(self, lines: int) -> Generator[Event, None, None]:
        """As many as that takes."""
        self.updates += lines
        return
        yield

    def partly(self, left: int) -> Generator[Event, None, None]:
        """One more."""
        self.updates += 1_000
        return
        yield


@pytest.mark.parametrize(
    ("nearest", "least", "most"), [(0.05, 0.9, 1.2), (0.15, 0.2, 0.5), (0.5, 0.08, 0.12), (1.0, 0.08, 0.12)]
)
def test_attempts_that_come_near_get_a_share_of_the_work(nearest: float, least: float, most: float) -> None:
    """Messages for each conflict of SAT alone, by what conflicts take."""
    attempts = Stuck(nearest)
    schedule = nonogram.CompletionSchedule(attempts, 160)  # type: ignore[arg-type]
    for stage in schedule:
        if stage.begin is not None:
            assert not list(stage.begin())
        elif schedule.alone > 10**6:
            break
    assert least <= attempts.updates / (nonogram.MESSAGES * schedule.alone) <= most


@pytest.mark.parametrize(
    ("shape", "shares"), [((20, 20), 0.5), ((25, 25), 0.4), ((12, 80), 0.5), ((15, 15), (0.3, 0.3))]
)
def test_what_an_earlier_search_left_in_memory_changes_nothing(
    shape: tuple[int, int], shares: float | tuple[float, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    puzzles = [random_density(*shape, shares, seed) for seed in range(10)]

    def searched() -> list[tuple[object, ...]]:
        answers = [solve(puzzle, unique=True) for puzzle in puzzles]
        return [(answer.pictures, answer.reason, replace(answer.statistics, **NO_TIMES)) for answer in answers]

    blocks: list[kernel.RecordMemory] = []
    monkeypatch.setattr(kernel, "SPARE", 0)
    frame_of.cache_clear()  # with the blocks that earlier tests have left
    fresh, made = searched(), kernel.RecordLayout.record

    def dirtied(layout: kernel.RecordLayout[tuple[object, ...]]) -> object:
        if layout.spare:
            blocks.append(layout.spare[-1]._block)
            blocks[-1].memory[:] = np.arange(layout.size) * 0x5DEECE66D
        return made(layout)

    monkeypatch.setattr(kernel, "SPARE", 2)
    monkeypatch.setattr(kernel.RecordLayout, "record", dirtied)
    assert searched() == fresh
    assert len(blocks) >= 20


def test_results_of_an_earlier_boards_lines_are_none_of_the_next_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its memory is not cleared; only their age tells them apart."""
    puzzles = [random_density(9, 9, 0.5, seed) for seed in range(60)]
    monkeypatch.setattr(kernel, "SPARE", 0)
    frame_of.cache_clear()
    fresh = [solve(puzzle, unique=True).pictures for puzzle in puzzles]
    monkeypatch.setattr(kernel, "SPARE", 2)
    frame_of.cache_clear()
    assert [solve(puzzle, unique=True).pictures for puzzle in puzzles] == fresh
    monkeypatch.setattr(board_module, "AGES", repeat(1 << 40))
    assert [solve(puzzle, unique=True).pictures for puzzle in puzzles] != fresh


def test_threads_that_leave_each_other_their_arrays_have_the_answers_of_one() -> None:
    puzzles = [random_density(20, 20, 0.6, seed) for seed in range(300)]

    def found(puzzle: Nonogram) -> tuple[object, ...]:
        answer = solve(puzzle)
        return answer.pictures, answer.reason, replace(answer.statistics, **NO_TIMES)

    alone = [found(puzzle) for puzzle in puzzles]
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(4) as pool:
            assert list(pool.map(found, puzzles)) == alone
    finally:
        sys.setswitchinterval(before)


def test_attempts_that_sat_gives_up_go_on_to_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    def gives_up(session: sat.Session, assumptions: object = (), conflicts: object = None) -> None:
        session.gave_up = True

    only(monkeypatch, UPDATES=0, EARLY=0)
    monkeypatch.setattr(sat.Session, "solve", gives_up)
    answer = solve(random_density(30, 30, 0.4, 3), solver="auto")
    assert (answer.verdict, answer.reason) == (Verdict.SAT, "by beliefs after lines and probing")
    assert answer.statistics.clauses is not None


def test_a_part_of_an_attempt_can_be_dropped_or_goes_on() -> None:
    board = board_of(puzzle := random_density(30, 30, 0.4, 3))
    propagate(board, NEVER)
    attempts, before, solutions = Decimation(board).beside(), board.may.copy(), 0
    for number in range(12):
        part = drained(attempts.partly(300))
        if part is None:
            continue
        assert 0 < (part < 0).sum() <= 300
        if number % 2:  # the next one drops it
            whole = drained(attempts.to_the_end())
            assert (board.may == before).all()
            if whole is not None:
                solutions += 1
                assert (whole == part)[part >= 0].all()
                assert Nonogram.from_picture(whole).rows == puzzle.rows
                assert Nonogram.from_picture(whole).columns == puzzle.columns
    assert 0 < solutions == attempts.found
    assert 0 < attempts.nearest < 1


def test_a_picture_found_elsewhere_is_ruled_out_and_stays_near() -> None:
    puzzle = Nonogram.from_lengths([[1]] * 4, [[1]] * 4)
    everything = [picture.cells for picture in solve(puzzle, count=None).pictures]
    formula = encoding("tight+r3").formula(puzzle)
    for name in ("minisat22", "glucose4", "kissat404", "cadical195"):
        events = sat.solved(formula, Statistics(), None, solver(name), sat.SearchStages(known=everything[:3]))
        found = [event.cells.tobytes() for event in events if isinstance(event, Found)]
        assert sorted(found) == sorted(cells.tobytes() for cells in everything[3:])
    events = list(sat.solved(formula, Statistics(), 2, solver("minisat22"), sat.SearchStages(known=everything[:1])))
    (near,) = (event.cells for event in events if isinstance(event, Found))
    assert (near != everything[0]).sum() == 4


def test_costs_are_added() -> None:
    one, other = Statistics(solve_s=1.0, clauses=5, conflicts=2, peak_memory_mb=9.0), Statistics(solve_s=2.0, nodes=3)
    both = Statistics(solve_s=3.0, clauses=5, conflicts=2, nodes=3, peak_memory_mb=9.0)
    assert one.plus(other) == both
    assert one.plus(replace(other, clauses=7, peak_memory_mb=4.0)) == replace(both, clauses=7)


def test_the_answer_names_its_encoding() -> None:
    hard, easy = random_density(25, 25, 0.4, 1), Nonogram.from_lengths([[1]], [[1]])
    assert solve(hard, solver="auto", count=3).encoding == "tight+r3+order"
    assert solve(easy, solver="auto").encoding is None
    assert solve(hard, solver="auto", time_limit_s=0.001).encoding in (None, "tight+r3+order")


@pytest.mark.parametrize("piece", [1, 3, 10])
def test_a_contradiction_at_the_root_is_found_when_the_work_ends_there(
    piece: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The search must not pause on a dead board: dives would fill it with a picture that breaks the clues."""
    blank_where_the_run_is = Nonogram.from_lengths([[], [], [], [], [], [1]], [[1]], given=[(5, 0, 0)])
    two_lengths = Nonogram.from_lengths([[], [], [], [], [], [1], [1]], [[1, 1]])
    monkeypatch.setattr(presolve, "PIECE", piece)
    for work in (0, 1, 2):
        monkeypatch.setattr(nonogram, "WORK", work)
        monkeypatch.setattr(nonogram, "ROOT", 1)
        for puzzle in (blank_where_the_run_is, two_lengths):
            assert solve(puzzle, solver="auto", count=None).verdict is Verdict.UNSAT


@pytest.mark.parametrize("name", ["tight+r3+order", "tight+r3+direct", "automaton+order"])
@pytest.mark.parametrize("colours", [1, 3])
def test_fixed_cells_are_assumptions_for_sat(name: str, colours: int) -> None:
    puzzle = random_density(5, 6, [0.6 / colours] * colours, 1)
    formula = encoding(name).formula(puzzle)
    part = solve(puzzle).pictures[0].cells.astype(np.int64)
    part[::2, ::2] = -1
    with Solver("minisat22", bootstrap_with=list(formula.cnf)) as told:
        assert told.solve(assumptions=formula.laid(part))
        cells = formula.cells(told.get_model())
    assert (cells == part)[part >= 0].all()
    assert formula.laid(np.full_like(part, -1)) == []


@pytest.mark.parametrize("count", [1, 2, None])
def test_a_board_that_is_done_at_once_has_the_answer_of_one_that_is_watched(count: int | None) -> None:
    chosen, at_once = solver("auto"), 0
    boards = [random_density(12, 12, 0.55, seed) for seed in range(40)]
    for puzzle in (*boards, Nonogram.from_lengths([[1], [1], []], [[2], [], []])):
        events = registry.search(puzzle, None, count, chosen)
        at_once += isinstance(events, list)
        *found, last = (event for event in events if isinstance(event, Found | Finished))
        *_, answer = watch(puzzle, count=count)
        assert isinstance(answer, Answer)
        assert isinstance(last, Finished)
        assert [event.cells.tolist() for event in found] == [picture.cells.tolist() for picture in answer.pictures]
        assert (last.exhausted, last.reason) == (answer.exhausted, answer.reason)
        assert replace(last.statistics, **NO_TIMES) == replace(answer.statistics, **NO_TIMES)
    assert 5 < at_once <= 41
