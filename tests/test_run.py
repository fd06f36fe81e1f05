"""Runs of a study: what is recorded of each, however it ends, and that nothing is lost or left behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import hostile
import pytest
from clock import TRIES, in_time, worked_s
from sampling import repeated, spread
from strays import marked as marked_processes
from strays import settled, strays

from nonosat.encodings.registry import encoding
from nonosat.generators.density import random_density
from nonosat.puzzles.formats import save
from nonosat.runs.events import Finished, Progress, Ready, Statistics, Stopped, Verdict
from nonosat.runs.limits import Limits
from nonosat.solvers.registry import solver, solvers
from nonosat.solvers.solve import solve
from nonosat.studies import measure, run
from nonosat.studies.measure import cnf_hash, cpu_spent
from nonosat.studies.plan import Instance, RunGroup, Settings, StudyRun, key_of
from nonosat.studies.records import FIELDS, NAMES, Record
from nonosat.studies.run import Trace, costs, execute, trace_of

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="limits need Linux")

ENCODING = "tight+r3+order"
TYPES = {"text": str, "integer": int, "real": (int, float), "boolean": bool}


@pytest.fixture(scope="module", autouse=True)
def marked() -> Iterator[None]:
    with marked_processes():
        yield


@pytest.fixture(autouse=True)
def nothing_left_behind(marked: None) -> Iterator[None]:
    mine = f"nonosat-study-{os.getpid()}-*"  # not those of other programs
    yield
    settled(lambda: not strays())
    assert strays() == []
    assert not list(Path("/dev/shm").glob(mine))


def board(seed: int, size: int = 12, density: float = 0.5) -> Instance:
    return Instance(f"density/{size}x{size}/{density}/{seed}", "density", (f"{size}x{size}", str(density)), seed)


def group(instance: Instance, written: str | None, settings: Settings, *names: str, times: int = 1) -> RunGroup:
    stated = None if written is None else encoding(written)
    runs = [
        StudyRun(key_of(instance.name, stated, solver(name), repetition, settings), solver(name), repetition)
        for name in names
        for repetition in range(times)
    ]
    return RunGroup(instance, stated, tuple(runs), written)


def records(groups: list[RunGroup], settings: Settings, slots: int = 1) -> list[Record]:
    found: list[Record] = []
    execute(groups, settings, slots, found.append, threading.Event())
    for record in found:
        assert tuple(record) == NAMES
        for field in FIELDS:
            value = record[field.name]
            assert value is None or isinstance(value, TYPES[field.type]), (field.name, value)
    return found


@pytest.mark.parametrize("step", [6, pytest.param(1, marks=pytest.mark.slow)])
def test_every_kind_of_solver_is_recorded_as_solve_answers(step: int) -> None:
    settings = Settings("s", Limits(60), 2)
    serving = [name for name, entry in solvers().items() if entry.kind in (None, "nonogram")]
    names = ([name for name in serving if name not in ("exhaustive", "axis")] + ["axis+partial"])[::step]
    own = [name for name in names if solver(name).family == "own"]
    groups = [
        group(board(3), ENCODING, settings, *(name for name in names if name not in own)),
        group(board(3), None, settings, *own),
    ]
    found = {str(record["solver"]): record for record in records(groups, settings)}
    assert set(found) == set(names)
    puzzle = random_density(12, 12, 0.5, 3)
    for name, record in found.items():
        answer = solve(puzzle, solver=name, count=2)
        assert (record["outcome"], record["solutions"]) == ("SAT", len(answer.pictures)), name
        assert (record["rows"], record["columns"], record["seed"], record["density"]) == (12, 12, 3, 0.5)
        for counter in ("decisions", "conflicts", "nodes", "lines_checked", "variables", "clauses"):
            assert record[counter] == getattr(answer.statistics, counter), (name, counter)
        for field in ("solve_s", "solve_cpu_s", "solve_peak_mb", "wall_s", "cpu_s", "peak_memory_mb", "started"):
            assert record[field] is not None, (name, field)
        assert (record["cnf"] is None) == (not solver(name).takes_formula)
        assert (record["encode_cpu_s"] is None) == (record["encode_s"] is None), name
        if solver(name).takes_formula and not name.startswith("exec:"):  # what is around the calls is no solving
            assert float(record["solve_cpu_s"] or 0) <= float(record["solve_s"] or 0) + 1e-4, name
    hashes = {record["cnf"] for record in found.values()} - {None}
    assert len(hashes) == 1


def test_the_formula_is_made_once_for_all_runs_of_a_group() -> None:
    settings = Settings("s", Limits(60))
    together = records([group(board(4), ENCODING, settings, "minisat22", "glucose4", times=2)], settings)
    assert len({record["encode_s"] for record in together}) == 1
    assert len({record["cnf"] for record in together}) == 1
    (alone,) = records([group(board(4), ENCODING, settings, "minisat22")], settings)
    for name in ("cnf", "variables", "clauses", "decisions", "conflicts", "picture", "key"):
        assert alone[name] == together[0][name]


@pytest.mark.parametrize("times", repeated(2, 5))
def test_counters_and_formulas_are_the_same_in_every_process(times: int) -> None:
    settings = Settings("s", Limits(60))
    groups = [
        group(board(seed, 20, 0.4), ENCODING, settings, "minisat22", "cadical153", times=times) for seed in (1, 2)
    ]
    found = records(groups, settings, slots=2)
    seen: dict[object, set[object]] = {}
    for record in found:
        what = tuple(record[name] for name in ("cnf", "decisions", "conflicts", "propagations", "picture"))
        seen.setdefault((record["instance"], record["solver"]), set()).add(what)
    assert [len(values) for values in seen.values()] == [1] * 4


def test_wrong_pictures_are_recorded_as_wrong() -> None:
    settings = Settings("s", Limits(60))
    (record,) = records([group(board(1), "2/6", settings, "minisat22")], settings)
    assert (record["outcome"], record["sound"], record["solutions"]) == ("WRONG", False, 0)
    assert str(record["reason"]).startswith("row ")
    assert record["picture"] is not None
    assert record["decisions"] is not None


def test_unsatisfiable_is_a_result(tmp_path: Path) -> None:
    from nonosat.puzzles.nonogram import Nonogram

    path = tmp_path / "a.mk"
    save(Nonogram.from_lengths([[2], [2], []], [[2], [1], [1]]), path)
    import hashlib

    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    instance = Instance(f"file/{digest}/1", path=str(path), index=1)
    settings = Settings("s", Limits(60))
    (record,) = records([group(instance, ENCODING, settings, "minisat22")], settings)
    assert (record["outcome"], record["solutions"], record["seed"]) == ("UNSAT", 0, None)
    path.write_text("something else")
    (record,) = records([group(instance, ENCODING, settings, "minisat22")], settings)
    assert (record["outcome"], record["rows"]) == ("ERROR", None)
    assert "has changed" in str(record["reason"])


def hostile_group(monkeypatch: pytest.MonkeyPatch, search: str) -> RunGroup:
    """A group of one run, which does what one of the hostile searches does."""
    monkeypatch.setattr(measure, "prepared", hostile.prepared)
    monkeypatch.setattr(measure, "from_file", hostile.from_file)
    monkeypatch.setattr("nonosat.studies.run.described", lambda *_: {"key": "k", "family": "SAT", "parts": None})
    return RunGroup(Instance("x"), cast(Any, search), (StudyRun("k", solver("minisat22")),))


@pytest.mark.parametrize(
    ("source", "argument", "outcome", "code"),
    spread(
        [
            ("segfault", None, "CRASH", -signal.SIGSEGV),
            ("abort", None, "CRASH", -signal.SIGABRT),
            ("exits", "0", "CRASH", 0),
            ("exits", "3", "CRASH", 3),
            ("kills_itself", None, "CRASH", -signal.SIGKILL),
            ("just_stops", None, "CRASH", 0),
            ("raises", None, "ERROR", 0),
            ("unpicklable", None, "ERROR", 0),
            ("raises_no_memory", None, "MEMOUT", 0),
            ("says_bad_alloc", None, "MEMOUT", None),
            ("loops", None, "TIMEOUT", -signal.SIGKILL),
            ("sleeps", None, "TIMEOUT", -signal.SIGKILL),
            ("deaf", None, "TIMEOUT", -signal.SIGKILL),
            ("forks", None, "UNSAT", 0),
            ("litters", None, "TIMEOUT", -signal.SIGKILL),
            ("hogs", None, "MEMOUT", -signal.SIGKILL),
            ("leaps", None, "MEMOUT", 0),
            ("hogs_clauses", "glucose4", "MEMOUT", None),
            ("hogs_clauses", "lingeling", "MEMOUT", None),
            ("hogs_clauses", "cadical153", "MEMOUT", None),
            ("shouts", "1024", "CRASH", 5),
            ("chatters", None, "UNSAT", 0),
            ("unsupported", None, "UNSUPPORTED", 0),
        ],
        4,
    ),
)
def test_hostile_endings(
    monkeypatch: pytest.MonkeyPatch, source: str, argument: str | None, outcome: str, code: int | None
) -> None:
    """One record each, with the right outcome."""
    settings = Settings("s", Limits(wall_s=0.5 if outcome == "TIMEOUT" else 600, memory_mb=250))
    one = hostile_group(monkeypatch, source if argument is None else f"{source} {argument}")
    (record,) = records([one], settings)
    assert (record["outcome"], record["key"]) == (outcome, "k")
    assert code is None or record["exit_code"] == code
    assert record["outcome"] == "UNSAT" or record["reason"]


def test_the_cpu_limit_is_an_outcome_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    settings = Settings("s", Limits(wall_s=600, cpu_s=0.3))

    def late_s() -> float:
        (record,) = records([hostile_group(monkeypatch, "loops")], settings)
        assert record["outcome"] == "CPUOUT"
        assert float(record["cpu_s"] or 0) >= 0.3
        return float(record["cpu_s"] or 0) - 0.3

    in_time(late_s, times=10)


@pytest.mark.slow
def test_what_is_known_of_a_run_that_was_stopped() -> None:
    settings = Settings("s", Limits(cpu_s=1.0))
    (record,) = records([group(board(1, 60, 0.4), ENCODING, settings, "minisat22")], settings)
    assert record["outcome"] == "CPUOUT"
    assert record["conflicts"] is None
    assert record["clauses"] is not None
    assert record["load_s"] is not None
    spent = sum(float(record[name] or 0) for name in ("encode_s", "load_s", "solve_s"))
    whole = float(record["wall_s"] or 0)
    assert whole / 2 < spent <= whole
    assert 0 < float(record["solve_cpu_s"] or 0) <= float(record["cpu_s"] or 0)


def test_a_run_that_was_stopped_has_the_time_of_all_its_solves() -> None:
    """A search tells what the solves before took: that of the one that was stopped is not in it."""
    before = Statistics(encode_s=0.1, solve_s=0.2, solve_cpu_s=0.2)
    stopped = Stopped(Verdict.TIMEOUT, "5 s", cpu_s=5.0, wall_s=5.0)
    found = costs(trace_of([Ready(0.0), Progress("solving", before), stopped]), Trace(), with_formula=False)
    assert (found["encode_s"], found["solve_s"], found["solve_cpu_s"]) == (0.1, 5.0, 5.0)
    done = costs(trace_of([Ready(0.0), Progress("solving", before), Finished(True, before)]), Trace(), False)
    assert (done["solve_s"], done["solve_cpu_s"]) == (0.2, 0.2)


@pytest.mark.parametrize("limit", ["wall", "memory"])
def test_a_formula_that_cannot_be_made_ends_all_runs_of_its_group(limit: str) -> None:
    """Each has the time and the memory that it took in its record."""
    settings = Settings("s", Limits(wall_s=0.05) if limit == "wall" else Limits(wall_s=600, memory_mb=150))
    found = records([group(board(1, 300, 0.5), ENCODING, settings, "minisat22", "glucose4")], settings)
    assert [record["outcome"] for record in found] == ["TIMEOUT" if limit == "wall" else "MEMOUT"] * 2
    for record in found:
        assert record["solve_s"] is None
        assert record["wall_s"] == record["encode_s"]
        assert float(record["wall_s"] or 0) >= (0.05 if limit == "wall" else 0.001)
        assert float(record["cpu_s"] or 0) > 0
        assert record["peak_memory_mb"] == record["encode_peak_mb"]
        assert float(record["peak_memory_mb"] or 0) > (1 if limit == "wall" else 140)


CLOCKS = ("wall_s", "cpu_s")


def group_taking(seconds: str, settings: Settings, *names: str, times: int = 1) -> RunGroup:
    """A group whose processes are hostile's slow ones, which are told the ``seconds`` as their encoding."""
    return replace(group(board(4), ENCODING, settings, *names, times=times), encoding=cast(Any, seconds))


