"""Skyscrapers stated by the rules of their kind, and as a ``Model``: encoding, size of the formula, and solving.

    python benchmarks/skyscrapers_as_model.py [--sizes 4 5 6 7 8 9] [--boards 5] [--encodings order coupled log]

The same boards, with their clues and few given heights, both ways in one run; medians over the boards, CPU seconds.
"""

from __future__ import annotations

import argparse
from statistics import median
from time import process_time

from nonosat import Model
from nonosat.csp.model import CSP
from nonosat.encodings.parts import INTEGERS
from nonosat.encodings.registry import encoding
from nonosat.generators.skyscrapers import level
from nonosat.generators.skyscrapers_made import of_level
from nonosat.puzzles.skyscrapers import Skyscrapers
from nonosat.runs.events import Verdict
from nonosat.solvers.solve import solve_csp


def as_model(puzzle: Skyscrapers, running: bool) -> Model:
    """``running``: a tower is seen above the highest so far; else above each one before it."""
    model, size = Model("skyscrapers"), puzzle.size
    cell = model.integer("cell", 1, size, shape=(size, size))
    for i in range(size):
        model.add(model.all_different(cell[i]), model.all_different(cell[:, i]))
    for view in puzzle.views():
        if view.clue:
            line = model.array([cell[place] for place in view.cells])
            highest, seen = line[0], 1
            for i in range(1, size):
                if running:
                    seen = seen + (line[i] > highest)
                    highest = model.maximum(highest, line[i]) if i < size - 1 else highest
                else:
                    seen = seen + model.all_of(line[:i] < line[i])
            model.add(seen == view.clue)
    for row, column, height in puzzle.given:
        model.add(cell[row, column] == height)
    return model


def solved(csp: CSP, integers: str) -> float:
    begin = process_time()
    answer = solve_csp(csp, integers=integers, solver="minisat22", count=2)
    assert answer.verdict is Verdict.SAT
    assert answer.exhausted
    return process_time() - begin


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--sizes", type=int, nargs="+", default=[4, 5, 6, 7, 8, 9])
    parser.add_argument("--boards", type=int, default=5)
    parser.add_argument("--encodings", nargs="+", default=["order", "coupled", "log"])
    given = parser.parse_args()
    print("size, encoding, statement: variables, clauses, CSP ms, CNF ms, solving and proving uniqueness ms")
    for size in given.sizes:
        puzzles = [of_level(level(f"{size}x{size}-hard"), seed) for seed in range(given.boards)]
        for integers in given.encodings:
            ways = {
                f"{lines}+{seen}": lambda puzzle, name=f"{lines}+{seen}+{integers}": encoding(name).csp(puzzle)
                for lines in ("different", "permutation")
                for seen in ("running", "visible")
            }
            ways |= {
                "model, running": lambda puzzle: as_model(puzzle, True).csp(),
                "model, visible": lambda puzzle: as_model(puzzle, False).csp(),
            }
            rows: dict[str, list[tuple[float, ...]]] = {way: [] for way in ways}
            for puzzle in puzzles:
                for way, state in ways.items():
                    begin = process_time()
                    csp = state(puzzle)
                    stated = process_time()
                    cnf = INTEGERS.named(integers).make(csp).cnf
                    made = process_time()
                    solve_s = solved(csp, integers) - (made - stated)
                    rows[way].append((cnf.variables, cnf.clauses, stated - begin, made - stated, solve_s))
            for way, every in rows.items():
                sizes = [f"{median(column):,.0f}" for column in list(zip(*every, strict=True))[:2]]
                times = [f"{1000 * median(column):.1f}" for column in list(zip(*every, strict=True))[2:]]
                print(f"{size}, {integers}, {way}: {', '.join([*sizes, *times])}", flush=True)


if __name__ == "__main__":
    main()
