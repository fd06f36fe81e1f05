"""The analysis of records: its numbers against examples worked by hand, its figures and its page."""

from __future__ import annotations

import json
import math
import sqlite3
import statistics
from collections.abc import Callable
from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow
import pytest
from castilho2018 import analysis as castilho2018
from castilho2018 import analysis as report_figures
from matplotlib.figure import Figure
from pyarrow import parquet
from records_made import record, stopped, study
from sampling import spread

from nonosat.errors import FormatError, NonosatError, UnknownNameError
from nonosat.studies.analysis import axes, boards, frames, intervals, plots, ranking, style, summary
from nonosat.studies.analysis.frames import load
from nonosat.studies.analysis.intervals import kaplan_meier
from nonosat.studies.records import FIELDS, NAMES

HOSTILE = "</script><img src=x onerror=alert(1)> $\\frac{a$ \x1b[31m & \"'"

FEW = ("2/3", "2/6", "2alt/3", "2alt/6")


@pytest.fixture(scope="module")
def made() -> pd.DataFrame:
    return load(study())


def test_numbers_below_zero_are_in_order_on_an_axis(made: pd.DataFrame) -> None:
    frame = made
    shift = pd.Series(["2", "-1", "0", "-10"] * len(frame), dtype="str")[: len(frame)].set_axis(frame.index)
    found = axes._axis(frame, "shift", "shift", shift)
    assert (found.values, found.places, found.numeric) == (("-10", "-1", "0", "2"), (-10.0, -1.0, 0.0, 2.0), True)


# frames


def test_a_frame_has_every_field_with_its_type_and_what_follows_from_it() -> None:
    frame = load([record(), stopped(key="b", encoding="tight+r6mirrored+iff", parts=None), stopped("MEMOUT", key="c")])
    assert list(frame.columns[: len(NAMES)]) == list(NAMES)
    assert [str(frame[f.name].dtype) for f in FIELDS] == [str(frames.DTYPES[f.type]) for f in FIELDS]
    row = frame[frame["key"] == "k"].iloc[0]
    assert (row["size"], row.domain_rule, row.rules, row.reading, row.report_name) == (
        "20x20",
        "2alt",
        "3",
        "",
        "2alt/3",
    )
    assert (row.report_name, row.label, row.configuration) == ("2alt/3", "2alt/3", "2alt/3 · minisat22")
    assert row.total_s == pytest.approx(0.1)
    other = frame[frame["key"] == "b"].iloc[0]
    assert (other.report_name, other.reading, other.label) == ("2alt/6", "mirrored", "tight+r6mirrored+iff")
    assert other.decisions is pd.NA
    assert frame["censored"].tolist().count(True) == 2
    assert math.isnan(frame["cpu_limit_s"].iloc[0])


def test_the_time_of_a_stopped_run_is_the_time_it_had() -> None:
    nowhere = stopped(encode_s=None, load_s=None, solve_s=None, wall_s=10.0)
    assert load([nowhere])["time_s"].tolist() == [10.0]
    assert math.isnan(load([nowhere])["total_s"].iloc[0])


def test_runs_without_an_encoding_are_called_by_their_solver() -> None:
    frame = load([record(encoding=None, parts=None, sound=None, solver="axis", density=None)])
    assert frame["configuration"].tolist() == ["axis"]
    assert frame["rules"].isna().all()


def test_an_encoding_of_another_version_keeps_its_name() -> None:
    assert load([record(encoding="weird+r9", parts="weird+r9")])["label"].tolist() == ["weird+r9"]


def test_unsat_is_false_where_a_solution_is_known() -> None:
    files = [{"instance": "file/a/1", "density": None}, {"instance": "file/b/1", "density": None}]
    records = [
        record(key="1", outcome="UNSAT"),
        record(key="2", outcome="UNSAT", **files[0]),
        record(key="3", outcome="UNSAT", **files[1]),
        record(key="4", outcome="SAT", **files[1]),
    ]
    frame = load(records).set_index("key")
    assert frame["false_unsat"].to_dict() == {"1": True, "2": False, "3": True, "4": False}
    assert frame["solved"].to_dict() == {"1": False, "2": True, "3": False, "4": True}


