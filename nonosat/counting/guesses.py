"""Which cell a search guesses next, and what probing teaches before that; compiled."""

from __future__ import annotations

from nonosat.counting.diagram import NONE
from nonosat.counting.frames import (
    DEPTH,
    Frames,
)
from nonosat.solvers.compiled import inlined
from nonosat.solvers.propagation.board import LINES, NEVER, Board
from nonosat.solvers.propagation.changes import choices, may_be
from nonosat.solvers.propagation.probing import LEARNT, NOTHING, Probes, probe
from nonosat.solvers.propagation.propagate import DEAD

BY_PROBES, BY_ROWS, BY_COLUMNS, ALONG_ROWS, ALONG_COLUMNS = range(5)
"""The order of guesses: the cell whose probes taught most; the first open one, without any probing; or the first open
one, with the open cells of its row (column) probed."""


@inlined
def first_guess(b: Board, f: Frames, d: int, order: int) -> int:
    """The first of the cells, row by row or column by column; all are open."""
    best = int(f.cells[f.begin[d]])
    if order in (BY_COLUMNS, ALONG_COLUMNS):
        for i in range(f.begin[d], f.end[d]):
            cell = int(f.cells[i])
            column, row = cell % b.width, cell // b.width
            if column < best % b.width or (column == best % b.width and row < best // b.width):
                best = cell
    return best


@inlined
def in_focus(b: Board, f: Frames, d: int, cell: int, order: int) -> bool:
    """Is the cell one of those that are probed in this frame: all, or the first row's, or the first column's?"""
    if order == ALONG_ROWS:
        return bool(cell // b.width == f.focus[d])
    return bool(order != ALONG_COLUMNS or cell % b.width == f.focus[d])


@inlined
def probe_frame(b: Board, p: Probes, f: Frames, order: int, until: int) -> int:
    """Probe the open cells of the frame at work until all in a row teach nothing (NOTHING), or LEARNT, or DEAD."""
    d = f.state[DEPTH]
    if f.focus[d] == NONE:
        first = first_guess(b, f, d, order)
        f.focus[d] = first % b.width if order == ALONG_COLUMNS else first // b.width
    while f.quiet[d] < f.end[d] - f.begin[d]:
        cell = f.cells[f.cursor[d]]
        f.cursor[d] = f.cursor[d] + 1 if f.cursor[d] + 1 < f.end[d] else f.begin[d]
        f.quiet[d] += 1
        if choices(b, cell // b.width, cell % b.width) > 1 and in_focus(b, f, d, cell, order):
            said = probe(b, p, cell)
            if said == DEAD:
                return DEAD
            if said == LEARNT:
                f.quiet[d] = 0
            if b.state[LINES] > until:
                return LEARNT
    return NOTHING


@inlined
def likeliest_guess(b: Board, p: Probes, f: Frames, d: int) -> int:
    """The cell whose probes taught most: the least changes squared, times the most (as ``tree.best_guess``)."""
    values = b.colours + 1
    best, best_score = NONE, -1.0
    for i in range(f.begin[d], f.end[d]):
        cell = f.cells[i]
        least, most = NEVER, 0
        for v in range(values):
            if may_be(b, cell // b.width, cell % b.width, v):
                gain = p.gain[cell * values + v]
                least, most = min(least, gain), max(most, gain)
        score = float(least) * float(least) * float(most)
        if score > best_score:
            best, best_score = int(cell), score
    return best
