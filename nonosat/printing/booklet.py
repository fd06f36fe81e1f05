"""A booklet: puzzles with titles and sizes, as many a page as are good to read, and their solutions at the end."""

from __future__ import annotations

from collections.abc import Sequence

from nonosat.errors import UnknownNameError, UnsupportedError
from nonosat.printing.pages import PAPERS, Item, laid_out, numbered
from nonosat.printing.pdf import pdf
from nonosat.printing.vectors import drawing
from nonosat.puzzles.kinds import kind_of
from nonosat.puzzles.puzzle import Board, Puzzle

SMALL, LARGE = 38.0, 84.0
"""Millimetres of the longer side of a solution: of up to so many cells, and of more."""
MANY = 30


def booklet(
    puzzles: Sequence[Puzzle], solutions: Sequence[Board | None] = (), title: str = "", paper: str = "A4"
) -> bytes:
    """The PDF of ``puzzles``; ``solutions``: theirs in the same order (None: not known), or none for no such pages.

    UnknownNameError: ``paper`` is not one of ``PAPERS``. UnsupportedError: a puzzle is too large for it.

    >>> from nonosat.puzzles.nonogram import Nonogram
    >>> booklet([Nonogram.from_lengths([[1]], [[1]])])[:5]
    b'%PDF-'
    """
    if paper not in PAPERS:
        raise UnknownNameError("paper", paper, list(PAPERS))
    if not puzzles:
        raise UnsupportedError("no puzzle to print")
    items = [
        Item(drawing(paper_svg(puzzle)), name(number, puzzle), size(puzzle)) for number, puzzle in enumerate(puzzles, 1)
    ]
    pages = laid_out(items, paper, title)
    answers = [
        Item(drawing(kind_of(board).svg_picture(board)), name(number, puzzle), most=room(board))
        for number, (puzzle, board) in enumerate(zip(puzzles, solutions, strict=bool(solutions)), 1)
        if board is not None
    ]
    if answers:
        pages += laid_out(answers, paper, "Solutions")
    return pdf(numbered(pages), title or puzzles[0].title)


def paper_svg(puzzle: Puzzle) -> str:
    """The drawing for paper of its kind, or else the usual one."""
    kind = kind_of(puzzle)
    return kind.svg(puzzle, None) if kind.paper is None else kind.paper(puzzle)


def name(number: int, puzzle: Puzzle) -> str:
    """``3  Snail``."""
    title = " ".join(puzzle.title.split())
    return f"{number}  {title}" if title else str(number)


def size(puzzle: Puzzle) -> str:
    """Width by height, as players say it."""
    height, width = puzzle.shape
    return f"{width} × {height}"


def room(board: Board) -> float:
    """How large the solution is printed."""
    return SMALL if max(board.shape) <= MANY else LARGE
