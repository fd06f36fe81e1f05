"""From written clues and heights to a Skyscrapers puzzle: what its formats share."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from nonosat.errors import FormatError, PuzzleError
from nonosat.puzzles.formats.texts import DIGITS, TEXTS, quote
from nonosat.puzzles.puzzle import Given
from nonosat.puzzles.skyscrapers.puzzle import EDGES, MAX_SIZE, Skyscrapers

_NUMBER = re.compile(rf"[0-9]{{1,{DIGITS}}}")


def side(count: int, line: int | None = None) -> int:
    """N of a board of ``count`` towers a line, checked before anything of that size is read."""
    if not 1 <= count <= MAX_SIZE:
        raise FormatError(f"a board of {count}x{count}; sizes from 1 to {MAX_SIZE} are supported", line)
    return count


def number(token: str, line: int | None = None) -> int:
    """The number that ``token`` spells."""
    if _NUMBER.fullmatch(token) is None:
        long = f" (at most {DIGITS} digits)" if len(token) > DIGITS and token.isdigit() else ""
        raise FormatError(f"{quote(token)} is not a number{long}", line)
    return int(token)


def clue(token: str, size: int, line: int | None = None) -> int:
    """A clue, from 1 on.

    >>> clue("7", 6, line=3)
    Traceback (most recent call last):
    nonosat.errors.FormatError: line 3: 7 towers can't be seen in a line of 6
    """
    if not 1 <= (count := number(token, line)) <= size:
        raise FormatError(f"{count} towers can't be seen in a line of {size}", line)
    return count


def height(token: str, size: int, line: int | None = None) -> int:
    """A height, from 1 on."""
    if not 1 <= (value := number(token, line)) <= size:
        raise FormatError(f"height {value}: those of a {size}x{size} board are from 1 to {size}", line)
    return value


def assemble(
    clues: Mapping[str, Sequence[int]],
    given: Sequence[Given] = (),
    texts: Mapping[str, str] | None = None,
    line: int | None = None,
) -> Skyscrapers:
    """The puzzle with these ``clues`` by edge and ``texts`` by key; a ``PuzzleError`` becomes a ``FormatError``."""
    top, bottom, left, right = (tuple(clues[edge]) for edge in EDGES)
    title, author, licence, source = ((texts or {}).get(key, "") for key in TEXTS)
    try:
        return Skyscrapers(top, bottom, left, right, tuple(given), title, author, licence, source)
    except PuzzleError as error:
        raise FormatError(str(error), line) from None


def given_cells(rows: Sequence[Sequence[int]]) -> tuple[Given, ...]:
    """The heights that are given in ``rows``, 0 for none."""
    return tuple(Given(r, c, value) for r, row in enumerate(rows) for c, value in enumerate(row) if value)
