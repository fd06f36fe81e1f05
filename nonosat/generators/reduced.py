"""Skyscrapers of a level: a random Latin square, its clues, and then fewer of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from nonosat import chance
from nonosat.generators.latin import latin_square
from nonosat.generators.skyscrapers import Level
from nonosat.puzzles.puzzle import Given
from nonosat.puzzles.skyscrapers import EDGES, Skyscrapers
from nonosat.puzzles.skyscrapers.heights import Heights

Other = Callable[[Skyscrapers], Heights | None]
"""A solution of a puzzle that is not its goal; None: there is none."""


def random_skyscrapers(level: Level, seed: int, other: Other, title: str = "") -> Skyscrapers:
    """A puzzle of this level with a single solution, which ``other`` proves; the same for the same seed everywhere.

    (If ``other`` gives another of several solutions, heights may be given at other cells.)
    """
    stream = chance.Chance(seed)
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


def _made_unique(puzzle: Skyscrapers, other: Other, stream: chance.Chance) -> Skyscrapers:
    """``puzzle`` with heights given where solutions differ, until it has one."""
    assert puzzle.goal is not None
    while (found := other(puzzle)) is not None:
        places = np.argwhere(found.cells != puzzle.goal.cells)
        row, column = places[stream.below(len(places))].tolist()
        cell = Given(row, column, int(puzzle.goal.cells[row, column]))
        puzzle = replace(puzzle, given=(*puzzle.given, cell))
    return puzzle
