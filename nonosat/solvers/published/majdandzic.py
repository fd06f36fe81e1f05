"""The solver ``phases`` for Skyscrapers (Majdandžić 2022): what a clue implies at once, permutations, and guesses.

Every cell has its candidates, the heights that it may still have. From each end of each line with a clue X:

1. X = 1: the first cell has N.
2. X = N: the cells have 1, 2, ..., N.
3. The cell at distance i < X - 1 loses the X - 1 - i highest heights.
4. A candidate goes if no permutation of its line has it that the other candidates allow and both clues see.
5. The first cell with several candidates is guessed: each is put down on a copy of the board, the lowest first, and
   the copies are solved one after the other.

A cell with one candidate takes it from its row and column (propagation), after every step. ``no1`` to ``no4`` switch
a phase off; ``min`` guesses in the first of the cells with the fewest candidates. Rows go before columns.

Phase 2 is a part of phase 3 and propagation: the cells lose all but 1, all but 1 and 2, and so on. And all of 1 to 3
is a part of phase 4, since each looks at one line and one clue: with it, they spare walks along lines and no board.

Phase 4 walks along every line whose cells have changed, until none has (``permutations``). A walk of more than
``BOUND`` steps is given up: that line keeps its candidates for this time, which is right but weaker, and
``Finished.reason`` counts these walks. Up to 9x9 hardly any is; from 16x16 on, boards with many open cells are out of
reach. A board that gets full by guesses is right for all that: see what is "alive".

Where the thesis leaves something open or is wrong:

- Which boards are "alive": here those whose cells all have candidates, and whose full lines all go with their clues.
  So random 6x6 puzzles with all clues take 22,608 boards with the phases 1 and 2 (the median of 60; the thesis:
  21,733 on one such puzzle). With a look at full boards only it would be some 200 times as many.
- ``assign`` (fig. 5.5) passes over a cell that has its height already, so that clues which want two heights in one
  cell go unnoticed, and it propagates a height that is no candidate. Here such a board is dead.
- At the end of ``run`` (fig. 5.1) stands ``resolveRemainingUniques``, which is not explained; by its name, it finds
  heights that have one cell left in a line. Phase 4 finds them too; without it they are not looked for here.
- Whether phase 4 comes back to a line. By fig. 5.1 it is called once a board; here it goes on to the end.
- Boards are solved in threads, side by side, so that their number is another one each time, and with the phases 1
  and 2 it was higher than with phase 1. Here it is the same each time, and no phase adds boards (but ``min`` may).
- Of the heights that phase 3 takes the text has "the X-1-i-th" and "down to 0"; the code (fig. 5.4) is right.
- It stops at the first solution, since puzzles have but one. Given heights are not known.

Counters: ``nodes``: boards, the first one and all copies (the thesis' "created"); ``assumptions``: the copies;
``contradictions``: boards that are dead; ``lines_checked``: walks along a line in phase 4.
"""

from __future__ import annotations

from collections.abc import Collection, Generator, Iterator, Sequence
from dataclasses import replace
from time import perf_counter
from typing import NamedTuple

import numpy as np

from nonosat.compiled import compiled, inlined, ready
from nonosat.compiled.words import Int, Ints, IntTable, Words, WordTable
from nonosat.errors import UnsupportedError
from nonosat.puzzles.skyscrapers import Skyscrapers
from nonosat.runs.events import Event, Finished, Glimpse, Progress, Statistics
from nonosat.runs.solver import Solver
from nonosat.runs.watched import BUSY, EXHAUSTED, FOUND, Pace, driven, glimpse

# Phase 4: the permutations of one line of towers that its candidates allow and both of its clues agree with.
#
# Majdandžić's ``Permutator`` (2022, fig. 5.6) lists every permutation that the candidates allow, throws away those that
# do not go with the clues, and keeps the candidates that the others use. Here the line is walked depth-first, cell by
# cell, and nothing is listed: a beginning that no permutation can go on from is given up at once, and so is one whose
# permutations would use nothing new. What is kept is the same.
#
# A height h is bit h - 1 of a word. A line of N <= 64 cells has the heights 1 to N. The walk gives a beginning up if
#
# - a height that is left has no cell left that may have it;
# - so many towers are seen from the front that the highest one, still to come, would be one too many, or so few that
#   not even all cells left, or all heights above those placed, can make up for it;
# - the same from the back. Seen from there are the towers without a higher one behind them. Those higher than all
#   heights that are left stay so, and of the cells left at least the highest tower is seen, at most all are.
#
# A walk has a bound of steps (towers put down), for lines of many cells and few clues can need exponentially many: one
# that gets there is given up, and takes no candidate away, which is right but weaker.


