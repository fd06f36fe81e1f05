"""``nonosat study check``: what a study would take."""

from __future__ import annotations

import click

from nonosat.cli.shared import options
from nonosat.cli.shared.commands import Exit
from nonosat.cli.shared.output import plural, warn


@click.command("check")
@options.study
@options.jobs
def command(file: str, jobs: int | None) -> Exit:
    """What would the study in FILE take, and what is wrong with it? Nothing is run.

    FILE is a TOML file, or the name of a study that comes with nonosat. Exit code 2 if it cannot be run.
    """
    from nonosat.studies.checking import check as checked
    from nonosat.studies.checking import duration
    from nonosat.studies.study import read

    stated, slots = read(file), jobs or options.default_jobs()
    report = checked(stated, slots)
    for problem in report.problems:
        warn(problem)
    if report.problems:
        return Exit.BAD_INPUT
    print(f"{stated.name}{': ' if stated.title else ''}{stated.title}")
    groups = f"{plural(report.groups, 'group')} (a puzzle and its formula)"
    print(f"{plural(report.instances, 'puzzle')}, {groups}, {plural(report.runs, 'run')}")
    if report.worst_s is not None:
        wall_s = stated.settings.limits.wall_s
        print(f"at most {duration(report.worst_s)}: every run at its limit of {wall_s:g} s, {slots} at a time")
    for note in report.notes:
        print(f"note: {note}")
    return Exit.DONE
