"""A solve that is watched: all that it says while it works, and then its answer."""

from __future__ import annotations

from collections.abc import Generator
from typing import TYPE_CHECKING

from nonosat.puzzles.puzzle import Puzzle
from nonosat.solvers.answer import Answer, Event
from nonosat.solvers.hearing import ENDLESS
from nonosat.solvers.judgement import Judging, judge_of
from nonosat.solvers.registry import DEFAULT, search
from nonosat.solvers.running import in_process
from nonosat.solvers.solve import question
from nonosat.solvers.solver import Solver
from nonosat.solvers.watched import EVERY_S, watched

if TYPE_CHECKING:
    from nonosat.encodings.registry import Encoding
    from nonosat.solvers.isolation.run import Stop


def watch(
    puzzle: Puzzle,
    *,
    encoding: str | Encoding | None = None,
    solver: str | Solver = DEFAULT,
    count: int | None = 1,
    unique: bool = False,
    time_limit_s: float | None = None,
    cpu_limit_s: float | None = None,
    memory_limit_mb: float | None = None,
    every_s: float = EVERY_S,
    closely: int = 0,
    stop: Stop | None = None,
) -> Generator[Event | Answer, None, None]:
    """Solve ``puzzle`` as ``solve`` does, and give what the search says of itself meanwhile; the last is the answer.

    A ``Glimpse`` comes every ``every_s`` seconds, as far as the solver can be looked into; before that there are as
    many as ``closely`` says, one after each smallest piece of work. ``Progress`` tells stages, and ``Found`` boards
    that are not checked yet: the answer has those that are right. After ``Loading`` all begins anew. ``stop`` (of a
    run with limits) ends it from another thread; closing the generator ends it, too.

    >>> from nonosat.puzzles.nonogram import Nonogram
    >>> from nonosat.solvers.answer import Found
    >>> *events, answer = watch(Nonogram.from_lengths([[1], [1]], [[1], [1]]), count=None)
    >>> sum(isinstance(event, Found) for event in events), len(answer.pictures)
    (2, 2)
    """
    asked = question(puzzle, encoding, solver, count, unique, time_limit_s, cpu_limit_s, memory_limit_mb)
    if asked.known is not None:
        yield asked.known
        return
    arguments = (search, asked.arguments, every_s, closely)
    if asked.limits is None:
        events = in_process(watched(*arguments))
    else:
        from nonosat.solvers.isolation.run import isolated

        events = isolated(watched, arguments, asked.limits, preload=(asked.solver.module,), stop=stop)
    hearing = Judging(asked.answer, judge_of(puzzle), None)
    try:
        for event in events:
            if (said := hearing.take(event)) is not None:
                yield said
                return
            yield event
        yield hearing.broken_off(ENDLESS)
    finally:
        if hasattr(events, "close"):
            events.close()
