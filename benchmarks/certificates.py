"""Certificates: what they cost. ``python benchmarks/certificates.py [-o DIR] [FILE ...]``, puzzle files of any format.

Without files: the picture GCHQ sent out in 2015, and random boards of 15x15 to 35x35 at 55 %. A row a puzzle: clauses
of the formula, lemmas that a solver learnt, MB of the statement and of the proof; the wall seconds of the solver; CPU
seconds to make it (solving and writing: all that ``nonosat.certify`` does but its check), and to read and check the
files and compare them with the puzzle, with steps a second; where a ``veripb`` is on the PATH, its CPU seconds beside.
A first, small certificate is not counted: it loads what is compiled.
"""

from __future__ import annotations

import argparse
import resource
import shutil
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time

from tables import Row, shown, write_table

import nonosat
from nonosat.certificates.files import check_files
from nonosat.experiments.machine import machine
from nonosat.generators.density import random_density
from nonosat.puzzles.formats import load
from nonosat.puzzles.puzzle import Puzzle

COLUMNS = ("puzzle", "claim", "clauses", "learnt", "opb_mb", "pbp_mb", "solve_s", "make_s", "check_s", "steps_per_s")
GCHQ = Path(__file__).parent.parent / "examples/gchq.json"


def row(name: str, puzzle: Puzzle, veripb: str | None) -> Row:
    begin = process_time()
    made = nonosat.certify(puzzle)
    done = process_time()
    claim = check_files(made.statement, made.proof, puzzle)
    check_s = process_time() - done
    about = made.answer.statistics
    with made.proof.open() as lines:
        lemmas = sum(line.startswith("rup") for line in lines)
    clauses = about.clauses or 0
    found: Row = {
        "puzzle": name,
        "claim": str(claim),
        "clauses": clauses,
        "learnt": lemmas - clauses - claim.solutions - claim.complete,
        "opb_mb": made.statement.stat().st_size / 1e6,
        "pbp_mb": made.proof.stat().st_size / 1e6,
        "solve_s": about.solve_s,
        "make_s": max(done - begin - check_s, 0.0),
        "check_s": check_s,
        "steps_per_s": claim.steps / check_s,
    }
    return found if veripb is None else found | {"veripb_s": other(veripb, made)}


def other(veripb: str, made: nonosat.Certificate) -> float | None:
    """CPU seconds of VeriPB; None: it refuses (versions before 2.0 do not know the format's version 3.0)."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([veripb, str(made.statement), str(made.proof)], capture_output=True, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return None if done.returncode else spent


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-o", dest="out", metavar="DIR", type=Path)
    parser.add_argument("files", metavar="FILE", nargs="*", type=Path)
    chosen = parser.parse_args()
    puzzles = [(file.stem, load(file)) for file in chosen.files or [GCHQ]]
    if not chosen.files:
        puzzles += [(f"random {n}x{n}", random_density(n, n, 0.55, seed)) for n in (15, 25, 35) for seed in (1, 2)]
    veripb = shutil.which("veripb")
    columns = (*COLUMNS, "veripb_s") if veripb else COLUMNS
    with TemporaryDirectory() as folder:
        check_files(*nonosat.certify(random_density(5, 5, 0.5, 1)).write(folder, "first"))
    print(machine(), " ".join(columns), sep="\n")
    rows = []
    for name, puzzle in puzzles:
        rows.append(row(name, puzzle, veripb))
        print("  ".join(shown(rows[-1][column]) for column in columns), flush=True)
    if chosen.out is not None:
        write_table(chosen.out, "certificates", columns, rows)


if __name__ == "__main__":
    main()
