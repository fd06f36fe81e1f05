"""The ``.sky`` format, our own text for skyscrapers: the board as it is printed, with its clues around it.

::

    title: an example
    + . 3 . 1 +
    2 . . . . 1
    . . . 4 . .
    . . . . . 3
    . . . . . 2
    + 2 . . . +
    goal:
    ...

First the texts ``title:``, ``author:``, ``licence:``, ``source:`` (each may be left out), then N + 2 lines of N + 2
words: ``+`` in the corners, clues around, heights within, ``.`` (or 0) for none; then, if it is known, ``goal:`` and N
lines of N heights. A puzzle has no blank line in it; blank lines are between puzzles. Lines that begin with ``#`` are
comments, wherever they are. A text that begins with a quote, has blanks at its ends or line breaks in it is written as
a JSON string.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from itertools import groupby

from nonosat.errors import FormatError
from nonosat.puzzles.formats.goals import goal_rows, with_goal
from nonosat.puzzles.formats.texts import TEXTS, lines_of, lone_surrogate, plain_text, quote, write_each
from nonosat.puzzles.puzzle import given_board
from nonosat.puzzles.skyscrapers.formats.written import assemble, clue, given_cells, height, side
from nonosat.puzzles.skyscrapers.puzzle import Skyscrapers

_CORNER, _NONE, _GOAL = "+", ".", "goal:"
Lines = Sequence[tuple[int, str]]


def marks(text: str) -> bool:
    """One of its first lines begins and ends with ``+``, as a word of its own."""
    lines = (line.split() for line in text.split("\n", 100)[:100])
    return any(len(words) > 2 and words[0] == words[-1] == _CORNER for words in lines)


def read(text: str) -> list[Skyscrapers]:
    r"""The puzzles of a ``.sky`` text.

    >>> [puzzle] = read("title: tiny\n+ 2 . +\n. . 1 .\n. . . .\n+ . . +\n")
    >>> puzzle.title, puzzle.top, puzzle.given
    ('tiny', (2, 0), (Given(row=0, column=1, value=1),))
    >>> read("+ 3 . +\n. . . .\n. . . .\n+ . . +\n")
    Traceback (most recent call last):
    nonosat.errors.FormatError: line 1: 3 towers can't be seen in a line of 2
    """
    lines = [(at, line) for at, line in enumerate(lines_of(text), start=1) if not line.lstrip().startswith("#")]
    blocks = [list(block) for blank, block in groupby(lines, lambda line: not line[1].strip()) if not blank]
    if not blocks:
        raise FormatError("no puzzle in this file")
    return [_puzzle(block) for block in blocks]


def write(puzzles: Sequence[Skyscrapers]) -> str:
    """Puzzles as ``.sky``, a blank line between them."""
    return "\n".join(write_each(puzzles, lambda puzzle, _: _text(puzzle)))


def _puzzle(lines: Lines) -> Skyscrapers:
    texts = _texts(lines)
    board = lines[len(texts) :]
    if not board:
        raise FormatError(
            'no board after the texts: it begins with "+ ... +", no blank line before it', lines[-1][0] + 1
        )
    first, top = board[0][0], board[0][1].split()
    if len(top) < 3 or top[-1] != _CORNER:
        raise FormatError(f'a board begins with "+", a clue a column, "+", not {quote(board[0][1].strip())}', first)
    size = side(len(top) - 2, first)
    rows = [_words(line, at, size + 2, "the first line") for at, line in board[: size + 2]]
    if len(rows) < size + 2:
        raise FormatError(f"the board has {len(rows)} lines, {size + 2} are due", board[-1][0] + 1)
    last = board[size + 1][0]
    if rows[-1][0] != _CORNER or rows[-1][-1] != _CORNER:
        raise FormatError(f'a board of {size}x{size} ends with "+", a clue a column, "+"', last)

    def edge(tokens: Sequence[str], at: Sequence[int]) -> list[int]:
        return [_value(clue, token, size, line) for token, line in zip(tokens, at, strict=True)]

    inner = [at for at, _ in board[1 : size + 1]]
    clues = {
        "top": edge(rows[0][1:-1], [first] * size),
        "bottom": edge(rows[-1][1:-1], [last] * size),
        "left": edge([row[0] for row in rows[1:-1]], inner),
        "right": edge([row[-1] for row in rows[1:-1]], inner),
    }
    cells = [
        [_value(height, token, size, at) for token in row[1:-1]] for row, at in zip(rows[1:-1], inner, strict=True)
    ]
    puzzle = assemble(clues, given_cells(cells), texts, first)
    return _with_goal(puzzle, board[size + 2 :])


def _texts(lines: Lines) -> dict[str, str]:
    texts: dict[str, str] = {}
    for at, line in lines:
        if line.split(None, 1)[0] == _CORNER:
            break
        key, colon, value = line.partition(":")
        key = key.strip()
        if not colon or key not in TEXTS:
            known = ", ".join(f"{text}:" for text in TEXTS)
            raise FormatError(f"a puzzle begins with {known} or its board (+ ... +), not {quote(line.strip())}", at)
        if key in texts:
            raise FormatError(f"a second {key}:", at)
        texts[key] = _string(value.strip(), key, at)
    return texts


def _string(text: str, key: str, line: int) -> str:
    if not text.startswith('"'):
        return text
    try:
        value = json.loads(text)
    except json.JSONDecodeError:
        raise FormatError(f"{key}: {quote(text)} is not a JSON string, as what begins with a quote is", line) from None
    assert isinstance(value, str)
    if lone_surrogate(value):
        raise FormatError(f"{key}: a lone surrogate in {quote(text)}", line)
    return value


def _words(line: str, at: int, count: int, as_in: str) -> list[str]:
    words = line.split(None, count)
    if len(words) != count:
        have = len(words) if len(words) < count else "more"
        raise FormatError(f"{have} words, {as_in} has {count}", at)
    return words


def _value(reader: Callable[[str, int, int], int], token: str, size: int, line: int) -> int:
    return 0 if token in (_NONE, "0") else reader(token, size, line)


def _with_goal(puzzle: Skyscrapers, lines: Lines) -> Skyscrapers:
    if not lines:
        return puzzle
    (start, head), rows = lines[0], lines[1:]
    if head.strip() != _GOAL:
        raise FormatError(f'after the board comes "{_GOAL}" or a blank line, not {quote(head.strip())}', start)
    size = puzzle.size
    if len(rows) != size:
        at = rows[size][0] if len(rows) > size else lines[-1][0] + 1
        raise FormatError(f"the goal has {len(rows)} rows, the puzzle {size}", at)
    cells = [[height(token, size, at) for token in _words(line, at, size, "a row of the goal")] for at, line in rows]
    return with_goal(puzzle, cells, start)


def _text(puzzle: Skyscrapers) -> str:
    plain_text(puzzle, "sky")
    lines = [f"{key}: {_quoted(text)}" for key in TEXTS if (text := getattr(puzzle, key))]
    inner = zip(puzzle.left, given_board(puzzle), puzzle.right, strict=True)
    board = [
        [_CORNER, *map(_shown, puzzle.top), _CORNER],
        *([_shown(left), *map(_shown, row), _shown(right)] for left, row, right in inner),
        [_CORNER, *map(_shown, puzzle.bottom), _CORNER],
    ]
    lines += _aligned(board)
    if goal := goal_rows(puzzle):
        lines += [_GOAL, *_aligned([row.split() for row in goal])]
    return "\n".join([*lines, ""])


def _aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    width = max(len(word) for row in rows for word in row)
    return [" ".join(word.rjust(width) for word in row) for row in rows]


def _shown(value: int) -> str:
    return str(value) if value else _NONE


def _quoted(text: str) -> str:
    if text == text.strip() and text.isprintable() and not text.startswith('"'):
        return text
    return json.dumps(text, ensure_ascii=False)
