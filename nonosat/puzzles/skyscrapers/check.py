"""Do these heights solve this puzzle? Every line is walked from both of its ends."""

from __future__ import annotations

from collections import Counter

from nonosat.puzzles.puzzle import Board, Fault, given_fault, size_fault
from nonosat.puzzles.skyscrapers.puzzle import Skyscrapers


def fault(puzzle: Skyscrapers, picture: Board) -> Fault | None:
    """The first fault: size, rows and columns (each height once), clues (top, bottom, left, right), given heights."""
    if (wrong := size_fault(puzzle, picture)) is not None:
        return wrong
    rows: list[list[int]] = picture.cells.tolist()
    columns = [list(column) for column in zip(*rows, strict=True)]
    size = len(rows)
    for axis, lines in (("row", rows), ("column", columns)):
        for index, line in enumerate(lines):
            for height, times in Counter(line).items():
                if not 1 <= height <= size:
                    return Fault(axis, index, f"{height} is no height on a {size}x{size} board")
                if times > 1:
                    return Fault(axis, index, f"{height} stands {'twice' if times == 2 else f'{times} times'}")
    for axis, end, lines, clues in (
        ("column", "top", columns, puzzle.top),
        ("column", "bottom", [line[::-1] for line in columns], puzzle.bottom),
        ("row", "left", rows, puzzle.left),
        ("row", "right", [line[::-1] for line in rows], puzzle.right),
    ):
        for index, (line, clue) in enumerate(zip(lines, clues, strict=True)):
            count = sum(height > max(line[:before], default=0) for before, height in enumerate(line))
            if clue not in (0, count):
                seen = "1 tower is seen" if count == 1 else f"{count} towers are seen"
                return Fault(axis, index, f"{seen}, the clue says {clue}", end)
    return given_fault(puzzle, rows)
