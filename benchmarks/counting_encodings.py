"""Which encodings may one count with, and which are fast? ``python benchmarks/counting_encodings.py [-o DIR]
[CASE...]``.

A case is SIZE:DENSITY:BOARDS. Each random board is counted through each sound encoding by Ganak (exact) and by
ApproxMC (epsilon 0.8, delta 0.2), projected on the board's variables and not. An encoding is parsimonious on a board
if its formula has as many models as the board has solutions; that number is the native counter's. CPU seconds of
counting alone, of one run each in a process of its own, at most LIMIT; encoding is not counted. A row a board,
encoding, counter and projection.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from time import process_time
from typing import Any

from limited import limited
from tables import write_table

import nonosat
from nonosat.counting import cnf_counters
from nonosat.encodings.formula import Formula
from nonosat.encodings.registry import KINDS, encoding
from nonosat.generators.density import random_density
from nonosat.solvers.formulas import formula_of

LIMIT = 5
CASES = ("8:0.5:3", "10:0.4:3", "10:0.5:3", "12:0.5:3", "15:0.5:3")
COLUMNS = (
    *("size", "density", "seed", "solutions", "native_s", "encoding", "variables", "clauses"),
    *("counter", "projected", "models", "cpu_s"),
)
EPSILON, DELTA = 0.8, 0.2


def by_ganak(formula: Formula, projected: bool) -> int:
    counter = cnf_counters.needed("pyganak").Counter()
    counter.new_vars(formula.cnf.variables)
    counter.add_clauses(list(formula.cnf))
    counter.set_sampling_set(sampled(formula, projected))
    with cnf_counters.without_output():
        return int(counter.count())


def by_approxmc(formula: Formula, projected: bool) -> int:
    counter = cnf_counters.needed("pyapproxmc").Counter(seed=1, epsilon=EPSILON, delta=DELTA)
    counter.add_clauses([*formula.cnf, [-formula.cnf.variables, formula.cnf.variables]])
    return cnf_counters.number_of(counter.count(sampled(formula, projected)))


def sampled(formula: Formula, projected: bool) -> list[int]:
    return formula.shown() if projected else list(range(1, formula.cnf.variables + 1))


COUNTERS = {"ganak": by_ganak, "approxmc": by_approxmc}


def measured(formula: Formula, counter: str, projected: bool) -> dict[str, Any]:
    begin = process_time()
    models = COUNTERS[counter](formula, projected)
    return {"models": str(models), "cpu_s": process_time() - begin}


def rows_of(size: int, density: float, seed: int) -> list[dict[str, Any]]:
    puzzle = random_density(size, size, density, seed)
    begin = process_time()
    solutions = nonosat.count(puzzle).solutions
    board = {
        "size": size,
        "density": density,
        "seed": seed,
        "solutions": str(solutions),
        "native_s": process_time() - begin,
    }
    rows = []
    for name in KINDS["nonogram"].tested:
        formula, _ = formula_of(puzzle, encoding(name))
        about = {"encoding": name, "variables": formula.cnf.variables, "clauses": formula.cnf.clauses}
        for counter in COUNTERS:
            for projected in (True, False):
                found = limited(lambda: measured(formula, counter, projected), LIMIT)  # noqa: B023 - run at once
                rows.append({**board, **about, "counter": counter, "projected": projected, **(found or {})})
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-o", dest="out", metavar="DIR", type=Path)
    parser.add_argument("cases", metavar="CASE", nargs="*", default=CASES)
    chosen = parser.parse_args()
    if not cnf_counters.has_approxmc():
        raise SystemExit("no ApproxMC that counts right: pip install 'nonosat[counting]'")
    nonosat.count(random_density(5, 5, 0.5, 1))  # what is loaded at first use
    by_ganak(formula_of(random_density(5, 5, 0.5, 1), encoding("tight+r3+order"))[0], True)
    rows: list[dict[str, Any]] = []
    for case in chosen.cases:
        size, density, boards = case.split(":")
        for seed in range(1, int(boards) + 1):
            rows += rows_of(int(size), float(density), seed)
            print(case, seed, flush=True)
            if chosen.out is not None:
                write_table(chosen.out, "counts", COLUMNS, rows, f"limit {LIMIT} CPU s")


if __name__ == "__main__":
    main()
