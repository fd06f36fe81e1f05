"""Records made up for tests: the shape of a study, with numbers that follow from a seed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from nonosat.encodings.nonogram import REPORT
from nonosat.studies.records import Record, complete


def record(**values: Any) -> Record:
    """One solved run; ``values`` replace its fields."""
    whole: dict[str, Any] = {
        "key": "k", "study": "made", "instance": "density/20x20/0.4/1", "source": "density", "rows": 20, "columns": 20,
        "colours": 1, "density": 0.4, "fill": 0.41, "seed": 1, "encoding": "2alt/3", "parts": "tight+r3+iff+order",
        "sound": True, "solver": "minisat22", "family": "SAT", "count": 1, "repetition": 0, "time_limit_s": 10.0,
        "outcome": "SAT", "solutions": 1, "encode_s": 0.01, "load_s": 0.01, "solve_s": 0.08, "wall_s": 0.1,
        "decisions": 100, "conflicts": 10, "slot": 0, "slots": 1,
    }  # fmt: skip
    return complete({**whole, **values})


def stopped(outcome: str = "TIMEOUT", **values: Any) -> Record:
    """A run that was ended at its limit: without counters."""
    nothing = {"decisions": None, "conflicts": None, "solutions": 0}
    return record(**{"outcome": outcome, "solve_s": 9.98, "wall_s": 10.0, **nothing, **values})


def study(
    sizes: Sequence[int] = (10, 20),
    densities: Sequence[float] = (0.1, 0.2, 0.3, 0.4, 0.5),
    boards: int = 4,
    solvers: Sequence[str] = ("minisat22",),
    encodings: Sequence[str] = tuple(REPORT),
    seed: int = 0,
) -> list[Record]:
    """A study in which rules 4 and 6 alone give wrong pictures and few decisions, and 40 % takes longest."""
    chance = np.random.Generator(np.random.PCG64(seed))
    made = []
    for size in sizes:
        for density in densities:
            for board in range(boards):
                hard = float(chance.lognormal(0, 0.3)) * size**2 * (1 - 2.2 * abs(density - 0.4))
                for encoding in encodings:
                    for solver in solvers:
                        made.append(_run(size, density, board, encoding, solver, hard))
    return made


def _run(size: int, density: float, board: int, encoding: str, solver: str, hard: float) -> Record:
    wrong = encoding.partition("/")[2] in ("4", "6")
    seconds = hard / 60 * (0.2 if wrong else 1) * (0.7 if encoding.startswith("2alt") else 1)
    name = f"density/{size}x{size}/{density}/{board}"
    told: dict[str, Any] = {
        "key": f"{name} {encoding} {solver}", "instance": name, "rows": size, "columns": size, "density": density,
        "seed": board, "encoding": encoding, "parts": REPORT.get(encoding, encoding), "solver": solver,
    }  # fmt: skip
    if seconds > 10:
        return stopped(**told)
    decisions = round(hard * {"4": 0.12, "6": 0.1}.get(encoding.partition("/")[2], 3))
    return record(
        **told, outcome="WRONG" if wrong else "SAT", solve_s=seconds, wall_s=seconds + 0.02, decisions=decisions
    )
