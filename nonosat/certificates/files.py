"""A statement and a proof as files: checked against each other, and against the puzzle."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from io import StringIO
from itertools import zip_longest
from pathlib import Path

from nonosat.certificates.checker import Claim, RefusedError, check
from nonosat.certificates.statement import opb_lines, statement_of
from nonosat.errors import FormatError
from nonosat.files import read_text, shown
from nonosat.puzzles.puzzle import Puzzle

_MAX_BYTES = 2**33


def check_files(opb: str | Path, proof: str | Path, puzzle: Puzzle | None = None) -> Claim:
    """What the file ``proof`` proves of the statement in the file ``opb``, which is that of ``puzzle`` if one is given.

    RefusedError: it does not; ``opb`` states another puzzle. UnsupportedError: the puzzle's kind has no statement.
    """
    stated = read_text(opb, _MAX_BYTES)
    steps = read_text(proof, _MAX_BYTES)
    if puzzle is not None:
        _compare(stated, puzzle, shown(opb))
    try:
        claim = check(StringIO(stated), StringIO(steps))
    except RefusedError as refused:
        if refused.what == "statement":
            raise FormatError(refused.reason, refused.line, shown(opb)) from None
        raise
    if puzzle is not None and claim.solutions and set(claim.listed) != set(statement_of(puzzle).board):
        raise RefusedError("its solutions are not told by the cells of the board")
    return claim


def _compare(stated: str, puzzle: Puzzle, name: str) -> None:
    """Line by line; comments (which only say how many lines there are) are not looked at."""
    wanted = opb_lines(statement_of(puzzle), preserved="\npreserved:" in stated)
    both = zip_longest(_said(StringIO(stated)), _said(wanted), fillvalue=(None, "nothing"))
    for (number, found), (_, line) in both:
        if found != line:
            raise RefusedError(f"not what the puzzle means: {found[:60]} in place of {line[:60]}", number, name)


def _said(lines: Iterable[str]) -> Iterator[tuple[int | None, str]]:
    return ((number, line.rstrip("\n")) for number, line in enumerate(lines, 1) if not line.startswith("*"))
