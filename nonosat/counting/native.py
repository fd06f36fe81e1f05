"""Native counts of nonograms, as generators of events: exact, estimated, drawn from, and their backbones."""

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
from nonosat.counting.backbones import SOLVER, BackboneQueries, Cells, Events
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
from nonosat.counting.sweep.frontier import FrontierSweep
from nonosat.encodings.registry import encoding_of
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
    board_of,
    cells_of,
    propagate,
    remember,
)
from nonosat.solvers.propagation.probing import PROBES, probes_of
from nonosat.solvers.sat.session import Session, session_of

# A portfolio of counters: searches in several orders, which share one diagram, and a sweep. They run alternately in
# slices of work; the first that ends has counted.


FIRST = 4_000
"""Lines of the first slice of each order; the slices of each later round are twice as long."""
EVERY = 100_000
"""Lines until the compiled code comes back, for Ctrl-C and for progress: some 0.1 s."""
ROOM_MB = 4096
"""Memory of the diagram at most, MiB."""
OUT_OF_ROOM = 4
"""A third status of ``CounterPortfolio.go_on``, after PAUSED and DONE: the diagram takes all the room that it may."""
LATER = 8 * FIRST
"""The sweep begins when the slices of the orders are this long: most boards are counted before."""
REACH = 1e12
"""A sweep that takes more additions, some half an hour, is not tried."""
ADDITIONS = 400
"""Additions of a sweep while a line is checked."""
SHARE = 3
"""How much longer the sweep's slices are than those of all orders, once it is known that it is within reach."""
LIVE = 4
"""How much longer the slices of the sweep over live states are than those of all others. If it is known how long the
sweep over all states still takes, it has none once it has taken as long.
"""

ORDERS = (BY_PROBES, BY_ROWS, BY_COLUMNS)


