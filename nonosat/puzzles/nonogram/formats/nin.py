"""Jakub Wilk's ``.nin`` format: ``width height``, then a clue a line, first those of the rows, then of the columns.

It is ``.mk`` with the sizes the other way round and without its ``#``. An empty clue is ``0``; a blank line where a
clue is due is one too. It holds clues only: title, author, licence, source, goal and solutions are dropped on writing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from nonosat.errors import FormatError
from nonosat.puzzles.formats.texts import lines_of, quote
from nonosat.puzzles.nonogram.formats.written_clues import (
    assemble,
    plain_clue,
    plain_clue_text,
    section,
    single,
    size,
    skip_blank,
)
from nonosat.puzzles.nonogram.puzzle import Nonogram

_MARKS = re.compile(r"\s*[0-9]+[ \t]+[0-9]+[ \t]*\r?\n[0-9 \t\r\n]+\Z")


def marks(text: str) -> bool:
    """Nothing but numbers, two in the first line; ``.mk`` has a ``#``."""
    return _MARKS.match(text) is not None


def read(text: str) -> list[Nonogram]:
    r"""The one puzzle of a ``.nin`` text.

    >>> read("2 1\n1\n1\n0\n")[0].columns
    ((Run(length=1, colour=1),), ())
    """
    lines = lines_of(text)
    at = skip_blank(lines, 0)
    header = lines[at].split()
    if len(header) != 2:
        raise FormatError(f'the first line is "width height", not {quote(lines[at].strip())}', at + 1)
    width, height = (
        size(token, axis, at + 1, len(lines)) for token, axis in zip(header, ("column", "row"), strict=True)
    )
    rows = section(lines, at + 1, len(lines), height, "row", plain_clue, lambda line: False)
    columns = section(lines, at + 1 + height, len(lines), width, "column", plain_clue, lambda line: False)
    at = skip_blank(lines, at + 1 + height + width)
    if at < len(lines):
        raise FormatError(f"after the {width} column clues comes the end, not {quote(lines[at].strip())}", at + 1)
    return [assemble(rows, columns)]


def write(puzzles: Sequence[Nonogram]) -> str:
    """One puzzle as ``.nin``; several, colours or given cells raise ``UnsupportedError``."""
    puzzle = single(puzzles, "nin")
    clues = [plain_clue_text(clue) for clue in (*puzzle.rows, *puzzle.columns)]
    return "\n".join([f"{puzzle.width} {puzzle.height}", *clues, ""])
