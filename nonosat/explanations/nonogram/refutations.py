"""Which lines does it take to refute a value of a cell, or show it? The compiled line solver, with lines left out."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

import numpy as np
import numpy.typing as npt

from nonosat.compiled import compiled, ready
from nonosat.compiled.words import Ints, Words
from nonosat.explanations.nonogram.chains import EXCLUDED, NONE_LEFT, PROBED, TOGETHER, RefutingLines, ValueTrial
from nonosat.explanations.nonogram.position import Position
from nonosat.explanations.smallest import Budget, fewest
from nonosat.puzzles.nonogram.puzzle import Nonogram
from nonosat.puzzles.puzzle import Given
from nonosat.solvers.propagation.board import (
    TRAIL,
    WAITING,
    PropagationBoard,
    assume,
    board_of,
    choices,
    dequeue,
    enqueue,
    forbid,
    imply,
    may_be,
    prune,
    undo,
)

# Propagation by some lines only: which of them does it take to refute a value? Compiled; for explanations.
#
# A *trial* assumes values of cells, solves lines that are ``allowed`` until one has no filling left or nothing more
# follows, and takes all back. With more lines allowed, more is refuted. With several colours, lines say something
# before anything is assumed (which colours a cell can't have): each trial begins with that, of the lines that are
# allowed.


Lines = npt.NDArray[np.uint8]
"""Shape (lines,): 1 for those that are allowed."""

ASSUMED, BY_PROBES, BY_LINES, ONLY_EXCLUDED, NO_VALUE_LEFT = 0, 1, 2, 3, 4
"""The ways of a trial of a value of a cell. Assumed: lines refute it; probed: or trials of all cells under it.
Together: lines take all other values from the cell; excluded: or refute these, assumed one by one. None left: lines
come to one without a filling, whatever the cell."""


@compiled
def restricted(b: PropagationBoard, allowed: Lines, met: Lines) -> int:
    """Solve waiting lines that are allowed; the number of lines solved if one has no filling left, else 0.

    ``met``: 1 for lines that changed a cell, and for the one that has no filling left.
    """
    count = 0
    while b.state[WAITING] > 0:
        line = dequeue(b)
        if allowed[line] == 0:
            continue
        count += 1
        before = b.state[TRAIL]
        if not imply(b, line):
            met[line] = 1
            while b.state[WAITING] > 0:
                dequeue(b)
            return count
        prune(b, line)
        if b.state[TRAIL] > before:
            met[line] = 1
    return 0


@compiled
def refutes(
    b: PropagationBoard, allowed: Lines, met: Lines, row: int, column: int, value: int, split: int, way: int
) -> int:
    """How many lines are solved until ``value`` of the cell is refuted (or shown: see the ways); 0: it is not.

    ``split``: a cell each of whose values is tried under the assumption (-1: none).
    """
    mark = b.state[TRAIL]
    if b.colours > 1:
        for line in range(len(allowed)):
            if allowed[line] == 1:
                enqueue(b, line)
    if way >= BY_LINES:
        count = restricted(b, allowed, met)
        if count == 0 and way != NO_VALUE_LEFT:
            count = shown(b, allowed, met, row, column, value, way)
        undo(b, mark)
        return count
    assume(b, row, column, value)
    count = restricted(b, allowed, met)
    if count == 0 and split >= 0:
        count = max(0, refuted(b, allowed, met, split // b.width, split % b.width, -1))
    if count == 0 and way == BY_PROBES:
        count = probed(b, allowed, met)
    undo(b, mark)
    return count


@compiled
def shown(b: PropagationBoard, allowed: Lines, met: Lines, row: int, column: int, value: int, way: int) -> int:
    """Not 0 if all other values of the cell are gone, or are refuted one by one: the lines solved, and 1."""
    if way == BY_LINES:
        return int(choices(b, row, column) == int(may_be(b, row, column, value)))
    return 1 + refuted(b, allowed, met, row, column, value)


@compiled
def refuted(b: PropagationBoard, allowed: Lines, met: Lines, row: int, column: int, but: int) -> int:
    """How many lines are solved until every value of a cell ``but`` that one is refuted; -1: another is not."""
    total = 0
    for v in range(b.colours + 1):
        if v == but or not may_be(b, row, column, v):
            continue
        mark = b.state[TRAIL]
        assume(b, row, column, v)
        count = restricted(b, allowed, met)
        undo(b, mark)
        if count == 0:
            return -1
        total += count
    return total


@compiled
def probed(b: PropagationBoard, allowed: Lines, met: Lines) -> int:
    """Drop values of open cells that lines refute, until a line has no filling left (then not 0), or none is."""
    learnt, total = True, 0
    while learnt:
        learnt = False
        for cell in range(b.height * b.width):
            row, column = cell // b.width, cell % b.width
            if allowed[row] == 0 and allowed[b.height + column] == 0:
                continue
            if choices(b, row, column) < 2:
                continue
            for v in range(b.colours + 1):
                if not may_be(b, row, column, v):
                    continue
                mark = b.state[TRAIL]
                assume(b, row, column, v)
                count = restricted(b, allowed, met)
                undo(b, mark)
                if count > 0:
                    total += count
                    learnt = True
                    if choices(b, row, column) == 1:
                        return total
                    forbid(b, row, column, v)
                    count = restricted(b, allowed, met)
                    if count > 0:
                        return total + count
    return 0


@compiled
def shrink(
    b: PropagationBoard,
    allowed: Lines,
    met: Lines,
    order: Ints,
    row: int,
    column: int,
    value: int,
    split: int,
    way: int,
) -> int:
    """Leave only lines ``allowed`` of which each is needed; how many these are; 0: all of them do not refute it.

    ``order``: those that are allowed, as far as it is filled; halves are left out before single ones.
    """
    met[:] = 0
    if refutes(b, allowed, met, row, column, value, split, way) == 0:
        return 0
    many = 0
    for line in range(len(allowed)):
        allowed[line] &= met[line]
        if allowed[line] == 1:
            order[many] = line
            many += 1
    size = max(1, many // 2)
    while True:
        at = 0
        while at < many:
            end = min(at + size, many)
            for i in range(at, end):
                allowed[order[i]] = 0
            met[:] = 0
            if refutes(b, allowed, met, row, column, value, split, way) > 0:
                for i in range(end, many):
                    order[at + i - end] = order[i]
                many -= end - at
            else:
                for i in range(at, end):
                    allowed[order[i]] = 1
                at = end
        if size == 1:
            return many
        size //= 2


@compiled
def grow(
    b: PropagationBoard, allowed: Lines, met: Lines, row: int, column: int, value: int, split: int, way: int
) -> int:
    """Allow as many lines more as there can be without a refutation; 1, or 0 if there is one as it is."""
    if refutes(b, allowed, met, row, column, value, split, way) > 0:
        return 0
    for line in range(len(allowed)):
        if allowed[line] == 0:
            allowed[line] = 1
            if refutes(b, allowed, met, row, column, value, split, way) > 0:
                allowed[line] = 0
    return 1


@compiled
def spread(b: PropagationBoard, allowed: Lines, met: Lines) -> int:
    """Propagate all lines that are allowed, and take nothing back; not 0 if one has no filling left."""
    for line in range(len(allowed)):
        if allowed[line] == 1:
            enqueue(b, line)
    return restricted(b, allowed, met)


@compiled
def scan(b: PropagationBoard, allowed: Lines, met: Lines, counts: Ints) -> None:
    """Assume every value of every open cell: ``counts[cell * values + value]`` is how many lines are solved until that
    is refuted (0: it is not), or -1: the cell has it, or can't have it. Nothing follows from the board as it is.
    """
    values = b.colours + 1
    for cell in range(b.height * b.width):
        row, column = cell // b.width, cell % b.width
        several = choices(b, row, column) > 1
        for v in range(values):
            counts[cell * values + v] = -1
            if several and may_be(b, row, column, v):
                mark = b.state[TRAIL]
                assume(b, row, column, v)
                counts[cell * values + v] = restricted(b, allowed, met)
                undo(b, mark)


@compiled
def either_way(b: PropagationBoard, allowed: Lines, met: Lines, cell: int, joint: npt.NDArray[np.uint64]) -> None:
    """Leave in ``joint``, in the layout of ``may``, what some value of ``cell`` leaves possible, none being refuted."""
    row, column = cell // b.width, cell % b.width
    joint[:] = np.uint64(0)
    for v in range(b.colours + 1):
        if may_be(b, row, column, v):
            mark = b.state[TRAIL]
            assume(b, row, column, v)
            if restricted(b, allowed, met) == 0:
                for i in range(len(joint)):
                    joint[i] |= b.may[i]
            undo(b, mark)


Bits = npt.NDArray[np.uint8]
Counts = npt.NDArray[np.int64]


class ValueRefutations:
    """A position in which lines by themselves are stuck, for trials.

    ``board``: what is known, from which every trial begins; ``reduced``: what all lines together leave of it (the same,
    but for colours).
    """

    def __init__(self, position: Position) -> None:
        self.position = position
        self.lines = position.count
        self.met = np.zeros(self.lines, dtype=np.uint8)
        self.order = np.zeros(self.lines, dtype=np.int64)
        self.colours = position.puzzle.colours > 1
        self.board = _board(position)
        self.reduced = _board(position) if self.colours else self.board
        self.dead = self.colours and spread(self.reduced, self._allowed(), self.met) > 0
        self.reduced.state[TRAIL] = 0

    def together(self) -> list[ValueTrial]:
        """Cells that lines fix together, without an assumption; or the trial that they contradict each other."""
        if self.dead:
            return [ValueTrial(0, 0, 0, -1, NONE_LEFT)]
        left = [(cell, self.left(*cell)) for cell in self.position.open_cells()] if self.colours else []
        return [ValueTrial(*cell, values[0], -1, TOGETHER) for cell, values in left if len(values) == 1]

    def left(self, row: int, column: int) -> tuple[int, ...]:
        """The values of a cell that all lines leave to it."""
        return tuple(v for v in self.position.every if self._may[row, v, column])

    def some(self) -> list[ValueTrial]:
        """Values that all lines together refute, those first for which the fewest are solved.

        With colours, those that fix a cell are one trial: that all but one of its values are refuted.
        """
        counts = self._counts
        if not self.colours:
            return self._refuted(counts)
        useful = []
        for row, column in self.position.open_cells():
            here = counts[row, column]
            remaining = [v for v in self.left(row, column) if here[v] == 0]
            if len(remaining) < 2 and (here > 0).any():
                shown = remaining[0] if remaining else int(here.argmax())
                useful.append((int(here[here > 0].sum()), ValueTrial(row, column, shown, -1, EXCLUDED)))
        return [trial for _, trial in sorted(useful)]

    def parts(self) -> list[ValueTrial]:
        """With colours, values that are refuted, though that fixes no cell."""
        return self._refuted(self._counts) if self.colours else []

    def either_way(self, most: int) -> list[ValueTrial]:
        """Values that are refuted under every value of some other cell: ``most`` for each of these."""
        board = self.reduced
        joint = np.zeros_like(board.may)
        rows = int(board.at[board.height])
        found = []
        for row, column in self.position.open_cells():
            split = row * board.width + column
            either_way(board, self._allowed(), self.met, split, joint)
            found += [ValueTrial(*place, split) for place in self._places(board.may[:rows] & ~joint[:rows])[:most]]
        return found

    def nested(self, most: int, budget: Budget) -> list[ValueTrial]:
        """The first ``most`` values that are refuted by trying all cells under them."""
        found: list[ValueTrial] = []
        for row, column in self.position.open_cells():
            for value in self.left(row, column):
                trial = ValueTrial(row, column, value, -1, PROBED)
                if len(found) == most or not budget.ask():
                    return found
                if self.few(trial, None) is not None:
                    found.append(trial)
        return found

    def few(self, trial: ValueTrial, among: Iterable[int] | None = None) -> RefutingLines | None:
        """Lines that refute a trial, each of them needed."""
        allowed = self._allowed(among)
        if not shrink(self.board, allowed, self.met, self.order, *trial):
            return None
        return RefutingLines(trial, tuple(map(int, np.flatnonzero(allowed))))

    def fewest(self, refuted: RefutingLines, most: int, budget: Budget) -> RefutingLines | None:
        """Fewest lines that refute the same, if these are ``most`` at most; None also if the budget is spent."""

        def cut(chosen: set[int]) -> frozenset[int] | None:
            allowed = self._allowed(chosen)
            if not grow(self.board, allowed, self.met, *refuted.trial):
                return None
            return frozenset(map(int, np.flatnonzero(allowed == 0)))

        found = fewest(cut, most, budget)
        return None if found is None else RefutingLines(refuted.trial, tuple(sorted(found)), True)

    @cached_property
    def _may(self) -> Bits:
        """Shape (height, values, width): may a cell have a value, as far as all lines say?"""
        board = self.reduced
        return self._bits(board.may[: int(board.at[board.height])])

    @cached_property
    def _counts(self) -> Counts:
        """Shape (height, width, values): see ``scan``."""
        shape = self.board.height, self.board.width, len(self.position.every)
        counts = np.zeros(shape, dtype=np.int64)
        scan(self.reduced, self._allowed(), self.met, counts.reshape(-1))
        return counts

    def _refuted(self, counts: Counts) -> list[ValueTrial]:
        found = np.argwhere(counts > 0)
        order = np.argsort(counts[counts > 0], kind="stable")
        return [ValueTrial(*map(int, found[i])) for i in order]

    def _allowed(self, among: Iterable[int] | None = None) -> Lines:
        if among is None:
            return np.ones(self.lines, dtype=np.uint8)
        allowed = np.zeros(self.lines, dtype=np.uint8)
        allowed[list(among)] = 1
        return allowed

    def _bits(self, words: Words) -> Bits:
        height, values = self.board.height, len(self.position.every)
        some = words.reshape(height, values, -1).astype("<u8").view(np.uint8)
        return np.unpackbits(some, axis=-1, bitorder="little")[:, :, : self.board.width]

    def _places(self, gone: Words) -> list[tuple[int, int, int]]:
        """(row, column, value) of bits in words of the rows."""
        return [(int(row), int(column), int(value)) for row, value, column in np.argwhere(self._bits(gone))]


def _board(position: Position) -> PropagationBoard:
    """The arrays of a position: lines are solved and none waits."""
    puzzle = position.puzzle
    given = tuple(Given(r, c, v) for r, row in enumerate(position.values) for c, v in enumerate(row) if v >= 0)
    board = board_of(Nonogram(puzzle.rows, puzzle.columns, given, puzzle.palette), memo=False)
    for (row, column), values in position.may.items():
        for value in set(position.every) - set(values):
            forbid(board, row, column, value)
    while board.state[WAITING] > 0:
        dequeue(board)
    board.state[TRAIL] = 0
    return board


ready(__name__)
