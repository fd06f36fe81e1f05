"""Random cases, and what is asked of them: number ``i`` of seed ``s`` is always the same."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import numpy as np

from fuzzing import models, proofs
from fuzzing.cases import Case, PlainCsp, PlainFormula, PlainModel, PlainProof
from fuzzing.judge import Step
from fuzzing.ways import (
    ADDERS,
    ALL,
    BEST,
    COUNTS,
    FIRST,
    FORMULA,
    LARGE,
    TEXT,
    UNIQUE,
    Question,
    Way,
    composed,
    ways_of,
)
from nonosat.encodings.cpsat import CpModel
from nonosat.encodings.parts import INTEGERS
from nonosat.errors import PuzzleError, UnsupportedError
from nonosat.puzzles.nonogram import Clue, Given, Nonogram, Run
from nonosat.puzzles.nonogram.puzzle import Picture, palette_of
from nonosat.puzzles.skyscrapers import Skyscrapers

Rng = np.random.Generator
KINDS = {"nonogram": 0.53, "skyscrapers": 0.11, "csp": 0.11, "formula": 0.05, "proof": 0.1, "model": 0.1}
CAP = 12
"""As many boards as are asked for where all may be too many."""


def case_of(seed: int, number: int, kind: str = "") -> Case:
    """The case ``number`` of ``seed``, of any kind or of one."""
    rng = np.random.default_rng([seed, number])
    draw = {
        "nonogram": nonogram,
        "skyscrapers": skyscrapers,
        "csp": csp,
        "formula": formula,
        "proof": proof,
        "model": models.model,
    }
    while True:
        try:
            return draw[kind or str(rng.choice(list(KINDS), p=list(KINDS.values())))](rng)
        except PuzzleError:
            continue  # a clue that was spoilt does not fit its line


def steps_of(case: Case, seed: int, number: int, all_known: bool) -> list[Step]:
    """Whom to ask what about the case ``number`` of ``seed``; ``all_known``: it has few solutions."""
    rng = np.random.default_rng([seed, number, 1])
    if isinstance(case, PlainModel):
        return list(_of_a_model(case, rng, all_known))
    families = ways_of(case.kind)
    steps: list[Step] = []

    def questions(many: bool) -> Question:
        at_most = Question(None if all_known else CAP)
        if many:
            return at_most
        return (at_most, ALL if all_known else UNIQUE, UNIQUE, FIRST, Question(int(rng.integers(2, 7))))[
            rng.integers(5)
        ]

    for family, ways in families.items():
        if family == "SAT":
            steps += _all_engines(rng, ways, questions, _encodings(case))
            continue
        chosen = [ways[i] for i in rng.choice(len(ways), min(len(ways), _MANY.get(family, 2)), replace=False)]
        if family in ("count", "backbone", "ganak", "explain"):
            steps += [(way, ALL) for way in chosen if bearable(case, way)]
            continue
        many = family in ("auto", "propagation")
        steps += [(way, questions(many)) for way in chosen if bearable(case, way)]
    return steps


def _of_a_model(case: PlainModel, rng: Rng, all_known: bool) -> Iterator[Step]:
    """Every integer encoding and some that are composed, each by three SAT solvers; CP-SAT; languages; the best."""
    families = ways_of(case.kind)
    question = ALL if all_known else Question(CAP)
    engines = [way.solver for way in families["SAT"]]
    for name in ADDERS if case.large else (*INTEGERS, *(composed(rng) for _ in range(3))):
        for engine in rng.choice(engines, 3, replace=False):
            yield Way(str(engine), name, FORMULA), question
    if not case.large or _cpsat_takes(case):
        yield families["cpsat"][0], ALL if all_known and rng.random() < 0.5 else Question(3)
    if all_known:
        yield from ((way, ALL) for way in families[TEXT])
    if case.goal and case.size <= 40:
        ways = families[LARGE if case.large else BEST]
        yield from ((ways[i], FIRST) for i in rng.choice(len(ways), 3, replace=False))


def _cpsat_takes(case: PlainModel) -> bool:
    """It adds up what all terms may be at most, in 64 bits."""
    try:
        CpModel(case.csp())
    except UnsupportedError:
        return False
    return True


_MANY = {
    "elimination": 6,
    "auto": 3,
    "cpsat": 1,
    "phases": 4,
    "SAT by solve": 3,
    "SAT by sugar": 3,
    "count": 4,
    "ganak": 1,
}


def _encodings(case: Case) -> int:
    """In how many encodings a case is asked: small ones are cheap."""
    cells = case.shape[0] * case.shape[1] if isinstance(case, Nonogram | Skyscrapers) else 16
    return 5 if cells <= 30 and not isinstance(case, Skyscrapers) else 3 if cells <= 64 else 1


def _all_engines(rng: Rng, ways: tuple[Way, ...], questions: Any, many: int) -> list[Step]:
    """Every SAT solver on a few encodings, each of which is asked the same of all."""
    encodings = list(dict.fromkeys(way.encoding for way in ways))
    steps = []
    for place in rng.choice(len(encodings), min(len(encodings), many), replace=False):
        question = questions(rng.random() < 0.4)
        steps += [(way, question) for way in ways if way.encoding == encodings[place]]
    return steps


def bearable(case: Case, way: Way) -> bool:
    """Some look at every filling, or at every placement; some explain every cell, or count far too many solutions."""
    if way.solver == "explain":
        return case.shape[0] * case.shape[1] <= 36 if isinstance(case, Nonogram | Skyscrapers) else False
    if not isinstance(case, Nonogram):
        return not (way.solver.startswith("phases") and isinstance(case, Skyscrapers) and case.size > 4)
    cells = case.height * case.width
    solver, *words = way.solver.split("+")
    if solver == "exhaustive":
        return (case.colours + 1) ** cells <= 2**14
    if solver == "axis" and "partial" not in words:
        return cells <= 16
    if solver in ("axis", "rowsearch"):
        return cells <= 49
    if way.through == COUNTS:
        return cells <= 49
    return cells <= 81 or not (solver == "elimination" or way.solver == "propagation+noprobe")


# Nonograms.


def nonogram(rng: Rng) -> Nonogram:
    """A board of any shape, density and style, perhaps spoilt, perhaps with given cells."""
    height, width = _shape(rng)
    colours = int(rng.choice((1, 1, 2, 3)))
    used = [c for c in range(1, colours + 1) if rng.random() < 0.85] or [colours]  # some occur nowhere
    cells = _cells(rng, height, width, np.array(used))
    puzzle = Nonogram.from_picture(Picture(cells, palette_of(colours)))
    rows, columns = list(puzzle.rows), list(puzzle.columns)
    if rng.random() < 0.35:
        for _ in range(int(rng.integers(1, 3))):
            _spoil(rng, rows if rng.random() < 0.5 else columns, colours)
    given: list[Given] = []
    if rng.random() < 0.3:
        share = rng.random() ** 2
        chosen = np.argwhere(rng.random(cells.shape) < share).tolist()
        given = [Given(r, c, int(cells[r, c])) for r, c in chosen]
        if given and rng.random() < 0.25:
            at = int(rng.integers(len(given)))
            given[at] = given[at]._replace(value=int(rng.integers(colours + 1)))
    return Nonogram(tuple(rows), tuple(columns), tuple(given), puzzle.palette)


def _shape(rng: Rng) -> tuple[int, int]:
    style = rng.random()
    if style < 0.75:
        height, width = (1 + int(7.99 * rng.random() ** 1.2) for _ in range(2))
    elif style < 0.95:
        height, width = int(rng.integers(1, 3)), int(rng.integers(1, 16))
    else:
        height, width = (int(n) for n in rng.integers(2, 16, 2))
    return (height, width) if rng.random() < 0.5 else (width, height)


def _cells(rng: Rng, height: int, width: int, used: Any) -> Any:
    """Values 0 and ``used``."""
    colours = rng.choice(used, (height, width))
    style = int(rng.integers(10))
    if style == 0 and max(height, width) <= 6:  # a run or two in every line, and many pictures; larger: pigeonholes
        filled = np.zeros((height, width), dtype=bool)
        filled[np.arange(max(height, width)) % height, rng.permutation(max(height, width)) % width] = True
        return np.where(filled, colours, 0)
    if style == 1:
        return np.where(rng.random() < 0.5, colours, 0) * np.ones((height, width), dtype=int)
    cells = np.where(rng.random((height, width)) < rng.random(), colours, 0)
    if style in (2, 3):  # symmetric
        flip = int(rng.integers(4))
        turned = np.rot90(cells, 2) if height != width or flip == 3 else cells.T
        image = np.flip(cells, flip) if flip < 2 else turned
        cells = np.maximum(cells, image)
    if style in (4, 5):  # lines without runs, or without blanks
        for axis, length in ((0, height), (1, width)):
            for line in np.flatnonzero(rng.random(length) < 0.3):
                value = 0 if rng.random() < 0.6 else int(rng.choice(used))
                cells[(line, slice(None)) if axis == 0 else (slice(None), line)] = value
    return cells


def _spoil(rng: Rng, clues: list[Clue], colours: int) -> None:
    at = int(rng.integers(len(clues)))
    runs, style = list(clues[at]), int(rng.integers(6))
    if style == 0:
        rng.shuffle(clues)  # type: ignore[arg-type] # a list of tuples is shuffled in place
        return
    if style == 1:
        other = int(rng.integers(len(clues)))
        clues[at], clues[other] = clues[other], clues[at]
        return
    if style == 2 or not runs:
        place = int(rng.integers(len(runs) + 1))
        runs.insert(place, Run(int(rng.integers(1, 3)), int(rng.integers(1, colours + 1))))
    else:
        place = int(rng.integers(len(runs)))
        length, colour = runs[place]
        if style == 3:
            del runs[place]
        elif style == 4:
            runs[place] = Run(max(1, length + int(rng.choice((-1, 1)))), colour)
        else:
            runs[place] = Run(length, int(rng.integers(1, colours + 1)))
    clues[at] = tuple(runs)


# Skyscrapers.


def skyscrapers(rng: Rng) -> Skyscrapers:
    """A board of up to 5x5, with many clues or few, perhaps spoilt, perhaps with given heights."""
    size = int(rng.choice((1, 2, 3, 3, 4, 4, 4, 5)))
    square = (np.add.outer(np.arange(size), np.arange(size)) % size) + 1
    square = square[rng.permutation(size)][:, rng.permutation(size)]
    square = (rng.permutation(size) + 1)[square - 1]
    clues = np.array(Skyscrapers.from_heights(square).clues)
    clues = np.where(rng.random(clues.size) < rng.random() ** 0.7, clues, 0)
    if rng.random() < 0.3:
        at = rng.integers(clues.size)
        clues[at] = rng.integers(0, size + 1)
    given = [
        (int(r), int(c), int(square[r, c])) for r, c in np.argwhere(rng.random(square.shape) < 0.3 * rng.random() ** 2)
    ]
    if given and rng.random() < 0.2:
        row, column, _ = given[0]
        given[0] = (row, column, int(rng.integers(1, size + 1)))
    return Skyscrapers.from_clues(clues.tolist(), given)


# CSPs, formulas and proofs.


def csp(rng: Rng) -> PlainCsp:
    """A few variables, and constraints of all families."""
    count = int(rng.integers(1, 6))
    width = 7 if count < 4 else 4
    lows = rng.integers(-3, 3, count)
    domains = tuple((int(low), int(low + rng.integers(0, width))) for low in lows)
    constraints = tuple(_constraint(rng, count) for _ in range(int(rng.integers(1, 5))))
    return PlainCsp(domains, constraints)


def _constraint(rng: Rng, count: int) -> tuple[Any, ...]:
    chosen = rng.choice(count, size=int(rng.integers(1, count + 1)), replace=False).tolist()
    match int(rng.integers(4)):
        case 0:
            terms = tuple((int(rng.integers(-3, 4)), v) for v in chosen)
            return "linear", terms, str(rng.choice(["<=", ">=", "=", "<", ">"])), int(rng.integers(-6, 7))
        case 1:
            return "different", tuple(chosen)
        case 2:
            one, other = (int(v) for v in rng.integers(0, count, 2))
            return "precedes", one, int(rng.integers(-3, 4)), other
        case _:
            entries = []
            for v in chosen if rng.random() < 0.97 else []:
                low = int(rng.integers(-4, 5))
                relation = str(rng.choice(["<=", ">=", "in", "out"]))
                entries.append(
                    (v, relation, low)
                    if relation in ("<=", ">=")
                    else (v, relation, low, low + int(rng.integers(0, 4)))
                )
            return "clause", tuple(entries)


def formula(rng: Rng) -> PlainFormula:
    """Clauses as no encoding writes them: with literals twice, tautologies, units, perhaps none at all."""
    variables = int(rng.integers(1, 9))
    clauses = []
    for _ in range(int(rng.integers(0, 4 * variables))):
        width = int(rng.choice((1, 2, 2, 3, 3, 3, 5)))
        signs = rng.choice((-1, 1), width)
        clauses.append(tuple((signs * rng.integers(1, variables + 1, width)).tolist()))
    if rng.random() < 0.03:
        clauses.append(())
    return PlainFormula(variables, tuple(clauses))


def proof(rng: Rng) -> PlainProof:
    """A long one: it costs less than a board does."""
    return proofs.proof(Random(int(rng.integers(2**62))), steps=60)
