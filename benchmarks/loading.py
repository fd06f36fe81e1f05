"""Handing formulas to solvers: ``python benchmarks/loading.py [SOLVER...]`` (MiniSat 2.2, Glucose 4, CaDiCaL 1.9.5).

Ten random nonograms of 25x25 at 50 % in the encoding tight+r3+order, loaded by each of python-sat's ways in and by
ours, side by side: CPU milliseconds a formula (the least of seven), and by that of ours. ``lists`` is what it takes to
make Python lists of the clauses, which all of them need.
"""

from __future__ import annotations

import sys
import time
from collections import deque
from collections.abc import Callable

from pysat import formula as pysat_formula
from pysat.solvers import Solver

from nonosat.encodings.cnf import CNF
from nonosat.encodings.registry import encoding
from nonosat.generators.density import random_density
from nonosat.solvers.formulas import no_garbage_collection
from nonosat.solvers.sat.session import Session, names
from nonosat.studies.provenance import machine

SOLVERS = ("minisat22", "glucose4", "cadical195")
REPEATS = 7


def lists(name: str, cnf: CNF) -> None:
    deque(cnf, maxlen=0)


def bootstrap(name: str, cnf: CNF) -> None:
    Solver(name=name, bootstrap_with=list(cnf)).delete()


def formula_object(name: str, cnf: CNF) -> None:
    Solver(name=name, bootstrap_with=pysat_formula.CNF(from_clauses=list(cnf))).delete()


def append_formula(name: str, cnf: CNF) -> None:
    with Solver(name=name) as solver:
        solver.append_formula(list(cnf), no_return=True)


def add_clause(name: str, cnf: CNF) -> None:
    with Solver(name=name) as solver:
        for clause in cnf:
            solver.add_clause(clause)


def method(name: str, cnf: CNF) -> None:
    with Solver(name=name) as solver:
        add = solver.solver.add_clause
        for clause in cnf:
            add(clause)


def ours(name: str, cnf: CNF) -> None:
    Session(name, cnf).close()


def least_ms(load: Callable[[str, CNF], None], name: str, formulas: list[CNF]) -> float:
    times = []
    for _ in range(REPEATS):
        begin = time.process_time()
        with no_garbage_collection():
            for cnf in formulas:
                load(name, cnf)
        times.append(1000 * (time.process_time() - begin) / len(formulas))
    return min(times)


def main() -> None:
    parts = encoding("tight+r3+order")
    formulas = [parts.formula(random_density(25, 25, 0.5, seed)).cnf for seed in range(10)]
    print(f"{machine()}; {sum(cnf.clauses for cnf in formulas) / len(formulas):,.0f} clauses a formula")
    for solver in sys.argv[1:] or SOLVERS:
        base = least_ms(ours, solver, formulas)
        for load in (lists, ours, method, add_clause, append_formula, bootstrap, formula_object):
            name = solver if load is ours else names()[solver][0]
            spent = base if load is ours else least_ms(load, name, formulas)
            print(f"{solver:<12} {load.__name__:<16} {spent:7.2f} ms {spent / base:6.2f}", flush=True)


if __name__ == "__main__":
    main()
