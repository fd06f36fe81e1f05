"""The packs that come along: a JSON file each, beside this one.

``{"name", "icon": ["..#..", ...], "order", "puzzles": [{"label", "lives", "puzzle": {our JSON, with its goal}}]}``. A
pack is known by its file's name, a puzzle by its place. ``picture`` may say in which colours the solved puzzle is shown
(``{"palette": [shades, blank first], "rows": ["..12..", ...]}``); else it is shown in its own.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from nonosat.app.errors import RefusedError
from nonosat.app.wire import native
from nonosat.puzzles.puzzle import Puzzle

FOLDER = Path(__file__).parent


@dataclass(frozen=True)
class Packed:
    """A puzzle of a pack: ``label`` says how hard it is; ``lives`` are the errors that end the game."""

    name: str
    label: str
    lives: int
    puzzle: Puzzle
    picture: dict[str, Any] | None = None


@dataclass(frozen=True)
class Pack:
    """Puzzles under a name, with a small drawing (``icon``: strings of ``.`` and ``#``)."""

    name: str
    title: str
    icon: tuple[str, ...]
    puzzles: tuple[Packed, ...]

    def find(self, name: str) -> Packed:
        """The puzzle that is called ``name`` here."""
        for packed in self.puzzles:
            if packed.name == name:
                return packed
        raise RefusedError(f"no such puzzle in the pack {self.title}", 404)


@cache
def packs() -> dict[str, Pack]:
    """All packs by name, in the order in which they are shown."""
    read = {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in sorted(FOLDER.glob("*.json"))}
    ordered = sorted(read, key=lambda name: (read[name].get("order", 99), name))
    return {name: _pack(name, read[name]) for name in ordered}


def pack(name: str) -> Pack:
    """The pack ``name``."""
    if name not in packs():
        raise RefusedError("no such pack", 404)
    return packs()[name]


def _pack(name: str, data: dict[str, Any]) -> Pack:
    puzzles = tuple(
        Packed(str(number), entry["label"], entry["lives"], native(json.dumps(entry["puzzle"])), entry.get("picture"))
        for number, entry in enumerate(data["puzzles"], start=1)
    )
    return Pack(name, data["name"], tuple(data["icon"]), puzzles)
