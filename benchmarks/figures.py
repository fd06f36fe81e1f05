"""Every figure and table of results/ that records say, made again from the records and tables there; nothing is run.

    python benchmarks/figures.py [DIR]

Equal versions of matplotlib and its fonts give equal bytes; ``git diff --stat results`` then says what has changed.
"""

from __future__ import annotations

import csv
import sys
from pathlib import Path
from typing import Any

import growth
import rival_plot
from tables import number

from nonosat.files import write_atomically
from nonosat.studies.analysis import castilho2018 as report
from nonosat.studies.analysis import drawn, frames, levels, plots, transition, walejko2022
from nonosat.studies.analysis.style import drawn_for, paper, save

RESULTS = Path(__file__).parents[1] / "results"


def castilho2018(out: Path) -> None:
    """The report's seven figures, its claims, and what it does not show; one column wide, captions beside them.

    Figure 5.1, Glucose's decisions, is of 20x20: the records have no others.
    """
    frame, folder = frames.load(RESULTS / "castilho2018-again.parquet"), out / "castilho2018-again"
    report.write(frame, folder)
    made = {f"figure-{number}": draw for number, draw in report.NUMBERED.items() if number != "5.1"}
    made["figure-5.1-at-20x20"] = lambda runs: report.decisions_by_fill(runs, "glucose4", "20x20")
    made["wrong-answers"] = plots.wrong_pictures
    with drawn_for(paper(8.5, 7.0, None)):
        for name, draw in made.items():
            figure = draw(frame)
            save(figure, folder / name, ("png",))
            write_atomically(folder / f"{name}.txt", figure.caption + "\n")


def tables(out: Path) -> None:
    """What the other two theses have, encodings on pictures, and the transition."""
    drawn.write(frames.load(RESULTS / "drawn-and-random.parquet"), out / "drawn-and-random")
    levels.write(frames.load(RESULTS / "majdandzic2022.parquet"), out / "majdandzic2022")
    transition.write(transition.load_boards(RESULTS / "transition"), out / "transition")
    told = (RESULTS / "walejko2022/tables.md").read_text(encoding="utf-8")
    machine = told.partition("Milliseconds of ")[2].partition(", in a process a run")[0]
    walejko2022.write(frames.load(RESULTS / "walejko2022.parquet"), out / "walejko2022", machine)


def measured(name: str) -> tuple[list[dict[str, Any]], str]:
    """The rows of a table of a benchmark, and the machine in its head."""
    with (RESULTS / name / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        rows = [{key: number(value) for key, value in row.items()} for row in csv.DictReader(file)]
    return rows, (RESULTS / name / f"{name}.md").read_text(encoding="utf-8").partition("\n")[0].partition(";")[0]


def main() -> None:
    out = Path(sys.argv[1]) if len(sys.argv) > 1 else RESULTS
    castilho2018(out)
    tables(out)
    for name, plot in (("growth", growth.plot), ("rivals", rival_plot.plot)):
        (out / name).mkdir(parents=True, exist_ok=True)
        rows, machine = measured(name)
        plot(rows, out / name / f"{name}.png", machine)


if __name__ == "__main__":
    main()
