"""The ``.non`` format of Steve Simpson's solver, with the colours and bundles that nonogram-db added to it.

Lines ``key value`` in any order: strings ``catalogue`` (our source), ``title``, ``by`` (author), ``copyright`` and
``license`` (our licence is both, the latter first), ``color a #ff0000``, ``width`` (or ``columns`` with a number),
``height`` (or ``rows`` with a number), ``goal``; after ``rows`` alone exactly ``height`` clues follow, after
``columns`` alone exactly ``width``. ``0`` is an empty clue. Blank lines between clues mean nothing if there are as
many other lines as clues are due (Simpson); else each is an empty clue, as other programs have it. Other lines are
ignored, save clues past the end of a section. ``====`` separates puzzles.

A goal may stand in lines of its own below its key, and blanks in it mean nothing (pbnsolve). ``saved``, a state of
play, is ``overlooked``. A run without a letter, and ``1`` in the goal, is of the colour ``#``; a colour without a
``color`` line comes after the declared ones in a shade of ours (``#`` comes first, in black). Given cells can't be
held.
"""

from __future__ import annotations

import html
import re
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from nonosat.errors import FormatError
from nonosat.puzzles.formats.goals import goal_rows, overlooked, with_goal
from nonosat.puzzles.formats.texts import lines_of, plain_text, quote, write_each
from nonosat.puzzles.nonogram.formats.written_clues import (
    Written,
    assemble,
    colour,
    refuse_given,
    section,
    size,
    written,
)
from nonosat.puzzles.nonogram.puzzle import BLACK, MAX_COLOURS, SYMBOLS, Clue, Colour, Nonogram, shade

_DRAWN = ("goal", "saved")
_STRINGS = ("catalogue", "title", "by", "license", "copyright", "goal")
_SIZES = {"height": "row", "width": "column"}
_OTHERWISE = {"rows": "height", "columns": "width"}
_KEYS = {*_STRINGS, *_SIZES, *_OTHERWISE, "color", "saved"}
_MARKS = re.compile(r"^[ \t]*(?:rows|columns|width|height)(?:[ \t]+[0-9]+)?[ \t]*\r?$", re.MULTILINE)
_CODE = re.compile(r"[A-Za-z0-9.+-]+")  # an SPDX licence code, which is written without quotes


def marks(text: str) -> bool:
    """Three of its lines are ``rows``, ``columns``, ``width`` or ``height``, alone or with a number."""
    return len(_MARKS.findall(text)) > 2


def read(text: str) -> list[Nonogram]:
    r"""The puzzles of a ``.non`` text.

    >>> [puzzle] = read('title "A &amp; b"\nheight 1\nwidth 2\nrows\n1,1b\ncolumns\n1\n1b\n')
    >>> puzzle.title, [colour.symbol for colour in puzzle.palette]
    ('A & b', ['#', 'b'])
    """
    lines = lines_of(text)
    cuts = [-1, *(at for at, line in enumerate(lines) if _is_cut(line)), len(lines)]
    parts = [(before + 1, cut) for before, cut in pairwise(cuts)]
    puzzles = [_puzzle(lines, *part) for part in parts if any(lines[at].strip() for at in range(*part))]
    if not puzzles:
        raise FormatError("no puzzle in this file")
    return puzzles


def write(puzzles: Sequence[Nonogram]) -> str:
    """Puzzles as ``.non``, several with ``====`` between them; given cells raise ``UnsupportedError``."""
    return "====\n".join(write_each(puzzles, lambda puzzle, _: _text(puzzle)))


class _Draft(NamedTuple):
    """The lines of one puzzle by key: values with their line numbers, sizes, clues, declared colours."""

    facts: dict[str, tuple[str, int]]
    sizes: dict[str, int]
    clues: dict[str, list[Written]]
    palette: dict[str, Colour]


def _puzzle(lines: Sequence[str], start: int, stop: int) -> Nonogram:
    facts, _, clues, declared = _draft(lines, start, stop)
    for key in (*_SIZES, *_OTHERWISE):
        if key not in facts:
            raise FormatError(f'no "{key}" in this puzzle', start + 1)
    source, title, author, licence, rights, goal = (facts.get(key, ("",))[0] for key in _STRINGS)
    licence = "; ".join(filter(None, (licence, rights)))
    goal = "".join(goal.split()).replace("1", "#")
    if "saved" in facts:
        overlooked("a saved state of play")
    palette = _palette(declared, clues, goal)
    puzzle = assemble(clues["rows"], clues["columns"], palette, title, author, licence, source)
    return _with_goal(puzzle, goal, facts["goal"][1]) if goal else puzzle


def _draft(lines: Sequence[str], start: int, stop: int) -> _Draft:
    draft = _Draft({}, {}, {}, {})
    at, last = start, ""
    while at < stop:
        (key, value), at = _key_value(lines[at]), at + 1
        if value.isascii() and value.isdigit():
            key = _OTHERWISE.get(key, key)
        if key == "color":
            symbol, rgb = _key_value(value)
            if symbol in draft.palette:
                raise FormatError(f"a second color {quote(symbol)}", at)
            draft.palette[symbol] = colour(symbol, "#" + rgb.removeprefix("#"), at)
        elif key in draft.facts and key != "saved":
            raise FormatError(f'a second "{key}", the first is in line {draft.facts[key][1]}', at)
        elif key in _KEYS:
            if key in _DRAWN and not value:
                value, at = _drawn(lines, at, stop)
            draft.facts[key] = (_string(value, at) if key in _STRINGS else value, at)
            if key in _SIZES:
                draft.sizes[key] = size(value, _SIZES[key], at, len(lines))
            elif key in _OTHERWISE:
                (draft.clues[key], at), last = _section(draft, key, lines, at, stop), key
        elif last and key[:1].isdigit():
            raise FormatError(f"a clue beyond the {len(draft.clues[last])} {last}", at)
    return draft


