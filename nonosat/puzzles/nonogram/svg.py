"""Nonograms and pictures as SVG."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import NamedTuple

from nonosat.errors import PuzzleError
from nonosat.puzzles.drawing import EDGE, FAINT, FONTS, GUIDE, HEAVY, THIN, cell_shade, document, ink_of, ink_on, number
from nonosat.puzzles.nonogram.puzzle import BLACK, Clue, Colour, Nonogram, Picture, name_of
from nonosat.puzzles.puzzle import given_board

# Where the clues of a nonogram stand, in cells from the board's corner; for SVG and PNG.


FONT = 0.6
"""The size of a clue number, in cells."""

DIGIT = 0.62
"""The width of a digit, in ems: Helvetica, Arial and Aileron need 0.56 to 0.59; small sizes are rounded up."""


class Label(NamedTuple):
    """A clue number: its centre is ``away`` from the board's edge; colour 0 is the zero of an empty line."""

    text: str
    away: float
    width: float
    font: float
    colour: int


@dataclass(frozen=True)
class Layout:
    """The clue margins of a puzzle, everything in cells. ``chips``: each number stands on a chip of its colour."""

    left: float
    top: float
    chip: float
    chips: bool
    rows: tuple[tuple[Label, ...], ...]
    columns: tuple[tuple[Label, ...], ...]


def layout(puzzle: Nonogram, letters: bool = False) -> Layout:
    """The geometry of the clues: row clues end at the board's left edge, column clues at its top edge.

    ``letters``: each number has its colour's letter behind it, if there are several; black needs none.

    >>> plan = layout(Nonogram.from_lengths([[1, 1], [3]], [[2], [1], [2]]))
    >>> [label.text for label in plan.rows[0]], plan.rows[0][0].away > plan.rows[0][1].away
    (['1', '1'], True)
    """
    chips = puzzle.colours > 1
    symbols = ["", *(letter(colour) if letters and chips else "" for colour in puzzle.palette)]
    chip = FONT * 1.4
    inside, between, edge = (0.22, 0.1, 0.18) if chips else (0.0, 0.36, 0.3)

    def across(clue: Clue) -> tuple[Label, ...]:
        labels, away = [], edge
        for text, colour in reversed(numbers(clue)):
            text += symbols[colour]
            width = max(DIGIT * FONT * len(text) + inside, chip if chips else 0)
            labels.append(Label(text, away + width / 2, width, FONT, colour))
            away += width + between
        return tuple(reversed(labels))

    def upward(clue: Clue) -> tuple[Label, ...]:
        step = chip + (0.1 if chips else 0)
        texts, labels = numbers(clue), []
        for i, (text, colour) in enumerate(texts):
            text += symbols[colour]
            font = min(
                FONT, (0.82 if chips else 0.94) / (DIGIT * len(text))
            )  # three digits shrink, to stay within their column
            width = max(DIGIT * font * len(text) + inside / 2, chip)
            labels.append(Label(text, (len(texts) - i - 0.5) * step + 0.14, width, font, colour))
        return tuple(labels)

    rows, columns = tuple(map(across, puzzle.rows)), tuple(map(upward, puzzle.columns))
    left = max(line[0].away + line[0].width / 2 for line in rows) + 0.25
    top = max(line[0].away for line in columns) + chip / 2 + 0.15
    return Layout(left, top, chip, chips, rows, columns)


def letter(colour: Colour) -> str:
    """What is printed for a colour: its symbol, if that is a letter."""
    return "" if colour.symbol == BLACK.symbol else colour.symbol


def numbers(clue: Clue) -> list[tuple[str, int]]:
    """The numbers to print for a clue, with their colours; an empty line has a 0 of no colour."""
    return [(str(run.length), run.colour) for run in clue] or [("0", 0)]


def shown_cells(puzzle: Nonogram, picture: Picture | None) -> list[list[int]]:
    """The cells to draw: those of ``picture``, else the given ones, everything undecided as blank."""
    if picture is not None:
        check_size(puzzle, picture)
        rows: list[list[int]] = picture.cells.tolist()
        return rows
    return given_board(puzzle)


