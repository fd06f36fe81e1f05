"""What all solutions of a puzzle share, and how many of them have what in the other cells."""

from __future__ import annotations

from dataclasses import replace

from nonosat.counting import formulas, unanimous
from nonosat.counting.answer import Backbone
from nonosat.counting.asking import events_of, heard
from nonosat.encodings.registry import Encoding, default_for
from nonosat.encodings.registry import encoding as encoding_named
from nonosat.puzzles.check import known_solutions
from nonosat.puzzles.kinds import puzzle_kind
from nonosat.puzzles.puzzle import Puzzle
from nonosat.solvers.answer import Verdict
from nonosat.solvers.hearing import OnProgress


def backbone(
    puzzle: Puzzle,
    *,
    exact: bool = False,
    encoding: str | Encoding | None = None,
    time_limit_s: float | None = None,
    cpu_limit_s: float | None = None,
    memory_limit_mb: float | None = None,
    on_progress: OnProgress | None = None,
) -> Backbone:
    """The cells that have the same value in all solutions.

    Where a short count comes to an end (nonograms only; ``exact``: however long it takes), the shares of the solutions
    in which the other cells have each value are exact; else a SAT solver finds the backbone, through ``encoding``, and
    shares are not known. Limits and ``on_progress`` as for ``solve``; a search that was stopped knows of some cells.

    >>> from nonosat.puzzles.nonogram import Nonogram
    >>> found = backbone(Nonogram.from_lengths([[1], [1], []], [[1], [1], []]))
    >>> found.cells.tolist(), found.solutions
    ([[-1, -1, 0], [-1, -1, 0], [0, 0, 0]], 2)
    """
    kind = puzzle_kind(puzzle).name
    parts = encoding_named(encoding, kind) if isinstance(encoding, str) else encoding
    parts = parts or encoding_named(default_for(puzzle), kind)
    parts.refuse(kind)
    formulas.refuse(parts)
    tally = Backbone(verdict=Verdict.UNKNOWN, counter="components", puzzle=puzzle)
    if (reason := puzzle.contradiction()) is not None:
        return replace(tally, verdict=Verdict.UNSAT, solutions=0, reason=reason)
    limits = (time_limit_s, cpu_limit_s, memory_limit_mb)
    found, known = heard(events_of(unanimous.search, (puzzle, parts, exact), *limits), tally, on_progress)
    if known.shares is None and known.possible is not None:
        found = replace(found, counter=unanimous.SOLVER, encoding=parts.name)
    if known.possible is None or found.verdict is Verdict.WRONG:
        return found
    cells, several = unanimous.shared(known.possible), (known.possible == 1).sum(axis=2) > 1
    for board, name in known_solutions(puzzle).items():
        if ((cells >= 0) & (cells != board.cells)).any():
            reason = f"{name} has another value in a cell that is said to be the same in all solutions"
            return replace(found, verdict=Verdict.WRONG, reason=reason, solutions=None, at_least=0)
    return replace(found, cells=cells, settled=(cells >= 0) | several, shares=known.shares)
