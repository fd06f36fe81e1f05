"""What a cell may be, asked and changed so that it can be taken back, and the lines that wait; compiled."""

from __future__ import annotations

import numpy as np

from nonosat.solvers.compiled import compiled, inlined
from nonosat.solvers.propagation.bits import population
from nonosat.solvers.propagation.board import CLOCK, HEAD, TRAIL, WAITING, Board
from nonosat.solvers.propagation.words import ONE


@inlined
def write(b: Board, at: int, word: np.uint64) -> None:
    """Change the word ``may[at]``, so that it can be taken back."""
    top = b.state[TRAIL]
    b.trail_at[top] = at
    b.trail_was[top] = b.may[at]
    b.state[TRAIL] = top + 1
    b.may[at] = word


@compiled
def undo(b: Board, mark: int) -> None:
    """Take back all changes since the trail was ``mark`` long."""
    while b.state[TRAIL] > mark:
        b.state[TRAIL] -= 1
        top = b.state[TRAIL]
        b.may[b.trail_at[top]] = b.trail_was[top]


@inlined
def enqueue(b: Board, line: int) -> None:
    """Let ``line`` wait, if it does not yet."""
    if b.queued[line] == 0:
        b.queued[line] = 1
        slot = b.state[HEAD] + b.state[WAITING]
        b.queue[slot - len(b.queue) if slot >= len(b.queue) else slot] = line
        b.state[WAITING] += 1


@inlined
def dequeue(b: Board) -> int:
    """The line that has waited longest."""
    head = b.state[HEAD]
    line = b.queue[head]
    b.state[HEAD] = head + 1 if head + 1 < len(b.queue) else 0
    b.state[WAITING] -= 1
    b.queued[line] = 0
    return int(line)


@inlined
def may_be(b: Board, row: int, column: int, value: int) -> bool:
    """May the cell have ``value``?"""
    word = b.at[row] + value * b.words[row] + (column >> 6)
    return bool((b.may[word] >> np.uint64(column & 63)) & ONE == ONE)


@inlined
def choices(b: Board, row: int, column: int) -> int:
    """How many values the cell may have."""
    count = 0
    for v in range(b.colours + 1):
        count += 1 if may_be(b, row, column, v) else 0
    return count


@compiled
def forbid(b: Board, row: int, column: int, value: int) -> None:
    """Take ``value`` from a cell that may have it; its lines wait."""
    line = b.height + column
    across = b.at[row] + value * b.words[row] + (column >> 6)
    down = b.at[line] + value * b.words[line] + (row >> 6)
    write(b, across, b.may[across] & ~(ONE << np.uint64(column & 63)))
    write(b, down, b.may[down] & ~(ONE << np.uint64(row & 63)))
    enqueue(b, row)
    enqueue(b, line)


@compiled
def assume(b: Board, row: int, column: int, value: int) -> None:
    """Take all values but ``value`` from a cell."""
    for other in range(b.colours + 1):
        if other != value and may_be(b, row, column, other):
            forbid(b, row, column, other)


@compiled
def unknown(b: Board) -> int:
    """How many values too many the cells have in all; 0: the board is full."""
    count = 0
    for i in range(b.at[b.height]):
        count += population(b.may[i])
    return count - b.height * b.width


@compiled
def mark_changed(b: Board, mark: int) -> None:
    """The lines of all words written since the trail was ``mark`` long have changed for good, now."""
    b.state[CLOCK] += 1
    for i in range(mark, b.state[TRAIL]):
        b.changed[b.owner[b.trail_at[i]]] = b.state[CLOCK]
