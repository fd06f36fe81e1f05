"""The components on the way to the one at work: what a search through them keeps, as columns."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from nonosat.counting.diagram import NONE
from nonosat.solvers.arrays import Ints, Words
from nonosat.solvers.compiled import inlined
from nonosat.solvers.propagation.board import TRAIL, Board
from nonosat.solvers.propagation.words import ZERO, Word

# Where ``Frames.state`` holds what: the frame at work (NONE: none yet), what it does next, where the cells of
# components, pending components and children end, the last name of a component, counters, and where windows end.
DEPTH, PHASE, CELLS, PENDING, KIDS, NAME, NODES, GUESSES, HITS, RESULT, WINDOWS = range(11)

PROBE, GUESS, NEXT, SPLIT, CHILDREN, FINISH, OVER = range(7)


class Frames(NamedTuple):
    """The components on the way to the one at work, and what is to be done of each.

    ``begin``, ``end``: its cells in ``cells``; ``key``: two words; ``guess``: the cell that is guessed (NONE: the
    branch is what probing left), and ``value``; ``mark``: the trail's length before the branch, ``quiet``: how many
    cells in a row taught nothing, ``cursor``: the next to probe; ``head``: the last branch entered; ``total``: of all
    branches entered. Of the branch at work: where its components are in ``pending_begin``, ``pending_end`` and
    ``pending_key`` (``pending``), the ``next`` of them, and where its children are in ``kids_of`` (``kids``), and the
    component's cells. ``windows``: of pending components and of those at work, as ``components.windows_of`` enters
    them, from ``pending_windows`` (``window_begin``) to ``pending_windows_end`` (``window_end``).
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
    pending_windows: Ints
    pending_windows_end: Ints
    window_begin: Ints
    window_end: Ints
    windows: Ints
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
        pending_windows=zeros(2 * cells + 64),
        pending_windows_end=zeros(2 * cells + 64),
        window_begin=zeros(deepest),
        window_end=zeros(deepest),
        windows=zeros(5 * (4 * cells + 64) if int(board.words.max()) > 2 else 0),
        kids_of=zeros(2 * cells + 64),
        state=zeros(11),
    )
    frames.end[0], frames.guess[0], frames.head[0] = cells, NONE, NONE
    frames.mark[0] = board.state[TRAIL]
    frames.state[PHASE], frames.state[CELLS] = SPLIT, cells
    return frames


def grown_frames(frames: Frames, cells: int) -> Frames:
    """The same frames with room for one level more of a board of ``cells`` cells."""
    new = {}
    pending = dict.fromkeys(("pending_begin", "pending_end", "pending_windows", "pending_windows_end"), (PENDING, 1))
    which = {"cells": (CELLS, 1), "kids_of": (KIDS, 1), "pending_key": (PENDING, 2), **pending}
    if len(frames.windows):
        which["windows"] = (WINDOWS, 10)  # a cell is in two lines, and an entry takes five numbers
    for name, (end, words) in which.items():
        array = getattr(frames, name)
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
        and (len(f.windows) == 0 or 5 * (f.state[WINDOWS] + 2 * cells + 2) < len(f.windows))
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
