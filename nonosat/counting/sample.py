"""Solutions of a puzzle drawn at random, each as likely as any other."""

from __future__ import annotations

from dataclasses import replace

from nonosat.counting.answer import Sample
from nonosat.counting.asking import events_of, heard
from nonosat.errors import UnsupportedError
from nonosat.puzzles.kinds import puzzle_kind
from nonosat.puzzles.puzzle import Puzzle
from nonosat.solvers.answer import Verdict
from nonosat.solvers.hearing import OnProgress
from nonosat.solvers.judgement import judged


def sample(
    puzzle: Puzzle,
    count: int = 1,
    seed: int = 0,
    *,
    time_limit_s: float | None = None,
    cpu_limit_s: float | None = None,
    memory_limit_mb: float | None = None,
    on_progress: OnProgress | None = None,
) -> Sample:
    """Draw ``count`` solutions of ``puzzle``; the same one may come again. A seed means the same ones everywhere.

    All solutions are counted first; a count that is stopped draws none. Each solution is checked against the clues; one
    that fails is the verdict WRONG. Limits and ``on_progress`` as for ``solve``. UnsupportedError: its
    kind has no counter of its own.

    >>> from nonosat.puzzles.nonogram import Nonogram
    >>> found = sample(Nonogram.from_lengths([[1], [1]], [[1], [1]]), 100)
    >>> found.solutions, len(found.boards), len(set(found.boards))
    (2, 100, 2)
    """
    if count < 1 or seed < 0:
        raise UnsupportedError(f"{count} draws, seed {seed}: at least one is drawn, and seeds are not negative")
    if (own := puzzle_kind(puzzle).counting) is None:
        raise UnsupportedError(f"solutions of the puzzle {puzzle.kind} cannot be drawn: it has no counter of its own")
    tally = Sample(verdict=Verdict.UNKNOWN, counter="components", puzzle=puzzle, seed=seed)
    if (reason := puzzle.contradiction()) is not None:
        return replace(tally, verdict=Verdict.UNSAT, solutions=0, reason=reason)
    limits = (time_limit_s, cpu_limit_s, memory_limit_mb)
    found, known = heard(events_of(own.sample, (puzzle, count, seed), *limits), tally, on_progress)
    boards = []
    for cells in () if known.boards is None else known.boards:
        judgement = judged(puzzle, cells)
        if judgement.wrong is not None or judgement.solution is None:
            return replace(found, verdict=Verdict.WRONG, reason=judgement.wrong)
        boards.append(judgement.solution)
    return replace(found, boards=tuple(boards))
