"""Another picture near a known one: lay the known one cell by cell, then change one choice after the other; compiled.

Cells get the known picture's values, with the line solver in between: that cannot fail. Then choices are taken back,
the last one first, and the cell gets another value. What follows from that contradicts, or the rest is filled up by
depth-first search, with values of the known picture where they can be had. So the first changes are made where nearly
all else is settled, and cost a few lines each; and every other picture differs from the known one at some choice first.
Where a changed choice takes more than ``EACH`` lines it is left, and then the end proves nothing; if none was left,
there is no other picture.
"""

from __future__ import annotations

from collections.abc import Generator
from time import perf_counter
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from nonosat.compiled import compiled, ready
from nonosat.compiled.kernel import record
from nonosat.compiled.words import Ints
from nonosat.runs.events import Event, Glimpse, Statistics
from nonosat.runs.watched import Pace, glimpse
from nonosat.solvers.propagation.board import (
    CONTRADICTIONS,
    DEAD,
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
"""Lines settled for one changed choice before it is left."""
EVERY = 200_000
"""Lines settled until the compiled code comes back, so that Ctrl-C is heard: less than 0.1 s."""

FOUND, NONE, LEFT = 1, 2, 3
"""What ``near`` says, beside PAUSED: the board is another picture; there is none; some choices were left."""

# Where ``Near.state`` holds what: how many choices there are, how many of them have not been changed (-1: the known
# picture is being laid), the lines settled when the changed one is left, whether one was left, and a counter.
DEPTH, LEVEL, UNTIL, GAVE_UP, CHOICES = range(5)


@record
class NearState(NamedTuple):
    """``known``: a value a cell. ``what``: choices (cell * values + value), and ``mark``, the trail's length before."""

    known: Ints
    what: Ints
    mark: Ints
    state: Ints


@compiled
def choose(b: PropagationBoard, t: NearState) -> bool:
    """Give the first open cell its known value, or its lowest; False: no cell is open."""
    depth, values = t.state[DEPTH], b.colours + 1
    for cell in range(t.what[depth - 1] // values if depth > 0 else 0, b.height * b.width):
        row, column = cell // b.width, cell % b.width
        if choices(b, row, column) < 2:
            continue
        value = int(t.known[cell])
        if not may_be(b, row, column, value):
            value = 0
            while not may_be(b, row, column, value):
                value += 1
        t.what[depth], t.mark[depth] = cell * values + value, b.state[TRAIL]
        t.state[DEPTH] = depth + 1
        t.state[CHOICES] += 1
        assume(b, row, column, value)
        return True
    return False


@compiled
def change(b: PropagationBoard, t: NearState) -> None:
    """Take the last choice back, and rule its value out."""
    depth, values = t.state[DEPTH] - 1, b.colours + 1
    t.state[DEPTH] = depth
    undo(b, t.mark[depth])
    cell, value = t.what[depth] // values, t.what[depth] % values
    forbid(b, cell // b.width, cell % b.width, value)


@compiled
def search_near(b: PropagationBoard, t: NearState, each: int, budget: int) -> int:
    """Go on for ``budget`` lines, or until another picture is FOUND, there is NONE, or choices were LEFT."""
    until = b.state[LINES] + budget
    while b.state[LINES] <= until:
        alive = propagate(b, NEVER) != DEAD
        laying = t.state[LEVEL] < 0
        if alive and (laying or b.state[LINES] <= t.state[UNTIL]):
            if choose(b, t):
                continue
            if not laying:
                return FOUND
            t.state[LEVEL] = t.state[DEPTH]
        elif alive:
            t.state[GAVE_UP] = 1
        if laying or alive or t.state[DEPTH] == t.state[LEVEL]:
            t.state[LEVEL] -= 1
            if t.state[LEVEL] < 0:
                return LEFT if t.state[GAVE_UP] == 1 else NONE
            t.state[DEPTH] = t.state[LEVEL] + 1
            t.state[UNTIL] = b.state[LINES] + each
        change(b, t)
    return PAUSED


class NearbySearch:
    """A search for a picture beside ``known``, on a copy of ``board`` as it was when its trail was ``root`` long."""

    def __init__(self, board: PropagationBoard, root: int, known: npt.NDArray[np.uint8]) -> None:
        names = ("may", "trail_at", "trail_was", "queue", "queued", "state")
        copied = {name: getattr(board, name).copy() for name in names}
        self.board = board._replace(**copied)
        undo(self.board, root)
        most = board.height * board.width * board.colours + 1
        what, mark, state = (np.zeros(many, dtype=np.int64) for many in (most, most, 5))
        state[LEVEL] = -1
        self.near = NearState(known.reshape(-1).astype(np.int64), what, mark, state)
        self.before, self.said, self.spent_s = board.state.copy(), PAUSED, 0.0

    def within(self, lines: int) -> Generator[Event, None, npt.NDArray[np.uint8] | None]:
        """Another picture, if one is found before so many ``lines`` have been settled; ``said`` NONE: there is none."""
        pace = Pace(EVERY)
        while self.said == PAUSED and self.lines < lines:
            begin = perf_counter()
            self.said = search_near(self.board, self.near, EACH, min(pace(), lines - self.lines))
            self.spent_s += perf_counter() - begin
            yield from glimpse(self.seen)
        return cells_of(self.board).astype(np.uint8) if self.said == FOUND else None

    @property
    def settled(self) -> bool:
        """Has it found another picture, or that there is none?"""
        return self.said in (FOUND, NONE)

    @property
    def lines(self) -> int:
        """How many have been settled."""
        return int(self.board.state[LINES] - self.before[LINES])

    def seen(self) -> Glimpse:
        """The board in hand."""
        guesses = int(self.near.state[DEPTH])
        return Glimpse("looking near the picture", self.statistics(), cells_of(self.board), guesses=guesses)

    def statistics(self) -> Statistics:
        """What the search has cost so far."""
        dead = int(self.board.state[CONTRADICTIONS] - self.before[CONTRADICTIONS])
        made = int(self.near.state[CHOICES])
        return Statistics(solve_s=self.spent_s, lines_checked=self.lines, assumptions=made, contradictions=dead)


# A picture by laying cells one by one, filled first, for boards on which nearly any way leads to one; compiled.
#
# Lines that keep many fillings each until some cells are known (permutations, cycles through all lines, what is left of
# a
# board at 50 %) teach probes nothing, and beliefs see all values alike; but a depth-first search without either is full
# after a few guesses. On other boards it runs into contradictions at once, and ends after ``DEAD_ENDS`` of them: it
# costs
# some lines a contradiction, so that it can be tried first.


DEAD_ENDS = 10
"""Contradictions after which it ends."""
LAID_BETWEEN = 2_000
"""Lines settled until the compiled code comes back."""


@compiled
def lay_greedily(b: PropagationBoard, t: NearState, dead: int, budget: int) -> int:
    """Lay cells until the board is FOUND full, without a picture (NONE), or LEFT after ``dead`` contradictions in all.

    PAUSED after ``budget`` lines. Nothing waits afterwards. What is LEFT is without guesses, but what refuting the
    first ones has told.
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


class GreedyDescent:
    """A plunge on a board on which nothing waits; afterwards there is no guess on it, and what is new holds."""

    def __init__(self, board: PropagationBoard) -> None:
        self.board, cells = board, board.height * board.width
        what, mark = np.zeros((2, cells * board.colours + 1), dtype=np.int64)
        self.cells = NearState(np.full(cells, board.colours, dtype=np.int64), what, mark, np.zeros(5, dtype=np.int64))
        self.said, self.spent_s = PAUSED, 0.0

    def within(self, lines: int) -> Generator[Event, None, npt.NDArray[np.uint8] | None]:
        """A picture, if one is come upon before so many ``lines`` have been settled; ``said`` NONE: there is none."""
        board, pace, root = self.board, Pace(LAID_BETWEEN), int(self.board.state[TRAIL])
        most = int(board.state[LINES]) + lines
        dead = int(board.state[CONTRADICTIONS]) + DEAD_ENDS
        while self.said == PAUSED and board.state[LINES] < most:
            begin = perf_counter()
            self.said = lay_greedily(board, self.cells, dead, min(pace(), most - int(board.state[LINES])))
            self.spent_s += perf_counter() - begin
            yield from glimpse(self.seen)
        found = cells_of(board).astype(np.uint8) if self.said == FOUND else None
        if self.said in (FOUND, PAUSED) and self.cells.state[DEPTH] > 0:
            undo(board, self.cells.mark[0])
        if board.state[TRAIL] > root:
            mark_changed(board, root)
        return found

    @property
    def ended(self) -> bool:
        """Has it found a picture, or that there is none?"""
        return self.said in (FOUND, NONE)

    def seen(self) -> Glimpse:
        """The board in hand."""
        guesses = int(self.cells.state[DEPTH])
        return Glimpse("laying cells", self.statistics(), cells_of(self.board), guesses=guesses)

    def statistics(self) -> Statistics:
        """What it has cost so far; what it settled is among the board's own counters."""
        return Statistics(solve_s=self.spent_s, assumptions=int(self.cells.state[CHOICES]))


ready(__name__)
