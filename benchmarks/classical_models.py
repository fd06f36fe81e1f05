"""Classical problems as CPMpy models, without objectives: what ``beside_cpmpy.py`` measures by."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from typing import Any

import cpmpy as cp
import numpy as np


def queens(n: int = 10) -> Any:
    """CSPLib 54."""
    queen, place = cp.intvar(1, n, shape=n), np.arange(n)
    return cp.Model(cp.AllDifferent(queen), cp.AllDifferent(queen - place), cp.AllDifferent(queen + place))


def block_design(v: int = 7, b: int = 7, r: int = 3, k: int = 3, times: int = 1) -> Any:
    """CSPLib 28."""
    matrix = cp.boolvar(shape=(v, b))
    model = cp.Model([cp.sum(row) == r for row in matrix], [cp.sum(column) == k for column in matrix.T])
    model += [cp.sum([x * y for x, y in zip(*rows, strict=True)]) == times for rows in combinations(matrix, 2)]
    return model


def magic_square(n: int = 4) -> Any:
    """CSPLib 19."""
    square, total = cp.intvar(1, n * n, shape=(n, n)), n * (n * n + 1) // 2
    lines = [*square, *square.T, np.diag(square), np.diag(square[:, ::-1])]
    return cp.Model(cp.AllDifferent(square), [cp.sum(line) == total for line in lines])


def magic_sequence(n: int = 12) -> Any:
    """CSPLib 19: entry i says how often i occurs."""
    x = cp.intvar(0, n - 1, shape=n)
    return cp.Model([x[i] == cp.sum(x == i) for i in range(n)], cp.sum(x) == n, cp.sum(x * np.arange(n)) == n)


def golomb_ruler(marks: int = 6, length: int = 17) -> Any:
    """CSPLib 6."""
    mark = cp.intvar(0, length, shape=marks)
    between = [mark[j] - mark[i] for i, j in combinations(range(marks), 2)]
    return cp.Model(mark[0] == 0, [mark[:-1] < mark[1:]], cp.AllDifferent(between))


def all_intervals(n: int = 10) -> Any:
    """CSPLib 7."""
    x, step = cp.intvar(0, n - 1, shape=n), cp.intvar(1, n - 1, shape=n - 1)
    return cp.Model(cp.AllDifferent(x), cp.AllDifferent(step), [step == abs(x[1:] - x[:-1])])


def langford(k: int = 8) -> Any:
    """CSPLib 24."""
    first, second = cp.intvar(1, 2 * k, shape=k), cp.intvar(1, 2 * k, shape=k)
    return cp.Model(cp.AllDifferent([*first, *second]), [second[i] == first[i] + i + 2 for i in range(k)])


def send_more_money() -> Any:
    s, e, n, d, m, o, r, y = letters = cp.intvar(0, 9, shape=8)
    send, more, money = (sum(10**i * x for i, x in enumerate(reversed(word)))
                         for word in ([s, e, n, d], [m, o, r, e], [m, o, n, e, y]))  # fmt: skip
    return cp.Model(cp.AllDifferent(letters), s > 0, m > 0, send + more == money)


def sudoku() -> Any:
    given = "530070000600195000098000060800060003400803001700020006060000280000419005000080079"
    cell = cp.intvar(1, 9, shape=(9, 9))
    blocks = [cell[i : i + 3, j : j + 3].flatten() for i in (0, 3, 6) for j in (0, 3, 6)]
    known = [cell[divmod(i, 9)] == int(digit) for i, digit in enumerate(given) if digit != "0"]
    return cp.Model([cp.AllDifferent(line) for line in (*cell, *cell.T, *blocks)], known)


def job_shop(jobs: int = 5, machines: int = 4, seed: int = 2, end: int = 45) -> Any:
    draw = np.random.RandomState(seed)
    length = draw.randint(2, 10, size=(jobs, machines))
    machine = np.array([draw.permutation(machines) for _ in range(jobs)])
    start = cp.intvar(0, end, shape=(jobs, machines))
    model = cp.Model([start[:, :-1] + length[:, :-1] <= start[:, 1:]], [start[:, -1] + length[:, -1] <= end])
    for which in range(machines):
        tasks = [
            (start[j, t], int(length[j, t])) for j in range(jobs) for t in range(machines) if machine[j, t] == which
        ]
        model += [(s + d <= t) | (t + e <= s) for (s, d), (t, e) in combinations(tasks, 2)]
    return model


def colouring(nodes: int = 40, colours: int = 5, seed: int = 1) -> Any:
    draw = np.random.RandomState(seed)
    colour = cp.intvar(1, colours, shape=nodes)
    return cp.Model([colour[i] != colour[j] for i, j in combinations(range(nodes), 2) if draw.random_sample() < 0.2])


def knapsack(items: int = 12, seed: int = 1) -> Any:
    draw = np.random.RandomState(seed)
    weight, value, taken = draw.randint(5, 40, items), draw.randint(5, 40, items), cp.boolvar(shape=items)
    return cp.Model(cp.sum(weight * taken) <= weight.sum() // 2, cp.sum(value * taken) >= int(0.6 * value.sum()))


def zebra() -> Any:
    """Five houses, each with a colour, a nation, a pet, a drink and a smoke."""
    groups = cp.intvar(1, 5, shape=(5, 5))
    (red, green, ivory, yellow, _), (english, spanish, ukrainian, norse, japanese) = groups[:2]
    (dog, snails, fox, horse, _), (coffee, tea, milk, juice, _), (gold, kool, chester, lucky, parliament) = groups[2:]
    same = [(english, red), (spanish, dog), (coffee, green), (ukrainian, tea), (gold, snails), (kool, yellow),
            (lucky, juice), (japanese, parliament)]  # fmt: skip
    return cp.Model(
        [cp.AllDifferent(group) for group in groups], [a == b for a, b in same], green == ivory + 1, milk == 3,
        norse == 1, abs(chester - fox) == 1, abs(kool - horse) == 1, abs(norse - groups[0, 4]) == 1,
    )  # fmt: skip


MODELS: dict[str, Callable[[], Any]] = {
    make.__name__: make
    for make in (queens, block_design, magic_square, magic_sequence, golomb_ruler, all_intervals, langford,
                 send_more_money, sudoku, job_shop, colouring, knapsack, zebra)
}  # fmt: skip
