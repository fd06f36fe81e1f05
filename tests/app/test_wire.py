"""Puzzles and boards to the page and back."""

from __future__ import annotations

import json
from dataclasses import replace
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest

from nonosat.app.wire import (
    MAX_SIDE,
    board_of,
    cells_of,
    native,
    native_text,
    open_cells,
    position_of,
    puzzle_from_wire,
    puzzle_to_wire,
)
from nonosat.errors import NonosatError
from nonosat.plugins import registered
from nonosat.puzzles.formats import loads
from nonosat.puzzles.nonogram import Nonogram, Picture
from nonosat.puzzles.nonogram.puzzle import palette_of
from nonosat.puzzles.puzzle import Given, Puzzle
from nonosat.puzzles.skyscrapers import Skyscrapers
from nonosat.testing.brute import samples

COLOURED = Nonogram.from_picture(Picture(np.array([[1, 2, 0], [0, 2, 3]]), palette_of(3)), title="é")
PUZZLES: list[Puzzle] = [COLOURED, replace(COLOURED, given=(Given(0, 1, 2), Given(1, 0, 0)))]
PUZZLES += [*samples("nonogram"), *samples("skyscrapers"), Skyscrapers.from_clues([0] * 16, [(1, 2, 3)])]


@pytest.mark.parametrize("puzzle", PUZZLES)
def test_a_puzzle_comes_back_as_it_went(puzzle: Puzzle) -> None:
    wire = json.loads(json.dumps(puzzle_to_wire(puzzle)))
    assert (wire["height"], wire["width"]) == puzzle.shape
    back = puzzle_from_wire(wire)
    assert puzzle_to_wire(back) == wire
    assert native(native_text(puzzle)) == puzzle


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (None, "a puzzle is an object"),
        ({}, '"kind"'),
        ({"kind": ["nonogram"]}, '"kind"'),
        ({"kind": "nonogram"}, '"rows"'),
        ({"kind": "nonogram", "rows": [[[1, 1]]], "columns": [[]] * (MAX_SIDE + 1)}, '"columns"'),
        ({"kind": "nonogram", "rows": [[[9, 1]]], "columns": [[[1, 1]]]}, "row 1"),
        ({"kind": "nonogram", "rows": [[[1, 2]]], "columns": [[]]}, "colour 2"),
        ({"kind": "nonogram", "rows": [[[True, 1]]], "columns": [[]]}, "a run is"),
        ({"kind": "nonogram", "rows": [[1]], "columns": [[]]}, "a run is"),
        ({"kind": "nonogram", "rows": [[]], "columns": [[]], "palette": ["#fff"]}, "palette"),
        ({"kind": "nonogram", "rows": [[]], "columns": [[]], "palette": ["#fff", "url(x)"]}, "url"),
        ({"kind": "nonogram", "rows": [[]], "columns": [[]], "given": [[5, 5, 1]]}, "outside"),
        ({"kind": "nonogram", "rows": [[]], "columns": [[]], "given": [["0", 0, 1]]}, "given"),
        ({"kind": "skyscrapers"}, "top"),
        ({"kind": "skyscrapers", "clues": {"top": [9], "bottom": [0], "left": [0], "right": [0]}}, "top"),
    ],
)
def test_errors_are_reported_in_one_line(data: object, reason: str) -> None:
    with pytest.raises(NonosatError, match=reason) as error:
        puzzle_from_wire(data)
    assert "\n" not in str(error.value)


def test_other_kinds_come_back_by_their_json() -> None:
    read = puzzle_from_wire({"kind": "sudoku", "json": native_text(COLOURED), "title": "Renamed"})
    assert read == replace(COLOURED, title="Renamed")
    for text in ("{}", "[]", "junk", "[" * 100_000):
        with pytest.raises(NonosatError):
            puzzle_from_wire({"kind": "sudoku", "json": text})
    with pytest.raises(NonosatError, match='in "json"'):
        puzzle_from_wire({"kind": "sudoku"})


def test_boards_of_cells() -> None:
    cells = open_cells(replace(COLOURED, given=(Given(0, 1, 2),)))
    assert cells.tolist() == [-1, 2, -1, -1, -1, -1]
    assert board_of(COLOURED, [1, 2, -1, -5, 2, 3]) == COLOURED.goal
    assert position_of(COLOURED, [1, 2, -1, -5, 2, 0]).tolist() == [[1, 2, -1], [-1, 2, 0]]
    assert COLOURED.goal is not None
    assert cells_of(COLOURED.goal) == [1, 2, 0, 0, 2, 3]
    towers = Skyscrapers.from_heights([[1, 2], [2, 1]])
    assert board_of(towers, [1, 2, 2, -1]) is None
    assert board_of(towers, [1, 2, 2, 1]) == towers.goal


def test_a_board_that_is_too_large_is_refused() -> None:
    with pytest.raises(NonosatError, match="up to 512x512"):
        puzzle_to_wire(Nonogram.from_lengths([[]] * 513, [[]]))


def test_a_kind_from_outside_stands_behind_the_board_in_its_own_drawing(monkeypatch: pytest.MonkeyPatch) -> None:
    """If its SVG says how large a cell is; else the puzzle is told as text."""
    monkeypatch.syspath_prepend(str(Path(__file__).parents[2] / "examples" / "sudoku"))
    kind = import_module("nonosat_sudoku.kind").KIND
    text = "." * 80 + "1"
    with registered(kind):
        [puzzle] = loads(text, "sdm")
        wire = puzzle_to_wire(puzzle)
        assert puzzle_from_wire(wire) == puzzle
    assert "text" not in wire
    drawing = wire["drawing"]
    assert drawing["svg"].startswith("<svg ")
    assert (drawing["cell"], drawing["box"]) == (36, [-6, -6, 9 * 36 + 12, 9 * 36 + 12])
    with registered(replace(kind, svg=lambda puzzle, board: "<svg></svg>")):
        plain = puzzle_to_wire(puzzle)
    assert "drawing" not in plain
    assert "1" in plain["text"]
