"""Many puzzles at once: answers in order, on several processes, whatever becomes of some of them."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from children import started
from sampling import repeated, spread
from strays import marked as marked_processes
from strays import settled, strays

import nonosat
from nonosat import Nonogram, UnsupportedError, Verdict, random_density, solve_many
from nonosat.errors import UnknownNameError
from nonosat.generators.skyscrapers import Level
from nonosat.generators.skyscrapers_made import made
from nonosat.puzzles.nonogram import Nonogram as Board
from nonosat.runs.events import Event, Loading, Values
from nonosat.runs.isolation import POOL, Stop
from nonosat.runs.solver import Solver
from nonosat.solvers.many import Crew, Task
from nonosat.solvers.registry import solver

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="processes need Linux")

DIES = Solver("dies", "own", "ends its process", "hostile:dies_on_wide")


@pytest.fixture(autouse=True)
def clean() -> Iterator[None]:
    with marked_processes():
        yield
        POOL.close()
        settled(lambda: not strays())
        assert strays() == []


@pytest.mark.parametrize("jobs", spread([1, 2, 3], 2))
@pytest.mark.parametrize("number", repeated(12, 150))
def test_answers_come_in_order_and_are_those_of_solve(jobs: int, number: int) -> None:
    boards = [random_density(3 + seed % 9, 4 + seed % 7, 0.5, seed) for seed in range(number)]
    answers = list(solve_many((board for board in boards), jobs=jobs, count=3))
    assert len(answers) == number
    for board, answer in zip(boards, answers, strict=True):
        alone = nonosat.solve(board, solver="auto", count=3)
        assert answer.puzzle is board
        assert (answer.verdict, answer.exhausted, set(answer.pictures)) == (
            alone.verdict,
            alone.exhausted,
            set(alone.pictures),
        )


def test_no_puzzles_no_answers() -> None:
    assert list(solve_many([], jobs=2)) == []


def test_what_makes_no_sense_is_refused_at_once() -> None:
    with pytest.raises(UnsupportedError, match="jobs is 0"):
        solve_many([], jobs=0)
    with pytest.raises(UnsupportedError, match="count is 0"):
        solve_many([], count=0)
    with pytest.raises(UnknownNameError):
        solve_many([], solver="nobody")


@pytest.mark.parametrize("jobs", spread([1, 2], 1))
def test_what_is_wrong_with_one_puzzle_is_its_own_answer(jobs: int, tmp_path: Path) -> None:
    (tmp_path / "good.mk").write_text("1 1\n1\n#\n1\n")
    (tmp_path / "bad.mk").write_text("1 1\n5\n#\n1\n")
    small = Nonogram.from_lengths([[1]], [[1]])
    puzzles = [
        small,
        tmp_path / "bad.mk",
        made(Level(4, "easy"), 1),
        str(tmp_path / "good.mk"),
        tmp_path / "nowhere.mk",
        small,
    ]
    answers = list(solve_many(puzzles, solver="propagation", jobs=jobs))
    assert [answer.verdict for answer in answers] == [
        *(Verdict.SAT, Verdict.ERROR, Verdict.UNSUPPORTED, Verdict.SAT, Verdict.ERROR, Verdict.SAT)
    ]
    assert "bad.mk" in (answers[1].reason or "")
    assert answers[3].puzzle is not None


@pytest.mark.slow
def test_limits_are_for_each_puzzle() -> None:
    endless, small = random_density(60, 60, 0.4, 1), Nonogram.from_lengths([[1]], [[1]])
    answers = list(solve_many([small, endless, small, endless, small], solver="exhaustive", cpu_limit_s=0.3, jobs=2))
    assert [answer.stopped for answer in answers] == [None, Verdict.CPUOUT, None, Verdict.CPUOUT, None]
    answers = list(solve_many([endless, endless], solver="exhaustive", time_limit_s=0.3, jobs=2))
    assert [answer.stopped for answer in answers] == [Verdict.TIMEOUT] * 2


@pytest.mark.slow
def test_a_process_that_dies_takes_one_puzzle_with_it() -> None:
    boards = [random_density(2, 9 if seed in (5, 40, 41) else 4, 0.5, seed) for seed in range(60)]
    answers = list(solve_many(boards, solver=DIES, jobs=2))
    wrong = [seed for seed, answer in enumerate(answers) if answer.verdict is not Verdict.SAT]
    assert wrong == [5, 40, 41]
    assert {answers[seed].verdict for seed in wrong} == {Verdict.CRASH}


def test_a_batch_that_begins_anew_repeats_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    boards = [random_density(3, 3, 0.5, seed) for seed in range(5)]
    answers = [replace(nonosat.solve(board, solver="auto"), puzzle=None) for board in boards]

    def said(*_: object, **__: object) -> Iterator[Event]:
        yield Values(answers[:2])
        yield Loading("more")
        yield Values(answers[:1])
        yield Values(answers[1:4])
        yield Values(answers[4:])

    monkeypatch.setattr("nonosat.runs.isolation.isolated", said)
    crew = Crew([], {"solver": solver("auto")}, False, 1)
    assert crew.in_one_process([Task(*each) for each in enumerate(boards)], Stop(), False) == []
    told = [crew.out.get_nowait() for _ in boards]
    assert [(number, answer.puzzle) for number, answer in told] == list(enumerate(boards))
    assert [answer.pictures for _, answer in told] == [answer.pictures for answer in answers]
    assert crew.out.empty()


CODE = """
import sys
from nonosat import random_density, solve_many
boards = [random_density(3, 3, 0.5, 1)] + [random_density(60, 60, 0.4, seed) for seed in range(8)]
for answer in solve_many(boards, solver="exhaustive", jobs=2):
    print(answer.verdict, flush=True)
