"""What an editor is told of a puzzle after each change: what can be said at once, and the rest when it asks again."""

from __future__ import annotations

import math
import threading
from collections import OrderedDict
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from nonosat.app.requests import Body
from nonosat.app.wire import cells_of, native_text
from nonosat.puzzles.puzzle import Puzzle

if TYPE_CHECKING:
    from nonosat.making.editing import Analysis, EditVerdict
    from nonosat.making.unique_changes import UniqueChanges

SLICE_S = 0.04
"""For changes that make a puzzle unique, at a time: so long the next edit may have to wait for its analysis."""
FRAMED = 0.8
"""The heat from which on the page frames a cell: its change makes the puzzle unique."""
WORDS = {
    "lines": "Solvable by lines",
    "unique": "Unique",
    "several": "Several solutions",
    "none": "No solution",
    "unsettled": "Not settled",
}
LABELLED = ("lines", "unique", "unsettled")
_ONE = threading.Lock()
"""Analyses take turns: they are short, and side by side each would take as long as all."""


def analysed(puzzle: Puzzle, drawn: bool = True) -> Body:
    """What an editor shows of ``puzzle``: of one that is drawn, which changes of a cell help, too.

    ``heat`` is null where no change was tried; not ``done``: ``changed`` has more of it.
    """
    from nonosat.making.editing import (
        analyse,
        unique_changes,  # compiled code
    )

    with _ONE:
        about = analyse(puzzle)
        changes = unique_changes(puzzle, about) if drawn else None
        told = _analysis_json(about, None, drawn) if changes is None else _BEGUN.go_on(_key(puzzle), (about, changes))
    return {
        **(told or {}),
        "verdict": about.verdict.word,
        "headline": headline(about.verdict),
        "shared": about.verdict.shared.ravel().tolist(),
        "picture": None if about.picture is None else cells_of(about.picture),
    }


def changed(puzzle: Puzzle) -> Body | None:
    """More of what ``analysed`` says of changes that make ``puzzle`` unique; null: none were begun, or forgotten."""
    with _ONE:
        return _BEGUN.go_on(_key(puzzle))


class Begun:
    """The puzzles whose changes were asked for last: what is not settled is gone on with."""

    def __init__(self, most: int = 8) -> None:
        self.known: OrderedDict[str, tuple[Analysis, UniqueChanges]] = OrderedDict()
        self.most = most

    def go_on(self, text: str, new: tuple[Analysis, UniqueChanges] | None = None) -> Body | None:
        """Some more of the changes, and what they are now known to do."""
        if new is not None:
            self.known[text] = new
        if text not in self.known:
            return None
        self.known.move_to_end(text)
        while len(self.known) > self.most:
            self.known.popitem(last=False)
        about, changes = self.known[text]
        changes.go_on(SLICE_S)
        return _analysis_json(about, changes, True)


_BEGUN = Begun()


def _key(puzzle: Puzzle) -> str:
    return native_text(replace(puzzle, title=""))  # type: ignore[type-var]


def _analysis_json(about: Analysis, changes: UniqueChanges | None, drawn: bool) -> Body:
    """The heat of each cell, the verdict's details, and whether no more is to come."""
    share = about.heat() if drawn else None
    details = _details(about.verdict)
    done = changes is None or changes.done
    if share is None:
        return {"heat": None, "details": details, "done": done}
    by_lines = int((share == 1).sum())
    if changes is None:
        details += f" {_some(by_lines)} solvable by lines{'' if about.tried_all else ' (not all were tried)'}."
        return {"heat": _heat(share), "details": details, "done": done}
    unique = changes.cells()
    details += f" {_help(by_lines, int((unique > 0).sum()), int((unique < 0).sum()), done)}"
    heat = np.where(unique > 0, FRAMED, 0.35 * share)  # those that make it unique stand out from those that only help
    return {"heat": _heat(np.where(share == 1, 1, heat)), "details": details, "done": done}


def headline(verdict: EditVerdict) -> str:
    """What a puzzle is, in a few words."""
    if verdict.word == "several" and verdict.solutions is not None:
        many = str(verdict.solutions)
        return f"{many if len(many) <= 12 else 'Very many'} solutions"
    return WORDS[verdict.word] + (f" · {verdict.label}" if verdict.label and verdict.word in LABELLED else "")


def _details(verdict: EditVerdict) -> str:
    differ = int((verdict.shared < 0).sum())
    return {
        "lines": "One solution, and nobody has to guess.",
        "unique": "One solution, but lines alone do not find it.",
        "several": f"{'' if verdict.exact else 'At least '}{differ} cells differ between solutions.",
        "none": verdict.reason or "The clues contradict each other.",
        "unsettled": "A second solution was neither found nor ruled out.",
    }[verdict.word]


def _help(by_lines: int, unique: int, still_open: int, done: bool) -> str:
    """Which changes of one cell help, and how far that is known."""
    rest = f" ({still_open} {'could not be settled' if done else 'are still looked at'})" if still_open else ""
    also = " and solvable by lines" if by_lines == unique else f", {by_lines} of them solvable by lines"
    return f"{_some(unique)} unique{also if by_lines else ''}{rest}."


def _some(many: int) -> str:
    return f"{many:,} single cell{'' if many == 1 else 's'} would make it" if many else "No single cell would make it"


def _heat(share: npt.NDArray[np.float64]) -> list[float | None]:
    return [None if math.isnan(value) else round(value, 3) for value in share.ravel().tolist()]
