"""The same instances through other encoders: CPMpy's routes to PySAT and to Pindakaas, beside ours with CaDiCaL 1.9.5.

    python experiments/crossover/encoders.py -o encoders.csv [--domains 4,32,256,2000] [--seeds 1,2] [--limit 10]

Each run has a process of its own with a limit of CPU seconds; a row each: family, domain, seed, encoder, outcome, CPU
seconds of stating, encoding and solving. Needs CPMpy and, for its routes, ``pypblib`` and ``pindakaas``.
"""

from __future__ import annotations

import argparse
import csv
import importlib.util
import resource
import subprocess
import sys
from pathlib import Path
from typing import Any

from nonosat import Model
from nonosat.csp.expressions import Expression, folded
from nonosat.plugins import module_of

HERE = Path(__file__).parent
ENCODERS = ("cpmpy pysat", "cpmpy pindakaas", "order", "log+adder")
FAMILIES = ("comparison", "linear", "all_different")
COLUMNS = ("family", "domain", "seed", "encoder", "outcome", "cpu_s")


def in_cpmpy(model: Any) -> Any:
    """The model in CPMpy: sums, comparisons, connectives and all-different."""
    import cpmpy as cp

    made: dict[int, Any] = {}
    relations = {
        "==": lambda a, b: a == b, "!=": lambda a, b: a != b, "<=": lambda a, b: a <= b, "<": lambda a, b: a < b,
        ">=": lambda a, b: a >= b, ">": lambda a, b: a > b,
    }  # fmt: skip

    def apply(node: Expression, parts: list[Any]) -> Any:
        match node.op:
            case "variable":
                low, high = model.domains[node.data[0]]
                return made.setdefault(node.data[0], cp.intvar(low, high, name=str(node.data[1])))
            case "constant":
                return int(node.data)
            case "sum":
                factors, constant = node.data
                return sum(a * part for a, part in zip(factors, parts, strict=True)) + constant
            case "compare":
                return relations[node.data](*parts)
            case "or":
                return cp.any(parts)
            case "and":
                return cp.all(parts)
            case "all_different":
                return cp.AllDifferent(parts)
        raise NotImplementedError(node.op)

    known: dict[int, Any] = {}
    return cp.Model([folded(constraint, known, apply) for _, constraint in model.constraints])


def one(family: str, domain: int, seed: int, encoder: str, limit: int) -> None:
    """Run one instance in this process, and print its outcome and CPU seconds."""
    model = module_of(HERE / "families.py").make(family, domain, seed)
    if encoder.startswith("cpmpy"):
        import cpmpy as cp

        solver = "pysat:cadical195" if encoder.endswith("pysat") else "pindakaas"
        stated = in_cpmpy(model)
        cp.SolverLookup.get(solver, cp.Model(cp.intvar(0, 1) == 1)).solve()  # imports are off the clock
        begin = _spent()
        _limited(limit)
        outcome = "SAT" if cp.SolverLookup.get(solver, stated).solve() else "UNSAT"
    else:
        small = Model()  # imports are off the clock
        small.add(small.integer("x", 0, 3) > 1)
        small.solve(encoding=encoder, solver="cadical195")
        begin = _spent()
        _limited(limit)
        outcome = str(model.solve(encoding=encoder, solver="cadical195").verdict)
    print(outcome, _spent() - begin, flush=True)


def _limited(seconds: int) -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (int(_spent()) + seconds + 1, resource.RLIM_INFINITY))
    resource.setrlimit(resource.RLIMIT_AS, (4 * 2**30, 4 * 2**30))


def _spent() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def main() -> None:
    """Run all, one after the other."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-o", "--output", required=True)
    parser.add_argument("--domains", default="4,32,256,2000")
    parser.add_argument("--seeds", default="1,2")
    parser.add_argument("--limit", type=int, default=10)
    parser.add_argument("--one", nargs=4, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        family, domain, seed, encoder = options.one
        one(family, int(domain), int(seed), encoder, options.limit)
        return
    needed = {"cpmpy pysat": "pypblib", "cpmpy pindakaas": "pindakaas"}
    here = [name for name in ENCODERS if name not in needed or importlib.util.find_spec(needed[name])]
    with Path(options.output).open("w", newline="", encoding="utf-8") as file:
        rows = csv.writer(file, lineterminator="\n")
        rows.writerow(COLUMNS)
        for seed in options.seeds.split(","):
            for domain in options.domains.split(","):
                for family in FAMILIES:
                    for encoder in here:
                        words = [sys.executable, __file__, "-o", "-", "--limit", str(options.limit), "--one"]
                        done = subprocess.run([*words, family, domain, seed, encoder], capture_output=True, text=True)
                        found = done.stdout.split()[-2:]
                        over = "limit" if done.returncode < 0 or "MemoryError" in done.stderr else "failed"
                        rows.writerow([family, domain, seed, encoder, *(found if len(found) == 2 else (over, ""))])
                        file.flush()


if __name__ == "__main__":
    main()
