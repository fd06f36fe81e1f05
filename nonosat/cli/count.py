"""``nonosat count``: how many solutions a puzzle has."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import click

from nonosat.cli.shared import completion, models, options
from nonosat.cli.shared.commands import Exit, SearchCommand, exit_code
from nonosat.cli.shared.output import note, titled
from nonosat.cli.shared.puzzles import LocatedPuzzle, Sources
from nonosat.cli.shared.tallies import format_cost, format_number, format_stop, searched

if TYPE_CHECKING:
    from nonosat.counting.answer import Count
    from nonosat.progress import Ticker


@click.command("count", cls=SearchCommand)
@options.files
@click.option(
    "--counter",
    metavar="NAME",
    shell_complete=completion.counters,
    help="Who counts: turns, components, sweep, frontier, ganak, approxmc or bethe.",
)
@options.encoding()
@click.option("--approximate", is_flag=True, help="Estimate: by ApproxMC, else by Bethe's formula (no promise).")
@click.option("--epsilon", type=float, default=0.8, show_default=True, help="ApproxMC: within a factor of 1 + epsilon.")
@click.option("--delta", type=float, default=0.2, show_default=True, help="ApproxMC: but for this probability.")
@options.seed("ApproxMC's random numbers.", default=1)
@click.option("--check", is_flag=True, help="Let Ganak count too, and compare.")
@options.limits()
@options.output()
@options.index
@options.from_format
@click.pass_obj
def command(
    show: Ticker,
    files: tuple[str, ...],
    counter: str | None,
    encoding: str | None,
    approximate: bool,
    epsilon: float,
    delta: float,
    seed: int,
    check: bool,
    limits: dict[str, Any],
    output: str,
    index: int | None,
    from_format: str | None,
) -> Exit:
    """Count the solutions of the puzzles in FILES: exactly, whatever their number, unless --approximate.

    Nonograms are counted natively; other kinds, and the second opinion of --check, go through a CNF and Ganak (pip
    install 'nonosat[counting]'). A count that is stopped by a limit prints how many solutions there are at least, and
    an estimate. Exit code: 10 there are solutions, 20 there are none, 0 not known, 1 the count failed or two counters
    disagree, 2 bad input; of several puzzles (FILES may be folders) as for solve. The number goes to stdout, notes
    about it to stderr. Solutions of models (.py, .csp, .xml, .cnf) are listed if there are few, or counted by Ganak, of
    which nothing is known before its end (or estimated: --approximate); an objective plays no part.
    """
    how: dict[str, Any] = {"approximate": approximate, "epsilon": epsilon, "delta": delta, "seed": seed, **limits}
    if of_models := models.named(files, from_format):
        models.refuse(counter=counter, check=check, from_format=from_format)
        return models.count(of_models, show, encoding, output, how, index)
    from nonosat.counting import count as counting

    sources = Sources(files, from_format, index, show)
    how |= {"counter": counter, "encoding": encoding, "check": check}

    def write(found: Count, located: LocatedPuzzle, _: bool) -> None:
        if sources.several:
            print(f"{located.label}: {headline(found)}{titled(located.puzzle)}", flush=True)
            return
        print(format_number(found), flush=True)
        note(" · ".join((f"{located.file}: {headline(found)}", *format_cost(found))))

    return sources.code(exit_code(searched(sources, show, output, partial(counting.count, **how), write)))


def headline(found: Count) -> str:
    """The count in a few words."""
    words = f"{format_number(found)}{format_stop(found)}"
    if found.checked:
        words += ", by two counters"
    return words
