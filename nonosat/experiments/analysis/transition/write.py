"""The tables and figures of the notebook, as files."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from nonosat.experiments.analysis.rendering import save
from nonosat.experiments.analysis.transition.boards import boards
from nonosat.experiments.analysis.transition.cells import by_cell, peaks
from nonosat.experiments.analysis.transition.figures import (
    scaling_figure,
    solutions_figure,
    states_figure,
    three_peaks,
)
from nonosat.experiments.analysis.transition.scaling import half_way
from nonosat.files import made_folder, write_atomically

HALVES = {
    "unique": "unique",
    "lines tell": "by_lines",
    "backbone, at least": "backbone_least",
    "backbone, at most": "backbone_most",
}
"""What crosses one half, by the columns of ``boards``."""


def halves(table: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """``half_way`` of each of ``HALVES``."""
    return {name: half_way(table, column) for name, column in HALVES.items()}


def write(runs: pd.DataFrame, folder: str | Path) -> None:
    """Write ``by-cell.csv``, ``peaks.csv`` and the four figures as PNG; results/transition has them."""
    out, table = made_folder(folder), boards(runs)
    cells = by_cell(table)
    for name, frame in (("by-cell", cells), ("peaks", peaks(table))):
        write_atomically(out / f"{name}.csv", frame.to_csv(index=False, float_format="%.6g"))
    for name, figure in (
        ("three-peaks", three_peaks(cells)),
        ("states", states_figure(cells)),
        ("solutions", solutions_figure(cells)),
        ("scaling", scaling_figure(table, halves(table))),
    ):
        save(figure, out / name, ("png",))
