"""All solvers by name: one table.

To add one: write its search in a file of its own (``solver.Search``; a generator of events) and list it here, a line a
solver; or bring it by a plug-in. Names of the form ``exec:COMMAND`` are external programs, ``ipasir:FILE`` shared
libraries. A solver may have switches, which are written behind its name: ``elimination+fifo+tracking``. A name is read
once, where it comes in (``solver``); what is passed on is the solver.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

from nonosat import plugins
from nonosat.errors import UnknownNameError, UnsupportedError, wrong_type
from nonosat.interrupts import loading
from nonosat.plugins import Table
from nonosat.puzzles.puzzle import Puzzle
from nonosat.references import CERTIFYING_SEARCH
from nonosat.runs.events import Event
from nonosat.runs.solver import EXTERNAL, IPASIR, Solver, Switch
from nonosat.solvers.sat import CERTIFICATES, PROVERS

if TYPE_CHECKING:
    from nonosat.encodings.registry import Encoding

DEFAULT = "auto"
"""Solves puzzles where neither a solver nor an encoding is named."""
DEFAULT_SAT = "minisat22"
"""Solves formulas: where an encoding is named and no solver, and any CSP."""
LIMIT = Switch(("limit=",))
"""``limit=N``: give up (MEMOUT) if a line has more than N placements."""


def _native(name: str, search: str, meaning: str, *switches: Switch, kind: str = "nonogram", **about: Any) -> Solver:
    return Solver(name, "own", meaning, f"nonosat.solvers.{search}", switches=switches, kind=kind, **about)


def _sat(name: str, solved: str, meaning: str, **about: Any) -> Solver:
    return Solver(name, "SAT", meaning, solved=f"nonosat.solvers.{solved}", **about)


NATIVE = (
    _native("exhaustive", "published.walejko:exhaustive_search", "every filling, cell by cell (Wałejko 2022)"),
    _native(
        "axis",
        "published.walejko:axis_search",
        "depth-first over the placements of the rows or of the columns (Wałejko 2022)",
        Switch(("partial",)),
        LIMIT,
    ),
    _native(
        "elimination",
        "published.walejko:elimination_search",
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
        "published.segers:search",
        "depth-first over the rows' placements, with masks from the columns (Segers 2015)",
        LIMIT,
    ),
    _native(
        "propagation",
        "propagation.tree:search",
        "complete line solving, probing, backtracking",
        Switch(("noprobe",), "probe"),
        Switch(("nomemo",), "memo"),
    ),
    _native(
        "beliefs",
        "propagation.decimation:search",
        "cells fixed by belief propagation, lines; finds pictures, and gives up where there is none (incomplete)",
        complete=False,
    ),
    _native(
        "phases",
        "published.majdandzic:search",
        "candidates cut by the clues, permutations of lines, guessing: five phases (Majdandžić 2022)",
        Switch(("no1",)),
        Switch(("no2",)),
        Switch(("no3",)),
        Switch(("no4",)),
        Switch(("min",), "first"),
        kind="skyscrapers",
    ),
)

CP = (
    Solver(
        "cpsat",
        "CP",
        "OR-Tools CP-SAT on the CSP of the rules, one worker",
        "nonosat.solvers.cp:search",
        of_csp="nonosat.solvers.cp:search_csp",
        package="ortools",
        aborts=True,
    ),
    _native(
        "cpsat-automaton",
        "cp:automaton_search",
        "OR-Tools CP-SAT on one automaton a line, one worker",
        package="ortools",
        aborts=True,
    ),
)

AUTO = Solver(
    "auto",
    "own",
    "lines and probing, beliefs, SAT with what they found out; five phases, SAT",
    "nonosat.solvers.auto.search:search",
    light="nonosat.solvers.auto.light:search",
    package="python-sat",
)

CERTIFIED = Solver(
    "certified",
    "SAT",
    "a SAT solver whose proof is written over the puzzle's own statement and checked (nonosat certify)",
    CERTIFYING_SEARCH,
    switches=(Switch(tuple(name for name in PROVERS if name != CERTIFICATES), CERTIFICATES),),
    package="python-sat",
)

CERTIFIED_AUTO = Solver(
    "certified-auto",
    "own",
    "nonograms by lines, probing and SAT, with a proof of each step that is checked; others as certified",
    CERTIFYING_SEARCH,
    package="python-sat",
)


OURS = (*CP, *NATIVE, AUTO, CERTIFIED, CERTIFIED_AUTO)
"""Those that are not python-sat's."""


