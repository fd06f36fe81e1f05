"""Drawings of puzzles and pictures, to the file that the user names."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

from nonosat.errors import UnsupportedError

if TYPE_CHECKING:
    from nonosat.puzzles.puzzle import Board, Puzzle


def drawer_to(out: str) -> Callable[[Puzzle | None, Board | None], None]:
    """What draws to the file ``out``; its suffix is looked at now, before anything has been computed."""
    from nonosat.files import shown, suffix_of

    suffix = suffix_of(out)
    if out != "-" and suffix not in (".png", ".svg", ".txt"):
        raise UnsupportedError(f"{shown(out)}: draws .png, .svg or .txt")

    def drawer(puzzle: Puzzle | None, picture: Board | None) -> None:
        from nonosat.files import write_atomically

        assert puzzle is not None
        data: str | bytes
        if suffix == ".png":
            from nonosat.puzzles.drawing.png import png

            data = png(puzzle, picture)
        elif suffix == ".svg":
            from nonosat.puzzles.drawing.svg import svg

            data = svg(puzzle, picture)
        else:
            from nonosat.puzzles.drawing.text import puzzle_text

            data = puzzle_text(puzzle, picture, colour=out == "-" and sys.stdout.isatty()) + "\n"
        write_atomically(out, data)

    return drawer
