"""What generators ask of solvers: is a puzzle unique, how hard is it? Bounded by work, not by time: always the same.

The unit of work is the settling of a line; ``propagation`` does some four million a second on boards of 20x20.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from functools import partial

from nonosat.errors import UnknownNameError
from nonosat.generators import explained
from nonosat.generators.counts import has_exactly
from nonosat.generators.repair import Repair, repairing
from nonosat.puzzles.nonogram import Nonogram
from nonosat.puzzles.nonogram.picture import Picture
from nonosat.solvers.answer import Stopped
from nonosat.solvers.explain.techniques import TECHNIQUES, level
from nonosat.solvers.propagation.board import LINES, cells_of
from nonosat.solvers.propagation.difficulty import difficulty, line_solvable, propagated
from nonosat.solvers.propagation.search import Hunt
from nonosat.solvers.propagation.tree import EXHAUSTED, FOUND
from nonosat.solvers.running import values_within

WORK = 20_000_000
"""About five seconds for a puzzle."""
QUICK = 20_000
"""For repairs, which ask often, and can do without an answer. Ten times as much saves 6 % of the changes."""

BEFORE_SEARCH = ("trivial", "easy", "medium", "long", "hard")
LABELS = (*BEFORE_SEARCH, "very hard", "extreme", "ambiguous")
"""The labels of ``difficulty`` that puzzles made from pictures can have."""


def solutions(puzzle: Nonogram, at_most: int = 2, work: int | None = WORK) -> list[Picture] | None:
    """``at_most`` solutions of ``puzzle``, or all if there are fewer; None: ``work`` (None: no limit) did not suffice.

    >>> len(solutions(Nonogram.from_lengths([[1], [1]], [[1], [1]])))
    2
    """
    hunt = Hunt(puzzle)
    found: list[Picture] = []
    while len(found) < at_most:
        left = None if work is None else work - int(hunt.board.state[LINES])
        if left is not None and left <= 0:
            return None
        said = hunt.go_on(left)
        if said == EXHAUSTED:
            break
        if said == FOUND:
            found.append(puzzle.picture(cells_of(hunt.board)))
    return found


def quick_solutions(puzzle: Nonogram) -> list[Picture] | None:
    """Two ``solutions`` with little work."""
    return solutions(puzzle, work=QUICK)


def unique(puzzle: Nonogram) -> bool | None:
    """Has ``puzzle`` exactly one solution? None: that takes too much work."""
    found = solutions(puzzle)
    return None if found is None else len(found) == 1


def labelled(puzzle: Nonogram, label: str) -> bool | None:
    """Has ``puzzle`` this label of ``difficulty``? None: that takes too much work."""
    if label in BEFORE_SEARCH:  # known without the search, whose time limit this is
        return difficulty(puzzle, 0.0).label == label
    return None if solutions(puzzle) is None else difficulty(puzzle).label == label


JUDGES: dict[str, Callable[[Nonogram], bool | None]] = {
    "unique": unique,
    "line-solvable": line_solvable,
    **{label: partial(labelled, label=label) for label in LABELS},
}


def judge(wish: str) -> Callable[[Nonogram], bool | None]:
    """Who tells whether a puzzle is ``wish``: "unique", "line-solvable", "3-solution" (with exactly so many), one of
    ``LABELS``, or a technique's name.

    A technique: the puzzle's explanation takes it, and nothing harder.
    """
    if (number := re.fullmatch(r"([1-9][0-9]*)-solution", wish)) is not None:
        return partial(has_exactly, wanted=int(number[1]))
    if wish not in JUDGES and wish in TECHNIQUES:
        return partial(_takes, technique=wish)
    if wish not in JUDGES:
        raise UnknownNameError("label", wish, LABELS)
    return JUDGES[wish]


def _takes(puzzle: Nonogram, technique: str) -> bool:
    if level(technique) <= level("any-placement") and not line_solvable(puzzle):  # which is quicker to tell
        return False
    return explained.judge(technique)(puzzle)


def repair(
    puzzle: Nonogram,
    *,
    by_lines: bool = False,
    max_changes: int | None = None,
    seed: int = 0,
    time_limit_s: float | None = None,
    cpu_limit_s: float | None = None,
    memory_limit_mb: float | None = None,
    on_progress: Callable[[str, int], None] | None = None,
) -> Repair:
    """Change the goal picture of ``puzzle`` until it is the only solution; ``by_lines``: until lines alone find it.

    See ``nonosat.generators.repair.repaired``, whose solvers these are. Limits as for ``nonosat.solve``: where one is
    reached, the repair has the changes so far, and a ``reason``. ``on_progress`` is told the stage and how many cells
    have been changed.

    >>> done = repair(Nonogram.from_picture([[1, 0, 0], [0, 1, 0], [0, 0, 0]]))
    >>> len(done.changes), unique(done.puzzle)
    (1, True)
    """
    limits = {"time_limit_s": time_limit_s, "cpu_limit_s": cpu_limit_s, "memory_limit_mb": memory_limit_mb}
    done, reason = Repair(puzzle, ()), None
    with closing(values_within(_repairing, (puzzle, by_lines, max_changes, seed), limits)) as found:  # type: ignore[type-var]
        for event in found:
            if isinstance(event, Stopped):
                reason = event.reason
                continue
            done = event
            if on_progress is not None:
                on_progress("repairing", len(done.changes))
    return replace(done, reason=reason)


def _repairing(puzzle: Nonogram, by_lines: bool, max_changes: int | None, seed: int) -> Iterator[Repair]:
    solvers = () if by_lines else (solutions, quick_solutions)
    return repairing(puzzle, propagated, *solvers, max_changes=max_changes, seed=seed)
