"""``nonosat study``: check a study, run it, see how far it is, take its records out. A file here is a command."""

from __future__ import annotations

import click

from nonosat.cli.shared.commands import LazyGroup

COMMANDS = {
    "check": "Tell what a study would take, and what is wrong with it.",
    "compare": "Compare records of two commits or two machines.",
    "export": "Write records as Parquet, JSON lines or CSV.",
    "merge": "Put records of several stores, such as shards, into one.",
    "new": "Write the file of a new study, with comments.",
    "report": "Write a page of the result, with tables and figures.",
    "run": "Run what is left of a study.",
    "status": "Tell how far a study is.",
}
"""As those of ``nonosat.cli``."""


@click.group("study", cls=LazyGroup, package=__name__, lines=COMMANDS)
def command() -> None:
    """Experiments: a study is a TOML file that says what to run; its records are in a store."""
