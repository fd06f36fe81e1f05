"""One battery over every solver: they agree with brute force and with each other, and say what they know."""

from __future__ import annotations

import signal
import time
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from brute import pictures, random_puzzle
from sampling import repeated, spread

import nonosat
from nonosat.encodings.cnf import CNF
from nonosat.encodings.registry import encoding
from nonosat.errors import SolverError, UnknownNameError, UnsupportedError
from nonosat.generators.density import random_density
from nonosat.puzzles.nonogram import Nonogram, Run
from nonosat.puzzles.nonogram.puzzle import Colour
from nonosat.puzzles.puzzle import Given, is_solution
from nonosat.runs.events import Event, Finished, Found, Progress, Statistics, Stopped, Verdict
from nonosat.runs.run import in_process
from nonosat.solvers import registry
from nonosat.solvers import solve as solve_module
from nonosat.solvers.cp import automaton_search
from nonosat.solvers.sat.session import Session
from nonosat.solvers.solve import solve

SOLVERS = [name for name, entry in registry.solvers().items() if entry.kind in (None, "nonogram") and entry.complete]
NATIVE = [solver.name for solver in registry.NATIVE if solver.name in SOLVERS]
SMALL_ONLY = ("exhaustive", "axis")  # these look at every filling, of the board or of an axis
AMBIGUOUS = Nonogram.from_lengths([[1], [1]], [[1], [1]])


def test_the_wheel_has_the_solvers_of_the_report_and_no_ghost() -> None:
    assert {"minisat22", "glucose4", "lingeling", "cadical153", "cpsat"} <= set(SOLVERS)
    assert "cryptosat" not in SOLVERS  # python-sat names it; the wheel has it not
    assert len(SOLVERS) >= 20


@pytest.mark.parametrize("number", repeated(8, 25))
@pytest.mark.parametrize("name", SOLVERS)
def test_all_solutions_are_found(number: int, name: str) -> None:
    rng = np.random.default_rng(20)
    for _ in range(8 if name.startswith("cpsat") else number):
        puzzle = random_puzzle(rng, most=3 if name in SMALL_ONLY else 4)
        answer = solve(puzzle, solver=name, count=None)
        assert set(answer.pictures) == pictures(puzzle)
        assert answer.exhausted


@pytest.mark.parametrize("name", spread([name for name in SOLVERS if name not in SMALL_ONLY], 8))
def test_solvers_agree_on_larger_boards(name: str) -> None:
    for seed in range(3):
        puzzle = random_density(12, 15, 0.45, seed=seed)
        answer, reference = (solve(puzzle, solver=solver, unique=True) for solver in (name, registry.DEFAULT_SAT))
        assert answer.verdict == Verdict.SAT
        assert answer.unique == reference.unique
        if answer.unique:
            assert answer.picture == puzzle.goal


@pytest.mark.parametrize("name", [name for name in SOLVERS if name not in (*NATIVE, "auto", "certified-auto")])
def test_counters_are_counts_or_none(name: str) -> None:
    answer = solve(random_density(20, 20, 0.4, seed=1), solver=name)
    about = answer.statistics
    assert about.variables
    assert about.clauses
    assert about.encode_s is not None
    assert about.encode_s > 0
    assert (about.load_s is None) == name.startswith("cpsat")  # a CP-SAT model is loaded and solved in one call
    assert about.solve_s is not None
    counters = (about.decisions, about.conflicts, about.propagations, about.restarts)
    if name == "kissat404":
        assert counters == (None,) * 4
    elif name in ("maplecm", "maplesat"):
        assert about.propagations is None
        assert about.decisions is not None
    else:
        assert all(isinstance(counter, int) for counter in counters)


@pytest.mark.parametrize("name", NATIVE)
def test_native_counters_are_counts_or_none(name: str) -> None:
    about = solve(random_density(4, 5, 0.5, seed=1), solver=name).statistics
    assert about.solve_s is not None
    assert about.solve_s > 0
    assert all(isinstance(counter, int) for counter in (about.nodes, about.assumptions, about.contradictions))
    counts = (about.placements, about.lines_checked, about.probes)
    assert all(counter is None or counter >= 0 for counter in counts)
    encoded = (about.variables, about.clauses, about.encode_s, about.load_s, about.decisions, about.propagations)
    assert encoded == (None,) * 6


@pytest.mark.parametrize("name", spread(SOLVERS, 8))
def test_the_times_are_parts_of_the_time_it_took(name: str) -> None:
    size = 4 if name in NATIVE else 22
    for puzzle in (
        random_density(4, 5, 0.5, seed=1),
        AMBIGUOUS,
        random_density(size, size, 0.4, 3),
    ):
        begin = time.perf_counter()
        about = solve(puzzle, solver=name, count=2).statistics
        took = time.perf_counter() - begin
        times = [seconds for seconds in (about.encode_s, about.load_s, about.solve_s) if seconds is not None]
        assert times
        assert min(times) >= 0
        assert sum(times) <= took


