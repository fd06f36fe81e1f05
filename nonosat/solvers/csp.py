"""Any finite CSP, solved: by the SAT solvers through an integer encoding, or by CP-SAT; every solution is checked."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from nonosat.csp.model import CSP
from nonosat.encodings.integers import INTEGERS
from nonosat.errors import UnknownNameError, UnsupportedError
from nonosat.solvers.answer import Conclusion, Event, Verdict
from nonosat.solvers.judgement import heard, judge_of_csp
from nonosat.solvers.registry import DEFAULT as DEFAULT_SOLVER
from nonosat.solvers.registry import solver as solver_named
from nonosat.solvers.registry import with_limits
from nonosat.solvers.running import limits_of, run
from nonosat.solvers.solver import Solver

MOST_BOOLEANS = 2**26
"""A text of one line can declare more values than memory has room for Booleans."""


@dataclass(frozen=True)
class CspAnswer(Conclusion[dict[str, int]]):
    """What came of a search: the solutions on the CSP's board, by names; no two are the same."""

    @property
    def solutions(self) -> tuple[dict[str, int], ...]:
        """All that were found."""
        return self.found

    def _solutions(self) -> dict[str, Any]:
        return {"solutions": list(self.solutions), "exhausted": self.exhausted}


def solve_csp(
    csp: CSP,
    *,
    integers: str = "order",
    solver: str | Solver = DEFAULT_SOLVER,
    count: int | None = 1,
    time_limit_s: float | None = None,
    memory_limit_mb: float | None = None,
) -> CspAnswer:
    """Find at most ``count`` solutions of ``csp`` (None: all), which differ on its board.

    ``integers`` is the encoding for SAT solvers; CP-SAT needs none. A model, auxiliaries and all, counts if it
    satisfies ``csp``, else the verdict is WRONG. Limits are those of ``solve``. Ctrl-C raises ``InterruptedSolve``.

    >>> from nonosat.csp.sugar import read
    >>> answer = solve_csp(read("(int x 1 3) (int y 1 3) (< (+ x 1) y)"), count=None)
    >>> str(answer.verdict), answer.solutions, answer.exhausted
    ('SAT', ({'x': 1, 'y': 3},), True)
    """
    if count is not None and count < 1:
        raise UnsupportedError(f"count is {count}: at least one solution must be looked for")
    chosen = solver_named(solver)
    if not chosen.solves_csps:
        raise UnsupportedError(f"{chosen.name} solves puzzles only")
    needs_booleans = chosen.family == "SAT"
    if needs_booleans:
        _check_encoding(csp, integers)
    board = csp.board.reshape(-1)
    only = bool((csp.lower[board] == csp.upper[board]).all())  # a second solution is out of the question
    arguments = (csp, integers, 1 if only else count, with_limits(chosen, time_limit_s, memory_limit_mb))
    events = run(search, arguments, chosen, limits_of(chosen, time_limit_s, memory_limit_mb))
    answer = CspAnswer(Verdict.UNKNOWN, solver=chosen.name, encoding=integers if needs_booleans else None)
    answer = heard(events, answer, judge_of_csp(csp))
    return replace(answer, exhausted=True) if only and answer.verdict is Verdict.SAT else answer


def search(csp: CSP, integers: str, at_most: int | None, solver: Solver) -> Iterator[Event]:
    """Run ``solver`` on ``csp``."""
    from nonosat.solvers.formulas import search_csp

    yield from (solver.of_csp or search_csp)(csp, integers, at_most, solver)


def _check_encoding(csp: CSP, integers: str) -> None:
    if integers not in INTEGERS:
        raise UnknownNameError("integer encoding", integers, list(INTEGERS))
    needed = int(INTEGERS[integers].map.sizes(csp.lower, csp.upper).sum())
    if needed > MOST_BOOLEANS:
        raise UnsupportedError(f"{needed:,} Booleans for the domains are too many; CP-SAT needs none")
