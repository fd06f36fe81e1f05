"""A study: which puzzles, encodings and solvers, how often and under which limits; and the runs that follow from it.

``reading.py`` makes it from a TOML file, ``checking.py`` says what it would take. Nothing here runs anything.
"""

from __future__ import annotations

import hashlib
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache, partial
from glob import glob
from pathlib import Path
from typing import TypeVar

from nonosat.encodings.registry import Encoding
from nonosat.errors import FormatError, NonosatError
from nonosat.experiments.plan import Group, Instance, Run, Settings, key_from, rest_of
from nonosat.files import MAX_BYTES, shown
from nonosat.generators.skyscrapers import LEVELS
from nonosat.solvers.solver import Solver

ORDERS = ("by-instance", "interleaved", "shuffled")
_T = TypeVar("_T")


@dataclass(frozen=True)
class Density:
    """Random boards: ``count`` of each size and density, with the seeds from ``seed`` on."""

    sizes: tuple[tuple[int, int], ...]
    densities: tuple[tuple[float, ...], ...]
    count: int
    seed: int


@dataclass(frozen=True)
class Levels:
    """Skyscrapers: ``count`` of each level, or of each size and one difficulty, with the seeds from ``seed`` on."""

    levels: tuple[int, ...]
    sizes: tuple[int, ...]
    difficulty: str | None
    count: int
    seed: int


@dataclass(frozen=True)
class Files:
    """Puzzles in files: ``patterns`` under ``folder``; of a file's puzzles those of ``index`` (from 1; None: all)."""

    patterns: tuple[str, ...]
    folder: str
    index: tuple[int, ...] | None = None


Entry = Density | Levels | Files
"""Where puzzles come from: an entry of ``[[puzzles]]``."""


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

    @property
    def name(self) -> str:
        """The study's name."""
        return self.settings.study

    def fault(self, key: str, reason: object) -> FormatError:
        """What is wrong with the value of ``key`` in the study's file."""
        return FormatError(f"{key}: {reason}", source=shown(self.path))


# ---------------------------------------------------------------- which solver with which encoding


@dataclass(frozen=True)
class Shape:
    """What is done with every instance: ``solvers`` of one family on one ``encoding``, ``written`` so (``Group``)."""

    encoding: Encoding | None
    written: str | None
    solvers: tuple[Solver, ...]

    @property
    def parts(self) -> str | None:
        """What stands for the encoding in the keys: what the solvers see of it."""
        return self.solvers[0].sees(self.encoding)


def shapes(study: Study) -> list[Shape]:
    """All of them, each once. FormatError: an encoding or solver that is unknown, or a program that is not there."""
    families: dict[str, list[Solver]] = {"SAT": [], "CP": [], "own": []}
    for solver in solvers_of(study):
        families[solver.family].append(solver)
    if (needy := families["SAT"] + families["CP"]) and not study.encodings:
        raise study.fault("encodings", f"missing; solver {needy[0].name} needs one")
    found: dict[tuple[str, str | None], Shape] = {}
    for written, encoding in encodings_of(study):
        for family, name in (("SAT", written), ("CP", encoding.rules)):
            if families[family]:
                shape = Shape(encoding, name, tuple(families[family]))
                found.setdefault((family, shape.parts), shape)
    own = [Shape(None, None, tuple(families["own"]))] if families["own"] else []
    return [*found.values(), *own]


def encodings_of(study: Study) -> list[tuple[str, Encoding]]:
    """The study's encodings, each as it is written there and as it is meant."""
    from nonosat.encodings.registry import encoding

    return [(name, _named(study, "encodings", partial(encoding, name))) for name in study.encodings]


def solvers_of(study: Study) -> list[Solver]:
    """The study's solvers, each once."""
    from nonosat.solvers.registry import solver

    return list(dict.fromkeys(_named(study, "solvers", partial(solver, name)) for name in study.solvers))


def _named(study: Study, key: str, look_up: Callable[[], _T]) -> _T:
    try:
        return look_up()
    except NonosatError as error:
        raise study.fault(key, error) from None


# ---------------------------------------------------------------- instances


def instances(study: Study) -> Iterator[Instance]:
    """Every instance once; unless the order is by instance, one of each cell (size and density) in turn.

    FormatError: a file of puzzles that is not there, or is none.
    """
    cells = [cell for entry in study.puzzles for cell in _cells(study, entry)]
    in_order = (each for cell in cells for each in cell) if study.order == "by-instance" else _in_turn(cells)
    seen: set[str] = set()
    for instance in in_order:
        if instance.name not in seen:
            seen.add(instance.name)
            yield instance


def _cells(study: Study, entry: Entry) -> Iterator[Iterator[Instance]]:
    if isinstance(entry, Density):
        for shape in entry.sizes:
            for shares in entry.densities:
                yield boards(shape, shares, range(entry.seed, entry.seed + entry.count))
    elif isinstance(entry, Levels):
        seeds = range(entry.seed, entry.seed + entry.count)
        for level in entry.levels:
            yield of_level(level, seeds)
        for size in entry.sizes:
            yield of_size(size, entry.difficulty or "", seeds)
    else:
        yield (instance for path in paths_of(study, entry) for instance in in_file(study, path, entry.index))


def _in_turn(cells: Iterable[Iterator[_T]]) -> Iterator[_T]:
    waiting = deque(cells)
    while waiting:
        cell = waiting.popleft()
        for instance in cell:
            yield instance
            waiting.append(cell)
            break


