"""The variants of examples/encoding_variants.py, which studies hold beside our encodings and CaDiCaL."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from nonosat import plugins, testing
from nonosat.encodings.order import OrderMap
from nonosat.encodings.registry import encoding
from nonosat.generators.density import random_density
from nonosat.puzzles.nonogram import Nonogram
from nonosat.solvers.solve import solve
from nonosat.studies.checking import check
from nonosat.studies.study import read

EXPERIMENTS = Path(__file__).parents[1] / "experiments"
VARIANTS = str(Path(__file__).parents[1] / "examples/encoding_variants.py")
BOARD = random_density(20, 20, 0.45, 3)


@pytest.fixture(autouse=True)
def variants() -> Iterator[None]:
    loaded = plugins.load(VARIANTS)
    yield
    plugins.remove(loaded)


@pytest.mark.parametrize("name", ["tight+r3+cells-last", "tight+r3+shuffled", "tight+r3+totals+order"])
def test_a_variant_has_the_same_pictures(name: str) -> None:
    board = random_density(6, 7, 0.4, 2)
    wanted = {picture.cells.tobytes() for picture in solve(board, encoding="tight+r3+order", count=None).pictures}
    assert len(wanted) > 1
    assert {picture.cells.tobytes() for picture in solve(board, encoding=name, count=None).pictures} == wanted


def test_numberings_move_cells() -> None:
    ours, last, by_lot = (encoding(f"tight+r3+{name}").formula(BOARD) for name in ("order", "cells-last", "shuffled"))
    assert all(isinstance(each.map, OrderMap) for each in (ours, last, by_lot))
    assert ours.map.first[ours.board].tolist() == np.arange(1, 401).reshape(20, 20).tolist()
    assert last.map.first[last.board].max() == last.map.booleans
    assert last.map.first[last.board].min() == last.map.booleans - 399
    assert sorted(by_lot.map.first) != by_lot.map.first.tolist()
    assert ours.cnf.clauses == last.cnf.clauses == by_lot.cnf.clauses


def test_totals_are_those_of_rows_and_of_columns() -> None:
    _, totals, *_ = encoding("tight+r3+totals").csp(Nonogram.from_lengths([[1, 1], []], [[1], [], [1], []])).constraints

    def hold(*cells: int) -> bool:
        return totals.holds(np.array([*cells, 0, 2, 0, 0], dtype=np.int32))

    assert hold(1, 0, 1, 0, 0, 0, 0, 0)
    assert not hold(1, 1, 0, 0, 0, 0, 0, 0)  # rows are as they should be
    assert not hold(1, 0, 0, 0, 0, 0, 1, 0)  # columns are
    assert not hold(0, 0, 0, 0, 0, 0, 0, 0)


def effort(solver: str, board: Nonogram) -> tuple[int | None, int | None]:
    told = solve(board, solver=solver, encoding="tight+r3+order").statistics
    return told.conflicts, told.decisions


def test_options_reach_cadical() -> None:
    """An option that python-sat does not know would be silently ignored."""
    usual = effort("cadical195", BOARD)
    assert effort("cadical195-set", BOARD) == usual
    for word in ("sat", "no-chrono", "phase-false", "reverse"):
        assert effort(f"cadical195-set+{word}", BOARD) != usual, word


@pytest.mark.slow
def test_options_that_matter_later_reach_cadical_too() -> None:
    hard = random_density(25, 25, 0.4, 1)
    usual = effort("cadical195", hard)
    for word in ("plain", "unsat", "no-elim", "chrono-always", "no-lucky"):
        assert effort(f"cadical195-set+{word}", hard) != usual, word


@pytest.mark.parametrize("name", ["encodings-alone", "cadical-options"])
def test_the_studies_can_be_run(name: str) -> None:
    assert not check(read(str(EXPERIMENTS / f"encodings/{name}.toml"))).problems


@pytest.mark.slow
@pytest.mark.nightly
def test_the_battery() -> None:
    for each in testing.battery(VARIANTS):
        each()
