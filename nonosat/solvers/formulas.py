"""From a puzzle to its formula: the first stage of every search that works on clauses."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from time import perf_counter

from nonosat.encodings.formula import Formula
from nonosat.encodings.registry import encoding
from nonosat.puzzles.puzzle import Puzzle
from nonosat.solvers.answer import Statistics


def formula_of(puzzle: Puzzle, encoding_name: str) -> tuple[Formula, Statistics]:
    """The formula of ``puzzle``, and its size and what it took to make."""
    begin = perf_counter()
    with no_garbage_collection():
        formula = encoding(encoding_name).formula(puzzle)
    return formula, Statistics(formula.cnf.variables, formula.cnf.clauses, perf_counter() - begin)


@contextmanager
def no_garbage_collection() -> Iterator[None]:
    """Millions of small lists make the cyclic collector cost three times the work itself."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()
