"""Belief propagation: how likely each value of each cell is, estimated from the lines (Pearl 1988), compiled.

Every line tells each of its cells the odds of each colour (to blank) among the line's fillings, each filling weighed by
what the crossing lines told its cells; what the cell itself was told by its crossing line is divided out. On a graph
without cycles that comes to rest at the true shares of the solutions; on a board it is a guess, and a good one. Nothing
here rules out a value: fillings are counted only where the board allows them, and what is decided from the counts is
checked by the line solver.

A line's fillings are summed up by a dynamic program over (run, how far it is right of its leftmost place), forwards and
backwards: O(runs * (1 + free cells)). A filling's weight is a product of odds; the longer a line, the
shorter the longest odds x that are told, so that no sum, at most (1 + x) ** cells, leaves the range of a float. (Lines
of a thousand cells and more do leave it, and say nothing.)
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from nonosat.solvers.arrays import Floats, FloatTable, Ints, IntTable
from nonosat.solvers.compiled import record
from nonosat.solvers.propagation.board import Board

LONGEST = 1e6
"""Odds that are told at most."""


@record
class Beliefs(NamedTuple):
    """What lines told cells last; entry ``cell * colours + colour - 1`` is of a colour.

    ``free``: how many cells each line has more than its runs need. ``odds``: the longest that it is told, and tells.
    ``across``, ``down``: odds told by the row and by the column. ``field``: odds that are multiplied to both (1: none).
    ``value``: each cell's likeliest value, and ``share``, how likely it is, as the last of its lines saw it.
    ``waits``: whether a line has been told something new.

    The other arrays are scratch for one line: ``factor``, the odds of each cell's colours, and ``inverse``; ``never``,
    how many cells before this one cannot have the colour; ``blank``, whether a cell may be blank (0 or 1); ``before``,
    sums over the runs before one; ``run``, weights of its places; ``after``, sums over later runs; ``step``, how the
    probability of a colour changes from cell to cell.
    """

    free: Ints
    odds: Floats
    across: Floats
    down: Floats
    field: Floats
    value: Ints
    share: Floats
    waits: npt.NDArray[np.uint8]
    factor: FloatTable
    inverse: FloatTable
    never: IntTable
    blank: Floats
    before: FloatTable
    run: FloatTable
    after: Floats
    step: FloatTable


def beliefs_of(board: Board) -> Beliefs:
    """The arrays for ``board``, with nothing told yet and every line waiting."""
    cells, colours, lines = board.height * board.width, board.colours, len(board.queue)
    longest = max(board.height, board.width) + 2
    runs = int(np.diff(board.first).max()) + 2
    odds = 10.0 ** (300.0 / board.size) - 1.0
    return Beliefs(
        free=free_cells(board),
        odds=np.minimum(np.maximum(odds, 1.0), LONGEST),
        across=np.ones(cells * colours),
        down=np.ones(cells * colours),
        field=np.ones(cells * colours),
        value=np.zeros(cells, dtype=np.int64),
        share=np.zeros(cells),
        waits=np.ones(lines, dtype=np.uint8),
        factor=np.ones((colours, longest)),
        inverse=np.ones((colours, longest)),
        never=np.zeros((colours, longest), dtype=np.int64),
        blank=np.ones(longest),
        before=np.zeros((runs, longest)),
        run=np.zeros((runs, longest)),
        after=np.zeros(longest),
        step=np.zeros((colours, longest)),
    )


def free_cells(board: Board) -> Ints:
    """How many cells each line has more than its runs and the blanks between them need."""
    begin, end = board.first[:-1], board.first[1:]
    filled, gaps = (np.zeros(len(board.length) + 1, dtype=np.int64) for _ in range(2))
    filled[1:] = board.length.cumsum()
    gaps[1:-1] = (board.colour[1:] == board.colour[:-1]).cumsum()  # up to each run, also between lines
    gaps[-1] = 0 if len(board.length) == 0 else gaps[-2]
    free: Ints = board.size - (filled[end] - filled[begin]) - (gaps[np.maximum(end - 1, begin)] - gaps[begin])
    return free


def filled(beliefs: Beliefs) -> Floats:
    """How likely each cell is filled, whatever its colour, by what both of its lines told it last; a number a cell."""
    odds = beliefs.across * beliefs.down * beliefs.field
    all_colours: Floats = odds.reshape(len(beliefs.value), -1).sum(axis=1)
    return all_colours / (1.0 + all_colours)
