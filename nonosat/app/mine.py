"""The puzzles that were made here as a pack to play: with lives where they are unique, in free play otherwise."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from nonosat.app import own
from nonosat.app.database import Database
from nonosat.app.packs import LIVES, MINE, Pack, Packed
from nonosat.app.wire import native, native_text
from nonosat.puzzles.puzzle import Puzzle

ICON = ("...##", "..###", ".###.", "###..", "##...")
LABELS = {"several": "several solutions", "none": "no solution", "unsettled": "perhaps several solutions"}


def pack(database: Database) -> Pack:
    """All of them, the newest first, as they were drawn or typed; nobody has asked yet whether they are unique."""
    puzzles = tuple(Packed(str(number), "", LIVES, puzzle) for number, puzzle in own.puzzles(database))
    return Pack(MINE, "My puzzles", ICON, puzzles)


def packed(database: Database, name: str) -> Packed:
    """One of them, ready to play: its goal is its only solution, and none if it has several or that is not settled."""
    number = int(name) if name.isdecimal() and len(name) < 16 else 0
    label, puzzle = _judged(native_text(own.get(database, number)))
    return Packed(str(number), label, LIVES, puzzle)


@lru_cache(maxsize=64)
def _judged(text: str) -> tuple[str, Puzzle]:
    """Asked at every move, and analysed at the first one: the bounds are work, so the answer is always the same."""
    from nonosat.generators.editing import analyse  # compiled code

    puzzle = native(text)
    verdict = analyse(puzzle).verdict
    goal = puzzle.picture(verdict.shared) if verdict.word in ("lines", "unique") else None
    label = LABELS.get(verdict.word) or verdict.label or verdict.word
    return label, replace(puzzle, goal=goal)  # type: ignore[type-var]
