"""The analysis of a puzzle after each edit: is it unique, how hard is it, and which changes would make it unique?

All steps have budgets of work (lines checked, conflicts of a SAT solver), not of time, so that a puzzle always gets the
same answer. The answer says which steps ended early. ``python benchmarks/editing.py`` measures the time.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np
import numpy.typing as npt

from nonosat.counting.backbones import Cells, bounded_backbone
from nonosat.counting.native import CounterPortfolio
from nonosat.making.unique_changes import UNTRIED, UniqueChanges, left_open, swapped
from nonosat.puzzles.nonogram import Nonogram
from nonosat.puzzles.puzzle import Board, Puzzle, fault
from nonosat.solvers.propagation.board import cells_of
from nonosat.solvers.propagation.difficulty import label, swept
from nonosat.solvers.propagation.tree import DEEPEST, TreeSearch

SEARCH, COUNT, CHANGES = 20_000, 40_000, 250_000
"""Lines that may be checked in the search for two solutions, in the count of all, and in trying changes."""
CONFLICTS, MODELS = 3_000, 40
"""The budget of the SAT solver for the backbone: some 60 ms on 25x25."""

SWAPS = 2_000
"""Places where a large drawing may have a second solution by a swap."""

USUAL, LARGE = 625, 2_500
"""Up to USUAL cells these are the budgets; up to LARGE they shrink as the board grows, since lines and clauses take
longer; beyond that lines and swaps in the drawing are used, and no changes tried.
"""


@dataclass(frozen=True, eq=False)
class EditVerdict:
    """``word``: "lines" (the only solution follows from lines alone), "unique", "several", "none", or "unsettled": two
    solutions were neither found nor ruled out.

    ``label``: as of ``difficulty``; "" where that takes more work. ``solutions``: exactly so many, None: not known;
    ``at_least``: so many were found. ``shared``: the value of each cell that all solutions share, -1 for the others,
    shape (height, width); ``exact``: this is proved, else solutions that were not seen may differ in more cells.
    ``reason``: why there is no solution, where the clues alone show that.
    """

    word: str
    label: str
    solutions: int | None
    at_least: int
    shared: Cells
    exact: bool
    reason: str | None = None


@dataclass(frozen=True, eq=False)
class Analysis:
    """``verdict``, and ``picture``: the goal, if it is right, or else a solution; None: none is known.

    ``left``: how many cells lines leave open after each change of one cell of ``picture``, shape (height, width,
    values), -1 where it was not tried; None: no change is needed, there is no picture, or the puzzle is no nonogram.
    ``tried_all``: every change was tried. ``open_now``: how many cells lines leave open now. ``seen``: the solutions
    that were found.
    """

    verdict: EditVerdict
    picture: Board | None = None
    left: Cells | None = None
    tried_all: bool = True
    open_now: int = 0
    seen: tuple[Cells, ...] = ()

    def heat(self) -> npt.NDArray[np.float64] | None:
        """For each cell the share of the open cells that its best change fixes, 0 to 1; nan where none was tried.

        At 1 the changed puzzle is solvable by lines alone.
        """
        if self.left is None:
            return None
        best = np.where(self.left > UNTRIED, self.left, np.iinfo(np.int64).max).min(axis=2)
        share = np.clip(1 - best / max(1, self.open_now), 0, 1)
        return np.where((self.left > UNTRIED).any(axis=2), share, np.nan)


def unique_changes(puzzle: Puzzle, about: Analysis) -> UniqueChanges | None:
    """The search for unique changes of one cell; None: the puzzle is unique, or no changes were tried.

    >>> puzzle = Nonogram.from_picture([[1, 0, 0], [0, 1, 0], [0, 0, 0]])
    >>> changes = unique_changes(puzzle, analyse(puzzle))
    >>> changes.go_on(10)
    >>> changes.done, changes.cells().tolist()
    (True, [[1, 1, 1], [1, 1, 0], [1, 0, 0]])
    """
    if not isinstance(puzzle, Nonogram) or about.left is None or about.picture is None:
        return None
    if about.verdict.word not in ("several", "unsettled"):
        return None
    return UniqueChanges(puzzle, about.picture.cells.astype(np.int64), about.left, list(about.seen))


def analyse(puzzle: Puzzle) -> Analysis:
    """The analysis of ``puzzle``; of a kind other than nonograms, its verdict alone.

    >>> about = analyse(Nonogram.from_picture([[1, 0, 0], [0, 1, 0], [0, 0, 0]]))
    >>> about.verdict.word, about.verdict.solutions, about.verdict.shared.tolist()
    ('several', 2, [[-1, -1, 0], [-1, -1, 0], [0, 0, 0]])
    >>> about.heat().tolist()[0]
    [1.0, 1.0, 1.0]
    """
    if (reason := puzzle.contradiction()) is not None:
        return Analysis(_none(puzzle, reason))
    if not isinstance(puzzle, Nonogram):
        verdict, _ = _by_sat(puzzle, [], np.full(puzzle.shape, -1, dtype=np.int64))
        return Analysis(verdict, puzzle.goal)
    sweeps, board, alive = min((swept(puzzle, columns) for columns in (False, True)), key=lambda s: s[0])
    if not alive:
        return Analysis(_none(puzzle))
    by_lines = cells_of(board)
    if (by_lines >= 0).all():
        verdict = EditVerdict("lines", label("lines", 1, sweeps, 0), 1, 1, by_lines, True)
        return Analysis(verdict, puzzle.picture(by_lines))
    verdict, found, seen = _searched(puzzle, sweeps, by_lines)
    picture = puzzle.picture(found) if found is not None else _right_goal(puzzle)
    if picture is None or by_lines.size > LARGE:
        return Analysis(verdict, picture, tried_all=by_lines.size <= LARGE)
    left, tried_all = _changes(puzzle, picture, by_lines, verdict.shared)
    return Analysis(verdict, picture, left, tried_all, int((by_lines < 0).sum()), tuple(seen))


def warm() -> None:
    """Load (or compile) all code that ``analyse`` calls: on a new machine this takes many seconds."""
    analyse(Nonogram.from_lengths([[1], [1], []], [[1], [1], []]))
    bounded_backbone(Nonogram.from_lengths([[1], [1]], [[1], [1]]), [], 1, 1)


def _bound(work: int, cells: int) -> int:
    return max(1, work * USUAL // max(cells, USUAL))


def _none(puzzle: Puzzle, reason: str | None = None) -> EditVerdict:
    return EditVerdict("none", "unsolvable", 0, 0, np.full(puzzle.shape, -1, dtype=np.int64), True, reason)


def _right_goal(puzzle: Nonogram) -> Board | None:
    return puzzle.goal if puzzle.goal is not None and fault(puzzle, puzzle.goal) is None else None


def _searched(puzzle: Nonogram, sweeps: int, by_lines: Cells) -> tuple[EditVerdict, Any, list[Cells]]:
    """Where lines are stuck: the verdict, the board to change (the goal, a solution, or None), and solutions."""
    if by_lines.size > LARGE:
        goal = _right_goal(puzzle)
        if goal is None:
            return _by_sat(puzzle, [], by_lines)[0], None, []
        cells = goal.cells.astype(np.int64)
        other = swapped(cells, by_lines < 0, SWAPS)
        if other is None:
            return _by_sat(puzzle, [cells], by_lines)[0], cells, [cells]
        shared = np.where(cells == other, cells, -1)
        return EditVerdict("several", "ambiguous", None, 2, shared, False), cells, [cells, other]
    search = TreeSearch(puzzle)
    found = list(islice(search.solutions(SEARCH), 2))
    goal = _right_goal(puzzle)
    picture = found[0] if found and goal is None else None if goal is None else goal.cells.astype(np.int64)
    if search.complete and len(found) < 2:
        if not found:
            return _none(puzzle), None, []
        depth = int(search.tree.state[DEEPEST])
        word = label("guessing" if depth else "probing", 1, sweeps, depth)
        return EditVerdict("unique", word, 1, 1, found[0], True), picture, found
    if len(found) == 2 and (verdict := _counted(puzzle)) is not None:
        return verdict, picture, found
    verdict, seen = _by_sat(puzzle, found or ([] if picture is None else [picture]), by_lines)
    return verdict, picture, seen


def _counted(puzzle: Nonogram) -> EditVerdict | None:
    """The verdict with the number of solutions and the backbone; None: that takes more work."""
    portfolio = CounterPortfolio(puzzle, sweeping=False)  # shares are read off the diagram, which a sweep lacks
    for _ in portfolio.steps(_bound(COUNT, portfolio.cells)):
        pass
    if not portfolio.done:
        return None
    reading = portfolio.reading
    may = reading.shares(portfolio.cells, puzzle.colours + 1)[1].reshape(*puzzle.shape, -1) == 1
    shared = np.where(may.sum(axis=2) == 1, may.argmax(axis=2), -1)
    return EditVerdict("several", "ambiguous", reading.solutions, 2, shared, True)


def _by_sat(puzzle: Puzzle, known: list[Cells], so_far: Cells) -> tuple[EditVerdict, list[Cells]]:
    """The verdict, and solutions. ``so_far``: the cells that are known to be in the backbone, -1 for the others."""
    if so_far.size > LARGE:
        return EditVerdict("unsettled", "", None, len(known), so_far, False), known
    found = bounded_backbone(puzzle, known, _bound(CONFLICTS, so_far.size), _bound(MODELS, so_far.size))
    many = len(found.solutions)
    if found.complete and many < 2:
        one = EditVerdict("unique", "", 1, 1, found.shared, True) if many else _none(puzzle)
        return one, found.solutions
    if many < 2:
        return EditVerdict("unsettled", "", None, many, so_far, False), found.solutions
    return EditVerdict("several", "ambiguous", None, many, found.shared, found.complete), found.solutions


def _changes(puzzle: Nonogram, picture: Board, by_lines: Cells, shared: Cells) -> tuple[Cells, bool]:
    """What lines leave open after each change, and whether every change was tried.

    Cells in which solutions differ come first, then those that lines leave open, then all others.
    """
    rank = np.where(shared < 0, 0, np.where(by_lines < 0, 1, 2)).reshape(-1)
    values = puzzle.colours + 1
    order = (np.argsort(rank, kind="stable")[:, np.newaxis] * values + np.arange(values)).reshape(-1)
    left = left_open(puzzle, picture.cells, order, _bound(CHANGES, by_lines.size))
    changeable = puzzle.height * puzzle.width - len(puzzle.given)
    return left, int((left > UNTRIED).sum()) == changeable * (values - 1)
