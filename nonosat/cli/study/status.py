"""``nonosat study status``: how far a study is."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from nonosat.cli.shared import completion, options
from nonosat.cli.shared.output import note
from nonosat.cli.shared.studies import shard_of, store_of

if TYPE_CHECKING:
    from nonosat.studies.session import Status
    from nonosat.studies.store import StoreReader


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
    """How far is the study in FILE? It may be running meanwhile, or not have begun.

    FILE may also be a store (.sqlite); the study, or its shard, is then the one that it was made by, if its puzzles are
    there.
    COLUMNS: encoding, solver, source, repetition, parameters of the study's generators (size, density, level), or
    several of them with commas.
    """
    from nonosat.studies import session as state
    from nonosat.studies.store import StoreReader
    from nonosat.studies.study import read

    columns = [word.strip() for word in by.split(",")]
    if file.endswith(".sqlite"):
        if store is not None or shard is not None:
            raise click.UsageError("--store and --shard go with a study's file, not with a store")
        with StoreReader(file) as reader:
            shard = reader.shard or None
            found, origin = _of_store(reader, file, columns)
    else:
        stated, part = read(file), shard_of(shard)
        target, origin = store_of(stated, store, part), file
        begun = Path(target).exists() and Path(target).stat().st_size  # one that was killed at once has no tables yet
        if begun or (store is not None and not Path(target).exists()):
            with StoreReader(target) as reader:
                found = state.status(stated, reader, columns, part)
        else:
            found = state.status(stated, None, columns, part)
    total = found.total
    print("\n".join(state.lines(found)))
    done = total.total() - total[state.LEFT]
    only = f"shard {shard}: " if shard else ""
    print(f"{only}{f'{done:,} of {total.total():,} done' if done else 'nothing done'}, {total[state.LEFT]:,} left")
    if found.strangers:
        print(strangers(len(found.strangers), origin))


def strangers(runs: int, origin: str) -> str:
    """A line about runs that another or an edited study, or another version of nonosat, left in the store."""
    return f"{runs:,} stored runs are not of the study as {origin} states it now"


def _of_store(reader: StoreReader, file: str, columns: list[str]) -> tuple[Status, str]:
    """The state of the store's own study; without its puzzle files, what is stored."""
    from nonosat.errors import NonosatError, UnknownNameError
    from nonosat.studies import session as state
    from nonosat.studies.study import parse

    text = reader.toml
    if text:
        try:
            stated, part = parse(text, Path(file).with_suffix(".toml")), shard_of(reader.shard or None)
            return state.status(stated, reader, columns, part), "its own text"
        except UnknownNameError:
            raise
        except NonosatError as error:
            note(f"{error}: what is left is not known")
    return state.stored(reader, columns), file
