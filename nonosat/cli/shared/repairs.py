"""What a repair has changed, for people."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from nonosat.generators.repair import Repair


def told_repair(repair: Repair, line_solvable: bool) -> str:
    """What was changed: ``unique, 1 of 9 cells changed (11 %): 2,3 #→.``."""
    goal = "line-solvable" if line_solvable else "unique"
    if not repair.changes and repair.reason is None:
        return f"{goal} as it is, no cell changed"
    puzzle = repair.puzzle
    symbols = "." + "".join(colour.symbol for colour in puzzle.palette)
    told = "  ".join(f"{c.row + 1},{c.column + 1} {symbols[c.old]}→{symbols[c.new]}" for c in repair.changes)
    cells = puzzle.height * puzzle.width
    if repair.reason is not None:
        goal = f"not {goal} yet, {repair.reason}"
    return f"{goal}, {len(repair.changes):,} of {cells:,} cells changed ({100 * repair.share:.2g} %): {told}"
