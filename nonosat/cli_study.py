"""``nonosat study``: check a study, run it, see how far it is, take its records out."""

from __future__ import annotations

import contextlib
import os
import sys
import threading
from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from rich.console import RenderableType

    from nonosat.experiments.conduct import Progress, Shard
    from nonosat.experiments.study import Study

EXIT_DONE, EXIT_FAILED, EXIT_BAD_INPUT, EXIT_INTERRUPTED = 0, 1, 2, 130
LOG_EVERY_S = 10.0


@click.group()
def study() -> None:
    """Experiments: a study is a TOML file that says what to run; its records are in a store."""


_store = click.option("--store", metavar="PATH", help="Where the records are; else NAME.sqlite in this folder.")
_shard = click.option("--shard", metavar="I/N", help="Only the I-th of N parts (from 1), in a store of its own.")
_jobs = click.option("--jobs", type=click.IntRange(min=1), metavar="N", help="Runs at a time; else all cores but one.")


@study.command()
@click.argument("file")
@_jobs
def check(file: str, jobs: int | None) -> int:
    """What would the study in FILE take, and what is wrong with it? Nothing is run.

    FILE is a TOML file, or the name of a study that comes with nonosat. Exit code 2 if it cannot be run.
    """
    from nonosat.experiments.checking import check as checked
    from nonosat.experiments.checking import duration
    from nonosat.experiments.reading import read

    stated, slots = read(file), jobs or default_jobs()
    report = checked(stated, slots)
    for problem in report.problems:
        _tell(f"nonosat: {problem}")
    if report.problems:
        return EXIT_BAD_INPUT
    print(f"{stated.name}{': ' if stated.title else ''}{stated.title}")
    print(f"{report.instances:,} puzzles, {report.groups:,} groups (a puzzle and its formula), {report.runs:,} runs")
    if report.worst_s is not None:
        wall_s = stated.settings.limits.wall_s
        print(f"at most {duration(report.worst_s)}: every run at its limit of {wall_s:g} s, {slots} at a time")
    for note in report.notes:
        print(f"note: {note}")
    return EXIT_DONE


@study.command()
@click.argument("file")
@_jobs
@_store
@_shard
@click.option("--scheduler", metavar="ADDRESS", help="Run on the Dask cluster of tcp://HOST:PORT.")
def run(file: str, jobs: int | None, store: str | None, shard: str | None, scheduler: str | None) -> int:
    """Run what is left of the study in FILE. It may be killed at any moment; the same command goes on.

    Exit code: 0 all is done, 1 done, but some runs crashed or gave wrong pictures though their encoding is sound, 2 bad
    input or a store that cannot be written, 130 interrupted.
    """
    from nonosat.experiments.conduct import conduct
    from nonosat.experiments.reading import read

    if scheduler is not None and jobs is not None:
        raise click.UsageError("--jobs and --scheduler exclude each other: a cluster's workers have their threads")
    stated, part = read(file), _part(shard)
    target = _place(stated, store, part)
    with reporter(stated.name) as report:
        progress = conduct(stated, target, jobs or default_jobs(), part, report, scheduler)
    _tell(f"{target}: {summary(progress)}")
    if progress.interrupted:
        _tell("interrupted; the same command goes on")
        return EXIT_INTERRUPTED
    return EXIT_FAILED if _failures(target) else EXIT_DONE


@study.command()
@click.argument("file")
@_store
@_shard
@click.option(
    "--by", default="encoding,solver", show_default=True, metavar="COLUMNS", help="One row for each of these."
)
def status(file: str, store: str | None, shard: str | None, by: str) -> None:
    """How far is the study in FILE? It may be running meanwhile.

    COLUMNS: encoding, solver, size, density, source, repetition, or several of them with commas.
    """
    from nonosat.experiments import status as state
    from nonosat.experiments.reading import read
    from nonosat.experiments.store import Reader

    stated, part = read(file), _part(shard)
    with Reader(_place(stated, store, part)) as reader:
        found = state.status(stated, reader, [word.strip() for word in by.split(",")], part)
    print("\n".join(state.lines(found)))
    if found.strangers:
        print(f"{found.strangers:,} stored runs are not of the study as {file} states it now")


@study.command()
@click.argument("file")
@click.option("--to", "out", required=True, metavar="OUT", help="records.jsonl or records.parquet.")
@_store
def export(file: str, out: str, store: str | None) -> None:
    """Write the records of the study in FILE (or of the store FILE, a .sqlite) as JSON lines or Parquet."""
    from nonosat.experiments.export import export as write
    from nonosat.experiments.reading import read
    from nonosat.experiments.store import Reader

    source = file if file.endswith(".sqlite") else _place(read(file), store, None)
    with Reader(source) as reader:
        count = write(reader, out)
    _tell(f"{out}: {count:,} records")


@study.command()
@click.argument("out")
@click.argument("stores", nargs=-1, required=True)
def merge(out: str, stores: tuple[str, ...]) -> int:
    """Put the records of STORES, such as those of shards, into the store OUT.

    Of two records of one run the first is kept. Exit code 1 if two say different things; they are listed.
    """
    from nonosat.experiments.export import merge as put_together

    merged = put_together(stores, out)
    for conflict in merged.conflicts:
        _tell(f"conflict: {conflict}")
    _tell(f"{out}: {merged.records:,} records; {merged.same:,} were there twice, {len(merged.conflicts):,} conflicts")
    return EXIT_FAILED if merged.conflicts else EXIT_DONE


