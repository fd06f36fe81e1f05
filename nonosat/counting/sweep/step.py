"""One cell of a sweep: the layer of states before it makes the layer behind it; compiled.

A state is a number of mixed digits: where the column of the next cell stands is the last digit, and its lowest bits are
the state of the row. Layers are sorted. What becomes of a state is written to a list for each new digit of the column:
that digit is the first of the new number, so that the lists, one behind the other, are the sorted layer behind the
cell, if each of them is sorted; and equal states stand together.

They do: of the states that differ in nothing else than what the cell touches, the columns' states tell how many
coloured cells the row has read. So those that have the same new digit are at most two: the cell was coloured, or it was
blank. A blank leads to a later state of the row, and comes from a later state of the column.

So nothing is sorted, merged or looked up: memory is read from one end to the other, and written to as many ends as a
column has states; and there is no branch that could not be foreseen.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from nonosat.counting.sweep.pages import NONE, NOWHERE, PAGE, PAGE_BITS, Pages, give_back, taken
from nonosat.solvers.arrays import Int, Ints, IntTable, Words, WordTable
from nonosat.solvers.compiled import compiled, inlined

# Where ``Cell.state`` holds what: the next page to read, and how many states were read.
NEXT, READ = range(2)

DONE, PAUSED, FULL, OVERFLOW = range(4)
NEVER = np.uint64(2**64 - 1)


class Cell(NamedTuple):
    """``digit[value, place]``, ``worth[value, place]``: the list of what follows from a state whose last digit and row
    state are ``place``, and its number without the other digits. The last list is for nothing.

    ``head``, ``end``, ``pages``: of each list, the first page (or NONE), the place of its last state, and how many
    pages it has; ``last``: the number of that state, or NEVER.
    """

    digit: IntTable
    worth: WordTable
    head: Ints
    end: Ints
    pages: Ints
    last: Words
    state: Ints


def cell_of(first: int, down: IntTable, across: IntTable, digits: int, others: int, bits: tuple[int, int]) -> Cell:
    """The cell before which the layer's ``first`` page is, and whose column has so many ``digits`` behind it.

    ``down[value, digit]``, ``across[value, row state]``: what follows, or -1. ``others``: the product of the sizes of
    all other digits; ``bits``: those of the row's state before and behind the cell.
    """
    digit = np.full((len(down), down.shape[1] << bits[0]), digits, dtype=np.int64)
    worth = np.zeros(digit.shape, dtype=np.uint64)
    for v, a, q in np.argwhere((down[:, :, None] >= 0) & (across[:, None, :] >= 0)).tolist():
        x, y = int(down[v, a]), int(across[v, q])
        digit[v, (a << bits[0]) | q] = x
        worth[v, (a << bits[0]) | q] = (x * others << bits[1]) | y
    return Cell(
        digit=digit,
        worth=worth,
        head=np.full(digits, NONE, dtype=np.int64),
        end=np.array([-1] * digits + [NOWHERE]),
        pages=np.zeros(digits, dtype=np.int64),
        last=np.full(digits + 1, NEVER),
        state=np.array([first, 0]),
    )


@inlined
def next_page(p: Pages, m: Cell, x: Int) -> int:
    """One page more for a list; its first place."""
    page = taken(p)
    p.used[page] = PAGE
    m.pages[x] += 1
    if m.head[x] == NONE:
        m.head[x] = page
    else:
        p.after[m.end[x] >> PAGE_BITS] = page
    return page << PAGE_BITS


@compiled
def step(p: Pages, m: Cell, after: int, budget: int) -> int:
    """Go on until DONE, or PAUSED after some ``budget`` states, or FULL (with more free pages it goes on).

    ``after``: the bits of the row's state behind the cell. OVERFLOW: a count does not fit its word.
    """
    span, keep, lists = np.uint64(m.digit.shape[1]), np.uint64(after), len(m.head)
    needed, until = m.digit.shape[0] + lists + 2, m.state[READ] + budget
    while m.state[READ] < until:
        page, lost = m.state[NEXT], False
        if page == NONE:
            return DONE
        if p.left[0] < needed:
            return FULL
        for i in range(page << PAGE_BITS, (page << PAGE_BITS) + p.used[page]):
            key, count = p.keys[i], p.counts[i]
            others = key // span
            place = np.int64(key - others * span)
            for v in range(m.digit.shape[0]):
                x, new = m.digit[v, place], m.worth[v, place] + (others << keep)
                some, same = np.int64(x < lists), np.int64(m.last[x] == new)
                at = m.end[x] + (some & ~same)
                if at & (PAGE - 1) == 0 and same == 0:
                    at = next_page(p, m, x)
                total = (p.counts[at] & np.uint64(-same)) + count
                lost |= (total < count) & (x < lists)
                p.keys[at], p.counts[at], m.last[x], m.end[x] = new, total, new, at
        if lost:
            return OVERFLOW
        m.state[READ] += p.used[page]
        m.state[NEXT] = p.after[page]
        give_back(p, page)
    return PAUSED


def joined(p: Pages, m: Cell) -> tuple[int, int]:
    """The lists of a cell that is DONE as one: its first page, and how many states it has."""
    first = last = NONE
    states = 0
    for head, end, pages in zip(m.head.tolist(), m.end.tolist(), m.pages.tolist(), strict=False):
        if head == NONE:
            continue
        if last == NONE:
            first = head
        else:
            p.after[last] = head
        last = end >> PAGE_BITS
        p.used[last] = (end & (PAGE - 1)) + 1
        states += (pages - 1) * PAGE + int(p.used[last])
    return first, states
