"""``nonosat study export``: the records in a file that others read."""

from __future__ import annotations

import click

from nonosat.cli.shared import completion
from nonosat.cli.shared.stores import store_of, store_option
from nonosat.cli.shared.telling import tell


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
    from nonosat.experiments.export import export as write
    from nonosat.experiments.store import Reader
    from nonosat.experiments.study_file import read

    source = file if file.endswith(".sqlite") else store_of(read(file), store, None)
    with Reader(source) as reader:
        count = write(reader, out)
    tell(f"{out}: {count:,} records")
