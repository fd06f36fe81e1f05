"""Nonograms and pictures as PNG, drawn with Pillow (imported when it is needed); they look like the SVG."""

from __future__ import annotations

from math import isqrt
from typing import TYPE_CHECKING

import numpy as np

from nonosat.puzzles.drawing import (
    BARE_PIXELS,
    FAINT,
    GRID,
    GUIDE,
    HEAVY,
    LEGIBLE,
    MOST_PIXELS,
    PAPER,
    THIN,
    USUAL,
    canvas,
    cell_shade,
    channels,
    check_cell,
    draw_number,
    encode,
    frame,
    ink_of,
    ink_on,
)
from nonosat.puzzles.nonogram.puzzle import Colour, Nonogram, Picture
from nonosat.puzzles.nonogram.svg import FONT, Label, Layout, fifths, layout, shown_cells

if TYPE_CHECKING:
    from PIL import ImageDraw

    from nonosat.puzzles.drawing import Pixels


def png(puzzle: Nonogram, picture: Picture | None = None, cell: int | None = None) -> bytes:
    """The board with its clues, and ``picture`` on it (without one: the given cells, which are marked either way).

    ``cell`` is the size of a cell in pixels; by default it is chosen so that the image is about 1000 pixels wide, with
    cells of 16 to 72 pixels. Under 16 pixels the clue numbers can't be read and are left out, under 5 the grid is too.
    That happens by itself on boards that would need more than 40 megapixels with clues (some 300 x 300): their cells
    shrink to as little as a pixel. A board for which even that is too large, or a ``cell`` too large for the board,
    raises ``UnsupportedError``.
    """
    cells = np.array(shown_cells(puzzle, picture), dtype=np.uint8)
    check_cell(cell)
    small = cell is not None and cell < LEGIBLE
    if small or cells.size * LEGIBLE**2 > MOST_PIXELS:  # no need to lay out the clues, maybe a million of them
        return bare(cells, puzzle.palette, cell, grid=True)
    plan = layout(puzzle)
    chosen = cell or cell_with_clues(puzzle, plan)
    if chosen is None:
        return bare(cells, puzzle.palette, cell, grid=True)
    edge = round(chosen * 0.25) + 1
    left, top = round(plan.left * chosen) + edge, round(plan.top * chosen) + edge
    pixels = canvas(left + puzzle.width * chosen + edge, top + puzzle.height * chosen + edge)
    fill(pixels, cells, puzzle.palette, chosen, left, top)
    draw_guides(pixels, puzzle, chosen, left, top, edge)
    draw_grid(pixels, cells.shape, chosen, left, top)
    return encode(with_clues(pixels, puzzle, plan, cells, chosen, left, top))


def png_picture(picture: Picture, cell: int | None = None) -> bytes:
    """``picture`` alone: no clues, no grid, a thin frame. ``cell`` as in ``png``, from 1 to 72 pixels by default."""
    return bare(picture.cells, picture.palette, cell, grid=False)


def cell_with_clues(puzzle: Nonogram, plan: Layout) -> int | None:
    """The usual size of a cell on a board with clues, or None if its clues can't be read within ``MOST_PIXELS``."""
    width, height = puzzle.width + plan.left + 0.6, puzzle.height + plan.top + 0.6
    crowded = any(label.font < FONT for line in plan.columns for label in line)
    cell = min(72, max(22 if crowded else 18, int(USUAL / max(width, height))))
    while cell >= LEGIBLE and width * cell * height * cell > MOST_PIXELS:
        cell -= 1
    return cell if cell >= LEGIBLE else None


