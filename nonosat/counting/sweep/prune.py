"""Between two rows: states from which some row below cannot be filled any more are dropped; compiled.

What its columns' states still allow of every cell below is known; a row whose clue does not fit that rules the state
out. A row is tried by its automaton with all its states at a time, as the bits of a word.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from nonosat.counting.sweep.automata import DEAD, Reader, rests
from nonosat.solvers.arrays import Ints, Words, WordTable
from nonosat.solvers.compiled import compiled

ONE, ZERO = np.uint64(1), np.uint64(0)
STRIDE = 32
WORTH = 0.8
"""Rows below are asked of all states if they leave less than this share of those that are tried first."""


class Tables(NamedTuple):
    """``stays``, ``due``: of each row, the states (bits) in which blanks may be read, and those where one must be.

    ``reads[row, value]``: those where this is read; ``ends``: the last. ``allowed[column][row][state, value]``: in
    which of the 64 rows from ``row`` on (bits) the column may have the value, if it is in the state before ``row``.
    """

    stays: Words
    due: Words
    reads: Words
    ends: Words
    allowed: list[list[Words]]


def tables_of(across: list[Reader], down: list[Reader]) -> Tables:
    """For pruning a sweep; rows have fewer than 64 cells."""
    values, height = across[0].step[0].shape[0], len(across)
    stays, due, ends = (np.zeros(height, dtype=np.uint64) for _ in range(3))
    reads = np.zeros((height, values), dtype=np.uint64)
    for r, reader in enumerate(across):
        for state in range(len(reader.letters) + 1):
            stays[r] |= np.uint64(rests(reader.letters, reader.due, state)) << np.uint64(state)
        for state, letter in enumerate(reader.letters):
            due[r] |= np.uint64(reader.due[state]) << np.uint64(state)
            if letter:
                reads[r, letter] |= ONE << np.uint64(state)
        ends[r] = ONE << np.uint64(len(reader.letters))
    return Tables(stays, due, reads, ends, [allowed_by(reader, height, values) for reader in down])


def allowed_by(column: Reader, height: int, values: int) -> list[Words]:
    """Of each row and state before it: in which of the next 64 rows the column may have each value, as bits."""
    found = [np.zeros((len(column.states[height]), values), dtype=np.uint64)]
    for r in range(height - 1, -1, -1):
        here = np.zeros((len(column.states[r]), values), dtype=np.uint64)
        for state in range(len(here)):
            for v, after in enumerate(column.step[r][:, state].tolist()):
                if after != DEAD:
                    here[state] |= found[0][after] << ONE
                    here[state, v] |= ONE
        found.insert(0, here)
    return found


class Pruning:
    """The ``pages`` of a layer that are still to be tried: every STRIDE-th first, and the others if that is worth it.

    ``over``: all are tried that are to be.
    """

    def __init__(self, pages: list[int]) -> None:
        self.samples = -(-len(pages) // STRIDE)
        self.left = [page for start in range(STRIDE) for page in pages[start::STRIDE]]
        self.tried = self.kept = self.done = 0

    def next(self, pages: int) -> list[int]:
        """So many of them, or fewer."""
        begin = self.done
        self.done = min(len(self.left), begin + pages if begin >= self.samples else min(begin + pages, self.samples))
        return self.left[begin : self.done]

    def saw(self, tried: int, kept: int) -> None:
        """So many states of a page were tried and kept."""
        self.tried, self.kept = self.tried + tried, self.kept + kept

    @property
    def over(self) -> bool:
        """All pages are tried, or those that were tried first lost few states."""
        sampled = self.done == self.samples
        return self.done == len(self.left) or (sampled and self.kept > WORTH * self.tried)


@compiled
def prune(
    keys: Words, counts: Words, begin: int, end: int, row: int, sizes: Ints, first: Ints, allowed: WordTable,
    stays: Words, due: Words, reads: WordTable, ends: Words, at: Ints,
) -> int:  # fmt: skip
    """Write those of the states ``begin`` .. ``end`` before ``row`` that the next 64 rows allow from ``begin`` on.

    Returns where they end. ``sizes``: the states of each column; ``first``: where the column's begin in ``allowed``;
    ``at``: scratch, a word a column.
    """
    values, width, to = allowed.shape[1], len(sizes), begin
    for i in range(begin, end):
        key = keys[i]
        for c in range(width - 1, -1, -1):
            size = np.uint64(sizes[c])
            rest = key // size
            at[c] = first[c] + np.int64(key - rest * size)
            key = rest
        fits = True
        for r in range(row, min(len(stays), row + 64)):
            bit, states = ONE << np.uint64(r - row), ONE
            for c in range(width):
                after = ZERO
                if allowed[at[c], 0] & bit != ZERO:
                    after = (states & stays[r]) | ((states & due[r]) << ONE)
                for v in range(1, values):
                    if allowed[at[c], v] & bit != ZERO:
                        after |= (states & reads[r, v]) << ONE
                states = after
            if states & ends[r] == ZERO:
                fits = False
                break
        if fits:
            keys[to], counts[to] = keys[i], counts[i]
            to += 1
    return to
