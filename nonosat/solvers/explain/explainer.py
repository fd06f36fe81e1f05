"""What explanations of a kind of puzzle are made by."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, NoReturn

from nonosat.errors import UnsupportedError
from nonosat.puzzles.puzzle import Puzzle
from nonosat.solvers.explain.steps import Step


class Explainer(NamedTuple):
    """``steps(puzzle, values)``: from the position whose cells have ``values`` (-1: open); each step follows the last.

    ``values(puzzle)``: the least and the greatest that a cell can have.
    ``fault(puzzle, step)``: why a step does not follow from its constraints and known cells, or None.
    """

    steps: Callable[[Any, list[list[int]]], Iterator[Step]]
    fault: Callable[[Any, Step], str | None]
    values: Callable[[Any], tuple[int, int]]


def _unexplained(puzzle: Puzzle) -> NoReturn:
    raise UnsupportedError(f"puzzles of the kind {puzzle.kind} are not explained")


UNEXPLAINED = Explainer(lambda puzzle, _: _unexplained(puzzle), lambda puzzle, _: _unexplained(puzzle), _unexplained)
"""Of a kind that has no other."""
