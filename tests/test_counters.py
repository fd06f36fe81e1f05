"""Counters in studies: what their records tell, against brute force; where they are stopped; numbers of any size."""

from __future__ import annotations

import json
import sqlite3
import sys
import threading
from pathlib import Path
from typing import Any

import brute
import numpy as np
import pytest
from fake_execute import record as made_up
from sampling import spread

from nonosat import plugins
from nonosat.counting.answer import CountBounds, Estimate, Number
from nonosat.encodings.registry import encoding
from nonosat.errors import NonosatError, UnknownNameError
from nonosat.generators.density import random_density
from nonosat.puzzles.nonogram import Nonogram
from nonosat.runs.events import Answer, Finished, Found, Measured, Statistics, Stopped, Verdict
from nonosat.runs.solver import Solver
from nonosat.solvers.judgement import consume_judged, judge_of
from nonosat.solvers.propagation.difficulty import difficulty, propagated
from nonosat.solvers.registry import solvers
from nonosat.studies.checking import check
from nonosat.studies.counter_searches import in_record_words, measured
from nonosat.studies.counters import COUNTERS, Counter, named
from nonosat.studies.export import export
from nonosat.studies.plan import Instance, RunGroup, Settings, StudyRun, key_of
from nonosat.studies.records import Record, complete
from nonosat.studies.run import MOST, Trace, counted, execute, outcome, trace_of
from nonosat.studies.store import Store, StoreReader
from nonosat.studies.study import parse

needs_linux = pytest.mark.skipif(sys.platform != "linux", reason="limits need Linux")
FIRST, OTHER = (Found(np.array(cells)) for cells in ([[1, 0], [0, 1]], [[0, 1], [1, 0]]))
CELLS = [(5, 0.2), (5, 0.5), (6, 0.4)]


def runs(instances: list[tuple[int, float, int]], names: list[str], cpu_s: float = 20, count: int = 2) -> list[Record]:
    from nonosat.runs.limits import Limits

    settings = Settings("s", Limits(cpu_s=cpu_s), count)
    groups = []
    for size, density, seed in instances:
        values = (f"{size}x{size}", str(density))
        instance = Instance(f"density/{values[0]}/{density}/{seed}", "density", values, seed)
        for name in names:
            solver = named(name)
            written = "tight+r3" if solver.family == "SAT" else None
            stated = None if written is None else encoding(written)
            run = StudyRun(key_of(instance.name, stated, solver, 0, settings), solver)
            groups.append(RunGroup(instance, stated, (run,), written))
    records: list[Record] = []
    execute(groups, settings, 1, records.append, threading.Event())
    return records


def found(record: Record, *names: str) -> tuple[Any, ...]:
    return tuple(record[name] for name in names)


@pytest.mark.slow
@needs_linux
def test_recorded_counts_are_those_of_brute_force() -> None:
    boards = [(size, density, seed) for size, density in CELLS for seed in range(3)]
    names = ["components", "backbone", "minisat22"]
    for record in runs(boards, names):
        rows, density, seed = found(record, "rows", "density", "seed")
        pictures = np.array([picture.cells for picture in brute.pictures(random_density(rows, rows, density, seed))])
        told = record["counted"], record["unique"], record["log10_solutions"]
        number = len(pictures)
        if record["solver"] == "minisat22" and number > 1:
            assert found(record, "outcome", "solutions", "unique", "counted") == ("SAT", 2, False, None)
            continue
        assert told == (str(number), number == 1, pytest.approx(np.log10(number)))
        assert record["solutions"] == number
        if record["solver"] == "minisat22":
            continue
        assert record["outcome"] == "MEASURED"
        shared = float((pictures == pictures[0]).all(axis=0).mean())
        assert found(record, "backbone", "backbone_least", "backbone_most") == pytest.approx((shared,) * 3)
        assert record["solve_cpu_s"] is not None
        if record["solver"] == "components":
            by_lines = propagated(random_density(rows, rows, density, seed))
            assert record["by_lines"] == pytest.approx(float((np.asarray(by_lines) >= 0).mean()))
            assert record["entropy_bethe"] is not None


@pytest.mark.slow
@needs_linux
def test_a_stopped_counter_reports_a_lower_bound() -> None:
    (record,) = runs([(20, 0.1, 1)], ["components"], cpu_s=0.5)
    assert found(record, "outcome", "counted", "log10_solutions", "unique") == ("CPUOUT", None, None, False)
    assert 1 < int(str(record["solutions"])) < 10**19
    assert float(str(record["entropy_bethe"])) > 10


