"""The thesis' tables: its figures, the protocol, and what is written; on the smallest pictures."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from click.testing import CliRunner

from nonosat.cli import cli
from nonosat.errors import NonosatError, UnsupportedError
from nonosat.experiments import walejko2022 as study
from nonosat.experiments.machine import machine
from nonosat.generators.density import random_density
from nonosat.puzzles.formats import save
from nonosat.solvers.registry import solver

PICTURES = Path(__file__).parents[1] / "examples" / "pictures"


def test_the_thesis_figures_are_complete() -> None:
    for table in study.TABLES:
        assert list(table.thesis) == list(study.PICTURES)[: len(table.thesis)]
        assert {len(row) for row in table.thesis.values()} == {len(table.columns)}
        for _, _, name in table.columns:
            assert solver(name).name == name
    base, queue = study.TABLES[2].thesis, study.TABLES[3].thesis
    assert [row[0] for row in base.values()] == [row[0] for row in queue.values()]  # lifo is the base
    assert base["Demon"] == (1787, 1817, 1806, 1800, 1822)
    assert queue["Ranger"][5] == 59
    assert study.TABLES[1].thesis["Shield"] == (None, 3)


def test_the_protocol(monkeypatch: pytest.MonkeyPatch) -> None:
    puzzles = {name: study.pictures_in(PICTURES)[name] for name in ("Cross", "Jellyfish")}
    seconds = iter([9.0, 1.0, 2.0, 3.0, 0.5] * 50)
    real = study.solve

    def timed(*args: object, **named: object) -> object:
        answer = real(*args, **named)  # type: ignore[arg-type]
        if named.get("time_limit_s") is None and answer.statistics.solve_s is not None:
            object.__setattr__(answer.statistics, "solve_s", next(seconds))
        return answer

    monkeypatch.setattr(study, "solve", timed)
    told: list[str] = []
    results = list(study.measure(puzzles, study.TABLES[1:2], limit_s=30, on_progress=told.append))
    assert [(r.puzzle, r.column) for r in results] == [
        *(("Cross", "plain"), ("Jellyfish", "plain")),
        *(("Cross", "partial verification"), ("Jellyfish", "partial verification")),
    ]
    assert all(result.verdict == "SAT" and result.runs == 5 for result in results)
    assert told[0] == "table 4.2: Cross with axis"
    # one run before the five takes a figure too: 9 | 1 2 3 0.5 9 -> 1 2 3; the next ones are shifted by one
    assert results[0].ms == pytest.approx(2000.0)
    assert results[1].thesis_ms == 463
    assert results[0].ratio is None  # the thesis says 0


def test_what_takes_too_long_is_exceeded() -> None:
    puzzles = {"Candy": study.pictures_in(PICTURES)["Candy"]}
    (result,) = study.measure(puzzles, study.TABLES[:1], limit_s=0.3)
    assert (result.verdict, result.ms, result.runs, result.thesis_ms) == ("TIMEOUT", None, 0, None)
    text = study.markdown([result], 0.3, 5, "a machine")
    assert "| Candy | 8 | x (x) |" in text
    with pytest.raises(UnsupportedError, match="three are the fewest"):
        list(study.measure(puzzles, runs=2))


def test_bad_folders(tmp_path: Path) -> None:
    with pytest.raises(NonosatError, match="no such file or directory"):
        study.pictures_in(tmp_path / "none")
    with pytest.raises(NonosatError, match="none of the thesis' pictures"):
        study.pictures_in(tmp_path)
    save(random_density(4, 4, 0.5, 1), tmp_path / "cross.mk")
    with pytest.raises(NonosatError, match="Cross is 4x4; the thesis' has 3 a side"):
        study.pictures_in(tmp_path)
    save(random_density(3, 3, 0.5, 1), tmp_path / "cross.mk")
    save(random_density(3, 3, 0.5, 1), tmp_path / "03-cross.mk")
    with pytest.raises(NonosatError, match="Cross is in the folder twice"):
        study.pictures_in(tmp_path)


def test_the_command(tmp_path: Path) -> None:
    boards = tmp_path / "boards"
    boards.mkdir()
    save(study.pictures_in(PICTURES)["Cross"], boards / "03-cross.json")
    done = CliRunner().invoke(cli, ["bench", str(boards), "-o", str(tmp_path / "out"), "--runs", "3", "--limit", "5"])
    assert done.exit_code == 0, done.output
    rows = list(csv.DictReader(io.StringIO((tmp_path / "out" / "tables.csv").read_text())))
    assert len(rows) == 1 + 2 + 5 + 6
    assert {row["puzzle"] for row in rows} == {"Cross"}
    assert float(rows[3]["ms"]) > 0
    shown = (tmp_path / "out" / "tables.md").read_text()
    assert shown.count("| Cross | 3 |") == 4
    assert machine() in shown
    done = CliRunner().invoke(cli, ["bench", str(boards), "-o", str(tmp_path / "out"), "--table", "5"])
    assert "unknown table '5'; known: 4.1, 4.2, 4.3, 4.4" in str(done.exception)
