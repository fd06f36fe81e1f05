"""The figures of the transition, one column of a page wide (8.5 cm), that are read in grey, too."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from nonosat.experiments.analysis.lines import Line, draw_lines
from nonosat.experiments.analysis.style import drawn, grid, look
from nonosat.experiments.analysis.transition.scaling import rests

PANEL = (8.5 / 2.54 - 0.6, 1.75)
"""Inches of a panel, so that a figure is 8.5 cm wide."""
SMALL = 7.5
"""Points."""
LATE = 0.05
"""A marker is hollow where more runs than this share were ended at the limit."""


def _lines(cells: pd.DataFrame, column: str, late: str | None = None) -> list[Line]:
    """``column`` by density in percent, a line a size, small boards first."""
    found = []
    for index, (n, here) in enumerate(cells.groupby("n")):
        values = here[column].where(np.isfinite(here[column]))
        hollow = [] if late is None else (here[late] > LATE).tolist()
        found.append(Line(f"{n}", (100 * here["density"]).tolist(), values.tolist(), look(index), hollow))
    return found


def _pieces(line: Line) -> list[Line]:
    """``line`` broken where a point is missing, so that nothing is drawn through what is not known."""
    known = np.isfinite(line.y)
    starts = np.flatnonzero(known & ~np.r_[False, known[:-1]]).tolist()
    ends = (np.flatnonzero(known & ~np.r_[known[1:], False]) + 1).tolist()
    return [replace(line, x=line.x[i:j], y=line.y[i:j]) for i, j in zip(starts, ends, strict=True)]


def _with_intervals(axes: Axes, cells: pd.DataFrame, column: str) -> None:
    """Their intervals, as thin upright lines."""
    for index, (_, here) in enumerate(cells.groupby("n")):
        axes.vlines(
            100 * here["density"],
            here[f"{column}_low"],
            here[f"{column}_high"],
            color=look(index).colour,
            linewidth=0.6,
        )


def _labelled(axes: Axes, words: str) -> None:
    axes.set_title(words, fontsize=SMALL + 0.5, loc="left", pad=3)
    axes.set_xticks(range(0, 101, 20))
    axes.set_xlim(0, 100)
    grid(axes)


def _finished(axes: Sequence[Axes], lines: Sequence[Line]) -> None:
    """The sizes by name, above all panels: the lines of all of them end in one place."""
    axes[-1].set_xlabel("density, %", fontsize=SMALL)
    _named(axes[0], lines, "n = ", ncols=3, loc="lower left", bbox_to_anchor=(0, 1.12))


def _named(axes: Axes, lines: Sequence[Line], before: str = "", **place: Any) -> None:
    """The lines' names beside one panel."""
    handles = [
        Line2D(
            [], [], color=line.look.colour, linestyle=line.look.dash, marker=line.look.marker, markersize=4, linewidth=1
        )
        for line in lines
    ]
    axes.legend(handles, [f"{before}{line.name}" for line in lines], fontsize=SMALL - 0.5, frameon=False, borderpad=0,
                columnspacing=1.2, handlelength=3, **place)  # fmt: skip


def three_peaks(cells: pd.DataFrame) -> Figure:
    """What finding, proving and counting cost by density, a line a size: three panels, one below the other."""
    foot = "Boards of n x n."
    if cells[["find_late", "count_late"]].gt(LATE).any(axis=None):
        foot += f" Hollow: over {100 * LATE:.0f} % of the runs were ended after 3 CPU seconds, so that the "
        foot += "mean is one from below."
    foot += " Upright lines: 95 %."
    figure, axes = drawn("Finding, proving, counting", foot, 3, 1, PANEL, sharex=True)
    for panel, column, late, words in zip(
        axes,
        ("find_s", "prove_conflicts", "count_s"),
        ("find_late", "find_late", "count_late"),
        (
            "first picture (SAT), mean CPU s",
            "second, or proof that there is none: conflicts",
            "all pictures, mean CPU s",
        ),
        strict=True,
    ):
        lines = _lines(cells, column, late)
        draw_lines(panel, lines)
        _with_intervals(panel, cells, column)
        if column == "prove_conflicts":
            panel.set_yscale("symlog", linthresh=1)
            panel.set_ylim(bottom=0)
        else:
            panel.set_yscale("log")
        _labelled(panel, words)
    _finished(axes, lines)
    return figure


