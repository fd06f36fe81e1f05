"""The solver ``beliefs``: decimation guided by belief propagation (Montanari, Ricci-Tersenghi and Semerjian 2007).

An attempt alternates two steps. All lines exchange messages (beliefs.py); then a share of the open cells is fixed,
those with the surest values, and the complete line solver propagates them. A value that contradicts is ruled out. If
that contradicts too, the attempt is stuck: earlier cells were wrong. The next attempt restarts at the root, with every
odds shifted a little at random (``NOISE``). The random numbers have a fixed seed, so that the same puzzle takes the
same way every time, with every version of numpy.

A full board is a solution: every line agrees with it. Decimation is incomplete. It cannot prove that there is no
solution, or no other; ``beliefs`` gives up after ``ATTEMPTS``, unless the root alone decides the puzzle.
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
"""Rounds of messages before an attempt's first cells are fixed, from nothing and from kept messages; and later."""
KEEP = 14
"""How often each line has sent when the first attempt's messages are kept: every other attempt begins with them. (They
soon converge again; but on some boards no attempt that begins with them succeeds.)"""
STEP, LARGEST, CERTAIN = (1.4, 1.0), 0.03, 0.9975
"""How many cells are fixed at a time: in alternate attempts, this times the root of those open when it begins (later
the same share of those open then), but at most the share ``LARGEST``; and all that are as likely as ``CERTAIN``."""
NOISE = (0.1, 0.2, 0.3)
"""The standard deviation of the logarithms of the odds that each restart begins with (see ``shifted``)."""
ATTEMPTS = 2_000
EVERY = 50_000
"""Messages until the compiled code returns, so that Ctrl-C takes effect: some 0.1 s."""

FOUND, STUCK = 1, -1
"""Results of ``decimate``, besides PAUSED."""

