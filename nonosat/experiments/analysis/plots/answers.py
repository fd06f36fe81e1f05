"""What answers cost and which are wrong: decisions against time, and wrong answers by encoding."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from nonosat.experiments.analysis.boards import clock_of
from nonosat.experiments.analysis.frames import values_of
from nonosat.experiments.analysis.intervals import wilson
from nonosat.experiments.analysis.lines import name_handles
from nonosat.experiments.analysis.plots.panels import RASTER, best_first, in_order
from nonosat.experiments.analysis.style import (
    GREY,
    MOST_LINES,
    Drawing,
    drawn,
    grid,
    labelled,
    logarithmic,
    look,
    looks,
    no_data,
    plain,
)
from nonosat.experiments.analysis.summary import report_counts, said
from nonosat.experiments.analysis.theme import theme


def decisions_against_time(
    frame: pd.DataFrame, solver: str, column: str = "decisions", names: Sequence[str] | None = None
) -> Drawing:
    """A point a run that ended within the limit, a marker each of ``names`` (encodings); wrong pictures are crosses.

    ``names`` default to the ``MOST_LINES`` that solve the most; the foot says what is left out.
    """
    runs = frame[frame["solver"].eq(solver)]
    clock = clock_of(runs)
    title = f"{column.capitalize()} against {clock.words}, {solver}"
    ended = runs[report_counts(runs) & runs[clock.column].gt(0) & runs[column].notna()]
    if ended.empty:
        return no_data(title, said(runs))
    every = best_first(ended, "label", clock.column)
    shown = list(names if names is not None else every[:MOST_LINES])
    left = [name for name in every if name not in shown]
    foot = f"{said(runs)}."
    foot += " Runs that a limit ended are not shown." if runs["censored"].any() else ""
    foot += " ×: wrong pictures." if ended["wrong"].any() else ""
    foot += f" Not shown: {', '.join(left)}." if left else ""
    figure, (axis,) = drawn(title, foot, 1, size=(5.0, 3.6), beside=shown)
    handles = []
    for name, style in looks(shown).items():
        here = ended[ended["label"].eq(name)]
        for wrong, marker in ((False, style.marker), (True, "x")):
            some = here[here["wrong"].eq(wrong)]
            axis.plot(some[clock.column], some[column].astype("float64"), marker, color=style.colour, alpha=0.6,
                      markersize=0.8 * theme().marker, markeredgewidth=0.8 if wrong else 0,
                      rasterized=len(ended) > RASTER)  # fmt: skip
        crossed = here["wrong"].mean() > 0.5
        handles.append(Line2D([], [], linestyle="none", marker="x" if crossed else style.marker, color=style.colour,
                              markersize=theme().marker))  # fmt: skip
    logarithmic(axis, "x")
    grid(axis)
    if ended[column].min() >= 1:
        axis.set_yscale("log")
    else:
        axis.set_yscale("symlog", linthresh=1)
        axis.set_ylim(bottom=-0.3)
    labelled(axis, f"{clock.words}, s", column)
    name_handles(figure, shown, handles)
    return figure


def wrong_pictures(frame: pd.DataFrame, line: str = "label") -> Drawing:
    """The share of answers that are wrong, a bar each value of ``line`` that has some: pictures that break the clues,
    and false UNSAT.
    """
    title = "Wrong answers"
    answers = frame[report_counts(frame)]
    bad = answers[answers["wrong"] | answers["false_unsat"]]
    names = in_order(values_of(bad, line))[::-1]
    if not names:
        return no_data(title, said(frame), "no wrong answers" if len(answers) else "no answers")
    without = [name or "no encoding" for name in in_order(values_of(answers, line)) if name not in names]
    foot = f"{said(frame)}. Share of answers (SAT, UNSAT, WRONG)"
    foot += ", with Wilson's 95 % interval of wrong pictures." if bad["wrong"].any() else "."
    foot += f" None wrong: {', '.join(without)}." if without else ""
    kinds = ["wrong picture", "UNSAT, but a solution exists"]
    figure, (axes,) = drawn(title, foot, 1, size=(5.6, 0.23 * len(names) + 0.75), beside=kinds, fixed=True)
    for place, name in enumerate(names):
        here = answers[answers[line].eq(name)]
        wrong, unsat, runs = int(here["wrong"].sum()), int(here["false_unsat"].sum()), len(here)
        share = wilson(wrong, runs)
        axes.barh(place, share.value, color=look(1).colour, height=0.62)
        axes.barh(place, unsat / runs, left=share.value, color=look(2).colour, hatch="////", edgecolor="white",
                  height=0.62)  # fmt: skip
        if wrong:
            axes.plot([share.low, share.high], [place, place], color="black", linewidth=1.1, marker="|", markersize=5)
        told = f"{wrong:,}{f' + {unsat:,}' if unsat else ''} of {runs:,}"
        axes.annotate(told, (1, place), xycoords=("axes fraction", "data"), xytext=(5, 0), textcoords="offset points",
                      fontsize=theme().small - 0.5, va="center", color=GREY)  # fmt: skip
    axes.set_yticks(range(len(names)), [plain(name or "no encoding", 40) for name in names])
    axes.set_xlim(0, 1)
    axes.set_ylim(-0.6, len(names) - 0.4)
    labelled(axes, "share of answers")
    patches = [Patch(color=look(1).colour), Patch(facecolor=look(2).colour, hatch="////", edgecolor="white")]
    name_handles(figure, kinds, patches)
    return figure
