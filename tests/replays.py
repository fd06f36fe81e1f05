"""Explanations replayed: every step checked and told, on a board that they fill."""

from __future__ import annotations

import numpy as np

import nonosat
from nonosat.puzzles.puzzle import Puzzle
from nonosat.solvers.explain.explaining import explain, fault
from nonosat.solvers.explain.steps import ERROR, Step
from nonosat.solvers.explain.techniques import hardest


def replayed(puzzle: Puzzle, board: object = None) -> list[Step]:
    """All steps; without an error among them, the board they end in is a solution unless cells are left open."""
    rows = np.full(puzzle.shape, -1) if board is None else np.array(board)
    for row, column, value in puzzle.given:
        rows[row, column] = value
    left, steps = int((rows == -1).sum()), []
    for step in explain(puzzle, rows):
        assert fault(puzzle, step) is None, step
        assert step.technique == hardest(inference.technique for inference in step.inferences) or not step.settles
        assert step.sentence[0].isupper()
        assert step.sentence.endswith(".")
        for fact in step.known:
            assert (rows[fact.row, fact.column],) == fact.values
        for row, column, (value,) in step.settles:
            assert rows[row, column] == -1
            rows[row, column] = value
        steps.append(step)
    errors = sum(step.technique == ERROR for step in steps)
    assert len(steps) <= left - int((rows == -1).sum()) + errors
    if not errors:
        assert not (rows == -1).any()
        assert nonosat.fault(puzzle, puzzle.picture(rows)) is None
    return steps
