"""``nonosat study check``: what a study would take."""

from __future__ import annotations

import click

from nonosat.cli.shared import completion, exits
from nonosat.cli.shared.options import default_jobs, jobs_option
from nonosat.cli.shared.output import complain, plural


@click.command("check")
@click.argument("file", shell_complete=completion.studies)
@jobs_option
def command(file: str, jobs: int | None) -> int:
    """What would the study in FILE take, and what is wrong with it? Nothing is run.

    FILE is a TOML file, or the name of a study that comes with nonosat. Exit code 2 if it cannot be run.
    """
    from nonosat.studies.checking import check as checked
    from nonosat.studies.checking import duration
    from nonosat.studies.study import read

    stated, slots = read(file), jobs or default_jobs()
    report = checked(stated, slots)
    for problem in report.problems:
        complain(problem)
    if report.problems:
        return exits.BAD_INPUT
    print(f"{stated.name}{': ' if stated.title else ''}{stated.title}")
    groups = f"{plural(report.groups, 'group')} (a puzzle and its formula)"
    print(f"{plural(report.instances, 'puzzle')}, {groups}, {plural(report.runs, 'run')}")
    if report.worst_s is not None:
        wall_s = stated.settings.limits.wall_s
        print(f"at most {duration(report.worst_s)}: every run at its limit of {wall_s:g} s, {slots} at a time")
    for note in report.notes:
        print(f"note: {note}")
    return exits.DONE
