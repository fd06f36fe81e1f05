"""Which changes of one cell make a picture the only solution of its clues: settled one after the other.

Most changes are ruled out without a search. If two pictures have the same clues, and differ in no line of a cell, they
still have the same clues when that cell is changed in both; so a second picture of one change is tried on all others.
What is left is searched for a second solution, first with little patience and then with more, at last by SAT.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import lru_cache, partial
from itertools import accumulate, groupby
from time import perf_counter

import numpy as np
import numpy.typing as npt

from nonosat.compiled import compiled, ready
from nonosat.compiled.words import Ints, Words
from nonosat.counting.backbones import Cells, bounded
from nonosat.making.repair import with_cell
from nonosat.puzzles.nonogram import Nonogram
from nonosat.solvers.propagation.board import (
    DEAD,
    HEAD,
    LINES,
    NEVER,
    TRAIL,
    WAITING,
    PropagationBoard,
    board_of,
    choices,
    propagate,
)
from nonosat.solvers.propagation.tree import TreeSearch

# What lines alone would leave open if one cell of a picture were another, for each change of one; compiled.
#
# The clues of a changed picture are read off it, and its lines are propagated from the empty board: on 25x25 that takes
# some hundred microseconds, most of which a ``Nonogram`` and new arrays would cost again.


UNTRIED = -1
"""What ``left_open`` says of a change that was not tried."""


def left_open(puzzle: Nonogram, cells: npt.NDArray[np.uint8], order: Ints, work: int) -> npt.NDArray[np.int64]:
    """How many cells lines alone leave open after each change of ``cells``, a solution of ``puzzle``, to another value.

    Shape (height, width, values); UNTRIED: a cell's own value, a given cell's, and what was not come to. ``order``:
    changes as ``cell * values + value``, the cells numbered row by row. It ends after ``work`` settled lines.

    >>> diagonal = Nonogram.from_picture([[1, 0], [0, 1]])
    >>> left_open(diagonal, diagonal.goal.cells, np.arange(8), work=1000)[:, :, 0].tolist()
    [[0, -1], [-1, 0]]
    """
    height, width = puzzle.shape
    values = puzzle.colours + 1
    board = _with_room(board_of(puzzle, memo=False))
    flat = cells.reshape(-1).astype(np.int64)
    given = {row * width + column for row, column, _ in puzzle.given}
    wanted = [what for what in order.tolist() if what // values not in given and flat[what // values] != what % values]
    found = np.full(height * width * values, UNTRIED, dtype=np.int64)
    try_changes(board, board.may.copy(), flat, np.array(wanted, dtype=np.int64), work, found)
    return found.reshape(height, width, values)


def _with_room(board: PropagationBoard) -> PropagationBoard:
    """The board, whose lines may get more runs: as many as they have cells."""
    runs = int(board.size.sum())
    most, widest = int(board.size.max()) + 1, int(board.words.max())
    return board._replace(
        length=np.zeros(runs, dtype=np.uint64),
        colour=np.zeros(runs, dtype=np.int64),
        first=np.array([0, *accumulate([0] * len(board.size))], dtype=np.int64),
        ready=np.zeros(most * widest, dtype=np.uint64),
        fit=np.zeros(most * widest, dtype=np.uint64),
    )


@compiled
def try_changes(b: PropagationBoard, full: Words, cells: Ints, order: Ints, work: int, found: Ints) -> None:
    """Try each change of ``order``, and write to ``found`` how many cells are open then."""
    values = b.colours + 1
    for i in range(len(order)):
        if b.state[LINES] > work:
            return
        cell, value = order[i] // values, order[i] % values
        was = cells[cell]
        cells[cell] = value
        read_clues(b, cells)
        begin_anew(b, full)
        if propagate(b, NEVER) != DEAD:
            count = 0
            for at in range(b.height * b.width):
                count += 1 if choices(b, at // b.width, at % b.width) > 1 else 0
            found[order[i]] = count
        cells[cell] = was


@compiled
def read_clues(b: PropagationBoard, cells: Ints) -> None:
    """The clues of the board become those of ``cells``."""
    run = 0
    for line in range(b.height + b.width):
        b.first[line] = run
        begin, step = (line * b.width, 1) if line < b.height else (line - b.height, b.width)
        before = 0
        for place in range(b.size[line]):
            value = cells[begin + place * step]
            if value != before and value != 0:
                b.colour[run] = value
                b.length[run] = 0
                run += 1
            if value != 0:
                b.length[run - 1] += np.uint64(1)
            before = value
    b.first[b.height + b.width] = run


@compiled
def begin_anew(b: PropagationBoard, full: Words) -> None:
    """Nothing is known but what is ``full``, and every line waits."""
    for i in range(len(full)):
        b.may[i] = full[i]
    lines = b.height + b.width
    for line in range(lines):
        b.queue[line] = line
        b.queued[line] = 1
    b.state[HEAD] = b.state[TRAIL] = 0
    b.state[WAITING] = lines


YES, NO, OPEN = 1, 0, -1
PATIENCE = (1_000, 10_000)
"""Lines that may be settled for a change, in the first and in the second round."""
CONFLICTS, BY_SAT = 1_000, 200
"""Of a SAT solver for a change in the last round, and how many changes come to that round."""
TRIED_ON_OTHERS = 200
"""Second pictures that are tried on all changes that are open."""

Place = tuple[int, int, int]


class UniqueChanges:
    """``said``: of each change, shape (height, width, values), whether it makes the picture the only solution.

    YES, NO, or OPEN: not settled yet, or, when ``done``, not within the bounds, which are of work and not of time. NO
    also for a cell's own value and for given cells. ``picture`` is a solution of ``puzzle``, ``left`` what lines leave
    open after each change (``left_open``), ``solutions`` some others of its solutions.
    """

    def __init__(self, puzzle: Nonogram, picture: Cells, left: Cells, solutions: list[Cells]) -> None:
        self.picture = picture.astype(np.int64)
        self.puzzle = replace(puzzle, goal=puzzle.picture(picture))  # whose cells `with_cell` changes
        self.said = np.full(left.shape, OPEN, dtype=np.int64)
        self.said[np.arange(puzzle.height)[:, np.newaxis], np.arange(puzzle.width), picture] = NO
        for row, column, _ in puzzle.given:
            self.said[row, column] = NO
        self.said[left == 0] = YES
        self.others = [cells for cells in solutions if (cells != picture).any()]
        for cells in self.others:
            differs = cells != picture
            far = ~differs.any(axis=1)[:, np.newaxis] & ~differs.any(axis=0)
            self.said[far] = NO
        # those that settle most are the likeliest to settle all
        hopes = np.where(left > UNTRIED, left, left.size).reshape(-1)
        places = np.stack(np.unravel_index(np.argsort(hopes, kind="stable"), left.shape), axis=1)
        self.order: list[Place] = [tuple(place) for place in places.tolist()]
        self.left_to_try = TRIED_ON_OTHERS
        self.done = False
        self._steps = self._work()

    def go_on(self, seconds: float) -> None:
        """Settle changes for about so long; the time decides when it rests, and not what it finds."""
        until = perf_counter() + seconds
        for _ in self._steps:
            if perf_counter() >= until:
                return
        self.done = True

    def cells(self) -> Cells:
        """Of each cell: YES, some change of it is one; OPEN, that is not settled; NO."""
        found = np.where((self.said == OPEN).any(axis=2), OPEN, NO)
        return np.where((self.said == YES).any(axis=2), YES, found)

    def _open(self) -> list[Place]:
        return [place for place in self.order if self.said[place] == OPEN]

    def _work(self) -> Iterator[None]:
        """All that is done, a little at a time."""
        for cells in self.others:
            yield from self._tried_on_others(self.picture, cells)
        for patience in PATIENCE:
            yield from self._round(self._open(), partial(second_solution, work=patience))
        yield from self._round(self._open()[:BY_SAT], by_sat)

    def _round(self, places: list[Place], search: Callable[[Nonogram], tuple[int, Cells | None]]) -> Iterator[None]:
        for place in places:
            if self.said[place] != OPEN:  # ruled out by what another one taught
                continue
            self.said[place], other = search(with_cell(self.puzzle, *place))
            yield
            if other is not None:
                yield from self._tried_on_others(self._changed(place), other)

    def _changed(self, place: Place) -> Cells:
        row, column, value = place
        cells = self.picture.copy()
        cells[row, column] = value
        return cells

    def _tried_on_others(self, one: Cells, other: Cells) -> Iterator[None]:
        """What turns ``one`` into ``other``, which has its clues, done to each change that is open."""
        if self.left_to_try == 0:
            return
        self.left_to_try -= 1
        rows, columns = np.nonzero(one != other)
        values = other[rows, columns]
        for place in self._open():
            cells = self._changed(place)
            again = cells.copy()
            again[rows, columns] = values
            if (again != cells).any() and same_clues(cells, again):
                self.said[place] = NO
        yield


def second_solution(puzzle: Nonogram, work: int) -> tuple[int, Cells | None]:
    """Is the goal of ``puzzle`` its only solution? And another one, if there is; OPEN after ``work`` checked lines."""
    assert puzzle.goal is not None
    search = TreeSearch(puzzle)
    for cells in search.solutions(work):
        if (cells != puzzle.goal.cells).any():
            return NO, cells
    return YES if search.complete else OPEN, None


def by_sat(puzzle: Nonogram) -> tuple[int, Cells | None]:
    """As ``second_solution``, by SAT; OPEN after so many ``CONFLICTS``."""
    assert puzzle.goal is not None
    found = bounded(puzzle, [puzzle.goal.cells.astype(np.int64)], CONFLICTS, 2)
    if len(found.solutions) > 1:
        return NO, found.solutions[1]
    return YES if found.complete else OPEN, None


def same_clues(one: Cells, other: Cells) -> bool:
    """Have two pictures the same clues?

    >>> diagonal = np.eye(2, dtype=int)
    >>> same_clues(diagonal, 1 - diagonal), same_clues(diagonal, np.ones((2, 2), dtype=int))
    (True, False)
    """
    differs = one != other
    for axis, some, others in ((1, one, other), (0, one.T, other.T)):
        for line in np.flatnonzero(differs.any(axis=axis)):
            if _runs(some[line].tobytes()) != _runs(others[line].tobytes()):
                return False
    return True


@lru_cache(maxsize=10_000)
def _runs(line: bytes) -> tuple[tuple[int, int], ...]:
    values = np.frombuffer(line, dtype=np.int64).tolist()
    return tuple((value, len(list(cells))) for value, cells in groupby(values) if value)


ready(__name__)
