"""Skyscrapers as PNG, drawn with Pillow (imported when it is needed); they look like the SVG."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from nonosat.puzzles.drawing import (
    GRID,
    HEAVY,
    LEGIBLE,
    PAPER,
    THIN,
    USUAL,
    canvas,
    channels,
    check_cell,
    draw_number,
    encode,
    frame,
)
from nonosat.puzzles.puzzle import Board
from nonosat.puzzles.skyscrapers.puzzle import Heights, Skyscrapers
from nonosat.puzzles.skyscrapers.svg import (
    CLUE_FONT,
    CLUE_INK,
    FONT,
    INK,
    INSET,
    MARK,
    BoardLayout,
    plan,
    plan_heights,
    shade,
)

if TYPE_CHECKING:
    from nonosat.puzzles.drawing import Pixels


def png(puzzle: Skyscrapers, heights: Board | None = None, cell: int | None = None) -> bytes:
    """The board with its clues, and ``heights`` on it (without them: the given ones, which are marked either way).

    ``cell`` is the size of a cell in pixels, by default from 24 to 72. Under 16 pixels the numbers can't be read and
    are left out with the marks, under 5 the grid is too. A ``cell`` too large for the board, or of less than a pixel,
    raises ``UnsupportedError``.
    """
    return drawn(plan(puzzle, heights), cell)


def png_picture(heights: Heights, cell: int | None = None) -> bytes:
    """The heights alone; ``cell`` as in ``png``."""
    return drawn(plan_heights(heights), cell)


def drawn(board: BoardLayout, cell: int | None) -> bytes:
    """The image of a plan."""
    check_cell(cell)
    cell = cell or min(72, max(24, int(USUAL / (board.size + 2 * board.margin + 0.5))))
    legible = cell >= LEGIBLE
    # Two pixels at least: the frame is drawn outside of the cells.
    margin = round(board.margin * cell) * legible + round(cell * 0.25) + 2
    side = board.size * cell
    pixels = canvas(side + 2 * margin, side + 2 * margin)
    shades = [PAPER, *(shade(height, board.size) for height in range(1, board.size + 1))]
    colours = np.array([channels(known) for known in shades], dtype=np.uint8)
    board_pixels = colours[np.array(board.cells, dtype=np.uint8)].repeat(cell, axis=0).repeat(cell, axis=1)
    pixels[margin : margin + side, margin : margin + side] = board_pixels
    draw_grid(pixels, board.size, cell, margin)
    return encode(with_numbers(pixels, board, cell, margin) if legible else pixels)


def draw_grid(pixels: Pixels, size: int, cell: int, margin: int) -> None:
    """A thin line around every cell, a heavier one around the board."""
    thick = max(1, round(cell / 40))
    end = margin + size * cell
    if cell >= GRID:
        for line in range(1, size):
            start = margin + line * cell - thick // 2
            pixels[margin:end, start : start + thick] = channels(THIN)
            pixels[start : start + thick, margin:end] = channels(THIN)
    for step in range(1, min(2 * thick, margin) + 1):
        frame(pixels, margin - step, margin - step, end - 1 + step, end - 1 + step, HEAVY)


def with_numbers(pixels: Pixels, board: BoardLayout, cell: int, margin: int) -> Pixels:
    """``pixels`` with the numbers and the marks of the given cells."""
    from PIL import Image, ImageDraw, ImageFont

    image = Image.fromarray(pixels)
    draw = ImageDraw.Draw(image)
    inset, thick = round(cell * INSET), max(1, round(cell / 36))
    for row, column in board.given:
        left, top = margin + column * cell + inset, margin + row * cell + inset
        box = (left, top, left + cell - 1 - 2 * inset, top + cell - 1 - 2 * inset)
        draw.rounded_rectangle(box, radius=max(2, cell // 12), outline=MARK, width=thick)
    fonts = {size: ImageFont.load_default(size=round(size * cell)) for size in (FONT, CLUE_FONT)}
    for text, x, y, role in board.numbers:
        draw.font = fonts[CLUE_FONT if role == "clue" else FONT]
        bold = round(cell / 64) if role == "given" else 0  # on small cells a bold number is a blot
        draw_number(draw, text, margin + x * cell, margin + y * cell, CLUE_INK if role == "clue" else INK, bold)
    return np.asarray(image)
