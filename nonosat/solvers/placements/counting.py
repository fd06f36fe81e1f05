"""How many placements lines have, exactly.

With all runs pushed to the front, ``free`` cells of a line are left over; a placement moves run k back by o_k of them,
0 <= o_0 <= o_1 <= ... <= free: without given cells, one for every way to choose these, C(free + runs, runs).
"""

from __future__ import annotations

from math import comb

import numpy as np

from nonosat.solvers.placements.lines import Lines


def counts(lines: Lines) -> list[int]:
    """How many placements each line has, exactly."""
    runs = (np.diff(lines.run) - 1).tolist()
    bound = (lines.possible != lines.possible[:, :1]).any(axis=(1, 2)).tolist()
    return [
        _fitting(lines, i) if given else comb(free + k, k)
        for i, (k, free, given) in enumerate(zip(runs, lines.free.tolist(), bound, strict=True))
    ]


def _fitting(lines: Lines, i: int) -> int:
    """How many placements of line ``i`` fit its given cells: run by run from the last, for every place of a run."""
    own = slice(int(lines.run[i]), int(lines.run[i + 1]))
    may = [int.from_bytes(words.astype("<u8").tobytes(), "little") for words in lines.possible[i]]
    *runs, (_, _, end) = zip(*(a[own].tolist() for a in (lines.lengths, lines.colours, lines.earliest)), strict=True)
    must = ((1 << int(lines.length[i])) - 1) & ~may[0]
    ways = [int(must >> (end + o) == 0) for o in range(int(lines.free[i]) + 1)]
    following = 0
    for length, colour, place in reversed(runs):
        block, total = (1 << length) - 1, 0
        for o in range(len(ways) - 1, -1, -1):
            at = place + o
            if not may[0] >> at & 1:
                total = 0  # of the places further back
            if not (block << at) & ~may[colour] and (colour != following or may[0] >> (at + length) & 1):
                total += ways[o]
            ways[o] = total
        following = colour
    return ways[0]
