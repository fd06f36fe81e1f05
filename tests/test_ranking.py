"""Rankings and differences of configurations: by hand, against what is known, and where limits hide the times."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest
from records_made import record, stopped

from nonosat.studies.analysis import boards, ranking
from nonosat.studies.analysis.boards import WALL
from nonosat.studies.analysis.frames import load
from nonosat.studies.records import Record


def run(encoding: str, board: int, seconds: float | None, **values: Any) -> Record:
    """A run of one wall second is 1 s in all; None: over the limit of 10 s."""
    named: dict[str, Any] = {"encoding": encoding, "parts": None, "instance": f"density/20x20/0.4/{board}", **values}
    named["key"] = f"{encoding}/{board}/{values.get('repetition', 0)}"
    return stopped(**named) if seconds is None else record(solve_s=seconds - 0.02, **named)


def frame_of(times: dict[str, list[float | None]]) -> Any:
    return load([run(name, at, time) for name, row in times.items() for at, time in enumerate(row)])


def test_the_ranking_by_hand() -> None:
    frame = frame_of({"a": [1, 2, 3, 4, 5, 6], "b": [2, 1, None, 5, 6, 7], "c": [None] * 6})
    table = ranking.ranking(frame, WALL).set_index("configuration")
    assert table.index.tolist() == ["a · minisat22", "b · minisat22", "c · minisat22", ranking.VIRTUAL]
    assert table["par2_s"].tolist() == pytest.approx([3.5, 41 / 6, 20, 20 / 6])
    assert table["solved"].tolist() == [6, 5, 0, 6]
    assert table["over"].tolist()[:3] == [0, 1, 6]
    assert table["fastest"].tolist()[:3] == [5, 1, 0]
    assert table["first"].tolist()[:3] == pytest.approx([1, 0, 0], abs=0.05)
    assert table["median_s"].tolist() == [3.5, 5.5, math.inf, 3.5]


@pytest.mark.slow
def test_no_virtual_best_is_slower_than_a_member() -> None:
    """For any number of boards, whatever ended the runs and when: within the limit, at it, by memory, or by a crash."""
    chance = np.random.Generator(np.random.PCG64(7))
    ends: list[dict[str, Any]] = [{}, {"outcome": "TIMEOUT"}, {"outcome": "MEMOUT"}, {"outcome": "CRASH"}]
    for boards_ in (*range(1, 9), *[10] * 12):
        shares = chance.dirichlet([4, 1, 1, 0.5]) if boards_ % 3 else [1, 0, 0, 0]
        rows = []
        for name, board in itertools.product("abc", range(boards_)):
            end = ends[int(chance.choice(4, p=shares))]
            seconds = 10.0 if end.get("outcome") == "TIMEOUT" else float(chance.uniform(0.1, 9.9))
            rows.append(run(name, board, seconds, **end))
        medians = ranking.ranking(load(rows), WALL).set_index("configuration")["median_s"]
        assert medians[ranking.VIRTUAL] <= medians.drop(ranking.VIRTUAL).min()


def test_a_run_that_ended_early_does_not_make_the_virtual_best_slow() -> None:
    """The run out of memory counts as longer than those of 1 and 1.5 s; the other solver took 9 s on its board."""
    rows = [run("a", 0, 0.5, outcome="MEMOUT"), run("a", 1, 1), run("a", 2, 1.5)]
    rows += [run("b", at, 9) for at in range(3)]
    medians = ranking.ranking(load(rows), WALL).set_index("configuration")["median_s"]
    assert medians.tolist() == pytest.approx([1.5, 9, 1.5])


def test_the_virtual_best_has_a_mean_though_a_member_has_none() -> None:
    """A run that gives a wrong answer without a limit has no PAR2."""
    rows = [run("a", at, at + 1) for at in range(3)] + [
        run("b", at, 1, outcome="WRONG", time_limit_s=None) for at in range(3)
    ]
    table = ranking.ranking(load(rows), WALL).set_index("configuration")["par2_s"]
    assert table.isna().tolist() == [False, True, False]
    assert table[ranking.VIRTUAL] == pytest.approx(2)


def test_only_boards_that_all_have_run_on_are_ranked() -> None:
    frame = frame_of({"a": [1, 2, 3], "b": [1, 2]})
    assert ranking.ranking(frame, WALL)["boards"].tolist() == [2, 2, 2]
    assert ranking.ranking(load([run("a", 0, 1), run("b", 1, 1)]), WALL).empty
    assert ranking.ranking(load([]), WALL).empty


def test_wrong_answers_and_failures_count_as_unsolved() -> None:
    worse = [run("b", 0, 1, outcome="WRONG"), run("b", 1, 1, outcome="CRASH"), run("b", 2, 1, outcome="UNSAT")]
    table = ranking.ranking(load([*(run("a", at, 9) for at in range(3)), *worse]), WALL)
    assert table["configuration"].tolist()[:2] == ["a · minisat22", "b · minisat22"]
    assert table.loc[1, ["solved", "wrong", "failed", "par2_s"]].tolist() == [0, 2, 1, 20.0]


def test_without_a_limit_an_unsolved_run_has_no_par2_and_the_number_solved_decides() -> None:
    free = {"time_limit_s": None}
    rows = [run("a", at, 5, **free) for at in range(6)] + [run("b", at, 1, **free) for at in range(5)]
    rows += [run("b", 5, 1, outcome="CRASH", **free)]
    table = ranking.ranking(load(rows), WALL)
    assert table["configuration"].tolist()[:2] == ["a · minisat22", "b · minisat22"]
    assert math.isnan(table["par2_s"][1])
    assert math.isnan(table["first"][0])


def test_repetitions_of_a_board_are_one_board() -> None:
    rows = [run("a", 0, time, repetition=at) for at, time in enumerate([1, 2, 9])]
    found = boards.boards_of(load(rows), WALL)
    assert found.high.tolist() == [[2.0]]
    assert found.par2.tolist() == [[4.0]]


def test_runs_made_again_later_count_once() -> None:
    old = run("a", 0, 9, time_limit_s=5.0, started="2026-01-01T00:00:00.000Z")
    new = {**run("a", 0, 1, started="2026-01-02T00:00:00.000Z"), "key": "new"}
    other = {**run("a", 1, 1), "outcome": "INTERRUPTED"}
    assert boards.latest(load([new, old, other]))["key"].tolist() == ["new"]


def test_cpu_time_is_compared_where_all_results_have_one() -> None:
    cpu = {"encode_cpu_s": 0.01, "load_cpu_s": 0.01, "solve_cpu_s": 0.5, "cpu_s": 0.6}
    assert boards.clock_of(load([run("a", 0, 1, **cpu), run("b", 0, None)])) is boards.CPU
    assert boards.clock_of(load([run("a", 0, 1, **cpu), run("b", 0, 1)])) is WALL
    assert load([run("a", 0, 1, **cpu)])["cpu_time_s"].tolist() == pytest.approx([0.52])
    over = stopped(encode_cpu_s=0.01, load_cpu_s=0.01, cpu_s=9.5)
    assert load([over])["cpu_time_s"].tolist() == [9.5]


def test_twice_as_long_on_every_board_is_a_ratio_of_two_whatever_the_boards() -> None:
    times = [0.1, 0.2, 1, 2, 3, 4, 4.5]
    frame = frame_of({"a": [*times], "b": [2 * time for time in times]})
    [row] = ranking.differences(frame, WALL, "a · minisat22").to_dict("records")
    assert [row[name] for name in ("ratio", "ratio_upper", "ratio_low", "ratio_high")] == pytest.approx([2] * 4)
    assert (row["faster"], row["slower"], row["boards"]) == (0, 7, 7)
    assert row["par2_s"] == pytest.approx(sum(times) / 7)
    assert row["verdict"] == ranking.SLOWER
    [back] = ranking.differences(frame, WALL, "b · minisat22").to_dict("records")
    assert (back["ratio"], back["verdict"]) == (pytest.approx(0.5), ranking.FASTER)


def test_a_limit_bounds_the_ratio_and_never_shortens_the_interval() -> None:
    """Of seven boards three are over the limit: the median is known; with four it is only bounded."""
    seen = frame_of({"a": [1, 1, 1, 1, 1, 1, 1], "b": [2, 2, 2, 2, None, None, None]})
    [row] = ranking.differences(seen, WALL, "a · minisat22").to_dict("records")
    assert (row["ratio"], row["ratio_upper"]) == pytest.approx((2, 2))
    assert row["ratio_high"] == math.inf
    hidden = frame_of({"a": [1, 1, 1, 1, 1, 1, 1], "b": [2, 2, 2, None, None, None, None]})
    [row] = ranking.differences(hidden, WALL, "a · minisat22").to_dict("records")
    assert (row["ratio"], row["ratio_upper"]) == (pytest.approx(10.0), math.inf)
    assert (row["slower"], row["solved_less"]) == (7, 4)


def test_two_unsolved_runs_bound_no_ratio() -> None:
    [row] = ranking.differences(frame_of({"a": [None] * 6, "b": [None] * 6}), WALL, "a · minisat22").to_dict("records")
    assert (row["ratio"], row["ratio_upper"]) == (0, math.inf)
    assert (row["faster"], row["slower"], row["verdict"]) == (0, 0, ranking.OPEN)


def test_few_boards_have_no_interval() -> None:
    [row] = ranking.differences(frame_of({"a": [1, 2], "b": [2, 4]}), WALL, "a · minisat22").to_dict("records")
    assert row["verdict"] == ranking.FEW
    assert math.isnan(row["ratio_low"])
    assert math.isnan(row["par2_low_s"])


@pytest.mark.slow
def test_the_intervals_cover() -> None:
    """Lognormal ratios of median 1.3 with a quarter of the runs over the limit: 95 % of the intervals have it."""
    chance = np.random.Generator(np.random.PCG64(5))
    held, number = 0, 40
    for _ in range(number):
        hard = chance.lognormal(0.8, 1.0, 24)
        other = hard * 1.3 * chance.lognormal(0, 0.5, 24)
        times = {"a": hard, "b": other}
        frame = frame_of({name: [float(t) if t <= 10 else None for t in row] for name, row in times.items()})
        [row] = ranking.differences(frame, WALL, "a · minisat22").to_dict("records")
        held += row["ratio_low"] <= 1.3 <= row["ratio_high"]
    assert held >= 0.9 * number


def test_the_order_of_the_records_changes_nothing() -> None:
    rows = [run(name, at, 1 + at * (name == "a")) for name in "ab" for at in range(8)]
    one, two = (load(records) for records in (rows, rows[::-1]))
    assert ranking.ranking(one, WALL).equals(ranking.ranking(two, WALL))
    first = "a · minisat22"
    assert ranking.differences(one, WALL, first).equals(ranking.differences(two, WALL, first))
