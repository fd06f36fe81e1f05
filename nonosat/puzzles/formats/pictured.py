"""Puzzles given by their solution: an image, a text drawing, or what ``solve`` printed. Their clues are read off."""

from __future__ import annotations

import json
from pathlib import Path

from nonosat.errors import FormatError, PuzzleError, UnsupportedError
from nonosat.files import Source, suffix_of
from nonosat.puzzles.drawing import is_json, json_rows, numbered
from nonosat.puzzles.puzzle import KINDS, Lines, Puzzle

IMAGES = (".png", ".gif", ".bmp", ".ppm", ".pgm", ".pbm", ".jpg", ".jpeg", ".webp")
"""Suffixes of files that are taken for pictures, a pixel a cell."""

DRAWINGS = ("", ".txt", ".json")
"""Suffixes of texts that may be drawings or answers (standard input has none)."""


def is_image(path: str | Path) -> bool:
    """Whether ``path`` is called as images are."""
    return suffix_of(path) in IMAGES


def puzzles_of(source: Source) -> list[Puzzle] | None:
    """The puzzle of an image file, or those of drawings or answers; None: it is called as none of them, or is none.

    FormatError: it is damaged, or begins as a drawing and does not go on as one. UnsupportedError: too many pixels.
    """
    try:
        if source.suffix in IMAGES:
            return [_of_image(source)]
        return drawn(source.text) if source.suffix in DRAWINGS else None
    except FormatError as error:
        raise error.at(source.name) from None
    except (UnsupportedError, PuzzleError) as error:
        raise UnsupportedError(f"{source.name}: {error}") from None


def _of_image(source: Source) -> Puzzle:
    """It is called as the file is."""
    reader = next(kind.image for kind in KINDS.values() if kind.has("image"))
    assert reader is not None
    puzzle: Puzzle = reader(source.data, source.stem)
    return puzzle


def drawn(text: str) -> list[Puzzle] | None:
    r"""The puzzles whose boards ``text`` draws, an empty line between them; None: it is no drawing.

    FormatError: it begins as a drawing, and does not go on as one.

    >>> [puzzle.goal.rows() for puzzle in drawn("#.#\n.##\n\n██··\n")]
    [['#.#', '.##'], ['#.']]
    >>> drawn("2 2\n1\n1\n#\n1\n1\n")
    """
    boards = _boards(text)
    if not boards:
        return None
    for kind in KINDS.values():
        if kind.has("drawn"):
            assert kind.drawn is not None
            puzzles = [kind.drawn(board) for board in boards]
            if puzzles[0] is not None:
                return _whole(puzzles, boards)
    return None


def _whole(puzzles: list[Puzzle | None], boards: list[Lines]) -> list[Puzzle]:
    """``puzzles``, if all of them are there."""
    found = [puzzle for puzzle in puzzles if puzzle is not None]
    if len(found) < len(puzzles):
        at = puzzles.index(None)
        raise FormatError(f"board {at + 1} is none, though board 1 is", boards[at][0][0])
    return found


def _boards(text: str) -> list[Lines]:
    """The boards of answers in JSON, one a line; else the lines between empty ones."""
    if is_json(text):
        lines = [line for line in text.splitlines() if line.strip()]
        return [json_rows(line) for line in lines] if _is_answer(lines[0]) else []
    boards: list[list[tuple[int | None, str]]] = [[]]
    for number, line in numbered(text):
        if line.strip():
            boards[-1].append((number, line.rstrip()))
        elif boards[-1]:
            boards.append([])
    return [board for board in boards if board]


def _is_answer(line: str) -> bool:
    """Whether a line is what ``--format json`` prints of a puzzle."""
    try:
        answer = json.loads(line.removeprefix("\ufeff"))
    except (ValueError, RecursionError):
        return False
    return isinstance(answer, dict) and {"verdict", "picture"} <= answer.keys()
