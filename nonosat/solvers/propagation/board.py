"""A board under propagation, as arrays: the values that every cell may have, and the queue of lines; compiled."""

from __future__ import annotations

from functools import lru_cache
from itertools import chain, count
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from nonosat.compiled import compiled, inlined
from nonosat.compiled.kernel import RecordLayout, record
from nonosat.compiled.words import ONE, ZERO, Ints, Word, Words, WordTable, lowest, population
from nonosat.puzzles.nonogram import Nonogram
from nonosat.solvers.propagation.lines import filter_line, filter_short_one_colour

# Indices of ``PropagationBoard.state``: the trail's length, the queue's head and length, a clock that advances when the
# board has changed for good, how many results of lines the memo holds, what its keys are told from older ones by, and
# two counters.
TRAIL, HEAD, WAITING, CLOCK, REMEMBER, AGE, LINES, CONTRADICTIONS = range(8)

NEVER = np.int64(1 << 62)
MEMO = 1 << 14
"""The largest size of the memo, in results of lines; a power of two."""
AGES = count(1 << 40, 128)
"""Each board has another one, which is added to its lines' numbers in the keys of its memo: those that an earlier board
has left in its memory are no board's, and need not be cleared. Boards with a memo have fewer than 128 lines.
"""
GOLDEN, MIXED = np.uint64(0x9E3779B97F4A7C15), np.uint64(29)
"""Fibonacci hashing, for the memo: 2**64 over the golden ratio, and a shift that brings high bits down."""
KEPT_SIZES, KEPT_CELLS = 256, 40_000
"""Sizes of boards whose layouts are kept, if they have no more cells than that: to make one takes longer than to solve
many a small board, and drawings have many sizes. Those of large boards take memory.
"""


