"""Skyscrapers: the five phases, with the fewest candidates first, for a number of boards; then SAT."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from time import perf_counter

from nonosat.interrupts import loading
from nonosat.puzzles.skyscrapers import Skyscrapers
from nonosat.solvers.answer import Event, Finished, Found, Progress, Statistics
from nonosat.solvers.auto.parts import by_sat

BOARDS, LARGEST = 2_000, 12
"""Boards that the phases get to see at most, and the largest size that is theirs: beyond it SAT is on its own."""


def search(puzzle: Skyscrapers, at_most: int | None) -> Iterator[Event]:
    """Find at most ``at_most`` boards (None: all)."""
    if puzzle.size > LARGEST:
        yield from by_sat(puzzle, Statistics, at_most)
        return
    with loading():
        from nonosat.solvers.phases.search import limited

    yield Progress("solving")
    begin = perf_counter()
    found, exhausted, about = yield from limited(puzzle, at_most, BOARDS)
    if found is not None:
        for cells in found:
            yield Found(cells)
        yield Finished(exhausted, about, "by five phases")
        return
    spent = replace(about, solve_s=perf_counter() - begin)
    for event in by_sat(puzzle, lambda: spent, at_most):
        yield replace(event, reason=f"{event.reason} after five phases") if isinstance(event, Finished) else event
