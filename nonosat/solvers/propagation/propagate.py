"""Propagation: waiting lines are settled, and what they imply is written down, until none waits; compiled."""

from __future__ import annotations

import numpy as np

from nonosat.solvers.compiled import compiled, inlined
from nonosat.solvers.propagation.bits import lowest
from nonosat.solvers.propagation.board import CONTRADICTIONS, LINES, REMEMBER, WAITING, Board
from nonosat.solvers.propagation.changes import dequeue, enqueue, write
from nonosat.solvers.propagation.long_lines import settle_long
from nonosat.solvers.propagation.short_lines import settle_short
from nonosat.solvers.propagation.two_words import settle_two
from nonosat.solvers.propagation.words import ONE, ZERO

DEAD, PAUSED, STABLE = -1, 0, 1
"""What ``propagate`` says: a line has no filling left, lines still wait, or nothing more follows."""


@inlined
def settle(b: Board, line: int) -> bool:
    """Leave in ``out`` what the window of ``line`` implies. False: no filling is left."""
    b.state[LINES] += 1
    at, size, words = b.at[line], b.size[line], b.words[line]
    first, last = b.first[line], b.first[line + 1]
    values = b.colours + 1
    if words > 2:
        begin, end = b.window[4 * line], b.window[4 * line + 1]
        first, last = b.window[4 * line + 2], b.window[4 * line + 3]
        base = begin >> 6
        out = b.out[: values * ((end >> 6) - base + 1)]
        begin, end = begin - (base << 6), end - (base << 6)
        return settle_long(
            b.may, at + base, words, begin, end, b.length, b.colour, first, last, b.ready, b.fit, out, b.spares
        )
    out = b.out[: values * words]
    if words == 2:
        return settle_two(b.may, at, size, b.length, b.colour, first, last, b.ready, b.fit, out)
    if b.state[REMEMBER] == 0:
        return settle_short(b.may, at, size, b.length, b.colour, first, last, b.ready, b.fit, out)
    name = np.uint64(line + 1)
    mix = name
    for v in range(values):
        mix = (mix ^ b.may[at + v]) * np.uint64(0x9E3779B97F4A7C15)  # 2**64 over the golden ratio: Fibonacci hashing
        mix ^= mix >> np.uint64(29)
    slot = np.int64(mix & np.uint64(b.state[REMEMBER] - 1))
    key, value = slot * (values + 1), slot * values
    same = bool(b.memo_key[key] == name)
    for v in range(values):
        same &= b.memo_key[key + 1 + v] == b.may[at + v]
    if same:
        some = ZERO
        for v in range(values):
            out[v] = b.memo[value + v]
            some |= out[v]
        return bool(some != ZERO)
    fits = settle_short(b.may, at, size, b.length, b.colour, first, last, b.ready, b.fit, out)
    b.memo_key[key] = name
    for v in range(values):
        b.memo_key[key + 1 + v] = b.may[at + v]
        b.memo[value + v] = out[v] if fits else ZERO
    return fits


@inlined
def learn(b: Board, line: int) -> None:
    """Make ``out`` what the cells in the window of ``line`` may be, and let the lines that cross it there wait."""
    base, place = (b.height, line) if line < b.height else (0, line - b.height)
    mine, block = ~(ONE << np.uint64(place & 63)), place >> 6
    begin, end = b.window[4 * line], b.window[4 * line + 1]
    low = begin >> 6
    at, words, many = b.at[line] + low, b.words[line], (end >> 6) - low + 1
    for v in range(b.colours + 1):
        for i in range(many):
            here = at + v * words + i
            gone = b.may[here] & ~b.out[v * many + i]
            if i == 0:
                gone &= ~ZERO << np.uint64(begin & 63)
            if i == many - 1:
                gone &= (ONE << np.uint64(end & 63)) - ONE
            if gone == ZERO:
                continue
            write(b, here, b.may[here] & ~gone)
            while gone:
                other = base + ((low + i) << 6) + lowest(gone)
                gone &= gone - ONE
                word = b.at[other] + v * b.words[other] + block
                write(b, word, b.may[word] & mine)
                enqueue(b, other)


@compiled
def propagate(b: Board, until: int | np.int64) -> int:
    """Settle waiting lines until none waits, or more than ``until`` lines have been settled in all.

    DEAD: a line has no filling left; then no line waits.
    """
    while b.state[WAITING] > 0:
        if b.state[LINES] > until:
            return PAUSED
        line = dequeue(b)
        if not settle(b, line):
            b.state[CONTRADICTIONS] += 1
            while b.state[WAITING] > 0:
                dequeue(b)
            return DEAD
        learn(b, line)
    return STABLE


@compiled
def sweep(b: Board, begin: int, end: int) -> int:
    """Settle those of the lines ``begin`` .. ``end`` - 1 that wait, once each, in this order; DEAD or STABLE."""
    for line in range(begin, end):
        if b.queued[line] == 1:
            b.queued[line] = 0
            b.state[WAITING] -= 1
            if not settle(b, line):
                b.state[CONTRADICTIONS] += 1
                return DEAD
            learn(b, line)
    return STABLE
