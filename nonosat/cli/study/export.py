"""``nonosat study export``: the records in a file that others read."""

from __future__ import annotations

import click

from nonosat.cli.shared import completion
from nonosat.cli.shared.output import tell
from nonosat.cli.shared.stores import store_of, store_option


@click.command("export")
@click.argument("file", shell_complete=completion.studies)
@click.option(
    "-o",
    "--output",
    "out",
    required=True,
    metavar="OUT",
    shell_complete=completion.files,
    help="Where to: .parquet, .jsonl or .csv.",
)
@store_option
def command(file: str, out: str, store: str | None) -> None:
    """Write the records of the study in FILE (or of the store FILE, a .sqlite) as Parquet, JSON lines or CSV."""
    from nonosat.studies.export import export as write
    from nonosat.studies.store import StoreReader
    from nonosat.studies.study import read

    source = file if file.endswith(".sqlite") else store_of(read(file), store, None)
    with StoreReader(source) as reader:
        count = write(reader, out)
    tell(f"{out}: {count:,} records")
