"""Puzzles that are asked for by a file and options."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from nonosat.errors import UnsupportedError

if TYPE_CHECKING:
    from nonosat.puzzles.puzzle import Puzzle


def puzzles_of(file: str, from_format: str | None, index: int | None) -> list[Puzzle]:
    """All puzzles in ``file``, or number ``index`` of them alone."""
    from nonosat.puzzles.formats import load_all

    if index:
        return [puzzle_of(file, from_format, index)]
    with _advised(file):
        return load_all(file, from_format)


def puzzle_of(file: str, from_format: str | None = None, index: int | None = None) -> Puzzle:
    """The puzzle in ``file``, or number ``index`` of several."""
    from nonosat.puzzles.formats import load

    with _advised(file):
        return load(file, from_format, index)


@contextmanager
def _advised(file: str) -> Iterator[None]:
    """Who has an image that is no puzzle as it is, such as a photograph, is told which command makes one of it."""
    from nonosat.puzzles.formats import pictured

    try:
        yield
    except UnsupportedError as error:
        if not pictured.is_image(file):
            raise
        raise UnsupportedError(f"{error}; `nonosat picture {file} --size ...` makes a puzzle of it") from None
