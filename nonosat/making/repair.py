"""Repair: change few cells of a puzzle's goal until it is the only solution, or solvable line by line.

The cells in which another solution differs from the goal show where the ambiguity is. (They form a *switching
component*: changed together, they leave all clues as they are.) In a repair by lines these are the cells that lines
alone leave open. One of them is changed, which breaks the component, and so on.

The best change is the one after which lines alone leave the fewest cells open. While lines leave nearly all cells open,
this measure does not discriminate. So one open cell weighs as much as one bit of *freedom*, the logarithm of the number
of placements of the two lines through the changed cell. A neighbour that looks like the old value rather than like the
new one weighs a tenth of a bit. Only the candidates best by these two are tried. At the end, every change that is not
needed is taken back.

A repaired random board is no random board: see docs/generators.md. ``criteria.accepted`` draws those.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from math import comb
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from nonosat import rng
from nonosat.errors import SolverError, UnsupportedError
from nonosat.puzzles.nonogram import Clue, Nonogram, clue_length, nonogram_of, read_clue
from nonosat.puzzles.nonogram.puzzle import Picture
from nonosat.puzzles.puzzle import fault

Lines = Callable[[Nonogram], npt.NDArray[Any] | None]
"""What lines alone fix: every cell's value, shape (height, width), -1 where open; None: a contradiction."""

Solutions = Callable[[Nonogram], Sequence[Picture] | None]
"""Up to two solutions of a puzzle, so that one means that it is unique; None: too hard to decide."""

Mask = npt.NDArray[np.bool_]
Cells = npt.NDArray[np.uint8]

TRIED = 32
"""Candidates that are tried for each change. Twice as many save 4 % of the changes of sparse random boards."""

BIT = 64
"""Scores are whole numbers, in 64ths of a bit, so that they are the same on every machine."""
NEIGHBOUR = 6
"""A tenth of a bit. Five times as much costs 18 % more changes on sparse random boards, which look better then."""


class RepairChange(NamedTuple):
    """The cell at 0-based ``row`` and ``column`` had the value ``old`` and has ``new``; 0 is blank."""

    row: int
    column: int
    old: int
    new: int


@dataclass(frozen=True)
class Repair:
    """``puzzle``: the repaired puzzle with its new goal. ``changes``: all of them, row by row.

    ``reason``: the limit that was reached before the repair was complete, in words; None: it is complete.
    """

    puzzle: Nonogram
    changes: tuple[RepairChange, ...]
    reason: str | None = None

    @property
    def share(self) -> float:
        """The changed cells' share of all cells, 0..1."""
        return len(self.changes) / (self.puzzle.height * self.puzzle.width)


def repaired(
    puzzle: Nonogram,
    lines: Lines,
    solutions: Solutions | None = None,
    quick: Solutions | None = None,
    *,
    max_changes: int | None = None,
    seed: int = 0,
) -> Repair:
    """Change the goal picture of ``puzzle`` until it is the only solution; without ``solutions``: until lines find it.

    ``lines``, ``solutions`` and ``quick`` are solvers. ``solutions`` runs once, to see whether there is something to
    repair; ``quick`` (None: the same), which may give up earlier, after each change. Given cells stay as they are, and
    stay given. No single change of the result can be taken back, as far as ``quick`` can decide. ``max_changes``: None
    allows a quarter of the cells. ``seed`` breaks ties. The title stays.

    UnsupportedError: there is no goal, it breaks the clues, or more changes are needed than are allowed.

    >>> from nonosat.solvers.propagation.difficulty import propagated
    >>> repaired(Nonogram.from_picture([[1, 0, 0], [0, 1, 0], [0, 0, 0]]), propagated).changes
    (RepairChange(row=0, column=0, old=1, new=0),)
    """
    *_, last = repairing(puzzle, lines, solutions, quick, max_changes=max_changes, seed=seed)
    return last


