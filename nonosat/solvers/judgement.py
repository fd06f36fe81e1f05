"""Is what a search found a solution? One judgement for all that solves, and one reading of what a search says."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from dataclasses import replace
from time import perf_counter
from typing import Any, Generic, NamedTuple, TypeVar

import numpy.typing as npt

from nonosat.csp.model import CSP
from nonosat.errors import InterruptedSolve
from nonosat.puzzles.check import fault
from nonosat.puzzles.puzzle import Board, Puzzle
from nonosat.solvers.answer import (
    Conclusion,
    Event,
    Finished,
    Found,
    Glimpse,
    Loading,
    Progress,
    Statistics,
    Stopped,
    Verdict,
)

S = TypeVar("S")
A = TypeVar("A", bound=Conclusion[Any])


class Judgement(NamedTuple, Generic[S]):
    """``solution``: what was found, if there can be such a thing at all; ``wrong``: why it is no solution.

    Two with the same ``key`` are the same.
    """

    solution: S | None
    wrong: str | None = None
    key: Hashable = None


TELL_AGAIN_S = 0.2
"""Seconds between two tellings of how many solutions there are: some searches find thousands a second."""

Judge = Callable[[npt.NDArray[Any]], Judgement[S]]
"""What is found by a search, judged."""


def judged(puzzle: Puzzle, cells: npt.ArrayLike) -> Judgement[Board]:
    """The picture of these ``cells``, checked against the clues."""
    try:
        picture = puzzle.picture(cells)
    except ValueError as error:  # values that no picture can have
        return Judgement(None, str(error))
    wrong = fault(puzzle, picture)
    return Judgement(picture, None if wrong is None else str(wrong), picture)


def judge_of_csp(csp: CSP) -> Judge[dict[str, int]]:
    """What judges the values of all variables of ``csp``; the solution is those of the board, by name."""
    names, board = csp.names(), csp.board.reshape(-1)

    def judge(values: npt.NDArray[Any]) -> Judgement[dict[str, int]]:
        if not csp.holds(values):
            return Judgement(None, "a model does not satisfy the CSP: the encoding is unsound, or this is a bug")
        solution = {names[v]: int(values[v]) for v in board.tolist()}
        return Judgement(solution, None, values[board].tobytes())

    return judge


def heard(
    events: Iterator[Event], answer: A, judge: Judge[Any], on_progress: Callable[[str, int], None] | None = None
) -> A:
    """``answer`` with what came of a search, all that it found judged. InterruptedSolve: Ctrl-C, and what is known."""
    hearing = Hearing(answer, judge, on_progress)
    try:
        for event in events:
            if (said := hearing.take(event)) is not None:
                return said
    except KeyboardInterrupt:
        raise InterruptedSolve(hearing.broken_off(Verdict.INTERRUPTED, "interrupted")) from None
    finally:
        if hasattr(events, "close"):
            events.close()
    return hearing.broken_off(Verdict.CRASH, "the search ended without a verdict")


class Hearing(Generic[A]):
    """What a search has said so far. One that finds what is no solution has the verdict WRONG."""

    def __init__(self, answer: A, judge: Judge[Any], on_progress: Callable[[str, int], None] | None) -> None:
        self.answer, self.judge, self.on_progress = answer, judge, on_progress
        self.rejected: A | None = None
        self.stage, self.told = "", 0.0
        self._forget()

    def _forget(self) -> None:
        self.found: list[Any] = []
        self.seen: set[Hashable] = set()
        self.statistics = Statistics()
        self.solving: float | None = None

    def take(self, event: Event) -> A | None:
        """Hear an event; the answer, if that was the last one."""
        if self.rejected is not None:  # one event more, since the last one tells what the search has cost
            about = event.statistics if isinstance(event, Finished) else self.statistics
            return replace(self.rejected, statistics=about)
        match event:
            case Loading(what):  # what was said before is void
                self._forget()
                if what:
                    self._tell(f"loading {what} (compiled at its first use on a machine)")
            case Progress(stage, Statistics() as statistics, chosen):
                self.statistics = statistics
                if chosen is not None:
                    self.answer = replace(self.answer, encoding=self.answer.encoding or chosen)
                if stage == "solving" and self.solving is None:
                    self.solving = perf_counter()
                self._tell(stage)
            case Found(cells):
                return self._judged(cells)
            case Glimpse():
                pass  # for who watches
            case Finished(exhausted, Statistics() as statistics, reason):
                verdict = Verdict.SAT if self.found else Verdict.UNSAT if exhausted else Verdict.UNKNOWN
                return self._with(verdict, reason, statistics, exhausted=exhausted)
            case Stopped(verdict, reason, peak_memory_mb, cpu_s, wall_s):
                return self.broken_off(verdict, reason, peak_memory_mb, cpu_s, wall_s)
            case _:
                return self.broken_off(Verdict.CRASH, f"the search said {event!r:.60}, which is no event")
        return None

    def _judged(self, cells: npt.NDArray[Any]) -> A | None:
        solution, wrong, key = self.judge(cells)
        if wrong is not None:
            self.rejected = replace(self._with(Verdict.WRONG, wrong, self.statistics), rejected=solution)
        elif key in self.seen:
            return self.broken_off(Verdict.CRASH, "the same solution came twice")
        else:
            self.seen.add(key)
            self.found.append(solution)
            if perf_counter() - self.told >= TELL_AGAIN_S:
                self._tell(self.stage)
        return None

    def broken_off(self, verdict: Verdict, reason: str, *known: float | None) -> A:
        """The answer of a search that was stopped: what was found counts, and why there is no more is told."""
        if self.rejected is not None:
            return self.rejected
        spent = None if self.solving is None else perf_counter() - self.solving
        about = self.statistics.unfinished(spent, *known or (None,))
        return self._with(Verdict.SAT if self.found else verdict, reason, about, stopped=verdict)

    def _with(self, verdict: Verdict, reason: str | None, statistics: Statistics, **more: Any) -> A:
        return replace(
            self.answer, verdict=verdict, found=tuple(self.found), reason=reason, statistics=statistics, **more
        )

    def _tell(self, stage: str) -> None:
        self.stage, self.told = stage, perf_counter()
        if self.on_progress is not None:
            self.on_progress(stage, len(self.found))