@pytest.mark.slow
@needs_linux
def test_what_programs_for_formulas_count() -> None:
    pytest.importorskip("pyganak")
    names = ["ganak", "components", "bethe"]
    ganak, components, bethe = runs([(8, 0.4, 2)], names)
    assert ganak["counted"] == components["counted"] is not None
    assert (ganak["encoding"], ganak["family"]) == ("tight+r3", "SAT")
    assert found(bethe, "outcome", "counted", "solutions", "entropy_bethe") == (
        *("MEASURED", None, 0),
        components["entropy_bethe"],
    )


@needs_linux
def test_difficulty_is_recorded_as_the_command_prints_it() -> None:
    for record in runs([(8, density, seed) for density in (0.4, 0.6) for seed in range(4)], ["difficulty"]):
        puzzle = random_density(8, 8, float(str(record["density"])), int(str(record["seed"])))
        about = difficulty(puzzle)
        assert found(record, "sweeps", "rounds") == (about.sweeps, about.rounds)
        assert record["by_lines"] == 1 - about.open_cells / about.cells
        assert record["hardness"] in (about.label, "guessing")
        assert record["hardness"] == about.label or about.kind == "guessing"


@pytest.mark.slow
@needs_linux
def test_the_first_picture_has_a_time_and_conflicts_of_its_own() -> None:
    (two,) = runs([(20, 0.4, 2)], ["minisat22"])
    (one,) = runs([(20, 0.4, 2)], ["minisat22"], count=1)
    assert found(two, "solutions", "unique") == (2, False)
    assert two["first_conflicts"] == one["conflicts"] == one["first_conflicts"]
    assert int(str(two["conflicts"])) >= int(str(two["first_conflicts"]))
    assert 0 < float(str(two["first_cpu_s"])) < float(str(two["cpu_s"]))
    assert float(str(two["encode_cpu_s"])) < float(str(two["first_cpu_s"]))
    (beliefs,) = runs([(20, 0.4, 2)], ["beliefs"], count=1)
    assert beliefs["first_cpu_s"] is not None


@pytest.mark.parametrize(
    ("events", "expected"),
    [
        ([Measured(counted(5)), Finished(True, Statistics())], ("MEASURED", 5, "5", False)),
        ([Measured(counted(1)), Finished(True, Statistics())], ("MEASURED", 1, "1", True)),
        ([Measured(counted(0)), Finished(True, Statistics())], ("UNSAT", 0, "0", False)),
        ([Measured({"solutions": 7}), Stopped(Verdict.CPUOUT, "1 s")], ("CPUOUT", 7, None, None)),
        ([Measured({"solutions": 7}), Measured(counted(9)), Stopped(Verdict.MEMOUT, "")], ("MEMOUT", 9, "9", False)),
        ([Measured({"entropy_bethe": 2.5}), Finished(False, Statistics())], ("MEASURED", 0, None, None)),
        ([Finished(False, Statistics(), "nothing to say")], ("UNKNOWN", 0, None, None)),
    ],
)
def test_outcomes_of_counters(events: list[Any], expected: tuple[Any, ...]) -> None:
    trace = Trace(Nonogram.from_lengths([[1], [1]], [[1], [1]]))
    for event in events:
        trace.take(event)
    record = outcome(trace, Trace())
    assert tuple(record.get(name) for name in ("outcome", "solutions", "counted", "unique")) == expected
    assert complete(record)


@pytest.mark.parametrize(
    ("events", "expected"),
    [
        ([Finished(True, Statistics())], ("UNSAT", 0, False)),
        ([Finished(False, Statistics())], ("UNKNOWN", 0, None)),
        ([Stopped(Verdict.TIMEOUT, "1 s")], ("TIMEOUT", 0, None)),
        ([FIRST, Stopped(Verdict.TIMEOUT, "1 s")], ("TIMEOUT", 1, None)),
        ([FIRST, OTHER, Stopped(Verdict.TIMEOUT, "1 s")], ("TIMEOUT", 2, False)),
        ([FIRST, Finished(False, Statistics())], ("SAT", 1, None)),
        ([FIRST, Finished(True, Statistics())], ("SAT", 1, True)),
    ],
)
def test_records_call_unique_what_answers_do(events: list[Any], expected: tuple[Any, ...]) -> None:
    puzzle = Nonogram.from_lengths([[1], [1]], [[1], [1]])
    record = outcome(trace_of(events, puzzle), Trace())
    assert tuple(record.get(name) for name in ("outcome", "solutions", "unique")) == expected
    answer = consume_judged(iter(events), Answer(Verdict.UNKNOWN, puzzle=puzzle), judge_of(puzzle))
    assert answer.record()["unique"] is expected[2]


