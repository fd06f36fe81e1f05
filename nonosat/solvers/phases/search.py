"""Skyscrapers in five phases (Majdandžić 2022): what the clues say at once, permutations of lines, and guesses.

Every cell has its candidates, the heights that it may still have. From each end of each line with a clue X:

1. X = 1: the first cell has N.
2. X = N: the cells have 1, 2, ..., N.
3. The cell at distance i < X - 1 loses the X - 1 - i highest heights.
4. A candidate goes if no permutation of its line has it that the other candidates allow and both clues see.
5. The first cell with several candidates is guessed: each is put down on a copy of the board, the lowest first, and the
   copies are solved one after the other.

A cell with one candidate takes it from its row and column (propagation), after every step. ``no1`` to ``no4`` switch a
phase off; ``min`` guesses in the first of the cells with the fewest candidates. Rows go before columns.

Phase 2 is a part of phase 3 and propagation: the cells lose all but 1, all but 1 and 2, and so on. And all of 1 to 3
is a part of phase 4, since each looks at one line and one clue: with it, they spare walks along lines and no board.

Phase 4 walks along every line whose cells have changed, until none has (``permutations``). A walk of more than
``BOUND`` steps is given up: that line keeps its candidates for this time, which is right but weaker, and
``Finished.reason`` says how many were. Up to 9x9 hardly any is; from 16x16 on, boards with many open cells are out of
reach. A board that gets full by guesses is right for all that: see what is "alive".

Where the thesis is silent or wrong:

- Which boards are "alive": here those whose cells all have candidates, and whose full lines all go with their clues.
  So random 6x6 puzzles with all clues take 22,608 boards with the phases 1 and 2 (the median of 60; the thesis: 21,733
  on one such puzzle). With a look at full boards only it would be some 200 times as many.
- ``assign`` (fig. 5.5) passes over a cell that has its height already, so that clues which want two heights in one
  cell go unnoticed, and it propagates a height that is no candidate. Here such a board is dead.
- At the end of ``run`` (fig. 5.1) stands ``resolveRemainingUniques``, of which nothing is said; by its name, it finds
  heights that have one cell left in a line. Phase 4 finds them too; without it they are not looked for here.
- Whether phase 4 comes back to a line. By fig. 5.1 it is called once a board; here it goes on to the end.
- Boards are solved in threads, side by side, so that their number is another one each time, and with the phases 1 and 2
  it was higher than with phase 1. Here it is the same each time, and no phase adds boards (but ``min`` may).
- Of the heights that phase 3 takes the text says "the X-1-i-th" and "down to 0"; the code (fig. 5.4) is right.
- It stops at the first solution, since puzzles have but one. Given heights are not known.

Counters: ``nodes``: boards, the first one and all copies (the thesis' "created"); ``assumptions``: the copies;
``contradictions``: boards that are dead; ``lines_checked``: walks along a line in phase 4.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from time import perf_counter
from typing import NamedTuple

import numpy as np

from nonosat.errors import UnsupportedError
from nonosat.puzzles.skyscrapers import Skyscrapers
from nonosat.solvers.answer import Event, Finished, Progress, Statistics
from nonosat.solvers.arrays import Int, Ints, Words
from nonosat.solvers.compiled import compiled, inlined
from nonosat.solvers.phases.permutations import MOST, Walk, count, lowest, used_by_some, walk_of
from nonosat.solvers.solver import BARE, Solver
from nonosat.solvers.stepping import BUSY, EXHAUSTED, FOUND, driven

BOUND = 100_000
"""Steps of one walk along a line; then it is given up."""
_AT_ONCE = 2_000_000  # steps, and cells of boards, looked at in one call

_UNSETTLED, _DEAD, _BRANCHING = 0, 1, 2
"""What is known of the board in hand: nothing yet, that it has no solution, or what to guess on it (or above it)."""

_DEPTH, _STATE, _WAITING, _LINE, _NODES, _CONTRADICTIONS, _WALKS, _GIVEN_UP = range(8)
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

    boards: Words
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


class Climb:
    """A search for all boards of a puzzle that can be gone on with: its clues, its arrays, and what it has cost."""

    def __init__(self, puzzle: Skyscrapers, rules: Rules) -> None:
        self.began = perf_counter()
        self.size, self.rules, self.bound = puzzle.size, rules, BOUND
        self.clues = Clues(np.array(puzzle.left + puzzle.top), np.array(puzzle.right + puzzle.bottom))
        self.tree, self.walk = tree_of(self.size), walk_of(self.size)
        first_board(self.clues, rules, self.tree, np.array(puzzle.given, dtype=np.int64).reshape(-1, 3))

    def go_on(self, at_once: int = _AT_ONCE) -> int:
        """See the function."""
        return go_on(self.clues, self.rules, self.tree, self.walk, self.bound, at_once)

    def heights(self) -> Ints:
        """The heights of the board in hand, shape (N, N): one candidate is left for each cell."""
        masks = self.tree.boards[self.tree.counters[_DEPTH]].tolist()
        return np.array([mask.bit_length() for mask in masks], dtype=np.int64).reshape(self.size, self.size)

    @property
    def given_up(self) -> int:
        """Walks along a line that were."""
        return int(self.tree.counters[_GIVEN_UP])

    def statistics(self) -> Statistics:
        """What it has cost so far."""
        nodes, contradictions, walks = self.tree.counters[_NODES:_GIVEN_UP].tolist()
        return Statistics(
            solve_s=perf_counter() - self.began,
            lines_checked=walks,
            assumptions=nodes - 1,
            nodes=nodes,
            contradictions=contradictions,
        )


def search(puzzle: Skyscrapers, encoding: object, at_most: int | None, solver: Solver) -> Iterator[Event]:
    """Find at most ``at_most`` boards of ``puzzle`` (None: all). No encoding plays a part."""
    if puzzle.size > MOST:
        raise UnsupportedError(f"a board of {puzzle.size}x{puzzle.size}; phases solves those of up to {MOST}x{MOST}")
    yield Progress("solving")
    on = solver.chosen
    rules = Rules("no1" not in on, "no2" not in on, "no3" not in on, "no4" not in on, fewest="min" in on)
    climb = Climb(puzzle, rules)
    for event in driven(climb.go_on, climb.heights, climb.statistics, at_most):
        if isinstance(event, Finished) and climb.given_up:
            walks = event.statistics.lines_checked
            told = f"{climb.given_up:,} of {walks:,} walks along a line were given up after {climb.bound:,} steps"
            event = replace(event, reason=told)
        yield event


def limited(puzzle: Skyscrapers, at_most: int | None, most: int) -> tuple[list[Ints] | None, bool, Statistics]:
    """(boards, whether there are no others, what it cost) with all phases; no boards: more than ``most`` were created.

    For a solver that has others to fall back on; walks that are given up count as if it had failed, too.
    """
    climb = Climb(puzzle, Rules(first=True, second=True, third=True, fourth=True, fewest=True))
    found: list[Ints] = []
    said = BUSY
    while said != EXHAUSTED and (at_most is None or len(found) < at_most):
        said = climb.go_on(_AT_ONCE // 10)
        if said == FOUND:
            found.append(climb.heights())
        if climb.tree.counters[_NODES] > most or climb.given_up:
            return None, False, climb.statistics()
    return found, said == EXHAUSTED, climb.statistics()


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
def first_board(clues: Clues, rules: Rules, tree: Tree, given: Ints) -> None:
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
    tree.counters[_NODES] = 1
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
        tree.counters[_STATE] = _DEAD
    elif after & (after - np.uint64(1)) == 0:
        tree.waiting[tree.counters[_WAITING]] = cell
        tree.counters[_WAITING] += 1


@compiled
def propagate(tree: Tree, board: Words, size: int) -> None:
    """Take the heights of cells with one candidate from their rows and columns, until nothing more follows."""
    while tree.counters[_WAITING] > 0 and tree.counters[_STATE] != _DEAD:
        tree.counters[_WAITING] -= 1
        cell = tree.waiting[tree.counters[_WAITING]]
        row, column = cell // size, cell % size
        others = ~board[cell]
        for i in range(size):
            if i != column:
                keep(tree, board, row * size + i, others, size)
            if i != row:
                keep(tree, board, i * size + column, others, size)
    tree.counters[_WAITING] = 0


@compiled
def go_on(clues: Clues, rules: Rules, tree: Tree, walk: Walk, bound: int, at_once: int) -> int:
    """Go on till a board is FOUND, none is left (EXHAUSTED), or ``at_once`` steps were taken (BUSY)."""
    size = len(clues.front) >> 1
    cells = size * size
    work = 0
    while work < at_once:
        depth = tree.counters[_DEPTH]
        board = tree.boards[depth]
        if tree.counters[_STATE] == _UNSETTLED and rules.fourth:
            work += permute(clues, tree, board, walk, bound, at_once - work)
            if tree.counters[_STATE] == _UNSETTLED and (tree.changed[0] | tree.changed[1]):
                break
        if tree.counters[_STATE] == _UNSETTLED:
            work += cells
            if not as_seen(clues, board):
                tree.counters[_STATE] = _DEAD
                continue
            tree.counters[_STATE] = _BRANCHING
            cell = to_guess(board, rules.fewest)
            if cell < 0:
                return FOUND
            tree.cell[depth], tree.guesses[depth] = cell, board[cell]
        elif tree.counters[_STATE] == _DEAD:
            tree.counters[_CONTRADICTIONS] += 1
            tree.counters[_STATE] = _BRANCHING
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
            tree.counters[_DEPTH] = depth + 1
            tree.counters[_STATE], tree.counters[_LINE] = _UNSETTLED, 0
            tree.counters[_NODES] += 1
            tree.changed[0], tree.changed[1] = 0, 0
            keep(tree, copy, tree.cell[depth], height, size)
            propagate(tree, copy, size)
    return BUSY


@compiled
def permute(clues: Clues, tree: Tree, board: Words, walk: Walk, bound: int, at_once: int) -> int:
    """Phase 4, until nothing changes, the board is dead, or ``at_once`` steps were taken; return how many."""
    size = len(walk.cells)
    work = 0
    while (tree.changed[0] | tree.changed[1]) and work < at_once and tree.counters[_STATE] != _DEAD:
        line = tree.counters[_LINE]
        tree.counters[_LINE] = (line + 1) % (2 * size)
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
        tree.counters[_WALKS] += 1
        if finished:
            for i in range(size):
                keep(tree, board, first + i * step, ~walk.missing[i], size)
        else:
            tree.counters[_GIVEN_UP] += 1
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


# compiled before a search with limits starts its clock
for _ in search(Skyscrapers((0,), (0,), (0,), (0,)), None, None, BARE):
    pass