@record
class PropagationBoard(NamedTuple):
    """All arrays of one puzzle; lines 0 .. height - 1 are the rows, then come the columns.

    ``length``, ``colour``: of all runs, and room for more; those of line i are ``first[i]`` .. ``first[i + 1] - 1``.
    ``size``, ``words``: of each line. ``may``: the values that its cells may have, from ``at[i]`` on (see lines.py);
    each cell is there twice. ``owner``: the line of each word of ``may``.
    ``window``: the part of each line that propagation looks at: the first cell, the one behind the last, the first run
    and the one behind the last. It is the whole line, unless that is longer than two words and a search works in a
    component of the board (see counting/components.py).
    ``trail_at``, ``trail_was``: the words that were changed, and their former values. ``queue``: a ring of lines;
    ``queued``: whether a line is in it. ``changed``: the time at which a line last changed for good. ``ready``,
    ``fit``, ``out``, ``spares``: scratch for lines.py. ``memo``: results of lines, by their hash (a name with
    the ``AGE``, the line's words before, and after); what stands there of another ``AGE`` is none.
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
    owner: Ints
    window: Ints
    may: Words
    trail_at: Ints
    trail_was: Words
    queue: Ints
    queued: npt.NDArray[np.uint8]
    changed: Ints
    ready: Words
    fit: Words
    out: Words
    spares: WordTable
    memo: Words
    state: Ints


class Frame(NamedTuple):
    """What boards of one size and number of colours share: see ``PropagationBoard``."""

    at: Ints
    words: Ints
    layout: RecordLayout[PropagationBoard]


@lru_cache(maxsize=KEPT_SIZES)
def frame_of(height: int, width: int, colours: int, memo: bool) -> Frame:
    """The frame of boards of this size, on which nothing is known and every line is queued."""
    values, lines = colours + 1, height + width
    size = np.repeat((width, height), (height, width)).astype(np.int64)
    words = size // 64 + 1
    widest = int(words.max())
    room = ((max(height, width) + 1) * widest,)  # for as many runs as a line has cells
    cells = [[((1 << many) - 1) >> (64 * i) & (2**64 - 1) for i in range(many // 64 + 1)] for many in (width, height)]
    may = [word for full, lines in zip(cells, (height, width), strict=True) for word in full * values * lines]
    at = np.concatenate(([0], (words * values).cumsum()))
    window = np.zeros((lines, 4), dtype=np.int64)
    window[:, 1] = size
    state = np.zeros(8, dtype=np.int64)
    state[WAITING], state[CLOCK] = lines, 1
    changes = 2 * colours * height * width  # each takes a value from a cell
    runs = height * width * 2 if colours > 1 else height * ((width + 1) // 2) + width * ((height + 1) // 2)
    wanted = 1 << (8 * height * width).bit_length()  # a small board meets few, and each page of memory costs
    remembered = min(MEMO, wanted) if memo and widest == 1 else 0
    common = {
        "height": height,
        "width": width,
        "colours": colours,
        "size": size,
        "words": words,
        "at": at,
        "owner": np.repeat(np.arange(lines), words * values),
    }
    own = {
        "window": window.reshape(-1),
        "may": np.array(may, dtype=np.uint64),
        "queue": np.arange(lines, dtype=np.int64),
        "queued": np.ones(lines, dtype=np.uint8),
        "changed": (lines,),
        "state": state,
    }
    unset = {
        "length": (runs,),
        "colour": (runs,),
        "first": (lines + 1,),
        "trail_at": (changes,),
        "trail_was": (changes,),
    }
    scratch = {
        "ready": room,
        "fit": room,
        "out": (values * widest,),
        "spares": (4, widest),
        "memo": (remembered * (2 * values + 1),),  # read before it is written: see ``AGES``
    }
    return Frame(at, words, RecordLayout(PropagationBoard, common, own, unset, scratch))


def board_of(puzzle: Nonogram, memo: bool = True) -> PropagationBoard:
    """A board on which the given cells are fixed and every line is queued.

    ``memo``: keep results of lines of up to 63 cells. Large arrays cost no memory until they are used.
    """
    height, width = puzzle.shape
    make = frame_of if height * width <= KEPT_CELLS else frame_of.__wrapped__
    frame = make(height, width, puzzle.colours, memo)
    board = frame.layout.record()
    board.state[AGE] = next(AGES)
    lengths, colours, first = puzzle.run_arrays
    board.length[: len(lengths)], board.first[:] = lengths, first
    board.colour[: len(lengths)] = colours if puzzle.colours > 1 else 1
    board.window[2::4], board.window[3::4] = first[:-1], first[1:]
    if puzzle.given:
        _give(puzzle, board.may, frame.at, frame.words)
    return board


def _give(puzzle: Nonogram, may: Words, at: Ints, words: Ints) -> None:
    """Fix the given cells of ``puzzle``; arrays as in ``PropagationBoard``."""
    row, column, value = np.fromiter(chain.from_iterable(puzzle.given), dtype=np.int64).reshape(-1, 3).T
    for line, cell in ((row, column), (puzzle.height + column, row)):
        gone = ~(np.uint64(1) << (cell % 64).astype(np.uint64))
        for other in range(puzzle.colours + 1):
            where = value != other
            word = at[line] + other * words[line] + cell // 64
            np.bitwise_and.at(may, word[where], gone[where])


def cells_of(board: PropagationBoard) -> npt.NDArray[np.int64]:
    """The value of every cell, shape (height, width); -1: still open."""
    cells = np.empty(board.height * board.width, dtype=np.int64)
    read_cells(board, cells)
    return cells.reshape(board.height, board.width)


# The values that a cell may have, changes that can be undone, and the queue of lines.


@inlined
def write(b: PropagationBoard, at: int, word: np.uint64) -> None:
    """Change the word ``may[at]``; the trail keeps what it was."""
    top = b.state[TRAIL]
    b.trail_at[top] = at
    b.trail_was[top] = b.may[at]
    b.state[TRAIL] = top + 1
    b.may[at] = word


@compiled
def undo(b: PropagationBoard, mark: int) -> None:
    """Undo all changes since the trail was ``mark`` long."""
    while b.state[TRAIL] > mark:
        b.state[TRAIL] -= 1
        top = b.state[TRAIL]
        b.may[b.trail_at[top]] = b.trail_was[top]


@inlined
def enqueue(b: PropagationBoard, line: int) -> None:
    """Queue ``line``, unless it is queued."""
    if b.queued[line] == 0:
        b.queued[line] = 1
        slot = b.state[HEAD] + b.state[WAITING]
        b.queue[slot - len(b.queue) if slot >= len(b.queue) else slot] = line
        b.state[WAITING] += 1


@inlined
def dequeue(b: PropagationBoard) -> int:
    """The line that was queued first."""
    head = b.state[HEAD]
    line = b.queue[head]
    b.state[HEAD] = head + 1 if head + 1 < len(b.queue) else 0
    b.state[WAITING] -= 1
    b.queued[line] = 0
    return int(line)


@inlined
def may_be(b: PropagationBoard, row: int, column: int, value: int) -> bool:
    """May the cell have ``value``?"""
    word = b.at[row] + value * b.words[row] + (column >> 6)
    return bool((b.may[word] >> np.uint64(column & 63)) & ONE == ONE)


@inlined
def choices(b: PropagationBoard, row: int, column: int) -> int:
    """How many values the cell may have."""
    count = 0
    for v in range(b.colours + 1):
        count += 1 if may_be(b, row, column, v) else 0
    return count


@compiled
def read_cells(b: PropagationBoard, cells: Ints) -> None:
    """Fill ``cells``, row by row, with their values; -1: still open."""
    for row in range(b.height):
        for column in range(b.width):
            value, count = -1, 0
            for v in range(b.colours + 1):
                if may_be(b, row, column, v):
                    value = v
                    count += 1
            cells[row * b.width + column] = value if count == 1 else -1


@compiled
def forbid(b: PropagationBoard, row: int, column: int, value: int) -> None:
    """Take ``value`` from a cell that may have it, and queue its lines."""
    line = b.height + column
    across = b.at[row] + value * b.words[row] + (column >> 6)
    down = b.at[line] + value * b.words[line] + (row >> 6)
    write(b, across, b.may[across] & ~(ONE << np.uint64(column & 63)))
    write(b, down, b.may[down] & ~(ONE << np.uint64(row & 63)))
    enqueue(b, row)
    enqueue(b, line)


@compiled
def assume(b: PropagationBoard, row: int, column: int, value: int) -> None:
    """Take all values but ``value`` from a cell."""
    for other in range(b.colours + 1):
        if other != value and may_be(b, row, column, other):
            forbid(b, row, column, other)


@compiled
def unknown(b: PropagationBoard) -> int:
    """How many values the cells have in all, beyond one each; 0: the board is full."""
    count = 0
    for i in range(b.at[b.height]):
        count += population(b.may[i])
    return count - b.height * b.width


@compiled
def mark_changed(b: PropagationBoard, mark: int) -> None:
    """Note that the lines of all words written since the trail was ``mark`` long have changed for good, now."""
    b.state[CLOCK] += 1
    for i in range(mark, b.state[TRAIL]):
        b.changed[b.owner[b.trail_at[i]]] = b.state[CLOCK]


# Propagation: what each queued line implies is written to the board, until the queue is empty.


DEAD, PAUSED, STABLE = -1, 0, 1
"""Results of ``propagate``: a line has no filling left, lines are still queued, or nothing more follows."""


@inlined
def remember(b: PropagationBoard) -> None:
    """Keep the results of lines from now on."""
    b.state[REMEMBER] = len(b.memo) // (2 * (b.colours + 1) + 1)


@inlined
def imply(b: PropagationBoard, line: int) -> bool:
    """Leave in ``out`` what the window of ``line`` implies. False: no filling is left."""
    b.state[LINES] += 1
    at, words, values = b.at[line], b.words[line], b.colours + 1
    begin, end, first, last = 0, b.size[line], b.first[line], b.first[line + 1]
    if words > 2:
        begin, end = b.window[4 * line], b.window[4 * line + 1]
        first, last = b.window[4 * line + 2], b.window[4 * line + 3]
    if words > 1 or b.state[REMEMBER] == 0:
        base = begin >> 6
        out = b.out[: values * ((end >> 6) - base + 1)]
        begin, end = begin - (base << 6), end - (base << 6)
        return filter_line(
            b.may, at + base, words, begin, end, b.length, b.colour, first, last, b.ready, b.fit, out, b.spares
        )
    out = b.out[:values]
    name, mix = np.uint64(b.state[AGE] + line + 1), np.uint64(line + 1)
    for v in range(values):
        mix = (mix ^ b.may[at + v]) * GOLDEN
        mix ^= mix >> MIXED
    key = np.int64(mix & np.uint64(b.state[REMEMBER] - 1)) * (2 * values + 1)
    value = key + 1 + values
    same = bool(b.memo[key] == name)
    for v in range(values):
        same &= b.memo[key + 1 + v] == b.may[at + v]
    if same:
        some = ZERO
        for v in range(values):
            out[v] = b.memo[value + v]
            some |= out[v]
        return bool(some != ZERO)
    fits = filter_line(b.may, at, words, begin, end, b.length, b.colour, first, last, b.ready, b.fit, out, b.spares)
    b.memo[key] = name
    for v in range(values):
        b.memo[key + 1 + v] = b.may[at + v]
        b.memo[value + v] = out[v] if fits else ZERO
    return fits


@inlined
def prune(b: PropagationBoard, line: int) -> None:
    """Take from the cells in the window of ``line`` the values that are not in ``out``; queue the lines they cross."""
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


@inlined
def imply_short_one_colour(b: PropagationBoard, line: int, blank: Word, black: Word) -> tuple[Word, Word]:
    """(the cells of ``line`` that may be blank, those that may be black), if ``blank`` and ``black`` may before."""
    remembered = np.uint64(b.state[REMEMBER])
    name, key = np.uint64(b.state[AGE] + line + 1), np.int64(0)
    if remembered > ZERO:
        mix = (np.uint64(line + 1) ^ blank) * GOLDEN
        mix = ((mix ^ (mix >> MIXED)) ^ black) * GOLDEN
        key = np.int64((mix ^ (mix >> MIXED)) & (remembered - ONE)) * 5
        if b.memo[key] == name and b.memo[key + 1] == blank and b.memo[key + 2] == black:
            return b.memo[key + 3], b.memo[key + 4]
    first, last = b.first[line], b.first[line + 1]
    blank_after, black_after = filter_short_one_colour(
        blank, black, b.size[line], b.length, first, last, b.ready, b.fit
    )
    if remembered > ZERO:
        b.memo[key], b.memo[key + 1], b.memo[key + 2] = name, blank, black
        b.memo[key + 3], b.memo[key + 4] = blank_after, black_after
    return blank_after, black_after


@compiled
def propagate_short_one_colour(b: PropagationBoard, until: int | np.int64) -> int:
    """``propagate`` on a board of one colour whose lines have one word: the same steps, in two thirds of the time."""
    may, queue, queued, state, lines = b.may, b.queue, b.queued, b.state, len(b.queue)
    head, waiting, top, filtered, status = state[HEAD], state[WAITING], state[TRAIL], state[LINES], STABLE
    while waiting > 0:
        if filtered > until:
            status = PAUSED
            break
        line = queue[head]
        head = head + 1 if head + 1 < lines else 0
        waiting -= 1
        queued[line] = 0
        filtered += 1
        blank, black = imply_short_one_colour(b, line, may[2 * line], may[2 * line + 1])
        if blank | black == ZERO:
            state[CONTRADICTIONS] += 1
            while waiting > 0:
                queued[queue[head]] = 0
                head = head + 1 if head + 1 < lines else 0
                waiting -= 1
            status = DEAD
            break
        base, place = (b.height, line) if line < b.height else (0, line - b.height)
        mine = ~(ONE << np.uint64(place))
        for v in range(2):
            here = 2 * line + v
            gone = may[here] & ~(black if v == 1 else blank)
            if gone == ZERO:
                continue
            b.trail_at[top], b.trail_was[top] = here, may[here]
            top += 1
            may[here] &= ~gone
            while gone:
                other = base + lowest(gone)
                gone &= gone - ONE
                word = 2 * other + v
                b.trail_at[top], b.trail_was[top] = word, may[word]
                top += 1
                may[word] &= mine
                if queued[other] == 0:
                    queued[other] = 1
                    slot = head + waiting
                    queue[slot - lines if slot >= lines else slot] = other
                    waiting += 1
    state[HEAD], state[WAITING], state[TRAIL], state[LINES] = head, waiting, top, filtered
    return status


@compiled
def propagate(b: PropagationBoard, until: int | np.int64) -> int:
    """Propagate queued lines until the queue is empty, or more than ``until`` lines have been filtered in all.

    After DEAD the queue is empty.
    """
    if b.colours == 1 and b.height < 64 and b.width < 64:
        return propagate_short_one_colour(b, until)
    while b.state[WAITING] > 0:
        if b.state[LINES] > until:
            return PAUSED
        line = dequeue(b)
        if not imply(b, line):
            b.state[CONTRADICTIONS] += 1
            while b.state[WAITING] > 0:
                dequeue(b)
            return DEAD
        prune(b, line)
    return STABLE


@compiled
def sweep(b: PropagationBoard, begin: int, end: int) -> int:
    """Propagate those of the lines ``begin`` .. ``end`` - 1 that are queued, once each, in order; DEAD or STABLE."""
    for line in range(begin, end):
        if b.queued[line] == 1:
            b.queued[line] = 0
            b.state[WAITING] -= 1
            if not imply(b, line):
                b.state[CONTRADICTIONS] += 1
                return DEAD
            prune(b, line)
    return STABLE
