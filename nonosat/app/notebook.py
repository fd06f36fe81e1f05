"""The board, and how far a study is, as an ``anywidget.AnyWidget``; imported when a notebook asks for one."""

from __future__ import annotations

import threading
import time
from pathlib import Path
from typing import Any

import anywidget
import traitlets

from nonosat.app import stores
from nonosat.app.bundle import STATIC, bundled
from nonosat.app.wire import puzzle_to_wire
from nonosat.puzzles.puzzle import Puzzle

_CSS = (STATIC / "board.css").read_text(encoding="utf-8")
_OWN = _CSS.replace(":root, .board", ".board")  # a notebook's page keeps its own colours
_ROOM = ".board { height: 32rem }\n"  # a page gives the board its room, a cell of a notebook does not


class NotebookBoard(anywidget.AnyWidget):
    """The keys of the board (docs/workbench.md), each a trait."""

    _esm = bundled("board.js")
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


EVERY_S = 1.0


class NotebookStudy(anywidget.AnyWidget):
    """How far a study is: ``study`` is its store's card with ``total``, the number of its runs.

    A thread looks every second, so a study that runs in the notebook's own process is seen, too. It ends when the
    study is complete, or when the widget is closed.
    """

    _esm = bundled("study.js")
    _css = ".study-state p { margin: 0.25rem 0; }\n.study-state progress { width: min(100%, 32rem); }\n"
    study = traitlets.Dict().tag(sync=True)

    @classmethod
    def of(cls, path: Path) -> NotebookStudy:
        """The state of the store ``path``, and what becomes of it. StoreError: it is none."""
        total = stores.planned(path)
        made = cls(study={**stores.card(path), "total": total})
        threading.Thread(target=made.follow, args=(path, total), daemon=True).start()
        return made

    def follow(self, path: Path, total: int) -> None:
        """Look until there is nothing more to come."""
        while self.comm is not None and (self.study["running"] or self.study["runs"] < total):
            time.sleep(EVERY_S)
            self.study = {**stores.card(path), "total": total}
