"""The fuzzer finds what is wrong, makes it small and writes it; what is planted here it must find."""

from __future__ import annotations

import os
import signal
import time
from itertools import count
from math import inf
from pathlib import Path
from random import Random

import numpy as np
import pytest
from brute import pictures, random_puzzle
from fuzzing.alone import Child, alone
from fuzzing.cases import PlainCsp, PlainFormula, PlainProof, SugarText, read, size_of, written, wrong
from fuzzing.draw import KINDS, case_of, steps_of
from fuzzing.drive import Result, Workload, run, table, warm_up
from fuzzing.judge import Step, examine
from fuzzing.proofs import proof as drawn
from fuzzing.shrink import shrunk
from fuzzing.truth import truth_of
from fuzzing.ways import ALL, CHECKER, FORMULA, UNIQUE, Question, Way, family_of, ways_of
from latin import solutions, subsets
from strays import settled

from nonosat.certificates.checker.proof import Checker
from nonosat.puzzles.nonogram import Nonogram
from nonosat.solvers.sat.session import Session

pytestmark = pytest.mark.filterwarnings("ignore:.*multi-threaded, use of fork:DeprecationWarning")


@pytest.mark.slow
def test_it_finds_nothing_where_nothing_is_wrong(tmp_path: Path) -> None:
    warm_up()
    said: list[str] = []
    result = run(5, inf, tmp_path, cores=2, boards=4, say=said.append)
    assert sum(result.boards.values()) == 4
    assert sum(result.solves.values()) > 200
    assert not result.findings, said
    assert "4 boards" in table(result)


def few_engines(case: object, seed: int, number: int, all_known: bool) -> list[Step]:
    """Three SAT solvers, and the family that users call."""
    steps = steps_of(case, seed, number, all_known)  # type: ignore[arg-type]
    few = ("minisat22", "glucose4", "minicard")
    return [step for step in steps if step[0].solver in few and step[0].through == FORMULA][:6]


PLANTED = {  # the sort of the finding, how many boards it takes to come upon it, and how many cells are left of it
    "a picture too few": ("missing", 25, 16),  # a board of 8x2 from which no line can be left out
    "a wrong cell": ("wrong board", 8, 2),
    "an end": ("lost", 8, 2),
    "an exception": ("exception ZeroDivisionError", 8, 2),
    "the end of time": ("hang", 2, 64),  # each try takes as long as a hang, so that few are made
}


LONGER = ("a picture too few", "an exception", "the end of time")


