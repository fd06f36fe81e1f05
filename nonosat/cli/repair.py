"""``nonosat repair``: a picture changed until its puzzle has it alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from nonosat.cli.shared import completion, options
from nonosat.cli.shared.puzzles import nonogram, puzzles_of
from nonosat.cli.shared.repairs import told_repair
from nonosat.cli.shared.telling import tell
from nonosat.errors import UnsupportedError
from nonosat.progress import ticker

if TYPE_CHECKING:
    from nonosat.puzzles.nonogram import Nonogram


@click.command("repair")
@click.argument("source", metavar="IN", shell_complete=completion.files)
@click.argument("target", metavar="OUT", shell_complete=completion.files)
@click.option(
    "--line-solvable", is_flag=True, help="Until lines by themselves solve the puzzle, not only until unique."
)
@click.option("--max-changes", type=click.IntRange(min=0), metavar="N", help="Cells of a picture [default: a quarter].")
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Decides among equal changes.")
@options.from_format
@options.to_format
@options.index
def command(
    source: str,
    target: str,
    line_solvable: bool,
    max_changes: int | None,
    seed: int,
    from_format: str | None,
    to_format: str | None,
    index: int | None,
) -> None:
    """Change few cells of the picture in IN until its puzzle has a single solution, and write that puzzle to OUT.

    IN is a puzzle (its goal picture is taken, or else one of its solutions), or an image of a cell a pixel, as for
    `picture`. What was changed is told: row,column (from 1), the old and the new value.
    """
    with ticker() as show:  # before numpy is imported
        show("reading")
        from nonosat.files import shown
        from nonosat.generators.wishes import repair
        from nonosat.puzzles.formats import format as format_named
        from nonosat.puzzles.formats import format_of, save

        chosen = format_of(target, "--to") if to_format is None else format_named(to_format)
        puzzles = _pictured(source, from_format, index)
        done = []
        for number, puzzle in enumerate(puzzles, 1):
            place = f"{shown(source)}{f': puzzle {number}' if len(puzzles) > 1 else ''}"
            show(f"{place}: repairing")
            try:
                done.append(repair(puzzle, by_lines=line_solvable, max_changes=max_changes, seed=seed))
            except UnsupportedError as error:
                raise UnsupportedError(f"{place}: {error}") from None
            show.hide()
            tell(f"{place}: {told_repair(done[-1], line_solvable)}")
        save([repaired.puzzle for repaired in done], target, chosen.name)


def _pictured(source: str, from_format: str | None, index: int | None) -> list[Nonogram]:
    """The puzzles in the file ``source``, each with a goal picture."""
    from dataclasses import replace

    from nonosat.generators.wishes import solutions

    puzzles = [nonogram(puzzle, "repair") for puzzle in puzzles_of(source, from_format, index)]
    for place, puzzle in enumerate(puzzles):
        if puzzle.goal is None:
            found = solutions(puzzle, 1, work=None)
            if not found:
                which = f": puzzle {place + 1}" if len(puzzles) > 1 else ""
                raise UnsupportedError(f"{source}{which}: UNSAT: there is no picture to repair")
            puzzles[place] = replace(puzzle, goal=found[0])
    return puzzles
