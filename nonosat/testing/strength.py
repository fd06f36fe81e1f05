"""What unit propagation achieves in an encoding: how much of a board it settles by itself."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from nonosat.chance import Chance
from nonosat.encodings.formula import Formula
from nonosat.encodings.registry import Encoding, encoding
from nonosat.puzzles.puzzle import Puzzle, given_board
from nonosat.testing.brute import solutions, values_of

Cell = tuple[int, int, int]
"""Row, column, value."""


def settled(name: str | Encoding, puzzle: Puzzle, known: Iterable[Cell] = ()) -> set[Cell] | None:
    """The cells whose value unit propagation knows, given those of ``known``; None: it finds a contradiction.

    >>> from nonosat.puzzles.nonogram import Nonogram
    >>> sorted(settled("tight+r3+order", Nonogram.from_lengths([[2]], [[1], [1]])))
    [(0, 0, 1), (0, 1, 1)]
    """
    parts = encoding(name, puzzle.kind) if isinstance(name, str) else name
    formula = parts.formula(puzzle)
    if formula.cnf.has_empty_clause:
        return None
    values = values_of(puzzle)
    units = [[literal] for cell in known for literal in is_value(formula, cell)]
    if (true := propagated([*formula.cnf, *units])) is None:
        return None
    found = set()
    for row, column in np.ndindex(puzzle.shape):
        left = [v for v in values if not any(literal in true for literal in is_not(formula, (row, column, v)))]
        if len(left) == 1:
            found.add((row, column, left[0]))
    return found


def propagated(clauses: list[list[int]]) -> set[int] | None:
    """The literals that unit propagation makes true; None: it finds a contradiction.

    >>> propagated([[1], [-1, 2], [3, 4]])
    {1, 2}
    """
    true: set[int] = set()
    news = True
    while news:
        news, left = False, []
        for clause in clauses:
            if any(literal in true for literal in clause):
                continue
            open_literals = [literal for literal in clause if -literal not in true]
            if not open_literals:
                return None
            if len(open_literals) == 1:
                true.add(open_literals[0])
                news = True
            else:
                left.append(open_literals)
        clauses = left
    return true


def is_not(formula: Formula, cell: Cell) -> list[int]:
    """The clause that a cell has another value."""
    row, column, value = cell
    variable = formula.board[row, column].reshape(1)
    return formula.map.differ(variable, np.array([value], dtype=np.int32))


def is_value(formula: Formula, cell: Cell) -> list[int]:
    """The literals that together say that a cell has a value."""
    return [-literal for literal in is_not(formula, cell)]


def at_least_as_strong(one: str, other: str, puzzles: Sequence[Puzzle], seed: int = 0, trials: int = 5) -> None:
    """AssertionError: where some cells are known, unit propagation settles less in the encoding ``one``.

    ``trials``: so many sets of cells are tried for each puzzle, of one of its solutions, or of none if it has none.
    """
    stream = Chance(seed)
    for puzzle in puzzles:
        cells = list(np.ndindex(puzzle.shape))
        solved = sorted(solutions(puzzle), key=str)
        given = given_board(puzzle, still_open=-1)
        for _ in range(trials):
            board = solved[stream.below(len(solved))].cells if solved else np.array(given)
            chosen = [cells[at] for at in stream.shuffled(len(cells))[: stream.below(len(cells) + 1)]]
            known = [(r, c, int(board[r, c])) for r, c in chosen if int(board[r, c]) >= 0]
            stronger, weaker = (settled(name, puzzle, known) for name in (one, other))
            if stronger is None:
                continue
            assert weaker is not None, f"{other} finds the contradiction of {known}, {one} does not: {puzzle}"
            assert stronger >= weaker, f"with {known}, {one} does not settle {sorted(weaker - stronger)}: {puzzle}"
