"""Certificates: what they cost. ``python benchmarks/certificates.py [-o DIR] [FILE ...]``, puzzle files of any format.

Without files: the picture GCHQ sent out in 2015, and random boards of 15x15 to 35x35 at 55 %. Two rows a puzzle, by
``auto`` and by the default SAT solver: lines of the proof, MB of the statement and of the proof; CPU seconds to make it
(solving and writing: all that ``nonosat.certify`` does but its check), and to read and check the files,
with steps a second, and all of ``certify``; the peak memory of the process so far; where a ``veripb`` is on the
PATH, its CPU seconds beside. First, small certificates are not counted: they load what is compiled.
"""

from __future__ import annotations

import argparse
import resource
import shutil
import subprocess
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time

from tables import Row, shown, write_table

import nonosat
from nonosat.certificates.certify import check_files
from nonosat.generators.density import random_density
from nonosat.puzzles.formats import load
from nonosat.puzzles.puzzle import Puzzle
from nonosat.solvers.sat import CERTIFICATES
from nonosat.studies.provenance import machine

COLUMNS = (
    "puzzle",
    "way",
    "claim",
    "lines",
    "opb_mb",
    "pbp_mb",
    "make_s",
    "check_s",
    "steps_per_s",
    "all_s",
    "peak_mb",
)
WAYS = ("auto", CERTIFICATES)
GCHQ = Path(__file__).parent.parent / "examples/gchq.json"


def row(name: str, puzzle: Puzzle, way: str, veripb: str | None) -> Row:
    begin = process_time()
    made = nonosat.certify(puzzle, solver=way)
    done = process_time()
    claim = check_files(made.statement, made.proof)
    check_s = process_time() - done
    found: Row = {
        "puzzle": name,
        "way": way,
        "claim": str(claim),
        "lines": claim.steps,
        "opb_mb": made.statement.stat().st_size / 1e6,
        "pbp_mb": made.proof.stat().st_size / 1e6,
        "make_s": max(done - begin - check_s, 0.0),
        "check_s": check_s,
        "steps_per_s": claim.steps / check_s,
        "all_s": done - begin,
        "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
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
        for way in WAYS:
            check_files(*nonosat.certify(random_density(5, 5, 0.5, 1), solver=way).write(folder, "first"))
    print(machine(), " ".join(columns), sep="\n")
    rows = []
    for (name, puzzle), way in product(puzzles, WAYS):
        rows.append(row(name, puzzle, way, veripb))
        print("  ".join(shown(rows[-1][column]) for column in columns), flush=True)
    if chosen.out is not None:
        write_table(chosen.out, "certificates", columns, rows)


if __name__ == "__main__":
    main()
