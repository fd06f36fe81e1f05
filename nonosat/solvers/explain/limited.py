"""Steps under limits: in a process of their own, which is ended within a step, too."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from typing import Any, NamedTuple, cast

from nonosat.errors import SolverError
from nonosat.puzzles.puzzle import Puzzle
from nonosat.solvers.answer import Finished, Loading, Progress, Statistics, Stopped, Verdict
from nonosat.solvers.explain.explaining import Position, explain, fault, values_of
from nonosat.solvers.explain.steps import Step
from nonosat.solvers.running import in_process, limits_of
from nonosat.solvers.solver import BARE


class Told(NamedTuple):
    """A step, and why it does not follow, if it was asked for and is so."""

    step: Step
    fault: str | None


def steps_within(
    puzzle: Puzzle,
    board: Position = None,
    time_limit_s: float | None = None,
    memory_limit_mb: float | None = None,
    cpu_limit_s: float | None = None,
    checked: bool = True,
) -> Iterator[Step | Stopped]:
    """The steps of ``explain``; where a limit was reached, a ``Stopped`` comes last. Close it, if it is left early.

    ``checked``: each step is checked within the limits. Seconds are of wall time or of the process, memory in MiB.

    SolverError: a step does not follow, or the process broke. PuzzleError: as ``explain``.
    """
    arguments: Any = puzzle, values_of(puzzle, board), checked
    limits = limits_of(BARE, time_limit_s, memory_limit_mb, cpu_limit_s)
    if limits is None:
        events: Iterator[Any] = in_process(cast(Any, search(*arguments)))
    else:
        from nonosat.solvers.isolation.run import isolated

        events = isolated(search, arguments, limits)
    return _heard(events)


def search(puzzle: Puzzle, values: list[list[int]], checked: bool) -> Iterator[Told | Progress | Finished]:
    """The events of an explanation: each step is followed by a ``Progress``, with which it is sent."""
    for step in explain(puzzle, values):
        yield Told(step, fault(puzzle, step) if checked else None)
        yield Progress("explaining", Statistics())
    yield Finished(True, Statistics())


def _heard(events: Iterator[Any]) -> Iterator[Step | Stopped]:
    given = said = 0
    with closing(events):  # type: ignore[type-var]
        for event in events:
            match event:
                case Loading():  # it begins anew, and says the same again
                    said = 0
                case Told(step, wrong):
                    said += 1
                    if wrong is not None:
                        raise SolverError(f"a step does not follow ({wrong}): {step.sentence}")
                    if said > given:
                        given = said
                        yield step
                case Stopped(Verdict.CRASH):
                    raise SolverError(event.reason)
                case Stopped():
                    yield event
