"""What an editor is told of a puzzle after each change: what can be said at once, and the rest when it asks again."""

from __future__ import annotations

import math
import threading
from collections import OrderedDict
from dataclasses import replace
from typing import TYPE_CHECKING

from nonosat.app.bodies import Body
from nonosat.app.wire import cells_of, native_text, puzzle_to_wire
from nonosat.puzzles.puzzle import Puzzle

if TYPE_CHECKING:
    from nonosat.generators.editing import Analysis
    from nonosat.generators.unique_changes import UniqueChanges

SLICE_S = 0.04
"""For changes that make a puzzle unique, at a time: so long the next edit may have to wait for its analysis."""
_ONE = threading.Lock()
"""Analyses take turns: they are short, and side by side each would take as long as all."""


def analysed(puzzle: Puzzle) -> Body:
    """What an editor shows of ``puzzle``; heat is null where no change was tried."""
    from nonosat.generators.editing import analyse, unique_changes  # compiled code

    with _ONE:
        about = analyse(puzzle)
        found = unique_changes(puzzle, about)
        changes = None if found is None else _BEGUN.go_on(_key(puzzle), found)
    verdict = about.verdict
    return {
        "verdict": verdict.word,
        "label": verdict.label,
        "reason": verdict.reason,
        "solutions": None if verdict.solutions is None else str(verdict.solutions),
        "at_least": verdict.at_least,
        "shared": verdict.shared.ravel().tolist(),
        "exact": verdict.exact,
        "heat": _heat(about),
        "changes": changes,
        "tried_all": about.tried_all,
        "picture": None if about.picture is None else cells_of(about.picture),
        "puzzle": puzzle_to_wire(puzzle),
    }


def changed(puzzle: Puzzle) -> Body | None:
    """More of what ``analysed`` says of changes that make ``puzzle`` unique; null: none were begun, or forgotten."""
    with _ONE:
        return _BEGUN.go_on(_key(puzzle))


class Begun:
    """The puzzles whose changes were asked for last: what is not settled is gone on with."""

    def __init__(self, most: int = 8) -> None:
        self.known: OrderedDict[str, UniqueChanges] = OrderedDict()
        self.most = most

    def go_on(self, text: str, new: UniqueChanges | None = None) -> Body | None:
        """Does a change of each cell make the puzzle unique: 1 yes, 0 no, -1 not settled (yet, if not ``done``)."""
        if new is not None:
            self.known[text] = new
        if text not in self.known:
            return None
        self.known.move_to_end(text)
        while len(self.known) > self.most:
            self.known.popitem(last=False)
        changes = self.known[text]
        changes.go_on(SLICE_S)
        return {"unique": changes.cells().ravel().tolist(), "done": changes.done}


_BEGUN = Begun()


def _key(puzzle: Puzzle) -> str:
    return native_text(replace(puzzle, title=""))  # type: ignore[type-var]


def _heat(about: Analysis) -> list[float | None] | None:
    heat = about.heat()
    if heat is None:
        return None
    return [None if math.isnan(share) else round(share, 3) for share in heat.ravel().tolist()]
