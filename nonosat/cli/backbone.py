"""``nonosat backbone``: the cells that are the same in all solutions."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import click

from nonosat.cli.shared import models, options
from nonosat.cli.shared.commands import Exit, SearchCommand, exit_code
from nonosat.cli.shared.output import note
from nonosat.cli.shared.puzzles import LocatedPuzzle, Sources
from nonosat.cli.shared.tallies import format_cost, format_number, format_stop, searched

if TYPE_CHECKING:
    from nonosat.counting.answer import Backbone
    from nonosat.progress import Ticker


@click.command("backbone", cls=SearchCommand)
@options.files
@options.encoding()
@click.option("--exact", is_flag=True, help="Count all solutions, however long it takes: then shares are known.")
@options.limits()
@options.output()
@options.index
@options.from_format
@click.pass_obj
def command(
    show: Ticker,
    files: tuple[str, ...],
    encoding: str | None,
    exact: bool,
    limits: dict[str, Any],
    output: str,
    index: int | None,
    from_format: str | None,
) -> Exit:
    """Draw the cells of the puzzles in FILES that are the same in all solutions.

    Other cells have a digit: 0 if less than a tenth of the solutions fill them, 9 if nine tenths or more; or a
    question mark, where the solutions are too many to be counted within a second (--exact counts on) and a SAT solver
    found what they share. Exit code: 10 there are solutions, 20 there are none, 0 not known, 1 the search failed, 2
    bad input; of several puzzles (FILES may be folders) as for `solve`.

    Of models (.py, .csp, .xml, .cnf) the variables are printed that are the same; an objective
    plays no part.
    """
    if of_models := models.named(files, from_format):
        models.refuse(exact=exact, from_format=from_format)
        return models.backbone(of_models, show, encoding, output, limits, index)
    from nonosat.counting import count as counting

    sources = Sources(files, from_format, index, show)
    find = partial(counting.backbone, exact=exact, encoding=encoding, **limits)
    return sources.code(exit_code(searched(sources, show, output, find, _print)))


def _print(found: Backbone, located: LocatedPuzzle, first: bool) -> None:
    """Print the board, after an empty line if it is not the first, and a note about it."""
    board = drawn(found) if found.cells is not None else found.verdict
    print(f"{'' if first else chr(10)}{board}", flush=True)
    note(" · ".join((f"{located.label}: {headline(found)}", *format_cost(found))))


def drawn(found: Backbone) -> str:
    """The board: a symbol for a cell that is the same in all solutions, a digit or a question mark for the others."""
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
    if found.cells is None or found.decided is None:
        return f"{format_number(found)}{format_stop(found)}"
    same, cells = int((found.cells >= 0).sum()), found.cells.size
    words = f"{same:,} of {cells:,} cells are the same in all solutions ({same / cells:.0%})"
    if not found.decided.all():
        words += f", {int((~found.decided).sum()):,} are not decided"
    number = f", of which there are {format_number(found)}" if found.exact else ""
    without = "; shares are not known" if found.shares is None else ""
    return f"{words}{number}{without}{format_stop(found)}"
