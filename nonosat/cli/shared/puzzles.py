"""Puzzles that are asked for by a file and options."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from nonosat.cli.shared import completion, exits
from nonosat.cli.shared.output import complain
from nonosat.errors import NonosatError, UnknownNameError, UnsupportedError
from nonosat.interrupts import plain_interrupts

if TYPE_CHECKING:
    from nonosat.progress import Ticker
    from nonosat.puzzles.puzzle import Puzzle
    from nonosat.runs.solver import Solver


# The solver that is asked for, loaded before the first puzzle waits for it.


def load_solver(
    name: str | None, time_limit: float | None, memory_limit: float | None, cpu_limit: float | None = None
) -> Solver:
    """The solver called ``name`` (None: the default), which is loaded now if it runs here."""
    from importlib import import_module

    from nonosat.runs.run import limits_of
    from nonosat.solvers import registry

    solver = registry.solver(registry.DEFAULT if name is None else name)
    if limits_of(solver, time_limit, memory_limit, cpu_limit) is None:
        with plain_interrupts():
            import_module(solver.module)
    return solver


def puzzles_of(file: str, from_format: str | None, index: int | None) -> list[Puzzle]:
    """All puzzles in ``file``, or number ``index`` of them alone."""
    from nonosat.puzzles.formats import load_all

    if index:
        return [puzzle_of(file, from_format, index)]
    with _advised(file):
        return load_all(file, from_format)


def puzzle_of(file: str, from_format: str | None = None, index: int | None = None) -> Puzzle:
    """The puzzle in ``file``, or number ``index`` of several."""
    from nonosat.puzzles.formats import load

    with _advised(file):
        return load(file, from_format, index)


@contextmanager
def _advised(file: str) -> Iterator[None]:
    """Who has an image that is no puzzle as it is, such as a photograph, is told which command makes one of it."""
    from nonosat.puzzles.formats import pictured

    try:
        yield
    except UnsupportedError as error:
        if not pictured.is_image(file):
            raise
        raise UnsupportedError(f"{error}; `nonosat picture {file} --size ...` makes a puzzle of it") from None


# Puzzles of several files and folders: one after the other, and those that fail do not keep the others waiting.


files_argument = click.argument("files", metavar="FILES...", nargs=-1, required=True, shell_complete=completion.files)


@dataclass(frozen=True)
class LocatedPuzzle:
    """A puzzle with the ``file`` it is in, as it was named, and its ``index`` there (from 1; None: it is alone).

    ``label``: what lines about several puzzles begin with: ``3``, ``b.mk`` or ``pack.non 3``.
    """

    puzzle: Puzzle
    file: str
    index: int | None
    label: str


class Sources:
    """The puzzles in ``named``: files, folders (with all below them) and ``-``.

    ``several``: there is more than one puzzle. Then what a file or a puzzle fails with is told on a line, the others
    go on, and the exit code is 2 at the end. A name that no table knows is the command's fault, not the puzzle's.
    """

    def __init__(self, named: Sequence[str], from_format: str | None, index: int | None, show: Ticker) -> None:
        self._how = from_format, index
        self._show = show
        self._failed = False
        self._place = ""
        self._files = self._expanded(named)
        self._only = puzzles_of(self._files[0], *self._how) if len(self._files) == 1 else None
        self.several = self._only is None or len(self._only) > 1

    def _expanded(self, named: Sequence[str]) -> list[str]:
        files: list[str] = []
        for name in named:
            try:
                files += _below(name)
            except NonosatError as error:
                if len(named) == 1:
                    raise
                self._tell(str(error))
        return files

    def __iter__(self) -> Iterator[LocatedPuzzle]:
        for number, file in enumerate(self._files, 1):
            with self.told(file):
                puzzles = puzzles_of(file, *self._how) if self._only is None else self._only
                for place, puzzle in enumerate(puzzles, 1):
                    index = place if len(puzzles) > 1 else self._how[1]
                    asked = LocatedPuzzle(puzzle, file, index, self._label(file, index))
                    of = f"{number} of {len(self._files)}" if self._only is None else f"{place} of {len(puzzles)}"
                    self._place = f"{asked.label} ({of}): " if self.several else ""
                    yield asked

    def _label(self, file: str, index: int | None) -> str:
        from nonosat.files import shown

        if self._only is not None:
            return str(index) if self.several else shown(file)
        return shown(file) if index is None else f"{shown(file)} {index}"

    def showing(self, text: str) -> None:
        """Show what is being done with the puzzle at hand."""
        self._show(self._place + text)

    @contextmanager
    def told(self, what: str) -> Iterator[None]:
        """What goes wrong with one of several is told, as of ``what`` if it does not say so, and remembered."""
        try:
            yield
        except NonosatError as error:
            if not self.several or isinstance(error, UnknownNameError):
                raise
            self._tell(str(error) if str(error).startswith(what) else f"{what}: {error}")

    def _tell(self, fault: str) -> None:
        self._show.hide()
        complain(fault)
        self._failed = True

    def code(self, code: int) -> int:
        """The exit code: ``code``, that of the answers, unless something failed."""
        return exits.BAD_INPUT if self._failed else code


def _below(name: str) -> list[str]:
    """``name``, or the puzzles' files of the folder that it is, sorted. NonosatError: it has none."""
    if name == "-" or not Path(name).is_dir():
        return [name]
    from nonosat.files import shown, suffix_of
    from nonosat.puzzles.formats import FORMATS, pictured

    known = {suffix for each in FORMATS.values() for suffix in each.suffixes} | set(pictured.IMAGES)
    found = []
    for folder, below, files in os.walk(name):
        below[:] = sorted(each for each in below if not each.startswith("."))
        found += [str(Path(folder, f)) for f in sorted(files) if suffix_of(f) in known and not f.startswith(".")]
    if not found:
        raise NonosatError(f"{shown(name)}: no file in this folder is called as puzzles are")
    return found
