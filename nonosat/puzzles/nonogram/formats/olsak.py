r"""The ``.g`` format of Mirek and Petr Olšák's ``grid``: clues in colours, with comments around them.

::

    all before the first line that begins with # or : is a comment
    #d                        the colours: letter, colon, letter to print, shade, comment
       0:.  white             0 is the background
       1:X  #000000           1 is the colour of runs without a letter
       r:R  red
    : rows
    2 1r
    : columns
    ...
    : end, what follows is a comment

A blank line is an empty clue (``0`` is read as one, too). A puzzle without ``#d`` is black and white. Shades are
``#rrggbb`` or a name that we know; triddlers (``#t``) and triangles (a shade with a slash) are refused. It holds clues
and colours only: goal, solutions and given cells it does not, and its comments are not read for a title.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from nonosat.errors import FormatError, UnsupportedError
from nonosat.puzzles.formats.texts import lines_of, quote
from nonosat.puzzles.nonogram.formats.written_clues import MAX_RUNS, Written, assemble, refuse_given
from nonosat.puzzles.nonogram.puzzle import BLACK, MAX_COLOURS, SYMBOLS, Clue, Colour, Nonogram

_MARKS = re.compile(r"^:", re.MULTILINE)
_DECLARED = re.compile(r"([^\s,2-9])\s*:(.)\s*(\S+)(?:\s.*)?")
_RUN = re.compile(r"([0-9]{1,6})([^\s,0-9]?)")
_NAMES = {
    "black": "#000000",
    "white": "#ffffff",
    "red": "#ff0000",
    "green": "#00ff00",
    "blue": "#0000ff",
    "yellow": "#ffff00",
    "orange": "#ffa500",
    "brown": "#a52a2a",
    "pink": "#ffc0cb",
    "gray": "#bebebe",
    "grey": "#bebebe",
    "cyan": "#00ffff",
    "magenta": "#ff00ff",
    "violet": "#ee82ee",
    "purple": "#a020f0",
    "gold": "#ffd700",
    "navy": "#000080",
    "beige": "#f5f5dc",
    "tan": "#d2b48c",
    "turquoise": "#40e0d0",
}
"""The names of X11 that such files use most."""


def marks(text: str) -> bool:
    """Three lines begin with a colon."""
    return len(_MARKS.findall(text)) > 2


def read(text: str) -> list[Nonogram]:
    r"""The one puzzle of a ``.g`` text.

    >>> [puzzle] = read("#d\n1:X black\nr:R #ff0000\n:\n1 1r\n:\n1\n1r\n:\n")
    >>> puzzle.palette[1], puzzle.rows[0][1]
    (Colour(symbol='r', rgb='#ff0000'), Run(length=1, colour=2))
    """
    lines = lines_of(text)
    at = next((k for k, line in enumerate(lines) if line[:1] in (":", "#")), None)
    if at is None:
        raise FormatError('no line begins with ":" or "#", so there are no clues')
    colours = {"1": BLACK}
    if lines[at].startswith("#"):
        colours, at = _colours(lines, at)
    sections = []
    for axis in ("row", "column"):
        end = next((k for k in range(at + 1, len(lines)) if lines[k].startswith(":")), None)
        if end is None:
            raise FormatError(f'the clues of the {axis}s do not end: no line after them begins with ":"', len(lines))
        sections.append([_clue(lines[k], colours, k + 1) for k in range(at + 1, end)])
        if not sections[-1]:
            raise FormatError(f"there are no {axis}s", end + 1)
        at = end
    rows, columns = sections
    return [assemble(rows, columns, tuple(colours.values()))]


def write(puzzles: Sequence[Nonogram]) -> str:
    """One puzzle as ``.g``; several, or given cells, raise ``UnsupportedError``."""
    if len(puzzles) != 1:
        raise UnsupportedError(f"olsak holds one puzzle, not {len(puzzles)}; non, webpbn and json hold many")
    (puzzle,) = puzzles
    refuse_given(puzzle, "olsak")
    letters = [_letter(colour) for colour in puzzle.palette]
    declared = [] if puzzle.palette == (BLACK,) else ["#d", "   0:.  white"]
    if declared:
        declared += [f"   {letter or 1}:{c.symbol}  {c.rgb}" for letter, c in zip(letters, puzzle.palette, strict=True)]
    rows, columns = ([_clue_text(clue, letters) for clue in clues] for clues in (puzzle.rows, puzzle.columns))
    return "\n".join([*declared, ": rows", *rows, ": columns", *columns, ": end", ""])


def _colours(lines: Sequence[str], at: int) -> tuple[dict[str, Colour], int]:
    """The colours by their letters, ``1`` for the default, and the line at which the rows begin."""
    if lines[at][1:2] in ("t", "T"):
        raise FormatError("triddlers (#t) are no nonograms", at + 1)
    if lines[at][1:2] not in ("d", "D"):
        raise FormatError('a line that begins with "#" is "#d", before colours, or "#t"', at + 1)
    found: dict[str, Colour] = {}
    printed: dict[str, str] = {}
    for k in range(at + 1, len(lines)):
        if lines[k].startswith(":"):
            return _lettered(found, printed), k
        if not lines[k].strip():
            continue
        match = _DECLARED.fullmatch(lines[k].strip())
        if match is None or len(found) > MAX_COLOURS:
            raise FormatError(f'{quote(lines[k].strip())} is not a colour, such as "r:R  #ff0000"', k + 1)
        letter, output, shade = match.groups()
        if "/" in shade or "\\" in shade:
            raise FormatError(f"triangles ({quote(shade)}) are not read", k + 1)
        if letter in found:
            raise FormatError(f"a second colour {quote(letter)}", k + 1)
        found[letter], printed[letter] = Colour("?", _shade(shade, k + 1)), output
    raise FormatError('no line after the colours begins with ":"', len(lines))


def _lettered(found: dict[str, Colour], printed: dict[str, str]) -> dict[str, Colour]:
    """Each colour with a letter of ours: its own, if it is one; of the default, what is printed for it, or ``#``."""
    found = {letter: colour for letter, colour in found.items() if letter != "0"}
    letters = {letter: letter for letter in found if letter in SYMBOLS}
    if "1" in found:
        wanted = ("#",) if found["1"].rgb == BLACK.rgb else (printed["1"], "#")
        if own := [symbol for symbol in wanted if symbol in SYMBOLS and symbol not in letters]:
            letters["1"] = own[0]
    taken = set(letters.values())
    free = (symbol for symbol in SYMBOLS if symbol not in taken)
    return {key: Colour(letters[key] if key in letters else next(free, "#"), one.rgb) for key, one in found.items()}


