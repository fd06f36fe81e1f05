"""The plot of rivals.py: medians over sizes, for each density, to a picture, and to two or the proof of one."""

from __future__ import annotations

import math

from tables import Row

from nonosat.studies.analysis import lines, style

DRAWN = (
    *("nonosat, auto", "nonosat, minisat22", "Pindakaas", "pysat.integer", "OR-Tools, automata", "CPMpy, CP-SAT"),
    *("multi-puzzle-solver", "picross-solver"),
)
QUESTIONS = {"first": "a picture", "second": "two, or proof of one"}
NOT_DRAWN = {("first", "multi-puzzle-solver")}
"""More than seven lines in a panel cannot be followed."""
DENSITIES = ("40 %", "50 %", "60 %")


def plot(rows: list[Row], on: str) -> style.TitledFigure:
    """``on``: the machine that they were measured on."""
    looks: dict[str, style.Look] = {**style.looks(DRAWN[:-1]), DRAWN[-1]: style.Look(style.GREY, "*", (0, (2, 1)))}
    asked = [(question, density) for question in QUESTIONS for density in DENSITIES]
    made = [[line for who in DRAWN for line in one_line(rows, who, *each, looks[who])] for each in asked]
    every = [line for some in made for line in some]
    shown = [row for row in rows for question, density in asked for who in DRAWN if told(row, who, question, density)]
    begun, limits = [row["begun"] for row in shown], {row["limits_s"].split(", ")[1] for row in shown}
    boards = f"Medians of {min(begun)} to {max(begun)} random boards" if shown else "No boards"
    foot = (
        f"{boards} with 95 % intervals (too short where boards are fewer than six), CPU time, at most "
        f"{' or '.join(sorted(limits))} s a board. A line ends where half of those begun or more were not "
        f"solved within the limit.{lines.marks_note(every)} All rivals, formulas, whole processes and other "
        f"puzzles: rivals.md. {on}"
    )
    panels = len(asked)
    figure, axes = style.drawn(
        "CPU milliseconds from the puzzle to its answer", foot, panels, 3, (2.2, 2.3), DRAWN, sharex=True, sharey=True
    )
    for number, (axis, (question, density), some) in enumerate(zip(axes, asked, made, strict=True)):
        style.headed(axis, f"{QUESTIONS[question]}, {density} filled")
        lines.draw_lines(axis, some)
        style.logarithmic(axis)
        across = number >= panels - len(DENSITIES)
        style.labelled(axis, "rows and columns" if across else "", "ms" if number % len(DENSITIES) == 0 else "")
        style.panel_grid(axis)
    lines.name_lines(figure, every)
    return figure


def told(row: Row, who: str, question: str, density: str) -> bool:
    """Is the row a point of this line?"""
    return (
        row["who"] == who
        and row["question"] == question
        and row["set"].endswith(f", {density}")
        and row["median_ms"] is not None
    )


def one_line(rows: list[Row], who: str, question: str, density: str, look: style.Look) -> list[lines.PlotLine]:
    """The line of ``who``; none if it has no point, or is not drawn."""
    rows = [row for row in rows if told(row, who, question, density)]
    if not rows or (question, who) in NOT_DRAWN:
        return []
    ends = [[number(end) for end in row["interval_ms"].split("..")] for row in rows]
    sizes = [int(row["set"].partition("x")[0]) for row in rows]
    low, high = zip(*ends, strict=True)
    return [lines.PlotLine(who, sizes, [row["median_ms"] for row in rows], look, low=low, high=high)]


def number(text: str) -> float:
    return math.inf if text == "?" else float(text.replace(",", ""))
