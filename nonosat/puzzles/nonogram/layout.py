"""Where the clues of a nonogram stand, in cells from the board's corner; for SVG and PNG."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from nonosat.errors import PuzzleError
from nonosat.puzzles.nonogram.picture import Picture
from nonosat.puzzles.nonogram.puzzle import Clue, Nonogram
from nonosat.puzzles.puzzle import given_board

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

    ``letters``: each number has its colour's symbol behind it, if there are several.

    >>> plan = layout(Nonogram.from_lengths([[1, 1], [3]], [[2], [1], [2]]))
    >>> [label.text for label in plan.rows[0]], plan.rows[0][0].away > plan.rows[0][1].away
    (['1', '1'], True)
    """
    chips = puzzle.colours > 1
    symbols = ["", *(colour.symbol if letters and chips else "" for colour in puzzle.palette)]
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
