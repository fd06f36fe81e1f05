"""How fast puzzles become CNF, beside how fast python-sat takes the same clauses in.

    python benchmarks/encoding.py [--size 100] [--density 0.5] [--repeat 7]
    python benchmarks/encoding.py --every           # the encoding rates of all encodings that are tested as a whole
    python benchmarks/encoding.py --models          # literals a second of models: comparisons, sums, all-different
    python benchmarks/encoding.py --picture 512     # encode, load and solve a picture; time and peak memory

CPU seconds of one process, medians; both sides run in turn, in one process, so that their ratio means something.
"""

from __future__ import annotations

import argparse
import resource
from statistics import median
from time import process_time

import numpy as np
from pysat.solvers import Solver

from nonosat import Model
from nonosat.encodings.nonogram import ENCODINGS, RELAXED
from nonosat.encodings.registry import encoding
from nonosat.generators.density import random_density
from nonosat.modelling.knowledge import formula_of
from nonosat.puzzles.nonogram import Nonogram
from nonosat.solvers.formulas import no_garbage_collection
from nonosat.solvers.solve import solve


def rates(size: int, density: float, name: str, solver: str, repeat: int) -> None:
    """Clauses a second, encoding (puzzle to arrays) and loading (arrays into the solver)."""
    puzzle = random_density(size, size, density, seed=1)
    parts = encoding(name)
    encode, load = [], []
    for _ in range(repeat):
        begin = process_time()
        formula = parts.formula(puzzle)
        encode.append(process_time() - begin)
        with no_garbage_collection(), Solver(solver) as loaded:
            add = loaded.solver.add_clause
            begin = process_time()
            for clause in formula.cnf:
                add(clause)
            load.append(process_time() - begin)
    clauses = formula.cnf.clauses
    encoding_rate, loading_rate = clauses / median(encode) / 1e6, clauses / median(load) / 1e6
    print(
        f"{size}x{size} at {density:.0%}, {name}: {clauses:,} clauses; encoding {encoding_rate:.1f} M clauses/s, "
        f"loading into {solver} {loading_rate:.2f} M clauses/s, ratio {encoding_rate / loading_rate:.1f}"
    )


def every(size: int, density: float, repeat: int) -> None:
    """Variables, clauses and clauses a second of every encoding."""
    puzzle = random_density(size, size, density, seed=1)
    print(f"{size}x{size} at {density:.0%}")
    for name in (*ENCODINGS, *RELAXED):
        seconds = []
        for _ in range(repeat):
            begin = process_time()
            cnf = encoding(name).formula(puzzle).cnf
            seconds.append(process_time() - begin)
        rate = cnf.clauses / median(seconds) / 1e6
        print(f"{name:32} {cnf.variables:>10,} variables {cnf.clauses:>11,} clauses {rate:6.1f} M clauses/s")


def compared(size: int, values: int) -> Model:
    """Of any two variables one is well before the other."""
    model = Model("comparisons")
    x = model.integer("x", 0, values - 1, shape=size)
    model.add([(x[i] + 3 <= x[j]) | (x[j] + 2 <= x[i]) for i in range(size) for j in range(i)])
    return model


def summed(size: int, values: int) -> Model:
    """Sums of three variables."""
    model = Model("sums")
    x = model.integer("x", 0, values - 1, shape=size)
    model.add([2 * x[i] + 3 * x[i + 1] - x[i + 2] <= 50 + i for i in range(size - 2)])
    return model


def different(size: int) -> Model:
    """Queens: three constraints, all different."""
    model, rows = Model("all different"), np.arange(size)
    x = model.integer("x", 0, size - 1, shape=size)
    model.add(model.all_different(x), model.all_different(x + rows), model.all_different(x - rows))
    return model


def models(repeat: int) -> None:
    """Literals a second of models, from the model's CSP to arrays."""
    for model in (compared(60, 1000), summed(102, 1000), different(150)):
        csp = model.lowered().csp
        for name in ("order", "coupled"):
            seconds = []
            for _ in range(repeat):
                begin = process_time()
                cnf = formula_of(csp, name)[0].cnf
                seconds.append(process_time() - begin)
            rate = len(cnf.literals) / median(seconds) / 1e6
            print(f"{model.name:16} {name:10} {len(cnf.literals):>12,} literals {rate:6.1f} M literals/s", flush=True)


def waves(size: int, detail: float) -> Nonogram:
    """A picture of our own: interfering waves, cut at a level; the more ``detail``, the more runs."""
    y, x = np.mgrid[0:size, 0:size] * detail / size
    height = np.sin(19 * x + 7 * y * y) + np.sin(23 * y - 5 * x) + np.sin(31 * np.hypot(x - 0.4, y - 0.6))
    return Nonogram.from_picture((height > 0.2).astype(np.uint8), title=f"waves {size}x{size}, detail {detail:g}")


def picture(size: int, detail: float, name: str, solver: str) -> None:
    """One large picture, from the clues to the checked answer."""
    puzzle = waves(size, detail)
    runs = sum(len(clue) for _, _, clue in puzzle.lines())
    begin = process_time()
    answer = solve(puzzle, encoding=name, solver=solver)
    cpu = process_time() - begin
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    about = answer.statistics
    print(
        f"{puzzle.title}, {runs:,} runs: {answer.verdict}, {about.clauses or 0:,} clauses; "
        f"encode {about.encode_s:.2f} s, load {about.load_s:.2f} s, solve {about.solve_s:.2f} s; "
        f"{cpu:.1f} CPU s, peak {peak:.0f} MiB"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--size", type=int, default=100)
    parser.add_argument("--density", type=float, default=0.5)
    parser.add_argument("--encoding", default="tight+r3+order")
    parser.add_argument("--solver", default="minisat22")
    parser.add_argument("--repeat", type=int, default=7)
    parser.add_argument("--picture", type=int, metavar="SIZE")
    parser.add_argument("--detail", type=float, default=4.0)
    parser.add_argument("--every", action="store_true")
    parser.add_argument("--models", action="store_true")
    options = parser.parse_args()
    if options.picture:
        picture(options.picture, options.detail, options.encoding, options.solver)
    elif options.models:
        models(options.repeat)
    elif options.every:
        every(options.size, options.density, options.repeat)
    else:
        rates(options.size, options.density, options.encoding, options.solver, options.repeat)


if __name__ == "__main__":
    main()
