"""Phrases that several commands print."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from nonosat.puzzles.puzzle import Puzzle


def plural(count: int, thing: str) -> str:
    """``1 puzzle``, ``2,000 puzzles``."""
    return f"{count:,} {thing}{'s' * (count != 1)}"


def titled(puzzle: Puzzle) -> str:
    """The puzzle's title as the end of a line about it; nothing if it has none."""
    return f" · {puzzle.title}" if puzzle.title else ""
