"""All puzzles of a size by lines alone, in compiled code; for ``oracle.py``."""

from __future__ import annotations

import numpy as np

from nonosat.compiled import compiled
from nonosat.compiled.words import Ints, IntTable
from nonosat.solvers.propagation.board import NEVER, PropagationBoard, propagate, unknown


@compiled
def solved(b: PropagationBoard, keys: Ints, row_clues: IntTable, column_clues: IntTable, numbers: Ints) -> int:
    """How many of the puzzles ``keys`` are full when nothing more follows from any line. ``numbers``: scratch."""
    count, lines, first_column = 0, b.height + b.width, b.at[b.height]
    for at in range(len(keys)):
        key = keys[at]
        for line in range(lines - 1, -1, -1):
            many = len(row_clues) if line < b.height else len(column_clues)
            numbers[line] = key % many
            key //= many
        top = 0
        for line in range(lines):
            clue = row_clues[numbers[line]] if line < b.height else column_clues[numbers[line]]
            b.first[line] = top
            for i in range(clue[0]):
                b.length[top] = np.uint64(clue[1 + i])
                top += 1
            b.queue[line] = line
            b.queued[line] = 1
        b.first[lines] = top
        for i in range(len(b.may)):
            b.may[i] = np.uint64((1 << (b.width if i < first_column else b.height)) - 1)
        b.state[:] = 0
        b.state[2] = lines
        if propagate(b, NEVER) >= 0 and unknown(b) == 0:
            count += 1
    return count