def test_every_source_gives_the_same_frame(tmp_path: Path) -> None:
    records = study(sizes=(10,), boards=2)
    lines, store = tmp_path / "r.jsonl", tmp_path / "r.sqlite"
    lines.write_text("".join(json.dumps(r) + "\n" for r in records), encoding="utf-8")
    with sqlite3.connect(store) as connection:
        columns, marks = ", ".join(f'"{name}"' for name in NAMES), ", ".join("?" * len(NAMES))
        connection.execute(f"CREATE TABLE runs ({columns}, later_field)")
        rows = [tuple(r.values()) for r in reversed(records)]
        connection.executemany(f"INSERT INTO runs ({columns}) VALUES ({marks})", rows)
    connection.close()
    expected = load(records)
    pd.testing.assert_frame_equal(load(lines), expected)
    pd.testing.assert_frame_equal(load(str(store)), expected)
    parquet.write_table(pyarrow.Table.from_pylist(records), tmp_path / "r.parquet")
    pd.testing.assert_frame_equal(load(tmp_path / "r.parquet"), expected)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('{"outcome": "SAT"}\n{"outco', "r.jsonl:2: not a line of JSON"),
        ("[1]", "r.jsonl:1: not a record"),
        ('{"outcome": "SAT", "rows": "many"}', "field rows is no integer"),
        ('{"outcome": "SAT", "rows": 99999999999999999999}', "field rows is no integer"),
        ("[" * 100_000, "not a line of JSON"),
    ],
)
def test_a_file_without_records_is_reported_in_one_line(tmp_path: Path, text: str, says: str) -> None:
    path = tmp_path / "r.jsonl"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(FormatError, match=says):
        load(path)


def test_a_file_that_is_not_there_and_a_database_of_something_else(tmp_path: Path) -> None:
    with pytest.raises(NonosatError, match="no such file"):
        load(tmp_path / "none.jsonl")
    sqlite3.connect(tmp_path / "x.sqlite").execute("CREATE TABLE a (b)").connection.close()
    with pytest.raises(FormatError, match="not a store of runs"):
        load(tmp_path / "x.sqlite")


# survival


def test_kaplan_and_meier_on_the_leukaemia_trial() -> None:
    """6-MP arm of Freireich et al. 1963, as in Kalbfleisch & Prentice and every textbook."""
    times = [6, 6, 6, 7, 10, 13, 16, 22, 23, 6, 9, 10, 11, 17, 19, 20, 25, 32, 32, 34, 35]
    solved = [True] * 9 + [False] * 12
    curve = kaplan_meier(times, solved)
    assert curve.times.tolist() == [6, 7, 10, 13, 16, 22, 23]
    assert curve.at_risk.tolist() == [21, 17, 15, 12, 11, 7, 6]
    assert curve.events.tolist() == [3, 1, 1, 1, 1, 1, 1]
    expected = [0.857143, 0.806723, 0.752941, 0.690196, 0.627451, 0.537815, 0.448179]
    assert curve.survival == pytest.approx(expected, abs=1e-6)
    errors = curve.survival * np.sqrt(curve.greenwood)
    assert errors == pytest.approx([0.0764, 0.0869, 0.0963, 0.1068, 0.1141, 0.1282, 0.1346], abs=1e-4)
    low, high = curve.band()
    # lifelines 0.30.3, KaplanMeierFitter().confidence_interval_ at 6 and 23
    assert (low[0], high[0]) == pytest.approx((0.619718, 0.951552), abs=1e-6)
    assert (low[-1], high[-1]) == pytest.approx((0.188052, 0.680143), abs=1e-6)
    median = curve.median()
    assert (median.value, median.low, median.high) == (23.0, 13.0, math.inf)
    assert curve.restricted_mean(35).value == pytest.approx(23.287395, abs=1e-6)


def test_the_restricted_mean_by_hand() -> None:
    """Steps 1 to 1, 0.8 to 2, 0.6 to 3, 0.3 to 4: 1 + 0.8 + 0.6 + 0.3 = 2.7."""
    curve = kaplan_meier([1, 2, 2, 3, 4], [True, True, False, True, False])
    mean = curve.restricted_mean(4)
    assert mean.value == pytest.approx(2.7)
    variance = 1.7**2 / 20 + 0.9**2 / 12 + 0.3**2 / 2
    assert mean.high - mean.value == pytest.approx(min(1.3, 1.959964 * math.sqrt(variance)), abs=1e-6)
    assert curve.restricted_mean(1).value == 1.0


