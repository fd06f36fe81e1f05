"""The solver ``auto``: lines and probing first, and SAT for what is left.

Nonograms: ``propagation`` gets a bounded amount of ``work``, which most puzzles that people make and most random boards
at 50 % do not need. If it is not done, its search is taken back to the root, and what is known there goes into the
formula of ``tight+r3+order``: known cells as unit clauses, and (in black and white) what each value of each open cell
implies for others by complete line solving, as binary clauses, which unit propagation alone would miss. MiniSat 2.2 and
CaDiCaL 1.9.5 take turns, each for more conflicts every time (``PORTFOLIO``; most boards need only the first turn). If
the clues are symmetric, pictures as symmetric as they are looked for before all others (for ``SYMMETRIC`` conflicts a
picture): a board of which a quarter tells the rest is a far smaller puzzle. What each is worth is told in
docs/what-we-tried.md.

Skyscrapers: ``phases``, with the fewest candidates first, for boards of up to 12x12, of which it gets to see ``BOARDS``
at most; else SAT.

``auto+quick`` lets SAT alone begin, for ``QUICK`` conflicts: easy puzzles are solved before the compiled code of the
other parts would be loaded, which takes longer. It is the default of ``nonosat solve``, which starts cold.

Which part solved a puzzle is told as ``reason``; counters are those of all parts. Work is counted, not timed, so that
the same puzzle takes the same way every time.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from nonosat.encodings.formula import DomainMap, Formula
from nonosat.encodings.registry import default_for
from nonosat.puzzles.nonogram import Given, Nonogram
from nonosat.puzzles.puzzle import Puzzle
from nonosat.puzzles.skyscrapers import Skyscrapers
from nonosat.puzzles.symmetry import symmetries
from nonosat.solvers import sat
from nonosat.solvers.answer import Event, Finished, Found, Progress, Statistics
from nonosat.solvers.formulas import formula_of

SAT_SOLVER = "minisat22"
WORK, MOST_WORK = 20_000, 1_300_000
"""Lines settled before SAT takes over, on a board of 25x25 (some 3 ms), and at most.

It goes with the cube of the number of cells, about as MiniSat's time does: on random boards of 40x40 at 50 % lines and
probing take 20 ms, MiniSat 90.
"""
PAIRS = 200_000
"""Implications that are added at most."""
NO_PAIRS = np.empty((0, 2), dtype=np.int64)
BOARDS, LARGEST = 2_000, 12
QUICK = 2_000
SYMMETRIC = 30_000
PORTFOLIO = tuple(
    sat.Stage(conflicts=50_000 << turn, solver=solver) for turn in range(8) for solver in (None, "cadical195")
)
"""Who goes on for how many conflicts: the time of each has a heavy tail, and they are seldom slow on the same board."""
CLAUSES = 1_000_000
"""Of formulas that two solvers may hold at a time; larger ones are left to the first."""

Cells = npt.NDArray[Any]


def search(puzzle: Puzzle, encoding_name: str, at_most: int | None, solver: str) -> Iterator[Event]:
    """Find at most ``at_most`` boards (None: all). The encoding is chosen here."""
    if "quick" in solver.split("+"):
        yield from _quick(puzzle, at_most)
    else:
        yield from _by_parts(puzzle, at_most)


def _by_parts(puzzle: Puzzle, at_most: int | None) -> Iterator[Event]:
    if isinstance(puzzle, Nonogram):
        yield from _nonogram(puzzle, at_most)
    elif isinstance(puzzle, Skyscrapers) and puzzle.size <= LARGEST:
        yield from _skyscrapers(puzzle, at_most)
    else:
        yield from _by_sat(puzzle, Hints(), Statistics(), at_most, "")


def _quick(puzzle: Puzzle, at_most: int | None) -> Iterator[Event]:
    """SAT alone for ``QUICK`` conflicts a board; if that is not enough, all parts from the beginning."""
    seen: set[bytes] = set()
    before = Statistics()
    for event in _by_sat(puzzle, Hints(), Statistics(), at_most, "", QUICK):
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
    for event in _after(before, _by_parts(puzzle, at_most)):
        if isinstance(event, Found):
            board = np.asarray(event.cells, dtype=np.uint8).tobytes()
            if board in seen or len(seen) == at_most:
                continue
            seen.add(board)
        yield event


def _after(before: Statistics, events: Iterator[Event]) -> Iterator[Event]:
    """``events``, with the cost of what came before added to theirs."""
    for event in events:
        if isinstance(event, Finished | Progress):
            yield replace(event, statistics=before.plus(event.statistics))
        else:
            yield event


def work(puzzle: Nonogram) -> int:
    """How many lines are settled before SAT takes over; lines of several words cost many times as much."""
    words = max(puzzle.shape) // 64 + 1
    larger = puzzle.height * puzzle.width / 625
    return max(WORK, int(min(MOST_WORK, WORK * larger**3) / (1 if words == 1 else 8 * words)))


def _nonogram(puzzle: Nonogram, at_most: int | None) -> Iterator[Event]:
    with sat.loading():
        from nonosat.solvers.propagation.board import LINES, cells_of
        from nonosat.solvers.propagation.search import Hunt
        from nonosat.solvers.propagation.tree import EXHAUSTED, FOUND, GUESSES

    yield Progress("solving")
    begin = perf_counter()
    hunt = Hunt(puzzle)
    found: list[Cells] = []
    alone, most = False, work(puzzle)
    while (at_most is None or len(found) < at_most) and not alone:
        left = most - int(hunt.board.state[LINES])
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


class Hints(NamedTuple):
    """What is known of a puzzle beside its clues: implications (``pairs``, see ``with_pairs``), and its symmetries."""

    pairs: npt.NDArray[np.int64] = NO_PAIRS
    images: Sequence[npt.NDArray[np.int64]] = ()


def _rest(puzzle: Nonogram, hunt: Any, at_most: int | None, begin: float) -> Iterator[Event]:
    """SAT on what the root of the hunt's tree knows."""
    from nonosat.solvers.propagation.board import cells_of

    if hunt.back_to_root():
        yield Finished(True, hunt.statistics(perf_counter() - begin), "by lines and probing")
        return
    known = cells_of(hunt.board)
    given = tuple(Given(row, column, int(known[row, column])) for row, column in np.argwhere(known >= 0).tolist())
    pairs = hunt.implications(PAIRS) if puzzle.colours == 1 else NO_PAIRS
    hints = Hints(pairs, symmetries(puzzle))
    about = hunt.statistics(perf_counter() - begin)
    yield from _by_sat(replace(puzzle, given=given), hints, about, at_most, "after lines and probing")


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


