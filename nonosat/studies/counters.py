"""The counters of studies: one table. A study's ``solvers`` name solvers and counters alike.

To add one: a search (``solver.Search``) that reports what it knows by the event ``Measured``, and a line here; or a
plug-in that has the record.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import metadata
from typing import TYPE_CHECKING, ClassVar

from nonosat.encodings.registry import Encoding
from nonosat.errors import UnknownNameError, UnsupportedError
from nonosat.plugins import Code, Record, Table
from nonosat.runs.solver import Solver
from nonosat.solvers.registry import solver as solver_named
from nonosat.solvers.registry import solvers

if TYPE_CHECKING:
    from nonosat.runs.solver import Search


@dataclass(frozen=True, eq=False)
class Counter(Record):
    """A counter. ``search``: reports by ``Measured`` what it knows, by the names of the records' fields.

    ``encoded``: it wants a study's encodings, as a SAT solver does. ``kind`` and ``package`` as of a ``Solver``.
    """

    axis: ClassVar[str] = "counter"

    name: str
    meaning: str
    search: Code[Search] = Code()
    encoded: bool = False
    kind: str | None = None
    package: str | None = None

    def solver(self) -> Solver:
        """What stands for it in a study's runs; nothing is imported for it."""
        family = "SAT" if self.encoded else "own"
        search = vars(self)["search"]
        return Solver(self.name, family, self.meaning, search, kind=self.kind, package=self.package)  # type: ignore[arg-type]


def _fault(counter: Counter, others: Mapping[str, Counter]) -> str | None:
    """Why it conflicts with ``others`` or the solvers."""
    taken = {name for entry in solvers().known().values() for name in (entry.name, *entry.aliases)}
    return "there is a solver of that name" if counter.name in taken else None


def _ours(name: str, meaning: str, search: str, kind: str | None = "nonogram", **about: object) -> Counter:
    where = f"nonosat.studies.counter_searches:{search}"
    return Counter(name, meaning, where, kind=kind, **about)  # type: ignore[arg-type]


COUNTERS: Table[Counter] = Table(
    "counter",
    Counter,
    (
        _ours("components", "all solutions counted on the line solver; their backbone; Bethe's estimate", "components"),
        _ours("ganak", "all solutions counted by Ganak", "ganak", None, encoded=True, package="pyganak"),
        _ours("approxmc", "an approximate count, by ApproxMC", "approxmc", None, encoded=True, package="pyapproxmc"),
        _ours("bethe", "Bethe's estimate of the number of solutions", "bethe"),
        _ours("backbone", "cells that all solutions share: a short count, else SAT", "backbone", None),
        _ours("difficulty", "what reasoning it takes, without the search of guesses", "difficulty"),
    ),
    _fault,
)


def named(name: str) -> Solver:
    """The solver or the counter of that name. UnknownNameError; UnsupportedError: what it needs is not installed."""
    if name not in COUNTERS.known():
        try:
            return solver_named(name)
        except UnknownNameError as error:  # plug-ins have been looked for now
            if error.kind != "solver":
                raise
            if name not in COUNTERS.known():
                raise UnknownNameError("solver", error.name, [*error.known, *COUNTERS]) from None
    counter = COUNTERS.known()[name]
    if name in solvers().known():
        raise UnsupportedError(f"{name}: a solver and a counter have that name")
    if counter.package is not None and not _installed(counter.package):
        raise UnsupportedError(f"counter {name} needs {counter.package}, which is not installed")
    return counter.solver()


def _installed(package: str) -> bool:
    try:
        return bool(metadata.version(package))
    except metadata.PackageNotFoundError:
        return False


def refuse_models(named: object) -> None:
    """UnsupportedError: a solver or a counter that is for puzzles only."""
    if not isinstance(named, Solver) or named.solves_csps:
        return
    known = COUNTERS.known().get(named.name)
    if known is None or not known.encoded:
        raise UnsupportedError(f"{named.name} is for puzzles only")


def refuse(counter: Solver, encoding: Encoding) -> None:
    """UnsupportedError: ``counter`` is one that wants encodings, and this one has other solutions than the puzzle."""
    known = COUNTERS.known().get(counter.name)
    if known is not None and known.encoded and not (encoding.sound and encoding.complete):
        raise UnsupportedError(f"{counter.name} counts nothing through {encoding.name}, which has other solutions")
