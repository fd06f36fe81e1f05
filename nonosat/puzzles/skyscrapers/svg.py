"""Skyscrapers as SVG."""

from __future__ import annotations

from collections.abc import Iterable

from nonosat.puzzles.drawing.document import EDGE, FONTS, document, number
from nonosat.puzzles.drawing.shades import HEAVY, THIN
from nonosat.puzzles.puzzle import Board
from nonosat.puzzles.skyscrapers.heights import Heights
from nonosat.puzzles.skyscrapers.puzzle import Skyscrapers
from nonosat.puzzles.skyscrapers.skyline import (
    CLUE_FONT,
    CLUE_INK,
    FONT,
    INK,
    INSET,
    MARK,
    Plan,
    plan,
    plan_heights,
    shade,
)

CELL = 36
"""The width of a cell in the drawing's units (pixels, unless the page scales it down)."""

_STYLES = {
    "clue": f'font-size="{number(CLUE_FONT * CELL)}" fill="{CLUE_INK}"',
    "height": f'font-size="{number(FONT * CELL)}" fill="{INK}"',
    "given": f'font-size="{number(FONT * CELL)}" fill="{INK}" font-weight="bold"',
}


def svg(puzzle: Skyscrapers, heights: Board | None = None) -> str:
    """The board with its clues, and ``heights`` on it (without them: the given ones, which are marked either way)."""
    return drawn(plan(puzzle, heights), puzzle.title or f"skyscrapers, {puzzle.size} x {puzzle.size}")


def svg_picture(heights: Heights) -> str:
    """The heights alone."""
    size = len(heights.cells)
    return drawn(plan_heights(heights), f"heights, {size} x {size}")


def drawn(board: Plan, title: str) -> str:
    """The document of a plan."""
    margin, side = round(board.margin * CELL) + EDGE, board.size * CELL
    inner = range(1, board.size)
    grid = "".join([f"M{x * CELL} 0v{side}" for x in inner] + [f"M0 {y * CELL}h{side}" for y in inner])
    parts = [
        *fills(board),
        *([f'<path stroke="{THIN}" shape-rendering="crispEdges" fill="none" d="{grid}"/>'] if grid else []),
        *marks(board),
        f'<path stroke="{HEAVY}" stroke-width="2" shape-rendering="crispEdges" fill="none" d="M0 0h{side}v{side}H0z"/>',
        *numbers(board),
    ]
    return document(title, margin, margin, side + 2 * margin, side + 2 * margin, parts)


def fills(board: Plan) -> Iterable[str]:
    """One path a height."""
    paths: dict[int, list[str]] = {}
    for row, line in enumerate(board.cells):
        for column, height in enumerate(line):
            if height:
                paths.setdefault(height, []).append(f"M{column} {row}h1v1h-1z")
    for height, path in sorted(paths.items()):
        fill = shade(height, board.size)
        yield f'<path fill="{fill}" shape-rendering="crispEdges" transform="scale({CELL})" d="{"".join(path)}"/>'


def marks(board: Plan) -> Iterable[str]:
    """A thin frame in each given cell."""
    inset, side = INSET * CELL, (1 - 2 * INSET) * CELL
    for row, column in board.given:
        x, y = column * CELL + inset, row * CELL + inset
        yield (
            f'<rect x="{number(x)}" y="{number(y)}" width="{number(side)}" height="{number(side)}" rx="3" fill="none" '
            f'stroke="{MARK}"/>'
        )


def numbers(board: Plan) -> Iterable[str]:
    """The numbers, grouped by what they are."""
    if not board.numbers:
        return
    yield f'<g font-family="{FONTS}" text-anchor="middle" style="font-variant-numeric:tabular-nums">'
    for role, style in _STYLES.items():
        here = [item for item in board.numbers if item.role == role]
        if here:
            drop = (CLUE_FONT if role == "clue" else FONT) * 0.36  # from the middle of a digit to its base line
            texts = (
                f'<text x="{number(item.x * CELL)}" y="{number((item.y + drop) * CELL)}">{item.text}</text>'
                for item in here
            )
            yield f"<g {style}>{''.join(texts)}</g>"
    yield "</g>"
