r"""A puzzle as OPB text for pseudo-Boolean solvers, and back: its statement, with the puzzle in comments.

::

    * #variable= 3 #constraint= 4
    * puzzle {
    * puzzle   "nonosat": 1,
    ...
    * puzzle }
    1 x1 -1 x3 = 0 ;
    ...

The variables are ``x1``, ``x2``, ... as the competitions' solvers want them: the board's first (of a nonogram cell by
cell, colour by colour), then the others as they come. A puzzle is read from the comments, and held against the
constraints, which must be those of its statement, in order; files that ``nonosat certify`` writes have them by name,
which is read too, once the comments are there. Other OPB is refused, since its puzzle is not known.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import count

from nonosat.certificates.statement import PBConstraint, Statement, statement_of
from nonosat.errors import FormatError, UnsupportedError
from nonosat.files import printable
from nonosat.puzzles.formats import dumps, loads
from nonosat.puzzles.formats.texts import lines_of, quote
from nonosat.puzzles.puzzle import Puzzle

MAX_SIZE = 2**20
"""Of variables of a board; more would not fit into a file that can be read."""
_PUZZLE = "* puzzle "
_MARKS = re.compile(r"^\* (?:#variable=|puzzle \{)", re.MULTILINE)
_TERM = re.compile(r"\s*([+-]?\s?[0-9]{1,9})\s*(~?[A-Za-z_][A-Za-z0-9_]{0,63})")
_END = re.compile(r"\s*(>=|=)\s*([+-]?[0-9]{1,9})\s*")
Normal = tuple[dict[str, int], bool, int]


def marks(text: str) -> bool:
    """A comment counts its variables, or begins a puzzle."""
    return text.lstrip().startswith("*") and _MARKS.search(text) is not None


def read(text: str) -> list[Puzzle]:
    """The puzzle in the comments; FormatError: there is none, or the constraints are not those of its statement.

    >>> from nonosat.puzzles.nonogram import Nonogram
    >>> puzzle = Nonogram.from_lengths([[1]], [[1], []])
    >>> read(write([puzzle])) == [puzzle]
    True
    >>> read(write([puzzle]).replace("1 x1 = 1", "1 x1 = 0"))
    Traceback (most recent call last):
    nonosat.errors.FormatError: line 15: the puzzle's statement has "1 x1 = 1" there
    """
    lines = lines_of(text)
    comments = [(at, line.removeprefix(_PUZZLE)) for at, line in enumerate(lines, 1) if line.startswith(_PUZZLE)]
    if not comments:
        raise FormatError(
            f'no puzzle in the comments, which are "{_PUZZLE}..."; other OPB is of no puzzle that we know'
        )
    try:
        [puzzle] = loads("\n".join(line for _, line in comments), "json")
    except FormatError as error:
        line = comments[min(error.line, len(comments)) - 1][0] if error.line else comments[0][0]
        raise FormatError(f"the puzzle in the comments: {error.reason}", line) from None
    except ValueError:
        raise FormatError("several puzzles in the comments", comments[0][0]) from None
    if (size := _size(puzzle)) > min(MAX_SIZE, text.count(";")):  # which begins to be made before it is compared
        raise FormatError(f"a board of {size:,} variables, for which there are too few constraints", comments[0][0])
    _held_against(statement_of(puzzle), lines)
    return [puzzle]


def write(puzzles: Sequence[Puzzle]) -> str:
    """The statement of one puzzle; several raise ``UnsupportedError``."""
    if len(puzzles) != 1:
        raise UnsupportedError(f"opb holds one puzzle, not {len(puzzles)}; json holds many")
    (puzzle,) = puzzles
    if (size := _size(puzzle)) > MAX_SIZE:
        raise UnsupportedError(f"opb holds boards of {MAX_SIZE:,} variables, this one has {size:,}")
    statement = statement_of(puzzle)
    numbers = _numbers(statement)
    constraints = [_text(constraint, numbers) for constraint in statement.constraints()]
    comments = [f"{_PUZZLE}{line}" for line in dumps(puzzle, "json").removesuffix("\n").split("\n")]
    head = f"* #variable= {len(numbers)} #constraint= {len(constraints)}"
    return "\n".join([head, *comments, *constraints, ""])


def _size(puzzle: Puzzle) -> int:
    """How many variables the board has; a constraint each, at least."""
    height, width = puzzle.shape
    return height * width * int(puzzle.facts().get("colours", 1))


def _numbers(statement: Statement) -> dict[str, str]:
    """``x1``, ``x2``, ... by name."""
    numbers = {name: f"x{number}" for number, name in enumerate(statement.board, 1)}
    following = count(len(numbers) + 1)
    for constraint in statement.constraints():
        for _, literal in constraint.terms:
            name = literal.removeprefix("~")
            if name not in numbers:
                numbers[name] = f"x{next(following)}"
    return numbers


def _text(constraint: PBConstraint, numbers: dict[str, str]) -> str:
    terms = "".join(f"{factor} {_renamed(literal, numbers)} " for factor, literal in constraint.terms)
    return f"{terms}{'=' if constraint.equal else '>='} {constraint.degree} ;"


def _renamed(literal: str, numbers: dict[str, str]) -> str:
    return f"~{numbers[literal[1:]]}" if literal.startswith("~") else numbers[literal]


def _held_against(statement: Statement, lines: Sequence[str]) -> None:
    numbers = _numbers(statement)
    found = _constraints(lines)
    for constraint in statement.constraints():
        line, words = next(found, (len(lines), ""))
        shown = _text(constraint, numbers).removesuffix(" ;")
        terms = [(factor, _renamed(literal, numbers)) for factor, literal in constraint.terms]
        if words == "" or _parsed(words, line, numbers) != _normal(terms, constraint.equal, constraint.degree):
            raise FormatError(f'the puzzle\'s statement has "{printable(shown, 60)}" there', line)
    if (more := next(found, None)) is not None:
        raise FormatError(f"{quote(more[1].strip())}: the puzzle's statement has ended before", more[0])


def _constraints(lines: Sequence[str]) -> Iterator[tuple[int, str]]:
    """The text of each constraint, without its semicolon, and the line where it ends."""
    begun: list[str] = []
    for at, line in enumerate(lines, 1):
        if line.startswith("*"):
            continue
        *ended, rest = line.split(";")
        for part in ended:
            words, begun = " ".join([*begun, part]), []
            if not words.lstrip().startswith("preserved:"):
                yield at, words
        if rest.strip():
            begun.append(rest)
    if begun:
        raise FormatError(f"{quote(' '.join(begun).strip())} lacks its semicolon", len(lines))


def _parsed(words: str, line: int, numbers: dict[str, str]) -> Normal:
    """A constraint's text, its variables by number."""
    terms: list[tuple[int, str]] = []
    at = 0
    while (match := _TERM.match(words, at)) is not None:
        name = match[2].removeprefix("~")
        sign = match[2].removesuffix(name)
        terms.append((int("".join(match[1].split())), sign + numbers.get(name, name)))
        at = match.end()
    end = _END.fullmatch(words, at)
    if end is None:
        raise FormatError(f'{quote(words.strip())} is not a constraint, such as "1 x1 -2 ~x2 >= 0 ;"', line)
    return _normal(terms, end[1] == "=", int(end[2]))


def _normal(terms: Sequence[tuple[int, str]], equal: bool, degree: int) -> Normal:
    """Factors by variable, without negations."""
    factors: dict[str, int] = {}
    for factor, literal in terms:
        name = literal.removeprefix("~")
        if literal.startswith("~"):
            degree, factor = degree - factor, -factor
        factors[name] = factors.get(name, 0) + factor
    return factors, equal, degree
