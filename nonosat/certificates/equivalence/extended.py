"""What propagation makes of assumptions, by the checker's own."""

from __future__ import annotations

from collections.abc import Iterable

from nonosat.certificates.checker import propagation as inner
from nonosat.certificates.checker.database import Database


def extended(database: Database, literals: Iterable[int]) -> bytes | None:
    """What is true (an entry a literal) if ``literals`` are, by all that is in force; None: a conflict."""
    database.run()
    state = database.grown(database.state)
    mark, found = state.n[inner.TRAIL], None
    for literal in literals:
        if state.n[inner.DEAD] or state.true[literal ^ 1]:
            break
        if not state.true[literal]:
            state.true[literal], state.trail[state.n[inner.TRAIL]] = 1, literal
            state.n[inner.TRAIL] += 1
    else:
        found = None if state.n[inner.DEAD] or inner.propagate(state) else bytes(state.true)
    inner.undo(state, mark)
    return found
