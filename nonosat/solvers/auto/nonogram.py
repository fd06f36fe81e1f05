"""Nonograms: lines and probing first, then beliefs for a first picture, and SAT for what is left.

``propagation`` gets a bounded amount of work (``WORK``), which is enough for most puzzles that people make. If it is
not, and no guess was needed so far, two dives are tried (``EARLY``), and then the root of its search tree is probed to
the end (``ROOT``). What is known there is what the next parts begin with:

- ``beliefs`` dives for a picture (``propagation/dives.py``); with the clues' symmetries it may be several at once.
- MiniSat 2.2 gets the formula of ``tight+r3+order``, with known cells as unit clauses and (in black and white) what
  each value of each open cell implies for others by complete line solving as binary clauses, which unit propagation
  alone would miss. It looks for further pictures near the first one, and tells whether there is none.

Until there is a picture they take turns, each twice as long as the last one: what time either takes has a heavy tail,
and they are seldom slow on the same board.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from dataclasses import replace
from functools import partial
from itertools import count
from time import perf_counter
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from nonosat.encodings.formula import Formula
from nonosat.interrupts import loading
from nonosat.puzzles.nonogram import Given, Nonogram
from nonosat.puzzles.nonogram.symmetry import symmetries
from nonosat.solvers.answer import Event, Finished, Found, Progress, Statistics
from nonosat.solvers.auto.parts import by_sat
from nonosat.solvers.sat.search import Plan, Stage, orbit
from nonosat.solvers.watched import Pace, glimpse

if TYPE_CHECKING:
    from nonosat.solvers.propagation.dives import Dives
    from nonosat.solvers.propagation.search import Hunt

WORK, ROOT, MOST = 8, 100, 1_300_000
"""Lines settled for each cell before the next part takes over: at first, and as long as no guess was needed; in all."""
EARLY = 100
"""How often each line is asked by the dives in between: enough for two."""
PIECE = 2_000
ASKED, CONFLICTS, MOST_CONFLICTS = 500, 40, 10**9
"""For each line, the first turn of the dives (how often it is asked what it believes) and that of SAT (conflicts).

Later turns double. Both take about the same time then, at 25x25 as at 256x256.
"""
PAIRS = 200_000
"""Implications that are added at most."""
NO_PAIRS = np.empty((0, 2), dtype=np.int64)

Cells = npt.NDArray[Any]


def search(puzzle: Nonogram, at_most: int | None) -> Iterator[Event]:
    """Find at most ``at_most`` boards (None: all)."""
    with loading():
        from nonosat.solvers.propagation.search import Hunt  # noqa: I001 - it brings the others along
        from nonosat.solvers.propagation.board import LINES, cells_of
        from nonosat.solvers.propagation.propagate import PAUSED
        from nonosat.solvers.propagation.tree import EXHAUSTED, FOUND, GUESSES

    yield Progress("solving")
    begin = perf_counter()
    hunt = Hunt(puzzle)
    found: list[Cells] = []
    early: list[Cells] = []
    alone, pace = False, Pace(PIECE)

    def piece() -> Generator[Event, None, int]:
        """Hunt for a piece of lines, in smaller ones if it is watched: the way is the same."""
        until = int(hunt.board.state[LINES]) + PIECE
        while True:
            said = hunt.go_on(min(pace(), until - int(hunt.board.state[LINES])))
            yield from glimpse(lambda: hunt.seen(perf_counter() - begin))
            if said != PAUSED or hunt.board.state[LINES] >= until:
                return said

    def hunted(lines: int, guesses: bool) -> Generator[Event, None, bool]:
        """Hunt for so many lines a cell, without ``guesses`` up to the first one; is that all there is to do?"""
        nonlocal alone
        most = min(lines * puzzle.height * puzzle.width, MOST)
        while hunt.board.state[LINES] < most and (guesses or not hunt.tree.state[GUESSES]):
            said = yield from piece()
            alone = said == EXHAUSTED
            if said == FOUND:
                found.append(cells_of(hunt.board).astype(np.uint8))  # as SAT's are
                alone = not hunt.guessed
            if alone or len(found) == at_most:
                return True
        return False

    dives: Dives | None = None
    if not (yield from hunted(WORK, guesses=True)):
        halt = perf_counter()
        with loading():
            from nonosat.solvers.propagation.dives import Dives
        begin += perf_counter() - halt
        dives = Dives(hunt.board)
        if hunt.at_rest() and (first := (yield from dives.within(EARLY * sum(puzzle.shape)))) is not None:
            early = [first]
        if len(early) != at_most and not (yield from hunted(ROOT, guesses=False)):
            yield from _rest(puzzle, hunt, dives, [*early, *found], at_most, perf_counter() - begin - dives.spent_s)
            return
    for cells in found or early:
        yield Found(cells)
    how = "lines and probing" if not hunt.tree.state[GUESSES] else "lines, probing and guesses"
    about = hunt.statistics(perf_counter() - begin)
    if dives is not None:
        about = replace(about.plus(dives.statistics()), solve_s=about.solve_s)  # it has the time of both
        how = how if found or alone else f"beliefs after {how}"
    yield Finished(alone, about, f"by {how}")


def _rest(
    puzzle: Nonogram, hunt: Hunt, dives: Dives, found: list[Cells], at_most: int | None, hunt_s: float
) -> Iterator[Event]:
    """Dives and SAT on what the root of the hunt's tree knows, in turns; all pictures but the first are SAT's.

    ``found``: by the hunt and early dives, and not told yet. ``hunt_s``: the seconds of the hunt alone.
    """
    from nonosat.solvers.propagation.board import cells_of

    def spent() -> Statistics:
        return hunt.statistics(hunt_s).plus(dives.statistics())

    dead = hunt.back_to_root()
    root, images, many = cells_of(hunt.board), symmetries(puzzle), sum(puzzle.shape)
    if not dead and not found and (first := (yield from dives.within(ASKED * many))) is not None:
        found = [first]
    known: dict[bytes, Cells] = {}
    for board in found:
        for cells in orbit(board, images):
            if len(known) != at_most and cells.tobytes() not in known:
                known[cells.tobytes()] = cells
                yield Found(cells)
    if dead or len(known) == at_most:
        yield Finished(dead, spent(), f"by {'beliefs after ' if dives.found else ''}lines and probing")
        return
    begin = perf_counter()
    given = tuple(Given(row, column, int(root[row, column])) for row, column in np.argwhere(root >= 0).tolist())
    pairs = hunt.implications(PAIRS) if puzzle.colours == 1 else NO_PAIRS
    hunt_s += perf_counter() - begin
    plan = Plan(_turns(dives, many), list(known.values()), images)
    for event in by_sat(replace(puzzle, given=given), spent, at_most, plan, partial(with_pairs, pairs=pairs)):
        if isinstance(event, Finished):
            who = event.reason or ""
            if dives.found:
                who = "by beliefs" if at_most == 1 else f"by beliefs, then {who.removeprefix('by ')}"
            event = replace(event, reason=f"{who} after lines and probing")
        yield event


def _turns(dives: Dives, many: int) -> Iterator[Stage]:
    """SAT and dives on a board of so ``many`` lines, until one of them is done."""
    for turn in count():
        yield Stage(min(CONFLICTS * many << turn, MOST_CONFLICTS))
        yield Stage(find=partial(dives.within, ASKED * many << turn + 1))


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
