"""Heat maps, size by density: the share solved, the median time, or the median number of solutions."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from nonosat.experiments.analysis.frames import densities, sizes, values_of
from nonosat.experiments.analysis.plots.panels import in_order
from nonosat.experiments.analysis.style import (
    NORMAL,
    SMALL,
    drawn,
    no_data,
    plain,
)  # fmt: skip
from nonosat.experiments.analysis.summary import said, solutions_of, survival_of


def heat(frame: pd.DataFrame, solver: str, what: str = "share", line: str = "label") -> Figure:
    """Size by density, a panel each value of ``line``: the ``share`` solved, or Kaplan-Meier's ``median`` seconds, or
    of a counter the median number of ``solutions``, as its decimal logarithm.

    A median beyond what was seen is told as ">" and the most that was, in the darkest shade.
    """
    runs = frame[frame["solver"].eq(solver) & frame["density"].notna()]
    names, rows, columns = in_order(values_of(runs, line)), sizes(runs), densities(runs)
    words = {
        "share": "Share solved",
        "median": "Median time to a result (Kaplan-Meier), s",
        "solutions": "Median log10 of the number of solutions (Kaplan-Meier)",
    }[what]
    title = f"{words}, {solver}"
    if not (names and rows and columns):
        return no_data(title, said(runs))
    wide = min(6 if len(names) > 8 else 4, len(names))
    deep = -(-len(names) // wide)
    across = max(1.55, 0.36 * len(columns) + 0.25)
    figure, axes = drawn(title, said(runs), (deep, wide), sharex=True, sharey=True,
                         size=(max(5.0, across * wide + 1.3), (0.32 * len(rows) + 0.55) * deep + 1.2))  # fmt: skip
    tables = [_cells(runs[runs[line].eq(name)], rows, columns, what) for name in names]
    values = np.concatenate([table[0].ravel() for table in tables])
    finite = values[np.isfinite(values) & (values > 0)]
    norm = _norm(what, finite)
    image = None
    for axis, name, (table, texts) in zip(axes, names, tables, strict=False):
        shown = np.ma.masked_invalid(np.where(np.isposinf(table), norm.vmax, table))
        image = axis.imshow(shown, cmap="cividis" if what == "share" else "cividis_r", norm=norm, aspect="auto")
        axis.set_title(plain(name), fontsize=NORMAL - 0.5)
        axis.set_xticks(range(len(columns)), [f"{100 * d:g}" for d in columns])
        axis.set_yticks(range(len(rows)), rows)
        _write(axis, shown, texts, norm, what == "share")
    for axis in axes[len(names) :]:
        axis.set_axis_off()
    if image is not None:
        figure.colorbar(image, ax=axes, shrink=0.7, pad=0.01).ax.tick_params(labelsize=SMALL)
    figure.supylabel("size, and density in % below", fontsize=SMALL)
    return figure


def _norm(what: str, finite: Any) -> Any:
    from matplotlib.colors import LogNorm, Normalize

    if what == "share" or not len(finite):
        return Normalize(0, 1)
    if what == "solutions":
        return Normalize(0, float(finite.max()))
    low, high = float(finite.min()), float(finite.max())
    return LogNorm(low, high if high > low else low * 1.01)


def _cells(runs: pd.DataFrame, rows: list[str], columns: list[float], what: str) -> tuple[Any, list[list[str]]]:
    table, texts = np.full((len(rows), len(columns)), math.nan), [[""] * len(columns) for _ in rows]
    for (size, density), here in runs[runs["outcome"].ne("INTERRUPTED")].groupby(["size", "density"]):
        i, j = rows.index(size), columns.index(density)
        if what == "share":
            table[i, j] = float(here["solved"].mean())
            texts[i][j] = f"{100 * table[i, j]:.0f}"
        else:
            table[i, j], texts[i][j] = _median(here, what)
    return table, texts


def _median(here: pd.DataFrame, what: str) -> tuple[float, str]:
    """Infinite, and told as "-", when too many runs came to no result that more time would have given."""
    curve, shown = (solutions_of(here), _decades) if what == "solutions" else (survival_of(here), brief)
    value = curve.quantile().value
    if math.isfinite(value):
        return value, shown(value)
    over = here["censored"] | here["solved"]
    return (math.inf, f">{shown(curve.last)}") if over.mean() > 0.5 else (math.nan, "–")


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
        axis.text(j, i, texts[i][j], ha="center", va="center", fontsize=6.5, color="white" if dark else "black")
