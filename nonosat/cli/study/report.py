"""``nonosat study report``: tables and figures on a page."""

from __future__ import annotations

import os
from pathlib import Path

import click

from nonosat.cli.shared.stores import store_of, store_option
from nonosat.cli.shared.telling import tell


@click.command("report")
@click.argument("file")
@click.option("-o", "--output", "out", metavar="DIR", help="Where the page and its files go; else NAME-report.")
@click.option(
    *("--format", "formats"),
    type=click.Choice(["svg", "png", "pdf"]),
    multiple=True,
    help="Kinds of files for the figures; may be given several times. [default: svg, png]",
)
@store_option
def command(file: str, out: str | None, formats: tuple[str, ...], store: str | None) -> None:
    """Write all tables and figures of the study in FILE, with an index page that needs nothing else.

    FILE may also be a file of records: .sqlite, .parquet or .jsonl. The study may still be running.
    """
    from nonosat.experiments.analysis import frames
    from nonosat.experiments.analysis.report import PAGE_FORMATS, write_report
    from nonosat.experiments.study_file import read

    provenance: dict[str, object] = {}
    if file.endswith((".sqlite", ".parquet", ".jsonl")):
        source, title = file, Path(file).stem
    else:
        stated = read(file)
        source, title = store_of(stated, store, None), stated.title or stated.name
    if source.endswith(".sqlite"):
        from nonosat.experiments.store import Reader

        with Reader(source) as reader:
            provenance = dict(reader.provenances())
    folder, cores = out or f"{Path(source).stem}-report", len(os.sched_getaffinity(0))
    page = write_report(frames.load(source), folder, title, provenance, formats or PAGE_FORMATS, jobs=cores)
    tell(f"{page}")