@pytest.mark.parametrize(
    ("clock", "limit", "seconds", "outcome"),
    spread(
        [
            # making the puzzle takes longer than the limit, which is none of its business
            ("wall_s", 4, "5 0.05 0.05", "SAT"),  # processes may have to wait for seconds on a busy machine
            ("cpu_s", 0.5, "0.7 0.05 0.05", "SAT"),
            *((clock, 0.5, "0.1 0.3 0.4", None) for clock in CLOCKS),  # encoding and solving do together, neither alone
            *((clock, 0.5, "0.1 0.7 0.1", None) for clock in CLOCKS),  # encoding alone does
            *((clock, 0.5, "0.1 0.1 0.7", None) for clock in CLOCKS),
        ],
        1,
    ),
)
def test_a_limit_covers_encoding_and_solving_once_however_runs_are_grouped(
    monkeypatch: pytest.MonkeyPatch, clock: str, limit: float, seconds: str, outcome: str | None
) -> None:
    monkeypatch.setattr(measure, "prepared", hostile.prepared_slowly)
    monkeypatch.setattr(measure, "from_file", hostile.from_file_slowly)
    usual = run.described
    monkeypatch.setattr(run, "described", lambda one, *rest: usual(replace(one, encoding=encoding(ENCODING)), *rest))
    settings, taking = Settings("s", Limits(**{clock: limit})), f"{clock} {seconds}"
    alone, together = (
        group_taking(taking, settings, "minisat22"),
        group_taking(taking, settings, "minisat22", "glucose4"),
    )
    for _ in range(TRIES):  # a process that waits for its turn on a busy machine takes wall time, too
        found = [*records([alone], settings), *records([together], settings)]
        if outcome is None or all(record["outcome"] == outcome for record in found):
            break
    for record in found:
        assert record["outcome"] == (outcome or {"wall_s": "TIMEOUT", "cpu_s": "CPUOUT"}[clock])
        spent = float(record[clock] or 0)
        if outcome is None:
            assert spent >= limit
            assert str(limit) in str(record["reason"])
        else:
            assert 0.1 <= spent < limit


