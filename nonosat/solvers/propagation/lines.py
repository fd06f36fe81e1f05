"""The compiled line solver: all that a clue implies for the cells of its line. Complete, with colours.

It is a dynamic program over (run, boundary). Boundary p lies before cell p; a line of n cells has the boundaries 0..n.
A set of boundaries is the bits of words, so that one operation treats all boundaries. Forwards, ``ready[k]`` holds the
boundaries at which run k may start as far as the cells before it allow. Backwards, ``left`` holds those from which run
k and the later ones can be completed. A value is possible in a cell iff two such boundaries meet there.

Forwards, a walk over blank cells is one addition: its carry runs through them (as in Myers' bit-vector algorithm, JACM
46, 1999). Backwards it takes doubling steps (Kogge and Stone's prefix scheme), since carries go in one direction only,
or the line is mirrored. Doubling shifts also find where a run of length L fits. So a line takes O(runs * log(length))
word operations.

``filter_line`` is the whole of it. Lines of one word and of two have code of their own, in registers: a line of 100
cells takes a third of the time that the general code, on arrays of words, takes for it. Most boards have one colour and
lines of one word: they are propagated by ``filter_short_one_colour``, in two thirds of the time that others take.

``may``: uint64 words, from index ``at`` on. Each value v (0 is blank) has ``length // 64 + 1`` of them; their bits are
the cells that may have v. The answer goes to ``out`` in the same layout; it is a subset of what was given.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from nonosat.compiled import compiled, inlined
from nonosat.compiled.words import (
    EIGHT,
    FOUR,
    FULL,
    HALF,
    LAST,
    ONE,
    SIXTEEN,
    TWO,
    ZERO,
    Int,
    Ints,
    Word,
    Words,
    WordTable,
    mirrored,
)
from nonosat.puzzles.nonogram import Clue

# Lines of up to 63 cells: all boundaries in one word.


@inlined
def steps(length: Word) -> tuple[Word, Word, Word]:
    """Shifts after which one bit has become ``length`` <= 8 in a row: each is at most what there is before it."""
    third = length >> ONE
    second = (length - third) >> ONE
    return (length - third - second) >> ONE, second, third


@inlined
def fits(cells: Word, length: Word) -> Word:
    """The bits p such that the bits p .. p + length - 1 of ``cells`` are set."""
    if length <= EIGHT:  # without branches that depend on the length, which are mispredicted
        first, second, third = steps(length)
        cells &= cells >> first
        cells &= cells >> second
        return cells & (cells >> third)
    have = ONE
    while have < length:
        step = min(have, length - have)
        cells &= cells >> step
        have += step
    return cells


@inlined
def covered(starts: Word, length: Word) -> Word:
    """The bits p .. p + length - 1 of all bits p of ``starts``."""
    if length <= EIGHT:
        first, second, third = steps(length)
        starts |= starts << first
        starts |= starts << second
        return starts | (starts << third)
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
    """The cells that begin two, four, 8, 16 and 32 blank ones, if ``b1`` are the blank ones."""
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


@inlined
def filter_short_one_colour(
    blank: Word, black: Word, size: int, length: Words, first: int, last: int, ready: Words, fit: Words
) -> tuple[Word, Word]:
    """(the cells that may be blank, those that may be black) of a line of ``size`` < 64 cells; 0, 0: nothing fits.

    The backward sweep is a forward one on the mirrored line, and goes on at the same time, since each waits for its
    last step. ``ready`` has a word a run, ``fit`` two: behind the first ones, where runs may end for the later ones.
    """
    runs, unused = last - first, np.uint64(64 - size)
    blank_back, black_back = mirrored(blank) >> unused, mirrored(black) >> unused
    here, there = forwards(ONE, blank), forwards(ONE, blank_back)
    for k in range(runs):
        ready[k], fit[2 * runs - 1 - k] = here, there
        ahead, behind = length[first + k], length[last - 1 - k]
        fit[k] = fits(black, ahead)
        here = (here & fit[k]) << ahead
        there = (there & fits(black_back, behind)) << behind
        if here == ZERO or there == ZERO:
            return ZERO, ZERO
        if k + 1 < runs:
            here, there = (here & blank) << ONE, (there & blank_back) << ONE
        here, there = forwards(here, blank), forwards(there, blank_back)
    if (here >> np.uint64(size)) & ONE == ZERO:
        return ZERO, ZERO

    unused -= ONE  # a line has a boundary more than cells
    may_be_blank = (ready[0] if runs > 0 else here) & ((mirrored(there) >> unused) >> ONE)
    may_be_black = ZERO
    for k in range(runs):
        ends = mirrored(fit[runs + k]) >> unused
        starts = ready[k] & fit[k] & (ends >> length[first + k])
        may_be_black |= covered(starts, length[first + k])
        if k > 0:
            may_be_blank |= starts >> ONE
        if k + 1 < runs:
            may_be_blank |= starts << length[first + k]
        may_be_blank |= (ready[k + 1] if k + 1 < runs else here) & (ends >> ONE)
    return may_be_blank & blank, may_be_black


@compiled
def filter_short(
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
    """``filter_line`` for lines of ``size`` < 64 cells. ``ready`` has a word a run, ``fit`` two."""
    if len(out) == 2:
        out[0], out[1] = filter_short_one_colour(may[at], may[at + 1], size, length, first, last, ready, fit)
        return bool(out[0] | out[1] != ZERO)
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


# Lines of 64 to 127 cells: the same with two words, the lower one first.


@inlined
def shift_up_two(low: Word, high: Word, by: Word) -> tuple[Word, Word]:
    """Both words << ``by``, less than 128."""
    if by >= FULL:
        return ZERO, low << (by - FULL)
    return low << by, (high << by) | ((low >> ONE) >> (LAST - by))


@inlined
def shift_down_two(low: Word, high: Word, by: Word) -> tuple[Word, Word]:
    """Both words >> ``by``, less than 128."""
    if by >= FULL:
        return high >> (by - FULL), ZERO
    return (low >> by) | ((high << ONE) << (LAST - by)), high >> by


@inlined
def fits_two(low: Word, high: Word, length: Word) -> tuple[Word, Word]:
    """The bits p such that the bits p .. p + length - 1 of the cells are set."""
    have = ONE
    while have < length:
        step = min(have, length - have)
        lower, higher = shift_down_two(low, high, step)
        low, high = low & lower, high & higher
        have += step
    return low, high


@inlined
def covered_two(low: Word, high: Word, length: Word) -> tuple[Word, Word]:
    """The bits p .. p + length - 1 of all bits p."""
    have = ONE
    while have < length:
        step = min(have, length - have)
        lower, higher = shift_up_two(low, high, step)
        low, high = low | lower, high | higher
        have += step
    return low, high


@inlined
def forwards_two(low: Word, high: Word, b1: Word, c1: Word) -> tuple[Word, Word]:
    """All boundaries reached by walking right over the blank cells ``b1``, ``c1``; the carry goes on."""
    moving, moving_on = low & b1, high & c1
    total, total_on = moving + b1, moving_on + c1
    total_on += ONE if total < moving else ZERO
    return low | (total ^ b1) | moving, high | (total_on ^ c1) | moving_on


@inlined
def sweep_forwards_two(
    may: Words, at: int, length: Words, colour: Ints, first: int, last: int, ready: Words, fit: Words
) -> tuple[Word, Word]:
    """Fill ``ready`` and ``fit``; the boundaries that are reached behind the last run (none: nothing fits)."""
    b1, c1 = may[at], may[at + 1]
    low, high = forwards_two(ONE, ZERO, b1, c1)
    for run in range(first, last):
        k, cells = 2 * (run - first), at + 2 * colour[run]
        ready[k], ready[k + 1] = low, high
        fit_low, fit_high = fits_two(may[cells], may[cells + 1], length[run])
        fit[k], fit[k + 1] = fit_low, fit_high
        low, high = shift_up_two(low & fit_low, high & fit_high, length[run])
        if low | high == ZERO:
            return ZERO, ZERO
        if run + 1 < last and colour[run + 1] == colour[run]:
            low, high = shift_up_two(low & b1, high & c1, ONE)
        low, high = forwards_two(low, high, b1, c1)
    return low, high


@compiled
def filter_two(
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
    """``filter_line`` for lines of 64 to 127 cells. ``ready`` and ``fit`` have two words a run."""
    b1, c1, reach = may[at], may[at + 1], size - 63  # the lowest boundary of the upper word counts, too
    low, high = sweep_forwards_two(may, at, length, colour, first, last, ready, fit)
    end = ONE << np.uint64(size - 64)
    if high & end == ZERO:
        return False

    b2, b4, b8, b16, b32 = levels(b1)
    c2, c4, c8, c16, c32 = levels(c1)
    out[:] = ZERO
    left_on = backwards(end, c1, c2, c4, c8, c16, c32, reach)
    left = backwards(((left_on & ONE) << LAST) & b1, b1, b2, b4, b8, b16, b32, 64)
    lower, higher = shift_down_two(left, left_on, ONE)
    blank, blank_on = low & lower, high & higher
    for run in range(last - 1, first - 1, -1):
        k, into = 2 * (run - first), 2 * colour[run]
        gap = run + 1 < last and colour[run + 1] == colour[run]
        if gap:
            lower, higher = shift_down_two(left, left_on, ONE)
            left, left_on = lower & b1, higher & c1
        lower, higher = shift_down_two(left, left_on, length[run])
        begins, begins_on = fit[k] & lower, fit[k + 1] & higher
        starts, starts_on = begins & ready[k], begins_on & ready[k + 1]
        lower, higher = covered_two(starts, starts_on, length[run])
        out[into] |= lower
        out[into + 1] |= higher
        if gap:
            lower, higher = shift_up_two(starts, starts_on, length[run])
            blank, blank_on = blank | lower, blank_on | higher
        left_on = backwards(begins_on, c1, c2, c4, c8, c16, c32, reach)
        left = backwards(begins | (((left_on & ONE) << LAST) & b1), b1, b2, b4, b8, b16, b32, 64)
        lower, higher = shift_down_two(left, left_on, ONE)
        blank, blank_on = blank | (ready[k] & lower), blank_on | (ready[k + 1] & higher)
    out[0], out[1] = blank & b1, blank_on & c1
    return True


# Lines of any length: the same with arrays of words, the lowest first. Results go to the first argument.


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
def sweep_forwards_long(
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
def sweep_backwards_long(
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
def filter_long(
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
    """``filter_line`` for lines of any length.

    The words of the next value come ``stride`` behind. ``out`` has as many words a value as it takes for the boundary
    ``end``; bits of other cells are not set. ``ready`` and ``fit`` have as many words a run.
    """
    words = (end >> 6) + 1
    blank = may[at : at + words]
    reached, other, left = spares[0, :words], spares[1, :words], spares[3, :words]
    for i in range(words):
        reached[i] = left[i] = ZERO
    reached[0] = ONE << np.uint64(begin)
    forwards_long(reached, blank)
    if not sweep_forwards_long(may, at, stride, words, blank, length, colour, first, last, ready, fit, spares):
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
    sweep_backwards_long(words, blank, length, colour, first, last, ready, fit, out, spares)
    for i in range(words):
        out[i] &= blank[i]
    return True


@compiled
def filter_line(
    may: Words, at: int, words: int, begin: int, end: int, length: Words, colour: Ints, first: int, last: int,
    ready: Words, fit: Words, out: Words, spares: WordTable,
) -> bool:  # fmt: skip
    """Leave in ``out`` what the runs ``first`` .. ``last`` - 1 imply for the cells ``begin`` .. ``end`` - 1.

    False: no filling is left. Each value has ``words`` words, from index ``at`` on, and ``begin`` is in the first one.
    Lines of one word and of two are filtered whole: ``begin`` is 0, ``end`` their length. ``ready``, ``fit`` and
    ``spares``, of shape (4, words), are scratch.
    """
    if words == 1:
        return filter_short(may, at, end, length, colour, first, last, ready, fit, out)
    if words == 2:
        return filter_two(may, at, end, length, colour, first, last, ready, fit, out)
    return filter_long(may, at, words, begin, end, length, colour, first, last, ready, fit, out, spares)


def line_consequences(clue: Clue, may: npt.ArrayLike) -> npt.NDArray[np.bool_] | None:
    """The values of each cell in the fillings of a line of ``clue``; None: there is no filling.

    Booleans of shape (values, cells), as ``may``, which holds the values that are possible beforehand.

    >>> from nonosat.puzzles.nonogram import Run
    >>> line_consequences((Run(3),), np.ones((2, 4)))[1].astype(int).tolist()
    [1, 1, 1, 1]
    >>> line_consequences((Run(3),), np.ones((2, 4)))[0].astype(int).tolist()  # the two in the middle can't be blank
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
    ready, fit = np.zeros((2, (2 * runs + 1) * words), np.uint64)
    out, spares = np.zeros(values * words, np.uint64), np.zeros((4, words), np.uint64)
    if not filter_line(given, 0, words, 0, size, length, colour, 0, runs, ready, fit, out, spares):
        return None
    bits = np.unpackbits(out.astype("<u8").view(np.uint8), bitorder="little")
    return bits.reshape(values, -1)[:, :size].astype(bool)