class CounterPortfolio:
    """A count of ``puzzle`` in steps. ``fixed``: the cells that lines alone fix, -1 for the others.

    ``orders``: of the searches through components. After each round of them a sweep has its slice, if there is to be
    one (``sweeping``) and it is not out of reach. ``keep``: solutions are to be drawn afterwards.
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
        self.root_board = board_of(puzzle)
        self.unsatisfiable = propagate(self.root_board, NEVER) == DEAD
        self.fixed = cells_of(self.root_board)
        self.boards = [board_of(puzzle) for _ in orders]
        for board in self.boards:
            propagate(board, NEVER)
            remember(board)
        self.frames = [frames_of(board) for board in self.boards]
        self.searches = [
            (order, probes_of(board), parts_of(board)) for order, board in zip(orders, self.boards, strict=True)
        ]
        self.sweeping, self.may_sweep, self.keep = sweeping, sweeping, keep
        self.sweep: Sweep | None = None
        self.current, self.left, self.slice = 0, FIRST, FIRST
        self.frontier: FrontierSweep | None = None
        """The sweep over live states, if it has counted."""
        self.done = self.full = self.swept = False
        self.before = Statistics()
        """What was spent on this count before this portfolio began."""

    @property
    def bytes(self) -> int:
        """The memory that it takes."""
        return bytes_of(self.diagram) + (0 if self.sweep is None else self.sweep.bytes)

    @property
    def lines(self) -> int:
        """How many lines have been checked."""
        return sum(int(board.state[LINES]) for board in self.boards)

    def steps(self, work: int | None = None) -> Iterator[int]:
        """The status after each step, until the count is DONE or OUT_OF_ROOM, or ``work`` lines have been checked."""
        status = PAUSED
        while status == PAUSED:
            status = self.go_on()
            yield status
            if work is not None and self.lines >= work:
                return

    def go_on(self) -> int:
        """Take a step of some 0.1 s; the status: PAUSED, DONE or OUT_OF_ROOM."""
        if self.unsatisfiable:
            self.done = True
            return DONE
        if self.current == len(self.boards):
            return self._sweep_on()
        i = self.current
        board, (order, probes, parts) = self.boards[i], self.searches[i]
        before, budget = int(board.state[LINES]), min(EVERY, self.left)
        status = search(board, probes, parts, self.diagram, self.frames[i], order, budget)
        self.left -= int(board.state[LINES]) - before
        if status == DONE:
            self.root, self.done = int(self.frames[i].state[RESULT]), True
            return DONE
        if status == FULL:
            taken = 0 if self.sweep is None else self.sweep.bytes
            if 2 * bytes_of(self.diagram) + taken > self.room:  # growing doubles what is full
                self.full, self.current = True, len(self.boards)
                return PAUSED if self.sweep is not None else OUT_OF_ROOM
            self.diagram = grown(self.diagram, self.cells)
            self.frames[i] = grown_frames(self.frames[i], self.cells)
        elif self.left <= 0:
            self.current, self.left = i + 1, self.slice
            if self.current == len(self.boards):
                share = SHARE if self.sweep is not None and self.sweep.planned else 1
                self.left = share * len(self.boards) * self.slice * ADDITIONS
        return PAUSED

    def _sweep_on(self) -> int:
        """Take a step of the sweep."""
        alone = self.full or not self.boards
        if self.sweeping and (self.slice >= LATER or alone):
            self.sweeping = False  # it is tried once
            self.sweep = Sweep(self.puzzle, self.root_board, self.keep, math.inf if alone else REACH)
        if self.sweep is not None:
            before, most = self.sweep.work, EVERY * ADDITIONS
            status = self.sweep.go_on(most if alone else min(most, self.left), self.room - bytes_of(self.diagram))
            self.left -= self.sweep.work - before
            if status == MET:
                self.done = self.swept = True
                return DONE
            if status == STOPPED:
                self.sweep = None
        if self.sweep is None and alone:
            return OUT_OF_ROOM
        if not alone and (self.sweep is None or self.left <= 0):
            self.current, self.slice = 0, 2 * self.slice
            self.left = self.slice
        return PAUSED

    def with_fixed(self, cells: Cells, spent: Statistics) -> CounterPortfolio:
        """The same count from its beginning, with these ``cells`` (-1: open) of the backbone given.

        ``spent``: what finding them has cost.
        """
        places = np.argwhere(cells >= 0).tolist()
        given = tuple(Given(row, column, int(cells[row, column])) for row, column in places)
        puzzle = derived(self.puzzle, given=given)
        orders = tuple(order for order, _, _ in self.searches)
        again = CounterPortfolio(puzzle, orders, self.room / 2**20, self.may_sweep, self.keep)
        again.before = spent
        return again

    @property
    def counter(self) -> str:
        """Which counter ended first."""
        return "frontier" if self.frontier is not None else "sweep" if self.swept else "components"

    @cached_property
    def solutions(self) -> int:
        """The number of solutions, when the count is DONE."""
        if self.frontier is not None:
            return self.frontier.solutions
        return self.sweep.solutions if self.swept and self.sweep is not None else self.reading.solutions

    @cached_property
    def estimate(self) -> Estimate | None:
        """Bethe's estimate, if there is one."""
        return bethe_estimate(self.puzzle)

    @cached_property
    def drawer(self) -> Drawer:
        """Draws from a sweep that is done and has kept its layers."""
        assert self.sweep is not None
        return Drawer(self.sweep)

    @cached_property
    def reading(self) -> DiagramValues:
        """The values of the diagram, when the count is DONE by components."""
        return DiagramValues(self.diagram, self.root)

    def draw(self, rng: Rng) -> npt.NDArray[np.uint8]:
        """A solution, each as likely as any other; shape (rows, columns)."""
        if self.swept and self.sweep is not None:
            return self.drawer.draw(rng)
        flat = self.reading.draw(rng, self.cells, self.puzzle.colours + 1)
        return flat.reshape(self.puzzle.height, self.puzzle.width)

    def at_least(self) -> int:
        """How many solutions have been counted so far, by the order that has counted most."""
        found = max((int(at_least(self.diagram, frames)) for frames in self.frames), default=0)
        return min(found, int(MANY))

    def statistics(self, solve_s: float) -> Statistics:
        """What the searches have cost."""
        additions = 0 if self.sweep is None else self.sweep.work
        crossed = 0 if self.frontier is None else self.frontier.crossed
        cost = Statistics(
            solve_s=solve_s,
            lines_checked=self.lines,
            assumptions=sum(int(frames.state[GUESSES]) for frames in self.frames),
            probes=sum(int(probes.state[PROBES]) for _, probes, _ in self.searches),
            nodes=sum(int(frames.state[NODES]) for frames in self.frames) + additions + crossed,
            contradictions=sum(int(board.state[CONTRADICTIONS]) for board in self.boards),
        )
        return self.before.plus(cost)


