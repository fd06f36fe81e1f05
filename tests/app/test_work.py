"""What runs aside is killed at its limits, and its refusals come through."""

from __future__ import annotations

import operator
import os
import time

import pytest

from nonosat.app import jobs as module
from nonosat.app.jobs import call_isolated
from nonosat.app.requests import RequestError
from nonosat.puzzles.formats import loads
from nonosat.puzzles.formats.share import shared
from nonosat.puzzles.nonogram import Nonogram


def test_what_it_returns_comes_back_from_another_process() -> None:
    assert call_isolated(operator.add, 2, 3) == 5
    assert call_isolated(os.getpid) != os.getpid()


@pytest.mark.slow
def test_a_refusal_comes_back_as_its_line() -> None:
    with pytest.raises(RequestError, match=r"^pasted:1: the string is damaged: "):
        call_isolated(loads, "n1wrong", "share", "pasted")
    assert call_isolated(shared, Nonogram.from_lengths([[1]], [[1]])).startswith("n1")


def test_time_and_memory_are_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "WALL_S", 0.5)
    begin = time.monotonic()
    with pytest.raises(RequestError, match=r"given up: .*0\.5"):
        call_isolated(time.sleep, 1000)
    assert time.monotonic() - begin < 1000 / 2
    monkeypatch.setattr(module, "WALL_S", 120)
    monkeypatch.setattr(module, "MEMORY_MB", 200)
    with pytest.raises(RequestError, match="given up: out of memory"):
        call_isolated(operator.mul, b"1", 2**31)


def test_a_run_that_dies_is_reported_in_one_line() -> None:
    with pytest.raises(RequestError, match=r"^that was given up: [^\n]*$"):
        call_isolated(os.abort)
    with pytest.raises(RequestError, match=r"^that was given up: [^\n]*ZeroDivisionError[^\n]*$"):
        call_isolated(operator.truediv, 1, 0)
