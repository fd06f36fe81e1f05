"""Where the states of a sweep are kept: pages, in lists that are read from one end and written at the other; compiled.

A page that is read is free for the next one that is written, so that a layer and the one that comes of it share their
memory.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from nonosat.solvers.arrays import Ints, Words
from nonosat.solvers.compiled import compiled, inlined

PAGE_BITS = 12
PAGE = 1 << PAGE_BITS
"""States that a page holds."""
NONE = -1
NOWHERE = 1
"""A place of page 0, which is never in a list: what is written there is lost."""


class Pages(NamedTuple):
    """``keys``, ``counts``: of the states, page by page; ``used``: how many states a page has, ``after``: the next page
    of its list, or NONE. ``free``: pages in no list, of which there are ``left[0]``.
    """

    keys: Words
    counts: Words
    used: Ints
    after: Ints
    free: Ints
    left: Ints

    @property
    def bytes(self) -> int:
        """The memory that they take."""
        return sum(array.nbytes for array in self)

    def grow(self, more: int) -> None:
        """Add free pages, in place, so that nothing is there twice where the system can."""
        before = len(self.used)
        for states in (self.keys, self.counts):
            states.resize((before + more) * PAGE, refcheck=False)
        for pages in (self.used, self.after, self.free):
            pages.resize(before + more, refcheck=False)
        left = int(self.left[0])
        self.free[left : left + more] = np.arange(before + more - 1, before - 1, -1)
        self.left[0] = left + more


def no_pages() -> Pages:
    """Page 0, and no other yet."""
    states, pages = np.zeros(PAGE, dtype=np.uint64), np.zeros(1, dtype=np.int64)
    return Pages(states, states.copy(), pages, pages.copy(), pages.copy(), pages.copy())


def list_of(pages: Pages, first: int) -> list[int]:
    """The pages of a list."""
    found = []
    while first != NONE:
        found.append(first)
        first = int(pages.after[first])
    return found


@inlined
def taken(p: Pages) -> int:
    """A free page, the end of its list."""
    p.left[0] -= 1
    page = p.free[p.left[0]]
    p.after[page] = NONE
    return int(page)


@inlined
def give_back(p: Pages, page: int) -> None:
    """A page is free."""
    p.free[p.left[0]] = page
    p.left[0] += 1


@compiled
def gather(p: Pages, first: int, keys: Words, counts: Words) -> None:
    """Copy the states of a list, one after the other."""
    to, page = 0, first
    while page != NONE:
        for i in range(page << PAGE_BITS, (page << PAGE_BITS) + p.used[page]):
            keys[to], counts[to] = p.keys[i], p.counts[i]
            to += 1
        page = p.after[page]
