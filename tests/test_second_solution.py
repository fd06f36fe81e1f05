"""The search for a second solution: what it finds is one, and where it says that there is none, there is none."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from brute import pictures, random_puzzle
from drained import drained
from sampling import spread

from nonosat.generators.density import random_density
from nonosat.puzzles.nonogram import Nonogram
from nonosat.runs.events import Verdict
from nonosat.solvers.auto import nonogram, presolve
from nonosat.solvers.propagation import greedy
from nonosat.solvers.propagation.board import NEVER, PAUSED, TRAIL, PropagationBoard, board_of, propagate
from nonosat.solvers.propagation.greedy import FOUND, LEFT, NONE, SecondSolutionSearch
from nonosat.solvers.propagation.tree import FOUND as PICTURE
from nonosat.solvers.propagation.tree import TreeSearch
from nonosat.solvers.solve import solve


def beside(board: PropagationBoard, root: int, known: np.ndarray, lines: int = 10**6) -> tuple[int, np.ndarray | None]:
    """What a look says, and the picture that it found."""
    look = SecondSolutionSearch(board, root, known)
    found = drained(look.within(lines))
    return look.status, found


@pytest.mark.parametrize("each", spread([4, 12, 2_000], 1))
@pytest.mark.parametrize("colours", [1, 2])
def test_beside_every_picture(each: int, colours: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(greedy, "EACH", each)
    rng, said = np.random.default_rng([each, colours]), Counter[int]()
    for i in range(150):
        puzzle = random_puzzle(rng, 5, colours) if i % 2 else random_density(6, 5, [0.5 / colours] * colours, i)
        everything = {picture.cells.tobytes(): picture.cells for picture in solve(puzzle, count=None).pictures}
        for known in list(everything.values())[:6]:
            board = board_of(puzzle)
            propagate(board, NEVER)
            what, other = beside(board, int(board.state[TRAIL]), known)
            said[what] += 1
            assert (what == FOUND) == (other is not None)
            if other is not None:
                assert other.tobytes() in everything
                assert (other != known).any()
            if what == NONE:
                assert len(everything) == 1
            if each == 2_000:
                assert what == (FOUND if len(everything) > 1 else NONE)
    assert said[FOUND] > 30
    assert (said[LEFT] > 0) == (each < 2_000)
    assert said[NONE] > 20


def test_the_board_is_left_as_it_was() -> None:
    """Also where the look ends while lines wait, and where the board rests on guesses."""
    hunts = 0
    for seed in range(40):
        hunt = TreeSearch(random_density(12, 12, 0.42, seed))
        while hunt.go_on() == PAUSED:
            pass
        if not hunt.guessed:
            continue
        hunts += 1
        before = [getattr(hunt.board, name).copy() for name in ("may", "queue", "queued", "state")]
        known = greedy.cells_of(hunt.board).astype(np.uint8)
        for lines in (1, 3, 10, 30, 10_000):
            what, other = beside(hunt.board, int(hunt.tree.mark[0]), known, lines)
            assert (what == PAUSED) <= (lines < 10_000)
            after = [getattr(hunt.board, name) for name in ("may", "queue", "queued", "state")]
            assert all((old == new).all() for old, new in zip(before, after, strict=True))
        if hunt.go_on() == PICTURE:  # the hunt's next picture is found beside the first one as well
            assert what == FOUND
            assert other is not None
    assert hunts > 20


@pytest.mark.parametrize("work", spread([0, 1, 8], 1))
@pytest.mark.parametrize("most", [1, 8, 500])
def test_unique_whoever_finds_out(work: int, most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    for module, name, value in ((nonogram, "WORK", work), (nonogram, "ROOT", work), (presolve, "SECOND", most)):
        monkeypatch.setattr(module, name, value)
    rng, near_by = np.random.default_rng([work, most]), 0
    for i in range(100):
        puzzle = random_puzzle(rng, 5, 1 + i % 2)
        everything = set(pictures(puzzle))
        answer = solve(puzzle, solver="auto", unique=True)
        assert len(answer.pictures) == min(2, len(everything))
        assert set(answer.pictures) <= everything
        assert answer.unique == (len(everything) == 1)
        assert (answer.verdict is Verdict.UNSAT) == (not everything)
        near_by += "near the picture" in str(answer.reason)
    assert near_by > 0


def test_a_second_picture_takes_no_sat() -> None:
    reasons = Counter[str | None]()
    for seed in range(6):
        answer = solve(random_density(25, 25, 0.4, seed), solver="auto", unique=True)
        assert answer.unique is False
        reasons[answer.reason] += answer.statistics.clauses is None
    assert reasons["by beliefs, then near the picture after lines and probing"] > 3


def test_no_cell_is_open() -> None:
    puzzle = Nonogram.from_lengths([[1], [2]], [[2], [1]])
    board = board_of(puzzle)
    propagate(board, NEVER)
    assert beside(board, int(board.state[TRAIL]), np.array([[1, 0], [1, 1]], dtype=np.uint8)) == (NONE, None)
