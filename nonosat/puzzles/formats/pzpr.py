r"""Links of puzz.link, pzv.jp and others of pzpr: a line a puzzle, ``https://puzz.link/p?KIND/COLUMNS/ROWS/BODY``.

A link may have words between kind and size that say how to play it (``v:``), or ``_edit`` behind its kind; all before
the ``?`` means nothing, and nothing but ``KIND/...`` need be there. What the body says is each kind's own
(``PuzzleKind.pzpr``); the code of its numbers is here. We write puzz.link's. A link holds no title, author, goal, ...
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from nonosat.errors import FormatError, PuzzleError
from nonosat.puzzles.formats.texts import lines_of, quote, write_each
from nonosat.puzzles.puzzle import KINDS, Puzzle, PzprLink, kind_of

ADDRESS = "https://puzz.link/p?"
MAX_SIDE = 10_000
_LINK = re.compile(r"(?:[^\s?]{0,200}\?)?([a-z]{1,40})(?:_[a-z]{1,9})?/(?:v:/)?([0-9]{1,6})/([0-9]{1,6})/(\S*)")
_LONG = {"-": (2, 0), "+": (3, 0), "=": (3, 4096), "%": (3, 8192)}
"""What begins a number of more than a digit: its hexadecimal digits, and what is added to them."""
UNKNOWN = -1
"""The number of a cell with a question mark."""


def marks(text: str) -> bool:
    """Its first line has a kind that has such links, or an address and any kind, and two numbers."""
    match = _LINK.match(text.lstrip())
    return match is not None and (_kind(match[1]) is not None or match[0].startswith(("http://", "https://")))


def read(text: str) -> list[Puzzle]:
    r"""The puzzles of a text of links.

    >>> [puzzle] = read("https://puzz.link/p?nonogram/2/1/1g1\n")
    >>> puzzle.rows, puzzle.columns
    (((Run(length=1, colour=1),),), ((Run(length=1, colour=1),), ()))
    """
    puzzles = []
    for at, line in enumerate(lines_of(text), start=1):
        if line.strip():
            try:
                puzzles.append(_puzzle(line.strip()))
            except FormatError as error:
                raise FormatError(error.reason, at) from None
            except PuzzleError as error:
                raise FormatError(str(error), at) from None
    return puzzles


def write(puzzles: Sequence[Puzzle]) -> str:
    """Puzzles as links."""
    return "".join(write_each(puzzles, lambda puzzle, _: _text(puzzle)))


def _puzzle(line: str) -> Puzzle:
    match = _LINK.fullmatch(line)
    if match is None:
        raise FormatError(f'{quote(line)} is no link of the form "{ADDRESS}KIND/COLUMNS/ROWS/..."')
    if (link := _kind(match[1])) is None:
        known = ", ".join(each.name for each in _links())
        raise FormatError(f"{quote(match[1])} is no kind of puzzle whose links are read: {known}")
    columns, rows = int(match[2]), int(match[3])
    if not (1 <= columns <= MAX_SIDE and 1 <= rows <= MAX_SIDE):
        raise FormatError(f"a board of {rows}x{columns}; sides from 1 to {MAX_SIDE:,} are read")
    return link.read(columns, rows, match[4])


def _text(puzzle: Puzzle) -> str:
    link = kind_of(puzzle).pzpr
    assert link is not None  # a kind without one has not this format
    height, width = puzzle.shape
    return f"{ADDRESS}{link.name}/{width}/{height}/{link.write(puzzle)}\n"


def _links() -> list[PzprLink]:
    return [kind.pzpr for kind in KINDS.values() if kind.pzpr is not None]


def _kind(name: str) -> PzprLink | None:
    return next((link for link in _links() if link.name == name), None)


def numbers(body: str, count: int) -> tuple[dict[int, int], str]:
    """The numbers of ``count`` cells by place (``UNKNOWN`` of a ``.``), and what of ``body`` is behind them.

    >>> numbers("1g-1f.", 4)
    ({0: 1, 2: 31, 3: -1}, '')
    """
    found: dict[int, int] = {}
    place = at = 0
    while at < len(body) and place < count:
        letter = body[at]
        at += 1
        if "g" <= letter <= "z":
            place += ord(letter) - ord("g") + 1
            continue
        digits, added = _LONG.get(letter, (0, 0))
        written = body[at : at + digits] if digits else letter
        at += digits
        if written == ".":
            found[place] = UNKNOWN
        elif re.fullmatch(r"[0-9a-f]+", written) and len(written) == max(digits, 1):
            found[place] = int(written, 16) + added
        else:
            raise FormatError(f"{quote(letter + written if digits else letter)} is no number of such a link")
        place += 1
    if place != count:
        have = f"{place} of" if place < count else "more than"
        raise FormatError(f"{have} {count} places have a number or none")
    return found, body[at:]


def coded(values: Iterable[int | None]) -> str:
    """The code of a number a cell, None where there is none; what ends with such cells says so, too.

    >>> coded([1, None, 31, *[None] * 22, 300])
    '1g-1fzh+12c'
    """
    parts: list[str] = []
    empty = 0
    for value in (*values, -1):
        if value is None:
            empty += 1
            continue
        parts.append("z" * (empty // 20) + (chr(ord("f") + empty % 20) if empty % 20 else ""))
        empty = 0
        if value >= 0:
            parts.append(f"{value:x}" if value < 16 else f"-{value:02x}" if value < 256 else f"+{value:03x}")
    return "".join(parts)
