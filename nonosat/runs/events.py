"""What a solver says: a verdict, the solutions that were found and checked, and what it cost."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from nonosat.errors import no_truth
from nonosat.puzzles.puzzle import Board, Puzzle

if TYPE_CHECKING:
    import numpy.typing as npt


class Verdict(StrEnum):
    """SAT and UNSAT are answers, MEASURED is what a counter of a study ends with; every other member is a named way of
    having none. From evidence: see isolation/.
    """

    SAT = "SAT"
    """A solution was found, and is right."""
    UNSAT = "UNSAT"
    MEASURED = "MEASURED"
    """A counter of a study came to its end; it looks for no picture."""
    WRONG = "WRONG"
    """A model that is no solution, or the claim that there is no other, where one comes with the puzzle: an encoding
    that lets wrong boards through or shuts solutions out, or a bug.
    """
    TIMEOUT = "TIMEOUT"
    """Killed at the limit on wall time."""
    CPUOUT = "CPUOUT"
    """Killed at the limit on CPU time."""
    MEMOUT = "MEMOUT"
    """Killed at the memory limit, or ended for want of memory."""
    CRASH = "CRASH"
    """Ended by a signal or without a verdict."""
    ERROR = "ERROR"
    """The solver (or our code in its process) raised an exception: studies distinguish that from a CRASH."""
    UNKNOWN = "UNKNOWN"
    """The solver gave up by itself."""
    UNSUPPORTED = "UNSUPPORTED"
    """The solver or encoding cannot do this puzzle."""
    INTERRUPTED = "INTERRUPTED"
    """We ended it (Ctrl-C); a study runs it again when it goes on."""


_UNREPORTED = "for solvers that do not report them, and for stopped runs"
_NATIVE = "for solvers that do not have it, and for stopped runs"


_CERTIFIED = "if nothing was certified"


def _counter(meaning: str, absent: str, type: str = "integer", unit: str = "") -> Any:  # noqa: A002 - as records say
    """A field of ``Statistics`` that counts; records describe it in these words."""
    return field(default=None, metadata={"type": type, "unit": unit, "meaning": meaning, "absent": absent})


@dataclass(frozen=True)
class Statistics:
    """What an answer cost. Times are seconds, unrounded; what is not known is None, never 0.

    ``solve_cpu_s``: CPU seconds of the solver's calls alone, of solvers that tell these from our work between them.
    Memory and the last two times are known where a process of its own did the solving: its peak resident memory, its
    CPU seconds (user and system) from its start, and its wall seconds since its clock began.
    """

    variables: int | None = None
    clauses: int | None = None
    encode_s: float | None = None
    load_s: float | None = None
    solve_s: float | None = None
    decisions: int | None = _counter("as the solver counts them", _UNREPORTED)
    conflicts: int | None = _counter("as the solver counts them", _UNREPORTED)
    propagations: int | None = _counter("as the solver counts them", _UNREPORTED)
    restarts: int | None = _counter("as the solver counts them", _UNREPORTED)
    placements: int | None = _counter("placements of lines listed", _NATIVE)
    lines_checked: int | None = _counter("times a line was looked at", _NATIVE)
    assumptions: int | None = _counter("guesses", _NATIVE)
    """Placements of a line, or values of a cell, that were assumed and then followed up."""
    probes: int | None = _counter("values tried and taken back", _NATIVE)
    nodes: int | None = _counter("of the search tree", _NATIVE)
    """Partial boards, the root among them."""
    contradictions: int | None = _counter("dead branches", _NATIVE)
    """Partial boards that were found to have no completion; a full board that fails is one too."""
    certificate_steps: int | None = _counter("lines of a proof that was checked and holds", _CERTIFIED)
    certificate_bytes: int | None = _counter("its length", _CERTIFIED, unit="bytes")
    check_s: float | None = _counter("wall time of checking it", _CERTIFIED, "real", "s")
    peak_memory_mb: float | None = None
    solve_cpu_s: float | None = None
    cpu_s: float | None = None
    wall_s: float | None = None

    @property
    def total_s(self) -> float:
        """All times that are known, added up."""
        return sum(seconds for seconds in (self.encode_s, self.load_s, self.solve_s) if seconds is not None)

    @property
    def timed(self) -> bool:
        """Is any of these times known?"""
        return any(seconds is not None for seconds in (self.encode_s, self.load_s, self.solve_s))

    @classmethod
    def of(cls, *costs: Mapping[str, float]) -> Statistics:
        """The sum of costs that are told by some of the fields: what ``plus`` would come to, in a sixth of the time.

        >>> Statistics.of({"nodes": 3, "probes": 1}, {"nodes": 2}).nodes
        5
        """
        total = dict(vars(NOTHING_SPENT))
        for each in costs:
            for name, many in each.items():
                total[name] = (total[name] or 0) + many
        made = object.__new__(cls)  # what ``__init__`` would do, a call for each field, takes longer
        vars(made).update(total)
        return made

    def plus(self, later: Statistics) -> Statistics:
        """The cost of both: the formula and the peak memory are not added, all else is, as far as it is known."""
        both: dict[str, Any] = {}
        for name, one in vars(self).items():
            other = getattr(later, name)
            if one is None or other is None:
                both[name] = other if one is None else one
            elif name in ("variables", "clauses"):
                both[name] = other
            else:
                both[name] = max(one, other) if name == "peak_memory_mb" else one + other
        if any(part.solve_s is not None and part.solve_cpu_s is None for part in (self, later)):
            both["solve_cpu_s"] = None  # of one part alone
        return Statistics(**both)

    def unfinished(
        self,
        solve_s: float | None,
        peak_memory_mb: float | None,
        cpu_s: float | None = None,
        wall_s: float | None = None,
    ) -> Statistics:
        """What is known of a search that was stopped: its counters are not.

        Those that were reported before its last solve began are not those of the whole search.
        """
        return Statistics(
            self.variables,
            self.clauses,
            self.encode_s,
            self.load_s,
            solve_s,
            peak_memory_mb=peak_memory_mb,
            cpu_s=cpu_s,
            wall_s=wall_s,
        )


NOTHING_SPENT = Statistics()

COUNTERS = tuple(counter for counter in fields(Statistics) if counter.metadata)
"""What searches count: the fields of ``Statistics``, with what their ``metadata`` says of them."""


# What a search says while it runs. Searches are generators of these, so that one consumer serves the solve in this
# process and the solve in a process that can be killed.


@dataclass(frozen=True)
class Loading:
    """Code that an isolated search needs is loaded, or compiled at its first use on a machine. No clock runs.

    ``what`` is empty when that is done; then the search begins, or begins anew. For display: ``run`` drops the results
    that are repeated.
    """

    what: str


@dataclass(frozen=True)
class Ready:
    """What the search works on is there: its limits count from here. ``cpu_s``: what its process has used before."""

    cpu_s: float


@dataclass(frozen=True)
class Progress:
    """A stage has begun ("encoding", "loading", "solving"); the statistics known so far.

    ``encoding``: that was chosen by a solver of its own.
    """

    stage: str
    statistics: Statistics = NOTHING_SPENT
    encoding: str | None = None


@dataclass(frozen=True)
class Glimpse:
    """What a search that is watched looks like now. Nothing of it is an answer: cells may be taken back.

    ``at_s``: seconds of its own work since it began; what watching took is not among them. ``doing``: what it is at.
    ``cells``: shape (rows, columns), -1: open; None: it cannot be looked into. ``odds``: how likely each cell is
    filled, in the search's own belief, shape (rows, columns), nan: it does not say. ``guesses``: that the
    cells rest on.
    """

    doing: str
    statistics: Statistics
    cells: npt.NDArray[Any] | None = None
    odds: npt.NDArray[Any] | None = None
    guesses: int | None = None
    at_s: float = 0.0


@dataclass(frozen=True)
class Found:
    """A model, as the values of the board's cells (shape (rows, columns)); not checked yet.

    Lists of lists come from a solver's light search alone, which does without numpy.
    """

    cells: npt.NDArray[Any]


@dataclass(frozen=True)
class Values:
    """Results of a search for other things than solutions, in the order in which they were found."""

    values: Sequence[Any]


@dataclass(frozen=True)
class Measured:
    """What a counter of a study knows at this moment, by the names of the records' fields; later values replace it."""

    values: Mapping[str, Any]


