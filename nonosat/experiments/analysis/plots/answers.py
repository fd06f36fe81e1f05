"""What answers cost and which are wrong: decisions against time, and wrong pictures by encoding."""

from __future__ import annotations

import pandas as pd
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from nonosat.experiments.analysis.frames import values_of
from nonosat.experiments.analysis.intervals import wilson
from nonosat.experiments.analysis.plots.panels import RASTER, in_order, panels, shortened
from nonosat.experiments.analysis.style import (
    GREY,
    NORMAL,
    SMALL,
    drawn,
    grid,
    look,
    looks,
    no_data,
    plain,
)  # fmt: skip
from nonosat.experiments.analysis.summary import report_counts, said


def decisions_against_time(frame: pd.DataFrame, solver: str, column: str = "decisions") -> Figure:
    """A point a run that ended within the limit, rule 2 and 2-alt side by side; wrong pictures are crosses."""
    runs = frame[frame["solver"].eq(solver)]
    title = f"{column.capitalize()} against time, {solver}"
    ended = runs[report_counts(runs) & runs["time_s"].gt(0) & runs[column].notna()]
    parts = [(head, part) for head, part in panels(ended, "domain_rule") if len(part)]
    if not parts:
        return no_data(title, said(runs))
    figure, axes = drawn(title, f"{said(runs)}. ×: wrong pictures.", (1, len(parts)), sharex=True, sharey=True)
    for axis, (head, part) in zip(axes, parts, strict=True):
        axis.set_title(plain(head), fontsize=NORMAL)
        names = in_order(values_of(part, "label"))
        handles = []
        for name, style in looks(names).items():
            here = part[part["label"].eq(name)]
            for wrong, marker in ((False, style.marker), (True, "x")):
                some = here[here["wrong"].eq(wrong)]
                axis.plot(some["time_s"], some[column].astype("float64"), marker, color=style.colour, markersize=3.2,
                          alpha=0.5, markeredgewidth=0.8 if wrong else 0, rasterized=len(part) > RASTER)  # fmt: skip
            crossed = here["wrong"].mean() > 0.5
            handles.append(Line2D([], [], linestyle="none", marker="x" if crossed else style.marker,
                                  color=style.colour, label=plain(shortened(name)), markersize=4))  # fmt: skip
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
    names = in_order(values_of(answers, line))[::-1]
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
