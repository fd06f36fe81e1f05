"""Is there no board on which lines are right? OR-Tools CP-SAT, for the checker, where trying values takes long."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from ortools.sat.python import cp_model

from nonosat.puzzles.nonogram.puzzle import Clue
from nonosat.solvers.cp.automaton import automaton

Cell = tuple[int, int]


def no_board(lines: Sequence[tuple[Clue, Sequence[Cell]]], may: Mapping[Cell, Collection[int]], colours: int) -> bool:
    """Does no filling of these lines, each with its cells, give the cells values that they ``may`` have?

    >>> from nonosat.puzzles.nonogram import Run
    >>> both = [((Run(1),), [(0, 0)]), ((), [(0, 0)])]
    >>> no_board(both, {}, 1), no_board(both[:1], {}, 1), no_board(both[:1], {(0, 0): {0}}, 1)
    (True, False, True)
    """
    model = cp_model.CpModel()
    every = range(colours + 1)
    cells = {
        cell: model.new_int_var_from_domain(cp_model.Domain.from_values(sorted(may.get(cell, every))), "")
        for cell in {cell for _, places in lines for cell in places}
    }
    for clue, places in lines:
        accepting, transitions = automaton(clue)
        model.add_automaton([cells[place] for place in places], 0, accepting, transitions)
    engine = cp_model.CpSolver()
    engine.parameters.num_workers = 1
    return bool(engine.solve(model) == cp_model.INFEASIBLE)