def bare(cells: Pixels, palette: tuple[Colour, ...], cell: int | None, grid: bool) -> bytes:
    """A board without clues."""
    check_cell(cell)
    height, width = cells.shape
    if cell is None:
        cell = min(72, max(4, USUAL // max(width, height)), max(1, isqrt(BARE_PIXELS // (width * height))))
    edge = min(6, cell + 1)
    pixels = canvas(width * cell + 2 * edge, height * cell + 2 * edge)
    fill(pixels, cells, palette, cell, edge, edge)
    if grid and cell >= GRID:
        draw_grid(pixels, cells.shape, cell, edge, edge)
    else:
        frame(pixels, edge - 1, edge - 1, edge + width * cell, edge + height * cell, HEAVY if grid else THIN)
    return encode(pixels)


def fill(pixels: Pixels, cells: Pixels, palette: tuple[Colour, ...], cell: int, left: int, top: int) -> None:
    """Paint all cells, ``cell`` pixels wide and high, from (``left``, ``top``) on."""
    shades = np.array([channels(PAPER), *(channels(cell_shade(c.rgb)) for c in palette)], dtype=np.uint8)
    height, width = cells.shape
    board = shades[cells].repeat(cell, axis=0).repeat(cell, axis=1)
    pixels[top : top + height * cell, left : left + width * cell] = board


def draw_grid(pixels: Pixels, shape: tuple[int, ...], cell: int, left: int, top: int) -> None:
    """A thin line around every cell, and a heavier one every five."""
    height, width = shape
    x0, x1, y0, y1 = left - 1, left + width * cell + 1, top - 1, top + height * cell + 1
    thick = max(1, round(cell / 40))
    for columns, rows, shade, size in (
        (range(width + 1), range(height + 1), THIN, thick),
        (fifths(width), fifths(height), HEAVY, 2 * thick),
    ):
        for x in columns:
            start = left + x * cell - size // 2
            pixels[y0:y1, start : start + size] = channels(shade)
        for y in rows:
            start = top + y * cell - size // 2
            pixels[start : start + size, x0:x1] = channels(shade)


def draw_guides(pixels: Pixels, puzzle: Nonogram, cell: int, left: int, top: int, edge: int) -> None:
    """The heavy lines go on between the clues, faintly."""
    for x in fifths(puzzle.width):
        pixels[edge:top, left + x * cell] = channels(GUIDE)
    for y in fifths(puzzle.height):
        pixels[top + y * cell, edge:left] = channels(GUIDE)


def with_clues(pixels: Pixels, puzzle: Nonogram, plan: Layout, cells: Pixels, cell: int, left: int, top: int) -> Pixels:
    """``pixels`` with the clue numbers and the marks of the given cells."""
    from PIL import Image, ImageDraw, ImageFont

    image = Image.fromarray(pixels)
    draw = ImageDraw.Draw(image)
    sizes = {label.font for line in (*plan.rows, *plan.columns) for label in line}
    fonts = {size: ImageFont.load_default(size=max(6, round(size * cell))) for size in sizes}
    for index, labels in enumerate(plan.rows):
        for label in labels:
            draw.font = fonts[label.font]
            draw_label(draw, puzzle, plan, label, left - label.away * cell, top + (index + 0.5) * cell, cell)
    for index, labels in enumerate(plan.columns):
        for label in labels:
            draw.font = fonts[label.font]
            draw_label(draw, puzzle, plan, label, left + (index + 0.5) * cell, top - label.away * cell, cell)
    for row, column, _ in puzzle.given:
        shade = puzzle.palette[cells[row, column] - 1].rgb if cells[row, column] else None
        draw_mark(draw, left + column * cell, top + row * cell, cell, shade)
    return np.asarray(image)


def draw_label(
    draw: ImageDraw.ImageDraw, puzzle: Nonogram, plan: Layout, label: Label, x: float, y: float, cell: int
) -> None:
    """A clue number with its middle at (x, y), on its chip if the puzzle has colours."""
    ink = ink_of(puzzle.palette[0].rgb)
    if label.colour == 0:
        ink = FAINT
    elif plan.chips:
        shade = cell_shade(puzzle.palette[label.colour - 1].rgb)
        ink, width, height = ink_on(shade), round(label.width * cell), round(plan.chip * cell)
        corner = round(x - width / 2), round(y - height / 2)
        far = corner[0] + width - 1, corner[1] + height - 1
        draw.rounded_rectangle((corner, far), radius=max(2, cell // 10), fill=shade)
        x, y = (corner[0] + far[0] + 1) / 2, (corner[1] + far[1] + 1) / 2
    draw_number(draw, label.text, x, y, ink)


def draw_mark(draw: ImageDraw.ImageDraw, x: int, y: int, cell: int, shade: str | None) -> None:
    """A given cell: a thin frame inside a filled one, a small cross in a blank one (``shade`` is None)."""
    thick = max(1, round(cell / 24))
    if shade is not None:
        inset = round(cell * 0.24)
        box = (x + inset, y + inset, x + cell - inset, y + cell - inset)
        draw.rectangle(box, outline=ink_on(shade), width=thick)
        return
    near, far = round(cell * 0.34), cell - round(cell * 0.34)
    draw.line((x + near, y + near, x + far, y + far), fill=HEAVY, width=thick + 1)
    draw.line((x + near, y + far, x + far, y + near), fill=HEAVY, width=thick + 1)
