"""Nonograms: lines and probing first, then beliefs for a first picture, and SAT for what is left.

``propagation`` gets a bounded amount of work (``WORK``), which is enough for most puzzles that people make. In between
cells are laid one by one, for boards on which nearly any way leads to a picture (``PLUNGE``), and two dives are tried
(``EARLY``). If that is not enough, and no guess was needed so far, the root of its search tree is probed to the end
(``ROOT``). What is known there is what the next parts begin with:

- ``beliefs`` dives for a picture (``propagation/dives.py``); with the clues' symmetries it may be several at once.
- If one more is wanted than there are, whoever found them, it is looked for beside the first (``propagation/near.py``).
- MiniSat 2.2 gets the formula of ``tight+r3+order``, with known cells as unit clauses and (in black and white) what
  each value of each open cell implies for others by complete line solving as binary clauses, which unit propagation
  alone would miss. Until there is a picture it completes what dives begin, and works alone, by turns (``turns.py``);
  then it looks for further pictures near the first one, and tells whether there is none.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from nonosat.interrupts import loading
from nonosat.puzzles.check import derived
from nonosat.puzzles.nonogram import Given, Nonogram
from nonosat.puzzles.nonogram.symmetry import symmetries
from nonosat.solvers.answer import Event, Finished, Found, Progress
from nonosat.solvers.auto.parts import by_sat

if TYPE_CHECKING:
    from nonosat.encodings.formula import Formula
    from nonosat.solvers.auto.beginning import Beginning

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
    from nonosat.solvers.auto.apart import regions, search_apart
    from nonosat.solvers.auto.turns import Turns
    from nonosat.solvers.propagation.board import cells_of
    from nonosat.solvers.sat.search import Plan, orbit

    hunt, dives, at_most = start.hunt, start.diving(), start.at_most
    dead = hunt.back_to_root()
    root, images, many = cells_of(hunt.board), symmetries(puzzle), sum(puzzle.shape)
    if not dead and not start.pictures:
        # Of many pictures SAT tells one after the other, and a region alone may have more than anybody can wait for.
        if at_most in (1, 2) and len(parts := regions(root < 0)) > 1:
            yield from search_apart(puzzle, root, parts, at_most, start.spent(), search)
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
    turns, guided = Turns(dives, many), False
    plan = Plan(turns, list(known.values()), images)
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
