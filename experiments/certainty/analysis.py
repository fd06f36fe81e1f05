"""What does certainty cost, as a factor of solving time?

    python experiments/certainty/analysis.py [DIR]

makes factors.csv and certainty.png of results/certainty anew, or in DIR, from costs.csv there, which
benchmarks/certainty.py writes.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pandas as pd

from nonosat.studies.analysis.intervals import FEWEST, resamples
from nonosat.studies.analysis.lines import PlotLine, draw_lines, name_lines
from nonosat.studies.analysis.ranking import ends
from nonosat.studies.analysis.style import (
    COLUMNS,
    TitledFigure,
    drawn,
    drawn_for,
    labelled,
    logarithmic,
    look,
    panel_grid,
    paper,
    publish,
)

RESULTS = Path(__file__).parents[2] / "results" / "certainty"
WAYS = ("auto", "SAT, certificate", "SAT, DRAT", "SAT, DRAT and equivalence")
SAMPLES = 2000


def load_costs(folder: Path = RESULTS) -> pd.DataFrame:
    """The records, and rows for DRAT with the proof that the formula states the puzzle."""
    costs = pd.read_csv(folder / "costs.csv")
    same = costs[costs["way"].eq("equivalence")].set_index("puzzle")["write_s"]
    both = costs[costs["way"].eq("SAT, DRAT")]
    both = both.assign(way=WAYS[3], check_s=both["check_s"] + both["puzzle"].map(same), bytes=math.nan)
    costs = pd.concat([costs[~costs["way"].eq("equivalence")], both], ignore_index=True)
    return costs.assign(
        cells=costs["rows"] * costs["columns"],
        certain_s=costs["write_s"] + costs["check_s"],
        factor=(costs["write_s"] + costs["check_s"]) / costs["solve_s"],
    )


def factors(costs: pd.DataFrame) -> pd.DataFrame:
    """A row a set of puzzles and way: puzzles, those with an end within the limit; and of these geometric means.

    Of seconds to solve, to write, to check, of bytes, and of the ``factor`` (writing and checking by solving), with the
    95 % interval of the bootstrap, which draws random boards within each size: these sizes were chosen.
    """
    rows = []
    for (group, way), here in costs.groupby(["set", "way"]):
        known = here[here["factor"].notna()]
        logs = np.log(known["factor"])
        strata = known["cells"].where(known["set"].eq("random"), 0)
        low, high = ends(np.exp(drawn_means(logs, strata))) if len(logs) >= FEWEST else (math.nan,) * 2
        means = [float(np.exp(np.log(known[name]).mean())) for name in ("solve_s", "write_s", "check_s", "bytes")]
        rows.append((group, way, len(here), len(known), *means, float(np.exp(logs.mean())), low, high))
    head = ["set", "way", "puzzles", "ended", "solve_s", "write_s", "check_s", "bytes", "factor", "low", "high"]
    table = pd.DataFrame(rows, columns=head)
    return table.set_index("way").loc[list(WAYS)].reset_index().sort_values("set", kind="stable")


def drawn_means(values: pd.Series, strata: pd.Series) -> npt.NDArray[np.float64]:
    """The bootstrap's means of ``values``, drawn within each of the ``strata``."""
    parts = [here.to_numpy() for _, here in values.groupby(strata)]
    sums = [part[resamples(len(part), SAMPLES, at)].sum(axis=1) for at, part in enumerate(parts)]
    return np.asarray(sum(sums) / len(values))


def figure(costs: pd.DataFrame) -> TitledFigure:
    """The factor of each puzzle by its number of cells, a marker a way."""
    count = costs.groupby("set")["puzzle"].nunique()
    tried = costs.loc[costs["way"].eq(WAYS[3]) & costs["factor"].notna(), "cells"].max()
    foot = (
        "CPU time to write and check a proof that the solution is the only one, by the time to find that out without a "
        f"proof the same way. {count['random']} random boards at 65 % and {count['published']} published puzzles, one "
        f"run each, limit 20 CPU s a way. Equivalence was tried on boards of up to {tried:,} cells alone."
    )
    figure, (axes,) = drawn("Certainty as a factor of solving time", foot, 1, size=(3.0, 2.6), names=WAYS)
    lines = []
    for at, way in enumerate(WAYS):
        here = costs[costs["way"].eq(way) & costs["factor"].notna()].sort_values("cells")
        hollow = here["set"].eq("published").tolist()
        lines.append(PlotLine(way, here["cells"].tolist(), here["factor"].tolist(), look(at)._replace(dash=""), hollow))
    draw_lines(axes, lines)
    logarithmic(axes, "x")
    logarithmic(axes)
    labelled(axes, "cells of the board", "write and check, by solving")
    panel_grid(axes)
    name_lines(figure, lines, hollow="published puzzles")
    return figure


def printed(costs: pd.DataFrame) -> Iterator[tuple[str, TitledFigure]]:
    """The figure for print, by name: one column wide."""
    with drawn_for(paper(COLUMNS[1], font=None)):
        yield "certainty", figure(costs)


def write(costs: pd.DataFrame, out: Path) -> None:
    """Write ``factors.csv`` and the figure."""
    out.mkdir(parents=True, exist_ok=True)
    factors(costs).to_csv(out / "factors.csv", index=False, float_format="%.6g")
    for name, drawing in printed(costs):
        publish(drawing, out / name)


if __name__ == "__main__":
    write(load_costs(), Path(sys.argv[1]) if sys.argv[1:] else RESULTS)
