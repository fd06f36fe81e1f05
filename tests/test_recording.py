"""What is recorded of a run, from what was seen of its process; and that counters and verdicts are told as declared."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from nonosat.puzzles.nonogram import Nonogram
from nonosat.runs.events import COUNTERS, Event, Finished, Found, Measured, Statistics, Stopped, Verdict
from nonosat.solvers.judgement import denies_a_solution
from nonosat.studies.records import CENSORED, FAILED, FIELDS, SOLVED, complete
from nonosat.studies.run import Trace, counted, outcome
from nonosat.studies.session import is_bug

PUZZLE = Nonogram.from_lengths([[1], [1]], [[1], [1]])
GOOD, OTHER = np.eye(2, dtype=np.uint8), np.eye(2, dtype=np.uint8)[::-1]
BAD = np.ones((2, 2), dtype=np.uint8)
DOCS = Path(__file__).parents[1] / "docs" / "records.md"


@pytest.mark.parametrize(
    ("events", "expected"),
    [
        ([Found(GOOD), Found(OTHER), Finished(True, Statistics())], ("SAT", 2, False, 0, None)),
        ([Found(GOOD), Finished(True, Statistics())], ("SAT", 1, True, 0, None)),
        ([Found(GOOD), Finished(False, Statistics(), "enough")], ("SAT", 1, None, 0, "enough")),
        ([Finished(True, Statistics())], ("UNSAT", 0, False, 0, None)),
        ([Finished(False, Statistics(), "why")], ("UNKNOWN", 0, None, 0, "why")),
        ([Found(GOOD), Stopped(Verdict.TIMEOUT, "1 s", exit_code=-9)], ("TIMEOUT", 1, None, -9, "1 s")),
        ([Stopped(Verdict.CRASH, "oh", exit_code=0, raised=True)], ("ERROR", 0, None, 0, "oh")),
        ([Stopped(Verdict.CRASH, "oh", exit_code=3)], ("CRASH", 0, None, 3, "oh")),
        ([Found(GOOD)], ("CRASH", 1, None, None, "the search ended without a verdict")),
        (
            [Found(GOOD), Found(BAD), Stopped(Verdict.CRASH, "oh", raised=True)],
            ("WRONG", 1, None, None, "row 1: has 2, the clue says 1"),
        ),
        (
            [Found(GOOD), Found(GOOD), Finished(True, Statistics())],
            ("CRASH", 1, None, None, "the same solution came twice"),
        ),
    ],
)
def test_outcomes_follow_from_the_evidence(events: list[Event], expected: tuple[Any, ...]) -> None:
    trace = Trace(PUZZLE)
    for event in events:
        trace.take(event)
    record = outcome(trace, Trace(PUZZLE))
    assert tuple(record.get(name) for name in ("outcome", "solutions", "unique", "exit_code", "reason")) == expected
    assert (record["picture"] is None) == (not trace.found)
    assert (record["kind"], record["rows"], record["columns"]) == ("nonogram", 2, 2)


@pytest.mark.parametrize(
    ("found", "said", "expected"),
    [
        ([], Finished(True, Statistics()), "WRONG"),
        ([OTHER], Finished(True, Statistics()), "WRONG"),
        ([OTHER], Finished(False, Statistics()), "SAT"),
        ([OTHER, GOOD], Finished(True, Statistics()), "SAT"),
        ([], Finished(False, Statistics()), "UNKNOWN"),
    ],
)
def test_a_solution_that_comes_with_the_puzzle_is_not_denied(found: list[Any], said: Event, expected: str) -> None:
    puzzle = replace(PUZZLE, goal=PUZZLE.picture(GOOD))
    trace = Trace(puzzle, found=[Found(cells) for cells in found])
    trace.take(said)
    record = outcome(trace, Trace(puzzle))
    assert (record["outcome"], record["picture"] is None) == (expected, not found or expected == "WRONG")
    assert denies_a_solution(record["reason"]) == (expected == "WRONG")
    about = {"encoding": "tight+r3+order", "sound": True}
    assert is_bug(complete(record | about | {"key": "k"})) == (expected == "WRONG")
    incomplete = {"encoding": "tight+r4printed+order", "sound": True}
    assert not is_bug(complete(record | incomplete | {"key": "k"}))


@pytest.mark.parametrize(("number", "expected"), [(0, "WRONG"), (1, "WRONG"), (2, "MEASURED")])
def test_fewer_solutions_than_come_with_the_puzzle_are_wrong(number: int, expected: str) -> None:
    puzzle = replace(PUZZLE, goal=PUZZLE.picture(GOOD), solutions=(PUZZLE.picture(OTHER),))
    trace = Trace(puzzle)
    for event in (Measured(counted(number)), Finished(True, Statistics())):
        trace.take(event)
    record = outcome(trace, Trace(puzzle))
    assert record["outcome"] == expected
    assert record.get("counted") == (None if expected == "WRONG" else str(number))


def test_the_picture_of_a_wrong_run_is_the_wrong_one() -> None:
    def picture(*found: Any) -> object:
        return outcome(Trace(PUZZLE, found=[Found(cells) for cells in found]), Trace(PUZZLE))["picture"]

    assert picture(GOOD) == picture(GOOD, OTHER) != picture(OTHER)
    assert picture(BAD) == picture(GOOD, BAD) != picture(GOOD)
    assert picture(GOOD * 7) is None  # no picture has such values


def test_counters_are_fields_of_records() -> None:
    fields = {field.name: field for field in FIELDS}
    assert len(COUNTERS) == 13
    for counter in COUNTERS:
        assert (fields[counter.name].type, fields[counter.name].unit) == (
            ("real", "s") if counter.name.endswith("_s") else ("integer", counter.metadata["unit"])
        )
        assert fields[counter.name].meaning == counter.metadata["meaning"]


def test_every_verdict_is_explained_and_classed() -> None:
    section = DOCS.read_text(encoding="utf-8").partition("## Outcomes")[2].partition("\n## ")[0]
    told = dict(re.findall(r"^\| `([A-Z]+)` \|.*\| (\S+) \|$", section, re.M))
    assert list(told) == list(map(str, Verdict))
    classes = {"solved": SOLVED, "censored": CENSORED, "failed": FAILED, "-": (Verdict.WRONG, Verdict.INTERRUPTED)}
    assert all(verdict in classes[told[verdict]] for verdict in Verdict)
