"""Encodings on pictures, shuffled ones and random boards: the study's generator, and what is made of its records."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from drawn_and_random import analysis as drawn
from records_made import record, stopped

from nonosat.puzzles.nonogram import Nonogram
from nonosat.studies.analysis.frames import load
from nonosat.studies.checking import check
from nonosat.studies.models import puzzle_of
from nonosat.studies.plan import instances
from nonosat.studies.records import Record
from nonosat.studies.study import read

STUDY = Path(__file__).parents[1] / "experiments/drawn_and_random/drawn-and-random.toml"
ENCODINGS = {"tight+r3+order": (1.0, 100, 10), "automaton+order": (2.0, 300, 0), "tight+r3+support": (4.0, 200, 90)}
"""Seconds, clauses and conflicts of each, on the smallest board."""


def test_a_shuffled_picture_has_the_same_cells() -> None:
    study = read(str(STUDY))
    assert not check(study).problems
    found = {instance.name: instance for instance in instances(study)}
    pairs = 0
    for name, instance in found.items():
        if "/drawn/" not in name:
            continue
        one, other = (puzzle_of(each) for each in (instance, found[name.replace("/drawn/", "/shuffled/")]))
        assert isinstance(one, Nonogram)
        assert isinstance(other, Nonogram)
        assert one.goal is not None
        assert other.goal is not None
        assert one.shape == other.shape
        assert sorted(one.goal.cells.reshape(-1)) == sorted(other.goal.cells.reshape(-1))
        assert one.rows != other.rows
        assert 100 <= one.goal.cells.size <= 32 * 32
        pairs += 1
    assert pairs == 40
    assert len(found) == 100


def runs(kind: str, boards: int, over: bool = False) -> list[Record]:
    """Runs of each encoding on boards of a kind, the second twice as large as the first and so on."""
    told = {"size": "20x20", "density": "0.4"} if kind == "random" else {"pack": "garden", "cells": kind}
    made = []
    for board in range(1, boards + 1):
        for encoding, (seconds, clauses, conflicts) in ENCODINGS.items():
            values: dict[str, Any] = {
                "key": f"{kind} {board} {encoding}", "instance": f"{kind}/{board}", "parameters": json.dumps(told),
                "encoding": encoding, "parts": encoding, "density": None, "clauses": board * clauses,
                "time_limit_s": None, "cpu_limit_s": 100.0,
            }  # fmt: skip
            if over and encoding == "tight+r3+support":
                made.append(stopped(**values, outcome="CPUOUT", cpu_s=100.0))
                continue
            spent = {"encode_cpu_s": 0.0, "load_cpu_s": 0.0, "solve_cpu_s": board * seconds, "cpu_s": board * seconds}
            made.append(record(**values, **spent, conflicts=0 if kind == "drawn" else board * conflicts))
    return made


@pytest.fixture(scope="module")
def table() -> pd.DataFrame:
    frame = load(runs("drawn", 8) + runs("shuffled", 7) + runs("random", 6, over=True))
    return drawn.effects(frame).set_index(["boards_of", "encoding"])


def test_encodings_are_held_against_the_default_board_by_board(table: pd.DataFrame) -> None:
    assert table["boards"].groupby("boards_of").first().to_dict() == {"drawn": 8, "shuffled": 7, "random": 6}
    told = table.loc[("drawn", "automaton+order")]
    assert told["ratio"] == told["ratio_low"] == told["ratio_high"] == pytest.approx(2)
    assert told["clauses"] == 3
    assert told["without_conflict"] == 1
    assert table.loc[("shuffled", "tight+r3+support"), "conflicts_ratio"] == pytest.approx(9)
    assert table["family"].unique().tolist() == ["automaton", "order, gaps", "support"]


def test_a_run_over_the_limit_is_a_bound_of_its_ratio(table: pd.DataFrame) -> None:
    told = table.loc[("random", "tight+r3+support")]
    assert (told["solved"], told["boards"]) == (0, 6)
    assert told["ratio"] == pytest.approx(100 / 3.5, rel=0.2), "at least"
    assert told["ratio_high"] == float("inf")


def test_what_orders_the_encodings_by_time() -> None:
    found = drawn.explained(load(runs("shuffled", 8)), samples=50).set_index(["of", "by"])
    assert found.loc[("total", "clauses"), "correlation"] == pytest.approx(0.5)
    assert found.loc[("total", "conflicts"), "correlation"] == pytest.approx(0.5)
    assert sorted(set(found.index.get_level_values("of"))) == ["solving", "total"]


@pytest.mark.slow
def test_the_files(tmp_path: Path) -> None:
    frame = load(runs("drawn", 8) + runs("shuffled", 7) + runs("random", 6, over=True))
    drawn.write(frame, tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        *("effects.csv", "explained.csv", "size-and-time.png", "size-and-time.txt")
    ]
