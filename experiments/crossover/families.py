"""Six families of models, one a constraint, whose variables have as many values as is wanted.

A plug-in: the generator ``crossover`` of models. An instance has about ten variables over ``0..domain-1``, whatever the
domain is, so that what grows with the domain is the encoding. Those of an even seed are made around a solution; of an
odd one a constant is drawn without regard to that, so that there may be none.
"""

from __future__ import annotations

import numpy as np

from nonosat import Model
from nonosat.generators.registry import Generator, Parameter
from nonosat.rng import Rng


def _numbers(rng: Rng, below: int, count: int) -> list[int]:
    return [int(value) for value in rng.many_below(below, count)]


def comparison(domain: int, rng: Rng, planted: bool) -> Model:
    """An open shop with as many jobs as machines: tasks exclude each other, and all end within the domain."""
    model, size = Model("open shop"), min(5, domain)
    start = model.integer("start", 0, domain - 1, shape=(size, size))
    load = max(size, domain - domain // (8 if planted else 64))
    lasts = np.ones((size, size), dtype=int)
    for row in lasts:
        for place in _numbers(rng, size, 20 * size):
            row[place] += max(0, (load - size)) // (20 * size)
    model.add(start + lasts <= domain)
    for tasks, durations in [*zip(start, lasts, strict=True), *zip(start.T, lasts.T, strict=True)]:
        for one in range(size):
            for other in range(one):
                before = tasks[one] + int(durations[one]) <= tasks[other]
                after = tasks[other] + int(durations[other]) <= tasks[one]
                model.add(before | after)
    return model


def linear(domain: int, rng: Rng, planted: bool) -> Model:
    """Equations of three variables each, with coefficients from -5 to 5."""
    model, size = Model("equations"), 8
    x = model.integer("x", 0, domain - 1, shape=size)
    solution = _numbers(rng, domain, size)
    for equation in range(6):
        chosen = _distinct(rng, size, 3)
        factors = [(-1 if value % 2 else 1) * (1 + value // 2) for value in _numbers(rng, 10, 3)]
        total = sum(a * solution[v] for a, v in zip(factors, chosen, strict=True))
        total += 0 if planted or equation else 1
        model.add(sum(a * x[v] for a, v in zip(factors, chosen, strict=True)) == total)
    return model


def all_different(domain: int, rng: Rng, planted: bool) -> Model:
    """A Golomb ruler that ends within the domain; of an odd seed with as many marks as can be, or one more."""
    model = Model("ruler")
    shortest = [0, 1, 3, 6, 11, 17, 25, 34]
    marks = min(max(count for count, length in enumerate(shortest, 1) if length < domain), 7)
    x = model.integer("x", 0, domain - 1, shape=marks)
    apart = model.integer("apart", 1, domain - 1, shape=marks * (marks - 1) // 2)
    pairs = [(i, j) for j in range(marks) for i in range(j)]
    model.add(x[0] == 0, x[:-1] < x[1:])
    model.add([x[i] + apart[place] == x[j] for place, (i, j) in enumerate(pairs)])
    model.add(model.all_different(apart))
    if not planted:  # the ends apart by what is drawn
        model.add(x[-1] == shortest[marks - 1] + _numbers(rng, max(1, domain - shortest[marks - 1]), 1)[0])
    else:
        model.add(x[1] > _numbers(rng, max(1, domain // 8), 1)[0])
    return model


def table(domain: int, rng: Rng, planted: bool) -> Model:
    """Ternary relations of up to 200 rows each."""
    model, size = Model("relations"), 10
    x = model.integer("x", 0, domain - 1, shape=size)
    solution = _numbers(rng, domain, size)
    rows = min(200, domain**3 // 4)
    used = [_numbers(rng, domain, 12) for _ in range(size)]  # few values, or no two relations would have any in common
    for _ in range(12):
        chosen = _distinct(rng, size, 3)
        made = [[used[v][place] for v, place in zip(chosen, _numbers(rng, 12, 3), strict=True)] for _ in range(rows)]
        if planted:
            made.append([solution[v] for v in chosen])
        model.add(model.table([x[v] for v in chosen], made))
    return model


def element(domain: int, rng: Rng, planted: bool) -> Model:
    """Two entries of arrays as long as the domain are equal, for pairs of variables that index them."""
    model, size = Model("entries"), 8
    x = model.integer("x", 0, domain - 1, shape=size)
    solution, values = _numbers(rng, domain, size), max(2, domain // 4)
    for _ in range(10):
        one, other = _distinct(rng, size, 2)
        left, right = _numbers(rng, values, domain), _numbers(rng, values, domain)
        if planted:
            right[solution[other]] = left[solution[one]]
        model.add(model.element(left, x[one]) == model.element(right, x[other]))
    return model


def product(domain: int, rng: Rng, planted: bool) -> Model:
    """Products of two variables, the sums of which are known."""
    model, size = Model("products"), 5
    x = model.integer("x", 1, domain, shape=size)
    solution = [1 + value for value in _numbers(rng, domain, size)]
    for equation in range(2):
        a, b, c, d = _distinct(rng, size, 4)
        total = solution[a] * solution[b] + solution[c] * solution[d] + (0 if planted or equation else 1)
        model.add(x[a] * x[b] + x[c] * x[d] == total)
    return model


def _distinct(rng: Rng, below: int, count: int) -> list[int]:
    left, found = list(range(below)), []
    for _ in range(count):
        found.append(left.pop(_numbers(rng, len(left), 1)[0]))
    return found


FAMILIES = {made.__name__: made for made in (comparison, linear, all_different, table, element, product)}


def make(constraint: str, domain: int, seed: int) -> Model:
    """The model of a family, a size of domains and a seed; the same on every machine."""
    return FAMILIES[constraint](domain, Rng(seed * 64 + list(FAMILIES).index(constraint)), seed % 2 == 0)


def _constraint(value: object) -> str:
    if value not in FAMILIES:
        raise ValueError(f"{value} is no family: {', '.join(FAMILIES)}")
    return str(value)


def _domain(value: object) -> int:
    number = int(str(value))
    if not 4 <= number <= 100_000:
        raise ValueError(f"a domain has from 4 to 100,000 values, not {number}")
    return number


PARTS = [
    Generator(
        name="crossover",
        kind="model",
        meaning="models of one constraint over domains of one size",
        parameters=(
            Parameter(word="constraint", key="constraints", metavar="NAME", meaning="the family", read=_constraint),
            Parameter(word="domain", key="domains", metavar="N", meaning="values of each variable", read=_domain),
        ),
        make=make,
    )
]
