"""What a nonogram means. ``xR_C_V``: the cell in row R and column C (from 0) has colour V.

``hR_K_A``: on row R, run K starts at place A or before; ``vC_K_A`` the same of column C. A run of length T fits on a
line of n cells at the places 0 to n - T, so that there is a variable for each of these but the last: before the first
it is false, from the last on it is true.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import pairwise

from nonosat.certificates.statement.model import Literal, PBConstraint, Statement, VariableWords, constraint, where
from nonosat.puzzles.nonogram import Nonogram
from nonosat.puzzles.nonogram.puzzle import Clue, gap

# How people speak of the variables of a nonogram's encodings: for messages, the statement does not need it.


def variable_words(puzzle: Nonogram, variable: str) -> VariableWords | None:
    """A cell, or where a run starts; None: something else.

    >>> puzzle = Nonogram.from_lengths([[1]], [[1], []])
    >>> found = variable_words(puzzle, "h_0_0")
    >>> found.line, found.subject, found.verb, found.word(1)
    ('row 1', 'run 1', 'starts at', '2')
    """
    axis, *rest = variable.split("_")
    if axis == "x":
        colours = ["filled"] if puzzle.colours == 1 else [colour.symbol for colour in puzzle.palette]
        return VariableWords("", where(*map(int, rest)), "is", ["blank", *colours].__getitem__, None)
    if (line := {"h": "row", "v": "column"}.get(axis)) is None:
        return None
    place = (lambda start: str(start + 1)), ("or before", "or later")
    return VariableWords(f"{line} {int(rest[0]) + 1}", f"run {int(rest[1]) + 1}", "starts at", *place)


def statement(puzzle: Nonogram) -> Statement:
    """Lines, colours, given cells."""
    height, width = puzzle.shape
    cells = [(row, column, v) for row in range(height) for column in range(width) for v in range(1, puzzle.colours + 1)]
    board = {_cell(*place): place for place in cells}
    return Statement(
        board, partial(_constraints, puzzle), partial(_at_most, puzzle), words_of=partial(variable_words, puzzle)
    )


def _constraints(puzzle: Nonogram) -> Iterator[PBConstraint]:
    height, width = puzzle.shape
    colours = range(1, puzzle.colours + 1)
    for row, clue in enumerate(puzzle.rows):
        yield from _line(f"h{row}", f"row {row + 1}", clue, [(row, column) for column in range(width)], colours)
    for column, clue in enumerate(puzzle.columns):
        cells = [(row, column) for row in range(height)]
        yield from _line(f"v{column}", f"column {column + 1}", clue, cells, colours)
    if puzzle.colours > 1:  # a cell has one colour at most
        for row in range(height):
            for column in range(width):
                lost = f"{where(row, column)}: the cell may have two colours"
                yield from constraint([(-1, _cell(row, column, v)) for v in colours], -1, less=lost)
    for row, column, value in puzzle.given:
        lost = f"{where(row, column)}: the cell may have another value than the given one"
        for v in [value] if value else colours:
            yield from constraint([(1, _cell(row, column, v))], int(v == value), equal=True, less=lost, more=lost)


def _line(name: str, line: str, clue: Clue, cells: list[tuple[int, int]], colours: range) -> Iterator[PBConstraint]:
    """One line, in words ``line``: ``cells`` are the (row, column) of its places."""
    by = partial(_by, name, clue, len(cells))
    for k, run in enumerate(clue):
        lost = f"{line}: run {k + 1} may start at several places"
        for place in range(len(cells) - run.length):
            # A run that starts at a place or before starts at the next place or before.
            yield from constraint([(1, by(k, place + 1)), (-1, by(k, place))], 0, less=lost)
    for k, (run, following) in enumerate(pairwise(clue)):
        lost = f"{line}: nothing keeps run {k + 1} before run {k + 2}"
        for place in range(-1, len(cells) - run.length):
            # If the next run starts at place + length + gap or before, this one starts at the place or before.
            reach = place + run.length + gap(run, following)
            yield from constraint([(1, by(k, place)), (-1, by(k + 1, reach))], 0, less=lost)
    for place, (row, column) in enumerate(cells):
        for colour in colours:
            # A cell has a colour if a run of that colour started at it or before, and not so long ago that it ended.
            covering = [(k, run.length) for k, run in enumerate(clue) if run.colour == colour]
            terms: list[tuple[int, Literal]] = [(1, _cell(row, column, colour))]
            for k, length in covering:
                terms += [(-1, by(k, place)), (1, by(k, place - length))]
            less = f"{line}: place {place + 1} may be without the colour of the run that covers it"
            more = f"{line}: place {place + 1} may have a colour though no run of that colour covers it"
            yield from constraint(terms, 0, equal=True, less=less, more=more)


def _cell(row: int, column: int, colour: int) -> str:
    return f"x{row}_{column}_{colour}"


def _by(name: str, clue: Clue, size: int, k: int, place: int) -> Literal:
    """Run ``k`` of a line of so many cells starts at ``place`` or before."""
    last = size - clue[k].length
    return f"{name}_{k}_{place}" if 0 <= place < last else place >= last


def _at_most(puzzle: Nonogram, start: str, place: int) -> list[Literal] | None:
    """Of ``h_1_2``, where run 2 of row 1 starts, and ``v_1_2``."""
    axis, *rest = start.split("_")
    if axis not in ("h", "v"):
        return None
    line, k = map(int, rest)
    clues, size = (puzzle.rows, puzzle.width) if axis == "h" else (puzzle.columns, puzzle.height)
    return [_by(f"{axis}{line}", clues[line], size, k, place)]
