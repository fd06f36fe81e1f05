"""Lines of up to 63 cells: all boundaries of a line in one word. What is done is said in ``lines.py``."""

from __future__ import annotations

import numpy as np

from nonosat.solvers.arrays import Ints, Words
from nonosat.solvers.compiled import compiled, inlined
from nonosat.solvers.propagation.words import EIGHT, FOUR, HALF, ONE, SIXTEEN, TWO, ZERO, Word


@inlined
def fits(cells: Word, length: Word) -> Word:
    """The bits p such that the bits p .. p + length - 1 of ``cells`` are set."""
    have = ONE
    while have < length:
        step = min(have, length - have)
        cells &= cells >> step
        have += step
    return cells


@inlined
def covered(starts: Word, length: Word) -> Word:
    """The bits p .. p + length - 1 of all bits p of ``starts``."""
    have = ONE
    while have < length:
        step = min(have, length - have)
        starts |= starts << step
        have += step
    return starts


@inlined
def forwards(reached: Word, blank: Word) -> Word:
    """All boundaries reached from ``reached`` by walking right over the cells ``blank``."""
    moving = reached & blank
    return reached | ((moving + blank) ^ blank) | moving


@inlined
def levels(b1: Word) -> tuple[Word, Word, Word, Word, Word]:
    """The cells that begin two, four, 8, 16 and 32 blank ones."""
    b2 = b1 & (b1 >> ONE)
    b4 = b2 & (b2 >> TWO)
    b8 = b4 & (b4 >> FOUR)
    b16 = b8 & (b8 >> EIGHT)
    return b2, b4, b8, b16, b16 & (b16 >> SIXTEEN)


@inlined
def backwards(reached: Word, b1: Word, b2: Word, b4: Word, b8: Word, b16: Word, b32: Word, size: int) -> Word:
    """All boundaries that reach ``reached`` by walking right; ``b4`` are the cells that begin four blank ones, ..."""
    reached |= (reached >> ONE) & b1
    reached |= (reached >> TWO) & b2
    reached |= (reached >> FOUR) & b4
    if size > 8:
        reached |= (reached >> EIGHT) & b8
        if size > 16:
            reached |= (reached >> SIXTEEN) & b16
            if size > 32:
                reached |= (reached >> HALF) & b32
    return reached


@inlined
def sweep_forwards(
    b1: Word, may: Words, at: int, length: Words, colour: Ints, first: int, last: int, ready: Words, fit: Words
) -> Word:
    """Fill ``ready`` and ``fit``; the boundaries that are reached behind the last run (none: nothing fits)."""
    reached = forwards(ONE, b1)
    for run in range(first, last):
        k = run - first
        ready[k] = reached
        fit[k] = fits(may[at + colour[run]], length[run])
        ends = (reached & fit[k]) << length[run]
        if ends == ZERO:
            return ZERO
        if run + 1 < last and colour[run + 1] == colour[run]:
            ends = (ends & b1) << ONE
        reached = forwards(ends, b1)
    return reached


@compiled
def settle_short(
    may: Words,
    at: int,
    size: int,
    length: Words,
    colour: Ints,
    first: int,
    last: int,
    ready: Words,
    fit: Words,
    out: Words,
) -> bool:
    """Settle a line of ``size`` < 64 cells, whose runs are ``first`` .. ``last`` - 1. False: nothing fits.

    ``ready`` and ``fit`` are scratch, with a word a run.
    """
    b1 = may[at]
    reached = sweep_forwards(b1, may, at, length, colour, first, last, ready, fit)
    end = ONE << np.uint64(size)
    if reached & end == ZERO:
        return False

    b2, b4, b8, b16, b32 = levels(b1)
    for value in range(len(out)):
        out[value] = ZERO
    left = backwards(end, b1, b2, b4, b8, b16, b32, size)
    blank = reached & (left >> ONE)
    for run in range(last - 1, first - 1, -1):
        k = run - first
        gap = run + 1 < last and colour[run + 1] == colour[run]
        after = (left >> ONE) & b1 if gap else left
        begins = fit[k] & (after >> length[run])
        starts = begins & ready[k]
        out[colour[run]] |= covered(starts, length[run])
        if gap:
            blank |= starts << length[run]
        left = backwards(begins, b1, b2, b4, b8, b16, b32, size)
        blank |= ready[k] & (left >> ONE)
    out[0] = blank & b1
    return True