MOST = 64
"""Cells of a line: a height is a bit of a word."""
DONE, ONE, GAVE_UP_PERMUTING = 0, 1, 2
"""What a walk ends with: no permutation is left, here is one, the bound of its steps is reached."""
_ENDLESS = 2**62


class Walk(NamedTuple):
    """A walk along a line of N cells; entry i is about the choice for cell i, when those before it have their heights.

    Seen from the end that it starts at, so that a column or a line from its other end is the same.
    """

    cells: Words
    """Shape (N,): the candidates."""
    missing: Words
    """Shape (N,): those that no permutation has used yet."""
    behind: Words
    """Shape (N + 1,): all candidates of the cells from i on."""
    rest: Words
    """Shape (N + 1,): heights that are still to try in cell i."""
    used: Words
    """Shape (N + 1,): heights of the cells before i; cell i has what ``used[i + 1]`` has more."""
    back: Words
    """Shape (N + 1,): those of them that are seen from the back, over the cells before i."""
    front: Ints
    """Shape (N + 1,): how many of them are seen from the front."""
    fresh: Ints
    """Shape (N + 1,): whether one of the cells before i has a height that was missing."""
    place: Ints
    """Shape (2,): the cell whose height is chosen next, and the steps taken."""


def walk_of(size: int) -> Walk:
    """Room for a walk along ``size`` cells."""
    cells, missing = np.zeros((2, size), dtype=np.uint64)
    behind, rest, used, back = np.zeros((4, size + 1), dtype=np.uint64)
    front, fresh = np.zeros((2, size + 1), dtype=np.int64)
    return Walk(cells, missing, behind, rest, used, back, front, fresh, np.zeros(2, dtype=np.int64))


def permutations_of(candidates: Sequence[Collection[int]], front: int, back: int) -> list[tuple[int, ...]]:
    """All permutations of a line whose cells have these ``candidates``, in ascending order.

    From the first cell on ``front`` towers are seen, from the last one ``back``; 0: there is no clue. The thesis' line:

    >>> permutations_of([(1, 2), (1, 2, 3), (1, 2, 3), (1, 2, 3, 4), (5,)], 0, 0)
    [(1, 2, 3, 4, 5), (1, 3, 2, 4, 5), (2, 1, 3, 4, 5), (2, 3, 1, 4, 5)]
    >>> permutations_of([(1, 2), (1, 2, 3), (1, 2, 3), (1, 2, 3, 4), (5,)], 4, 1)
    [(1, 3, 2, 4, 5), (2, 1, 3, 4, 5), (2, 3, 1, 4, 5)]
    """
    size = len(candidates)
    if not 1 <= size <= MOST:
        raise UnsupportedError(f"a line of {size} cells; from 1 to {MOST} are supported")
    if any(not 1 <= height <= size for cell in candidates for height in cell):
        raise UnsupportedError(f"the heights of a line of {size} cells are from 1 to {size}")
    walk = walk_of(size)
    walk.cells[:] = [sum(1 << height - 1 for height in set(cell)) for cell in candidates]
    set_out(walk)
    walk.fresh[0] = 1  # so that all are found, not only those with something new
    found = []
    while step_on(walk, front, back, _ENDLESS) == ONE:
        heights = np.diff(walk.used)  # one bit each
        found.append(tuple(int(height).bit_length() for height in heights))
    return found


@compiled
def set_out(walk: Walk) -> None:
    """Begin a walk along ``walk.cells``."""
    size = len(walk.cells)
    walk.behind[size] = 0
    for i in range(size - 1, -1, -1):
        walk.missing[i] = walk.cells[i]
        walk.behind[i] = walk.behind[i + 1] | walk.cells[i]
    walk.rest[0] = walk.cells[0]
    walk.used[0], walk.back[0] = 0, 0
    walk.front[0], walk.fresh[0] = 0, 0
    walk.place[0], walk.place[1] = 0, 0


