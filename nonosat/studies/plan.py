"""A study: its puzzles or models, and for each of them and each encoding the runs of its solvers.

An *instance* is a puzzle or a model by its origin: a generator's parameters and seed, or a file. An *entry* of
``[[puzzles]]`` states instances. A *group* is an instance and an encoding with the runs that share the formula. The
*key* of a run is a hash of everything that its result depends on; the store, resuming, shards and merging identify runs
by their keys.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache, lru_cache, partial
from glob import escape, glob
from importlib import metadata
from itertools import product
from math import prod
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from nonosat import plugins
from nonosat.encodings.registry import MODEL, Encoding, part_of
from nonosat.encodings.registry import encoding as encoding_named
from nonosat.errors import FormatError, NonosatError, UnknownNameError, UnsupportedError
from nonosat.files import MAX_BYTES, shown, suffix_of
from nonosat.generators.registry import GENERATORS, Generator, identity
from nonosat.modelling.files import is_model
from nonosat.modelling.files import load_all as models_in
from nonosat.puzzles.formats import load_all
from nonosat.puzzles.puzzle import kind_of
from nonosat.runs.limits import Limits
from nonosat.runs.solver import Solver
from nonosat.studies.counters import Counter, named
from nonosat.version import __version__


@dataclass(frozen=True)
class Instance:
    """A puzzle or a model by what it comes from; ``models.puzzle_of`` makes it. ``name`` is the same wherever that is.

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
    """What a key is made of, without the instance: the same for thousands of runs, and made once for them."""
    limits = settings.limits
    seen = solver.sees(encoding)
    if encoding is not None and seen == encoding.name:
        seen = encoding.key
    parts = (
        *(seen, solver.name, repetition, settings.count),
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


# The plug-ins of a run: a result with a part of theirs depends on their version, too.


def of_run(encoding: Encoding | None, solver: Solver) -> tuple[str, ...]:
    """The identities of the plug-ins that an encoding's parts and a solver are of, each once, sorted."""
    if not plugins.LOADED:  # this is called for every run of a study
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
    kinds = set(kinds)
    if not plugins.LOADED or MODEL in kinds:
        return ()
    from nonosat.puzzles.formats import format_of, pictured

    read_by = [] if pictured.is_image(path) or not suffix_of(path) else [format_of(path)]
    return _identities([*read_by, *map(kind_of, kinds)])


def loaded() -> list[str]:
    """The identities of all plug-ins that are loaded, for the provenance; two of one name are two."""
    return sorted({plugin.identity for plugin in plugins.LOADED})


def _identities(records: Iterable[object]) -> tuple[str, ...]:
    brought = (plugins.origin(record) for record in records)
    return tuple(sorted({plugin.identity for plugin in brought if plugin is not None}))


# What the file of a study's puzzle is known by.


def hashed(path: Path) -> str:
    """The SHA-256 of a file, as hexadecimal digits."""
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise NonosatError(f"{shown(path)}: {(error.strerror or str(error)).lower()}") from None


def unchanged(instance: Instance) -> Path:
    """The file of ``instance``. NonosatError: it is gone, or not what it was when the study was read."""
    path = Path(instance.path or "")
    if hashed(path) != instance.name.split("/")[1]:
        raise NonosatError(f"{shown(path)}: the file has changed since the study began")
    return path


def generator_of(instance: Instance) -> Generator:
    """The generator of ``instance``. NonosatError: it is not the one that the study was read with."""
    if instance.generator is None or instance.seed is None:
        raise UnsupportedError(f"{instance.name}: neither a file nor a generator's board")
    generator = GENERATORS.named(instance.generator)
    if (here := identity(generator)) != instance.brought_by:
        raise NonosatError(
            f"generator {generator.name}: of {here or 'ours'}, the study's of {instance.brought_by or 'ours'}"
        )
    return generator


def parameters_of(instance: Instance) -> dict[str, str]:
    """Its generator's parameters without the seed, by name; nothing for a puzzle from a file.

    >>> parameters_of(Instance("density/2x3/0.5/7", "density", ("2x3", "0.5"), 7))
    {'size': '2x3', 'density': '0.5'}
    """
    if instance.generator is None:
        return {}
    words = [parameter.word for parameter in GENERATORS.named(instance.generator).parameters]
    return dict(zip(words, instance.values, strict=True))


def facts_of(instance: Instance) -> dict[str, Any]:
    """What records have about the instance, besides its name."""
    about: dict[str, Any] = {"source": instance.source, "seed": instance.seed}
    if instance.generator is None:
        return about
    known = GENERATORS.named(instance.generator).known(instance.values)
    return about | {"parameters": json.dumps(parameters_of(instance), ensure_ascii=False)} | known


VARIABLE = re.compile(r"\$[A-Za-z_][A-Za-z0-9_]*")


@dataclass(frozen=True)
class GeneratedEntry:
    """Random boards: ``count`` of each combination of ``values``, with the seeds from ``seed`` on.

    ``values``: those of each of the generator's parameters, as its names have them. ``source``: the study's file.
    """

    generator: str
    values: tuple[tuple[str, ...], ...]
    count: int
    seed: int
    source: str

    def cells(self) -> Iterator[Iterator[Instance]]:
        """The instances, those of each combination by themselves."""
        for values in product(*self.values):
            yield self._of(values)

    def _of(self, values: tuple[str, ...]) -> Iterator[Instance]:
        name = "/".join((self.generator, *values))
        brought_by = identity(GENERATORS.named(self.generator))
        for seed in range(self.seed, self.seed + self.count):
            yield Instance(f"{name}/{seed}", self.generator, values, seed, brought_by)

    def kinds(self) -> set[str]:
        """The kinds of the puzzles."""
        return {GENERATORS.named(self.generator).kind}

    def with_objective(self) -> Path | None:
        """A file with a model that has an objective: none, and what a generator makes is not known before."""
        return None

    def size(self) -> int:
        """How many instances it states."""
        return prod(map(len, self.values)) * self.count

    def problems(self) -> list[str]:
        """What is wrong with the generator, if anything is."""
        generator = GENERATORS.named(self.generator)
        try:
            if generator.kind != MODEL:
                kind_of(generator.kind)
            for values in product(*self.values):
                generator.known(values)
        except NonosatError as error:
            return [str(FormatError(f"generator: {error}", source=self.source))]
        return []


@dataclass(frozen=True)
class FileEntry:
    """Puzzles or models in files: ``patterns`` under ``folder``; of each file those of ``index`` (from 1; None: all).

    A pattern may begin with a variable of the environment, ``$PUZZLES/*.txt``. ``source``, ``line``: the study's
    file, and where it has the entry. FormatError, when it is used: a file is missing, or is no puzzle.
    """

    patterns: tuple[str, ...]
    folder: str
    index: tuple[int, ...] | None
    source: str
    line: int | None = None

    def cells(self) -> Iterator[Iterator[Instance]]:
        """The instances, those of each file by themselves."""
        for path in self.paths():
            yield self.inside(path)

    def kinds(self) -> set[str]:
        """The kinds of the puzzles."""
        return {kind for path in self.paths() for kind in self._about(path).kinds}

    def with_objective(self) -> Path | None:
        """A file with a model that has an objective, if there is one."""
        for path in self.paths():
            best = self._about(path).best
            if best.intersection(self.index or best):
                return path
        return None

    def size(self) -> int:
        """How many instances it states."""
        return sum(1 for path in self.paths() for _ in self.inside(path))

    def problems(self) -> list[str]:
        """Files that cannot be had, each with its reason."""
        found = []
        try:
            paths = self.paths()
        except FormatError as error:
            return [str(error)]
        for path in paths:
            try:
                for _ in self.inside(path):
                    pass
            except FormatError as error:
                found.append(str(error))
        return found

    def paths(self) -> list[Path]:
        """The files that the patterns match: pattern by pattern, sorted, each once."""
        found: dict[Path, None] = {}
        for pattern in self.patterns:
            pattern = self._expanded(pattern)
            matches = sorted(glob(pattern, root_dir=self.folder, recursive=True))  # noqa: PTH207 - takes absolute ones too
            paths = [Path(self.folder, match) for match in matches]
            if not (files := [path for path in paths if path.is_file()]):
                raise self._fault("files", f"{shown(pattern)} matches no file in {shown(self.folder)}")
            found.update(dict.fromkeys(files))
        return list(found)

    def _expanded(self, pattern: str) -> str:
        """The pattern with its variable's value, so that one study can be run on anybody's folder."""
        name, slash, rest = pattern.partition("/")
        if not VARIABLE.fullmatch(name):
            return pattern
        value = os.environ.get(name[1:], "")
        if not value:
            raise self._fault(
                "files", f"{name} is not set: say {name[1:]}=FOLDER before the command, a folder of puzzles"
            )
        return f"{escape(str(Path(value).absolute()))}{slash}{rest}"

    def inside(self, path: Path) -> Iterator[Instance]:
        """The puzzles of a file."""
        digest, count, kinds, _ = self._about(path)
        owed = ", ".join(of_file(path, kinds))
        for number in self.index or range(1, count + 1):
            if number > count:
                raise self._fault("index", f"{shown(path)} has no puzzle {number}, there are {count}")
            yield Instance(f"file/{digest}/{number}", brought_by=owed, path=str(path), index=number)

    def _about(self, path: Path) -> _Content:
        try:
            about = path.stat()
            return _looked_at(path, about.st_mtime_ns, about.st_size)
        except OSError as error:
            raise self._fault("files", f"{shown(path)}: {(error.strerror or str(error)).lower()}") from None
        except NonosatError as error:
            raise self._fault("files", error) from None

    def _fault(self, key: str, reason: object) -> FormatError:
        return FormatError(f"{key}: {reason}", self.line, self.source)


Entry = GeneratedEntry | FileEntry
"""An entry of ``[[puzzles]]``: ``cells``, ``kinds``, ``size`` and ``problems`` of both."""


class _Content(NamedTuple):
    """A file's SHA-256, how many puzzles or models it has, of which kinds, and which have an objective (from 1)."""

    digest: str
    number: int
    kinds: frozenset[str]
    best: frozenset[int] = frozenset()


@lru_cache(maxsize=100_000)
def _looked_at(path: Path, changed: int, size: int) -> _Content:
    if size > MAX_BYTES:
        raise NonosatError(f"{shown(path)}: longer than {MAX_BYTES // 2**20} MiB, the most that is read")
    if is_model(str(path)):
        models = models_in(str(path))
        best = frozenset(number for number, model in enumerate(models, 1) if model.objective is not None)
        return _Content(hashed(path), len(models), frozenset({MODEL}), best)
    puzzles = load_all(path)
    return _Content(hashed(path), len(puzzles), frozenset(puzzle.kind for puzzle in puzzles))


# Which solver of a study works on which encoding.


_T = TypeVar("_T")


@dataclass(frozen=True)
class WorkItem:
    """What is done with every instance: ``solvers`` of one family on one ``encoding``, ``written`` so (``Group``)."""

    encoding: Encoding | None
    written: str | None
    solvers: tuple[Solver, ...]

    @property
    def parts(self) -> str | None:
        """What stands for the encoding in the keys: what the solvers see of it."""
        return self.solvers[0].sees(self.encoding)


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
    analysis: Path | None = None
    """A Python file with tables and figures of the study's own, which its report calls."""

    @property
    def name(self) -> str:
        """The study's name."""
        return self.settings.study

    def fault(self, key: str, reason: object) -> FormatError:
        """What is wrong with the value of ``key`` in the study's file."""
        return FormatError(f"{key}: {reason}", line_of(self.text, "", key), shown(self.path))


_HEADER = re.compile(r"(\[\[?)\s*([A-Za-z][\w.-]*)\s*\]\]?\s*(?:#.*)?")


def line_of(text: str, place: str, key: str) -> int | None:
    r"""The line of ``key`` in the table ``place`` (nothing, ``limits.``, ``puzzles[2].``), or else of that table.

    >>> line_of("name = 'x'\n[[puzzles]]\n[[puzzles]]\ncount = 1", "puzzles[2].", "count")
    4
    """
    here, begun, entries = "", None, 0
    for number, line in enumerate(text.splitlines(), 1):
        if (header := _HEADER.fullmatch(line.strip())) is not None:
            entries += header[1] == "[["
            here = f"{header[2]}[{entries}]." if header[1] == "[[" else f"{header[2]}."
            if place in (here, "") and here.split(".")[0].split("[")[0] == (key if not place else header[2]):
                begun = begun or number
        elif here == place and re.match(rf"\s*[\"']?{re.escape(key)}[\"']?\s*=", line):
            return number
    return begun


def shapes(study: Study) -> list[WorkItem]:
    """All of them, each once. FormatError: an encoding or solver that is unknown, or a program that is not there."""
    families: dict[str, list[Solver]] = {"SAT": [], "CP": [], "own": []}
    for solver in solvers_of(study):
        families[solver.family].append(solver)
    if families["CP"] and of_models(study):  # which have no rules to choose from
        families["own"] += families.pop("CP")
    if (needy := families["SAT"] + families.get("CP", [])) and not study.encodings:
        raise study.fault("encodings", f"missing; solver {needy[0].name} needs one")
    found: dict[tuple[str, str | None], WorkItem] = {}
    for written, encoding in encodings_of(study):
        for family, name in (("SAT", written), ("CP", encoding.rules)):
            if families.get(family):
                shape = WorkItem(encoding, name, tuple(families[family]))
                found.setdefault((family, shape.parts), shape)
    own = [WorkItem(None, None, tuple(families["own"]))] if families["own"] else []
    return [*found.values(), *own]


def of_models(study: Study) -> bool:
    """Whether the study is of models: by its encodings, or by what it runs on, if it has none."""
    try:
        if study.encodings:
            return any(encoding_named(name).kind == MODEL for name in study.encodings)
        return _runs_on_models(study)
    except NonosatError:  # which is reported where it is looked for
        return False


def encodings_of(study: Study) -> list[tuple[str, Encoding]]:
    """The study's encodings, each as it is written there and with all its parts."""
    return [(name, _named(study, "encodings", partial(encoding_of, study, name))) for name in study.encodings]


def encoding_of(study: Study, name: str) -> Encoding:
    """The encoding of that name. UnknownNameError: it lists those that the study's models, or puzzles, can have."""
    try:
        return encoding_named(name)
    except UnknownNameError:
        if not _runs_on_models(study):
            raise
        return encoding_named(name, MODEL)


def _runs_on_models(study: Study) -> bool:
    try:
        return any(MODEL in entry.kinds() for entry in study.puzzles)
    except NonosatError:  # which is reported where it is looked for
        return False


def solvers_of(study: Study) -> list[Solver]:
    """The study's solvers and counters, each once."""
    return list(dict.fromkeys(_named(study, "solvers", partial(named, name)) for name in study.solvers))


def _named(study: Study, key: str, look_up: Callable[[], _T]) -> _T:
    try:
        return look_up()
    except NonosatError as error:
        raise study.fault(key, error) from None


def instances(study: Study) -> Iterator[Instance]:
    """Every instance once; unless the order is by instance, one of each cell (a combination of parameters) in turn.

    FormatError: a file of puzzles that is not there, or is none.
    """
    cells = [cell for entry in study.puzzles for cell in entry.cells()]
    in_order = (each for cell in cells for each in cell) if study.order == "by-instance" else _in_turn(cells)
    seen: set[str] = set()
    for instance in in_order:
        if instance.name not in seen:
            seen.add(instance.name)
            yield instance


def _in_turn(cells: Iterable[Iterator[_T]]) -> Iterator[_T]:
    waiting = deque(cells)
    while waiting:
        cell = waiting.popleft()
        for instance in cell:
            yield instance
            waiting.append(cell)
            break


def groups(study: Study) -> Iterator[RunGroup]:
    """Every group once, in the study's order, and the same on every machine. FormatError: as in checking."""
    plans = [_Plan(study, shape) for shape in shapes(study)]
    pairs: Iterator[tuple[Instance, _Plan]] = ((instance, plan) for instance in instances(study) for plan in plans)
    if study.order == "shuffled":
        pairs = iter(sorted(pairs, key=lambda pair: _lot(study.order_seed, pair[0].name, pair[1].shape.parts)))
    for instance, plan in pairs:
        yield plan.group(instance)


class _Plan:
    """A shape with what the keys of its runs have in common."""

    def __init__(self, study: Study, shape: WorkItem) -> None:
        self.shape = shape
        self.runs = [
            (rest_of(shape.encoding, solver, repetition, study.settings), solver, repetition)
            for repetition in range(study.repetitions)
            for solver in shape.solvers
        ]

    def group(self, instance: Instance) -> RunGroup:
        about = instance.identity
        runs = tuple(StudyRun(key_from(about, rest), solver, repetition) for rest, solver, repetition in self.runs)
        return RunGroup(instance, self.shape.encoding, runs, self.shape.written)


def _lot(seed: int, instance: str, parts: str | None) -> bytes:
    """What a group is sorted by when they are shuffled: no library's idea of a shuffle may change the order."""
    return hashlib.sha256(f"{seed}\n{instance}\n{parts}".encode()).digest()


def shard_of(group: RunGroup, shards: int) -> int:
    """Which of ``shards`` (from 1) a whole group is in: by its first key, so the same on every machine."""
    return int(group.runs[0].key, 16) % shards + 1
