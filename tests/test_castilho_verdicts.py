"""The report's claims as numbers with intervals: on records that are made so that the right verdicts are known."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pandas as pd
import pytest
from castilho2018 import analysis
from castilho2018.analysis import FAILS, HOLDS, OPEN, by_cell, cells_table, readings_compared, sheet, verdicts
from records_made import record, stopped, study

from nonosat.studies.analysis.frames import load
from nonosat.studies.analysis.sheets import markdown
from nonosat.studies.analysis.style import look

FEW = "6 and 5+6 need very few decisions"
CELLS = list(itertools.product((20, 30), (0.1, 0.2, 0.3, 0.4, 0.5)))


@pytest.fixture(autouse=True)
def fewer_samples(monkeypatch: pytest.MonkeyPatch) -> None:
    """Enough for verdicts on what is made here."""
    rules = analysis._read_claims()
    monkeypatch.setattr(analysis, "_read_claims", lambda: {**rules, "samples": 9999})


@pytest.mark.slow
def test_every_estimator_and_clock_gives_the_verdicts_of_what_was_made() -> None:
    """Of ``records_made.study``: rules 4 and 6 alone are wrong and need 0.12 / 3 and 0.1 / 3 of the decisions."""
    frame = load(study(boards=16, solvers=("minisat22", "glucose4")))
    table = verdicts(frame)
    by = table.set_index(["claim", "measured", "of", "estimator"])
    for estimator in analysis.ESTIMATORS:
        few = by.loc[(FEW, "2alt/6 by 2alt/3", "decisions", estimator)]
        assert few["value"] == pytest.approx(0.1 / 3, rel=0.1)
        assert (few["verdict"], few["cells"], few["boards"], few["runs"], few["wrong"]) == (HOLDS, 10, 160, 320, 160)
        same = by.loc[("2-alt needs far fewer decisions than 2", "2alt/3 by 2/3", "decisions", estimator)]
        assert (same["value"], same["verdict"], same["by_cell"]) == (1, FAILS, "0 / 9 / 0"), (
            "a cell has runs over the limit"
        )
        for clock in analysis.CLOCKS:
            faster = by.loc[("2-alt is faster than 2", "2alt/3 by 2/3", clock, estimator)]
            assert faster["value"] == pytest.approx(0.7, rel=0.02)
            assert faster["verdict"] == HOLDS
            assert (
                by.loc[("the time peaks at 40 %", "2alt/3: density of the most, 20x20", clock, estimator), "value"]
                == 0.4
            )
    spread = table[table["claim"].eq("only MiniSAT's decisions differ between the rules")].set_index("solver")
    assert set(spread.loc["minisat22", "verdict"]) == {HOLDS}
    assert set(spread.loc["glucose4", "verdict"]) == {FAILS}, "the made records differ as much under Glucose"
    assert len(markdown(sheet(table, frame)).splitlines()) > 40


def boards(times: dict[str, list[float]], decisions: dict[str, list[int]]) -> list[dict[str, Any]]:
    """Ten cells; each encoding's time (inf: over the limit) and decisions on a cell's boards."""
    made = []
    for (size, density), name in itertools.product(CELLS, times):
        for at, seconds in enumerate(times[name]):
            told: dict[str, Any] = {
                "key": f"{size} {density} {at} {name}", "instance": f"d/{size}/{density}/{at}", "rows": size,
                "columns": size, "density": density, "encoding": name, "parts": None, "encode_s": 0.0, "load_s": 0.0,
            }  # fmt: skip
            if math.isinf(seconds):
                made.append(stopped(**told))
            else:
                made.append(record(**told, solve_s=seconds, decisions=decisions[name][at]))
    return made


def test_means_are_moved_by_hard_boards_and_typical_boards_are_not() -> None:
    """Nine easy boards that are alike and a hard one on which rule 6 needs a hundredth: the report compares means."""
    easy = {"2alt/3": [99] * 9 + [99_999], "2alt/6": [99] * 9 + [999]}
    told = verdicts(load(boards({name: [1.0] * 10 for name in easy}, easy)))
    few = told[told["claim"].eq(FEW)].set_index("estimator")["value"]
    assert few["means"] == pytest.approx((9 * 99 + 999) / (9 * 99 + 99_999))
    assert few["typical"] == pytest.approx((1000 / 100_000) ** 0.1)


@pytest.mark.slow
def test_a_run_over_the_limit_counts_the_limit_and_has_no_decisions() -> None:
    times = {"2alt/3": [1.0] * 8, "2alt/6": [1.0] * 7 + [math.inf]}
    frame = load(boards(times, {name: [100] * 8 for name in times}))
    told = verdicts(frame)
    much = told[told["measured"].eq("2alt/6 by 2alt/3") & told["estimator"].eq("means")].set_index("of")
    assert sorted(much.index) == ["solving", "total"], "no number of decisions where one is not known"
    assert much["value"].tolist() == pytest.approx([17 / 8] * 2)
    assert set(much["over"]) == {len(CELLS)}
    whole = cells_table(frame)
    here = whole[whole["encoding"].eq("2alt/6") & whole["size"].eq("20x20")]
    assert set(here["state"]) == {"complete"}
    assert here["mean_decisions"].isna().all()
    assert here["mean_total_s"].tolist() == pytest.approx([17 / 8] * 5)
    runs = frame[frame["size"].eq("20x20") & frame["label"].eq("2alt/6")]
    times, decisions = (analysis.line_of(runs, "6", column, look(0)) for column in ("time_s", "decisions"))
    assert list(times.y) == pytest.approx([17 / 8] * 5)
    assert all(math.isnan(y) for y in decisions.y)
    assert [*times.hollow, *decisions.hollow] == [True] * 10


@pytest.mark.slow
def test_a_cell_that_is_not_complete_has_no_mean_and_no_place_in_a_verdict() -> None:
    times = {"2alt/3": [1.0] * 8, "2alt/6": [0.1] * 8}
    records = boards(times, {name: [100] * 8 for name in times})
    left = [r for r in records if r["key"] != "20 0.4 3 2alt/6"]
    told = verdicts(load(left))
    assert set(told[told["measured"].eq("2alt/6 by 2alt/3")]["cells"]) == {len(CELLS) - 1}
    whole = cells_table(load(left)).set_index(["size", "density", "encoding"])
    cell = whole.loc[("20x20", 0.4, "2alt/6")]
    assert (cell["state"], cell["boards"], cell["runs"]) == ("not finished", 8, 7)
    assert math.isnan(cell["mean_total_s"])
    assert whole.loc[("50x50", 0.1, "2alt/6"), "state"] == "not run"
    runs = analysis.complete_only(load(left))
    assert len(runs) == len(records) - 8


def test_many_comparisons_need_smaller_p_values() -> None:
    """p of 0.02 is a verdict of one number, and none of 50 numbers."""
    samples = np.concatenate(([0.2], np.full(9899, 0.2), np.full(99, 0.3)))
    p, speaks = analysis.judged(samples, {"to": 0.25})
    assert (round(p, 3), speaks) == (0.02, HOLDS)
    assert analysis.intervals.holm([p])[0] < 0.05 < analysis.intervals.holm([p] * 50)[0]
    assert analysis.judged(np.array([math.nan] * 100), {"to": 0.25})[1] == OPEN


def test_too_little_gives_no_number() -> None:
    assert verdicts(load(study(boards=2))).empty
    assert verdicts(load([])).empty
    assert by_cell(load([])).empty
    assert list(verdicts(load([])).columns) == list(analysis.Row._fields)


@pytest.mark.slow
def test_readings_are_compared_on_the_boards_that_all_of_them_ran_on() -> None:
    frame = load(study(sizes=(20,), boards=8))
    mirrored = [
        {**r, "key": f"m{r['key']}", "encoding": "tight+r6mirrored+iff+order", "parts": None, "outcome": "SAT"}
        for r in study(sizes=(20,), boards=6, encodings=("2alt/6",))
    ]
    both = pd.concat([frame, load(mirrored)], ignore_index=True)
    told = readings_compared(both)
    few = told[told["measured"].eq("2alt/6 by 2alt/3")].drop_duplicates("reading").set_index("reading")
    assert few["boards"].to_dict() == {"ends": 30, "mirrored": 30}
    assert few["wrong"].to_dict() == {"ends": 30, "mirrored": 0}