def repairing(
    puzzle: Nonogram,
    lines: Lines,
    solutions: Solutions | None = None,
    quick: Solutions | None = None,
    *,
    max_changes: int | None = None,
    seed: int = 0,
) -> Iterator[Repair]:
    """As ``repaired``, step by step: the changes so far after each change, and at the end the complete repair."""
    _check(nonogram_of(puzzle, "repair"), max_changes)
    cells = puzzle.height * puzzle.width
    bound = -(-cells // 4) if max_changes is None else max_changes
    quick = quick or solutions
    failure = f"no {'unique' if solutions else 'line-solvable'} puzzle was found by changing at most {_cells(bound)}"
    ranks = rng.Rng(seed).raw(cells).reshape(puzzle.shape)
    fixed = np.zeros(puzzle.shape, dtype=bool)
    for row, column, _ in puzzle.given:
        fixed[row, column] = True
    board, open_cells = puzzle, undetermined(puzzle, lines, solutions)
    changes: list[RepairChange] = []
    while open_cells.any():
        change = _best(board, open_cells, fixed, ranks, lines)
        if change is None or len(changes) >= 2 * bound:  # twice: some are taken back at the end
            raise UnsupportedError(failure)
        fixed[change.row, change.column] = True
        changes.append(change)
        board = with_cell(board, change.row, change.column, change.new)
        yield Repair(board, tuple(sorted(changes)))
        open_cells = undetermined(board, lines, quick)
    board, changes = _without_needless(board, changes, lines, quick)
    if len(changes) > bound:
        raise UnsupportedError(f"{failure}, but one by changing {len(changes):,}")
    yield Repair(board, tuple(sorted(changes)))


def undetermined(puzzle: Nonogram, lines: Lines, solutions: Solutions | None) -> Mask:
    """The cells that solutions do not share, or that lines leave open; shape (height, width). No cell: repaired."""
    fixed = lines(puzzle)
    if fixed is None:
        raise SolverError("lines contradict each other in a puzzle that has a solution")
    open_cells: Mask = np.asarray(fixed) < 0
    if solutions is None or not open_cells.any():
        return open_cells
    if (found := solutions(puzzle)) is None:
        return open_cells
    if not found:
        raise SolverError("no solution was found of a puzzle that has one")
    goal = _goal_cells(puzzle)
    differ: Mask = np.any([picture.cells != goal for picture in found], axis=0)
    return differ


def with_cell(puzzle: Nonogram, row: int, column: int, value: int) -> Nonogram:
    """``puzzle`` with one cell of its goal changed, and the two clues with it."""
    cells = _goal_cells(puzzle).copy()
    cells[row, column] = value
    rows, columns = list(puzzle.rows), list(puzzle.columns)
    rows[row], columns[column] = read_clue(cells[row].tolist()), read_clue(cells[:, column].tolist())
    return replace(puzzle, rows=tuple(rows), columns=tuple(columns), goal=puzzle.picture(cells), solutions=())


def freedom(clue: Clue, length: int) -> int:
    """The logarithm of the number of placements of ``clue`` on a line of ``length`` cells, in 64ths of a bit."""
    return _log(length - clue_length(clue), len(clue))


@cache
def _log(blanks: int, runs: int) -> int:
    """``blanks`` that may lie anywhere are spread over the ``runs + 1`` places before, between and after the runs."""
    return int((comb(blanks + runs, runs) ** BIT).bit_length())


def unlikeness(cells: Cells, row: int, column: int, value: int) -> int:
    """How much ``value`` would stand out: of the 8 neighbours, those like the old value less those like ``value``.

    Cells beyond the edges count as blank.
    """
    around = [
        int(cells[r, c]) if 0 <= r < cells.shape[0] and 0 <= c < cells.shape[1] else 0
        for r in range(row - 1, row + 2)
        for c in range(column - 1, column + 2)
        if (r, c) != (row, column)
    ]
    return around.count(int(cells[row, column])) - around.count(value)


def _check(puzzle: Nonogram, max_changes: int | None) -> None:
    """UnsupportedError: an argument is invalid."""
    if (wrong := fault(puzzle, puzzle.picture(_goal_cells(puzzle)))) is not None:
        raise UnsupportedError(f"the puzzle's goal picture does not solve it: {wrong}")
    if max_changes is not None and max_changes < 0:
        raise UnsupportedError(f"at most {max_changes} changes: the bound must not be negative")


def _cells(count: int) -> str:
    return f"{count:,} cell{'s' * (count != 1)}"


def _goal_cells(puzzle: Nonogram) -> Cells:
    if puzzle.goal is None:
        raise UnsupportedError("the puzzle has no goal picture that could be repaired")
    return puzzle.goal.cells


def _best(
    puzzle: Nonogram, open_cells: Mask, fixed: Mask, ranks: npt.NDArray[np.uint64], lines: Lines
) -> RepairChange | None:
    """The best change of one of ``open_cells``, or of any cell if all those are ``fixed``; None: all cells are."""
    where = open_cells & ~fixed
    if not where.any():
        where = ~fixed
    found: list[tuple[bool, int, int, RepairChange]] = []
    for score, rank, change in sorted(_candidates(puzzle, where, ranks))[:TRIED]:
        by_lines = lines(with_cell(puzzle, change.row, change.column, change.new))
        left = 0 if by_lines is None else int((np.asarray(by_lines) < 0).sum())
        found.append((left > 0, BIT * left + score, rank, change))
    return min(found)[-1] if found else None


def _candidates(puzzle: Nonogram, where: Mask, ranks: npt.NDArray[np.uint64]) -> list[tuple[int, int, RepairChange]]:
    """Every change of a cell in ``where``: its score by itself, its rank among equals, and the change."""
    cells = _goal_cells(puzzle)
    rows, columns = cells.tolist(), cells.T.tolist()
    found = []
    for row, column in np.argwhere(where).tolist():
        old = rows[row][column]
        before = freedom(puzzle.rows[row], puzzle.width) + freedom(puzzle.columns[column], puzzle.height)
        for new in range(puzzle.colours + 1):
            if new == old:
                continue
            rows[row][column] = columns[column][row] = new
            after = freedom(read_clue(rows[row]), puzzle.width) + freedom(read_clue(columns[column]), puzzle.height)
            score = after - before + NEIGHBOUR * unlikeness(cells, row, column, new)
            found.append((score, int(ranks[row, column]), RepairChange(row, column, old, new)))
        rows[row][column] = columns[column][row] = old
    return found


def _without_needless(
    puzzle: Nonogram, changes: list[RepairChange], lines: Lines, solutions: Solutions | None
) -> tuple[Nonogram, list[RepairChange]]:
    """Take changes back, the first ones first, until each that is left is needed."""
    needed = list(changes)
    again = True
    while again:
        again = False
        for change in list(needed):
            trial = with_cell(puzzle, change.row, change.column, change.old)
            if not undetermined(trial, lines, solutions).any():
                puzzle, again = trial, True
                needed.remove(change)
    return puzzle, needed
