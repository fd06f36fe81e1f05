"""What somebody who edits a puzzle wants to see after each change: is it unique, how hard, and what would make it so?

All of it is bounded by work (lines settled, conflicts of a SAT solver), not by time, so that the same puzzle always
gets the same answer; what was given up is said. ``python benchmarks/editing.py`` measures how long that takes.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np
import numpy.typing as npt

from nonosat.counting.backbones import Cells, bounded
from nonosat.counting.native import CounterPortfolio
from nonosat.making.unique_changes import UNTRIED, UniqueChanges, left_open
from nonosat.puzzles.nonogram import Nonogram
from nonosat.puzzles.puzzle import Board, Puzzle, fault
from nonosat.solvers.propagation.board import cells_of
from nonosat.solvers.propagation.difficulty import label, swept
from nonosat.solvers.propagation.tree import DEEPEST, TreeSearch

SEARCH, COUNT, CHANGES = 20_000, 40_000, 250_000
"""Lines that may be settled in looking for two solutions, in counting all, and in trying changes."""
CONFLICTS, MODELS = 3_000, 40
"""Of a SAT solver, in looking for solutions that differ: some 60 ms on 25x25."""

USUAL, LARGE = 625, 2_500
"""Up to so many cells the bounds are these; up to so many they shrink as the board grows, since lines and clauses take
longer; beyond that only lines are asked, and no changes tried.
"""


@dataclass(frozen=True, eq=False)
class EditVerdict:
    """``word``: "lines" (they alone find the only solution), "unique", "several", "none", or "unsettled": two solutions
    were neither found nor ruled out.

    ``label``: as of ``difficulty``; "" where that takes more work. ``solutions``: exactly so many, None: not known;
    ``at_least``: so many were found. ``shared``: the value of each cell that all solutions share, -1 for the others,
    shape (height, width); ``exact``: it is settled, else solutions that were not seen may differ in more cells.
    ``reason``: why there is no solution, where clues say so at a glance.
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

    ``left``: how many cells lines leave open after each change of one cell of it, shape (height, width, values), -1
    where it was not tried; None: no change is needed, there is no picture, or the puzzle is no nonogram. ``tried_all``:
    no change was left out. ``open_now``: how many cells lines leave open as it is. ``seen``: solutions that were found.
    """

    verdict: EditVerdict
    picture: Board | None = None
    left: Cells | None = None
    tried_all: bool = True
    open_now: int = 0
    seen: tuple[Cells, ...] = ()

    def heat(self) -> npt.NDArray[np.float64] | None:
        """For each cell the share of the open cells that its best change settles, 0 to 1, and nan where none was tried.

        At 1 the changed picture is solvable by lines alone.
        """
        if self.left is None:
            return None
        best = np.where(self.left > UNTRIED, self.left, np.iinfo(np.int64).max).min(axis=2)
        share = np.clip(1 - best / max(1, self.open_now), 0, 1)
        return np.where((self.left > UNTRIED).any(axis=2), share, np.nan)


def unique_changes(puzzle: Puzzle, about: Analysis) -> UniqueChanges | None:
    """The changes of one cell after which there is one solution, begun; None: it has one, or no changes were tried.

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
    """What there is to say of ``puzzle`` as it is now; of a kind beside nonograms, its verdict.

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
    """Load (or compile) all that ``analyse`` calls: on a new machine this takes many seconds."""
    analyse(Nonogram.from_lengths([[1], [1], []], [[1], [1], []]))
    bounded(Nonogram.from_lengths([[1], [1]], [[1], [1]]), [], 1, 1)


def _bound(work: int, cells: int) -> int:
    return max(1, work * USUAL // max(cells, USUAL))


def _none(puzzle: Puzzle, reason: str | None = None) -> EditVerdict:
    return EditVerdict("none", "unsolvable", 0, 0, np.full(puzzle.shape, -1, dtype=np.int64), True, reason)


def _right_goal(puzzle: Nonogram) -> Board | None:
    return puzzle.goal if puzzle.goal is not None and fault(puzzle, puzzle.goal) is None else None


def _searched(puzzle: Nonogram, sweeps: int, by_lines: Cells) -> tuple[EditVerdict, Any, list[Cells]]:
    """The verdict where lines are stuck, the picture to change (the goal, or a solution, or None), and solutions."""
    if by_lines.size > LARGE:
        goal = _right_goal(puzzle)
        known = [] if goal is None else [goal.cells.astype(np.int64)]
        return _by_sat(puzzle, known, by_lines)[0], known[0] if known else None, known
    search = TreeSearch(puzzle)
    found = list(islice(search.solutions(SEARCH), 2))
    goal = _right_goal(puzzle)
    picture = found[0] if found and goal is None else None if goal is None else goal.cells.astype(np.int64)
    if search.complete and len(found) < 2:
        if not found:
            return _none(puzzle), None, []
        depth = int(search.tree.state[DEEPEST])
        told = label("guessing" if depth else "probing", 1, sweeps, depth)
        return EditVerdict("unique", told, 1, 1, found[0], True), picture, found
    if len(found) == 2 and (verdict := _counted(puzzle)) is not None:
        return verdict, picture, found
    verdict, seen = _by_sat(puzzle, found or ([] if picture is None else [picture]), by_lines)
    return verdict, picture, seen


def _counted(puzzle: Nonogram) -> EditVerdict | None:
    """How many solutions there are, and what all share; None: that takes more work."""
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
    """The verdict, and solutions. ``so_far``: what all share as far as is known, -1 for the others."""
    if so_far.size > LARGE:
        return EditVerdict("unsettled", "", None, len(known), so_far, False), known
    found = bounded(puzzle, known, _bound(CONFLICTS, so_far.size), _bound(MODELS, so_far.size))
    many = len(found.solutions)
    if found.complete and many < 2:
        one = EditVerdict("unique", "", 1, 1, found.shared, True) if many else _none(puzzle)
        return one, found.solutions
    if many < 2:
        return EditVerdict("unsettled", "", None, many, so_far, False), found.solutions
    return EditVerdict("several", "ambiguous", None, many, found.shared, found.complete), found.solutions


def _changes(puzzle: Nonogram, picture: Board, by_lines: Cells, shared: Cells) -> tuple[Cells, bool]:
    """What lines leave open after each change: first of cells in which solutions differ, then of those that lines leave
    open, then of all others; and whether none was left out.
    """
    rank = np.where(shared < 0, 0, np.where(by_lines < 0, 1, 2)).reshape(-1)
    values = puzzle.colours + 1
    order = (np.argsort(rank, kind="stable")[:, np.newaxis] * values + np.arange(values)).reshape(-1)
    left = left_open(puzzle, picture.cells, order, _bound(CHANGES, by_lines.size))
    changeable = puzzle.height * puzzle.width - len(puzzle.given)
    return left, int((left > UNTRIED).sum()) == changeable * (values - 1)
