"""What a study consists of: instances, and for each instance and encoding the runs of its solvers.

A run is named by its key, which is made of everything that it depends on; the store, resuming, shards and merging go by
it alone. A *group* holds the runs that share a puzzle and its formula.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from functools import cache
from importlib import metadata
from pathlib import Path

import nonosat
from nonosat.encodings.registry import Encoding
from nonosat.experiments import brought
from nonosat.solvers.isolation.limits import Limits
from nonosat.solvers.solver import Solver


@dataclass(frozen=True)
class Instance:
    """A puzzle by what it comes from; ``puzzles.py`` makes it. ``name`` is the same wherever it is made.

    From a generator: ``density/30x30/0.4/7``, with the ``generator``, the ``values`` of its parameters (as the name
    tells them), the ``seed``, and ``brought_by``, the identity of the plug-in that the generator is of, if it is of
    one. From a file: ``file/SHA-256/index``, with ``path`` and ``index`` (from 1).
    """

    name: str
    generator: str | None = None
    values: tuple[str, ...] = ()
    seed: int | None = None
    brought_by: str = ""
    path: str | None = None
    index: int | None = None

    @property
    def source(self) -> str:
        """The name of the generator, or of the file."""
        return self.generator or Path(self.path or "").name

    @property
    def identity(self) -> str:
        """What keys say of it: another plug-in's generator of the same name makes other puzzles."""
        return f"{self.name} by {self.brought_by}" if self.brought_by else self.name


@dataclass(frozen=True)
class Run:
    """One solver on one group's puzzle, for the ``repetition``-th time."""

    key: str
    solver: Solver
    repetition: int = 0


@dataclass(frozen=True)
class Group:
    """An instance, an encoding (None: for solvers without one), and the runs that share them.

    ``written``: the encoding as the study has it; of a group of CP solvers its rules, which are all that they see
    (``Solver.sees``), so that encodings with the same rules make one group.
    """

    instance: Instance
    encoding: Encoding | None
    runs: tuple[Run, ...]
    written: str | None = None


@dataclass(frozen=True)
class Settings:
    """What all runs of a study have in common. ``count``: pictures to look for at most (None: all)."""

    study: str
    limits: Limits = field(default_factory=Limits)
    count: int | None = 1


def key_of(instance: str, encoding: Encoding | None, solver: Solver, repetition: int, settings: Settings) -> str:
    """The key of a run: 32 hexadecimal digits of a SHA-256. The study's name plays no part.

    >>> from nonosat.encodings.registry import encoding
    >>> from nonosat.solvers.registry import solver
    >>> key_of("density/20x20/0.4/7", encoding("tight+r3"), solver("g4"), 0, Settings("a", Limits(10))) == key_of(
    ...     "density/20x20/0.4/7", encoding("tight+r3+order"), solver("glucose4"), 0, Settings("b", Limits(10)))
    True
    """
    return key_from(instance, rest_of(encoding, solver, repetition, settings))


def rest_of(encoding: Encoding | None, solver: Solver, repetition: int, settings: Settings) -> str:
    """What a key is made of beside the instance: the same for thousands of runs, and made once for them."""
    limits = settings.limits
    parts = (
        *(solver.sees(encoding), solver.name, repetition, settings.count),
        *(limits.wall_s, limits.cpu_s, limits.memory_mb, *versions(solver), *brought.of_run(encoding, solver)),
    )
    return "".join(f"\n{part!r}" for part in parts)


def key_from(instance: str, rest: str) -> str:
    """The key of a run of ``instance`` with ``rest_of`` the run."""
    return hashlib.sha256(f"{instance!r}{rest}".encode()).hexdigest()[:32]


def versions(solver: Solver) -> tuple[str, ...]:
    """The versions that a result depends on: ours, and that of the package that the solver is in."""
    return (nonosat.__version__, *(() if solver.package is None else (_version(solver.package),)))


@cache
def _version(package: str) -> str:
    return metadata.version(package)
