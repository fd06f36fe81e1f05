"""Skyscrapers in links of puzz.link: the clues at the top, bottom, left and right, then heights that are given."""

from __future__ import annotations

from nonosat.errors import FormatError
from nonosat.puzzles.formats.pzpr import UNKNOWN, coded, numbers
from nonosat.puzzles.puzzle import PzprLink, given_board
from nonosat.puzzles.skyscrapers.formats.written import assemble, given_cells, side
from nonosat.puzzles.skyscrapers.puzzle import EDGES, Skyscrapers


def read(columns: int, rows: int, body: str) -> Skyscrapers:
    """The puzzle of a link's ``body``; ``?``, a clue or height that is there and unknown, says nothing."""
    if columns != rows:
        raise FormatError(f"a board of {rows}x{columns}; boards of skyscrapers are square")
    size = side(rows)
    clues, rest = numbers(body, 4 * size)
    heights, rest = numbers(rest, size * size) if rest else ({}, "")
    if rest:
        raise FormatError("there is more behind the numbers of the board")
    found = [0 if (value := clues.get(place, 0)) == UNKNOWN else value for place in range(4 * size)]
    edges = {edge: found[at * size : (at + 1) * size] for at, edge in enumerate(EDGES)}
    cells = [[max(heights.get(row * size + column, 0), 0) for column in range(size)] for row in range(size)]
    return assemble(edges, given_cells(cells))


def write(puzzle: Skyscrapers) -> str:
    """The body of the link of ``puzzle``; heights only if some are given."""
    clues = coded(clue or None for clue in puzzle.clues)
    if not puzzle.given:
        return clues
    return clues + coded(height or None for row in given_board(puzzle) for height in row)


LINK = PzprLink("skyscrapers", read, write)
