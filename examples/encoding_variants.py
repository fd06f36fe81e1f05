"""Variants of encodings and of CaDiCaL that a study may hold beside ours: numbering, implied totals, options.

    nonosat --plugin examples/encoding_variants.py solve examples/gchq.json --encoding tight+r3+cells-last

- ``cells-last`` and ``shuffled``: the order encoding with its Booleans numbered otherwise. Where nothing is known of
  Booleans yet, MiniSat and Glucose decide that of the lowest number first. Ours numbers cells first.
- ``totals``, beside a rule about the order of runs: each line has as many filled cells as its clue says. The others
  imply it; it is stated as sums with a counter a cell.
- ``cadical195-set``: CaDiCaL 1.9.5 with options set, as python-sat can between making the solver and the first clause.
  ``plain``, ``sat`` and ``unsat`` are what the program sets for these; python-sat has no call for them.
"""

from collections.abc import Iterator
from itertools import chain
from time import perf_counter

import numpy as np
from pysat.solvers import Solver as PySat

from nonosat.csp.flatten import flatten
from nonosat.csp.model import CSP, Linear, ints
from nonosat.encodings.expand import compiled
from nonosat.encodings.formula import Formula
from nonosat.encodings.order import OrderMap
from nonosat.encodings.parts import Integers, Part
from nonosat.rng import Rng
from nonosat.runs.events import Event, Progress
from nonosat.runs.solver import Solver, Switch
from nonosat.solvers.sat.search import models
from nonosat.solvers.sat.session import Session


class CellsLast(OrderMap):
    """Order-encoded; the Booleans of the board come after all others."""

    kind = "cells-last"


class Shuffled(OrderMap):
    """Order-encoded; the variables' Booleans in an order drawn by lot, the same for equal sizes."""

    kind = "shuffled"


def numbered(csp: CSP, kind: type[OrderMap], order) -> Formula:
    """The order encoding of ``csp``, its variables numbered in the order ``order(flat CSP)``."""
    flat = flatten(csp)
    ordered = order(flat)
    sizes = kind.sizes(flat.lower, flat.upper)
    first = np.empty(len(sizes), dtype=np.int32)
    first[ordered] = 1 + np.cumsum(sizes[ordered]) - sizes[ordered]
    return compiled(flat, kind(first, flat.lower, flat.upper))


def cells_last(csp: CSP) -> Formula:
    """See ``CellsLast``."""
    return numbered(csp, CellsLast, lambda flat: np.argsort(np.isin(np.arange(len(flat)), flat.board), kind="stable"))


def shuffled(csp: CSP) -> Formula:
    """See ``Shuffled``."""
    return numbered(csp, Shuffled, lambda flat: np.array(Rng(0).shuffled(len(flat)), dtype=np.int64))


def totals(runs) -> Linear:
    """The cells of a line add up to its runs' cells, each counted by its colour's number: two bounds a line."""
    cells = [
        base + stride * np.arange(size) for base, stride, size in zip(runs.base, runs.stride, runs.size, strict=True)
    ]
    filled = np.concatenate(([0], np.cumsum(runs.length * runs.colour)))[runs.first]
    count = len(cells)
    return Linear(
        ints(np.repeat([1, -1], int(runs.size.sum()))),
        ints(np.concatenate(cells * 2)),
        ints(np.cumsum(np.tile(runs.size, 2))),
        ints(np.concatenate((np.diff(filled), -np.diff(filled)))) if count else ints([]),
    )


OPTIONS = {
    "plain": dict.fromkeys(
        ("compact", "decompose", "deduplicate", "elim", "probe", "subsume", "ternary", "transred", "vivify"), 0
    ),
    "sat": {"elimreleff": 10, "stabilizeonly": 1, "subsumereleff": 60},
    "unsat": {"stabilize": 0, "walk": 0},
    "no-elim": {"elim": 0},
    "no-chrono": {"chrono": 0},
    "chrono-always": {"chronoalways": 1},
    "phase-false": {"phase": 0},
    "reverse": {"reverse": 1},
    "no-lucky": {"lucky": 0},
}
"""By word; ``plain``, ``sat`` and ``unsat`` are what the program's options of these names set."""


class Configured(Session):
    """CaDiCaL 1.9.5 with ``settings``, made before it has clauses."""

    def __init__(self, cnf, settings) -> None:
        self.settings = settings
        super().__init__("cadical195", cnf)

    def _load(self, cnf, blocked) -> None:
        begin = perf_counter()
        self.solver = PySat(name="cadical195")
        self.solver.configure(self.settings)
        for clause in chain(cnf, blocked):
            self.solver.add_clause(clause)
        self.load_s += perf_counter() - begin


def solved(formula, statistics, at_most, solver) -> Iterator[Event]:
    """At most ``at_most`` boards (None: all)."""
    yield Progress("loading", statistics)
    settings = {option: value for word in solver.chosen for option, value in OPTIONS[word].items()}
    yield from models(Configured(formula.cnf, settings), formula.without_clauses(), at_most, statistics)


PARTS = [
    Part(
        "totals",
        "ordering",
        totals,
        "implied: a line's filled cells are its clue's",
        "this file",
        False,
        kind="nonogram",
    ),
    Integers("cells-last", cells_last, "order encoding, the cells' Booleans last", "this file", map=CellsLast),
    Integers("shuffled", shuffled, "order encoding, Booleans by lot", "this file", map=Shuffled),
    Solver(
        "cadical195-set",
        "SAT",
        "CaDiCaL 1.9.5 with options set: the configurations and others",
        solved=solved,
        switches=(Switch(tuple(OPTIONS)),),
        package="python-sat",
    ),
]
