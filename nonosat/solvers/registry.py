"""All solvers by name.

A solver is a *search*: a generator of events for (puzzle, encoding name, at most N pictures, solver name). To add one:
write the search in a file of its own and list it here. Names of the form ``exec:COMMAND`` are external programs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib import import_module

from nonosat.errors import UnknownNameError
from nonosat.puzzles.nonogram import Nonogram
from nonosat.solvers.answer import Event

Search = Callable[[Nonogram, str, int | None, str], Iterator[Event]]


@dataclass(frozen=True)
class Solver:
    """``module`` holds the search, and is imported when used.

    ``family``: SAT (wants a CNF), CP (wants a CSP), or own (states the puzzle in its own way, without an encoding).
    """

    name: str
    family: str
    module: str
    meaning: str
    aliases: tuple[str, ...] = ()


DEFAULT = "minisat22"
EXTERNAL = "exec:"


@cache
def solvers() -> dict[str, Solver]:
    """Every solver that this installation has, by its name."""
    from nonosat.solvers import sat

    found = [
        Solver(name, "SAT", "nonosat.solvers.sat", "python-sat", tuple(a for a in aliases if a != name))
        for name, aliases in sat.names().items()
    ]
    found.append(Solver("cpsat", "CP", "nonosat.solvers.cpsat", "OR-Tools CP-SAT on the CSP of the rules, one worker"))
    meaning = "OR-Tools CP-SAT on one automaton a line, one worker"
    found.append(Solver("cpsat-automaton", "own", "nonosat.solvers.cpsat_automaton", meaning))
    return {solver.name: solver for solver in found}


def solver(name: str) -> Solver:
    """The solver called ``name`` (or python-sat's short name for it, such as ``g4``), or the command ``exec:COMMAND``.

    UnsupportedError: a command whose program is not there.
    """
    if name.startswith(EXTERNAL):
        from nonosat.solvers import external

        external.check(name)
        return Solver(name, "SAT", external.__name__, "an external program")
    known = solvers()
    if name in known:
        return known[name]
    for entry in known.values():
        if name in entry.aliases:
            return entry
    raise UnknownNameError("solver", name, [*known, f"{EXTERNAL}COMMAND"])


def with_limits(name: str, time_limit_s: float | None, memory_limit_mb: float | None) -> str:
    """``name``, with the limits written into an external command that has places for them."""
    if not name.startswith(EXTERNAL):
        return name
    from nonosat.solvers import external

    return external.fill(name, time_limit_s, memory_limit_mb)


def search(puzzle: Nonogram, encoding: str, at_most: int | None, name: str) -> Iterator[Event]:
    """Run the solver called ``name``."""
    entry = solver(name)
    run: Search = import_module(entry.module).search
    yield from run(puzzle, encoding, at_most, entry.name)
