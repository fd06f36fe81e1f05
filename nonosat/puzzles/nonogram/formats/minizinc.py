"""Data (``.dzn``) of the MiniZinc challenge's ``nonogram/non.mzn``: a line's cells as they must follow each other.

::

    X = 3; Y = 2; maxlen = 3;          columns, rows, the length of the lists
    rows = [| 1, 0, 1                  a run of k is k ones, 0 stands between two runs, -1 behind the last one
            | 1, 1, 1 |];
    cols = [| 1, 1, -1 | 1, -1, -1 | 1, 1, -1 |];

The names of Håkan Kjellerstrand's models are read as well: ``rows`` and ``cols`` are numbers, ``row_rules`` and
``col_rules`` the runs, with zeros before them up to ``row_rule_len`` and ``col_rule_len``. Matrices may be written
``array2d(1..2, 1..3, [...])``; comments are ``% ...`` and ``/* ... */``. It holds clues only: title, author, licence,
source, goal and solutions are dropped on writing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import groupby

from nonosat.errors import FormatError
from nonosat.puzzles.formats.texts import DIGITS, Token, Tokens, quote, unix
from nonosat.puzzles.nonogram.formats.written_clues import Written, assemble, single
from nonosat.puzzles.nonogram.puzzle import Clue, Nonogram

MAX_VALUES = 2_000_000
_TOKEN = r"\[\||\|\]|\.\.|[\[\]|,;=(){}]|-?[0-9]+|[A-Za-z_][A-Za-z0-9_]*"
_MARKS = re.compile(r"(?<![\w.])(rows|cols|row_rules|col_rules)[ \t]*=[ \t]*(?:\[\||array2d|[0-9]+[ \t]*;)")
Matrix = list[list[int]]


def marks(text: str) -> bool:
    """It sets ``rows`` and ``cols``, to numbers or matrices."""
    return {"rows", "cols"} <= set(_MARKS.findall(text))


def read(text: str) -> list[Nonogram]:
    """The one puzzle of such data.

    >>> read("X = 2; Y = 1; maxlen = 1; rows = [|1|]; cols = [|1|0|];")[0].columns
    ((Run(length=1, colour=1),), ())
    """
    values, lines = _assignments(Tokens(unix(text), _TOKEN, "%"))
    by_runs = "row_rules" in values or "col_rules" in values
    known = (
        ("rows", "row_rule_len", "row_rules", "cols", "col_rule_len", "col_rules")
        if by_runs
        else ("X", "Y", "maxlen", "rows", "cols")
    )
    for name in values:
        if name not in known:
            raise FormatError(f"{quote(name)} is no name of this data: {', '.join(known)}", lines[name])
    found = []
    for name, size, long in (
        (("row_rules", "rows", "row_rule_len"), ("col_rules", "cols", "col_rule_len"))
        if by_runs
        else (("rows", "Y", "maxlen"), ("cols", "X", "maxlen"))
    ):
        if name not in values:
            raise FormatError(f"no {quote(name)} in this data")
        matrix = values[name]
        if not isinstance(matrix, list):
            raise FormatError(f"{quote(name)} is a matrix, [| ... | ... |]", lines[name])
        _agree(matrix, values, lines, name, size, long)
        found.append([_clue(row, by_runs, lines[name]) for row in matrix])
    rows, columns = found
    return [assemble(rows, columns)]


def write(puzzles: Sequence[Nonogram]) -> str:
    """The data of one puzzle; several, colours or given cells raise ``UnsupportedError``."""
    puzzle = single(puzzles, "minizinc")
    lists = [[_cells(clue) for clue in clues] for clues in (puzzle.rows, puzzle.columns)]
    most = max(len(cells) for side in lists for cells in side)
    lines = [f"X = {puzzle.width};", f"Y = {puzzle.height};", f"maxlen = {most};"]
    for name, side in zip(("rows", "cols"), lists, strict=True):
        rows = [", ".join(map(str, cells + [-1] * (most - len(cells)))) for cells in side]
        lines.append(f"{name} = [| " + "\n  | ".join(rows) + "\n  |];")
    return "\n".join([*lines, ""])


def _cells(clue: Clue) -> list[int]:
    """1 for each cell of a run, 0 between runs; 0 for an empty clue."""
    cells: list[int] = []
    for run in clue:
        cells += [*([0] if cells else []), *[1] * run.length]
    return cells or [0]


def _clue(row: list[int], by_runs: bool, line: int) -> Written:
    if by_runs:
        if min(row, default=0) < 0:
            raise FormatError(f"a run of length {min(row)}", line)
        return Written(tuple((length, "#") for length in row if length), line)
    while row and row[-1] == -1:
        row.pop()
    if unknown := set(row) - {0, 1}:
        raise FormatError(f"a list has 0 and 1, and -1 behind them, not {min(unknown)}", line)
    return Written(tuple((len(list(cells)), "#") for one, cells in groupby(row) if one), line)


def _agree(
    matrix: Matrix, values: dict[str, int | Matrix], lines: dict[str, int], name: str, size: str, long: str
) -> None:
    """FormatError: a matrix is not of the announced size."""
    if not matrix:
        raise FormatError(f"{quote(name)} has no rows", lines[name])
    for key, count, what in ((size, len(matrix), "rows"), (long, len(matrix[0]), "columns")):
        if key in values and values[key] != count:
            announced = values[key] if isinstance(values[key], int) else "a matrix"
            raise FormatError(f"{key} is {announced}, and {quote(name)} has {count} {what}", lines[name])


def _assignments(tokens: Tokens) -> tuple[dict[str, int | Matrix], dict[str, int]]:
    """The value and the line of each name."""
    values: dict[str, int | Matrix] = {}
    lines: dict[str, int] = {}
    for name in tokens:
        if not re.fullmatch(r"[A-Za-z_]\w*", name.text):
            raise FormatError(f'data are "name = value;", not {quote(name.text)}', name.line)
        if name.text in values:
            raise FormatError(f"{quote(name.text)} is set twice", name.line)
        tokens.expect("=", name.text)
        values[name.text], lines[name.text] = _value(tokens, values), name.line
        tokens.expect(";", f"the value of {name.text}")
    return values, lines


def _value(tokens: Tokens, known: dict[str, int | Matrix]) -> int | Matrix:
    token = tokens.take()
    if token.text == "[|":
        return _matrix(tokens, token.line)
    if token.text != "array2d":
        return _number(token)
    tokens.expect("(", "array2d")
    height, width = _range(tokens, known), _range(tokens, known)
    tokens.expect("[", "two ranges")
    flat = _numbers(tokens, "]")
    tokens.expect(")", "the list of array2d")
    if height < 1 or width < 1 or height * width != len(flat):
        raise FormatError(f"a matrix of {height}x{width} has {len(flat)} numbers", token.line)
    return [flat[at : at + width] for at in range(0, len(flat), width)]


def _range(tokens: Tokens, known: dict[str, int | Matrix]) -> int:
    """How many numbers a range such as ``1..5,`` has; its end may be a name that is set before."""
    first = _number(tokens.take())
    tokens.expect("..", "the first index")
    end = tokens.take()
    last = known.get(end.text)
    tokens.expect(",", "a range")
    return (last if isinstance(last, int) else _number(end)) - first + 1


def _matrix(tokens: Tokens, line: int) -> Matrix:
    """``| 1, 2 | 3, 4 |]``; a comma may stand at the end of a row."""
    rows: Matrix = []
    total = 0
    while not tokens.skip("|]"):
        row = _numbers(tokens, "|", "|]")
        if row:
            rows.append(row)
        total += len(row)
        if total > MAX_VALUES:
            raise FormatError(f"a matrix of more than {MAX_VALUES:,} numbers", line)
        if row and len(row) != len(rows[0]):
            raise FormatError(f"row {len(rows)} of a matrix has {len(row)} numbers, row 1 has {len(rows[0])}", line)
    return rows


def _numbers(tokens: Tokens, *ends: str) -> list[int]:
    """Numbers with commas between them up to one of ``ends``, which is taken if it is a single sign."""
    found: list[int] = []
    while tokens.peek().text not in ends:
        found.append(_number(tokens.take()))
        if len(found) > MAX_VALUES:
            raise FormatError(f"a list of more than {MAX_VALUES:,} numbers", tokens.peek().line)
        if not tokens.skip(",") and tokens.peek().text not in ends:
            tokens.expect(",", "a number")
    if tokens.peek().text != "|]":
        tokens.take()
    return found


def _number(token: Token) -> int:
    if not token.text.removeprefix("-").isdigit() or len(token.text) > DIGITS:
        found = quote(token.text) if token.text else "the end"
        raise FormatError(f"{found} is not a number of at most {DIGITS} digits", token.line)
    return int(token.text)
