"""Skyscrapers of a level, whose single solution is proved by a SAT solver that is asked incrementally."""

from __future__ import annotations

from contextlib import closing

from nonosat.encodings.skyscrapers.counted import counted
from nonosat.generators.reduced import random_skyscrapers
from nonosat.generators.skyscrapers import Level
from nonosat.puzzles.skyscrapers import Skyscrapers
from nonosat.puzzles.skyscrapers.heights import Heights
from nonosat.solvers.sat.session import Session

SOLVER = "minisat22"


def made(level: Level, seed: int, title: str = "") -> Skyscrapers:
    """The puzzle of this level and seed; see ``reduced.random_skyscrapers``.

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
    """The puzzle of this level and seed, with a title that says so."""
    return made(level, seed, f"{str(level).replace('-', ' ')}, seed {seed}")
