"""Two searches that choose cells one by one, with propagation in between; compiled.

The first looks for a second solution near a known one. Cells get the known solution's values, which cannot fail. Then
choices are undone, the last one first, and the cell gets another value. That contradicts, or depth-first search fills
the rest, with values of the known solution where it can. So the first changes are made where nearly all else is fixed,
and cost a few lines each. Every other solution differs from the known one at some choice first. A changed choice is
left after ``EACH`` lines, and then the end proves nothing; if none was left, there is no second solution.

The second is greedy depth-first search: any cell, filled first. Where lines keep many fillings each until some cells
are known (permutations, cycles through all lines, what is left of a board at 50 %), probes find nothing and beliefs
prefer no value, but this search is done after a few guesses. On other boards it contradicts at once, and ends after
``DEAD_ENDS`` contradictions, so that it is cheap to try first. Later it begins at each corner, with either value first
(``WAYS``), for ``FEW_DEAD_ENDS`` each: a staircase of dominoes unrolls without a contradiction from one or two of these
eight beginnings, and not from the others. (SAT solvers call that lucky phases.)
"""

from __future__ import annotations

from collections.abc import Generator
from functools import lru_cache
from itertools import product
from time import perf_counter
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from nonosat.compiled import compiled, ready
from nonosat.compiled.kernel import RecordLayout, copy_of, record, release
from nonosat.compiled.words import Ints
from nonosat.runs.events import Event, Glimpse, Statistics
from nonosat.runs.watched import Pace, glimpse
from nonosat.solvers.propagation.board import (
    CONTRADICTIONS,
    DEAD,
    KEPT_SIZES,
    LINES,
    NEVER,
    PAUSED,
    TRAIL,
    PropagationBoard,
    assume,
    cells_of,
    choices,
    forbid,
    mark_changed,
    may_be,
    propagate,
    undo,
)

EACH = 2_000
"""Lines filtered for one changed choice before it is left."""
EVERY = 200_000
"""Lines filtered until the compiled code returns, so that Ctrl-C takes effect: less than 0.1 s."""

FOUND, NONE, LEFT = 1, 2, 3
"""Results besides PAUSED: the board is a solution; there is none (other); some choices were left."""

# Indices of ``ChoiceStack.state``: how many choices there are; how many of them have not been changed (-1: the known
# solution is being replayed); the count of lines at which the changed one is left; whether one was left; a counter.
DEPTH, LEVEL, UNTIL, GAVE_UP, CHOICES = range(5)


@record
class ChoiceStack(NamedTuple):
    """``known``: a value a cell. ``order``: of the cells. ``what``: choices (place in that order * values + value).

    ``mark``: the trail's length before each.
    """

    known: Ints
    order: Ints
    what: Ints
    mark: Ints
    state: Ints


def choices_of(board: PropagationBoard) -> ChoiceStack:
    """The arrays of a search that has made no choice; what is ``known`` and the ``order`` are to be filled in."""
    return _choice_layout(board.height * board.width, board.colours).record()


@lru_cache(maxsize=KEPT_SIZES)
def _choice_layout(cells: int, colours: int) -> RecordLayout[ChoiceStack]:
    most = cells * colours + 1
    unset = {"known": (cells,), "order": (cells,), "what": (most,), "mark": (most,)}
    return RecordLayout(ChoiceStack, {}, {"state": (5,)}, unset)


