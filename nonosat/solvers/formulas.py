"""From a puzzle or a CSP to its formula: the first stage of every search that works on clauses."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from time import perf_counter
from typing import Any

import numpy as np
import numpy.typing as npt

from nonosat.csp.model import CSP, AnyInts
from nonosat.encodings.formula import Formula
from nonosat.encodings.parts import INTEGERS
from nonosat.encodings.registry import MODEL, Encoding
from nonosat.runs.events import Event, Progress, Statistics
from nonosat.runs.solver import Solver


def formula_of(puzzle: Any, encoding: Encoding) -> tuple[Formula, Statistics]:
    """The formula of ``puzzle``, or of a model, and its size and what it took to make."""
    begin = perf_counter()
    with no_garbage_collection():
        formula = encoding.formula(puzzle)
        if encoding.kind == MODEL:
            formula = whole(puzzle.csp, formula, puzzle.goal_variable)
    return formula, Statistics(formula.cnf.variables, formula.cnf.clauses, perf_counter() - begin)


def search(puzzle: Any, encoding: Encoding, at_most: int | None, solver: Solver) -> Iterator[Event]:
    """Encode ``puzzle``, and find at most ``at_most`` boards (None: all) by what ``solver`` does with a formula."""
    assert solver.solved is not None
    yield Progress("encoding")
    yield from solver.solved(*formula_of(puzzle, encoding), at_most, solver)


def search_csp(csp: CSP, integers: str, at_most: int | None, solver: Solver) -> Iterator[Event]:
    """Encode ``csp``, and find at most ``at_most`` solutions (None: all), which differ on its board."""
    assert solver.solved is not None
    yield Progress("encoding")
    begin = perf_counter()
    with no_garbage_collection():
        formula = whole(csp, INTEGERS[integers].make(csp))
    about = Statistics(formula.cnf.variables, formula.cnf.clauses, perf_counter() - begin)
    yield from solver.solved(formula, about, at_most, solver)


@dataclass(frozen=True, eq=False, repr=False)
class WholeFormula(Formula):
    """The formula of a CSP of so many ``variables``; a model is decoded whole, and ruled out on the board alone.

    ``goal``: the variable that is to be least, if there is an objective.
    """

    variables: int = 0
    goal: int | None = None

    def cells(self, model: npt.ArrayLike) -> AnyInts:
        """The values of all variables in a model."""
        return self.values(model, np.arange(self.variables, dtype=np.int32))

    def block(self, cells: npt.NDArray[Any]) -> list[int]:
        """The clause that rules out the board that is among these values."""
        return super().block(cells[self.board])


def whole(csp: CSP, formula: Formula, goal: int | None = None) -> WholeFormula:
    """The ``formula`` of ``csp``, with models that are decoded whole."""
    return WholeFormula(formula.cnf, formula.map, formula.board, formula.blocks, variables=len(csp), goal=goal)


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
