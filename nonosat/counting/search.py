"""Depth-first search through a board's components, which writes the diagram of all solutions; compiled.

Every component is looked up first. One that is not remembered gets a *frame*: its cells are probed, if the order says
so; if that teaches something, the frame's one branch is what is left. Else a cell is guessed, and each of its values
is a branch. What is left after a branch falls into components; they are solved one after the other, the smallest
first, and the first of them without a solution ends the branch. All that propagation does stays inside the frame's
component, since its lines fall apart at its border.

It pauses now and then, and goes on.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from nonosat.counting.components import Parts, key_of, split
from nonosat.counting.diagram import (
    CHILD,
    LITERAL,
    NONE,
    Diagram,
    close_branch,
    has_room,
    known,
    new_node,
    plus,
    remember,
    times,
)  # fmt: skip
from nonosat.solvers.arrays import Ints, Words
from nonosat.solvers.compiled import compiled, inlined
from nonosat.solvers.propagation.board import LINES, NEVER, TRAIL, Board
from nonosat.solvers.propagation.changes import assume, choices, mark_changed, may_be, undo
from nonosat.solvers.propagation.probing import LEARNT, NOTHING, Probes, probe
from nonosat.solvers.propagation.propagate import DEAD, PAUSED, propagate
from nonosat.solvers.propagation.words import ONE, ZERO, Word

BY_PROBES, BY_ROWS, BY_COLUMNS, ALONG_ROWS, ALONG_COLUMNS = range(5)
"""The order of guesses: the cell whose probes taught most; the first open one, without any probing; or the first open
one, with the open cells of its row (column) probed."""

FULL, DONE = 2, 3
"""What ``search`` says, beside PAUSED: it wants more room; the last node of the diagram is the whole board."""

# Where ``Frames.state`` holds what: the frame at work (NONE: none yet), what it does next, where the cells of
# components, pending components and children end, the last name of a component, and counters.
DEPTH, PHASE, CELLS, PENDING, KIDS, NAME, NODES, GUESSES, HITS, RESULT = range(10)

PROBE, GUESS, NEXT, SPLIT, CHILDREN, FINISH, OVER = range(7)


class Frames(NamedTuple):
    """The components on the way to the one at work, and what is to be done of each.

    ``begin``, ``end``: its cells in ``cells``; ``key``: two words; ``guess``: the cell that is guessed (NONE: the
    branch is what probing left), and ``value``; ``mark``: the trail's length before the branch, ``quiet``: how many
    cells in a row taught nothing, ``cursor``: the next to probe; ``head``: the last branch entered; ``total``: of all
    branches entered. Of the branch at work: where its components are in ``pending_begin``, ``pending_end`` and
    ``pending_key`` (``pending``), the ``next`` of them, and where its children are in ``kids_of`` (``kids``), and the
    component's cells.
    """

    begin: Ints
    end: Ints
    key: Words
    guess: Ints
    value: Ints
    mark: Ints
    quiet: Ints
    cursor: Ints
    focus: Ints
    head: Ints
    total: Words
    pending: Ints
    next: Ints
    kids: Ints
    cells: Ints
    pending_begin: Ints
    pending_end: Ints
    pending_key: Words
    kids_of: Ints
    state: Ints


def frames_of(board: Board) -> Frames:
    """A search that has not begun: one frame, of all cells of a board on which nothing waits."""
    cells = board.height * board.width
    deepest = 2 * cells * board.colours + 3

    def zeros(size: int) -> Ints:
        return np.zeros(size, dtype=np.int64)

    frames = Frames(
        begin=zeros(deepest),
        end=zeros(deepest),
        key=np.zeros(2 * deepest, dtype=np.uint64),
        guess=zeros(deepest),
        value=zeros(deepest),
        mark=zeros(deepest),
        quiet=zeros(deepest),
        cursor=zeros(deepest),
        focus=zeros(deepest),
        head=zeros(deepest),
        total=np.zeros(deepest, dtype=np.uint64),
        pending=zeros(deepest),
        next=zeros(deepest),
        kids=zeros(deepest),
        cells=np.arange(4 * cells + 64, dtype=np.int64),
        pending_begin=zeros(2 * cells + 64),
        pending_end=zeros(2 * cells + 64),
        pending_key=np.zeros(4 * cells + 128, dtype=np.uint64),
        kids_of=zeros(2 * cells + 64),
        state=zeros(10),
    )
    frames.end[0], frames.guess[0], frames.head[0] = cells, NONE, NONE
    frames.mark[0] = board.state[TRAIL]
    frames.state[PHASE], frames.state[CELLS] = SPLIT, cells
    return frames


def grown_frames(frames: Frames, cells: int) -> Frames:
    """The same frames with room for one level more of a board of ``cells`` cells."""
    new = {}
    which = {"cells": CELLS, "pending_begin": PENDING, "pending_end": PENDING, "pending_key": PENDING, "kids_of": KIDS}
    for name, end in which.items():
        array, words = getattr(frames, name), 2 if name == "pending_key" else 1
        used = words * int(frames.state[end])
        if len(array) < used + words * (cells + 4):
            new[name] = np.zeros(2 * used + words * (cells + 64), dtype=array.dtype)
            new[name][:used] = array[:used]
    return frames._replace(**new)


@inlined
def frames_have_room(f: Frames, cells: int) -> bool:
    """Is there room for one level more?"""
    return bool(
        f.state[CELLS] + cells + 2 < len(f.cells)
        and f.state[PENDING] + cells + 2 < len(f.pending_begin)
        and f.state[KIDS] + cells + 2 < len(f.kids_of)
    )


@inlined
def push(f: Frames, begin: int, end: int, k0: Word, k1: Word, mark: int, phase: int) -> None:
    """A frame for a component."""
    depth = f.state[DEPTH] + 1
    f.state[DEPTH], f.state[PHASE] = depth, phase
    f.begin[depth], f.end[depth], f.cursor[depth], f.quiet[depth] = begin, end, begin, 0
    f.key[2 * depth], f.key[2 * depth + 1] = k0, k1
    f.focus[depth] = NONE
    f.guess[depth], f.head[depth], f.total[depth], f.mark[depth] = NONE, NONE, ZERO, mark
    f.state[NODES] += 1


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


@inlined
def next_value(b: Board, f: Frames, d: int) -> int:
    """The next value to try of the guessed cell, or NONE."""
    cell, value = int(f.guess[d]), int(f.value[d]) + 1
    while value <= b.colours and not may_be(b, cell // b.width, cell % b.width, value):
        value += 1
    f.value[d] = value
    return value if value <= b.colours else NONE


@inlined
def split_frame(b: Board, s: Parts, f: Frames) -> None:
    """Find the components that are left of the frame at work; they are pending."""
    d, to = f.state[DEPTH], f.state[CELLS]
    f.pending[d] = f.next[d] = f.state[PENDING]
    f.kids[d] = f.state[KIDS]
    found = split(b, s, f.cells, f.begin[d], f.end[d], to)
    for i in range(found):
        n = f.state[PENDING] + i
        f.pending_begin[n], f.pending_end[n] = to, to + s.many[s.order[i]]
        to = f.pending_end[n]
        f.state[NAME] += 1
        k0, k1 = key_of(b, s, f.cells, f.pending_begin[n], to, f.state[NAME])
        f.pending_key[2 * n], f.pending_key[2 * n + 1] = k0, k1
    f.state[PENDING] += found
    f.state[CELLS] = to


@inlined
def leave_branch(b: Board, f: Frames) -> None:
    """Take the branch at work back."""
    d = f.state[DEPTH]
    if f.pending[d] < f.state[PENDING]:
        f.state[CELLS] = f.pending_begin[f.pending[d]]
    f.state[PENDING], f.state[KIDS] = f.pending[d], f.kids[d]
    mark_changed(b, f.mark[d])
    undo(b, f.mark[d])
    f.state[PHASE] = FINISH if f.guess[d] == NONE else NEXT


@inlined
def keep_branch(b: Board, d: Diagram, f: Frames) -> None:
    """Enter the branch at work, all of whose components have solutions."""
    depth, values = f.state[DEPTH], b.colours + 1
    for i in range(f.begin[depth], f.end[depth]):
        cell = f.cells[i]
        if choices(b, cell // b.width, cell % b.width) == 1:
            value = 0
            while not may_be(b, cell // b.width, cell % b.width, value):
                value += 1
            d.literals[d.top[LITERAL]] = cell * values + value
            d.top[LITERAL] += 1
    product = ONE
    for i in range(f.kids[depth], f.state[KIDS]):
        node = f.kids_of[i]
        product = times(product, d.solutions[node])
        d.children[d.top[CHILD]] = node
        d.top[CHILD] += 1
    f.head[depth] = close_branch(d, f.head[depth])
    f.total[depth] = plus(f.total[depth], product)


@inlined
def take_child(b: Board, f: Frames, node: int) -> None:
    """The next component of the branch at work is ``node``; 0 ends the branch."""
    d = f.state[DEPTH]
    if node == 0:
        leave_branch(b, f)
    else:
        f.kids_of[f.state[KIDS]] = node
        f.state[KIDS] += 1
        f.next[d] += 1
        f.state[PHASE] = CHILDREN


@inlined
def finish_frame(b: Board, d: Diagram, f: Frames) -> None:
    """All branches are entered: the frame becomes a node."""
    depth = f.state[DEPTH]
    node = new_node(d, f.head[depth], f.total[depth]) if f.head[depth] != NONE else 0
    if depth == 0:
        f.state[RESULT], f.state[PHASE] = node, OVER
        return
    remember(d, f.key[2 * depth], f.key[2 * depth + 1], node)
    f.state[DEPTH] = depth - 1
    take_child(b, f, node)


@inlined
def solve_children(b: Board, d: Diagram, f: Frames, probing: bool) -> None:
    """Look up the components of the branch at work, until one is not remembered or the branch is whole."""
    depth = f.state[DEPTH]
    n = f.next[depth]
    if n == f.state[PENDING]:
        keep_branch(b, d, f)
        leave_branch(b, f)
        return
    k0, k1 = f.pending_key[2 * n], f.pending_key[2 * n + 1]
    node = known(d, k0, k1)
    if node == NONE:
        push(f, f.pending_begin[n], f.pending_end[n], k0, k1, b.state[TRAIL], PROBE if probing else GUESS)
    else:
        f.state[HITS] += 1
        take_child(b, f, node)


@inlined
def try_value(b: Board, f: Frames) -> None:
    """Begin the next branch of the guess at work."""
    d = f.state[DEPTH]
    value = next_value(b, f, d)
    if value == NONE:
        f.state[PHASE] = FINISH
        return
    f.mark[d] = b.state[TRAIL]
    f.state[GUESSES] += 1
    assume(b, f.guess[d] // b.width, f.guess[d] % b.width, value)
    if propagate(b, NEVER) == DEAD:
        undo(b, f.mark[d])
    else:
        mark_changed(b, f.mark[d])
        f.state[PHASE] = SPLIT


@inlined
def probe_on(b: Board, p: Probes, f: Frames, order: int, until: int) -> None:
    """Probe the frame at work; what comes next is in its PHASE, which stays as it is if there is more to probe."""
    d = f.state[DEPTH]
    said = probe_frame(b, p, f, order, until)
    if said == DEAD:
        mark_changed(b, f.mark[d])
        undo(b, f.mark[d])
        f.state[PHASE] = FINISH
    elif said == NOTHING:
        f.state[PHASE] = GUESS if b.state[TRAIL] == f.mark[d] else SPLIT


@compiled
def search(b: Board, p: Probes, s: Parts, d: Diagram, f: Frames, order: int, budget: int) -> int:
    """Go on until DONE, or FULL, or PAUSED after some ``budget`` lines more that were settled or cut."""
    until, cells = b.state[LINES] + budget, b.height * b.width
    while f.state[PHASE] != OVER:
        if not (has_room(d, cells) and frames_have_room(f, cells)):
            return FULL
        if b.state[LINES] > until:
            return PAUSED
        phase, depth = f.state[PHASE], f.state[DEPTH]
        if phase == PROBE:
            probe_on(b, p, f, order, until)
        elif phase == GUESS:
            cell = likeliest_guess(b, p, f, depth) if order == BY_PROBES else first_guess(b, f, depth, order)
            f.guess[depth], f.value[depth] = cell, -1
            f.state[PHASE] = NEXT
        elif phase == NEXT:
            try_value(b, f)
        elif phase == SPLIT:
            split_frame(b, s, f)
            f.state[PHASE] = CHILDREN
        elif phase == CHILDREN:
            solve_children(b, d, f, order != BY_ROWS and order != BY_COLUMNS)
        else:
            finish_frame(b, d, f)
    return DONE


@compiled
def at_least(d: Diagram, f: Frames) -> Word:
    """How many solutions the search has counted so far: of whole branches, and of what is whole of those at work.

    MANY: so many, or more.
    """
    below = ZERO
    for depth in range(f.state[DEPTH], -1, -1):
        here = f.total[depth]
        working = depth < f.state[DEPTH] and f.next[depth] + 1 == (
            f.pending[depth + 1] if depth + 1 < f.state[DEPTH] or f.state[PHASE] == CHILDREN else f.state[PENDING]
        )
        if working:
            product = below
            for i in range(f.kids[depth], f.next[depth] - f.pending[depth] + f.kids[depth]):
                product = times(product, d.solutions[f.kids_of[i]])
            here = plus(here, product)
        below = here
    return below
