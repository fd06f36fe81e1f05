"""The arguments and options that several commands have: each is declared here, once; commands compose them."""

from __future__ import annotations

import functools
import math
import os
from collections.abc import Callable
from typing import Any, Protocol, TypeVar

import click

from nonosat.cli.shared import completion

F = TypeVar("F", bound=Callable[..., Any])


class Declaration(Protocol):
    """A decorator that adds options to a command."""

    def __call__(self, command: F, /) -> F:
        """The command with the options."""


# Files that a command reads or writes, and their formats.


file = click.argument("file", shell_complete=completion.files)
files = click.argument("files", metavar="FILES...", nargs=-1, required=True, shell_complete=completion.files)
source = click.argument("source", metavar="IN", shell_complete=completion.files)
target = click.argument("target", metavar="OUT", shell_complete=completion.files)
from_format = click.option(
    "--from",
    "from_format",
    metavar="FORMAT",
    shell_complete=completion.formats,
    help="Format of FILE, if its suffix does not tell.",
)
index = click.option("--index", type=click.IntRange(min=1), help="Which puzzle or model of a file with many (from 1).")


def to_format(meaning: str = "Format of OUT, if its suffix does not tell.", **more: Any) -> Declaration:
    """The option ``--to``."""
    return click.option("--to", "to_format", metavar="FORMAT", shell_complete=completion.formats, help=meaning, **more)


def out(metavar: str, meaning: str, **more: Any) -> Declaration:
    """The option ``--output``: the file or folder to write."""
    return click.option("-o", "--output", "out", metavar=metavar, shell_complete=completion.files, help=meaning, **more)


# What searches, and what it is to find.


solver = click.option(
    "--solver", metavar="NAME", shell_complete=completion.solvers, help="Who solves; see `nonosat list solvers`."
)
everything = click.option("--all", "everything", is_flag=True, help="Find all solutions.")
count = click.option("--count", type=click.IntRange(min=1), metavar="N", help="Find at most N solutions.")


def encoding(
    meaning: str = "How to encode; see `nonosat list encodings`.", names: completion.Completion = completion.encodings
) -> Declaration:
    """The option ``--encoding``."""
    return click.option("--encoding", metavar="NAME", shell_complete=names, help=meaning)


def prover(meaning: str, names: completion.Completion) -> Declaration:
    """The option ``--solver`` of commands that prove."""
    return click.option("--solver", metavar="NAME", shell_complete=names, help=meaning)


def unique(meaning: str = "Decide whether the solution is the only one.") -> Declaration:
    """The option ``--unique``."""
    return click.option("--unique", is_flag=True, help=meaning)


def line_solvable(meaning: str) -> Declaration:
    """The option ``--line-solvable``."""
    return click.option("--line-solvable", is_flag=True, help=meaning)


def max_changes(meaning: str) -> Declaration:
    """The option ``--max-changes`` of a repair."""
    return click.option("--max-changes", type=click.IntRange(min=0), metavar="N", help=meaning)


def number(meaning: str) -> Declaration:
    """The option ``--count`` of commands that make things: how many."""
    return click.option("--count", type=click.IntRange(min=1), default=1, show_default=True, metavar="N", help=meaning)


def seed(meaning: str, default: int = 0) -> Declaration:
    """The option ``--seed``."""
    return click.option("--seed", type=click.IntRange(min=0), default=default, show_default=True, help=meaning)


def at_most(everything: bool, count: int | None) -> int | None:
    """How many solutions ``--all`` and ``--count`` ask for at most (None: all). UsageError: both are there."""
    if everything and count:
        raise click.UsageError("--all and --count exclude each other")
    return None if everything else count or 1


# The limits of a search.


class _Positive(click.FloatRange):
    """A number over 0 that is not infinite: a limit, which is checked before anything is read or solved."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        try:
            number = float(value)
        except ValueError:
            number = math.nan
        if not (math.isfinite(number) and number > 0):
            self.fail(f"{value}: expected a positive number", param, ctx)
        return number


_POSITIVE = _Positive(min=0, min_open=True)
_UNITS = {"time_limit": "s", "cpu_limit": "s", "memory_limit": "mb"}


def limits(each: str = "a puzzle", then: str = "kills the solver", time_limit: float | None = None) -> Declaration:
    """The limits on wall time, CPU time and memory: ``--time-limit``, ``--cpu-limit``, ``--memory-limit``.

    The command gets them as one argument ``limits``, a dict with the names that the library has for them:
    ``time_limit_s``, ``cpu_limit_s``, ``memory_limit_mb`` (None: no limit). ``each``: what the seconds are for;
    ``then``: what a limit does; ``time_limit``: the default of the first.
    """
    default: dict[str, Any] = {} if time_limit is None else {"default": time_limit, "show_default": True}
    declared = (
        click.option("--time-limit", type=_POSITIVE, metavar="S", help=f"Wall seconds {each}; {then}.", **default),
        click.option("--cpu-limit", type=_POSITIVE, metavar="S", help=f"CPU seconds {each}; {then}."),
        click.option("--memory-limit", type=_POSITIVE, metavar="MB", help=f"MiB of resident memory; {then}."),
    )

    def declare(command: F) -> F:
        @functools.wraps(command)
        def limited(*args: Any, **named: Any) -> Any:
            found = {f"{name}_{unit}": named.pop(name) for name, unit in _UNITS.items()}
            return command(*args, **named, limits=found)

        for option in reversed(declared):
            option(limited)
        return limited  # type: ignore[return-value]

    return declare


# What is printed and drawn.


def output(*more: str) -> Declaration:
    """The option ``--format``: ``text``, ``json``, and what ``more`` a command can print."""
    choice = click.Choice(["text", "json", *more])
    return click.option("--format", "output", type=choice, default="text", show_default=True, help="What to print.")


draw = click.option(
    "--draw", metavar="OUT", shell_complete=completion.files, help="Draw the picture too: .png, .svg, .pdf or .txt."
)


def title(meaning: str, default: str | None = "") -> Declaration:
    """The option ``--title``."""
    return click.option("--title", default=default, metavar="TEXT", shell_complete=completion.nothing, help=meaning)


# Studies.


study = click.argument("file", shell_complete=completion.studies)
jobs = click.option("--jobs", type=click.IntRange(min=1), metavar="N", help="Runs at a time; else all cores but one.")
store = click.option(
    "--store",
    metavar="PATH",
    shell_complete=completion.files,
    help="Where the records are; else NAME.sqlite in this folder.",
)
shard = click.option(
    "--shard",
    metavar="I/N",
    shell_complete=completion.nothing,
    help="Only the I-th of N parts (from 1), in a store of its own.",
)


def default_jobs() -> int:
    """One run for each core that we may use but one: what else goes on must not be on the clock of a run."""
    return max(1, len(os.sched_getaffinity(0)) - 1)
