"""How many runs of a study go on at a time: the option ``--jobs``."""

from __future__ import annotations

import os

import click

jobs_option = click.option(
    "--jobs", type=click.IntRange(min=1), metavar="N", help="Runs at a time; else all cores but one."
)


def default_jobs() -> int:
    """A run for every core that we may use but one: what else goes on must not be on the clock of a run."""
    return max(1, len(os.sched_getaffinity(0)) - 1)