def test_without_censoring_it_is_the_plain_median_and_mean() -> None:
    curve = kaplan_meier([5, 1, 4, 2, 3], [True] * 5)
    assert curve.median().value == 3.0
    assert curve.restricted_mean(5).value == pytest.approx(3.0)
    assert curve.at(2.5) == pytest.approx(0.6)
    assert curve.survival[-1] == pytest.approx(0)


def test_there_is_one_median() -> None:
    """Kaplan & Meier's is numpy's, where runs over the limit count as longer than all others; so is the bootstrap's."""
    chance = np.random.Generator(np.random.PCG64(3))
    for runs in (*range(1, 30), 1000):
        times = chance.integers(1, 12, runs).astype(float)  # ties, too
        for limit in (12.0, 9.0, 6.0):
            known = np.where(times <= limit, times, math.inf)
            middle = float(np.median(known))
            assert kaplan_meier(np.minimum(times, limit), times <= limit).median().value == middle
            assert intervals.median(known).value == middle
            assert float(pd.Series(known).median()) == statistics.median(known) == middle
    assert kaplan_meier([1, 2, 3, 9], [True, False, True, True]).median().value == 3.0  # S: 3/4, 3/8, 0
    found = kaplan_meier(range(1, 21), [True] * 20).median()
    assert (found.value, found.low <= 10, found.high >= 11) == (10.5, True, True)


def test_all_censored_none_at_all_and_ties() -> None:
    censored = kaplan_meier([10, 10], [False, False])
    assert censored.median().value == math.inf
    assert censored.restricted_mean(10).value == 10.0
    nothing = kaplan_meier([], [])
    assert math.isnan(nothing.median().value)
    assert math.isnan(nothing.restricted_mean(1).value)
    tied = kaplan_meier([2, 2, 2, 2], [True, True, False, True])
    assert tied.survival == pytest.approx([0.25])
    assert tied.median().value == 2.0


def test_leaving_time_outs_out_flatters_and_kaplan_meier_does_not() -> None:
    """Exponential times, limit at the 69th percentile: the median of the finished runs is far below the true one."""
    chance = np.random.Generator(np.random.PCG64(1))
    times, true = chance.exponential(93.2 / math.log(2), 20_000), 93.2
    limit = float(np.quantile(times, 0.69))
    solved = times <= limit
    assert np.median(times[solved]) < 0.65 * true
    assert kaplan_meier(np.minimum(times, limit), solved).median().value == pytest.approx(true, rel=0.03)


# intervals and summaries


def test_wilsons_interval() -> None:
    """Newcombe, Statistics in Medicine 17, 1998, table I: 15 of 148, 0 of 20, 1 of 29."""
    for successes, runs, low, high in [(15, 148, 0.0624, 0.1605), (0, 20, 0, 0.1611), (1, 29, 0.0061, 0.1718)]:
        estimate = intervals.wilson(successes, runs)
        assert (estimate.low, estimate.high) == pytest.approx((low, high), abs=5e-5)
    assert math.isnan(intervals.wilson(0, 0).value)


def test_the_bootstrap_is_the_same_every_time_and_covers() -> None:
    values = np.arange(1.0, 101.0)
    first = intervals.median(values, seed=3)
    assert first == intervals.median(values[::-1], seed=3)
    assert first.value == 50.5
    assert 35 < first.low < 50.5 < first.high < 66
    assert intervals.resamples(3, 2, 0).tolist() == [[1, 0, 0], [0, 2, 2]]
    single = intervals.median([7.0])
    assert (single.value, single.low, single.high) == (7.0, 7.0, 7.0)
    assert math.isnan(intervals.median([math.nan]).value)


def test_a_summary_by_hand() -> None:
    records = [
        record(key="1", solve_s=0.98, instance="a"),
        record(key="2", solve_s=2.98, instance="b", decisions=300),
        record(key="3", solve_s=0.48, instance="c", outcome="WRONG", decisions=5),
        stopped(key="4", instance="d"),
        record(key="5", instance="e", outcome="CRASH", solve_s=None, decisions=None),
        record(key="6", instance="f", outcome="INTERRUPTED", solve_s=None, decisions=None),
    ]
    (told,) = summary.summarise(load(records)).to_dict("records")
    assert (told["runs"], told["solved"], told["wrong"], told["timeout"], told["failed"]) == (6, 2, 1, 1, 1)
    assert (told["interrupted"], told["other"]) == (1, 0)
    assert told["report_runs"] == 3
    assert told["report_left_out"] == 3
    assert told["report_mean_s"] == pytest.approx(1.5)
    assert told["report_mean_decisions"] == pytest.approx(135)
    assert told["par2_s"] == pytest.approx((1 + 3 + 20 + 20 + 20) / 5)
    assert told["share_solved"] == pytest.approx(0.4)
    assert told["solved_median_s"] == pytest.approx(2)
    assert told["km_median_s"] == math.inf  # a wrong picture and a crash never become results
    assert told["km_mean_s"] == pytest.approx(1 + 0.8 * 2 + 0.6 * 7)