def test_counters_are_the_same_every_time() -> None:
    puzzle = random_density(20, 20, 0.4, seed=2)
    for name in ("minisat22", "glucose4", "cadical153", "lingeling"):
        first, second = (solve(puzzle, solver=name).statistics for _ in range(2))
        assert (first.decisions, first.conflicts) == (second.decisions, second.conflicts)


@pytest.mark.parametrize("name", ["cpsat", "cpsat-automaton"])
def test_counters_of_cp_sat_begin_at_nothing(name: str) -> None:
    """Its presolve settles such a board."""
    about = solve(Nonogram.from_lengths([[1]], [[1]]), solver=name).statistics
    assert (about.decisions, about.conflicts, about.propagations, about.restarts) == (0, 0, 0, 0)


def test_counters_of_cp_sat_are_those_of_all_its_solves() -> None:
    """It solves anew for every picture: to find two is to find the first, and more."""
    puzzle = random_density(16, 16, 0.4, seed=6)
    one, two = (solve(puzzle, solver="cpsat", count=count).statistics for count in (1, 2))
    for name in ("decisions", "propagations"):  # its clock depends on what else runs
        first, both = getattr(one, name), getattr(two, name)
        assert 0 < first < both


def test_cp_sat_without_a_verdict_is_a_crash(monkeypatch: pytest.MonkeyPatch) -> None:
    """A search that it gave up; a model that its presolve makes too large is refused."""
    from nonosat.solvers import cp as cpsat

    def ends(status: Any) -> list[Any]:
        def gives_up(engine: Any, model: Any, before: Any) -> Any:
            yield from ()
            engine.solve(model)
            return status

        monkeypatch.setattr(cpsat, "_solve", gives_up)
        return list(in_process(cpsat.search, (AMBIGUOUS, encoding("tight+r3"), 1, registry.solver("cpsat"))))

    assert ends(cpsat.cp_model.UNKNOWN)[-1] == Stopped(Verdict.CRASH, "cpsat ended with the status UNKNOWN")
    with pytest.raises(UnsupportedError, match="cpsat: numbers too large for CP-SAT's presolve"):
        ends(cpsat.cp_model.MODEL_INVALID)


def test_how_many_are_looked_for() -> None:
    for count, found, exhausted, unique in ((1, 1, False, None), (2, 2, False, False), (3, 2, True, False)):
        answer = solve(AMBIGUOUS, count=count)
        assert (len(answer.pictures), answer.exhausted, answer.unique) == (found, exhausted, unique)
    assert solve(AMBIGUOUS, unique=True).unique is False
    three = Nonogram.from_lengths([[1], [1], [1]], [[1], [1], [1]])
    assert len(solve(three, unique=True, count=None).pictures) == 6  # all stays all
    with pytest.raises(UnsupportedError, match="at least one"):
        solve(AMBIGUOUS, count=0)


def test_unsatisfiable() -> None:
    # The totals agree, so that a solver must find it.
    puzzle = Nonogram.from_lengths([[2], [2], []], [[2], [1], [1]])
    for name in SOLVERS:
        answer = solve(puzzle, solver=name)
        assert answer.verdict == Verdict.UNSAT
        assert answer.picture is None
        assert (answer.reason is None) != (name == "auto")  # it tells who found out


def test_unequal_totals_are_reported_at_once() -> None:
    assert solve(Nonogram.from_lengths([[1], []], [[2], []])).reason == "the rows fill 1 cells, the columns 2"
    answer = solve(Nonogram.from_lengths([[2], []], [[1], []]))
    assert (answer.verdict, answer.reason) == (Verdict.UNSAT, "the rows fill 2 cells, the columns 1")
    assert answer.statistics == Statistics()


def test_names() -> None:
    assert registry.solver("g4").name == "glucose4"
    assert registry.solver("mgh").name == "minisatgh"
    with pytest.raises(UnknownNameError, match=r"unknown solver 'glucoze'; known: .*glucose4"):
        solve(AMBIGUOUS, solver="glucoze")


@pytest.mark.parametrize(
    ("typo", "meant"),
    [
        *(("minsat", "minisat22"), ("minisat", "minisat22"), ("minisathg", "minisatgh"), ("minisat2", "minisat22")),
        *(("glucoze", "glucose4"), ("gluecard", "gluecard4"), ("cadicl", "cadical300"), ("cadical196", "cadical195")),
        *(("maplecom", "maplecm"), ("kisat", "kissat404"), ("cp-sat", "cpsat"), ("beleifs", "beliefs")),
    ],
)
def test_a_version_that_is_left_out_is_no_typo(typo: str, meant: str) -> None:
    with pytest.raises(UnknownNameError, match=f"did you mean {meant}\\?$"):
        registry.solver(typo)