@compiled
def step_on(walk: Walk, front: int, back: int, most: int) -> int:
    """Go on to the next permutation (ONE), to the end (DONE), or to ``most`` steps in all (GIVEN_UP).

    In every cell the missing heights come first, and then the lower ones.
    """
    size = len(walk.cells)
    every = ~np.uint64(0) >> np.uint64(64 - size)
    i = walk.place[0]
    while i >= 0:
        rest, used = walk.rest[i], walk.used[i]
        if rest == 0 or (walk.fresh[i] == 0 and not new_ahead(walk, i)):
            i -= 1
            continue
        if walk.place[1] >= most:
            walk.place[0] = i
            return GAVE_UP_PERMUTING
        walk.place[1] += 1
        new = rest & walk.missing[i]
        tower = lowest(new if new else rest)
        walk.rest[i] = rest ^ tower
        now = used | tower
        left = every & ~now
        if left & ~walk.behind[i + 1]:
            continue
        cells_left = size - 1 - i
        seen = walk.front[i] + (1 if tower > used else 0)
        if front:
            over = every & ~below(now)  # heights that can still be seen
            ahead = min(cells_left, count(over))
            if seen + ahead < front or seen + (1 if over else 0) > front:
                continue
        seen_back = (walk.back[i] & ~(tower - np.uint64(1))) | tower
        if back:
            stay = count(seen_back & ~below(left))
            if stay + cells_left < back or stay + (1 if left else 0) > back:
                continue
        walk.used[i + 1], walk.back[i + 1], walk.front[i + 1] = now, seen_back, seen
        if i + 1 == size:
            walk.place[0] = i
            return ONE
        walk.fresh[i + 1] = 1 if new else walk.fresh[i]
        i += 1
        walk.rest[i] = walk.cells[i] & left
    walk.place[0] = -1
    return DONE


@compiled
def new_ahead(walk: Walk, i: Int) -> bool:
    """Whether the cells from i on can have a height that was missing, by their candidates."""
    if walk.rest[i] & walk.missing[i]:
        return True
    free = ~walk.used[i]
    some = np.uint64(0)
    for j in range(i + 1, len(walk.cells)):
        some |= walk.missing[j] & free
    return bool(some)


@compiled
def used_by_some(walk: Walk, front: int, back: int, most: int) -> bool:
    """Take the heights from ``walk.missing`` that a permutation of ``walk.cells`` has; False: given up after ``most``.

    What is missing then is in no permutation. A permutation that has nothing new is not looked for.
    """
    set_out(walk)
    while True:
        state = step_on(walk, front, back, most)
        if state != ONE:
            return state == DONE
        left = np.uint64(0)
        for i in range(len(walk.cells)):
            walk.missing[i] &= walk.used[i] | ~walk.used[i + 1]
            left |= walk.missing[i]
            walk.fresh[i] = 0
        if left == 0:
            return True


@inlined
def lowest(word: np.uint64) -> np.uint64:
    """The lowest bit of ``word`` that is set."""
    return word & (~word + np.uint64(1))


@inlined
def below(word: np.uint64) -> np.uint64:
    """All bits from the highest one that is set in ``word`` down."""
    word |= word >> np.uint64(1)
    word |= word >> np.uint64(2)
    word |= word >> np.uint64(4)
    word |= word >> np.uint64(8)
    word |= word >> np.uint64(16)
    return word | word >> np.uint64(32)


