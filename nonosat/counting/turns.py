"""Searches in several orders that take turns, and write one diagram: whichever is through first has counted."""

from __future__ import annotations

from time import perf_counter

from nonosat.counting.components import parts_of
from nonosat.counting.diagram import MANY, Diagram, bytes_of, empty_diagram, grown
from nonosat.counting.frames import GUESSES, NODES, RESULT, frames_of, grown_frames
from nonosat.counting.guesses import BY_COLUMNS, BY_PROBES, BY_ROWS
from nonosat.counting.search import DONE, FULL, at_least, search
from nonosat.errors import UnsupportedError
from nonosat.puzzles.nonogram import Nonogram
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

ORDERS = (BY_PROBES, BY_ROWS, BY_COLUMNS)


class Turns:
    """A count of ``puzzle`` that can be gone on with. ``known``: the cells that lines alone tell, -1 for the others."""

    def __init__(self, puzzle: Nonogram, orders: tuple[int, ...] = ORDERS, room_mb: float = ROOM_MB) -> None:
        self.puzzle, self.cells = puzzle, puzzle.height * puzzle.width
        if self.cells * (puzzle.colours + 1) >= 2**31:
            raise UnsupportedError(f"a board of {puzzle.height}x{puzzle.width} is too large to be counted")
        self.room = int(room_mb * 2**20)
        self.diagram: Diagram = empty_diagram()
        self.root = 0
        self.boards = [board_of(puzzle) for _ in orders]
        self.dead = self.done = False
        for board in self.boards:
            self.dead = propagate(board, NEVER) == DEAD
            board.state[REMEMBER] = len(board.memo) // (board.colours + 1)
        self.known = cells_of(self.boards[0])
        self.frames = [frames_of(board) for board in self.boards]
        self.others = [
            (order, probes_of(board), parts_of(board)) for order, board in zip(orders, self.boards, strict=True)
        ]
        self.turn, self.left, self.budget = 0, FIRST, FIRST

    def go_on(self) -> int:
        """PAUSED, DONE (``root`` is the node of all solutions) or OUT_OF_ROOM, after some 0.1 s."""
        if self.dead:
            self.done = True
            return DONE
        i = self.turn
        board, (order, probes, parts) = self.boards[i], self.others[i]
        before, budget = int(board.state[LINES]), min(EVERY, self.left)
        said = search(board, probes, parts, self.diagram, self.frames[i], order, budget)
        self.left -= int(board.state[LINES]) - before
        if said == DONE:
            self.root, self.done = int(self.frames[i].state[RESULT]), True
            return DONE
        if said == FULL:
            if 2 * bytes_of(self.diagram) > self.room:  # growing doubles what is full
                return OUT_OF_ROOM
            self.diagram = grown(self.diagram, self.cells)
            self.frames[i] = grown_frames(self.frames[i], self.cells)
        elif self.left <= 0:
            self.turn = (i + 1) % len(self.boards)
            if self.turn == 0:
                self.budget *= 2
            self.left = self.budget
        return PAUSED

    def at_least(self) -> int:
        """How many solutions have been counted so far, by the order that has counted most."""
        found = max(int(at_least(self.diagram, frames)) for frames in self.frames)
        return min(found, int(MANY))

    def statistics(self, solve_s: float) -> Statistics:
        """What the searches have cost."""
        return Statistics(
            solve_s=solve_s,
            lines_checked=sum(int(board.state[LINES]) for board in self.boards),
            assumptions=sum(int(frames.state[GUESSES]) for frames in self.frames),
            probes=sum(int(probes.state[PROBES]) for _, probes, _ in self.others),
            nodes=sum(int(frames.state[NODES]) for frames in self.frames),
            contradictions=sum(int(board.state[CONTRADICTIONS]) for board in self.boards),
        )


def counted(puzzle: Nonogram, orders: tuple[int, ...] = ORDERS) -> tuple[Diagram, int]:
    """The diagram of ``puzzle`` and its root, however long that takes."""
    turns = Turns(puzzle, orders)
    begin = perf_counter()
    while (said := turns.go_on()) == PAUSED:
        pass
    if said == OUT_OF_ROOM:
        raise UnsupportedError(f"no room for the diagram after {perf_counter() - begin:.0f} s")
    return turns.diagram, turns.root
