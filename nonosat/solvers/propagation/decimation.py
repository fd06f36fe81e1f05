"""The solver ``beliefs``: fix the cells that belief propagation is surest of, propagate, ask again.

Decimation guided by belief propagation (Montanari, Ricci-Tersenghi and Semerjian 2007) with the complete line solver in
between: a *dive* asks all lines for what they believe (beliefs.py), fixes a share of the open cells, those it is surest
of, and what follows from them, and so on. A value that contradicts is ruled out instead; if that contradicts too, the
dive is stuck: earlier cells were wrong. The next one begins at the root, with every odds a little shifted at random
(``NOISE``; the numbers are drawn from a fixed seed, so that the same puzzle takes the same way every time, with every
version of numpy).

A full board is one that every line agrees with. A dive cannot tell that there is no solution, or no other; a puzzle
that the root settles apart, ``beliefs`` gives up after ``DIVES``.
"""

from __future__ import annotations

import math
from collections.abc import Generator, Iterator
from time import perf_counter
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from nonosat import rng
from nonosat.compiled import compiled, ready
from nonosat.compiled.kernel import record
from nonosat.compiled.words import Floats, Ints
from nonosat.puzzles.nonogram import Nonogram
from nonosat.runs.events import Event, Finished, Found, Glimpse, Progress, Statistics
from nonosat.runs.solver import Solver
from nonosat.runs.watched import Pace, glimpse
from nonosat.solvers.propagation.beliefs import Beliefs, beliefs_of, exchange, filled, wake
from nonosat.solvers.propagation.board import (
    CONTRADICTIONS,
    DEAD,
    LINES,
    NEVER,
    PAUSED,
    TRAIL,
    PropagationBoard,
    assume,
    board_of,
    cells_of,
    choices,
    forbid,
    may_be,
    propagate,
    undo,
    unknown,
)

FIRST, AGAIN, LATER = 20, 3, 1
"""Rounds of messages before a dive's first cells are fixed: from nothing; from those that are kept; and after that."""
KEEP = 14
"""How often each line was asked when the first dive's messages are kept, for every other dive to begin with. (They are
soon at rest again; but on some boards no dive that begins with them comes to an end.)"""
STEP, LARGEST, CERTAIN = (1.4, 1.0), 0.03, 0.9975
"""How many cells are fixed at a time: by turns, this times the root of those that are open when the dive begins (later
the same share of those open then), but at most the share ``LARGEST``; and all that are as likely as ``CERTAIN``."""
NOISE = (0.1, 0.2, 0.3)
"""The standard deviation of the logarithms of the odds that each dive but the first begins with (see ``shifted``)."""
DIVES = 2_000
EVERY = 50_000
"""Lines asked until the compiled code comes back, so that Ctrl-C is heard: some 0.1 s."""

FOUND, STUCK = 1, -1
"""What ``dive`` says, beside PAUSED."""

# Where ``Dive.state`` holds what: rounds to go before cells are fixed, how many cells may be open, counters, how long
# the trail was when the dive began, and how much may be unknown where it is to end.
ROUNDS, OPEN, ASKED, GUESSES, ROOT, LEFT = range(6)
BUCKETS = 400


@record
class DecimationState(NamedTuple):
    """``open``: cells that may be open. ``order``: the open ones, the surest first, sorted by ``bucket``."""

    open: Ints
    order: Ints
    bucket: Ints
    state: Ints