"""


@pytest.mark.slow
def test_ctrl_c_ends_all_processes() -> None:
    process = started([sys.executable, "-c", CODE], start_new_session=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "SAT\n"
    time.sleep(0.5)
    os.killpg(process.pid, signal.SIGINT)
    _, complaint = process.communicate(timeout=120)
    assert process.returncode != 0
    assert "KeyboardInterrupt" in complaint


@pytest.mark.slow
def test_closing_the_iterator_ends_all_processes() -> None:
    boards: list[Board] = [random_density(3, 3, 0.5, 1), *(random_density(60, 60, 0.4, seed) for seed in range(8))]
    answers = solve_many(boards, solver="exhaustive", jobs=2)
    assert next(answers).verdict is Verdict.SAT
    answers.close()  # type: ignore[attr-defined] # it is a generator
    limited = solve_many(boards, solver="exhaustive", jobs=2, time_limit_s=1000)
    assert next(limited).verdict is Verdict.SAT
    limited.close()  # type: ignore[attr-defined]


def test_an_error_of_who_makes_the_puzzles_is_theirs() -> None:
    def puzzles() -> Iterator[Board]:
        yield random_density(3, 3, 0.5, 1)
        raise RuntimeError("no more of these")

    with pytest.raises(RuntimeError, match="no more of these"):
        list(solve_many(puzzles(), jobs=2))


@pytest.mark.parametrize("jobs", spread([1, 2], 1))
@pytest.mark.parametrize("limit_s", [None, 60.0])
def test_an_invalid_puzzle_is_reported_and_the_others_go_on(jobs: int, limit_s: float | None) -> None:
    class Local:
        kind = "nonogram"

    board = random_density(5, 5, 0.5, 1)
    outside = [3, None, Local(), Board, board.goal, lambda: None]
    mixed = [each for foreign in outside for each in (board, foreign)] + [board]
    answers = list(solve_many(mixed, jobs=jobs, time_limit_s=limit_s))  # type: ignore[list-item]
    verdicts = [answer.verdict for answer in answers]
    assert verdicts == [Verdict.SAT, Verdict.ERROR] * len(outside) + [Verdict.SAT]
    assert all(str(answer.reason).startswith("a puzzle is expected, not a") for answer in answers[1::2])
    assert {answer.puzzle for answer in answers[1::2]} == {None}
