"""Packs: those that come along, a JSON file each in this folder, and those in the folder ``packs`` of the user's data.

``{"name", "icon": ["..#..", ...], "order", "puzzles": [{"label", "lives", "puzzle": {our JSON, with its goal}}]}``. A
pack is known by its file's name, a puzzle by its place. ``picture`` may say in which colours the solved puzzle is shown
(``{"palette": [shades, blank first], "rows": ["..12..", ...]}``); else it is shown in its own. ``lesson`` may lead to
the solution in steps, ``{"text", "lines": [["row", 0], ...], "cells": [[row, column], ...]}``: when the cells of one
are right, the next comes.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

from nonosat.app.requests import Body, RequestError
from nonosat.app.wire import filled, native, picture_shades
from nonosat.errors import FormatError
from nonosat.files import read_text, shown
from nonosat.puzzles.formats.native import inside
from nonosat.puzzles.puzzle import Puzzle

FOLDER = Path(__file__).parent
LIVES = 5
ICON = ["..#..", ".###.", "#####", ".###.", "..#.."]
MINE = "own"
"""The pack of the puzzles that were made here: no file is called so."""
GENERATED = "new"
"""That of the puzzles that are generated."""
BEGUN = "begun"
"""No pack: the address of all boards that are under way."""
SYMBOLS = ".123456789abcdefghijklmnopqrstuvwxyz"
Picture = dict[str, Any]
"""``palette`` (shades, blank first) and ``cells`` (flat)."""


class PackEntry(Protocol):
    """A puzzle as its card shows it."""

    @property
    def name(self) -> str:
        """What it is called in its pack."""

    @property
    def label(self) -> str:
        """How hard it is, in a word, or nothing."""

    @property
    def title(self) -> str:
        """What people call it, or nothing."""

    @property
    def secret(self) -> bool:
        """Is it one's own, and yet its title says too much?"""

    @property
    def kind(self) -> str:
        """Its kind."""

    @property
    def shape(self) -> tuple[int, int]:
        """(rows, columns)."""

    @property
    def palette(self) -> list[str] | None:
        """The shades of its boards, blank first, if they are pictures."""

    @property
    def filled(self) -> int | None:
        """How many cells of a picture are filled; None: every cell is to be known."""


@dataclass(frozen=True)
class Packed:
    """A puzzle of a pack: ``label`` says how hard it is; ``lives`` are the errors that end the game."""

    name: str
    label: str
    lives: int
    puzzle: Puzzle
    picture: Picture | None = None
    lesson: tuple[Body, ...] = ()
    """``text``, ``lines`` and ``cells`` (flat) of each step."""
    secret: bool = False

    @property
    def title(self) -> str:
        """The puzzle's title."""
        return self.puzzle.title

    @property
    def kind(self) -> str:
        """The puzzle's kind."""
        return self.puzzle.kind

    @property
    def shape(self) -> tuple[int, int]:
        """The puzzle's rows and columns."""
        return self.puzzle.shape

    @property
    def palette(self) -> list[str] | None:
        """The shades of the puzzle's boards."""
        return picture_shades(self.puzzle)

    @property
    def filled(self) -> int | None:
        """How many cells its clues fill."""
        return filled(self.puzzle)


L = TypeVar("L", bound=PackEntry)


@dataclass(frozen=True)
class Pack(Generic[L]):
    """Puzzles under a name, with a small drawing (``icon``: strings of ``.`` and ``#``)."""

    name: str
    title: str
    icon: tuple[str, ...]
    puzzles: tuple[L, ...]
    order: int = 99

    def find(self, name: str) -> L:
        """The puzzle that is called ``name`` here."""
        for packed in self.puzzles:
            if packed.name == name:
                return packed
        raise RequestError(f"no such puzzle in the pack {self.title}", 404)


def packs(own: Path) -> dict[str, Pack[Packed]]:
    """All packs by name, in the order in which they are shown; ``own``: the user's folder, which need not be there.

    A file there stands for one of ours of the same name. NonosatError: a file that is no pack, or has a name
    that the workbench uses itself, in one line.
    """
    for name in (MINE, GENERATED, BEGUN):
        if (own / f"{name}.json").exists():
            raise FormatError(
                "this name is for the puzzles that are made here, new or begun", source=shown(own / f"{name}.json")
            )
    found = {path.stem: _read(path) for folder in (FOLDER, own) for path in sorted(folder.glob("*.json"))}
    ordered = sorted(found, key=lambda name: (found[name].order, name))
    return {name: found[name] for name in ordered}


