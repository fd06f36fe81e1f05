"""Checks of a kind's statement: its models are the solutions, by brute force."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from nonosat.certificates.statement import Statement, opb_lines, statement_of
from nonosat.puzzles.puzzle import Puzzle
from nonosat.testing.brute import solutions

if TYPE_CHECKING:
    from nonosat.certificates.checker.propagation import State


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

    checker = Checker()
    for line in opb_lines(statement, preserved=False):
        checker.state(line)
    checker.begin()
    state = checker.database.view()
    found: set[tuple[str, ...]] = set()
    ahead: list[tuple[str, ...]] = [()]
    names = list(statement.board)
    while ahead:
        literals = ahead.pop()
        true = _extended(state, checker.names.of(literals))
        if true is None:
            continue
        if len(literals) < len(names):
            ahead += [(*literals, f"{sign}{names[len(literals)]}") for sign in ("", "~")]
            continue
        assert all(map(max, zip(true[::2], true[1::2], strict=True))), f"a board leaves something open: {literals}"
        found.add(literals)
    return found


def _extended(state: State, literals: list[int]) -> bytes | None:
    """What is true (an entry a literal) if these are, by propagation; None: a conflict."""
    from nonosat.certificates.checker import propagation as inner

    mark = state.n[inner.TRAIL]
    for literal in literals:
        if not state.true[literal]:
            inner.assign(state, literal, 0)
    both = any(state.true[literal ^ 1] for literal in literals)
    found = None if state.n[inner.DEAD] or both or inner.propagate(state) else bytes(state.true)
    inner.undo(state, mark)
    return found
