"""Does this picture solve this nonogram? Its lines are walked, all at once, and their runs compared with the clues."""

from __future__ import annotations

import re
from functools import cache
from itertools import groupby

from nonosat.puzzles.nonogram.puzzle import Clue, Nonogram, Run, black_runs
from nonosat.puzzles.puzzle import Board, Fault, given_fault, size_fault

END = b"\xff"
"""What stands between two lines: more than any colour."""
CELL = [bytes((value,)) for value in range(256)]
BLACK = [CELL[1] * length for length in range(256)]
BLACK_ON_WHITE = bytes([0x20, 1] + [2] * 253 + [0xFF])
"""Blanks become white space, and nothing else does: ``bytes.split`` then finds the runs of a single colour."""


def fault(puzzle: Nonogram, picture: Board) -> Fault | None:
    """The first fault: size, rows, columns, given cells."""
    # Lines that are too long are caught as well as lines that are too short (Wałejko's pseudocode 1.1 misses those).
    if (wrong := size_fault(puzzle, picture)) is not None:
        return wrong
    if puzzle.colours == 1 and "cells" in vars(picture) and _black_array(puzzle, picture):
        return given_fault(puzzle, picture.cells) if puzzle.given else None
    values, width = picture.values, puzzle.width
    rows = [values[start : start + width] for start in range(0, len(values), width)]
    lines = rows + [values[column::width] for column in range(width)]
    clues = puzzle.rows + puzzle.columns
    right = _black(lines) == _black_clued(clues) if puzzle.colours == 1 else _coloured(puzzle, lines)
    if not right:
        at = next(i for i, line in enumerate(lines) if _runs(line) != clues[i])
        return _line_fault(puzzle, lines, at)
    return given_fault(puzzle, rows) if puzzle.given else None


def _line_fault(puzzle: Nonogram, lines: list[bytes], at: int) -> Fault:
    """What is wrong with a line; the columns are counted after the rows."""
    axis, index = ("row", at) if at < puzzle.height else ("column", at - puzzle.height)
    runs, clue = _runs(lines[at]), (puzzle.rows + puzzle.columns)[at]
    if any(run.colour > puzzle.colours for run in runs):
        return Fault(axis, index, "has a colour that the puzzle lacks")
    return Fault(axis, index, f"has {puzzle.clue_text(runs)}, the clue says {puzzle.clue_text(clue)}")


def _runs(line: bytes) -> Clue:
    """The runs of a line."""
    return tuple(Run(len(list(alike)), value) for value, alike in groupby(line) if value != 0)


def _black(lines: list[bytes]) -> list[bytes]:
    """The runs of lines in black and white, and an ``END`` after those of each; one of another value is no such run."""
    return (b"\0\xff\0".join(lines) + b"\0\xff").translate(BLACK_ON_WHITE).split()


def _black_clued(clues: tuple[Clue, ...]) -> list[bytes]:
    """The same of clues."""
    found: list[bytes] = []
    for clue in clues:
        for run in clue:
            try:
                found.append(BLACK[run[0]])
            except IndexError:  # to ask before would take longer than all else here
                found.append(CELL[1] * run[0])
        found.append(END)
    return found


def _black_array(puzzle: Nonogram, picture: Board) -> bool:
    """Is a picture that numpy has right, in black and white? In a third of the time that bytes take."""
    if picture.values.translate(None, b"\0\1"):
        return False
    lengths, ends = black_runs(picture.cells)
    return lengths.tobytes() == puzzle.lengths.tobytes() and ends.tobytes() == puzzle.first_runs[1:].tobytes()


def _coloured(puzzle: Nonogram, lines: list[bytes]) -> bool:
    """Do the lines have the runs of their clues, in colours?"""
    expected: list[bytes] = []
    for clue in puzzle.rows + puzzle.columns:
        expected += [CELL[colour] * length for length, colour in clue]
        expected.append(END)
    most = max(map(max, lines))
    return most <= puzzle.colours and _walk(puzzle.colours).findall(END.join(lines) + END) == expected


@cache
def _walk(colours: int) -> re.Pattern[bytes]:
    """What finds the runs of lines, as long as each can be, and the ``END`` of each."""
    return re.compile(b"|".join([*(re.escape(bytes([colour])) + b"+" for colour in range(1, colours + 1)), END]))
