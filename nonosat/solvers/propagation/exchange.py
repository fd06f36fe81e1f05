"""Lines tell their cells how likely each value is, and listen to what the crossing lines told them; compiled."""

from __future__ import annotations

import numpy as np

from nonosat.solvers.compiled import compiled, inlined
from nonosat.solvers.propagation.beliefs import Beliefs
from nonosat.solvers.propagation.board import Board
from nonosat.solvers.propagation.words import ONE

STILL = 0.01
"""A message that changes a probability by no more is not passed on."""
LEAST = 1e-7
"""Probabilities are told as no less, since sums of many terms are not more exact."""


@inlined
def cell_of(b: Board, line: int, place: int) -> int:
    """The cell at ``place`` of ``line``."""
    return place * b.width + line - b.height if line >= b.height else line * b.width + place


@inlined
def listen(b: Board, m: Beliefs, line: int) -> None:
    """Fill the scratch arrays with what the cells of ``line`` have been told by the lines that cross it."""
    told = m.down if line < b.height else m.across
    at, words, size = b.at[line], b.words[line], b.size[line]
    most = m.odds[line]
    least = 1.0 / most
    for j in range(size):
        block, bit = j >> 6, np.uint64(j & 63)
        blank = float((b.may[at + block] >> bit) & ONE)
        m.blank[j] = blank
        cell = cell_of(b, line, j)
        for c in range(b.colours):
            here = int((b.may[at + (c + 1) * words + block] >> bit) & ONE)
            m.never[c, j + 1] = m.never[c, j] + 1 - here
            k = cell * b.colours + c
            weight = min(most, max(least, told[k] * m.field[k]))
            m.factor[c, j] = weight
            m.inverse[c, j] = 1.0 / weight
            m.step[c, j] = 0.0
    m.blank[size] = 1.0
    for c in range(b.colours):
        m.step[c, size] = 0.0


@inlined
def weigh(b: Board, m: Beliefs, line: int) -> bool:
    """Leave in ``step`` how the probability of each colour changes from cell to cell. False: the sums are lost."""
    first, last, free = b.first[line], b.first[line + 1], m.free[line]
    runs = last - first
    m.before[0, 0] = 1.0
    for d in range(1, free + 1):
        m.before[0, d] = m.before[0, d - 1] * m.blank[d - 1]
    begin = np.int64(0)
    for i in range(runs):
        length, c = np.int64(b.length[first + i]), b.colour[first + i] - 1
        gap = i + 1 < runs and b.colour[first + i + 1] == b.colour[first + i]
        weight = 1.0
        for j in range(begin, begin + length):
            weight *= m.factor[c, j]
        end = begin + length
        total = 0.0
        for d in range(free + 1):
            here = weight if m.never[c, end + d] == m.never[c, begin + d] else 0.0
            m.run[i, d] = here
            if gap:
                total = m.blank[end + d] * (total + m.before[i, d] * here)
            else:
                total = (m.blank[end + d - 1] * total if d > 0 else 0.0) + m.before[i, d] * here
            m.before[i + 1, d] = total
            weight *= m.factor[c, end + d] * m.inverse[c, begin + d]
        begin = end + 1 if gap else end
    m.after[free] = 1.0
    for d in range(free - 1, -1, -1):
        m.after[d] = m.after[d + 1] * m.blank[begin + d]
    unit = 1.0 / m.before[runs, free] if m.before[runs, free] > 0.0 else 0.0
    for i in range(runs - 1, -1, -1):
        length, c = np.int64(b.length[first + i]), b.colour[first + i] - 1
        gap = i + 1 < runs and b.colour[first + i + 1] == b.colour[first + i]
        tied = i > 0 and b.colour[first + i - 1] == b.colour[first + i]
        begin -= length + 1 if gap else length
        later = 0.0
        for d in range(free, -1, -1):
            rest = m.run[i, d] * m.after[d]
            x = m.before[i, d] * rest * unit
            m.step[c, begin + d] += x
            m.step[c, begin + d + length] -= x
            if tied:
                later = m.blank[begin + d - 1] * (rest + later)
            else:
                later = rest + (m.blank[begin + d] * later if d < free else 0.0)
            m.after[d] = later
    return bool(unit > 0.0)


@inlined
def tell(b: Board, m: Beliefs, line: int) -> None:
    """Tell the cells of ``line`` what ``weigh`` found, and let the lines wait that this is news to."""
    told = m.across if line < b.height else m.down
    other = b.height if line < b.height else 0
    most_odds = m.odds[line]
    least_odds = 1.0 / most_odds
    for j in range(b.size[line]):
        cell, value, may = cell_of(b, line, j), 0, m.blank[j]
        blank, most = 1.0, 0.0
        for c in range(b.colours):
            if j > 0:
                m.step[c, j] += m.step[c, j - 1]
            share = m.step[c, j]
            blank -= share
            may += 1.0 + m.never[c, j] - m.never[c, j + 1]
            if share > most:
                most, value = share, c + 1
        if blank > most:
            most, value = blank, 0
        if may < 2.0:
            continue
        m.value[cell], m.share[cell] = value, most
        base = max(LEAST, blank) if m.blank[j] > 0.0 else 1.0
        for c in range(b.colours):
            k = cell * b.colours + c
            new = max(LEAST, m.step[c, j]) * m.inverse[c, j] / base
            new = min(most_odds, max(least_odds, new))
            old = told[k]
            told[k] = new
            if abs(new - old) > STILL * (1.0 + new) * (1.0 + old):  # odds x are a probability of x / (1 + x)
                m.waits[other + j] = 1


@compiled
def exchange(b: Board, m: Beliefs) -> int:
    """One round: every line that waits says its word once, the rows first. How many lines did."""
    spoke = 0
    for line in range(b.height + b.width):
        if m.waits[line] == 1:
            m.waits[line] = 0
            spoke += 1
            listen(b, m, line)
            if weigh(b, m, line):
                tell(b, m, line)
    return spoke


@compiled
def wake(b: Board, m: Beliefs, mark: int, top: int) -> None:
    """Let the lines wait that were written between ``mark`` and ``top`` of the trail."""
    for i in range(mark, top):
        m.waits[b.owner[b.trail_at[i]]] = 1
