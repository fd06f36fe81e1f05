"""Guesses on boards of candidates, depth-first, each followed by phase 4; compiled."""

from __future__ import annotations

import numpy as np

from nonosat.solvers.arrays import Words
from nonosat.solvers.compiled import compiled
from nonosat.solvers.phases.boards import (
    BRANCHING,
    CONTRADICTIONS,
    DEAD,
    DEPTH,
    GIVEN_UP,
    LINE,
    NODES,
    STATE,
    UNSETTLED,
    WALKS,
    Clues,
    Rules,
    Tree,
    first_cell,
    keep,
    propagate,
)
from nonosat.solvers.phases.permutations import Walk, count, lowest, used_by_some
from nonosat.solvers.stepping import BUSY, EXHAUSTED, FOUND


@compiled
def go_on(clues: Clues, rules: Rules, tree: Tree, walk: Walk, bound: int, at_once: int) -> int:
    """Go on till a board is FOUND, none is left (EXHAUSTED), or ``at_once`` steps were taken (BUSY)."""
    size = len(clues.front) >> 1
    cells = size * size
    work = 0
    while work < at_once:
        depth = tree.counters[DEPTH]
        board = tree.boards[depth]
        if tree.counters[STATE] == UNSETTLED and rules.fourth:
            work += permute(clues, tree, board, walk, bound, at_once - work)
            if tree.counters[STATE] == UNSETTLED and (tree.changed[0] | tree.changed[1]):
                break
        if tree.counters[STATE] == UNSETTLED:
            work += cells
            if not as_seen(clues, board):
                tree.counters[STATE] = DEAD
                continue
            tree.counters[STATE] = BRANCHING
            cell = to_guess(board, rules.fewest)
            if cell < 0:
                return FOUND
            tree.cell[depth], tree.guesses[depth] = cell, board[cell]
        elif tree.counters[STATE] == DEAD:
            tree.counters[CONTRADICTIONS] += 1
            tree.counters[STATE] = BRANCHING
        else:
            while depth >= 0 and tree.guesses[depth] == 0:
                depth -= 1
            if depth < 0:
                return EXHAUSTED
            height = lowest(tree.guesses[depth])
            tree.guesses[depth] ^= height
            copy = tree.boards[depth + 1]
            for i in range(cells):
                copy[i] = tree.boards[depth, i]
            work += cells
            tree.counters[DEPTH] = depth + 1
            tree.counters[STATE], tree.counters[LINE] = UNSETTLED, 0
            tree.counters[NODES] += 1
            tree.changed[0], tree.changed[1] = 0, 0
            keep(tree, copy, tree.cell[depth], height, size)
            propagate(tree, copy, size)
    return BUSY


@compiled
def permute(clues: Clues, tree: Tree, board: Words, walk: Walk, bound: int, at_once: int) -> int:
    """Phase 4, until nothing changes, the board is dead, or ``at_once`` steps were taken; return how many."""
    size = len(walk.cells)
    work = 0
    while (tree.changed[0] | tree.changed[1]) and work < at_once and tree.counters[STATE] != DEAD:
        line = tree.counters[LINE]
        tree.counters[LINE] = (line + 1) % (2 * size)
        which = line // size
        bit = np.uint64(1) << np.uint64(line % size)
        if not tree.changed[which] & bit:
            continue
        first, step = first_cell(line, False, size)
        front, back = clues.front[line], clues.back[line]
        if back > front:  # more beginnings are given up early
            front, back = back, front
            first, step = first_cell(line, True, size)
        for i in range(size):
            walk.cells[i] = board[first + i * step]
        finished = used_by_some(walk, front, back, bound)
        work += int(walk.place[1]) + size
        tree.counters[WALKS] += 1
        if finished:
            for i in range(size):
                keep(tree, board, first + i * step, ~walk.missing[i], size)
        else:
            tree.counters[GIVEN_UP] += 1
        tree.changed[which] &= ~bit  # what this walk took away is no news to its own line
        propagate(tree, board, size)
    return work


@compiled
def to_guess(board: Words, fewest: bool) -> int:
    """The first cell with several candidates, or the first of those with the ``fewest``; -1 if the board is full."""
    chosen, least = -1, 65
    for cell in range(len(board)):
        if board[cell] & (board[cell] - np.uint64(1)):
            if not fewest:
                return cell
            candidates = int(count(board[cell]))
            if candidates < least:
                chosen, least = cell, candidates
                if least == 2:
                    break
    return chosen


@compiled
def as_seen(clues: Clues, board: Words) -> bool:
    """Whether no full line of ``board`` contradicts its clues."""
    lines = len(clues.front)
    size = lines >> 1
    for line in range(lines):
        for end in range(2):
            clue = clues.back[line] if end else clues.front[line]
            if clue == 0:
                continue
            at, step = first_cell(line, end == 1, size)
            seen, highest = 0, np.uint64(0)
            full = True
            for i in range(size):
                tower = board[at + i * step]
                if tower & (tower - np.uint64(1)):
                    full = False
                    break
                if tower > highest:
                    seen, highest = seen + 1, tower
            if full and seen != clue:
                return False
    return True
