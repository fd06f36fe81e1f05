"""What is asked of trials, and what they say: importing this loads no compiled code."""

from __future__ import annotations

from typing import NamedTuple

from nonosat.solvers.explain.steps import Constraint, Fact


class Trial(NamedTuple):
    """A height is assumed of a cell. ``met``: the lines that took candidates away until there was a contradiction."""

    row: int
    column: int
    height: int
    met: frozenset[int] = frozenset()

    def gives(self, size: int) -> Fact:
        """That the cell has another height."""
        return Fact(self.row, self.column, tuple(h for h in range(1, size + 1) if h != self.height))


class Refuted(NamedTuple):
    """``constraints`` and ``facts`` refute a trial, and each of them is needed."""

    trial: Trial
    constraints: tuple[Constraint, ...]
    facts: tuple[Fact, ...]
