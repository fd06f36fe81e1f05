"""The solver ``beliefs``: decimation guided by belief propagation (Montanari, Ricci-Tersenghi and Semerjian 2007).

An attempt alternates two steps. All lines exchange messages (beliefs.py); then a share of the open cells is fixed,
those with the surest values, and the complete line solver propagates them. A value that contradicts is ruled out. If
that contradicts too, earlier cells were wrong, mostly near by. So the attempt is repaired: cells around the
contradiction and along its lines are open again, with odds that are shifted a little at random, and all others stay.
Where that fails time and again, more cells are opened. An attempt that would open the whole board, or has taken many
times as long as up to its first contradiction, is stuck. The next one restarts at the root, with every odds shifted
(``NOISE``). The random numbers have a fixed seed, so that the same puzzle takes the same way every time, with every
version of numpy.

A full board is a solution: every line agrees with it. Decimation is incomplete. It cannot prove that there is no
solution, or no other; ``beliefs`` gives up after ``ATTEMPTS``, unless the root alone decides the puzzle.
"""

from __future__ import annotations

import math
from collections.abc import Generator, Iterator
from functools import cache, cached_property, lru_cache
from time import perf_counter
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from nonosat import rng
from nonosat.compiled import compiled, inlined, ready
from nonosat.compiled.kernel import RecordLayout, record, release
from nonosat.compiled.words import ONE, ZERO, Floats, Ints, Words, lowest
from nonosat.puzzles.nonogram import Nonogram
from nonosat.runs.events import Event, Finished, Found, Glimpse, Progress, Statistics
from nonosat.runs.solver import Solver
from nonosat.runs.watched import Pace, glimpse
from nonosat.solvers.propagation.beliefs import Beliefs, allow_all_places, beliefs_of, exchange, filled, wake
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
    board_of,
    cells_of,
    choices,
    forbid,
    may_be,
    propagate,
    undo,
    unknown,
)

FIRST, LINES_PER_ROUND, AGAIN, LATER = (5, 20), 8, 3, 1
"""Rounds of messages before an attempt's first cells are fixed. From nothing: a round for so many lines of the board
(the larger it is, the longer messages travel), and at least and at most that many. From kept messages; and later.
"""
KEEP = 0.7
"""The share of the first rounds after which the first attempt's messages are kept: every other attempt begins with
them. (They soon converge again; but on some boards no attempt that begins with them succeeds.)"""
STEP, LARGEST, CERTAIN = (1.4, 1.0), 0.03, 0.9975
"""How many cells are fixed at a time: in alternate attempts, this times the root of those open when it begins (later
the same share of those open then), but at most the share ``LARGEST``; and all that are as likely as ``CERTAIN``."""
NOISE = (0.1, 0.2, 0.3)
"""The standard deviation of the logarithms of the odds that each restart begins with (see ``shifted``)."""
AREA, RADIUS, LENGTH = 12, 6, 4
"""A contradiction opens the cells at most ``RADIUS`` rows and columns away, and along its lines those ``LENGTH`` times
as far away, on a strip a ``LENGTH``-th as wide. With each further one in a square of ``AREA`` cells a side it is half
as far again.
"""
SETTLING, SHIFT = 10, 0.3
"""Rounds of messages after a repair, and the noise there."""
PATIENCE = 30
"""An attempt ends when it has sent so many times as many messages as up to its first contradiction."""
PIECE = 2
"""How often each line sends at most before it is seen whether there was a contradiction."""
ATTEMPTS = 2_000
EVERY = 50_000
"""Messages until the compiled code returns, so that Ctrl-C takes effect: some 0.1 s."""

FOUND, STUCK = 1, -1
"""Results of ``decimate``, besides PAUSED."""

# Indices of ``DecimationState.state``: rounds to go before cells are fixed, two counters, the trail's length when the
# attempt began, how much may be unknown when it ends, how much was unknown at its contradictions (the least), how many
# cells it has fixed, the cell of the last contradiction, the messages sent before the attempt and until its first
# contradiction (0: there was none), and how often it was repaired.
ROUNDS, UPDATES, GUESSES, ROOT, LEFT, REACHED, FIXED, PLACE, BEFORE, FIRST_END, REPAIRS = range(11)
BUCKETS = 400


@record
class DecimationState(NamedTuple):
    """An attempt.

    ``share``: how likely each cell's likeliest value is. ``open``: the cells that are open, and ``order``, the surest
    first, sorted by ``bucket``. ``fixed``: what it has fixed, in order, as cell * values + value. ``failed``:
    contradictions by square of ``AREA`` cells. ``noise``: odds for repairs. ``was``: scratch, the words of the board.
    """

    share: Floats
    open: Ints
    order: Ints
    bucket: Ints
    fixed: Ints
    failed: Ints
    noise: Floats
    was: Words
    state: Ints


