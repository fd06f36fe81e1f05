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

    ``short``: what a step of it was, in a player's words, where ``meaning`` is too exact; behind "Hardest step:".
    ``kind``: of the puzzles that it is for; None: any. ``level``: harder ones have more. ``find``: its code; for
    nonograms a function of a ``nonogram.line.ClueLine`` that gives ``LineFinding``s (what it cannot see, such as cells
    of other lines, it cannot use). None: the machinery has it.
    """

    axis: ClassVar[str] = "technique"

    name: str
    meaning: str
    level: float
    short: str = ""
    kind: str | None = None
    find: Code[Callable[[Any], Iterable[Any]] | None] = Code(None)

    def __repr__(self) -> str:
        return f"Technique({self.name!r})"


def _of_line(name: str, level: float, short: str, meaning: str, kind: str = "nonogram") -> Technique:
    find = f"nonosat.explanations.{kind}.techniques:{name.replace('-', '_')}"
    return Technique(name=name, level=level, short=short, meaning=meaning, kind=kind, find=find)


def _of_towers(name: str, level: float, short: str, meaning: str) -> Technique:
    return _of_line(name, level, short, meaning, "skyscrapers")


TECHNIQUES: Table[Technique] = Table(
    "technique",
    Technique,
    (
        _of_line(
            "overlap",
            10,
            "cells that a run covers wherever it stands",
            "cells that a run covers wherever it stands between blanks and walls",
        ),
        _of_line(
            "finished-line",
            20,
            "a line whose open cells were all blank, or all filled",
            "all runs are there; or exactly as many cells are left as they need",
        ),
        _of_line(
            "edge",
            30,
            "a run that was known at one end",
            "all cells up to a filled one are known from one end, so a run begins (or ends) there",
        ),
        _of_line(
            "finished-run",
            40,
            "a run that was as long as it can be",
            "filled cells as long as any run there can be: blanks on both sides",
        ),
        _of_line("joining", 50, "filled cells of one run", "cells between filled ones that only one run can cover"),
        _of_line(
            "splitting",
            60,
            "a cell that would have made a run too long",
            "a cell that would join filled cells to a run that is too long",
        ),
        _of_line(
            "small-gap",
            70,
            "a gap that was too small for a run",
            "a gap between blanks is too small for a run, or for the next one",
        ),
        _of_line(
            "glue",
            80,
            "a run that could grow only one way",
            "a run at a wall, a known blank or another colour grows only away from it",
        ),
        _of_line(
            "runs-apart",
            90,
            "how far a run could reach",
            "how far each run reaches, from the filled cells that only it can cover",
        ),
        _of_line(
            "any-placement",
            100,
            "what all placements of a line's runs share",
            "what all placements of the line's runs share; nothing more follows from one line",
        ),
        _of_towers("clue-one", 10, "a clue 1", "clue 1: the first tower is the highest"),
        _of_towers("clue-all", 15, "a clue that sees all towers", "clue N: the towers rise from 1 to N"),
        _of_towers("last-cell", 20, "the last open cell of a line", "the missing height, where one cell is open"),
        _of_towers(
            "hidden-single", 30, "a height with one place left in a line", "a height with one cell left in a line"
        ),
        _of_towers("naked-single", 35, "a cell with one height left", "a cell with one height left"),
        _of_towers(
            "clue-cut",
            40,
            "heights that are too high to stand first",
            "with clue c the first tower has at most N - c + 1, each behind it one more",
        ),
        _of_towers(
            "before-highest",
            60,
            "the towers before the highest",
            "where N stands, only towers before it count: with clue 2 the first is the highest of "
            "them, with the largest possible clue they rise",
        ),
        _of_towers(
            "naked-pair",
            70,
            "two cells that share two heights",
            "two cells share two heights, which no other cell of the line has",
        ),
        _of_towers(
            "hidden-pair",
            75,
            "two heights that share two cells",
            "two heights share two cells, which have no other height",
        ),
        _of_towers(
            "naked-triple",
            80,
            "three cells that share three heights",
            "three cells share three heights, which no other cell of the line has",
        ),
        _of_towers(
            "hidden-triple",
            85,
            "three heights that share three cells",
            "three heights share three cells, which have no other height",
        ),
        _of_towers(
            "few-orders",
            90,
            "what a few orders of a line share",
            "what all orders of a line share, seen from both ends, if there are at most eight; the step shows them",
        ),
        _of_towers(
            "any-order",
            100,
            "what many orders of a line share",
            "the same for any number of orders; nothing more follows from a line and its clues",
        ),
        Technique(
            name="lines-together",
            level=200,
            short="a colour that crossing lines exclude together",
            meaning="with colours: one line excludes colours of a cell, and a crossing line goes on from there",
        ),
        Technique(
            name="contradiction",
            level=300,
            short="a value that led to a contradiction",
            meaning="a value is assumed; a chain of lines ends in one without a placement, an order or a candidate",
        ),
        Technique(
            name="nested",
            level=400,
            short="a contradiction that only further values showed",
            meaning="the same, with values of further cells refuted under the assumption",
        ),
        Technique(
            name="constraints",
            level=500,
            short="several rules together",
            meaning="a smallest set of constraints from which a cell follows",
        ),
        Technique(
            name=GUESS, level=900, short="a guess", meaning="nothing else fixes a cell: a value of a solution is taken"
        ),
        Technique(name=ERROR, level=0, short="an error", meaning="cells that cannot all be right"),
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
