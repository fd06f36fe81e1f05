"""Nonograms: lines and probing first, then beliefs for a first picture, and SAT for what is left.

``propagation`` gets a bounded amount of work (``WORK``), which is enough for most puzzles that people make. In between
cells are laid one by one, for boards on which nearly any way leads to a picture (``PLUNGE``), and two dives are tried
(``EARLY``). If that is not enough, and no guess was needed so far, the root of its search tree is probed to the end
(``ROOT``). What is known there is what the next parts begin with:

- ``beliefs`` looks for a solution by decimation (``solvers/propagation/decimation.py``); the clues' symmetries may give
  several at once.
- If one more is wanted than there are, it is looked for near the first (``solvers/propagation/greedy.py``).
- MiniSat 2.2 gets the formula of ``tight+r3+order``, with known cells as unit clauses and (in black and white) what
  each value of each open cell implies for others by complete line solving as binary clauses, which unit propagation
  alone would miss. Until there is a picture it completes what dives begin, and works alone, by turns (``turns.py``);
  then it looks for further pictures near the first one, and tells whether there is none.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from dataclasses import replace
from functools import partial
from itertools import count, product
from math import sqrt
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from nonosat.interrupts import loading
from nonosat.puzzles.nonogram import Given
from nonosat.puzzles.nonogram.puzzle import Clue, Nonogram
from nonosat.puzzles.puzzle import derived, given_board
from nonosat.runs.events import Event, Finished, Found, Progress
from nonosat.solvers.auto.search import by_sat
from nonosat.solvers.sat.search import Stage

if TYPE_CHECKING:
    from nonosat.encodings.formula import Formula
    from nonosat.solvers.auto.beginning import Beginning
    from nonosat.solvers.propagation.decimation import Decimation


# Symmetries of a nonogram's clues: ways to turn or mirror the board after which the puzzle is the same.
#
# Every solution turned or mirrored so is a solution again: either the same one, or another one for free. Outer lines
# that
# are empty are no part of what is turned, since many drawings have them on one side only.


CellNumbers = npt.NDArray[np.int64]


def symmetries(puzzle: Nonogram) -> list[CellNumbers]:
    """All symmetries but the identity, as arrays of shape (height * width,).

    With ``x`` a solution, row by row, ``x[symmetry]`` is one too. Together with the identity they are a group.

    >>> len(symmetries(Nonogram.from_picture([[0, 1, 0], [1, 1, 1], [0, 1, 0]])))
    7
    >>> [s.tolist() for s in symmetries(Nonogram.from_picture([[1, 1], [1, 0]]))]  # along its diagonal
    [[0, 2, 1, 3]]
    """
    (top, bottom), (left, right) = _used(puzzle.rows), _used(puzzle.columns)
    rows, columns = list(puzzle.rows[top:bottom]), list(puzzle.columns[left:right])
    known = np.array(given_board(puzzle, still_open=-1)).reshape(-1)
    whole = np.arange(puzzle.height * puzzle.width).reshape(puzzle.shape)
    found: dict[bytes, CellNumbers] = {}
    for turned, upside_down, mirrored in product((False, True), repeat=3):
        if not (turned or upside_down or mirrored) or (turned and len(rows) != len(columns)):
            continue
        across, down, cells = rows, columns, whole[top:bottom, left:right]
        if turned:
            across, down, cells = down, across, cells.T
        if upside_down:
            across, down, cells = across[::-1], [clue[::-1] for clue in down], cells[::-1]
        if mirrored:
            across, down, cells = [clue[::-1] for clue in across], down[::-1], cells[:, ::-1]
        if (across, down) != (rows, columns):
            continue
        turn = whole.copy()
        turn[top:bottom, left:right] = cells
        image = turn.reshape(-1)
        if (known[image] == known).all():
            found[image.tobytes()] = image  # of a single line, two of them are the same
    found.pop(whole.tobytes(), None)
    return list(found.values())


def _used(clues: tuple[Clue, ...]) -> tuple[int, int]:
    """From where to where there are clues that are not empty."""
    used = [index for index, clue in enumerate(clues) if clue]
    return (used[0], used[-1] + 1) if used else (0, 0)


# Dives and SAT together: a dive lays the cells that beliefs are surest of, SAT the others; or SAT lays all, by turns.
#
# A whole dive fails where one cell of hundreds was laid wrongly, and SAT by itself knows nothing of the picture as a
# whole. With those cells laid that beliefs are surest of, a few hundred conflicts mostly tell whether there is a
# picture
# that has them, and what the solver learns by that stays true. How far a dive is to go is not known beforehand: the
# further it goes, the likelier a cell is wrong; the sooner it ends, the more SAT has to do. So they go differently far.


TRIES, CONFLICTS, MOST_CONFLICTS = 20, 20, 10**9
"""The first turn: dives that SAT completes, and, for each line, conflicts of SAT alone. Later turns double.

