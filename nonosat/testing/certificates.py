"""Checks that puzzles have certificates: an encoding says what its Booleans mean, and its clauses follow from that."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial

from nonosat.certificates.certify import certify
from nonosat.certificates.meanings import literals
from nonosat.certificates.quantities import UntoldError
from nonosat.certificates.statement import statement_of
from nonosat.certificates.steps import VERSIONS, Steps
from nonosat.encodings.registry import encoding
from nonosat.errors import NonosatError
from nonosat.puzzles.kinds import kind_of
from nonosat.puzzles.puzzle import Puzzle
from nonosat.testing.brute import solutions


def checks(name: str, kind: str, puzzles: Sequence[Puzzle], what: str) -> Iterator[tuple[str, Callable[[], None]]]:
    """That of the encoding ``name`` of a kind of puzzle with a statement, if it states puzzles exactly.

    ``what``: who makes the Booleans that nobody else tells of.
    """
    parts = encoding(name, kind)
    if parts.sound and parts.complete and kind_of(parts.kind).has("statement"):
        yield f"{name}: certificates", partial(certified, name, puzzles, what)


def certified(name: str, puzzles: Sequence[Puzzle], what: str) -> None:
    """All Booleans have a meaning; a certificate of each puzzle is accepted, and says what brute force does."""
    for puzzle in puzzles:
        told(name, puzzle, what)
        try:
            made = certify(puzzle, encoding=name)
        except NonosatError as error:
            raise AssertionError(f"{name} has no certificate of {puzzle}: {error}") from None
        wanted = solutions(puzzle)
        assert made.claim is not None
        found = made.claim.solutions, made.claim.complete
        assert found == (min(len(wanted), 2), len(wanted) < 2), f"{name}: {made.claim} are certified of {puzzle}"
        assert set(made.answer.pictures) <= wanted, f"{name}: another board is certified of {puzzle}"


def told(name: str, puzzle: Puzzle, what: str) -> None:
    """All Booleans of the encoding have a meaning."""
    steps = Steps(VERSIONS[0], 0, lambda line: None)
    try:
        literals(encoding(name, puzzle.kind).formula(puzzle), statement_of(puzzle), steps, name)
    except UntoldError as error:
        raise AssertionError(f"{what} without a meaning: {error}") from None