@compiled
def choose(b: PropagationBoard, t: ChoiceStack) -> bool:
    """Give the first open cell its known value, or its lowest; False: no cell is open."""
    depth, values = t.state[DEPTH], b.colours + 1
    for place in range(t.what[depth - 1] // values if depth > 0 else 0, b.height * b.width):
        cell = t.order[place]
        row, column = cell // b.width, cell % b.width
        if choices(b, row, column) < 2:
            continue
        value = int(t.known[cell])
        if not may_be(b, row, column, value):
            value = 0
            while not may_be(b, row, column, value):
                value += 1
        t.what[depth], t.mark[depth] = place * values + value, b.state[TRAIL]
        t.state[DEPTH] = depth + 1
        t.state[CHOICES] += 1
        assume(b, row, column, value)
        return True
    return False


@compiled
def change(b: PropagationBoard, t: ChoiceStack) -> None:
    """Undo the last choice, and rule its value out."""
    depth, values = t.state[DEPTH] - 1, b.colours + 1
    t.state[DEPTH] = depth
    undo(b, t.mark[depth])
    cell, value = t.order[t.what[depth] // values], t.what[depth] % values
    forbid(b, cell // b.width, cell % b.width, value)


@compiled
def search_second(b: PropagationBoard, t: ChoiceStack, each: int, budget: int) -> int:
    """Go on for ``budget`` lines, or until a second solution is FOUND, there is NONE, or choices were LEFT."""
    until = b.state[LINES] + budget
    while b.state[LINES] <= until:
        alive = propagate(b, NEVER) != DEAD
        replaying = t.state[LEVEL] < 0
        if alive and (replaying or b.state[LINES] <= t.state[UNTIL]):
            if choose(b, t):
                continue
            if not replaying:
                return FOUND
            t.state[LEVEL] = t.state[DEPTH]
        elif alive:
            t.state[GAVE_UP] = 1
        if replaying or alive or t.state[DEPTH] == t.state[LEVEL]:
            t.state[LEVEL] -= 1
            if t.state[LEVEL] < 0:
                return LEFT if t.state[GAVE_UP] == 1 else NONE
            t.state[DEPTH] = t.state[LEVEL] + 1
            t.state[UNTIL] = b.state[LINES] + each
        change(b, t)
    return PAUSED


class SecondSolutionSearch:
    """A search for a solution besides ``known``, on a copy of ``board`` as it was when its trail was ``root`` long."""

    def __init__(self, board: PropagationBoard, root: int, known: npt.NDArray[np.uint8]) -> None:
        self.board, self.stack = copy_of(board), choices_of(board)
        undo(self.board, root)
        self.stack.known[:], self.stack.order[:] = known.reshape(-1), np.arange(known.size)
        self.stack.state[LEVEL] = -1
        self.before, self.status, self.spent_s = board.state.copy(), PAUSED, 0.0

    def release(self) -> None:
        """The search is over: its arrays are for the next one."""
        release(self.board)
        release(self.stack)

    def within(self, lines: int) -> Generator[Event, None, npt.NDArray[np.uint8] | None]:
        """A second solution, if one is found within so many ``lines``; ``status`` NONE: there is none."""
        pace = Pace(EVERY)
        while self.status == PAUSED and self.lines < lines:
            begin = perf_counter()
            self.status = search_second(self.board, self.stack, EACH, min(pace(), lines - self.lines))
            self.spent_s += perf_counter() - begin
            yield from glimpse(self.seen)
        return cells_of(self.board).astype(np.uint8) if self.status == FOUND else None

    @property
    def decided(self) -> bool:
        """Has it found a second solution, or that there is none?"""
        return self.status in (FOUND, NONE)

    @property
    def lines(self) -> int:
        """How many have been filtered."""
        return int(self.board.state[LINES] - self.before[LINES])

    def seen(self) -> Glimpse:
        """The board as it is now."""
        guesses = int(self.stack.state[DEPTH])
        return Glimpse("looking near the solution", Statistics.of(self.costs()), cells_of(self.board), guesses=guesses)

    def costs(self) -> dict[str, float]:
        """The cost so far, by fields of ``Statistics``."""
        dead = int(self.board.state[CONTRADICTIONS] - self.before[CONTRADICTIONS])
        made = int(self.stack.state[CHOICES])
        return {"solve_s": self.spent_s, "lines_checked": self.lines, "assumptions": made, "contradictions": dead}


# Greedy depth-first search.


DEAD_ENDS, FEW_DEAD_ENDS = 10, 3
"""Contradictions after which it ends: row by row from the top left, filled first; and in other ways."""
WAYS = tuple(product((False, True), repeat=3))
"""From the right? From the bottom? Blank first?"""
EVERY_GREEDY = 2_000
"""Lines filtered until the compiled code returns."""


@compiled
def search_greedily(b: PropagationBoard, t: ChoiceStack, dead: int, budget: int) -> int:
    """Fix cells until the board is FOUND full, has no solution (NONE), or is LEFT after ``dead`` contradictions in all.

    PAUSED after ``budget`` lines. The queue is empty afterwards. A board that is LEFT has no guesses on it, only what
    refuting the first ones has shown.
    """
    until = b.state[LINES] + budget
    while True:
        if propagate(b, NEVER) == DEAD:
            if t.state[DEPTH] == 0:
                return NONE
            if b.state[CONTRADICTIONS] >= dead:
                undo(b, t.mark[0])
                return LEFT
            change(b, t)
        elif b.state[LINES] > until:
            return PAUSED
        elif not choose(b, t):
            return FOUND


@compiled
def begin_greedily(b: PropagationBoard, t: ChoiceStack, from_right: bool, from_bottom: bool, blank_first: bool) -> None:
    """Begin in one of the ``WAYS``."""
    t.state[DEPTH], place = 0, 0
    for i in range(b.height):
        row = b.height - 1 - i if from_bottom else i
        for j in range(b.width):
            t.order[place] = row * b.width + (b.width - 1 - j if from_right else j)
            t.known[place] = 0 if blank_first else b.colours
            place += 1


class GreedySearch:
    """Greedy search on a board whose queue is empty; afterwards no guess is on it, and what is new holds."""

    def __init__(self, board: PropagationBoard) -> None:
        self.board, self.stack = board, choices_of(board)
        self.status, self.spent_s, self.lines = PAUSED, 0.0, 0

    def release(self) -> None:
        """The search is over: its arrays are for the next one."""
        release(self.stack)

    def within(self, lines: int, way: int = 0) -> Generator[Event, None, npt.NDArray[np.uint8] | None]:
        """A solution, if one is found in this of the ``WAYS`` within so many ``lines``.

        ``status`` NONE: there is none.
        """
        board, pace, root = self.board, Pace(EVERY_GREEDY), int(self.board.state[TRAIL])
        begun = int(board.state[LINES])
        dead = int(board.state[CONTRADICTIONS]) + (FEW_DEAD_ENDS if way else DEAD_ENDS)
        begin_greedily(board, self.stack, *WAYS[way])
        self.status = PAUSED
        while self.status == PAUSED and board.state[LINES] < begun + lines:
            begin = perf_counter()
            self.status = search_greedily(board, self.stack, dead, min(pace(), begun + lines - int(board.state[LINES])))
            self.spent_s += perf_counter() - begin
            yield from glimpse(self.seen)
        found = cells_of(board).astype(np.uint8) if self.status == FOUND else None
        if self.status in (FOUND, PAUSED) and self.stack.state[DEPTH] > 0:
            undo(board, self.stack.mark[0])
        if board.state[TRAIL] > root:
            mark_changed(board, root)
        self.lines += int(board.state[LINES]) - begun
        return found

    @property
    def ended(self) -> bool:
        """Has it found a solution, or that there is none?"""
        return self.status in (FOUND, NONE)

    def seen(self) -> Glimpse:
        """The board as it is now."""
        guesses = int(self.stack.state[DEPTH])
        return Glimpse("greedy search", Statistics.of(self.costs()), cells_of(self.board), guesses=guesses)

    def costs(self) -> dict[str, float]:
        """The cost so far, by fields of ``Statistics``, without the board's own counters."""
        return {"solve_s": self.spent_s, "assumptions": int(self.stack.state[CHOICES])}


ready(__name__)
