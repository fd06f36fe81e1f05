"""From written clues to a nonogram: what its formats share."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from nonosat.errors import FormatError, PuzzleError, UnsupportedError
from nonosat.puzzles.formats.texts import DIGITS, quote
from nonosat.puzzles.nonogram.puzzle import BLACK, MAX_CELLS, MAX_COLOURS, Clue, Colour, Nonogram, Run, check_palette

MAX_RUNS = 100_000
"""Runs of a clue: what a line of text can ask for must not take minutes to refuse."""

MOST_COLOURS = MAX_COLOURS - 1
"""Of formats that have no letters of colours: ``palette_of`` gives these."""
_RUN = re.compile(rf"([0-9]{{1,{DIGITS}}})([#A-Za-z]?)")


class Written(NamedTuple):
    """A clue as its file writes it: (length, colour symbol) pairs, and the file's line number if it is known."""

    runs: tuple[tuple[int, str], ...]
    line: int | None = None


def written(tokens: Iterable[str], line: int | None = None, coloured: bool = False) -> Written:
    """The clue that ``tokens`` spell; none of them or a single ``0`` is the empty clue.

    >>> written(["3", "1b"], coloured=True).runs
    ((3, '#'), (1, 'b'))
    >>> written(["3", "x"], line=7)
    Traceback (most recent call last):
    nonosat.errors.FormatError: line 7: "x" is not a run length
    """
    runs: list[tuple[int, str]] = []
    for token in tokens:
        if len(runs) == MAX_RUNS:
            raise FormatError(f"a clue of more than {MAX_RUNS:,} runs", line)
        match = _RUN.fullmatch(token)
        if match is None or (match[2] and not coloured):
            long = f" (at most {DIGITS} digits)" if len(token) > DIGITS and token.isdigit() else ""
            raise FormatError(f"{quote(token)} is not a run length{long}", line)
        runs.append((int(match[1]), match[2] or "#"))
    if runs == [(0, "#")]:
        return Written((), line)
    if any(length == 0 for length, _ in runs):
        raise FormatError("a run of length 0 (a 0 stands alone, for an empty line)", line)
    return Written(tuple(runs), line)


def size(token: str, axis: str, line: int, lines: int) -> int:
    """A number of rows or columns that a file of ``lines`` lines claims to have."""
    if not (token.isascii() and token.isdigit()):
        raise FormatError(f"{quote(token)} is not a number of {axis}s", line)
    digits = token.lstrip("0") or "0"
    if len(digits) > DIGITS:
        raise FormatError(f"{quote(token)} {axis}s are announced, the file has {lines} lines", line)
    if (count := int(digits)) == 0:  # not of the token: zeros in front may be more than Python makes a number of
        raise FormatError(f"0 {axis}s: a puzzle has at least one row and one column", line)
    return count


def board_size(height: int, width: int, line: int | None = None, most: int = MAX_CELLS) -> None:
    """FormatError: a board of more than ``most`` cells; checked before anything of its size is made."""
    if height < 1 or width < 1:
        raise FormatError("a puzzle has at least one row and one column", line)
    if height * width > most:
        raise FormatError(f"a board of {height}x{width}; at most {most:,} cells are supported", line)


def section(
    lines: Sequence[str],
    start: int,
    stop: int,
    count: int,
    axis: str,
    clue: Callable[[str, int], Written],
    is_end: Callable[[str], bool],
) -> list[Written]:
    """The ``count`` clues on the lines from ``start`` (from 0), which must not go past ``stop`` or an end line."""
    clues: list[Written] = []
    for at in range(start, start + count):
        if at >= stop or is_end(lines[at]):
            reason = f"{count} {axis}s are announced, the file has {len(clues)}"
            raise FormatError(f"{axis} {len(clues) + 1} has no clue: {reason}", at + 1)
        clues.append(clue(lines[at], at + 1))
    return clues


def assemble(
    rows: Sequence[Written],
    columns: Sequence[Written],
    palette: tuple[Colour, ...] = (BLACK,),
    title: str = "",
    author: str = "",
    licence: str = "",
    source: str = "",
) -> Nonogram:
    """The puzzle of these clues; a ``PuzzleError`` becomes a ``FormatError`` at the clue's line."""
    if not rows or not columns:
        raise FormatError("a puzzle has at least one row and one column")
    board_size(len(rows), len(columns), rows[0].line)
    numbers = {colour.symbol: number for number, colour in enumerate(palette, start=1)}
    clues = []
    for axis, lines in (("row", rows), ("column", columns)):
        for index, (runs, line) in enumerate(lines):
            if unknown := [symbol for _, symbol in runs if symbol not in numbers]:
                raise FormatError(f"{axis} {index + 1}: the palette has no colour {quote(unknown[0])}", line)
        clues.append(tuple(tuple(Run(length, numbers[symbol]) for length, symbol in runs) for runs, _ in lines))
    try:
        return Nonogram(clues[0], clues[1], (), palette, title, author, licence, source)
    except PuzzleError as error:
        blamed = None
        if error.axis is not None and error.index is not None:
            blamed = (rows if error.axis == "row" else columns)[error.index].line
        raise FormatError(str(error), blamed) from None


def colour(symbol: str, rgb: str, line: int | None = None) -> Colour:
    """A colour of a file's palette, checked."""
    result = Colour(symbol, rgb)
    try:
        check_palette((result,))
    except PuzzleError:
        raise FormatError(f'{quote(f"{symbol} {rgb}")} is not a colour, such as "a #ff0000"', line) from None
    return result


def refuse_given(puzzle: Nonogram, name: str) -> None:
    """Raise ``UnsupportedError`` if cells are given: a file without them would be another puzzle."""
    if count := len(puzzle.given):
        raise UnsupportedError(f"{name} cannot hold given cells, the puzzle has {count}; json can")


def refuse_colours(puzzle: Nonogram, name: str) -> None:
    """Raise ``UnsupportedError`` if there is more than one colour: a file without them would be another puzzle."""
    if puzzle.colours > 1:
        raise UnsupportedError(f"{name} cannot hold colours, the puzzle has {puzzle.colours}; non and json can")


def single(puzzles: Sequence[Nonogram], name: str) -> Nonogram:
    """The only one of ``puzzles``, of plain clues. UnsupportedError: there are several, or colours, or given cells."""
    if len(puzzles) != 1:
        raise UnsupportedError(f"{name} holds one puzzle, not {len(puzzles)}; non, webpbn and json hold many")
    (puzzle,) = puzzles
    refuse_colours(puzzle, name)
    refuse_given(puzzle, name)
    return puzzle


def plain_clue(text: str, line: int) -> Written:
    """A clue of lengths with blanks between them."""
    return written(text.split(), line)


def plain_clue_text(clue: Clue, between: str = " ") -> str:
    """A clue of lengths; the empty one is ``0``."""
    return between.join(str(length) for length, _ in clue) or "0"


def skip_blank(lines: Sequence[str], at: int) -> int:
    """The first line from ``at`` on that is not blank."""
    while at < len(lines) and not lines[at].strip():
        at += 1
    return at


def refuse_more_colours(puzzle: Nonogram, name: str) -> None:
    """Raise ``UnsupportedError`` if there are more colours than a format without letters can give back."""
    if puzzle.colours > MOST_COLOURS:
        raise UnsupportedError(f"{name} holds {MOST_COLOURS} colours, the puzzle has {puzzle.colours}; json can")
