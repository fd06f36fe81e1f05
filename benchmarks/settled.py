"""What unit propagation settles of whole boards before any decision: the boards and encodings of a study.

python benchmarks/settled.py [-o DIR] [STUDY]

Cells that unit propagation settles in the empty board's formula, as a share of all. Counts and no times, so the same
on any machine. Writes DIR/settled.csv.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import pandas as pd

from nonosat.files import write_atomically
from nonosat.puzzles.nonogram import Nonogram
from nonosat.solvers.sat.search import unit_consequences
from nonosat.studies.models import puzzle_of
from nonosat.studies.plan import encodings_of, instances
from nonosat.studies.study import read

EXPERIMENTS = Path(__file__).parents[1] / "experiments"
STUDY = EXPERIMENTS / "drawn_and_random/drawn-and-random.toml"
sys.path.insert(0, str(EXPERIMENTS))

from drawn_and_random.analysis import KINDS  # noqa: E402 - found by the line above


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-o", dest="out", metavar="DIR", type=Path)
    parser.add_argument("study", metavar="STUDY", nargs="?", default=str(STUDY))
    options = parser.parse_args()
    study = read(options.study)
    rows = []
    for instance in instances(study):
        puzzle = puzzle_of(instance)
        assert isinstance(puzzle, Nonogram)
        kind = next((word for word in KINDS if word in instance.values), KINDS[-1])
        for name, encoding in encodings_of(study):
            cells = unit_consequences(encoding.formula(puzzle))
            assert cells is not None, "the boards have solutions"
            rows.append((instance.name, kind, name, float((cells >= 0).mean())))
    table = pd.DataFrame(rows, columns=["instance", "boards_of", "encoding", "settled"])
    print(
        table.groupby(["encoding", "boards_of"])["settled"]
        .agg(["mean", "median", "size"])
        .unstack()
        .round(3)
        .to_string()
    )
    if options.out:
        write_atomically(options.out / "settled.csv", table.to_csv(index=False, float_format="%.6g"))


if __name__ == "__main__":
    main()
