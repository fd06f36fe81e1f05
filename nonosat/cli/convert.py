"""``nonosat convert``: a puzzle in another format."""

from __future__ import annotations

import click

from nonosat.cli.shared import options
from nonosat.cli.shared.puzzles import puzzles_of


@click.command("convert")
@click.argument("source", metavar="IN")
@click.argument("target", metavar="OUT")
@options.from_format
@options.to_format
@options.index
def command(source: str, target: str, from_format: str | None, to_format: str | None, index: int | None) -> None:
    """Write the puzzle(s) in IN to OUT in another format. What OUT cannot hold and matters is an error."""
    from nonosat.puzzles.formats import save

    save(puzzles_of(source, from_format, index), target, to_format)
