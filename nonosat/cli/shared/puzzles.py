"""The puzzles and the solver that a command line names."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nonosat.cli.shared.commands import Exit
from nonosat.cli.shared.output import warn
from nonosat.errors import NonosatError, UnknownNameError, UnsupportedError
from nonosat.files import shown
from nonosat.interrupts import plain_interrupts

if TYPE_CHECKING:
    from nonosat.progress import Ticker
    from nonosat.puzzles.puzzle import Puzzle
    from nonosat.runs.solver import Solver


def load_solver(name: str, limits: Mapping[str, Any], once: bool = False) -> Solver:
    """The solver called ``name``. It is imported now if it runs in this process.

    ``once``: for one puzzle, so that its light search, if it has one, comes first and imports less.
    """
    from importlib import import_module

    from nonosat.runs.run import limits_of
    from nonosat.solvers import registry

    solver = registry.solver(name)
    if limits_of(solver, **limits) is None and not (once and solver.light):
        with plain_interrupts():
            import_module(solver.module)
    return solver


def puzzles_of(file: str, from_format: str | None, index: int | None) -> list[Puzzle]:
    """All puzzles in ``file``, or number ``index`` of them alone."""
    from nonosat.puzzles.formats import load_all

    if index:
        return [puzzle_of(file, from_format, index)]
    with _advised(file, from_format):
        return load_all(file, from_format)


def puzzle_of(file: str, from_format: str | None = None, index: int | None = None) -> Puzzle:
    """The puzzle in ``file``, or number ``index`` of several."""
    from nonosat.puzzles.formats import load

    with _advised(file, from_format):
        return load(file, from_format, index)


@contextmanager
def _advised(file: str, from_format: str | None) -> Iterator[None]:
    """Errors of files that are no puzzles: a model, or an image, of which another command makes a puzzle."""
    from nonosat.puzzles.formats import pictured

    try:
        yield
    except NonosatError as error:
        from nonosat.modelling.files import is_model

        if from_format is None and is_model(file):
            raise UnsupportedError(f"{shown(file)}: a model, not a puzzle; a command takes one or the other") from None
        if not isinstance(error, UnsupportedError) or not pictured.is_image(file):
            raise
        raise UnsupportedError(f"{error}; `nonosat picture {file} --size ...` makes a puzzle of it") from None


@dataclass(frozen=True)
class LocatedPuzzle:
    """A puzzle with its ``file``, as the user named it, and its ``index`` there (from 1; None: it is alone).

    ``label``: what a line about the puzzle begins with: ``3``, ``b.mk`` or ``pack.non 3``.
    """

    puzzle: Puzzle
    file: str
    index: int | None
    label: str


class Sources:
    """The puzzles in ``named``: files, folders (with all below them) and ``-``.

    ``several``: there is more than one puzzle. Then an error of a file or a puzzle is printed on a line, the others
    go on, and the exit code is 2 at the end. A name that is in no table ends the command.
    """

    def __init__(self, named: Sequence[str], from_format: str | None, index: int | None, show: Ticker) -> None:
        self._options = from_format, index
        self._show = show
        self._failed = False
        self._place = ""
        self._files = self._expanded(named)
        self._only = puzzles_of(self._files[0], *self._options) if len(self._files) == 1 else None
        self.several = self._only is None or len(self._only) > 1

    def _expanded(self, named: Sequence[str]) -> list[str]:
        files: list[str] = []
        for name in named:
            try:
                files += _below(name)
            except NonosatError as error:
                if len(named) == 1:
                    raise
                self._warn(str(error))
        return files

    def __iter__(self) -> Iterator[LocatedPuzzle]:
        for number, file in enumerate(self._files, 1):
            with self.guarded(file):
                puzzles = puzzles_of(file, *self._options) if self._only is None else self._only
                for place, puzzle in enumerate(puzzles, 1):
                    index = place if len(puzzles) > 1 else self._options[1]
                    located = LocatedPuzzle(puzzle, file, index, self._label(file, index))
                    of = f"{number} of {len(self._files)}" if self._only is None else f"{place} of {len(puzzles)}"
                    self._place = f"{located.label} ({of}): " if self.several else ""
                    yield located

    def _label(self, file: str, index: int | None) -> str:
        from nonosat.files import shown

        if self._only is not None:
            return str(index) if self.several else shown(file)
        return shown(file) if index is None else f"{shown(file)} {index}"

    def showing(self, text: str) -> None:
        """Show on the terminal what is being done with the current puzzle."""
        self._show(self._place + text)

    @contextmanager
    def guarded(self, what: str) -> Iterator[None]:
        """Of several puzzles, an error in this context is printed, as one of ``what``, and the others go on."""
        try:
            yield
        except NonosatError as error:
            if not self.several or isinstance(error, UnknownNameError):
                raise
            self._warn(str(error) if str(error).startswith(what) else f"{what}: {error}")

    def _warn(self, fault: str) -> None:
        self._show.hide()
        warn(fault)
        self._failed = True

    def progress(self, what: str = "so far", by: str = "") -> Callable[[str, int], None]:
        """What a search of the current puzzle calls with its stage, and with how many solutions it has found."""

        def progress(stage: str, found: int) -> None:
            self.showing(f"{stage}{f', {found:,} {what}' if found else ''}{by}")

        return progress

    def code(self, code: Exit) -> Exit:
        """The exit code: ``code``, that of the answers, unless something failed."""
        return Exit.BAD_INPUT if self._failed else code


def _below(name: str) -> list[str]:
    """``name``, or, if it is a folder, the files of puzzles below it. NonosatError: there are none."""
    if name == "-" or not Path(name).is_dir():
        return [name]
    from nonosat.files import shown

    if not (found := files_below(name)):
        only = "no file in this folder is called as puzzles or models are (one in Python is named itself)"
        raise NonosatError(f"{shown(name)}: {only}")
    return found


def files_below(folder: str, more: Sequence[str] = ()) -> list[str]:
    """The files below a folder that are called as puzzles are, or have a suffix of ``more``, sorted."""
    from nonosat.files import suffix_of
    from nonosat.puzzles.formats import FORMATS, pictured

    known = {*more, *pictured.IMAGES, *(suffix for each in FORMATS.values() for suffix in each.suffixes)}
    found = []
    for at, below, files in os.walk(folder):
        below[:] = sorted(each for each in below if not each.startswith("."))
        found += [str(Path(at, f)) for f in sorted(files) if suffix_of(f) in known and not f.startswith(".")]
    return found
