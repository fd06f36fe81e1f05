"""``nonosat study status``: how far a study is."""

from __future__ import annotations

import click

from nonosat.cli.shared import completion, options
from nonosat.cli.shared.studies import shard_of, store_of


@click.command("status")
@options.study
@options.store
@options.shard
@click.option(
    "--by",
    default="encoding,solver",
    show_default=True,
    metavar="COLUMNS",
    shell_complete=completion.nothing,
    help="One row for each of these.",
)
def command(file: str, store: str | None, shard: str | None, by: str) -> None:
    """How far is the study in FILE? It may be running meanwhile.

    COLUMNS: encoding, solver, source, repetition, parameters of the study's generators (size, density, level), or
    several of them with commas.
    """
    from nonosat.studies import session as state
    from nonosat.studies.store import StoreReader
    from nonosat.studies.study import read

    stated, part = read(file), shard_of(shard)
    with StoreReader(store_of(stated, store, part)) as reader:
        found = state.status(stated, reader, [word.strip() for word in by.split(",")], part)
    print("\n".join(state.lines(found)))
    if found.strangers:
        print(f"{found.strangers:,} stored runs are not of the study as {file} states it now")
