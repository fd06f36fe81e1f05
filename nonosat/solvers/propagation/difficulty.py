"""How hard a puzzle is: which kind of reasoning it takes, and how much of it.

The kinds, each with all that come before it:

- *lines*: rows and columns by themselves suffice (the "simple" puzzles of Batenburg, Henstra, Kosters and Palenstijn,
  *Constructing simple nonograms of varying difficulty*, Pure Mathematics and Applications 20, 2009). As there and in
  Batenburg and Kosters, *On the difficulty of nonograms*, ICGA Journal 35, 2012, the measure is the number of *sweeps*:
  all rows, all columns, all rows, ... until the board is full. We begin with the rows and with the columns, and count
  the better of the two; the last sweep counted is the last that changed something.
- *probing*: the values of a cell must be tried for what they imply (as in Wu et al., *An efficient approach to solving
  nonograms*, IEEE TCIAIG 5, 2013). The measure is the number of *rounds*, in each of which every open cell is probed
  once.
- *guessing*: the search tree that settles the puzzle (finds the only solution and that there is no other, or two, or
  none) branches. The measure is its nodes and its depth.

The labels are ours: see ``label``.
"""

from __future__ import annotations

from dataclasses import dataclass
from time import perf_counter

import numpy as np
import numpy.typing as npt

from nonosat.compiled import compiled, ready
from nonosat.puzzles.nonogram import Nonogram, nonogram_of
from nonosat.puzzles.puzzle import Puzzle
from nonosat.solvers.propagation.board import (
    DEAD,
    LINES,
    NEVER,
    PAUSED,
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
from nonosat.solvers.propagation.tree import DEEPEST, EXHAUSTED, FOUND, NODES, TreeSearch


def propagated(puzzle: Nonogram) -> npt.NDArray[np.int64] | None:
    """What lines by themselves imply: every cell's value, shape (height, width), -1 where open; None: a contradiction.

    >>> propagated(Nonogram.from_lengths([[2], [1]], [[2], [1]])).tolist()
    [[1, 1], [1, 0]]
    """
    board = board_of(puzzle, memo=False)
    return None if propagate(board, NEVER) == DEAD else cells_of(board)


def line_solvable(puzzle: Nonogram) -> bool:
    """Do lines by themselves fill the whole board? Then the solution is the only one."""
    cells = propagated(puzzle)
    return cells is not None and bool((cells >= 0).all())


@dataclass(frozen=True)
class Difficulty:
    """What it takes to settle a puzzle.

    ``kind``: "lines", "probing" or "guessing". ``solutions``: 0, 1, 2 (at least two), or None if the time ran out
    before that was known. ``sweeps``, ``lines_checked``: of lines alone, until they are stuck; ``open_cells``: what
    they leave open. ``rounds``, ``probes``: of probing without guesses; 0 if lines suffice. ``nodes``, ``depth``: of
    the search tree; 1 and 0 if nothing is guessed.
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
    """A word for people.

    Without a solution "unsolvable", with several "ambiguous" (whatever it takes to find that out), else by kind and
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


def difficulty(puzzle: Puzzle, time_limit_s: float | None = None) -> Difficulty:
    """Measure ``puzzle``. ``time_limit_s``: wall seconds for the search tree, if it takes one (None: no limit).

    >>> about = difficulty(Nonogram.from_lengths([[1], [1]], [[1], [1]]))
    >>> about.label, about.kind, about.solutions
    ('ambiguous', 'guessing', 2)
    """
    puzzle = nonogram_of(puzzle, "difficulty")
    sweeps, board, alive = min((swept(puzzle, columns) for columns in (False, True)), key=lambda s: s[0])
    lines_checked, open_cells = int(board.state[LINES]), int((cells_of(board) < 0).sum())
    kind, rounds, probed, nodes, depth = "lines", 0, 0, 1, 0
    if alive and open_cells:
        kind, probes = "probing", probes_of(board)
        alive, rounds = probing_rounds(board, probes)
        probed = int(probes.state[PROBES])
    solutions: int | None = 1 if alive else 0
    if alive and unknown(board):
        kind = "guessing"
        solutions, nodes, depth = searched(puzzle, time_limit_s)
    return Difficulty(
        kind=kind,
        label=label(kind, solutions, sweeps, depth),
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
    """Probe every open cell once; how many changes that brought, or DEAD."""
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


def searched(puzzle: Nonogram, time_limit_s: float | None) -> tuple[int | None, int, int]:
    """(solutions: 0, 1, 2, or None for a lack of time; nodes; depth)."""
    tree, begin, found = TreeSearch(puzzle), perf_counter(), 0
    status = PAUSED
    while found < 2 and status != EXHAUSTED:
        status = tree.go_on()
        found += status == FOUND
        if status == PAUSED and time_limit_s is not None and perf_counter() - begin > time_limit_s:
            break
    solutions = found if found == 2 or status == EXHAUSTED else None
    return solutions, int(tree.tree.state[NODES]), int(tree.tree.state[DEEPEST])


ready(__name__)
