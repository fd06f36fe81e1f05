"""From a position of Skyscrapers to its solution, step by step."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from nonosat.csp.model import CSP
from nonosat.encodings.skyscrapers import Seen, full, permutation, visible
from nonosat.explanations.constraints import ByConstraints, ConstraintGroup, Named, together
from nonosat.explanations.explain import Explainer, StepDrawing
from nonosat.explanations.skyscrapers import check
from nonosat.explanations.skyscrapers.line import OPEN, TowerLine, orders
from nonosat.explanations.skyscrapers.rules import ENDS, LineRules
from nonosat.explanations.skyscrapers.search import StepSearch
from nonosat.explanations.skyscrapers.sentences import format_cells
from nonosat.explanations.smallest import Budget, minimal, minimum
from nonosat.explanations.steps import ERROR, ConstraintRef, Fact, Inference, Step
from nonosat.explanations.words import listed
from nonosat.puzzles.skyscrapers import Skyscrapers
from nonosat.puzzles.skyscrapers.puzzle import EDGES
from nonosat.puzzles.skyscrapers.svg import shade
from nonosat.puzzles.skyscrapers.text import clue_text, painted

# What is a constraint in Skyscrapers: that a row or column has every height once, and each clue by itself.
#
# A clue speaks of a line with every height once: what is seen of a line in which heights repeat, the rules do not say.


def constraints(puzzle: Skyscrapers) -> Named:
    """Rows and columns, then the clues in the order of ``Skyscrapers.views``.

    >>> puzzle = Skyscrapers((2, 0), (0, 0), (0, 0), (1, 0))
    >>> [str(constraint) for constraint, _, _ in constraints(puzzle)]
    ['row 1', 'row 2', 'column 1', 'column 2', 'top 1', 'right 1']
    """
    size = puzzle.size
    board = np.arange(size * size, dtype=np.int32).reshape(size, size)
    none = Skyscrapers.from_clues([0] * (4 * size))
    lower, upper = full(Seen.of(none))
    found: Named = []
    rows = {tuple(line): ConstraintRef("row", i) for i, line in enumerate(board.tolist())}
    names = {tuple(line): ConstraintRef("column", i) for i, line in enumerate(board.T.tolist())} | rows
    for cells, part in together(CSP(lower, upper, tuple(permutation(size)), board)):
        if cells in names:
            found.append((names[cells], tuple(divmod(cell, size) for cell in cells), part))
    found.sort(key=lambda one: (one[0].family != "row", one[0].place))
    lines = {frozenset(cells): part for _, cells, part in found}
    for view in puzzle.views():
        if view.clue:
            clues = {edge: [0] * size for edge in EDGES}
            clues[view.edge][view.place] = view.clue
            one = Skyscrapers.from_clues([clue for edge in EDGES for clue in clues[edge]])
            extra = visible(Seen.of(one))
            bounds = (np.concatenate((lower, extra.lower)), np.concatenate((upper, extra.upper)))
            rules = (*lines[frozenset(view.cells)].constraints, *extra.constraints)
            found.append((ConstraintRef(view.edge, view.place), view.cells, CSP(*bounds, rules, board)))
    return found


def format_constraint(puzzle: Skyscrapers, group: ConstraintGroup) -> str:
    """A row, column or clue in words."""
    family, place = group.constraint
    if family in ("row", "column"):
        return f"each height once in {group.constraint}"
    clue = getattr(puzzle, family)[place]
    line = "column" if family in ("top", "bottom") else "row"
    return f"{clue} tower{'s' * (clue != 1)} seen from the {family} of {line} {place + 1}"


# A position that no solution agrees with: which line shows it, by the smallest set of its known cells.


QUESTIONS = 2_000
"""Calls for a line, at most, for the smallest set of cells."""


def line_error(puzzle: Skyscrapers, known: list[Fact]) -> Step | None:
    """The line that shows it by the fewest cells, and of these by the fewest clues. None: no line shows anything."""
    rules = LineRules(puzzle)
    found = []
    for number in range(2 * puzzle.size):
        index = rules.constraint(number).place
        here = [fact for fact in known if index == (fact.row if number < puzzle.size else fact.column)]
        if _wrong(rules, number, here, rules.clues[number]):
            found.append(_blamed(rules, number, here))
    if not found:
        return None
    constraints, cells, bounded, sentence = min(found, key=lambda one: (len(one[1]), len(one[0])))
    inference = Inference(ERROR, constraints, cells, (), sentence)
    return Step(ERROR, constraints, cells, (), sentence, (inference,), bounded)


def _wrong(rules: LineRules, number: int, known: list[Fact], clues: tuple[int, int]) -> bool:
    """Has a line no order with these towers and clues?"""
    size = rules.size
    heights = [OPEN] * size
    for fact in known:
        heights[fact.column if number < size else fact.row] = fact.values[0]
    return not orders(TowerLine.of(tuple(heights), [(1 << size) - 1] * size).cells, *clues).number


def _blamed(
    rules: LineRules, number: int, here: list[Fact]
) -> tuple[tuple[ConstraintRef, ...], tuple[Fact, ...], bool, str]:
    """(constraints, fewest known cells, was the search for these cut short?, the sentence) of a line that is wrong."""
    best, bounded = list(here), False
    chosen = rules.clues[number]
    front, back = chosen
    for clues in sorted({(0, 0), (front, 0), (0, back), chosen}, key=lambda some: sum(map(bool, some))):
        if not _wrong(rules, number, here, clues):
            continue
        few = minimal(here, lambda some, clues=clues: _wrong(rules, number, some, clues))  # type: ignore[misc]
        budget = Budget(QUESTIONS)
        fewer = minimum(here, lambda some, c=clues: _wrong(rules, number, some, c), len(few) - 1, budget)  # type: ignore[misc]
        few = few if fewer is None else fewer
        bounded |= budget.spent
        if len(few) < len(best) or best == here:
            best, chosen = few, clues
    line = rules.constraint(number)
    ends = tuple(ConstraintRef(end, line.place) for end, clue in zip(ENDS[line.family], chosen, strict=True) if clue)
    return ends or (line,), tuple(sorted(best)), bounded, _format_error(rules, number, best, chosen)


def _format_error(rules: LineRules, number: int, cells: list[Fact], clues: tuple[int, int]) -> str:
    line = TowerLine((), (), *clues, *rules.constraint(number))
    reasons = [*format_cells(number < rules.size, cells, rules.size), *(end.text for end in line.ends())]
    wrong = "these cannot both be right" if len(cells) + sum(map(bool, clues)) == 2 else "these cannot all be right"
    return f"{line.axis.capitalize()} {line.index + 1}: {listed(reasons)}: {wrong}."


# Skyscrapers in the drawings of explanations.


_ENDS = {"row": ("left", "right"), "column": ("top", "bottom")}


def line_text(puzzle: Skyscrapers, constraint: ConstraintRef, values: list[int], colour: bool) -> str:
    """A row from left to right, or a column from the top down, between its clues.

    >>> puzzle = Skyscrapers((0, 0, 0), (0, 0, 0), (2, 0, 0), (0, 0, 0))
    >>> line_text(puzzle, ConstraintRef("left", 0), [1, -1, 2], False)
    '2 │ 1 · 2 │'
    """
    ends = next(ends for axis, ends in _ENDS.items() if constraint.family in (axis, *ends))
    front, back = (clue_text(getattr(puzzle, end)[constraint.place], puzzle.size) for end in ends)
    cells = painted([max(value, 0) for value in values], puzzle.size, frozenset(), colour)
    return f"{front} │{cells}│ {back}".rstrip()


def page(puzzle: Skyscrapers) -> dict[str, Any]:
    """See ``View``: clues on four sides, heights on their shades."""
    sides = {
        side: [[{"text": str(clue), "shade": "#1d2733"}] if clue else [] for clue in getattr(puzzle, side)]
        for ends in _ENDS.values()
        for side in ends
    }
    heights = range(1, puzzle.size + 1)
    return {**sides, "cells": {str(h): {"text": str(h), "shade": shade(h, puzzle.size)} for h in heights}}


OTHERWISE = ByConstraints(constraints, format_constraint)
"""Where nothing else sees anything: a smallest set of constraints, or a guess."""


def steps(puzzle: Skyscrapers, values: list[list[int]]) -> Iterator[Step]:
    """See ``explaining.explain``."""
    search = StepSearch(puzzle)
    known = [Fact(r, c, (v,)) for r, row in enumerate(values) for c, v in enumerate(row) if v != -1]
    rows = [list(row) for row in values]
    while True:
        step = line_error(puzzle, known)
        if step is None and len(known) == puzzle.size**2:
            return
        step = step or search.step(known) or next(OTHERWISE.steps(puzzle, rows))
        yield step
        if step.technique == ERROR:
            return
        known += step.fixes
        for row, column, (value,) in step.fixes:
            rows[row][column] = value


def fault(puzzle: Skyscrapers, step: Step) -> str | None:
    """Why a step does not follow: by orders of lines; of larger boards, which have too many, by a SAT solver."""
    return check.fault(puzzle, step) if puzzle.size <= check.LARGEST else OTHERWISE.fault(puzzle, step)


EXPLAINER = Explainer(
    steps, fault, lambda puzzle: (1, puzzle.size), StepDrawing(line_text, page), lambda puzzle: ("1", "2")
)
