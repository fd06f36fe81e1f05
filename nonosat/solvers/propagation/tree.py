"""Depth-first search with propagation and probing at every node, compiled; it pauses now and then, and goes on.

The cell to guess is the one whose probes taught most: the product of the squared smaller and the larger number of
changes (on the boards of the TAAI 2011 tournament better than their plain product, than either alone, and than the
smaller one with ties broken by the larger); the value that teaches *less* is guessed first, the likelier one to hold.
Without probing it is the first open cell.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from nonosat.solvers.arrays import Ints
from nonosat.solvers.compiled import compiled, record
from nonosat.solvers.propagation.board import LINES, NEVER, REMEMBER, TRAIL, Board
from nonosat.solvers.propagation.changes import assume, choices, forbid, mark_changed, may_be, undo, unknown
from nonosat.solvers.propagation.probing import CURSOR, LEARNT, QUIET, Probes, probe_around
from nonosat.solvers.propagation.propagate import DEAD, PAUSED, propagate

# Where ``Tree.state`` holds what.
DEPTH, PHASE, NODES, GUESSES, DEEPEST = range(5)

FOUND, EXHAUSTED = 1, 2
"""What ``search`` says, beside PAUSED."""

ENTER, PROBE, GUESS, BACK, DONE = range(5)
DOING = ("settling lines", "probing", "guessing", "taking a guess back", "done")
"""The phases, for people."""


@record
class Tree(NamedTuple):
    """The guesses on the way to this node: ``cell`` has ``value``; ``mark`` was the trail's length before."""

    cell: Ints
    value: Ints
    mark: Ints
    state: Ints


def tree_of(board: Board) -> Tree:
    """The arrays of a search that has not begun."""
    deepest = board.height * board.width * board.colours + 1
    cell, value, mark = (np.zeros(deepest, dtype=np.int64) for _ in range(3))
    return Tree(cell, value, mark, np.zeros(5, dtype=np.int64))


@compiled
def best_guess(b: Board, p: Probes) -> tuple[int, int]:
    """The open cell to guess and its value."""
    values = b.colours + 1
    best, best_score, best_value = -1, -1.0, 0
    for cell in range(b.height * b.width):
        row, column = cell // b.width, cell % b.width
        if choices(b, row, column) < 2:
            continue
        least, most, value = NEVER, 0, 0
        for v in range(values):
            if may_be(b, row, column, v):
                gain = p.gain[cell * values + v]
                most = max(most, gain)
                if gain <= least:
                    least, value = gain, v
        score = float(least) * float(least) * float(most)
        if score > best_score:
            best, best_score, best_value = cell, score, value
    return best, best_value


@compiled
def first_guess(b: Board) -> tuple[int, int]:
    """The first open cell, row by row, and its last value."""
    for cell in range(b.height * b.width):
        row, column = cell // b.width, cell % b.width
        if choices(b, row, column) > 1:
            for v in range(b.colours, -1, -1):
                if may_be(b, row, column, v):
                    return cell, v
    return -1, 0


@compiled
def guess(b: Board, p: Probes, t: Tree, probing: bool) -> None:
    """Go one level down."""
    cell, value = best_guess(b, p) if probing else first_guess(b)
    depth = t.state[DEPTH]
    t.cell[depth], t.value[depth], t.mark[depth] = cell, value, b.state[TRAIL]
    t.state[DEPTH] = depth + 1
    t.state[DEEPEST] = max(t.state[DEEPEST], depth + 1)
    t.state[GUESSES] += 1
    assume(b, cell // b.width, cell % b.width, value)


@compiled
def back(b: Board, t: Tree) -> bool:
    """Take back the last guess and rule its value out; False: there is none left."""
    if t.state[DEPTH] == 0:
        return False
    depth = t.state[DEPTH] - 1
    t.state[DEPTH] = depth
    mark_changed(b, t.mark[depth])  # they are what they were before, and no probe since then holds for them
    undo(b, t.mark[depth])
    forbid(b, t.cell[depth] // b.width, t.cell[depth] % b.width, t.value[depth])
    return True


@compiled
def search(b: Board, p: Probes, t: Tree, probing: bool, budget: int) -> int:
    """Go on with the search until a board is FOUND, the tree is EXHAUSTED, or ``budget`` lines more are settled.

    It does not pause on a contradiction: what others see of the board then is without one, as far as is known.
    """
    until = b.state[LINES] + budget
    while True:
        phase = t.state[PHASE]
        if phase == ENTER:
            said = propagate(b, until)
            if said == PAUSED:
                return PAUSED
            t.state[NODES] += 1
            mark_changed(b, t.mark[t.state[DEPTH] - 1] if t.state[DEPTH] > 0 else 0)
            b.state[REMEMBER] = len(b.memo) // (b.colours + 1)
            p.state[CURSOR] = p.state[QUIET] = 0
            t.state[PHASE] = BACK if said == DEAD else PROBE if probing else GUESS
        elif phase == PROBE:
            said = probe_around(b, p, until)
            t.state[PHASE] = BACK if said == DEAD else PROBE if said == LEARNT else GUESS
        elif phase == GUESS:
            guess(b, p, t, probing)
            t.state[PHASE] = ENTER
        elif phase == BACK:
            t.state[PHASE] = ENTER if back(b, t) else DONE
        else:
            return EXHAUSTED
        if (t.state[PHASE] == PROBE or t.state[PHASE] == GUESS) and unknown(b) == 0:
            t.state[PHASE] = BACK
            return FOUND
        if b.state[LINES] > until and t.state[PHASE] != BACK and t.state[PHASE] != DONE:
            return PAUSED
