"""CPMpy's example models by our encodings, beside CPMpy's own routes to a SAT solver: CPU seconds, sizes of formulas.

    python benchmarks/beside_cpmpy.py [EXAMPLES] [--limit 60] [-o FILE.json]

EXAMPLES is the folder `examples` of a checkout of CPMpy. Each script runs until it solves its first model, which is
taken without its objective. Without EXAMPLES, the models are those of `classical_models.py`. Every route solves a model
in a process of its own with the same solver, CaDiCaL 1.5.3 of python-sat (Pindakaas has a CaDiCaL of its own). CPMpy's
route needs pypblib, and python-sat's extra `pb` for sums with weights. A route that does not take a model, or takes
longer than the limit, is named; sums are over what both take.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import multiprocessing
import os
import pickle
import resource
import runpy
import sys
import warnings
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any

import cpmpy as cp
from classical_models import MODELS
from cpmpy.expressions import variables

from nonosat import Model
from nonosat.modelling.knowledge import formula_of

SOLVER = "cadical153"
ENCODINGS = ("order", "support", "order<=64,log")


class Taken(BaseException):
    """A script has made its model."""


def model_of(path: Path) -> Any:
    """The first model that a script solves, without its objective; None: it solves none."""
    found: list[Any] = []

    def take(self: Any, *arguments: Any, **more: Any) -> Any:
        found.append(self)
        raise Taken

    saved, folder = sys.argv, Path.cwd()
    kept = cp.Model.solve, cp.Model.solveAll, cp.SolverLookup.get
    cp.Model.solve = cp.Model.solveAll = take
    cp.SolverLookup.get = staticmethod(lambda name=None, model=None, **more: take(model))
    sys.argv, sys.path[:0] = [str(path)], [str(path.parent)]
    os.chdir(path.parent)
    try:
        with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            runpy.run_path(str(path), run_name="__main__")
    except Taken:
        pass
    except (Exception, SystemExit):
        return None
    finally:
        cp.Model.solve, cp.Model.solveAll, cp.SolverLookup.get = kept
        sys.argv = saved
        sys.path.remove(str(path.parent))
        os.chdir(folder)
    return cp.Model(*found[0].constraints) if found and found[0] is not None else None


def pack(path: Path, limit: int, out: Any) -> None:
    """A script's model, in this process."""
    resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 2))
    model = model_of(path)
    out.send(None if model is None else pickle.dumps(model))


def by_nonosat(model: Any, encoding: str) -> dict[str, Any]:
    """Our route: translated, encoded, solved, and the solution checked."""
    begin = process_time()
    ours = Model.from_cpmpy(model)
    answer = ours.solve(encoding=encoding, solver=SOLVER)
    total, spent = process_time() - begin, answer.statistics
    cnf = formula_of(ours.lowered().csp, encoding)[0].cnf
    sizes = {"booleans": cnf.variables, "clauses": cnf.clauses, "literals": len(cnf.literals)}
    return {"verdict": str(answer.verdict), "total_s": total, "solve_s": spent.solve_s or 0.0, **sizes}


def by_cpmpy(model: Any, route: str) -> dict[str, Any]:
    """CPMpy's route; its clauses are counted on the way."""
    clauses, literals = 0, 0
    name = f"pysat:{SOLVER}" if route == "pysat" else route
    begin = process_time()
    solver = cp.SolverLookup.get(name, model)
    built = process_time()
    found = solver.solve()
    end = process_time()
    booleans = 0
    if route == "pysat":
        booleans, clauses = solver.pysat_solver.nof_vars(), solver.pysat_solver.nof_clauses()
    return {
        "verdict": "SAT" if found else "UNSAT",
        "total_s": end - begin,
        "solve_s": end - built,
        "booleans": booleans,
        "clauses": clauses,
        "literals": literals,
    }


