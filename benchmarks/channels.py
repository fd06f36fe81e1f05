"""The two channels side by side: random boards, same solver, one after the other; medians of CPU seconds and decisions.

python benchmarks/channels.py [--size 25] [--density 0.4] [--count 20] [--solver minisat22]
"""

from __future__ import annotations

import argparse
from statistics import median
from time import process_time

from nonosat.generators.density import random_density
from nonosat.solvers.solve import solve


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--size", type=int, default=25)
    parser.add_argument("--density", type=float, default=0.4)
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--solver", default="minisat22")
    options = parser.parse_args()
    names = (
        "tight+r3+gaps+order",
        "tight+r3+iff+order",
        "plain+r3+gaps+order",
        "plain+r3+iff+order",
        "automaton+order",
    )
    seconds: dict[str, list[float]] = {name: [] for name in names}
    decisions: dict[str, list[int]] = {name: [] for name in names}
    for seed in range(options.count):
        puzzle = random_density(options.size, options.size, options.density, seed=seed)
        for name in names:
            begin = process_time()
            answer = solve(puzzle, encoding=name, solver=options.solver)
            seconds[name].append(process_time() - begin)
            assert answer.picture is not None
            decisions[name].append(answer.statistics.decisions or 0)
    print(f"{options.count} boards of {options.size}x{options.size} at {options.density:.0%}, {options.solver}")
    for name in names:
        ratio = median(seconds[name]) / median(seconds[names[0]])
        print(
            f"{name:24} median {median(seconds[name]):7.3f} CPU s ({ratio:5.2f}), sum {sum(seconds[name]):8.2f} s, "
            f"median {median(decisions[name]):9,.0f} decisions"
        )


if __name__ == "__main__":
    main()
