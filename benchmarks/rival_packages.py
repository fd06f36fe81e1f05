"""Solvers of nonograms from PyPI, each by the method that its authors give it; run by rivals.py (see rival_models.py).

What is not here, and why: ``pyNonogram`` is a framework for games and has no solver; ``nonogram-solver`` 0.1 wants the
picture, and says whether lines alone find it; the methods ``linear`` and ``dynamic_linear`` of ``nonogram`` need
Gurobi; ``pynogram`` could not be had where this was measured.
"""

from __future__ import annotations

import contextlib
import io
import time
from typing import Any

Clues = list[list[int]]
Told = dict[str, Any]


def with_multi_puzzle_solver(rows: Clues, columns: Clues, count: int) -> Told:
    """``multi-puzzle-solver``: starts of runs in CP-SAT; it enumerates pictures, which takes one worker."""
    from puzzle_solver.core.utils import get_pos
    from puzzle_solver.core.utils_ortools import SingleSolution, generic_solve_all
    from puzzle_solver.puzzles.nonograms.nonograms import Board

    def seen(board: Any, solver: Any) -> Any:
        return SingleSolution(assignment={place: solver.value(cell) for place, cell in board.model_vars.items()})

    begin = time.process_time()
    found = generic_solve_all(Board(top=columns, side=rows), seen, max_solutions=count, verbose=False)
    pictures = [
        [[one.assignment[get_pos(x=j, y=i)] for j in range(len(columns))] for i in range(len(rows))] for one in found
    ]
    return {"answer_s": time.process_time() - begin, "pictures": pictures}


def with_puzzlekit(rows: Clues, columns: Clues, _count: int) -> Told:
    """``puzzlekit``: starts of runs in CP-SAT with reified ranges; it has no way to ask for a second picture."""
    from puzzlekit.solvers.nonogram import NonogramSolver

    begin = time.process_time()
    texts = [[[str(run) for run in runs] for runs in lines] for lines in (rows, columns)]
    options = {"num_search_workers": 1, "time_limit_sec": 1e6}
    told = NonogramSolver(len(rows), len(columns), *texts).solve(options).solution_data["solution_grid"]
    picture = [[int(cell == "x") for cell in row] for row in told.matrix]
    return {"answer_s": time.process_time() - begin, "pictures": [picture]}


def with_picross_solver(rows: Clues, columns: Clues, _count: int) -> Told:
    """``picross-solver``: lines, and guesses where they do not suffice."""
    import numpy as np
    from picross_solver import picross_solver

    begin = time.process_time()
    grid = np.full((len(rows), len(columns)), -1)
    picross_solver.solve(rows, columns, grid)
    return {"answer_s": time.process_time() - begin, "pictures": [grid.tolist()]}


def with_nonogram(rows: Clues, columns: Clues, _count: int, guess: bool) -> Told:
    """``nonogram``: ``dynamic``, lines alone, or ``dynamic_optimized``, its default, which guesses too.

    The latter gives up after 100 guesses and asks Gurobi for the rest; here it goes on.
    """
    import numpy as np
    from nonogram.src.core.solveurs import dynamic_optimized_programming, dynamic_programming
    from nonogram.src.core.solveurs.solveur_utils import CASE_NOIRE, CASE_VIDE

    begin = time.process_time()
    grid = np.full((len(rows), len(columns)), CASE_VIDE)
    if guess:
        grid = dynamic_optimized_programming.solve(rows, columns, grid=grid, max_call=0)[0]
    else:
        grid = dynamic_programming.solve(rows, columns, grid=grid)[0]
    answer_s = time.process_time() - begin
    cells = [[-1 if value == CASE_VIDE else int(value == CASE_NOIRE) for value in row] for row in grid]
    return {"answer_s": answer_s, "pictures": [cells]}


def with_nonogram_cracker(rows: Clues, columns: Clues, _count: int) -> Told:
    """``nonogram-cracker``: lines by their leftmost and rightmost fillings; it prints what goes wrong."""
    from nonogram_cracker import solve

    begin = time.process_time()
    with contextlib.redirect_stdout(io.StringIO()):
        told = solve({"name": "", "rows": rows, "cols": columns})
    answer_s = time.process_time() - begin
    if told["has_error"]:
        return {"failed": str(told["error"])}
    return {"answer_s": answer_s, "pictures": [[["x█".find(cell) for cell in row] for row in told["solution"]]]}


PACKAGES = {
    "multi-puzzle-solver": with_multi_puzzle_solver,
    "puzzlekit": with_puzzlekit,
    "picross-solver": with_picross_solver,
    "nonogram, dynamic_optimized": lambda *asked: with_nonogram(*asked, guess=True),
    "nonogram, dynamic": lambda *asked: with_nonogram(*asked, guess=False),
    "nonogram-cracker": with_nonogram_cracker,
}
