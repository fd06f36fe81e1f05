"""What is committed in results/ is what the records there say, by the command that makes it again."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import matplotlib
import pytest

ROOT = Path(__file__).parents[1]
DRAWN_BY = "3.11.2"
"""The version whose figures are committed: another one may draw other bytes."""


@pytest.mark.slow
def test_every_figure_and_table_is_made_again(tmp_path: Path) -> None:
    command = [sys.executable, str(ROOT / "benchmarks/figures.py"), str(tmp_path)]
    subprocess.run(command, check=True, capture_output=True)
    made = sorted(path.relative_to(tmp_path) for path in tmp_path.rglob("*") if path.is_file())
    assert len(made) == 36
    for path in made:
        if path.suffix != ".png" or matplotlib.__version__ == DRAWN_BY:
            assert (tmp_path / path).read_bytes() == (ROOT / "results" / path).read_bytes(), path
    drawn = {path.relative_to(ROOT / "results") for path in (ROOT / "results").rglob("*.png")}
    assert drawn <= set(made)
