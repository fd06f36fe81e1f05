"""The figures of solver papers: cactus, scatter of two, heat maps, decisions against time, and wrong pictures.

Only right pictures (and UNSAT that nothing contradicts) count as solved here.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from nonosat.experiments.analysis.frames import densities, sizes, values_of
from nonosat.experiments.analysis.intervals import wilson
from nonosat.experiments.analysis.style import (
    GREY,
    NORMAL,
    SMALL,
    Line,
    draw_lines,
    drawn,
    grid,
    look,
    looks,
    name_lines,
    no_data,
    plain,
)  # fmt: skip
from nonosat.experiments.analysis.summary import limit_of, report_counts, said, survival_of

MOST_LINES = 14
_RASTER = 2000


def cactus(
    frame: pd.DataFrame, line: str = "label", panel: str | None = "domain_rule", title: str = "Solved within a time"
) -> Figure:
    """How many runs are solved within a time, a line each value of ``line``, a panel each value of ``panel``.

    To the right and below is better. At most ``MOST_LINES`` lines a panel, those that solve the most.
    """
    parts = _panels(frame, panel)
    shown = [(head, *_cactus_lines(runs, line, panel == "domain_rule")) for head, runs in parts if runs["solved"].any()]
    if not shown:
        return no_data(title, said(frame), "no run is solved")
    notes = [f"{head or 'all'}: {note}" for head, _, note in shown if note]
    notes += [f"{head or 'all'}: nothing solved" for head, runs in parts if not runs["solved"].any()]
    foot = ". ".join([said(frame), *notes]) + "."
    figure, axes = drawn(title, foot, (1, len(shown)), size=(7.4, 4.8) if len(shown) == 1 else None, sharey=True)
    for axis, (head, lines, _) in zip(axes, shown, strict=True):
        axis.set_title(plain(head), fontsize=NORMAL)
        draw_lines(axis, lines)
        axis.set_yscale("log")
        axis.set_xlim(left=0)
        axis.set_xlabel("runs solved", fontsize=8)
        grid(axis)
    axes[0].set_ylabel("within seconds", fontsize=8)
    for axis, (_, lines, _) in zip(axes, shown, strict=True):
        name_lines(axis, lines)
    return figure


def _panels(frame: pd.DataFrame, panel: str | None) -> list[tuple[str, pd.DataFrame]]:
    if panel is None:
        return [("", frame)]
    heads = values_of(frame, panel)
    word = {"domain_rule": "rule "}.get(panel, "")
    found = [(f"{word}{head}", frame[frame[panel].eq(head)]) for head in heads]
    rest = frame[frame[panel].isna()]
    return [*found, ("other encodings", rest)] if len(rest) else found


def _cactus_lines(runs: pd.DataFrame, line: str, short: bool) -> tuple[list[Line], str]:
    times = {
        name: sorted(runs.loc[runs[line].eq(name) & runs["solved"], "time_s"].dropna())
        for name in values_of(runs, line)
    }
    solving = sorted((name for name in times if times[name]), key=lambda name: (-len(times[name]), sum(times[name])))
    none = [name for name in times if not times[name]]
    left = solving[MOST_LINES:]
    styles = looks(_in_order(solving[:MOST_LINES]))
    lines = [
        Line(f"{_short(name) if short else name} ({len(times[name])})", range(1, len(times[name]) + 1),
             [max(t, 1e-9) for t in times[name]], style, drop_markers=True)
        for name, style in styles.items()
    ]  # fmt: skip
    notes = [f"nothing solved by {', '.join(none)}"] if none else []
    notes += [f"not shown, as they solve less: {', '.join(left)}"] if left else []
    return lines, "; ".join(notes)


def _in_order(names: Sequence[str]) -> list[str]:
    """Rule 2 before 2-alt, single rules before pairs; then the rest by name."""
    return sorted(names, key=lambda name: (name.partition("/")[0] if "/" in name else "~", name.count("+"), name))


def _short(name: str) -> str:
    """A report's name without its rule 2, where the panel says that."""
    domain, slash, rules = name.partition("/")
    return rules if slash and domain in ("2", "2alt") else name


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
                      markeredgewidth=0, rasterized=len(both) > _RASTER)  # fmt: skip
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


def heat(frame: pd.DataFrame, solver: str, what: str = "share", line: str = "label") -> Figure:
    """Size by density, a panel each value of ``line``: the ``share`` solved, or Kaplan-Meier's ``median`` seconds.

    A median beyond the limit is told as ">" and the longest time seen, in the darkest shade.
    """
    runs = frame[frame["solver"].eq(solver) & frame["density"].notna()]
    names, rows, columns = _in_order(values_of(runs, line)), sizes(runs), densities(runs)
    words = {"share": "Share solved", "median": "Median time to a result (Kaplan-Meier), s"}[what]
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
            table[i, j], texts[i][j] = _median(here)
    return table, texts


