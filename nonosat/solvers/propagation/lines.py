"""One line by itself: all that its clue and what is known of its cells imply. Complete, with colours, compiled.

A dynamic program over (run, boundary), all boundaries at once as the bits of words: boundary p lies before cell p, so a
line of n cells has the boundaries 0..n. Forwards, ``ready[k]`` holds the boundaries at which run k may start as far as
the cells before it go; backwards, ``left`` those from which run k and the later ones can be completed. A value is
possible in a cell iff two such boundaries meet there.

Blanks are walked over by one addition, whose carry runs through the cells that may be blank (as in Myers' bit-vector
algorithm, JACM 46, 1999); backwards by doubling steps (Kogge and Stone's prefix scheme), since carries know one
direction only. Where a run of length L fits is found by doubling shifts too. So a line takes O(runs * log(length)) word
operations.

``may``: uint64 words, from index ``at`` on; for each value v (0 is blank) as many words as a line has (``length // 64 +
1``, since there is a boundary more than cells), whose bits are the cells that may have v. The answer goes to ``out``,
in the same layout; it is a subset of what was given.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from nonosat.puzzles.nonogram import Clue
from nonosat.solvers.compiled import compiled, inlined

Words = npt.NDArray[np.uint64]
Ints = npt.NDArray[np.int64]
Word = np.uint64
Count = int | np.int64

ZERO, ONE, TWO, FOUR = np.uint64(0), np.uint64(1), np.uint64(2), np.uint64(4)
EIGHT, SIXTEEN, HALF, FULL = np.uint64(8), np.uint64(16), np.uint64(32), np.uint64(64)


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
    reached = forwards(ONE, b1)
    for run in range(first, last):
        k = run - first
        ready[k] = reached
        fit[k] = fits(may[at + colour[run]], length[run])
        ends = (reached & fit[k]) << length[run]
        if ends == ZERO:
            return False
        if run + 1 < last and colour[run + 1] == colour[run]:
            ends = (ends & b1) << ONE
        reached = forwards(ends, b1)
    end = ONE << np.uint64(size)
    if reached & end == ZERO:
        return False

    b2 = b1 & (b1 >> ONE)
    b4 = b2 & (b2 >> TWO)
    b8 = b4 & (b4 >> FOUR)
    b16 = b8 & (b8 >> EIGHT)
    b32 = b16 & (b16 >> SIXTEEN)
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


# The same on several words, lowest first; what the functions above return, these leave in their first argument.


@compiled
def shift_up(source: Words, by: Count, target: Words) -> None:
    """``target`` = ``source`` << ``by``."""
    whole, rest = by >> 6, np.uint64(by & 63)
    for i in range(len(target) - 1, -1, -1):
        word = source[i - whole] << rest if i >= whole else ZERO
        if rest and i > whole:
            word |= source[i - whole - 1] >> (FULL - rest)
        target[i] = word


@compiled
def shift_down(source: Words, by: Count, target: Words) -> None:
    """``target`` = ``source`` >> ``by``."""
    whole, rest, words = by >> 6, np.uint64(by & 63), len(target)
    for i in range(words):
        word = source[i + whole] >> rest if i + whole < words else ZERO
        if rest and i + whole + 1 < words:
            word |= source[i + whole + 1] << (FULL - rest)
        target[i] = word


@compiled
def fits_long(cells: Words, length: Count, spare: Words) -> None:
    """``fits``."""
    have: Count = 1
    while have < length:
        step = min(have, length - have)
        shift_down(cells, step, spare)
        for i in range(len(cells)):
            cells[i] &= spare[i]
        have += step


@compiled
def covered_long(starts: Words, length: Count, spare: Words) -> None:
    """``covered``."""
    have: Count = 1
    while have < length:
        step = min(have, length - have)
        shift_up(starts, step, spare)
        for i in range(len(starts)):
            starts[i] |= spare[i]
        have += step


@compiled
def forwards_long(reached: Words, blank: Words) -> None:
    """``forwards``: the carry goes on from word to word."""
    carry = ZERO
    for i in range(len(reached)):
        moving = reached[i] & blank[i]
        total = moving + blank[i]
        over = ONE if total < moving else ZERO
        total += carry
        over |= ONE if total < carry else ZERO
        reached[i] |= (total ^ blank[i]) | moving
        carry = over


@compiled
def backwards_long(reached: Words, blank: Words) -> None:
    """``backwards``, from the last word to the first: a word's last cell leads to the next word's first boundary."""
    above = ZERO
    for i in range(len(reached) - 1, -1, -1):
        b1 = blank[i]
        b2 = b1 & (b1 >> ONE)
        b4 = b2 & (b2 >> TWO)
        b8 = b4 & (b4 >> FOUR)
        b16 = b8 & (b8 >> EIGHT)
        b32 = b16 & (b16 >> SIXTEEN)
        word = reached[i] | (((above & ONE) << np.uint64(63)) & b1)
        above = backwards(word, b1, b2, b4, b8, b16, b32, 64)
        reached[i] = above


@compiled
def settle_long(
    may: Words,
    at: int,
    size: int,
    words: int,
    length: Words,
    colour: Ints,
    first: int,
    last: int,
    ready: Words,
    fit: Words,
    out: Words,
    spares: Words,
) -> bool:
    """``settle_short`` for lines of any length.

    ``ready`` and ``fit`` have ``words`` words a run; ``spares`` is scratch of shape (4, at least ``words``).
    """
    blank = may[at : at + words]
    reached, other, spare, left = spares[0, :words], spares[1, :words], spares[2, :words], spares[3, :words]
    for i in range(words):
        reached[i] = left[i] = ZERO
    reached[0] = ONE
    forwards_long(reached, blank)
    for run in range(first, last):
        k, cells = run - first, np.int64(length[run])
        here, fitting = ready[k * words : (k + 1) * words], fit[k * words : (k + 1) * words]
        begin = at + colour[run] * words
        for i in range(words):
            here[i] = reached[i]
            fitting[i] = may[begin + i]
        fits_long(fitting, cells, spare)
        some = ZERO
        for i in range(words):
            other[i] = here[i] & fitting[i]
            some |= other[i]
        if some == ZERO:
            return False
        shift_up(other, cells, reached)
        if run + 1 < last and colour[run + 1] == colour[run]:
            for i in range(words):
                other[i] = reached[i] & blank[i]
            shift_up(other, 1, reached)
        forwards_long(reached, blank)
    if (reached[size >> 6] >> np.uint64(size & 63)) & ONE == ZERO:
        return False

    for i in range(len(out)):
        out[i] = ZERO
    left[size >> 6] = ONE << np.uint64(size & 63)
    backwards_long(left, blank)
    shift_down(left, 1, other)
    for i in range(words):
        out[i] = reached[i] & other[i]
    for run in range(last - 1, first - 1, -1):
        k, cells = run - first, np.int64(length[run])
        here, begins = ready[k * words : (k + 1) * words], fit[k * words : (k + 1) * words]
        gap = run + 1 < last and colour[run + 1] == colour[run]
        if gap:
            shift_down(left, 1, other)
            for i in range(words):
                left[i] = other[i] & blank[i]
        shift_down(left, cells, other)
        for i in range(words):
            begins[i] &= other[i]
            other[i] = begins[i] & here[i]
            left[i] = begins[i]
        if gap:
            shift_up(other, cells, reached)
            for i in range(words):
                out[i] |= reached[i]
        covered_long(other, cells, spare)
        begin = colour[run] * words
        for i in range(words):
            out[begin + i] |= other[i]
        backwards_long(left, blank)
        shift_down(left, 1, other)
        for i in range(words):
            out[i] |= here[i] & other[i]
    for i in range(words):
        out[i] &= blank[i]
    return True


# ---------------------------------------------------------------- for people


def settled(clue: Clue, may: npt.ArrayLike) -> npt.NDArray[np.bool_] | None:
    """What a line of ``clue`` may be: Booleans of shape (values, cells), as ``may``, which says what is known before.

    None: nothing fits. ``settle_short`` does it for fewer than 64 cells, ``settle_long`` for more.

    >>> from nonosat.puzzles.nonogram import Run
    >>> settled((Run(3),), np.ones((2, 4)))[1].astype(int).tolist()
    [1, 1, 1, 1]
    >>> settled((Run(3),), np.ones((2, 4)))[0].astype(int).tolist()  # the two in the middle can't be blank
    [1, 0, 0, 1]
    """
    before = np.asarray(may, dtype=bool)
    values, size = before.shape
    words = size // 64 + 1
    padded = np.zeros((values, words * 64), dtype=bool)
    padded[:, :size] = before
    given = np.packbits(padded, axis=1, bitorder="little").view("<u8").astype(np.uint64).ravel()
    runs = len(clue)
    length = np.array([run.length for run in clue], dtype=np.uint64)
    colour = np.array([run.colour for run in clue], dtype=np.int64)
    ready, fit = np.zeros((runs + 1) * words, np.uint64), np.zeros((runs + 1) * words, np.uint64)
    out, spares = np.zeros(values * words, np.uint64), np.zeros((4, words), np.uint64)
    if words == 1:
        fine = settle_short(given, 0, size, length, colour, 0, runs, ready, fit, out)
    else:
        fine = settle_long(given, 0, size, words, length, colour, 0, runs, ready, fit, out, spares)
    if not fine:
        return None
    bits = np.unpackbits(out.astype("<u8").view(np.uint8), bitorder="little")
    return bits.reshape(values, -1)[:, :size].astype(bool)
