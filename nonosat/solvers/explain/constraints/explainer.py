"""Steps of any kind of puzzle: the cell that follows from the fewest constraints, by deletion over SAT selectors.

As the small MUSes of Espasa, Gent, Hoffmann and Jefferson (arXiv 2104.15040): a solver's core of why a cell can have
no other value, with constraints and then known cells left out as long as it follows still.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from nonosat.puzzles.puzzle import Puzzle
from nonosat.solvers.explain.constraints.asking import Asking
from nonosat.solvers.explain.constraints.groups import Group, Named, csp_of, from_rules, stated
from nonosat.solvers.explain.explainer import Explainer, View
from nonosat.solvers.explain.smallest import Budget, minimal, minimum
from nonosat.solvers.explain.steps import ERROR, GUESS, Constraint, Fact, Inference, Step
from nonosat.solvers.explain.words import listed, places

QUESTIONS = 300
"""Asked of the solver, at most, for fewer constraints than deletion finds for the cell that takes the fewest."""


_LAST: list[tuple[Puzzle, Named]] = []
"""One puzzle, and its constraints: they are asked for at every step."""


class Reason(NamedTuple):
    """That ``gives`` follows (None: a contradiction) from ``groups`` (numbers) and ``known`` cells."""

    gives: Fact | None
    groups: list[int]
    known: list[Fact]

    @property
    def cost(self) -> tuple[int, int]:
        """Fewer are easier."""
        return len(self.groups), len(self.known)


@dataclass(frozen=True)
class ByConstraints:
    """How a kind is explained: ``named`` says what its constraints are, ``told`` a constraint in words."""

    named: Callable[[Any], Named]
    told: Callable[[Any, Group], str]

    def constraints(self, puzzle: Puzzle) -> Named:
        """Those of ``puzzle``; of the one that was asked for last they are remembered."""
        if not _LAST or _LAST[0][0] is not puzzle:
            _LAST[:] = [(puzzle, self.named(puzzle))]
        return _LAST[0][1]

    def steps(self, puzzle: Puzzle, values: list[list[int]]) -> Iterator[Step]:
        """See ``explaining.explain``."""
        asking = self._asking(puzzle, self.constraints(puzzle))
        known = [Fact(r, c, (v,)) for r, row in enumerate(values) for c, v in enumerate(row) if v != -1]
        reasons: dict[tuple[int, int], Reason] = {}
        try:
            while True:
                if (board := asking.board(known)) is None:
                    yield self._step(puzzle, asking, smallest(asking, Reason(None, _all(asking), known)), False)
                    return
                settled = {fact[:2] for fact in known}
                every = [Fact(r, c, (v,)) for r, row in enumerate(board) for c, v in enumerate(row)]
                left = [fact for fact in every if fact[:2] not in settled]
                if not left:
                    return
                reason, bounded = cheapest(asking, known, left, reasons)
                step = _guess(left[0]) if reason is None else self._step(puzzle, asking, reason, bounded)
                yield step
                known += step.settles
                for fact in step.settles:
                    reasons.pop(fact[:2], None)
        finally:
            asking.close()

    def _asking(self, puzzle: Puzzle, named: Named) -> Asking:
        return Asking(puzzle, stated(named, named[0][2] if named else csp_of(puzzle)))

    def _step(self, puzzle: Puzzle, asking: Asking, reason: Reason, bounded: bool) -> Step:
        chosen = [asking.parts.groups[number] for number in sorted(reason.groups)]
        constraints = tuple(group.constraint for group in chosen)
        known = tuple(sorted(reason.known))
        whats = [*([_cells_told(known)] if known else []), *(self.told(puzzle, group) for group in chosen)]
        names = listed(whats or ["the values that cells can have"])
        if reason.gives is None:
            sentence = f"{names[0].upper()}{names[1:]}: these cannot all be right."
            inference = Inference(ERROR, constraints, known, (), sentence)
            return Step(ERROR, constraints, known, (), sentence, (inference,))
        sentence = f"{_cell(reason.gives).capitalize()}, since nothing else goes with {names}."
        inference = Inference("constraints", constraints, known, (reason.gives,), sentence)
        return Step("constraints", constraints, known, (reason.gives,), sentence, (inference,), bounded)

    def fault(self, puzzle: Puzzle, step: Step) -> str | None:
        """Why a step does not follow: CP-SAT on the step's constraints alone."""
        if step.technique == GUESS:
            return None if len(step.settles) == 1 and not step.known else "a guess settles one cell"
        from nonosat.solvers.explain.constraints.check import follows

        stated_by = {name: csp for name, _, csp in self.constraints(puzzle)}
        if not stated_by.keys() >= set(step.constraints):
            return "it names constraints that there are not"
        parts = [stated_by[constraint] for constraint in step.constraints]
        board = next(iter(stated_by.values()), None)
        follow = follows(csp_of(puzzle) if board is None else board, parts, step.known, step.settles)
        return None if follow else "the step does not follow"

    def values(self, puzzle: Puzzle) -> tuple[int, int]:
        """The least and the greatest value that a cell can have."""
        csp, board = csp_of(puzzle), csp_of(puzzle).board
        return int(csp.lower[board].min()), int(csp.upper[board].max())

    def marks(self, puzzle: Puzzle) -> tuple[str, str]:
        """Two values, as digits."""
        least, _ = self.values(puzzle)
        return str(least), str(least + 1)

    def page(self, puzzle: Puzzle) -> dict[str, Any]:
        """The board, with the clues of four edges if the puzzle has such ones."""
        least, most = self.values(puzzle)
        sides: dict[str, Any] = {}
        for side in ("top", "left", "right", "bottom"):
            clues = getattr(puzzle, side, ())
            sides[side] = [[{"text": str(clue), "shade": "#1d2733"}] if clue else [] for clue in clues]
        return {**sides, "cells": {str(v): {"text": str(v), "shade": "#ffffff"} for v in range(least, most + 1)}}

    @property
    def explainer(self) -> Explainer:
        """The record."""
        return Explainer(self.steps, self.fault, self.values, View(line_text, self.page), self.marks)


