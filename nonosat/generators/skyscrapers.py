"""The record of the generator of Skyscrapers by level; ``skyscrapers_made`` has its code.

Levels are those of Majdandžić (2022), who took them from a puzzle site. 0 to 2 are 4x4, 3 to 5 are 5x5, 6 to 8 are
6x6, each *easy* (every clue), *normal* (some clues) and *hard* (only the needed ones); 9, 10 and 11 are the daily,
weekly and monthly specials. The thesis gives neither the number of clues of *normal* nor the sizes of the specials:
here these are half of the clues, and 7x7, 8x8 and 9x9, hard. Every board has one solution. Where the clues alone do
not suffice for that, heights are given.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import product
from typing import Any

from nonosat import references
from nonosat.errors import UnsupportedError
from nonosat.files import printable
from nonosat.generators.registry import Generator, Parameter

DIFFICULTIES = ("easy", "normal", "hard")
MOST = 15
"""The largest size: every removal of a clue takes a proof that one solution is left."""


@dataclass(frozen=True)
class Level:
    """``size``: N; ``difficulty``: one of ``DIFFICULTIES``; ``number``: the thesis' for it, if it is named by that."""

    size: int
    difficulty: str
    number: int | None = None

    def __post_init__(self) -> None:
        if self.difficulty not in DIFFICULTIES:
            raise UnsupportedError(f"difficulty {self.difficulty!r}: known are {', '.join(DIFFICULTIES)}")
        if not 1 <= self.size <= MOST:
            raise UnsupportedError(f"a board of {self.size}x{self.size}: sizes from 1 to {MOST} are generated")

    def __str__(self) -> str:
        return f"{self.size}x{self.size}-{self.difficulty}" if self.number is None else f"level-{self.number}"


LEVELS: tuple[Level, ...] = (
    *(Level(size, difficulty, number) for number, (size, difficulty) in enumerate(product((4, 5, 6), DIFFICULTIES))),
    *(Level(size, "hard", size + 2) for size in (7, 8, 9)),
)
"""The thesis' levels 0 to 11."""

_NAME = re.compile(r"(?:level-)?([0-9]{1,3})|([0-9]{1,3})x([0-9]{1,3})-([a-z]+)")


def level(value: Any) -> Level:
    """The thesis' level ``8`` (also ``"8"``, ``"level-8"``), or one of any size: ``"12x12-hard"``.

    ValueError: there is no such level.

    >>> level(8), str(level("12x12-hard"))
    (Level(size=6, difficulty='hard', number=8), '12x12-hard')
    """
    shown = printable(repr(value), 60)
    match = _NAME.fullmatch(str(value).strip()) if isinstance(value, int | str) else None
    if match is None or isinstance(value, bool):
        raise ValueError(f"expected a level from 0 to {len(LEVELS) - 1}, or one such as '12x12-hard', not {shown}")
    if match[1] is None:
        if int(match[2]) != int(match[3]):
            raise ValueError(f"{shown}: skyscrapers stand on a square")
        return Level(int(match[2]), match[4])
    if int(match[1]) >= len(LEVELS):
        raise ValueError(f"levels are 0 to {len(LEVELS) - 1}, not {shown}")
    return LEVELS[int(match[1])]


def _facts(level: Level) -> dict[str, Any]:
    return {"level": level.number, "difficulty": level.difficulty}


GENERATOR = Generator(
    name="skyscrapers",
    kind="skyscrapers",
    meaning="a Latin square's clues, and fewer of them as the level is harder; one solution, proved",
    parameters=(
        Parameter(
            word="level",
            key="levels",
            metavar="L",
            meaning="0 to 11 (4x4 to 9x9), or 12x12-hard (easy, normal); levels of a size share a seed's solution",
            read=level,
        ),
    ),
    make="nonosat.generators.skyscrapers_made:of_level",
    facts=_facts,
    unique=True,
    judge=references.TECHNIQUE_JUDGE,
)
