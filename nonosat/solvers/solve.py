"""The one function behind which all solvers stand: puzzle in, checked answer out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from nonosat.errors import UnsupportedError
from nonosat.puzzles.kinds import puzzle_kind
from nonosat.puzzles.puzzle import Puzzle
from nonosat.solvers.answer import Answer, Verdict
from nonosat.solvers.judgement import heard, judge_of
from nonosat.solvers.registry import DEFAULT as DEFAULT_SOLVER
from nonosat.solvers.registry import search, with_limits
from nonosat.solvers.registry import solver as solver_named
from nonosat.solvers.running import limits_of, run
from nonosat.solvers.solver import Solver

if TYPE_CHECKING:
    from nonosat.encodings.registry import Encoding
    from nonosat.solvers.isolation.limits import Limits


def solve(
    puzzle: Puzzle | str | PathLike[str],
    *,
    encoding: str | Encoding | None = None,
    solver: str | Solver = DEFAULT_SOLVER,
    count: int | None = 1,
    unique: bool = False,
    time_limit_s: float | None = None,
    cpu_limit_s: float | None = None,
    memory_limit_mb: float | None = None,
    on_progress: Callable[[str, int], None] | None = None,
) -> Answer:
    """Solve ``puzzle`` (or that in the file of this name): find at most ``count`` pictures (None: all).

    ``unique`` looks for two, to see if one is alone.

    A picture is a board that solves the puzzle, of whatever kind that is. ``encoding``: None is the default of the
    puzzle's kind. UnsupportedError: an encoding or a solver that is for another kind.

    Every picture is checked against the clues before it counts; one that fails ends the search with the verdict
    WRONG. So does the claim that there are no others, if a solution that comes with the puzzle (its goal) is none of
    those found. Without limits the solver runs in this process. With a limit (wall seconds, CPU seconds, MiB of
    resident memory, for encoding, loading and solving together) it runs in a process of its own that is killed when it
    goes over; a solver that crashes there gives the verdict CRASH. So does, limits or not, one that is known to end the
    process that it is in. No limit counts the time that it takes to load and compile a solver. ``on_progress`` is
    called with each stage's name and the number of pictures found so far, and again as there are more. Ctrl-C raises
    ``InterruptedSolve`` (a KeyboardInterrupt) with the answer so far; in this process that rests on python-sat, which
    can hang a solver that was allocating memory: set a limit, however large, where that matters.

    >>> from nonosat.puzzles.nonogram import Nonogram
    >>> answer = solve(Nonogram.from_lengths([[1], [1]], [[1], [1]]), count=None)
    >>> str(answer.verdict), len(answer.pictures), answer.unique
    ('SAT', 2, False)
    """
    if isinstance(puzzle, str | PathLike):
        from nonosat.puzzles.formats import load

        puzzle = load(Path(puzzle))
    asked = question(puzzle, encoding, solver, count, unique, time_limit_s, cpu_limit_s, memory_limit_mb)
    if asked.known is not None:
        return asked.known
    events = run(search, asked.arguments, asked.solver, asked.limits)
    return heard(events, asked.answer, judge_of(puzzle), on_progress)


class Question(NamedTuple):
    """What is asked of which solver: the arguments of ``registry.search``, and the answer as far as it is ``known``."""

    answer: Answer
    solver: Solver
    arguments: tuple[Any, ...]
    limits: Limits | None
    known: Answer | None


def question(
    puzzle: Puzzle,
    encoding: str | Encoding | None,
    solver: str | Solver,
    count: int | None,
    unique: bool,
    time_limit_s: float | None,
    cpu_limit_s: float | None,
    memory_limit_mb: float | None,
) -> Question:
    """What ``solve`` is asked, looked up and refused if it makes no sense."""
    if count is not None and count < 1:
        raise UnsupportedError(f"count is {count}: at least one picture must be looked for")
    if unique and count is not None:
        count = max(count, 2)
    chosen = solver_named(solver)
    chosen.refuse(puzzle_kind(puzzle).name)
    parts = None
    if encoding is not None or chosen.family != "own":
        parts = _encoding(puzzle, encoding, chosen)
    answer = Answer(Verdict.UNKNOWN, solver=chosen.name, encoding=chosen.sees(parts), puzzle=puzzle)
    limits = limits_of(chosen, time_limit_s, memory_limit_mb, cpu_limit_s)
    arguments = (puzzle, parts, count, with_limits(chosen, time_limit_s, memory_limit_mb))
    reason = puzzle.contradiction()
    known = None if reason is None else replace(answer, verdict=Verdict.UNSAT, exhausted=True, reason=reason)
    return Question(answer, chosen, arguments, limits, known)


def _encoding(puzzle: Puzzle, encoding: str | Encoding | None, solver: Solver) -> Encoding:
    """The encoding that is meant; native solvers do without these modules, which take long to import."""
    from nonosat.encodings import registry

    named = registry.default_for(puzzle) if encoding is None else encoding
    parts = registry.encoding(named, puzzle.kind) if isinstance(named, str) else named
    if solver.family != "own":
        parts.refuse(puzzle.kind)
    return parts