@compiled
def surest(b: PropagationBoard, m: Beliefs, t: DecimationState) -> int:
    """Sort the open cells into ``order``; how many there are."""
    t.bucket[:] = 0
    many = 0
    for i in range(t.state[OPEN]):
        cell = t.open[i]
        if choices(b, cell // b.width, cell % b.width) > 1:
            t.open[many] = cell
            many += 1
            t.bucket[1 + int((1.0 - m.share[cell]) * BUCKETS)] += 1
    t.state[OPEN] = many
    for i in range(BUCKETS):
        t.bucket[i + 1] += t.bucket[i]
    for i in range(many):
        cell = t.open[i]
        bucket = int((1.0 - m.share[cell]) * BUCKETS)
        t.order[t.bucket[bucket]] = cell
        t.bucket[bucket] += 1
    return many


@compiled
def fix(b: PropagationBoard, m: Beliefs, t: DecimationState, share: float, certain: float) -> bool:
    """Fix the surest of the open cells; False: some cell has no value left."""
    many = surest(b, m, t)
    for i in range(many):
        cell = t.order[i]
        if i > share * many and m.share[cell] < certain:
            break
        row, column, value = cell // b.width, cell % b.width, m.value[cell]
        if choices(b, row, column) < 2:
            continue
        while not may_be(b, row, column, value):  # it was ruled out since, or no line could say anything
            value = value + 1 if value < b.colours else 0
        mark = b.state[TRAIL]
        assume(b, row, column, value)
        t.state[GUESSES] += 1
        if propagate(b, NEVER) == DEAD:
            undo(b, mark)
            forbid(b, row, column, value)
            if propagate(b, NEVER) == DEAD:
                return False
        wake(b, m, mark, b.state[TRAIL])
    return True


@compiled
def decimate(
    b: PropagationBoard, m: Beliefs, t: DecimationState, later: int, share: float, certain: float, budget: int
) -> int:
    """Go on with a dive until it is STUCK (and taken back), or ``budget`` lines have been asked.

    Or FOUND: no more than ``LEFT`` is unknown.
    """
    until = t.state[ASKED] + budget
    while unknown(b) > t.state[LEFT]:
        while t.state[ROUNDS] > 0:
            if t.state[ASKED] > until:
                return PAUSED
            t.state[ROUNDS] -= 1
            spoke = exchange(b, m)
            t.state[ASKED] += spoke
            if spoke == 0:
                t.state[ROUNDS] = 0
        if not fix(b, m, t, share, certain):
            undo(b, t.state[ROOT])
            return STUCK
        t.state[ROUNDS] = later
    return FOUND


def shifted(x: Floats) -> Floats:
    """Odds of 1, whose logarithm is shifted by ``x`` (to both sides of 0, less than 2): by x + x³/12 + x⁵/80 + ..

    That is near enough to exp(x), and IEEE 754 says each of its bits, while libraries differ in the last of exp(x).

    >>> shifted(np.array([-0.5, 0.0, 0.5])).tolist()
    [0.6, 1.0, 1.6666666666666667]
    """
    odds: Floats = (2.0 + x) / (2.0 - x)
    return odds


class Decimation:
    """Dives on a board on which nothing waits; between them the board is as it was."""

    def __init__(self, board: PropagationBoard) -> None:
        self.board, self.beliefs = board, beliefs_of(board)
        cells = board.height * board.width
        zeros = (np.zeros(many, dtype=np.int64) for many in (cells, cells, BUCKETS + 2, 6))
        self.dive = DecimationState(*zeros)
        self.begun, self.found, self.under_way, self.spent_s = 0, 0, False, 0.0
        self.share = 0.0
        self.kept: tuple[Floats, Floats] | None = None
        self.guesses_before, self.stream = 0, rng.Rng(0)

    def go_on(self, most: int) -> int:
        """FOUND (``cells`` has the solution), STUCK (the next call begins anew), or PAUSED after ``most`` lines.

        After PAUSED the board has the dive's guesses on it.
        """
        if not self.under_way:
            self._begin()
        early = KEEP * len(self.board.queue) - self.asked
        most = min(most, early) if early > 0 else most
        begin = perf_counter()
        said = decimate(self.board, self.beliefs, self.dive, LATER, self.share, CERTAIN, most)
        self.spent_s += perf_counter() - begin
        if early > 0 and self.asked > KEEP * len(self.board.queue) and not self.dive.state[GUESSES]:
            self.kept = self.beliefs.across.copy(), self.beliefs.down.copy()
        self.under_way = said == PAUSED
        if said == FOUND:
            self.found += int(self.dive.state[LEFT]) == 0
            self.cells = cells_of(self.board)
            undo(self.board, int(self.dive.state[ROOT]))
        return said

    def within(self, lines: int) -> Generator[Event, None, npt.NDArray[np.uint8] | None]:
        """Give a solution, if dives come upon one before they have asked ``lines`` more; the last one is ended.

        So the board is as it was, and others may use it.
        """
        until, pace = self.asked + lines, Pace(EVERY)
        while self.asked < until or self.under_way:
            said = self.go_on(pace())
            yield from glimpse(self.seen)
            if said == FOUND:
                return self.cells.astype(np.uint8)
        return None

    def partly(self, left: int) -> Generator[Event, None, npt.NDArray[np.int64] | None]:
        """Give what one dive has laid (-1: open cells) when ``left`` values at most are unknown; None: it was stuck."""
        pace, said = Pace(EVERY), PAUSED
        self.dive.state[LEFT] = left
        while said == PAUSED:
            said = self.go_on(pace())
            yield from glimpse(self.seen)
        self.dive.state[LEFT] = 0
        return self.cells if said == FOUND else None

    def seen(self) -> Glimpse:
        """The board with the dive's guesses, and the odds of its open cells."""
        cells = cells_of(self.board)
        odds = np.where(cells < 0, filled(self.beliefs).reshape(cells.shape), np.nan).astype(np.float32)
        guesses = int(self.dive.state[GUESSES]) - self.guesses_before if self.under_way else 0
        return Glimpse(f"belief propagation, dive {self.begun}", self.statistics(), cells, odds, guesses)

    def _begin(self) -> None:
        m = self.beliefs
        kept = self.kept if self.begun % 2 == 0 else None
        m.across[:], m.down[:] = kept or (1.0, 1.0)
        m.field[:] = 1.0
        if self.begun:
            m.field[:] = shifted(NOISE[self.begun % len(NOISE)] * self.stream.bells(len(m.field)))
        m.waits[:] = 1
        self.dive.state[ROUNDS] = AGAIN if kept else FIRST
        opened = max(1.0, unknown(self.board) / self.board.colours)
        self.share = min(LARGEST, STEP[self.begun % len(STEP)] / math.sqrt(opened))
        self.dive.open[:] = np.arange(len(self.dive.open))
        self.dive.state[OPEN] = len(self.dive.open)
        self.dive.state[ROOT] = self.board.state[TRAIL]
        self.begun += 1
        self.guesses_before = int(self.dive.state[GUESSES])
        self.under_way = True

    @property
    def unknown(self) -> int:
        """How many values too many the board's cells have in all."""
        return int(unknown(self.board))

    @property
    def asked(self) -> int:
        """How often a line was asked what it believes."""
        return int(self.dive.state[ASKED])

    def statistics(self) -> Statistics:
        """What the dives have cost so far; what they settled is among the board's own counters."""
        return Statistics(
            solve_s=self.spent_s,
            lines_checked=self.asked,
            assumptions=int(self.dive.state[GUESSES]),
            restarts=max(0, self.begun - 1),
        )


def search(puzzle: Nonogram, encoding: object, at_most: int | None, solver: Solver) -> Iterator[Event]:
    """Find at most ``at_most`` pictures (None: all that ``DIVES`` dives come upon). No encoding plays a part."""
    yield Progress("solving")
    begin = perf_counter()
    board = board_of(puzzle)
    dead = propagate(board, NEVER) == DEAD
    settled = dead or unknown(board) == 0
    dives, root_s = Decimation(board), perf_counter() - begin

    def spent() -> Statistics:
        counters = int(board.state[LINES]), int(board.state[CONTRADICTIONS])
        about = Statistics(solve_s=root_s, lines_checked=counters[0], contradictions=counters[1])
        return about.plus(dives.statistics())

    seen: set[bytes] = set()
    pace = Pace(EVERY)
    while not dead and len(seen) != at_most and dives.begun < DIVES and not (settled and seen):
        said = dives.go_on(pace())
        yield from glimpse(dives.seen)
        if said == FOUND and dives.cells.tobytes() not in seen:
            seen.add(dives.cells.tobytes())
            yield Found(dives.cells)
        yield Progress("solving", spent())
    yield Finished(settled, spent())


ready(__name__)
