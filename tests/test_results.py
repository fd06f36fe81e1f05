"""What is committed in results/ is what the records there say, by the command that makes it again."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

import matplotlib
import pytest

from nonosat.studies.analysis.frames import load

ROOT = Path(__file__).parents[1]
DRAWN_BY = "3.11.2"
"""The version whose figures are committed: another one may draw other bytes."""


@pytest.mark.slow
def test_every_figure_and_table_is_made_again(tmp_path: Path) -> None:
    command = [sys.executable, str(ROOT / "benchmarks/figures.py"), str(tmp_path)]
    subprocess.run(command, check=True, capture_output=True)
    made = sorted(path.relative_to(tmp_path) for path in tmp_path.rglob("*") if path.is_file())
    assert len(made) == 38
    for path in made:
        if path.suffix != ".png" or matplotlib.__version__ == DRAWN_BY:
            assert (tmp_path / path).read_bytes() == (ROOT / "results" / path).read_bytes(), path
    drawn = {path.relative_to(ROOT / "results") for path in (ROOT / "results").rglob("*.png")}
    assert drawn <= set(made)


def records_told() -> list[tuple[Path, str, str]]:
    """Of every README in experiments/ its table of records: the file, the number of runs, CPU hours."""
    line = re.compile(r"^\| \[[\w-]+\]\(([\w./-]+\.parquet)\) \| ([\d,]+) \| ([\d.]+) \|$", re.MULTILINE)
    pages = sorted((ROOT / "experiments").glob("*/README.md"))
    return [
        ((page.parent / path).resolve(), runs, hours)
        for page in pages
        for path, runs, hours in line.findall(page.read_text(encoding="utf-8"))
    ]


def test_every_study_says_how_many_runs_its_records_have() -> None:
    told = records_told()
    assert {path for path, _, _ in told} == set((ROOT / "results").rglob("*.parquet"))
    for path, runs, hours in told:
        frame = load(path)
        assert (runs, hours) == (f"{len(frame):,}", f"{frame['cpu_s'].sum() / 3600:.2f}"), path


def test_an_analysis_imports_what_is_public() -> None:
    scripts = sorted((ROOT / "experiments").glob("*/analysis.py"))
    assert len(scripts) == 5
    for script in scripts:
        for node in ast.walk(ast.parse(script.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and str(node.module).partition(".")[0] == "nonosat":
                assert node.module == "nonosat" or str(node.module).startswith("nonosat.studies.analysis"), script
                assert not any(alias.name.startswith("_") for alias in node.names), script
