"""``make fuzz``: random boards through every solver for so many seconds; what is wrong lands in tests/regressions."""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path


def main() -> int:
    """Exit code 1: there are findings."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--seed", type=int, help="board i of a seed is always the same (default: drawn from the clock)")
    parser.add_argument("--cores", type=int, default=1, help="worker processes")
    parser.add_argument("--first", type=int, default=0, help="the number of the first board")
    parser.add_argument("--boards", type=int, help="end after so many")
    parser.add_argument("-o", "--output", type=Path, help="where finds are written (default: tests/regressions)")
    parser.add_argument("--kind", default="", help="of one kind: nonogram, skyscrapers, csp, formula, proof, model")
    given = parser.parse_args()

    from fuzzing.alone import folder_of_regressions
    from fuzzing.drive import Workload, run, table, warm_up

    seed = given.seed if given.seed is not None else int(time.time())
    print(f"seed {seed}, {given.seconds:g} s, {given.cores} workers", flush=True)
    warm_up()
    result = run(
        seed,
        given.seconds,
        given.output or folder_of_regressions(),
        cores=given.cores,
        first=given.first,
        boards=given.boards,
        workload=Workload(seed, kind=given.kind),
        say=lambda text: print(text, flush=True),
    )
    print(table(result))
    return 1 if result.findings else 0


if __name__ == "__main__":
    sys.exit(main())
