"""How measures of difficulty go together: ``python benchmarks/explained.py FILE ... [-o DIR]``, nonograms.

Of each puzzle: what its explanation takes (label, steps, widest step), sweeps of lines and rounds of probing, conflicts
of MiniSat 2.2 (the usual encoding, first solution), and how many solutions there are. What takes more than a minute of
CPU time is left out of the pairs that want it. Rank correlations (Spearman), ties at their mean rank, with Bonett and
Wright's interval (Psychometrika 65, 2000) at 95 %. With -o the measures and the correlations are written to DIR.
"""

from __future__ import annotations

import argparse
import math
from itertools import combinations
from pathlib import Path

import numpy as np
from tables import Row, shown, write_table

from nonosat.counting.count import count
from nonosat.explanations.measures import LABELS, explained
from nonosat.puzzles.formats import load
from nonosat.solvers.propagation.difficulty import difficulty
from nonosat.solvers.solve import solve
from nonosat.studies.provenance import machine

LIMIT_S = 60.0
LABELS_TODAY = ("trivial", "easy", "medium", "long", "hard", "very hard", "extreme")
MEASURES = ("label", "steps", "widest", "label_today", "sweeps", "rounds", "conflicts", "solutions")
COLUMNS = ("puzzle", "height", "width", "hardest", *MEASURES)


def measured(file: str) -> Row:
    """All measures of a puzzle; what is not known is None. Labels are told, and compared by their order."""
    puzzle = load(file)
    about, by_steps = difficulty(puzzle, 5.0), explained(puzzle, cpu_limit_s=LIMIT_S)  # type: ignore[arg-type]
    found = solve(puzzle, solver="minisat22", cpu_limit_s=LIMIT_S)
    solutions = count(puzzle, cpu_limit_s=LIMIT_S).solutions
    return {
        "puzzle": Path(file).stem,
        "height": puzzle.shape[0],
        "width": puzzle.shape[1],
        "hardest": by_steps.hardest if by_steps.finished else None,
        "label": by_steps.label,
        "steps": sum(by_steps.steps.values()) if by_steps.finished else None,
        "widest": by_steps.widest if by_steps.finished else None,
        "label_today": about.label,
        "sweeps": about.sweeps,
        "rounds": about.rounds,
        "conflicts": found.statistics.conflicts,
        "solutions": solutions,
    }


def number(row: Row, measure: str) -> float | None:
    """A measure as a number."""
    value = row[measure]
    if measure == "label":
        return None if value is None else LABELS.index(value)
    if measure == "label_today":  # several solutions are no rank of difficulty
        return LABELS_TODAY.index(value) if value in LABELS_TODAY else None
    return value


def ranks(values: list[float]) -> np.ndarray:
    """Ranks from 0; ties have their mean rank."""
    found = np.array(values)
    return np.array([((found < value).sum() + (found <= value).sum() - 1) / 2 for value in found])


def correlated(rows: list[Row], first: str, second: str) -> Row | None:
    """Spearman's rho of two measures and its interval; None: too few, or one of them is the same everywhere."""
    both = [(number(row, first), number(row, second)) for row in rows]
    pairs = [(a, b) for a, b in both if a is not None and b is not None]
    if len(pairs) < 5 or any(len({pair[i] for pair in pairs}) == 1 for i in (0, 1)):
        return None
    rho = float(np.corrcoef(*(ranks([pair[i] for pair in pairs]) for i in (0, 1)))[0, 1])
    half = 1.96 * math.sqrt((1 + rho**2 / 2) / (len(pairs) - 3))
    z = math.atanh(min(max(rho, -0.999999), 0.999999))
    told = {"low": round(math.tanh(z - half), 2), "high": round(math.tanh(z + half), 2)}
    return {"first": first, "second": second, "n": len(pairs), "rho": round(rho, 2), **told}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-o", dest="out", metavar="DIR", type=Path)
    parser.add_argument("files", metavar="FILE", nargs="+")
    chosen = parser.parse_args()
    print(machine())
    rows = []
    for file in chosen.files:
        rows.append(measured(file))
        print("  ".join(shown(rows[-1][column]) for column in COLUMNS), flush=True)
    pairs = [pair for one in combinations(MEASURES, 2) if (pair := correlated(rows, *one)) is not None]
    for pair in pairs:
        print("  ".join(map(shown, pair.values())))
    if chosen.out is not None:
        write_table(chosen.out, "explained", COLUMNS, rows)
        write_table(chosen.out, "correlations", tuple(pairs[0]), pairs, "Spearman, 95 % by Bonett and Wright")


if __name__ == "__main__":
    main()
