"""Skyscrapers told by their heights: rows of numbers, a Latin square, as ``nonosat solve`` prints them."""

from __future__ import annotations

import re

from nonosat.puzzles.drawing.lines import Lines
from nonosat.puzzles.skyscrapers.puzzle import MAX_SIZE, Skyscrapers


def drawn(lines: Lines) -> Skyscrapers | None:
    """The puzzle with every clue of the board in ``lines``; None: they are no Latin square of 1 to N."""
    rows = [line.split() for _, line in lines]
    size = len(rows)
    if size > MAX_SIZE or any(len(row) != size for row in rows):
        return None
    if not all(re.fullmatch("[1-9][0-9]?", word) for row in rows for word in row):
        return None
    heights = [[int(word) for word in row] for row in rows]
    wanted = set(range(1, size + 1))
    if any(set(line) != wanted for line in (*heights, *zip(*heights, strict=True))):
        return None
    return Skyscrapers.from_heights(heights)
