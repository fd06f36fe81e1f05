"""Files with many puzzles: a study on anybody's folder, and the table of what was solved in each file."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest
from records_made import record, stopped

from nonosat.errors import FormatError
from nonosat.studies.analysis.axes import axes_of
from nonosat.studies.analysis.boards import clock_of
from nonosat.studies.analysis.frames import load
from nonosat.studies.analysis.report.tables import ALL, ReportedStudy, by_collection
from nonosat.studies.analysis.report.write import sheets
from nonosat.studies.plan import instances
from nonosat.studies.records import Record
from nonosat.studies.study import read

STUDY = Path(__file__).parents[1] / "experiments/tournaments/tournament.toml"
TWO = "$1\n1\n1\n1\n1\n$2\n2\n2\n2\n2\n"


def test_a_folder_is_named_by_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "a [b]"
    folder.mkdir()
    (folder / "one.txt").write_text(TWO)
    (folder / "two.txt").write_text("$1\n1\n\n1\n\n")
    monkeypatch.setenv("PUZZLES", str(folder))
    found = [(instance.source, instance.index) for instance in instances(read(str(STUDY)))]
    assert found == [("one.txt", 1), ("two.txt", 1), ("one.txt", 2)], "a puzzle of each file in turn"
    monkeypatch.setenv("PUZZLES", str(tmp_path))
    with pytest.raises(FormatError, match=r"files: \*?.*txt matches no file"):
        list(instances(read(str(STUDY))))
    monkeypatch.delenv("PUZZLES")
    with pytest.raises(FormatError, match=r"files: .PUZZLES is not set: say PUZZLES=FOLDER before the command"):
        list(instances(read(str(STUDY))))


def run(file: str, number: int, solver: str, seconds: float | None) -> Record:
    """A run on a puzzle of a file, within 10 s; None: over the limit."""
    told: dict[str, Any] = {
        "key": f"{file} {number} {solver}", "instance": f"file/{file}/{number}", "source": file, "density": None,
        "seed": None, "solver": solver, "cpu_limit_s": 10.0, "time_limit_s": None,
    }  # fmt: skip
    if seconds is None:
        return stopped(**told, outcome="CPUOUT", cpu_s=10.1, wall_s=12.0)
    return record(**told, encode_cpu_s=0.0, load_cpu_s=0.0, solve_cpu_s=seconds, cpu_s=seconds)


def test_what_each_solver_made_of_each_file() -> None:
    times = {("a.txt", 1): (1.0, 3.0), ("a.txt", 2): (2.0, None), ("b.txt", 1): (4.0, 1.0), ("b.txt", 2): (5.0, 1.0)}
    frame = load([run(*at, solver, one) for at, both in times.items() for solver, one in zip("xy", both, strict=True)])
    frame = frame.assign(configuration=frame["solver"])
    table = by_collection(frame, clock_of(frame)).set_index(["file", "configuration"])
    assert list(table.index) == [("a.txt", "x"), ("a.txt", "y"), ("b.txt", "y"), ("b.txt", "x"), (ALL, "x"), (ALL, "y")]
    assert table["solved"].tolist() == [2, 1, 2, 2, 4, 3]
    assert table["sum_s"].tolist() == [3.0, 13.0, 2.0, 9.0, 12.0, 15.0], "an unsolved run counts as its limit"
    assert table.loc[(ALL, "y"), "median_s"] == 2.0, "of 1, 1, 3 and more than the limit"
    assert table.loc[("a.txt", "y"), "most_s"] == 3.0


def test_only_puzzles_that_all_have_run_on_count() -> None:
    whole = [run("a.txt", number, solver, 1.0) for number in (1, 2, 3) for solver in "xy"]
    frame = load(whole[:-1])
    table = by_collection(frame, clock_of(frame))
    assert table["puzzles"].tolist() == [2, 2]
    assert not math.isnan(table["sum_s"].sum())
    single = load([run(f"{name}.txt", 1, solver, 1.0) for name in "abc" for solver in "xy"])
    assert by_collection(single, clock_of(single)).empty, "files of one puzzle are told of by the figure"


def test_files_of_one_name_are_told_apart() -> None:
    rows = [run(f"{digest * 32}", 1, solver, 1.0) | {"source": "one.csp"} for digest in "ab" for solver in "xy"]
    [axis] = [axis for axis in axes_of(load(rows)) if axis.name == "file"]
    assert axis.values == ("one.csp (aaaaaa)", "one.csp (bbbbbb)")
    assert by_collection(load(rows), clock_of(load(rows))).empty, "two files of one model each"
    whole = load([*rows, *[run("c", number, solver, 1.0) for number in (1, 2) for solver in "xy"]])
    assert set(by_collection(whole, clock_of(whole))["file"]) == {"c"}


@pytest.mark.slow
def test_the_page_has_the_table() -> None:
    frame = load([run("a.txt", number, solver, 1.0) for number in (1, 2, 3) for solver in "xy"])
    found = {
        made.name: made for section, made in sheets(ReportedStudy(frame, "made", "", {}, 0)) if section == "The result"
    }
    table = found["by-collection"]
    assert "an unsolved run counts as its limit" in [column.meaning for column in table.columns]
    assert [cell.text for cell in table.cells()[0]][:4] == ["a.txt", "2alt/3 · x", "3", "3"]
    assert (table.heads()[2], table.caption[:33]) == ("boards", "By file and solver: boards solved")
    models = ReportedStudy(frame.assign(kind="model"), "made", "", {}, 0)
    found = {made.name: made for _, made in sheets(models)}
    table = found["by-collection"]
    assert (table.heads()[2], table.caption[:33]) == ("models", "By file and solver: models solved")
    assert found["by-file"].heads() == ["configuration", "a.txt 1, s", "a.txt 2, s", "a.txt 3, s"]
    assert "limit 10 s" in table.caption
    alone = load([run(f"{name}.txt", 1, solver, 1.0) for name in "abc" for solver in "xy"])
    assert "by-collection" not in {made.name for _, made in sheets(ReportedStudy(alone, "made", "", {}, 0))}