def work(route: str, packed: bytes, limit: int, out: Any) -> None:
    """One model by one route, in this process."""
    resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 2))
    model = pickle.loads(packed)
    # CPMpy tells variables apart by their names, and counts from 0 in every process
    variables._IntVarImpl.counter = variables._BoolVarImpl.counter = 10**6
    small = cp.intvar(0, 3, shape=2)  # what is imported and compiled at the first use is not measured
    with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        run = by_cpmpy if route in ("pysat", "pindakaas") else by_nonosat
        run(cp.Model(small[0] + 2 * small[1] == 5, cp.AllDifferent(small)), route)
        try:
            out.send(run(model, route))
        except Exception as error:  # a route may refuse a model in any way
            out.send({"verdict": "refused", "reason": f"{type(error).__name__}: {str(error)[:100]}"})


def forked(function: Any, *arguments: Any) -> Any:
    """What ``function`` sends from a process of its own; None: nothing."""
    context = multiprocessing.get_context("fork")
    mine, theirs = context.Pipe(duplex=False)
    process = context.Process(target=function, args=(*arguments, theirs))
    process.start()
    theirs.close()
    try:
        return mine.recv()
    except EOFError:
        return None
    finally:
        process.join()


def summary(records: list[dict[str, Any]], one: str, other: str) -> str:
    """Both routes on the models that both take."""
    both = [record for record in records if all(record[route]["verdict"] in ("SAT", "UNSAT") for route in (one, other))]
    if not both:
        return f"{one} beside {other}: no model that both take"
    sums = [sum(record[route]["total_s"] for record in both) for route in (one, other)]
    solving = [sum(record[route]["solve_s"] for record in both) for route in (one, other)]
    ratios = [record[one]["total_s"] / record[other]["total_s"] for record in both]
    slower = [record["model"] for record, ratio in zip(both, ratios, strict=True) if ratio > 1]
    line = (
        f"{one} beside {other}: {len(both)} models, total {sums[0]:.2f} s and {sums[1]:.2f} s "
        f"(ratio of sums {sums[0] / sums[1]:.2f}, median of ratios {median(ratios):.2f}), "
        f"solving {solving[0]:.2f} s and {solving[1]:.2f} s"
    )
    sized = [record for record in both if record[other]["clauses"]]
    if sized:
        sizes = [record[one]["clauses"] / record[other]["clauses"] for record in sized]
        line += f"; clauses: median of ratios {median(sizes):.2f}"
    wrong = [record["model"] for record in both if record[one]["verdict"] != record[other]["verdict"]]
    line += f"; slower on {', '.join(slower) or 'none'}"
    return line + (f"; DIFFERENT ANSWERS on {', '.join(wrong)}" if wrong else "")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("examples", type=Path, nargs="?")
    parser.add_argument("--limit", type=int, default=60, help="CPU seconds a model and route")
    parser.add_argument("--only", default="", help="scripts whose names have this in them")
    parser.add_argument("-o", "--output", type=Path)
    given = parser.parse_args()
    routes = [*ENCODINGS, *(name for name in ("pysat", "pindakaas") if cp.SolverLookup.lookup(name).supported())]
    records: list[dict[str, Any]] = []
    scripts = sorted(given.examples.resolve().rglob("*.py")) if given.examples else map(Path, MODELS)
    for path in scripts:
        if given.only not in path.name:
            continue
        packed = forked(pack, path, given.limit) if given.examples else pickle.dumps(MODELS[path.name]())
        if packed is None:
            continue
        found = {route: forked(work, route, packed, given.limit) or {"verdict": "TIMEOUT"} for route in routes}
        record = {"model": path.stem, **found}
        records.append(record)
        cells = [
            f"{route} {record[route]['total_s']:.3f} s" if "total_s" in record[route] else f"{route} {record[route]}"
            for route in routes
        ]
        print(f"{path.stem}: {'; '.join(cells)}", flush=True)
    for other in routes[len(ENCODINGS) :]:
        for one in ENCODINGS:
            print(summary(records, one, other))
    if given.output:
        given.output.write_text(json.dumps(records, indent=1))


if __name__ == "__main__":
    main()
