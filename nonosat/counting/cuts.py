"""Where a line falls into parts that do not depend on each other; compiled.

Between two cells a line is in a *state*: so many runs are done, or it is so many cells inside a run. (The blank that
must follow a run is counted as the run's last cell.) Where all fillings that the cells still allow are in one and the
same state, what lies left and right of it does not depend on each other: a *cut*. The part between two cuts, with
their states and what its cells may be, is a count's subproblem; the rest of the line does not matter.

``state_at[p]`` becomes the state before cell p, wherever a cut is there.
"""

from __future__ import annotations

import numpy as np

from nonosat.solvers.arrays import ByteTable, Ints, Words
from nonosat.solvers.compiled import compiled, inlined
from nonosat.solvers.propagation.bits import lowest
from nonosat.solvers.propagation.short_lines import backwards, levels, sweep_forwards
from nonosat.solvers.propagation.words import ONE, ZERO, Word

INSIDE = 1 << 20
"""The state ``o`` cells inside run k is ``k * INSIDE + o``; o is 0 where no run is under way."""


@inlined
def gather(where: Word, state: int, once: Word, twice: Word, state_at: Ints, at: int) -> tuple[Word, Word]:
    """Add a state that is possible at the boundaries ``where`` to the sets of those that have one, and several."""
    new = where & ~once
    while new:
        state_at[at + lowest(new)] = state
        new &= new - ONE
    return once | where, twice | (once & where)


@compiled
def cuts_short(
    may: Words, base: int, size: int, length: Words, colour: Ints, first: int, last: int,
    ready: Words, fit: Words, state_at: Ints, at: int,
) -> Word:  # fmt: skip
    """The cuts of a line of ``size`` < 64 cells that has a filling, as bits; arrays as for ``settle_short``."""
    b1 = may[base]
    reached = sweep_forwards(b1, may, base, length, colour, first, last, ready, fit)
    b2, b4, b8, b16, b32 = levels(b1)
    left = backwards(ONE << np.uint64(size), b1, b2, b4, b8, b16, b32, size)
    once, twice = gather(reached & left, (last - first) * INSIDE, ZERO, ZERO, state_at, at)
    for run in range(last - 1, first - 1, -1):
        k = run - first
        gap = run + 1 < last and colour[run + 1] == colour[run]
        after = (left >> ONE) & b1 if gap else left
        begins = fit[k] & (after >> length[run])
        starts = begins & ready[k]
        left = backwards(begins, b1, b2, b4, b8, b16, b32, size)
        once, twice = gather(ready[k] & left, k * INSIDE, once, twice, state_at, at)
        for inside in range(1, np.int64(length[run]) + (1 if gap else 0)):
            once, twice = gather(starts << np.uint64(inside), k * INSIDE + inside, once, twice, state_at, at)
    return once & ~twice


@inlined
def may_have(may: Words, base: int, words: int, value: int, cell: int) -> bool:
    """May a cell of the line at ``base`` have ``value``?"""
    return bool((may[base + value * words + (cell >> 6)] >> np.uint64(cell & 63)) & ONE == ONE)


@inlined
def reach_forwards(
    may: Words, base: int, words: int, start: int, size: int, length: Words, colour: Ints, first: int, last: int,
    most: int, ahead: ByteTable, fits: ByteTable,
) -> None:  # fmt: skip
    """``ahead[k, p]``: can k runs (and the blank behind them) be done before p? ``fits[k, p]``: run k from p on."""
    ahead[: last - first + 1, start : size + 2] = 0
    ahead[0, start] = 1
    for k in range(last - first + 1):
        for p in range(start, size):
            if ahead[k, p] == 1 and may_have(may, base, words, 0, p):
                ahead[k, p + 1] = 1
        if k == last - first:
            break
        run = first + k
        gap = 1 if run + 1 < most and colour[run + 1] == colour[run] else 0
        need, streak = int(length[run]), 0
        fits[k, start : size + 1] = 0
        for p in range(start, size):
            streak = streak + 1 if may_have(may, base, words, colour[run], p) else 0
            begin = p + 1 - need
            if streak >= need and (gap == 0 or (p + 1 < size and may_have(may, base, words, 0, p + 1))):
                fits[k, begin] = 1
                if ahead[k, begin] == 1:
                    ahead[k + 1, p + 1 + gap] = 1


@compiled
def cuts_long(
    may: Words, base: int, words: int, start: int, size: int, length: Words, colour: Ints, first: int, last: int,
    done: int, most: int, ahead: ByteTable, fits: ByteTable, back: ByteTable, state_at: Ints, at: int, many: Ints,
) -> None:  # fmt: skip
    """The cuts of a line of any length: those boundaries p for which ``many[p]`` becomes 1.

    Looked at are the cells ``start`` .. ``size`` - 1 with the runs ``first`` .. ``last`` - 1, before which ``done``
    others are; ``most``: behind the line's last run. At both ends no run is under way. ``ahead``, ``fits``, ``back``:
    scratch of shape (at least runs + 1, at least size + 2).
    """
    reach_forwards(may, base, words, start, size, length, colour, first, last, most, ahead, fits)
    runs = last - first
    many[start : size + 1] = 0
    for k in range(runs, -1, -1):
        need = gap = 0
        if k < runs:
            gap = 1 if first + k + 1 < most and colour[first + k + 1] == colour[first + k] else 0
            need = int(length[first + k]) + gap
        back[k, start : size + 2] = 0
        if k == runs:
            back[k, size] = 1
        for p in range(size, start - 1, -1):
            starts = k < runs and p < size and fits[k, p] == 1 and p + need <= size and back[k + 1, p + need] == 1
            if starts or (p < size and back[k, p + 1] == 1 and may_have(may, base, words, 0, p)):
                back[k, p] = 1
            if back[k, p] == 1 and ahead[k, p] == 1:
                many[p] += 1
                state_at[at + p] = (done + k) * INSIDE
            if starts and ahead[k, p] == 1:
                for inside in range(1, need):
                    many[p + inside] += 1
                    state_at[at + p + inside] = (done + k) * INSIDE + inside
