"""Skyscrapers as SVG."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from nonosat.errors import PuzzleError
from nonosat.puzzles.drawing import EDGE, FONTS, HEAVY, THIN, channels, document, number
from nonosat.puzzles.puzzle import Board, given_board
from nonosat.puzzles.skyscrapers.puzzle import Heights, Skyscrapers

# Where the numbers of a Skyscrapers board stand, in cells from its corner, and its shades; for all its drawings.


LOW, HIGH = "#f3f7fc", "#86addb"
"""The shades of the lowest tower and of the highest; ``INK`` can be read on both, and on what is between."""

INK, CLUE_INK, MARK = "#16202c", HEAVY, "#3d6a9e"
"""Of heights, of clues, and of the frames around given heights."""

FONT, CLUE_FONT = 0.54, 0.46
"""The sizes of heights and of clues, in cells: two digits find room."""

MARGIN = 0.95
"""From the board to the edge of the drawing where there are clues, in cells."""

INSET = 0.1
"""From the edge of a given cell to its mark, in cells."""


class PlacedNumber(NamedTuple):
    """A number of the drawing: its middle is at (``x``, ``y``); ``role``: "clue", "height" or "given"."""

    text: str
    x: float
    y: float
    role: str


@dataclass(frozen=True)
class BoardLayout:
    """What there is to draw: ``size`` N, the width of the ``margin`` in cells, the ``cells`` (0 is open; N rows of N),
    the cells that are ``given`` (row, column), and the ``numbers``.
    """

    size: int
    margin: float
    cells: list[list[int]]
    given: tuple[tuple[int, int], ...]
    numbers: tuple[PlacedNumber, ...]


def plan(puzzle: Skyscrapers, heights: Board | None = None) -> BoardLayout:
    """The board with its clues, and ``heights`` or the given ones on it; PuzzleError if they are another board's."""
    given = tuple((row, column) for row, column, _ in puzzle.given)
    cells = shown_heights(puzzle, heights)
    numbers = (*clues(puzzle), *numbers_of(cells, frozenset(given)))
    return BoardLayout(puzzle.size, MARGIN, cells, given, numbers)


def plan_heights(heights: Heights) -> BoardLayout:
    """The heights alone."""
    cells: list[list[int]] = heights.cells.tolist()
    return BoardLayout(len(cells), 0, cells, (), tuple(numbers_of(cells, frozenset())))


def shown_heights(puzzle: Skyscrapers, heights: Board | None) -> list[list[int]]:
    """The heights to draw: those of ``heights``, else the given ones; 0 for a cell that is open."""
    if heights is not None:
        if not isinstance(heights, Heights):
            raise PuzzleError(f"{type(heights).__name__} is no board of heights")
        if heights.shape != puzzle.shape:
            raise PuzzleError(
                f"the heights are those of a {len(heights.cells)}x{len(heights.cells)} board, "
                f"the puzzle is {puzzle.size}x{puzzle.size}"
            )
        rows: list[list[int]] = heights.cells.tolist()
        return rows
    return given_board(puzzle)


def clues(puzzle: Skyscrapers) -> Iterator[PlacedNumber]:
    """The clues, each before the end of its line."""
    near, far = -MARGIN / 2, puzzle.size + MARGIN / 2
    for place in range(puzzle.size):
        at = place + 0.5
        for clue, x, y in (
            (puzzle.top[place], at, near),
            (puzzle.bottom[place], at, far),
            (puzzle.left[place], near, at),
            (puzzle.right[place], far, at),
        ):
            if clue:
                yield PlacedNumber(str(clue), x, y, "clue")


def numbers_of(cells: list[list[int]], given: frozenset[tuple[int, int]]) -> Iterator[PlacedNumber]:
    """The heights of the cells that are not open."""
    for row, line in enumerate(cells):
        for column, height in enumerate(line):
            if height:
                role = "given" if (row, column) in given else "height"
                yield PlacedNumber(str(height), column + 0.5, row + 0.5, role)


def shade(height: int, size: int) -> str:
    """The shade of a tower on a board of ``size`` x ``size``: the higher, the darker.

    >>> shade(1, 4), shade(4, 4)
    ('#f3f7fc', '#86addb')
    """
    part = (height - 1) / max(1, size - 1)
    mixed = (round(low + (high - low) * part) for low, high in zip(channels(LOW), channels(HIGH), strict=True))
    return "#" + "".join(f"{value:02x}" for value in mixed)


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


def drawn(board: BoardLayout, title: str) -> str:
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


def fills(board: BoardLayout) -> Iterable[str]:
    """One path a height."""
    paths: dict[int, list[str]] = {}
    for row, line in enumerate(board.cells):
        for column, height in enumerate(line):
            if height:
                paths.setdefault(height, []).append(f"M{column} {row}h1v1h-1z")
    for height, path in sorted(paths.items()):
        fill = shade(height, board.size)
        yield f'<path fill="{fill}" shape-rendering="crispEdges" transform="scale({CELL})" d="{"".join(path)}"/>'


def marks(board: BoardLayout) -> Iterable[str]:
    """A thin frame in each given cell."""
    inset, side = INSET * CELL, (1 - 2 * INSET) * CELL
    for row, column in board.given:
        x, y = column * CELL + inset, row * CELL + inset
        yield (
            f'<rect x="{number(x)}" y="{number(y)}" width="{number(side)}" height="{number(side)}" rx="3" fill="none" '
            f'stroke="{MARK}"/>'
        )


def numbers(board: BoardLayout) -> Iterable[str]:
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
