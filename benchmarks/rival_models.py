"""The same nonograms, stated for what a Python user would pick instead; run by rivals.py in an environment of its own.

``python rival_models.py WHO`` reads puzzles from stdin (JSON, a line each: runs of rows and of columns, how many
pictures are wanted) and prints a line of JSON for each: CPU seconds to the answer, and the pictures; where none are
wanted, CPU seconds to the formula, and its clauses. ``python rival_models.py WHO FILE`` is a whole process: from a file
with one puzzle to its picture.

Where a package's examples have a nonogram, it is stated as they do it: automata, by CPMpy (problem 12 of CSPLib
there) and by OR-Tools. Where they have none, by the rules of nonosat's ``tight+r3``: tight domains, neighbouring runs
in order, a cell is filled where a run covers it, blank between neighbouring runs. What PyPI has for nonograms is in
``rival_packages.py``.
"""

from __future__ import annotations

import itertools
import json
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

Clues = list[list[int]]
Told = dict[str, Any]
Line = tuple[list[int], list[tuple[int, int]]]  # its runs, and its cells as (row, column)


def lines_of(rows: Clues, columns: Clues) -> Iterator[Line]:
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


def automaton(runs: list[int]) -> tuple[list[tuple[int, int, int]], int]:
    """Of a line's clue: transitions (state, cell, state) from state 0, and the last state."""
    arcs, state = [(0, 0, 0)], 0
    for k, run in enumerate(runs):
        for _ in range(run):
            arcs.append((state, 1, state + 1))
            state += 1
        if k < len(runs) - 1:
            arcs.append((state, 0, state + 1))
            state += 1
        arcs.append((state, 0, state))
    return list(dict.fromkeys(arcs)), state


def with_pindakaas(rows: Clues, columns: Clues, count: int) -> Told:
    import pindakaas
    from pindakaas.solver import CaDiCaL, Status

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
    if not count:
        return {"cnf_s": cnf_s, "clauses": clauses}
    begin = time.process_time()
    solver = CaDiCaL()
    cell = state(solver)
    pictures: list[Any] = []
    while len(pictures) < count:
        with solver.solve() as result:
            if result.status != Status.SATISFIED:
                break
            true = {place: bool(result.value(one)) for place, one in cell.items()}
        pictures.append([[int(true[i, j]) for j in range(len(columns))] for i in range(len(rows))])
        if len(pictures) < count:
            solver.add_clause([~one if true[place] else one for place, one in cell.items()])
    return {"answer_s": time.process_time() - begin, "pictures": pictures}


def with_pysat_integer(rows: Clues, columns: Clues, count: int) -> Told:
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
    if not count:
        return {"cnf_s": cnf_s, "clauses": len(formula.clauses)}
    with Solver(name="minisat22", bootstrap_with=formula) as solver:
        pictures: list[Any] = []
        while len(pictures) < count and solver.solve():
            true = {literal for literal in solver.get_model() or [] if literal > 0}
            pictures.append([[int(cell[i, j] in true) for j in range(len(columns))] for i in range(len(rows))])
            if len(pictures) < count:
                solver.add_clause([-one if one in true else one for one in cell.values()])
    answer_s = time.process_time() - begin
    return {"answer_s": answer_s, "pictures": pictures}


def with_cpmpy(rows: Clues, columns: Clues, count: int) -> Told:
    """CPMpy's ``Regular``, which it hands to CP-SAT as an automaton."""
    import cpmpy

    begin = time.process_time()
    cell = cpmpy.boolvar(shape=(len(rows), len(columns)))
    model = cpmpy.Model()
    for runs, cells in lines_of(rows, columns):
        arcs, last = automaton(runs)
        model += cpmpy.Regular([cell[place] for place in cells], arcs, 0, [last])
    pictures: list[Any] = []
    options = {"num_workers": 1}
    if count == 1:
        model.solve(solver="ortools", **options)
        pictures.append(cell.value().astype(int).tolist())
    else:

        def keep() -> None:
            pictures.append(cell.value().astype(int).tolist())

        model.solveAll(solver="ortools", solution_limit=count, display=keep, **options)
    return {"answer_s": time.process_time() - begin, "pictures": pictures}


