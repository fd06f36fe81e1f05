"""Figures for print: their width and height, the size of their text, and how series are told apart."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from castilho2018 import analysis as castilho
from certainty import analysis as certainty
from counting_encodings import analysis as counting
from crossover import analysis as crossover
from drawn_and_random import analysis as pictures
from majdandzic2022 import analysis as levels
from sampling import RARE, spread
from transition import analysis as transition
from transition import scaling

from nonosat.plugins import module_of
from nonosat.studies.analysis import plots, style
from nonosat.studies.analysis.frames import load
from nonosat.studies.analysis.lines import OVER_LIMIT, PlotLine, draw_lines, limit_line, name_lines
from nonosat.studies.analysis.style import TitledFigure

ROOT = Path(__file__).parents[1]
RESULTS = ROOT / "results"
sys.path.insert(0, str(ROOT / "benchmarks"))  # which its imports need
FIGURES = module_of(ROOT / "benchmarks" / "figures.py")

Figures = Iterator[tuple[str, TitledFigure]]


def of_castilho() -> Figures:
    return castilho.printed(load(RESULTS / "castilho2018-again.parquet"))


def of_transition() -> Figures:
    boards = transition.boards(transition.load_boards(RESULTS / "transition"))
    return transition.printed(boards, pd.read_csv(RESULTS / "transition/by-cell.csv"))


def of_scaling() -> Figures:
    tables = (pd.read_csv(RESULTS / f"transition/{name}.csv") for name in ("shares", "fits"))
    return scaling.printed(*tables)


def of_reports() -> Figures:
    """The figures of any study's report, from one of the studies."""
    frame = load(RESULTS / "encodings-small.parquet")
    for width in style.COLUMNS.values():
        with style.drawn_for(style.paper(width)):
            yield "cactus", plots.cactus(frame, "configuration")
            yield "heat", plots.heat(frame, "minisat22", "median", names=["tight+r3+order"])
            yield "scatter", plots.scatter(frame, "tight+r3+order · minisat22", "automaton+order · minisat22")


MAKERS: dict[str, Callable[[], Figures]] = {
    "castilho2018-again": of_castilho,
    "certainty": lambda: certainty.printed(certainty.load_costs()),
    "counting-encodings": lambda: counting.printed(counting.by_encoding(counting.load_counts())),
    "crossover": lambda: crossover.printed(
        *(pd.read_csv(RESULTS / f"crossover/{name}.csv") for name in ("cells", "crossovers"))
    ),
    "drawn-and-random": lambda: pictures.printed(pd.read_csv(RESULTS / "drawn-and-random/effects.csv")),
    "majdandzic2022": lambda: levels.printed(load(RESULTS / "majdandzic2022.parquet")),
    "transition": of_transition,
    "finite-size": of_scaling,
    "": FIGURES.printed,
}
"""By folder of results/: what draws the figures there; "": those of benchmarks, each in a folder of its name."""


LONG = ("castilho2018-again", "majdandzic2022", "")


NAMES = [pytest.param(name, marks=RARE * (name in LONG)) for name in (*MAKERS, "reports")]


@pytest.mark.parametrize("name", spread(NAMES, 2))
def test_figures_fit_a_page_and_are_read_in_print(name: str) -> None:
    made = list(of_reports() if name == "reports" else MAKERS[name]())
    assert made
    assert {stem: faults for stem, figure in made if (faults := style.print_faults(figure))} == {}
    for stem, figure in made if name != "reports" else ():
        folder = RESULTS / {"finite-size": "transition", "": stem}.get(name, name)
        assert (folder / f"{stem}.png").is_file()
        assert (folder / f"{stem}.txt").read_text(encoding="utf-8").strip() == figure.caption


def test_what_is_unfit_for_print_is_found() -> None:
    with style.drawn_for(style.paper(12.0)):
        figure, (axes,) = style.drawn("A title", "3 runs.", size=(4.0, 9.0), fixed=True)
    axes.text(0.5, 0.5, "small", fontsize=5)
    faults = style.print_faults(figure)
    assert [fault.rpartition(" ")[2] for fault in faults] == ["wide", "high", "points"]


def test_twelve_series_differ_by_marker_and_seven_by_all_three() -> None:
    looks = [style.look(at) for at in range(12)]
    assert len({look.marker for look in looks}) == 12
    assert len({(look.colour, look.dash) for look in looks}) == 12
    for axis in ("colour", "marker", "dash"):
        assert len({str(getattr(look, axis)) for look in looks[:7]}) == 7


def test_what_is_over_the_limit_is_an_open_marker_on_it_and_in_the_key() -> None:
    with style.drawn_for(style.paper()):
        figure, (axes,) = style.drawn("A title", "3 runs.")
    lines = [PlotLine("a", [1, 2], [3, float("inf")], style.look(0), beyond=[2], limit=10)]
    draw_lines(axes, lines)
    name_lines(figure, lines)
    [mark] = [line for line in axes.lines if line.get_markerfacecolor() == "white"]
    assert mark.get_xydata().tolist() == [[2.0, 10.0]]  # type: ignore[union-attr]
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["a", OVER_LIMIT]


def test_an_open_marker_that_is_not_drawn_is_not_in_the_key() -> None:
    with style.drawn_for(style.paper()):
        figure, (axes,) = style.drawn("Decisions", "3 runs.")
    lines = [PlotLine("a", [1, 2], [3, math.nan], style.look(0), hollow=[False, True])]
    draw_lines(axes, lines)
    name_lines(figure, lines)
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["a"]
    assert [line for line in axes.lines if line.get_markerfacecolor() == "white"] == []


@pytest.mark.parametrize("theme", [style.paper(), style.theme()])
def test_the_limit_s_name_is_clear_of_markers_on_it(theme: Any) -> None:
    with style.drawn_for(theme):
        figure, (axes,) = style.drawn("A title", "3 runs.")
        draw_lines(axes, [PlotLine("a", [1, 2], [3, math.inf], style.look(0), beyond=[1, 2], limit=10)])
        limit_line(axes, 10)
        [word] = axes.texts
        figure.canvas.draw()
        marker = style.theme().marker * figure.dpi / 72
        bottom = word.get_window_extent().y0
        assert bottom >= axes.transData.transform((1, 10))[1] + marker / 2
