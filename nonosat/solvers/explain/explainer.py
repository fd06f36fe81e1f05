"""What explanations of a kind of puzzle are made by."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from nonosat.solvers.explain.steps import Constraint, Step


class View(NamedTuple):
    """How steps of a kind are drawn.

    ``line(puzzle, constraint, values, colour)``: the cells of a constraint as text, -1 where open, with its clue.
    ``page(puzzle)``: what the page (``page.html``) draws the board by: ``top``, ``left``, ``right`` and ``bottom`` have
    the clues of each line, as lists of {text, shade}; ``cells`` says by value {text, shade}.
    """

    line: Callable[[Any, Constraint, list[int], bool], str]
    page: Callable[[Any], dict[str, Any]]


class Explainer(NamedTuple):
    """``steps(puzzle, values)``: from the position whose cells have ``values`` (-1: open); each step follows the last.

    ``values(puzzle)``: the least and the greatest that a cell can have.
    ``view``: how positions are drawn.
    ``marks(puzzle)``: two values of a cell as pictures of the kind are written.
    ``fault(puzzle, step)``: why a step does not follow from its constraints and known cells, or None.
    """

    steps: Callable[[Any, list[list[int]]], Iterator[Step]]
    fault: Callable[[Any, Step], str | None]
    values: Callable[[Any], tuple[int, int]]
    view: View
    marks: Callable[[Any], tuple[str, str]]
