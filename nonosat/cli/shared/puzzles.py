"""Puzzles that are asked for by a file and options."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from nonosat.errors import UnsupportedError

if TYPE_CHECKING:
    from nonosat.puzzles.nonogram import Nonogram
    from nonosat.puzzles.puzzle import Puzzle


def puzzles_of(file: str, from_format: str | None, index: int | None) -> list[Puzzle]:
    """All puzzles in ``file``, or number ``index`` of them alone; of an image the puzzle whose picture it is."""
    from nonosat.experiments.puzzle_files import IMAGES, puzzles_in
    from nonosat.files import suffix_of
    from nonosat.puzzles.formats import load, load_all

    if from_format is None and suffix_of(Path(file)) in IMAGES:
        return _of_image(file, puzzles_in)
    return [load(file, from_format, index)] if index else load_all(file, from_format)


def _of_image(file: str, read: Callable[[Path], list[Puzzle]]) -> list[Puzzle]:
    try:
        return read(Path(file))
    except UnsupportedError as error:
        raise UnsupportedError(f"{error}; `nonosat picture {file} --size ...` makes a puzzle of it") from None


def nonogram(puzzle: Puzzle, what: str) -> Nonogram:
    """``puzzle``, if it is one. UnsupportedError: ``what`` is for nonograms only."""
    from nonosat.puzzles.nonogram import Nonogram

    if not isinstance(puzzle, Nonogram):
        raise UnsupportedError(f"{what} is for nonograms, not for {puzzle.kind}")
    return puzzle
