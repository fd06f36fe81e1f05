"""SAT solvers in shared libraries, by IPASIR, the interface of the incremental tracks of SAT competitions.

``ipasir:libfoo.so`` is a solver like any other: the library is opened by ctypes in a process of its own, where limits
hold for it and a crash ends nobody else. The formula is loaded once; further boards, and assumptions, go to the same
instance of the solver. Models are checked against the clauses, as those of programs are.

T. Balyo, A. Biere, M. Iser, C. Sinz: SAT Race 2015, Artificial Intelligence 241 (2016).
"""

from __future__ import annotations

import ctypes
import ctypes.util
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

import numpy as np

from nonosat.encodings.cnf import CNF
from nonosat.encodings.formula import Formula
from nonosat.errors import SolverError, UnsupportedError
from nonosat.files import printable
from nonosat.runs.events import Event, Finished, Progress, Statistics
from nonosat.runs.solver import IPASIR, Solver
from nonosat.solvers.sat.search import models
from nonosat.solvers.sat.session import Session

_SAT, _UNSAT = 10, 20
_FUNCTIONS = {
    "ipasir_init": (ctypes.c_void_p, ()),
    "ipasir_release": (None, (ctypes.c_void_p,)),
    "ipasir_add": (None, (ctypes.c_void_p, ctypes.c_int32)),
    "ipasir_assume": (None, (ctypes.c_void_p, ctypes.c_int32)),
    "ipasir_solve": (ctypes.c_int, (ctypes.c_void_p,)),
    "ipasir_val": (ctypes.c_int32, (ctypes.c_void_p, ctypes.c_int32)),
    "ipasir_failed": (ctypes.c_int, (ctypes.c_void_p, ctypes.c_int32)),
}


def located(name: str) -> str:
    """The library that ``ipasir:FILE`` names: a file, or what the system's loader finds. UnsupportedError: neither."""
    file = name.removeprefix(IPASIR)
    path = Path(file).expanduser()
    if file and path.is_file():
        return str(path.absolute())
    if file and len(path.parts) == 1 and (found := ctypes.util.find_library(file.removeprefix("lib").split(".")[0])):
        return found
    reason = f"{printable(file)}: no such library" if file else f"expected {IPASIR}FILE, such as ipasir:./libfoo.so"
    raise UnsupportedError(f"solver {printable(name)!r}: {reason}")


def opened(file: str) -> Any:
    """The library in ``file``, its functions declared. SolverError: it is none, or has not all of IPASIR's."""
    name = printable(Path(file).name, 100)
    try:
        library = ctypes.CDLL(file)
    except OSError as error:
        raise SolverError(f"{name} cannot be loaded: {printable(str(error), 200)}") from None
    for function, (result, arguments) in _FUNCTIONS.items():
        try:
            declared = getattr(library, function)
        except AttributeError:
            raise SolverError(f"{name} is no IPASIR library: it has no {function}") from None
        declared.restype, declared.argtypes = result, arguments
    return library


class IpasirSession(Session):
    """A solver of the library in ``file`` with a formula in it; what it has cost so far. It counts nothing.

    A model is checked against all clauses: SolverError, if it is none.
    """

    def __init__(self, name: str, file: str, cnf: CNF) -> None:
        self.name, self.gave_up = name, False
        self.load_s = self.solve_s = self.solve_cpu_s = 0.0
        self.whole, self.more = cnf, list[list[int]]()
        begin = perf_counter()
        self.library = opened(file)
        self.handle: int | None = self.library.ipasir_init()
        add, handle = self.library.ipasir_add, self.handle
        for literal in np.insert(cnf.literals, cnf.ends, 0).tolist():
            add(handle, literal)
        self.load_s = perf_counter() - begin

    def add(self, clause: Sequence[int]) -> None:
        """Add a clause."""
        self.more.append(list(clause))
        for literal in (*clause, 0):
            self.library.ipasir_add(self.handle, literal)

    def lean(self, clause: list[int]) -> None:
        """Nothing: IPASIR has no phases."""

    def solve(self, assumptions: Sequence[int] = (), conflicts: int | None = None) -> list[int] | None:
        """A model in which the ``assumptions`` are true, or None; ``conflicts`` are not limited."""
        begin, cpu_s = perf_counter(), process_time()
        for literal in assumptions:
            self.library.ipasir_assume(self.handle, literal)
        code = self.library.ipasir_solve(self.handle)
        self.solve_s += perf_counter() - begin
        self.solve_cpu_s += process_time() - cpu_s
        if code == _UNSAT:
            return None
        if code != _SAT:
            raise SolverError(f"{self.name} gave no verdict (ipasir_solve returned {code})")
        value, handle = self.library.ipasir_val, self.handle
        model = [v if value(handle, v) == v else -v for v in range(1, self.whole.variables + 1)]
        true = np.array([False, *(literal > 0 for literal in model)])
        if (clause := self.whole.first_false(true)) is not None:
            raise SolverError(f"{self.name} gave a model that does not satisfy clause {clause + 1}")
        if any(not any(true[abs(x)] == (x > 0) for x in each) for each in (*self.more, *([x] for x in assumptions))):
            raise SolverError(f"{self.name} gave a model that a clause added later, or an assumption, rules out")
        return model

    def core(self) -> list[int]:
        """No search of boards uses it."""
        raise NotImplementedError

    def refutes(self, literal: int) -> bool:
        """IPASIR does not propagate: nothing is known."""
        return False

    def statistics(self, before: Statistics) -> Statistics:
        """``before`` with this session's times."""
        return replace(before, load_s=self.load_s, solve_s=self.solve_s, solve_cpu_s=self.solve_cpu_s)

    def close(self) -> None:
        """Free the solver, once."""
        handle, self.handle = self.handle, None
        if handle is not None:
            self.library.ipasir_release(handle)


def solved(formula: Formula, statistics: Statistics, at_most: int | None, solver: Solver) -> Iterator[Event]:
    """Find at most ``at_most`` boards (None: all) by the library; ``statistics``: what the formula has cost."""
    yield Progress("loading", statistics)
    if formula.cnf.has_empty_clause:  # solvers differ in what they make of one
        yield Finished(True, replace(statistics, load_s=0.0, solve_s=0.0))
        return
    assert solver.library is not None
    session = IpasirSession(solver.name, solver.library, formula.cnf)
    yield from models(session, formula.without_clauses(), at_most, statistics)