def _all(asking: Asking) -> list[int]:
    return list(range(len(asking.parts.groups)))


def cheapest(
    asking: Asking, known: list[Fact], left: list[Fact], reasons: dict[tuple[int, int], Reason]
) -> tuple[Reason | None, bool]:
    """The reason with the fewest constraints of all cells that follow (None: none does); was the search cut short?

    ``reasons``: those that are known, from earlier positions too; new ones are added.
    """
    for fact in left:
        if (old := reasons.get(fact[:2])) is not None and len(old.groups) == 1:
            continue
        core = asking.core(_all(asking), known, fact)
        if core is not None:
            few = minimal(core[0], lambda some, fact=fact: asking.follows(some, known, fact))  # type: ignore[misc]
            if old is None or len(few) < len(old.groups):
                reasons[fact[:2]] = Reason(fact, few, known)
    best = min(reasons.values(), key=lambda reason: len(reason.groups), default=None)
    if best is None:
        return None, False
    budget = Budget(QUESTIONS)
    gives = best.gives
    fewer = minimum(_all(asking), lambda some: asking.follows(some, known, gives), len(best.groups) - 1, budget)
    if fewer is not None:
        best = best._replace(groups=fewer, known=known)
    return smallest(asking, best), len(best.groups) > 1


def _guess(fact: Fact) -> Step:
    sentence = f"A guess, since no other cell follows: {_cell(fact)} (a solution has it, and others may not)."
    return Step(GUESS, (), (), (fact,), sentence, (Inference(GUESS, (), (), (fact,), sentence),), bounded=True)


def smallest(asking: Asking, reason: Reason) -> Reason:
    """The reason without what it does not need: none of its groups and known cells can be left out."""
    groups = minimal(reason.groups, lambda some: asking.follows(some, reason.known, reason.gives))
    known = minimal(reason.known, lambda some: asking.follows(groups, some, reason.gives))
    return Reason(reason.gives, groups, known)


def group_told(group: Group) -> str:
    """A constraint in words: a row or column by its name, others with their cells."""
    if group.constraint.family in ("row", "column"):
        return str(group.constraint)
    rows = {row for row, _ in group.cells}
    columns = {column for _, column in group.cells}
    if len(rows) * len(columns) == len(group.cells):
        return f"{places('row', rows)}, {places('column', columns)} together"
    return f"{group.constraint} (on {_spots(group.cells)})"


def _spots(cells: tuple[tuple[int, int], ...]) -> str:
    shown = [f"row {row + 1}, column {column + 1}" for row, column in cells[:4]]
    return "; ".join(shown) + ("; ..." if len(cells) > 4 else "")


def _cell(fact: Fact) -> str:
    return f"row {fact.row + 1}, column {fact.column + 1} is {fact.values[0]}"


def _cells_told(known: tuple[Fact, ...]) -> str:
    if len(known) <= 4:
        return listed([_cell(fact).replace(" is ", " = ") for fact in known])
    return f"{len(known)} known cells"


def line_text(puzzle: Puzzle, constraint: Constraint, cells: list[int], colour: bool) -> str:
    """The cells of a row or column."""
    width = max(len(str(value).lstrip("-")) for value in cells)
    return f"│{' '.join(('?' if value < 0 else str(value)).rjust(width) for value in cells)}│"


EXPLAINER = ByConstraints(from_rules, lambda _, group: group_told(group)).explainer