def test_a_record_is_flat_and_complete() -> None:
    record = solve(random_density(10, 10, 0.5, seed=1), unique=True).record()
    assert {
        *("verdict", "picture", "solutions", "unique", "verified", "encoding", "solver", "variables", "clauses"),
        *("encode_s", "load_s", "solve_s", "decisions", "conflicts", "propagations", "restarts"),
    } <= set(record)
    assert record["verified"] is True
    assert set("".join(record["picture"])) <= {"#", "."}


# ---------------------------------------------------------------- what a bad solver makes of it


def _replace_search(monkeypatch: pytest.MonkeyPatch, events: list[Event | Exception]) -> None:
    def search(*_: object) -> Iterator[Event]:
        for event in events:
            if isinstance(event, Exception):
                raise event
            yield event

    monkeypatch.setattr(solve_module, "search", search)


GOOD, BAD = np.eye(2, dtype=np.uint8), np.ones((2, 2), dtype=np.uint8)
DONE = Finished(True, Statistics())


def test_a_wrong_picture_comes_with_what_it_cost(monkeypatch: pytest.MonkeyPatch) -> None:
    _replace_search(monkeypatch, [Found(BAD), Finished(False, Statistics(decisions=7))])
    answer = solve(AMBIGUOUS)
    assert (answer.verdict, answer.statistics.decisions) == (Verdict.WRONG, 7)


def test_a_wrong_picture_is_not_hidden_by_what_comes_after(monkeypatch: pytest.MonkeyPatch) -> None:
    for after in (Stopped(Verdict.TIMEOUT, "1 s"), Found(GOOD)):
        _replace_search(monkeypatch, [Found(BAD), after])
        assert solve(AMBIGUOUS).verdict == Verdict.WRONG


def test_a_stopped_search_has_no_counters(monkeypatch: pytest.MonkeyPatch) -> None:
    known = Statistics(clauses=5, encode_s=0.1, decisions=0, conflicts=0)
    _replace_search(monkeypatch, [Progress("solving", known), Stopped(Verdict.TIMEOUT, "1 s")])
    about = solve(AMBIGUOUS).statistics
    assert (about.clauses, about.encode_s, about.decisions, about.conflicts) == (5, 0.1, None, None)
    assert about.solve_s is not None  # how long it ran is known


def test_an_alarm_of_the_user_s_survives() -> None:
    rang = []
    handler = signal.signal(signal.SIGALRM, lambda *_: rang.append(1))
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.3)
        for name in ("maplecm", "maplechrono"):
            solve(AMBIGUOUS, solver=name)
        time.sleep(0.5)
        assert rang == [1]
        assert signal.alarm(0) == 0
    finally:
        signal.signal(signal.SIGALRM, handler)


def test_an_abandoned_solver_cannot_be_freed() -> None:
    """What an interrupt has torn may abort the process when it is freed: python-sat must not get at it any more."""
    session = Session("minisat22", CNF(1, np.array([1], dtype=np.int32), np.array([1], dtype=np.int64)))
    inner = session.solver.solver
    assert any(value is not None for value in vars(inner).values())
    session.abandon()
    assert session.solver is None
    assert all(value is None for value in vars(inner).values())
    session.close()


def test_an_empty_formula_is_satisfied() -> None:
    nothing = CNF(1, np.empty(0, dtype=np.int32), np.empty(0, dtype=np.int64))
    for name in SOLVERS:
        if registry.solver(name).takes_formula:
            session = Session(name, nothing)
            assert session.solve() is not None
            session.close()


def test_a_wrong_picture_is_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    _replace_search(monkeypatch, [Found(GOOD), Found(BAD), DONE])
    answer = solve(AMBIGUOUS, count=None)
    assert answer.verdict == Verdict.WRONG
    assert answer.picture is None
    assert answer.rejected is not None
    assert answer.reason == "row 1: has 2, the clue says 1"
    assert answer.record()["verified"] is False


def test_a_picture_with_impossible_values_is_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    _replace_search(monkeypatch, [Found(GOOD * 7), DONE])
    assert solve(AMBIGUOUS).verdict == Verdict.WRONG


def test_the_same_picture_twice_is_a_crash(monkeypatch: pytest.MonkeyPatch) -> None:
    _replace_search(monkeypatch, [Found(GOOD), Found(GOOD), DONE])
    answer = solve(AMBIGUOUS, count=None)
    assert (answer.verdict, answer.stopped, len(answer.pictures)) == (Verdict.SAT, Verdict.CRASH, 1)
    assert answer.unique is None