Where so many dives as in the first are stuck one after the other, beliefs say little: SAT's turn comes then, and in the
next turn after half as many.
"""
BUDGET, MORE = 4, 0.2
"""Conflicts for each line to complete the first dive, and how many more each later one has."""
LEAST, DEPTHS, SPREAD, LARGEST_SHARE = 8, 13, 7, 0.85
"""How much a dive leaves unknown: ``LEAST`` to ``LEAST + DEPTHS - 1`` times the root of what is when it begins, each
time ``SPREAD`` more (cyclically), but at most this share of it."""


class CompletionSchedule:
    """The stages of SAT's search on a board of so many ``lines``. ``led``: a dive began what SAT is at."""

    def __init__(self, dives: Decimation, lines: int) -> None:
        self.dives, self.lines, self.tries, self.stuck, self.led = dives, lines, 0, 0, False

    def __iter__(self) -> Iterator[Stage]:
        patience = TRIES
        for turn in count():
            self.led, self.stuck = True, 0
            for _ in range(TRIES << turn):
                if self.stuck == patience:
                    break
                yield Stage(int((BUDGET + MORE * self.tries) * self.lines), begin=self.begun)
            self.led, patience = False, TRIES if self.stuck < patience else max(1, patience // 2)
            yield Stage(min(CONFLICTS * self.lines << turn, MOST_CONFLICTS))

    def begun(self) -> Generator[Event, None, npt.NDArray[np.int64] | None]:
        """Give what the next dive has laid when it has gone far enough, or None."""
        opened = self.dives.unknown
        left = (LEAST + SPREAD * self.tries % DEPTHS) * sqrt(opened)
        self.tries += 1
        cells = yield from self.dives.partly(int(min(left, LARGEST_SHARE * opened)))
        self.stuck = self.stuck + 1 if cells is None else 0
        return cells


FIRST, FEW = 15, 30
"""Lines settled for each line before the plunge, and before the first dives.

On large boards a dive costs less than probing all cells once.
"""
PLUNGE = 2
"""Lines settled for each cell by the plunge, at most."""
WORK, ROOT = 8, 100
"""Lines settled for each cell before the next part takes over: at first, and as long as no guess was needed."""
EARLY = 100
"""How often each line is asked by the dives in between: enough for two."""
ASKED = 300
"""How often each line is asked by dives before the formula is made: it takes about as long, at 25x25 as at 80x80."""
PAIRS = 200_000
"""Implications that are added at most."""
NO_PAIRS = np.empty((0, 2), dtype=np.int64)

Cells = npt.NDArray[Any]


def search(puzzle: Nonogram, at_most: int | None) -> Iterator[Event]:
    """Find at most ``at_most`` boards (None: all)."""
    with loading():
        from nonosat.solvers.auto.beginning import Beginning
    yield Progress("solving")
    start = Beginning(puzzle, at_most)
    if not (yield from _soon(puzzle, start)) and not (yield from start.hunted(ROOT * start.cells, guesses=False)):
        yield from _rest(puzzle, start)
        return
    yield from map(Found, start.pictures)
    yield start.finished(start.alone)


def _soon(puzzle: Nonogram, start: Beginning) -> Generator[Event, None, bool]:
    """What settles most boards; is nothing left to look for?"""
    lines, most = sum(puzzle.shape), WORK * start.cells
    if (yield from start.hunted(min(most, FIRST * lines), guesses=True)):
        return True
    if (yield from start.plunged(min(most, PLUNGE * start.cells))):
        return True
    if (yield from start.hunted(min(most, FEW * lines), guesses=True)):
        return True
    yield from start.dived(EARLY * lines)
    return start.done or (yield from start.hunted(most, guesses=True))


def _rest(puzzle: Nonogram, start: Beginning) -> Iterator[Event]:
    """Dives and SAT on what the root of the hunt's tree knows, in turns; all pictures but the first two are SAT's."""
    from nonosat.solvers.auto.regions import regions, search_regions
    from nonosat.solvers.propagation.board import cells_of
    from nonosat.solvers.sat.search import SearchStages, orbit

    hunt, dives, at_most = start.hunt, start.diving(), start.at_most
    dead = hunt.back_to_root()
    root, images, many = cells_of(hunt.board), symmetries(puzzle), sum(puzzle.shape)
    if not dead and not start.pictures:
        # Of many pictures SAT tells one after the other, and a region alone may have more than anybody can wait for.
        if at_most in (1, 2) and len(parts := regions(root < 0)) > 1:
            yield from search_regions(puzzle, root, parts, at_most, start.spent(), search)
            return
        yield from start.dived(ASKED * many)
    known: dict[bytes, Cells] = {}
    for board in start.pictures:
        for cells in orbit(board, images):
            if len(known) != at_most and cells.tobytes() not in known:
                known[cells.tobytes()] = cells
                yield Found(cells)
    if dead or start.alone or len(known) == at_most:
        yield start.finished(dead or start.alone, "lines and probing")
        return
    pairs = start.implications(PAIRS) if puzzle.colours == 1 else NO_PAIRS
    given = tuple(Given(row, column, int(root[row, column])) for row, column in np.argwhere(root >= 0).tolist())
    turns, guided = CompletionSchedule(dives, many), False
    plan = SearchStages(turns, list(known.values()), images)
    for event in by_sat(derived(puzzle, given=given), start.spent, at_most, plan, partial(with_pairs, pairs=pairs)):
        if isinstance(event, Found) and not known:
            known[event.cells.tobytes()], guided = event.cells, turns.led
        if isinstance(event, Finished):
            who = event.reason or ""
            if guided:
                who = f"by beliefs and {who.removeprefix('by ')}"
            elif dives.found:
                who = "by beliefs" if at_most == 1 else f"by beliefs, then {who.removeprefix('by ')}"
            event = replace(event, reason=f"{who} after lines and probing")
        yield event


def with_pairs(formula: Formula, pairs: npt.NDArray[np.int64]) -> Formula:
    """``formula`` and the implications ``pairs``, shape (n, 2), of ``cell * 2 + value``; cells are black or white."""
    if not len(pairs):
        return formula
    first = formula.map.first[: formula.board.size].astype(np.int64)
    literals = first[pairs // 2] * np.where(pairs % 2, -1, 1)  # a cell's Boolean is true where it is blank
    cnf, base = formula.cnf, 2 * formula.cnf.variables + 1
    one, two = np.sort(np.stack((-literals[:, 0], literals[:, 1])), axis=0) + formula.cnf.variables
    clauses = np.stack(np.divmod(np.unique(one * base + two), base), axis=1) - cnf.variables  # many are there twice
    return replace(formula, cnf=cnf.extended(clauses))
