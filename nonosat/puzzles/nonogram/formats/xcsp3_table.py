"""Nonograms in XCSP3 with a table for each line (``extension``): all lines that its clue allows, as tuples.

It is read and written like ``xcsp3``, and says the same at more length::

    <extension> <list> x[0][] </list> <supports> (0,0,1)(0,1,0)(1,0,0) </supports> </extension>
"""

from __future__ import annotations

from collections.abc import Sequence

from nonosat.errors import UnsupportedError
from nonosat.puzzles.nonogram.formats.automata import lines_of, placements
from nonosat.puzzles.nonogram.formats.xcsp3 import instance, is_instance
from nonosat.puzzles.nonogram.formats.xcsp3_reader import read
from nonosat.puzzles.nonogram.puzzle import Clue, Nonogram

__all__ = ["marks", "read", "write"]

MAX_CELLS = 20_000_000
"""Of all tuples: a text of 40 MB."""


def marks(text: str) -> bool:
    """An instance with tables and without automata."""
    return is_instance(text) and "<extension" in text and "<regular" not in text


def write(puzzles: Sequence[Nonogram]) -> str:
    """One puzzle by tables; several, and tables that would be too large, raise ``UnsupportedError``."""
    for puzzle in puzzles:
        lengths = {"row": puzzle.width, "column": puzzle.height}
        cells = sum(placements(clue, lengths[axis]) * lengths[axis] for axis, _, clue in puzzle.lines())
        if cells > MAX_CELLS:
            raise UnsupportedError(f"tables of {cells:,} cells, at most {MAX_CELLS:,} are written; xcsp3 needs none")
    return instance(puzzles, "xcsp3-table", _extension)


def _extension(cells: str, clue: Clue, length: int) -> list[str]:
    lines = lines_of(clue, length)
    if length == 1:  # of one cell, values stand without parentheses
        supports = " ".join(str(value) for (value,) in lines)
    else:
        supports = "".join(f"({','.join(map(str, line))})" for line in lines)
    return ["<extension>", f"  <list> {cells} </list>", f"  <supports> {supports} </supports>", "</extension>"]
