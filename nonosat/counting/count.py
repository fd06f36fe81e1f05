"""Counts, uniform draws and backbones of puzzles: one function each, whatever counter does the work."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeVar

from nonosat.counting import backbones, cnf_counters
from nonosat.counting.answer import Backbone, Count, CountBounds, Sample, Tally
from nonosat.encodings.registry import Encoding, encoding_of
from nonosat.errors import UnknownNameError, UnsupportedError, check_whole
from nonosat.plugins import Code
from nonosat.puzzles.puzzle import Puzzle, PuzzleOrFile, kind_of, known_solutions, puzzle_from, puzzle_kind
from nonosat.runs.events import Finished, Stopped, Verdict
from nonosat.runs.run import EventConsumer, OnProgress, Search, consume, limits_of, run
from nonosat.runs.solver import BARE
from nonosat.solvers.judgement import judged, too_few

if TYPE_CHECKING:
    from nonosat.runs.limits import Limits


Events = Iterator[Any]


@dataclass(frozen=True, eq=False)
class NativeCounters:
    """The native counters of a kind of puzzle: searches without a formula, as generators of events.

    Fields take the function, or ``"module:name"``, which is imported at the first use. ``count(puzzle, counter)``: the
    exact number (``counter``: one of ``COUNTERS``). ``estimate(puzzle)``: an estimate. ``sample(puzzle, draws, seed)``:
    the exact number and uniform draws. ``backbone(puzzle, exact, fixed)``: the backbone, if a short count gives it
    (``exact``: however long it takes; ``fixed``: cells that are known to be in it, -1 for the others, or None). It
    returns whether the backbone is complete, and the cells that are known to be in it.
    """

    count: Code[Callable[[Any, str], Events]] = Code()
    estimate: Code[Callable[[Any], Events]] = Code()
    sample: Code[Callable[[Any, int, int], Events]] = Code()
    backbone: Code[Callable[[Any, bool, Any], Generator[Any, None, tuple[bool, Any]]]] = Code()


_NATIVE = "nonosat.counting.native:"
"""Compiled code, which is imported at the first count."""

NONOGRAMS = NativeCounters(_NATIVE + "count", _NATIVE + "estimate", _NATIVE + "sample", _NATIVE + "backbone")


T = TypeVar("T", bound=Tally)


def run_count(
    search: Search, arguments: tuple[Any, ...], limits: Limits | None, tally: T, on_progress: OnProgress | None
) -> tuple[T, CountBounds]:
    """Count by ``search(*arguments)``: ``tally`` filled in, and all that the search found out.

    InterruptedSolve: Ctrl-C, with what is known.
    """
    consumer = Counting(tally, on_progress)
    return consume(run(search, arguments, limits), consumer), consumer.bounds


class Counting(EventConsumer[T]):
    """Collects what a search that counts finds out: ``bounds``."""

    work = "counting"

    def __init__(self, tally: T, on_progress: OnProgress | None = None) -> None:
        super().__init__(on_progress)
        self.tally = tally
        self.bounds = CountBounds()

    def known(self) -> int:
        """How many solutions there are at least."""
        return self.bounds.at_least

    def other(self, event: object) -> T | None:
        """Take note of what is known."""
        if not isinstance(event, CountBounds):
            return super().other(event)
        known = {name: value for name, value in vars(event).items() if value is not None}
        known["at_least"] = max(self.bounds.at_least, event.at_least, event.solutions or 0)
        self.bounds = replace(self.bounds, **known)
        return None

    def finished(self, event: Finished) -> T:
        """The tally of a search that ended by itself."""
        return self._with(Verdict.UNKNOWN, statistics=event.statistics, reason=event.reason)

    def stopped(self, event: Stopped) -> T:
        """The tally of a search that was stopped: what it counted stands."""
        about = self.unfinished(event)
        return self._with(event.verdict, stopped=event.verdict, reason=event.reason, statistics=about)

    def _with(self, otherwise: Verdict, **more: Any) -> T:
        known = self.bounds
        verdict = Verdict.UNSAT if known.solutions == 0 else Verdict.SAT if known.at_least else otherwise
        bounds: dict[str, Any] = {
            "solutions": known.solutions,
            "at_least": known.at_least,
            "estimate": known.estimate,
            "counter": known.counter or self.tally.counter,
        }
        puzzle, counted = self.tally.puzzle, known.solutions
        if puzzle is not None and counted is not None and (why := too_few(puzzle, counted)) is not None:
            bounds |= {"solutions": None, "at_least": 0}
            return replace(self.tally, verdict=Verdict.WRONG, **bounds, **more | {"reason": why})
        return replace(self.tally, verdict=verdict, **bounds, **more)


COUNTERS = ("turns", "components", "sweep", "frontier", "ganak", "approxmc", "bethe")
"""The counters; all but the last two are exact. ``turns`` runs the next three alternately, until one of them ends."""
NATIVE, _, _, _, GANAK, APPROXMC, BETHE = COUNTERS
NATIVES = (*COUNTERS[:4], BETHE)
"""The native counters; the others go through an encoding."""


def count(
    puzzle: PuzzleOrFile,
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

    ``counter``: one of ``COUNTERS``; the default is ``turns`` for kinds that have it, and ``ganak`` for others;
    ``approximate``: ``approxmc``, or ``bethe`` where no correct version of it is installed. ``epsilon``, ``delta``,
    ``seed``: of ApproxMC. ``encoding``: of counters that go through a CNF. ``check``: let Ganak count again; another
    number is the verdict WRONG. Limits (of each of the two counts) and ``on_progress`` as for ``solve``; a stopped
    count has ``at_least`` and ``estimate``. UnsupportedError: no installed counter can count that.

    >>> from nonosat.puzzles.nonogram import Nonogram
    >>> count(Nonogram.from_lengths([[1]] * 5, [[1]] * 5)).solutions
    120
    """
    puzzle = puzzle_from(puzzle)
    name = chosen(puzzle, counter, approximate)
    parts = parts_for(puzzle, name, encoding)
    tally = Count(verdict=Verdict.UNKNOWN, counter=name, encoding=None if parts is None else parts.name, puzzle=puzzle)
    if (reason := puzzle.contradiction()) is not None:
        return replace(tally, verdict=Verdict.UNSAT, solutions=0, reason=reason)
    checker = parts_for(puzzle, GANAK, encoding) if check else None
    if check:
        cnf_counters.needed("pyganak")
    limits = limits_of(BARE, time_limit_s, memory_limit_mb, cpu_limit_s)
    found, _ = run_count(*_search(puzzle, name, parts, epsilon, delta, seed), limits, tally, on_progress)
    if checker is None or not found.exact:
        return found
    other, _ = run_count(*_search(puzzle, GANAK, checker, epsilon, delta, seed), limits, tally, on_progress)
    return compared(found, other)


