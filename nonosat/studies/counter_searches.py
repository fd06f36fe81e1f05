"""The searches of the counters of studies: what ``nonosat count`` runs, with results as fields of records."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import replace
from time import perf_counter
from typing import Any

import numpy as np

from nonosat.counting import backbones, cnf_counters, native
from nonosat.counting.answer import CountBounds
from nonosat.counting.native import CounterPortfolio, run
from nonosat.encodings.registry import encoding_of
from nonosat.runs.events import Event, Finished, Measured, Progress, Statistics, Stopped
from nonosat.solvers.propagation import difficulty as measuring
from nonosat.studies.run import MOST, counted

EPSILON, DELTA, SEED = 0.8, 0.2, 1
"""ApproxMC's, as ``nonosat count`` has them."""
FIELDS = {"Bethe": "entropy_bethe", "ApproxMC": "log10_approximate"}
"""The field for an estimate, by its method."""


def components(puzzle: Any, encoding: object, at_most: object, solver: object) -> Iterator[Event]:
    """Bethe's estimate, and all solutions counted, with their backbone."""
    yield Progress("estimating")
    yield from in_record_words(native.estimate(puzzle), last=False)
    yield Progress("solving")
    begin = perf_counter()
    portfolio = CounterPortfolio(puzzle, sweeping=False)  # the backbone is read off the diagram
    yield Measured({"by_lines": float((portfolio.fixed >= 0).mean())})
    for event in in_record_words(run(portfolio, begin)):
        yield event
        if isinstance(event, Stopped):
            return
    yield from in_record_words(native.shares(portfolio, begin))


def bethe(puzzle: Any, encoding: object, at_most: object, solver: object) -> Iterator[Event]:
    """Bethe's estimate alone."""
    yield from in_record_words(native.estimate(puzzle))


def ganak(puzzle: Any, encoding: Any, at_most: object, solver: object) -> Iterator[Event]:
    """All solutions, by Ganak."""
    yield from in_record_words(cnf_counters.ganak(puzzle, encoding))


def approxmc(puzzle: Any, encoding: Any, at_most: object, solver: object) -> Iterator[Event]:
    """About how many there are, by ApproxMC."""
    cnf_counters.needed("pyapproxmc")
    yield from in_record_words(cnf_counters.approxmc(puzzle, encoding, EPSILON, DELTA, SEED))


def backbone(puzzle: Any, encoding: object, at_most: object, solver: object) -> Iterator[Event]:
    """What all solutions share: off a short count if that comes to its end, else by SAT, through the usual encoding."""
    yield from in_record_words(backbones.search(puzzle, encoding_of(puzzle), exact=False))


def difficulty(puzzle: Any, encoding: object, at_most: object, solver: object) -> Iterator[Event]:
    """Sweeps of lines and rounds of probing. What takes guesses is called ``guessing``: the label rests on a search."""
    yield Progress("solving")
    begin = perf_counter()
    about = measuring.difficulty(puzzle, 0.0)
    label = about.label if about.kind != "guessing" or about.solutions is not None else "guessing"
    share = 1 - about.open_cells / about.cells
    yield Measured({"by_lines": share, "sweeps": about.sweeps, "rounds": about.rounds, "hardness": label})
    counters = {"lines_checked": about.lines_checked, "probes": about.probes}
    yield Finished(False, Statistics(solve_s=perf_counter() - begin, **counters))


def in_record_words(
    events: Iterable[CountBounds | Progress | Finished | Stopped], last: bool = True
) -> Iterator[Event]:
    """``events`` of a count in the words of records; ``last``: with the one that it ends with.

    What is known only grows: a number of solutions found never falls, though a search may begin anew.
    """
    least = 0
    for event in events:
        if isinstance(event, CountBounds):
            least = max(least, event.at_least, event.solutions or 0)
            if values := measured(replace(event, at_least=least)):
                yield Measured(values)
        elif isinstance(event, Progress):
            yield event if event.stage in ("encoding", "estimating") else replace(event, stage="solving")
        elif last or isinstance(event, Stopped):
            yield event


def measured(known: CountBounds) -> dict[str, Any]:
    """What is known, by the names of the records' fields."""
    values: dict[str, Any] = {}
    if known.solutions is not None:
        values |= counted(known.solutions)
    elif known.at_least:
        values["solutions"] = min(known.at_least, MOST)
        if known.at_least > 1:
            values["unique"] = False
    if known.estimate is not None and math.isfinite(known.estimate.log10):
        values[FIELDS[known.estimate.method]] = known.estimate.log10
    if known.possible is not None:
        values |= shared(known.possible)
    return values


def shared(possible: Any) -> dict[str, float]:
    """The share of cells in the backbone, from which values each cell may have (1), has not (0), may or not (-1)."""
    alone = (possible == 1).sum(axis=-1) == 1
    alone &= (possible == 0).sum(axis=-1) == possible.shape[-1] - 1
    open_ = ~alone & ((possible == 1).sum(axis=-1) < 2)
    least, most = float(np.mean(alone)), float(np.mean(alone | open_))
    return {"backbone_least": least, "backbone_most": most} | ({"backbone": least} if not open_.any() else {})
