"""``nonosat study export``: the records in a file that others read."""

from __future__ import annotations

from pathlib import Path

import click

from nonosat.cli.shared import options
from nonosat.cli.shared.output import note
from nonosat.cli.shared.studies import store_of


@click.command("export")
@options.study
@options.out("OUT", "Where to: .parquet, .jsonl or .csv; with --aslib a folder.", required=True)
@click.option("--aslib", is_flag=True, help="As a scenario of ASlib, for research on choosing solvers by instance.")
@options.store
def command(file: str, out: str, aslib: bool, store: str | None) -> None:
    """Write the records of the study in FILE (or of the store FILE, a .sqlite) as Parquet, JSON lines or CSV.

    A scenario of ASlib is a folder: description.txt, algorithm_runs.arff, feature_values.arff, feature_runstatus.arff,
    cv.arff.
    """
    from nonosat.studies.export import export as write
    from nonosat.studies.store import StoreReader
    from nonosat.studies.study import read

    source = file if file.endswith(".sqlite") else store_of(read(file), store, None)
    if aslib:
        from nonosat.studies.analysis.aslib import write_scenario
        from nonosat.studies.analysis.frames import load

        note(f"{out}: {write_scenario(load(source), out, Path(source).stem):,} runs")
        return
    with StoreReader(source) as reader:
        count = write(reader, out)
    note(f"{out}: {count:,} records")
