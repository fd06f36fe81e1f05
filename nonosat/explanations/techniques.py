"""The techniques by which people solve puzzles: one frozen record each, in one table, easy before hard.

A plug-in's technique stands where its ``level`` puts it. What levels mean is their order, and nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar

from nonosat import plugins
from nonosat.explanations.steps import ERROR, GUESS
from nonosat.plugins import Code, Record, Table


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Technique(Record):
    """A way to come to a conclusion that has a name.

    ``kind``: of the puzzles that it is for; None: any. ``level``: harder ones have more. ``find``: its code; for
    nonograms a function of a ``nonogram.line.Line`` that gives the ``Finding``s it comes to (what it cannot see, such
    as cells of other lines, it cannot use). None: the machinery has it.
    """

    axis: ClassVar[str] = "technique"

    name: str
    meaning: str
    level: float
    kind: str | None = None
    find: Code[Callable[[Any], Iterable[Any]] | None] = Code(None)

    def __repr__(self) -> str:
        return f"Technique({self.name!r})"


def _of_line(name: str, level: float, meaning: str, kind: str = "nonogram") -> Technique:
    find = f"nonosat.explanations.{kind}.techniques:{name.replace('-', '_')}"
    return Technique(name=name, level=level, meaning=meaning, kind=kind, find=find)


def _of_towers(name: str, level: float, meaning: str) -> Technique:
    return _of_line(name, level, meaning, "skyscrapers")


TECHNIQUES: Table[Technique] = Table(
    "technique",
    Technique,
    (
        _of_line("overlap", 10, "cells that a run has wherever it stands between blanks and walls"),
        _of_line("finished-line", 20, "all runs are there, or just enough cells are left for them"),
        _of_line("edge", 30, "all is known up to a filled cell, so that a run begins (or ends) there"),
        _of_line("finished-run", 40, "filled cells that are as long as a run can be there end with blanks"),
        _of_line("joining", 50, "cells between filled ones that belong to the same run"),
        _of_line("splitting", 60, "a cell that would join filled ones to a run that is too long is blank"),
        _of_line("small-gap", 70, "between blanks there is no room for a run"),
        _of_line("glue", 80, "a run near a wall or a known blank must grow away from it"),
        _of_line("runs-apart", 90, "which run a filled cell belongs to says how far each of them can reach"),
        _of_line("any-placement", 100, "what all placements of a line's runs share"),
        _of_towers("clue-one", 10, "who sees one tower only looks at the highest"),
        _of_towers("clue-all", 15, "who sees all towers sees them rise from 1 to N"),
        _of_towers("last-cell", 20, "a line with one open cell has the height there that is missing"),
        _of_towers("hidden-single", 30, "a height that has one place left in a line stands there"),
        _of_towers("naked-single", 35, "a cell that can have one height only has it"),
        _of_towers("clue-cut", 40, "towers near a clue leave room for others to rise behind them"),
        _of_towers("before-highest", 60, "where the highest tower is known, clues speak of those before it"),
        _of_towers("naked-pair", 70, "two cells that have two heights between them, which no other cell has"),
        _of_towers("hidden-pair", 75, "two heights that have two cells between them, which have no other height"),
        _of_towers("naked-triple", 80, "three cells that have three heights between them"),
        _of_towers("hidden-triple", 85, "three heights that have three cells between them"),
        _of_towers("few-orders", 90, "what all orders of a line's towers share, if these are eight at most"),
        _of_towers("any-order", 100, "what all orders of a line's towers share, seen from both ends"),
        Technique(name="lines-together", level=200, meaning="what lines rule out of cells, taken together"),
        Technique(name="contradiction", level=300, meaning="a value is assumed, and a chain of lines refutes it"),
        Technique(name="nested", level=400, meaning="assumptions within an assumption"),
        Technique(name="constraints", level=500, meaning="a smallest set of constraints from which a cell follows"),
        Technique(name=GUESS, level=900, meaning="nothing that is looked for tells a cell: a value is taken on trust"),
        Technique(name=ERROR, level=0, meaning="cells that cannot all be right"),
    ),
)


def ordered(kind: str) -> tuple[Technique, ...]:
    """The techniques for a kind of puzzle, easy before hard.

    >>> [technique.name for technique in ordered("nonogram")][:3]
    ['overlap', 'finished-line', 'edge']
    """
    return _ordered(kind, plugins.changes())


@lru_cache(maxsize=100)
def _ordered(kind: str, _: int) -> tuple[Technique, ...]:
    known = [entry for entry in TECHNIQUES.known().values() if entry.kind in (None, kind) and entry.name != ERROR]
    return tuple(sorted(known, key=lambda entry: entry.level))


def level(name: str) -> float:
    """How hard the technique of that name is, for comparisons."""
    return TECHNIQUES.named(name).level


def hardest(names: Iterable[str]) -> str:
    """The hardest of techniques.

    >>> hardest(["glue", "overlap", "joining"])
    'glue'
    """
    return max(names, key=level)
