"""Lines checked until none waits (pseudocode 4.4), compiled.

A line drops the placements that contradict what is known of its cells, and what the rest have in common becomes known.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from nonosat.solvers.arrays import Int, Ints, WordCube, WordTable
from nonosat.solvers.compiled import compiled, inlined
from nonosat.solvers.placements.line_queue import Queue, Rule, forget, push, take_out
from nonosat.solvers.placements.lists import Lists, ones

BUSY, DEAD, COMPLETE, OPEN = 0, 1, 2, 3


class Board(NamedTuple):
    """What is left: the first ``left[i]`` entries of line i in ``order`` are its placements, by number."""

    height: int
    left: Ints
    first: Ints
    """Where a line begins in ``order``."""
    order: npt.NDArray[np.int32]
    possible: WordCube
    """Shape (lines, values, words): the values that a cell can still have, from the side of its row and its column."""
    common: WordTable
    """Shape (values, words), scratch: the values that the placements of a line give to its cells."""


@compiled
def empty(lists: Lists, board: Board, queue: Queue, rule: Rule, assumed: int, at_once: int) -> tuple[int, int]:
    """Check the lines of the queue till it is empty: is the board DEAD, COMPLETE or OPEN then? And the lines checked.

    To check a line (pseudocode 4.4) is to drop the placements that contradict known cells, and to make known what the
    others have in common. One that was ``assumed`` to have one placement (-1: none) comes first, and does not count. A
    line without placements empties the queue, unless the rule says ``nobreak``. BUSY: there are more lines, but
    ``at_once`` words were looked at.
    """
    work, checked = 0, 0
    if assumed >= 0:
        push(queue, rule, assumed)
        checked = -1
    head = len(queue.after) - 1
    while queue.after[head] != head:
        if work >= at_once:
            return BUSY, checked
        line = queue.after[head]
        take_out(queue, line)
        checked += 1
        work += board.left[line] * lists.stride[line]
        drop(lists, board, queue, rule, line)
        if board.left[line] > 0:
            make_known(lists, board, queue, rule, line)
        while board.left[line] == 0 and not rule.nobreak and queue.after[head] != head:
            forget(queue, queue.after[head])
            take_out(queue, queue.after[head])
    state = COMPLETE
    for left in board.left:
        if left == 0:
            return DEAD, checked
        if left > 1:
            state = OPEN
    return state, checked


@compiled
def drop(lists: Lists, board: Board, queue: Queue, rule: Rule, line: int) -> None:
    """Drop the placements of ``line`` that contradict its known cells; those left say what is ``common``.

    With the rule ``tracking``, only cells that have changed since the last time are looked at.
    """
    for w in range((lists.length[line] + 63) >> 6):
        for value in range(board.common.shape[0]):
            board.common[value, w] = 0
    if lists.stride[line] == 1:
        board.left[line] = fitting_words(lists, board, queue, rule, line)
    else:
        board.left[line] = fitting_masks(lists, board, queue, rule, line)
    forget(queue, line)


@inlined
def fitting_words(lists: Lists, board: Board, queue: Queue, rule: Rule, line: int) -> Int:
    """How many placements are left, all of them in front: of up to 64 cells of one colour, a word a placement."""
    every, masks = ones(lists.length[line]), lists.mask[line]
    begin, first = lists.begin[line], board.first[line]
    left: Int = board.left[line]
    n = 0
    value, look = lists.values[masks], queue.changed[line, 0] if rule.tracking else every
    never, always = look & ~board.possible[line, value, 0], look & ~board.possible[line, 0, 0]
    some, all_ = np.uint64(0), every
    while n < left:
        number = board.order[first + n]
        mask = lists.masks[begin + number]
        if (mask & never) | (~mask & always):
            left -= 1
            board.order[first + n], board.order[first + left] = board.order[first + left], number
        else:
            some |= mask
            all_ &= mask
            n += 1
    board.common[value, 0], board.common[0, 0] = some, every & ~all_
    return left


@inlined
def fitting_masks(lists: Lists, board: Board, queue: Queue, rule: Rule, line: int) -> Int:
    """How many placements are left, all of them in front: of any number of cells and colours."""
    words, masks = (lists.length[line] + 63) >> 6, lists.mask[line]
    begin, first = lists.begin[line], board.first[line]
    left: Int = board.left[line]
    values = lists.mask[line + 1] - masks
    n = 0
    while n < left:
        number = board.order[first + n]
        at = begin + number * lists.stride[line]
        wrong = np.uint64(0)
        for w in range(words):
            filled = np.uint64(0)
            look = queue.changed[line, w] if rule.tracking else ones(lists.length[line] - 64 * w)
            for m in range(values if look else 0):
                mask = lists.masks[at + m * words + w]
                filled |= mask
                wrong |= mask & look & ~board.possible[line, lists.values[masks + m], w]
            wrong |= ~filled & look & ~board.possible[line, 0, w]
        if wrong:
            left -= 1
            board.order[first + n], board.order[first + left] = board.order[first + left], number
            continue
        for w in range(words):
            filled = np.uint64(0)
            for m in range(values):
                mask = lists.masks[at + m * words + w]
                filled |= mask
                board.common[lists.values[masks + m], w] |= mask
            board.common[0, w] |= ~filled & ones(lists.length[line] - 64 * w)
        n += 1
    return left


@compiled
def make_known(lists: Lists, board: Board, queue: Queue, rule: Rule, line: int) -> None:
    """Take the values that no placement gives from the cells of ``line``, and put the lines crossing them in."""
    row = line < board.height
    index = line if row else line - board.height
    word, bit = index >> 6, np.uint64(1) << np.uint64(index & 63)
    values = board.common.shape[0]
    for w in range((lists.length[line] + 63) >> 6):
        lost = np.uint64(0)
        for value in range(values):
            board.common[value, w] = board.possible[line, value, w] & ~board.common[value, w]
            board.possible[line, value, w] &= ~board.common[value, w]
            lost |= board.common[value, w]
        crossing = 64 * w + (board.height if row else 0)
        cell = np.uint64(1)
        while lost:
            if lost & cell:
                for value in range(values):
                    if board.common[value, w] & cell:
                        board.possible[crossing, value, word] &= ~bit
                queue.changed[crossing, word] |= bit
                push(queue, rule, crossing)
                lost &= ~cell
            crossing += 1
            cell <<= np.uint64(1)
