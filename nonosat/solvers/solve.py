"""The one function behind which all solvers stand: puzzle in, checked answer out."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

from nonosat.errors import UnsupportedError, check_count
from nonosat.puzzles.puzzle import Puzzle, PuzzleOrFile, puzzle_from, puzzle_kind
from nonosat.runs.events import Answer, Conclusion, Event, Verdict
from nonosat.runs.run import ENDLESS, limits_of, run
from nonosat.runs.solver import Solver
from nonosat.runs.watched import EVERY_S, watched
from nonosat.solvers.judgement import Judging, consume_judged, judge_of, judge_of_csp
from nonosat.solvers.registry import DEFAULT_SAT, csp_solver, default_for, search, search_once, with_limits
from nonosat.solvers.registry import solver as solver_named

if TYPE_CHECKING:
    from nonosat.csp.model import CSP
    from nonosat.encodings.registry import Encoding
    from nonosat.runs.isolation import Stop
    from nonosat.runs.limits import Limits


def solve(
    puzzle: PuzzleOrFile,
    *,
    encoding: str | Encoding | None = None,
    solver: str | Solver | None = None,
    count: int | None = 1,
    unique: bool = False,
    time_limit_s: float | None = None,
    cpu_limit_s: float | None = None,
    memory_limit_mb: float | None = None,
    on_progress: Callable[[str, int], None] | None = None,
) -> Answer:
    """Solve ``puzzle`` (or that in the file of this name): find at most ``count`` pictures (None: all).

    ``unique`` looks for two, to see if one is alone.

    A picture is a board that solves the puzzle, of whatever kind that is. ``solver``: None is ``auto``, or
    ``minisat22`` if an ``encoding`` is named. ``encoding``: None is the default of the puzzle's kind, for solvers that
    need one. UnsupportedError: an encoding or a solver that is for another kind; an encoding for a solver that takes
    none.

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
    request = request_of(puzzle, encoding, solver, count, unique, time_limit_s, cpu_limit_s, memory_limit_mb)
    return request.solved(on_progress)


class SolveRequest(NamedTuple):
    """A solve that makes sense, before it is run.

    ``answer``: without what the search will find. ``arguments``: of ``registry.search``. ``known``: the whole answer,
    where no search is needed.
    """

    puzzle: Puzzle
    answer: Answer
    solver: Solver
    arguments: tuple[Any, ...]
    limits: Limits | None
    known: Answer | None

    def solved(
        self, on_progress: Callable[[str, int], None] | None = None, stop: Stop | None = None, once: bool = False
    ) -> Answer:
        """The answer. ``stop`` ends a run with limits from another thread.

        ``once``: this process solves nothing else. Without limits the solver's light search then comes first; of
        several solutions it may find another one first.
        """
        if self.known is not None:
            return self.known
        searched = search_once if once and self.limits is None else search
        events = run(searched, self.arguments, self.limits, (self.solver.module,), stop)
        return consume_judged(events, self.answer, judge_of(self.puzzle), on_progress)


def request_of(
    puzzle: PuzzleOrFile,
    encoding: str | Encoding | None,
    solver: str | Solver | None,
    count: int | None,
    unique: bool,
    time_limit_s: float | None,
    cpu_limit_s: float | None,
    memory_limit_mb: float | None,
) -> SolveRequest:
    """The arguments of ``solve``, looked up. UnsupportedError: they make no sense."""
    puzzle = puzzle_from(puzzle)
    check_count(count, "picture")
    if unique and count is not None:
        count = max(count, 2)
    chosen = solver_named(default_for(encoding) if solver is None else solver)
    chosen.refuse(puzzle_kind(puzzle).name)
    parts = None
    if encoding is not None or chosen.family != "own":
        parts = _encoding(puzzle, encoding)
    if encoding is not None and chosen.sees(parts) is None:
        chosen.refuse_encoding(encoding)
    answer = Answer(Verdict.UNKNOWN, solver=chosen.name, encoding=chosen.sees(parts), puzzle=puzzle)
    limits = limits_of(chosen, time_limit_s, memory_limit_mb, cpu_limit_s)
    arguments = (puzzle, parts, count, with_limits(chosen, time_limit_s, memory_limit_mb))
    reason = puzzle.contradiction()
    known = None if reason is None else replace(answer, verdict=Verdict.UNSAT, exhausted=True, reason=reason)
    return SolveRequest(puzzle, answer, chosen, arguments, limits, known)


