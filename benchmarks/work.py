"""Does ``auto`` work more than it did? ``python benchmarks/work.py [--renew]``.

63 boards of all classes of ``classes.py`` are solved, and their work is counted: lines filtered and messages sent, and
``CONFLICT`` for each conflict of SAT. Counts do not depend on how busy the machine is. ``work.csv`` has those of
an earlier commit. Printed: each class's work, and its ratio to that. --renew: writes ``work.csv`` instead.

Exit code 1: a class, or all of them together, takes more than ``MARGIN`` more work. 2: an answer changed.
Constant factors are not seen: ``compare.py`` measures time.
"""

from __future__ import annotations

import argparse
import csv
import sys
from collections import defaultdict
from pathlib import Path

from classes import CLASSES, ring

from nonosat.files import write_atomically
from nonosat.solvers.auto.search import by_strategy
from nonosat.solvers.many import solve_many

BOARDS, FEWER = 5, {"80x80 at 40 %, first": 3, "100x100 at 40 %, first": 2, "large waves, first": 3}
"""So many boards of each class, spread over it; and of those whose boards take seconds."""
CONFLICT, MARGIN = 32, 0.03
"""The work of a conflict, in lines: what it takes at 80x80 (0.08 to 0.13 ms, and a message 0.003)."""
COLUMNS = ("class", "board", "lines", "conflicts", "answer")
TABLE = Path(__file__).with_suffix(".csv")

Counts = dict[tuple[str, str], tuple[int, int, str]]
"""By class and board: lines and messages, conflicts, and the answer."""


def counted() -> Counts:
    """All boards, solved now."""
    found: Counts = {}
    list(by_strategy(ring(4), 1))  # compiles: as long as nothing is compiled, SAT begins instead
    for name, (boards, unique, make) in CLASSES.items():
        many = FEWER.get(name, BOARDS)
        chosen = [(2 * i + 1) * boards // (2 * many) for i in range(many)]
        for i, answer in zip(chosen, solve_many(map(make, chosen), solver="auto", unique=unique), strict=True):
            about, said = answer.statistics, answer.unique if unique else answer.verdict
            found[name, str(i)] = about.lines_checked or 0, about.conflicts or 0, str(said)
    return found


def read() -> Counts:
    """Those of ``TABLE``."""
    with TABLE.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    return {(row["class"], row["board"]): (int(row["lines"]), int(row["conflicts"]), row["answer"]) for row in rows}


def write(counts: Counts) -> None:
    """Write ``TABLE``."""
    rows = [",".join(COLUMNS), *(f'"{name}",{i},{",".join(map(str, count))}' for (name, i), count in counts.items())]
    write_atomically(TABLE, "\n".join(rows) + "\n")


def by_class(counts: Counts) -> dict[str, int]:
    """The work of each class, and of all.

    >>> by_class({("a", "0"): (10, 1, "SAT"), ("a", "7"): (5, 0, "SAT"), ("b", "0"): (1, 0, "SAT")})
    {'a': 47, 'b': 1, 'all': 48}
    """
    work: defaultdict[str, int] = defaultdict(int)
    for (name, _), (lines, conflicts, _) in counts.items():
        work[name] += lines + CONFLICT * conflicts
    return {**work, "all": sum(work.values())}


def verdict(now: Counts, before: Counts) -> int:
    """Print the comparison; the exit code."""
    then, more = by_class(before), []
    for name, work in by_class(now).items():
        ratio = work / then[name] if name in then else 1.0
        more += [name] if ratio > 1 + MARGIN else []
        print(f"{name:<32}{work:>12,}  {ratio:.3f}")
    changed = [key for key in {**before, **now} if key not in now or key not in before or now[key][2] != before[key][2]]
    for name, i in changed:
        print(f"another answer, or another board: {name}, board {i}", file=sys.stderr)
    for name in more:
        print(f"more work: {name}; if it is meant, `python benchmarks/work.py --renew`", file=sys.stderr)
    return 2 if changed else 1 if more else 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--renew", action="store_true")
    if parser.parse_args().renew:
        write(counted())
        return 0
    return verdict(counted(), read())


if __name__ == "__main__":
    sys.exit(main())
