"""Puzzles that are asked for by a file and options."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nonosat.errors import UnsupportedError

if TYPE_CHECKING:
    from nonosat.puzzles.nonogram import Nonogram
    from nonosat.puzzles.puzzle import Puzzle


def puzzles_of(file: str, from_format: str | None, index: int | None) -> list[Puzzle]:
    """All puzzles in ``file``, or number ``index`` of them alone."""
    from nonosat.puzzles.formats import load, load_all

    return [load(file, from_format, index)] if index else load_all(file, from_format)


def nonogram(puzzle: Puzzle, what: str) -> Nonogram:
    """``puzzle``, if it is one. UnsupportedError: ``what`` is for nonograms only."""
    from nonosat.puzzles.nonogram import Nonogram

    if not isinstance(puzzle, Nonogram):
        raise UnsupportedError(f"{what} is for nonograms, not for {puzzle.kind}")
    return puzzle
