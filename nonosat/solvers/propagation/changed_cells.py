"""What lines alone would leave open if one cell of a picture were another, for each change of one; compiled.

The clues of a changed picture are read off it, and its lines are propagated from the empty board: on 25x25 that takes
some hundred microseconds, most of which a ``Nonogram`` and new arrays would cost again.
"""

from __future__ import annotations

from itertools import accumulate

import numpy as np
import numpy.typing as npt

from nonosat.puzzles.nonogram import Nonogram
from nonosat.solvers.arrays import Ints, Words
from nonosat.solvers.compiled import compiled, ready
from nonosat.solvers.propagation.board import HEAD, LINES, NEVER, TRAIL, WAITING, Board, board_of
from nonosat.solvers.propagation.changes import choices
from nonosat.solvers.propagation.propagate import DEAD, propagate

UNTRIED = -1
"""What ``left_open`` says of a change that was not tried."""


def left_open(puzzle: Nonogram, cells: npt.NDArray[np.uint8], order: Ints, work: int) -> npt.NDArray[np.int64]:
    """How many cells lines alone leave open after each change of ``cells``, a solution of ``puzzle``, to another value.

    Shape (height, width, values); UNTRIED: a cell's own value, a given cell's, and what was not come to. ``order``:
    changes as ``cell * values + value``, the cells numbered row by row. It ends after ``work`` settled lines.

    >>> diagonal = Nonogram.from_picture([[1, 0], [0, 1]])
    >>> left_open(diagonal, diagonal.goal.cells, np.arange(8), work=1000)[:, :, 0].tolist()
    [[0, -1], [-1, 0]]
    """
    height, width = puzzle.shape
    values = puzzle.colours + 1
    board = _with_room(board_of(puzzle, memo=False))
    flat = cells.reshape(-1).astype(np.int64)
    given = {row * width + column for row, column, _ in puzzle.given}
    wanted = [what for what in order.tolist() if what // values not in given and flat[what // values] != what % values]
    found = np.full(height * width * values, UNTRIED, dtype=np.int64)
    try_changes(board, board.may.copy(), flat, np.array(wanted, dtype=np.int64), work, found)
    return found.reshape(height, width, values)


def _with_room(board: Board) -> Board:
    """The board, whose lines may get more runs: as many as they have cells."""
    runs = int(board.size.sum())
    most, widest = int(board.size.max()) + 1, int(board.words.max())
    return board._replace(
        length=np.zeros(runs, dtype=np.uint64),
        colour=np.zeros(runs, dtype=np.int64),
        first=np.array([0, *accumulate([0] * len(board.size))], dtype=np.int64),
        ready=np.zeros(most * widest, dtype=np.uint64),
        fit=np.zeros(most * widest, dtype=np.uint64),
    )


@compiled
def try_changes(b: Board, full: Words, cells: Ints, order: Ints, work: int, found: Ints) -> None:
    """Try each change of ``order``, and write to ``found`` how many cells are open then."""
    values = b.colours + 1
    for i in range(len(order)):
        if b.state[LINES] > work:
            return
        cell, value = order[i] // values, order[i] % values
        was = cells[cell]
        cells[cell] = value
        read_clues(b, cells)
        begin_anew(b, full)
        if propagate(b, NEVER) != DEAD:
            count = 0
            for at in range(b.height * b.width):
                count += 1 if choices(b, at // b.width, at % b.width) > 1 else 0
            found[order[i]] = count
        cells[cell] = was


@compiled
def read_clues(b: Board, cells: Ints) -> None:
    """The clues of the board become those of ``cells``."""
    run = 0
    for line in range(b.height + b.width):
        b.first[line] = run
        begin, step = (line * b.width, 1) if line < b.height else (line - b.height, b.width)
        before = 0
        for place in range(b.size[line]):
            value = cells[begin + place * step]
            if value != before and value != 0:
                b.colour[run] = value
                b.length[run] = 0
                run += 1
            if value != 0:
                b.length[run - 1] += np.uint64(1)
            before = value
    b.first[b.height + b.width] = run


@compiled
def begin_anew(b: Board, full: Words) -> None:
    """Nothing is known but what is ``full``, and every line waits."""
    for i in range(len(full)):
        b.may[i] = full[i]
    lines = b.height + b.width
    for line in range(lines):
        b.queue[line] = line
        b.queued[line] = 1
    b.state[HEAD] = b.state[TRAIL] = 0
    b.state[WAITING] = lines


ready(__name__)
