"""From a position of a nonogram to its solution, step by step."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from nonosat.explanations.explain import Explainer, StepDrawing
from nonosat.explanations.nonogram import check
from nonosat.explanations.nonogram.line import OPEN, ClueLine, LineFinding
from nonosat.explanations.nonogram.position import Position
from nonosat.explanations.nonogram.stuck import Stuck, guess
from nonosat.explanations.smallest import Budget, minimal, minimum
from nonosat.explanations.steps import ERROR, ConstraintRef, Inference, Step
from nonosat.explanations.techniques import Technique, ordered
from nonosat.puzzles.drawing import cell_shade, ink_of
from nonosat.puzzles.nonogram.puzzle import Clue, Nonogram
from nonosat.puzzles.nonogram.svg import numbers
from nonosat.puzzles.nonogram.text import painted

# Steps that a single line gives: the easiest technique that sees anything, and of what it sees the smallest.


Find = Callable[[ClueLine], Iterable[LineFinding]]

COMPARED = 4
"""Of what a technique sees in all lines, so many (with the fewest known cells in their lines) are made small."""


class LineSteps:
    """Finds steps in a position; remembers what was seen in lines that have not changed since."""

    def __init__(self, position: Position) -> None:
        self.position = position
        self.techniques: list[tuple[Technique, Find]] = [
            (technique, technique.find) for technique in ordered("nonogram") if technique.find is not None
        ]
        self._seen: dict[tuple[int, int], tuple[ClueLine, list[LineFinding]]] = {}
        self._made: dict[tuple[str, int], tuple[ClueLine, LineFinding, Step]] = {}

    def step(self) -> Step | None:
        """The next step that a line gives by itself. None: lines are stuck."""
        for rank, (technique, find) in enumerate(self.techniques):
            seen = [
                (number, found) for number in range(self.position.count) for found in self._findings(rank, number, find)
            ]
            if seen:
                return self._smallest(technique, find, seen)
        return None

    def _findings(self, rank: int, number: int, find: Find) -> list[LineFinding]:
        line = self.position.line(number)
        if (known := self._seen.get((rank, number))) is not None and known[0] is line:
            return known[1]
        found = [each for each in find(line) if line.open(each.fixes)] if OPEN in line.cells else []
        self._seen[rank, number] = line, found
        return found

    def _smallest(self, technique: Technique, find: Find, seen: list[tuple[int, LineFinding]]) -> Step:
        """The step that takes the fewest known cells, and fixes the most, of those that promise to."""

        def promise(one: tuple[int, LineFinding]) -> tuple[int, int]:
            line = self.position.line(one[0])
            return line.size - line.cells.count(OPEN), -len(line.open(one[1].fixes))

        steps = [self._step(technique, find, *one) for one in sorted(seen, key=promise)[:COMPARED]]
        return min(steps, key=lambda step: (len(step.known), -len(step.fixes)))

    def _step(self, technique: Technique, find: Find, number: int, found: LineFinding) -> Step:
        line = self.position.line(number)
        if (made := self._made.get((technique.name, number))) is not None and made[0] is line and made[1] is found:
            return made[2]
        step = self._small_step(technique, find, number, found)
        self._made[technique.name, number] = line, found, step
        return step

    def _small_step(self, technique: Technique, find: Find, number: int, found: LineFinding) -> Step:
        line = self.position.line(number)
        cells, smaller = narrowed(find, line, found)
        constraint = self.position.constraint(number)
        new = {cell: smaller.fixes[cell] for cell in line.open(sorted(found.fixes))}
        fixes = tuple(
            fact._replace(values=(value,))
            for fact, value in zip(self.position.facts(number, new), new.values(), strict=True)
        )
        known = self.position.facts(number, cells)
        said = found if found.whole else smaller
        sentence = f"{str(constraint).capitalize()}: {line.says(said._replace(fixes=new))}."
        inference = Inference(technique.name, (constraint,), known, fixes, sentence)
        return Step(technique.name, (constraint,), known, fixes, sentence, (inference,), placements=smaller.placements)


def narrowed(find: Find, line: ClueLine, found: LineFinding) -> tuple[list[int], LineFinding]:
    """Few known cells of ``line`` in which ``find`` sees the same, and what it then says.

    None of them can be left out. What is explained by placements keeps all cells that exclude some.

    >>> from nonosat.explanations.nonogram.techniques import overlap as find
    >>> line = ClueLine.drawn([4, 1], ".??????..#.")
    >>> cells, seen = narrowed(find, line, next(iter(find(line))))
    >>> cells, line.says(seen)
    ([0, 7], 'the 4 fits in columns 2 to 7 only, so columns 4 and 5 are filled')
    """
    wanted = {cell: found.fixes[cell] for cell in line.open(found.fixes)}
    ways = line.placements.count if found.placements else None

    def same(kept: Iterable[int]) -> LineFinding | None:
        smaller = line.only(kept)
        if ways is not None and smaller.placements.count != ways:
            return None
        return next((one for one in find(smaller) if wanted.items() <= one.fixes.items()), None)

    middle = sum(wanted) / len(wanted)
    known = [cell for cell, value in enumerate(line.cells) if value != OPEN]
    far_first = sorted(known, key=lambda cell: (-abs(cell - middle), cell))
    cells = sorted(minimal(far_first, lambda kept: same(kept) is not None))
    return cells, same(cells) or found


# A position that no solution agrees with: which line shows it, by the smallest set of its known cells.


QUESTIONS = 20_000
"""Calls for a line (each takes some 50 µs), at most, for the smallest set of cells."""


def line_error(position: Position) -> Step | None:
    """The line without a placement that shows it by the fewest cells. None: every line has one."""
    dead = [number for number in range(position.count) if position.line(number).placements.none]
    blamed = [(number, *wrong_cells(position.line(number))) for number in dead]
    if not blamed:
        return None
    number, cells, bounded = min(blamed, key=lambda one: len(one[1]))
    constraint = position.constraint(number)
    sentence = f"{str(constraint).capitalize()}: {_format_error(position.line(number), cells)}."
    known = position.facts(number, cells)
    inference = Inference(ERROR, (constraint,), known, (), sentence)
    return Step(ERROR, (constraint,), known, (), sentence, (inference,), bounded)


def wrong_cells(line: ClueLine) -> tuple[list[int], bool]:
    """Fewest known cells that no placement of the line's runs agrees with; and was the search for them cut short?

    >>> wrong_cells(ClueLine.drawn([2, 1], "#??#?#?"))
    ([0, 3, 5], False)
    >>> wrong_cells(ClueLine.drawn([2, 1], "#.?#?#?"))
    ([0, 1], False)
    """

    def holds(kept: list[int]) -> bool:
        return line.only(kept).placements.none

    known = [cell for cell, value in enumerate(line.cells) if value != OPEN]
    few = minimal(known, holds)
    budget = Budget(QUESTIONS)
    fewer = minimum(known, holds, len(few) - 1, budget)
    return few if fewer is None else fewer, budget.spent


def _format_error(line: ClueLine, cells: list[int]) -> str:
    if not cells:
        return "its runs do not fit"
    states = line.format_values({cell: line.cells[cell] for cell in cells})
    wrong = "that is wrong" if len(cells) == 1 else "these cannot all be right"
    runs = "its clue is 0" if not line.clue else "no placement of its runs allows that"
    return f"{states}, and {runs}: {wrong}"


# Nonograms in the drawings of explanations.


UNKNOWN = "▫▫"
"""An open cell: what a board leaves empty is hard to count in a single line."""


def line_text(puzzle: Nonogram, constraint: ConstraintRef, values: list[int], colour: bool) -> str:
    """A row or a column, from left to right, behind its clue, with a mark after every fifth cell.

    >>> puzzle = Nonogram.from_lengths([[2, 1]], [[1], [1], [], [1]])
    >>> line_text(puzzle, ConstraintRef("row", 0), [1, 1, 0, -1], False)
    '2 1 │████··▫▫│'
    """
    clue = (puzzle.rows if constraint.family == "row" else puzzle.columns)[constraint.place]
    cells = [UNKNOWN if value == OPEN else painted([value], puzzle.palette, 2, colour) for value in values]
    groups = ["".join(cells[i : i + 5]) for i in range(0, len(cells), 5)]
    return f"{puzzle.clue_text(clue)} │{'┊'.join(groups)}│"


def page(puzzle: Nonogram) -> dict[str, Any]:
    """See ``View``: numbers in the colours of their runs, cells without text, heavy lines at every fifth."""

    def runs_of(clue: Clue) -> list[dict[str, str]]:
        shades = ["#8c8c8c", *(ink_of(colour.rgb) for colour in puzzle.palette)]
        return [{"text": text, "shade": shades[colour]} for text, colour in numbers(clue)]

    cells = {"0": {"text": "·", "shade": "#ffffff"}}
    cells |= {str(v): {"text": "", "shade": cell_shade(c.rgb)} for v, c in enumerate(puzzle.palette, 1)}
    return {
        "every": 5,
        "top": [runs_of(clue) for clue in puzzle.columns],
        "left": [runs_of(clue) for clue in puzzle.rows],
        "right": [],
        "bottom": [],
        "cells": cells,
    }


def steps(puzzle: Nonogram, values: list[list[int]]) -> Iterator[Step]:
    """See ``explaining.explain``."""
    position = Position(puzzle, values)
    lines, stuck = LineSteps(position), Stuck(position)
    while position.unknown or line_error(position):
        step = line_error(position) or lines.step() or stuck.step() or guess(position)
        yield step
        if step.technique == ERROR:
            return
        position.fix(step.fixes)


EXPLAINER = Explainer(
    steps,
    check.fault,
    lambda puzzle: (0, puzzle.colours),
    StepDrawing(line_text, page),
    lambda puzzle: (".", puzzle.palette[0].symbol),
)
