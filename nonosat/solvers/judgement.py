"""Is what a search found a solution? One judgement for all that solves."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterator
from dataclasses import replace
from functools import partial
from time import perf_counter
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

from nonosat.puzzles.puzzle import Board, Puzzle, fault, known_solutions
from nonosat.runs.events import (
    Conclusion,
    Event,
    Finished,
    Found,
    Glimpse,
    Progress,
    Statistics,
    Stopped,
    Verdict,
    changed,
)
from nonosat.runs.run import EventConsumer, OnProgress, consume

if TYPE_CHECKING:
    import numpy.typing as npt

    from nonosat.csp.model import CSP

S = TypeVar("S")
A = TypeVar("A", bound=Conclusion[Any])


class Judgement(NamedTuple, Generic[S]):
    """``solution``: what was found, if there can be such a thing at all; ``wrong``: why it is no solution.

    Two with the same ``key`` are the same.
    """

    solution: S | None
    wrong: str | None = None
    key: Hashable = None


REPORT_S = 0.2
"""Seconds between two reports of how many solutions there are: some searches find thousands a second."""

MISSED = "is none of the solutions that were found, and the search says that there are no others"
"""How the reason of a WRONG answer ends that denies a solution which is known."""


def denies_a_solution(reason: str | None) -> bool:
    """Is this the reason of an answer that is WRONG since it denies a solution that is known?"""
    return (reason or "").endswith(MISSED)


def _misses_none(keys: Collection[Hashable]) -> str | None:
    return None


class Judge(NamedTuple, Generic[S]):
    """Judges a search: ``found``, each of its models, ``missed``, what it says of all.

    ``missed``: given the keys of all solutions that there are, why that is wrong, or None.
    """

    found: Callable[[npt.NDArray[Any]], Judgement[S]]
    missed: Callable[[Collection[Hashable]], str | None] = _misses_none


def judge_of(puzzle: Puzzle) -> Judge[Board]:
    """What judges the boards that are found of ``puzzle``, and the claim that there are no others."""
    return Judge(partial(judged, puzzle), partial(missed, puzzle))


def missed(puzzle: Puzzle, boards: Collection[Hashable]) -> str | None:
    """Why ``boards`` are not all solutions of ``puzzle``, if one that comes with it is not among them."""
    name = next(iter(known_solutions(puzzle, boards).values()), None)
    return None if name is None else f"{name} {MISSED}"


def too_few(puzzle: Puzzle, solutions: int) -> str | None:
    """Why ``puzzle`` has more solutions than were counted, if so many come with it."""
    if solutions < (known := len(known_solutions(puzzle))):
        return f"{solutions:,} solutions are counted, and {known:,} {'comes' if known == 1 else 'come'} with the puzzle"
    return None


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

    return Judge(judge)


def consume_judged(events: Iterator[Event], answer: A, judge: Judge[Any], on_progress: OnProgress | None = None) -> A:
    """``answer`` with what came of a search, all that it found judged. InterruptedSolve: Ctrl-C, and what is known."""
    return consume(events, Judging(answer, judge, on_progress))


class Judging(EventConsumer[A]):
    """Collects the solutions of a search, each checked.

    The verdict is WRONG if one fails, and if the search claims that there are no others where one is known.
    """

    def __init__(self, answer: A, judge: Judge[Any], on_progress: OnProgress | None) -> None:
        super().__init__(on_progress)
        self.answer, self.judge = answer, judge
        self.rejected: A | None = None
        self.found: list[Any] = []
        self.seen: set[Hashable] = set()

    def known(self) -> int:
        """How many solutions were found."""
        return len(self.found)

    def take(self, event: object) -> A | None:
        """Take in an event; the answer, if that was the last one."""
        if self.rejected is not None:  # one event more, since the last one has the cost of the search
            about = event.statistics if isinstance(event, Finished) else self.statistics
            return replace(self.rejected, statistics=about)
        if isinstance(event, Progress) and event.encoding is not None:
            self.answer = replace(self.answer, encoding=self.answer.encoding or event.encoding)
        return super().take(event)

    def other(self, event: object) -> A | None:
        """Judge a solution; ignore glimpses, which are for display."""
        if isinstance(event, Found):
            return self._judged(event.cells)
        return None if isinstance(event, Glimpse) else super().other(event)

    def finished(self, event: Finished) -> A:
        """The answer. It is UNSAT if the search was exhaustive and found nothing."""
        if event.exhausted and (why := self.judge.missed(self.seen)) is not None:
            return self._with(Verdict.WRONG, why, event.statistics)
        verdict = Verdict.SAT if self.found else Verdict.UNSAT if event.exhausted else Verdict.UNKNOWN
        return self._with(verdict, event.reason, event.statistics, exhausted=event.exhausted)

    def stopped(self, event: Stopped) -> A:
        """The answer of a search that was stopped: what it found counts."""
        if self.rejected is not None:
            return self.rejected
        verdict = Verdict.SAT if self.found else event.verdict
        return self._with(verdict, event.reason, self.unfinished(event), stopped=event.verdict)

    def _judged(self, cells: npt.NDArray[Any]) -> A | None:
        solution, wrong, key = self.judge.found(cells)
        if wrong is not None:
            self.rejected = replace(self._with(Verdict.WRONG, wrong, self.statistics), rejected=solution)
        elif key in self.seen:
            return self.stopped(Stopped(Verdict.CRASH, "the same solution came twice"))
        else:
            self.seen.add(key)
            self.found.append(solution)
            if perf_counter() - self.reported >= REPORT_S:
                self.report(self.stage)
        return None

    def _with(self, verdict: Verdict, reason: str | None, statistics: Statistics, **more: Any) -> A:
        found = tuple(self.found)
        return changed(self.answer, verdict=verdict, found=found, reason=reason, statistics=statistics, **more)
