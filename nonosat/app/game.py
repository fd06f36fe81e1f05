"""The game: what a move does to a play, whatever keeps it.

*Lives*: to uncover a cell says that it has this value. An error costs a life, shows what the cell is, and cannot be
taken back; with no lives left the game starts anew. *Free*: everything can be changed, and trials can be begun, nested,
and taken back whole. Cells are numbers as in ``wire``: below zero is not known, and Skyscrapers' candidates are
-1 - (a bit for each height).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from nonosat.app.requests import RequestError
from nonosat.app.wire import Cells, board_of, open_cells
from nonosat.explain.explain import explainer_of
from nonosat.puzzles.puzzle import Puzzle, is_solution

STYLES = ("lives", "free")


class CellChange(NamedTuple):
    """A cell (its place in the flat list) that was ``before`` and is ``after``."""

    cell: int
    before: int
    after: int


@dataclass
class Play:
    """How far a puzzle is. ``position``: how many of the ``last`` moves stand; ``trials``: at which positions trials
    began; ``won``: "", "silver" or "gold", the best so far; ``wrong``: the errors of this attempt; ``client``: the page
    that changed it last.
    """

    style: str
    lives: int
    cells: Cells
    state: str = "untouched"
    losses: int = 0
    won: str = ""
    wrong: list[int] = field(default_factory=list)
    version: int = 0
    position: int = 0
    last: int = 0
    trials: list[int] = field(default_factory=list)
    seconds: float = 0.0
    hints: int = 0
    checks: int = 0
    client: str = ""


def begun(puzzle: Puzzle, lives: int, style: str) -> Play:
    """An untouched play."""
    return Play(style, lives, open_cells(puzzle))


def anew(play: Play, puzzle: Puzzle, lives: int, style: str) -> None:
    """Begin another attempt; losses and the best result stay."""
    fresh = begun(puzzle, lives, style)
    fresh.losses, fresh.won, fresh.version = play.losses, play.won, play.version
    play.__dict__.update(fresh.__dict__)


def changes_of(puzzle: Puzzle, play: Play, pairs: list[list[int]]) -> list[CellChange]:
    """The changes that a move asks for, ``[cell, value]`` each, without those that change nothing.

    RefusedError: a cell outside the board, given, or known for an error; a value that the board has not.
    """
    least, most = explainer_of(puzzle).values(puzzle)
    width = puzzle.shape[1]
    fixed = {row * width + column for row, column, _ in puzzle.given} | set(play.wrong)
    changes: dict[int, CellChange] = {}
    for cell, value in pairs:
        if not 0 <= cell < play.cells.size:
            raise RequestError(f"cell {cell} is outside the board")
        if value > most or 0 <= value < least:
            raise RequestError(f"no cell of this board has the value {value}")
        if cell not in fixed and value != int(play.cells[cell]):
            changes[cell] = CellChange(cell, int(play.cells[cell]), value)
    return list(changes.values())


def judged(play: Play, changes: list[CellChange], goal: Cells | None) -> tuple[list[CellChange], int | None]:
    """What of a move holds: up to its first error, if lives are at stake; and the cell of that error."""
    if play.style != "lives" or goal is None:
        return changes, None
    for index, change in enumerate(changes):
        if change.after > 0 and change.after != goal[change.cell]:
            return changes[:index], change.cell
    return changes, None


def applied(play: Play, changes: list[CellChange], back: bool = False) -> list[int]:
    """Make changes, or take them back; errors stay. The cells that are others now."""
    wrong = set(play.wrong)
    touched = [change for change in changes if change.cell not in wrong]
    for change in touched:
        play.cells[change.cell] = change.before if back else change.after
    return [change.cell for change in touched]


def erred(play: Play, cell: int, goal: Cells) -> bool:
    """An error: a life is lost, and the cell shows what it is. Whether that was the last life."""
    play.wrong.append(cell)
    play.cells[cell] = goal[cell]
    play.lives -= 1
    return play.lives <= 0


def finished(puzzle: Puzzle, play: Play) -> bool:
    """Whether the board solves the puzzle. Lines are looked at when as many cells are filled as the solution has."""
    goal = goal_of(puzzle)
    if goal is not None and np.count_nonzero(play.cells > 0) != np.count_nonzero(goal):
        return False
    board = board_of(puzzle, play.cells)
    return board is not None and is_solution(puzzle, board)


def win(play: Play) -> None:
    """The puzzle is solved: gold with lives and at the first try, silver otherwise; the better one is kept."""
    play.state = "won"
    if play.won != "gold":
        play.won = "gold" if play.style == "lives" and play.losses == 0 and not play.won else "silver"


def goal_of(puzzle: Puzzle) -> Cells | None:
    """The solution that the puzzle was made from, flat."""
    return None if puzzle.goal is None else puzzle.goal.cells.astype(np.int64).ravel()
