"""Nonograms of a given density: as they come, those that are as wished, or repaired until they are."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

import click

from nonosat.cli.generate.size import size_of
from nonosat.cli.shared.repairs import told_repair
from nonosat.cli.shared.telling import tell
from nonosat.errors import UnsupportedError
from nonosat.progress import ticker

if TYPE_CHECKING:
    from pathlib import Path

    from nonosat.progress import Ticker
    from nonosat.puzzles.nonogram import Nonogram


class Wish(NamedTuple):
    """Which boards are wanted: ``unique``, ``line-solvable``, or of a difficulty; ``what`` is None: any.

    Boards that are not are passed over (``attempts`` in all, None: the default), or with ``repair`` changed
    (``max_changes`` cells at most, None: the default).
    """

    what: str | None
    attempts: int | None
    repair: bool
    max_changes: int | None

    @property
    def chooses(self) -> bool:
        """Are boards passed over?"""
        return self.what is not None and not self.repair


Board = tuple[int, "Nonogram", str | None]
"""A seed, its puzzle, and what was changed, for people (None: nothing was to be)."""


def write_nonograms(
    size: str | None, density: str | None, seed: int, count: int, wish: Wish, out: str, to_format: str
) -> None:
    """Write ``count`` boards, from that of ``seed`` on, to the folder ``out`` (``-``: to stdout)."""
    if size is None or density is None:
        raise click.UsageError(f"{'--size' if size is None else '--density'} is missing")
    with ticker() as show:  # before numpy is imported
        show("generating")
        from nonosat.files import made_folder
        from nonosat.puzzles.formats import format as format_named

        (height, width), shares = size_of(size), _shares(density)
        chosen = format_named(to_format)
        boards = _boards(_drawn(height, width, shares, show), seed, count, wish)
        if out == "-":
            _print(boards, chosen.name, show)
            return
        stem = f"random-{height}x{width}-d{'+'.join(f'{s:g}' for s in shares)}"
        ending = f"{f'-{wish.what}' if wish.repair else ''}{chosen.suffixes[0]}"
        numbers = _save(boards, made_folder(out), stem, ending, chosen.name, show)
    tried = f", the first {wish.what} ones from seed {seed} to {numbers[-1]}" if wish.chooses else ""
    tell(f"{out}: {count} puzzle{'s' * (count > 1)} of {height}x{width} ({chosen.name}){tried}")


def _shares(text: str) -> list[float]:
    """The option ``--density``."""
    try:
        return [float(word) for word in text.split(",")]
    except ValueError:
        raise click.UsageError(f"--density {text}: expected a number such as 0.4, or one a colour: 0.2,0.3") from None


def _drawn(height: int, width: int, shares: list[float], show: Ticker) -> Callable[[int], Nonogram]:
    """What makes the board of a seed, and shows that it does."""
    from nonosat.generators.density import random_density

    def drawn(number: int) -> Nonogram:
        show(f"generating, seed {number}")
        return random_density(height, width, shares, number)

    return drawn


def _boards(drawn: Callable[[int], Nonogram], seed: int, count: int, wish: Wish) -> Iterator[Board]:
    if wish.chooses:
        return _chosen(drawn, seed, count, wish)
    puzzles = ((number, drawn(number)) for number in range(seed, seed + count))
    return _repaired(puzzles, wish) if wish.repair else ((number, puzzle, None) for number, puzzle in puzzles)


def _chosen(drawn: Callable[[int], Nonogram], seed: int, count: int, wish: Wish) -> Iterator[Board]:
    """The first boards from ``seed`` on that are as wished."""
    from itertools import count as numbers

    from nonosat.generators.rejection import ATTEMPTS, accepted
    from nonosat.generators.wishes import judge

    assert wish.what is not None
    name = "very hard" if wish.what == "very-hard" else wish.what
    boards = map(drawn, numbers(seed))
    for place, puzzle in accepted(boards, judge(name), name, count, wish.attempts or ATTEMPTS):
        yield seed + place, puzzle, None


def _repaired(puzzles: Iterable[tuple[int, Nonogram]], wish: Wish) -> Iterator[Board]:
    """The puzzles, changed until they are as wished."""
    from nonosat.generators.wishes import repair

    by_lines = wish.what == "line-solvable"
    for number, puzzle in puzzles:
        try:
            done = repair(puzzle, by_lines=by_lines, max_changes=wish.max_changes, seed=number)
        except UnsupportedError as error:
            raise UnsupportedError(f"seed {number}: {error}") from None
        yield number, done.puzzle, told_repair(done, by_lines)


def _print(boards: Iterator[Board], to_format: str, show: Ticker) -> None:
    """All on stdout at once, and then what was changed."""
    from nonosat.puzzles.formats import save

    made = list(boards)
    save([puzzle for _, puzzle, _ in made], "-", to_format)
    show.hide()
    for number, _, changes in made:
        if changes is not None:
            tell(f"seed {number}: {changes}")


def _save(boards: Iterator[Board], folder: Path, stem: str, ending: str, to_format: str, show: Ticker) -> list[int]:
    """A file each, as soon as it is there; the seeds."""
    from nonosat.files import shown
    from nonosat.puzzles.formats import save

    numbers = []
    for number, puzzle, changes in boards:
        path = folder / f"{stem}-s{number}{ending}"
        save(puzzle, path, to_format)
        numbers.append(number)
        if changes is not None:
            show.hide()
            tell(f"{shown(path)}: {changes}")
    return numbers
