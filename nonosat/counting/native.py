"""Searches that count natively, as generators of events, so that they run here or under limits alike."""

from __future__ import annotations

import math
from collections.abc import Generator, Iterator
from contextlib import closing
from dataclasses import replace
from functools import cached_property
from time import perf_counter
from typing import Any

import numpy as np
import numpy.typing as npt

from nonosat.compiled import ready
from nonosat.counting.answer import CountBounds, Estimate
from nonosat.counting.backbones import SOLVER, BackboneQueries
from nonosat.counting.bethe import bethe
from nonosat.counting.components import parts_of
from nonosat.counting.diagram import (
    GUESSES,
    MANY,
    NODES,
    RESULT,
    Diagram,
    DiagramValues,
    bytes_of,
    empty_diagram,
    frames_of,
    grown,
    grown_frames,
)
from nonosat.counting.search import BY_COLUMNS, BY_PROBES, BY_ROWS, DONE, FULL, at_least, search
from nonosat.counting.sweep.counts import MET, STOPPED, Drawer, Sweep
from nonosat.encodings.registry import default_for
from nonosat.encodings.registry import encoding as encoding_named
from nonosat.errors import UnsupportedError
from nonosat.puzzles.nonogram import Nonogram
from nonosat.puzzles.puzzle import Given, derived
from nonosat.rng import Rng
from nonosat.runs.events import Finished, Progress, Statistics, Stopped, Verdict
from nonosat.solvers.formulas import formula_of
from nonosat.solvers.propagation.board import (
    CONTRADICTIONS,
    DEAD,
    LINES,
    NEVER,
    PAUSED,
    REMEMBER,
    board_of,
    cells_of,
    propagate,
)
from nonosat.solvers.propagation.probing import PROBES, probes_of
from nonosat.solvers.sat.session import session_of

# Searches in several orders, which write one diagram, and a sweep, by turns: the first that is through has counted.


FIRST = 4_000
"""Lines of the first turn of each order; each later turn has twice as many."""
EVERY = 100_000
"""Lines until the compiled code comes back, so that Ctrl-C is heard and something is told: some 0.1 s."""
ROOM_MB = 4096
"""Memory of the diagram at most, MiB."""
OUT_OF_ROOM = 4
"""What ``Turns.go_on`` says, beside PAUSED and DONE: the diagram takes all the room that it may."""
LATER = 8 * FIRST
"""The sweep has its first turn when the orders have turns of so many lines: most boards are counted before."""
REACH = 1e12
"""A sweep that takes more additions is not tried: some half an hour."""
ADDITIONS = 400
"""Additions of a sweep while a line is settled."""
SHARE = 3
"""How much longer the sweep's turns are than those of all orders, once it is known that it is within reach."""

ORDERS = (BY_PROBES, BY_ROWS, BY_COLUMNS)


