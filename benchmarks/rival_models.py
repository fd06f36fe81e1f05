"""The same nonograms, written for what a Python user would pick instead; run by rivals.py in an environment of its own.

``python rival_models.py MODEL`` reads puzzles from stdin (JSON, a line each: rows and columns of run lengths) and
prints for each a line of JSON: CPU seconds to the formula, its clauses, CPU seconds to the answer, and the cells. Each
model has the rules of nonosat's ``tight+r3``: tight domains, neighbouring runs in order, a cell is filled where a run
covers it and blank between neighbouring runs; those for automata and lines have their own form. Written as each
package's guide does it.
"""

from __future__ import annotations

import itertools
import json
import sys
import time
from collections.abc import Iterator
from typing import Any

Line = tuple[list[int], list[tuple[int, int]]]  # its runs, and its cells as (row, column)


def lines_of(rows: list[list[int]], columns: list[list[int]]) -> Iterator[Line]:
    for i, runs in enumerate(rows):
        yield runs, [(i, j) for j in range(len(columns))]
    for j, runs in enumerate(columns):
        yield runs, [(i, j) for i in range(len(rows))]


def bounds(runs: list[int], size: int) -> list[tuple[int, int]]:
    slack = size - sum(runs) - (len(runs) - 1 if runs else 0)
    begins = itertools.accumulate([0, *(run + 1 for run in runs[:-1])])
    return [(begin, begin + slack) for begin in begins][: len(runs)]


def covered(runs: list[int], size: int) -> Iterator[tuple[int, int]]:
    """(run, position) for every position that the run can cover."""
    for k, (low, high) in enumerate(bounds(runs, size)):
        for j in range(low, high + runs[k]):
            yield k, j


def between(runs: list[int], size: int) -> Iterator[tuple[int, int]]:
    """(gap, position) for every position that can lie before run ``gap`` and behind the one before it."""
    limits = bounds(runs, size)
    for gap in range(len(runs) + 1):
        begin = limits[gap - 1][0] + runs[gap - 1] if gap else 0
        end = limits[gap][1] if gap < len(runs) else size
        for j in range(begin, end):
            yield gap, j


def with_pindakaas(rows: list[list[int]], columns: list[list[int]]) -> dict[str, Any]:
    import pindakaas
    from pindakaas.solver import CaDiCaL

    begin = time.process_time()
    formula = pindakaas.CNF()

    def state(database: Any) -> dict[tuple[int, int], Any]:
        cell = {(i, j): database.new_var() for i in range(len(rows)) for j in range(len(columns))}
        for runs, cells in lines_of(rows, columns):
            starts = [database.new_int_var(range(low, high + 1)) for low, high in bounds(runs, len(cells))]
            for k in range(len(runs) - 1):
                database.add_encoding(starts[k] - starts[k + 1] <= -(runs[k] + 1))
            for k, j in covered(runs, len(cells)):
                s = starts[k]
                database.add_clause([~s.at_most(database, j), ~s.at_least(database, j - runs[k] + 1), cell[cells[j]]])
            for k, j in between(runs, len(cells)):
                clause = [~cell[cells[j]]]
                if k:
                    clause.append(~starts[k - 1].at_most(database, j - runs[k - 1]))
                if k < len(runs):
                    clause.append(~starts[k].at_least(database, j + 1))
                database.add_clause(clause)
        return cell

    state(formula)
    cnf_s, clauses = time.process_time() - begin, sum(1 for _ in formula.clauses())
    begin = time.process_time()
    solver = CaDiCaL()
    cell = state(solver)
    with solver.solve() as result:
        cells = [[int(result.value(cell[i, j])) for j in range(len(columns))] for i in range(len(rows))]
    return {"cnf_s": cnf_s, "clauses": clauses, "answer_s": time.process_time() - begin, "cells": cells}


def with_pysat_integer(rows: list[list[int]], columns: list[list[int]]) -> dict[str, Any]:
    from pysat.formula import IDPool
    from pysat.integer import Integer, IntegerEngine
    from pysat.solvers import Solver

    begin = time.process_time()
    pool = IDPool()
    cell = {(i, j): pool.id((i, j)) for i in range(len(rows)) for j in range(len(columns))}
    engine, channel = IntegerEngine(vpool=pool), []
    for number, (runs, cells) in enumerate(lines_of(rows, columns)):
        limits = bounds(runs, len(cells))
        starts = [
            Integer(f"s{number}_{k}", low, high, encoding="order", vpool=pool) for k, (low, high) in enumerate(limits)
        ]
        for start in starts:
            engine.add_var(start)
        for k in range(len(runs) - 1):
            if limits[k][1] + runs[k] >= limits[k + 1][0]:  # it fails on one without variables
                engine.add_linear(starts[k] - starts[k + 1] <= -(runs[k] + 1))

        def at_least(k: int, value: int, starts: Any = starts, limits: Any = limits) -> int | bool:
            low, high = limits[k]
            return value <= low if value <= low or value > high else int(starts[k].ge(value))

        def clause(*literals: tuple[int | bool, bool], channel: Any = channel) -> None:
            if not any(literal is sign for literal, sign in literals if isinstance(literal, bool)):
                channel.append([one if sign else -one for one, sign in literals if not isinstance(one, bool)])

        for k, j in covered(runs, len(cells)):
            clause((at_least(k, j + 1), True), (at_least(k, j - runs[k] + 1), False), (cell[cells[j]], True))
        for k, j in between(runs, len(cells)):
            before: tuple[int | bool, bool] = (at_least(k - 1, j - runs[k - 1] + 1), True) if k else (True, False)
            behind: tuple[int | bool, bool] = (at_least(k, j + 1), False) if k < len(runs) else (True, False)
            clause((cell[cells[j]], False), before, behind)
    formula = engine.clausify()
    formula.extend(channel)
    cnf_s = time.process_time() - begin
    with Solver(name="minisat22", bootstrap_with=formula) as solver:
        solver.solve()
        true = {literal for literal in solver.get_model() or [] if literal > 0}
    answer_s = time.process_time() - begin
    cells = [[int(cell[i, j] in true) for j in range(len(columns))] for i in range(len(rows))]
    return {"cnf_s": cnf_s, "clauses": len(formula.clauses), "answer_s": answer_s, "cells": cells}


