"""``nonosat study export``: the records in a file that others read."""

from __future__ import annotations

import click

from nonosat.cli.shared import options
from nonosat.cli.shared.output import note
from nonosat.cli.shared.studies import store_of


@click.command("export")
@options.study
@options.out("OUT", "Where to: .parquet, .jsonl or .csv.", required=True)
@options.store
def command(file: str, out: str, store: str | None) -> None:
    """Write the records of the study in FILE (or of the store FILE, a .sqlite) as Parquet, JSON lines or CSV."""
    from nonosat.studies.export import export as write
    from nonosat.studies.store import StoreReader
    from nonosat.studies.study import read

    source = file if file.endswith(".sqlite") else store_of(read(file), store, None)
    with StoreReader(source) as reader:
        count = write(reader, out)
    note(f"{out}: {count:,} records")
