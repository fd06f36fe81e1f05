"""A board under propagation: what every cell may be, the lines that wait to be settled, and how to take it all back."""

from __future__ import annotations

from itertools import accumulate
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from nonosat.puzzles.nonogram import Nonogram
from nonosat.solvers.compiled import compiled, inlined
from nonosat.solvers.propagation.bits import lowest, population
from nonosat.solvers.propagation.lines import ONE, ZERO, Ints, Words, settle_long, settle_short

# Where ``Board.state`` holds what: the trail's length, the ring's head and how many lines are in it, a clock that goes
# on when the board has changed for good, how many results are remembered at a time, and counters.
TRAIL, HEAD, WAITING, CLOCK, REMEMBER, LINES, CONTRADICTIONS = range(7)

DEAD, PAUSED, STABLE = -1, 0, 1
"""What ``propagate`` says: a line has no filling left, lines still wait, or nothing more follows."""

NEVER = np.int64(1 << 62)
MEMO = 1 << 14
"""Results of lines that are remembered at a time, at most; a power of two."""


class Board(NamedTuple):
    """All arrays of one puzzle; lines 0 .. height - 1 are the rows, then come the columns.

    ``length``, ``colour``: of all runs; those of line i are ``first[i]`` .. ``first[i + 1] - 1``. ``size``,
    ``words``: of each line. ``may``: what its cells may be, from ``at[i]`` on (see lines.py): each cell is there twice.
    ``trail_at``, ``trail_was``: the words that were changed, and what they were. ``queue``: a ring of lines, and
    ``queued``, whether a line is in it. ``changed``: the time at which a line last changed for good. ``ready``,
    ``fit``, ``out``, ``spares``: scratch for lines.py. ``memo_key``, ``memo``: results of lines, by their hash.
    """

    height: int
    width: int
    colours: int
    length: Words
    colour: Ints
    first: Ints
    size: Ints
    words: Ints
    at: Ints
    may: Words
    trail_at: Ints
    trail_was: Words
    queue: Ints
    queued: npt.NDArray[np.uint8]
    changed: Ints
    ready: Words
    fit: Words
    out: Words
    spares: Words
    memo_key: Words
    memo: Words
    state: Ints


def board_of(puzzle: Nonogram, memo: bool = True) -> Board:
    """A board on which nothing is known but the given cells, with every line waiting.

    ``memo``: make room to remember the results of lines (of up to 63 cells). Large arrays cost no memory until used.
    """
    height, width = puzzle.shape
    values, lines = puzzle.colours + 1, height + width
    clues = (*puzzle.rows, *puzzle.columns)
    runs = [run for clue in clues for run in clue]
    words = [width // 64 + 1] * height + [height // 64 + 1] * width
    at = [0, *accumulate(many * values for many in words)]
    may = np.empty(at[-1], dtype=np.uint64)
    for begin, end, cells in ((0, height, width), (height, lines, height)):
        full = [((1 << cells) - 1) >> (64 * i) & (2**64 - 1) for i in range(cells // 64 + 1)]
        may[at[begin] : at[end]].reshape(-1, len(full))[:] = np.array(full, dtype=np.uint64)
    for row, column, value in puzzle.given:
        for line, cell in ((row, column), (height + column, row)):
            for other in set(range(values)) - {value}:
                may[at[line] + other * words[line] + cell // 64] &= np.uint64(~(1 << (cell % 64)) & (2**64 - 1))
    widest, most = max(words), max(map(len, clues)) + 1
    changes = 2 * puzzle.colours * height * width  # each takes a value from a cell
    wanted = 1 << (8 * height * width).bit_length()  # a small board meets few, and each page of memory costs
    remembered = min(MEMO, wanted) if memo and widest == 1 else 0
    board = Board(
        height=height,
        width=width,
        colours=puzzle.colours,
        length=np.array([run.length for run in runs], dtype=np.uint64),
        colour=np.array([run.colour for run in runs], dtype=np.int64),
        first=np.array([0, *accumulate(map(len, clues))], dtype=np.int64),
        size=np.array([width] * height + [height] * width, dtype=np.int64),
        words=np.array(words, dtype=np.int64),
        at=np.array(at, dtype=np.int64),
        may=may,
        trail_at=np.zeros(changes, dtype=np.int64),
        trail_was=np.zeros(changes, dtype=np.uint64),
        queue=np.arange(lines, dtype=np.int64),
        queued=np.ones(lines, dtype=np.uint8),
        changed=np.zeros(lines, dtype=np.int64),
        ready=np.zeros(most * widest, dtype=np.uint64),
        fit=np.zeros(most * widest, dtype=np.uint64),
        out=np.zeros(values * widest, dtype=np.uint64),
        spares=np.zeros((4, widest), dtype=np.uint64),
        memo_key=np.zeros(remembered * (values + 1), dtype=np.uint64),
        memo=np.zeros(remembered * values, dtype=np.uint64),
        state=np.zeros(7, dtype=np.int64),
    )
    board.state[WAITING] = lines
    board.state[CLOCK] = 1
    return board


def cells_of(board: Board) -> npt.NDArray[np.int64]:
    """The value of every cell, shape (height, width); -1: still open."""
    height, width, values = board.height, board.width, board.colours + 1
    words = board.may[: board.at[height]].reshape(height, values, -1)
    bits = np.unpackbits(words.astype("<u8").view(np.uint8), axis=-1, bitorder="little")[:, :, :width]
    cells: npt.NDArray[np.int64] = np.where(bits.sum(axis=1) == 1, bits.argmax(axis=1), -1)
    return cells


# ---------------------------------------------------------------- compiled


@inlined
def write(b: Board, at: int, word: np.uint64) -> None:
    """Change the word ``may[at]``, so that it can be taken back."""
    top = b.state[TRAIL]
    b.trail_at[top] = at
    b.trail_was[top] = b.may[at]
    b.state[TRAIL] = top + 1
    b.may[at] = word


@inlined
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
def settle(b: Board, line: int) -> bool:
    """Leave in ``out`` what ``line`` implies. False: no filling is left."""
    b.state[LINES] += 1
    at, size, words = b.at[line], b.size[line], b.words[line]
    first, last = b.first[line], b.first[line + 1]
    values = b.colours + 1
    out = b.out[: values * words]
    if words > 1:
        return settle_long(b.may, at, size, words, b.length, b.colour, first, last, b.ready, b.fit, out, b.spares)
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
    """Make ``out`` what the cells of ``line`` may be, and let the lines that cross it there wait."""
    base, place = (b.height, line) if line < b.height else (0, line - b.height)
    mine, block = ~(ONE << np.uint64(place & 63)), place >> 6
    at, words = b.at[line], b.words[line]
    for v in range(b.colours + 1):
        for i in range(words):
            known = b.out[v * words + i]
            gone = b.may[at + v * words + i] & ~known
            if gone == ZERO:
                continue
            write(b, at + v * words + i, known)
            while gone:
                other = base + (i << 6) + lowest(gone)
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


@inlined
def line_of(b: Board, at: int) -> int:
    """The line that the word ``may[at]`` belongs to."""
    rows = b.at[b.height]
    if at < rows:
        return int(at // (b.words[0] * (b.colours + 1)))
    return int(b.height + (at - rows) // (b.words[b.height] * (b.colours + 1)))


@compiled
def mark_changed(b: Board, mark: int) -> None:
    """The lines of all words written since the trail was ``mark`` long have changed for good, now."""
    b.state[CLOCK] += 1
    for i in range(mark, b.state[TRAIL]):
        b.changed[line_of(b, b.trail_at[i])] = b.state[CLOCK]