def test_groups_are_in_order_of_size() -> None:
    records = [record(key=str(n), rows=n, columns=n, instance=str(n)) for n in (100, 20, 5)]
    told = summary.summarise(load(records), by=["size"])
    assert told["size"].tolist() == ["5x5", "20x20", "100x100"]


def test_limits_that_differ_give_no_par2() -> None:
    frame = load([record(key="1"), stopped(key="2", time_limit_s=20.0)])
    assert math.isnan(summary.describe(frame)["par2_s"])
    assert math.isnan(summary.par2([], [], 1.0))


# the report's parts


def test_wrong_pictures_by_the_parts_of_the_encoding(made: pd.DataFrame) -> None:
    told = castilho2018.wrong_by_reading(made).set_index(["domain_rule", "rules"])
    assert told.loc[("2", "6"), "share"] == 1.0
    assert told.loc[("2alt", "5+6"), "wrong"] == 0


# figures

FIGURES: dict[str, Callable[[pd.DataFrame], Figure]] = {
    "decisions": lambda f: report_figures.decisions_by_fill(f, "minisat22", "20x20"),
    "time": lambda f: report_figures.time_by_fill(f, "minisat22", "20x20", log=False),
    "sizes": lambda f: report_figures.time_by_size(f, "minisat22", "6"),
    "cactus": plots.cactus,
    "cactus-all": lambda f: plots.cactus(f, "configuration", None),
    "scatter": lambda f: plots.scatter(f, *there(f, "2alt/3 · minisat22", "2alt/6 · minisat22")),
    "scatter-decisions": lambda f: plots.scatter(f, *there(f, "2/3 · minisat22", "2alt/3 · minisat22"), "decisions"),
    "share": lambda f: plots.heat(f, "minisat22"),
    "median": lambda f: plots.heat(f, "minisat22", "median"),
    "against": lambda f: plots.decisions_against_time(f, "minisat22"),
    "wrong": plots.wrong_pictures,
}


def there(frame: pd.DataFrame, *names: str) -> list[str]:
    """The configurations; each that the frame has no run of is another that it has."""
    known = frames.values_of(frame, "configuration")
    return [name if name in known or not known else known[0] for name in names]


def texts(figure: Figure) -> str:
    return "\n".join(artist.get_text() for artist in figure.findobj(lambda a: hasattr(a, "get_text")))  # type: ignore[attr-defined]


@pytest.mark.slow
@pytest.mark.parametrize("name", spread(FIGURES, 4))
def test_every_figure_is_drawn_with_its_counts(name: str, made: pd.DataFrame) -> None:
    drawn = FIGURES[name](made[made["label"].isin(FEW) & made["density"].ge(0.3)])
    told = texts(drawn).replace("\n", " ")
    assert "solved" in told
    assert "timed out" in told
    assert "failed" in told
    assert "wrong" in told
    assert style.rendered(drawn, "png").startswith(b"\x89PNG")


NEXT_TO_NOTHING: dict[str, list[dict[str, object]]] = {
    "none": [],
    "one": [record()],
    "stopped": [stopped()],
    "bare": [record(density=None, rows=None, columns=None, decisions=None, encode_s=None)],
    "zero": [record(decisions=0), record(key="2", encoding="2alt/6", parts=None, outcome="WRONG", decisions=0)],
    "failed": [record(outcome="ERROR", solve_s=None, load_s=None, encode_s=None, decisions=None)],
}


@pytest.mark.parametrize(("name", "which"), spread(product(FIGURES, NEXT_TO_NOTHING), 4))
def test_figures_of_next_to_nothing(name: str, which: str) -> None:
    records = NEXT_TO_NOTHING[which]
    drawn = FIGURES[name](load(records))
    drawn.draw_without_rendering()
    if not records:
        assert "no " in texts(drawn)


