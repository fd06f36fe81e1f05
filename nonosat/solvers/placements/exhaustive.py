"""Exhaustive (Wałejko 2022, pseudocode 4.1): every filling of the board, cell by cell, verified when it is full.

Cells are filled row by row, each with blank first and then with every colour; given cells keep their value. Nothing is
pruned: every one of the (colours + 1)^cells boards comes up. The verification (pseudocode 1.1) walks the lines and
stops at the first that is wrong. It remembers which rows it has found right and which one wrong: as long as no cell of
that one changes, the board is wrong without another look at it.

Where the pseudocode is wrong: 1.1 compares a rebuilt clue with the given one as far as the given one goes, and so
accepts a line with runs to spare; 4.1 takes the row of cell i (from 0) to be i/w rounded up instead of down.

Counters: ``nodes``: partial boards, each with one more cell filled, full ones among them (given cells are filled from
the start); ``assumptions``: values that were given to cells; ``contradictions``: full boards that are wrong;
``lines_checked``: lines that the verification has walked.
"""

from __future__ import annotations

from collections.abc import Iterator
from time import perf_counter

import numpy as np

from nonosat.puzzles.nonogram import Nonogram
from nonosat.solvers.answer import Event, Glimpse, Progress, Statistics
from nonosat.solvers.arrays import Bytes, Int, Ints
from nonosat.solvers.compiled import compiled, ready
from nonosat.solvers.placements.laying import read
from nonosat.solvers.placements.lines import Lines, lines_of
from nonosat.solvers.solver import Solver
from nonosat.solvers.stepping import BUSY, EXHAUSTED, FOUND, driven

_AT_ONCE = 10_000_000  # boards in one call


def search(puzzle: Nonogram, encoding: object, at_most: int | None, solver: Solver) -> Iterator[Event]:
    """Find at most ``at_most`` pictures of ``puzzle`` (None: all). No encoding plays a part."""
    yield Progress("solving")
    begin = perf_counter()
    rows, columns = lines_of(puzzle, "row"), lines_of(puzzle, "column")
    board = np.zeros(puzzle.shape, dtype=np.uint8)
    fixed = np.zeros(puzzle.shape, dtype=np.bool_)
    for row, column, value in puzzle.given:
        board[row, column], fixed[row, column] = value, True
    free = np.flatnonzero(~fixed)
    counters = np.array([0, 0, 0, 1 + len(free), 0, 0])

    def statistics() -> Statistics:
        *_, nodes, contradictions, checked = counters.tolist()
        return Statistics(
            solve_s=perf_counter() - begin,
            lines_checked=checked,
            assumptions=nodes - 1,
            nodes=nodes,
            contradictions=contradictions,
        )

    yield from driven(
        lambda at_once: count_on(rows, columns, board.reshape(-1), free, puzzle.colours, counters, at_once),
        _AT_ONCE,
        board.copy,
        statistics,
        lambda: Glimpse("one filling after the other", statistics(), board.copy(), guesses=len(free)),
        at_most,
    )


@compiled
def count_on(rows: Lines, columns: Lines, board: Bytes, free: Ints, most: int, counters: Ints, at_once: int) -> int:
    """Go on till a picture is FOUND, no board is left (EXHAUSTED), or ``at_once`` boards were looked at (BUSY).

    The free cells are the digits of a number that is counted up, the last cell the lowest. ``counters``: whether the
    board is verified already; the rows right from the top; whether the next row is wrong; nodes, contradictions, and
    lines checked.
    """
    verified, right, wrong = counters[0], counters[1], counters[2]
    width, height = len(columns.length), len(rows.length)
    one = np.int64(1)  # for a literal, numba would compile ``matches`` again
    end = (right + 1) * width
    state = BUSY
    for _ in range(at_once):
        if not verified:
            while not wrong and right < height:
                counters[5] += 1
                if matches(rows, right, board, right * width, one):
                    right += 1
                else:
                    wrong = 1
            fine = not wrong
            end = (right + 1) * width
            column = np.int64(0)
            while fine and column < width:
                counters[5] += 1
                fine = matches(columns, column, board, column, width)
                column += 1
            if fine:
                state, verified = FOUND, 1
                break
            counters[4] += 1
        verified = 0
        digit = len(free) - 1
        while digit >= 0 and board[free[digit]] == most:
            board[free[digit]] = 0
            digit -= 1
        if digit < 0:
            state = EXHAUSTED
            break
        board[free[digit]] += 1
        counters[3] += len(free) - digit
        if free[digit] < end:  # a cell of the rows that were looked at
            right = free[digit] // width
            wrong = 0
    counters[0], counters[1], counters[2] = verified, right, wrong
    return state


@compiled
def matches(lines: Lines, i: Int, board: Bytes, first: Int, step: Int) -> bool:
    """Whether the cells ``first``, ``first + step``, ... have the runs of line ``i``, and no more."""
    run: Int = lines.run[i]
    done: Int = np.int64(0)
    end = lines.run[i + 1] - 1
    for cell in range(first, first + step * lines.length[i], step):
        run, done = read(lines.lengths, lines.colours, run, done, np.int64(board[cell]))
        if done < 0:
            return False
    return bool(run == end or (run == end - 1 and done == lines.lengths[run]))


ready(__name__)
