"""Text in files of every format: lines, how messages quote them, and what a file cannot hold."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from nonosat.errors import FormatError, UnsupportedError
from nonosat.files import printable
from nonosat.puzzles.puzzle import Puzzle

Each = TypeVar("Each", bound=Puzzle)
TEXTS = ("title", "author", "licence", "source")
"""The texts that a puzzle of any kind can have."""
DIGITS = 6
"""Numbers in files have at most this many digits: no line is longer, and a million digits are never an ``int``."""


def quote(text: str) -> str:
    r"""``text`` for a message: quoted, short, on one line.

    >>> print(quote("x\n" * 100))
    "x\nx\nx\nx\nx\nx\nx\nx\nx\nx\nx\nx\n..."
    """
    return f'"{printable(text, 24)}"'


def unix(text: str) -> str:
    r"""``text`` with ``\n`` for every line end; ``FormatError`` if there is nothing in it."""
    if not text.strip():
        raise FormatError("the file is empty")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def lines_of(text: str) -> list[str]:
    """The lines of ``text``; not ``splitlines``, which also breaks at characters that titles may hold."""
    return unix(text).removesuffix("\n").split("\n")


def write_each(puzzles: Sequence[Each], write: Callable[[Each, int], str]) -> list[str]:
    """Every puzzle's text, by ``write(puzzle, number from 1)``; of several, a refusal names which."""
    texts = []
    for number, puzzle in enumerate(puzzles, start=1):
        try:
            texts.append(write(puzzle, number))
        except UnsupportedError as error:
            if len(puzzles) == 1:
                raise
            raise UnsupportedError(f"puzzle {number}: {error}") from None
    return texts


def lone_surrogate(text: str) -> bool:
    """Whether ``text`` has half a character, which no file in UTF-8 can hold."""
    return any("\ud800" <= c <= "\udfff" for c in text)


def plain_text(puzzle: Puzzle, name: str, control: str = "") -> None:
    """Raise ``UnsupportedError`` if a title, author, ... has a character that the file can't hold."""
    for key in TEXTS:
        text = getattr(puzzle, key, "")
        if lone_surrogate(text) or any(c in control for c in text):
            raise UnsupportedError(f"{name} cannot hold a character of the {key} {quote(text)}")
