"""``nonosat study run``: what is left of a study is run."""

from __future__ import annotations

import click

from nonosat.cli.shared import completion, options
from nonosat.cli.shared.commands import Exit
from nonosat.cli.shared.output import note
from nonosat.cli.shared.studies import reporter, shard_of, slowest, store_of, summary


@click.command("run")
@options.study
@options.jobs
@options.store
@options.shard
@click.option(
    "--scheduler",
    metavar="ADDRESS",
    shell_complete=completion.nothing,
    help="Run on the Dask cluster of tcp://HOST:PORT.",
)
@click.option(
    "--watch",
    metavar="PAGE.html",
    shell_complete=completion.files,
    help="Keep a page up to date that says how far it is; a browser that shows it loads it again by itself.",
)
def command(
    file: str, jobs: int | None, store: str | None, shard: str | None, scheduler: str | None, watch: str | None
) -> Exit:
    """Run what is left of the study in FILE. It may be killed at any moment; the same command goes on.

    Exit code: 0 all is done, 1 done, but some runs crashed or gave wrong pictures though their encoding is sound, 2 bad
    input or a store that cannot be written, 130 interrupted.
    """
    from nonosat.studies.session import conduct
    from nonosat.studies.study import read

    if scheduler is not None and jobs is not None:
        raise click.UsageError("--jobs and --scheduler exclude each other: a cluster's workers have their threads")
    if watch is not None and not watch.endswith(".html"):
        raise click.UsageError(f"--watch {watch}: the page is a file PAGE.html")
    stated, part = read(file), shard_of(shard)
    target = store_of(stated, store, part)
    with reporter(stated.name, watch) as report:
        progress = conduct(stated, target, jobs or options.default_jobs(), part, report, scheduler)
        report.write()
    note(f"{target}: {summary(progress)}")
    if line := slowest(progress):
        note(line)
    if progress.interrupted:
        note("interrupted; the same command goes on")
        return Exit.INTERRUPTED
    return Exit.FAILED if _failures(target) else Exit.DONE


def _failures(store: str) -> bool:
    """Has any run of the store crashed, or shown that something is wrong with us?"""
    from nonosat.runs.events import Verdict
    from nonosat.studies.session import FAILURES, is_bug
    from nonosat.studies.store import StoreReader

    with StoreReader(store) as reader:
        if any(reader.count()[outcome] for outcome in FAILURES):
            return True
        return any(is_bug(record) for record in reader.records("outcome = ?", (str(Verdict.WRONG),)))
