"""Which encodings may one count with, and which count fast?

    python experiments/counting_encodings/analysis.py [DIR]

makes encodings.csv and encodings.png of results/counting-encodings anew, or in DIR, from counts.csv there, which
benchmarks/counting_encodings.py writes.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pandas as pd

from nonosat.studies.analysis.intervals import resamples
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

RESULTS = Path(__file__).parents[2] / "results" / "counting-encodings"
DEFAULT = "tight+r3+order"
WAYS = {
    ("ganak", True): "Ganak, projected",
    ("ganak", False): "Ganak",
    ("approxmc", True): "ApproxMC, projected",
    ("approxmc", False): "ApproxMC",
}
BOARD = ["size", "density", "seed"]
SAMPLES = 2000


def load_counts(folder: Path = RESULTS) -> pd.DataFrame:
    """The records, with ``models`` and ``solutions`` as text: numbers of any size."""
    return pd.read_csv(folder / "counts.csv", dtype={"models": "str", "solutions": "str"})


def by_encoding(counts: pd.DataFrame) -> pd.DataFrame:
    """A row an encoding and way, fastest first.

    ``boards``, of these ``counted`` and ``parsimonious`` (Ganak's count of all models, not projected, is the number of
    solutions), and ``ratio``: the geometric mean over the boards of its CPU time by that of the default encoding the
    same way, with the paired bootstrap's 95 % interval.
    """
    times = {way: _wide(here) for way, here in counts.groupby(["counter", "projected"])}
    models = counts[counts["counter"].eq("ganak") & ~counts["projected"]]
    equal = models["models"].eq(models["solutions"]).groupby(models["encoding"]).sum()
    rows = []
    for way, wide in times.items():
        logs = np.log(wide.to_numpy()) - np.log(wide[[DEFAULT]].to_numpy())
        samples = logs[resamples(len(wide), SAMPLES, 0)].mean(axis=1)
        for at, encoding in enumerate(wide):
            low, high = ends(np.exp(samples[:, at]))
            rows.append((encoding, WAYS[way], len(wide), int(wide[encoding].notna().sum()), int(equal[encoding]),
                         float(np.exp(logs[:, at].mean())), low, high))  # fmt: skip
    head = ["encoding", "way", "boards", "counted", "parsimonious", "ratio", "low", "high"]
    table = pd.DataFrame(rows, columns=head)
    order = table[table["way"].eq("Ganak, projected")].set_index("encoding")["ratio"]
    return table.assign(place=table["encoding"].map(order)).sort_values(["place", "way"]).drop(columns="place")


def native(counts: pd.DataFrame) -> tuple[float, float, float]:
    """The native counter's CPU time by that of Ganak with the default encoding, projected: as ``ratio``."""
    here = counts[counts["encoding"].eq(DEFAULT) & counts["counter"].eq("ganak") & counts["projected"]]
    logs = np.log(here["native_s"].to_numpy() / here["cpu_s"].to_numpy())
    return float(np.exp(logs.mean())), *ends(np.exp(logs[resamples(len(logs), SAMPLES, 0)].mean(axis=1)))


def _wide(counts: pd.DataFrame) -> pd.DataFrame:
    """CPU seconds: a row a board, a column an encoding."""
    return counts.set_index([*BOARD, "encoding"])["cpu_s"].unstack("encoding")


def figure(table: pd.DataFrame) -> TitledFigure:
    """The ratios, a row an encoding, a marker a way."""
    names = list(dict.fromkeys(table["encoding"]))[::-1]
    foot = (
        f"CPU time of counting by that with {DEFAULT}, geometric mean over {table['boards'].max()} random boards of "
        "8x8 to 15x15, one run each, 95 % intervals of the paired bootstrap. No count met the limit of 5 CPU s."
    )
    size = (3.0, 0.19 * len(names) + 0.5)
    figure, (axes,) = drawn("Counting through encodings", foot, 1, size=size, names=[*WAYS.values()], fixed=True)
    logarithmic(axes, "x")
    lines = []
    for at, way in enumerate(WAYS.values()):
        here = table[table["way"].eq(way)].set_index("encoding").loc[names]
        places = [place + 0.18 * (at - 1.5) for place in range(len(names))]
        lines.append(PlotLine(way, here["ratio"].tolist(), places, look(at)._replace(dash="")))
        for place, low, high in zip(places, here["low"], here["high"], strict=True):
            axes.plot([low, high], [place, place], color=look(at).colour, linewidth=0.6)
    draw_lines(axes, lines)
    axes.set_yticks(range(len(names)), names)
    axes.set_ylim(-0.6, len(names) - 0.4)
    labelled(axes, "CPU time, times the default's")
    panel_grid(axes)
    name_lines(figure, lines)
    return figure


def printed(table: pd.DataFrame) -> Iterator[tuple[str, TitledFigure]]:
    """The figure for print, by name: one column wide."""
    with drawn_for(paper(COLUMNS[1], font=None)):
        yield "encodings", figure(table)


def write(counts: pd.DataFrame, out: Path) -> None:
    """Write ``encodings.csv`` and the figure."""
    out.mkdir(parents=True, exist_ok=True)
    table = by_encoding(counts)
    table.to_csv(out / "encodings.csv", index=False, float_format="%.6g")
    for name, drawing in printed(table):
        publish(drawing, out / name)


if __name__ == "__main__":
    write(load_counts(), Path(sys.argv[1]) if sys.argv[1:] else RESULTS)
