"""Probing: assume every value of a cell, drop those that contradict, and keep what all the others imply.

A probe's result depends on the lines that it changed. It is not run again before one of them has changed for good (the
idea is FastNonogramSolver's). What all values of a cell imply needs no propagation afterwards: each line is propagated
under every value, so that each possible value of a cell is still part of some filling.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from nonosat.compiled import compiled
from nonosat.compiled.kernel import RecordLayout, record
from nonosat.compiled.words import ONE, ZERO, Ints, Words, lowest
from nonosat.solvers.propagation.board import (
    CLOCK,
    DEAD,
    KEPT_SIZES,
    LINES,
    NEVER,
    TRAIL,
    PropagationBoard,
    assume,
    choices,
    forbid,
    mark_changed,
    may_be,
    propagate,
    undo,
    write,
)

# Indices of ``Probes.state``: the cell to probe next, how many probes in a row changed nothing, the number of this call
# of ``probe``, and a counter.
CURSOR, QUIET, CALL, PROBES = range(4)

NOTHING, LEARNT = 0, 1
"""Results of ``probe``, besides DEAD."""


@record
class Probes(NamedTuple):
    """The results of probes; entry ``cell * values + value`` is a probe, the other entries are words of ``may``.

    ``ran``: the clock when it last ran (0: never). ``lines``: the set of lines that it changed, as bits. ``gain``: how
    many words it changed. ``joint``: the union of a word over the values tried, of which ``times`` changed it; they are
    of the call ``met`` and had it changed by the branch ``branch`` last. ``touched``: the words met in this call.
    """

    ran: Ints
    lines: Words
    gain: Ints
    met: Ints
    branch: Ints
    times: Ints
    joint: Words
    touched: Ints
    state: Ints


def probes_of(board: PropagationBoard) -> Probes:
    """The arrays for probing ``board``, on which nothing has been probed."""
    cells = board.height * board.width
    return _probes_layout(cells * (board.colours + 1), len(board.may), len(board.queue) // 64 + 1).record()


@lru_cache(maxsize=KEPT_SIZES)
def _probes_layout(probes: int, words: int, sets: int) -> RecordLayout[Probes]:
    own = {**dict.fromkeys(("ran", "gain"), (probes,)), **dict.fromkeys(("met", "branch"), (words,)), "state": (4,)}
    unset = {**dict.fromkeys(("times", "joint", "touched"), (words,)), "lines": (probes * sets,)}
    return RecordLayout(Probes, {}, own, unset)


@compiled
def stale(b: PropagationBoard, p: Probes, probe: int) -> bool:
    """Has a line that ``probe`` changed, changed for good since?"""
    when, words = p.ran[probe], len(b.queue) // 64 + 1
    if when == 0:
        return True
    for i in range(words):
        lines = p.lines[probe * words + i]
        while lines:
            if b.changed[(i << 6) + lowest(lines)] > when:
                return True
            lines &= lines - ONE
    return False


@compiled
def note(b: PropagationBoard, p: Probes, mark: int, probe: int, branch: int, many: int) -> int:
    """Add what the branch has changed since ``mark`` to ``joint``; the new number of words in ``touched``."""
    for i in range(mark, b.state[TRAIL]):
        word = b.trail_at[i]
        if p.branch[word] == branch:
            continue
        p.branch[word] = branch
        if p.met[word] != p.state[CALL]:
            p.met[word] = p.state[CALL]
            p.times[word] = 0
            p.joint[word] = ZERO
            p.touched[many] = word
            many += 1
        p.times[word] += 1
        p.joint[word] |= b.may[word]
    return many


@compiled
def probe(b: PropagationBoard, p: Probes, cell: int) -> int:
    """Probe an open cell of a board whose queue is empty. DEAD, LEARNT or NOTHING; the queue is empty afterwards."""
    values, words = b.colours + 1, len(b.queue) // 64 + 1
    row, column = cell // b.width, cell % b.width
    fresh = False
    for v in range(values):
        if may_be(b, row, column, v) and stale(b, p, cell * values + v):
            fresh = True
    if not fresh:
        return NOTHING
    mark, alive, many = b.state[TRAIL], 0, 0
    p.state[CALL] += 1
    dead = ZERO
    for v in range(values):
        if not may_be(b, row, column, v):
            continue
        number = cell * values + v
        p.state[PROBES] += 1
        assume(b, row, column, v)
        fine = propagate(b, NEVER) != DEAD
        p.ran[number] = b.state[CLOCK]
        p.gain[number] = b.state[TRAIL] - mark
        for i in range(words):
            p.lines[number * words + i] = ZERO
        for i in range(mark, b.state[TRAIL]):
            line = b.owner[b.trail_at[i]]
            p.lines[number * words + (line >> 6)] |= ONE << np.uint64(line & 63)
        if fine:
            alive += 1
            many = note(b, p, mark, number, p.state[CALL] * values + v, many)
        else:
            dead |= ONE << np.uint64(v)
        undo(b, mark)
    if alive == 0:
        return DEAD
    if dead:
        while dead:
            forbid(b, row, column, lowest(dead))
            dead &= dead - ONE
        if propagate(b, NEVER) == DEAD:
            return DEAD
    else:
        for i in range(many):
            word = p.touched[i]
            if p.times[word] == alive and p.joint[word] != b.may[word]:
                write(b, word, p.joint[word])
    if b.state[TRAIL] == mark:
        return NOTHING
    mark_changed(b, mark)
    return LEARNT


@compiled
def probe_around(b: PropagationBoard, p: Probes, until: int) -> int:
    """Probe cell after cell until all in a row change nothing, or more than ``until`` lines have been filtered.

    DEAD, NOTHING (no probe changes anything) or LEARNT (call it again).
    """
    cells = b.height * b.width
    while p.state[QUIET] < cells:
        cell = p.state[CURSOR]
        p.state[CURSOR] = cell + 1 if cell + 1 < cells else 0
        p.state[QUIET] += 1
        if choices(b, cell // b.width, cell % b.width) > 1:
            status = probe(b, p, cell)
            if status == DEAD:
                return DEAD
            if status == LEARNT:
                p.state[QUIET] = 0
                return LEARNT
            if b.state[LINES] > until:
                return LEARNT
    return NOTHING


@compiled
def add_implications(b: PropagationBoard, mark: int, what: int, cause: Ints, effect: Ints, found: int) -> int:
    """Add the cells that have been fixed since the trail was ``mark`` long; the new number of pairs."""
    values, rows = b.colours + 1, b.at[b.height]
    for i in range(mark, b.state[TRAIL]):
        at = b.trail_at[i]
        if at >= rows:  # each cell is there twice, and its row will do
            continue
        gone = b.trail_was[i] & ~b.may[at]  # of the two values of a cell one goes, and only once
        row = b.owner[at]
        inside = at - b.at[row]
        value, block = inside // b.words[row], inside % b.words[row]
        while gone:
            column = (block << 6) + lowest(gone)
            gone &= gone - ONE
            other = row * b.width + column
            if other != what // values and found < len(cause):
                cause[found] = what
                effect[found] = other * values + (1 - value)
                found += 1
    return found


@compiled
def implications(b: PropagationBoard, cause: Ints, effect: Ints) -> int:
    """The implications of every value of every open cell for other cells, by complete propagation of lines.

    For a board whose queue is empty and whose open cells have two values. ``cause`` and ``effect``: filled with
    ``cell * values + value``, pair by pair; how many pairs there are (no more than there is room for). A pair that
    follows from another by contraposition is there twice. A value that contradicts is passed over: probe before.
    """
    values, found = b.colours + 1, 0
    for cell in range(b.height * b.width):
        row, column = cell // b.width, cell % b.width
        if choices(b, row, column) < 2:
            continue
        if found == len(cause):  # no room for more: on large boards the rest would take long
            break
        for v in range(values):
            if not may_be(b, row, column, v):
                continue
            mark = b.state[TRAIL]
            assume(b, row, column, v)
            if propagate(b, NEVER) != DEAD:
                found = add_implications(b, mark, cell * values + v, cause, effect, found)
            undo(b, mark)
    return found