def counted(puzzle: Nonogram, orders: tuple[int, ...] = ORDERS) -> tuple[Diagram, int]:
    """The diagram of ``puzzle`` and its root, however long that takes."""
    portfolio, begin = CounterPortfolio(puzzle, orders, sweeping=False), perf_counter()
    *_, status = portfolio.steps()
    if status == OUT_OF_ROOM:
        raise UnsupportedError(f"no room for the diagram after {perf_counter() - begin:.0f} s")
    return portfolio.diagram, portfolio.root


# Counts as events. A count by components learns nothing from its dead ends: where lines fix few cells, it walks through
# many boards that have no solution. A SAT solver, which learns from conflicts, finds the backbone at little cost. With
# the backbone given the count begins again, on a puzzle that has the same solutions.


ALONE = 100_000
"""Lines that a count checks before a SAT solver begins: some 0.02 s. Each later slice of both is twice as long."""
PROPAGATIONS = 4
"""Propagations of the SAT solver while a line is checked."""
CONFLICT = 200
"""Propagations that stand for a conflict in the limit of one query."""
LARGEST = 5_000_000
"""Places of all runs together, at most (200x200 has some two million): a formula for more takes gigabytes."""
NO_ROOM = Stopped(Verdict.MEMOUT, f"it takes more than {ROOM_MB} MiB, or more than a word counts")


def run(
    portfolio: CounterPortfolio, begin: float, work: int | None = None
) -> Generator[CountBounds | Progress | Stopped, None, int]:
    """Count to the end, or until ``work`` lines have been checked; returns the last status.

    The last event is Stopped if the count is out of room. ``begin``: when the clock started.
    """
    status, estimated = PAUSED, False
    for status in portfolio.steps(work):
        if status != PAUSED:
            break
        if not estimated and perf_counter() - begin > 0.05:
            estimated = True
            yield CountBounds(estimate=portfolio.estimate)
        yield CountBounds(at_least=portfolio.at_least())
        yield Progress("counting", portfolio.statistics(perf_counter() - begin))
    if status == OUT_OF_ROOM:
        yield CountBounds(at_least=portfolio.at_least())
        yield NO_ROOM
    return status


def run_with_backbone(
    portfolio: CounterPortfolio, begin: float
) -> Generator[CountBounds | Progress | Stopped, None, CounterPortfolio]:
    """As ``run``, alternately with a search for the backbone; returns the portfolio that is done, if one is."""
    if (yield from run(portfolio, begin, ALONE)) != PAUSED:
        return portfolio
    if places(portfolio.puzzle) > LARGEST:
        yield from run(portfolio, begin)
        return portfolio
    formula, cost = formula_of(portfolio.puzzle, encoding_of(portfolio.puzzle))
    with closing(session_of(SOLVER, formula.cnf)) as session:
        queries, budget = BackboneQueries(formula, session, portfolio.fixed), ALONE
        while not _query(queries, PROPAGATIONS * budget):
            yield Progress("counting", portfolio.statistics(perf_counter() - begin))
            budget *= 2
            if (yield from run(portfolio, begin, portfolio.lines + budget)) != PAUSED:
                return portfolio
        again, before = narrowed(portfolio, queries), Statistics()
        if again is not portfolio:  # else its own statistics have what it has cost so far
            portfolio, before = again, portfolio.statistics(0.0)
        frontier = None
        if portfolio.may_sweep and not portfolio.keep and not portfolio.unsatisfiable:
            frontier = FrontierSweep(portfolio.puzzle, portfolio.root_board, formula, session)
        budget = ALONE
        while (yield from run(portfolio, begin, None if frontier is None else portfolio.lines + budget)) == PAUSED:
            assert frontier is not None
            left = math.inf if portfolio.sweep is None else portfolio.sweep.left / ADDITIONS - frontier.work
            status = yield from advance(portfolio, frontier, min(LIVE * budget, left), begin)
            frontier = None if status == STOPPED else frontier
            if portfolio.done:
                break
            budget *= 2
        portfolio.before = before.plus(cost_of(session, cost))
    return portfolio


