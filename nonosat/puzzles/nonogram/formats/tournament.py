"""The format of the Taiwanese nonogram tournaments: many square puzzles a file, in black and white.

A puzzle is a header ``$label``, then n column clues, then n row clues, a clue a line, runs separated by tabs; n is
half of the lines up to the next header. An empty clue is ``0`` (what we write; the tournaments had none) or a blank
line. One rule for blank lines at a puzzle's end: if its lines are odd in number, one of them is a separator; two or
more blank lines there are refused, since separators and empty clues look the same.

The label is the title if it is one word, else the running number; author, licence, source, goal and solutions are
dropped.
"""

from __future__ import annotations

from collections.abc import Sequence

from nonosat.errors import FormatError, UnsupportedError
from nonosat.puzzles.formats.texts import lines_of, quote, write_each
from nonosat.puzzles.nonogram.formats.written_clues import (
    assemble,
    plain_clue,
    plain_clue_text,
    refuse_colours,
    refuse_given,
)
from nonosat.puzzles.nonogram.puzzle import Nonogram


def marks(text: str) -> bool:
    """It begins with ``$``."""
    return text.lstrip().startswith("$")


def read(text: str) -> list[Nonogram]:
    r"""The puzzles of a tournament file.

    >>> [puzzle] = read("$7\n2\n1\n1\n2\n")
    >>> puzzle.title, puzzle.rows
    ('7', ((Run(length=1, colour=1),), (Run(length=2, colour=1),)))
    """
    lines = lines_of(text)
    headers = [at for at, line in enumerate(lines) if line.startswith("$")]
    for at in range(headers[0] if headers else len(lines)):
        if lines[at].strip():
            raise FormatError(f'a puzzle begins with a header such as "$1", not {quote(lines[at].strip())}', at + 1)
    ends = [*headers[1:], len(lines)]
    return [_puzzle(lines, start, end) for start, end in zip(headers, ends, strict=True)]


def write(puzzles: Sequence[Nonogram]) -> str:
    """Puzzles as a tournament file; what is not square or not black and white raises ``UnsupportedError``."""
    return "".join(write_each(puzzles, _text))


def _puzzle(lines: Sequence[str], start: int, end: int) -> Nonogram:
    label = lines[start][1:].strip()
    name, at = quote("$" + label), start + 1
    blank = next((k for k in range(end - start - 1) if lines[end - 1 - k].strip()), None)
    if blank is None:
        raise FormatError(f"puzzle {name} has no clues", at)
    if blank > 1:
        raise FormatError(f"{blank} blank lines end puzzle {name}: write empty clues as 0", end - blank + 1)
    count = end - at
    if count % 2:
        if not blank:
            raise FormatError(
                f"puzzle {name} has {count} clues; n column and n row clues are an even number", start + 1
            )
        count -= 1
    middle = at + count // 2
    columns = [plain_clue(lines[k], k + 1) for k in range(at, middle)]
    rows = [plain_clue(lines[k], k + 1) for k in range(middle, at + count)]
    return assemble(rows, columns, title=label)


def _text(puzzle: Nonogram, number: int) -> str:
    refuse_colours(puzzle, "tournament")
    refuse_given(puzzle, "tournament")
    if puzzle.height != puzzle.width:
        shape = f"{puzzle.height} rows and {puzzle.width} columns"
        raise UnsupportedError(f"tournament holds square puzzles, this one has {shape}; mk, non and json hold any")
    is_word = puzzle.title.split() == [puzzle.title] and puzzle.title.isprintable()
    clues = (plain_clue_text(clue, "\t") for clue in (*puzzle.columns, *puzzle.rows))
    return "\n".join([f"${puzzle.title if is_word else number}", *clues, ""])
