"""``nonosat sample``: solutions drawn at random."""

from __future__ import annotations

import sys
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from nonosat.cli.shared import models, options
from nonosat.cli.shared.commands import Exit, SearchCommand, exit_code
from nonosat.cli.shared.output import note, plural
from nonosat.cli.shared.puzzles import LocatedPuzzle, Sources
from nonosat.cli.shared.tallies import format_cost, format_number, format_stop, searched

if TYPE_CHECKING:
    from nonosat.counting.answer import Sample
    from nonosat.progress import Ticker


@click.command("sample", cls=SearchCommand)
@options.files
@options.number("How many.")
@options.seed("The same ones everywhere.")
@options.limits()
@options.output()
@options.index
@options.from_format
@click.pass_obj
def command(
    show: Ticker,
    files: tuple[str, ...],
    count: int,
    seed: int,
    limits: dict[str, Any],
    output: str,
    index: int | None,
    from_format: str | None,
) -> Exit:
    """Draw solutions of the nonograms in FILES at random, each as likely as any other.

    All solutions are counted first, so it takes what `nonosat count` takes; the same solution may come again. Exit
    code: 10 there are solutions, 20 there are none, 0 the count did not come to its end, 1 it failed, 2 bad input.
    Pictures go to stdout, notes about them to stderr. FILES may be folders, too; of several puzzles as for
    `solve`, and models (.py, .csp, .xml, .cnf) are drawn from as well; an objective
    plays no part.
    """
    if of_models := models.named(files, from_format):
        models.refuse(from_format=from_format)
        return models.sample(of_models, show, count, seed, output, limits, index)
    from nonosat.counting.count import sample

    sources = Sources(files, from_format, index, show)
    draw = partial(sample, count=count, seed=seed, **limits)
    return sources.code(exit_code(searched(sources, show, output, draw, _print)))


def _print(found: Sample, located: LocatedPuzzle, first: bool) -> None:
    """Print the boards, an empty line between all of them, and a note about them."""
    from nonosat.puzzles.drawing import picture_text

    colour = sys.stdout.isatty()
    drawn = "\n\n".join(picture_text(board, colour=colour) for board in found.boards) or found.verdict
    print(f"{'' if first else chr(10)}{drawn}", flush=True)
    words = f"{plural(len(found.boards), 'draw')} from {format_number(found)}{format_stop(found)}"
    note(" · ".join((f"{located.label}: {words}", *format_cost(found))))
