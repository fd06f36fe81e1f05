"""One command makes every figure of results/ again, byte for byte (of equal versions of matplotlib and its fonts)."""

from __future__ import annotations

import runpy
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_every_committed_figure_is_made_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["figures.py", str(tmp_path)])
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
    runpy.run_path(str(ROOT / "benchmarks/figures.py"), run_name="__main__")
    committed = {path.relative_to(ROOT / "results") for path in (ROOT / "results").rglob("*.png")}
    made = {path.relative_to(tmp_path) for path in tmp_path.rglob("*.png")}
    assert made == committed
    other = [
        str(path) for path in sorted(made) if (tmp_path / path).read_bytes() != (ROOT / "results" / path).read_bytes()
    ]
    assert other == [], "make figures, and look at what has changed"
