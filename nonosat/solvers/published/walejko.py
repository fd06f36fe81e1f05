"""Three solvers for nonograms of Wałejko (2022): ``exhaustive``, ``axis`` and ``elimination``; compiled."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterator
from dataclasses import dataclass
from math import log2, prod
from time import perf_counter
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from nonosat.compiled import compiled, inlined, ready
from nonosat.compiled.words import Bytes, Int, Ints, IntTable, WordCube, Words, WordTable
from nonosat.puzzles.nonogram import Nonogram
from nonosat.runs.events import Event, Finished, Found, Glimpse, Progress, Statistics
from nonosat.runs.solver import Solver
from nonosat.runs.watched import BUSY, EXHAUSTED, FOUND, STEP_S, Pace, driven, glimpse
from nonosat.solvers.published.placements import (
    Lines,
    ListedPlacements,
    Lists,
    cells,
    laid_so_far,
    lay,
    lines_of,
    ones,
    read,
    tables,
)

# Elimination: the queue of lines that wait to be checked.


LIFO, FIFO, UNCHANGED = 0, 1, 2


class Rule(NamedTuple):
    """The switches that the compiled functions know."""

    order: int
    tracking: bool
    nobreak: bool


class Queue(NamedTuple):
    """Lines in a ring, linked both ways; its head is the entry behind the last line. -1: not in it."""

    after: Ints
    before: Ints
    changed: WordTable
    """Cells of a line that have changed since it was looked at, a bit a cell."""


def full_queue(order: int, lines: int, words: int) -> Queue:
    """All lines, put in one by one, the rows before the columns: the last of them is in front, or the first (FIFO)."""
    ring = np.arange(lines + 1)
    up, down = np.roll(ring, -1), np.roll(ring, 1)
    after, before = (up, down) if order == FIFO else (down, up)
    return Queue(after, before, np.zeros((lines, words), dtype=np.uint64))


@inlined
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


@inlined
def take_out(queue: Queue, line: int) -> None:
    """Take ``line`` out of the queue."""
    left, right = queue.before[line], queue.after[line]
    queue.after[left], queue.before[right] = right, left
    queue.after[line] = -1


@inlined
def forget(queue: Queue, line: int) -> None:
    """No cell of ``line`` has changed."""
    for w in range(queue.changed.shape[1]):
        queue.changed[line, w] = 0


LINE_BUSY, DEAD, COMPLETE, OPEN = 0, 1, 2, 3


class PlacementsLeft(NamedTuple):
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
def empty(lists: Lists, board: PlacementsLeft, queue: Queue, rule: Rule, assumed: int, at_once: int) -> tuple[int, int]:
    """Check the lines of the queue until it is empty: is the board DEAD, COMPLETE or OPEN then? And the lines checked.

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
            return LINE_BUSY, checked
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
def drop(lists: Lists, board: PlacementsLeft, queue: Queue, rule: Rule, line: int) -> None:
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
def fitting_words(lists: Lists, board: PlacementsLeft, queue: Queue, rule: Rule, line: int) -> Int:
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
def fitting_masks(lists: Lists, board: PlacementsLeft, queue: Queue, rule: Rule, line: int) -> Int:
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
def make_known(lists: Lists, board: PlacementsLeft, queue: Queue, rule: Rule, line: int) -> None:
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


# Exhaustive (Wałejko 2022, pseudocode 4.1): every filling of the board, cell by cell, verified when it is full.
#
# Cells are filled row by row, each with blank first and then with every colour; given cells keep their value. Nothing
# is pruned: every one of the (colours + 1)^cells boards comes up. The verification (pseudocode 1.1) walks the lines and
# stops at the first that is wrong. It remembers which rows it has found right and which one wrong: as long as no cell
# of that one changes, the board is wrong without another look at it.
#
# Where the pseudocode is wrong: 1.1 compares a rebuilt clue with the given one as far as the given one goes, and so
# accepts a line with runs to spare; 4.1 takes the row of cell i (from 0) to be i/w rounded up instead of down.
#
# Counters: ``nodes``: partial boards, each with one more cell filled, full ones among them (given cells are filled from
# the start); ``assumptions``: values that were given to cells; ``contradictions``: full boards that are wrong;
# ``lines_checked``: lines that the verification has walked.


