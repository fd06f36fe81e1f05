"""Puzzles and boards as the page has them: JSON of numbers, the same for the server, the widget and their tests.

A puzzle is an object with ``kind``, ``height``, ``width``, ``title`` and ``given`` (``[row, column, value]``), and what
its kind has as well: a nonogram ``rows``, ``columns`` (a run is ``[length, colour]``) and ``palette`` (shades, blank
first); Skyscrapers ``size`` and ``clues`` (four edges). ``values`` are the least and the largest of a cell. Other kinds
have ``drawing``, their own SVG with the side of its cells, or ``text``, a plain board; and ``json``, the puzzle in our
JSON, by which they come back. Cells are a flat list, row
by row: a value of the board, or below zero for unknown.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from nonosat.app.requests import Body, RequestError
from nonosat.errors import FormatError, UnsupportedError
from nonosat.explanations.explain import explainer_of, values_of
from nonosat.explanations.steps import Step
from nonosat.puzzles.formats import dumps, loads
from nonosat.puzzles.nonogram import Nonogram
from nonosat.puzzles.nonogram.puzzle import BLACK, SYMBOLS, lettered, palette_of
from nonosat.puzzles.puzzle import Board, Puzzle, derived, fixed_cells, given_board, kind_of
from nonosat.puzzles.skyscrapers import Skyscrapers
from nonosat.puzzles.skyscrapers.puzzle import EDGES

MAX_SIDE = 512
PAPER = "#ffffff"
OPEN = -1
Cells = npt.NDArray[np.int64]


def puzzle_to_wire(puzzle: Puzzle) -> Body:
    """A puzzle for the page.

    >>> puzzle_to_wire(Nonogram.from_lengths([[1], [2]], [[2], [1]]))["rows"]
    [[[1, 1]], [[2, 1]]]
    """
    height, width = puzzle.shape
    if max(height, width) > MAX_SIDE:
        raise RequestError(f"a board of {height}x{width}: the page shows up to {MAX_SIDE}x{MAX_SIDE}")
    shared: Body = {"kind": puzzle.kind, "height": height, "width": width, "title": puzzle.title}
    shared["given"] = [[int(part) for part in cell] for cell in fixed_cells(puzzle)]
    shared["values"] = list(explainer_of(puzzle).values(puzzle))
    if isinstance(puzzle, Nonogram):
        shared["palette"] = picture_shades(puzzle)
        for key, clues in (("rows", puzzle.rows), ("columns", puzzle.columns)):
            shared[key] = [[*map(list, clue)] for clue in clues]  # of 512x512 there are a hundred thousand runs
    elif isinstance(puzzle, Skyscrapers):
        shared["size"] = puzzle.size
        shared["clues"] = {edge: [int(clue) for clue in getattr(puzzle, edge)] for edge in EDGES}
    else:
        drawn = _drawing(puzzle)
        shared |= {"text": kind_of(puzzle).puzzle_text(puzzle, None, True)} if drawn is None else {"drawing": drawn}
        with suppress(UnsupportedError):  # a kind without JSON can be played, and nothing else
            shared["json"] = native_text(puzzle)
    return shared


_HEAD = re.compile(r'<svg [^>]*?data-cell="(\d+)"[^>]*?viewBox="(-?\d+) (-?\d+) (\d+) (\d+)"')


def _drawing(puzzle: Puzzle) -> Body | None:
    """The kind's own drawing of the puzzle, if it says how large a cell is: ``box`` is left, top, width and height, and
    the cells begin at (0, 0).
    """
    text = kind_of(puzzle).svg(puzzle, None)
    head = _HEAD.match(text)
    if head is None:
        return None
    cell, *box = map(int, head.groups())
    return {"svg": text, "cell": cell, "box": box}


def picture_shades(puzzle: Puzzle) -> list[str] | None:
    """The shades of a puzzle's picture, blank first; None if its boards are no pictures."""
    return [PAPER, *(colour.rgb for colour in puzzle.palette)] if isinstance(puzzle, Nonogram) else None


def filled(puzzle: Puzzle) -> int | None:
    """How many cells the clues of a picture fill; None if its boards are no pictures."""
    return sum(run.length for clue in puzzle.rows for run in clue) if isinstance(puzzle, Nonogram) else None


def shades_of(count: int) -> list[str]:
    """The default shades of pictures in so many colours, blank first."""
    return [PAPER, *(colour.rgb for colour in palette_of(count))]


def clues_picture(puzzle: Puzzle) -> Body | None:
    """A small picture of Skyscrapers, with its ``width``: the heights that are given, and the clues around them, each
    ``size`` more than it says; 0 where there is neither. None: of another kind.
    """
    if not isinstance(puzzle, Skyscrapers):
        return None
    board = np.pad(given_board(puzzle, still_open=0), 1)
    for edge, line in zip(EDGES, (board[0], board[-1], board[:, 0], board[:, -1]), strict=True):
        line[1:-1] = [puzzle.size + clue if clue else 0 for clue in getattr(puzzle, edge)]
    return {"size": puzzle.size, "cells": board.ravel().tolist(), "width": puzzle.size + 2}


