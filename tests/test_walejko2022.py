"""Wałejko's tables: the thesis' figures, what is made of records, and the studies that make those."""

from __future__ import annotations

import csv
import io
import re
import shutil
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from records_made import record, stopped
from sampling import spread
from walejko2022.analysis import COUNTERS, PICTURES, TABLES, cells, markdown, tables, write

from nonosat.cli import cli
from nonosat.studies.analysis.frames import load
from nonosat.studies.checking import check
from nonosat.studies.plan import instances, solvers_of
from nonosat.studies.records import Record
from nonosat.studies.study import read

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "experiments/walejko2022"
STUDIES = [FOLDER / "walejko2022.toml", FOLDER / "walejko2022-exhaustive.toml"]


def run(picture: str, solver: str, repetition: int, seconds: float = 0.001, **values: Any) -> Record:
    """A run on a picture as the studies leave it: ``20-cherries.png``; TIMEOUT: stopped."""
    side = int(picture.partition("-")[0])
    told: dict[str, Any] = {
        "key": f"{picture} {solver} {repetition}", "instance": f"file/{picture}/1", "source": picture, "rows": side,
        "columns": side, "kind": "nonogram", "density": None, "seed": None, "encoding": None, "parts": None,
        "sound": None, "solver": solver, "family": "own", "repetition": repetition, "time_limit_s": 300.0,
        "solve_s": seconds, "solve_cpu_s": seconds, "wall_s": seconds, "decisions": None, "conflicts": None,
        "started": f"2026-01-01T00:00:0{repetition}.000Z",
    }  # fmt: skip
    told |= values
    return stopped(**told) if values.get("outcome") == "TIMEOUT" else record(**told)


def runs(picture: str, solver: str, *seconds: float, **values: Any) -> list[Record]:
    return [run(picture, solver, number, each, **values) for number, each in enumerate(seconds)]


def only(records: list[Record]) -> dict[str, Any]:
    """The one cell of these records; ``axis`` is in one table."""
    (cell,) = cells(load(records)).to_dict("records")
    return {str(name): value for name, value in cell.items()}


def texts(records: list[Record], number: str) -> dict[str, list[str]]:
    """The rows of a table by puzzle."""
    made = {name: table for name, _, table in tables(load(records))}
    return {row[0]: list(row[2:]) for row in made[f"walejko-{number}"].itertuples(index=False, name=None)}


def rows_of(path: Path) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(path.read_text(encoding="utf-8"))))


def test_the_thesis_figures_are_complete() -> None:
    for table in TABLES:
        assert list(table.thesis) == list(PICTURES)[: len(table.thesis)]
        assert {len(row) for row in table.thesis.values()} == {len(table.columns)}
    base, queue = TABLES[2].thesis, TABLES[3].thesis
    assert [row[0] for row in base.values()] == [row[0] for row in queue.values()]  # lifo is the base
    assert base["Demon"] == (1787, 1817, 1806, 1800, 1822)
    assert queue["Ranger"][5] == 59
    assert TABLES[1].thesis["Shield"] == (None, 3)


def test_the_studies_have_the_runs_of_all_cells() -> None:
    have = set()
    for path in STUDIES:
        study = read(str(path))
        assert not check(study).problems
        assert (study.name, study.repetitions, study.settings.limits.cpu_s) == ("walejko2022", 5, 300)
        solvers = [solver.name for solver in solvers_of(study)]
        for instance in instances(study):
            name = Path(instance.source).stem.split("-")[1].capitalize()
            have.update((name, solver) for solver in solvers)
    assert have == {(name, solver) for table in TABLES for name in table.thesis for _, _, solver in table.columns}


