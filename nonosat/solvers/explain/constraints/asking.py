"""A SAT solver with a selector a group of clauses: does a cell follow from these groups and these known cells?"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from nonosat.csp.model import ints
from nonosat.encodings.cnf import CNF
from nonosat.puzzles.puzzle import Puzzle
from nonosat.solvers.explain.constraints.groups import Stated
from nonosat.solvers.explain.steps import Fact
from nonosat.solvers.sat.session import session_of

SOLVER = "minisat22"


class Asking:
    """One solver for a whole explanation. Close it."""

    def __init__(self, puzzle: Puzzle, parts: Stated, solver: str = SOLVER) -> None:
        self.puzzle, self.parts, self.solver = puzzle, parts, solver
        first = parts.variables
        self.selectors = [first + 1 + i for i in range(len(parts.groups))]
        clauses = [list(clause) for clause in parts.formula.cnf]
        for selector, group in zip(self.selectors, parts.groups, strict=True):
            clauses += [[-selector, *clause] for clause in group.clauses]
        literals = ints([x for clause in clauses for x in clause])
        ends = np.cumsum([len(clause) for clause in clauses], dtype=np.int64)
        self.variables = first + len(self.selectors)
        self.session = session_of(solver, CNF(self.variables, literals, ends))
        self._other: dict[tuple[int, int, int], int] = {}
        self._clause: dict[tuple[int, int, int], list[int]] = {}

    def close(self) -> None:
        """Free the solver."""
        self.session.close()

    def board(self, known: Iterable[Fact]) -> list[list[int]] | None:
        """Cells that agree with all constraints and the known cells, or None."""
        model = self.session.solve([*self.selectors, *(x for fact in known for x in self.holds(fact))])
        return None if model is None else self.parts.formula.cells(model).tolist()

    def holds(self, fact: Fact) -> list[int]:
        """Literals that say that a cell has its value."""
        return [-x for x in self._differ(fact)]

    def follows(self, groups: Sequence[int], known: Sequence[Fact], gives: Fact | None) -> bool:
        """Does ``gives`` follow (None: a contradiction) from groups, by number, and known cells?"""
        return self.core(groups, known, gives) is not None

    def core(
        self, groups: Sequence[int], known: Sequence[Fact], gives: Fact | None
    ) -> tuple[list[int], list[Fact]] | None:
        """Those of the groups and known cells that the solver used; None: it does not follow."""
        chosen = [self.selectors[group] for group in groups]
        told = [(fact, self.holds(fact)) for fact in known]
        other = [] if gives is None else [self._otherwise(gives)]
        if self.session.solve([*chosen, *(x for _, literals in told for x in literals), *other]) is not None:
            return None
        used = set(self.session.core())
        return (
            [group for group in groups if self.selectors[group] in used],
            [fact for fact, literals in told if used.intersection(literals)],
        )

    def _differ(self, fact: Fact) -> list[int]:
        key = (fact.row, fact.column, fact.values[0])
        if key not in self._clause:
            board = self.parts.formula.board
            self._clause[key] = self.parts.formula.map.differ(ints([board[key[:2]]]), ints([key[2]]))
        return self._clause[key]

    def _otherwise(self, fact: Fact) -> int:
        """A Boolean that says that the cell has another value."""
        key = (fact.row, fact.column, fact.values[0])
        if key not in self._other:
            self.variables += 1
            self._other[key] = self.variables
            self.session.add([-self.variables, *self._differ(fact)])
        return self._other[key]
