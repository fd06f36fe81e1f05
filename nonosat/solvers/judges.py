"""Judges for generators: is a puzzle unique, how hard is it? Bounded by work, not by time: the same every time.

The unit of work is the settling of a line; ``propagation`` does some four million a second on boards of 20x20.
"""

from __future__ import annotations

from collections.abc import Callable

from nonosat.errors import UnknownNameError
from nonosat.puzzles.nonogram import Nonogram
from nonosat.puzzles.picture import Picture
from nonosat.solvers.propagation.board import LINES, board_of, cells_of
from nonosat.solvers.propagation.difficulty import difficulty
from nonosat.solvers.propagation.probing import probes_of
from nonosat.solvers.propagation.tree import EXHAUSTED, FOUND, search, tree_of

WORK = 20_000_000
"""About five seconds for a puzzle."""
QUICK = 20_000
"""For repairs, which ask often, and can do without an answer. Ten times as much saves a change in twenty."""
PIECE = 400_000
"""The compiled search comes back this often, so that Ctrl-C is heard."""

BEFORE_SEARCH = ("trivial", "easy", "medium", "long", "hard")
LABELS = (*BEFORE_SEARCH, "very hard", "extreme", "ambiguous")
"""The labels of ``difficulty`` that puzzles made from pictures can have."""


def solutions(puzzle: Nonogram, at_most: int = 2, work: int | None = WORK) -> list[Picture] | None:
    """``at_most`` solutions of ``puzzle``, or all if there are fewer; None: ``work`` (None: no limit) did not suffice.

    >>> len(solutions(Nonogram.from_lengths([[1], [1]], [[1], [1]])))
    2
    """
    board = board_of(puzzle)
    probes, tree = probes_of(board), tree_of(board)
    found: list[Picture] = []
    while len(found) < at_most:
        left = PIECE if work is None else min(PIECE, work - int(board.state[LINES]))
        if left <= 0:
            return None
        said = search(board, probes, tree, True, left)
        if said == EXHAUSTED:
            break
        if said == FOUND:
            found.append(puzzle.picture(cells_of(board)))
    return found


def quick_solutions(puzzle: Nonogram) -> list[Picture] | None:
    """Two ``solutions`` with little work."""
    return solutions(puzzle, work=QUICK)


def unique(puzzle: Nonogram) -> bool | None:
    """Has ``puzzle`` exactly one solution? None: that takes too much work."""
    found = solutions(puzzle)
    return None if found is None else len(found) == 1


def labelled(name: str) -> Callable[[Nonogram], bool | None]:
    """The judge who wants puzzles with this label of ``difficulty``."""
    if name not in LABELS:
        raise UnknownNameError("label", name, LABELS)

    def judge(puzzle: Nonogram) -> bool | None:
        if name in BEFORE_SEARCH:  # known without the search, whose time limit this is
            return difficulty(puzzle, 0.0).label == name
        return None if solutions(puzzle) is None else difficulty(puzzle).label == name

    return judge