def run_frontier(
    portfolio: CounterPortfolio, begin: float
) -> Generator[CountBounds | Progress | Stopped, None, CounterPortfolio]:
    """Find the backbone, and count by the sweep over live states alone; returns the portfolio that is done, if so."""
    if portfolio.unsatisfiable:
        portfolio.done = True
        return portfolio
    if places(portfolio.puzzle) > LARGEST:
        yield NO_ROOM
        return portfolio
    formula, cost = formula_of(portfolio.puzzle, encoding_of(portfolio.puzzle))
    with closing(session_of(SOLVER, formula.cnf)) as session:
        queries = BackboneQueries(formula, session, portfolio.fixed)
        while not _query(queries, PROPAGATIONS * EVERY):
            yield CountBounds(at_least=queries.seen)
            yield Progress("counting", portfolio.statistics(perf_counter() - begin))
        yield CountBounds(at_least=queries.seen, estimate=portfolio.estimate)
        portfolio = narrowed(portfolio, queries)
        frontier = FrontierSweep(portfolio.puzzle, portfolio.root_board, formula, session)
        portfolio.done, status = portfolio.unsatisfiable, PAUSED
        while status == PAUSED and not portfolio.done:
            status = yield from advance(portfolio, frontier, EVERY, begin)
        if status == STOPPED:
            yield NO_ROOM
        portfolio.before = cost_of(session, cost)
    return portfolio


def narrowed(portfolio: CounterPortfolio, queries: BackboneQueries) -> CounterPortfolio:
    """The same count, with the backbone that the ``queries`` have found given, if that is more than was known."""
    if queries.unsatisfiable:
        portfolio.unsatisfiable = True
    elif int((queries.fixed >= 0).sum()) > int((portfolio.fixed >= 0).sum()):
        spent = cost_of(queries.session, portfolio.statistics(0.0))
        return portfolio.with_fixed(queries.fixed, spent)
    return portfolio


def cost_of(session: Session, before: Statistics) -> Statistics:
    """``before`` and what SAT has cost, without its times: the clock of the count includes them."""
    return replace(session.statistics(before), load_s=None, solve_s=None, encode_s=None)


def advance(
    portfolio: CounterPortfolio, frontier: FrontierSweep, lines: float, begin: float
) -> Generator[Progress, None, int]:
    """Go on with the sweep over live states for so many ``lines``; if it has MET, the ``portfolio`` is done."""
    until, status = frontier.work + lines, PAUSED
    while status == PAUSED and frontier.work < until:
        status = frontier.go_on(EVERY, portfolio.room - portfolio.bytes)
        yield Progress("counting", portfolio.statistics(perf_counter() - begin))
    if status == MET:
        portfolio.frontier, portfolio.done = frontier, True
    return status


def places(puzzle: Nonogram) -> int:
    """At how many places runs may begin, of all runs together; never too few.

    >>> places(Nonogram.from_lengths([[1], [2]], [[1], [2]]))
    6
    """
    lines = ((puzzle.rows, puzzle.width), (puzzle.columns, puzzle.height))
    return sum(len(clue) * (length - sum(run.length for run in clue) + 1) for clues, length in lines for clue in clues)


