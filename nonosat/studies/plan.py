"""What a study consists of: instances, and for each instance and encoding the runs of its solvers.

A run is named by its key, which is made of everything that it depends on; the store, resuming, shards and merging go by
it alone. A *group* holds the runs that share a puzzle and its formula.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache
from importlib import metadata
from pathlib import Path

from nonosat import plugins
from nonosat.encodings.registry import Encoding, part_of
from nonosat.errors import NonosatError
from nonosat.files import suffix_of
from nonosat.runs.limits import Limits
from nonosat.runs.solver import Solver
from nonosat.studies.counters import Counter
from nonosat.version import __version__


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
class StudyRun:
    """One solver on one group's puzzle, for the ``repetition``-th time."""

    key: str
    solver: Solver
    repetition: int = 0


@dataclass(frozen=True)
class RunGroup:
    """An instance, an encoding (None: for solvers without one), and the runs that share them.

    ``written``: the encoding as the study has it; of a group of CP solvers its rules, which are all that they see
    (``Solver.sees``), so that encodings with the same rules make one group.
    """

    instance: Instance
    encoding: Encoding | None
    runs: tuple[StudyRun, ...]
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
        *(limits.wall_s, limits.cpu_s, limits.memory_mb, *versions(solver), *of_run(encoding, solver)),
    )
    return "".join(f"\n{part!r}" for part in parts)


def key_from(instance: str, rest: str) -> str:
    """The key of a run of ``instance`` with ``rest_of`` the run."""
    return hashlib.sha256(f"{instance!r}{rest}".encode()).hexdigest()[:32]


def versions(solver: Solver) -> tuple[str, ...]:
    """The versions that a result depends on: ours, and that of the package that the solver is in."""
    return (__version__, *(() if solver.package is None else (_version(solver.package),)))


@cache
def _version(package: str) -> str:
    return metadata.version(package)


# What a run owes to plug-ins: a result with somebody else's part depends on the version of that, too.


def of_run(encoding: Encoding | None, solver: Solver) -> tuple[str, ...]:
    """The identities of the plug-ins that an encoding's parts and a solver are of, each once, sorted."""
    if not plugins.LOADED:  # which is asked for every run of a study
        return ()
    base = solver.name.partition("+")[0]  # the record without switches
    records: list[object] = [
        known for kind in (Solver, Counter) for known, _ in plugins.outside(kind) if known.name == base
    ]
    if encoding is not None:
        names = [name for _, chosen in encoding.chosen for name in chosen]
        records += [part_of(encoding.kind, name) for name in (*names, encoding.integers)]
    return _identities(records)


def of_file(path: Path, kinds: Iterable[str]) -> tuple[str, ...]:
    """Those that the puzzles of a file are of: their kinds' and its format's."""
    if not plugins.LOADED:
        return ()
    from nonosat.puzzles.formats import format_of, pictured
    from nonosat.puzzles.puzzle import kind_of

    read_by = [] if pictured.is_image(path) or not suffix_of(path) else [format_of(path)]
    return _identities([*read_by, *map(kind_of, kinds)])


def loaded() -> list[str]:
    """The identities of all plug-ins that are loaded, for the provenance; two of one name are two."""
    return sorted({plugin.identity for plugin in plugins.LOADED})


def load(named: Iterable[str], folder: Path) -> None:
    """Load what a study names; its files are in ``folder``. NonosatError: as ``plugins.load``."""
    for source in named:
        if not source.strip():
            raise NonosatError("a plug-in without a name")
        plugins.load(str(folder / source) if source.endswith(".py") else source)


def _identities(records: Iterable[object]) -> tuple[str, ...]:
    brought = (plugins.origin(record) for record in records)
    return tuple(sorted({plugin.identity for plugin in brought if plugin is not None}))
