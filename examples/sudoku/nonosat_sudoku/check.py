"""Does this grid solve this Sudoku? Every row, column and box is counted; nothing is shared with the rules."""

from __future__ import annotations

from collections import Counter

from nonosat.puzzles.puzzle import Board, Fault, given_fault, size_fault
from nonosat_sudoku.puzzle import Sudoku


def fault(puzzle: Sudoku, board: Board) -> Fault | None:
    """The first fault: size, rows, columns, boxes, given cells."""
    if (wrong := size_fault(puzzle, board)) is not None:
        return wrong
    cells = board.cells.tolist()
    for axis, index, places in puzzle.units():
        for value, times in Counter(cells[row][column] for row, column in places).items():
            if times > 1:
                return Fault(axis, index, f"{value} stands {'twice' if times == 2 else f'{times} times'}")
    return given_fault(puzzle, cells)
