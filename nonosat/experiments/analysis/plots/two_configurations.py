"""Scatter plots: two configurations on the same boards."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from nonosat.experiments.analysis.axes import FILE, axes_of, natural
from nonosat.experiments.analysis.boards import CPU, WALL, clock_of
from nonosat.experiments.analysis.lines import FAR, name_handles
from nonosat.experiments.analysis.plots.panels import RASTER
from nonosat.experiments.analysis.style import GREY, Drawing, drawn, labelled, logarithmic, look, marks, no_data, plain
from nonosat.experiments.analysis.summary import limit_of, said
from nonosat.experiments.analysis.theme import theme

MOST_GROUPS = 7
UNNAMED = "all boards"


def scatter(
    frame: pd.DataFrame, across: str, up: str, column: str | None = None, by: str = "configuration",
    title: str | None = None,
) -> Drawing:  # fmt: skip
    """Two configurations on the same boards: a point a board, on log scales, with the diagonal and ten times.

    ``across`` and ``up`` are values of ``by``. A run over a limit stands on the limit's rail, a wrong picture or a
    failure on a second one behind it, which is there if it is needed. ``column``: a time (default: CPU time) or a
    counter; runs without it are on the rails too. A marker each value of the axis that the boards vary (density, level,
    ...).
    """
    column = column or clock_of(frame).column
    title = title or f"{up} against {across}"
    runs = [frame[frame[by].eq(name)].set_index(["instance", "repetition"]) for name in (across, up)]
    runs = [run[~run.index.duplicated()] for run in runs]
    groups = _groups(frame)
    both = runs[0].add_suffix("_x").join(runs[1].add_suffix("_y"), how="inner")
    both = both[both["outcome_x"].ne("INTERRUPTED") & both["outcome_y"].ne("INTERRUPTED")]
    foot = f"{across}: {said(runs[0].reset_index())}.\n{up}: {said(runs[1].reset_index())}."
    if both.empty:
        nobody = [name for name, run in zip((across, up), runs, strict=True) if run.empty]
        return no_data(title, foot, f"no run of {nobody[0]}" if nobody else "no board that both have run on")
    x, y = (
        both[f"{column}{end}"].astype("Float64").astype("float64").where(both[f"solved{end}"]) for end in ("_x", "_y")
    )
    known = np.concatenate([x.dropna(), y.dropna()])
    floor = 1e-4 if column.endswith("_s") else 0.5  # log scales have no zero: no decisions stand at one half
    low = max(float(known.min()), floor) if len(known) else floor
    limit = limit_of(frame) if column in (CPU.column, WALL.column) else math.nan
    high = float(np.nanmax([*known, 3 * low]))
    over = limit if math.isfinite(limit) else high * 1.6
    rails = _rails(both, max(over, high * 1.15), limit, high)
    both["x"], both["y"] = _railed(x, both, "_x", rails, floor), _railed(y, both, "_y", rails, floor)
    values = sorted(set(groups.dropna()), key=natural)
    if not rails:
        foot += f"\nThe limit, {limit:g} s, is far outside." if math.isfinite(limit) else ""
    figure, (axes,) = drawn(title, foot, 1, size=(4.2, 4.0), beside=[*map(str, values), "m" * 8])
    styles = {value: look(at) for at, value in enumerate(values)}
    for value, style in styles.items():
        here = both[groups.reindex(both.index.get_level_values(0)).eq(value).to_numpy()]
        axes.plot(here["x"], here["y"], style.marker, color=style.colour, markersize=theme().marker, alpha=0.7,
                  markeredgewidth=0, rasterized=len(both) > RASTER)  # fmt: skip
    unit = "s" if column.endswith("_s") else column
    _frame(axes, rails, low, max(rails.values(), default=high * 1.15))
    labelled(axes, f"{across}, {unit}", f"{up}, {unit}")
    if values != [UNNAMED]:
        name_handles(figure, values, marks(styles), str(groups.name))
    return figure


def _groups(frame: pd.DataFrame) -> pd.Series:
    """By board: its value of the first axis with few values; boards from files are told apart from random ones."""
    boards = frame.drop_duplicates("instance").set_index("instance")
    from_files = pd.Series(boards.index.str.startswith("file/"), index=boards.index).fillna(False).astype(bool)
    few = [axis for axis in axes_of(frame) if axis.name != FILE and len(axis.values) <= MOST_GROUPS]
    chosen = next((axis for axis in few if axis.name == "density"), few[0] if few else None)
    if chosen is None:
        return pd.Series(UNNAMED, index=boards.index, name="boards")
    values = chosen.of.groupby(frame["instance"]).first().reindex(boards.index).astype(object)
    if chosen.name != "size":
        values = values.mask(from_files & values.isna(), "from files")
    return values.fillna("other").rename(chosen.words)


def _rails(both: pd.DataFrame, over: float, limit: float, known: float) -> dict[str, float]:
    """Where runs without a result stand; a rail that nothing needs is not there, but for a limit that is near."""
    stopped = both["censored_x"] | both["censored_y"]
    bad = ~(both["solved_x"] | both["censored_x"]) | ~(both["solved_y"] | both["censored_y"])
    rails = {}
    if stopped.any() or limit <= FAR * known:
        rails[f"limit {limit:g} s" if math.isfinite(limit) else "over a limit"] = over
    if bad.any():
        rails["wrong or failed"] = over * 2
    return rails


def _railed(values: pd.Series, both: pd.DataFrame, end: str, rails: dict[str, float], floor: float) -> pd.Series:
    places = list(rails.values()) or [math.nan]
    stopped = both[f"censored{end}"] | both[f"solved{end}"]
    return values.clip(lower=floor).fillna(pd.Series(np.where(stopped, places[0], places[-1]), index=values.index))


def _frame(axes: Axes, rails: dict[str, float], low: float, top: float) -> None:
    """Both axes end at the last rail; the rails have their names on both."""
    ends = (low / 1.4, top)
    for which in ("x", "y"):
        logarithmic(axes, which)
    axes.set(xlim=ends, ylim=ends, aspect="equal")
    inner = min(rails.values(), default=top)
    axes.plot([ends[0], inner], [ends[0], inner], color=GREY, linewidth=0.9, zorder=1)
    for factor in (10, 0.1):
        axes.plot([ends[0], inner], [ends[0] * factor, inner * factor], color=GREY, linewidth=0.7,
                  linestyle=(0, (4, 3)), zorder=1)  # fmt: skip
    for name, place in rails.items():
        for draw in (axes.axhline, axes.axvline):
            draw(place, color=GREY, linewidth=0.7, linestyle=(0, (1, 1.5)), zorder=1)
        small: Any = {"fontsize": theme().small - 0.5, "color": GREY, "textcoords": "offset points"}
        axes.annotate(plain(name), (1, place), xycoords=("axes fraction", "data"), xytext=(3, 0), va="center", **small)
        axes.annotate(plain(name), (place, 1), xycoords=("data", "axes fraction"), xytext=(0, 3), rotation=90,
                      ha="center", va="bottom", **small)  # fmt: skip
    for line in axes.lines:
        line.set_clip_on(line.get_linestyle() != "None")  # points on the rails are whole
