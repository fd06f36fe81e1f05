"""Puzzles that are asked for by a file and options."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from nonosat.errors import UnsupportedError

if TYPE_CHECKING:
    from nonosat.puzzles.nonogram import Nonogram
    from nonosat.puzzles.puzzle import Puzzle


def puzzles_of(file: str, from_format: str | None, index: int | None) -> list[Puzzle]:
    """All puzzles in ``file``, or number ``index`` of them alone; of an image the puzzle whose picture it is."""
    from nonosat.puzzles.formats import load_all

    if index:
        return [puzzle_of(file, from_format, index)]
    return _of_image(file, from_format) or load_all(file, from_format)


def puzzle_of(file: str, from_format: str | None = None, index: int | None = None) -> Puzzle:
    """The puzzle in ``file``, or number ``index`` of several; of an image the puzzle whose picture it is."""
    from nonosat.puzzles.formats import load

    found = _of_image(file, from_format)
    return found[0] if found else load(file, from_format, index)


def _of_image(file: str, from_format: str | None) -> list[Puzzle]:
    """Nothing if ``file`` is not called as images are, or ``from_format`` says that it is something else."""
    from nonosat.experiments.puzzle_files import IMAGES, puzzles_in
    from nonosat.files import suffix_of

    if from_format is not None or suffix_of(Path(file)) not in IMAGES:
        return []
    try:
        return puzzles_in(Path(file))
    except UnsupportedError as error:
        raise UnsupportedError(f"{error}; `nonosat picture {file} --size ...` makes a puzzle of it") from None


def nonogram(puzzle: Puzzle, what: str) -> Nonogram:
    """``puzzle``, if it is one. UnsupportedError: ``what`` is for nonograms only."""
    from nonosat.puzzles.nonogram import Nonogram

    if not isinstance(puzzle, Nonogram):
        raise UnsupportedError(f"{what} is for nonograms, not for {puzzle.kind}")
    return puzzle
