"""A watched solve as a job's run: what the search says, as the page has it."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from nonosat.app.jobs import Run, Told
from nonosat.app.wire import cells_of
from nonosat.errors import NonosatError
from nonosat.puzzles.puzzle import Puzzle
from nonosat.runs.events import (
    COUNTERS,
    Answer,
    Event,
    Finished,
    Found,
    Glimpse,
    Loading,
    Progress,
    Statistics,
    Stopped,
    Values,
)
from nonosat.runs.isolation import Stop
from nonosat.runs.limits import Limits
from nonosat.runs.run import run as run_search
from nonosat.solvers.solve import watch

TIMES = ("variables", "clauses", "encode_s", "load_s", "solve_s", "cpu_s", "wall_s", "peak_memory_mb")


@dataclass(frozen=True)
class LaneRequest:
    """What a lane solves, and under which limits; the others are as in ``watch``."""

    puzzle: Puzzle
    solver: str
    encoding: str | None
    count: int
    closely: int
    time_limit_s: float
    memory_limit_mb: float


def lane(asked: LaneRequest) -> Run:
    """The run that solves, and shows itself meanwhile."""

    def run(stop: Stop) -> Iterator[Told]:
        told = Telling()
        try:
            for event in watch(**vars(asked), stop=stop):
                yield from told.event(event)
        except NonosatError as error:
            yield {"type": "failed", "error": str(error)}

    return run


class Telling:
    """What the page has heard: of boards only what changed is told."""

    def __init__(self) -> None:
        self.cells: npt.NDArray[np.int64] | None = None

    def event(self, event: Event | Answer) -> Iterator[Told]:
        """What is told of an event."""
        match event:
            case Loading(what):
                self.cells = None
                yield {"type": "loading", "what": what}
            case Glimpse():
                yield self._glimpse(event)
            case Progress(stage, about, encoding):
                yield {"type": "stage", "stage": stage, "encoding": encoding, "about": numbers(about)}
            case Found(cells):
                yield {"type": "found", "cells": np.asarray(cells).reshape(-1).astype(int).tolist()}
            case Answer():
                yield {"type": "answer", **_answer(event)}

    def _glimpse(self, seen: Glimpse) -> Told:
        told: Told = {"type": "look", "at": round(seen.at_s, 5), "doing": seen.doing, "guesses": seen.guesses}
        told["about"] = numbers(seen.statistics)
        if seen.cells is not None:
            cells = np.asarray(seen.cells, dtype=np.int64).reshape(-1)
            before = np.full_like(cells, -1) if self.cells is None else self.cells
            where = np.flatnonzero(cells != before)
            told["changed"] = np.stack((where, cells[where]), axis=1).reshape(-1).tolist()
            self.cells = cells
        if seen.odds is not None:
            odds = np.where(np.isnan(seen.odds), -1, np.round(100 * seen.odds)).astype(int)
            told["odds"] = odds.reshape(-1).tolist()
        return told


def numbers(about: Statistics) -> dict[str, float | int]:
    """What is known of a search's cost."""
    names = (*(counter.name for counter in COUNTERS), *TIMES)
    values = {name: getattr(about, name) for name in names}
    return {name: value for name, value in values.items() if value is not None and math.isfinite(value)}


VERDICTS = {
    "UNSAT": "No solution",
    "TIMEOUT": "Out of time",
    "MEMOUT": "Out of memory",
    "UNKNOWN": "Gave up",
    "INTERRUPTED": "Stopped",
}


def headline(answer: Answer) -> str:
    """An answer in a few words, for people."""
    found = len(answer.pictures)
    if answer.verdict != "SAT":
        return VERDICTS.get(answer.verdict, str(answer.verdict))
    if answer.unique:
        return "One solution, and no other"
    counted = "1 solution" if found == 1 else f"{found:,} solutions"
    if answer.stopped is not None:
        return f"{counted} until it was stopped ({answer.stopped})"
    if answer.exhausted:
        return f"{counted}, and no others"
    return "A solution" if found == 1 else counted


def _answer(answer: Answer) -> Told:
    return {
        "verdict": str(answer.verdict),
        "told": headline(answer),
        "exhausted": answer.exhausted,
        "reason": answer.reason,
        "solutions": len(answer.pictures),
        "cells": None if answer.picture is None else cells_of(answer.picture),
        "about": numbers(answer.statistics),
    }


def worked(
    search: Callable[..., Iterator[Event]], *arguments: Any, limits: Limits, then: Callable[[], Told] = dict
) -> Run:
    """The run that does some ``work`` in a process of its own; ``then``: what is told beside, when it is done."""

    def run(stop: Stop) -> Iterator[Told]:
        begun = False
        for event in run_search(search, arguments, limits, stop=stop):
            match event:
                case Loading(what) if not begun:  # the page clears what it shows
                    yield {"type": "loading", "what": what}
                case Values(bodies):
                    begun = True
                    yield from bodies
                case Finished():
                    yield {"type": "done", **then()}
                case Stopped(verdict, reason):
                    yield {"type": "failed", "verdict": str(verdict), "error": reason}

    return run
