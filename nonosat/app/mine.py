"""The puzzles that were made here as a pack to play: with lives where they are unique, in free play otherwise."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

from nonosat.app import own
from nonosat.app.database import ProgressFile
from nonosat.app.packs import LIVES, MINE, Pack, Packed
from nonosat.app.wire import native
from nonosat.puzzles.puzzle import Puzzle

ICON = ("...##", "..###", ".###.", "###..", "##...")
LABELS = {"several": "several solutions", "none": "no solution", "unsettled": "perhaps several solutions"}


@dataclass(frozen=True)
class Shelved:
    """One of them as its card shows it: nobody has read it, nor asked yet whether it is unique."""

    name: str
    title: str
    kind: str
    shape: tuple[int, int]
    label: str = ""


def pack(database: ProgressFile) -> Pack[Shelved]:
    """All of them, the newest first."""
    cards = own.cards(database)
    puzzles = tuple(Shelved(str(card.id), card.title, card.kind, (card.height, card.width)) for card in cards)
    return Pack(MINE, "My puzzles", ICON, puzzles)


def packed(database: ProgressFile, name: str) -> Packed:
    """One of them, ready to play: its goal is its only solution, and none if it has several or that is not settled."""
    number = own.number_of(name)
    label, puzzle = _judged(own.text_of(database, number))
    return Packed(str(number), label, LIVES, puzzle)


@lru_cache(maxsize=64)
def _judged(text: str) -> tuple[str, Puzzle]:
    """Asked at every move, and read and analysed at the first: the bounds are work, so the answer stays the same."""
    from nonosat.making.editing import analyse  # compiled code

    puzzle = native(text)
    verdict = analyse(puzzle).verdict
    goal = puzzle.picture(verdict.shared) if verdict.word in ("lines", "unique") else None
    label = LABELS.get(verdict.word) or verdict.label or verdict.word
    return label, replace(puzzle, goal=goal)  # type: ignore[type-var]
