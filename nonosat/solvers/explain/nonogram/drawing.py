"""Nonograms in the drawings of explanations."""

from __future__ import annotations

from typing import Any

from nonosat.puzzles.drawing.shades import cell_shade, ink_of
from nonosat.puzzles.nonogram.layout import numbers
from nonosat.puzzles.nonogram.puzzle import Clue, Nonogram
from nonosat.puzzles.nonogram.text import painted
from nonosat.solvers.explain.nonogram.line import OPEN
from nonosat.solvers.explain.steps import Constraint

UNKNOWN = "▫▫"
"""An open cell: what a board leaves empty is hard to count in a single line."""


def line_text(puzzle: Nonogram, constraint: Constraint, values: list[int], colour: bool) -> str:
    """A row or a column, from left to right, behind its clue, with a mark after every fifth cell.

    >>> puzzle = Nonogram.from_lengths([[2, 1]], [[1], [1], [], [1]])
    >>> line_text(puzzle, Constraint("row", 0), [1, 1, 0, -1], False)
    '2 1 │████··▫▫│'
    """
    clue = (puzzle.rows if constraint.family == "row" else puzzle.columns)[constraint.place]
    cells = [UNKNOWN if value == OPEN else painted([value], puzzle.palette, 2, colour) for value in values]
    groups = ["".join(cells[i : i + 5]) for i in range(0, len(cells), 5)]
    return f"{puzzle.clue_text(clue)} │{'┊'.join(groups)}│"


def page(puzzle: Nonogram) -> dict[str, Any]:
    """See ``View``: numbers in the colours of their runs, cells without text."""

    def told(clue: Clue) -> list[dict[str, str]]:
        shades = ["#8c8c8c", *(ink_of(colour.rgb) for colour in puzzle.palette)]
        return [{"text": text, "shade": shades[colour]} for text, colour in numbers(clue)]

    cells = {"0": {"text": "·", "shade": "#ffffff"}}
    cells |= {str(v): {"text": "", "shade": cell_shade(c.rgb)} for v, c in enumerate(puzzle.palette, 1)}
    return {
        "top": [told(clue) for clue in puzzle.columns],
        "left": [told(clue) for clue in puzzle.rows],
        "right": [],
        "bottom": [],
        "cells": cells,
    }
