"""Nonograms and pictures as SVG."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby

from nonosat.puzzles.drawing.document import EDGE, FONTS, document, number
from nonosat.puzzles.drawing.shades import FAINT, GUIDE, HEAVY, THIN, cell_shade, ink_of, ink_on
from nonosat.puzzles.nonogram.layout import FONT, Label, Layout, fifths, layout, shown_cells
from nonosat.puzzles.nonogram.palette import Colour
from nonosat.puzzles.nonogram.picture import Picture
from nonosat.puzzles.nonogram.puzzle import Nonogram

CELL = 24
"""The width of a cell in the drawing's units (pixels, unless the page scales it down)."""


def svg(puzzle: Nonogram, picture: Picture | None = None) -> str:
    """The board with its clues, and ``picture`` on it (without one: the given cells, which are marked either way).

    >>> svg(Nonogram.from_lengths([[1]], [[1]]))[:38]
    '<svg xmlns="http://www.w3.org/2000/svg'
    """
    return drawn(puzzle, layout(puzzle), shown_cells(puzzle, picture))


def paper(puzzle: Nonogram) -> str:
    """The board to print: where there are several colours, clues have their letters, and a row of chips tells them, so
    that all can be told apart on grey paper.
    """
    chips = legend(puzzle) if puzzle.colours > 1 else ()
    return drawn(puzzle, layout(puzzle, letters=True), shown_cells(puzzle, None), chips, below=CELL * bool(chips))


def drawn(puzzle: Nonogram, plan: Layout, cells: list[list[int]], more: Iterable[str] = (), below: int = 0) -> str:
    """The document of a plan; ``more`` parts have room for so many units ``below`` the board."""
    left, top = round(plan.left * CELL) + EDGE, round(plan.top * CELL) + EDGE
    width, height = puzzle.width * CELL, puzzle.height * CELL
    parts = [
        guides(puzzle, left - EDGE, top - EDGE),
        *clues(puzzle, plan),
        *fills(cells, puzzle.palette),
        *marks(puzzle, cells),
        lines(range(puzzle.width + 1), range(puzzle.height + 1), width, height, f'stroke="{THIN}"'),
        lines(fifths(puzzle.width), fifths(puzzle.height), width, height, f'stroke="{HEAVY}" stroke-width="2"'),
        *more,
    ]
    title = puzzle.title or f"nonogram, {puzzle.height} rows, {puzzle.width} columns"
    return document(title, left, top, left + width + EDGE, top + height + EDGE + below, parts)


def svg_picture(picture: Picture) -> str:
    """``picture`` alone: no clues, no grid, a thin frame."""
    height, width = (size * CELL for size in picture.shape)
    frame = f'<path d="M0 0H{width}V{height}H0z" fill="none" stroke="{THIN}" stroke-width="2"/>'
    title = f"picture, {picture.shape[0]} rows, {picture.shape[1]} columns"
    parts = [*fills(picture.cells.tolist(), picture.palette), frame]
    return document(title, EDGE, EDGE, width + 2 * EDGE, height + 2 * EDGE, parts)


def legend(puzzle: Nonogram) -> Iterable[str]:
    """A chip a colour with its letter, below the board."""
    top, side = puzzle.height * CELL + 0.4 * CELL, 0.8 * CELL
    for place, colour in enumerate(puzzle.palette):
        x, shade = place * CELL, cell_shade(colour.rgb)
        yield (
            f'<rect x="{number(x)}" y="{number(top)}" width="{number(side)}" height="{number(side)}" rx="3" '
            f'fill="{shade}"/><text x="{number(x + side / 2)}" y="{number(top + 0.62 * CELL)}" fill="{ink_on(shade)}" '
            f'text-anchor="middle" font-family="{FONTS}" font-size="{number(FONT * CELL)}">{colour.symbol}</text>'
        )


