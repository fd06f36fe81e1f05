"""What ``auto`` begins with in a process that solves one puzzle and ends: a tree search in plain Python.

Most small puzzles need no more. To import numpy and to load compiled code takes far longer than that, so that
``nonosat solve FILE`` takes less than half as long. If it is not enough, the other parts begin anew. Solutions are
checked as all are. Of a puzzle with several, the first one here may be another than the one that compiled code finds
first; so only the command begins here, with a single puzzle and no limits.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable
from time import perf_counter

from nonosat.puzzles.nonogram.line_board import LineBoard
from nonosat.puzzles.nonogram.puzzle import Nonogram
from nonosat.puzzles.puzzle import Puzzle
from nonosat.runs.events import Event, Finished, Found, Progress, Statistics

LINES = 1_000
"""Lines that are propagated at most: some 20 ms, a tenth of what it takes to load the other parts."""
LARGEST = 2_500
"""Cells of a board; on larger ones compiled code is much faster."""


def search(puzzle: Puzzle, at_most: int | None) -> Generator[Event, None, bool]:
    """Events of a search for at most ``at_most`` boards (None: all), if it comes to an end soon; does it?"""
    height, width = puzzle.shape
    if not isinstance(puzzle, Nonogram) or height * width > LARGEST:
        return False
    yield Progress("solving")
    begin = perf_counter()
    tree = LightTree(LineBoard(puzzle))
    if not tree.searched(at_most):
        return False
    for cells in tree.found:
        yield Found(cells)  # type: ignore[arg-type]  # an array would be numpy's
    how = "lines, probing and guesses" if tree.guesses else "lines and probing"
    yield Finished(not tree.waiting, tree.statistics(perf_counter() - begin), f"by {how}")
    return True


class LightTree:
    """A search for boards: lines, probing at the root, then guesses.

    ``waiting``: boards that are to be propagated yet, each with the lines that changed.
    """

    def __init__(self, board: LineBoard) -> None:
        self.work = board.work
        self.waiting: list[tuple[LineBoard, Iterable[int]]] = [(board, range(len(board.lines)))]
        self.found: list[list[list[int]]] = []
        self.probes = self.guesses = self.nodes = self.dead = 0

    def searched(self, at_most: int | None) -> bool:
        """Whether the search came to its end: ``at_most`` boards are found, or all."""
        while self.waiting and len(self.found) != at_most:
            board, changed = self.waiting.pop()
            if not self._propagated(board, changed) or (not self.nodes and not self._probed(board)):
                return False
            self.nodes += 1
            if board.dead:
                self.dead += 1
            elif not (left := board.open()):
                self.found.append(board.cells())
            else:
                self._guess(board, *left[0])
        return True

    def statistics(self, solve_s: float) -> Statistics:
        """What it cost."""
        return Statistics(
            solve_s=solve_s,
            lines_checked=self.work[0],
            assumptions=self.guesses,
            probes=self.probes,
            nodes=self.nodes,
            contradictions=self.dead,
        )

    def _propagated(self, board: LineBoard, lines: Iterable[int]) -> bool:
        """Propagate ``lines`` and what follows; was there enough work left for it?"""
        return all(self.work[0] < LINES for _ in board.propagate(lines))

    def _probed(self, board: LineBoard) -> bool:
        """Take each value that leads to a contradiction, until there is none; was there enough work left for it?"""
        again = True
        while again and not board.dead:
            again = False
            for row, column in board.open():
                for value in board.choices(row, column):
                    if board.dead or len(board.choices(row, column)) == 1:
                        break
                    probe, crossing = board.copy(), (row, board.height + column)
                    probe.assume(row, column, value)
                    self.probes += 1
                    if not self._propagated(probe, crossing):
                        return False
                    if probe.dead:
                        again = True
                        board.forbid(row, column, value)
                        if not self._propagated(board, crossing):
                            return False
        return True

    def _guess(self, board: LineBoard, row: int, column: int) -> None:
        """A board for each value of a cell; blank is the last to be propagated."""
        for value in board.choices(row, column):
            branch = board.copy()
            branch.assume(row, column, value)
            self.waiting.append((branch, (row, board.height + column)))
            self.guesses += 1
