"""Scatter plots: two configurations on the same boards."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from nonosat.experiments.analysis.frames import densities
from nonosat.experiments.analysis.plots.panels import RASTER
from nonosat.experiments.analysis.style import (
    GREY,
    SMALL,
    drawn,
    look,
    no_data,
    plain,
)  # fmt: skip
from nonosat.experiments.analysis.summary import limit_of, said


def scatter(
    frame: pd.DataFrame,
    across: str,
    up: str,
    column: str = "time_s",
    by: str = "configuration",
    title: str | None = None,
) -> Figure:
    """Two configurations on the same boards: a point a board, on log scales, with the diagonal and ten times.

    ``across`` and ``up`` are values of ``by``. A run over a limit stands on the rail behind the longest time, a wrong
    picture or a failure on a second one. ``column`` may be a counter; runs without it are on the rails too.
    """
    title = title or f"{up} against {across}"
    runs = [frame[frame[by].eq(name)].set_index(["instance", "repetition"]) for name in (across, up)]
    runs = [run[~run.index.duplicated()] for run in runs]
    both = runs[0].add_suffix("_x").join(runs[1].add_suffix("_y"), how="inner")
    both = both[both["outcome_x"].ne("INTERRUPTED") & both["outcome_y"].ne("INTERRUPTED")]
    foot = f"{across}: {said(runs[0].reset_index())}\n{up}: {said(runs[1].reset_index())}"
    if both.empty:
        nobody = [name for name, run in zip((across, up), runs, strict=True) if run.empty]
        return no_data(title, foot, f"no run of {nobody[0]}" if nobody else "no board that both have run on")
    x, y = (
        both[f"{column}{end}"].astype("Float64").astype("float64").where(both[f"solved{end}"]) for end in ("_x", "_y")
    )
    known = np.concatenate([x.dropna(), y.dropna()])
    floor = 1e-4 if column.endswith("_s") else 0.5  # log scales have no zero: no decisions stand at one half
    low = max(float(known.min()), floor) if len(known) else floor
    limit = limit_of(frame) if column == "time_s" else math.nan
    high = float(np.nanmax([*known, limit, 10 * low]))
    rails = {"over a limit": high * 1.6, "wrong or failed": high * 3.2}
    figure, (axes,) = drawn(title, foot, size=(6.4, 5.6))
    styles = {density: look(i) for i, density in enumerate(densities(frame))}
    both["x"], both["y"] = _railed(x, both, "_x", rails, floor), _railed(y, both, "_y", rails, floor)
    for density, style in [*styles.items(), (None, look(0))]:
        here = both[both["density_x"].isna()] if density is None else both[both["density_x"].eq(density)]
        if len(here):
            name = "from files" if density is None else f"{100 * density:g} %"
            axes.plot(here["x"], here["y"], style.marker, color=style.colour, markersize=4, alpha=0.65, label=name,
                      markeredgewidth=0, rasterized=len(both) > RASTER)  # fmt: skip
    _rails(axes, rails, low, f"{'seconds' if column.endswith('_s') else column}", across, up)
    return figure


def _railed(values: pd.Series, both: pd.DataFrame, end: str, rails: dict[str, float], floor: float) -> pd.Series:
    over, other = rails.values()
    stopped = both[f"censored{end}"] | both[f"solved{end}"]
    return values.clip(lower=floor).fillna(pd.Series(np.where(stopped, over, other), index=values.index))


def _rails(axes: Axes, rails: dict[str, float], low: float, unit: str, across: str, up: str) -> None:
    top = max(rails.values())
    ends = (low / 1.5, top * 1.4)
    axes.set(xscale="log", yscale="log", xlim=ends, ylim=ends, aspect="equal")
    inner = min(rails.values()) / 1.25
    axes.plot([ends[0], inner], [ends[0], inner], color=GREY, linewidth=0.9)
    for factor in (10, 0.1):
        axes.plot(
            [ends[0], inner], [ends[0] * factor, inner * factor], color=GREY, linewidth=0.7, linestyle=(0, (4, 3))
        )
    for name, place in rails.items():
        axes.axhline(place, color=GREY, linewidth=0.5, linestyle=":")
        axes.axvline(place, color=GREY, linewidth=0.5, linestyle=":")
        axes.text(ends[1] * 1.1, place, name, fontsize=SMALL, color=GREY, va="center")
    axes.set_xlabel(plain(f"{across}, {unit}"), fontsize=8)
    axes.set_ylabel(plain(f"{up}, {unit}"), fontsize=8)
    axes.legend(title="density", fontsize=SMALL, title_fontsize=SMALL, loc="lower left", bbox_to_anchor=(1.0, 0.0),
                frameon=False)  # fmt: skip
