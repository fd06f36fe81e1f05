"""Counts by programs for CNF, of any puzzle that has an encoding: Ganak (exact) and ApproxMC (approximate).

Both count the models projected on the board's variables, so that an encoding's auxiliaries make no difference. They
come with the extra ``counting``, and are imported at the first use.
"""

from __future__ import annotations

import importlib.util
import math
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from threading import Lock
from time import perf_counter
from typing import Any

from nonosat.counting.answer import CountBounds, Estimate, log10_of
from nonosat.encodings.formula import Formula
from nonosat.encodings.registry import Encoding
from nonosat.errors import UnsupportedError
from nonosat.puzzles.puzzle import Puzzle
from nonosat.runs.events import Finished, Progress, Stopped
from nonosat.solvers.formulas import formula_of

Events = Iterator[CountBounds | Progress | Finished | Stopped]
EXTRA = "pip install 'nonosat[counting]'"
_OUTPUT = Lock()
"""Held while the process's standard output is redirected."""


def installed(module: str) -> bool:
    """Is there such a module? Nothing is imported for it."""
    return importlib.util.find_spec(module) is not None


def needed(module: str) -> Any:
    """The module. UnsupportedError: it is not installed."""
    if not installed(module):
        raise UnsupportedError(f"{module} is not installed: {EXTRA}")
    return import_module(module)


def models(formula: Formula) -> int:
    """How many boards the models of a formula have, by Ganak."""
    if formula.cnf.has_empty_clause:
        return 0
    counter = needed("pyganak").Counter()
    counter.new_vars(formula.cnf.variables)
    counter.add_clauses(list(formula.cnf))
    counter.set_sampling_set(formula.shown())
    with without_output():
        return int(counter.count())


@contextmanager
def without_output() -> Iterator[None]:
    """Discard what a library writes to standard output: Ganak reports there that a formula has no model."""
    with _OUTPUT:
        sys.stdout.flush()
        kept, nowhere = os.dup(1), os.open(os.devnull, os.O_WRONLY)
        try:
            os.dup2(nowhere, 1)
            yield
        finally:
            os.dup2(kept, 1)
            os.close(kept)
            os.close(nowhere)


def refuse(encoding: Encoding) -> None:
    """UnsupportedError: the encoding's formulas have other boards than the puzzle."""
    if not (encoding.sound and encoding.complete):
        raise UnsupportedError(f"encoding {encoding.name} does not have all solutions and no others: nothing to count")


def ganak(puzzle: Puzzle, encoding: Encoding) -> Events:
    """Count all solutions exactly."""
    yield Progress("encoding")
    formula, about = formula_of(puzzle, encoding)
    yield Progress("counting", about)
    begin = perf_counter()
    yield CountBounds(solutions=models(formula))
    yield Finished(True, about.plus(type(about)(solve_s=perf_counter() - begin)))


@cache
def trusted() -> bool:
    """Does the installed ApproxMC count its own example (11 * 2**16), and x xor y, right? 4.3.4 and 4.4.0 do not."""
    counter = needed("pyapproxmc").Counter
    example, xor = counter(seed=1, epsilon=0.8, delta=0.2), counter(seed=1, epsilon=0.8, delta=0.2)
    example.add_clauses([[1, 2, 3], [3, 20]])
    xor.add_clauses([[1, 2], [-1, -2]])
    near = 11 * 2**16 / 1.8 <= number_of(example.count()) <= 11 * 2**16 * 1.8
    return bool(near and number_of(xor.count()) == 2)


def number_of(counted: tuple[int, int]) -> int:
    """ApproxMC's number: the solutions in one cell, times 2 to the number of hashes."""
    cells, hashes = counted
    return cells << hashes


def has_approxmc() -> bool:
    """Is there an ApproxMC that counts right?"""
    return installed("pyapproxmc") and trusted()


def check_approximation(epsilon: float, delta: float, seed: int) -> None:
    """UnsupportedError: ApproxMC is not installed, counts wrong, or has no such precision."""
    needed("pyapproxmc")
    if not trusted():
        raise UnsupportedError("the pyapproxmc that is installed counts wrong; 4.1.24 counts right")
    if not (math.isfinite(epsilon) and epsilon > 0 and 0 < delta < 1 and seed >= 0):
        raise UnsupportedError(f"epsilon {epsilon:g}, delta {delta:g}: expected epsilon > 0 and 0 < delta < 1")


def approximated(formula: Formula, epsilon: float, delta: float, seed: int) -> CountBounds:
    """About how many boards the models of a formula have, by ApproxMC (Chakraborty, Meel and Vardi 2016; Soos and
    Meel 2019).
    """
    found = 0
    if not formula.cnf.has_empty_clause:
        counter = needed("pyapproxmc").Counter(seed=seed, epsilon=epsilon, delta=delta)
        counter.add_clauses([*formula.cnf, [-formula.cnf.variables, formula.cnf.variables]])
        found = number_of(counter.count(formula.shown()))
    if not found:
        return CountBounds(solutions=0)  # exact: a SAT solver proves it
    return CountBounds(at_least=1, estimate=Estimate(log10_of(found), "ApproxMC", epsilon, delta))


def approxmc(puzzle: Puzzle, encoding: Encoding, epsilon: float, delta: float, seed: int) -> Events:
    """Count the solutions approximately."""
    yield Progress("encoding")
    formula, about = formula_of(puzzle, encoding)
    yield Progress("counting", about)
    begin = perf_counter()
    found = approximated(formula, epsilon, delta, seed)
    yield found
    yield Finished(found.solutions == 0, about.plus(type(about)(solve_s=perf_counter() - begin)))