def with_twins(formula: Formula, images: Sequence[npt.NDArray[np.int64]]) -> tuple[Formula, int]:
    """``formula``, and a new literal which implies that the board is symmetric under all ``images``.

    Every Boolean of a cell equals that of the first cell of its orbit (the images are a group, but for the identity).
    """
    variables: DomainMap = formula.map  # type: ignore[assignment] # order encoding
    cells = np.arange(formula.board.size)
    leader = np.minimum.reduce([cells, *images])
    chosen = formula.cnf.variables + 1
    board = formula.board.reshape(-1)
    booleans = np.arange(variables.sizes(variables.lower, variables.upper)[board].max())
    of_cell = variables.first[board].astype(np.int64)[:, None] + booleans
    one, other = of_cell[leader != cells].reshape(-1), of_cell[leader][leader != cells].reshape(-1)
    never = np.full_like(one, -chosen)
    clauses = np.concatenate((np.stack((never, -one, other), axis=1), np.stack((never, one, -other), axis=1)))
    return replace(formula, cnf=formula.cnf.extended(clauses, variables=1)), chosen


def _skyscrapers(puzzle: Skyscrapers, at_most: int | None) -> Iterator[Event]:
    with sat.loading():
        from nonosat.solvers.native.phases import limited

    yield Progress("solving")
    begin = perf_counter()
    found, exhausted, about = limited(puzzle, at_most, BOARDS)
    if found is not None:
        for cells in found:
            yield Found(cells)
        yield Finished(exhausted, about, "by five phases")
        return
    yield from _by_sat(puzzle, Hints(), replace(about, solve_s=perf_counter() - begin), at_most, "after five phases")


def _by_sat(
    puzzle: Puzzle, hints: Hints, before: Statistics, at_most: int | None, after: str, conflicts: int | None = None
) -> Iterator[Event]:
    """SAT on ``puzzle`` with ``hints``; it comes ``after`` a part that has cost ``before``.

    ``conflicts``: one solver gives up after so many a board; None: as long as it takes, in turns.
    """
    yield Progress("encoding", before)
    formula, size = formula_of(puzzle, default_for(puzzle))
    begin = perf_counter()
    formula = with_pairs(formula, hints.pairs)
    stages: tuple[sat.Stage, ...] = (sat.Stage(conflicts=conflicts),)
    if conflicts is None and formula.cnf.clauses <= CLAUSES:
        stages = (*PORTFOLIO, *stages)
    how = f"on {default_for(puzzle)} {after}".rstrip()
    if hints.images:
        formula, symmetric = with_twins(formula, hints.images)
        stages = (sat.Stage((symmetric,), SYMMETRIC), *stages)
        how += ", symmetric pictures first"
    encode_s = (size.encode_s or 0.0) + perf_counter() - begin
    about = Statistics(formula.cnf.variables, formula.cnf.clauses, encode_s)
    for event in _after(before, sat.solved(formula, about, at_most, SAT_SOLVER, stages, hints.images)):
        if isinstance(event, Finished):
            event = replace(event, reason=f"by {event.reason or SAT_SOLVER} {how}")
        yield event