@dataclass(frozen=True)
class Finished:
    """The search ended by itself. ``exhausted``: no solution exists but those found."""

    exhausted: bool
    statistics: Statistics
    reason: str | None = None


@dataclass(frozen=True)
class Stopped:
    """The search was ended from outside, or broke: one of the verdicts that are no answer."""

    verdict: Verdict
    reason: str
    peak_memory_mb: float | None = None
    cpu_s: float | None = None
    wall_s: float | None = None
    """Since the search's clock began."""
    exit_code: int | None = None
    """Of the process of its own that the search had; minus the number of the signal that ended it."""
    raised: bool = False
    """Whether an exception ended it."""


Event = Loading | Progress | Glimpse | Found | Values | Measured | Finished | Stopped
S = TypeVar("S")


@dataclass(frozen=True, repr=False)
class Conclusion(Generic[S]):
    """What came of a search.

    ``found``: solutions, each checked, no two the same. ``exhausted``: there are no others. ``stopped`` names why a
    search that had found something ended early (TIMEOUT, ...), ``reason`` is a line about it, and ``rejected`` what is
    behind the verdict WRONG, if there is something and it is not the solver that is to blame.
    """

    verdict: Verdict
    found: tuple[S, ...] = ()
    exhausted: bool = False
    stopped: Verdict | None = None
    reason: str | None = None
    rejected: S | None = None
    statistics: Statistics = NOTHING_SPENT
    solver: str = ""
    encoding: str | None = None

    @property
    def unique(self) -> bool | None:
        """True: it is proved that there is just one solution; False: there are none, or several; None: not known."""
        if self.verdict is Verdict.WRONG or (len(self.found) == 1 and not self.exhausted):
            return None
        return len(self.found) == 1 if self.found or self.exhausted else None

    @property
    def headline(self) -> str:
        """The answer in a few words: ``SAT, the only solution``."""
        text, found = str(self.verdict), len(self.found) if self.verdict is Verdict.SAT else 0
        if found and self.unique:
            text += ", the only solution"
        elif found and self.exhausted:
            text += f", all {found} solutions"
        elif found > 1:
            text += f", {found} solutions found, there may be more"
        if self.stopped is not None and found:
            text += f"; then {self.stopped}"
        return f"{text} ({self.reason})" if self.reason else text

    def __bool__(self) -> bool:
        """KindError: whether something was found, and whether that is known, are two questions."""
        raise no_truth("an answer", "answer.verdict == 'SAT', or answer.unique")

    def __repr__(self) -> str:
        """The answer, its solver and seconds on a line; ``record`` has all of it."""
        by = " ".join(name for name in (self.solver, self.encoding) if name)
        seconds = f"{self.statistics.total_s:.4f} s" if self.statistics.timed else ""
        return f"<{type(self).__name__} {', '.join(part for part in (self.headline, by, seconds) if part)}>"

    def record(self) -> dict[str, Any]:
        """The answer as plain JSON data: one flat object."""
        return {
            "verdict": str(self.verdict),
            **self._solutions(),
            "stopped": str(self.stopped) if self.stopped is not None else None,
            "reason": self.reason,
            "encoding": self.encoding,
            "solver": self.solver,
            **asdict(self.statistics),
        }

    def _solutions(self) -> dict[str, Any]:
        """What the record has about the solutions."""
        raise NotImplementedError


