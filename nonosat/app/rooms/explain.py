"""Explain: the next steps from any position."""

from __future__ import annotations

from starlette.requests import Request
from starlette.routing import Route

from nonosat.app import requests, work
from nonosat.app.answers import streaming
from nonosat.app.jobs import Run, worked
from nonosat.app.requests import Body
from nonosat.app.wire import open_cells, position_of, puzzle_from_wire
from nonosat.explanations.explain import values_of
from nonosat.runs.limits import Limits

MOST = 20_000
LIMITS = Limits(120, 2_000)


def steps(request: Request, body: Body) -> list[Run]:
    """At most so many steps from a position (no cells: the beginning), each as ``docs/explain.md`` has it."""
    puzzle = puzzle_from_wire(body.get("puzzle"))
    cells = body.get("cells")
    height, width = puzzle.shape
    given = open_cells(puzzle) if cells is None else requests.integers(cells, '"cells"', height * width)
    values = values_of(puzzle, position_of(puzzle, given))  # refused here if it is not a position of this puzzle
    return [worked(work.explained, puzzle, values, requests.integer(body, "steps", 1, MOST, MOST), limits=LIMITS)]


ROUTES = [Route("/api/explain/steps", streaming(steps), methods=["POST"])]
