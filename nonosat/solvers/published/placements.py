"""The placements of lines, listed as bit words: what the solvers of Wałejko and Segers share.

A placement of a line is kept as one mask for each colour of its clue (black and white: one mask), in as many 64-bit
words as the line needs: cell j has the colour of a mask iff bit j mod 64 of the mask's word j div 64 is set. So a
solver tests a placement by a few word operations (Segers 2015 does so for black rows of up to 64 cells).
"""

from __future__ import annotations

from math import comb, log10
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from nonosat.compiled import compiled, inlined
from nonosat.compiled.words import Bytes, Int, Ints, IntTable, WordCube, Words
from nonosat.puzzles.nonogram import Clue, Nonogram, Run
from nonosat.runs.events import Stopped, Verdict

# Lines for the compiled functions.


_END = Run(0, 0)


class Lines(NamedTuple):
    """Some lines for the compiled functions: clues, one after the other, and the values that their cells may have.

    Behind the runs of every line stands one more, of length 0 and colour 0, at ``earliest`` = the cells that the clue
    needs. ``moves`` is a table of (runs + 1) x (free + 1) for every line.
    """

    length: Ints
    """Cells of line i."""
    run: Ints
    """The runs of line i are ``run[i]`` .. ``run[i + 1] - 2``."""
    lengths: Ints
    colours: Ints
    earliest: Ints
    plane: Ints
    """Which of its line's masks a run is in."""
    free: Ints
    table: Ints
    """The table of line i is ``table[i]`` .. ``table[i + 1] - 1``."""
    possible: WordCube
    """Shape (lines, values, words): the cells that may have a value (0 is blank); the given ones may have one only."""


def lines_of(puzzle: Nonogram, *axes: str) -> Lines:
    """The lines of ``axes`` ("row", "column"), one axis after the other."""
    clues = [clue for axis in axes for clue in clues_of(puzzle, axis)]
    length = np.repeat(
        [len(clues_of(puzzle, _crossing(axis))) for axis in axes], [len(clues_of(puzzle, a)) for a in axes]
    )
    run = offsets([len(clue) + 1 for clue in clues])
    lengths = np.array([n for clue in clues for n, _ in (*clue, _END)], dtype=np.int64)
    colours = np.array([c for clue in clues for _, c in (*clue, _END)], dtype=np.int64)
    step = np.zeros_like(lengths)  # from the run before
    step[1:] = lengths[:-1] + (colours[1:] == colours[:-1])
    step[run[:-1]] = 0
    earliest = step.cumsum()
    earliest -= earliest[run[:-1]].repeat(np.diff(run))
    free = length - earliest[run[1:] - 1]
    plane = np.zeros_like(lengths)
    if puzzle.colours > 1:
        shown = [sorted({colour for _, colour in clue}) for clue in clues]
        plane[colours > 0] = [own.index(c) for own, clue in zip(shown, clues, strict=True) for _, c in clue]
    table = offsets(np.diff(run) * (free + 1))
    return Lines(length, run, lengths, colours, earliest, plane, free, table, _possible(puzzle, axes, length))


def clues_of(puzzle: Nonogram, axis: str) -> tuple[Clue, ...]:
    """The clues of the lines of ``axis``, "row" or "column"."""
    return puzzle.rows if axis == "row" else puzzle.columns


def _crossing(axis: str) -> str:
    return "column" if axis == "row" else "row"


def offsets(sizes: npt.ArrayLike) -> Ints:
    """Where each of some things of these ``sizes`` begins, and where the last one ends."""
    return np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)