@study.command()
@click.argument("file")
@click.option("-o", "--output", "out", metavar="DIR", help="Where the page and its files go; else NAME-report.")
@click.option(
    *("--format", "formats"),
    type=click.Choice(["svg", "png", "pdf"]),
    multiple=True,
    help="Kinds of files for the figures; may be given several times. [default: svg, png]",
)
@_store
def report(file: str, out: str | None, formats: tuple[str, ...], store: str | None) -> None:
    """Write all tables and figures of the study in FILE, with an index page that needs nothing else.

    FILE may also be a file of records: .sqlite, .parquet or .jsonl. The study may still be running.
    """
    from pathlib import Path

    from nonosat.experiments.analysis import frames
    from nonosat.experiments.analysis.report import PAGE_FORMATS, write_report
    from nonosat.experiments.reading import read

    provenance: dict[str, object] = {}
    if file.endswith((".sqlite", ".parquet", ".jsonl")):
        source, title = file, Path(file).stem
    else:
        stated = read(file)
        source, title = _place(stated, store, None), stated.title or stated.name
    if source.endswith(".sqlite"):
        from nonosat.experiments.store import Reader

        with Reader(source) as reader:
            provenance = dict(reader.provenances())
    folder, cores = out or f"{Path(source).stem}-report", len(os.sched_getaffinity(0))
    page = write_report(frames.load(source), folder, title, provenance, formats or PAGE_FORMATS, jobs=cores)
    _tell(f"{page}")


# ---------------------------------------------------------------- what they share


def default_jobs() -> int:
    """A run for every core that we may use but one: what else goes on must not be on the clock of a run."""
    return max(1, len(os.sched_getaffinity(0)) - 1)


def _part(text: str | None) -> Shard | None:
    from nonosat.experiments.conduct import Shard as Part

    if text is None:
        return None
    number, _, of = text.partition("/")
    if not all(word.isascii() and word.isdigit() and len(word) < 8 for word in (number, of)):
        raise click.UsageError(f"--shard {text}: expected I/N, such as 3/10")
    return Part(int(number), int(of))


def _place(stated: Study, store: str | None, part: Shard | None) -> str:
    if store is not None:
        return store
    return f"{stated.name}.sqlite" if part is None else f"{stated.name}-{part.number}-of-{part.of}.sqlite"


def _failures(store: str) -> bool:
    """Has any run of the store crashed, or shown that something is wrong with us?"""
    from nonosat.experiments.conduct import FAILURES, is_bug
    from nonosat.experiments.records import Outcome
    from nonosat.experiments.store import Reader

    with Reader(store) as reader:
        if any(reader.count()[outcome] for outcome in FAILURES):
            return True
        return any(is_bug(record) for record in reader.records("outcome = ?", (str(Outcome.WRONG),)))


def _tell(text: str) -> None:
    with contextlib.suppress(OSError, ValueError):
        print(text, file=sys.stderr, flush=True)


def summary(progress: Progress) -> str:
    """How far it is, on one line: ``120 of 360 runs: 100 SAT, 20 WRONG; 12.3/s, 20 s left``."""
    from nonosat.experiments.checking import duration

    parts = [f"{progress.before + progress.done:,} of {progress.total:,} runs"]
    if progress.before:
        parts[0] += f" ({progress.before:,} from before)"
    if counts := ", ".join(f"{count:,} {outcome}" for outcome, count in progress.outcomes.most_common()):
        parts.append(counts)
    if progress.wrong:
        parts.append(f"{progress.wrong:,} WRONG WITH A SOUND ENCODING")
    if progress.done:
        parts.append(f"{progress.done / max(progress.elapsed_s, 1e-9):.1f}/s")
    if progress.left and progress.left_s is not None:
        parts.append(f"some {duration(progress.left_s)} left")
    return "; ".join(parts)


class Reporter:
    """Shows how far a study is: redrawn in place on a terminal, else a line every ``LOG_EVERY_S``."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.progress: Progress | None = None
        self.ended = threading.Event()

    def __call__(self, progress: Progress) -> None:
        """There is news: the same object every time, with other figures."""
        self.progress = progress

    def __rich__(self) -> RenderableType:
        """What a terminal shows at this moment."""
        from rich.console import Group
        from rich.progress_bar import ProgressBar
        from rich.table import Table
        from rich.text import Text

        if (progress := self.progress) is None:
            return Text(f"{self.name}: reading")
        finished = progress.before + progress.done
        bar = Table.grid(padding=(0, 1))
        bar.add_row(self.name, ProgressBar(max(1, progress.total), finished, width=30), f"{_share(progress):.1%}")
        rows: list[RenderableType] = [bar, Text(summary(progress), style="red" if progress.failed else "")]
        if (last := progress.last) is not None:
            words = (last["outcome"], last["instance"], last["encoding"], last["solver"])
            rows.append(Text("last: " + ", ".join(str(word) for word in words if word is not None), style="dim"))
        return Group(*rows)

    def log(self) -> None:
        """The lines of a run without a terminal, until the end."""
        while not self.ended.wait(LOG_EVERY_S):
            if self.progress is not None:
                _tell(f"{self.name}: {_share(self.progress):.1%}: {summary(self.progress)}")


def _share(progress: Progress) -> float:
    return (progress.before + progress.done) / progress.total if progress.total else 1.0


@contextlib.contextmanager
def reporter(name: str) -> Iterator[Reporter]:
    """A ``Reporter`` that is at work until the end of the block."""
    report = Reporter(name)
    if sys.stderr.isatty():
        from rich.console import Console
        from rich.live import Live

        with Live(report, console=Console(stderr=True), refresh_per_second=4, transient=True):
            yield report
        return
    thread = threading.Thread(target=report.log, daemon=True)
    thread.start()
    try:
        yield report
    finally:
        report.ended.set()
        thread.join()