def test_the_fastest_and_the_slowest_are_dropped() -> None:
    cell = only(runs("08-jellyfish.png", "axis", 9.0, 1.0, 2.0, 3.0, 0.5, lines_checked=7))
    assert (cell["table"], cell["puzzle"], cell["size"], cell["column"]) == ("4.2", "Jellyfish", 8, "plain")
    assert (cell["runs"], cell["outcome"], cell["limit_s"]) == (5, "SAT", 300)
    assert cell["ms"] == pytest.approx(2000)
    assert (cell["thesis_ms"], cell["faster"]) == (463, pytest.approx(463 / 2000))
    assert cell["lines_checked"] == 7
    spent = [run("08-jellyfish.png", "axis", number, 0.1 * number**2, solve_cpu_s=1.0) for number in range(5)]
    assert only(spent)["wall_ms"] == pytest.approx(1400 / 3)
    assert only(spent)["ms"] == pytest.approx(1000)
    assert cells(load(runs("08-jellyfish.png", "axis", 1.0)))[[*COUNTERS]].isna().all(axis=None)


@pytest.mark.parametrize(
    ("seconds", "ms", "text"),
    spread(
        [
            ((1.0,), None, "runs: 1 (0)"),
            ((1.0, 2.0), None, "runs: 2 (0)"),
            ((5.0, 0.002, 0.001), 2, "2 (0)"),
            ((5.0, 0.002, 0.001, 0.0045), 3.25, "3.25 (0)"),
            ((9.0, 1.0, 2.0, 3.0, 0.5, 0.1, 8.0), 2900, "2,900 (0)"),
        ],
        2,
    ),
)
def test_other_numbers_of_runs(seconds: tuple[float, ...], ms: float | None, text: str) -> None:
    records = runs("03-cross.png", "axis", *seconds)
    cell = only(records)
    assert cell["runs"] == len(seconds)
    assert cell["ms"] == pytest.approx(ms, nan_ok=True) if ms is not None else cell["ms"] != cell["ms"]
    assert cell["faster"] != cell["faster"]  # the thesis' is rounded to 0
    assert texts(records, "4.2") == {"Cross": [text, ""]}


def test_what_was_over_the_limit_once_is_exceeded() -> None:
    over = run("10-dog.png", "axis", 4, 300.0, outcome="TIMEOUT")
    assert only([over])["outcome"] == "TIMEOUT"
    records = [*runs("10-dog.png", "axis", 1.0, 1.0, 1.0, 1.0), over]
    cell = only(records)
    assert (cell["runs"], cell["outcome"], cell["thesis_ms"]) == (5, "TIMEOUT", 12004)
    assert cell["ms"] != cell["ms"]
    records += runs("10-dog.png", "axis+partial", *[0.5] * 5)
    records += runs("10-shield.png", "axis", *[300.0] * 5, outcome="TIMEOUT")
    assert texts(records, "4.2") == {"Shield": ["x (x)", ""], "Dog": ["x (12,004)", "500 (1)"]}


def test_missing_results_have_a_reason() -> None:
    full = run("10-dog.png", "axis", 3, outcome="MEMOUT")
    records = [*runs("10-dog.png", "axis", 1.0, 1.0, 1.0), full]
    assert texts(records, "4.2") == {"Dog": ["MEMOUT (12,004)", ""]}
    records.append(run("10-dog.png", "axis", 4, outcome="TIMEOUT"))
    assert only(records)["outcome"] == "TIMEOUT"
    ended = run("10-dog.png", "axis", 3, outcome="INTERRUPTED")
    assert only([*runs("10-dog.png", "axis", 1.0, 1.0, 1.0), ended])["runs"] == 3


def test_a_solver_of_two_tables_is_in_both_and_counted_once() -> None:
    records = runs("32-demon.png", "elimination", *[0.01] * 5) + runs("32-demon.png", "minisat22", *[0.01] * 5)
    made = {name: table for name, _, table in tables(load(records))}
    assert list(made) == ["walejko-4.3", "walejko-4.4", "walejko-faster", "walejko-cells"]
    assert made["walejko-4.4"].iloc[0].tolist() == ["Demon", 32, "10 (1,787)", "", "", "", "", ""]
    (row,) = made["walejko-faster"].to_dict("records")
    assert (row["puzzles"], row["solved"], row["compared"]) == (1, 1, 1)
    assert row["median"] == pytest.approx(178.7)


def test_other_puzzles_are_not_the_thesis() -> None:
    records = [
        *runs("03-triangle.png", "axis", *[1.0] * 5),
        *runs("04-cross.png", "axis", *[1.0] * 5),  # of another size
        *runs("05-flame.png", "axis", *[1.0] * 5, columns=6),
        *runs("08-candy.png", "axis", *[1.0] * 5, rows=6),
        record(),
    ]
    assert list(tables(load(records))) == []
    assert list(tables(load([]))) == []


