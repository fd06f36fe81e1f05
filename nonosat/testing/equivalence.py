"""A debugger for encodings: which clause does not follow from the statement of a puzzle, or what is lost of that."""

from __future__ import annotations

from collections.abc import Sequence

from nonosat.certificates.quantities import UntoldError
from nonosat.encodings.registry import encoding
from nonosat.errors import UnsupportedError
from nonosat.puzzles.check import is_solution
from nonosat.puzzles.drawing.text import puzzle_text
from nonosat.puzzles.kinds import kind_of
from nonosat.puzzles.puzzle import Puzzle
from nonosat.testing.samples import samples


def follows(name: str, puzzles: Sequence[Puzzle] = (), kind: str = "") -> None:
    """AssertionError: the encoding ``name`` does not say what the puzzle's statement says, where, and on which board.

    ``puzzles``: small ones to try beside our samples, those with the fewest cells first. ``kind``: of
    puzzles that is meant, if several have parts of these names. An encoding that calls itself
    unsound may lose something, one that is not complete may say more. Of one that does not say what its Booleans mean
    nothing is known, and nothing is said. UnsupportedError: the kind of puzzle has no statement.
    """
    from nonosat.certificates.equivalence import equivalent  # machine code

    parts = encoding(name, kind)
    if not kind_of(parts.kind).has("statement"):
        raise UnsupportedError(f"the puzzle {parts.kind} has no pseudo-Boolean statement: {name} follows from nothing")
    own = [*samples(parts.kind), *(puzzle for puzzle in puzzles if puzzle.kind == parts.kind)]
    assert own, "no puzzles to test with: give some to follows(name, puzzles)"
    for puzzle in sorted(own, key=lambda puzzle: puzzle.shape[0] * puzzle.shape[1]):
        try:
            found = equivalent(puzzle, parts).difference
        except UntoldError:
            return
        if found is None or not (parts.sound if found.lost else parts.complete):
            continue
        if found.lost and found.board is not None and is_solution(puzzle, found.board):
            continue  # not as the statement has it, and right all the same
        told = "" if found.board is None else f"\n{found.about_board}:\n{found.board}"
        raise AssertionError(f"{name}: {found}\nof this puzzle:\n{puzzle_text(puzzle)}{told}")
