"""Difficulty: which kind of reasoning a nonogram takes, and how much of it.

Each kind includes those before it:

- *lines*: rows and columns by themselves suffice (the "simple" puzzles of Batenburg, Henstra, Kosters and Palenstijn,
  *Constructing simple nonograms of varying difficulty*, Pure Mathematics and Applications 20, 2009). As there and in
  Batenburg and Kosters, *On the difficulty of nonograms*, ICGA Journal 35, 2012, the measure is the number of *sweeps*:
  all rows, all columns, all rows, ... until the board is full. We try both orders, rows first and columns first, and
  take the better one; the last sweep that counts is the last that changes something.
- *probing*: each value of a cell is tried for what it implies (as in Wu et al., *An efficient approach to solving
  nonograms*, IEEE TCIAIG 5, 2013). The measure is the number of *rounds*; in a round every open cell is probed once.
- *guessing*: the search tree branches. The search ends with two solutions, or with a proof that there are no more. The
  measure is the tree's nodes and its depth.

The labels are ours: see ``label``.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from nonosat.compiled import compiled, ready
from nonosat.errors import InterruptedSolve
from nonosat.puzzles.nonogram import Nonogram, nonogram_of
from nonosat.puzzles.puzzle import PuzzleOrFile, puzzle_from
from nonosat.runs.run import values_within
from nonosat.solvers.propagation.board import (
    DEAD,
    LINES,
    NEVER,
    TRAIL,
    WAITING,
    PropagationBoard,
    board_of,
    cells_of,
    choices,
    propagate,
    sweep,
    unknown,
)
from nonosat.solvers.propagation.probing import PROBES, Probes, probe, probes_of
from nonosat.solvers.propagation.tree import DEEPEST, NODES, TreeSearch


def propagated(puzzle: Nonogram) -> npt.NDArray[np.int64] | None:
    """What lines by themselves imply: every cell's value, shape (height, width), -1 where open; None: a contradiction.

    >>> propagated(Nonogram.from_lengths([[2], [1]], [[2], [1]])).tolist()
    [[1, 1], [1, 0]]
    """
    board = board_of(puzzle, memo=False)
    return None if propagate(board, NEVER) == DEAD else cells_of(board)


def line_solvable(puzzle: Nonogram) -> bool:
    """Do lines alone fix every cell? Then the solution is the only one."""
    cells = propagated(puzzle)
    return cells is not None and bool((cells >= 0).all())


@dataclass(frozen=True)
class Difficulty:
    """What it takes to solve a puzzle and to know whether it is unique.

    ``kind``: "lines", "probing" or "guessing". ``solutions``: 0, 1, 2 (at least two), or None if the time ran out
    before that was known. ``sweeps``, ``lines_checked``: of lines alone, until they change nothing; ``open_cells``:
    how many they leave open. ``rounds``, ``probes``: of probing without guesses; 0 if lines suffice. ``nodes``,
    ``depth``: of the search tree; 1 and 0 if nothing is guessed.
    """

    kind: str
    label: str
    solutions: int | None
    cells: int
    sweeps: int
    lines_checked: int
    open_cells: int
    rounds: int
    probes: int
    nodes: int
    depth: int


def label(kind: str, solutions: int | None, sweeps: int, depth: int) -> str:
    """The difficulty in a word.

    Without a solution "unsolvable", with several "ambiguous" (whatever it takes to show that), else by kind and
    measure: by lines "trivial" (one or two sweeps), "easy" (up to ten), "medium" (up to thirty), "long" (more); "hard"
    by probing; by guessing "very hard" (up to three deep), "extreme" (deeper, or the time ran out).
    """
    if solutions == 0:
        return "unsolvable"
    if solutions == 2:
        return "ambiguous"
    if kind == "lines":
        return "trivial" if sweeps <= 2 else "easy" if sweeps <= 10 else "medium" if sweeps <= 30 else "long"
    if kind == "probing":
        return "hard"
    return "very hard" if depth <= 3 and solutions == 1 else "extreme"


def difficulty(
    puzzle: PuzzleOrFile,
    time_limit_s: float | None = None,
    cpu_limit_s: float | None = None,
    memory_limit_mb: float | None = None,
) -> Difficulty:
    """Measure ``puzzle``, or as much of it as is done within the limits.

    ``time_limit_s``: wall seconds for the search tree, if it takes one; lines and probing are finished in any case.
    ``cpu_limit_s``, ``memory_limit_mb``: CPU seconds and MiB for all of it, in a process of its own. None: no limit.
    InterruptedSolve: Ctrl-C, with what was measured by then.

    >>> about = difficulty(Nonogram.from_lengths([[1], [1]], [[1], [1]]))
    >>> about.label, about.kind, about.solutions
    ('ambiguous', 'guessing', 2)
    """
    puzzle = nonogram_of(puzzle_from(puzzle), "difficulty")
    limits = {"time_limit_s": None, "cpu_limit_s": cpu_limit_s, "memory_limit_mb": memory_limit_mb}
    known = Difficulty("lines", label("guessing", None, 0, 0), None, puzzle.height * puzzle.width, 0, 0, 0, 0, 0, 1, 0)
    try:
        with closing(values_within(_measured, (puzzle, time_limit_s), limits)) as values:  # type: ignore[type-var]
            for value in values:
                known = value if isinstance(value, Difficulty) else known
    except KeyboardInterrupt:
        raise InterruptedSolve(known) from None
    return known


def _measured(puzzle: Nonogram, time_limit_s: float | None) -> Iterator[Difficulty]:
    """What is known of the difficulty after lines, after probing, and while the tree is searched; the last is all."""
    sweeps, board, alive = min((swept(puzzle, columns) for columns in (False, True)), key=lambda s: s[0])
    lines_checked, open_cells = int(board.state[LINES]), int((cells_of(board) < 0).sum())
    kind, rounds, probed = "lines", 0, 0

    def known(solutions: int | None, nodes: int = 1, depth: int = 0) -> Difficulty:
        return Difficulty(
            kind=kind,
            label=label(kind if solutions is not None else "guessing", solutions, sweeps, depth),
            solutions=solutions,
            cells=puzzle.height * puzzle.width,
            sweeps=sweeps,
            lines_checked=lines_checked,
            open_cells=open_cells,
            rounds=rounds,
            probes=probed,
            nodes=nodes,
            depth=depth,
        )

    if alive and open_cells:
        yield known(None)
        kind, probes = "probing", probes_of(board)
        alive, rounds = probing_rounds(board, probes)
        probed = int(probes.state[PROBES])
    if not (alive and unknown(board)):
        yield known(1 if alive else 0)
        return
    kind = "guessing"
    for found in searched(puzzle, time_limit_s):
        yield known(*found)


def swept(puzzle: Nonogram, columns_first: bool) -> tuple[int, PropagationBoard, bool]:
    """(sweeps, the board after them, is it free of contradictions?)."""
    board = board_of(puzzle, memo=False)
    rows, columns = (0, board.height), (board.height, len(board.queue))
    axes = (columns, rows) if columns_first else (rows, columns)
    count, last = 0, 0
    while board.state[WAITING] > 0:
        before = int(board.state[TRAIL])
        alive = sweep(board, *axes[count % 2]) != DEAD
        count += 1
        if not alive:
            return count, board, False
        if board.state[TRAIL] > before:
            last = count
    return last, board, True


@compiled
def probe_round(b: PropagationBoard, p: Probes) -> int:
    """Probe every open cell once; the number of changes, or DEAD."""
    before = b.state[TRAIL]
    for cell in range(b.height * b.width):
        if choices(b, cell // b.width, cell % b.width) > 1 and probe(b, p, cell) == DEAD:
            return DEAD
    return int(b.state[TRAIL] - before)


def probing_rounds(board: PropagationBoard, probes: Probes) -> tuple[bool, int]:
    """(is the board free of contradictions?, the rounds until probing changed nothing more)."""
    count = 0
    while unknown(board):
        changes = probe_round(board, probes)
        if changes == DEAD:
            return False, count + 1
        if changes == 0:
            break
        count += 1
    return True, count


def searched(puzzle: Nonogram, time_limit_s: float | None) -> Iterator[tuple[int | None, int, int]]:
    """(solutions: 0, 1, 2 for at least two, None while that is open; nodes; depth), while the tree is searched."""
    search, found = TreeSearch(puzzle), 0
    for cells in search.steps(time_limit_s=time_limit_s):
        found += cells is not None
        solutions = found if found == 2 or search.complete else None
        yield solutions, int(search.tree.state[NODES]), int(search.tree.state[DEEPEST])
        if found == 2:
            return


ready(__name__)