@dataclass(frozen=True, repr=False)
class Answer(Conclusion[Board]):
    """The answer to one puzzle: a picture goes with SAT and with nothing else, and has been checked."""

    puzzle: Puzzle | None = field(default=None, repr=False)

    @property
    def pictures(self) -> tuple[Board, ...]:
        """All that were found."""
        return self.found if self.verdict is Verdict.SAT else ()

    @property
    def picture(self) -> Board | None:
        """The first picture found."""
        return self.pictures[0] if self.pictures else None

    def _solutions(self) -> dict[str, Any]:
        return {
            "picture": self.picture.rows() if self.picture is not None else None,
            "solutions": len(self.pictures),
            "unique": self.unique,
            "verified": True if self.pictures else (False if self.verdict is Verdict.WRONG else None),
            "rejected": self.rejected.rows() if self.rejected is not None else None,
        }

    def _repr_svg_(self) -> str | None:
        from nonosat.puzzles.drawing import svg

        picture = self.picture if self.picture is not None else self.rejected
        return svg(self.puzzle, picture) if self.puzzle is not None else None


C = TypeVar("C", bound=Conclusion[Any])


def changed(conclusion: C, **fields: Any) -> C:
    """``conclusion`` with other values of these ``fields``: ``dataclasses.replace`` takes three times as long.

    Nothing checks their names.
    """
    made = object.__new__(type(conclusion))
    vars(made).update(vars(conclusion), **fields)
    return made
