"""Skyscrapers of a given level."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from nonosat.cli.generate.size import size_of
from nonosat.cli.shared.telling import tell
from nonosat.cli.shared.words import plural
from nonosat.progress import ticker

if TYPE_CHECKING:
    from nonosat.generators.skyscrapers import Level
    from nonosat.puzzles.puzzle import Puzzle


def write_skyscrapers(level: str | None, size: str | None, seed: int, count: int, out: str, to_format: str) -> None:
    """Write ``count`` puzzles, of the seeds from ``seed`` on, to the folder ``out`` (``-``: to stdout)."""
    with ticker() as show:  # before numpy is imported
        show("generating")
        from nonosat.files import made_folder
        from nonosat.generators.proved import made
        from nonosat.puzzles.formats import format as format_named
        from nonosat.puzzles.formats import save

        if level is None:
            raise click.UsageError("--level is missing")
        name, wanted = _level(level, size)
        chosen = format_named(to_format)

        def boards() -> Iterator[tuple[int, Puzzle]]:
            for number in range(seed, seed + count):
                show(f"generating, seed {number}")
                yield number, made(wanted, number, f"{name}, seed {number}")

        if out == "-":
            save([puzzle for _, puzzle in boards()], "-", chosen.name)
            return
        folder = made_folder(out)
        for number, puzzle in boards():
            save(puzzle, folder / f"skyscrapers-{name.replace(' ', '-')}-s{number}{chosen.suffixes[0]}", chosen.name)
    tell(f"{out}: {plural(count, 'puzzle')} of {name} ({chosen.name})")


def _level(level: str, size: str | None) -> tuple[str, Level]:
    """A level by its number, which has a size, or by its difficulty and ``size``; with the name of it."""
    from nonosat.generators.skyscrapers import DIFFICULTIES, LEVELS, named_level

    if level.isascii() and level.isdigit() and len(level) < 4:
        if size is not None:
            raise click.UsageError(f"--level {level} has a size of its own; with --size: {', '.join(DIFFICULTIES)}")
        if int(level) >= len(LEVELS):
            raise click.UsageError(f"--level {level}: levels are 0 to {len(LEVELS) - 1}")
        return named_level(int(level))
    if size is None:
        raise click.UsageError(f"--level {level} needs --size; or a number from 0 to {len(LEVELS) - 1}")
    height, width = size_of(size)
    if height != width:
        raise click.UsageError(f"--size {size}: skyscrapers stand on a square")
    return named_level(None, height, level)
