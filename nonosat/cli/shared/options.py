"""Options that several commands have: decorators."""

from __future__ import annotations

import math
import os
from collections.abc import Callable
from typing import Any, TypeVar

import click

from nonosat.cli.shared import completion

F = TypeVar("F", bound=Callable[..., Any])


class _Positive(click.FloatRange):
    """A number over 0 that is not infinite: what a limit has to be, told before anything is read or solved."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        try:
            number = float(value)
        except ValueError:
            number = math.nan
        if not (math.isfinite(number) and number > 0):
            self.fail(f"{value}: expected a positive number", param, ctx)
        return number


POSITIVE = _Positive(min=0, min_open=True)
from_format = click.option(
    "--from",
    "from_format",
    metavar="FORMAT",
    shell_complete=completion.formats,
    help="Format of FILE, if its suffix does not tell.",
)
to_format = click.option(
    "--to",
    "to_format",
    metavar="FORMAT",
    shell_complete=completion.formats,
    help="Format of OUT, if its suffix does not tell.",
)
index = click.option("--index", type=click.IntRange(min=1), help="Which puzzle of a file with many (from 1).")
encoding = click.option(
    "--encoding",
    metavar="NAME",
    shell_complete=completion.encodings,
    help="How to encode; see `nonosat list encodings`.",
)
solver = click.option(
    "--solver", metavar="NAME", shell_complete=completion.solvers, help="Who solves; see `nonosat list solvers`."
)
everything = click.option("--all", "everything", is_flag=True, help="Find all solutions.")
count = click.option("--count", type=click.IntRange(min=1), metavar="N", help="Find at most N solutions.")
draw = click.option(
    "--draw", metavar="OUT", shell_complete=completion.files, help="Draw the picture too: .png, .svg or .txt."
)
output = click.option(
    "--format", "output", type=click.Choice(["text", "json"]), default="text", show_default=True, help="What to print."
)
time_limit = click.option("--time-limit", type=POSITIVE, metavar="S", help="Wall seconds a puzzle; kills the solver.")
cpu_limit = click.option("--cpu-limit", type=POSITIVE, metavar="S", help="CPU seconds a puzzle; kills the solver.")
memory_limit = click.option(
    "--memory-limit", type=POSITIVE, metavar="MB", help="MiB of resident memory; kills the solver."
)


LIMIT_UNITS = {"time_limit": "s", "cpu_limit": "s", "memory_limit": "mb"}
"""The limits as the library calls them: ``time_limit_s``."""


def limits(command: F) -> F:
    """The limits of a search: on wall time, CPU time and memory."""
    return time_limit(cpu_limit(memory_limit(command)))


# How many runs of a study go on at a time: the option ``--jobs``.


jobs_option = click.option(
    "--jobs", type=click.IntRange(min=1), metavar="N", help="Runs at a time; else all cores but one."
)


def default_jobs() -> int:
    """A run for every core that we may use but one: what else goes on must not be on the clock of a run."""
    return max(1, len(os.sched_getaffinity(0)) - 1)
