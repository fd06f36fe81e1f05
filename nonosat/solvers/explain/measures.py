"""How hard a puzzle is by its explanation: the hardest technique that it takes, and how much of each.

Beside Batenburg and Kosters, *On the difficulty of nonograms* (ICGA Journal 35, 2012), who count sweeps of a complete
line solver (``solvers.propagation.difficulty``): what a person needs to know in order to solve it at all.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from time import perf_counter

from nonosat.puzzles.puzzle import Puzzle
from nonosat.solvers.explain.explaining import explain
from nonosat.solvers.explain.steps import ERROR
from nonosat.solvers.explain.techniques import hardest, level


@dataclass(frozen=True)
class Explained:
    """``hardest``: the hardest technique (None: nothing is left to tell). ``steps``: how many by technique, easy first.

    ``widest``: the most constraints that one step takes. ``finished``: the explanation came to its end.
    """

    hardest: str | None
    steps: Mapping[str, int]
    widest: int
    finished: bool


def explained(puzzle: Puzzle, time_limit_s: float | None = None) -> Explained:
    """Measure the explanation of ``puzzle``; after ``time_limit_s`` no step more is begun.

    >>> from nonosat.puzzles.nonogram import Nonogram
    >>> explained(Nonogram.from_lengths([[3], [1]], [[2], [1], [1]]))
    Explained(hardest='finished-line', steps={'overlap': 2, 'finished-line': 1}, widest=1, finished=True)
    """
    begin, counts, widest, finished = perf_counter(), Counter[str](), 0, True
    for step in explain(puzzle):
        counts[step.technique] += 1
        widest = max(widest, len(step.constraints))
        if time_limit_s is not None and perf_counter() - begin > time_limit_s:
            finished = False
            break
    names = sorted(counts, key=level)
    return Explained(hardest(names) if names else None, {name: counts[name] for name in names}, widest, finished)


def needs(puzzle: Puzzle, technique: str) -> bool:
    """Does the explanation of ``puzzle`` take ``technique``, and nothing harder?

    >>> from nonosat.puzzles.nonogram import Nonogram
    >>> puzzle = Nonogram.from_lengths([[3], [1]], [[2], [1], [1]])
    >>> [needs(puzzle, name) for name in ("overlap", "finished-line", "edge")]
    [False, True, False]
    """
    most, taken = level(technique), False
    for step in explain(puzzle):
        if step.technique == ERROR or level(step.technique) > most:
            return False
        taken |= step.technique == technique
    return taken
