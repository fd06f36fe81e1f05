"""A study that is killed at any moment goes on: nothing lost, nothing twice, nobody left behind."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).parents[1] / "benchmarks"


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="limits need Linux")
def test_a_study_that_is_killed_again_and_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Four kills of a study of 288 runs; benchmarks/kill_study.py does 50 of a larger one."""
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    import kill_study

    told = kill_study.killed_again_and_again(tmp_path, kill_study.STUDY.replace("count = 21", "count = 2"), 4, 3.0)
    assert (told.kills, told.runs) == (4, 288)
    assert told.good, told
