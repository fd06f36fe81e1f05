"""One cell of a sweep: the layer of states before it makes the layer behind it; compiled.

A state is a number of mixed digits: where the column of the next cell stands is the first digit, then come the columns
behind it, then those before it in the next row's terms; its lowest bits are the state of the row. Layers are sorted.
So the states with one first digit are a sorted block, and all blocks are merged by what the cell does not touch; states
that agree there stand together, and what becomes of them is sorted again: its new digits are the lowest. All memory is
read and written from one end to the other.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from nonosat.solvers.arrays import Bytes, Ints, IntTable, Words
from nonosat.solvers.compiled import compiled, inlined

# Where ``Merge.state`` holds what: how many states were written, and how many read.
WRITTEN, READ = range(2)

DONE, PAUSED, FULL, OVERFLOW = range(4)
NEVER = np.uint64(2**64 - 1)


class Merge(NamedTuple):
    """``head``, ``end``: where the rest of each block is; ``base``: its least number; ``rest``: what the cell does not
    touch of its first state, or NEVER. ``down[value, digit]``, ``across[value, row state]``: what follows, or -1.
    ``sums``, ``used``, ``order``: of the states that follow from those at work; ``state``: see above.
    """

    head: Ints
    end: Ints
    base: Words
    rest: Words
    down: IntTable
    across: IntTable
    sums: Words
    used: Bytes
    order: Ints
    state: Ints


def merge_of(keys: Words, below: int, bits: tuple[int, int], down: Ints, across: Ints, digits: int) -> Merge:
    """The merge of a layer whose first digit is worth ``below`` (without the row's ``bits``, before and after)."""
    blocks = down.shape[1]
    base = np.arange(blocks + 1).astype(np.uint64) * np.uint64(below << bits[0])
    edges = np.searchsorted(keys, base).astype(np.int64)
    rest = np.full(blocks, NEVER)
    some = edges[:-1] < edges[1:]
    rest[some] = (keys[edges[:-1][some]] - base[:-1][some]) >> np.uint64(bits[0])
    slots = digits << bits[1]
    return Merge(
        head=edges[:-1].copy(),
        end=edges[1:].copy(),
        base=base,
        rest=rest,
        down=down,
        across=across,
        sums=np.zeros(slots, dtype=np.uint64),
        used=np.zeros(slots, dtype=np.uint8),
        order=np.zeros(slots + 1, dtype=np.int64),
        state=np.zeros(2, dtype=np.int64),
    )


@inlined
def entered(m: Merge, slot: int, found: int) -> int:
    """Put ``slot`` among the ``found`` ones at work, in order, unless it is there: how many there are then."""
    if m.used[slot] == 1:
        return found
    m.used[slot] = 1
    j = found
    while j > 0 and m.order[j - 1] > slot:
        m.order[j] = m.order[j - 1]
        j -= 1
    m.order[j] = slot
    return found + 1


@compiled
def merge(
    m: Merge, keys: Words, counts: Words, before: int, after: int, digits: int, budget: int,
    new_keys: Words, new_counts: Words,
) -> int:  # fmt: skip
    """Go on until DONE, or PAUSED after some ``budget`` states, or FULL (write on in a longer one).

    ``before``, ``after``: the bits of the row's state; ``digits``: how many states the cell's column has behind it.
    OVERFLOW: a count does not fit its word.
    """
    blocks, values, slots = m.down.shape[1], m.down.shape[0], len(m.sums)
    drop, keep = np.uint64(before), np.uint64(after)
    mask, mask_after, many = (np.uint64(1) << drop) - np.uint64(1), (1 << after) - 1, np.uint64(digits)
    until, written, read = m.state[READ] + budget, m.state[WRITTEN], m.state[READ]
    said = PAUSED
    while read < until:
        if written + slots > len(new_keys):
            said = FULL
            break
        least = NEVER
        for a in range(blocks):
            least = min(least, m.rest[a])
        if least == NEVER:
            said = DONE
            break
        found = 0
        for a in range(blocks):
            if m.rest[a] != least:
                continue
            i = m.head[a]
            while True:
                q, count = np.int64(keys[i] & mask), counts[i]
                for v in range(values):
                    x = m.down[v, a]
                    y = m.across[v, q]
                    if x < 0 or y < 0:
                        continue
                    slot = (x << after) | y
                    found = entered(m, slot, found)
                    m.sums[slot] += count
                    if m.sums[slot] < count:
                        return OVERFLOW
                i += 1
                read += 1
                if i == m.end[a]:
                    m.rest[a] = NEVER
                    break
                following = (keys[i] - m.base[a]) >> drop
                if following != least:
                    m.rest[a] = following
                    break
            m.head[a] = i
        for j in range(found):
            slot = m.order[j]
            new_keys[written] = ((least * many + np.uint64(slot >> after)) << keep) | np.uint64(slot & mask_after)
            new_counts[written], m.sums[slot], m.used[slot] = m.sums[slot], np.uint64(0), 0
            written += 1
    m.state[WRITTEN], m.state[READ] = written, read
    return said
