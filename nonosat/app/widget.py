"""The board, and how far a study is, in a notebook: modules of the page that anywidget hosts (Jupyter, VS Code, ...).

``pip install nonosat[notebook]``.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

import numpy as np
import numpy.typing as npt

from nonosat.app.wire import open_cells, overlay, position_of
from nonosat.errors import UnsupportedError
from nonosat.explanations.explain import explain, values_of
from nonosat.explanations.steps import Step
from nonosat.puzzles.puzzle import Puzzle, is_solution, puzzle_kind
from nonosat.runs.events import Answer, Glimpse
from nonosat.solvers.solve import watch

if TYPE_CHECKING:
    from nonosat.app.notebook import NotebookBoard, NotebookStudy

MODES = ("play", "show")


@overload
def widget(shown: Puzzle, board: npt.ArrayLike | None = None, mode: str = "play") -> PuzzleWidget: ...


@overload
def widget(shown: str | Path) -> NotebookStudy: ...


def widget(
    shown: Puzzle | str | Path, board: npt.ArrayLike | None = None, mode: str = "play"
) -> PuzzleWidget | NotebookStudy:
    """A puzzle on a board to play on, from the position ``board`` on (rows of values, -1: open); or of a study's store
    (a file ``.sqlite``) how far it is, as it goes on.

    UnsupportedError: anywidget is not installed. StoreError: the file is no store.
    """
    if mode not in MODES:
        raise UnsupportedError(f"mode {mode!r}: one of {', '.join(MODES)}")
    try:
        from nonosat.app.notebook import NotebookBoard, NotebookStudy
    except ImportError:
        raise UnsupportedError("boards in notebooks need anywidget: pip install 'nonosat[notebook]'") from None
    if isinstance(shown, str | Path):
        return NotebookStudy.of(Path(shown))
    puzzle = shown
    puzzle_kind(puzzle)
    cells = open_cells(puzzle) if board is None else np.asarray(values_of(puzzle, np.asarray(board))).ravel()
    return PuzzleWidget(puzzle, NotebookBoard.of(puzzle, cells.tolist(), mode))


class PuzzleWidget:
    """A puzzle and its ``board`` (the widget itself, an ``anywidget.AnyWidget``)."""

    def __init__(self, puzzle: Puzzle, board: NotebookBoard) -> None:
        self.puzzle, self.board = puzzle, board
        self.steps: Iterator[Step] | None = None
        self.explained: list[int] = []

    def _repr_mimebundle_(self, **named: Any) -> Any:
        return self.board._repr_mimebundle_(**named)

    @property
    def cells(self) -> npt.NDArray[np.int64]:
        """The position on the board, shape (rows, columns); -1: open."""
        return position_of(self.puzzle, self.board.cells)

    @cells.setter
    def cells(self, values: npt.ArrayLike) -> None:
        self.board.overlay = {}
        self.board.cells = np.asarray(values_of(self.puzzle, np.asarray(values))).ravel().tolist()

    @property
    def solved(self) -> bool:
        """Is the position the puzzle's solution?"""
        cells = self.cells
        return bool((cells >= 0).all()) and is_solution(self.puzzle, self.puzzle.picture(cells))

    def watch(self, **wanted: Any) -> Answer:
        """Solve, and show the search on the board as it goes; what is ``wanted`` is as in ``nonosat.watch``."""
        for event in watch(self.puzzle, **wanted):
            if isinstance(event, Glimpse) and event.cells is not None:
                self.board.overlay = {} if event.odds is None else {"heat": _heat(event.odds)}
                self.board.cells = np.asarray(event.cells).ravel().tolist()
            elif isinstance(event, Answer):
                if event.picture is not None:
                    self.cells = event.picture.cells
                return event
        raise AssertionError  # the last one is the answer

    def step(self) -> Step | None:
        """The next step of an explanation from here, shown on the board; None: there is none."""
        if self.steps is None or self.board.cells != self.explained:
            self.steps = explain(self.puzzle, self.cells)
        step = next(self.steps, None)
        if step is None:
            self.board.overlay = {}
            return None
        cells, width = list(self.board.cells), self.puzzle.shape[1]
        for row, column, values in step.fixes:
            if len(values) == 1:
                cells[row * width + column] = values[0]
        self.board.overlay = overlay(step)
        self.board.cells = self.explained = cells
        return step


def _heat(odds: npt.NDArray[Any]) -> list[float | None]:
    return [None if np.isnan(value) else round(float(value), 2) for value in odds.ravel()]
