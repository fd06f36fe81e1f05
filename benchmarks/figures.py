"""Every figure and table of results/ that records say, made again from the records and tables there; nothing is run.

    python benchmarks/figures.py [DIR]

Equal versions of matplotlib and its fonts give equal bytes; ``git diff --stat results`` then says what has changed.
"""

from __future__ import annotations

import csv
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import growth
import rival_plot
from tables import number

from nonosat.studies.analysis.style import COLUMNS, TitledFigure, drawn_for, paper, publish

ROOT = Path(__file__).parents[1]
RESULTS = ROOT / "results"
ANALYSES = {
    "castilho2018": "castilho2018-again",
    "drawn_and_random": "drawn-and-random",
    "certainty": "certainty",
    "counting_encodings": "counting-encodings",
    "crossover": "crossover",
    "majdandzic2022": "majdandzic2022",
    "transition": "transition",
    "walejko2022": "walejko2022",
}
"""The folder in results/ that each analysis of experiments/ makes."""


def measured(name: str) -> tuple[list[dict[str, Any]], str]:
    """The rows of a table of a benchmark, and the machine in its head."""
    with (RESULTS / name / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        rows = [{key: number(value) for key, value in row.items()} for row in csv.DictReader(file)]
    return rows, (RESULTS / name / f"{name}.md").read_text(encoding="utf-8").partition("\n")[0].partition(";")[0]


def main() -> None:
    out = Path(sys.argv[1]) if len(sys.argv) > 1 else RESULTS
    for study, folder in ANALYSES.items():
        subprocess.run([sys.executable, str(ROOT / f"experiments/{study}/analysis.py"), str(out / folder)], check=True)
    subprocess.run(
        [sys.executable, str(ROOT / "experiments/transition/scaling.py"), str(out / "transition")], check=True
    )
    for name, figure in printed():
        (out / name).mkdir(parents=True, exist_ok=True)
        publish(figure, out / name / name)


def printed() -> Iterator[tuple[str, TitledFigure]]:
    """The figures of benchmarks for print, by name: two columns wide."""
    with drawn_for(paper(COLUMNS[2], font=None)):
        for name, plot in (("growth", growth.plot), ("rivals", rival_plot.plot)):
            yield name, plot(*measured(name))


if __name__ == "__main__":
    main()
