"""``nonosat count``: how many solutions a puzzle has."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import click

from nonosat.cli.shared import completion, models, options
from nonosat.cli.shared.commands import Exit, SearchCommand, exit_code, printing_if_interrupted
from nonosat.cli.shared.output import (
    format_cost,
    format_number,
    format_stop,
    note,
    print_tally,
    print_tally_known,
    titled,
)
from nonosat.cli.shared.puzzles import Sources

if TYPE_CHECKING:
    from nonosat.counting.answer import Count
    from nonosat.progress import Ticker


@click.command("count", cls=SearchCommand)
@options.files
@click.option(
    "--counter",
    metavar="NAME",
    shell_complete=completion.counters,
    help="Who counts: turns, components, sweep, ganak, approxmc or bethe.",
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
    about it to stderr. Models (.py, .csp, .xml, .cnf) are counted by Ganak.
    """
    if models.named(files, from_format):
        models.refuse(counter=counter, approximate=approximate, check=check, index=index, from_format=from_format)
        return models.count(files, show, encoding, output, limits)
    from nonosat.counting import count as counting

    sources = Sources(files, from_format, index, show)
    how: dict[str, Any] = {"counter": counter, "encoding": encoding, "approximate": approximate, "check": check}
    how |= {"epsilon": epsilon, "delta": delta, "seed": seed, **limits}
    counts: list[Count] = []
    for located in sources:
        known = partial(print_tally_known, located=located, output=output)
        with sources.guarded(located.label), printing_if_interrupted(show, known):
            counts.append(counting.count(located.puzzle, **how, on_progress=sources.progress()))
            show.hide()
            if output == "json":
                print_tally(counts[-1], located)
            elif sources.several:
                print(f"{located.label}: {headline(counts[-1])}{titled(located.puzzle)}", flush=True)
    if output == "text" and counts and not sources.several:
        print(format_number(counts[0]), flush=True)
        note(" · ".join((f"{files[0]}: {headline(counts[0])}", *format_cost(counts[0]))))
    return sources.code(exit_code(counts))


def headline(found: Count) -> str:
    """The count in a few words."""
    words = f"{format_number(found)}{format_stop(found)}"
    if found.checked:
        words += ", by two counters"
    return words
