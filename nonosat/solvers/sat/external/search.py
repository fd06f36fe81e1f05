"""The search: a program is run on the formula, and again for every further picture, with the former ones ruled out."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

import numpy as np
import numpy.typing as npt

from nonosat.encodings.cnf import CNF
from nonosat.encodings.formula import Formula
from nonosat.errors import SolverError
from nonosat.solvers.answer import Event, Finished, Found, Progress, Statistics
from nonosat.solvers.sat.external.command import words_of
from nonosat.solvers.sat.external.listener import UNITS
from nonosat.solvers.sat.external.program import Program
from nonosat.solvers.solver import Solver


def solved(formula: Formula, statistics: Statistics, at_most: int | None, solver: Solver) -> Iterator[Event]:
    """Find at most ``at_most`` boards (None: all) by the command of ``solver``; ``statistics``: what that has cost."""
    began = perf_counter() - (statistics.encode_s or 0.0)
    cnf = formula.cnf
    statistics = replace(statistics, load_s=0.0, solve_s=0.0)
    yield Progress("loading", statistics)
    if cnf.has_empty_clause:  # programs differ in what they make of one
        yield Finished(True, statistics)
        return
    with _folder() as folder:
        program = Program(words_of(solver.command or ""), folder, began)
        blocked: list[list[int]] = []
        while at_most is None or len(blocked) < at_most:
            statistics = _plus(statistics, load_s=program.load(cnf, blocked))
            yield Progress("solving", statistics)
            said = program.run(cnf.variables)
            statistics = _plus(statistics, solve_s=said.seconds, **said.counters)
            if not said.satisfiable:
                yield Finished(said.satisfiable is False, statistics, said.reason)
                return
            if (reason := _unsatisfied(cnf, blocked, said.literals)) is not None:
                raise SolverError(f"{program.name} gave a model that {reason}")
            cells = formula.cells(said.literals)
            yield Found(cells)
            blocked.append(formula.block(cells))
        yield Finished(False, statistics)


@contextlib.contextmanager
def _folder() -> Iterator[Path]:
    """A folder for the formula and the result that is gone afterwards."""
    try:
        temporary = TemporaryDirectory(prefix="nonosat-", ignore_cleanup_errors=True)
    except OSError as error:
        raise SolverError(f"no folder for the formula: {error.strerror}") from None
    with temporary as path:
        yield Path(path)


def _plus(before: Statistics, **more: float | int | None) -> Statistics:
    """``before`` and what a further run took. A counter that one run does not tell is not known at all."""
    ran = bool(before.solve_s)
    sums: dict[str, float | int | None] = {}
    for name, value in more.items():
        had = getattr(before, name)
        if name in UNITS:
            sums[name] = value if not ran else None if had is None or value is None else had + value
        else:
            sums[name] = (had or 0.0) + (value or 0.0)
    return replace(before, **sums)  # type: ignore[arg-type]


def _unsatisfied(cnf: CNF, blocked: list[list[int]], literals: npt.NDArray[np.int64]) -> str | None:
    """Why ``literals`` are no model of the clauses, or None. Variables that are left out count as false."""
    if len(literals) and int(np.abs(literals).max()) > cnf.variables:
        return f"has variables beyond the {cnf.variables} of the formula"
    true = np.zeros(cnf.variables + 1, dtype=bool)
    true[literals[literals > 0]] = True
    if (clause := cnf.first_false(true)) is not None:
        return f"does not satisfy clause {clause + 1}"
    for number, literals_of in enumerate(blocked, 1):
        if not any(true[abs(literal)] == (literal > 0) for literal in literals_of):
            return f"is that of picture {number}, which was ruled out"
    return None
