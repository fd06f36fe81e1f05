"""The permutations of one line of towers: those that its candidates allow and that both of its clues see (phase 4).

Majdandžić's ``Permutator`` (2022, fig. 5.6) lists every permutation that the candidates allow, throws away those that
do not go with the clues, and keeps the candidates that the others use. Here the line is walked depth-first, cell by
cell, and nothing is listed: a beginning that no permutation can go on from is given up at once, and so is one whose
permutations would use nothing new. What is kept is the same.

A height h is bit h - 1 of a word; a line of N <= 64 cells has the heights 1 to N. A beginning of a line is given up if

- a height that is left has no cell left that may have it;
- so many towers are seen from the front that the highest one, still to come, would be one too many, or so few that not
  even all cells left, or all heights above those placed, can make up for it;
- the same from the back. Seen from there are the towers without a higher one behind them. Those higher than all
  heights that are left stay so, and of the cells left at least the highest tower is seen, at most all are.

A walk has a bound of steps (towers put down), for lines of many cells and few clues can need exponentially many: one
that gets there is given up, and takes no candidate away, which is right but weaker.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

import numpy as np

from nonosat.errors import UnsupportedError
from nonosat.solvers.arrays import Int, Ints, Words
from nonosat.solvers.compiled import compiled, inlined

MOST = 64
"""Cells of a line: a height is a bit of a word."""
DONE, ONE, GIVEN_UP = 0, 1, 2
"""What a walk ends with: no permutation is left, here is one, the bound of its steps is reached."""
_ENDLESS = 2**62


class Walk(NamedTuple):
    """A walk along a line of N cells; entry i is about the choice for cell i, when those before it have their heights.

    Seen from the end that it starts at, so that a column or a line from its other end is the same.
    """

    cells: Words
    """Shape (N,): the candidates."""
    missing: Words
    """Shape (N,): those that no permutation has used yet."""
    behind: Words
    """Shape (N + 1,): all candidates of the cells from i on."""
    rest: Words
    """Shape (N + 1,): heights that are still to try in cell i."""
    used: Words
    """Shape (N + 1,): heights of the cells before i; cell i has what ``used[i + 1]`` has more."""
    back: Words
    """Shape (N + 1,): those of them that are seen from the back, over the cells before i."""
    front: Ints
    """Shape (N + 1,): how many of them are seen from the front."""
    fresh: Ints
    """Shape (N + 1,): whether one of the cells before i has a height that was missing."""
    place: Ints
    """Shape (2,): the cell whose height is chosen next, and the steps taken."""


def walk_of(size: int) -> Walk:
    """Room for a walk along ``size`` cells."""
    cells, missing = np.zeros((2, size), dtype=np.uint64)
    behind, rest, used, back = np.zeros((4, size + 1), dtype=np.uint64)
    front, fresh = np.zeros((2, size + 1), dtype=np.int64)
    return Walk(cells, missing, behind, rest, used, back, front, fresh, np.zeros(2, dtype=np.int64))


def permutations_of(candidates: Sequence[Collection[int]], front: int, back: int) -> list[tuple[int, ...]]:
    """All permutations of a line whose cells have these ``candidates``, in ascending order.

    From the first cell on ``front`` towers are seen, from the last one ``back``; 0: there is no clue. The thesis' line:

    >>> permutations_of([(1, 2), (1, 2, 3), (1, 2, 3), (1, 2, 3, 4), (5,)], 0, 0)
    [(1, 2, 3, 4, 5), (1, 3, 2, 4, 5), (2, 1, 3, 4, 5), (2, 3, 1, 4, 5)]
    >>> permutations_of([(1, 2), (1, 2, 3), (1, 2, 3), (1, 2, 3, 4), (5,)], 4, 1)
    [(1, 3, 2, 4, 5), (2, 1, 3, 4, 5), (2, 3, 1, 4, 5)]
    """
    size = len(candidates)
    if not 1 <= size <= MOST:
        raise UnsupportedError(f"a line of {size} cells; from 1 to {MOST} are supported")
    if any(not 1 <= height <= size for cell in candidates for height in cell):
        raise UnsupportedError(f"the heights of a line of {size} cells are from 1 to {size}")
    walk = walk_of(size)
    walk.cells[:] = [sum(1 << height - 1 for height in set(cell)) for cell in candidates]
    set_out(walk)
    walk.fresh[0] = 1  # so that all are found, not only those with something new
    found = []
    while step_on(walk, front, back, _ENDLESS) == ONE:
        heights = np.diff(walk.used)  # one bit each
        found.append(tuple(int(height).bit_length() for height in heights))
    return found


@compiled
def set_out(walk: Walk) -> None:
    """Begin a walk along ``walk.cells``."""
    size = len(walk.cells)
    walk.behind[size] = 0
    for i in range(size - 1, -1, -1):
        walk.missing[i] = walk.cells[i]
        walk.behind[i] = walk.behind[i + 1] | walk.cells[i]
    walk.rest[0] = walk.cells[0]
    walk.used[0], walk.back[0] = 0, 0
    walk.front[0], walk.fresh[0] = 0, 0
    walk.place[0], walk.place[1] = 0, 0


@compiled
def step_on(walk: Walk, front: int, back: int, most: int) -> int:
    """Go on to the next permutation (ONE), to the end (DONE), or to ``most`` steps in all (GIVEN_UP).

    In every cell the missing heights come first, and then the lower ones.
    """
    size = len(walk.cells)
    every = ~np.uint64(0) >> np.uint64(64 - size)
    i = walk.place[0]
    while i >= 0:
        rest, used = walk.rest[i], walk.used[i]
        if rest == 0 or (walk.fresh[i] == 0 and not new_ahead(walk, i)):
            i -= 1
            continue
        if walk.place[1] >= most:
            walk.place[0] = i
            return GIVEN_UP
        walk.place[1] += 1
        new = rest & walk.missing[i]
        tower = lowest(new if new else rest)
        walk.rest[i] = rest ^ tower
        now = used | tower
        left = every & ~now
        if left & ~walk.behind[i + 1]:
            continue
        cells_left = size - 1 - i
        seen = walk.front[i] + (1 if tower > used else 0)
        if front:
            over = every & ~below(now)  # heights that can still be seen
            ahead = min(cells_left, count(over))
            if seen + ahead < front or seen + (1 if over else 0) > front:
                continue
        seen_back = (walk.back[i] & ~(tower - np.uint64(1))) | tower
        if back:
            stay = count(seen_back & ~below(left))
            if stay + cells_left < back or stay + (1 if left else 0) > back:
                continue
        walk.used[i + 1], walk.back[i + 1], walk.front[i + 1] = now, seen_back, seen
        if i + 1 == size:
            walk.place[0] = i
            return ONE
        walk.fresh[i + 1] = 1 if new else walk.fresh[i]
        i += 1
        walk.rest[i] = walk.cells[i] & left
    walk.place[0] = -1
    return DONE


@compiled
def new_ahead(walk: Walk, i: Int) -> bool:
    """Whether the cells from i on can have a height that was missing, by their candidates."""
    if walk.rest[i] & walk.missing[i]:
        return True
    free = ~walk.used[i]
    some = np.uint64(0)
    for j in range(i + 1, len(walk.cells)):
        some |= walk.missing[j] & free
    return bool(some)


@compiled
def used_by_some(walk: Walk, front: int, back: int, most: int) -> bool:
    """Take the heights from ``walk.missing`` that a permutation of ``walk.cells`` has; False: given up after ``most``.

    What is missing then is in no permutation. A permutation that has nothing new is not looked for.
    """
    set_out(walk)
    while True:
        state = step_on(walk, front, back, most)
        if state != ONE:
            return state == DONE
        left = np.uint64(0)
        for i in range(len(walk.cells)):
            walk.missing[i] &= walk.used[i] | ~walk.used[i + 1]
            left |= walk.missing[i]
            walk.fresh[i] = 0
        if left == 0:
            return True


@inlined
def lowest(word: np.uint64) -> np.uint64:
    """The lowest bit of ``word`` that is set."""
    return word & (~word + np.uint64(1))


@inlined
def below(word: np.uint64) -> np.uint64:
    """All bits from the highest one that is set in ``word`` down."""
    word |= word >> np.uint64(1)
    word |= word >> np.uint64(2)
    word |= word >> np.uint64(4)
    word |= word >> np.uint64(8)
    word |= word >> np.uint64(16)
    return word | word >> np.uint64(32)


@inlined
def count(word: np.uint64) -> np.int64:
    """How many bits of ``word`` are set."""
    word -= (word >> np.uint64(1)) & np.uint64(0x5555555555555555)
    word = (word & np.uint64(0x3333333333333333)) + ((word >> np.uint64(2)) & np.uint64(0x3333333333333333))
    word = (word + (word >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return np.int64((word * np.uint64(0x0101010101010101)) >> np.uint64(56))
