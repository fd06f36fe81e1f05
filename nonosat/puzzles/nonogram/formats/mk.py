"""The ``.mk`` format: ``rows columns``, a clue a line for the rows, ``#``, a clue a line for the columns.

An empty clue is ``0``; a blank line where a clue is due is one too. Blank lines before the header, before ``#`` and
at the end mean nothing. The format holds clues only: title, author, licence, source and goal are dropped on writing.
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

_HEADER = re.compile(r"\s*[0-9]+[ \t]+[0-9]+[ \t]*\r?\n")
_BETWEEN = re.compile(r"^[ \t]*#[ \t]*\r?$", re.MULTILINE)


def marks(text: str) -> bool:
    """Two numbers in the first line, and a line with nothing but ``#``."""
    return _HEADER.match(text) is not None and _BETWEEN.search(text) is not None


def read(text: str) -> list[Nonogram]:
    r"""The one puzzle of a ``.mk`` text.

    >>> read("1 2\n1\n#\n1\n0\n")[0].columns
    ((Run(length=1, colour=1),), ())
    >>> read("1 2\n1\n#\n1\n")
    Traceback (most recent call last):
    nonosat.errors.FormatError: line 5: column 2 has no clue: 2 columns are announced, the file has 1
    """
    lines = lines_of(text)
    at = skip_blank(lines, 0)
    header = lines[at].split()
    if len(header) != 2:
        raise FormatError(f'the first line is "rows columns", not {quote(lines[at].strip())}', at + 1)
    height, width = (
        size(token, axis, at + 1, len(lines)) for token, axis in zip(header, ("row", "column"), strict=True)
    )
    rows = section(lines, at + 1, len(lines), height, "row", plain_clue, lambda line: line.strip() == "#")
    at = skip_blank(lines, at + 1 + height)
    if at == len(lines):
        raise FormatError(f'after the {height} row clues, "#" and {width} column clues are missing', at + 1)
    if lines[at].strip() != "#":
        raise FormatError(f'after the {height} row clues comes "#", not {quote(lines[at].strip())}', at + 1)
    columns = section(lines, at + 1, len(lines), width, "column", plain_clue, lambda line: False)
    at = skip_blank(lines, at + 1 + width)
    if at < len(lines):
        raise FormatError(f"after the {width} column clues comes the end, not {quote(lines[at].strip())}", at + 1)
    return [assemble(rows, columns)]


def write(puzzles: Sequence[Nonogram]) -> str:
    """One puzzle as ``.mk``; several, colours or given cells raise ``UnsupportedError``."""
    puzzle = single(puzzles, "mk")
    rows, columns = ([plain_clue_text(clue) for clue in clues] for clues in (puzzle.rows, puzzle.columns))
    return "\n".join([f"{puzzle.height} {puzzle.width}", *rows, "#", *columns, ""])
