"""The solver ``auto``: for each kind of puzzle the strategy that serves it best, and SAT where a kind has none.

A strategy is a search for (puzzle, at most N boards); a kind's record names it (``PuzzleKind.strategy``). What solved a
puzzle is told as ``reason``; counters are those of all parts. Work is counted, not timed, so that the same puzzle
takes the same way every time. What each part is worth is told in docs/what-we-tried.md.

``auto+quick`` lets SAT alone begin, for ``QUICK`` conflicts, on boards of up to ``SMALL`` cells: easy puzzles are
solved before the compiled code of the other parts would be loaded, which takes longer. It is the default of ``nonosat
solve``, which starts cold.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from nonosat.puzzles.kinds import kind_of
from nonosat.puzzles.puzzle import Puzzle
from nonosat.solvers.answer import Event, Finished, Found, Statistics
from nonosat.solvers.auto.parts import after, by_sat
from nonosat.solvers.sat.search import Plan, Stage
from nonosat.solvers.solver import Solver

QUICK, SMALL = 2_000, 10_000


def search(puzzle: Puzzle, encoding: object, at_most: int | None, solver: Solver) -> Iterator[Event]:
    """Find at most ``at_most`` boards (None: all). The encoding is chosen here."""
    height, width = puzzle.shape
    if "quick" in solver.chosen and height * width <= SMALL:
        yield from _quick(puzzle, at_most)
    else:
        yield from by_strategy(puzzle, at_most)


def by_strategy(puzzle: Puzzle, at_most: int | None) -> Iterator[Event]:
    """All parts, as the strategy of the puzzle's kind has them."""
    strategy = kind_of(puzzle).strategy
    yield from by_sat(puzzle, Statistics, at_most) if strategy is None else strategy(puzzle, at_most)


def _quick(puzzle: Puzzle, at_most: int | None) -> Iterator[Event]:
    """SAT alone for ``QUICK`` conflicts a board; if that is not enough, all parts from the beginning."""
    seen: set[bytes] = set()
    before = Statistics()
    for event in by_sat(puzzle, Statistics, at_most, Plan([Stage(QUICK)])):
        match event:
            case Found(cells):
                seen.add(cells.tobytes())
                yield event
            case Finished(exhausted, about):
                if exhausted or len(seen) == at_most:
                    yield event
                    return
                before = about
            case _:
                yield event
    for event in after(lambda: before, by_strategy(puzzle, at_most)):
        if isinstance(event, Found):
            board = np.asarray(event.cells, dtype=np.uint8).tobytes()
            if board in seen or len(seen) == at_most:
                continue
            seen.add(board)
        yield event
