"""Bethe's estimate of the number of solutions, by belief propagation (Yedidia, Freeman and Weiss 2005).

When the messages have converged, each line has a weight: the number of its fillings, weighted by the messages from the
crossing lines. Each cell has a weight, too: the sum over its values of the products of its two messages. The estimate
is the product of the lines' weights over the product of the cells'. It is exact where lines and cells form no cycle. On
a board it is a guess, and bounds the number neither from above nor from below.
"""

from __future__ import annotations

import math

import numpy as np

from nonosat.compiled import compiled
from nonosat.puzzles.nonogram import Nonogram
from nonosat.solvers.propagation.beliefs import Beliefs, beliefs_of, exchange, receive, weigh
from nonosat.solvers.propagation.board import DEAD, NEVER, PropagationBoard, board_of, may_be, propagate

ROUNDS = 200


@compiled
def log_estimate(b: PropagationBoard, m: Beliefs) -> float:
    """The natural logarithm of Bethe's number."""
    total = 0.0
    for line in range(b.height + b.width):
        receive(b, m, line)
        for c in range(b.colours):
            for j in range(b.size[line] + 1):
                m.step[c, j] = 0.0
        if not weigh(b, m, line):
            return np.nan
        total += math.log(m.before[b.first[line + 1] - b.first[line], m.free[line]])
    for cell in range(b.height * b.width):
        row, column = cell // b.width, cell % b.width
        x = 1.0 if may_be(b, row, column, 0) else 0.0
        for c in range(b.colours):
            if may_be(b, row, column, c + 1):
                k = cell * b.colours + c
                across = min(m.odds[b.height + column], max(1.0 / m.odds[b.height + column], m.across[k]))
                down = min(m.odds[row], max(1.0 / m.odds[row], m.down[k]))
                x += across * down
        total -= math.log(x)
    return total


@compiled
def rounds(b: PropagationBoard, m: Beliefs, most: int) -> None:
    """Exchange messages until they have converged, ``most`` rounds at most."""
    for _ in range(most):
        if exchange(b, m) == 0:
            return


def bethe(puzzle: Nonogram) -> float | None:
    """The decimal logarithm of the estimate; None: the lines contradict each other, or are too long to be summed up."""
    board = board_of(puzzle)
    if propagate(board, NEVER) == DEAD:
        return None
    beliefs = beliefs_of(board)
    rounds(board, beliefs, ROUNDS)
    found = log_estimate(board, beliefs) / math.log(10)
    return found if math.isfinite(found) else None
