"""Axis (Wałejko 2022, ch. 4.1.2): depth-first over the placements of the rows, or of the columns.

The axis with the smaller product of its lines' numbers of placements is taken (the rows if they are equal), and its
lines from the first to the last; the placements of the other axis are never listed. A full board is then verified in
that other axis. Its lines are read cell by cell while the board grows, so that verifying a full board takes no time if
a part of it was wrong already; but nothing else is made of that, and every full board comes up.

With ``partial``, a board is given up as soon as one of those lines is wrong. The thesis asks for "no contradiction so
far"; here a line is right so far exactly if its clue has a placement that begins with these cells and agrees with the
line's given cells, which a table says (``placements.fit``). A full board that is right so far is right.

Counters: ``placements`` listed, of the one axis; ``nodes``: partial boards, full ones among them; ``assumptions``:
placements that were laid; ``contradictions``: boards that were given up, or full and wrong; ``lines_checked``: crossing
lines that were read on by a cell.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from math import log2, prod
from time import perf_counter
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from nonosat.puzzles.nonogram import Nonogram
from nonosat.solvers.answer import Event, Glimpse, Progress, Statistics
from nonosat.solvers.arrays import Bytes, Ints, IntTable
from nonosat.solvers.compiled import compiled, ready
from nonosat.solvers.placements.laying import lay
from nonosat.solvers.placements.lines import Lines
from nonosat.solvers.placements.listing import Placements
from nonosat.solvers.placements.lists import Lists, cells, laid_so_far
from nonosat.solvers.placements.moves import tables
from nonosat.solvers.solver import Solver
from nonosat.solvers.stepping import BUSY, EXHAUSTED, FOUND, driven

_AT_ONCE = 10_000_000  # boards, and crossing lines that were read on, in one call


class Path(NamedTuple):
    """Where the search is. Line d of the axis is laid with its placement ``next[d] - 1``."""

    next: Ints
    run: IntTable
    """Shape (lines + 1, crossing lines): the states of these (``placements.read``) when so many lines are laid."""
    done: IntTable
    right: Bytes
    """Whether no crossing line is wrong when so many lines are laid."""
    counters: Ints
    """Lines laid, nodes, contradictions, lines checked."""


def search(puzzle: Nonogram, encoding: object, at_most: int | None, solver: Solver) -> Iterator[Event]:
    """Find at most ``at_most`` pictures of ``puzzle`` (None: all). No encoding plays a part."""
    yield Progress("solving")
    begin = perf_counter()
    own, crossing = Placements(puzzle, "row"), Placements(puzzle, "column")
    if product_is_smaller(crossing.count, own.count):
        own, crossing = crossing, own
    beside = int(crossing.lines.table[-1]) + 16 * (len(own.count) + 1) * len(crossing.count)  # tables, and the path
    if (stopped := own.refusal(solver.chosen.get("limit"), beside)) is not None:
        yield stopped
        return
    lists, moves = own.listed(), tables(crossing.lines)
    path = start(crossing.lines, len(own.count))

    def statistics() -> Statistics:
        _, nodes, contradictions, checked = path.counters.tolist()
        return Statistics(
            solve_s=perf_counter() - begin,
            placements=sum(own.count),
            lines_checked=checked,
            assumptions=nodes - 1,
            nodes=nodes,
            contradictions=contradictions,
        )

    def board() -> npt.NDArray[np.uint8]:
        laid = np.array([cells(lists, line, chosen - 1) for line, chosen in enumerate(path.next.tolist())])
        return laid if own.axes == ("row",) else laid.T

    def seen() -> Glimpse:
        cells, laid = laid_so_far(lists, path.next.tolist(), (len(own.count), len(crossing.count)))
        return Glimpse("laying", statistics(), cells if own.axes == ("row",) else cells.T, guesses=laid)

    partial = "partial" in solver.chosen
    state = BUSY if all(own.count) else EXHAUSTED
    yield from driven(
        lambda at_once: walk(lists, crossing.lines, moves, path, partial, at_once),
        _AT_ONCE,
        board,
        statistics,
        seen,
        at_most,
        state,
    )


def product_is_smaller(left: list[int], right: list[int]) -> bool:
    """Whether the product of ``left`` is smaller than that of ``right``, exactly.

    >>> product_is_smaller([2, 3, 5], [31, 1]), product_is_smaller([10**99, 7], [10**99, 7])
    (True, False)
    """
    if 0 in left or 0 in right:
        return 0 not in right
    difference = sum(map(log2, left)) - sum(map(log2, right))
    if abs(difference) > 1e-3:  # far more than the rounding
        return difference < 0
    ours, theirs = Counter(left), Counter(right)  # what both have would only make the numbers long
    return prod((ours - theirs).elements()) < prod((theirs - ours).elements())


def start(crossing: Lines, lines: int) -> Path:
    """The empty board."""
    run = np.zeros((lines + 1, len(crossing.length)), dtype=np.int64)
    run[0] = crossing.run[:-1]
    right = np.ones(lines + 1, dtype=np.uint8)
    return Path(np.zeros(lines, dtype=np.int64), run, np.zeros_like(run), right, np.array([0, 1, 0, 0]))


@compiled
def walk(lists: Lists, crossing: Lines, moves: Bytes, path: Path, partial: bool, at_once: int) -> int:
    """Go on till a picture is FOUND, the tree is EXHAUSTED, or much was done (BUSY)."""
    line, last = path.counters[0], len(lists.total) - 1
    state, work = BUSY, 0
    while work < at_once:
        work += 1
        while line >= 0 and path.next[line] == lists.total[line]:
            path.next[line] = 0
            line -= 1
        if line < 0:
            line, state = 0, EXHAUSTED
            break
        path.next[line] += 1
        path.counters[1] += 1
        right = path.right[line]
        if right:
            looked = lay(lists, line, path.next[line] - 1, crossing, moves, path.run, path.done)
            path.counters[3] += abs(looked)
            work += abs(looked)
            right = looked >= 0
        if line < last and (right or not partial):
            line += 1
            path.right[line] = right
        elif line == last and right:
            state = FOUND
            break
        else:
            path.counters[2] += 1
    path.counters[0] = line
    return state


ready(__name__)
