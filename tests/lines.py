"""One line by itself as a CSP, and what unit propagation makes of a partial filling, beside brute force."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from brute import placements

from nonosat.csp.model import CSP, Ints
from nonosat.encodings.nonogram import Runs, automaton, tight
from nonosat.encodings.registry import PARTS, Encoding, encoding

Partial = tuple[int | None, ...]


def one_line(clue: tuple[tuple[int, int], ...], size: int, colours: int) -> Runs:
    """The table of a single line's runs."""
    flat = np.array(clue, dtype=np.int32).reshape(-1, 2)
    count = len(flat)
    return Runs(
        length=flat[:, 0],
        colour=flat[:, 1],
        line=np.zeros(count, dtype=np.int32),
        start=np.arange(size, size + count, dtype=np.int32),
        first=np.array([0, count], dtype=np.int32),
        size=np.array([size], dtype=np.int32),
        base=np.zeros(1, dtype=np.int32),
        stride=np.ones(1, dtype=np.int32),
        colours=colours,
    )


def line_csp(parts: Encoding, clue: tuple[tuple[int, int], ...], size: int, colours: int) -> CSP:
    """The rules of ``parts`` for one line; the cells are the variables 0 .. size - 1."""
    runs = one_line(clue, size, colours)
    cells = np.zeros(size, dtype=np.int32)
    if parts.lines:
        bounds: tuple[Ints, Ints] = (np.empty(0, np.int32), np.empty(0, np.int32))
        constraints = [automaton(runs, *tight(runs), 1)]
    else:
        assert parts.domain
        assert parts.channel
        bounds = PARTS[parts.domain].make(runs)
        constraints = [PARTS[name].make(runs) for name in parts.ordering]
        constraints += PARTS[parts.channel].make(runs, *bounds)
    return CSP(
        np.concatenate((cells, bounds[0])),
        np.concatenate((cells + np.int32(colours), bounds[1])),
        tuple(constraints),
        np.arange(size, dtype=np.int32).reshape(1, -1),
    )


@dataclass
class Propagated:
    """What unit propagation knows: a conflict, or the set of values left for every cell."""

    conflict: bool
    left: tuple[frozenset[int], ...]


def propagate(name: str, clue: tuple[tuple[int, int], ...], partial: Partial, colours: int) -> Propagated:
    """Unit propagation from the known cells of ``partial``; a value is gone when "the cell differs from it" is true."""
    parts, size = encoding(name), len(partial)
    formula = PARTS[parts.integers].make(line_csp(parts, clue, size, colours))

    def differs(cell: int, value: int) -> list[int]:
        clause: list[int] = formula.map.differ(np.array([cell], dtype=np.int32), np.array([value], dtype=np.int32))
        return clause

    known = [-lit for cell, value in enumerate(partial) if value is not None for lit in differs(cell, value)]
    true = unit_propagation(list(formula.cnf), known)
    if true is None:
        return Propagated(True, ())
    left = [
        frozenset(value for value in range(colours + 1) if not true.intersection(differs(cell, value)))
        for cell in range(size)
    ]
    return Propagated(False, tuple(left))


def unit_propagation(clauses: list[list[int]], known: list[int]) -> set[int] | None:
    """All literals that follow from ``known`` by unit clauses, or None at a conflict."""
    watching: dict[int, list[list[int]]] = {}
    for clause in clauses:
        for literal in clause:
            watching.setdefault(-literal, []).append(clause)
    true: set[int] = set()
    queue = known + [clause[0] for clause in clauses if len(clause) == 1]
    if any(not clause for clause in clauses):
        return None
    while queue:
        literal = queue.pop()
        if -literal in true:
            return None
        if literal in true:
            continue
        true.add(literal)
        for clause in watching.get(literal, []):
            if true.isdisjoint(clause):
                open_literals = [other for other in clause if -other not in true]
                if not open_literals:
                    return None
                if len(open_literals) == 1:
                    queue.append(open_literals[0])
    return true


def complete(clue: tuple[tuple[int, int], ...], partial: Partial, colours: int) -> Propagated:
    """The same by brute force over all placements of the clue."""
    fitting = [
        line
        for line in placements(len(partial), colours)[clue]  # type: ignore[index]
        if all(known is None or known == value for known, value in zip(partial, line, strict=True))
    ]
    if not fitting:
        return Propagated(True, ())
    return Propagated(False, tuple(frozenset(values) for values in zip(*fitting, strict=True)))


def random_partial(rng: np.random.Generator, colours: int) -> tuple[tuple[tuple[int, int], ...], Partial]:
    """A clue, and a partial filling that some placement, or (one time in four) perhaps none, agrees with."""
    size = int(rng.integers(1, 12 if colours == 1 else 7))
    table = placements(size, colours)
    clue = list(table)[rng.integers(len(table))]
    line = table[clue][rng.integers(len(table[clue]))]
    if rng.random() < 0.25:
        line = tuple(rng.integers(0, colours + 1, size).tolist())
    keep = rng.random(size) < rng.random()
    return clue, tuple(int(value) if kept else None for value, kept in zip(line, keep, strict=True))