def _encoding(puzzle: Puzzle, encoding: str | Encoding | None) -> Encoding:
    """The encoding of that name; native solvers do without these modules, which take long to import."""
    from nonosat.encodings.registry import encoding_of

    return encoding_of(puzzle, encoding)


# Any finite CSP, solved: by the SAT solvers through an integer encoding, or by CP-SAT; every solution is checked.


MOST_BOOLEANS = 2**26
"""A text of one line can declare more values than memory has room for Booleans."""


@dataclass(frozen=True, repr=False)
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
    solver: str | Solver = DEFAULT_SAT,
    count: int | None = 1,
    time_limit_s: float | None = None,
    cpu_limit_s: float | None = None,
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
    check_count(count, "solution")
    chosen = csp_solver(solver)
    needs_booleans = chosen.family == "SAT"
    if needs_booleans:
        check_integers(csp, integers)
    board = csp.board.reshape(-1)
    only = bool((csp.lower[board] == csp.upper[board]).all())  # a second solution is out of the question
    arguments = (csp, integers, 1 if only else count, with_limits(chosen, time_limit_s, memory_limit_mb))
    limits = limits_of(chosen, time_limit_s, memory_limit_mb, cpu_limit_s)
    events = run(csp_search, arguments, limits, (chosen.module,))
    answer = CspAnswer(Verdict.UNKNOWN, solver=chosen.name, encoding=integers if needs_booleans else None)
    answer = consume_judged(events, answer, judge_of_csp(csp))
    return replace(answer, exhausted=True) if only and answer.verdict is Verdict.SAT else answer


def csp_search(csp: CSP, integers: str, at_most: int | None, solver: Solver) -> Iterator[Event]:
    """Run ``solver`` on ``csp``."""
    from nonosat.solvers.formulas import search_csp

    yield from (solver.of_csp or search_csp)(csp, integers, at_most, solver)


def check_integers(csp: CSP, integers: str) -> None:
    """UnknownNameError, UnsupportedError: there is no such encoding, or the domains are too large for it."""
    from nonosat.encodings.parts import INTEGERS, WIDE

    needed = INTEGERS.named(integers).map.needed(csp)
    if needed > MOST_BOOLEANS:
        instead = "" if integers == WIDE else f"{WIDE} takes fewer, "
        raise UnsupportedError(
            f"{integers}: {needed:,} Booleans for the domains are too many; {instead}CP-SAT needs none"
        )


# A solve that is watched: the events of its search, and then its answer.


def watch(
    puzzle: Puzzle,
    *,
    encoding: str | Encoding | None = None,
    solver: str | Solver | None = None,
    count: int | None = 1,
    unique: bool = False,
    time_limit_s: float | None = None,
    cpu_limit_s: float | None = None,
    memory_limit_mb: float | None = None,
    every_s: float = EVERY_S,
    closely: int = 0,
    stop: Stop | None = None,
) -> Generator[Event | Answer, None, None]:
    """Solve ``puzzle`` as ``solve`` does, and give the events of the search meanwhile. The answer comes last.

    A ``Glimpse`` comes every ``every_s`` seconds, if the solver can be looked into. Before that come ``closely``
    glimpses, one after each smallest piece of work. ``Progress`` names a stage. ``Found`` has a board that is not
    checked yet; the answer has those that are right. After ``Loading`` the search, and the clock of its glimpses, may
    start again; boards do not come twice. ``stop`` ends a run with limits from another thread. Closing the generator
    ends the run, too.

    >>> from nonosat.puzzles.nonogram import Nonogram
    >>> from nonosat.runs.events import Found
    >>> *events, answer = watch(Nonogram.from_lengths([[1], [1]], [[1], [1]]), count=None)
    >>> sum(isinstance(event, Found) for event in events), len(answer.pictures)
    (2, 2)
    """
    request = request_of(puzzle, encoding, solver, count, unique, time_limit_s, cpu_limit_s, memory_limit_mb)
    if request.known is not None:
        yield request.known
        return
    arguments = (search, request.arguments, every_s, closely)
    consumer = Judging(request.answer, judge_of(puzzle), None)
    with closing(run(watched, arguments, request.limits, (request.solver.module,), stop)) as events:
        for event in events:
            if (answer := consumer.take(event)) is not None:
                yield answer
                return
            yield event
    yield consumer.stopped(ENDLESS)
