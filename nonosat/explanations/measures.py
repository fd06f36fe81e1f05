"""How hard a puzzle is by its explanation: the hardest technique that it takes, and how much of each.

Compare Batenburg and Kosters, *On the difficulty of nonograms* (ICGA Journal 35, 2012), who count sweeps of a complete
line solver (``solvers.propagation.difficulty``): what a person needs to know in order to solve it at all.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from contextlib import closing
from dataclasses import dataclass

from nonosat.errors import InterruptedSolve
from nonosat.explanations.explain import explain, steps_within
from nonosat.explanations.steps import ERROR, GUESS
from nonosat.explanations.techniques import hardest, level
from nonosat.puzzles.puzzle import Puzzle
from nonosat.runs.events import Stopped

LABELS = ("easy", "medium", "hard", "very hard", "extreme", "guessing", "unsolvable")
"""Of explanations, easy first; see ``label``."""

EASY, MEDIUM, HARD, TOGETHER = 40, 90, 100, 300
"""The levels of techniques up to which a puzzle is easy, medium, hard, very hard (if steps are not wide, either)."""
WIDE = 6
"""Where techniques take several lines, more constraints than that in a step are extreme."""


@dataclass(frozen=True)
class Explained:
    """``hardest``: the hardest technique (None: no step is left). ``steps``: how many by technique, easy first.

    ``widest``: the most constraints that one step takes. ``finished``: the explanation came to its end. ``label``: one
    of ``LABELS``, or None, if it did not.
    """

    hardest: str | None
    steps: Mapping[str, int]
    widest: int
    finished: bool
    label: str | None


def explained(
    puzzle: Puzzle,
    time_limit_s: float | None = None,
    cpu_limit_s: float | None = None,
    memory_limit_mb: float | None = None,
) -> Explained:
    """Measure the explanation of ``puzzle``, or as much of it as is found within the limits.

    InterruptedSolve: Ctrl-C, with what was found by then.

    >>> from nonosat.puzzles.nonogram import Nonogram
    >>> explained(Nonogram.from_lengths([[3], [1]], [[2], [1], [1]]))
    Explained(hardest='finished-line', steps={'overlap': 2, 'finished-line': 1}, widest=1, finished=True, label='easy')
    """
    counts, widest, finished = Counter[str](), 0, True
    limits = {"time_limit_s": time_limit_s, "cpu_limit_s": cpu_limit_s, "memory_limit_mb": memory_limit_mb}

    def known() -> Explained:
        names = sorted(counts, key=level)
        about = label(names, widest) if finished else None
        found = {name: counts[name] for name in names}
        return Explained(hardest(names) if names else None, found, widest, finished, about)

    try:
        with closing(steps_within(puzzle, checked=False, **limits)) as steps:  # type: ignore[arg-type, type-var]
            for step in steps:
                if isinstance(step, Stopped):
                    finished = False
                else:
                    counts[step.technique] += 1
                    widest = max(widest, len(step.constraints))
    except KeyboardInterrupt:
        finished = False
        raise InterruptedSolve(known()) from None
    return known()


def label(techniques: Iterable[str], widest: int) -> str:
    """How hard a puzzle is whose explanation takes these techniques, and so many constraints in its widest step.

    >>> label(["overlap"], 1), label(["overlap", "glue"], 1), label(["contradiction"], 4), label(["contradiction"], 9)
    ('easy', 'medium', 'very hard', 'extreme')
    """
    names = set(techniques)
    if ERROR in names:
        return "unsolvable"
    if GUESS in names:
        return "guessing"
    most = max(map(level, names), default=0)
    if most > TOGETHER or (most > HARD and widest > WIDE):
        return "extreme"
    return next(name for name, up_to in zip(LABELS, (EASY, MEDIUM, HARD, TOGETHER), strict=False) if most <= up_to)


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
