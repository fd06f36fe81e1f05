"""What certainty costs: ``benchmarks/certainty.py [-o DIR] [--random SIZE ...] [FILE ...]``, files of
published puzzles.

Of each puzzle with one solution, by three ways: `auto` with its certificate, a SAT solver (cadical195,
tight+r3+order) with a certificate of the puzzle's statement, and the same with a DRAT proof of the formula. A row a
puzzle and way: CPU seconds to solve (until the solution is the only one, nothing written), to write (solving and
writing the proof), to check what was written, bytes of all files; and of `equivalence` the seconds to prove, and
check, that the formula states the puzzle. Each way is one run in a process of its own, of at most LIMIT CPU seconds.
Random boards: density 0.65, BOARDS a size with one solution.
"""

from __future__ import annotations

import argparse
import resource
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from limited import limited
from tables import write_table

import nonosat
from nonosat.certificates.certify import check_files
from nonosat.generators.density import random_density
from nonosat.puzzles.formats import load
from nonosat.puzzles.puzzle import Puzzle
from nonosat.solvers.sat import CERTIFICATES, DRAT, proofs

LIMIT = 20
LARGEST = 40
"""Equivalence is proved of boards of up to so many rows and columns: those of 60 take more than the limit."""
SIZES = (15, 20, 30, 40, 60)
DENSITY, BOARDS = 0.65, 3
ENCODING = "tight+r3+order"
COLUMNS = ("set", "puzzle", "rows", "columns", "way", "solve_s", "write_s", "check_s", "bytes")


def spent(work: Callable[[], Any]) -> tuple[float, Any]:
    """CPU seconds of this process and of those that it started, and what ``work`` returns."""
    begin = used()
    found = work()
    return used() - begin, found


def used() -> float:
    about = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in about)


def certificate(puzzle: Puzzle, solver: str, certifier: str) -> dict[str, Any]:
    solve_s, answer = spent(lambda: nonosat.solve(puzzle, solver=solver, count=2))
    if len(answer.pictures) != 1:
        return {}
    all_s, made = spent(lambda: nonosat.certify(puzzle, solver=certifier))
    check_s, _ = spent(lambda: check_files(made.statement, made.proof))
    size = made.statement.stat().st_size + made.proof.stat().st_size
    return {"solve_s": solve_s, "write_s": max(all_s - check_s, 0.0), "check_s": check_s, "bytes": size}


def drat(puzzle: Puzzle) -> dict[str, Any]:
    solve_s, _ = spent(lambda: nonosat.solve(puzzle, solver=DRAT, encoding=ENCODING, count=2))
    with TemporaryDirectory() as folder:
        target = Path(folder) / "proof"

        def write() -> None:
            proofs.prove(puzzle, encoding=ENCODING, solver=DRAT).write(target)

        write_s, _ = spent(write)
        check_s, fault = spent(lambda: proofs.check(target))
        if fault is not None:
            raise RuntimeError(fault)
        size = sum((target / name).stat().st_size for name in (proofs.FORMULA, proofs.PROOF))
    return {"solve_s": solve_s, "write_s": write_s, "check_s": check_s, "bytes": size}


def equivalence(puzzle: Puzzle) -> dict[str, Any]:
    if max(puzzle.height, puzzle.width) > LARGEST:  # type: ignore[attr-defined]
        return {}
    write_s, found = spent(lambda: nonosat.equivalent(puzzle, ENCODING))
    if not found.equivalent:
        raise RuntimeError(f"{ENCODING} is not equivalent")
    return {"write_s": write_s}  # it checks what it proves


WAYS: dict[str, Callable[[Puzzle], dict[str, Any]]] = {
    "auto": partial(certificate, solver="auto", certifier="auto"),
    "SAT, certificate": partial(certificate, solver=DRAT, certifier=CERTIFICATES),
    "SAT, DRAT": drat,
    "equivalence": equivalence,
}


def puzzles(files: list[Path], sizes: list[int]) -> Iterator[tuple[str, str, Puzzle]]:
    for size in sizes:
        found, seed = 0, 0
        while found < BOARDS:
            seed += 1
            puzzle = random_density(size, size, DENSITY, seed)
            if len(nonosat.solve(puzzle, count=2).pictures) == 1:
                found += 1
                yield "random", f"{size}x{size}, seed {seed}", puzzle
    for file in files:
        yield "published", file.stem, load(file)


def rows_of(group: str, name: str, puzzle: Any) -> list[dict[str, Any]]:
    about = {"set": group, "puzzle": name, "rows": puzzle.height, "columns": puzzle.width}
    found = {way: limited(partial(work, puzzle), LIMIT) for way, work in WAYS.items()}
    if found["auto"] == {}:  # several solutions
        return []
    return [{**about, "way": way, **(values or {})} for way, values in found.items()]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-o", dest="out", metavar="DIR", type=Path)
    parser.add_argument("--random", dest="sizes", type=int, nargs="*", default=SIZES)
    parser.add_argument("files", metavar="FILE", nargs="*", type=Path)
    chosen = parser.parse_args()
    for work in WAYS.values():
        work(random_density(6, 6, 0.9, 1))  # what is loaded at first use
    rows: list[dict[str, Any]] = []
    for group, name, puzzle in puzzles(chosen.files, list(chosen.sizes)):
        rows += rows_of(group, name, puzzle)
        print(group, name, flush=True)
        if chosen.out is not None:
            write_table(chosen.out, "costs", COLUMNS, rows, f"limit {LIMIT} CPU s")


if __name__ == "__main__":
    main()