@pytest.mark.parametrize(
    ("ending", "verdict"),
    [
        (SolverError("it broke"), Verdict.CRASH),
        (MemoryError(), Verdict.MEMOUT),
        (Stopped(Verdict.TIMEOUT, "1 s"), Verdict.TIMEOUT),
        (Finished(False, Statistics()), Verdict.UNKNOWN),
    ],
)
def test_failures_are_verdicts(monkeypatch: pytest.MonkeyPatch, ending: Event | Exception, verdict: Verdict) -> None:
    _replace_search(monkeypatch, [ending])
    answer = solve(AMBIGUOUS)
    assert (answer.verdict, answer.picture, answer.unique) == (verdict, None, None)


def test_a_search_without_an_end_is_a_crash(monkeypatch: pytest.MonkeyPatch) -> None:
    _replace_search(monkeypatch, [])
    assert solve(AMBIGUOUS).verdict == Verdict.CRASH


def test_bugs_keep_their_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    _replace_search(monkeypatch, [ZeroDivisionError()])
    with pytest.raises(ZeroDivisionError):
        solve(AMBIGUOUS)


def test_what_was_found_before_a_time_out_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    _replace_search(monkeypatch, [Found(GOOD), Stopped(Verdict.TIMEOUT, "1 s")])
    answer = solve(AMBIGUOUS, unique=True)
    assert (answer.verdict, answer.stopped, answer.unique) == (Verdict.SAT, Verdict.TIMEOUT, None)


def test_the_model_of_automata_has_the_given_cells() -> None:
    """In this process: with limits, and so in most tests, CP-SAT runs in another one."""
    for column in range(3):
        puzzle = Nonogram.from_lengths([[1]] * 3, [[1]] * 3)
        given = replace(puzzle, given=(Given(1, column, 1),))
        search = automaton_search(given, None, None, registry.solver("cpsat-automaton"))
        boards = [given.picture(event.cells) for event in search if isinstance(event, Found)]
        assert len(boards) == 2
        assert all(is_solution(given, board) for board in boards)


def test_a_board_on_which_a_presolve_ended_the_process() -> None:
    """OR-Tools 9.15 with a forbidden assignment over cells that the automata had settled."""
    one = Run(1, 2)
    rows, columns = ((one,), (one, one)), ((one,), (), (), (one,), (), (one,))
    puzzle = Nonogram(rows, columns, palette=(Colour("#", "#000000"), Colour("o", "#ff0000")))
    for name in ("cpsat-automaton", "cpsat", "minisat22"):
        answer = solve(puzzle, solver=name, count=None)
        assert (answer.verdict, len(answer.pictures), answer.exhausted) == (Verdict.SAT, 3, True), name
        assert solve(puzzle, solver=name, unique=True).unique is False


def test_a_solver_that_gives_what_was_ruled_out_is_a_crash_and_no_endless_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    usual = Session.solve
    models: list[list[int]] = []

    def again(self: Session, *arguments: object, **named: object) -> list[int] | None:
        models.append(usual(self) or [])
        return models[0]

    monkeypatch.setattr(Session, "solve", again)
    answer = solve(AMBIGUOUS, solver="minisat22", count=None)
    assert (answer.verdict, answer.stopped, len(answer.pictures)) == (Verdict.SAT, Verdict.CRASH, 1)
    assert answer.reason == "minisat22 gave a board that was ruled out"


def test_one_default_for_python_and_the_command_line() -> None:
    puzzle = random_density(5, 5, 0.5, seed=1)
    assert solve(puzzle).solver == "auto"
    assert solve(puzzle, encoding="tight+r3").solver == "minisat22"
    assert [answer.solver for answer in nonosat.solve_many([puzzle], jobs=1)] == ["auto"]
    *_, answer = nonosat.watch(puzzle)
    assert answer.solver == "auto"  # type: ignore[union-attr]


def test_the_repr_of_what_comes_out_is_a_line() -> None:
    puzzle = random_density(5, 5, 0.5, seed=1)
    for many in (1, None):
        answer = solve(puzzle, count=many)
        assert repr(answer) == f"<Answer {answer.headline}, auto, {answer.statistics.total_s:.4f} s>"
    found = (answer, answer.picture, nonosat.count(puzzle), nonosat.backbone(puzzle), nonosat.certify(puzzle))
    for each in (*found, nonosat.encode(puzzle), nonosat.encode(puzzle).formula):
        assert "\n" not in repr(each)
        assert len(repr(each)) < 200
    assert repr(solve("examples/towers.sky").picture) == "<Heights 6x6>"
