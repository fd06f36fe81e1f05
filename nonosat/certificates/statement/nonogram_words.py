"""How people speak of the variables of a nonogram's encodings: for messages, the statement does not need it."""

from __future__ import annotations

from nonosat.certificates.statement.words import Said, where
from nonosat.puzzles.nonogram import Nonogram


def said(puzzle: Nonogram, variable: str) -> Said | None:
    """A cell, or where a run starts; None: something else.

    >>> puzzle = Nonogram.from_lengths([[1]], [[1], []])
    >>> found = said(puzzle, "h_0_0")
    >>> found.line, found.subject, found.verb, found.word(1)
    ('row 1', 'run 1', 'starts at', '2')
    """
    axis, *rest = variable.split("_")
    if axis == "x":
        colours = ["filled"] if puzzle.colours == 1 else [colour.symbol for colour in puzzle.palette]
        return Said("", where(*map(int, rest)), "is", ["blank", *colours].__getitem__, None)
    if (line := {"h": "row", "v": "column"}.get(axis)) is None:
        return None
    place = (lambda start: str(start + 1)), ("or before", "or later")
    return Said(f"{line} {int(rest[0]) + 1}", f"run {int(rest[1]) + 1}", "starts at", *place)
