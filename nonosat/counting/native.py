"""Searches that count natively, as generators of events, so that they run here or under limits alike."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from time import perf_counter
from typing import Any

import numpy as np
import numpy.typing as npt

from nonosat.chance import Chance
from nonosat.counting.answer import Estimate, Known
from nonosat.counting.bethe import bethe
from nonosat.counting.course import narrowed, run
from nonosat.counting.turns import ORDERS, Turns
from nonosat.counting.values import Reading
from nonosat.puzzles.nonogram import Nonogram
from nonosat.solvers.answer import Finished, Progress, Statistics, Stopped
from nonosat.solvers.compiled import ready

Cells = npt.NDArray[np.int64]
Events = Iterator[Known | Progress | Finished | Stopped]
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
        turns = yield from narrowed(Turns(puzzle), begin)  # it may leave those for others, whose memory is free then
    else:
        turns = Turns(puzzle, () if who == "sweep" else ORDERS, sweeping=who == "sweep")
        yield from run(turns, begin)
    if not turns.done:
        return
    yield Known(solutions=turns.solutions, counter=turns.counter)
    yield Finished(True, turns.statistics(perf_counter() - begin))


def estimate(puzzle: Nonogram) -> Events:
    """Bethe's estimate alone."""
    yield Progress("estimating")
    begin = perf_counter()
    if (guess := bethe(puzzle)) is not None:
        yield Known(estimate=Estimate(guess, "Bethe"))
    yield Finished(False, Statistics(solve_s=perf_counter() - begin))


def sample(puzzle: Nonogram, draws: int, seed: int) -> Events:
    """Count all solutions, and draw some."""
    yield Progress("counting")
    begin = perf_counter()
    turns = yield from narrowed(Turns(puzzle, keep=True), begin)
    if not turns.done:
        return
    yield Known(solutions=turns.solutions, counter=turns.counter)
    if turns.solutions:
        yield Progress("drawing", turns.statistics(perf_counter() - begin))
        chance = Chance(seed)
        yield Known(boards=np.stack([turns.draw(chance) for _ in range(draws)]))
    yield Finished(True, turns.statistics(perf_counter() - begin))


def backbone(puzzle: Nonogram, exact: bool, settled: Cells | None) -> Generator[Any, None, tuple[bool, Any]]:
    """The backbone, if a short count tells (``exact``: however long it takes): see ``own.Own``."""
    yield Progress("counting")
    begin = perf_counter()
    if exact:
        turns = yield from narrowed(Turns(puzzle, sweeping=False), begin)  # shares are read off a diagram
        if not turns.done:
            return True, turns.known
    else:
        turns = Turns(puzzle, sweeping=False)
        if settled is not None:
            turns = turns.given(settled, Statistics())
        for most in (FEW_LINES, BACKBONE_LINES):
            yield from run(turns, begin, most)
            if turns.done or (guess := bethe(puzzle)) is None or guess > MANY_DIGITS:
                break
    if turns.done:
        yield from shares(turns, begin)
    return turns.done, turns.known


def shares(turns: Turns, begin: float) -> Events:
    """What a count that is done tells of every cell."""
    puzzle, reading = turns.puzzle, Reading(turns.diagram, turns.root)
    yield Known(solutions=reading.solutions)
    if turns.root:
        shape = (puzzle.height, puzzle.width, puzzle.colours + 1)
        found, possible = reading.shares(turns.cells, puzzle.colours + 1)
        yield Known(shares=found.reshape(shape), possible=possible.reshape(shape))
    yield Finished(True, turns.statistics(perf_counter() - begin))


ready(__name__)