def _section(draft: _Draft, key: str, lines: Sequence[str], at: int, stop: int) -> tuple[list[Written], int]:
    """The clues of a section that begins at ``at``, and where it ends."""
    if draft.facts[key][0]:
        raise FormatError(f'"{key}" has its line to itself', at)
    if _OTHERWISE[key] not in draft.sizes:
        raise FormatError(f'"{key}" comes before "{_OTHERWISE[key]}"', at)
    count = draft.sizes[_OTHERWISE[key]]
    full: list[int] = []
    end = at
    while end < stop and not _is_key(lines[end]) and len(full) <= count:
        if lines[end].lstrip()[:1].isdigit():
            full.append(end)
        end += 1
    if len(full) == count and full[-1] - at >= count:  # there are blank lines between them, which mean nothing
        return [_clue(lines[line], line + 1) for line in full], full[-1] + 1
    return section(lines, at, stop, count, key.removesuffix("s"), _clue, _is_key), at + count


def _drawn(lines: Sequence[str], at: int, stop: int) -> tuple[str, int]:
    """A picture whose rows stand in lines of their own, and where it ends."""
    begin = at
    while at < stop and lines[at].strip() and not _is_key(lines[at]):
        at += 1
    return "".join(lines[begin:at]), at


def _palette(declared: dict[str, Colour], clues: dict[str, list[Written]], goal: str) -> tuple[Colour, ...]:
    used = {symbol for lines in clues.values() for runs, _ in lines for _, symbol in runs} | (set(goal) & set(SYMBOLS))
    new = sorted(used - set(declared))
    if "#" in new or not (new or declared):
        declared, new = {"#": BLACK, **declared}, [symbol for symbol in new if symbol != "#"]
    taken = {known.rgb.lower() for known in declared.values()}
    shades = [rgb for rgb in map(shade, range(2 * MAX_COLOURS)) if rgb not in taken]
    return (*declared.values(), *map(Colour, new, shades))


def _with_goal(puzzle: Nonogram, goal: str, line: int) -> Nonogram:
    if len(goal) != puzzle.height * puzzle.width:
        shape = f"{puzzle.height} x {puzzle.width} = {puzzle.height * puzzle.width}"
        raise FormatError(f"the goal has {len(goal)} cells, the board {shape}", line)
    values = {"0": 0} | {known.symbol: number for number, known in enumerate(puzzle.palette, start=1)}
    if unknown := sorted(set(goal) - set(values)):
        raise FormatError(f"a goal has 0, 1 and colour letters, not {quote(unknown[0])}", line)
    cells = [values[symbol] for symbol in goal]
    return with_goal(puzzle, [cells[at : at + puzzle.width] for at in range(0, len(cells), puzzle.width)], line)


def _string(value: str, line: int) -> str:
    if not value.startswith('"'):
        return _unescaped(value, line)  # a licence code; other strings should be quoted, but files differ
    if len(value) < 2 or not value.endswith('"'):
        raise FormatError(f"{quote(value)} lacks its closing quote", line)
    return _unescaped(value[1:-1], line)


def _unescaped(text: str, line: int) -> str:
    try:
        return html.unescape(text)
    except ValueError:  # Python makes no number of more than 4,300 digits
        raise FormatError(f"{quote(text)} has a character's number that is too long", line) from None


def _clue(text: str, line: int) -> Written:
    if not text.strip():
        return Written((), line)
    # Split at commas first: one pattern for ", or blanks" would take quadratic time on a line of blanks.
    return written((token for part in text.split(",") for token in part.split() or [""]), line, coloured=True)


def _key_value(line: str) -> tuple[str, str]:
    key, *value = line.split(None, 1) or [""]
    return key, value[0].strip() if value else ""


def _is_key(line: str) -> bool:
    return _key_value(line)[0] in _KEYS


def _is_cut(line: str) -> bool:
    return line.startswith("====") and not line.strip().strip("=")


def _text(puzzle: Nonogram) -> str:
    refuse_given(puzzle, "non")
    plain_text(puzzle, "non", control="\0")
    strings = {"catalogue": puzzle.source, "title": puzzle.title, "by": puzzle.author, "license": puzzle.licence}
    lines = [f"{key} {_quoted(key, value)}" for key, value in strings.items() if value]
    if puzzle.palette != (BLACK,):
        lines += [f"color {known.symbol} {known.rgb}" for known in puzzle.palette]
    lines += [f"width {puzzle.width}", f"height {puzzle.height}"]
    for key, clues in (("rows", puzzle.rows), ("columns", puzzle.columns)):
        lines += ["", key, *(_clue_text(clue, puzzle.palette) for clue in clues)]
    if goal := goal_rows(puzzle):
        cells = "".join(goal).replace(".", "0").replace("#", "1")
        lines += ["", f'goal "{cells}"']
    return "\n".join([*lines, ""])


def _clue_text(clue: Clue, palette: tuple[Colour, ...]) -> str:
    return ",".join(f"{run.length}{palette[run.colour - 1].symbol}".removesuffix("#") for run in clue) or "0"


def _quoted(key: str, text: str) -> str:
    if key == "license" and _CODE.fullmatch(text):
        return text
    escaped = html.escape(text, quote=False).replace('"', "&quot;").replace("\n", "&#10;").replace("\r", "&#13;")
    return f'"{escaped}"'
