"""Checks of a kind's statement: its models are the solutions, by brute force."""

from __future__ import annotations

from collections.abc import Sequence

from nonosat.certificates.statement import Statement, opb_lines, statement_of
from nonosat.puzzles.puzzle import Puzzle
from nonosat.testing.brute import solutions


def means(puzzles: Sequence[Puzzle]) -> None:
    """The boards that the statement allows are the solutions of each puzzle."""
    for puzzle in puzzles:
        statement = statement_of(puzzle)
        wanted = {tuple(statement.literals(board.cells.tolist())) for board in solutions(puzzle)}
        found = boards(statement)
        assert found >= wanted, f"its statement leaves out {min(wanted - found)}: {puzzle}"
        assert found <= wanted, f"its statement allows {min(found - wanted)}: {puzzle}"


def boards(statement: Statement) -> set[tuple[str, ...]]:
    """The literals of all boards that propagation finds no fault with. AssertionError: it leaves something open."""
    from nonosat.certificates.checker.proof import Checker  # machine code
    from nonosat.certificates.equivalence.extended import extended

    checker = Checker()
    for line in opb_lines(statement, preserved=False):
        checker.state(line)
    checker.begin()
    found: set[tuple[str, ...]] = set()
    ahead: list[tuple[str, ...]] = [()]
    names = list(statement.board)
    while ahead:
        literals = ahead.pop()
        true = extended(checker.database, [checker.codes[literal] for literal in literals])
        if true is None:
            continue
        if len(literals) < len(names):
            ahead += [(*literals, f"{sign}{names[len(literals)]}") for sign in ("", "~")]
            continue
        assert all(map(max, zip(true[::2], true[1::2], strict=True))), f"a board leaves something open: {literals}"
        found.add(literals)
    return found