def _shade(word: str, line: int) -> str:
    if re.fullmatch(r"#[0-9A-Fa-f]{6}", word):
        return word
    if (known := _NAMES.get(word.lower())) is None:
        raise FormatError(f"{quote(word)} is no shade: #rrggbb, or one of {', '.join(_NAMES)}", line)
    return known


def _clue(text: str, colours: dict[str, Colour], line: int) -> Written:
    runs: list[tuple[int, str]] = []
    for word in text.replace(",", " ").split():
        if len(runs) == MAX_RUNS:
            raise FormatError(f"a clue of more than {MAX_RUNS:,} runs", line)
        match = _RUN.fullmatch(word)
        if match is None:
            raise FormatError(f"{quote(word)} is not a run length, with a colour's letter or without", line)
        letter = match[2] or "1"
        if letter not in colours and word != "0":
            what = f"no colour {quote(letter)}" if match[2] else 'no colour of runs without a letter ("1:")'
            raise FormatError(f"{quote(word)}: there is {what}", line)
        runs.append((int(match[1]), letter))
    if runs == [(0, "1")]:
        return Written((), line)
    if any(length == 0 for length, _ in runs):
        raise FormatError("a run of length 0 (an empty clue is an empty line)", line)
    return Written(tuple((length, colours[letter].symbol) for length, letter in runs), line)


def _letter(colour: Colour) -> str:
    return "" if colour == BLACK else colour.symbol


def _clue_text(clue: Clue, letters: Sequence[str]) -> str:
    return " ".join(f"{run.length}{letters[run.colour - 1]}" for run in clue)
