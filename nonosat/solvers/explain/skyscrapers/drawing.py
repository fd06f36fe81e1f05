"""Skyscrapers in the drawings of explanations."""

from __future__ import annotations

from typing import Any

from nonosat.puzzles.skyscrapers import Skyscrapers
from nonosat.puzzles.skyscrapers.skyline import shade
from nonosat.puzzles.skyscrapers.text import clue_text, painted
from nonosat.solvers.explain.steps import Constraint

_ENDS = {"row": ("left", "right"), "column": ("top", "bottom")}


def line_text(puzzle: Skyscrapers, constraint: Constraint, values: list[int], colour: bool) -> str:
    """A row from left to right, or a column from the top down, between its clues.

    >>> puzzle = Skyscrapers((0, 0, 0), (0, 0, 0), (2, 0, 0), (0, 0, 0))
    >>> line_text(puzzle, Constraint("left", 0), [1, -1, 2], False)
    '2 │ 1 · 2 │'
    """
    ends = next(ends for axis, ends in _ENDS.items() if constraint.family in (axis, *ends))
    front, back = (clue_text(getattr(puzzle, end)[constraint.place], puzzle.size) for end in ends)
    cells = painted([max(value, 0) for value in values], puzzle.size, frozenset(), colour)
    return f"{front} │{cells}│ {back}".rstrip()


def page(puzzle: Skyscrapers) -> dict[str, Any]:
    """See ``View``: clues on four sides, heights on their shades."""
    sides = {
        side: [[{"text": str(clue), "shade": "#1d2733"}] if clue else [] for clue in getattr(puzzle, side)]
        for ends in _ENDS.values()
        for side in ends
    }
    heights = range(1, puzzle.size + 1)
    return {**sides, "cells": {str(h): {"text": str(h), "shade": shade(h, puzzle.size)} for h in heights}}
