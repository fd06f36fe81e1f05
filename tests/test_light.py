"""What ``auto`` does before it loads code: the same answers as any other way, for a bounded amount of work."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from brute import pictures, random_puzzle
from sampling import repeated

import nonosat
from nonosat.generators.density import random_density
from nonosat.puzzles.nonogram import Nonogram
from nonosat.runs.events import Event, Finished, Found
from nonosat.solvers.auto import light
from nonosat.solvers.solve import request_of


def searched(puzzle: Nonogram) -> tuple[bool, list[Event]]:
    """What the light search says, and whether it is done."""

    def collected() -> Iterator[Event]:
        nonlocal done
        done = yield from light.search(puzzle, None)

    done = False
    events = list(collected())
    return done, events


@pytest.mark.parametrize("number", repeated(150, 1500))
@pytest.mark.parametrize("lines", [30, 1000])
def test_what_it_finds_is_what_brute_force_finds(number: int, lines: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(light, "LINES", lines)
    rng = np.random.default_rng(5)
    seen: set[int | None] = set()
    for _ in range(number):
        puzzle = random_puzzle(rng, 5)
        done, events = searched(puzzle)
        found = [puzzle.picture(event.cells) for event in events if isinstance(event, Found)]
        if done:
            assert set(found) == pictures(puzzle)
            assert len(found) == len(set(found))
            assert isinstance(events[-1], Finished)
            assert events[-1].exhausted
        assert done or not found
        seen.add(min(len(found), 2) if done else None)
    assert seen == ({0, 1, 2} if lines == 1000 else {None, 0, 1, 2})


def once(puzzle: Nonogram, **how: Any) -> nonosat.Answer:
    """The answer of a process that solves nothing else."""
    asked: dict[str, Any] = dict.fromkeys(("encoding", "time_limit_s", "cpu_limit_s", "memory_limit_mb"))
    return request_of(puzzle, **asked | {"solver": "auto", "count": 1, "unique": False} | how).solved(once=True)


def test_one_of_several_is_not_all() -> None:
    answer = once(Nonogram.from_lengths([[1], [1]], [[1], [1]]))
    assert len(answer.pictures) == 1
    assert not answer.exhausted
    assert answer.reason == "by lines, probing and guesses"
    assert (answer.statistics.nodes, answer.statistics.probes) == (2, 8)


def test_what_is_too_much_is_for_the_other_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(light, "LINES", 400)
    answer = once(Nonogram.from_lengths([[1]] * 6, [[1]] * 6), count=None)
    assert len(answer.pictures) == 720
    assert answer.exhausted
    assert "lines, probing and guesses" not in str(answer.reason)


@pytest.mark.parametrize("limited", [False, True])
def test_with_limits_and_in_a_library_it_is_not_used(limited: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(light, "LightTree", None)
    puzzle = random_density(10, 10, 0.6, seed=1)
    assert (once(puzzle, time_limit_s=60) if limited else nonosat.solve(puzzle)).unique


def test_a_small_solve_imports_neither_numpy_nor_a_compiler(tmp_path: Path) -> None:
    nonosat.save(random_density(10, 10, 0.6, seed=1), tmp_path / "board.json")
    code = (
        "import os, sys; sys.argv = ['nonosat', 'solve', 'board.json']\n"
        "leave = os._exit\n"
        "os._exit = lambda code: leave(99 if {'numpy', 'llvmlite', 'pysat'} & set(sys.modules) else code)\n"
        "from nonosat.start import run; run()"
    )
    assert subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, check=False).returncode == 10
