"""A line laid over those that cross it, which are read cell by cell while the board grows."""

from __future__ import annotations

import numpy as np

from nonosat.solvers.arrays import Bytes, Int, Ints, IntTable
from nonosat.solvers.compiled import compiled, inlined
from nonosat.solvers.placements.lines import Lines
from nonosat.solvers.placements.lists import Lists
from nonosat.solvers.placements.moves import START


@inlined
def read(lengths: Ints, colours: Ints, run: Int, done: Int, value: Int) -> tuple[Int, Int]:
    """A line's state after one more cell: its run under way or next, and how many cells of that are read.

    A run that is read in full stays the one under way until the cell after it is read. (run, -1): the cell does not go
    with the clue.
    """
    if 0 < done < lengths[run]:
        return run, (done + 1 if value == colours[run] else -1)
    if done > 0:
        if value == colours[run]:
            return run, -1
        run += 1
    if value == 0:
        return run, 0
    return run, (1 if value == colours[run] else -1)


@compiled
def lay(lists: Lists, line: int, number: int, crossing: Lines, moves: Bytes, run: IntTable, done: IntTable) -> int:
    """Read placement ``number`` of ``line`` into the lines that cross it; return how many of these were read.

    Their states (``read``) when n lines are laid are ``run[n]`` and ``done[n]``. The number is negative if the last of
    those read is wrong: none of its placements (``moves``, see ``fit``) begins like this.
    """
    words = (lists.length[line] + 63) >> 6
    at = lists.begin[line] + number * lists.stride[line]
    for cross in range(len(crossing.length)):
        value = np.int64(0)
        for mask in range(lists.mask[line], lists.mask[line + 1]):
            word = lists.masks[at + (mask - lists.mask[line]) * words + (cross >> 6)]
            if word >> np.uint64(cross & 63) & np.uint64(1):
                value = lists.values[mask]
        now, so_far = read(crossing.lengths, crossing.colours, run[line, cross], done[line, cross], value)
        o = line + 1 - so_far - crossing.earliest[now]
        if so_far < 0 or (so_far <= 1 and o > crossing.free[cross]):
            return -1 - cross
        if so_far <= 1:  # a run begins, or a blank was read: does what is to come go on from here?
            move = moves[crossing.table[cross] + (now - crossing.run[cross]) * (crossing.free[cross] + 1) + o]
            if (move & START if so_far else move) == 0:
                return -1 - cross
        run[line + 1, cross], done[line + 1, cross] = now, so_far
    return len(crossing.length)