def chosen(puzzle: Puzzle, counter: str | None, approximate: bool) -> str:
    """The counter for ``puzzle``. UnsupportedError: ``counter`` cannot count it, or is not installed."""
    ours = puzzle_kind(puzzle).has("counting")
    if counter is None:
        counter = (
            (APPROXMC if cnf_counters.has_approxmc() or not ours else BETHE)
            if approximate
            else NATIVE
            if ours
            else GANAK
        )
    if counter not in COUNTERS:
        raise UnknownNameError("counter", counter, COUNTERS)
    if counter in NATIVES and not ours:
        raise UnsupportedError(f"counter {counter} does not count the puzzle {puzzle.kind}; {GANAK} and {APPROXMC} do")
    if counter == GANAK:
        cnf_counters.needed("pyganak")
    return counter


def parts_for(puzzle: Puzzle, counter: str, encoding: str | Encoding | None) -> Encoding | None:
    """The encoding that ``counter`` goes through, if any."""
    if counter in NATIVES:
        return None
    parts = encoding_of(puzzle, encoding)
    cnf_counters.refuse(parts)
    return parts


def _search(puzzle: Puzzle, counter: str, parts: Any, epsilon: float, delta: float, seed: int) -> tuple[Any, Any]:
    """The search of a counter, and its arguments."""
    if counter == GANAK:
        return cnf_counters.ganak, (puzzle, parts)
    if counter == APPROXMC:
        cnf_counters.check_approximation(epsilon, delta, seed)
        return cnf_counters.approxmc, (puzzle, parts, epsilon, delta, seed)
    own = kind_of(puzzle).counting
    return (own.estimate, (puzzle,)) if counter == BETHE else (own.count, (puzzle, counter))


def compared(found: Count, other: Count) -> Count:
    """``found``, compared with the result of the second counter."""
    if not other.exact:
        why = f"Ganak did not come to an end: {other.reason}"
        return replace(found, reason=why)
    if other.solutions == found.solutions:
        return replace(found, checked=True)
    reason = f"{found.counter} counts {found.solutions:,}, Ganak {other.solutions:,}: one of them is wrong"
    return replace(found, verdict=Verdict.WRONG, checked=False, reason=reason, solutions=None, at_least=0)