def with_cpmpy_to_sat(rows: Clues, columns: Clues, count: int) -> Told:
    """CPMpy to a formula: runs by hand. ``Regular`` becomes tables, which python-sat refuses without pypblib.

    By CPMpy's way to Pindakaas they took 2.5 to 3 s for a 20x20, which this takes 0.4 s for.
    """
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
    made = cpmpy.SolverLookup.get("pysat:minisat22", model)
    if not count:
        return {"cnf_s": time.process_time() - begin, "clauses": made.pysat_solver.nof_clauses()}
    pictures: list[Any] = []
    while len(pictures) < count and made.solve():
        pictures.append(cell.value().astype(int).tolist())
        if len(pictures) < count:
            made += cpmpy.any(cell != cell.value())
    return {"answer_s": time.process_time() - begin, "pictures": pictures}


def with_ortools(rows: Clues, columns: Clues, count: int) -> Told:
    """CP-SAT with an automaton a line, and one worker: on 20x20 eight took three times its CPU time.

    For a second picture it enumerates, which took half of what solving anew with a clause did.
    """
    from ortools.sat.python import cp_model

    begin = time.process_time()
    model = cp_model.CpModel()
    cell = {(i, j): model.new_bool_var("") for i in range(len(rows)) for j in range(len(columns))}
    for runs, cells in lines_of(rows, columns):
        arcs, last = automaton(runs)
        model.add_automaton([cell[place] for place in cells], 0, [last], arcs)
    pictures: list[Any] = []

    class Keep(cp_model.CpSolverSolutionCallback):
        def on_solution_callback(self) -> None:
            pictures.append([[self.value(cell[i, j]) for j in range(len(columns))] for i in range(len(rows))])
            if len(pictures) == count:
                self.stop_search()

    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.enumerate_all_solutions = count > 1
    solver.solve(model, Keep())
    return {"answer_s": time.process_time() - begin, "pictures": pictures}


def with_nonosat(rows: Clues, columns: Clues, count: int, solver: str) -> Told:
    """What is held against them, in an environment that has it."""
    from nonosat.encodings.registry import encoding
    from nonosat.puzzles.nonogram import Nonogram
    from nonosat.solvers.formulas import no_garbage_collection
    from nonosat.solvers.solve import solve

    if not count:
        begin = time.process_time()
        with no_garbage_collection():
            formula = encoding("tight+r3+order").formula(Nonogram.from_lengths(rows, columns))
        return {"cnf_s": time.process_time() - begin, "clauses": formula.cnf.clauses}
    begin = time.process_time()
    answer = solve(Nonogram.from_lengths(rows, columns), solver=solver, count=count)
    pictures = [picture.cells.tolist() for picture in answer.pictures]
    return {"answer_s": time.process_time() - begin, "pictures": pictures}


MODELS: dict[str, Callable[[Clues, Clues, int], Told]] = {
    "nonosat, auto": lambda *asked: with_nonosat(*asked, "auto"),
    "nonosat, minisat22": lambda *asked: with_nonosat(*asked, "minisat22"),
    "OR-Tools, automata": with_ortools,
    "CPMpy, CP-SAT": with_cpmpy,
    "CPMpy, python-sat": with_cpmpy_to_sat,
    "Pindakaas": with_pindakaas,
    "pysat.integer": with_pysat_integer,
}


def model_of(who: str) -> Callable[[Clues, Clues, int], Told]:
    """The function that solves; what PyPI has for nonograms is imported for itself alone."""
    if who in MODELS:
        return MODELS[who]
    from rival_packages import PACKAGES

    return PACKAGES[who]


def warm(who: str, model: Callable[[Clues, Clues, int], Told]) -> None:
    """What is imported, compiled or loaded at first use is on nobody's clock."""
    model([[1], [1]], [[1], [1]], 1)
    if who.startswith("nonosat"):
        from nonosat.generators.density import random_density

        for count, board in itertools.product((1, 2), (random_density(25, 25, 0.4, 1), random_density(70, 70, 0.9, 1))):
            rows, columns = ([[run.length for run in clue] for clue in clues] for clues in (board.rows, board.columns))
            model(rows, columns, count)


def main() -> None:
    model = model_of(sys.argv[1])
    if len(sys.argv) > 2:
        puzzle = json.loads(Path(sys.argv[2]).read_text())
        for row in model(puzzle["rows"], puzzle["columns"], 1)["pictures"][0]:
            print("".join("··██??"[2 * cell :][:2] if cell >= 0 else "??" for cell in row))
        return
    warm(sys.argv[1], model)
    print(json.dumps({"ready": True}), flush=True)
    for text in sys.stdin:
        try:
            told = model(*json.loads(text))
        except Exception as failure:  # whatever a rival raises is its answer to this puzzle
            told = {"failed": f"{type(failure).__name__}: {failure}"[:200]}
        print(json.dumps(told), flush=True)


if __name__ == "__main__":
    main()
