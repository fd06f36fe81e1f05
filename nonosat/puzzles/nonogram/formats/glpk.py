"""Andrew Makhorin's data for GLPK's ``pbn.mod`` (MathProg): the sizes ``m`` and ``n``, the runs ``row`` and ``col``.

::

    data;
    param m := 2;                 rows
    param n := 3;                 columns
    param row : 1  2  :=          the runs of each row in order; . (or 0) is none
          1     1  1
          2     3  .
    ;
    param col : 1 := 1 2 2 1 3 2;
    end;

What stands before ``data;``, such as the model, is passed over. Tables may be transposed (``(tr)``), in parts, or
lists: ``param row := 1 1 2, 2 1 3;``, ``param row := [1,*] 1 1 2 1 [2,*] 1 3;``. Comments are ``# ...`` and ``/* ...
*/``. It holds clues only: title, author, licence, source, goal and solutions are dropped on writing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from nonosat.errors import FormatError
from nonosat.puzzles.formats.texts import DIGITS, END, Token, Tokens, quote, unix
from nonosat.puzzles.nonogram.formats.written_clues import Written, assemble, board_size, single
from nonosat.puzzles.nonogram.puzzle import Clue, Nonogram

MAX_VALUES = 1_000_000
_TOKEN = r":=|[:;,*\[\]()]|\"[^\"\n]*\"|'[^'\n]*'|[^\s:;,*\[\]()\"'#/]+"
_DATA = re.compile(r"^[ \t]*data[ \t]*;", re.MULTILINE)
_MARKS = re.compile(r"\bparam[ \t\n\r]{1,9}(?:m|n|row|col)\b")
Table = dict[tuple[int, int], int]


def marks(text: str) -> bool:
    """Four parameters of these names."""
    return len({match.split()[1] for match in _MARKS.findall(text)}) == 4


def read(text: str) -> list[Nonogram]:
    """The one puzzle of such data.

    >>> read("data; param m := 1; param n := 2; param row : 1 := 1 1; param col := [1,*] 1 1; end;")[0].columns
    ((Run(length=1, colour=1),), ())
    """
    text = unix(text)
    begin = _DATA.search(text)
    before = begin.start() if begin else 0
    passed = text.count("\n", 0, before)
    try:
        sizes, tables = _Reader(Tokens(text[before:], _TOKEN, "#")).read()
        for name in ("m", "n"):
            if name not in sizes:
                raise FormatError(f'no "param {name}" in this data')
        height, width = sizes["m"], sizes["n"]
        if height + width > len(text):
            raise FormatError(f"a board of {height}x{width}, for which the text is too short")
        board_size(height, width)
        return [assemble(_clues(tables["row"], "row", height, width), _clues(tables["col"], "column", width, height))]
    except FormatError as error:
        raise FormatError(error.reason, error.line and error.line + passed) from None


def write(puzzles: Sequence[Nonogram]) -> str:
    """The data of one puzzle; several, colours or given cells raise ``UnsupportedError``."""
    puzzle = single(puzzles, "glpk")
    lines = ["data;", "", f"param m := {puzzle.height};", "", f"param n := {puzzle.width};"]
    for name, clues in (("row", puzzle.rows), ("col", puzzle.columns)):
        lines += ["", *_table(name, clues)]
    return "\n".join([*lines, "", "end;", ""])


def _table(name: str, clues: Sequence[Clue]) -> list[str]:
    most = max(1, *map(len, clues))
    wide = len(str(len(clues)))
    lines = [f"param {name} : {' '.join(map(str, range(1, most + 1)))} :="]
    for number, clue in enumerate(clues, 1):
        runs = [str(run.length) for run in clue] + ["."] * (most - len(clue))
        lines.append(f"  {number:{wide}} {' '.join(runs)}")
    return [*lines, ";"]


def _clues(table: Table, axis: str, count: int, length: int) -> list[Written]:
    """The runs of each line, which must be the first ones of its places."""
    runs: list[dict[int, int]] = [{} for _ in range(count)]
    for (line, place), value in table.items():
        if not (1 <= line <= count and 1 <= place <= (length + 1) // 2):
            raise FormatError(f"{axis} {line} has no run {place}: there are {count} of {length} cells")
        if value:
            runs[line - 1][place] = value
    for number, found in enumerate(runs, 1):
        if found and max(found) != len(found):
            raise FormatError(f"{axis} {number}: run {max(found)} is there, and one before it is not")
    return [Written(tuple((found[place], "#") for place in sorted(found))) for found in runs]


class _Reader:
    """Reads statements: ``m`` and ``n``, and the tables of (line, place)."""

    def __init__(self, tokens: Tokens) -> None:
        self.tokens = tokens
        self.sizes: dict[str, int] = {}
        self.tables: dict[str, Table] = {"row": {}, "col": {}}

    def read(self) -> tuple[dict[str, int], dict[str, Table]]:
        for token in self.tokens:
            if token.text in ("data", "end"):
                self.tokens.expect(";", token.text)
                if token.text == "end":
                    break
            elif token.text == "param":
                self.parameter(self.tokens.take())
            else:
                raise FormatError(f'a statement begins with "param", not {quote(token.text)}', token.line)
        return self.sizes, self.tables

    def parameter(self, name: Token) -> None:
        if name.text not in ("m", "n", "row", "col"):
            raise FormatError(f"{quote(name.text)} is no parameter of a nonogram: m, n, row, col", name.line)
        if self.tokens.skip("default"):
            value = self.tokens.take()
            if _number(value):
                raise FormatError(f"the default of a run is 0, not {quote(value.text)}", value.line)
        self.tokens.skip(",")
        if name.text in ("m", "n"):
            if name.text in self.sizes:
                raise FormatError(f'a second "param {name.text}"', name.line)
            self.tokens.expect(":=", f"param {name.text}")
            self.sizes[name.text] = _number(self.tokens.take())
            self.tokens.expect(";", f"the value of {name.text}")
            return
        table = self.tables[name.text]
        while not self.tokens.skip(";"):
            self.part(table)
            if len(table) > MAX_VALUES:
                raise FormatError(f"more than {MAX_VALUES:,} values", name.line)

    def part(self, table: Table) -> None:
        """``:= triples``, ``[i,*] pairs``, or ``(tr) : columns := rows``."""
        tokens = self.tokens
        if tokens.skip(":=") or tokens.skip(","):
            return
        if tokens.skip("["):
            self.slice(table)
        elif tokens.peek().text == "(":
            for sign in ("(", "tr", ")", ":"):
                tokens.expect(sign, "a parameter's name")
            self.tabular(table, turned=True)
        elif tokens.skip(":"):
            self.tabular(table, turned=False)
        else:
            line, place = _number(tokens.take()), _number(tokens.take())
            _put(table, line, place, tokens.take())

    def slice(self, table: Table) -> None:
        first = self.tokens.take()
        self.tokens.expect(",", "an index")
        second = self.tokens.take()
        self.tokens.expect("]", "two indices")
        if "*" not in (first.text, second.text):
            raise FormatError("a slice has a * for an index that follows", first.line)
        if first.text == second.text:
            return  # [*,*]: all of them follow
        fixed = _number(second if first.text == "*" else first)
        while self.tokens.peek().text not in ("[", ";", ":=", ":", END):
            if self.tokens.skip(","):
                continue
            index = _number(self.tokens.take())
            _put(table, *((index, fixed) if first.text == "*" else (fixed, index)), self.tokens.take())

    def tabular(self, table: Table, turned: bool) -> None:
        heads = []
        while not self.tokens.skip(":="):
            heads.append(_number(self.tokens.take()))
            if len(heads) > MAX_VALUES:
                raise FormatError(f"more than {MAX_VALUES:,} columns", self.tokens.peek().line)
        while self.tokens.peek().text not in (";", ":", "[", "(", ":="):
            if self.tokens.skip(","):
                continue
            side = _number(self.tokens.take())
            for head in heads:
                _put(table, *((head, side) if turned else (side, head)), self.tokens.take())
            if len(table) > MAX_VALUES:
                return


def _put(table: Table, line: int, place: int, value: Token) -> None:
    if value.text == ".":
        return
    if (line, place) in table:
        raise FormatError(f"a second value for [{line},{place}]", value.line)
    table[line, place] = _number(value)


def _number(token: Token) -> int:
    if not (token.text.isascii() and token.text.isdigit() and len(token.text) <= DIGITS):
        found = quote(token.text) if token.text else "the end"
        raise FormatError(f"{found} is not a number of at most {DIGITS} digits", token.line)
    return int(token.text)
