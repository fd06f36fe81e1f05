"""``nonosat sample``: solutions drawn at random."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from nonosat.cli.shared import options
from nonosat.cli.shared.counts import (
    format_cost,
    format_number,
    format_stop,  # fmt: skip
    print_record,
    reported_if_interrupted,
    shown_by,
)
from nonosat.cli.shared.exits import exit_code
from nonosat.cli.shared.output import plural, tell
from nonosat.cli.shared.puzzles import Sources, files_argument
from nonosat.interrupts import fatal_interrupts
from nonosat.progress import ticker

if TYPE_CHECKING:
    from nonosat.cli.shared.puzzles import LocatedPuzzle
    from nonosat.counting.answer import Sample


@click.command("sample")
@files_argument
@click.option("--count", type=click.IntRange(min=1), default=1, show_default=True, metavar="N", help="How many.")
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="The same ones everywhere.")
@options.limits
@options.output
@options.index
@options.from_format
def command(
    files: tuple[str, ...],
    count: int,
    seed: int,
    time_limit: float | None,
    cpu_limit: float | None,
    memory_limit: float | None,
    output: str,
    index: int | None,
    from_format: str | None,
) -> int:
    """Draw solutions of the nonograms in FILES at random, each as likely as any other.

    All solutions are counted first, so it takes what `nonosat count` takes; the same solution may come again. Exit
    code: 10 there are solutions, 20 there are none, 0 the count did not come to its end, 1 it failed, 2 bad input.
    Pictures go to stdout, what is said about them to stderr. FILES may be folders, too; of several puzzles as for
    `solve`.
    """
    with ticker() as show, fatal_interrupts():  # the ticker before numpy is imported
        show("reading")
        from nonosat.counting.count import sample

        sources = Sources(files, from_format, index, show)
        limits = {"time_limit_s": time_limit, "cpu_limit_s": cpu_limit, "memory_limit_mb": memory_limit}
        samples: list[Sample] = []
        for asked in sources:
            with sources.told(asked.label), reported_if_interrupted(show, asked, output):
                samples.append(sample(asked.puzzle, count, seed, **limits, on_progress=shown_by(sources.showing)))
                show.hide()
                if output == "json":
                    print_record(samples[-1], asked)
                else:
                    _print(samples[-1], asked, first=len(samples) == 1)
    return sources.code(exit_code(samples))


def _print(found: Sample, asked: LocatedPuzzle, first: bool) -> None:
    """The boards, an empty line between all of them, and what is said about them."""
    from nonosat.puzzles.drawing import picture_text

    colour = sys.stdout.isatty()
    drawn = "\n\n".join(picture_text(board, colour=colour) for board in found.boards) or found.verdict
    print(f"{'' if first else chr(10)}{drawn}", flush=True)
    words = f"{plural(len(found.boards), 'draw')} from {format_number(found)}{format_stop(found)}"
    tell(" · ".join((f"{asked.label}: {words}", *format_cost(found))))