@pytest.mark.slow
def test_time_outs_and_wrong_pictures_are_marked(made: pd.DataFrame) -> None:
    told = texts(report_figures.decisions_by_fill(made, "minisat22", "20x20"))
    assert "6 ✗" in told
    assert "\n3\n" in f"\n{told}\n"
    runs = made[made["label"].eq("2/3") & made["size"].eq("20x20")]
    line = report_figures.line_of(runs, "3", "time_s", style.look(0))
    assert any(line.hollow) == bool(runs["censored"].any())


@pytest.mark.slow
def test_a_line_breaks_at_a_density_that_only_others_ran(made: pd.DataFrame) -> None:
    here = made["size"].eq("20x20") & made["solver"].eq("minisat22")
    middle = sorted(set(made[here]["density"]))[1]
    figure = report_figures.decisions_by_fill(made[~(here & made["density"].eq(middle))], "minisat22", "20x20")
    every = [line for panel in figure.axes for line in panel.get_lines() if len(line.get_xdata()) > 1]
    joined = [line for line in every if line.get_linestyle() != "None"]  # others are markers
    for line in joined:
        x, finite = line.get_xdata(), np.isfinite(np.asarray(line.get_ydata(), dtype=np.float64))
        assert not any(finite[at] and finite[at + 1] and x[at] < 100 * middle < x[at + 1] for at in range(len(x) - 1))
    assert joined


@pytest.mark.slow
def test_figures_are_the_same_bytes_every_time(made: pd.DataFrame) -> None:
    for form in ("svg", "pdf", "png"):
        one, two = (style.rendered(FIGURES["wrong"](made), form) for _ in range(2))
        assert one == two


@pytest.mark.parametrize(
    "draw",
    [
        lambda frame: plots.scatter(frame, "2alt/3 · minisat22", "2alt/33 · minisat22"),
        lambda frame: plots.along(frame, axes.axes_of(frame)[0], names=["2alt/33"]),
        lambda frame: plots.along(frame, axes.axes_of(frame)[0], names=pd.Series(["2alt/3", "2alt/33"])),
        lambda frame: plots.heat(frame, "minisat2"),
        lambda frame: plots.heat(frame, "minisat22", names=["2alt/33"]),
        lambda frame: plots.decisions_against_time(frame, "minisat2"),
        lambda frame: plots.by_file(frame, axes.axes_of(frame)[0], names=["2alt/33 · minisat22"]),
        lambda frame: ranking.differences(frame, boards.CPU, "2alt/33 · minisat22"),
    ],
)
def test_an_unknown_name_is_refused_and_no_empty_figure(made: pd.DataFrame, draw: Callable[..., object]) -> None:
    with pytest.raises(UnknownNameError, match=r"unknown .*2alt/33.*did you mean|unknown solver 'minisat2'.*minisat22"):
        draw(made)


@pytest.mark.parametrize(
    ("draw", "message"),
    [
        (lambda frame: plots.along(frame, "sizes"), "unknown axis 'sizes'; known: .*size"),
        (lambda frame: plots.by_file(frame, "files"), "unknown axis 'files'"),
        (lambda frame: plots.cactus(frame, "labels"), "unknown column 'labels'"),
        (lambda frame: plots.cactus(frame, "label", clock="cpu"), "unknown measure 'cpu'; known: total, solve"),
        (lambda frame: ranking.ranking(frame, "cpu"), "unknown measure 'cpu'; known: total, solve"),
    ],
)
def test_axes_and_clocks_go_by_names(made: pd.DataFrame, draw: Callable[..., object], message: str) -> None:
    with pytest.raises(UnknownNameError, match=message):
        draw(made)


@pytest.mark.slow
def test_names_and_what_they_name_draw_the_same(made: pd.DataFrame) -> None:
    size = axes.axis_of(made, "size")
    by_name, by_axis = (style.rendered(plots.along(made, one), "png") for one in ("size", size))
    assert by_name == by_axis
    assert ranking.ranking(made, "total").equals(ranking.ranking(made, boards.clock_of(made)))


def test_hostile_names_are_drawn_as_they_are() -> None:
    frame = load([record(solver=HOSTILE), record(solver=HOSTILE, key="2", encoding=HOSTILE, parts=None)])
    for figure in (plots.cactus(frame), plots.wrong_pictures(frame), plots.heat(frame, HOSTILE)):
        assert style.rendered(figure, "svg").startswith(b"<?xml")


def test_looks_differ() -> None:
    assert len({style.look(i) for i in range(42)}) == 42
    assert style.looks(["2/6"]) == {"2/6": style.looks(["3", "6"])["6"]}
