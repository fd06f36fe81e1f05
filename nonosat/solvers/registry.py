"""All solvers by name.

A solver is a *search*: a generator of events for (puzzle, encoding name, at most N pictures, solver name). To add one:
write the search in a file of its own and list it here. Names of the form ``exec:COMMAND`` are external programs.
A solver may have switches, which are written behind its name: ``elimination+fifo+tracking``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from importlib import import_module
from typing import Any, NamedTuple

from nonosat.errors import UnknownNameError, UnsupportedError
from nonosat.puzzles.puzzle import Puzzle
from nonosat.solvers.answer import Event
from nonosat.solvers.sat.external.command import EXTERNAL, check, fill

Search = Callable[[Puzzle, str, int | None, str], Iterator[Event]]


class Switch(NamedTuple):
    """At most one of ``words`` may be written; ``base`` is the word for none of them. ``N=`` wants a number."""

    words: tuple[str, ...]
    base: str = ""


@dataclass(frozen=True)
class Solver:
    """``module`` holds the search, and is imported when used.

    ``package``: the distribution that its results depend on beside ours, if any.

    ``family``: SAT (wants a CNF), CP (wants a CSP), or own (states the puzzle in its own way, without an encoding).
    ``kind``: of the only puzzles that it is for; None: any, by their encodings.
    ``aborts``: it has been seen to end the process that it is in, so it gets one of its own, limits or not.
    ``complete``: whether it can tell that there is no picture, or no other; if not, it gives up some time (UNKNOWN).
    ``name`` ends with the switches that were chosen, in the order of ``switches``; the base words are left out.
    """

    name: str
    family: str
    module: str
    meaning: str
    aliases: tuple[str, ...] = ()
    switches: tuple[Switch, ...] = ()
    package: str | None = None
    kind: str | None = None
    complete: bool = True
    aborts: bool = False

    def refuse(self, kind: str) -> None:
        """UnsupportedError: this solver is not for that kind of puzzles."""
        if self.kind not in (None, kind):
            raise UnsupportedError(f"solver {self.name} is for the puzzle {self.kind}, not for {kind}")

    def switched(self, words: list[str]) -> Solver:
        """The same solver with the switches ``words``."""
        left, chosen = list(words), []
        for switch in self.switches:
            found = [word for word in left if any(_is(word, known) for known in (*switch.words, switch.base))]
            if len(found) > 1:
                raise UnsupportedError(f"solver {self.name}: {' and '.join(found)} exclude each other")
            left = [word for word in left if word not in found]
            chosen += [word for word in found if word != switch.base]
        if left:
            known = [word for switch in self.switches for word in (*switch.words, switch.base) if word]
            raise UnknownNameError(f"switch of solver {self.name}", left[0], known)
        return replace(self, name="+".join((self.name, *chosen)))


def _is(word: str, known: str) -> bool:
    if not known.endswith("="):
        return word == known
    number = word.removeprefix(known)
    return word != number and number.isascii() and number.isdigit() and 0 < len(number) < 16


DEFAULT = "minisat22"
COMMAND_LINE_DEFAULT = "auto+quick"
"""Of ``nonosat solve``, unless an encoding is named."""
LIMIT = Switch(("limit=",))
"""``limit=N``: give up (MEMOUT) if a line has more than N placements."""


def _native(name: str, module: str, meaning: str, *switches: Switch, kind: str = "nonogram", **about: Any) -> Solver:
    return Solver(name, "own", module, meaning, switches=switches, kind=kind, **about)


NATIVE = [
    _native("exhaustive", "nonosat.solvers.placements.exhaustive", "every filling, cell by cell (Wałejko 2022)"),
    _native(
        "axis",
        "nonosat.solvers.placements.axis",
        "depth-first over the placements of the rows or of the columns (Wałejko 2022)",
        Switch(("partial",)),
        LIMIT,
    ),
    _native(
        "elimination",
        "nonosat.solvers.placements.elimination",
        "drop placements that contradict known cells, line by line; assume one when stuck (Wałejko 2022)",
        Switch(("nobreak",)),
        Switch(("columns",), "rows"),
        Switch(("min", "max"), "first"),
        Switch(("fifo", "unchanged"), "lifo"),
        Switch(("tracking",)),
        LIMIT,
    ),
    _native(
        "rowsearch",
        "nonosat.solvers.placements.rowsearch",
        "depth-first over the rows' placements, with masks from the columns (Segers 2015)",
        LIMIT,
    ),
    _native(
        "propagation",
        "nonosat.solvers.propagation.search",
        "complete line solving, probing, backtracking",
        Switch(("noprobe",), "probe"),
        Switch(("nomemo",), "memo"),
    ),
    _native(
        "beliefs",
        "nonosat.solvers.propagation.dives",
        "cells fixed by belief propagation, lines; finds pictures, and gives up where there is none (incomplete)",
        complete=False,
    ),
    _native(
        "phases",
        "nonosat.solvers.phases.search",
        "candidates cut by the clues, permutations of lines, guessing: five phases (Majdandžić 2022)",
        Switch(("no1",)),
        Switch(("no2",)),
        Switch(("no3",)),
        Switch(("no4",)),
        Switch(("min",), "first"),
        kind="skyscrapers",
    ),
]


@cache
def solvers() -> dict[str, Solver]:
    """Every solver that this installation has, by its name."""
    from nonosat.solvers.sat import session

    def packaged(name: str, family: str, module: str, meaning: str, package: str, **about: Any) -> Solver:
        return Solver(name, family, f"nonosat.solvers.{module}", meaning, package=package, **about)

    found = [
        packaged(name, "SAT", "sat.search", "python-sat", "python-sat", aliases=tuple(a for a in aliases if a != name))
        for name, aliases in session.names().items()
    ]
    found += [
        packaged(
            "cpsat", "CP", "cp.rules", "OR-Tools CP-SAT on the CSP of the rules, one worker", "ortools", aborts=True
        ),
        packaged(
            "cpsat-automaton",
            "own",
            "cp.automaton",
            "OR-Tools CP-SAT on one automaton a line, one worker",
            "ortools",
            kind="nonogram",
            aborts=True,
        ),
    ]
    found += NATIVE
    told = "lines and probing, beliefs, SAT with what they found out; five phases, SAT"
    quick = Switch(("quick",))  # SAT alone begins; see auto.py
    found.append(packaged("auto", "own", "auto.search", told, "python-sat", switches=(quick,)))
    return {solver.name: solver for solver in found}


def solver(name: str) -> Solver:
    """The solver called ``name`` (or python-sat's short name for it, such as ``g4``), or the command ``exec:COMMAND``.

    UnsupportedError: a command whose program is not there.
    """
    if name.startswith(EXTERNAL):
        check(name)
        return Solver(name, "SAT", "nonosat.solvers.sat.external.search", "an external program")
    return _known(name)


@lru_cache(maxsize=1000)  # every solve asks twice
def _known(name: str) -> Solver:
    known = solvers()
    base, *switches = name.split("+")
    for entry in known.values():
        if base == entry.name or base in entry.aliases:
            return entry.switched(switches)
    raise UnknownNameError("solver", base, [*known, f"{EXTERNAL}COMMAND"])


def with_limits(name: str, time_limit_s: float | None, memory_limit_mb: float | None) -> str:
    """``name``, with the limits written into an external command that has places for them."""
    if not name.startswith(EXTERNAL):
        return name
    return fill(name, time_limit_s, memory_limit_mb)


def search(puzzle: Puzzle, encoding: str, at_most: int | None, name: str) -> Iterator[Event]:
    """Run the solver called ``name``."""
    entry = solver(name)
    entry.refuse(puzzle.kind)
    run: Search = import_module(entry.module).search
    yield from run(puzzle, encoding, at_most, entry.name)
