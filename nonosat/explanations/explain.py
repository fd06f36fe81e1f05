"""The door: a puzzle and a position in, steps out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple, cast

import numpy as np
import numpy.typing as npt

from nonosat.errors import FormatError, PuzzleError, SolverError
from nonosat.explanations.steps import ConstraintRef, Step
from nonosat.files import read_text, shown
from nonosat.puzzles.drawing import read_picture
from nonosat.puzzles.puzzle import (
    Board,
    Given,
    Puzzle,
    PuzzleOrFile,
    fixed_cells,
    given_board,
    given_cells,
    puzzle_from,
    puzzle_kind,
)
from nonosat.runs.events import Stopped
from nonosat.runs.run import values_within

# Boards that are half played, read from text.


OPEN = "?"


def read_board(file: str, puzzle: Puzzle) -> list[list[int]]:
    """The position in ``file`` ('-': stdin): a text picture of the puzzle's kind, or JSON, with ``?`` for open cells.

    FormatError, which names the file: it is none.
    """
    try:
        return board_of(read_text(file), puzzle)
    except FormatError as error:
        raise error.at(shown(file)) from None


def board_of(text: str, puzzle: Puzzle) -> list[list[int]]:
    r"""The position that ``text`` shows; -1: open.

    It is read with two values for what is open, so that every way to write a picture can have open cells.

    >>> from nonosat.puzzles.nonogram import Nonogram
    >>> board_of("#?\n.?", Nonogram.from_lengths([[1], [1]], [[1], [1]]))
    [[1, -1], [0, -1]]
    """
    first, second = explainer_of(puzzle).marks(puzzle)
    one, other = (read_picture(text.replace(OPEN, mark), puzzle).cells.tolist() for mark in (first, second))
    return [[a if a == b else -1 for a, b in zip(*rows, strict=True)] for rows in zip(one, other, strict=True)]


# What explanations of a kind of puzzle are made by.


class StepDrawing(NamedTuple):
    """How steps of a kind are drawn.

    ``line(puzzle, constraint, values, colour)``: the cells of a constraint as text, -1 where open, with its clue.
    ``page(puzzle)``: what the page (``page.html``) draws the board by: ``top``, ``left``, ``right`` and ``bottom`` have
    the clues of each line, as lists of {text, shade}; ``cells`` says by value {text, shade}.
    """

    line: Callable[[Any, ConstraintRef, list[int], bool], str]
    page: Callable[[Any], dict[str, Any]]


class Explainer(NamedTuple):
    """``steps(puzzle, values)``: from the position whose cells have ``values`` (-1: open); each step follows the last.

    ``values(puzzle)``: the least and the greatest that a cell can have.
    ``view``: how positions are drawn.
    ``marks(puzzle)``: two values of a cell as pictures of the kind are written.
    ``fault(puzzle, step)``: why a step does not follow from its constraints and known cells, or None.
    """

    steps: Callable[[Any, list[list[int]]], Iterator[Step]]
    fault: Callable[[Any, Step], str | None]
    values: Callable[[Any], tuple[int, int]]
    view: StepDrawing
    marks: Callable[[Any], tuple[str, str]]


Position = Board | Sequence[Sequence[int]] | npt.NDArray[Any] | None
"""The cells' values, shape (rows, columns); -1: open. None: what the puzzle gives, and nothing else."""


def explain(puzzle: PuzzleOrFile, board: Position = None) -> Iterator[Step]:
    """The steps from a position to the solution, easy before hard and smallest first, one at a request.

    ``board``: -1 is an open cell; the puzzle's given cells are known in any case. A wrong position is shown by a
    step of the technique ``error``, which names the constraint that shows it and the smallest set of its cells; no step
    comes after it. Each step follows from its ``constraints`` and ``known`` cells alone:
    ``explanations.explain.fault``.

    PuzzleError: the board is of another size, or has other values.

    >>> from nonosat.puzzles.nonogram import Nonogram
    >>> for step in explain(Nonogram.from_lengths([[3], [1]], [[2], [1], [1]])):
    ...     print(step.sentence)
    Row 1: the 3 needs all 3 cells, so columns 1 to 3 are filled.
    Column 1: the 2 needs all 2 cells, so row 2 is filled.
    Row 2: its run is there, so columns 2 and 3 are blank.
    """
    puzzle = puzzle_from(puzzle)
    return explainer_of(puzzle).steps(puzzle, values_of(puzzle, board))


def fault(puzzle: Puzzle, step: Step) -> str | None:
    """Why ``step`` does not follow from its constraints and known cells alone, or None if it does."""
    return explainer_of(puzzle).fault(puzzle, step)


def explainer_of(puzzle: Puzzle) -> Explainer:
    """What explains puzzles of its kind."""
    return cast(Explainer, puzzle_kind(puzzle).explain)


def values_of(puzzle: Puzzle, board: Position) -> list[list[int]]:
    """The position as rows of values, with the puzzle's given cells, and those that can have one value only (black).

    PuzzleError: see ``explain``.
    """
    given: list[Given] = list(puzzle.given)
    if board is not None:
        cells = np.asarray(board.cells if isinstance(board, Board) else board)
        if cells.shape != puzzle.shape:
            (height, width), shape = puzzle.shape, " x ".join(map(str, cells.shape))
            raise PuzzleError(f"the board is {shape} (rows x columns), the puzzle {height} x {width}")
        least, most = explainer_of(puzzle).values(puzzle)
        known = [Given(int(row), int(column), int(cells[row, column])) for row, column in np.argwhere(cells != -1)]
        given = list(given_cells([*given, *known], puzzle.shape, least, most))
    rows = given_board(puzzle, still_open=-1)
    for row, column, value in (*fixed_cells(puzzle), *given):
        rows[row][column] = value
    return rows


# Steps under limits.


def steps_within(
    puzzle: Puzzle,
    board: Position = None,
    time_limit_s: float | None = None,
    memory_limit_mb: float | None = None,
    cpu_limit_s: float | None = None,
    checked: bool = True,
) -> Iterator[Step | Stopped]:
    """The steps of ``explain``; where a limit was reached, a ``Stopped`` comes last. Close it, if it is left early.

    ``checked``: each step is checked within the limits. Seconds are of wall time or of the process, memory in MiB.

    SolverError: a step does not follow, or the process broke. PuzzleError: as ``explain``.
    """
    limits = {"time_limit_s": time_limit_s, "cpu_limit_s": cpu_limit_s, "memory_limit_mb": memory_limit_mb}
    return values_within(_steps, (puzzle, values_of(puzzle, board), checked), limits)


def _steps(puzzle: Puzzle, values: list[list[int]], checked: bool) -> Iterator[Step]:
    for step in explain(puzzle, values):
        if checked and (wrong := fault(puzzle, step)) is not None:
            raise SolverError(f"a step does not follow ({wrong}): {step.sentence}")
        yield step
