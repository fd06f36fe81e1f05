"""Greedy depth-first search finds solutions only, rules out what is in none, and where it says UNSAT, there is none."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from brute import random_puzzle
from sampling import spread

from nonosat.generators.density import random_density
from nonosat.puzzles.nonogram import Nonogram
from nonosat.solvers.propagation import greedy
from nonosat.solvers.propagation.board import DEAD, NEVER, PAUSED, WAITING, board_of, cells_of, propagate
from nonosat.solvers.propagation.greedy import FOUND, LEFT, NONE, GreedySearch
from nonosat.solvers.solve import solve


@pytest.mark.parametrize(("dead", "lines"), spread([(1, 1000), (3, 1000), (10**6, 10**6), (10**6, 1)], 2))
@pytest.mark.parametrize("colours", [1, 2])
def test_plunges(dead: int, lines: int, colours: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(greedy, "DEAD_ENDS", dead)
    monkeypatch.setattr(greedy, "EVERY", 5)
    rng, said, learnt = np.random.default_rng([dead, colours]), Counter[int](), 0
    for i in range(90):
        puzzle = random_density(9, 8, [0.4 / colours] * colours, i) if i % 3 else random_puzzle(rng, 5, colours)
        if i % 3 == 2:  # most of these have no picture, and lines alone do not tell
            puzzle = replace(puzzle, rows=tuple(puzzle.rows[j] for j in rng.permutation(9)), goal=None)
        everything = [picture.cells for picture in solve(puzzle, count=None).pictures]
        board = board_of(puzzle)
        if propagate(board, NEVER) == DEAD:
            continue
        before, one = cells_of(board), GreedySearch(board)
        events = one.within(lines)
        while True:
            try:
                next(events)
            except StopIteration as end:
                found = end.value
                break
        said[one.status] += 1
        assert board.state[WAITING] == 0
        assert (found is None) == (one.status != FOUND)
        assert found is None or any((found == cells).all() for cells in everything)
        assert one.status != NONE or not everything
        if one.status != NONE:
            known = cells_of(board)
            learnt += int((known != before).any())
            assert all(((known < 0) | (known == cells)).all() for cells in everything)
    assert said[FOUND] > 20
    assert (said[PAUSED] > 20) == (lines == 1)
    if colours == 1:
        assert (said[LEFT] > 0) == (dead < 10**6)
        assert said[NONE] > 0 or dead == 1
    assert (learnt > 0) == (dead > 1)


def test_a_permutation_is_full_at_once() -> None:
    """Probing learns nothing there, and beliefs see all places alike."""
    one = solve(Nonogram.from_lengths([[1]] * 20, [[1]] * 20), solver="auto", unique=True)
    assert one.unique is False
    assert one.reason == "by lines, probing and guesses, then near the picture"
