"""Phase 4 by some clues and lines only: which of them does it take to refute a height? Compiled; for explanations."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from nonosat.solvers.arrays import Ints, Words
from nonosat.solvers.compiled import compiled, ready
from nonosat.solvers.phases.boards import first_cell
from nonosat.solvers.phases.permutations import Walk, used_by_some

Flags = npt.NDArray[np.uint8]

BOUND = 100_000
"""Steps of a walk along a line, at most; the line then says nothing."""


class Allowed(NamedTuple):
    """What may be used. Lines are the rows, then the columns: each array has shape (2N,)."""

    lines: Flags
    """1 where heights differ, and so are 1 to N. A line without that says nothing."""
    front: Ints
    """The clues at the beginnings; 0: none."""
    back: Ints
    """Those at the ends."""


@compiled
def refutes(board: Words, allowed: Allowed, walk: Walk, waiting: Flags, met: Flags, cell: int, height: int) -> bool:
    """Is ``height`` (from 1) refuted in a cell (row by row) of ``board``, which is overwritten, by settling lines?

    ``waiting``: 1 for the lines that have something to say even without the assumption. ``met``: becomes 1 for those
    that took candidates away.
    """
    size = len(walk.cells)
    board[cell] &= np.uint64(1) << np.uint64(height - 1)
    waiting[cell // size], waiting[size + cell % size] = 1, 1
    left, line = 2 * size, cell // size
    while left > 0:
        if waiting[line] == 0 or allowed.lines[line] == 0:
            left -= 1
        else:
            waiting[line] = 0
            left = 2 * size
            if not settle(board, allowed, walk, waiting, met, line):
                return True
        line = (line + 1) % (2 * size)
    return False


@compiled
def settle(board: Words, allowed: Allowed, walk: Walk, waiting: Flags, met: Flags, line: int) -> bool:
    """Take from a line the candidates that no order of its towers uses; False: there is no order."""
    size = len(walk.cells)
    front, back = allowed.front[line], allowed.back[line]
    first, step = first_cell(line, False, size)
    if back > front:  # more beginnings are given up early
        front, back = back, front
        first, step = first_cell(line, True, size)
    for i in range(size):
        walk.cells[i] = board[first + i * step]
    if not used_by_some(walk, front, back, BOUND):
        return True
    for i in range(size):
        at = first + i * step
        if walk.missing[i]:
            met[line] = 1
            board[at] &= ~walk.missing[i]
            waiting[size + at % size if line < size else at // size] = 1
            if board[at] == 0:
                return False
    return True


ready(__name__)
