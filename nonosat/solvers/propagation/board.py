"""A board under propagation, as arrays: what every cell may be, and the lines that wait to be settled."""

from __future__ import annotations

from functools import lru_cache
from itertools import accumulate, chain, repeat
from operator import itemgetter
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from nonosat.puzzles.nonogram import Nonogram
from nonosat.solvers.arrays import Ints, Words, WordTable
from nonosat.solvers.compiled import record

# Where ``Board.state`` holds what: the trail's length, the ring's head and how many lines are in it, a clock that goes
# on when the board has changed for good, how many results are remembered at a time, and counters.
TRAIL, HEAD, WAITING, CLOCK, REMEMBER, LINES, CONTRADICTIONS = range(7)

LENGTH, COLOUR = itemgetter(0), itemgetter(1)
NEVER = np.int64(1 << 62)
MEMO = 1 << 14
"""Results of lines that are remembered at a time, at most; a power of two."""


@record
class Board(NamedTuple):
    """All arrays of one puzzle; lines 0 .. height - 1 are the rows, then come the columns.

    ``length``, ``colour``: of all runs; those of line i are ``first[i]`` .. ``first[i + 1] - 1``. ``size``,
    ``words``: of each line. ``may``: what its cells may be, from ``at[i]`` on (see lines.py): each cell is there twice.
    ``owner``: the line of each word of ``may``.
    ``window``: of each line the cells and the runs that propagation looks at: the first cell, the one behind the last,
    the first run and the one behind the last. That is the whole line, unless it is longer than two words and a search
    is at work in a part of it that does not depend on the rest (see counting/components.py).
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
    memo_key: Words
    memo: Words
    state: Ints


class Frame(NamedTuple):
    """What boards of one size and number of colours share, and nobody writes to; see ``Board``."""

    size: Ints
    words: Ints
    at: Ints
    owner: Ints
    may: Words


@lru_cache(maxsize=16)
def frame_of(height: int, width: int, values: int) -> Frame:
    """The frame of an empty board, with its ``may`` to be copied."""
    size = np.repeat((width, height), (height, width)).astype(np.int64)
    words = size // 64 + 1
    cells = [[((1 << many) - 1) >> (64 * i) & (2**64 - 1) for i in range(many // 64 + 1)] for many in (width, height)]
    may = [word for full, lines in zip(cells, (height, width), strict=True) for word in full * values * lines]
    at = np.concatenate(([0], (words * values).cumsum()))
    owner = np.repeat(np.arange(height + width), words * values)
    return Frame(size, words, at, owner, np.array(may, dtype=np.uint64))


def board_of(puzzle: Nonogram, memo: bool = True) -> Board:
    """A board on which nothing is known but the given cells, with every line waiting.

    ``memo``: make room to remember the results of lines (of up to 63 cells). Large arrays cost no memory until used.
    """
    height, width = puzzle.shape
    values, lines = puzzle.colours + 1, height + width
    clues = puzzle.rows + puzzle.columns
    runs = list(chain.from_iterable(clues))
    frame = frame_of(height, width, values)
    may, words = frame.may.copy(), (width // 64 + 1, height // 64 + 1)
    _give(puzzle, may, frame.at, frame.words)
    widest, most = max(words), max(map(len, clues)) + 1
    changes = 2 * puzzle.colours * height * width  # each takes a value from a cell
    wanted = 1 << (8 * height * width).bit_length()  # a small board meets few, and each page of memory costs
    remembered = min(MEMO, wanted) if memo and widest == 1 else 0
    first = np.fromiter(accumulate(map(len, clues), initial=0), np.int64, lines + 1)
    window = np.zeros((lines, 4), dtype=np.int64)
    window[:, 1], window[:, 2], window[:, 3] = frame.size, first[:-1], first[1:]
    board = Board(
        height=height,
        width=width,
        colours=puzzle.colours,
        length=np.fromiter(map(LENGTH, runs), np.uint64, len(runs)),
        colour=np.fromiter(map(COLOUR, runs) if values > 2 else repeat(1), np.int64, len(runs)),
        first=first,
        size=frame.size,
        words=frame.words,
        at=frame.at,
        owner=frame.owner,
        window=window.reshape(-1),
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


def _give(puzzle: Nonogram, may: Words, at: Ints, words: Ints) -> None:
    """Leave the given cells of ``puzzle`` their values alone; arrays as in ``Board``."""
    if not puzzle.given:
        return
    row, column, value = np.fromiter(chain.from_iterable(puzzle.given), dtype=np.int64).reshape(-1, 3).T
    for line, cell in ((row, column), (puzzle.height + column, row)):
        gone = ~(np.uint64(1) << (cell % 64).astype(np.uint64))
        for other in range(puzzle.colours + 1):
            where = value != other
            word = at[line] + other * words[line] + cell // 64
            np.bitwise_and.at(may, word[where], gone[where])


def cells_of(board: Board) -> npt.NDArray[np.int64]:
    """The value of every cell, shape (height, width); -1: still open."""
    height, width, values = board.height, board.width, board.colours + 1
    words = board.may[: board.at[height]].reshape(height, values, -1)
    bits = np.unpackbits(words.astype("<u8").view(np.uint8), axis=-1, bitorder="little")[:, :, :width]
    cells: npt.NDArray[np.int64] = np.where(bits.sum(axis=1) == 1, bits.argmax(axis=1), -1)
    return cells