def with_cpmpy(rows: list[list[int]], columns: list[list[int]], solver: str) -> dict[str, Any]:
    import cpmpy

    begin = time.process_time()
    cell = cpmpy.boolvar(shape=(len(rows), len(columns)))
    model = cpmpy.Model()
    for runs, cells in lines_of(rows, columns):
        starts = [cpmpy.intvar(low, high) for low, high in bounds(runs, len(cells))]
        for k in range(len(runs) - 1):
            model += starts[k] + runs[k] + 1 <= starts[k + 1]
        for k, j in covered(runs, len(cells)):
            model += ((starts[k] <= j) & (starts[k] >= j - runs[k] + 1)).implies(cell[cells[j]])
        for k, j in between(runs, len(cells)):
            outside = []
            if k:
                outside.append(starts[k - 1] <= j - runs[k - 1])
            if k < len(runs):
                outside.append(starts[k] >= j + 1)
            blank = ~cell[cells[j]]
            model += cpmpy.all(outside).implies(blank) if outside else blank
    made = cpmpy.SolverLookup.get(solver, model)
    pysat = solver.startswith("pysat")
    cnf_s, clauses = time.process_time() - begin, made.pysat_solver.nof_clauses() if pysat else None
    made.solve(**({} if pysat else {"num_search_workers": 1}))
    answer_s = time.process_time() - begin
    told = {"cnf_s": cnf_s, "clauses": clauses} if pysat else {}
    return {**told, "answer_s": answer_s, "cells": cell.value().astype(int).tolist()}


def with_ortools(rows: list[list[int]], columns: list[list[int]]) -> dict[str, Any]:
    from ortools.sat.python import cp_model

    begin = time.process_time()
    model = cp_model.CpModel()
    cell = {(i, j): model.new_bool_var("") for i in range(len(rows)) for j in range(len(columns))}
    for runs, cells in lines_of(rows, columns):
        arcs, state = [(0, 0, 0)], 0
        for k, run in enumerate(runs):
            for _ in range(run):
                arcs.append((state, 1, state + 1))
                state += 1
            if k < len(runs) - 1:
                arcs.append((state, 0, state + 1))
                state += 1
            arcs.append((state, 0, state))
        model.add_automaton([cell[place] for place in cells], 0, [state], list(dict.fromkeys(arcs)))
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.solve(model)
    answer_s = time.process_time() - begin
    cells = [[solver.value(cell[i, j]) for j in range(len(columns))] for i in range(len(rows))]
    return {"answer_s": answer_s, "cells": cells}


def with_nonogram(rows: list[list[int]], columns: list[list[int]]) -> dict[str, Any]:
    """The package ``nonogram``, by its dynamic programming over lines; -1 are cells that it leaves open."""
    import numpy as np
    from nonogram.src.core.solveurs import dynamic_programming
    from nonogram.src.core.solveurs.solveur_utils import CASE_NOIRE, CASE_VIDE

    begin = time.process_time()
    grid = np.full((len(rows), len(columns)), CASE_VIDE)
    grid = dynamic_programming.solve([*rows], [*columns], grid=grid)[0]
    answer_s = time.process_time() - begin
    cells = [[-1 if value == CASE_VIDE else int(value == CASE_NOIRE) for value in row] for row in grid]
    return {"answer_s": answer_s, "cells": cells}


MODELS = {
    "Pindakaas": with_pindakaas,
    "pysat.integer": with_pysat_integer,
    "CPMpy, python-sat": lambda rows, columns: with_cpmpy(rows, columns, "pysat:minisat22"),
    "CPMpy, CP-SAT": lambda rows, columns: with_cpmpy(rows, columns, "ortools"),
    "OR-Tools, automata": with_ortools,
    "nonogram (PyPI)": with_nonogram,
}


def main() -> None:
    model = MODELS[sys.argv[1]]
    model([[1], [1]], [[1], [1]])  # what is imported at first use is on nobody's clock
    for text in sys.stdin:
        puzzle = json.loads(text)
        print(json.dumps(model(puzzle["rows"], puzzle["columns"])), flush=True)


if __name__ == "__main__":
    main()
