"""Which checks a list of parts gets."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from nonosat import plugins
from nonosat.encodings.parts import Integers, Part
from nonosat.errors import UnsupportedError
from nonosat.generators.registry import Generator
from nonosat.plugins import Plugin, Record
from nonosat.puzzles.puzzle import Format, Puzzle, PuzzleKind
from nonosat.runs.solver import Solver
from nonosat.testing import encodings, kinds, parts


@dataclass(frozen=True)
class Check:
    """One check: call it; an AssertionError, or any other exception, says what is wrong. Its text says what it is."""

    name: str
    run: Callable[[], None]

    def __call__(self) -> None:
        """AssertionError, or another exception: what is wrong."""
        self.run()

    def __str__(self) -> str:
        return self.name


def battery(
    parts: str | Path | Sequence[Record],
    puzzles: Sequence[Puzzle] = (),
    values: Mapping[str, Iterable[Sequence[Any]]] | None = None,
) -> list[Check]:
    """The checks of ``parts``: records, or the file or module of a plug-in, which is loaded.

    ``puzzles``: small ones of your own kinds (see ``brute``); our own kinds have samples. ``values``: for a generator's
    name, the values of its parameters to try, as its ``read`` takes them.
    """
    if not __debug__:
        raise UnsupportedError("python -O switches assertions off, and every check with them")
    if isinstance(parts, str | Path):
        parts = plugins.load(str(parts)).records
    known(parts)
    return [
        Check(f"{record.axis} {record.name}: {name}", run)
        for record in parts
        for name, run in _checks(record, puzzles, values or {})
    ]


def known(parts: Sequence[Record]) -> None:
    """Make ``parts`` known to the tables, unless an installed plug-in has brought them."""
    plugins.discover()
    if new := tuple(record for record in parts if plugins.origin(record) is None):
        plugins.add(Plugin("the parts under test", None, "", new))


def _checks(
    record: Record, puzzles: Sequence[Puzzle], values: Mapping[str, Iterable[Sequence[Any]]]
) -> Iterator[tuple[str, Callable[[], None]]]:
    match record:
        case PuzzleKind():
            yield from kinds.checks(record, puzzles)
        case Integers():
            yield from encodings.checks_of_integers(record)
        case Part():
            yield from encodings.checks_of_rule(record, puzzles)
        case Format():
            yield "is for some kind", partial(_is_for, record)
            for kind in record.kinds:
                yield from parts.checks_of_format(record, kind, puzzles)
        case Solver():
            yield from parts.checks_of_solver(record, puzzles)
        case Generator():
            yield from parts.checks_of_generator(record, list(values.get(record.name, [])))
        case _:
            yield "is a part", partial(_unknown, record)


def _is_for(record: Format) -> None:
    assert record.kinds, "no kind of puzzle names it, and it holds none: nobody will use it"


def _unknown(record: Record) -> None:
    raise AssertionError(f"{type(record).__name__} is no class of parts that there is a battery for")
