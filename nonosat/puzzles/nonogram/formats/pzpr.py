"""Nonograms in links of puzz.link: the clues of the columns, then of the rows, each with as many places as it can have
runs, (length + 1) // 2 of them, and counted from the board outward: the last run comes first.
"""

from __future__ import annotations

from collections.abc import Iterable

from nonosat.errors import FormatError, UnsupportedError
from nonosat.puzzles.formats.pzpr import UNKNOWN, coded, numbers
from nonosat.puzzles.nonogram.formats.written_clues import board_size, refuse_colours, refuse_given
from nonosat.puzzles.nonogram.puzzle import Clue, Nonogram, Run
from nonosat.puzzles.puzzle import PzprLink

LARGEST = 4095
"""A number of three hexadecimal digits."""


def read(columns: int, rows: int, body: str) -> Nonogram:
    """The nonogram of a link's ``body``."""
    board_size(rows, columns)
    deep, wide = (rows + 1) // 2, (columns + 1) // 2
    found, rest = numbers(body, columns * deep + rows * wide)
    if rest:
        raise FormatError("there is more behind the numbers of the clues")
    if any(value == UNKNOWN for value in found.values()):
        raise FormatError("a run of unknown length (?)")
    lines: list[list[Run]] = [[] for _ in range(columns + rows)]
    for place, value in found.items():
        line = place // deep if place < columns * deep else columns + (place - columns * deep) // wide
        lines[line].append(Run(value))
    clues = [() if line == [Run(0)] else tuple(reversed(line)) for line in lines]
    return Nonogram(tuple(clues[columns:]), tuple(clues[:columns]))


def write(puzzle: Nonogram) -> str:
    """The body of the link of ``puzzle``; colours, given cells and runs over 4,095 raise ``UnsupportedError``."""
    refuse_colours(puzzle, "pzpr")
    refuse_given(puzzle, "pzpr")
    if any(run.length > LARGEST for _, _, clue in puzzle.lines() for run in clue):
        raise UnsupportedError(f"pzpr cannot hold runs over {LARGEST:,}")
    places = [
        *_places(puzzle.columns, (puzzle.height + 1) // 2),
        *_places(puzzle.rows, (puzzle.width + 1) // 2),
    ]
    return coded(places)


def _places(clues: Iterable[Clue], deep: int) -> Iterable[int | None]:
    for clue in clues:
        yield from (run.length for run in reversed(clue))
        yield from [None] * (deep - len(clue))


LINK = PzprLink("nonogram", read, write)
