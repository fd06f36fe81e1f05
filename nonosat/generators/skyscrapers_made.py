"""Random Skyscrapers of a level: a random Latin square, its clues, and then fewer of them.

A SAT solver, used incrementally, proves after each step that one solution is left.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from nonosat import rng
from nonosat.encodings.skyscrapers import counted
from nonosat.generators.skyscrapers import Level
from nonosat.puzzles.puzzle import Given
from nonosat.puzzles.skyscrapers import EDGES, Skyscrapers
from nonosat.puzzles.skyscrapers.puzzle import Heights
from nonosat.solvers.sat.session import Session


def latin_square(size: int, stream: rng.Rng) -> npt.NDArray[np.uint8]:
    """A random Latin square of the heights 1 .. size, nearly uniform: Jacobson & Matthews' Markov chain.

    J. Combinatorial Designs 4 (1996). A step moves a one of the incidence cube (row, column, height) along with seven
    other entries; a cell that is "improper" (-1) is where the next step goes on. The chain begins with the cyclic
    square, its rows, columns and heights shuffled, and ends after it has come to size³ proper squares. (To end it at
    the first proper square after so many steps would prefer those that many improper ones lead to.)
    """
    if size == 1:
        return np.ones((1, 1), dtype=np.uint8)
    cube = np.zeros((size, size, size), dtype=np.int8)
    rows, columns, heights = (stream.shuffled(size) for _ in range(3))
    for row in range(size):
        for column in range(size):
            cube[rows[row], columns[column], heights[(row + column) % size]] = 1
    improper: tuple[int, int, int] | None = None
    left = size**3
    while left:
        if improper is None:
            while True:
                row, column, height = (stream.below(size) for _ in range(3))
                if cube[row, column, height] == 0:
                    break
        else:
            row, column, height = improper
        row_2 = _one(cube[:, column, height], stream)
        column_2 = _one(cube[row, :, height], stream)
        height_2 = _one(cube[row, column, :], stream)
        for i in (row, row_2):
            for j in (column, column_2):
                for k in (height, height_2):
                    even = (i == row_2) + (j == column_2) + (k == height_2)
                    cube[i, j, k] += 1 if even % 2 == 0 else -1
        improper = (row_2, column_2, height_2) if cube[row_2, column_2, height_2] < 0 else None
        left -= improper is None
    square: npt.NDArray[np.uint8] = (np.argmax(cube, axis=2) + 1).astype(np.uint8)
    return square


def _one(line: npt.NDArray[np.int8], stream: rng.Rng) -> int:
    """A random place of a one in ``line``: there are two of them if it crosses the improper cell, else one."""
    places = np.flatnonzero(line == 1)
    return int(places[0] if len(places) == 1 else places[stream.below(len(places))])


Other = Callable[[Skyscrapers], Heights | None]
"""A solution of a puzzle that is not its goal; None: there is none."""


def random_skyscrapers(level: Level, seed: int, other: Other, title: str = "") -> Skyscrapers:
    """A puzzle of this level with a single solution, which ``other`` proves; the same for the same seed everywhere.

    (If ``other`` gives another of several solutions, heights may be given at other cells.)
    """
    stream = rng.Rng(seed)
    puzzle = Skyscrapers.from_heights(latin_square(level.size, stream), title)
    puzzle = _made_unique(puzzle, other, stream)
    if level.difficulty == "easy":
        return puzzle
    clues = 4 * level.size
    keep = clues // 2 if level.difficulty == "normal" else 0
    places = stream.shuffled(clues + len(puzzle.given))
    given = puzzle.given
    for place in places:  # of the clues, then of the given heights
        if place < clues:
            fewer = without_clue(puzzle, place)
            if keep and sum(clue > 0 for clue in fewer.clues) < keep:
                continue
        else:
            fewer = replace(puzzle, given=tuple(cell for cell in puzzle.given if cell != given[place - clues]))
        if other(fewer) is None:
            puzzle = fewer
    return puzzle


def without_clue(puzzle: Skyscrapers, place: int) -> Skyscrapers:
    """``puzzle`` without its clue number ``place``, in the order of ``Skyscrapers.clues``."""
    edge, index = EDGES[place // puzzle.size], place % puzzle.size
    clues = getattr(puzzle, edge)
    edges = {name: getattr(puzzle, name) for name in EDGES} | {edge: (*clues[:index], 0, *clues[index + 1 :])}
    return replace(puzzle, **edges)


def _made_unique(puzzle: Skyscrapers, other: Other, stream: rng.Rng) -> Skyscrapers:
    """``puzzle`` with heights given where solutions differ, until it has one."""
    assert puzzle.goal is not None
    while (found := other(puzzle)) is not None:
        places = np.argwhere(found.cells != puzzle.goal.cells)
        row, column = places[stream.below(len(places))].tolist()
        cell = Given(row, column, int(puzzle.goal.cells[row, column]))
        puzzle = replace(puzzle, given=(*puzzle.given, cell))
    return puzzle


SOLVER = "minisat22"


def made(level: Level, seed: int, title: str = "") -> Skyscrapers:
    """The puzzle of this level and seed: ``random_skyscrapers`` with a SAT solver.

    >>> puzzle = made(Level(4, "hard"), 7)
    >>> sum(clue > 0 for clue in puzzle.clues) < 16
    True
    """
    if level.size == 1:
        return random_skyscrapers(level, seed, lambda puzzle: None, title)
    about = counted(level.size)
    with closing(Session(SOLVER, about.formula.cnf)) as session:
        ruled_out: list[Heights] = []

        def other(puzzle: Skyscrapers) -> Heights | None:
            if not ruled_out:
                assert puzzle.goal is not None
                ruled_out.append(puzzle.goal)
                session.add(about.formula.block(puzzle.goal.cells))
            model = session.solve(about.assumptions(puzzle))
            return None if model is None else puzzle.picture(about.formula.cells(model))

        return random_skyscrapers(level, seed, other, title)


def of_level(level: Level, seed: int) -> Skyscrapers:
    """The puzzle of this level and seed, which its title names."""
    return made(level, seed, f"{str(level).replace('-', ' ')}, seed {seed}")
