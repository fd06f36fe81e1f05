"""How many solutions a puzzle has: one function before all counters."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

from nonosat.counting import formulas
from nonosat.counting.answer import Count
from nonosat.counting.asking import events_of, heard
from nonosat.encodings.registry import Encoding, default_for
from nonosat.encodings.registry import encoding as encoding_named
from nonosat.errors import UnknownNameError, UnsupportedError
from nonosat.puzzles.kinds import kind_of, puzzle_kind
from nonosat.puzzles.puzzle import Puzzle
from nonosat.solvers.answer import Verdict
from nonosat.solvers.hearing import OnProgress

COUNTERS = ("turns", "components", "sweep", "ganak", "approxmc", "bethe")
"""Who counts: all but the last two exactly. ``turns`` is the next two, by turns: whichever is through first tells."""
NATIVE, _, _, GANAK, APPROXMC, BETHE = COUNTERS
OWN = (*COUNTERS[:3], BETHE)
"""Those that a kind has itself; the others go through an encoding."""


def count(
    puzzle: Puzzle,
    *,
    counter: str | None = None,
    encoding: str | Encoding | None = None,
    approximate: bool = False,
    epsilon: float = 0.8,
    delta: float = 0.2,
    seed: int = 1,
    check: bool = False,
    time_limit_s: float | None = None,
    cpu_limit_s: float | None = None,
    memory_limit_mb: float | None = None,
    on_progress: OnProgress | None = None,
) -> Count:
    """Count the solutions of ``puzzle``, exactly unless ``approximate``.

    ``counter``: one of ``COUNTERS``; else ``turns`` for kinds that have it, and ``ganak`` for others; ``approximate``:
    ``approxmc``, or where there is none that counts right ``bethe``. ``epsilon``, ``delta``, ``seed``: of ApproxMC.
    ``encoding``: of those that go through a CNF. ``check``: let Ganak count again; another number is the verdict
    WRONG. Limits (of each of the two counts) and ``on_progress`` as for ``solve``; what a stopped count knows is in
    ``at_least`` and ``estimate``. UnsupportedError: nobody here can count that.

    >>> from nonosat.puzzles.nonogram import Nonogram
    >>> count(Nonogram.from_lengths([[1]] * 5, [[1]] * 5)).solutions
    120
    """
    name = chosen(puzzle, counter, approximate)
    parts = parts_for(puzzle, name, encoding)
    tally = Count(verdict=Verdict.UNKNOWN, counter=name, encoding=None if parts is None else parts.name, puzzle=puzzle)
    if (reason := puzzle.contradiction()) is not None:
        return replace(tally, verdict=Verdict.UNSAT, solutions=0, reason=reason)
    checker = parts_for(puzzle, GANAK, encoding) if check else None
    if check:
        formulas.needed("pyganak")
    limits = (time_limit_s, cpu_limit_s, memory_limit_mb)
    found, _ = heard(events_of(*_search(puzzle, name, parts, epsilon, delta, seed), *limits), tally, on_progress)
    if checker is None or not found.exact:
        return found
    other, _ = heard(events_of(*_search(puzzle, GANAK, checker, epsilon, delta, seed), *limits), tally, on_progress)
    return compared(found, other)


def chosen(puzzle: Puzzle, counter: str | None, approximate: bool) -> str:
    """Who counts ``puzzle``. UnsupportedError: ``counter`` cannot, or is not here."""
    ours = puzzle_kind(puzzle).has("counting")
    if counter is None:
        counter = (
            (APPROXMC if formulas.has_approxmc() or not ours else BETHE) if approximate else NATIVE if ours else GANAK
        )
    if counter not in COUNTERS:
        raise UnknownNameError("counter", counter, COUNTERS)
    if counter in OWN and not ours:
        raise UnsupportedError(f"counter {counter} does not count the puzzle {puzzle.kind}; {GANAK} and {APPROXMC} do")
    if counter == GANAK:
        formulas.needed("pyganak")
    if counter == APPROXMC:
        formulas.needed("pyapproxmc")
        if not formulas.trusted():
            raise UnsupportedError("the pyapproxmc that is installed counts wrong; 4.1.24 counts right")
    return counter


def parts_for(puzzle: Puzzle, counter: str, encoding: str | Encoding | None) -> Encoding | None:
    """The encoding that ``counter`` goes through, if any."""
    if counter in OWN:
        return None
    parts = encoding_named(encoding, puzzle.kind) if isinstance(encoding, str) else encoding
    parts = parts or encoding_named(default_for(puzzle), puzzle.kind)
    parts.refuse(puzzle.kind)
    formulas.refuse(parts)
    return parts


def _search(puzzle: Puzzle, counter: str, parts: Any, epsilon: float, delta: float, seed: int) -> tuple[Any, Any]:
    """What counts, and what it is given."""
    if counter == GANAK:
        return formulas.ganak, (puzzle, parts)
    if counter == APPROXMC:
        if not (math.isfinite(epsilon) and epsilon > 0 and 0 < delta < 1 and seed >= 0):
            raise UnsupportedError(f"epsilon {epsilon:g}, delta {delta:g}: expected epsilon > 0 and 0 < delta < 1")
        return formulas.approxmc, (puzzle, parts, epsilon, delta, seed)
    own = kind_of(puzzle).counting
    return (own.estimate, (puzzle,)) if counter == BETHE else (own.count, (puzzle, counter))


def compared(found: Count, other: Count) -> Count:
    """``found`` with what the second counter says of it."""
    if not other.exact:
        why = f"Ganak did not come to an end: {other.reason}"
        return replace(found, reason=why)
    if other.solutions == found.solutions:
        return replace(found, checked=True)
    reason = f"{found.counter} counts {found.solutions:,}, Ganak {other.solutions:,}: one of them is wrong"
    return replace(found, verdict=Verdict.WRONG, checked=False, reason=reason, solutions=None, at_least=0)