class CounterPortfolio:
    """A count of ``puzzle`` that can be gone on with. ``known``: the cells that lines alone tell, -1 for the others.

    ``orders``: of the searches through components; after each round of them a sweep has its turn, if there is to be one
    (``sweeping``) and it is not out of reach. ``keep``: solutions are to be drawn afterwards.
    """

    def __init__(
        self,
        puzzle: Nonogram,
        orders: tuple[int, ...] = ORDERS,
        room_mb: float = ROOM_MB,
        sweeping: bool = True,
        keep: bool = False,
    ) -> None:
        self.puzzle, self.cells = puzzle, puzzle.height * puzzle.width
        if self.cells * (puzzle.colours + 1) >= 2**31:
            raise UnsupportedError(f"a board of {puzzle.height}x{puzzle.width} is too large to be counted")
        self.room = int(room_mb * 2**20)
        self.diagram: Diagram = empty_diagram()
        self.root = 0
        self.first = board_of(puzzle)
        self.dead = propagate(self.first, NEVER) == DEAD
        self.known = cells_of(self.first)
        self.boards = [board_of(puzzle) for _ in orders]
        for board in self.boards:
            propagate(board, NEVER)
            board.state[REMEMBER] = len(board.memo) // (board.colours + 1)
        self.frames = [frames_of(board) for board in self.boards]
        self.others = [
            (order, probes_of(board), parts_of(board)) for order, board in zip(orders, self.boards, strict=True)
        ]
        self.sweeping, self.may_sweep, self.keep = sweeping, sweeping, keep
        self.sweep: Sweep | None = None
        self.turn, self.left, self.budget = 0, FIRST, FIRST
        self.done = self.full = self.swept = False
        self.before = Statistics()
        """What was spent on this count before these turns began."""

    @property
    def lines(self) -> int:
        """How many lines have been settled."""
        return sum(int(board.state[LINES]) for board in self.boards)

    def go_on(self) -> int:
        """PAUSED, DONE or OUT_OF_ROOM, after some 0.1 s."""
        if self.dead:
            self.done = True
            return DONE
        if self.turn == len(self.boards):
            return self._sweep_on()
        i = self.turn
        board, (order, probes, parts) = self.boards[i], self.others[i]
        before, budget = int(board.state[LINES]), min(EVERY, self.left)
        said = search(board, probes, parts, self.diagram, self.frames[i], order, budget)
        self.left -= int(board.state[LINES]) - before
        if said == DONE:
            self.root, self.done = int(self.frames[i].state[RESULT]), True
            return DONE
        if said == FULL:
            taken = 0 if self.sweep is None else self.sweep.bytes
            if 2 * bytes_of(self.diagram) + taken > self.room:  # growing doubles what is full
                self.full, self.turn = True, len(self.boards)
                return PAUSED if self.sweep is not None else OUT_OF_ROOM
            self.diagram = grown(self.diagram, self.cells)
            self.frames[i] = grown_frames(self.frames[i], self.cells)
        elif self.left <= 0:
            self.turn, self.left = i + 1, self.budget
            if self.turn == len(self.boards):
                share = SHARE if self.sweep is not None and self.sweep.planned else 1
                self.left = share * len(self.boards) * self.budget * ADDITIONS
        return PAUSED

    def _sweep_on(self) -> int:
        """Give the sweep its turn."""
        alone = self.full or not self.boards
        if self.sweeping and (self.budget >= LATER or alone):
            self.sweeping = False  # it is tried once
            self.sweep = Sweep(self.puzzle, self.first, self.keep, math.inf if alone else REACH)
        if self.sweep is not None:
            before, most = self.sweep.work, EVERY * ADDITIONS
            said = self.sweep.go_on(most if alone else min(most, self.left), self.room - bytes_of(self.diagram))
            self.left -= self.sweep.work - before
            if said == MET:
                self.done = self.swept = True
                return DONE
            if said == STOPPED:
                self.sweep = None
        if self.sweep is None and alone:
            return OUT_OF_ROOM
        if not alone and (self.sweep is None or self.left <= 0):
            self.turn, self.budget = 0, 2 * self.budget
            self.left = self.budget
        return PAUSED

    def given(self, cells: npt.NDArray[np.int64], spent: Statistics) -> CounterPortfolio:
        """The same count from its beginning, with these ``cells`` (-1: open), which all solutions share.

        ``spent``: what finding them has cost.
        """
        places = np.argwhere(cells >= 0).tolist()
        given = tuple(Given(row, column, int(cells[row, column])) for row, column in places)
        known = derived(self.puzzle, given=given)
        orders = tuple(order for order, _, _ in self.others)
        again = CounterPortfolio(known, orders, self.room / 2**20, self.may_sweep, self.keep)
        again.before = spent
        return again

    @property
    def counter(self) -> str:
        """Who was through first."""
        return "sweep" if self.swept else "components"

    @cached_property
    def solutions(self) -> int:
        """How many there are, when it is DONE."""
        return self.sweep.solutions if self.swept and self.sweep is not None else self.reading.solutions

    @cached_property
    def drawer(self) -> Drawer:
        """Draws from a sweep that is done and has kept its layers."""
        assert self.sweep is not None
        return Drawer(self.sweep)

    @cached_property
    def reading(self) -> DiagramValues:
        """What the diagram tells, when it is DONE."""
        return DiagramValues(self.diagram, self.root)

    def draw(self, chance: Rng) -> npt.NDArray[np.uint8]:
        """A solution, each as likely as any other; shape (rows, columns)."""
        if self.swept and self.sweep is not None:
            return self.drawer.draw(chance)
        flat = self.reading.draw(chance, self.cells, self.puzzle.colours + 1)
        return flat.reshape(self.puzzle.height, self.puzzle.width)

    def at_least(self) -> int:
        """How many solutions have been counted so far, by the order that has counted most."""
        found = max((int(at_least(self.diagram, frames)) for frames in self.frames), default=0)
        return min(found, int(MANY))

    def statistics(self, solve_s: float) -> Statistics:
        """What the searches have cost."""
        about = Statistics(
            solve_s=solve_s,
            lines_checked=self.lines,
            assumptions=sum(int(frames.state[GUESSES]) for frames in self.frames),
            probes=sum(int(probes.state[PROBES]) for _, probes, _ in self.others),
            nodes=sum(int(frames.state[NODES]) for frames in self.frames) + self._additions(),
            contradictions=sum(int(board.state[CONTRADICTIONS]) for board in self.boards),
        )
        return self.before.plus(about)

    def _additions(self) -> int:
        """How many the sweep has made."""
        return 0 if self.sweep is None else self.sweep.work