def puzzle_from_wire(data: object) -> Puzzle:
    """The puzzle that the page sent; NonosatError: it is wrong, and how.

    >>> puzzle_from_wire({"kind": "nonogram", "rows": [[[1, 1]], []], "columns": [[[1, 1]]], "title": "dot"}).shape
    (2, 1)
    """
    if not isinstance(data, dict):
        raise RequestError("a puzzle is an object")
    kind = data.get("kind")
    if kind == "nonogram":
        fields = _nonogram(data)
    elif kind == "skyscrapers":
        clues = data.get("clues")
        fields = dict(clues) if isinstance(clues, dict) else {}
    elif isinstance(data.get("json"), str):
        read = native(data["json"])
        return replace(read, title=str(data.get("title", read.title)))  # type: ignore[type-var]
    else:
        raise RequestError('"kind" is nonogram or skyscrapers: others are stated in "json"')
    title = data.get("title", "")
    fields |= {"kind": kind, "title": title if isinstance(title, str) else ""}
    puzzle = native(json.dumps(fields))
    return puzzle if not data.get("given") else _with_given(puzzle, data["given"])


def native(text: str) -> Puzzle:
    """The one puzzle of a text in our JSON, of a size that the page shows."""
    puzzles = loads(text, "json")
    if len(puzzles) != 1:
        raise FormatError(f"{len(puzzles)} puzzles, not one")
    if max(puzzles[0].shape) > MAX_SIDE:
        height, width = puzzles[0].shape
        raise FormatError(f"a board of {height}x{width}: the page shows up to {MAX_SIDE}x{MAX_SIDE}")
    return puzzles[0]


def native_text(puzzle: Puzzle) -> str:
    """A puzzle in our JSON, with all that it has."""
    return dumps(puzzle, "json")


def cells_of(board: Board) -> list[int]:
    """A board's cells as the page has them."""
    return [int(value) for value in board.cells.ravel()]


def open_cells(puzzle: Puzzle) -> Cells:
    """The board before the first move: what is fixed, and nothing else is known."""
    return np.array(values_of(puzzle, None), dtype=np.int64).ravel()


def board_of(puzzle: Puzzle, cells: npt.ArrayLike) -> Board | None:
    """The board of a flat list of cells, where blank may be left out; None while others are not known."""
    least, _ = explainer_of(puzzle).values(puzzle)
    known = np.asarray(cells, dtype=np.int64)
    if least == 0:
        known = np.where(known < 0, 0, known)
    return None if (known < 0).any() else puzzle.picture(known.reshape(puzzle.shape))


def position_of(puzzle: Puzzle, cells: npt.ArrayLike) -> Cells:
    """A flat list of cells as rows of values, -1 where nothing is known: what ``nonosat.explain`` takes."""
    known = np.asarray(cells, dtype=np.int64).reshape(puzzle.shape)
    return np.where(known < 0, OPEN, known)


def overlay(step: Step) -> Body:
    """A step of an explanation on the board: its lines shaded, the cells that it rests on and those it fixes framed.

    If it fixes none, the position is wrong, and those that it rests on show it.
    """
    used = "used" if step.fixes else "wrong"
    framed = [(fact, used) for fact in step.known] + [(fact, "settled") for fact in step.fixes]
    return {
        "lines": [[family, place] for family, place in step.constraints if family in ("row", "column")],
        "outline": [[fact.row, fact.column, how] for fact, how in framed],
    }


def _nonogram(data: Body) -> Body:
    shades = data.get("palette", [PAPER, BLACK.rgb])
    if not isinstance(shades, list) or not 2 <= len(shades) <= len(SYMBOLS) + 1:
        raise RequestError('"palette" is a list of shades, blank first')
    if not all(isinstance(shade, str) for shade in shades):
        raise RequestError('"palette" is a list of shades, blank first')
    symbols = [colour.symbol for colour in lettered(tuple(shades[1:]))]
    fields: Body = {"palette": dict(zip(symbols, shades[1:], strict=True))}
    for key in ("rows", "columns"):
        lines = data.get(key)
        if not isinstance(lines, list) or not 1 <= len(lines) <= MAX_SIDE:
            raise RequestError(f'"{key}" is a list of 1 to {MAX_SIDE} clues')
        fields[key] = [[_run(run, symbols, len(shades)) for run in _runs(line, key)] for line in lines]
    return fields


def _runs(line: object, key: str) -> list[Any]:
    if not isinstance(line, list):
        raise RequestError(f'"{key}": a clue is a list of runs')
    return line


def _run(run: object, symbols: Sequence[str], colours: int) -> str:
    length, colour = run if isinstance(run, list) and len(run) == 2 else (None, None)
    if type(length) is not int or type(colour) is not int or length < 1:
        raise RequestError("a run is [length, colour]")
    if not 1 <= colour < colours:
        raise RequestError(f"a run of colour {colour}, the palette has {colours - 1}")
    return f"{length}{symbols[colour - 1]}"


def _with_given(puzzle: Puzzle, given: object) -> Puzzle:
    from nonosat.puzzles.puzzle import Given

    if not isinstance(given, list) or any(
        not isinstance(cell, list) or len(cell) != 3 or any(type(part) is not int for part in cell) for cell in given
    ):
        raise RequestError('"given" is a list of [row, column, value]')
    return derived(puzzle, given=tuple(Given(*cell) for cell in given))
