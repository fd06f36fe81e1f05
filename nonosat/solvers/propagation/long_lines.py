"""Lines of any length: as ``short_lines``, on several words, lowest first.

What the functions return there, these leave in their first argument.
"""

from __future__ import annotations

import numpy as np

from nonosat.solvers.arrays import Int, Ints, Words, WordTable
from nonosat.solvers.compiled import compiled, inlined
from nonosat.solvers.propagation.short_lines import backwards, levels
from nonosat.solvers.propagation.words import FULL, ONE, ZERO


@compiled
def shift_up(source: Words, by: Int, target: Words) -> None:
    """``target`` = ``source`` << ``by``."""
    whole, rest = by >> 6, np.uint64(by & 63)
    for i in range(len(target) - 1, -1, -1):
        word = source[i - whole] << rest if i >= whole else ZERO
        if rest and i > whole:
            word |= source[i - whole - 1] >> (FULL - rest)
        target[i] = word


@compiled
def shift_down(source: Words, by: Int, target: Words) -> None:
    """``target`` = ``source`` >> ``by``."""
    whole, rest, words = by >> 6, np.uint64(by & 63), len(target)
    for i in range(words):
        word = source[i + whole] >> rest if i + whole < words else ZERO
        if rest and i + whole + 1 < words:
            word |= source[i + whole + 1] << (FULL - rest)
        target[i] = word


@compiled
def fits_long(cells: Words, length: Int, spare: Words) -> None:
    """``fits``."""
    have: Int = 1
    while have < length:
        step = min(have, length - have)
        shift_down(cells, step, spare)
        for i in range(len(cells)):
            cells[i] &= spare[i]
        have += step


@compiled
def covered_long(starts: Words, length: Int, spare: Words) -> None:
    """``covered``."""
    have: Int = 1
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
        b2, b4, b8, b16, b32 = levels(b1)
        word = reached[i] | (((above & ONE) << np.uint64(63)) & b1)
        above = backwards(word, b1, b2, b4, b8, b16, b32, 64)
        reached[i] = above


@inlined
def sweep_forwards(
    may: Words, at: int, stride: int, words: int, blank: Words, length: Words, colour: Ints, first: int, last: int,
    ready: Words, fit: Words, spares: WordTable,
) -> bool:  # fmt: skip
    """Fill ``ready`` and ``fit``; leave in ``spares[0]`` the boundaries behind the last run. False: nothing fits."""
    reached, other, spare = spares[0, :words], spares[1, :words], spares[2, :words]
    for run in range(first, last):
        k, cells = run - first, np.int64(length[run])
        here, fitting = ready[k * words : (k + 1) * words], fit[k * words : (k + 1) * words]
        begin = at + colour[run] * stride
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
    return True


@inlined
def sweep_backwards(
    words: int, blank: Words, length: Words, colour: Ints, first: int, last: int,
    ready: Words, fit: Words, out: Words, spares: WordTable,
) -> None:  # fmt: skip
    """Add to ``out`` what the runs and the blanks before them may be; ``spares[3]`` holds where the rest may begin."""
    reached, other, spare, left = spares[0, :words], spares[1, :words], spares[2, :words], spares[3, :words]
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


@compiled
def settle_long(
    may: Words,
    at: int,
    stride: int,
    begin: int,
    end: int,
    length: Words,
    colour: Ints,
    first: int,
    last: int,
    ready: Words,
    fit: Words,
    out: Words,
    spares: WordTable,
) -> bool:
    """``settle_short`` for the cells ``begin`` .. ``end`` - 1 of lines of any length, and the runs that lie in them.

    ``begin`` is in the first word, from index ``at`` on; the words of the next value come ``stride`` behind. ``out``
    has as many words a value as it takes for the boundary ``end``; bits of other cells are not set. ``ready`` and
    ``fit`` have as many words a run; ``spares`` is scratch of shape (4, at least as many).
    """
    words = (end >> 6) + 1
    blank = may[at : at + words]
    reached, other, left = spares[0, :words], spares[1, :words], spares[3, :words]
    for i in range(words):
        reached[i] = left[i] = ZERO
    reached[0] = ONE << np.uint64(begin)
    forwards_long(reached, blank)
    if not sweep_forwards(may, at, stride, words, blank, length, colour, first, last, ready, fit, spares):
        return False
    if (reached[end >> 6] >> np.uint64(end & 63)) & ONE == ZERO:
        return False

    for i in range(len(out)):
        out[i] = ZERO
    left[end >> 6] = ONE << np.uint64(end & 63)
    backwards_long(left, blank)
    shift_down(left, 1, other)
    for i in range(words):
        out[i] = reached[i] & other[i]
    sweep_backwards(words, blank, length, colour, first, last, ready, fit, out, spares)
    for i in range(words):
        out[i] &= blank[i]
    return True
