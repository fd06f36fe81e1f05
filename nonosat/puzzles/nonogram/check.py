"""Does this picture solve this nonogram? Its lines are walked, and their runs compared with the clues."""

from __future__ import annotations

from itertools import groupby

from nonosat.puzzles.check import Fault, given_fault, size_fault
from nonosat.puzzles.nonogram.puzzle import Nonogram, Run
from nonosat.puzzles.puzzle import Board


def fault(puzzle: Nonogram, picture: Board) -> Fault | None:
    """The first fault: size, rows, columns, given cells."""
    # Lines that are too long are caught as well as lines that are too short (Wałejko's pseudocode 1.1 misses those).
    if (wrong := size_fault(puzzle, picture)) is not None:
        return wrong
    rows: list[list[int]] = picture.cells.tolist()
    for axis, lines, clues in (
        ("row", rows, puzzle.rows),
        ("column", [list(column) for column in zip(*rows, strict=True)], puzzle.columns),
    ):
        for index, (line, clue) in enumerate(zip(lines, clues, strict=True)):
            found = tuple([(len(list(cells)), value) for value, cells in groupby(line) if value != 0])
            if found != clue:
                runs = tuple(Run(*run) for run in found)
                if any(run.colour > puzzle.colours for run in runs):
                    return Fault(axis, index, "has a colour that the puzzle lacks")
                reason = f"has {puzzle.clue_text(runs)}, the clue says {puzzle.clue_text(clue)}"
                return Fault(axis, index, reason)
    return given_fault(puzzle, rows)