def _read(path: Path) -> Pack[Packed]:
    try:
        return _pack(path.stem, json.loads(read_text(path)))
    except FormatError as error:
        raise error.at(shown(path)) from None
    except RecursionError:
        raise FormatError("nested too deep", source=shown(path)) from None
    except json.JSONDecodeError as error:
        raise FormatError("not JSON", error.lineno, shown(path)) from None


def _pack(name: str, data: object) -> Pack[Packed]:
    if not isinstance(data, dict) or not isinstance(data.get("puzzles"), list) or not data["puzzles"]:
        raise FormatError('a pack is an object with "name" and "puzzles", a list')
    title, icon, order = data.get("name", name), data.get("icon", ICON), data.get("order", 99)
    if not isinstance(title, str) or not isinstance(order, int):
        raise FormatError('"name" is a text, "order" a whole number')
    if not isinstance(icon, list) or len({len(row) if isinstance(row, str) else 0 for row in icon} - {0}) != 1:
        raise FormatError('"icon" is a list of strings, all of one length')
    entries = enumerate(data["puzzles"], start=1)
    puzzles = tuple(inside(f"puzzle {number}", partial(_packed, number), entry) for number, entry in entries)
    return Pack(name, title, tuple(icon), puzzles, order)


def _packed(number: int, entry: object) -> Packed:
    if not isinstance(entry, dict) or "puzzle" not in entry:
        raise FormatError('an entry is an object with "puzzle"')
    label, lives = entry.get("label", ""), entry.get("lives", LIVES)
    if not isinstance(label, str) or type(lives) is not int or not 1 <= lives <= 99:
        raise FormatError('"label" is a text, "lives" a whole number from 1 to 99')
    puzzle = native(json.dumps(entry["puzzle"]))
    picture = _picture(entry.get("picture"), puzzle.shape)
    lesson = entry.get("lesson", [])
    if not isinstance(lesson, list) or (lesson and puzzle.goal is None):
        raise FormatError('"lesson" is a list, of a puzzle with a goal')
    return Packed(str(number), label, lives, puzzle, picture, tuple(_step(step, puzzle.shape) for step in lesson))


def _step(step: object, shape: tuple[int, int]) -> Body:
    """A step of a lesson, its cells as the page has them."""
    if not isinstance(step, dict) or not isinstance(step.get("text"), str):
        raise FormatError('a step of a lesson is an object with "text", "lines" and "cells"')
    cells, lines, (height, width) = step.get("cells"), step.get("lines", []), shape
    if not isinstance(cells, list) or not cells or not all(_within(cell, shape) for cell in cells):
        raise FormatError(f'"cells" of a step are a list of [row, column], from 0, of a board of {height}x{width}')
    sides = {"row": height, "column": width}
    if not isinstance(lines, list) or not all(
        isinstance(line, list) and len(line) == 2 and type(line[1]) is int and 0 <= line[1] < sides.get(line[0], 0)
        for line in lines
    ):
        raise FormatError('"lines" of a step are a list of ["row", 0] or ["column", 0]')
    return {"text": step["text"], "lines": lines, "cells": [row * width + column for row, column in cells]}


def _within(cell: object, shape: tuple[int, int]) -> bool:
    return (
        isinstance(cell, list)
        and len(cell) == 2
        and all(type(at) is int and 0 <= at < side for at, side in zip(cell, shape, strict=True))
    )


def _picture(data: object, shape: tuple[int, int]) -> Picture | None:
    """The colours of the solved puzzle, if they are others than the puzzle's."""
    if data is None:
        return None
    palette, rows = (data.get("palette"), data.get("rows")) if isinstance(data, dict) else (None, None)
    if not isinstance(palette, list) or any(not re.fullmatch("#[0-9a-fA-F]{6}", str(shade)) for shade in palette):
        raise FormatError('"palette" of a picture is a list of shades, #rrggbb')
    if not isinstance(rows, list) or [len(str(row)) for row in rows] != [shape[1]] * shape[0]:
        raise FormatError('"rows" of a picture are strings, a symbol a cell')
    cells = [SYMBOLS.find(symbol) for row in rows for symbol in str(row)]
    if any(not 0 <= cell < len(palette) for cell in cells):
        raise FormatError("a cell of a picture has a colour that its palette has not")
    return {"palette": palette, "cells": cells}
