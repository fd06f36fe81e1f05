"""A kind of puzzle that states itself as a model gets all the rest: held to the battery, and what it is for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar

import commands
import numpy as np
import pytest

import nonosat
from nonosat import Model, plugins
from nonosat.csp.lowering import Lowering
from nonosat.encodings.registry import encoding_of
from nonosat.errors import FormatError, ModelError, PuzzleError
from nonosat.explanations.explain import explain, fault
from nonosat.modelling.kind import ModelBoard, ModelPuzzle, model_kind, pseudo_boolean
from nonosat.puzzles.formats import dumps, loads
from nonosat.puzzles.puzzle import is_solution
from nonosat.runs.events import Found
from nonosat.solvers import cp
from nonosat.solvers.registry import solver
from nonosat.testing.battery import battery
from nonosat.testing.brute import solutions

ROOT = Path(__file__).parents[1]
SMALL = "# \\3 \\4\n3\\ . .\n4\\ . .\n"


@pytest.fixture
def kakuro() -> Iterator[tuple[Any, ...]]:
    plugin = plugins.load(str(ROOT / "examples" / "kakuro.py"))
    yield plugin.records
    plugins.remove(plugin)


@pytest.mark.slow
def test_the_battery_of_a_kind(kakuro: tuple[Any, ...]) -> None:
    puzzle = loads(SMALL, "kakuro")[0]
    puzzles = [puzzle, replace(puzzle, given=((1, 1, 1),)), loads("# \\3\n\\ .\n# .\n", "kakuro")[0]]
    assert sorted({len(solutions(one)) for one in puzzles}) == [0, 1, 2]
    for check in battery(kakuro, puzzles):
        check()


def test_a_kakuro_is_solved_counted_and_explained(kakuro: tuple[Any, ...]) -> None:
    puzzle = nonosat.load(ROOT / "examples" / "small.kakuro")
    answer = nonosat.solve(puzzle, unique=True)
    assert answer.unique
    assert answer.picture is not None
    assert str(answer.picture) == "00000\n09700\n08970\n00092\n00001"
    assert nonosat.count(puzzle).solutions == 1
    steps = list(explain(puzzle))
    assert len(steps) == 8  # black cells are no steps
    assert all(fault(puzzle, step) is None for step in steps)
    names = "17 down from row 1, column 2 and 16 across from row 2, column 1"
    assert steps[0].sentence == f"Row 2, column 2 is 9, since nothing else goes with {names}."
    assert loads(dumps([puzzle], "json"), "json") == [puzzle]


def test_a_wrong_lowering_is_noticed(kakuro: tuple[Any, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    puzzle = nonosat.load(ROOT / "examples" / "small.kakuro")
    monkeypatch.setattr(Lowering, "_formula_all_different", lambda *_: -1)
    monkeypatch.setattr(Lowering, "_formula_and", lambda *_: 1)
    answer = nonosat.solve(puzzle, solver="minisat22")
    assert answer.verdict == "WRONG"
    assert "from row" in str(answer.reason)


def test_what_is_wrong_with_a_kakuro_is_a_line(kakuro: tuple[Any, ...]) -> None:
    with pytest.raises(FormatError, match="line 2: 1 cells in a row, and 2 in the first"):
        loads("# \\3\n.\n", "kakuro")
    with pytest.raises(FormatError, match=r'"cells": .* is no number, no text and no list of these'):
        loads('{"nonosat": 1, "kind": "kakuro", "cells": {"a": 1}}', "json")
    with pytest.raises(FormatError, match="no kakuro: "):
        loads('{"nonosat": 1, "kind": "kakuro", "cells": 3}', "json")
    with pytest.raises(PuzzleError, match="row 1, column 1 cannot be 1"):
        loads(SMALL, "kakuro")[0].picture(np.ones((3, 3), dtype=int))


@dataclass(frozen=True, eq=False)
class WeightBoard(ModelBoard):
    kind: ClassVar[str] = "weights"


@dataclass(frozen=True)
class Weights(ModelPuzzle):
    """Columns of which each has the same sum, which nobody says: a variable beside the board."""

    size: int = 2

    kind: ClassVar[str] = "weights"
    board: ClassVar[type[ModelBoard]] = WeightBoard

    def model(self) -> Model:
        model = Model()
        cell = model.integer("cell", 0, 3, shape=(2, self.size))
        total = model.integer("total", 1, 5)
        model.add(cell.sum(axis=0) == total, name="column")
        model.add(cell[0, 0] + cell[0, 1] == 5, name="row 1")
        model.add(cell[1, 0] * cell[1, 1] == 0, name="row 2")
        model.add(total != 1, name="not one")
        return model


@dataclass(frozen=True)
class LateBoard(Weights):
    kind: ClassVar[str] = "weights"

    def model(self) -> Model:
        model = Model()
        model.integer("total", 1, 5)
        model.integer("cell", 0, 1, shape=(2, 2))
        return model


@pytest.mark.slow
def test_variables_beside_the_board() -> None:
    record = model_kind("weights", Weights, default="model+direct")
    with plugins.registered(record):
        puzzle = Weights()
        for encoding in ("model+order", "model+log"):
            found = nonosat.solve(puzzle, encoding=encoding, solver="minisat22", count=None)
            assert set(found.pictures) == solutions(puzzle)
        assert nonosat.count(puzzle).solutions == len(solutions(puzzle)) > 0
        for check in battery([record], [puzzle, replace(puzzle, given=((0, 0, 2),))]):
            check()
        steps = list(explain(puzzle))
        assert {constraint.place for step in steps for constraint in step.constraints} <= {0, 1, 2}  # columns are one
        assert is_solution(puzzle, found.pictures[0])
        assert not is_solution(puzzle, puzzle.picture([[3, 2], [0, 2]]))
        with pytest.raises(ModelError, match="declare the board first: cell = model"):
            LateBoard()


@dataclass(frozen=True, eq=False)
class HitoriBoard(ModelBoard):
    kind: ClassVar[str] = "hitori"


@dataclass(frozen=True)
class Hitori(ModelPuzzle):
    """Black cells (1) do not touch, white ones hang together, and white numbers differ in each row and column."""

    numbers: tuple[tuple[int, ...], ...]

    kind: ClassVar[str] = "hitori"
    board: ClassVar[type[ModelBoard]] = HitoriBoard

    def model(self) -> Model:
        model, shown = Model(), np.array(self.numbers)
        black = model.integer("cell", 0, 1, shape=shown.shape)
        model.add(black[1:] + black[:-1] <= 1, name="above")
        model.add(black[:, 1:] + black[:, :-1] <= 1, name="beside")
        for word, lines, cells in (("row", shown, black), ("column", shown.T, black.T)):
            for number, (line, own) in enumerate(zip(lines, cells, strict=True), 1):
                for value in np.flatnonzero(np.bincount(line) > 1).tolist():
                    model.add((1 - own[line == value]).sum() <= 1, name=f"one {value} in {word} {number}")
        model.add(model.connected(black == 0), name="white hangs together")
        return model


def test_what_hangs_together_is_explained_counted_and_certified() -> None:
    """An explanation of 5x5 took 22 seconds, one of 6x6 did not come; certificates were refused."""
    numbers = ("321635", "246434", "665424", "652312", "533251", "433154")
    record = model_kind("hitori", Hitori, statement=pseudo_boolean)
    with plugins.registered(record):
        puzzle = Hitori(tuple(tuple(map(int, row)) for row in numbers))
        answer = nonosat.solve(puzzle, solver="minisat22", unique=True)
        assert answer.unique
        by_ranks = cp.search(puzzle, encoding_of(puzzle), None, solver("cpsat"))
        boards = [puzzle.picture(event.cells) for event in by_ranks if isinstance(event, Found)]
        assert tuple(boards) == answer.pictures
        assert nonosat.count(puzzle).solutions == 1
        steps = list(explain(puzzle))
        assert {(fact.row, fact.column) for step in steps for fact in step.fixes} == set(np.ndindex(6, 6))
        assert all(step.technique == "constraints" for step in steps)
        assert all(fault(puzzle, step) is None for step in steps)
        claim = nonosat.certify(puzzle).claim
        assert (claim.solutions, claim.complete) == (1, True)


def test_commands_take_the_kind(tmp_path: Path) -> None:
    plugin, file = str(ROOT / "examples/kakuro.py"), str(ROOT / "examples/small.kakuro")
    done = commands.run("--plugin", plugin, "solve", file, "--encoding", "model+log", "--unique")
    assert done.returncode == 10
    assert "09700" in done.stdout
    done = commands.run("--plugin", plugin, "solve", file, "--encoding", "log")  # the rules, of which there is one way
    assert (done.returncode, "model+log" in done.stderr) == (10, True)
    done = commands.run("--plugin", plugin, "encode", file, "-o", str(tmp_path / "k.csp"))
    assert done.returncode == 0, done.stderr
    assert "(int cell_0_0 0 " in (tmp_path / "k.csp").read_text()
    assert nonosat.load_model(tmp_path / "k.csp").count().solutions == 1
    done = commands.run("--plugin", plugin, "explain", file)
    assert (done.returncode, done.stdout.count("since")) == (0, 8)
    assert "left open" not in done.stderr
