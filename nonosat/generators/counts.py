"""What generators ask of counters: has a nonogram exactly so many solutions? Bounded by work, so always the same."""

from __future__ import annotations

from time import perf_counter
from typing import Any

from nonosat.counting.course import run
from nonosat.counting.turns import Turns

LINES = 2_000_000
"""Settled lines of one count: a second or so."""
QUICK = 200_000
"""For those who ask often, and can do without an answer."""


def solutions_of(puzzle: Any, most: int | None = None, work: int = LINES) -> tuple[int, bool]:
    """(how many solutions ``puzzle`` has at least, whether it has no more); ``work``: lines that may be settled.

    ``most``: more than so many are not counted to their end.

    >>> from nonosat.puzzles.nonogram import Nonogram
    >>> solutions_of(Nonogram.from_lengths([[1]] * 4, [[1]] * 4))
    (24, True)
    """
    turns = Turns(puzzle, sweeping=False)  # whose work is counted in lines
    for _ in run(turns, perf_counter(), work):
        if most is not None and turns.at_least() > most:
            break
    return (turns.solutions, True) if turns.done else (turns.at_least(), False)


def solutions_up_to(puzzle: Any, most: int) -> int:
    """How many solutions ``puzzle`` has; ``most`` + 1 stands for more, or for a count that takes too much work."""
    found, whole = solutions_of(puzzle, most, QUICK)
    return min(found, most + 1) if whole else most + 1


def has_exactly(puzzle: Any, wanted: int) -> bool | None:
    """Has ``puzzle`` exactly so many solutions? None: that takes too much work."""
    found, whole = solutions_of(puzzle, wanted)
    return found == wanted if whole else False if found > wanted else None