@pytest.mark.slow
def test_stopping_ends_current_runs_and_begins_no_more() -> None:
    settings = Settings("s", Limits(wall_s=600))
    stop, found = threading.Event(), list[Record]()
    groups = [group(board(seed, 60, 0.4), ENCODING, settings, "minisat22") for seed in range(50)]
    before = worked_s(os.getpid())

    def stops() -> None:
        settled(lambda: worked_s(os.getpid()) - before > 1)  # they are at work
        stop.set()

    stopper = threading.Thread(target=stops)
    stopper.start()
    begin = time.monotonic()
    execute(groups, settings, 2, found.append, stop)
    stopper.join()
    assert time.monotonic() - begin < 600 / 2  # those at work were ended long before their limit
    assert 1 <= sum(record["outcome"] == "INTERRUPTED" for record in found) <= 2
    assert len(found) < 50


def test_what_a_killed_process_left_is_removed() -> None:
    ended = subprocess.run([sys.executable, "-c", "import os; print(os.getpid())"], capture_output=True, text=True)
    left = run.folder().with_name(f"nonosat-study-{ended.stdout.strip()}-x")
    left.mkdir()
    mine = run.folder()
    assert not left.exists()
    for path in mine.parent.glob(f"nonosat-study-{os.getpid()}-*"):
        path.rmdir()


def test_a_finished_study_leaves_the_callers_event_alone() -> None:
    stop = threading.Event()
    execute([], Settings("s", Limits(60.0)), 1, lambda _: None, stop)
    assert not stop.is_set()


def test_an_exception_of_the_caller_ends_all_runs() -> None:
    settings = Settings("s", Limits(wall_s=600))

    def full(_: Record) -> None:
        raise OSError("disk full")

    groups = [group(board(seed), ENCODING, settings, "minisat22") for seed in range(20)]
    with pytest.raises(OSError, match="disk full"):
        execute(groups, settings, 2, full, threading.Event())


def test_the_hash_of_a_formula_is_pinned() -> None:
    cnf = encoding(ENCODING).formula(random_density(5, 5, 0.5, 1)).cnf
    assert cnf_hash(cnf) == GOLDEN


GOLDEN = "82b49f3dfa958626"


def test_cpu_time_is_that_of_this_process() -> None:
    before = cpu_spent()
    while cpu_spent() - before < 0.01:
        pass
    assert cpu_spent() > before
