"""Lines of 64 to 127 cells: as ``short_lines``, all boundaries of a line in two words, the lower one first."""

from __future__ import annotations

import numpy as np

from nonosat.solvers.arrays import Ints, Words
from nonosat.solvers.compiled import compiled, inlined
from nonosat.solvers.propagation.short_lines import backwards, levels
from nonosat.solvers.propagation.words import FULL, LAST, ONE, ZERO, Word


@inlined
def up(low: Word, high: Word, by: Word) -> tuple[Word, Word]:
    """Both words << ``by``, less than 128."""
    if by >= FULL:
        return ZERO, low << (by - FULL)
    return low << by, (high << by) | ((low >> ONE) >> (LAST - by))


@inlined
def down(low: Word, high: Word, by: Word) -> tuple[Word, Word]:
    """Both words >> ``by``, less than 128."""
    if by >= FULL:
        return high >> (by - FULL), ZERO
    return (low >> by) | ((high << ONE) << (LAST - by)), high >> by


@inlined
def fits(low: Word, high: Word, length: Word) -> tuple[Word, Word]:
    """The bits p such that the bits p .. p + length - 1 of the cells are set."""
    have = ONE
    while have < length:
        step = min(have, length - have)
        lower, higher = down(low, high, step)
        low, high = low & lower, high & higher
        have += step
    return low, high


@inlined
def covered(low: Word, high: Word, length: Word) -> tuple[Word, Word]:
    """The bits p .. p + length - 1 of all bits p."""
    have = ONE
    while have < length:
        step = min(have, length - have)
        lower, higher = up(low, high, step)
        low, high = low | lower, high | higher
        have += step
    return low, high


@inlined
def forwards(low: Word, high: Word, b1: Word, c1: Word) -> tuple[Word, Word]:
    """All boundaries reached by walking right over the blank cells ``b1``, ``c1``; the carry goes on."""
    moving, moving_on = low & b1, high & c1
    total, total_on = moving + b1, moving_on + c1
    total_on += ONE if total < moving else ZERO
    return low | (total ^ b1) | moving, high | (total_on ^ c1) | moving_on


@inlined
def sweep_forwards(
    may: Words, at: int, length: Words, colour: Ints, first: int, last: int, ready: Words, fit: Words
) -> tuple[Word, Word]:
    """Fill ``ready`` and ``fit``; the boundaries that are reached behind the last run (none: nothing fits)."""
    b1, c1 = may[at], may[at + 1]
    low, high = forwards(ONE, ZERO, b1, c1)
    for run in range(first, last):
        k, cells = 2 * (run - first), at + 2 * colour[run]
        ready[k], ready[k + 1] = low, high
        fit_low, fit_high = fits(may[cells], may[cells + 1], length[run])
        fit[k], fit[k + 1] = fit_low, fit_high
        low, high = up(low & fit_low, high & fit_high, length[run])
        if low | high == ZERO:
            return ZERO, ZERO
        if run + 1 < last and colour[run + 1] == colour[run]:
            low, high = up(low & b1, high & c1, ONE)
        low, high = forwards(low, high, b1, c1)
    return low, high


@compiled
def settle_two(
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
    """``settle_short`` for lines of 64 to 127 cells. ``ready`` and ``fit`` have two words a run."""
    b1, c1, reach = may[at], may[at + 1], size - 63  # the lowest boundary of the upper word counts, too
    low, high = sweep_forwards(may, at, length, colour, first, last, ready, fit)
    end = ONE << np.uint64(size - 64)
    if high & end == ZERO:
        return False

    b2, b4, b8, b16, b32 = levels(b1)
    c2, c4, c8, c16, c32 = levels(c1)
    out[:] = ZERO
    left_on = backwards(end, c1, c2, c4, c8, c16, c32, reach)
    left = backwards(((left_on & ONE) << LAST) & b1, b1, b2, b4, b8, b16, b32, 64)
    lower, higher = down(left, left_on, ONE)
    blank, blank_on = low & lower, high & higher
    for run in range(last - 1, first - 1, -1):
        k, into = 2 * (run - first), 2 * colour[run]
        gap = run + 1 < last and colour[run + 1] == colour[run]
        if gap:
            lower, higher = down(left, left_on, ONE)
            left, left_on = lower & b1, higher & c1
        lower, higher = down(left, left_on, length[run])
        begins, begins_on = fit[k] & lower, fit[k + 1] & higher
        starts, starts_on = begins & ready[k], begins_on & ready[k + 1]
        lower, higher = covered(starts, starts_on, length[run])
        out[into] |= lower
        out[into + 1] |= higher
        if gap:
            lower, higher = up(starts, starts_on, length[run])
            blank, blank_on = blank | lower, blank_on | higher
        left_on = backwards(begins_on, c1, c2, c4, c8, c16, c32, reach)
        left = backwards(begins | (((left_on & ONE) << LAST) & b1), b1, b2, b4, b8, b16, b32, 64)
        lower, higher = down(left, left_on, ONE)
        blank, blank_on = blank | (ready[k] & lower), blank_on | (ready[k + 1] & higher)
    out[0], out[1] = blank & b1, blank_on & c1
    return True
