"""``nonosat backbone``: what all solutions share."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

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
from nonosat.cli.shared.output import tell
from nonosat.cli.shared.puzzles import LocatedPuzzle, Sources, files_argument
from nonosat.interrupts import fatal_interrupts
from nonosat.progress import ticker

if TYPE_CHECKING:
    from nonosat.counting.answer import Backbone


@click.command("backbone")
@files_argument
@options.encoding
@click.option("--exact", is_flag=True, help="Count all solutions, however long it takes: then shares are known.")
@options.limits
@options.output
@options.index
@options.from_format
def command(
    files: tuple[str, ...],
    encoding: str | None,
    exact: bool,
    time_limit: float | None,
    cpu_limit: float | None,
    memory_limit: float | None,
    output: str,
    index: int | None,
    from_format: str | None,
) -> int:
    """Draw the cells of the puzzles in FILES that are the same in all solutions.

    Other cells have a digit: 0 if less than a tenth of the solutions fill them, 9 if nine tenths or more; or a
    question mark, where the solutions are too many to be counted within a second (--exact counts on) and a SAT solver
    found what they share. Exit code: 10 there are solutions, 20 there are none, 0 not known, 1 the search failed, 2
    bad input; of several puzzles (FILES may be folders) as for `solve`.
    """
    with ticker() as show, fatal_interrupts():  # the ticker before numpy is imported
        show("reading")
        from nonosat.counting.count import backbone

        sources = Sources(files, from_format, index, show)
        limits: dict[str, Any] = {"time_limit_s": time_limit, "cpu_limit_s": cpu_limit, "memory_limit_mb": memory_limit}
        asking: Callable[..., Backbone] = partial(backbone, exact=exact, encoding=encoding, **limits)
        all_found: list[Backbone] = []
        for asked in sources:
            with sources.told(asked.label), reported_if_interrupted(show, asked, output):
                all_found.append(asking(asked.puzzle, on_progress=shown_by(sources.showing)))
                show.hide()
                if output == "json":
                    print_record(all_found[-1], asked)
                else:
                    _print(all_found[-1], asked, first=len(all_found) == 1)
    return sources.code(exit_code(all_found))


def _print(found: Backbone, asked: LocatedPuzzle, first: bool) -> None:
    """The board, after an empty line if it is not the first, and what is said about it."""
    board = drawn(found) if found.cells is not None else found.verdict
    print(f"{'' if first else chr(10)}{board}", flush=True)
    tell(" · ".join((f"{asked.label}: {headline(found)}", *format_cost(found))))


def drawn(found: Backbone) -> str:
    """The board: the symbol of a cell that all solutions agree on, a digit or a question mark for the others."""
    assert found.cells is not None
    palette: Any = getattr(found.puzzle, "palette", None)
    symbols = [str(value) for value in range(256)] if palette is None else [".", *(c.symbol for c in palette)]
    shares = found.shares if palette is not None else None
    lines = []
    for r, row in enumerate(found.cells.tolist()):
        words = [
            symbols[value] if value >= 0 else "?" if shares is None else str(min(9, int(10 * (1 - shares[r, c, 0]))))
            for c, value in enumerate(row)
        ]
        width = max(map(len, symbols[:10]))
        lines.append("".join(word.rjust(width) for word in words))
    return "\n".join(lines)


def headline(found: Backbone) -> str:
    """The backbone in a few words."""
    if found.cells is None or found.settled is None:
        return f"{format_number(found)}{format_stop(found)}"
    same, cells = int((found.cells >= 0).sum()), found.cells.size
    words = f"{same:,} of {cells:,} cells are the same in all solutions ({same / cells:.0%})"
    if not found.settled.all():
        words += f", {int((~found.settled).sum()):,} are not settled"
    number = f", of which there are {format_number(found)}" if found.exact else ""
    without = "; shares are not known" if found.shares is None else ""
    return f"{words}{number}{without}{format_stop(found)}"
