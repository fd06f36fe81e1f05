"""The solver ``rowsearch`` for nonograms (Segers 2015): row by row, with masks from the columns for the next row.

The values that the next cell of a column may have follow from the run under way and how much of it is placed. All
columns together make a mask for every value. A placement of the next row fits if no cell of it lies outside the mask of
its value. In black and white that is Segers' (placement & mask) == value. The search is depth-first, row by row.

Where Segers' program leaves something open or is wrong:

- It accepts a board when the last row fits, without a look at whether all columns have all their runs. With equal sums
  of the rows' and the columns' clues this cannot go wrong, since no column can have too much; with others it does.
- The first row is not checked at all: a filled cell at the top of a column without runs passes, and the next row then
  reads past the end of that column's clue.
- A column whose open runs no longer fit is followed until it breaks; so is one that can't meet its given cells. Here
  a mask allows only what has a completion by itself (``placements.fit``), so a full board is right as it is.
- Given blanks are not known, only given black cells. Rows of more than 64 cells overflow its words, and so does a run
  of 64; a clue written as a 0 gives the same empty placement many times.
- It stops at the first solution.

Counters: ``placements`` of the rows listed; ``nodes``: partial boards, the empty one and full ones among them;
``assumptions``: placements that were laid; ``contradictions``: boards that no placement of the next row fits.
``lines_checked`` is None: no line is looked at by itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from time import perf_counter
from typing import NamedTuple

import numpy as np

from nonosat.compiled import compiled, ready
from nonosat.compiled.words import Bytes, Ints, IntTable, WordCube
from nonosat.puzzles.nonogram import Nonogram
from nonosat.runs.events import Event, Glimpse, Progress, Statistics
from nonosat.runs.solver import Solver
from nonosat.runs.watched import BUSY, EXHAUSTED, FOUND, driven
from nonosat.solvers.published.placements import (
    SKIP,
    START,
    Lines,
    ListedPlacements,
    Lists,
    cells,
    laid_so_far,
    lay,
    lines_of,
    ones,
    tables,
)

_AT_ONCE = 10_000_000  # words looked at in one call


class RowPath(NamedTuple):
    """Where the search is. Row r is laid with its placement ``next[r] - 1``."""

    next: Ints
    led: Bytes
    """Whether some placement of row r fitted."""
    allowed: WordCube
    """Shape (rows, values, words): the cells of row r that may have a value, as the columns go."""
    run: IntTable
    """Shape (rows + 1, columns): the states of the columns (``placements.read``) when so many rows are laid."""
    done: IntTable
    counters: Ints
    """Rows laid, nodes, contradictions."""


def search(puzzle: Nonogram, encoding: object, at_most: int | None, solver: Solver) -> Iterator[Event]:
    """Find at most ``at_most`` solutions of ``puzzle`` (None: all). No encoding is used."""
    yield Progress("solving")
    begin = perf_counter()
    rows, columns = ListedPlacements(puzzle, "row"), lines_of(puzzle, "column")
    besides = int(columns.table[-1]) + 16 * (puzzle.height + 1) * puzzle.width  # tables, and the path
    if (stopped := rows.refusal(solver.chosen.get("limit"), besides)) is not None:
        yield stopped
        return
    lists, moves = rows.listed(), tables(columns)
    path = start(puzzle, columns, moves)

    def statistics() -> Statistics:
        _, nodes, contradictions = path.counters.tolist()
        return Statistics(
            solve_s=perf_counter() - begin,
            placements=sum(rows.count),
            assumptions=nodes - 1,
            nodes=nodes,
            contradictions=contradictions,
        )

    def seen() -> Glimpse:
        board, laid = laid_so_far(lists, path.next.tolist(), puzzle.shape)
        return Glimpse("laying rows", statistics(), board, guesses=laid)

    yield from driven(
        lambda at_once: descend(lists, columns, moves, path, at_once),
        _AT_ONCE,
        lambda: [cells(lists, row, chosen - 1) for row, chosen in enumerate(path.next.tolist())],
        statistics,
        seen,
        at_most,
    )


def start(puzzle: Nonogram, columns: Lines, moves: Bytes) -> RowPath:
    """The empty board."""
    height, width = puzzle.shape
    run = np.zeros((height + 1, width), dtype=np.int64)
    run[0] = columns.run[:-1]
    allowed = np.zeros((height + 1, puzzle.colours + 1, (width + 63) // 64), dtype=np.uint64)
    path = RowPath(
        np.zeros(height, dtype=np.int64),
        np.zeros(height, dtype=np.uint8),
        allowed,
        run,
        np.zeros_like(run),
        np.array([0, 1, 0]),
    )
    allow(columns, moves, path, 0)
    return path


@compiled
def descend(lists: Lists, columns: Lines, moves: Bytes, path: RowPath, at_once: int) -> int:
    """Go on until a solution is FOUND, the tree is EXHAUSTED, or ``at_once`` words were looked at (BUSY)."""
    row, last = path.counters[0], len(lists.total) - 1
    state, work = BUSY, 0
    while work < at_once:
        before = path.next[row]
        fits = find(lists, path, row)
        work += (path.next[row] - before + 1) * lists.stride[row]
        if fits:
            path.counters[1] += 1
            path.led[row] = 1
            if row == last:
                state = FOUND
                break
            lay(lists, row, path.next[row] - 1, columns, moves, path.run, path.done)
            row += 1
            allow(columns, moves, path, row)
            work += len(columns.length)
        else:
            path.counters[2] += 1 - path.led[row]
            path.next[row], path.led[row] = 0, 0
            if row == 0:
                state = EXHAUSTED
                break
            row -= 1
    path.counters[0] = row
    return state


@compiled
def find(lists: Lists, path: RowPath, row: int) -> bool:
    """Choose the next placement of ``row`` that the columns allow, if there is one."""
    words, stride, width = (lists.length[row] + 63) >> 6, lists.stride[row], lists.length[row]
    masks, begin = lists.mask[row], lists.begin[row]
    if stride == 1:
        never = ~path.allowed[row, lists.values[masks], 0]
        always = ones(width) & ~path.allowed[row, 0, 0]
        for number in range(path.next[row], lists.total[row]):
            mask = lists.masks[begin + number]
            if not (mask & never) | (~mask & always):
                path.next[row] = number + 1
                return True
        path.next[row] = lists.total[row]
        return False
    for number in range(path.next[row], lists.total[row]):
        wrong = np.uint64(0)
        for w in range(words):
            filled = np.uint64(0)
            for m in range(lists.mask[row + 1] - masks):
                mask = lists.masks[begin + number * stride + m * words + w]
                filled |= mask
                wrong |= mask & ~path.allowed[row, lists.values[masks + m], w]
            wrong |= ~filled & ones(width - 64 * w) & ~path.allowed[row, 0, w]
        if not wrong:
            path.next[row] = number + 1
            return True
    path.next[row] = lists.total[row]
    return False


@compiled
def allow(columns: Lines, moves: Bytes, path: RowPath, row: int) -> None:
    """What the columns, in the states that they are in, allow in the cells of ``row``."""
    for value in range(path.allowed.shape[1]):
        for w in range(path.allowed.shape[2]):
            path.allowed[row, value, w] = 0
    for column in range(len(columns.length)):
        word, bit = column >> 6, np.uint64(1) << np.uint64(column & 63)
        run, done = path.run[row, column], path.done[row, column]
        if 0 < done < columns.lengths[run]:
            path.allowed[row, columns.colours[run], word] |= bit
            continue
        if done > 0:
            run += 1
            if columns.colours[run] == columns.colours[run - 1]:
                path.allowed[row, 0, word] |= bit
                continue
        o = row - columns.earliest[run]
        move = moves[columns.table[column] + (run - columns.run[column]) * (columns.free[column] + 1) + o]
        if move & SKIP:
            path.allowed[row, 0, word] |= bit
        if move & START:
            path.allowed[row, columns.colours[run], word] |= bit


ready(__name__)