def _possible(puzzle: Nonogram, axes: tuple[str, ...], length: Ints) -> WordCube:
    """The values that the cells of all lines may have."""
    words = np.arange((int(length.max()) + 63) // 64)
    inside = np.clip(length[:, None] - 64 * words, 0, 64)
    every = np.where(inside > 0, ~np.uint64(0) >> (64 - np.maximum(inside, 1)).astype(np.uint64), np.uint64(0))
    given = np.zeros_like(every)
    valued = np.zeros((len(length), puzzle.colours + 1, len(words)), dtype=np.uint64)
    first = 0
    for axis in axes:
        if puzzle.given:
            row, column, value = np.array(puzzle.given, dtype=np.int64).T
            line, cell = (row, column) if axis == "row" else (column, row)
            bit = np.uint64(1) << (cell & 63).astype(np.uint64)
            np.bitwise_or.at(given, (first + line, cell >> 6), bit)
            np.bitwise_or.at(valued, (first + line, value, cell >> 6), bit)
        first += len(clues_of(puzzle, axis))
    possible: WordCube = valued | (every & ~given)[:, None, :]
    return possible


# Which steps lead to a placement, so that listing never runs into a dead end.
#
# With all runs pushed to the front, run k stands at ``earliest`` and ``free`` cells of the line are left over. A
# placement moves run k back by o_k cells, 0 <= o_0 <= o_1 <= ... <= free. With given cells, ``fit`` holds for every k
# and o_k whether the rest still fits.


START, SKIP, REACHED = 1, 2, 4


def tables(lines: Lines) -> Bytes:
    """What ``fit`` finds for all lines."""
    moves = np.empty(lines.table[-1], dtype=np.uint8)
    fit(lines, moves)
    return moves


@inlined
def may(possible: WordCube, i: int, value: Int, cell: int) -> bool:
    """Whether the cell of line ``i`` may have ``value``."""
    return bool(possible[i, value, cell >> 6] >> np.uint64(cell & 63) & np.uint64(1))


@compiled
def fit(lines: Lines, moves: Bytes) -> None:
    """For every run k and every o: with the runs before it placed, what may happen at cell ``earliest`` + o?

    START: run k may begin there. SKIP: the cell may be blank, and the runs from k on come behind it. Only what belongs
    to a placement of the whole line counts. In the row behind the last run, SKIP means that the rest may be blank.
    """
    blank = np.int64(0)  # a literal would be a type of its own, for which numba compiles ``may`` again
    for i in range(len(lines.length)):
        free, runs = lines.free[i], lines.run[i + 1] - lines.run[i] - 1
        row = lines.table[i] + runs * (free + 1)
        at = lines.earliest[lines.run[i] + runs]
        moves[row + free] = SKIP
        for o in range(free - 1, -1, -1):
            moves[row + o] = SKIP if moves[row + o + 1] != 0 and may(lines.possible, i, blank, at + o) else 0
        for k in range(runs - 1, -1, -1):
            behind, row = row, row - (free + 1)
            t = lines.run[i] + k
            at, length, colour = lines.earliest[t], lines.lengths[t], lines.colours[t]
            gap = lines.colours[t + 1] == colour
            reach = 0  # so many cells from here on may have the run's colour
            for cell in range(at + free + length - 1, at + free, -1):
                reach = reach + 1 if may(lines.possible, i, colour, cell) else 0
            for o in range(free, -1, -1):
                cell = at + o
                reach = reach + 1 if may(lines.possible, i, colour, cell) else 0
                move = 0
                ends = not gap or may(lines.possible, i, blank, cell + length)
                if reach >= length and ends and moves[behind + o] != 0:
                    move = START
                if o < free and moves[row + o + 1] != 0 and may(lines.possible, i, blank, cell):
                    move |= SKIP
                moves[row + o] = move
        moves[lines.table[i]] |= REACHED
        for entry in range(lines.table[i], lines.table[i + 1]):
            move = moves[entry] if moves[entry] & REACHED else 0
            if move & START:
                moves[entry + free + 1] |= REACHED
            if move & SKIP and entry + 1 < lines.table[i + 1]:
                moves[entry + 1] |= REACHED
            moves[entry] = move & (START | SKIP)


# How many placements lines have, exactly.
#
# With all runs pushed to the front, ``free`` cells of a line are left over; a placement moves run k back by o_k of
# them, 0 <= o_0 <= o_1 <= ... <= free: without given cells, one for every way to choose these, C(free + runs, runs).


def counts(lines: Lines) -> list[int]:
    """How many placements each line has, exactly."""
    runs = (np.diff(lines.run) - 1).tolist()
    bound = (lines.possible != lines.possible[:, :1]).any(axis=(1, 2)).tolist()
    return [
        _fitting(lines, i) if given else comb(free + k, k)
        for i, (k, free, given) in enumerate(zip(runs, lines.free.tolist(), bound, strict=True))
    ]


def _fitting(lines: Lines, i: int) -> int:
    """How many placements of line ``i`` fit its given cells: run by run from the last, for every place of a run."""
    own = slice(int(lines.run[i]), int(lines.run[i + 1]))
    may = [int.from_bytes(words.astype("<u8").tobytes(), "little") for words in lines.possible[i]]
    *runs, (_, _, end) = zip(*(a[own].tolist() for a in (lines.lengths, lines.colours, lines.earliest)), strict=True)
    must = ((1 << int(lines.length[i])) - 1) & ~may[0]
    ways = [int(must >> (end + o) == 0) for o in range(int(lines.free[i]) + 1)]
    following = 0
    for length, colour, place in reversed(runs):
        block, total = (1 << length) - 1, 0
        for o in range(len(ways) - 1, -1, -1):
            at = place + o
            if not may[0] >> at & 1:
                total = 0  # of the places further back
            if not (block << at) & ~may[colour] and (colour != following or may[0] >> (at + length) & 1):
                total += ways[o]
            ways[o] = total
        following = colour
    return ways[0]


class Lists(NamedTuple):
    """All placements of some lines: that of number p of line i is ``masks[begin[i] + p * stride[i]]`` and following.

    Its masks, of (length + 63) / 64 words each, have the values ``values[mask[i]]`` .. ``values[mask[i + 1] - 1]``.
    """

    length: Ints
    mask: Ints
    values: Ints
    stride: Ints
    """Words of one placement."""
    total: Ints
    """How many placements a line has."""
    begin: Ints
    masks: Words


def cells(lists: Lists, i: int, p: int) -> npt.NDArray[np.uint8]:
    """The values of the cells of line ``i`` in its placement ``p``."""
    begin, stride = int(lists.begin[i] + p * lists.stride[i]), int(lists.stride[i])
    values = lists.values[lists.mask[i] : lists.mask[i + 1]].astype(np.uint8)
    masks = lists.masks[begin : begin + stride].astype("<u8").reshape(len(values), -1)
    bits = np.unpackbits(masks.view(np.uint8), axis=1, bitorder="little")[:, : int(lists.length[i])]
    shown: npt.NDArray[np.uint8] = values @ bits
    return shown


def laid_so_far(lists: Lists, laid: list[int], shape: tuple[int, int]) -> tuple[npt.NDArray[np.int16], int]:
    """The lines of a board up to the first that is not laid, -1 beyond them, and how many these are.

    Line i is laid with its placement ``laid[i] - 1``; 0: it is not.
    """
    board, many = np.full(shape, -1, dtype=np.int16), 0
    while many < len(laid) and laid[many] > 0:
        board[many] = cells(lists, many, laid[many] - 1)
        many += 1
    return board, many


@inlined
def ones(count: int) -> np.uint64:
    """The word whose lowest ``count`` bits are set; all of them from 64 on, none up to 0."""
    if count >= 64:
        return ~np.uint64(0)
    if count <= 0:
        return np.uint64(0)
    return (np.uint64(1) << np.uint64(count)) - np.uint64(1)


@compiled
def write(lines: Lines, moves: Bytes, lists: Lists, first: int, last: int, begin: Ints, end: Ints) -> None:
    """List the placements of the lines ``first`` .. ``last - 1``: those of the last run, of the last two, ...

    The placements of the runs from k on, run k moved back by o, are those of the runs from k + 1 on, moved back by o or
    more, each with run k laid over it. These are neighbours in the list, ``begin[o]`` .. ``end[o] - 1``: a list grows
    from the next shorter one by copying. All lists end where the line's room ends; from front to back, a list can then
    be written over the one that it grows from, since what is still to be read is never more than what is still to be
    written (every placement in it is used, the later ones by later o too).

    ``begin`` and ``end`` are scratch.
    """
    for i in range(first, last):
        words, stride, free = (lines.length[i] + 63) >> 6, lists.stride[i], lines.free[i]
        runs, room = lines.run[i + 1] - lines.run[i] - 1, lists.begin[i] + lists.total[i] * stride
        if lists.total[i] == 0:
            continue
        for w in range(room - stride, room):
            lists.masks[w] = 0
        for o in range(free + 1):
            begin[o], end[o] = 0, 1
        listed = 1
        for k in range(runs - 1, -1, -1):
            t, row = lines.run[i] + k, lines.table[i] + k * (free + 1)
            grown = 0
            for o in range(free + 1):
                if moves[row + o] & START:
                    grown += end[o] - begin[o]
            source, target = room - listed * stride, room - grown * stride
            plane, length = lines.plane[t] * words, lines.lengths[t]
            listed, grown = grown, 0
            for o in range(free + 1):
                size = end[o] - begin[o] if moves[row + o] & START else 0
                start, cell = source + begin[o] * stride, lines.earliest[t] + o
                if stride == 1:
                    block = ones(length) << np.uint64(cell)
                    for n in range(size):
                        lists.masks[target + n] = lists.masks[start + n] | block
                else:
                    for n in range(0, size * stride, stride):
                        for w in range(stride):
                            lists.masks[target + n + w] = lists.masks[start + n + w]
                        for w in range(cell >> 6, ((cell + length - 1) >> 6) + 1):
                            block = ones(cell + length - 64 * w) & ~ones(cell - 64 * w)
                            lists.masks[target + n + plane + w] |= block
                begin[o], end[o] = grown, grown + size
                target += size * stride
                grown += size
            for o in range(free - 1, -1, -1):
                if moves[row + o] & SKIP:
                    end[o] = end[o + 1]


# The placements of all lines: how many there are, whether they can be listed at all, and the lists.


BUDGET = 2**30
"""Bytes that the lists of a search, and what grows with them, may take."""
_AT_ONCE = 1 << 22  # placements in one call; between calls there is Ctrl-C
_LONG = 10**15  # numbers from here on are shown as a power of ten


class ListedPlacements:
    """The placements of all lines of some axes: counted at once, listed when they are needed."""

    def __init__(self, puzzle: Nonogram, *axes: str) -> None:
        self.puzzle, self.axes = puzzle, axes
        self.lines = lines_of(puzzle, *axes)
        self.count = counts(self.lines)
        if puzzle.colours == 1:
            self.values = [[1]] * len(self.count)
        else:
            self.values = [sorted({c for _, c in clue}) or [1] for axis in axes for clue in clues_of(puzzle, axis)]
        self.stride = np.array([len(own) for own in self.values]) * ((self.lines.length + 63) // 64)

    def refusal(self, limit: int | None, besides: int) -> Stopped | None:
        """Why they are not listed; None: they are.

        ``limit``: the most that a line may have. ``besides``: the bytes that the search needs besides the lists.
        """
        if limit is not None and (over := next((i for i, n in enumerate(self.count) if n > limit), None)) is not None:
            reason = f"{self.name(over)} has {_shown(self.count[over])} placements, the limit is {limit:,}"
            return Stopped(Verdict.MEMOUT, reason)
        words = sum(count * stride for count, stride in zip(self.count, self.stride.tolist(), strict=True))
        if (needed := 8 * words + besides) <= BUDGET:
            return None
        most = max(range(len(self.count)), key=self.count.__getitem__)
        which = "lines" if len(self.axes) > 1 else f"{self.axes[0]}s"
        return Stopped(
            Verdict.MEMOUT,
            f"{self.name(most)} alone has {_shown(self.count[most])} placements; "
            f"all {which} together need {_shown(-(-needed // 2**20))} MiB, the budget is {BUDGET // 2**20}",
        )

    def name(self, i: int) -> str:
        """Line ``i`` in words."""
        return [f"{axis} {n + 1}" for axis in self.axes for n in range(len(clues_of(self.puzzle, axis)))][i]

    def listed(self) -> Lists:
        """All of them; those of a line in the order of its first run's place, then its second's, ..."""
        count = np.array(self.count, dtype=np.int64)
        begin = offsets(count * self.stride)
        values = np.array([value for own in self.values for value in own])
        mask = offsets([len(own) for own in self.values])
        masks = np.empty(begin[-1], dtype=np.uint64)
        lists = Lists(self.lines.length, mask, values, self.stride, count, begin[:-1], masks)
        moves = tables(self.lines)
        scratch = np.empty((2, int(self.lines.free.max()) + 1), dtype=np.int64)
        first = 0
        while first < len(count):
            last, placements = first + 1, self.count[first]
            while last < len(count) and placements + self.count[last] <= _AT_ONCE:
                placements += self.count[last]
                last += 1
            write(self.lines, moves, lists, first, last, scratch[0], scratch[1])
            first = last
        return lists


def _shown(number: int) -> str:
    return f"{number:,}" if number < _LONG else f"about 10^{log10(number):.0f}"


def limit_of(solver: str) -> int | None:
    """The N of ``limit=N`` among the switches of a solver's name."""
    return next((int(word[6:]) for word in solver.split("+") if word.startswith("limit=")), None)


# A line placed over those that cross it, which are read cell by cell while the board grows.


@inlined
def read(lengths: Ints, colours: Ints, run: Int, done: Int, value: Int) -> tuple[Int, Int]:
    """A line's state after one more cell: its run under way or next, and how many cells of that are read.

    A run that is read in full stays the one under way until the cell after it is read. (run, -1): the cell does not go
    with the clue.
    """
    if 0 < done < lengths[run]:
        return run, (done + 1 if value == colours[run] else -1)
    if done > 0:
        if value == colours[run]:
            return run, -1
        run += 1
    if value == 0:
        return run, 0
    return run, (1 if value == colours[run] else -1)


@compiled
def lay(lists: Lists, line: int, number: int, crossing: Lines, moves: Bytes, run: IntTable, done: IntTable) -> int:
    """Read placement ``number`` of ``line`` into the lines that cross it; return how many of these were read.

    Their states (``read``) when n lines are laid are ``run[n]`` and ``done[n]``. The number is negative if the last of
    those read is wrong: none of its placements (``moves``, see ``fit``) begins like this.
    """
    words = (lists.length[line] + 63) >> 6
    at = lists.begin[line] + number * lists.stride[line]
    for cross in range(len(crossing.length)):
        value = np.int64(0)
        for mask in range(lists.mask[line], lists.mask[line + 1]):
            word = lists.masks[at + (mask - lists.mask[line]) * words + (cross >> 6)]
            if word >> np.uint64(cross & 63) & np.uint64(1):
                value = lists.values[mask]
        now, so_far = read(crossing.lengths, crossing.colours, run[line, cross], done[line, cross], value)
        o = line + 1 - so_far - crossing.earliest[now]
        if so_far < 0 or (so_far <= 1 and o > crossing.free[cross]):
            return -1 - cross
        if so_far <= 1:  # a run begins, or a blank was read: does what is to come go on from here?
            move = moves[crossing.table[cross] + (now - crossing.run[cross]) * (crossing.free[cross] + 1) + o]
            if (move & START if so_far else move) == 0:
                return -1 - cross
        run[line + 1, cross], done[line + 1, cross] = now, so_far
    return len(crossing.length)
