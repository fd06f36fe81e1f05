"""Where the numbers of a Skyscrapers board stand, in cells from its corner, and its shades; for all its drawings."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from nonosat.errors import PuzzleError
from nonosat.puzzles.drawing.shades import HEAVY, channels
from nonosat.puzzles.puzzle import Board, given_board
from nonosat.puzzles.skyscrapers.heights import Heights
from nonosat.puzzles.skyscrapers.puzzle import Skyscrapers

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


class Number(NamedTuple):
    """A number of the drawing: its middle is at (``x``, ``y``); ``role``: "clue", "height" or "given"."""

    text: str
    x: float
    y: float
    role: str


@dataclass(frozen=True)
class Plan:
    """What there is to draw: ``size`` N, the width of the ``margin`` in cells, the ``cells`` (0 is open; N rows of N),
    the cells that are ``given`` (row, column), and the ``numbers``.
    """

    size: int
    margin: float
    cells: list[list[int]]
    given: tuple[tuple[int, int], ...]
    numbers: tuple[Number, ...]


def plan(puzzle: Skyscrapers, heights: Board | None = None) -> Plan:
    """The board with its clues, and ``heights`` or the given ones on it; PuzzleError if they are another board's."""
    given = tuple((row, column) for row, column, _ in puzzle.given)
    cells = shown_heights(puzzle, heights)
    numbers = (*clues(puzzle), *numbers_of(cells, frozenset(given)))
    return Plan(puzzle.size, MARGIN, cells, given, numbers)


def plan_heights(heights: Heights) -> Plan:
    """The heights alone."""
    cells: list[list[int]] = heights.cells.tolist()
    return Plan(len(cells), 0, cells, (), tuple(numbers_of(cells, frozenset())))


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


def clues(puzzle: Skyscrapers) -> Iterator[Number]:
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
                yield Number(str(clue), x, y, "clue")


def numbers_of(cells: list[list[int]], given: frozenset[tuple[int, int]]) -> Iterator[Number]:
    """The heights of the cells that are not open."""
    for row, line in enumerate(cells):
        for column, height in enumerate(line):
            if height:
                role = "given" if (row, column) in given else "height"
                yield Number(str(height), column + 0.5, row + 0.5, role)


def shade(height: int, size: int) -> str:
    """The shade of a tower on a board of ``size`` x ``size``: the higher, the darker.

    >>> shade(1, 4), shade(4, 4)
    ('#f3f7fc', '#86addb')
    """
    part = (height - 1) / max(1, size - 1)
    mixed = (round(low + (high - low) * part) for low, high in zip(channels(LOW), channels(HIGH), strict=True))
    return "#" + "".join(f"{value:02x}" for value in mixed)