def states_figure(cells: pd.DataFrame) -> Figure:
    """The share of unique boards and the mean backbone by density, a line a size."""
    cells = cells.assign(
        open_backbone=cells["backbone_open"] / cells["boards"], open_unique=1 - cells["settled"] / cells["asked"]
    )
    foot = "Boards of n x n. Upright lines: 95 %."
    if cells[["open_backbone", "open_unique"]].gt(LATE).any(axis=None):
        foot += " Hollow: not all boards are settled; the backbone's point is the middle of its bounds, and the line "
        foot += "holds both."
    if cells["open_unique"].gt(0).any():
        foot += " Boards of which it is not known whether they are unique are left out."
    figure, axes = drawn("What boards are", foot, 3, 1, PANEL, sharex=True)
    for panel, column, late, words in zip(
        axes,
        ("backbone", "by_lines", "unique"),
        ("open_backbone", None, "open_unique"),
        ("cells that all solutions share", "cells that lines alone tell", "boards with one solution"),
        strict=True,
    ):
        lines = _lines(cells, column, late)
        draw_lines(panel, lines)
        _with_intervals(panel, cells, column)
        panel.set_ylim(-0.03, 1.03)
        _labelled(panel, words)
    _finished(axes, lines)
    return figure


def solutions_figure(cells: pd.DataFrame) -> Figure:
    """The median number of solutions: exact, bounded from below where it was not counted, and Bethe's estimate."""
    bounded = cells[np.isinf(cells["log10"])]
    foot = "Median of log10 of the number of solutions. Above: counted, Kaplan and Meier's median"
    foot += "; a triangle is a bound from below, where half of the counts or more were ended." if len(bounded) else "."
    foot += " Below: Bethe's estimate, which promises nothing."
    figure, axes = drawn("How many solutions", foot, 2, 1, PANEL, sharex=True)
    counted, estimated = _lines(cells, "log10"), _lines(cells, "bethe")
    for line in counted:
        draw_lines(axes[0], _pieces(line))
    for index, (_, here) in enumerate(cells.groupby("n")):
        open_ = here[np.isinf(here["log10"])]
        x, y = (100 * open_["density"]).tolist(), open_["log10_least"].tolist()
        axes[0].plot(x, y, "^", color=look(index).colour, markersize=4, markerfacecolor="white", linestyle="none")
    _labelled(axes[0], "counted, or at least (triangles)" if len(bounded) else "counted")
    draw_lines(axes[1], estimated)
    axes[1].set_yscale("symlog", linthresh=1)
    _labelled(axes[1], "Bethe's estimate")
    _finished(axes, estimated)
    return figure


def scaling_figure(table: pd.DataFrame, halves: dict[str, pd.DataFrame]) -> Figure:
    """Where the curves cross one half, by size; and how many causes of a second solution there are.

    ``halves``: ``scaling.half_way`` by the name of what crosses.
    """
    foot = (
        "Above: the density at which the mean crosses one half. Below: -ln of the share of unique boards, of 20 boards "
        "or more; a straight line is a power of n. Upright lines: 95 %."
    )
    figure, axes = drawn("How the transition scales", foot, 2, 1, PANEL)
    lines = []
    for index, (name, halfs) in enumerate(halves.items()):
        line = Line(name, halfs["n"].tolist(), (100 * halfs["half"]).tolist(), look(index))
        axes[0].vlines(
            halfs["n"], 100 * halfs["half_low"], 100 * halfs["half_high"], color=line.look.colour, linewidth=0.8
        )
        lines.append(line)
    draw_lines(axes[0], lines)
    causes = rests(table)
    powers = [
        Line(f"{100 * density:g} %", here["n"].tolist(), here["causes"].tolist(), look(index))
        for index, (density, here) in enumerate(causes.groupby("density"))
        if len(here) > 2
    ]
    draw_lines(axes[1], powers)
    for index, (_, here) in enumerate(causes.groupby("density")):
        if len(here) > 2:
            axes[1].vlines(here["n"], here["causes_low"], here["causes_high"], color=look(index).colour, linewidth=0.6)
    axes[1].set_yscale("log")
    for panel, words in zip(axes, ("density of one half, %", "-ln P(unique), by density"), strict=True):
        panel.set_title(words, fontsize=SMALL + 0.5, loc="left", pad=3)
        panel.set_xscale("log")
        panel.set_xticks([10, 15, 20, 25, 30, 40], ["10", "15", "20", "25", "30", "40"])
        panel.minorticks_off()
        grid(panel)
    axes[1].set_xlabel("n", fontsize=SMALL)
    for panel, shown in ((axes[0], lines), (axes[1], powers)):
        _named(panel, shown, loc="center left", bbox_to_anchor=(1.02, 0.5))
    return figure
