"""A study: which puzzles, encodings and solvers, how often and under which limits.

``study_file.py`` makes it from a TOML file, ``checking.py`` says what it would take, ``shapes.py`` and ``groups.py``
what runs follow from it. Nothing here runs anything.
"""

from __future__ import annotations

from dataclasses import dataclass

from nonosat.errors import FormatError
from nonosat.experiments.entries import Entry
from nonosat.experiments.plan import Settings
from nonosat.files import shown

ORDERS = ("by-instance", "interleaved", "shuffled")


@dataclass(frozen=True)
class Study:
    """A study as its file states it; ``path`` and ``text`` are that file's. Names are as written."""

    settings: Settings
    title: str
    puzzles: tuple[Entry, ...]
    encodings: tuple[str, ...]
    solvers: tuple[str, ...]
    repetitions: int
    order: str
    order_seed: int
    path: str
    text: str

    @property
    def name(self) -> str:
        """The study's name."""
        return self.settings.study

    def fault(self, key: str, reason: object) -> FormatError:
        """What is wrong with the value of ``key`` in the study's file."""
        return FormatError(f"{key}: {reason}", source=shown(self.path))
