"""Heat maps over two axes, mostly size by density: the share solved, the median time, or number of solutions."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.colors import LogNorm, Normalize

from nonosat.experiments.analysis.axes import Axis, axes_of, grid
from nonosat.experiments.analysis.boards import Clock, clock_of
from nonosat.experiments.analysis.frames import values_of
from nonosat.experiments.analysis.plots.panels import in_order
from nonosat.experiments.analysis.sheets.sheet import NONE
from nonosat.experiments.analysis.style import Drawing, Numbers, drawn, headed, no_data, plain
from nonosat.experiments.analysis.summary import said, solutions_of, survival_of
from nonosat.experiments.analysis.theme import theme

WORDS = {
    "share": "Share solved, %",
    "median": "Median {clock}, s",
    "solutions": "Median number of solutions, log10",
}
MAPS = {"share": "cividis", "median": "cividis_r", "solutions": "cividis_r"}


def heat(
    frame: pd.DataFrame, solver: str, what: str = "share", line: str = "label", across: Axis | None = None,
    down: Axis | None = None, names: Sequence[str] | None = None,
) -> Drawing:  # fmt: skip
    """Two axes of the boards, a panel each value of ``line``: the ``share`` solved, Kaplan-Meier's ``median``
    seconds, or of a counter the median number of ``solutions``, as its decimal logarithm.

    ``across`` and ``down``: the axes (default: the first two that are crossed). A median beyond the limit is told as
    ">" and the longest time seen, in the darkest shade. A cell with wrong answers has a cross and how many there are.
    """
    runs = frame[frame["solver"].eq(solver)]
    clock = clock_of(runs)
    words = WORDS[what].format(clock=clock.words)
    title = f"{words.partition(',')[0]}, {solver}"
    if across is None or down is None:
        down, across = grid(axes_of(runs)) or (None, None)
    if across is not None and down is not None:
        runs = runs[across.of[runs.index].notna() & down.of[runs.index].notna()]
    names = list(names) if names is not None else in_order(values_of(runs, line))
    if across is None or down is None or not names or runs.empty:
        return no_data(title, said(runs))
    rows, columns = ([v for v in axis.values if axis.of[runs.index].eq(v).any()] for axis in (down, across))
    tables = [_cells(runs[runs[line].eq(name)], (down, rows), (across, columns), what, clock) for name in names]
    values = np.concatenate([table.ravel() for table, _ in tables])
    norm = _norm(what, values[np.isfinite(values) & (values > 0)])
    size = _size(rows, columns, names)
    figure, axes = drawn(
        title,
        _foot(runs, [text for _, texts in tables for row in texts for text in row]),
        len(names),
        min(4, len(names)),
        size,
        fixed=True,
        sharex=True,
        sharey=True,
    )
    for axis, name, (table, texts) in zip(axes, names, tables, strict=True):
        shown = np.ma.masked_invalid(np.where(np.isposinf(table), norm.vmax, table))
        edges = np.arange(len(columns) + 1) - 0.5, np.arange(len(rows) + 1) - 0.5
        axis.pcolormesh(*edges, shown, cmap=MAPS[what], norm=norm)  # no image, which PGF cannot hold
        axis.set_ylim(len(rows) - 0.5, -0.5)
        headed(axis, name or solver, 20)
        axis.set_xticks(
            range(len(columns)), [plain(value, 12) for value in columns], rotation=90 if _long(columns) else 0
        )
        axis.set_yticks(range(len(rows)), [plain(value, 16) for value in rows])
        _write(axis, shown, texts, norm, what == "share")
    _bar(figure, axes, ScalarMappable(norm, MAPS[what]), words)
    figure.supylabel(plain(down.words), fontsize=theme().small)
    for axis in axes:
        spec = axis.get_subplotspec()
        if spec is None or spec.is_last_row():
            axis.set_xlabel(plain(across.words), fontsize=theme().small, labelpad=2)
    return figure


def _bar(figure: Drawing, axes: Sequence[Axes], shades: ScalarMappable, words: str) -> None:
    """What the shades stand for, beside the maps."""
    bar = figure.colorbar(shades, ax=axes, pad=0.01, fraction=0.04, aspect=30)
    bar.ax.tick_params(which="both", labelsize=theme().small, length=2.5)
    if isinstance(shades.norm, LogNorm):  # plain numbers in the figure's font, as on its axes
        bar.ax.yaxis.set_major_formatter(Numbers())
        bar.ax.yaxis.set_minor_formatter(Numbers(minor=True))
    if bar.solids is not None:
        bar.solids.set_rasterized(False)
    bar.set_label(words, fontsize=theme().small)
    bar.ax.yaxis.get_offset_text().set_fontsize(theme().small)


def _size(rows: Sequence[str], columns: Sequence[str], names: Sequence[str]) -> tuple[float, float]:
    head = 0.16 if max(map(len, names)) > 20 else 0.0
    return max(1.6, 0.36 * len(columns) + 0.35), max(0.9, 0.28 * len(rows) + 0.55 + head)


def _long(columns: Sequence[str]) -> bool:
    return max(map(len, columns)) > 4


def _foot(runs: pd.DataFrame, texts: Sequence[str]) -> str:
    """What is written in the cells, of all that may be."""
    foot = f"{said(runs)}."
    if any(text.startswith(">") for text in texts):
        foot += " >: half of the runs or more did not end within the limit."
    if any(text.startswith(NONE) for text in texts):
        foot += f" {NONE}: too many runs came to no result that more time would have given."
    return foot + (" A cross and a number: so many wrong answers." if any("✗" in text for text in texts) else "")


def _norm(what: str, finite: Any) -> Any:
    if what == "share" or not len(finite):
        return Normalize(0, 100)
    if what == "solutions":
        return Normalize(0, float(finite.max()))
    low, high = float(finite.min()), float(finite.max())
    return LogNorm(low, high if high > low else low * 1.01)


def _cells(
    runs: pd.DataFrame, down: tuple[Axis, Sequence[str]], across: tuple[Axis, Sequence[str]], what: str, clock: Clock
) -> tuple[Any, list[list[str]]]:
    """The values and what is written in the cells; NaN and "" where there are no runs."""
    rows, columns = down[1], across[1]
    table, texts = np.full((len(rows), len(columns)), math.nan), [[""] * len(columns) for _ in rows]
    runs = runs[runs["outcome"].ne("INTERRUPTED")]
    for (row, column), here in runs.groupby([down[0].of[runs.index], across[0].of[runs.index]]):
        i, j = rows.index(row), columns.index(column)
        if what == "share":
            table[i, j] = 100 * float(here["solved"].mean())
            texts[i][j] = f"{table[i, j]:.0f}"
        else:
            table[i, j], texts[i][j] = _median(here, what, clock)
        if wrong := int((here["wrong"] | here["false_unsat"]).sum()):
            texts[i][j] = f"✗{wrong}" if wrong == len(here) else f"{texts[i][j]}\n✗{wrong}"
    return table, texts


def _median(here: pd.DataFrame, what: str, clock: Clock) -> tuple[float, str]:
    """Infinite, and told as ``NONE``, when too many runs came to no result that more time would have given."""
    counts = what == "solutions"
    curve, shown = (solutions_of(here), _decades) if counts else (survival_of(here, clock.column), brief)
    value = curve.median().value
    if math.isfinite(value):
        return value, shown(value)
    over = here["censored"] | here["solved"]
    return (math.inf, f">{shown(curve.last)}") if over.mean() > 0.5 else (math.nan, NONE)


def _decades(log10: float) -> str:
    return f"{log10:.0f}" if log10 >= 10 else f"{log10:.1f}"


def brief(seconds: float) -> str:
    """Two significant digits in the fewest characters: ``.012``, ``3.4``, ``120``.

    >>> brief(0.0123), brief(3.44), brief(123.4), brief(0.00012)
    ('.012', '3.4', '123', '1e-4')
    """
    if seconds < 0.001:
        return f"{seconds:.0e}".replace("e-0", "e-")
    return f"{seconds:.0f}" if seconds >= 10 else f"{seconds:.2g}".removeprefix("0")


def _write(axis: Axes, shown: Any, texts: list[list[str]], norm: Any, share: bool) -> None:
    for (i, j), value in np.ndenumerate(np.ma.filled(shown, math.nan)):
        level = float(norm(value)) if math.isfinite(value) else (1.0 if share else 0.0)
        dark = level < 0.5 if share else level > 0.5
        axis.text(j, i, texts[i][j], ha="center", va="center", fontsize=min(6.5, theme().small),
                  color="white" if dark else "black", linespacing=0.9)  # fmt: skip
