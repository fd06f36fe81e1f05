"""Sudokus as SVG: heavy lines around boxes, given values bold."""

from __future__ import annotations

from nonosat.errors import PuzzleError
from nonosat.puzzles.drawing import EDGE, FONTS, HEAVY, THIN, document, size_text
from nonosat.puzzles.puzzle import Board, given_board
from nonosat_sudoku.puzzle import BOXES, DIGITS, Grid, Sudoku

CELL = 36
GIVEN, FOUND = "#1a1a1a", "#1f5fa8"


def svg(puzzle: Sudoku, board: Board | None = None) -> str:
    """The puzzle, with ``board`` on it; without one, the given cells."""
    if board is not None and board.shape != puzzle.shape:
        raise PuzzleError(size_text("board", board.shape, puzzle.shape))
    given = given_board(puzzle)
    title = puzzle.title or f"Sudoku, {puzzle.size} x {puzzle.size}"
    return _drawn(given if board is None else board.cells.tolist(), given, puzzle.box, title)


def svg_picture(board: Grid) -> str:
    """The board alone."""
    rows = board.cells.tolist()
    return _drawn(rows, rows, BOXES.get(len(rows), (1, len(rows))), f"Sudoku, {len(rows)} x {len(rows)}")


def _drawn(rows: list[list[int]], given: list[list[int]], box: tuple[int, int], title: str) -> str:
    size, side = len(rows), len(rows) * CELL
    thin, heavy = "", ""
    for at in range(size + 1):
        across, down = f"M0 {at * CELL}h{side}", f"M{at * CELL} 0v{side}"
        heavy += (across if at % box[0] == 0 else "") + (down if at % box[1] == 0 else "")
        thin += (across if at % box[0] else "") + (down if at % box[1] else "")
    texts = [
        f'<text x="{(c + 0.5) * CELL:g}" y="{(r + 0.7) * CELL:g}" fill="{GIVEN if given[r][c] else FOUND}"'
        f"{' font-weight=' + chr(34) + 'bold' + chr(34) if given[r][c] else ''}>{DIGITS[value - 1]}</text>"
        for r, row in enumerate(rows)
        for c, value in enumerate(row)
        if value
    ]
    lines = 'fill="none" shape-rendering="crispEdges"'
    parts = [
        f'<path stroke="{THIN}" {lines} d="{thin}"/>' if thin else "",
        f'<path stroke="{HEAVY}" stroke-width="2" {lines} d="{heavy}"/>',
        f'<g font-family="{FONTS}" font-size="{CELL * 0.6:g}" text-anchor="middle">{"".join(texts)}</g>',
    ]
    return document(title, EDGE, EDGE, side + 2 * EDGE, side + 2 * EDGE, parts, CELL)
