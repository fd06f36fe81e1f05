"""The solver ``auto``: lines and probing first, and SAT for what is left.

Nonograms: ``propagation`` gets a bounded amount of work (``WORK`` lines), which most puzzles that people make and
random boards of up to 25x25 do not need. If it is not done, its search is taken back to the root, and what is known
there goes into the formula of ``tight+r3+order``: known cells as unit clauses, and (in black and white) what each value
of each open cell implies for others by complete line solving, as binary clauses, which unit propagation alone would
miss. What each of these is worth is told in docs/what-we-tried.md.

Skyscrapers: ``phases``, with the fewest candidates first, for boards of up to 12x12, of which it gets to see ``BOARDS``
at most; else SAT.

Which part solved a puzzle is told as ``reason``; counters are those of all parts. Work is counted, not timed, so that
the same puzzle takes the same way every time.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from time import perf_counter
from typing import Any

import numpy as np
import numpy.typing as npt

from nonosat.encodings.formula import Formula
from nonosat.encodings.registry import default_for
from nonosat.puzzles.nonogram import Given, Nonogram
from nonosat.puzzles.puzzle import Puzzle
from nonosat.puzzles.skyscrapers import Skyscrapers
from nonosat.solvers import sat
from nonosat.solvers.answer import Event, Finished, Found, Progress, Statistics
from nonosat.solvers.formulas import formula_of

SAT_SOLVER = "minisat22"
WORK = 20_000
"""Lines settled before SAT takes over: some 3 ms on boards of 25x25."""
PAIRS = 200_000
"""Implications that are added at most."""
NO_PAIRS = np.empty((0, 2), dtype=np.int64)
BOARDS, LARGEST = 2_000, 12

Cells = npt.NDArray[Any]


def search(puzzle: Puzzle, encoding_name: str, at_most: int | None, solver: str) -> Iterator[Event]:
    """Find at most ``at_most`` boards (None: all). The encoding is chosen here."""
    if isinstance(puzzle, Nonogram):
        yield from _nonogram(puzzle, at_most)
    elif isinstance(puzzle, Skyscrapers) and puzzle.size <= LARGEST:
        yield from _skyscrapers(puzzle, at_most)
    else:
        yield from _by_sat(puzzle, NO_PAIRS, Statistics(), at_most, "")


def _nonogram(puzzle: Nonogram, at_most: int | None) -> Iterator[Event]:
    from nonosat.solvers.propagation.board import LINES, cells_of
    from nonosat.solvers.propagation.search import Hunt
    from nonosat.solvers.propagation.tree import EXHAUSTED, FOUND, GUESSES

    yield Progress("solving")
    begin = perf_counter()
    hunt = Hunt(puzzle)
    found: list[Cells] = []
    alone = False
    while (at_most is None or len(found) < at_most) and not alone:
        left = WORK - int(hunt.board.state[LINES])
        if left <= 0:
            yield from _rest(puzzle, hunt, at_most, begin)
            return
        said = hunt.go_on(left)
        alone = said == EXHAUSTED
        if said == FOUND:
            found.append(cells_of(hunt.board))
            alone = not hunt.guessed
    for cells in found:
        yield Found(cells)
    how = "by lines and probing" if not hunt.tree.state[GUESSES] else "by lines, probing and guesses"
    yield Finished(alone, hunt.statistics(perf_counter() - begin), how)


def _rest(puzzle: Nonogram, hunt: Any, at_most: int | None, begin: float) -> Iterator[Event]:
    """SAT on what the root of the hunt's tree knows."""
    from nonosat.solvers.propagation.board import cells_of

    dead = hunt.back_to_root()
    about = hunt.statistics(perf_counter() - begin)
    if dead:
        yield Finished(True, about, "by lines and probing")
        return
    known = cells_of(hunt.board)
    given = tuple(Given(row, column, int(known[row, column])) for row, column in np.argwhere(known >= 0).tolist())
    pairs = hunt.implications(PAIRS) if puzzle.colours == 1 else NO_PAIRS
    about = replace(about, solve_s=perf_counter() - begin)
    yield from _by_sat(replace(puzzle, given=given), pairs, about, at_most, "after lines and probing")


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
    from nonosat.solvers.native.phases import limited

    yield Progress("solving")
    begin = perf_counter()
    found, exhausted, about = limited(puzzle, at_most, BOARDS)
    if found is not None:
        for cells in found:
            yield Found(cells)
        yield Finished(exhausted, about, "by five phases")
        return
    yield from _by_sat(puzzle, NO_PAIRS, replace(about, solve_s=perf_counter() - begin), at_most, "after five phases")


def _by_sat(
    puzzle: Puzzle, pairs: npt.NDArray[np.int64], before: Statistics, at_most: int | None, after: str
) -> Iterator[Event]:
    """SAT on ``puzzle`` and what is implied in it; it comes ``after`` a part that has cost ``before``."""
    yield Progress("encoding", before)
    formula, size = formula_of(puzzle, default_for(puzzle))
    begin = perf_counter()
    formula = with_pairs(formula, pairs)
    statistics = replace(
        before,
        variables=formula.cnf.variables,
        clauses=formula.cnf.clauses,
        encode_s=(size.encode_s or 0.0) + perf_counter() - begin,
        solve_s=None,
    )
    for event in sat.solved(formula, statistics, at_most, SAT_SOLVER):
        if isinstance(event, Finished):
            solve_s = (before.solve_s or 0.0) + (event.statistics.solve_s or 0.0)
            about = replace(event.statistics, solve_s=solve_s)
            yield replace(event, statistics=about, reason=f"by {SAT_SOLVER} {after}".rstrip())
        else:
            yield event
