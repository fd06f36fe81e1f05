"""Unique changes: which changes of one cell make a solution the only one of its new clues?

Most changes are ruled out without a search. If two boards have the same clues, and agree on the row and the column of a
cell, they still have the same clues when that cell is changed in both. So the second solution of one change is tried on
all others. For the changes that remain a search looks for a second solution, first with a small budget, then with a
larger one, and at last by SAT.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import lru_cache, partial
from itertools import combinations, groupby
from time import perf_counter

import numpy as np
import numpy.typing as npt

from nonosat.compiled import compiled, ready
from nonosat.compiled.words import Ints, Words
from nonosat.counting.backbones import Cells, bounded_backbone
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

# What lines alone leave open after each change. The compiled code reads the clues off the changed board and propagates
# from the empty one: on 25x25 that takes some hundred microseconds. A ``Nonogram`` and new arrays would double that.


UNTRIED = -1
"""Stands in ``left_open`` for a change that was not tried."""


def left_open(puzzle: Nonogram, cells: npt.NDArray[np.uint8], order: Ints, work: int) -> npt.NDArray[np.int64]:
    """How many cells lines alone leave open after each change of ``cells``, a solution of ``puzzle``, to another value.

    Shape (height, width, values); UNTRIED: a cell's own value, given cells, and changes beyond the budget. ``order``:
    changes as ``cell * values + value``, the cells numbered row by row. It ends after ``work`` checked lines.

    >>> diagonal = Nonogram.from_picture([[1, 0], [0, 1]])
    >>> left_open(diagonal, diagonal.goal.cells, np.arange(8), work=1000)[:, :, 0].tolist()
    [[0, -1], [-1, 0]]
    """
    height, width = puzzle.shape
    values = puzzle.colours + 1
    board = board_of(puzzle, memo=False)
    flat = cells.reshape(-1).astype(np.int64)
    given = {row * width + column for row, column, _ in puzzle.given}
    wanted = [what for what in order.tolist() if what // values not in given and flat[what // values] != what % values]
    found = np.full(height * width * values, UNTRIED, dtype=np.int64)
    try_changes(board, board.may.copy(), flat, np.array(wanted, dtype=np.int64), work, found)
    return found.reshape(height, width, values)


@compiled
def try_changes(b: PropagationBoard, full: Words, cells: Ints, order: Ints, work: int, found: Ints) -> None:
    """Try each change of ``order``, and write the number of open cells to ``found``."""
    values = b.colours + 1
    for i in range(len(order)):
        if b.state[LINES] > work:
            return
        cell, value = order[i] // values, order[i] % values
        was = cells[cell]
        cells[cell] = value
        read_clues(b, cells)
        reset(b, full)
        if propagate(b, NEVER) != DEAD:
            count = 0
            for at in range(b.height * b.width):
                count += 1 if choices(b, at // b.width, at % b.width) > 1 else 0
            found[order[i]] = count
        cells[cell] = was


@compiled
def read_clues(b: PropagationBoard, cells: Ints) -> None:
    """Set the clues of the board to those of ``cells``."""
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
def reset(b: PropagationBoard, full: Words) -> None:
    """Set the board to the values ``full`` and queue every line."""
    for i in range(len(full)):
        b.may[i] = full[i]
    lines = b.height + b.width
    for line in range(lines):
        b.queue[line] = line
        b.queued[line] = 1
    b.state[HEAD] = b.state[TRAIL] = 0
    b.state[WAITING] = lines


YES, NO, OPEN = 1, 0, -1
"""Is a change unique? OPEN: not known."""
PATIENCE = (1_000, 10_000)
"""Lines that may be checked for a change, in the first and in the second round."""
CONFLICTS, BY_SAT = 1_000, 200
"""Conflicts of the SAT solver for a change in the last round, and the number of changes in that round at most."""
TRIED_ON_OTHERS = 200
"""Second solutions, at most, that are tried on all open changes."""

Place = tuple[int, int, int]


class UniqueChanges:
    """``unique``: of each change, shape (height, width, values), whether it makes the board the only solution.

    YES, NO, or OPEN: not known yet, or, when ``done``, not known within the budget, which is one of work, not of time.
    NO also for a cell's own value and for given cells. ``picture`` is a solution of ``puzzle``, ``left`` what lines
    leave open after each change (``left_open``), ``solutions`` some other solutions.
    """

    def __init__(self, puzzle: Nonogram, picture: Cells, left: Cells, solutions: list[Cells]) -> None:
        self.picture = picture.astype(np.int64)
        self.puzzle = replace(puzzle, goal=puzzle.picture(picture))  # whose cells `with_cell` changes
        self.unique = np.full(left.shape, OPEN, dtype=np.int64)
        self.unique[np.arange(puzzle.height)[:, np.newaxis], np.arange(puzzle.width), picture] = NO
        for row, column, _ in puzzle.given:
            self.unique[row, column] = NO
        self.unique[left == 0] = YES
        self.others = [cells for cells in solutions if (cells != picture).any()]
        for cells in self.others:
            differs = cells != picture
            far = ~differs.any(axis=1)[:, np.newaxis] & ~differs.any(axis=0)
            self.unique[far] = NO
        # the fewer cells lines leave open, the likelier a change is unique
        left_by_lines = np.where(left > UNTRIED, left, left.size).reshape(-1)
        places = np.stack(np.unravel_index(np.argsort(left_by_lines, kind="stable"), left.shape), axis=1)
        self.order: list[Place] = [tuple(place) for place in places.tolist()]
        self.left_to_try = TRIED_ON_OTHERS
        self.done = False
        self._steps = self._work()

    def go_on(self, seconds: float) -> None:
        """Decide changes for about so many seconds. The time decides when it pauses, not what it finds."""
        until = perf_counter() + seconds
        for _ in self._steps:
            if perf_counter() >= until:
                return
        self.done = True

    def cells(self) -> Cells:
        """Of each cell: YES: some change of it is unique; OPEN: that is not known; NO."""
        found = np.where((self.unique == OPEN).any(axis=2), OPEN, NO)
        return np.where((self.unique == YES).any(axis=2), YES, found)

    def _open(self) -> list[Place]:
        return [place for place in self.order if self.unique[place] == OPEN]

    def _work(self) -> Iterator[None]:
        """All the work, in small steps."""
        for cells in self.others:
            yield from self._tried_on_others(self.picture, cells)
        for patience in PATIENCE:
            yield from self._round(self._open(), partial(second_solution, work=patience))
        yield from self._round(self._open()[:BY_SAT], by_sat)

    def _round(self, places: list[Place], search: Callable[[Nonogram], tuple[int, Cells | None]]) -> Iterator[None]:
        for place in places:
            if self.unique[place] != OPEN:  # ruled out by the solution of another change
                continue
            self.unique[place], other = search(with_cell(self.puzzle, *place))
            yield
            if other is not None:
                yield from self._tried_on_others(self._changed(place), other)

    def _changed(self, place: Place) -> Cells:
        row, column, value = place
        cells = self.picture.copy()
        cells[row, column] = value
        return cells

    def _tried_on_others(self, one: Cells, other: Cells) -> Iterator[None]:
        """Rule out open changes by two boards of the same clues: apply the difference between them to each change."""
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
                self.unique[place] = NO
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
    found = bounded_backbone(puzzle, [puzzle.goal.cells.astype(np.int64)], CONFLICTS, 2)
    if len(found.solutions) > 1:
        return NO, found.solutions[1]
    return YES if found.complete else OPEN, None


def swapped(cells: Cells, still_open: npt.NDArray[np.bool_], most: int) -> Cells | None:
    """Another board with the clues of ``cells``: values exchanged between two columns in two rows. None: there is no
    such board, or none among the first ``most`` places that were tried.

    ``still_open``: the cells that may differ. Columns that are close together come first.

    >>> swapped(np.eye(2, dtype=int), np.ones((2, 2), dtype=bool), 10).tolist()
    [[0, 1], [1, 0]]
    """
    for distance in range(1, cells.shape[1]):
        near, far = cells[:, :-distance], cells[:, distance:]
        differs = (near != far) & still_open[:, :-distance] & still_open[:, distance:]
        for left in np.flatnonzero(differs.sum(axis=0) >= 2).tolist():
            columns = (left, left + distance)
            rows = [row for row in np.flatnonzero(differs[:, left]).tolist() if _exchangeable(cells[row], *columns)]
            for one, other in combinations(rows, 2):
                most -= 1
                if most < 0:
                    return None
                if cells[one, left] == cells[other, left] or cells[one, columns[1]] == cells[other, columns[1]]:
                    continue
                if all(_exchangeable(cells[:, column], one, other) for column in columns):
                    found = cells.copy()
                    found[[one, other], left], found[[one, other], columns[1]] = (
                        cells[[one, other], columns[1]],
                        cells[[one, other], left],
                    )
                    if same_clues(cells, found):
                        return found
    return None


def _exchangeable(line: Cells, one: int, other: int) -> bool:
    """Does a line keep its clue when two of its cells exchange their values?"""
    changed = line.copy()
    changed[one], changed[other] = line[other], line[one]
    return _runs(line.tobytes()) == _runs(changed.tobytes())


def same_clues(one: Cells, other: Cells) -> bool:
    """Have two boards the same clues?

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