def _query(queries: BackboneQueries, propagations: int) -> bool:
    """Query the solver until the backbone is complete (True), or so many ``propagations`` are spent (False)."""
    until = queries.propagations + propagations
    while not queries.complete:
        if queries.propagations > until:
            return False
        queries.query(max(1, propagations // CONFLICT))
        if not queries.seen and queries.session.gave_up:
            return False
    return True


BACKBONE_LINES = 1_000_000
"""Lines that a count may take before a SAT solver looks for the backbone: a second or less."""
FEW_LINES = BACKBONE_LINES // 10
"""The same where there are more than 10**MANY_DIGITS solutions by Bethe's estimate."""
MANY_DIGITS = 6.0


def count(puzzle: Nonogram, who: str) -> Events:
    """Count all solutions: ``who`` is ``components``, ``sweep``, ``frontier``, or ``turns``, which is all of them."""
    yield Progress("counting")
    begin = perf_counter()
    if who == "turns":  # no name holds the first portfolio, so that its memory is freed if another one replaces it
        portfolio = yield from run_with_backbone(CounterPortfolio(puzzle), begin)
    elif who == "frontier":
        portfolio = yield from run_frontier(CounterPortfolio(puzzle, ()), begin)
    else:
        portfolio = CounterPortfolio(puzzle, () if who == "sweep" else ORDERS, sweeping=who == "sweep")
        yield from run(portfolio, begin)
    if not portfolio.done:
        return
    yield CountBounds(solutions=portfolio.solutions, counter=portfolio.counter)
    yield Finished(True, portfolio.statistics(perf_counter() - begin))


def bethe_estimate(puzzle: Nonogram) -> Estimate | None:
    """Bethe's estimate of the number of solutions; None: there is none."""
    log10 = bethe(puzzle)
    return None if log10 is None else Estimate(log10, "Bethe")


def estimate(puzzle: Nonogram) -> Events:
    """Bethe's estimate alone."""
    yield Progress("estimating")
    begin = perf_counter()
    yield CountBounds(estimate=bethe_estimate(puzzle))
    yield Finished(False, Statistics(solve_s=perf_counter() - begin))


def sample(puzzle: Nonogram, draws: int, seed: int) -> Events:
    """Count all solutions, and draw some."""
    yield Progress("counting")
    begin = perf_counter()
    portfolio = yield from run_with_backbone(CounterPortfolio(puzzle, keep=True), begin)
    if not portfolio.done:
        return
    yield CountBounds(solutions=portfolio.solutions, counter=portfolio.counter)
    if portfolio.solutions:
        yield Progress("drawing", portfolio.statistics(perf_counter() - begin))
        rng = Rng(seed)
        yield CountBounds(boards=np.stack([portfolio.draw(rng) for _ in range(draws)]))
    yield Finished(True, portfolio.statistics(perf_counter() - begin))


def backbone(puzzle: Nonogram, exact: bool, fixed: Cells | None) -> Generator[Any, None, tuple[bool, Any]]:
    """The backbone, if a short count gives it (``exact``: however long it takes): see ``count.NativeCounters``."""
    yield Progress("counting")
    begin = perf_counter()
    if exact:
        portfolio = yield from run_with_backbone(CounterPortfolio(puzzle, sweeping=False), begin)  # see ``shares``
        if not portfolio.done:
            return True, portfolio.fixed
    else:
        portfolio = CounterPortfolio(puzzle, sweeping=False)
        if fixed is not None:
            portfolio = portfolio.with_fixed(fixed, Statistics())
        for work in (FEW_LINES, BACKBONE_LINES):
            yield from run(portfolio, begin, work)
            if portfolio.done or (log10 := bethe(puzzle)) is None or log10 > MANY_DIGITS:
                break
    if portfolio.done:
        yield from shares(portfolio, begin)
    return portfolio.done, portfolio.fixed


def shares(portfolio: CounterPortfolio, begin: float) -> Events:
    """The shares of every cell's values in a count that is done by components: a sweep leaves no diagram."""
    puzzle, reading = portfolio.puzzle, portfolio.reading
    yield CountBounds(solutions=reading.solutions)
    if portfolio.root:
        shape = (puzzle.height, puzzle.width, puzzle.colours + 1)
        found, possible = reading.shares(portfolio.cells, puzzle.colours + 1)
        yield CountBounds(shares=found.reshape(shape), possible=possible.reshape(shape))
    yield Finished(True, portfolio.statistics(perf_counter() - begin))


ready(__name__)
