"""Boards, written as they come, with what was changed in them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from nonosat.cli.shared.telling import tell
from nonosat.files import made_folder, shown
from nonosat.puzzles.formats import save

if TYPE_CHECKING:
    from nonosat.cli.generate.boards import Board
    from nonosat.progress import Ticker
    from nonosat.solvers.answer import Stopped


@contextmanager
def new_folder(path: str) -> Iterator[Path]:
    """The folder ``path``, made now: one that cannot be is told before the work. It is taken away if it stays empty."""
    missing = [folder for folder in (Path(path), *Path(path).parents) if not folder.exists()]
    try:
        yield made_folder(path)
    finally:
        for folder in missing:
            with suppress(OSError):  # there is something in it
                folder.rmdir()


class Boards:
    """Boards as they come, up to a limit: ``stopped`` is then why there are no more."""

    def __init__(self, found: Iterable[Board | Stopped]) -> None:
        self.found = found
        self.stopped: Stopped | None = None

    def __iter__(self) -> Iterator[Board]:
        for each in self.found:
            if isinstance(each, tuple):
                yield each
            else:
                self.stopped = each


def printed(boards: Boards, to_format: str, show: Ticker) -> int:
    """All on stdout at once, and then what was changed; how many."""
    made = list(boards)
    if made or boards.stopped is None:
        save([puzzle for _, puzzle, _ in made], "-", to_format)
    show.hide()
    for number, _, changes in made:
        if changes is not None:
            tell(f"seed {number}: {changes}")
    return len(made)


def saved(boards: Boards, folder: Path, stem: str, ending: str, to_format: str, show: Ticker) -> list[int]:
    """A file each, as soon as it is there; the seeds."""
    numbers = []
    for number, puzzle, changes in boards:
        path = folder / f"{stem}-s{number}{ending}"
        save(puzzle, path, to_format)
        numbers.append(number)
        if changes is not None:
            show.hide()
            tell(f"{shown(path)}: {changes}")
    return numbers
