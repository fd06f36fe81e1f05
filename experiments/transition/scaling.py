"""Finite-size scaling of three transitions of random boards: "unique", "solved by lines", "backbone > 1/2".

    python experiments/transition/scaling.py [DIR]

makes shares.csv, fits.csv and finite-size.png of results/transition anew, or in DIR, from the records of
transition-scaling (unique, solved by lines) and transition-backbone.

The hypothesis is P(n, rho) = f((rho - rho_c) n^(1/nu)), one curve f for all sizes n. Here the logit of f is a cubic
polynomial; all is fitted by maximum likelihood of the counts. Intervals are those of the profile likelihood, widened
by the dispersion (the deviance by degrees of freedom) where it is above 1. A fit of the larger sizes alone says
whether rho_c stays where it is.

For "unique", and so for "solved by lines", no rho_c below 1 can be the limit of large boards. Take 4x4 cells of the
board of which the inner 2x2 are [[1, 0], [0, 1]] and the outer 12 are blank. Exchanging the inner two for [[0, 1],
[1, 0]] leaves all clues as they are. A board of n x n has floor(n/4)^2 such places side by side, each of that kind or
its mirror image with probability q = 2 rho^2 (1 - rho)^14, so that P(unique) <= (1 - q)^(floor(n/4)^2), which tends
to 0 at every rho < 1 (``bound``).
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd

from nonosat.studies.analysis import frames
from nonosat.studies.analysis.intervals import wilson
from nonosat.studies.analysis.lines import PlotLine, draw_lines, name_lines
from nonosat.studies.analysis.style import (
    COLUMNS,
    TitledFigure,
    drawn,
    drawn_for,
    headed,
    labelled,
    look,
    panel_grid,
    paper,
    publish,
)

RESULTS = Path(__file__).parents[2] / "results" / "transition"
STUDIES = ("transition-scaling", "transition-backbone")
WHATS = {"unique": "unique", "lines": "solved by lines", "backbone": "backbone > 1/2"}
RISING = {"unique": 0.4, "lines": 0.4, "backbone": 0.325}
"""The curves are fitted from this density on: all are high again on sparse boards, which have few runs."""
INSIDE = (0.02, 0.98)
"""Cells with a share outside say little about the transition, and are not fitted."""
OPEN = 0.05
"""Nor are cells of which more boards than this share are undecided."""
FEWEST = 12
"""Cells: with fewer there is no fit."""
CHI2 = 3.841
"""The 95 % point of chi-squared with one degree of freedom."""
MOST = 1.5
"""Where the search for rho_c ends; an interval that ends there has no end."""
STEPS = 31
"""Of each search."""
Floats = npt.NDArray[np.float64]


def load_runs(folder: Path = RESULTS) -> pd.DataFrame:
    """The runs of both studies."""
    runs = pd.concat([frames.load(folder / f"{name}.parquet") for name in STUDIES], ignore_index=True)
    return runs[runs["outcome"].ne("INTERRUPTED")]


def decided(runs: pd.DataFrame) -> pd.DataFrame:
    """A row a board and question: ``n``, ``density``, ``what`` (of ``WHATS``) and ``yes``, NaN if it is undecided."""
    least, most = (runs[f"backbone_{end}"].astype("Float64").astype("float64") for end in ("least", "most"))
    answers = {
        "unique": ("auto", runs["unique"].map({True: 1.0, False: 0.0}).astype("float64")),
        "lines": ("difficulty", runs["by_lines"].eq(1).astype("float64").where(runs["solved"])),
        "backbone": ("backbone", (least > 0.5).astype("float64").where((least > 0.5) | (most <= 0.5))),
    }
    parts = [
        pd.DataFrame({"n": runs["rows"], "density": runs["density"], "what": what, "yes": yes})[
            runs["solver"].eq(solver)
        ]
        for what, (solver, yes) in answers.items()
    ]
    return pd.concat(parts, ignore_index=True)


def shares(boards: pd.DataFrame) -> pd.DataFrame:
    """A row a question, size and density: boards, those decided, those that are, the share with Wilson's interval."""
    rows = []
    for (what, n, density), here in boards.groupby(["what", "n", "density"]):
        known = here["yes"].dropna()
        share = wilson(int(known.sum()), len(known))
        rows.append(
            (what, int(n), density, len(here), len(known), int(known.sum()), share.value, share.low, share.high)
        )
    return pd.DataFrame(rows, columns=["what", "n", "density", "boards", "decided", "yes", "share", "low", "high"])