def boards(shape: tuple[int, int], shares: tuple[float, ...], seeds: Iterable[int]) -> Iterator[Instance]:
    """Random boards.

    >>> next(boards((20, 30), (0.2, 0.1), [7])).name
    'density/20x30/0.2+0.1/7'
    """
    cell = f"density/{shape[0]}x{shape[1]}/{'+'.join(repr(share).removesuffix('.0') for share in shares)}"
    for seed in seeds:
        yield Instance(f"{cell}/{seed}", "density", shape, shares, seed)


def of_level(level: int, seeds: Iterable[int]) -> Iterator[Instance]:
    """Skyscrapers of a level.

    >>> next(of_level(8, [7])).name
    'skyscrapers/level-8/7'
    """
    difficulty = LEVELS[level].difficulty
    for seed in seeds:
        name = f"skyscrapers/level-{level}/{seed}"
        yield Instance(name, "skyscrapers", seed=seed, level=level, difficulty=difficulty)


def of_size(size: int, difficulty: str, seeds: Iterable[int]) -> Iterator[Instance]:
    """Skyscrapers of any size.

    >>> next(of_size(12, "hard", [7])).name
    'skyscrapers/12x12-hard/7'
    """
    for seed in seeds:
        name = f"skyscrapers/{size}x{size}-{difficulty}/{seed}"
        yield Instance(name, "skyscrapers", (size, size), seed=seed, difficulty=difficulty)


def kinds_of(study: Study, entry: Entry) -> set[str]:
    """The kinds of the puzzles of an entry."""
    if isinstance(entry, Density):
        return {"nonogram"}
    if isinstance(entry, Levels):
        return {"skyscrapers"}
    return {kind for path in paths_of(study, entry) for kind in _about(study, path)[2]}


def paths_of(study: Study, entry: Files) -> list[Path]:
    """The files that the patterns match: pattern by pattern, sorted, each once."""
    found: dict[Path, None] = {}
    for pattern in entry.patterns:
        matches = sorted(glob(pattern, root_dir=entry.folder, recursive=True))  # noqa: PTH207 - takes absolute ones too
        paths = [Path(entry.folder, match) for match in matches]
        if not (files := [path for path in paths if path.is_file()]):
            raise study.fault("files", f"{shown(pattern)} matches no file in {shown(entry.folder)}")
        found.update(dict.fromkeys(files))
    return list(found)


def in_file(study: Study, path: Path, index: tuple[int, ...] | None = None) -> Iterator[Instance]:
    """The puzzles of a file."""
    digest, count, _ = _about(study, path)
    for number in index or range(1, count + 1):
        if number > count:
            raise study.fault("index", f"{shown(path)} has no puzzle {number}, there are {count}")
        yield Instance(f"file/{digest}/{number}", path.name, path=str(path), index=number)


def _about(study: Study, path: Path) -> tuple[str, int, frozenset[str]]:
    try:
        about = path.stat()
        return _looked_at(path, about.st_mtime_ns, about.st_size)
    except OSError as error:
        raise study.fault("files", f"{shown(path)}: {(error.strerror or str(error)).lower()}") from None
    except NonosatError as error:
        raise study.fault("files", error) from None


@lru_cache(maxsize=100_000)
def _looked_at(path: Path, changed: int, size: int) -> tuple[str, int, frozenset[str]]:
    """A file's SHA-256, how many puzzles it has, and of which kinds."""
    from nonosat.experiments.puzzles import hashed, puzzles_in

    if size > MAX_BYTES:
        raise NonosatError(f"{shown(path)}: longer than {MAX_BYTES // 2**20} MiB, the most that is read")
    puzzles = puzzles_in(path)
    return hashed(path), len(puzzles), frozenset(puzzle.kind for puzzle in puzzles)


# ---------------------------------------------------------------- groups


def groups(study: Study) -> Iterator[Group]:
    """Every group once, in the study's order, and the same on every machine. FormatError: as checking tells."""
    plans = [_Plan(study, shape) for shape in shapes(study)]
    pairs: Iterator[tuple[Instance, _Plan]] = ((instance, plan) for instance in instances(study) for plan in plans)
    if study.order == "shuffled":
        pairs = iter(sorted(pairs, key=lambda pair: _lot(study.order_seed, pair[0].name, pair[1].shape.parts)))
    for instance, plan in pairs:
        yield plan.group(instance)


class _Plan:
    """A shape with what the keys of its runs have in common."""

    def __init__(self, study: Study, shape: Shape) -> None:
        self.shape = shape
        self.runs = [
            (rest_of(shape.encoding, solver, repetition, study.settings), solver, repetition)
            for repetition in range(study.repetitions)
            for solver in shape.solvers
        ]

    def group(self, instance: Instance) -> Group:
        name = instance.name
        runs = tuple(Run(key_from(name, rest), solver, repetition) for rest, solver, repetition in self.runs)
        return Group(instance, self.shape.encoding, runs, self.shape.written)


def _lot(seed: int, instance: str, parts: str | None) -> bytes:
    """What a group is sorted by when they are shuffled: no library's idea of a shuffle may change the order."""
    return hashlib.sha256(f"{seed}\n{instance}\n{parts}".encode()).digest()


def shard_of(group: Group, shards: int) -> int:
    """Which of ``shards`` (from 1) a whole group is in: by its first key, so the same wherever it is asked."""
    return int(group.runs[0].key, 16) % shards + 1
