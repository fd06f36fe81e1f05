"""Where the puzzles of a study come from: the entries of ``[[puzzles]]``, and the instances that they state."""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from glob import escape, glob
from itertools import product
from math import prod
from pathlib import Path
from typing import Any

from nonosat.errors import FormatError, NonosatError, UnsupportedError
from nonosat.files import MAX_BYTES, shown
from nonosat.generators.registry import GENERATORS, identity
from nonosat.puzzles.formats import load_all
from nonosat.puzzles.puzzle import Puzzle, kind_of
from nonosat.studies import plan
from nonosat.studies.plan import Instance

# What the file of a study's puzzle is known by.


def hashed(path: Path) -> str:
    """The SHA-256 of a file, as hexadecimal digits."""
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise NonosatError(f"{shown(path)}: {(error.strerror or str(error)).lower()}") from None


# From an instance to its puzzle, and to what is known of it.


def puzzle_of(instance: Instance) -> Puzzle:
    """The puzzle of ``instance``.

    NonosatError: its file, or the plug-in that has its generator, is gone, or not what it was when the study was read.
    """
    if instance.path is not None:
        if hashed(Path(instance.path)) != instance.name.split("/")[1]:
            raise NonosatError(f"{shown(instance.path)}: the file has changed since the study began")
        return load_all(Path(instance.path))[(instance.index or 1) - 1]
    if instance.generator is None or instance.seed is None:
        raise UnsupportedError(f"{instance.name}: neither a file nor a generator's board")
    generator = GENERATORS.named(instance.generator)
    if (here := identity(generator)) != instance.brought_by:
        raise NonosatError(
            f"generator {generator.name}: of {here or 'ours'}, the study's of {instance.brought_by or 'ours'}"
        )
    return generator.puzzle(instance.values, instance.seed)


def parameters_of(instance: Instance) -> dict[str, str]:
    """What its generator was told beside the seed, by the parameters' words; of a file's puzzle nothing.

    >>> parameters_of(Instance("density/2x3/0.5/7", "density", ("2x3", "0.5"), 7))
    {'size': '2x3', 'density': '0.5'}
    """
    if instance.generator is None:
        return {}
    words = [parameter.word for parameter in GENERATORS.named(instance.generator).parameters]
    return dict(zip(words, instance.values, strict=True))


def facts_of(instance: Instance) -> dict[str, Any]:
    """What records tell of the instance, beside its name."""
    about: dict[str, Any] = {"source": instance.source, "seed": instance.seed}
    if instance.generator is None:
        return about
    known = GENERATORS.named(instance.generator).known(instance.values)
    return about | {"parameters": json.dumps(parameters_of(instance), ensure_ascii=False)} | known


VARIABLE = re.compile(r"\$[A-Za-z_][A-Za-z0-9_]*")


@dataclass(frozen=True)
class GeneratedEntry:
    """Random boards: ``count`` of each combination of ``values``, with the seeds from ``seed`` on.

    ``values``: those of each of the generator's parameters, as its names tell them. ``source``: the study's file.
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

    def size(self) -> int:
        """How many instances it states."""
        return prod(map(len, self.values)) * self.count

    def problems(self) -> list[str]:
        """What is wrong with the generator, if anything is."""
        generator = GENERATORS.named(self.generator)
        try:
            kind_of(generator.kind)
            for values in product(*self.values):
                generator.known(values)
        except NonosatError as error:
            return [str(FormatError(f"generator: {error}", source=self.source))]
        return []


@dataclass(frozen=True)
class FileEntry:
    """Puzzles in files: ``patterns`` under ``folder``; of a file's puzzles those of ``index`` (from 1; None: all).

    A pattern may begin with a variable of the environment, ``$PUZZLES/*.txt``. ``source``: the study's file. What is
    asked of it raises ``FormatError`` if a file is not there, or is none.
    """

    patterns: tuple[str, ...]
    folder: str
    index: tuple[int, ...] | None
    source: str

    def cells(self) -> Iterator[Iterator[Instance]]:
        """The instances, those of each file by themselves."""
        for path in self.paths():
            yield self.inside(path)

    def kinds(self) -> set[str]:
        """The kinds of the puzzles."""
        return {kind for path in self.paths() for kind in self._about(path)[2]}

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
        digest, count, kinds = self._about(path)
        owed = ", ".join(plan.of_file(path, kinds))
        for number in self.index or range(1, count + 1):
            if number > count:
                raise self._fault("index", f"{shown(path)} has no puzzle {number}, there are {count}")
            yield Instance(f"file/{digest}/{number}", brought_by=owed, path=str(path), index=number)

    def _about(self, path: Path) -> tuple[str, int, frozenset[str]]:
        try:
            about = path.stat()
            return _looked_at(path, about.st_mtime_ns, about.st_size)
        except OSError as error:
            raise self._fault("files", f"{shown(path)}: {(error.strerror or str(error)).lower()}") from None
        except NonosatError as error:
            raise self._fault("files", error) from None

    def _fault(self, key: str, reason: object) -> FormatError:
        return FormatError(f"{key}: {reason}", source=self.source)


Entry = GeneratedEntry | FileEntry
"""An entry of ``[[puzzles]]``: ``cells``, ``kinds``, ``size`` and ``problems`` of both."""


@lru_cache(maxsize=100_000)
def _looked_at(path: Path, changed: int, size: int) -> tuple[str, int, frozenset[str]]:
    """A file's SHA-256, how many puzzles it has, and of which kinds."""
    if size > MAX_BYTES:
        raise NonosatError(f"{shown(path)}: longer than {MAX_BYTES // 2**20} MiB, the most that is read")
    puzzles = load_all(path)
    return hashed(path), len(puzzles), frozenset(puzzle.kind for puzzle in puzzles)
