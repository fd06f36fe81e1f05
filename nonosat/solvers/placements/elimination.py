"""Elimination (Wałejko 2022, pseudocode 4.3 and 4.4): every line keeps the placements that may still be right.

All placements of all lines are listed. Lines wait in a queue; the one taken out drops the placements that contradict
what is known of its cells, and what the rest have in common becomes known, which puts crossing lines into the queue.
When the queue is empty and lines are open, the placements of one of them are assumed, one after the other. "Known" is a
set of values a cell can still have: in black and white that is the thesis' full, blank or unknown, with colours "not
red" counts too.

Where the thesis is silent or wrong:

- The pseudocode copies the lines, but lays the assumed placement on the original, which spoils all later branches.
  Here an assumption is undone: each line's placements are partitioned, those left in front, so a copy is two small
  arrays.
- It hands what is left of the queue on to the next branch. A dead branch empties it here; the queue that tracks cells
  would otherwise look for changes that never were.
- "One placement in every line" is said to need no validation. That is so because the queue is empty then: without
  that, rows and columns need not agree.
- Which line is taken first from a full queue is not said; rows and then columns are put in, by the queue's own rule.
- A line without placements has nothing in common: without the early exit (``nobreak``) it is passed over.
- An assumption puts in "the crossing lines"; here those whose cell it settles, since the others would find nothing.
- What the lines find together does not depend on the order in which they are checked: ``fifo`` and ``unchanged`` change
  ``lines_checked``, and no board. Nor does ``tracking``; a word of 64 cells costs as much as one of them, so that here
  it only spares words.
- Different placements of one line are different pictures, so no solution comes twice, and a board that is complete
  before anything was assumed is the only one.

Counters: ``placements`` listed at the start; ``lines_checked``: lines taken from the queue; ``assumptions``: placements
assumed; ``nodes``: these and the board at the start; ``contradictions``: dead branches.
"""

from __future__ import annotations

from collections.abc import Container, Iterator
from dataclasses import dataclass
from time import perf_counter
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from nonosat.puzzles.nonogram import Nonogram
from nonosat.solvers.answer import Event, Finished, Found, Progress, Statistics
from nonosat.solvers.arrays import Ints, Words
from nonosat.solvers.compiled import compiled
from nonosat.solvers.placements.lists import Lists, Placements, ones
from nonosat.solvers.solver import Solver
from nonosat.solvers.stepping import EVERY_S, compile_now

LIFO, FIFO, UNCHANGED = 0, 1, 2
BUSY, DEAD, COMPLETE, OPEN = 0, 1, 2, 3
_AT_ONCE = 20_000_000  # words of placements looked at in one call


class Rule(NamedTuple):
    """The switches that the compiled functions know."""

    order: int
    tracking: bool
    nobreak: bool


class Queue(NamedTuple):
    """Lines in a ring, linked both ways; its head is the entry behind the last line. -1: not in it."""

    after: Ints
    before: Ints
    changed: Words
    """Cells of a line that have changed since it was looked at, a bit a cell."""


class Board(NamedTuple):
    """What is left: the first ``left[i]`` entries of line i in ``order`` are its placements, by number."""

    height: int
    left: Ints
    first: Ints
    """Where a line begins in ``order``."""
    order: npt.NDArray[np.int32]
    possible: Words
    """Shape (lines, values, words): the values that a cell can still have, from the side of its row and its column."""
    common: Words
    """Shape (values, words), scratch: the values that the placements of a line give to its cells."""


@dataclass
class Assumption:
    """A line of which one placement after the other is assumed, and the board to go back to for the next one."""

    line: int
    number: int
    left: Ints
    possible: Words
    tried: int = 0


def search(puzzle: Nonogram, encoding: object, at_most: int | None, solver: Solver) -> Iterator[Event]:
    """Find at most ``at_most`` pictures of ``puzzle`` (None: all). No encoding plays a part."""
    yield Progress("solving")
    begin = perf_counter()
    placements = Placements(puzzle, "row", "column")
    numbers = 4 * (sum(placements.count) + max(placements.count))
    if (stopped := placements.refusal(solver.chosen.get("limit"), numbers)) is not None:
        yield stopped
        return
    yield from Search(placements, solver.chosen, begin).solutions(at_most)


