"""Greedy depth-first search finds solutions only, rules out what is in none, and where it says UNSAT, there is none."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from brute import random_puzzle
from drained import drained
from sampling import spread

from nonosat.generators.density import random_density
from nonosat.puzzles.nonogram import Nonogram
from nonosat.solvers.propagation import greedy
from nonosat.solvers.propagation.board import DEAD, NEVER, PAUSED, WAITING, board_of, cells_of, propagate
from nonosat.solvers.propagation.greedy import FOUND, LEFT, NONE, WAYS, GreedySearch
from nonosat.solvers.solve import solve


@pytest.mark.parametrize(("dead", "lines"), spread([(1, 1000), (3, 1000), (10**6, 10**6), (10**6, 1)], 2))
@pytest.mark.parametrize("colours", [1, 2])
def test_plunges(dead: int, lines: int, colours: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """In one way after the other, and in two on one board."""
    monkeypatch.setattr(greedy, "DEAD_ENDS", dead)
    monkeypatch.setattr(greedy, "FEW_DEAD_ENDS", dead)
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
        for way in (i, i + 1) if i % 2 else (i,):
            found = drained(one.within(lines, way % len(WAYS)))
            if one.status == NONE:
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


def test_the_ways_begin_at_all_corners() -> None:
    board = board_of(Nonogram.from_lengths([[1], [1], []], [[1], [1]]))
    one, seen = GreedySearch(board), set()
    for way in range(len(WAYS)):
        drained(one.within(0, way))
        seen.add((*one.stack.order.tolist(), *one.stack.known.tolist()))
        assert sorted(one.stack.order.tolist()) == list(range(6))
        assert len(set(one.stack.known.tolist())) == 1
    assert len(seen) == 8
    assert (0, 1, 2, 3, 4, 5, *[1] * 6) in seen
    assert (5, 4, 3, 2, 1, 0, *[0] * 6) in seen


@pytest.mark.parametrize("turns", range(4))
@pytest.mark.parametrize("mirrored", [False, True])
def test_a_staircase_of_dominoes_unrolls_from_some_corner(turns: int, mirrored: bool) -> None:
    """All its lines keep several fillings for long; SAT would take tens of thousands of conflicts."""
    n = 15
    inner = [[1] if i % 2 else [3, 1] for i in range(1, 2 * n)]
    rows = [[3], *inner, [1]]
    columns = [[1], *(clue[::-1] for clue in inner), [3]]
    if mirrored:
        rows, columns = rows[::-1], [clue[::-1] for clue in columns]
    for _ in range(turns):
        rows, columns = columns[::-1], [clue[::-1] for clue in rows]
    one = solve(Nonogram.from_lengths(rows, columns), solver="auto")
    assert one.reason == "by lines, probing and guesses"
    assert (one.statistics.lines_checked or 0) < 25_000


def test_a_permutation_is_full_at_once() -> None:
    """Probing learns nothing there, and beliefs see all places alike."""
    one = solve(Nonogram.from_lengths([[1]] * 20, [[1]] * 20), solver="auto", unique=True)
    assert one.unique is False
    assert one.reason == "by lines, probing and guesses, then near the picture"
