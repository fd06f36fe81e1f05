"""A step as text: its sentence, and the line before and after it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from nonosat.explanations.explain import explainer_of
from nonosat.explanations.steps import ConstraintRef, Step
from nonosat.puzzles.drawing import xml
from nonosat.puzzles.puzzle import Puzzle

BOLD, DIM, RESET = "\x1b[1m", "\x1b[2m", "\x1b[0m"
PLACEMENTS = 4
"""Of a step that is explained by placements, so many are shown."""


def step_text(puzzle: Puzzle, step: Step, number: int, before: list[list[int]], colour: bool = False) -> str:
    """Step ``number`` (from 1) in a position; ``colour``: for a terminal.

    >>> from nonosat.puzzles.nonogram import Nonogram
    >>> from nonosat.explanations.explain import explain
    >>> puzzle = Nonogram.from_lengths([[1], [1]], [[1], [1]], given=[(0, 0, 1)])
    >>> print(step_text(puzzle, next(explain(puzzle)), 1, [[1, -1], [-1, -1]]))
    1. Row 1: its run is there, so column 2 is blank. [finished-line]
        1 │██▫▫│
        1 │██··│
    """
    bold, dim, reset = (BOLD, DIM, RESET) if colour else ("", "", "")
    bounded = "; shorter ones were not ruled out" if step.might_be_shorter else ""
    first, *details = step.sentences
    lines = [f"{bold}{number}. {first}{reset} {dim}[{step.technique}{bounded}]{reset}"]
    lines += [f"      {detail}" for detail in details]
    view = explainer_of(puzzle).view
    for constraint in shown_lines(step):
        drawn = [view.line(puzzle, constraint, cells_of(before, constraint), colour)]
        if step.fixes:
            drawn.append(view.line(puzzle, constraint, cells_of(after(before, step), constraint), colour))
        if len(step.constraints) > 1:
            drawn = [f"{constraint!s:10} {line}" for line in drawn]
        lines += [f"    {line}" for line in drawn]
    if len(step.placements) > 1:
        lines += _placements(puzzle, step, colour)
    return "\n".join(lines)


def _placements(puzzle: Puzzle, step: Step, colour: bool) -> list[str]:
    """The first placements; how many there are, the sentence says."""
    view = explainer_of(puzzle).view
    shown = [view.line(puzzle, step.constraints[0], list(cells), colour) for cells in step.placements[:PLACEMENTS]]
    more = ["      ..."] if len(step.placements) > PLACEMENTS else []
    return ["    for example:" if more else "    that is:", *(f"      {line}" for line in shown), *more]


def shown_lines(step: Step) -> list[ConstraintRef]:
    """The lines to draw: the one that the last inference is about, or the rows of the cells that are fixed."""
    lines = [line for each in step.constraints if (line := line_of(each)) is not None]
    if not step.fixes:
        return list(dict.fromkeys(lines))[:4]
    last = step.inferences[-1] if step.inferences else None
    own = line_of(last.constraints[0]) if last is not None and last.constraints and not last.branches else None
    if own is not None and {fact[own.family == "column"] for fact in step.fixes} == {own.place}:
        return [own]
    return [ConstraintRef("row", row) for row in sorted({fact.row for fact in step.fixes})]


def line_of(constraint: ConstraintRef) -> ConstraintRef | None:
    """The row or column that a constraint is, or at an end of which it stands; None: neither.

    >>> print(line_of(ConstraintRef("left", 0)), line_of(ConstraintRef("constraint", 0)))
    row 1 None
    """
    family = {"left": "row", "right": "row", "top": "column", "bottom": "column"}.get(constraint.family)
    if family is not None:
        return ConstraintRef(family, constraint.place)
    return constraint if constraint.family in ("row", "column") else None


def cells_of(values: list[list[int]], constraint: ConstraintRef) -> list[int]:
    """The cells of a row or column."""
    if constraint.family == "row":
        return values[constraint.place]
    return [row[constraint.place] for row in values]


def after(values: list[list[int]], step: Step) -> list[list[int]]:
    """The position after a step.

    >>> from nonosat.explanations.steps import Fact
    >>> after([[-1, 0]], Step("guess", (), (), (Fact(0, 0, (1,)),), "", ()))
    [[1, 0]]
    """
    rows = [list(row) for row in values]
    for row, column, (value,) in step.fixes:
        rows[row][column] = value
    return rows


# A whole explanation as one HTML page that needs nothing else: the arrow keys go from step to step.


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
        "given": [[row, column] for row, column, _ in puzzle.given],
        "note": note,
        "steps": [step.record() for step in steps],
        **explainer_of(puzzle).view.page(puzzle),
    }
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    template = Path(__file__).with_name("page.html").read_text(encoding="utf-8")
    title = xml(puzzle.title or f"{puzzle.kind} of {height}x{width}")
    return template.replace("@TITLE@", title).replace("@DATA@", text)