def _median(here: pd.DataFrame) -> tuple[float, str]:
    """Infinite, and told as "-", when too many runs came to no result that more time would have given."""
    curve = survival_of(here)
    value = curve.quantile().value
    if math.isfinite(value):
        return value, brief(value)
    over = here["censored"] | here["solved"]
    return (math.inf, f">{brief(curve.last)}") if over.mean() > 0.5 else (math.nan, "–")


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


def decisions_against_time(frame: pd.DataFrame, solver: str, column: str = "decisions") -> Figure:
    """A point a run that ended within the limit, rule 2 and 2-alt side by side; wrong pictures are crosses."""
    runs = frame[frame["solver"].eq(solver)]
    title = f"{column.capitalize()} against time, {solver}"
    ended = runs[report_counts(runs) & runs["time_s"].gt(0) & runs[column].notna()]
    parts = [(head, part) for head, part in _panels(ended, "domain_rule") if len(part)]
    if not parts:
        return no_data(title, said(runs))
    figure, axes = drawn(title, f"{said(runs)}. ×: wrong pictures.", (1, len(parts)), sharex=True, sharey=True)
    for axis, (head, part) in zip(axes, parts, strict=True):
        axis.set_title(plain(head), fontsize=NORMAL)
        names = _in_order(values_of(part, "label"))
        handles = []
        for name, style in looks(names).items():
            here = part[part["label"].eq(name)]
            for wrong, marker in ((False, style.marker), (True, "x")):
                some = here[here["wrong"].eq(wrong)]
                axis.plot(some["time_s"], some[column].astype("float64"), marker, color=style.colour, markersize=3.2,
                          alpha=0.5, markeredgewidth=0.8 if wrong else 0, rasterized=len(part) > _RASTER)  # fmt: skip
            crossed = here["wrong"].mean() > 0.5
            handles.append(Line2D([], [], linestyle="none", marker="x" if crossed else style.marker,
                                  color=style.colour, label=plain(_short(name)), markersize=4))  # fmt: skip
        axis.set_xscale("log")
        axis.set_xlabel("seconds", fontsize=8)
        grid(axis)
        axis.legend(handles=handles, fontsize=SMALL, loc="upper left", bbox_to_anchor=(1, 1), frameon=False)
    if ended[column].min() >= 1:
        axes[0].set_yscale("log")
    else:
        axes[0].set_yscale("symlog", linthresh=1)
        axes[0].set_ylim(bottom=-0.3)
    axes[0].set_ylabel(column, fontsize=8)
    return figure


def wrong_pictures(frame: pd.DataFrame, line: str = "label") -> Figure:
    """The share of answers that are wrong, a bar each encoding: pictures that break the clues, and false UNSAT."""
    title = "Wrong answers by encoding"
    answers = frame[report_counts(frame)]
    names = _in_order(values_of(answers, line))[::-1]
    if not names:
        return no_data(title, said(frame), "no answers")
    figure, (axes,) = drawn(title, f"{said(frame)}. Share of answers (SAT, UNSAT, WRONG), with Wilson's 95 % interval.",
                            size=(7.2, 0.23 * len(names) + 1.6))  # fmt: skip
    for place, name in enumerate(names):
        here = answers[answers[line].eq(name)]
        wrong, unsat, runs = int(here["wrong"].sum()), int(here["false_unsat"].sum()), len(here)
        share = wilson(wrong, runs)
        axes.barh(place, share.value, color=look(1).colour, height=0.62, label="wrong picture" if place == 0 else None)
        axes.barh(place, unsat / runs, left=share.value, color=look(2).colour, hatch="////", edgecolor="white",
                  height=0.62, label="UNSAT, but a solution exists" if place == 0 else None)  # fmt: skip
        if wrong:
            axes.plot([share.low, share.high], [place, place], color="black", linewidth=1.2, marker="|", markersize=5)
        told = f"{wrong:,}{f' + {unsat:,}' if unsat else ''} of {runs:,}"
        axes.text(1.015, place, told, fontsize=SMALL - 0.5, va="center", color=GREY)
    axes.set_yticks(range(len(names)), [plain(name) for name in names], fontsize=SMALL)
    axes.set_xlim(0, 1)
    axes.set_ylim(-0.6, len(names) - 0.4)
    axes.set_xlabel("share of answers", fontsize=8)
    axes.legend(fontsize=SMALL, loc="lower left", bbox_to_anchor=(0, 1), ncols=2, frameon=False)
    return figure