@inlined
def fill_shares(b: PropagationBoard, m: Beliefs, t: DecimationState) -> None:
    """How likely the likeliest value of each cell is, by the last messages of both its lines."""
    if b.colours == 1:  # several cells at a time
        for cell in range(b.height * b.width):
            odds = m.across[cell] * m.down[cell] * m.field[cell]
            t.share[cell] = max(odds, 1.0) / (1.0 + odds)
        return
    for cell in range(b.height * b.width):
        most = of_all = 1.0
        for k in range(cell * b.colours, (cell + 1) * b.colours):
            odds = m.across[k] * m.down[k] * m.field[k]
            of_all += odds
            most = max(most, odds)
        t.share[cell] = most / of_all


@inlined
def likeliest(m: Beliefs, cell: int | np.int64, colours: int) -> int:
    """The likeliest value of a cell."""
    most, value = 1.0, 0
    for c in range(colours):
        k = cell * colours + c
        odds = m.across[k] * m.down[k] * m.field[k]
        if odds > most:
            most, value = odds, c + 1
    return value


@inlined
def surest(b: PropagationBoard, m: Beliefs, t: DecimationState, share: float) -> tuple[int, int]:
    """Sort the surest of the open cells into ``order``: more than this share of them. How many are open, and sorted."""
    fill_shares(b, m, t)
    t.bucket[:] = 0
    many = 0
    for row in range(b.height):
        at, words = b.at[row], b.words[row]
        for block in range(words):
            once = still_open = ZERO
            for v in range(b.colours + 1):
                word = b.may[at + v * words + block]
                still_open |= once & word
                once |= word
            while still_open != ZERO:
                cell = row * b.width + (block << 6) + lowest(still_open)
                still_open &= still_open - ONE
                t.open[many] = cell
                many += 1
                t.bucket[1 + int((1.0 - t.share[cell]) * BUCKETS)] += 1
    last = 0
    while last < BUCKETS and t.bucket[last + 1] + t.bucket[last] <= share * many + 1:
        t.bucket[last + 1] += t.bucket[last]
        last += 1
    t.bucket[last + 1] += t.bucket[last]
    for i in range(many):
        bucket = int((1.0 - t.share[t.open[i]]) * BUCKETS)
        if bucket <= last:
            t.order[t.bucket[bucket]] = t.open[i]
            t.bucket[bucket] += 1
    return many, t.bucket[last]


@compiled
def fix(b: PropagationBoard, m: Beliefs, t: DecimationState, share: float, certain: float) -> bool:
    """Fix the surest of the open cells; False: some cell has no value left."""
    many, best = surest(b, m, t, share)
    for i in range(best):
        cell = t.order[i]
        if i > share * many and t.share[cell] < certain:
            break
        row, column, value = cell // b.width, cell % b.width, likeliest(m, cell, b.colours)
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
                t.state[PLACE] = cell
                return False
        else:
            t.fixed[t.state[FIXED]] = cell * (b.colours + 1) + value
            t.state[FIXED] += 1
        wake(b, m, mark, b.state[TRAIL])
    return True


@compiled
def fix_again(b: PropagationBoard, t: DecimationState) -> bool:
    """Fix at the root what the attempt had ``fixed``; False: it contradicts what is known there now."""
    values, possible = b.colours + 1, True
    t.state[ROOT] = b.state[TRAIL]
    for i in range(t.state[FIXED]):
        cell, value = t.fixed[i] // values, t.fixed[i] % values
        row, column = cell // b.width, cell % b.width
        possible &= may_be(b, row, column, value)
        if possible:
            assume(b, row, column, value)
    return bool(propagate(b, NEVER) != DEAD) and possible


@compiled
def suspend(b: PropagationBoard, t: DecimationState) -> None:
    """Undo what the attempt had fixed, and keep it."""
    for i in range(len(b.may)):
        t.was[i] = b.may[i]
    undo(b, t.state[ROOT])


@compiled
def resume(b: PropagationBoard, m: Beliefs, t: DecimationState) -> bool:
    """Fix it again; lines that are not as they ``was`` wait. False: it contradicts, and the root is left as it is."""
    allow_all_places(b, m)
    if not fix_again(b, t):
        undo(b, t.state[ROOT])
        return False
    for i in range(len(b.may)):
        if b.may[i] != t.was[i]:
            m.waits[b.owner[i]] = 1
    return True


@compiled
def next_radius(b: PropagationBoard, t: DecimationState) -> int:
    """How far around the last contradiction cells are opened; half as far again around the next one in its square."""
    row, column = t.state[PLACE] // b.width, t.state[PLACE] % b.width
    square = row // AREA * (b.width // AREA + 1) + column // AREA
    radius = RADIUS
    for _ in range(t.failed[square]):
        radius += radius // 2
    t.failed[square] += 1
    return radius


