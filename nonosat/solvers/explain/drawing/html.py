"""A whole explanation as one HTML page that needs nothing else: the arrow keys go from step to step."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from nonosat.puzzles.drawing.document import xml
from nonosat.puzzles.puzzle import Puzzle
from nonosat.solvers.explain.explaining import explainer_of
from nonosat.solvers.explain.steps import Step


def page(puzzle: Puzzle, values: list[list[int]], steps: Sequence[Step], note: str = "") -> str:
    """The page of ``steps`` from the position ``values`` on; ``note``: a line about how it ends.

    >>> from nonosat.puzzles.nonogram import Nonogram
    >>> puzzle = Nonogram.from_lengths([[1]], [[1]], title="</script>")
    >>> made = page(puzzle, [[-1]], [])
    >>> made.startswith("<!DOCTYPE html>"), made.count("</script>")
    (True, 2)
    """
    height, width = puzzle.shape
    data = {
        "title": puzzle.title,
        "height": height,
        "width": width,
        "start": values,
        "note": note,
        "steps": [step.record() for step in steps],
        **explainer_of(puzzle).view.page(puzzle),
    }
    told = json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    template = Path(__file__).with_name("page.html").read_text(encoding="utf-8")
    title = xml(puzzle.title or f"{puzzle.kind} of {height}x{width}")
    return template.replace("@TITLE@", title).replace("@DATA@", told)
