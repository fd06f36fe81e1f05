"""Any finite CSP, solved: by the SAT solvers through an integer encoding, or by CP-SAT; every solution is checked."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass, field, replace
from time import perf_counter
from typing import Any

import numpy as np
import numpy.typing as npt

from nonosat.csp.model import CSP, Ints
from nonosat.encodings.formula import Formula
from nonosat.encodings.registry import PARTS
from nonosat.errors import InterruptedSolve, UnknownNameError, UnsupportedError
from nonosat.solvers.answer import Event, Finished, Found, Loading, Progress, Statistics, Stopped, Verdict
from nonosat.solvers.formulas import no_garbage_collection
from nonosat.solvers.registry import DEFAULT as DEFAULT_SOLVER
from nonosat.solvers.registry import solver as solver_named

MOST_BOOLEANS = 2**26
"""A text of one line can declare more values than memory has room for Booleans."""


@dataclass(frozen=True)
class CspAnswer:
    """What came of a search: the solutions on the CSP's board, by names; no two are the same.

    ``exhausted``: there are no others. ``stopped`` and ``reason``: why there is no answer, or no more of it.
    """

    verdict: Verdict
    solutions: tuple[dict[str, int], ...] = ()
    exhausted: bool = False
    stopped: Verdict | None = None
    reason: str | None = None
    statistics: Statistics = field(default_factory=Statistics)
    solver: str = ""
    encoding: str | None = None

    def record(self) -> dict[str, Any]:
        """The answer as plain JSON data."""
        return {
            "verdict": str(self.verdict),
            "solutions": list(self.solutions),
            "exhausted": self.exhausted,
            "stopped": str(self.stopped) if self.stopped is not None else None,
            "reason": self.reason,
            "encoding": self.encoding,
            "solver": self.solver,
            **asdict(self.statistics),
        }


def solve_csp(
    csp: CSP,
    *,
    integers: str = "order",
    solver: str = DEFAULT_SOLVER,
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
    entry = solver_named(solver)
    if entry.module not in _SEARCHES:
        raise UnsupportedError(f"{entry.name} solves puzzles only")
    if entry.family == "SAT":
        _check_encoding(csp, integers)
    board = csp.board.reshape(-1)
    only = bool((csp.lower[board] == csp.upper[board]).all())  # a second solution is out of the question
    search, arguments = _SEARCHES[entry.module], (csp, integers, 1 if only else count, entry.name)
    from nonosat.solvers.solve import limits_of, run

    events = run(search, arguments, entry, limits_of(entry, time_limit_s, memory_limit_mb))
    encoding = integers if entry.family == "SAT" else None
    answer = _judge(csp, events, CspAnswer(Verdict.UNKNOWN, solver=entry.name, encoding=encoding))
    return replace(answer, exhausted=True) if only and answer.verdict is Verdict.SAT else answer


def _check_encoding(csp: CSP, integers: str) -> None:
    known = [name for name, part in PARTS.items() if part.slot == "integers"]
    if integers not in known:
        raise UnknownNameError("integer encoding", integers, known)
    needed = int((csp.upper.astype(np.int64) - csp.lower).sum())
    if needed > MOST_BOOLEANS and integers != "log":
        raise UnsupportedError(f"{needed:,} values in the domains are too many for a Boolean each; CP-SAT needs none")


def _judge(csp: CSP, events: Iterator[Event], answer: CspAnswer) -> CspAnswer:
    """Check every model, and turn what the search said into an answer."""
    board = csp.board.reshape(-1)
    names = csp.names()
    solutions: list[dict[str, int]] = []
    seen: set[bytes] = set()
    try:
        for event in events:
            match event:
                case Loading():  # what was said before is void
                    solutions, seen = [], set()
                    answer = replace(answer, verdict=Verdict.UNKNOWN, solutions=(), statistics=Statistics())
                case Progress(_, statistics):
                    answer = replace(answer, statistics=statistics)
                case Found(found):
                    values: Any = found  # of all variables, and wider than the cells of a picture
                    if not csp.holds(values):
                        reason = "a model does not satisfy the CSP: the encoding is unsound, or this is a bug"
                        return replace(answer, verdict=Verdict.WRONG, reason=reason)
                    if (key := values[board].tobytes()) in seen:
                        return _stopped(answer, Verdict.CRASH, "the same solution came twice")
                    seen.add(key)
                    solutions.append({names[v]: int(values[v]) for v in board.tolist()})
                    answer = replace(answer, verdict=Verdict.SAT, solutions=tuple(solutions))
                case Finished(exhausted, statistics, reason):
                    verdict = Verdict.SAT if solutions else Verdict.UNSAT if exhausted else Verdict.UNKNOWN
                    return replace(answer, verdict=verdict, exhausted=exhausted, reason=reason, statistics=statistics)
                case Stopped(verdict, reason, peak):
                    statistics = answer.statistics.unfinished(None, peak)
                    return _stopped(replace(answer, statistics=statistics), verdict, reason)
    except KeyboardInterrupt:
        raise InterruptedSolve(_stopped(answer, Verdict.INTERRUPTED, "interrupted")) from None
    finally:
        if hasattr(events, "close"):
            events.close()
    return _stopped(answer, Verdict.CRASH, "the search ended without a verdict")


def _stopped(answer: CspAnswer, verdict: Verdict, reason: str) -> CspAnswer:
    """What was found counts, and why there is no more is told."""
    return replace(answer, verdict=Verdict.SAT if answer.solutions else verdict, stopped=verdict, reason=reason)


# ---------------------------------------------------------------- searches: models as the values of all variables


@dataclass(frozen=True, eq=False)
class _Whole:
    """A formula whose models are decoded whole and ruled out on the board alone."""

    formula: Formula
    variables: Ints

    def cells(self, model: npt.ArrayLike) -> Ints:
        return self.formula.values(model, self.variables)

    def block(self, values: Ints) -> list[int]:
        board = self.formula.board.reshape(-1)
        return self.formula.map.differ(board, values[board])


def search_sat(csp: CSP, integers: str, at_most: int | None, solver: str) -> Iterator[Event]:
    """Encode ``csp``, load it into ``solver``, and find at most ``at_most`` models (None: all) that differ."""
    from nonosat.solvers.sat.search import models
    from nonosat.solvers.sat.session import Session

    yield Progress("encoding")
    begin = perf_counter()
    with no_garbage_collection():
        formula: Formula = PARTS[integers].make(csp)
    seconds = perf_counter() - begin
    statistics = Statistics(variables=formula.cnf.variables, clauses=formula.cnf.clauses, encode_s=seconds)
    yield Progress("loading", statistics)
    if formula.cnf.has_empty_clause:  # solvers differ in what they make of one
        yield Finished(True, replace(statistics, load_s=0.0, solve_s=0.0))
        return
    session = Session(solver, formula.cnf)
    whole: Any = _Whole(formula.without_clauses(), np.arange(len(csp), dtype=np.int32))
    yield from models(session, whole, at_most, statistics)


def search_cpsat(csp: CSP, integers: str, at_most: int | None, solver: str) -> Iterator[Event]:
    """State ``csp`` for CP-SAT and find at most ``at_most`` solutions (None: all) that differ."""
    from nonosat.encodings.cpsat import CpModel
    from nonosat.solvers.cp.rules import boards

    yield Progress("encoding")
    begin = perf_counter()
    model = CpModel(csp)
    every = np.arange(len(csp), dtype=np.int32)
    yield from boards(model, csp.board, at_most, solver, perf_counter() - begin, decoded=every)


_SEARCHES = {"nonosat.solvers.sat.search": search_sat, "nonosat.solvers.cp.rules": search_cpsat}