def test_what_is_known_only_grows() -> None:
    events = [
        CountBounds(at_least=9),
        CountBounds(at_least=2),
        CountBounds(estimate=Estimate(1.5, "Bethe")),
        CountBounds(solutions=12),
    ]
    values = [
        event.values
        for event in in_record_words([*events, Finished(True, Statistics())])
        if isinstance(event, Measured)
    ]
    assert [value["solutions"] for value in values] == [9, 9, 9, 12]
    assert [value.get("counted") for value in values] == [None, None, None, "12"]
    assert values[2]["entropy_bethe"] == 1.5
    assert measured(CountBounds(at_least=10**30))["solutions"] == MOST


def test_bounds_of_a_backbone() -> None:
    possible = np.array([[[1, 0], [1, 1], [1, -1], [-1, -1]]], dtype=np.int8)
    told = measured(CountBounds(possible=possible))
    assert told == {"backbone_least": 0.25, "backbone_most": 0.75}


@pytest.mark.parametrize(
    "number",
    spread([3, 2**63 - 1, 2**63, 10**40 + 7, 10**5000 + 7], 2),
    ids=["3", "below 2**63", "2**63", "10**40", "10**5000"],
)
def test_numbers_of_any_size_come_back_from_every_store(number: int, tmp_path: Path) -> None:
    pd = pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    from nonosat.studies.analysis.frames import load

    path = tmp_path / "s.sqlite"
    values: dict[str, Any] = {**counted(number), "outcome": "MEASURED", "picture": None}
    with Store(path, "s", "") as store:
        store.add(made_up("k", **values))
    with StoreReader(path) as reader:
        (record,) = reader.records()
        export(reader, tmp_path / "s.jsonl")
        export(reader, tmp_path / "s.parquet")
    frames = [load(tmp_path / name) for name in ("s.sqlite", "s.jsonl", "s.parquet")]
    lines = [json.loads(line) for line in (tmp_path / "s.jsonl").read_text().splitlines()]
    (row,) = sqlite3.connect(path).execute("SELECT counted, solutions FROM runs")
    for known in (record, lines[0], dict(zip(("counted", "solutions"), row, strict=True))):
        assert (Number.read(known["counted"]), known["solutions"]) == (number, min(number, MOST))
    for frame in frames:
        assert Number.read(frame["counted"][0]) == number
        assert int(frame["solutions"][0]) == min(number, MOST)
        assert (
            frame["log10_known"][0] == frame["log10_solutions"][0] == pytest.approx(len(str(Number(number))) - 1, abs=1)
        )
        assert bool(frame["solved"][0])
        assert not pd.isna(frame["unique"][0])


STUDY = """
encodings = ["tight+r3"]
solvers = ["minisat22", "components"]
[limits]
cpu_limit_s = 1
[[puzzles]]
generator = "density"
sizes = [5]
densities = [0.5]
count = 2
"""


def problems(text: str) -> tuple[str, ...]:
    return check(parse(text, Path("study.toml"))).problems


def test_studies_name_counters_like_solvers() -> None:
    assert problems(STUDY) == ()
    assert check(parse(STUDY, Path("study.toml"))).runs == 4
    (problem,) = problems(STUDY.replace('"components"', '"component"'))
    assert "unknown solver 'component'" in problem
    assert "did you mean components?" in problem


def test_counters_of_another_kind_are_refused() -> None:
    levels = STUDY.replace("tight+r3", "different+running+order").replace('"density"', '"skyscrapers"')
    levels = levels.replace("sizes = [5]\ndensities = [0.5]", "levels = [1]")
    assert any("components is for the puzzle nonogram" in problem for problem in problems(levels))
    assert problems(levels.replace("components", "backbone")) == ()


def test_counters_refuse_formulas_with_other_solutions() -> None:
    pytest.importorskip("pyganak")
    study = STUDY.replace('"components"', '"ganak"')
    assert problems(study) == ()
    (problem,) = problems(study.replace("tight+r3", "2/4"))
    assert "ganak counts nothing through" in problem


def test_no_counter_has_the_name_of_a_solver() -> None:
    assert not set(COUNTERS) & set(solvers())
    for name in COUNTERS.own:
        assert COUNTERS[name].solver().name == name
    with pytest.raises(UnknownNameError):
        named("component")


def test_names_from_plugins_must_not_collide() -> None:
    counter = Counter("minisat22", "", "math:sqrt")  # type: ignore[arg-type]
    with plugins.registered(counter), pytest.raises(NonosatError, match="there is a solver of that name"):
        named("minisat22")
    solver = Solver("components", "own", "", "math:sqrt")  # type: ignore[arg-type]
    with plugins.registered(solver), pytest.raises(NonosatError, match="a solver and a counter have that name"):
        named("components")
    mine = Counter("mine", "", "math:sqrt")  # type: ignore[arg-type]
    with plugins.registered(mine):
        assert named("mine").name == "mine"