def test_what_was_stated_last_counts() -> None:
    old = runs("10-shield.png", "axis+partial", *[20.0] * 5, time_limit_s=20.0, outcome="TIMEOUT")
    later = {"started": "2026-02-01T00:00:00.000Z"}
    new = runs("10-shield.png", "axis+partial", *[0.003] * 5, time_limit_s=300.0, **later)
    redrawn = runs("10-shield.png", "axis+partial", *[0.004] * 5, instance="file/other/1", **later)
    for records, ms in ((old + new, 3), (new + old, 3), (runs("10-shield.png", "axis+partial", 9, 9, 9) + redrawn, 4)):
        cell = only(records)
        assert (cell["runs"], cell["limit_s"], cell["ms"]) == (5, 300, pytest.approx(ms))


def test_what_is_written(tmp_path: Path) -> None:
    records = runs("08-candy.png", "exhaustive", 300.0, outcome="TIMEOUT")
    records += [run("05-flame.png", "exhaustive", number, 0.0152, load_average=0.5 * number) for number in range(5)]
    records.append(record(load_average=9.0))
    write(load(records), tmp_path, "a machine")
    rows = rows_of(tmp_path / "tables.csv")
    assert [(row["puzzle"], row["outcome"], row["ms"]) for row in rows] == [
        ("Flame", "SAT", "15.2"),
        ("Candy", "TIMEOUT", ""),
    ]
    text = (tmp_path / "tables.md").read_text()
    assert "Milliseconds of a machine, in a process a run: the mean of 5 runs" in text
    assert "limit 300 s. CPU time, since others used the machine, whose load was 0.0 to 2.0" in text
    assert "| Flame | 5 | 15.2 (46) |\n| Candy | 8 | x (x) |\n" in text
    assert "| exhaustive | 2 | 1 | 1 | 3.0 | 3.0 | 3.0 |" in text


@pytest.mark.slow
def test_the_results_are_those_of_their_records() -> None:
    frame, folder = load(ROOT / "results/walejko2022.parquet"), ROOT / "results/walejko2022"
    kept = (folder / "tables.md").read_text(encoding="utf-8")
    machine = re.search(r"^Milliseconds of (.*), in a process a run", kept, re.MULTILINE)
    assert machine is not None
    assert kept == markdown(frame, machine[1])
    assert len(rows_of(folder / "tables.csv")) == len(cells(frame)) == 238


@pytest.mark.slow
def test_from_the_study_to_the_report(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The studies as they come, on the smallest picture: both in one store, and in one report."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pictures").mkdir()
    (tmp_path / "pictures/03-cross.png").write_bytes((ROOT / "examples/pictures/03-cross.png").read_bytes())
    shutil.copy(FOLDER / "analysis.py", tmp_path)
    for path in STUDIES:
        text = re.sub(
            r"^files = .*", 'files = ["pictures/*.png"]', path.read_text(encoding="utf-8"), flags=re.MULTILINE
        )
        (tmp_path / path.name).write_text(text.replace("repetitions = 5", "repetitions = 3"), encoding="utf-8")
        done = CliRunner().invoke(cli, ["study", "run", path.name, "--jobs", "1"])
        assert done.exit_code == 0, done.output
    done = CliRunner().invoke(cli, ["study", "report", *(path.name for path in STUDIES), "--format", "svg"])
    assert done.exit_code == 0, done.output
    report = tmp_path / "walejko2022-report"
    rows = rows_of(report / "tables/walejko-cells.csv")
    assert [row["table"] for row in rows] == ["4.1"] + ["4.2"] * 2 + ["4.3"] * 5 + ["4.4"] * 6
    assert all((row["outcome"], row["runs"]) == ("SAT", "3") and float(row["ms"]) > 0 for row in rows)
    page = (report / "index.html").read_text(encoding="utf-8")
    assert all(f"Table {table.number}: {table.title}, ms" in page for table in TABLES)