class Fit(NamedTuple):
    """``dispersion``: deviance by degrees of freedom; far above 1 the sizes do not lie on one curve."""

    what: str
    sizes: str
    cells: int
    boards: int
    critical: float
    critical_low: float
    critical_high: float
    nu: float
    nu_low: float
    nu_high: float
    dispersion: float


def fitted(table: pd.DataFrame, what: str, smallest: float = 0, largest: float = math.inf) -> Fit:
    """rho_c and nu of a question, from sizes of ``smallest`` to ``largest``."""
    here = inside(table, what)
    here = here[here["n"].between(smallest, largest)]
    sizes = " ".join(map(str, sorted(set(here["n"]))))
    if len(here) < FEWEST:
        return Fit(what, sizes, len(here), int(here["decided"].sum()), *[math.nan] * 7)
    n, density = here["n"].to_numpy(dtype=np.float64), here["density"].to_numpy(dtype=np.float64)
    yes, count = here["yes"].to_numpy(dtype=np.float64), here["decided"].to_numpy(dtype=np.float64)

    def at(critical: float, power: float) -> float:
        return deviance((density - critical) * n**power, yes, count)

    whole, steep = (0.3, MOST), (0.05, 3.0)
    critical, low, high, least = _profile(lambda c: _least(lambda power: at(c, power), *steep), *whole, len(here))
    power, below, above, _ = _profile(lambda p: _least(lambda critical: at(critical, p), *whole), *steep, len(here))
    nu = 1 / power, 1 / above, 1 / below
    dispersion = least / max(1, len(here) - 6)
    return Fit(what, sizes, len(here), int(count.sum()), critical, low, high, *nu, dispersion)


def _profile(function: Callable[[float], float], low: float, high: float, cells: int) -> tuple[float, ...]:
    """Where a profile of the deviance is least, the ends of its 95 % interval, and the least deviance."""
    values = np.linspace(low, high, STEPS)
    for _ in range(3):  # each grid is what the one before leaves possible
        found = np.array([function(value) for value in values])
        least = float(found.min())
        most = least + CHI2 * max(1.0, least / max(1, cells - 6))
        within = np.flatnonzero(found <= most)
        best, ends = float(values[found.argmin()]), (float(values[within[0]]), float(values[within[-1]]))
        step = values[1] - values[0]
        values = np.linspace(max(low, ends[0] - step), min(high, ends[1] + step), STEPS)
    return best, *ends, least


def _least(function: Callable[[float], float], low: float, high: float) -> float:
    """The least value of a function with one valley, by golden section."""
    golden = (math.sqrt(5) - 1) / 2
    for _ in range(18):
        one, two = high - golden * (high - low), low + golden * (high - low)
        low, high = (low, two) if function(one) < function(two) else (one, high)
    return function((low + high) / 2)


def inside(table: pd.DataFrame, what: str) -> pd.DataFrame:
    """The cells that are fitted."""
    here = table[table["what"].eq(what) & table["density"].ge(RISING[what])]
    known = (1 - here["decided"] / here["boards"]).le(OPEN)
    return here[known & here["share"].between(*INSIDE)]


def deviance(x: Floats, yes: Floats, count: Floats, degree: int = 3) -> float:
    """Twice the log likelihood that a logistic curve of a polynomial in ``x`` lacks (by Newton's method)."""
    columns = np.vander(x / max(np.abs(x).max(), 1e-12), degree + 1)
    weights = np.zeros(degree + 1)
    for _ in range(25):
        fit = 1 / (1 + np.exp(-np.clip(columns @ weights, -30, 30)))
        slope = count * fit * (1 - fit) + 1e-9
        step = np.linalg.solve(
            columns.T @ (columns * slope[:, None]) + 1e-9 * np.eye(degree + 1), columns.T @ (yes - count * fit)
        )
        weights += step
        if np.abs(step).max() < 1e-6:
            break
    fit = 1 / (1 + np.exp(-np.clip(columns @ weights, -30, 30)))
    with np.errstate(divide="ignore", invalid="ignore"):
        parts = np.where(yes > 0, yes * np.log(yes / (count * fit)), 0.0)
        parts += np.where(yes < count, (count - yes) * np.log((count - yes) / (count * (1 - fit))), 0.0)
    return 2 * float(parts.sum())