def backbone(
    puzzle: PuzzleOrFile,
    *,
    exact: bool = False,
    encoding: str | Encoding | None = None,
    time_limit_s: float | None = None,
    cpu_limit_s: float | None = None,
    memory_limit_mb: float | None = None,
    on_progress: OnProgress | None = None,
) -> Backbone:
    """The cells that have the same value in all solutions.

    If a short count ends (nonograms only; ``exact``: however long it takes), it also gives the shares of the solutions
    in which the other cells have each value. Else a SAT solver finds the backbone, through ``encoding``, and shares are
    not known. Limits and ``on_progress`` as for ``solve``; a search that was stopped knows some of the cells.

    >>> from nonosat.puzzles.nonogram import Nonogram
    >>> found = backbone(Nonogram.from_lengths([[1], [1], []], [[1], [1], []]))
    >>> found.cells.tolist(), found.solutions
    ([[-1, -1, 0], [-1, -1, 0], [0, 0, 0]], 2)
    """
    puzzle = puzzle_from(puzzle)
    puzzle_kind(puzzle)
    parts = encoding_of(puzzle, encoding)
    cnf_counters.refuse(parts)
    tally = Backbone(verdict=Verdict.UNKNOWN, counter="components", puzzle=puzzle)
    if (reason := puzzle.contradiction()) is not None:
        return replace(tally, verdict=Verdict.UNSAT, solutions=0, reason=reason)
    limits = limits_of(BARE, time_limit_s, memory_limit_mb, cpu_limit_s)
    found, known = run_count(backbones.search, (puzzle, parts, exact), limits, tally, on_progress)
    if known.shares is None and known.possible is not None:
        found = replace(found, counter=backbones.SOLVER, encoding=parts.name)
    if known.possible is None or found.verdict is Verdict.WRONG:
        return found
    cells, several = backbones.fixed_values(known.possible), (known.possible == 1).sum(axis=2) > 1
    for board, name in known_solutions(puzzle).items():
        if ((cells >= 0) & (cells != board.cells)).any():
            reason = f"{name} has another value in a cell that is said to be the same in all solutions"
            return replace(found, verdict=Verdict.WRONG, reason=reason, solutions=None, at_least=0)
    return replace(found, cells=cells, decided=(cells >= 0) | several, shares=known.shares)


def check_draws(count: int, seed: int) -> None:
    """UnsupportedError, KindError: so many draws cannot be had by this seed."""
    check_whole(count=count, seed=seed)
    if count < 1 or seed < 0:
        raise UnsupportedError(f"{count} draws, seed {seed}: at least one is drawn, and seeds are not negative")


def sample(
    puzzle: PuzzleOrFile,
    count: int = 1,
    seed: int = 0,
    *,
    time_limit_s: float | None = None,
    cpu_limit_s: float | None = None,
    memory_limit_mb: float | None = None,
    on_progress: OnProgress | None = None,
) -> Sample:
    """Draw ``count`` solutions of ``puzzle`` uniformly, with replacement. A seed gives the same ones on every machine.

    All solutions are counted first; a count that is stopped draws none. Each solution is checked against the clues; one
    that fails is the verdict WRONG. Limits and ``on_progress`` as for ``solve``. UnsupportedError: the kind has no
    native counter.

    >>> from nonosat.puzzles.nonogram import Nonogram
    >>> found = sample(Nonogram.from_lengths([[1], [1]], [[1], [1]]), 100)
    >>> found.solutions, len(found.boards), len(set(found.boards))
    (2, 100, 2)
    """
    check_draws(count, seed)
    puzzle = puzzle_from(puzzle)
    if (own := puzzle_kind(puzzle).counting) is None:
        raise UnsupportedError(f"solutions of the puzzle {puzzle.kind} cannot be drawn: it has no counter of its own")
    tally = Sample(verdict=Verdict.UNKNOWN, counter="components", puzzle=puzzle, seed=seed)
    if (reason := puzzle.contradiction()) is not None:
        return replace(tally, verdict=Verdict.UNSAT, solutions=0, reason=reason)
    limits = limits_of(BARE, time_limit_s, memory_limit_mb, cpu_limit_s)
    found, known = run_count(own.sample, (puzzle, count, seed), limits, tally, on_progress)
    boards = []
    for cells in () if known.boards is None else known.boards:
        judgement = judged(puzzle, cells)
        if judgement.wrong is not None or judgement.solution is None:
            return replace(found, verdict=Verdict.WRONG, reason=judgement.wrong)
        boards.append(judgement.solution)
    return replace(found, boards=tuple(boards))
