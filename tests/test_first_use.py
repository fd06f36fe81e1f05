"""The tutorials, by somebody who has an empty folder and the wheel: tests/first_use.py."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import first_use
import pytest
from pages import PAGES, saved

needs_wheel = pytest.mark.skipif(
    "NONOSAT_WHEEL" not in os.environ, reason="the wheel is there with make test-nightly TESTED=wheel"
)


@pytest.mark.slow
@pytest.mark.nightly
@needs_wheel
@pytest.mark.parametrize("page", first_use.TUTORIALS)
def test_the_tutorials_can_be_followed(page: str, tmp_path: Path) -> None:
    """From the interpreter below the environment that tests run in, since that is what makes a new one."""
    python = Path(sys.base_prefix) / "bin" / "python3"
    faults, _ = first_use.follow(page, tmp_path, Path(os.environ["NONOSAT_WHEEL"]) / "dist", python)
    assert faults == []


def test_the_commands_of_a_tutorial_are_read() -> None:
    assert list(saved("docs/tutorial/first-study.md")) == ["my-study.toml"]
    assert list(saved("docs/tutorial/first-booklet.md")) == ["cat.pbm"]
    for page in first_use.TUTORIALS:
        typed = first_use.lines(page)
        assert [line for line, _ in typed[1:3]][1] == "pip install nonosat"
        assert {code for _, code in typed} >= {0, 10}
        promised = [name.partition("*")[0].rpartition("/")[0] or name for name in first_use.PROMISED[page]]
        assert all(name in PAGES[page] for name in promised)
