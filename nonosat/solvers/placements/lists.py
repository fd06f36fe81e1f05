"""The placements of lines as lists of bit words.

A placement of a line is kept as one mask for each colour of its clue (black and white: one mask), in as many 64-bit
words as the line needs: cell j has the colour of a mask iff bit j mod 64 of the mask's word j div 64 is set. So all
that a solver asks of a placement is a few word operations (Segers 2015 does so for black rows of up to 64 cells).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from nonosat.solvers.arrays import Bytes, Ints, Words
from nonosat.solvers.compiled import compiled, inlined
from nonosat.solvers.placements.lines import Lines
from nonosat.solvers.placements.moves import SKIP, START


class Lists(NamedTuple):
    """All placements of some lines: that of number p of line i is ``masks[begin[i] + p * stride[i]]`` and following.

    Its masks, of (length + 63) / 64 words each, have the values ``values[mask[i]]`` .. ``values[mask[i + 1] - 1]``.
    """

    length: Ints
    mask: Ints
    values: Ints
    stride: Ints
    """Words of one placement."""
    total: Ints
    """How many placements a line has."""
    begin: Ints
    masks: Words


def cells(lists: Lists, i: int, p: int) -> npt.NDArray[np.uint8]:
    """The values of the cells of line ``i`` in its placement ``p``."""
    begin, stride = int(lists.begin[i] + p * lists.stride[i]), int(lists.stride[i])
    values = lists.values[lists.mask[i] : lists.mask[i + 1]].astype(np.uint8)
    masks = lists.masks[begin : begin + stride].astype("<u8").reshape(len(values), -1)
    bits = np.unpackbits(masks.view(np.uint8), axis=1, bitorder="little")[:, : int(lists.length[i])]
    shown: npt.NDArray[np.uint8] = values @ bits
    return shown


def laid_so_far(lists: Lists, laid: list[int], shape: tuple[int, int]) -> tuple[npt.NDArray[np.int16], int]:
    """The lines of a board up to the first that is not laid, -1 beyond them, and how many these are.

    Line i is laid with its placement ``laid[i] - 1``; 0: it is not.
    """
    board, many = np.full(shape, -1, dtype=np.int16), 0
    while many < len(laid) and laid[many] > 0:
        board[many] = cells(lists, many, laid[many] - 1)
        many += 1
    return board, many


@inlined
def ones(count: int) -> np.uint64:
    """The word whose lowest ``count`` bits are set; all of them from 64 on, none up to 0."""
    if count >= 64:
        return ~np.uint64(0)
    if count <= 0:
        return np.uint64(0)
    return (np.uint64(1) << np.uint64(count)) - np.uint64(1)


@compiled
def write(lines: Lines, moves: Bytes, lists: Lists, first: int, last: int, begin: Ints, end: Ints) -> None:
    """List the placements of the lines ``first`` .. ``last - 1``: those of the last run, of the last two, ...

    The placements of the runs from k on, run k moved back by o, are those of the runs from k + 1 on, moved back by o or
    more, each with run k laid over it. These are neighbours in the list, ``begin[o]`` .. ``end[o] - 1``: a list grows
    from the next shorter one by copying. All lists end where the line's room ends; from front to back, a list can then
    be written over the one that it grows from, since what is still to be read is never more than what is still to be
    written (every placement in it is used, the later ones by later o too).

    ``begin`` and ``end`` are scratch.
    """
    for i in range(first, last):
        words, stride, free = (lines.length[i] + 63) >> 6, lists.stride[i], lines.free[i]
        runs, room = lines.run[i + 1] - lines.run[i] - 1, lists.begin[i] + lists.total[i] * stride
        if lists.total[i] == 0:
            continue
        for w in range(room - stride, room):
            lists.masks[w] = 0
        for o in range(free + 1):
            begin[o], end[o] = 0, 1
        listed = 1
        for k in range(runs - 1, -1, -1):
            t, row = lines.run[i] + k, lines.table[i] + k * (free + 1)
            grown = 0
            for o in range(free + 1):
                if moves[row + o] & START:
                    grown += end[o] - begin[o]
            source, target = room - listed * stride, room - grown * stride
            plane, length = lines.plane[t] * words, lines.lengths[t]
            listed, grown = grown, 0
            for o in range(free + 1):
                size = end[o] - begin[o] if moves[row + o] & START else 0
                start, cell = source + begin[o] * stride, lines.earliest[t] + o
                if stride == 1:
                    block = ones(length) << np.uint64(cell)
                    for n in range(size):
                        lists.masks[target + n] = lists.masks[start + n] | block
                else:
                    for n in range(0, size * stride, stride):
                        for w in range(stride):
                            lists.masks[target + n + w] = lists.masks[start + n + w]
                        for w in range(cell >> 6, ((cell + length - 1) >> 6) + 1):
                            block = ones(cell + length - 64 * w) & ~ones(cell - 64 * w)
                            lists.masks[target + n + plane + w] |= block
                begin[o], end[o] = grown, grown + size
                target += size * stride
                grown += size
            for o in range(free - 1, -1, -1):
                if moves[row + o] & SKIP:
                    end[o] = end[o + 1]
