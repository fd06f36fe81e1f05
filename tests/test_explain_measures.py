"""Difficulty from explanations, and boards that take a technique."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from test_cli import GCHQ, complaint, run

from nonosat.generators.density import random_density
from nonosat.generators.wishes import judge
from nonosat.puzzles.formats import load
from nonosat.puzzles.nonogram import Nonogram
from nonosat.solvers.explain.explaining import explain
from nonosat.solvers.explain.measures import explained, needs
from nonosat.solvers.explain.techniques import hardest


def test_what_is_counted() -> None:
    puzzle = random_density(8, 8, 0.55, 3)
    steps = list(explain(puzzle))
    about = explained(puzzle)
    assert sum(about.steps.values()) == len(steps)
    assert about.hardest == hardest(step.technique for step in steps) == list(about.steps)[-1]
    assert about.widest == max(len(step.constraints) for step in steps)
    assert about.finished
    full = Nonogram.from_lengths([[1]], [[1]], given=[(0, 0, 1)])
    assert (explained(full).hardest, explained(full).steps, explained(full).widest) == (None, {}, 0)
    assert not explained(puzzle, 1e-9).finished


@pytest.mark.slow
def test_a_technique_is_needed_by_some_and_by_those_alone() -> None:
    wanted = {"glue", "runs-apart", "contradiction"}
    for seed in range(25):
        puzzle = random_density(7, 7, 0.55, seed)
        for name in wanted:
            assert needs(puzzle, name) == judge(name)(puzzle) == (explained(puzzle).hardest == name), (seed, name)


def test_the_commands(tmp_path: Path) -> None:
    table = run("difficulty", GCHQ, "--explained").stdout
    assert "hardest     finished-run\n" in table
    assert "widest step 1 line\n" in table
    record = json.loads(run("difficulty", GCHQ, "--explained", "--format", "json").stdout)["explained"]
    assert record["hardest"] == "finished-run"
    assert record["finished"]
    words = ("--size", "7", "--density", "0.55", "--count", "2", "-o", str(tmp_path))
    assert run("generate", "--technique", "glue", *words).returncode == 0
    made = sorted(tmp_path.glob("*.json"))
    assert len(made) == 2
    for path in made:
        puzzle = load(str(path))
        assert isinstance(puzzle, Nonogram)
        assert explained(puzzle).hardest == "glue"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--technique", "spliting"), "unknown technique 'spliting'"),
        (("--technique", "glue", "--unique"), "exclude each other"),
        (("--technique", "glue", "--repair"), "--repair needs"),
    ],
)
def test_bad_wishes(words: tuple[str, ...], said: str) -> None:
    assert said in complaint("generate", "--size", "5", "--density", "0.5", *words)
