"""``nonosat convert``: a puzzle in another format."""

from __future__ import annotations

import click

from nonosat.cli.shared import options
from nonosat.cli.shared.output import note
from nonosat.cli.shared.puzzles import puzzles_of


@click.command("convert")
@options.source
@options.target
@options.from_format
@options.to_format()
@options.index
@options.title("A title instead of that in IN.", default=None)
@click.option("--without-given", is_flag=True, help="Leave out given cells, for formats that cannot hold them.")
def command(
    source: str,
    target: str,
    from_format: str | None,
    to_format: str | None,
    index: int | None,
    title: str | None,
    without_given: bool,
) -> None:
    """Write the puzzle(s) in IN to OUT in another format.

    What OUT cannot hold is listed on stderr, a line for each thing (title, author, goal, shades, ...). If without it
    OUT would be another puzzle (colours, given cells), nothing is written.
    """
    from dataclasses import replace
    from typing import Any

    from nonosat.files import write_atomically
    from nonosat.puzzles.formats import dumps, format_of, loads
    from nonosat.puzzles.formats import format as format_named
    from nonosat.puzzles.formats.goals import collected_losses, losses

    with collected_losses() as overlooked:
        puzzles: list[Any] = puzzles_of(source, from_format, index)
    if title is not None:
        puzzles = [replace(puzzle, title=title) for puzzle in puzzles]
    chosen = format_of(target, "--to") if to_format is None else format_named(to_format)
    kept = [replace(puzzle, given=()) for puzzle in puzzles] if without_given else puzzles
    text = dumps(kept, chosen.name)
    write_atomically(target, text)
    for line in (*overlooked, *losses(puzzles, loads(text, chosen.name))):
        note(f"{target}: {line}")