@cache
def solvers() -> Table[Solver]:
    """Every solver that there is, by its name; python-sat's are those of the installed wheel."""
    from nonosat.solvers.sat import session

    theirs = (
        _sat(
            name,
            "sat.search:solved",
            "python-sat",
            package="python-sat",
            aliases=tuple(alias for alias in aliases if alias != name),
        )
        for name, aliases in session.names().items()
    )
    return Table("solver", Solver, (*theirs, *OURS), Solver.fault)


def solver(named: str | Solver) -> Solver:
    """The solver of a name (or python-sat's short name for it, such as ``g4``), ``exec:COMMAND``, or ``ipasir:FILE``.

    One that is a solver already is given back. UnsupportedError: a program or a library that is not there.
    """
    if isinstance(named, Solver):
        return named
    if not isinstance(named, str):
        raise wrong_type("the name of a solver", named)
    if named.startswith(EXTERNAL):
        from nonosat.solvers.sat.external import check

        command = named.removeprefix(EXTERNAL)
        check(command)
        return _sat(named, "sat.external:solved", "an external program", command=command)
    if named.startswith(IPASIR):
        from nonosat.solvers.sat.ipasir import located

        library = located(named)
        return _sat(named, "sat.ipasir:solved", "a shared library with IPASIR", library=library, aborts=True)
    return _known(named, plugins.changes())


def csp_solver(named: str | Solver) -> Solver:
    """As ``solver``, for one that solves any CSP. UnsupportedError: it solves puzzles only."""
    try:
        chosen = solver(named)
    except UnknownNameError as error:
        table = solvers()
        known = [name for name in error.known if name not in table or table[name].solves_csps]
        raise UnknownNameError("solver", error.name, known) from None
    if not chosen.solves_csps:
        raise UnsupportedError(f"{chosen.name} solves puzzles only")
    return chosen


@lru_cache(maxsize=1000)  # every solve asks
def _known(name: str, _: int) -> Solver:
    base, *words = name.split("+")
    if not any(plugins.outside(Solver)):  # without python-sat, which takes long to import
        for one in OURS:
            if base == one.name or base in one.aliases:
                return one.switched(words)
    table = solvers()
    for names in (table.known(), table):  # those that are here, then those that can be found
        for known in names:
            if base == known or base in table[known].aliases:
                return table[known].switched(words)
    raise UnknownNameError("solver", base, [*table, f"{EXTERNAL}COMMAND", f"{IPASIR}FILE"])


def default_for(encoding: str | Encoding | None) -> str:
    """The solver to use if none is named: a SAT solver where an encoding is named."""
    return DEFAULT if encoding is None else DEFAULT_SAT


def with_limits(solver: Solver, time_limit_s: float | None, memory_limit_mb: float | None) -> Solver:
    """``solver``, with the limits written into an external command that has places for them."""
    if solver.command is None:
        return solver
    from nonosat.solvers.sat.external import fill

    return solver.but(command=fill(solver.command, time_limit_s, memory_limit_mb))


def search(puzzle: Puzzle, encoding: Encoding | None, at_most: int | None, solver: Solver) -> Iterable[Event]:
    """Run ``solver`` on ``puzzle``; SAT and CP solvers need an ``encoding``."""
    solver.refuse(puzzle.kind)
    return solver.search(puzzle, encoding, at_most, solver)


def search_once(puzzle: Puzzle, encoding: Encoding | None, at_most: int | None, solver: Solver) -> Iterator[Event]:
    """``search``, by the solver's ``light`` search if that is enough."""
    if solver.light is not None and (yield from solver.light(puzzle, at_most)):
        return
    with loading():
        import_module(solver.module)
    yield from search(puzzle, encoding, at_most, solver)