# Indices of ``DecimationState.state``: rounds to go before cells are fixed, how many cells may be open, two counters,
# the trail's length when the attempt began, how much may be unknown when it ends, and how much was unknown at its end.
ROUNDS, OPEN, UPDATES, GUESSES, ROOT, LEFT, REACHED = range(7)
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
        while not may_be(b, row, column, value):  # it was ruled out since, or no line sent anything
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
    """Go on with an attempt until it is FOUND: no more than ``LEFT`` is unknown; or STUCK, and undone.

    PAUSED after ``budget`` messages.
    """
    until = t.state[UPDATES] + budget
    while unknown(b) > t.state[LEFT]:
        while t.state[ROUNDS] > 0:
            if t.state[UPDATES] > until:
                return PAUSED
            t.state[ROUNDS] -= 1
            sent = exchange(b, m)
            t.state[UPDATES] += sent
            if sent == 0:
                t.state[ROUNDS] = 0
        if not fix(b, m, t, share, certain):
            t.state[REACHED] = unknown(b)
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
    """Attempts on a board whose queue is empty; between attempts the board is as it was."""

    def __init__(self, board: PropagationBoard) -> None:
        self.board, self.beliefs = board, beliefs_of(board)
        cells = board.height * board.width
        zeros = (np.zeros(many, dtype=np.int64) for many in (cells, cells, BUCKETS + 2, 7))
        self.attempt = DecimationState(*zeros)
        self.begun, self.found, self.under_way, self.spent_s = 0, 0, False, 0.0
        self.share, self.nearest = 0.0, 1.0
        """``nearest``: how much was unknown when an attempt was stuck, as a share of the board's; the least of all."""
        self.kept: tuple[Floats, Floats] | None = None
        self.guesses_before, self.stream = 0, rng.Rng(0)

    def go_on(self, most: int) -> int:
        """FOUND (``cells`` has the solution), STUCK (the next call restarts), or PAUSED after ``most`` messages.

        After PAUSED the board has the attempt's guesses on it.
        """
        if not self.under_way:
            self._begin()
        early = KEEP * len(self.board.queue) - self.updates
        most = min(most, early) if early > 0 else most
        begin = perf_counter()
        status = decimate(self.board, self.beliefs, self.attempt, LATER, self.share, CERTAIN, most)
        self.spent_s += perf_counter() - begin
        if early > 0 and self.updates > KEEP * len(self.board.queue) and not self.attempt.state[GUESSES]:
            self.kept = self.beliefs.across.copy(), self.beliefs.down.copy()
        self.under_way = status == PAUSED or (status == FOUND and int(self.attempt.state[LEFT]) > 0)
        if status == STUCK:
            self.nearest = min(self.nearest, int(self.attempt.state[REACHED]) / max(1, self.unknown))
        if status == FOUND:
            self.cells = cells_of(self.board)
            if not self.under_way:
                self.found += 1
                undo(self.board, int(self.attempt.state[ROOT]))
        return status

    def within(self, lines: int) -> Generator[Event, None, npt.NDArray[np.uint8] | None]:
        """Give a solution, if attempts find one within ``lines`` messages more; the last attempt is ended.

        So the board is as it was afterwards.
        """
        until, pace = self.updates + lines, Pace(EVERY)
        while self.updates < until or self.under_way:
            status = self.go_on(pace())
            yield from glimpse(self.seen)
            if status == FOUND:
                return self.cells.astype(np.uint8)
        return None

    def partly(self, left: int) -> Generator[Event, None, npt.NDArray[np.int64] | None]:
        """The cells of a new attempt (-1: open) once ``left`` values at most are unknown; None: it was stuck.

        ``to_the_end`` goes on from there; until then, or the next attempt, the board has its guesses.
        """
        if self.under_way:
            undo(self.board, int(self.attempt.state[ROOT]))
            self.under_way = False
        return (yield from self._attempt(left))

    def to_the_end(self) -> Generator[Event, None, npt.NDArray[np.int64] | None]:
        """The solution that the attempt which ``partly`` began leads to; None: it was stuck."""
        return (yield from self._attempt(0))

    def _attempt(self, left: int) -> Generator[Event, None, npt.NDArray[np.int64] | None]:
        pace, status = Pace(EVERY), PAUSED
        self.attempt.state[LEFT] = left
        while status == PAUSED:
            status = self.go_on(pace())
            yield from glimpse(self.seen)
        self.attempt.state[LEFT] = 0
        return self.cells if status == FOUND else None

    def seen(self) -> Glimpse:
        """The board with the attempt's guesses, and the odds of its open cells."""
        cells = cells_of(self.board)
        odds = np.where(cells < 0, filled(self.beliefs).reshape(cells.shape), np.nan).astype(np.float32)
        guesses = int(self.attempt.state[GUESSES]) - self.guesses_before if self.under_way else 0
        return Glimpse(f"belief propagation, attempt {self.begun}", self.statistics(), cells, odds, guesses)

    def _begin(self) -> None:
        m = self.beliefs
        kept = self.kept if self.begun % 2 == 0 else None
        m.across[:], m.down[:] = kept or (1.0, 1.0)
        m.field[:] = 1.0
        if self.begun:
            m.field[:] = shifted(NOISE[self.begun % len(NOISE)] * self.stream.bells(len(m.field)))
        m.waits[:] = 1
        self.attempt.state[ROUNDS] = AGAIN if kept else FIRST
        opened = max(1.0, unknown(self.board) / self.board.colours)
        self.share = min(LARGEST, STEP[self.begun % len(STEP)] / math.sqrt(opened))
        self.attempt.open[:] = np.arange(len(self.attempt.open))
        self.attempt.state[OPEN] = len(self.attempt.open)
        self.attempt.state[ROOT] = self.board.state[TRAIL]
        self.begun += 1
        self.guesses_before = int(self.attempt.state[GUESSES])
        self.under_way = True

    @property
    def unknown(self) -> int:
        """How many values the board's cells have in all, beyond one each."""
        return int(unknown(self.board))

    @property
    def updates(self) -> int:
        """How often a line has sent its messages."""
        return int(self.attempt.state[UPDATES])

    def statistics(self) -> Statistics:
        """The cost of all attempts so far, without the board's own counters."""
        return Statistics(
            solve_s=self.spent_s,
            lines_checked=self.updates,
            assumptions=int(self.attempt.state[GUESSES]),
            restarts=max(0, self.begun - 1),
        )


def search(puzzle: Nonogram, encoding: object, at_most: int | None, solver: Solver) -> Iterator[Event]:
    """Find at most ``at_most`` solutions (None: all that ``ATTEMPTS`` attempts find). No encoding is used."""
    yield Progress("solving")
    begin = perf_counter()
    board = board_of(puzzle)
    dead = propagate(board, NEVER) == DEAD
    decided = dead or unknown(board) == 0
    decimation, root_s = Decimation(board), perf_counter() - begin

    def spent() -> Statistics:
        counters = int(board.state[LINES]), int(board.state[CONTRADICTIONS])
        about = Statistics(solve_s=root_s, lines_checked=counters[0], contradictions=counters[1])
        return about.plus(decimation.statistics())

    seen: set[bytes] = set()
    pace = Pace(EVERY)
    while not dead and len(seen) != at_most and decimation.begun < ATTEMPTS and not (decided and seen):
        status = decimation.go_on(pace())
        yield from glimpse(decimation.seen)
        if status == FOUND and decimation.cells.tobytes() not in seen:
            seen.add(decimation.cells.tobytes())
            yield Found(decimation.cells)
        yield Progress("solving", spent())
    yield Finished(decided, spent())


ready(__name__)
