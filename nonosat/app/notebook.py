"""The board as an ``anywidget.AnyWidget``; imported when a notebook asks for one."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import anywidget
import traitlets

from nonosat.app.wire import puzzle_to_wire
from nonosat.puzzles.puzzle import Puzzle

# The board as one file, which anywidget wants: its modules one behind the other, without their imports and exports.


STATIC = Path(__file__).parent / "static"
_IMPORT = re.compile(r'^import \{[^}]*\} from "(\./[\w/]+\.js)";\n', re.MULTILINE)


def board_module() -> str:
    """``static/board.js`` with all that it imports, as one ES module. Names at the top of its files are unique."""
    written: list[str] = []
    _add(STATIC / "board.js", written, set())
    return "\n".join(written)


def _add(path: Path, written: list[str], done: set[Path]) -> None:
    if path in done:
        return
    done.add(path)
    text = path.read_text(encoding="utf-8")
    for name in _IMPORT.findall(text):
        _add((path.parent / name).resolve(), written, done)
    own = _IMPORT.sub("", text)
    if path.name != "board.js":
        own = re.sub(r"^export ", "", own, flags=re.MULTILINE)
    written.append(own)


_CSS = (Path(__file__).parent / "static" / "board.css").read_text(encoding="utf-8")
_OWN = _CSS.replace(":root, .board", ".board")  # a notebook's page keeps its own colours
_ROOM = ".board { height: 32rem }\n"  # a page gives the board its room, a cell of a notebook does not


class NotebookBoard(anywidget.AnyWidget):
    """The keys of the board (docs/workbench.md), each a trait."""

    _esm = board_module()
    _css = _OWN + _ROOM
    puzzle = traitlets.Dict().tag(sync=True)
    cells: traitlets.List[int] = traitlets.List().tag(sync=True)
    mode = traitlets.Unicode("play").tag(sync=True)
    tool = traitlets.Any("free").tag(sync=True)
    colour = traitlets.Int(1).tag(sync=True)
    overlay = traitlets.Dict().tag(sync=True)

    @classmethod
    def of(cls, puzzle: Puzzle, cells: list[int], mode: str) -> NotebookBoard:
        """The board of a puzzle at a position."""
        made = cls(puzzle=puzzle_to_wire(puzzle), cells=cells, mode=mode)
        made.history = []
        made.on_msg(made.on_message)
        return made

    history: list[list[int]]
    """The positions before each move, for undo."""

    def on_message(self, _: Any, message: Any, buffers: Any) -> None:
        """What the board says: a move is made, undone, or another colour is chosen."""
        match message:
            case {"type": "move", "changes": changes}:
                cells = list(self.cells)
                self.history.append(list(cells))
                for cell, value in changes:
                    cells[cell] = value
                self.overlay = {}
                self.cells = cells
            case {"type": "undo"} if self.history:
                self.cells = self.history.pop()
            case {"type": "colour", "colour": colour}:
                self.colour = colour
