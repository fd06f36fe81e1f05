"""``nonosat count``: how many solutions a puzzle has."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from nonosat.cli.shared import completion, options
from nonosat.cli.shared.counts import (
    format_cost,
    format_number,
    format_stop,  # fmt: skip
    print_record,
    reported_if_interrupted,
    shown_by,
)
from nonosat.cli.shared.exits import exit_code
from nonosat.cli.shared.output import tell, titled
from nonosat.cli.shared.puzzles import Sources, files_argument
from nonosat.interrupts import fatal_interrupts
from nonosat.progress import ticker

if TYPE_CHECKING:
    from nonosat.counting.answer import Count


@click.command("count")
@files_argument
@click.option(
    "--counter",
    metavar="NAME",
    shell_complete=completion.counters,
    help="Who counts: turns, components, sweep, ganak, approxmc or bethe.",
)
@options.encoding
@click.option("--approximate", is_flag=True, help="Estimate: by ApproxMC, else by Bethe's formula (no promise).")
@click.option("--epsilon", type=float, default=0.8, show_default=True, help="ApproxMC: within a factor of 1 + epsilon.")
@click.option("--delta", type=float, default=0.2, show_default=True, help="ApproxMC: but for this probability.")
@click.option("--seed", type=click.IntRange(min=0), default=1, show_default=True, help="ApproxMC's chance.")
@click.option("--check", is_flag=True, help="Let Ganak count too, and compare.")
@options.limits
@options.output
@options.index
@options.from_format
def command(
    files: tuple[str, ...],
    counter: str | None,
    encoding: str | None,
    approximate: bool,
    epsilon: float,
    delta: float,
    seed: int,
    check: bool,
    time_limit: float | None,
    cpu_limit: float | None,
    memory_limit: float | None,
    output: str,
    index: int | None,
    from_format: str | None,
) -> int:
    """Count the solutions of the puzzles in FILES: exactly, whatever their number, unless --approximate.

    Nonograms are counted natively; other kinds, and the second opinion of --check, go through a CNF and Ganak (pip
    install 'nonosat[counting]'). A count that is stopped by a limit prints how many solutions there are at least, and
    an estimate. Exit code: 10 there are solutions, 20 there are none, 0 not known, 1 the count failed or two counters
    disagree, 2 bad input; of several puzzles (FILES may be folders) as for solve. The number goes to stdout, what is
    said about it to stderr.
    """
    with ticker() as show, fatal_interrupts():  # the ticker before numpy is imported
        show("reading")
        from nonosat.counting.count import count

        sources = Sources(files, from_format, index, show)
        limits: dict[str, Any] = {"time_limit_s": time_limit, "cpu_limit_s": cpu_limit, "memory_limit_mb": memory_limit}
        how: dict[str, Any] = {"counter": counter, "encoding": encoding, "approximate": approximate, "check": check}
        wanted: Callable[..., Count] = partial(count, **limits, **how, epsilon=epsilon, delta=delta, seed=seed)
        counts = []
        for asked in sources:
            with sources.told(asked.label), reported_if_interrupted(show, asked, output):
                counts.append(wanted(asked.puzzle, on_progress=shown_by(sources.showing)))
                show.hide()
                if output == "json":
                    print_record(counts[-1], asked)
                elif sources.several:
                    print(f"{asked.label}: {headline(counts[-1])}{titled(asked.puzzle)}", flush=True)
    if output == "text" and counts and not sources.several:
        print(format_number(counts[0]), flush=True)
        tell(" · ".join((f"{files[0]}: {headline(counts[0])}", *format_cost(counts[0]))))
    return sources.code(exit_code(counts))


def headline(found: Count) -> str:
    """The count in a few words."""
    words = f"{format_number(found)}{format_stop(found)}"
    if found.checked:
        words += ", by two counters"
    return words