@pytest.mark.parametrize("what", [pytest.param(w, marks=[pytest.mark.slow] * (w in LONGER)) for w in PLANTED])
def test_planted_bugs_are_found_and_shrunk(what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plant(what, monkeypatch)
    sort, boards, cells = PLANTED[what]
    if sort == "hang":
        monkeypatch.setattr("fuzzing.drive.HANG_S", 1.0)
        monkeypatch.setattr("fuzzing.shrink.HANG_S", 0.3)
    monkeypatch.setattr("fuzzing.alone.PATIENCE", inf)  # what hangs here works, and a busy machine keeps others waiting
    monkeypatch.setattr("fuzzing.drive.WRITTEN", 1)
    said: list[str] = []
    work = Workload(1, few_engines)
    result = run(1, inf, tmp_path, first=2, boards=boards, tries=300, workload=work, say=said.append)
    assert sum(result.boards.values()) >= boards - 1  # the others were not lost with it
    assert result.findings
    seen = (sort, "missing") if what == "a wrong cell" else (sort,)  # some maps decode the same cell all the same
    assert any(sort in signature for signature in result.findings), said
    assert all("glucose4" in signature and any(one in signature for one in seen) for signature in result.findings), said
    small = 0
    for path in result.files:
        case, why = read(path)
        assert "glucose4" in why
        assert any(one in why for one in seen)
        if isinstance(case, Nonogram):
            assert case.height * case.width <= cells
            assert not case.given
            small += 1
    assert small


def plant(what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let glucose4 be wrong; what a process does in its end, or in an endless loop, is for its driver to see."""
    solve = Session.solve

    def planted(self: Session, *arguments: object, **named: object) -> list[int] | None:
        model = solve(self, *arguments, **named)  # type: ignore[arg-type]
        if self.name != "glucose4" or model is None:
            return model
        calls = self.__dict__["calls"] = self.__dict__.get("calls", 0) + 1
        if what == "a picture too few":
            return model if calls == 1 else None
        if what == "a wrong cell":
            return [-model[0], *model[1:]] if calls == 1 else None
        if what == "an end":
            os.kill(os.getpid(), signal.SIGSEGV)
        if what == "an exception":
            raise ZeroDivisionError
        while True:
            pass

    monkeypatch.setattr(Session, "solve", planted)


def test_a_case_has_a_number() -> None:
    kinds = set()
    for number in range(40):
        case = case_of(3, number)
        assert repr(case) == repr(case_of(3, number))
        assert steps_of(case, 3, number, True) == steps_of(case, 3, number, True)
        kinds.add(case.kind)
    assert kinds == set(KINDS)
    assert repr(case_of(3, 0)) != repr(case_of(4, 0))


def test_cases_are_written_and_read_back(tmp_path: Path) -> None:
    for number in range(60):
        case = case_of(8, number)
        suffix, text = written(case, "why\nindeed")
        path = tmp_path / f"case{suffix}"
        path.write_text(text, encoding="utf-8")
        again, why = read(path)
        assert why == "why indeed"
        assert truth_of(again).boards == truth_of(case).boards
        assert size_of(again) == size_of(case)


@pytest.mark.slow
def test_brute_force_is_that_of_the_other_tests() -> None:
    rng = np.random.default_rng(4)
    for _ in range(60):
        puzzle = random_puzzle(rng, 4)
        truth = truth_of(puzzle)
        assert truth.whole or len(truth.boards) > 40
        if truth.whole:
            assert truth.boards == {picture.cells.tobytes() for picture in pictures(puzzle)}
    for towers in subsets(20, seed=2, size=3):
        assert truth_of(towers).boards == solutions(towers.clues, towers.given)
    for number in range(200):
        case = case_of(9, number)
        assert all(wrong(case, board) is None for board in truth_of(case).boards)


def test_contradicting_answers_are_reported() -> None:
    square = Nonogram.from_lengths([[1], [1]], [[1], [1]])
    way = Way("minisat22", "tight+r3+order", FORMULA)
    assert examine(square, [(way, ALL), (Way("propagation"), UNIQUE), (Way("beliefs"), Question(2))]) == []
    truth = truth_of(square)
    truth.boards.pop()
    assert [finding.sort for finding in examine(square, [(way, ALL)], truth=truth)] == ["wrong board"]
    truth = truth_of(square)
    truth.boards.add(bytes([1, 1, 0, 0]))
    assert [finding.sort for finding in examine(square, [(way, ALL)], truth=truth)] == ["missing"]


@pytest.mark.slow
def test_a_proof_that_is_misjudged_is_made_small_and_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The checker takes any constraint for a contradiction."""
    case = next(case for case in (case_of(1, number) for number in range(900)) if case.kind == "proof")
    assert isinstance(case, PlainProof)
    steps = steps_of(case, 1, 0, True)
    assert examine(case, steps) == []
    monkeypatch.setattr(Checker, "_contradict", believed)
    broken = next(one for one in (drawn(Random(seed), 4) for seed in range(90)) if examine(one, steps))
    [finding] = examine(broken, steps)
    assert (finding.way.solver, finding.sort) == (CHECKER, "accepted")
    smaller = shrunk(broken, finding, inf, lambda case, _: next(iter(examine(case, steps)), None))
    assert smaller is not None
    suffix, text = written(smaller[0], str(smaller[1]))
    (tmp_path / f"found{suffix}").write_text(text)
    again, why = read(tmp_path / "found.proof")
    assert "is no contradiction" in why
    assert again == smaller[0]
    assert isinstance(again, PlainProof)
    assert len(again.statement) + len(again.proof) <= 6 < len(broken.proof)
    assert [finding.sort for finding in examine(again, steps)] == ["accepted"]


def believed(self: Checker, number: str, stage: str) -> None:
    self.database.constraint(number)
    self.complete, self.stage = True, stage


def test_csps_and_formulas_by_all_ways() -> None:
    both = PlainCsp(((0, 2), (0, 2)), (("precedes", 0, 1, 1), ("clause", ((0, "out", 1, 1), (1, ">=", 2)))))
    assert len(truth_of(both).boards) == 3
    text = SugarText("(int x 0 2) (int y 0 2) (< x y)")
    formula = PlainFormula(3, ((1, 2), (-1, 3)))
    for case in (both, text, formula):
        steps = [(way, ALL) for ways in ways_of(case.kind).values() for way in ways if way.solver != "cpsat"]
        assert examine(case, steps[::7]) == []


@pytest.mark.slow
def test_a_process_of_its_own() -> None:
    assert alone(lambda: 7, seconds=20) == (7, None)
    assert alone(os.abort, seconds=20) == (None, "SIGABRT: no last words")
    assert alone(os._exit, 3, seconds=20) == (None, "exit code 3: no last words")
    assert alone(signal.pause, seconds=0.05) == (None, "hang")
    assert alone(busy, seconds=0.2) == (None, "hang")


def busy() -> None:
    while True:
        pass


def silent(child: Child, seconds: float, work: bool) -> str:
    """Let it be silent until it hangs."""
    while not child.hangs(seconds):
        child.receive(0.05)
    wall, cpu = child.silent_s()
    assert cpu > seconds if work else cpu < seconds < wall / 5
    return child.end_of_a_hang()


@pytest.mark.slow
def test_a_hang_is_distinguished_from_waiting_for_the_processor(monkeypatch: pytest.MonkeyPatch) -> None:
    """One that works hangs when it has worked for so long; one that does not, after much longer; both say where."""

    def works(child: Child) -> None:
        child.note(3, 4)
        busy()

    def waits(child: Child) -> None:
        child.note(3, 5)
        time.sleep(60)

    child = Child(works)
    settled(lambda: child.where() == (3, 4))
    with monkeypatch.context() as patient:
        patient.setattr("fuzzing.alone.PATIENCE", inf)  # on a busy machine it waits for long before it has worked
        assert "in busy" in silent(child, 0.3, work=True)
    assert "in waits" in silent(Child(waits), 0.1, work=False)


@pytest.mark.slow
def test_what_a_process_notes_is_never_seen_half_written() -> None:
    """Half of it would be a time long ago, and a hang."""

    def notes(child: Child) -> None:
        for number in count():
            child.note(number, number)

    child = Child(notes)
    settled(lambda: child.where()[0] > 0)
    assert not any(child.hangs(20) for _ in range(500_000))
    child.kill()
    child.death()


def test_the_table_names_families() -> None:
    result = Result()
    for way in ways_of("nonogram")["SAT"][:3]:
        result.solves["nonogram", way] += 2
    assert "3       2     2       6         0" in " ".join(table(result).splitlines()[1:2])
    assert family_of("nonogram", Way("elimination+fifo")) == "elimination"
    assert family_of("nonogram", Way("auto")) == "auto"
