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
from dataclasses import fields, replace
from time import perf_counter
from typing import Any

import numpy as np
import numpy.typing as npt

from nonosat.encodings.cnf import CNF
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
BOARDS, LARGEST = 2_000, 12

Cells = npt.NDArray[Any]


def search(puzzle: Puzzle, encoding_name: str, at_most: int | None, solver: str) -> Iterator[Event]:
    """Find at most ``at_most`` boards (None: all). The encoding is chosen here."""
    if isinstance(puzzle, Nonogram):
        yield from _nonogram(puzzle, at_most)
    elif isinstance(puzzle, Skyscrapers) and puzzle.size <= LARGEST:
        yield from _skyscrapers(puzzle, at_most)
    else:
        yield from _by_sat(*formula_of(puzzle, default_for(puzzle)), at_most, "")


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
    pairs = hunt.implications(PAIRS) if puzzle.colours == 1 else np.empty((0, 2), dtype=np.int64)
    spent = perf_counter() - begin
    yield Progress("encoding", about)
    formula, size = formula_of(replace(puzzle, given=given), default_for(puzzle))
    started = perf_counter()
    formula = with_pairs(formula, pairs)
    encode_s = (size.encode_s or 0.0) + perf_counter() - started
    statistics = replace(
        about, variables=formula.cnf.variables, clauses=formula.cnf.clauses, encode_s=encode_s, solve_s=spent
    )
    yield from _by_sat(formula, statistics, at_most, "after lines and probing")


def with_pairs(formula: Formula, pairs: npt.NDArray[np.int64]) -> Formula:
    """``formula`` and the implications ``pairs``, shape (n, 2), of ``cell * 2 + value``; cells are black or white."""
    if not len(pairs):
        return formula
    first = formula.map.first[: formula.board.size].astype(np.int64)  # type: ignore[attr-defined] # order encoding
    literals = first[pairs // 2] * np.where(pairs % 2, -1, 1)  # a cell's Boolean is true where it is blank
    cnf, base = formula.cnf, 2 * formula.cnf.variables + 1
    one, two = np.sort(np.stack((-literals[:, 0], literals[:, 1])), axis=0) + formula.cnf.variables
    clauses = np.stack(np.divmod(np.unique(one * base + two), base), axis=1) - cnf.variables  # many are there twice
    ends = cnf.ends[-1] + 2 * np.arange(1, len(clauses) + 1) if len(cnf.ends) else 2 * np.arange(1, len(clauses) + 1)
    extended = CNF(
        cnf.variables,
        np.concatenate((cnf.literals, clauses.reshape(-1).astype(np.int32))),
        np.concatenate((cnf.ends, ends)),
    )
    return replace(formula, cnf=extended)


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
    spent = perf_counter() - begin
    yield Progress("encoding", about)
    formula, size = formula_of(puzzle, default_for(puzzle))
    statistics = replace(about, variables=size.variables, clauses=size.clauses, encode_s=size.encode_s, solve_s=spent)
    yield from _by_sat(formula, statistics, at_most, "after five phases")


def _by_sat(formula: Formula, statistics: Statistics, at_most: int | None, after: str) -> Iterator[Event]:
    """The events of the SAT solver; what it says it cost comes on top of ``statistics``."""
    reason = f"by {SAT_SOLVER} {after}".rstrip()
    for event in sat.solved(formula, replace(statistics, solve_s=None), at_most, SAT_SOLVER):
        if isinstance(event, Finished):
            yield replace(event, statistics=summed(statistics, event.statistics), reason=reason)
        else:
            yield event


def summed(before: Statistics, after: Statistics) -> Statistics:
    """What a search cost whose first part cost ``before``, and which tells ``after`` of all or of its last part."""
    told = {field.name: getattr(after, field.name) for field in fields(Statistics)}
    for field in fields(Statistics):
        if told[field.name] is None:
            told[field.name] = getattr(before, field.name)
    told["solve_s"] = (before.solve_s or 0.0) + (after.solve_s or 0.0)
    return Statistics(**told)
