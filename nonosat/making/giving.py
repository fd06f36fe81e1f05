"""Given cells: give cells of a puzzle's goal until it has one solution, or a wanted number of them.

A *difference* is the set of cells in which another solution differs from the goal. The puzzle is unique if the given
cells hit every difference. So the fewest cells are a smallest hitting set of sets that nobody can list. The search
generates them one by one, as in implicit hitting sets (Chandrasekaran, Karp, Moreno-Centeno and Vempala, *Algorithms
for implicit hitting set problems*, SODA 2011; of cores: Davies and Bacchus 2011). A SAT solver, whose saved phases are
the goal, looks for another solution, and a cell of each difference is given, until there is none. Then a greedy choice
hits all differences seen, and the next round begins with it. Each round ends with deletion of the cells that are not
needed. So no single cell of the result is needless; that no other, smaller set suffices is not proved.
"""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from nonosat.encodings.registry import encoding_of
from nonosat.errors import UnsupportedError
from nonosat.making.criteria import solutions_up_to
from nonosat.puzzles.puzzle import Board, Given, Puzzle, derived, fault, puzzle_kind
from nonosat.rng import Rng
from nonosat.solvers.formulas import formula_of
from nonosat.solvers.sat.session import Session

SOLVER = "minisat22"
ROUNDS = 20
"""Rounds at most. On 20x20 boards at 30 % the first gives a tenth to a quarter more cells than the last."""
CONFLICTS = 100_000
"""Of one query; where they do not suffice, another solution is assumed."""
STEPS = 1000
"""Steps of the walk to a wanted number of solutions, at most; each gives a cell or takes one back."""

Differences = npt.NDArray[np.bool_]


def give(puzzle: Puzzle, solutions: int = 1, seed: int = 0) -> Puzzle:
    """``puzzle`` with cells of its goal given until it has exactly ``solutions``; no single one of them is needless.

    ``seed`` breaks ties; the same seed gives the same cells on every machine. The title says how many are given. Cells
    that were given before stay given. More than one solution: for nonograms only.

    UnsupportedError: there is no goal, it breaks the clues, or no such number was found.

    >>> from nonosat.puzzles.nonogram import Nonogram
    >>> len(give(Nonogram.from_picture([[1, 0, 0], [0, 1, 0], [0, 0, 1]])).given)
    2
    """
    puzzle_kind(puzzle)
    if puzzle.goal is None:
        raise UnsupportedError("the puzzle has no goal picture, of which cells could be given")
    if (wrong := fault(puzzle, puzzle.goal)) is not None:
        raise UnsupportedError(f"the puzzle's goal picture does not solve it: {wrong}")
    if solutions < 1 or (solutions > 1 and puzzle.kind != "nonogram"):
        raise UnsupportedError(f"{solutions} solutions: at least one, and more only of nonograms")
    rng = Rng(seed)
    with closing(OtherSolutions(puzzle)) as others:
        cells = fewest(others, rng)
    if solutions > 1:
        cells = walked(puzzle, cells, solutions, rng)
    summary = f"{len(cells):,} cell{'s' * (len(cells) != 1)} given" if cells else ""
    return replace(with_given(puzzle, cells), title=", ".join(text for text in (puzzle.title, summary) if text))  # type: ignore[type-var]


