"""OR-Tools CP-SAT on one automaton a line: a variable a cell, and no encoding.

The automaton of a line reads its cells and accepts those that its clue describes (Pesant, *A regular language
membership constraint*, CP 2004); CP-SAT unfolds it over the line's length, so that it finds all that follows for the
line alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from time import perf_counter

import numpy as np
from ortools.sat.python import cp_model

from nonosat.puzzles.nonogram import Clue, Nonogram
from nonosat.solvers.answer import Event, Progress
from nonosat.solvers.cp.rules import boards
from nonosat.solvers.solver import Solver


def search(puzzle: Nonogram, encoding: object, at_most: int | None, solver: Solver) -> Iterator[Event]:
    """State ``puzzle`` for CP-SAT and find at most ``at_most`` pictures (None: all). No encoding plays a part."""
    yield Progress("encoding")
    begin = perf_counter()
    model = LinesModel(puzzle)
    cells = np.arange(puzzle.height * puzzle.width, dtype=np.int32).reshape(puzzle.shape)
    yield from boards(model, cells, at_most, solver.name, perf_counter() - begin)


class LinesModel:
    """The cells, row by row, and the automaton of every line."""

    def __init__(self, puzzle: Nonogram) -> None:
        height, width = puzzle.shape
        self.model = cp_model.CpModel()
        self.last = puzzle.colours
        self.variables = [self.model.new_int_var(0, puzzle.colours, "") for _ in range(height * width)]
        for axis, index, clue in puzzle.lines():
            line = slice(index * width, (index + 1) * width) if axis == "row" else slice(index, None, width)
            accepting, transitions = automaton(clue)
            self.model.add_automaton(self.variables[line], 0, accepting, transitions)
        for row, column, value in puzzle.given:
            self.model.add(self.variables[row * width + column] == value)

    def differ(self, variables: list[int], values: list[int]) -> None:
        """Rule out that ``variables`` all have ``values``: one of them is less or more.

        A clause and no forbidden assignment, with which the presolve of OR-Tools 9.15 may end the process.
        """
        model, clause = self.model, []
        for variable, value in zip((self.variables[v] for v in variables), values, strict=True):
            for low, high in ((0, value - 1), (value + 1, self.last)):
                if low <= high:
                    elsewhere = model.new_bool_var("")
                    model.add_linear_constraint(variable, low, high).only_enforce_if(elsewhere)
                    clause.append(elsewhere)
        model.add_bool_or(clause)


def automaton(clue: Clue) -> tuple[list[int], list[tuple[int, int, int]]]:
    """The accepting states, and the transitions (from, value, to), of the automaton that reads a line of ``clue``.

    State 0 is the start; the states are numbered as a line that begins with a blank meets them: those of a run say how
    much of it is read, and the one before a run that a blank has been read since the former run.

    >>> from nonosat.puzzles.nonogram import Run
    >>> automaton((Run(2),))
    ([2, 3], [(0, 0, 0), (0, 1, 1), (1, 1, 2), (2, 0, 3), (3, 0, 3)])
    """
    transitions = [(0, 0, 0)]
    gap, full, former = 0, 0, 0  # the state before the next run, that of the former run read in full, its colour
    for length, colour in clue:
        transitions.append((gap, colour, gap + 1))
        if former not in (0, colour):  # runs of different colours may touch
            transitions.append((full, colour, gap + 1))
        transitions += [(gap + read, colour, gap + read + 1) for read in range(1, length)]
        full, former = gap + length, colour
        gap = full + 1
        transitions += [(full, 0, gap), (gap, 0, gap)]
    return ([full, gap] if clue else [0]), transitions
