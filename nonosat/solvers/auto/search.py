"""The solver ``auto``: for each kind of puzzle the strategy that serves it best, and SAT where a kind has none.

A strategy is a search for (puzzle, at most N boards); a kind's record names it (``PuzzleKind.strategy``). What solved a
puzzle is told as ``reason``; counters are those of all parts. Work is counted, not timed, so that the same puzzle
takes the same way every time. What each part is worth is told in docs/what-we-tried.md.

Where the native code of the other parts would have to be compiled first, which takes seconds and is so once on a
machine, SAT alone begins, for ``QUICK`` conflicts, on boards of up to ``SMALL`` cells: nobody waits for a compiler who
has an easy puzzle. In a process whose puzzles took SAT ``PATIENCE_S`` by then, it is compiled. Under limits compiling
is on no clock, and comes first, so that the records of a study do not depend on it.
"""

from __future__ import annotations

from collections.abc import Iterator
from time import perf_counter

import numpy as np

from nonosat.puzzles.kinds import kind_of
from nonosat.puzzles.puzzle import Puzzle
from nonosat.solvers.answer import Event, Finished, Found, Statistics
from nonosat.solvers.auto.parts import after, by_sat
from nonosat.solvers.compiled import must_be_made
from nonosat.solvers.solver import Solver

QUICK, SMALL = 2_000, 10_000
PATIENCE_S = 4.0
"""What compiling takes on two cores: no more is spent on doing without."""
NATIVE = {"nonogram": "nonosat.solvers.propagation.tree", "skyscrapers": "nonosat.solvers.phases.guesses"}
"""The module whose native code a kind's strategy begins with."""
FRESH = 0
"""1: as if no native code were there (for tests)."""
SPENT = {"s": 0.0}
"""What SAT has taken in this process in place of native code."""


def search(puzzle: Puzzle, encoding: object, at_most: int | None, solver: Solver) -> Iterator[Event]:
    """Find at most ``at_most`` boards (None: all). The encoding is chosen here."""
    height, width = puzzle.shape
    native = NATIVE.get(puzzle.kind)
    missing = native is not None and (FRESH or (SPENT["s"] < PATIENCE_S and must_be_made(native)))
    if missing and height * width <= SMALL:
        yield from _quick(puzzle, at_most, perf_counter())
    else:
        yield from by_strategy(puzzle, at_most)


def by_strategy(puzzle: Puzzle, at_most: int | None) -> Iterator[Event]:
    """All parts, as the strategy of the puzzle's kind has them."""
    strategy = kind_of(puzzle).strategy
    yield from by_sat(puzzle, Statistics, at_most) if strategy is None else strategy(puzzle, at_most)


def _quick(puzzle: Puzzle, at_most: int | None, begin: float) -> Iterator[Event]:
    """SAT alone for ``QUICK`` conflicts a board; if that is not enough, all parts from the beginning."""
    from nonosat.solvers.sat.search import Plan, Stage

    seen: set[bytes] = set()
    before = Statistics()
    for event in by_sat(puzzle, Statistics, at_most, Plan([Stage(QUICK)])):
        match event:
            case Found(cells):
                seen.add(cells.tobytes())
                yield event
            case Finished(exhausted, about):
                SPENT["s"] += perf_counter() - begin
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