@compiled
def repair(b: PropagationBoard, m: Beliefs, t: DecimationState, patience: int) -> bool:
    """Open the cells around the last contradiction; False: the attempt is to end."""
    sent, radius = t.state[UPDATES] - t.state[BEFORE], next_radius(b, t)
    if t.state[FIRST_END] == 0:
        t.state[FIRST_END] = max(sent, 1)
    if radius > max(b.height, b.width) or sent > patience * t.state[FIRST_END]:
        return False
    suspend(b, t)
    row, column = t.state[PLACE] // b.width, t.state[PLACE] % b.width
    far, narrow, values, kept = LENGTH * radius, radius // LENGTH, b.colours + 1, 0
    for i in range(t.state[FIXED]):
        cell = t.fixed[i] // values
        down, right = abs(cell // b.width - row), abs(cell % b.width - column)
        least, most = min(down, right), max(down, right)
        if most > radius and (least > narrow or most > far):
            t.fixed[kept] = t.fixed[i]
            kept += 1
    t.state[FIXED] = kept
    if not resume(b, m, t):  # never: they did not contradict together with others
        return False
    t.state[REPAIRS] += 1
    shift = t.state[REPAIRS] * 7919
    for near in range(max(0, row - radius), min(b.height, row + radius + 1)):
        begin = (near * b.width + max(0, column - radius)) * b.colours
        end = (near * b.width + min(b.width, column + radius + 1)) * b.colours
        for k in range(begin, end):
            m.field[k] = t.noise[(k + shift) % len(t.noise)]
    t.state[ROUNDS] = SETTLING
    return True


@compiled
def begin_attempt(b: PropagationBoard, t: DecimationState, rounds: int) -> int:
    """Begin an attempt with so many ``rounds``; how much is unknown."""
    t.failed[:] = 0
    t.state[ROUNDS], t.state[ROOT], t.state[BEFORE] = rounds, b.state[TRAIL], t.state[UPDATES]
    t.state[FIXED] = t.state[FIRST_END] = 0
    t.state[REACHED] = max(1, unknown(b))
    return int(t.state[REACHED])


@compiled
def decimate(
    b: PropagationBoard,
    m: Beliefs,
    t: DecimationState,
    later: int,
    share: float,
    certain: float,
    patience: int,
    budget: int,
) -> int:
    """Go on with an attempt until it is FOUND: no more than ``LEFT`` is unknown; or STUCK, and undone.

    PAUSED after ``budget`` messages. ``patience``: see ``PATIENCE``; 0: no repairs.
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
            t.state[REACHED] = min(t.state[REACHED], unknown(b))
            if patience == 0 or not repair(b, m, t, patience):
                undo(b, t.state[ROOT])
                return STUCK
        else:
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


@cache
def _noise() -> Floats:
    """The odds for repairs, which take them in turns."""
    return shifted(SHIFT * rng.Rng(1).bells(4_093))


@lru_cache(maxsize=KEPT_SIZES)
def _decimation_layout(height: int, width: int, words: int) -> RecordLayout[DecimationState]:
    cells, squares = height * width, (height // AREA + 1) * (width // AREA + 1)
    whole = dict.fromkeys(("share", "open", "order"), (cells,))
    unset = whole | {"bucket": (BUCKETS + 2,), "fixed": (cells,), "was": (words,)}
    return RecordLayout(DecimationState, {"noise": _noise()}, {"failed": (squares,), "state": (11,)}, unset)


class Decimation:
    """Attempts on a board whose queue is empty; between attempts the board is as it was.

    ``under_way``: an attempt is on the board. ``suspended``: it is not, and is gone on with. ``nearest``: how much was
    unknown at a contradiction, as a share of what was when its attempt began; the least of all. ``before``: attempts
    that were no restarts.
    """

    def __init__(self, board: PropagationBoard, patience: int = PATIENCE) -> None:
        self.board, self.beliefs, self.patience = board, beliefs_of(board), patience
        self.attempt = _decimation_layout(board.height, board.width, len(board.may)).record()
        self.before, self.begun, self.found, self.under_way, self.suspended, self.spent_s = 1, 0, 0, False, False, 0.0
        self.share, self.nearest, self.opened = 0.0, 1.0, 1
        self.kept: tuple[Floats, Floats] | None = None
        lines = board.height + board.width
        self.first = min(FIRST[1], max(FIRST[0], lines // LINES_PER_ROUND))
        self.keep = int(KEEP * self.first) * lines

    @cached_property
    def stream(self) -> rng.Rng:
        """The random numbers that shift odds; most boards need none."""
        return rng.Rng(0)

    def release(self) -> None:
        """The search is over: its arrays, but not the board's, are for the next one."""
        release(self.beliefs)
        release(self.attempt)

    def beside(self) -> Decimation:
        """Another one, for attempts without repairs that take other ways, while this one's is suspended."""
        other = Decimation(self.board, patience=0)
        other.begun = other.before = self.begun
        other.kept, other.stream = self.kept, self.stream
        return other

    def go_on(self, most: int) -> int:
        """FOUND (``cells`` has the solution), STUCK (the next call restarts), or PAUSED after ``most`` messages.

        After PAUSED the board has the attempt's guesses on it.
        """
        if not self.under_way and not (self.suspended and resume(self.board, self.beliefs, self.attempt)):
            self._begin()
        self.under_way, self.suspended = True, False
        early = self.keep - self.updates if self.kept is None else 0
        most = min(most, early) if early > 0 else most
        begin = perf_counter()
        status = decimate(self.board, self.beliefs, self.attempt, LATER, self.share, CERTAIN, self.patience, most)
        self.spent_s += perf_counter() - begin
        if early > 0 and self.updates > self.keep and not self.attempt.state[GUESSES]:
            self.kept = self.beliefs.across.copy(), self.beliefs.down.copy()
        self.under_way = status == PAUSED or (status == FOUND and int(self.attempt.state[LEFT]) > 0)
        self.nearest = min(self.nearest, int(self.attempt.state[REACHED]) / self.opened)
        if status == FOUND:
            self.cells = cells_of(self.board)
            if not self.under_way:
                self.found += 1
                undo(self.board, int(self.attempt.state[ROOT]))
        return status

    def within(self, lines: int) -> Generator[Event, None, npt.NDArray[np.uint8] | None]:
        """Give a solution, if attempts find one within ``lines`` messages more; then the last one is suspended.

        So the board is as it was afterwards. It is suspended at a contradiction: without one it may be near its end.
        """
        until, piece, pace, repairs = self.updates + lines, PIECE * len(self.board.queue), Pace(EVERY), -1
        while self.updates < until or (self.under_way and repairs in (-1, self.repairs)):
            repairs = self.repairs if self.updates >= until else -1
            status = self.go_on(min(pace(), max(until - self.updates, piece)))
            yield from glimpse(self.seen)
            if status == FOUND:
                return self.cells.astype(np.uint8)
        if self.under_way:
            suspend(self.board, self.attempt)
            self.under_way, self.suspended = False, True
        return None

    def partly(self, left: int) -> Generator[Event, None, npt.NDArray[np.int64] | None]:
        """The cells of a new attempt (-1: open) once ``left`` values at most are unknown; None: it was stuck.

        ``to_the_end`` goes on from there; until then, or the next attempt, the board has its guesses.
        """
        if self.under_way:
            undo(self.board, int(self.attempt.state[ROOT]))
        self.under_way = self.suspended = False
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
        odds = np.where(cells < 0, filled(self.beliefs, self.board.colours).reshape(cells.shape), np.nan).astype(
            np.float32
        )
        guesses = int(self.attempt.state[FIXED]) if self.under_way else 0
        return Glimpse(f"belief propagation, attempt {self.begun}", Statistics.of(self.costs()), cells, odds, guesses)

    def _begin(self) -> None:
        m, kept = self.beliefs, self.kept if self.begun % 2 == 0 else None
        if self.begun:  # else the beliefs are new
            m.across[:], m.down[:] = kept or (1.0, 1.0)
            m.field[:] = shifted(NOISE[self.begun % len(NOISE)] * self.stream.bells(len(m.field)))
            m.waits[:] = 1
            allow_all_places(self.board, m)
        self.opened = begin_attempt(self.board, self.attempt, AGAIN if kept else self.first)
        self.share = min(LARGEST, STEP[self.begun % len(STEP)] / math.sqrt(max(1.0, self.opened / self.board.colours)))
        self.begun += 1

    @property
    def unknown(self) -> int:
        """How many values the board's cells have in all, beyond one each."""
        return int(unknown(self.board))

    @property
    def repairs(self) -> int:
        """How often attempts were repaired."""
        return int(self.attempt.state[REPAIRS])

    @property
    def updates(self) -> int:
        """How often a line has sent its messages."""
        return int(self.attempt.state[UPDATES])

    def costs(self) -> dict[str, float]:
        """The cost of all attempts so far, by fields of ``Statistics``, without the board's own counters."""
        return {
            "solve_s": self.spent_s,
            "lines_checked": self.updates,
            "assumptions": int(self.attempt.state[GUESSES]),
            "restarts": max(0, self.begun - self.before),
        }


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
        about = {"solve_s": root_s, "lines_checked": counters[0], "contradictions": counters[1]}
        return Statistics.of(about, decimation.costs())

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