def with_given(puzzle: Puzzle, cells: list[int]) -> Puzzle:
    """``puzzle`` with these cells of its goal (numbered row by row) given in addition."""
    values, width = _goal(puzzle), puzzle.shape[1]
    more = (Given(cell // width, cell % width, int(values[cell])) for cell in cells)
    return derived(puzzle, given=(*puzzle.given, *more))


def _goal(puzzle: Puzzle) -> npt.NDArray[np.uint8]:
    assert isinstance(puzzle.goal, Board)
    return puzzle.goal.cells.reshape(-1)


class OtherSolutions:
    """A SAT session for solutions other than the goal."""

    def __init__(self, puzzle: Puzzle) -> None:
        self.formula, _ = formula_of(puzzle, encoding_of(puzzle))
        self.goal = _goal(puzzle)
        self.session = Session(SOLVER, self.formula.cnf)
        block = self.formula.block(self.goal.reshape(puzzle.shape))
        self.session.prefer_false(block)
        self.session.add(block)
        board = self.formula.board.reshape(-1)
        values = self.goal.astype(np.int32)
        differ = [self.formula.map.differ(board[[cell]], values[[cell]]) for cell in range(len(board))]
        self.literals = [[-literal for literal in literals] for literals in differ]

    def difference(self, given: list[int]) -> Differences | None:
        """The difference of a solution that has the ``given`` cells, as a mask; None: there is none.

        If the solver gives up: every cell that is not given.
        """
        literals = [literal for cell in given for literal in self.literals[cell]]
        model = self.session.solve(literals, CONFLICTS)
        if model is not None:
            return np.asarray(self.formula.cells(model).reshape(-1) != self.goal)
        if not self.session.gave_up:
            return None
        anywhere = np.ones(len(self.goal), dtype=bool)
        anywhere[given] = False
        return anywhere

    def close(self) -> None:
        """Free the solver."""
        self.session.close()


def fewest(others: OtherSolutions, rng: Rng) -> list[int]:
    """Few cells of the goal that leave no other solution, sorted; none of them is needless."""
    rank = np.argsort(rng.shuffled(len(others.goal)))
    seen: list[Differences] = []
    best: list[int] | None = None
    for _ in range(ROUNDS):
        given = hitting(seen, rank)
        sufficient = True
        while (difference := others.difference(given)) is not None:
            sufficient = False
            seen.append(difference)
            given.append(_most(np.sum(seen, axis=0), difference, rank))
        given = thinned(others, given)
        if best is None or len(given) < len(best):
            best = given
        if sufficient:  # the greedy choice already left no other solution
            break
    assert best is not None
    return sorted(best)


def hitting(differences: list[Differences], rank: npt.NDArray[np.int64]) -> list[int]:
    """Cells that hit all ``differences``, greedily: the one that hits most first, of equals that of the lowest rank.

    >>> hitting([np.array([1, 1, 0], dtype=bool), np.array([0, 1, 1], dtype=bool)], np.arange(3))
    [1]
    """
    if not differences:
        return []
    table = np.array(differences)
    left, score = np.ones(len(table), dtype=bool), table.sum(axis=0)
    found = []
    while left.any():
        found.append(_most(score, np.ones_like(table[0]), rank))
        hit = left & table[:, found[-1]]
        score -= table[hit].sum(axis=0)
        left &= ~hit
    return found


def _most(score: npt.NDArray[np.int64], among: Differences, rank: npt.NDArray[np.int64]) -> int:
    """The cell of the highest score ``among`` these."""
    cells = np.flatnonzero(among)
    return int(cells[np.lexsort((rank[cells], -score[cells]))[0]])


def thinned(others: OtherSolutions, given: list[int]) -> list[int]:
    """``given`` without the cells that are not needed; the first ones are tried first."""
    for cell in list(given):
        fewer = [other for other in given if other != cell]
        if others.difference(fewer) is None:
            given = fewer
    return given


def walked(puzzle: Puzzle, given: list[int], wanted: int, rng: Rng) -> list[int]:
    """Cells that leave exactly ``wanted`` solutions: from ``given``, which leave one, by giving and taking back."""
    cells, most = set(given), puzzle.shape[0] * puzzle.shape[1]

    def number() -> int:
        return solutions_up_to(with_given(puzzle, sorted(cells)), wanted)

    if not cells:
        raise UnsupportedError(f"the board has one solution without any cell given, not {wanted:,}")
    for _ in range(STEPS):
        now = number()
        if now == wanted:
            return _without_needless(puzzle, cells, wanted)
        if now < wanted and not cells:
            raise UnsupportedError(f"the board has {now:,} solutions without any cell given, not {wanted:,}")
        choice = sorted(cells) if now < wanted else sorted(set(range(most)) - cells)
        cells ^= {choice[rng.below(len(choice))]}
    raise UnsupportedError(f"no cells were found that leave exactly {wanted:,} solutions")


def _without_needless(puzzle: Puzzle, cells: set[int], wanted: int) -> list[int]:
    """``cells`` without those that do not change the number of solutions."""
    for cell in sorted(cells):
        if solutions_up_to(with_given(puzzle, sorted(cells - {cell})), wanted) == wanted:
            cells = cells - {cell}
    return sorted(cells)
