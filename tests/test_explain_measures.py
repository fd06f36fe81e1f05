"""Difficulty from explanations, and boards that take a technique."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from commands import complaint, run
from test_cli import GCHQ

from nonosat.explanations.explain import explain
from nonosat.explanations.measures import LABELS, explained, label, needs
from nonosat.explanations.techniques import hardest, ordered
from nonosat.generators.density import random_density
from nonosat.generators.skyscrapers import Level
from nonosat.generators.skyscrapers_made import made
from nonosat.making.criteria import judge
from nonosat.making.criteria import technique_judge as judge_explained
from nonosat.puzzles.formats import load
from nonosat.puzzles.nonogram import Nonogram


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
    assert (explained(puzzle, 1e-9).finished, explained(puzzle, 1e-9).label) == (False, None)
    assert explained(puzzle, 100) == about
    assert about.label == label(about.steps, about.widest) == "easy"
    assert explained(full).label == "easy"
    assert explained(Nonogram.from_lengths([[1], []], [[], []])).label == "unsolvable"
    assert explained(Nonogram.from_lengths([[1], [1]], [[1], [1]])).label == "guessing"


def test_players_are_told_of_each_technique_in_a_few_words() -> None:
    told = [technique.short for kind in ("nonogram", "skyscrapers") for technique in ordered(kind)]
    assert all(0 < len(short) <= 54 for short in told)


def test_labels_are_in_order() -> None:
    ranks = [LABELS.index(label([technique.name], 1)) for technique in ordered("nonogram")]
    assert ranks == sorted(ranks)
    assert [LABELS.index(label(["contradiction"], wide)) for wide in (6, 7)] == [3, 4]


@pytest.mark.slow
def test_skyscrapers(tmp_path: Path) -> None:
    puzzle = made(Level(5, "hard"), 2)
    about = explained(puzzle)
    assert about.hardest == "contradiction"
    assert judge_explained("contradiction")(puzzle)
    assert not judge_explained("few-orders")(puzzle)
    assert judge_explained(about.label or "")(puzzle)
    words = ("--puzzle", "skyscrapers", "--level", "1", "--count", "2", "-o", str(tmp_path))
    assert run("generate", "--technique", "before-highest", *words).returncode == 0
    for path in sorted(tmp_path.glob("*.json")):
        assert explained(load(str(path))).hardest == "before-highest"
        assert "hardest     before-highest\n" in run("difficulty", str(path), "--explained").stdout
        assert json.loads(run("difficulty", str(path), "--explained", "--format", "json").stdout)["explained"]["label"]
        assert "difficulty is for nonograms" in complaint("difficulty", str(path))
    assert run("generate", "--label", "medium", *words).returncode == 0
    assert "for nonogram, not for skyscrapers" in complaint("generate", "--technique", "splitting", *words)
    assert "unknown label 'simple'" in complaint("generate", "--label", "simple", *words)


@pytest.mark.slow
def test_a_technique_is_needed_by_some_and_by_those_alone() -> None:
    wanted = {"glue", "runs-apart", "contradiction"}
    for seed in range(25):
        puzzle = random_density(7, 7, 0.55, seed)
        for name in wanted:
            assert needs(puzzle, name) == judge(name)(puzzle) == (explained(puzzle).hardest == name), (seed, name)


@pytest.mark.slow
def test_the_commands(tmp_path: Path) -> None:
    table = run("difficulty", GCHQ, "--explained").stdout
    assert "explained   easy\nhardest     finished-run\n" in table
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
