"""``nonosat study``: check a study, run it, see how far it is, take its records out. A file here is a command."""

from __future__ import annotations

import click

from nonosat.cli.shared.commands import LazyGroup

COMMANDS = {
    "check": "What would the study in FILE take, and what is wrong with it? Nothing is run.",
    "compare": "Compare the records in A and B: the same configurations on the same puzzles, of two commits or two "
    "machines.",
    "export": "Write the records of the study in FILE (or of the store FILE, a .sqlite) as Parquet, JSON lines or CSV.",
    "merge": "Put the records of STORES, such as those of shards, into the store OUT.",
    "new": "Write the file of a new study to OUT.toml, with comments, and say what it would take.",
    "report": "Write the result of the study in FILE, its tables and figures, with a page that needs nothing else.",
    "run": "Run what is left of the study in FILE.",
    "status": "How far is the study in FILE? It may be running meanwhile, or not have begun.",
}
"""As those of ``nonosat.cli``."""


@click.group("study", cls=LazyGroup, package=__name__, lines=COMMANDS)
def command() -> None:
    """Experiments: a study is a TOML file that says what to run; its records are in a store."""