def check_size(puzzle: Nonogram, picture: Picture) -> None:
    """Raise ``PuzzleError`` unless ``picture`` can be drawn on the puzzle's board, in its colours."""
    if picture.shape != puzzle.shape:
        (h, w), (ph, pw) = picture.shape, puzzle.shape
        raise PuzzleError(f"the picture has {h} rows and {w} columns, the puzzle {ph} and {pw}")
    if (most := int(picture.cells.max())) > puzzle.colours:
        raise PuzzleError(f"the picture has a cell of colour {most}, the puzzle has {puzzle.colours}")


def fifths(count: int) -> Iterable[int]:
    """The grid lines to draw heavily: every fifth, and the last.

    >>> list(fifths(12))
    [0, 5, 10, 12]
    """
    return [*range(0, count, 5), count]


CELL = 24
"""The width of a cell in the drawing's units (pixels, unless the page scales it down)."""


def svg(puzzle: Nonogram, picture: Picture | None = None) -> str:
    """The board with its clues, and ``picture`` on it (without one: the given cells, which are marked either way).

    >>> svg(Nonogram.from_lengths([[1]], [[1]]))[:38]
    '<svg xmlns="http://www.w3.org/2000/svg'
    """
    return drawn(puzzle, layout(puzzle), shown_cells(puzzle, picture))


def paper(puzzle: Nonogram) -> str:
    """The board to print: where there are several colours, clues have their letters, and a legend says what those
    are, so that all can be distinguished on grey paper.
    """
    plan, cells = layout(puzzle, letters=True), shown_cells(puzzle, None)
    if puzzle.colours == 1:
        return drawn(puzzle, plan, cells)
    chips, wide, below = legend(puzzle, -round(plan.left * CELL))
    return drawn(puzzle, plan, cells, chips, wide, below)


def drawn(
    puzzle: Nonogram, plan: Layout, cells: list[list[int]], more: Iterable[str] = (), wide: int = 0, below: int = 0
) -> str:
    """The document of a plan; ``more`` parts end at ``wide``, if the board does not, and ``below`` units under it."""
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
    return document(title, left, top, left + max(width, wide) + EDGE, top + height + EDGE + below, parts)


def svg_picture(picture: Picture) -> str:
    """``picture`` alone: no clues, no grid, a thin frame."""
    height, width = (size * CELL for size in picture.shape)
    frame = f'<path d="M0 0H{width}V{height}H0z" fill="none" stroke="{THIN}" stroke-width="2"/>'
    title = f"picture, {picture.shape[0]} rows, {picture.shape[1]} columns"
    parts = [*fills(picture.cells.tolist(), picture.palette), frame]
    return document(title, EDGE, EDGE, width + 2 * EDGE, height + 2 * EDGE, parts)


def legend(puzzle: Nonogram, left: int) -> tuple[list[str], int, int]:
    """Below the board, from ``left`` on, a chip a colour with its letter, and its name; (parts, right end, height)."""
    side, end, size = 0.8 * CELL, puzzle.width * CELL, number(FONT * CELL)
    x, y, wide, parts = float(left), puzzle.height * CELL + 0.4 * CELL, 0.0, []
    for colour in puzzle.palette:
        shade, name = cell_shade(colour.rgb), name_of(colour.rgb)
        take = CELL + len(name) * DIGIT * FONT * CELL
        if x > left and x + take > end:
            x, y = float(left), y + CELL
        base = f'y="{number(y + 0.62 * CELL)}" font-family="{FONTS}" font-size="{size}"'
        parts.append(
            f'<rect x="{number(x)}" y="{number(y)}" width="{number(side)}" height="{number(side)}" rx="3" '
            f'fill="{shade}"/><text x="{number(x + side / 2)}" {base} fill="{ink_on(shade)}" text-anchor="middle">'
            f'{letter(colour)}</text><text x="{number(x + CELL)}" {base} fill="{HEAVY}">{name}</text>'
        )
        wide, x = max(wide, x + take), x + take + FONT * CELL
    return parts, round(wide), round(y + 0.6 * CELL) - puzzle.height * CELL


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