@inlined
def count(word: np.uint64) -> np.int64:
    """How many bits of ``word`` are set."""
    word -= (word >> np.uint64(1)) & np.uint64(0x5555555555555555)
    word = (word & np.uint64(0x3333333333333333)) + ((word >> np.uint64(2)) & np.uint64(0x3333333333333333))
    word = (word + (word >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return np.int64((word * np.uint64(0x0101010101010101)) >> np.uint64(56))


# Boards of candidates, compiled: the first one, with what phases 1 to 3 find, and what follows from single ones.


UNSETTLED, DEAD, BRANCHING = 0, 1, 2
"""What is known of the board in hand: nothing yet, that it has no solution, or what to guess on it (or above it)."""

DEPTH, STATE, WAITING, LINE, NODES, CONTRADICTIONS, WALKS, GIVEN_UP = range(8)
"""Entries of ``Tree.counters``: guesses that led to the board in hand, its state, how many cells are waiting, where
phase 4 goes on; the rest is counted from the beginning."""


class Phases(NamedTuple):
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


class BoardTree(NamedTuple):
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


def tree_of(size: int) -> BoardTree:
    """Room for a search; only what it touches takes memory."""
    cells = size * size
    return BoardTree(
        np.empty((cells + 1, cells), dtype=np.uint64),
        np.zeros(cells + 1, dtype=np.uint64),
        np.zeros(cells + 1, dtype=np.int64),
        np.zeros(cells, dtype=np.int64),
        np.zeros(2, dtype=np.uint64),
        np.zeros(8, dtype=np.int64),
    )


@compiled
def first_board(clues: Clues, rules: Phases, tree: BoardTree, given: IntTable) -> None:
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
def keep(tree: BoardTree, board: Words, cell: Int, mask: np.uint64, size: int) -> None:
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
def propagate(tree: BoardTree, board: Words, size: int) -> None:
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


# Guesses on boards of candidates, depth-first, each followed by phase 4; compiled.


@compiled
def go_on(clues: Clues, rules: Phases, tree: BoardTree, walk: Walk, bound: int, at_once: int) -> int:
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
def permute(clues: Clues, tree: BoardTree, board: Words, walk: Walk, bound: int, at_once: int) -> int:
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


# The solver ``phases``: a run's events and its limits.


BOUND = 100_000
"""Steps of one walk along a line; then it is given up."""
_AT_ONCE = 2_000_000  # steps, and cells of boards, looked at in one call


class Climb:
    """A search for all boards of a puzzle that can be gone on with: its clues, its arrays, and what it has cost."""

    def __init__(self, puzzle: Skyscrapers, rules: Phases) -> None:
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
        masks = self.tree.boards[self.tree.counters[DEPTH]].tolist()
        return np.array([mask.bit_length() for mask in masks], dtype=np.int64).reshape(self.size, self.size)

    def seen(self) -> Glimpse:
        """The board in hand: the heights of cells with one candidate."""
        depth = int(self.tree.counters[DEPTH])
        masks = self.tree.boards[depth].tolist()
        heights = [mask.bit_length() if mask.bit_count() == 1 else -1 for mask in masks]
        cells = np.array(heights, dtype=np.int16).reshape(self.size, self.size)
        return Glimpse("permutations" if depth == 0 else "guessing", self.statistics(), cells, guesses=depth)

    @property
    def given_up(self) -> int:
        """Walks along a line that were."""
        return int(self.tree.counters[GIVEN_UP])

    def statistics(self) -> Statistics:
        """What it has cost so far."""
        nodes, contradictions, walks = self.tree.counters[NODES:GIVEN_UP].tolist()
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
    rules = Phases("no1" not in on, "no2" not in on, "no3" not in on, "no4" not in on, fewest="min" in on)
    climb = Climb(puzzle, rules)
    for event in driven(climb.go_on, _AT_ONCE, climb.heights, climb.statistics, climb.seen, at_most):
        if isinstance(event, Finished) and climb.given_up:
            walks = event.statistics.lines_checked
            reason = f"{climb.given_up:,} of {walks:,} walks along a line were given up after {climb.bound:,} steps"
            event = replace(event, reason=reason)
        yield event


def limited(
    puzzle: Skyscrapers, at_most: int | None, most: int
) -> Generator[Event, None, tuple[list[Ints] | None, bool, Statistics]]:
    """Give (boards, whether there are no others, its cost) with all phases; no boards: more than ``most`` were created.

    For a solver that has others to fall back on; walks that are given up count as if it had failed, too.
    """
    climb = Climb(puzzle, Phases(first=True, second=True, third=True, fourth=True, fewest=True))
    found: list[Ints] = []
    status, pace = BUSY, Pace(_AT_ONCE // 10)
    while status != EXHAUSTED and (at_most is None or len(found) < at_most):
        status = climb.go_on(pace())
        yield from glimpse(climb.seen)
        if status == FOUND:
            found.append(climb.heights())
        if climb.tree.counters[NODES] > most or climb.given_up:
            return None, False, climb.statistics()
    return found, status == EXHAUSTED, climb.statistics()


ready(__name__)
