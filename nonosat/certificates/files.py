"""A statement and a proof as files: checked against each other, and against the puzzle."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from nonosat.certificates.checker.claim import Claim, RefusedError
from nonosat.certificates.statement import statement_of
from nonosat.certificates.statement.opb import body
from nonosat.errors import FormatError
from nonosat.files import lines_of, shown
from nonosat.puzzles.puzzle import Puzzle

_MAX_BYTES = 2**33


def check_files(opb: str | Path, proof: str | Path, puzzle: Puzzle | None = None) -> Claim:
    """What the file ``proof`` proves of the statement in the file ``opb``, which is that of ``puzzle`` if one is given.

    RefusedError: it does not; ``opb`` states another puzzle. UnsupportedError: the puzzle's kind has no statement.
    """
    from nonosat.certificates.checker.proof import check  # machine code

    with lines_of(opb, _MAX_BYTES) as stated, lines_of(proof, _MAX_BYTES) as steps:
        try:
            claim = check(stated if puzzle is None else _compared(stated, puzzle), steps)
        except _AnotherError as other:
            reason, line = other.args
            raise RefusedError(reason, line, shown(opb)) from None
        except RefusedError as refused:
            if refused.what == "statement":
                raise FormatError(refused.reason, refused.line, shown(opb)) from None
            raise
    if puzzle is not None and claim.solutions and set(claim.listed) != set(statement_of(puzzle).board):
        raise RefusedError("its solutions are not told by the cells of the board")
    return claim


class _AnotherError(Exception):
    """The statement is not the puzzle's: why, and at which line."""


def _compared(stated: Iterable[str], puzzle: Puzzle) -> Iterator[str]:
    """The lines, each compared with the puzzle's; comments (which only say how many lines there are) are not."""
    wanted = body(statement_of(puzzle), preserved=True)
    for number, line in enumerate(stated, 1):
        if not line.startswith("*"):
            found, want = line.rstrip("\n"), next(wanted, "nothing")
            if want.startswith("preserved:") and not found.startswith("preserved:"):
                want = next(wanted, "nothing")
            if found != want:
                raise _AnotherError(f"not what the puzzle means: {found[:60]} in place of {want[:60]}", number)
        yield line
    if (missing := next(wanted, None)) is not None:
        raise _AnotherError(f"not what the puzzle means: nothing in place of {missing[:60]}", None)