def counted(puzzle: Nonogram, orders: tuple[int, ...] = ORDERS) -> tuple[Diagram, int]:
    """The diagram of ``puzzle`` and its root, however long that takes."""
    turns = CounterPortfolio(puzzle, orders, sweeping=False)
    begin = perf_counter()
    while (said := turns.go_on()) == PAUSED:
        pass
    if said == OUT_OF_ROOM:
        raise UnsupportedError(f"no room for the diagram after {perf_counter() - begin:.0f} s")
    return turns.diagram, turns.root


# The course of a count: its events until it is done, and what all solutions share, found by SAT, if that is not soon.
#
# A count by components learns nothing from its dead ends, and where lines settle few cells it walks through many boards
# that have no solution. A solver that learns from conflicts tells for little which cells are the same in all solutions;
# with these given the count begins anew, on a puzzle that has the same solutions.


ALONE = 100_000
"""Lines that a count settles before SAT is asked: some 0.02 s. Each later turn of both is twice as long."""
PROPAGATIONS = 4
"""Propagations of the SAT solver while a line is settled."""
CONFLICT = 200
"""Propagations a conflict, of the limit of one question."""
LARGEST = 5_000_000
"""Places of all runs together, at most (200x200 has some two million): a formula for more takes gigabytes."""


def run(
    turns: CounterPortfolio, begin: float, most: int | None = None
) -> Generator[CountBounds | Progress | Stopped, None, int]:
    """Go on until the count is done, or ``most`` lines were settled; returns DONE, PAUSED or OUT_OF_ROOM.

    The last event is Stopped if it is out of room.
    """
    said, told = turns.go_on(), False
    while said == PAUSED and (most is None or turns.lines < most):
        if not told and perf_counter() - begin > 0.05:
            told = True
            if (guess := bethe(turns.puzzle)) is not None:
                yield CountBounds(estimate=Estimate(guess, "Bethe"))
        yield CountBounds(at_least=turns.at_least())
        yield Progress("counting", turns.statistics(perf_counter() - begin))
        said = turns.go_on()
    if said == OUT_OF_ROOM:
        yield CountBounds(at_least=turns.at_least())
        yield Stopped(Verdict.MEMOUT, f"it takes more than {ROOM_MB} MiB, or more than a word counts")
    return said


def narrowed(
    turns: CounterPortfolio, begin: float
) -> Generator[CountBounds | Progress | Stopped, None, CounterPortfolio]:
    """As ``run``, with SAT asked in turns what all solutions share; returns the turns that are done, if they are."""
    if (yield from run(turns, begin, ALONE)) != PAUSED:
        return turns
    if places(turns.puzzle) > LARGEST:
        yield from run(turns, begin)
        return turns
    formula, about = formula_of(turns.puzzle, encoding_named(default_for(turns.puzzle), turns.puzzle.kind))
    with closing(session_of(SOLVER, formula.cnf)) as session:
        asked, budget = BackboneQueries(formula, session, turns.known), ALONE
        while not _ask(asked, PROPAGATIONS * budget):
            yield Progress("counting", turns.statistics(perf_counter() - begin))
            budget *= 2
            if (yield from run(turns, begin, turns.lines + budget)) != PAUSED:
                return turns
        about = session.statistics(about)
    # what SAT and its formula took is on the clock of the count, which goes on
    spent = turns.statistics(0.0).plus(replace(about, load_s=None, solve_s=None, encode_s=None))
    if not asked.seen:
        turns.dead = True
    elif int((asked.settled >= 0).sum()) > int((turns.known >= 0).sum()):
        turns = turns.given(asked.settled, spent)
    yield from run(turns, begin)
    return turns


