"""The same instances through other encoders, beside ours: all with CaDiCaL 1.9.5, or the CaDiCaL that Pindakaas brings.

    python experiments/crossover/encoders.py -o encoders.csv [--domains 4,32,256,2000] [--seeds 1,2,3,4] [--limit 10]

CPMpy goes to PySAT and to Pindakaas with the integer encodings that it chooses, and to Pindakaas with its ``order``
and its ``binary``. ``pysat.integer`` has no tables, elements and products; its linear constraints are clauses by
Pindakaas, or propagated in the solver. Each run has a process of its own with a limit of CPU seconds; a row each:
family, domain, seed, encoder, outcome, CPU time of encoding and solving. Needs CPMpy, ``pypblib`` and ``pindakaas``.
"""

from __future__ import annotations

import argparse
import csv
import importlib.util
import operator
import resource
import subprocess
import sys
from pathlib import Path
from typing import Any

from nonosat import Model
from nonosat.csp.expressions import Expression, folded
from nonosat.plugins import module_of

HERE = Path(__file__).parent
ENCODERS = (
    "cpmpy pysat", "cpmpy pindakaas", "cpmpy pindakaas order", "cpmpy pindakaas binary",
    "pysat.integer clauses", "pysat.integer propagated", "order", "log+adder",
)  # fmt: skip
FAMILIES = ("comparison", "linear", "all_different", "table", "element", "product")
LINEAR = FAMILIES[:3]
"""What ``pysat.integer`` can state."""
COLUMNS = ("family", "domain", "seed", "encoder", "outcome", "cpu_s")


RELATIONS: dict[Any, Any] = {
    "==": operator.eq, "!=": operator.ne, "<=": operator.le, "<": operator.lt, ">=": operator.ge, ">": operator.gt
}  # fmt: skip


def in_cpmpy(model: Any) -> Any:
    """The model in CPMpy."""
    import cpmpy as cp

    made: dict[int, Any] = {}

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
                return RELATIONS[node.data](*parts)
            case "product":
                return parts[0] * parts[1]
            case "element":
                return cp.Element(parts[1:], parts[0])
            case "table":
                return cp.Table(parts, node.data.tolist())
            case "or":
                return cp.any(parts)
            case "and":
                return cp.all(parts)
            case "all_different":
                return cp.AllDifferent(parts)
        raise NotImplementedError(node.op)

    known: dict[int, Any] = {}
    return cp.Model([folded(constraint, known, apply) for _, constraint in model.constraints])


def by_pysat(model: Any, propagated: bool) -> str:
    """The outcome by ``pysat.integer``: order encoding, or coupled where all-different asks for it."""
    from pysat.formula import IDPool
    from pysat.integer import Integer, IntegerEngine, LinearExpr
    from pysat.solvers import Cadical195

    pool, clauses = IDPool(), []
    differ = any(constraint.op == "all_different" for _, constraint in model.constraints)
    domain = "coupled" if differ else "order"
    xs = [Integer(f"x{at}", low, high, encoding=domain, vpool=pool) for at, (low, high) in enumerate(model.domains)]
    engine = IntegerEngine(xs, vpool=pool)

    def number(node: Expression) -> Any:
        if node.op == "variable":
            return xs[node.data[0]].as_expr()
        if node.op == "constant":
            return LinearExpr({}, node.data)
        assert node.op == "sum", node.op
        factors, constant = node.data
        total = LinearExpr({}, constant)
        for factor, part in zip(factors, node.children, strict=True):
            total = total + number(part) * factor
        return total

    def relation(node: Expression) -> Any:
        left, right = node.children
        above = number(left) - number(right)
        match node.data:  # its own `<` is up to a rounding error: clausify() drops it
            case "<":
                return above <= -1
            case ">":
                return above >= 1
        return RELATIONS[node.data](above, 0)

    for _, constraint in model.constraints:
        if constraint.op == "all_different":
            engine.add_alldifferent([xs[part.data[0]] for part in constraint.children])
        elif constraint.op == "or":
            clauses.append([engine.add_linear(relation(part), reified=True) for part in constraint.children])
        else:
            engine.add_linear(relation(constraint))
    with Cadical195() as solver:
        if propagated:
            solver.connect_propagator(engine)
            engine.setup_observe(solver)
        else:
            solver.append_formula(engine.clausify())
        solver.append_formula(clauses)
        found = solver.solve()
        if found:
            values = engine.decode_model(solver.get_model())
            assert model.holds([values[x] for x in xs]), "its solution is none"
    return "SAT" if found else "UNSAT"


def one(family: str, domain: int, seed: int, encoder: str, limit: int) -> None:
    """Run one instance in this process, and print its outcome and CPU seconds."""
    model = module_of(HERE / "families.py").make(family, domain, seed)
    if encoder.startswith("cpmpy"):
        import cpmpy as cp

        _, solver, *integers = encoder.split()
        stated = in_cpmpy(model)

        def solved(what: Any) -> str:
            route = cp.SolverLookup.get("pysat:cadical195" if solver == "pysat" else solver)
            route.encoding = integers[0] if integers else "auto"
            route += what.constraints
            return "SAT" if route.solve() else "UNSAT"

        solved(cp.Model(cp.intvar(0, 1) == 1))  # imports are off the clock
        begin = _spent()
        _limited(limit)
        outcome = solved(stated)
    elif encoder.startswith("pysat.integer"):
        propagated = encoder.endswith("propagated")
        small = Model()  # imports are off the clock
        small.add(small.integer("x", 0, 3) > 1)
        by_pysat(small, propagated)
        begin = _spent()
        _limited(limit)
        outcome = by_pysat(model, propagated)
    else:
        small = Model()  # imports are off the clock
        small.add(small.integer("x", 0, 3) > 1)
        small.solve(encoding=encoder, solver="cadical195")
        begin = _spent()
        _limited(limit)
        outcome = str(model.solve(encoding=encoder, solver="cadical195").verdict)
    print(outcome, f"{_spent() - begin:.6f}", flush=True)


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
    parser.add_argument("--seeds", default="1,2,3,4")
    parser.add_argument("--limit", type=int, default=10)
    parser.add_argument("--encoders", default=",".join(ENCODERS))
    parser.add_argument("--one", nargs=4, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        family, domain, seed, encoder = options.one
        one(family, int(domain), int(seed), encoder, options.limit)
        return
    for needed in ("cpmpy", "pypblib", "pindakaas"):
        if importlib.util.find_spec(needed) is None:
            sys.exit(f"encoders.py needs {needed}: pip install cpmpy pypblib pindakaas")
    with Path(options.output).open("w", newline="", encoding="utf-8") as file:
        rows = csv.writer(file, lineterminator="\n")
        rows.writerow(COLUMNS)
        for seed in options.seeds.split(","):
            for domain in options.domains.split(","):
                for family in FAMILIES:
                    for encoder in options.encoders.split(","):
                        if encoder.startswith("pysat.integer") and family not in LINEAR:
                            continue
                        words = [sys.executable, __file__, "-o", "-", "--limit", str(options.limit), "--one"]
                        done = subprocess.run([*words, family, domain, seed, encoder], capture_output=True, text=True)
                        found = done.stdout.split()[-2:]
                        over = "limit" if done.returncode < 0 or "MemoryError" in done.stderr else "failed"
                        rows.writerow([family, domain, seed, encoder, *(found if len(found) == 2 else (over, ""))])
                        file.flush()


if __name__ == "__main__":
    main()
