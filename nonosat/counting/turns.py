"""Searches in several orders, which write one diagram, and a sweep, by turns: the first that is through has counted."""

from __future__ import annotations

import math
from functools import cached_property
from time import perf_counter

import numpy as np
import numpy.typing as npt

from nonosat.chance import Chance
from nonosat.counting.components import parts_of
from nonosat.counting.diagram import MANY, Diagram, bytes_of, empty_diagram, grown
from nonosat.counting.frames import GUESSES, NODES, RESULT, frames_of, grown_frames
from nonosat.counting.guesses import BY_COLUMNS, BY_PROBES, BY_ROWS
from nonosat.counting.search import DONE, FULL, at_least, search
from nonosat.counting.sweep.draws import Drawer
from nonosat.counting.sweep.meeting import MET, STOPPED, Sweep
from nonosat.counting.values import Reading
from nonosat.errors import UnsupportedError
from nonosat.puzzles.check import derived
from nonosat.puzzles.nonogram import Nonogram
from nonosat.puzzles.puzzle import Given
from nonosat.solvers.answer import Statistics
from nonosat.solvers.propagation.board import CONTRADICTIONS, LINES, NEVER, REMEMBER, board_of, cells_of
from nonosat.solvers.propagation.probing import PROBES, probes_of
from nonosat.solvers.propagation.propagate import DEAD, PAUSED, propagate

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


class Turns:
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

    def given(self, cells: npt.NDArray[np.int64], spent: Statistics) -> Turns:
        """The same count from its beginning, with these ``cells`` (-1: open), which all solutions share.

        ``spent``: what finding them has cost.
        """
        places = np.argwhere(cells >= 0).tolist()
        given = tuple(Given(row, column, int(cells[row, column])) for row, column in places)
        known = derived(self.puzzle, given=given)
        orders = tuple(order for order, _, _ in self.others)
        again = Turns(known, orders, self.room / 2**20, self.may_sweep, self.keep)
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
    def reading(self) -> Reading:
        """What the diagram tells, when it is DONE."""
        return Reading(self.diagram, self.root)

    def draw(self, chance: Chance) -> npt.NDArray[np.uint8]:
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
    turns = Turns(puzzle, orders, sweeping=False)
    begin = perf_counter()
    while (said := turns.go_on()) == PAUSED:
        pass
    if said == OUT_OF_ROOM:
        raise UnsupportedError(f"no room for the diagram after {perf_counter() - begin:.0f} s")
    return turns.diagram, turns.root
