"""The course of a count: its events until it is done, and what all solutions share, found by SAT, if that is not soon.

A count by components learns nothing from its dead ends, and where lines settle few cells it walks through many boards
that have no solution. A solver that learns from conflicts tells for little which cells are the same in all solutions;
with these given the count begins anew, on a puzzle that has the same solutions.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import closing
from dataclasses import replace
from time import perf_counter

from nonosat.counting.answer import Estimate, Known
from nonosat.counting.bethe import bethe
from nonosat.counting.turns import OUT_OF_ROOM, ROOM_MB, Turns
from nonosat.counting.unanimous import SOLVER, Asked
from nonosat.encodings.registry import default_for
from nonosat.encodings.registry import encoding as encoding_named
from nonosat.puzzles.nonogram import Nonogram
from nonosat.solvers.answer import Progress, Stopped, Verdict
from nonosat.solvers.compiled import ready
from nonosat.solvers.formulas import formula_of
from nonosat.solvers.propagation.propagate import PAUSED
from nonosat.solvers.sat.session import session_of

ALONE = 100_000
"""Lines that a count settles before SAT is asked: some 0.02 s. Each later turn of both is twice as long."""
PROPAGATIONS = 4
"""Propagations of the SAT solver while a line is settled."""
CONFLICT = 200
"""Propagations a conflict, of the limit of one question."""
LARGEST = 5_000_000
"""Places of all runs together, at most (200x200 has some two million): a formula for more takes gigabytes."""


def run(turns: Turns, begin: float, most: int | None = None) -> Generator[Known | Progress | Stopped, None, int]:
    """Go on until the count is done, or ``most`` lines were settled; returns DONE, PAUSED or OUT_OF_ROOM.

    The last event is Stopped if it is out of room.
    """
    said, told = turns.go_on(), False
    while said == PAUSED and (most is None or turns.lines < most):
        if not told and perf_counter() - begin > 0.05:
            told = True
            if (guess := bethe(turns.puzzle)) is not None:
                yield Known(estimate=Estimate(guess, "Bethe"))
        yield Known(at_least=turns.at_least())
        yield Progress("counting", turns.statistics(perf_counter() - begin))
        said = turns.go_on()
    if said == OUT_OF_ROOM:
        yield Known(at_least=turns.at_least())
        yield Stopped(Verdict.MEMOUT, f"it takes more than {ROOM_MB} MiB, or more than a word counts")
    return said


def narrowed(turns: Turns, begin: float) -> Generator[Known | Progress | Stopped, None, Turns]:
    """As ``run``, with SAT asked in turns what all solutions share; returns the turns that are done, if they are."""
    if (yield from run(turns, begin, ALONE)) != PAUSED:
        return turns
    if places(turns.puzzle) > LARGEST:
        yield from run(turns, begin)
        return turns
    formula, about = formula_of(turns.puzzle, encoding_named(default_for(turns.puzzle), turns.puzzle.kind))
    with closing(session_of(SOLVER, formula.cnf)) as session:
        asked, budget = Asked(formula, session, turns.known), ALONE
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


def _ask(asked: Asked, propagations: int) -> bool:
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


ready(__name__)