def fills(cells: Sequence[Sequence[int]], palette: tuple[Colour, ...]) -> Iterable[str]:
    """One path a colour, in which each run of a row is one rectangle."""
    paths: dict[int, list[str]] = {}
    for row, line in enumerate(cells):
        column = 0
        for value, group in groupby(line):
            length = len(list(group))
            if value:
                paths.setdefault(value, []).append(f"M{column} {row}h{length}v1h-{length}z")
            column += length
    for value, path in sorted(paths.items()):
        shade = cell_shade(palette[value - 1].rgb)
        # without crispEdges, a scaled-down drawing shows hair lines of paper between the rows of an area
        yield f'<path fill="{shade}" shape-rendering="crispEdges" transform="scale({CELL})" d="{"".join(path)}"/>'


def marks(puzzle: Nonogram, cells: Sequence[Sequence[int]]) -> Iterable[str]:
    """Given cells: a thin frame inside a filled one, a small cross in a blank one."""
    for row, column, _ in sorted(set(puzzle.given)):
        x, y, value = column * CELL, row * CELL, cells[row][column]
        if value:
            ink = ink_on(puzzle.palette[value - 1].rgb)
            yield f'<path d="M{x + 5.5} {y + 5.5}h13v13h-13z" fill="none" stroke="{ink}" opacity=".75"/>'
        else:
            yield f'<path d="M{x + 8} {y + 8}l8 8m0-8l-8 8" fill="none" stroke="{HEAVY}" stroke-width="2"/>'


def lines(columns: Iterable[int], rows: Iterable[int], width: int, height: int, style: str) -> str:
    """Grid lines at the left edges of ``columns`` and the upper edges of ``rows``."""
    path = [f"M{x * CELL} 0V{height}" for x in columns] + [f"M0 {y * CELL}H{width}" for y in rows]
    return f'<path {style} shape-rendering="crispEdges" stroke-linecap="square" fill="none" d="{"".join(path)}"/>'


def guides(puzzle: Nonogram, left: int, top: int) -> str:
    """The heavy lines go on between the clues, faintly, so that the eye finds its row and column."""
    path = [f"M{x * CELL} 0v{-top}" for x in fifths(puzzle.width)]
    path += [f"M0 {y * CELL}h{-left}" for y in fifths(puzzle.height)]
    return f'<path stroke="{GUIDE}" shape-rendering="crispEdges" fill="none" d="{"".join(path)}"/>'


def clues(puzzle: Nonogram, plan: Layout) -> Iterable[str]:
    """The clue numbers: one group a line of the board, moved to its middle; each number centred on its place."""
    size = number(FONT * CELL)
    yield (
        f'<g font-family="{FONTS}" font-size="{size}" text-anchor="middle" '
        f'style="font-variant-numeric:tabular-nums" fill="{ink_of(puzzle.palette[0].rgb)}">'
    )
    drop = FONT * CELL * 0.36  # half the height of a digit: from the middle of a number to its base line
    for index, labels in enumerate(plan.rows):
        yield from line_of_clues(puzzle, plan, labels, f"0 {number((index + 0.5) * CELL + drop)}", drop, True)
    for index, labels in enumerate(plan.columns):
        yield from line_of_clues(puzzle, plan, labels, f"{number((index + 0.5) * CELL)} {number(drop)}", drop, False)
    yield "</g>"


def line_of_clues(
    puzzle: Nonogram, plan: Layout, labels: tuple[Label, ...], place: str, drop: float, across: bool
) -> Iterable[str]:
    """One clue at ``place``; ``across`` it goes to the left, else upwards."""
    yield f'<g transform="translate({place})">'
    for label in labels:
        away, fill = number(-label.away * CELL), ""
        x, y = (-label.away * CELL, 0.0) if across else (0.0, -label.away * CELL)
        if label.colour == 0:
            fill = f' fill="{FAINT}"'
        elif plan.chips:
            shade = cell_shade(puzzle.palette[label.colour - 1].rgb)
            fill, width, height = f' fill="{ink_on(shade)}"', label.width * CELL, plan.chip * CELL
            yield (
                f'<rect x="{number(x - width / 2)}" y="{number(y - drop - height / 2)}" width="{number(width)}" '
                f'height="{number(height)}" rx="3" fill="{shade}"/>'
            )
        if label.font < FONT:
            fill += f' font-size="{number(label.font * CELL)}"'
        yield f'<text {"x" if across else "y"}="{away}"{fill}>{label.text}</text>'
    yield "</g>"
