"""The solver ``auto``: lines and probing first, then beliefs for a first picture, and SAT for what is left.

Nonograms: ``propagation`` gets a bounded amount of work (``WORK``), which is enough for most puzzles that people make.
If it is not, and no guess was needed so far, two dives are tried (``EARLY``), and then the root of its search tree is
probed to the end (``ROOT``). What is known there is what the next parts begin with:

- ``beliefs`` dives for a picture (``propagation/dives.py``); with the clues' symmetries it may be several at once.
- MiniSat 2.2 gets the formula of ``tight+r3+order``, with known cells as unit clauses and (in black and white) what
  each value of each open cell implies for others by complete line solving as binary clauses, which unit propagation
  alone would miss. It looks for further pictures near the first one, and tells whether there is none.

Until there is a picture they take turns, each twice as long as the last one: what time either takes has a heavy tail,
and they are seldom slow on the same board. What each is worth is told in docs/what-we-tried.md.

Skyscrapers: ``phases``, with the fewest candidates first, for boards of up to 12x12, of which it gets to see ``BOARDS``
at most; else SAT.

``auto+quick`` lets SAT alone begin, for ``QUICK`` conflicts, on boards of up to ``SMALL`` cells: easy puzzles are
solved before the compiled code of the other parts would be loaded, which takes longer. It is the default of ``nonosat
solve``, which starts cold.

Which part solved a puzzle is told as ``reason``; counters are those of all parts. Work is counted, not timed, so that
the same puzzle takes the same way every time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from itertools import count
from time import perf_counter
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from nonosat.encodings.formula import Formula
from nonosat.encodings.registry import default_for
from nonosat.encodings.registry import encoding as encoding_named
from nonosat.interrupts import loading
from nonosat.puzzles.nonogram import Given, Nonogram
from nonosat.puzzles.nonogram.symmetry import symmetries
from nonosat.puzzles.puzzle import Puzzle
from nonosat.puzzles.skyscrapers import Skyscrapers
from nonosat.solvers import sat
from nonosat.solvers.answer import Event, Finished, Found, Progress, Statistics
from nonosat.solvers.formulas import formula_of

if TYPE_CHECKING:
    from nonosat.solvers.propagation.dives import Dives
    from nonosat.solvers.propagation.search import Hunt

SAT_SOLVER = "minisat22"
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
BOARDS, LARGEST = 2_000, 12
QUICK, SMALL = 2_000, 10_000

Cells = npt.NDArray[Any]
Spent = Callable[[], Statistics]


def search(puzzle: Puzzle, encoding_name: str, at_most: int | None, solver: str) -> Iterator[Event]:
    """Find at most ``at_most`` boards (None: all). The encoding is chosen here."""
    height, width = puzzle.shape
    if "quick" in solver.split("+") and height * width <= SMALL:
        yield from _quick(puzzle, at_most)
    else:
        yield from _by_parts(puzzle, at_most)


def _by_parts(puzzle: Puzzle, at_most: int | None) -> Iterator[Event]:
    if isinstance(puzzle, Nonogram):
        yield from _nonogram(puzzle, at_most)
    elif isinstance(puzzle, Skyscrapers) and puzzle.size <= LARGEST:
        yield from _skyscrapers(puzzle, at_most)
    else:
        yield from _by_sat(puzzle, Statistics, at_most)


def _quick(puzzle: Puzzle, at_most: int | None) -> Iterator[Event]:
    """SAT alone for ``QUICK`` conflicts a board; if that is not enough, all parts from the beginning."""
    seen: set[bytes] = set()
    before = Statistics()
    for event in _by_sat(puzzle, Statistics, at_most, sat.Plan([sat.Stage(QUICK)])):
        match event:
            case Found(cells):
                seen.add(cells.tobytes())
                yield event
            case Finished(exhausted, about):
                if exhausted or len(seen) == at_most:
                    yield event
                    return
                before = about
            case _:
                yield event
    for event in _after(lambda: before, _by_parts(puzzle, at_most)):
        if isinstance(event, Found):
            board = np.asarray(event.cells, dtype=np.uint8).tobytes()
            if board in seen or len(seen) == at_most:
                continue
            seen.add(board)
        yield event


def _after(spent: Spent, events: Iterator[Event]) -> Iterator[Event]:
    """``events``, with what was spent beside them added to their cost."""
    for event in events:
        if isinstance(event, Finished | Progress):
            yield replace(event, statistics=spent().plus(event.statistics))
        else:
            yield event


def _nonogram(puzzle: Nonogram, at_most: int | None) -> Iterator[Event]:
    with loading():
        from nonosat.solvers.propagation.search import Hunt  # noqa: I001 - it brings the others along
        from nonosat.solvers.propagation.board import LINES, cells_of
        from nonosat.solvers.propagation.tree import EXHAUSTED, FOUND, GUESSES

    yield Progress("solving")
    begin = perf_counter()
    hunt = Hunt(puzzle)
    found: list[Cells] = []
    early: list[Cells] = []
    alone = False

    def hunted(lines: int, guesses: bool) -> bool:
        """Hunt for so many lines a cell, without ``guesses`` up to the first one; is that all there is to do?"""
        nonlocal alone
        most = min(lines * puzzle.height * puzzle.width, MOST)
        while hunt.board.state[LINES] < most and (guesses or not hunt.tree.state[GUESSES]):
            said = hunt.go_on(PIECE)
            alone = said == EXHAUSTED
            if said == FOUND:
                found.append(cells_of(hunt.board).astype(np.uint8))  # as SAT's are
                alone = not hunt.guessed
            if alone or len(found) == at_most:
                return True
        return False

    dives: Dives | None = None
    if not hunted(WORK, guesses=True):
        halt = perf_counter()
        with loading():
            from nonosat.solvers.propagation.dives import Dives
        begin += perf_counter() - halt
        dives = Dives(hunt.board)
        if hunt.at_rest() and (first := dives.within(EARLY * sum(puzzle.shape))) is not None:
            early = [first]
        if len(early) != at_most and not hunted(ROOT, guesses=False):
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
    if not dead and not found and (first := dives.within(ASKED * many)) is not None:
        found = [first]
    known: dict[bytes, Cells] = {}
    for board in found:
        for cells in sat.orbit(board, images):
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
    plan = sat.Plan(_turns(dives, many), list(known.values()), images)
    for event in _by_sat(replace(puzzle, given=given), spent, at_most, plan, pairs):
        if isinstance(event, Finished):
            who = event.reason or ""
            if dives.found:
                who = "by beliefs" if at_most == 1 else f"by beliefs, then {who.removeprefix('by ')}"
            event = replace(event, reason=f"{who} after lines and probing")
        yield event


def _turns(dives: Dives, many: int) -> Iterator[sat.Stage]:
    """SAT and dives on a board of so ``many`` lines, until one of them is done."""
    for turn in count():
        yield sat.Stage(min(CONFLICTS * many << turn, MOST_CONFLICTS))
        yield sat.Stage(find=partial(dives.within, ASKED * many << turn + 1))


def with_pairs(formula: Formula, pairs: npt.NDArray[np.int64]) -> Formula:
    """``formula`` and the implications ``pairs``, shape (n, 2), of ``cell * 2 + value``; cells are black or white."""
    if not len(pairs):
        return formula
    first = formula.map.first[: formula.board.size].astype(np.int64)  # type: ignore[attr-defined] # order encoding
    literals = first[pairs // 2] * np.where(pairs % 2, -1, 1)  # a cell's Boolean is true where it is blank
    cnf, base = formula.cnf, 2 * formula.cnf.variables + 1
    one, two = np.sort(np.stack((-literals[:, 0], literals[:, 1])), axis=0) + formula.cnf.variables
    clauses = np.stack(np.divmod(np.unique(one * base + two), base), axis=1) - cnf.variables  # many are there twice
    return replace(formula, cnf=cnf.extended(clauses))


def _skyscrapers(puzzle: Skyscrapers, at_most: int | None) -> Iterator[Event]:
    with loading():
        from nonosat.solvers.native.phases import limited

    yield Progress("solving")
    begin = perf_counter()
    found, exhausted, about = limited(puzzle, at_most, BOARDS)
    if found is not None:
        for cells in found:
            yield Found(cells)
        yield Finished(exhausted, about, "by five phases")
        return
    spent = replace(about, solve_s=perf_counter() - begin)
    for event in _by_sat(puzzle, lambda: spent, at_most):
        yield replace(event, reason=f"{event.reason} after five phases") if isinstance(event, Finished) else event


def _by_sat(
    puzzle: Puzzle,
    spent: Spent,
    at_most: int | None,
    plan: sat.Plan = sat.USUAL,
    pairs: npt.NDArray[np.int64] = NO_PAIRS,
) -> Iterator[Event]:
    """SAT on ``puzzle`` and ``pairs`` (see ``with_pairs``) by ``plan``; ``spent``: what other parts have cost."""
    encoding = encoding_named(default_for(puzzle)).name
    yield Progress("encoding", spent(), encoding)
    formula, size = formula_of(puzzle, encoding)
    begin = perf_counter()
    formula = with_pairs(formula, pairs)
    encode_s = (size.encode_s or 0.0) + perf_counter() - begin
    about = Statistics(formula.cnf.variables, formula.cnf.clauses, encode_s)
    for event in _after(spent, sat.solved(formula, about, at_most, SAT_SOLVER, plan)):
        if isinstance(event, Finished):
            event = replace(event, reason=f"by {SAT_SOLVER} on {encoding}")
        yield event