def fits(table: pd.DataFrame) -> pd.DataFrame:
    """``fitted`` of all sizes, of all but the smallest (two, of more than four), of all but the largest: a row each."""
    rows = []
    for what in WHATS:
        sizes = sorted(set(inside(table, what)["n"]))
        rows.append(fitted(table, what))
        if len(sizes) > 3:
            rows.append(fitted(table, what, sizes[2 if len(sizes) > 4 else 1]))
            rows.append(fitted(table, what, largest=sizes[-2]))
    return pd.DataFrame(rows, columns=list(Fit._fields))


def bound(n: int, density: float) -> float:
    """No larger share of n x n boards is unique: the inequality of this file's head.

    >>> round(bound(400, 0.5), 3), bound(100_000, 0.6) < 1e-20
    (0.737, True)
    """
    return float((1 - 2 * density**2 * (1 - density) ** 14) ** (n // 4) ** 2)


def figure(table: pd.DataFrame, found: pd.DataFrame) -> TitledFigure:
    """Above the shares by density, below the same by (rho - rho_c) n^(1/nu), a panel a question."""
    counts = table["boards"]
    foot = (
        f"Random boards of n x n, {counts.min()} to {counts.max()} boards a point, 3 CPU s a run, with Wilson's 95 % "
        f"intervals. Open: over {100 * OPEN:.0f} % of the boards undecided. Below: the fitted cells, scaled by rho_c "
        "and nu of all sizes."
    )
    looks = {n: look(at) for at, n in enumerate(sorted(set(table["n"])))}
    figure, panels = drawn(
        "Finite-size scaling", foot, 6, 3, (2.0, 1.9), [f"n = {n}" for n in looks] + ["m" * 16], sharey=True
    )
    every: list[PlotLine] = []
    for at, (what, words) in enumerate(WHATS.items()):
        here = table[table["what"].eq(what)]
        row = found[found["what"].eq(what)].iloc[0]
        known = math.isfinite(row["critical"])
        if not known:
            panels[3 + at].remove()
        for panel, part, scaled in ((panels[at], here, False), (panels[3 + at], inside(table, what), True))[
            : 1 + known
        ]:
            lines = [_line(cells, int(n), row if scaled else None, looks) for n, cells in part.groupby("n")]
            draw_lines(panel, lines)
            panel_grid(panel)
            panel.set_ylim(-0.03, 1.03)
            every += lines
        headed(panels[at], words)
        labelled(panels[at], "density, %", "share of boards" if at == 0 else "")
        if not known:
            continue
        scale = f"(density - {100 * row['critical']:.1f} %) n^(1/{row['nu']:.2f})"
        labelled(panels[3 + at], scale, "share of boards" if at == 0 else "")
    every.sort(key=lambda line: int(line.name.rpartition(" ")[2]))
    name_lines(figure, every, hollow="some undecided")
    return figure


def _line(cells: pd.DataFrame, n: int, fit: pd.Series | None, looks: dict[int, object]) -> PlotLine:
    x = 100 * cells["density"] if fit is None else 100 * (cells["density"] - fit["critical"]) * n ** (1 / fit["nu"])
    hollow = (1 - cells["decided"] / cells["boards"]).gt(OPEN).tolist()
    ends = {end: cells[end].tolist() for end in ("low", "high")}
    return PlotLine(f"n = {n}", x.tolist(), cells["share"].tolist(), looks[n], hollow, **ends)  # type: ignore[arg-type]


def printed(table: pd.DataFrame, found: pd.DataFrame) -> Iterator[tuple[str, TitledFigure]]:
    """The figure for print, by name: two columns wide."""
    with drawn_for(paper(COLUMNS[2], font=None)):
        yield "finite-size", figure(table, found)


def write(runs: pd.DataFrame, out: Path) -> None:
    """Write ``shares.csv``, ``fits.csv`` and the figure."""
    out.mkdir(parents=True, exist_ok=True)
    table = shares(decided(runs))
    found = fits(table)
    for name, made in (("shares", table), ("fits", found)):
        made.to_csv(out / f"{name}.csv", index=False, float_format="%.6g")
    for name, drawing in printed(table, found):
        publish(drawing, out / name)


if __name__ == "__main__":
    write(load_runs(), Path(sys.argv[1]) if sys.argv[1:] else RESULTS)
