"""Boards of candidates, compiled: the first one, with what phases 1 to 3 find, and what follows from single ones."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from nonosat.solvers.arrays import Int, Ints, IntTable, Words, WordTable
from nonosat.solvers.compiled import compiled, inlined

UNSETTLED, DEAD, BRANCHING = 0, 1, 2
"""What is known of the board in hand: nothing yet, that it has no solution, or what to guess on it (or above it)."""

DEPTH, STATE, WAITING, LINE, NODES, CONTRADICTIONS, WALKS, GIVEN_UP = range(8)
"""Entries of ``Tree.counters``: guesses that led to the board in hand, its state, how many cells are waiting, where
phase 4 goes on; the rest is counted from the beginning."""


class Rules(NamedTuple):
    """Which of the phases 1 to 4 are on, and whether a cell with the fewest candidates is guessed."""

    first: bool
    second: bool
    third: bool
    fourth: bool
    fewest: bool


class Clues(NamedTuple):
    """The clues at the beginnings and at the ends of all lines: the rows, and then the columns. 0: there is none."""

    front: Ints
    back: Ints


class Tree(NamedTuple):
    """Where the search is: the boards that were copied on the way to the one in hand, and what is to try with them."""

    boards: WordTable
    """Shape (N * N + 1, N * N): the candidates of all cells, row by row, after so many guesses."""
    guesses: Words
    """Shape (N * N + 1,): the heights still to be guessed on the board of that depth."""
    cell: Ints
    """Shape (N * N + 1,): the cell that they are guessed for."""
    waiting: Ints
    """Shape (N * N,): cells with one candidate left, which their rows and columns don't know of."""
    changed: Words
    """Shape (2,): the rows, and the columns, with a cell that has lost candidates since their last walk, a bit each."""
    counters: Ints
    """Shape (8,)."""


def tree_of(size: int) -> Tree:
    """Room for a search; only what it touches takes memory."""
    cells = size * size
    return Tree(
        np.empty((cells + 1, cells), dtype=np.uint64),
        np.zeros(cells + 1, dtype=np.uint64),
        np.zeros(cells + 1, dtype=np.int64),
        np.zeros(cells, dtype=np.int64),
        np.zeros(2, dtype=np.uint64),
        np.zeros(8, dtype=np.int64),
    )


@compiled
def first_board(clues: Clues, rules: Rules, tree: Tree, given: IntTable) -> None:
    """The board with its given heights, after the phases 1 to 3 (those that are on). ``given``: as in the puzzle.

    All copies have what these phases find, so they come but once.
    """
    lines = len(clues.front)
    size = lines >> 1
    every = ~np.uint64(0) >> np.uint64(64 - size)
    board = tree.boards[0]
    for cell in range(len(board)):
        board[cell] = every
    tree.changed[0], tree.changed[1] = every, every
    tree.counters[NODES] = 1
    for k in range(len(given)):
        height = np.uint64(1) << np.uint64(given[k, 2] - 1)
        keep(tree, board, given[k, 0] * size + given[k, 1], height, size)
    for line in range(lines):
        for end in range(2):
            clue = clues.back[line] if end else clues.front[line]
            at, step = first_cell(line, end == 1, size)
            if rules.first and clue == 1:
                keep(tree, board, at, np.uint64(1) << np.uint64(size - 1), size)
            if rules.second and clue == size:
                for i in range(size):
                    keep(tree, board, at + i * step, np.uint64(1) << np.uint64(i), size)
            if rules.third:
                for i in range(clue - 1):
                    keep(tree, board, at + i * step, every >> np.uint64(clue - 1 - i), size)
    propagate(tree, board, size)


@inlined
def first_cell(line: Int, backwards: bool, size: int) -> tuple[int, int]:
    """The first cell of ``line``, and the step from each cell to the next. ``backwards``: from its other end."""
    step = 1 if line < size else size
    first = int(line) * size if line < size else int(line) - size
    return (first + (size - 1) * step, -step) if backwards else (first, step)


@compiled
def keep(tree: Tree, board: Words, cell: Int, mask: np.uint64, size: int) -> None:
    """Take all candidates but those of ``mask`` from ``cell``; the board may be dead then."""
    before = board[cell]
    after = before & mask
    if after == before:
        return
    board[cell] = after
    tree.changed[0] |= np.uint64(1) << np.uint64(cell // size)
    tree.changed[1] |= np.uint64(1) << np.uint64(cell % size)
    if after == 0:
        tree.counters[STATE] = DEAD
    elif after & (after - np.uint64(1)) == 0:
        tree.waiting[tree.counters[WAITING]] = cell
        tree.counters[WAITING] += 1


@compiled
def propagate(tree: Tree, board: Words, size: int) -> None:
    """Take the heights of cells with one candidate from their rows and columns, until nothing more follows."""
    while tree.counters[WAITING] > 0 and tree.counters[STATE] != DEAD:
        tree.counters[WAITING] -= 1
        cell = tree.waiting[tree.counters[WAITING]]
        row, column = cell // size, cell % size
        others = ~board[cell]
        for i in range(size):
            if i != column:
                keep(tree, board, row * size + i, others, size)
            if i != row:
                keep(tree, board, i * size + column, others, size)
    tree.counters[WAITING] = 0
