"""What may happen where on a line, so that listing its placements never turns back with empty hands.

With all runs pushed to the front, run k stands at ``earliest`` and ``free`` cells of the line are left over. A
placement moves run k back by o_k cells, 0 <= o_0 <= o_1 <= ... <= free. With given cells, ``fit`` says for every k and
o_k whether the rest still fits.
"""

from __future__ import annotations

import numpy as np

from nonosat.solvers.arrays import Bytes, Int, WordCube
from nonosat.solvers.compiled import compiled, inlined
from nonosat.solvers.placements.lines import Lines

START, SKIP, REACHED = 1, 2, 4


def tables(lines: Lines) -> Bytes:
    """What ``fit`` finds for all lines."""
    moves = np.empty(lines.table[-1], dtype=np.uint8)
    fit(lines, moves)
    return moves


@inlined
def may(possible: WordCube, i: int, value: Int, cell: int) -> bool:
    """Whether the cell of line ``i`` may have ``value``."""
    return bool(possible[i, value, cell >> 6] >> np.uint64(cell & 63) & np.uint64(1))


@compiled
def fit(lines: Lines, moves: Bytes) -> None:
    """For every run k and every o: with the runs before it placed, what may happen at cell ``earliest`` + o?

    START: run k may begin there. SKIP: the cell may be blank, and the runs from k on come behind it. Only what belongs
    to a placement of the whole line counts. In the row behind the last run, SKIP says that the rest may be blank.
    """
    blank = np.int64(0)  # a literal would be a type of its own, for which numba compiles ``may`` again
    for i in range(len(lines.length)):
        free, runs = lines.free[i], lines.run[i + 1] - lines.run[i] - 1
        row = lines.table[i] + runs * (free + 1)
        at = lines.earliest[lines.run[i] + runs]
        moves[row + free] = SKIP
        for o in range(free - 1, -1, -1):
            moves[row + o] = SKIP if moves[row + o + 1] != 0 and may(lines.possible, i, blank, at + o) else 0
        for k in range(runs - 1, -1, -1):
            behind, row = row, row - (free + 1)
            t = lines.run[i] + k
            at, length, colour = lines.earliest[t], lines.lengths[t], lines.colours[t]
            gap = lines.colours[t + 1] == colour
            reach = 0  # so many cells from here on may have the run's colour
            for cell in range(at + free + length - 1, at + free, -1):
                reach = reach + 1 if may(lines.possible, i, colour, cell) else 0
            for o in range(free, -1, -1):
                cell = at + o
                reach = reach + 1 if may(lines.possible, i, colour, cell) else 0
                move = 0
                ends = not gap or may(lines.possible, i, blank, cell + length)
                if reach >= length and ends and moves[behind + o] != 0:
                    move = START
                if o < free and moves[row + o + 1] != 0 and may(lines.possible, i, blank, cell):
                    move |= SKIP
                moves[row + o] = move
        moves[lines.table[i]] |= REACHED
        for entry in range(lines.table[i], lines.table[i + 1]):
            move = moves[entry] if moves[entry] & REACHED else 0
            if move & START:
                moves[entry + free + 1] |= REACHED
            if move & SKIP and entry + 1 < lines.table[i + 1]:
                moves[entry + 1] |= REACHED
            moves[entry] = move & (START | SKIP)
