"""What a solver says: a verdict, the pictures that were found and checked, and what it cost."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import Any

import numpy.typing as npt

from nonosat.puzzles.puzzle import Board, Puzzle


class Verdict(StrEnum):
    """SAT and UNSAT are answers; every other member is a named way of having none."""

    SAT = "SAT"
    UNSAT = "UNSAT"
    WRONG = "WRONG"
    """The solver gave a model whose picture breaks the puzzle: an unsound encoding, or a bug."""
    TIMEOUT = "TIMEOUT"
    CPUOUT = "CPUOUT"
    """The limit on CPU time was reached (TIMEOUT is that on wall time)."""
    MEMOUT = "MEMOUT"
    CRASH = "CRASH"
    INTERRUPTED = "INTERRUPTED"
    UNSUPPORTED = "UNSUPPORTED"
    UNKNOWN = "UNKNOWN"
    """The solver gave up by itself."""


@dataclass(frozen=True)
class Statistics:
    """What an answer cost. Times are seconds, unrounded; what is not known is None, never 0."""

    variables: int | None = None
    clauses: int | None = None
    encode_s: float | None = None
    load_s: float | None = None
    solve_s: float | None = None
    decisions: int | None = None
    conflicts: int | None = None
    propagations: int | None = None
    restarts: int | None = None
    placements: int | None = None
    """Placements of lines that were listed before the search (solvers that list them)."""
    lines_checked: int | None = None
    """Times that a line was looked at by itself."""
    assumptions: int | None = None
    """Guesses: placements of a line, or values of a cell, that were assumed and then followed up."""
    probes: int | None = None
    """Values of cells that were tried for what they imply, and taken back."""
    nodes: int | None = None
    """Partial boards of the search tree, the root among them."""
    contradictions: int | None = None
    """Partial boards that were found to have no completion; a full board that fails is one too."""
    peak_memory_mb: float | None = None
    """Peak resident memory of the solving process; known where a process of its own did the solving."""
    cpu_s: float | None = None
    """CPU seconds (user and system) of the solving process, from its start; known where it was one of its own."""
    wall_s: float | None = None
    """Wall seconds of the solving process, since its clock began; known where it was one of its own."""

    @property
    def total_s(self) -> float:
        """All times that are known, added up."""
        return sum(seconds for seconds in (self.encode_s, self.load_s, self.solve_s) if seconds is not None)

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
        return Statistics(**both)

    def unfinished(
        self,
        solve_s: float | None,
        peak_memory_mb: float | None,
        cpu_s: float | None = None,
        wall_s: float | None = None,
    ) -> Statistics:
        """What is known of a search that was stopped: its counters are not.

        Those that were told before its last solve began are not those of the whole search.
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


# What a search says while it runs. Searches are generators of these, so that one consumer serves the solve in this
# process and the solve in a process that can be killed.


@dataclass(frozen=True)
class Loading:
    """Code that the search needs is loaded (and compiled, at its first use on a machine), which is on no clock.

    ``what`` is empty when all is there: then the search begins, or begins anew, and what it said before is void.
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
    statistics: Statistics = field(default_factory=Statistics)
    encoding: str | None = None


@dataclass(frozen=True)
class Found:
    """A model, as the values of the board's cells (shape (rows, columns)); not checked yet."""

    cells: npt.NDArray[Any]


@dataclass(frozen=True)
class Finished:
    """The search ended by itself. ``exhausted``: no solution exists beside those found."""

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


Event = Loading | Progress | Found | Finished | Stopped


@dataclass(frozen=True)
class Answer:
    """The answer to one puzzle.

    A picture goes with SAT and with nothing else, and has been checked against the clues. ``unique`` is True when the
    search proved that no second picture exists, False when it found one, None when that was not settled.
    ``stopped`` names why a search that had found something ended early (TIMEOUT, ...), and ``rejected`` is the picture
    behind the verdict WRONG, if there is one and it is not the solver that is to blame.
    """

    verdict: Verdict
    pictures: tuple[Board, ...] = ()
    unique: bool | None = None
    exhausted: bool = False
    stopped: Verdict | None = None
    reason: str | None = None
    rejected: Board | None = None
    statistics: Statistics = field(default_factory=Statistics)
    solver: str = ""
    encoding: str | None = None
    puzzle: Puzzle | None = field(default=None, repr=False)

    @property
    def picture(self) -> Board | None:
        """The first picture found."""
        return self.pictures[0] if self.pictures else None

    def record(self) -> dict[str, Any]:
        """The answer as plain JSON data: one flat object."""
        return {
            "verdict": str(self.verdict),
            "picture": self.picture.rows() if self.picture is not None else None,
            "solutions": len(self.pictures),
            "unique": self.unique,
            "verified": True if self.pictures else (False if self.verdict is Verdict.WRONG else None),
            "stopped": str(self.stopped) if self.stopped is not None else None,
            "reason": self.reason,
            "rejected": self.rejected.rows() if self.rejected is not None else None,
            "encoding": self.encoding,
            "solver": self.solver,
            **asdict(self.statistics),
        }

    def _repr_svg_(self) -> str | None:
        from nonosat.puzzles.drawing.svg import svg

        picture = self.picture if self.picture is not None else self.rejected
        return svg(self.puzzle, picture) if self.puzzle is not None else None
