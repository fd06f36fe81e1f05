"""The plot of rivals.py: medians over sizes, for each density, to a picture, and to two or the proof of one."""

from __future__ import annotations

import math
from pathlib import Path

from tables import Row

from nonosat.experiments.analysis import lines, rendering, style

DRAWN = (
    *("nonosat, auto", "nonosat, minisat22", "Pindakaas", "pysat.integer", "OR-Tools, automata", "CPMpy, CP-SAT"),
    *("multi-puzzle-solver", "picross-solver"),
)
QUESTIONS = {"first": "a picture", "second": "two, or proof of one"}
NOT_DRAWN = {("first", "multi-puzzle-solver")}
"""More than seven lines in a panel cannot be followed."""
DENSITIES = ("40 %", "50 %", "60 %")


def plot(rows: list[Row], path: Path, on: str) -> None:
    """``on``: the machine that they were measured on."""
    foot = (
        "Medians of random boards with 95 % intervals, CPU time. A line ends where less than half of those begun were "
        f"solved within the limit. All rivals, formulas, whole processes and other puzzles: rivals.md. {on}"
    )
    panels = len(QUESTIONS) * len(DENSITIES)
    figure, axes = style.drawn(
        "CPU milliseconds from the puzzle to its answer", foot, panels, 3, (2.6, 2.3), DRAWN, sharex=True, sharey=True
    )
    looks: dict[str, style.Look] = {**style.looks(DRAWN[:-1]), DRAWN[-1]: style.Look(style.GREY, "*", (0, (2, 1)))}
    every: list[lines.Line] = []
    for number, axis in enumerate(axes):
        question, density = [*QUESTIONS][number // len(DENSITIES)], DENSITIES[number % len(DENSITIES)]
        style.headed(axis, f"{QUESTIONS[question]}, {density} filled")
        for who in DRAWN:
            if (question, who) not in NOT_DRAWN:
                every += one_line(axis, [row for row in rows if told(row, who, question, density)], who, looks[who])
        style.logarithmic(axis)
        across = number >= panels - len(DENSITIES)
        style.labelled(axis, "rows and columns" if across else "", "ms" if number % len(DENSITIES) == 0 else "")
        style.grid(axis)
    lines.name_lines(figure, every)
    path.write_bytes(rendering.rendered(figure, "png"))


def told(row: Row, who: str, question: str, density: str) -> bool:
    """Is the row a point of this line?"""
    return (
        row["who"] == who
        and row["question"] == question
        and row["set"].endswith(f", {density}")
        and row["median_ms"] is not None
    )


def one_line(axis: object, rows: list[Row], who: str, look: style.Look) -> list[lines.Line]:
    """Draw it; no line if it has no point."""
    if not rows:
        return []
    ends = [[number(end) for end in row["interval_ms"].split("..")] for row in rows]
    sizes = [int(row["set"].partition("x")[0]) for row in rows]
    low, high = zip(*ends, strict=True)
    line = lines.Line(who, sizes, [row["median_ms"] for row in rows], look, low=low, high=high)
    lines.draw_lines(axis, [line])  # type: ignore[arg-type]
    return [line]


def number(text: str) -> float:
    return math.inf if text == "?" else float(text.replace(",", ""))
