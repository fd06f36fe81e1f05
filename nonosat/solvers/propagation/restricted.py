"""Propagation by some lines only: which of them does it take to refute a value? Compiled; for explanations.

A *trial* assumes values of cells, settles lines that are ``allowed`` until one has no filling left or nothing more
follows, and takes all back. With more lines allowed, more is refuted. With several colours, lines say something before
anything is assumed (which colours a cell can't have): each trial begins with that, of the lines that are allowed.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from nonosat.solvers.arrays import Ints
from nonosat.solvers.compiled import compiled, ready
from nonosat.solvers.propagation.board import TRAIL, WAITING, Board
from nonosat.solvers.propagation.changes import assume, choices, dequeue, enqueue, forbid, may_be, undo
from nonosat.solvers.propagation.propagate import learn, settle

Lines = npt.NDArray[np.uint8]
"""Shape (lines,): 1 for those that are allowed."""

ASSUMED, PROBED, TOGETHER, EXCLUDED, NONE_LEFT = 0, 1, 2, 3, 4
"""The ways of a trial of a value of a cell. Assumed: lines refute it; probed: or trials of all cells under it.
Together: lines take all other values from the cell; excluded: or refute these, assumed one by one. None left: lines
come to one without a filling, whatever the cell."""


@compiled
def restricted(b: Board, allowed: Lines, met: Lines) -> int:
    """Settle waiting lines that are allowed; the number of lines settled if one has no filling left, else 0.

    ``met``: 1 for lines that changed a cell, and for the one that has no filling left.
    """
    count = 0
    while b.state[WAITING] > 0:
        line = dequeue(b)
        if allowed[line] == 0:
            continue
        count += 1
        before = b.state[TRAIL]
        if not settle(b, line):
            met[line] = 1
            while b.state[WAITING] > 0:
                dequeue(b)
            return count
        learn(b, line)
        if b.state[TRAIL] > before:
            met[line] = 1
    return 0


@compiled
def refutes(b: Board, allowed: Lines, met: Lines, row: int, column: int, value: int, split: int, way: int) -> int:
    """How many lines are settled until ``value`` of the cell is refuted (or shown: see the ways); 0: it is not.

    ``split``: a cell each of whose values is tried under the assumption (-1: none).
    """
    mark = b.state[TRAIL]
    if b.colours > 1:
        for line in range(len(allowed)):
            if allowed[line] == 1:
                enqueue(b, line)
    if way >= TOGETHER:
        count = restricted(b, allowed, met)
        if count == 0 and way != NONE_LEFT:
            count = shown(b, allowed, met, row, column, value, way)
        undo(b, mark)
        return count
    assume(b, row, column, value)
    count = restricted(b, allowed, met)
    if count == 0 and split >= 0:
        count = max(0, refuted(b, allowed, met, split // b.width, split % b.width, -1))
    if count == 0 and way == PROBED:
        count = probed(b, allowed, met)
    undo(b, mark)
    return count


@compiled
def shown(b: Board, allowed: Lines, met: Lines, row: int, column: int, value: int, way: int) -> int:
    """Not 0 if all other values of the cell are gone, or are refuted one by one: the lines settled, and 1."""
    if way == TOGETHER:
        return int(choices(b, row, column) == int(may_be(b, row, column, value)))
    return 1 + refuted(b, allowed, met, row, column, value)


@compiled
def refuted(b: Board, allowed: Lines, met: Lines, row: int, column: int, but: int) -> int:
    """How many lines are settled until every value of a cell ``but`` that one is refuted; -1: another is not."""
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
def probed(b: Board, allowed: Lines, met: Lines) -> int:
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
    b: Board, allowed: Lines, met: Lines, order: Ints, row: int, column: int, value: int, split: int, way: int
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
def grow(b: Board, allowed: Lines, met: Lines, row: int, column: int, value: int, split: int, way: int) -> int:
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
def spread(b: Board, allowed: Lines, met: Lines) -> int:
    """Settle all lines that are allowed, and take nothing back; not 0 if one has no filling left."""
    for line in range(len(allowed)):
        if allowed[line] == 1:
            enqueue(b, line)
    return restricted(b, allowed, met)


@compiled
def scan(b: Board, allowed: Lines, met: Lines, counts: Ints) -> None:
    """Assume every value of every open cell: ``counts[cell * values + value]`` is how many lines are settled until that
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
def either_way(b: Board, allowed: Lines, met: Lines, cell: int, joint: npt.NDArray[np.uint64]) -> None:
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


ready(__name__)