def places(puzzle: Nonogram) -> int:
    """At how many places runs may begin, of all runs together; never too few.

    >>> places(Nonogram.from_lengths([[1], [2]], [[1], [2]]))
    6
    """
    lines = ((puzzle.rows, puzzle.width), (puzzle.columns, puzzle.height))
    return sum(len(clue) * (length - sum(run.length for run in clue) + 1) for clues, length in lines for clue in clues)


def _ask(asked: BackboneQueries, propagations: int) -> bool:
    """Ask for so many ``propagations``; is it known what all solutions share, or that there are none?"""
    conflicts = max(1, propagations // CONFLICT)
    until = asked.propagations + propagations
    if not asked.seen:
        model = asked.session.solve((), conflicts)
        if model is None:
            return not asked.session.gave_up
        asked.saw(model)
    while asked.open():
        if asked.propagations > until:
            return False
        asked.ask(conflicts)
    return True


Cells = npt.NDArray[np.int64]
Events = Iterator[CountBounds | Progress | Finished | Stopped]
BACKBONE_LINES = 1_000_000
"""Lines that a count may take before a SAT solver is asked for the backbone: a second or less."""
FEW_LINES = BACKBONE_LINES // 10
"""The same where there are more than 10**MANY_DIGITS solutions by Bethe's estimate."""
MANY_DIGITS = 6.0


def count(puzzle: Nonogram, who: str) -> Events:
    """Count all solutions: ``who`` is ``components``, ``sweep``, or ``turns``, which is both."""
    yield Progress("counting")
    begin = perf_counter()
    if who == "turns":
        turns = yield from narrowed(
            CounterPortfolio(puzzle), begin
        )  # it may leave those for others, whose memory is free then
    else:
        turns = CounterPortfolio(puzzle, () if who == "sweep" else ORDERS, sweeping=who == "sweep")
        yield from run(turns, begin)
    if not turns.done:
        return
    yield CountBounds(solutions=turns.solutions, counter=turns.counter)
    yield Finished(True, turns.statistics(perf_counter() - begin))


def estimate(puzzle: Nonogram) -> Events:
    """Bethe's estimate alone."""
    yield Progress("estimating")
    begin = perf_counter()
    if (guess := bethe(puzzle)) is not None:
        yield CountBounds(estimate=Estimate(guess, "Bethe"))
    yield Finished(False, Statistics(solve_s=perf_counter() - begin))


def sample(puzzle: Nonogram, draws: int, seed: int) -> Events:
    """Count all solutions, and draw some."""
    yield Progress("counting")
    begin = perf_counter()
    turns = yield from narrowed(CounterPortfolio(puzzle, keep=True), begin)
    if not turns.done:
        return
    yield CountBounds(solutions=turns.solutions, counter=turns.counter)
    if turns.solutions:
        yield Progress("drawing", turns.statistics(perf_counter() - begin))
        chance = Rng(seed)
        yield CountBounds(boards=np.stack([turns.draw(chance) for _ in range(draws)]))
    yield Finished(True, turns.statistics(perf_counter() - begin))


def backbone(puzzle: Nonogram, exact: bool, settled: Cells | None) -> Generator[Any, None, tuple[bool, Any]]:
    """The backbone, if a short count tells (``exact``: however long it takes): see ``own.Own``."""
    yield Progress("counting")
    begin = perf_counter()
    if exact:
        turns = yield from narrowed(CounterPortfolio(puzzle, sweeping=False), begin)  # shares are read off a diagram
        if not turns.done:
            return True, turns.known
    else:
        turns = CounterPortfolio(puzzle, sweeping=False)
        if settled is not None:
            turns = turns.given(settled, Statistics())
        for most in (FEW_LINES, BACKBONE_LINES):
            yield from run(turns, begin, most)
            if turns.done or (guess := bethe(puzzle)) is None or guess > MANY_DIGITS:
                break
    if turns.done:
        yield from shares(turns, begin)
    return turns.done, turns.known


def shares(turns: CounterPortfolio, begin: float) -> Events:
    """What a count that is done tells of every cell."""
    puzzle, reading = turns.puzzle, DiagramValues(turns.diagram, turns.root)
    yield CountBounds(solutions=reading.solutions)
    if turns.root:
        shape = (puzzle.height, puzzle.width, puzzle.colours + 1)
        found, possible = reading.shares(turns.cells, puzzle.colours + 1)
        yield CountBounds(shares=found.reshape(shape), possible=possible.reshape(shape))
    yield Finished(True, turns.statistics(perf_counter() - begin))


ready(__name__)
