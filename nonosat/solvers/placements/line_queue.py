"""The queue of lines that wait to be checked, compiled."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from nonosat.solvers.arrays import Ints, WordTable
from nonosat.solvers.compiled import inlined

LIFO, FIFO, UNCHANGED = 0, 1, 2


class Rule(NamedTuple):
    """The switches that the compiled functions know."""

    order: int
    tracking: bool
    nobreak: bool


class Queue(NamedTuple):
    """Lines in a ring, linked both ways; its head is the entry behind the last line. -1: not in it."""

    after: Ints
    before: Ints
    changed: WordTable
    """Cells of a line that have changed since it was looked at, a bit a cell."""


def full_queue(order: int, lines: int, words: int) -> Queue:
    """All lines, put in one by one, the rows before the columns: the last of them is in front, or the first (FIFO)."""
    ring = np.arange(lines + 1)
    up, down = np.roll(ring, -1), np.roll(ring, 1)
    after, before = (up, down) if order == FIFO else (down, up)
    return Queue(after, before, np.zeros((lines, words), dtype=np.uint64))


@inlined
def push(queue: Queue, rule: Rule, line: int) -> None:
    """Put ``line`` into the queue: in front, or at the end (FIFO). UNCHANGED leaves one that is in it where it is."""
    after, before, head = queue.after, queue.before, len(queue.after) - 1
    if after[line] >= 0:
        if rule.order == UNCHANGED:
            return
        take_out(queue, line)
    left = before[head] if rule.order == FIFO else head
    right = after[left]
    before[line], after[line] = left, right
    after[left], before[right] = line, line


@inlined
def take_out(queue: Queue, line: int) -> None:
    """Take ``line`` out of the queue."""
    left, right = queue.before[line], queue.after[line]
    queue.after[left], queue.before[right] = right, left
    queue.after[line] = -1


@inlined
def forget(queue: Queue, line: int) -> None:
    """No cell of ``line`` has changed."""
    for w in range(queue.changed.shape[1]):
        queue.changed[line, w] = 0