class Search:
    """One search and its state."""

    def __init__(self, placements: Placements, switches: Container[str], begin: float) -> None:
        self.shape, self.switches = placements.puzzle.shape, switches
        order = FIFO if "fifo" in switches else UNCHANGED if "unchanged" in switches else LIFO
        self.rule = Rule(order, "tracking" in switches, "nobreak" in switches)
        self.lists = placements.listed()
        self.queue = full_queue(order, *placements.lines.possible.shape[::2])
        count = self.lists.total
        numbers = np.arange(count.max(), dtype=np.int32)
        self.board = Board(
            self.shape[0],
            count.copy(),
            np.cumsum(count) - count,
            np.concatenate([numbers[:left] for left in count.tolist()]),
            placements.lines.possible.copy(),
            np.zeros(placements.lines.possible.shape[1:], dtype=np.uint64),
        )
        self.checked, self.assumptions, self.contradictions = 0, 0, 0
        self.begin = self.told = begin

    def solutions(self, at_most: int | None) -> Iterator[Event]:
        """The pictures, depth-first over the assumptions, and the end."""
        assumed: list[Assumption] = []
        found = 0
        line = -1  # the one that was assumed
        while True:
            state = BUSY
            while state == BUSY:
                state, checked = empty(self.lists, self.board, self.queue, self.rule, line, _AT_ONCE)
                self.checked += checked
                line = -1
                if perf_counter() - self.told > EVERY_S:
                    self.told = perf_counter()
                    yield Progress("solving", self.statistics())
            if state == DEAD:
                self.contradictions += 1
            elif state == OPEN:
                assumed.append(self.assumption())
            else:
                found += 1
                yield Found(self.picture())
            while assumed and assumed[-1].tried == assumed[-1].number:
                assumed.pop()
            if not assumed or found == at_most:
                yield Finished(not assumed, self.statistics())
                return
            line = self.assume(assumed[-1])

    def assumption(self) -> Assumption:
        """The line whose placements will be assumed, in the order in which they were listed."""
        line = self.open_line()
        left, first = int(self.board.left[line]), int(self.board.first[line])
        self.board.order[first : first + left].sort()
        return Assumption(line, left, self.board.left.copy(), self.board.possible.copy())

    def open_line(self) -> int:
        """The first line of several placements, or that of the fewest or most of them; ties go to the first."""
        left, height = self.board.left, self.board.height
        if "columns" in self.switches:
            left = np.concatenate([left[height:], left[:height]])
        if "min" in self.switches:
            line = int(np.where(left > 1, left, np.iinfo(np.int64).max).argmin())
        else:
            line = int((left if "max" in self.switches else left > 1).argmax())
        return (line + height) % len(left) if "columns" in self.switches else line

    def assume(self, assumption: Assumption) -> int:
        """Go back to where ``assumption`` was made, and leave its line the next placement only."""
        board, line = self.board, assumption.line
        board.left[:], board.possible[:] = assumption.left, assumption.possible
        first = int(board.first[line])
        chosen = first + assumption.tried
        board.order[first], board.order[chosen] = board.order[chosen], board.order[first]
        board.left[line] = 1
        assumption.tried += 1
        self.assumptions += 1
        return line

    def picture(self) -> Ints:
        """The values of the cells of a complete board: one is possible for each."""
        height, width = self.shape
        masks = self.board.possible[:height].astype("<u8").view(np.uint8)
        cells: Ints = np.unpackbits(masks, axis=2, bitorder="little")[:, :, :width].argmax(axis=1)
        return cells

    def statistics(self) -> Statistics:
        """What the search has cost so far."""
        return Statistics(
            solve_s=perf_counter() - self.begin,
            placements=len(self.board.order),
            lines_checked=self.checked,
            assumptions=self.assumptions,
            nodes=1 + self.assumptions,
            contradictions=self.contradictions,
        )


def full_queue(order: int, lines: int, words: int) -> Queue:
    """All lines, put in one by one, the rows before the columns: the last of them is in front, or the first (FIFO)."""
    ring = np.arange(lines + 1)
    up, down = np.roll(ring, -1), np.roll(ring, 1)
    after, before = (up, down) if order == FIFO else (down, up)
    return Queue(after, before, np.zeros((lines, words), dtype=np.uint64))


@compiled
def push(queue: Queue, rule: Rule, line: int) -> None:
    """Put ``line`` into the queue: in front, or at the end (FIFO). UNCHANGED leaves one that is in it where it is."""
    after, before, head = queue.after, queue.before, len(queue.after) - 1
    if after[line] >= 0:
        if rule.order == UNCHANGED:
            return
        take_out(queue, line)
    left = before[head] if rule.order == FIFO else head
    right = after[left]
    before[line], after[line] = left, right
    after[left], before[right] = line, line


@compiled
def take_out(queue: Queue, line: int) -> None:
    """Take ``line`` out of the queue."""
    left, right = queue.before[line], queue.after[line]
    queue.after[left], queue.before[right] = right, left
    queue.after[line] = -1


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
    words, every = (lists.length[line] + 63) >> 6, ones(lists.length[line])
    begin, first, left = lists.begin[line], board.first[line], board.left[line]
    masks, values = lists.mask[line], lists.mask[line + 1] - lists.mask[line]
    for w in range(words):
        for value in range(board.common.shape[0]):
            board.common[value, w] = 0
    n = 0
    if lists.stride[line] == 1:  # up to 64 cells of one colour: the same as below, without its loops
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
    board.left[line] = left
    forget(queue, line)


@compiled
def forget(queue: Queue, line: int) -> None:
    """No cell of ``line`` has changed."""
    for w in range(queue.changed.shape[1]):
        queue.changed[line, w] = 0


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


compile_now(search)
