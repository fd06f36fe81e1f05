"""What a run owes to plug-ins: a result with somebody else's part depends on the version of that, too."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from nonosat import plugins
from nonosat.encodings.registry import Encoding, part_of
from nonosat.errors import NonosatError
from nonosat.experiments.counters.registry import Counter
from nonosat.files import suffix_of
from nonosat.solvers.solver import Solver


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
    from nonosat.puzzles.kinds import kind_of

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