_AT_ONCE_EXHAUSTIVE = 10_000_000  # boards in one call


def exhaustive_search(puzzle: Nonogram, encoding: object, at_most: int | None, solver: Solver) -> Iterator[Event]:
    """Find at most ``at_most`` solutions of ``puzzle`` (None: all). No encoding is used."""
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
        _AT_ONCE_EXHAUSTIVE,
        board.copy,
        statistics,
        lambda: Glimpse("one filling after the other", statistics(), board.copy(), guesses=len(free)),
        at_most,
    )


@compiled
def count_on(rows: Lines, columns: Lines, board: Bytes, free: Ints, most: int, counters: Ints, at_once: int) -> int:
    """Go on until a solution is FOUND, no board is left (EXHAUSTED), or ``at_once`` boards were looked at (BUSY).

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


# Axis (Wałejko 2022, ch. 4.1.2): depth-first over the placements of the rows, or of the columns.
#
# The axis with the smaller product of its lines' numbers of placements is taken (the rows if they are equal), and its
# lines from the first to the last; the placements of the other axis are never listed. A full board is then verified in
# that other axis. Its lines are read cell by cell while the board grows, so that verifying a full board takes no time
# if a part of it was wrong already; but nothing else is made of that, and every full board comes up.
#
# With ``partial``, a board is given up as soon as one of those lines is wrong. The thesis asks for "no contradiction so
# far"; here a line is right so far exactly if its clue has a placement that begins with these cells and agrees with the
# line's given cells, by a table (``placements.fit``). A full board that is right so far is right.
#
# Counters: ``placements`` listed, of the one axis; ``nodes``: partial boards, full ones among them; ``assumptions``:
# placements that were laid; ``contradictions``: boards that were given up, or full and wrong; ``lines_checked``:
# crossing lines that were read on by a cell.


_AT_ONCE_AXIS = 10_000_000  # boards, and crossing lines that were read on, in one call


class AxisPath(NamedTuple):
    """Where the search is. Line d of the axis is laid with its placement ``next[d] - 1``."""

    next: Ints
    run: IntTable
    """Shape (lines + 1, crossing lines): the states of these (``placements.read``) when so many lines are laid."""
    done: IntTable
    right: Bytes
    """Whether no crossing line is wrong when so many lines are laid."""
    counters: Ints
    """Lines laid, nodes, contradictions, lines checked."""


def axis_search(puzzle: Nonogram, encoding: object, at_most: int | None, solver: Solver) -> Iterator[Event]:
    """Find at most ``at_most`` solutions of ``puzzle`` (None: all). No encoding is used."""
    yield Progress("solving")
    begin = perf_counter()
    own, crossing = ListedPlacements(puzzle, "row"), ListedPlacements(puzzle, "column")
    if product_is_smaller(crossing.count, own.count):
        own, crossing = crossing, own
    besides = int(crossing.lines.table[-1]) + 16 * (len(own.count) + 1) * len(crossing.count)  # tables, and the path
    if (stopped := own.refusal(solver.chosen.get("limit"), besides)) is not None:
        yield stopped
        return
    lists, moves = own.listed(), tables(crossing.lines)
    path = start(crossing.lines, len(own.count))

    def statistics() -> Statistics:
        _, nodes, contradictions, checked = path.counters.tolist()
        return Statistics(
            solve_s=perf_counter() - begin,
            placements=sum(own.count),
            lines_checked=checked,
            assumptions=nodes - 1,
            nodes=nodes,
            contradictions=contradictions,
        )

    def board() -> npt.NDArray[np.uint8]:
        laid = np.array([cells(lists, line, chosen - 1) for line, chosen in enumerate(path.next.tolist())])
        return laid if own.axes == ("row",) else laid.T

    def seen() -> Glimpse:
        cells, laid = laid_so_far(lists, path.next.tolist(), (len(own.count), len(crossing.count)))
        return Glimpse("laying", statistics(), cells if own.axes == ("row",) else cells.T, guesses=laid)

    partial = "partial" in solver.chosen
    state = BUSY if all(own.count) else EXHAUSTED
    yield from driven(
        lambda at_once: walk(lists, crossing.lines, moves, path, partial, at_once),
        _AT_ONCE_AXIS,
        board,
        statistics,
        seen,
        at_most,
        state,
    )


def product_is_smaller(left: list[int], right: list[int]) -> bool:
    """Whether the product of ``left`` is smaller than that of ``right``, exactly.

    >>> product_is_smaller([2, 3, 5], [31, 1]), product_is_smaller([10**99, 7], [10**99, 7])
    (True, False)
    """
    if 0 in left or 0 in right:
        return 0 not in right
    difference = sum(map(log2, left)) - sum(map(log2, right))
    if abs(difference) > 1e-3:  # far more than the rounding
        return difference < 0
    ours, theirs = Counter(left), Counter(right)  # what both have would only make the numbers long
    return prod((ours - theirs).elements()) < prod((theirs - ours).elements())


def start(crossing: Lines, lines: int) -> AxisPath:
    """The empty board."""
    run = np.zeros((lines + 1, len(crossing.length)), dtype=np.int64)
    run[0] = crossing.run[:-1]
    right = np.ones(lines + 1, dtype=np.uint8)
    return AxisPath(np.zeros(lines, dtype=np.int64), run, np.zeros_like(run), right, np.array([0, 1, 0, 0]))


@compiled
def walk(lists: Lists, crossing: Lines, moves: Bytes, path: AxisPath, partial: bool, at_once: int) -> int:
    """Go on until a solution is FOUND, the tree is EXHAUSTED, or much was done (BUSY)."""
    line, last = path.counters[0], len(lists.total) - 1
    state, work = BUSY, 0
    while work < at_once:
        work += 1
        while line >= 0 and path.next[line] == lists.total[line]:
            path.next[line] = 0
            line -= 1
        if line < 0:
            line, state = 0, EXHAUSTED
            break
        path.next[line] += 1
        path.counters[1] += 1
        right = path.right[line]
        if right:
            looked = lay(lists, line, path.next[line] - 1, crossing, moves, path.run, path.done)
            path.counters[3] += abs(looked)
            work += abs(looked)
            right = looked >= 0
        if line < last and (right or not partial):
            line += 1
            path.right[line] = right
        elif line == last and right:
            state = FOUND
            break
        else:
            path.counters[2] += 1
    path.counters[0] = line
    return state


# Elimination (Wałejko 2022, pseudocode 4.3 and 4.4): every line keeps the placements that may still be right.
#
# All placements of all lines are listed. Lines wait in a queue; the one taken out drops the placements that contradict
# what is known of its cells, and what the rest have in common becomes known, which puts crossing lines into the queue.
# When the queue is empty and lines are open, the placements of one of them are assumed, one after the other. "Known" is
# a set of values a cell can still have: in black and white that is the thesis' full, blank or unknown, with colours
# "not red" counts too.
#
# Where the thesis leaves something open or is wrong:
#
# - The pseudocode copies the lines, but lays the assumed placement on the original, which spoils all later branches.
#   Here an assumption is undone: each line's placements are partitioned, those left in front, so a copy is two small
#   arrays.
# - It hands what is left of the queue on to the next branch. A dead branch empties it here; the queue that tracks cells
#   would otherwise look for changes that never were.
# - "One placement in every line" needs no validation in the thesis. That is right only since the queue is empty then.
# - Which line is taken first from a full queue is left open; rows and then columns are put in, by the queue's own rule.
# - A line without placements has nothing in common: without the early exit (``nobreak``) it is passed over.
# - An assumption puts in "the crossing lines"; here those whose cell it fixes, since the others would find nothing.
# - What the lines find together does not depend on the order in which they are checked: ``fifo`` and ``unchanged``
#   change ``lines_checked``, and no board. Nor does ``tracking``; a word of 64 cells costs as much as one of them, so
#   that here it only spares words.
# - Different placements of one line are different pictures, so no solution comes twice, and a board that is complete
#   before anything was assumed is the only one.
#
# Counters: ``placements`` listed at the start; ``lines_checked``: lines taken from the queue; ``assumptions``:
# placements assumed; ``nodes``: these and the board at the start; ``contradictions``: dead branches.


_AT_ONCE_ELIMINATION = 20_000_000  # words of placements looked at in one call


@dataclass
class Assumption:
    """A line of which one placement after the other is assumed, and the board to go back to for the next one."""

    line: int
    number: int
    left: Ints
    possible: Words
    tried: int = 0


def elimination_search(puzzle: Nonogram, encoding: object, at_most: int | None, solver: Solver) -> Iterator[Event]:
    """Find at most ``at_most`` solutions of ``puzzle`` (None: all). No encoding is used."""
    yield Progress("solving")
    begin = perf_counter()
    placements = ListedPlacements(puzzle, "row", "column")
    numbers = 4 * (sum(placements.count) + max(placements.count))
    if (stopped := placements.refusal(solver.chosen.get("limit"), numbers)) is not None:
        yield stopped
        return
    yield from EliminationSearch(placements, solver.chosen, begin).solutions(at_most)


class EliminationSearch:
    """One search and its state."""

    def __init__(self, placements: ListedPlacements, switches: Container[str], begin: float) -> None:
        self.shape, self.switches = placements.puzzle.shape, switches
        order = FIFO if "fifo" in switches else UNCHANGED if "unchanged" in switches else LIFO
        self.rule = Rule(order, "tracking" in switches, "nobreak" in switches)
        self.lists = placements.listed()
        self.queue = full_queue(order, *placements.lines.possible.shape[::2])
        count = self.lists.total
        numbers = np.arange(count.max(), dtype=np.int32)
        self.board = PlacementsLeft(
            self.shape[0],
            count.copy(),
            np.cumsum(count) - count,
            np.concatenate([numbers[:left] for left in count.tolist()]),
            placements.lines.possible.copy(),
            np.zeros(placements.lines.possible.shape[1:], dtype=np.uint64),
        )
        self.checked, self.assumptions, self.contradictions = 0, 0, 0
        self.begin = self.reported = begin

    def solutions(self, at_most: int | None) -> Iterator[Event]:
        """The solutions, depth-first over the assumptions, and the end."""
        assumed: list[Assumption] = []
        found, pace = 0, Pace(_AT_ONCE_ELIMINATION)
        line = -1  # the one that was assumed
        while True:
            state = LINE_BUSY
            while state == LINE_BUSY:
                state, checked = empty(self.lists, self.board, self.queue, self.rule, line, pace())
                self.checked += checked
                line = -1
                yield from glimpse(lambda: self.seen(len(assumed)))
                if perf_counter() - self.reported > STEP_S:
                    self.reported = perf_counter()
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

    def seen(self, assumed: int) -> Glimpse:
        """The board as far as one value is possible, under so many assumptions."""
        height, width = self.shape
        masks = self.board.possible[:height].astype("<u8").view(np.uint8)
        possible = np.unpackbits(masks, axis=2, bitorder="little")[:, :, :width]
        cells = np.where(possible.sum(axis=1) == 1, possible.argmax(axis=1), -1)
        return Glimpse("dropping placements", self.statistics(), cells, guesses=assumed)

    def picture(self) -> Ints:
        """The values of the cells of a complete board: one is possible for each."""
        height, width = self.shape
        masks = self.board.possible[:height].astype("<u8").view(np.uint8)
        cells: Ints = np.unpackbits(masks, axis=2, bitorder="little")[:, :, :width].argmax(axis=1)
        return cells

    def statistics(self) -> Statistics:
        """The cost so far."""
        return Statistics(
            solve_s=perf_counter() - self.begin,
            placements=len(self.board.order),
            lines_checked=self.checked,
            assumptions=self.assumptions,
            nodes=1 + self.assumptions,
            contradictions=self.contradictions,
        )


ready(__name__)
