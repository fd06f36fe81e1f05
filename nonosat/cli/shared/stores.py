"""Which store a study's records are in: the options ``--store`` and ``--shard``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from nonosat.cli.shared import completion

if TYPE_CHECKING:
    from nonosat.studies.session import Shard
    from nonosat.studies.study import Study

store_option = click.option(
    "--store",
    metavar="PATH",
    shell_complete=completion.files,
    help="Where the records are; else NAME.sqlite in this folder.",
)
shard_option = click.option(
    "--shard",
    metavar="I/N",
    shell_complete=completion.nothing,
    help="Only the I-th of N parts (from 1), in a store of its own.",
)


def shard_of(text: str | None) -> Shard | None:
    """The part of a study that ``3/10`` says; None: all of it."""
    from nonosat.studies.session import Shard

    if text is None:
        return None
    number, _, of = text.partition("/")
    if not all(word.isascii() and word.isdigit() and len(word) < 8 for word in (number, of)):
        raise click.UsageError(f"--shard {text}: expected I/N, such as 3/10")
    return Shard(int(number), int(of))


def store_of(study: Study, store: str | None, shard: Shard | None) -> str:
    """The path of the store: ``store``, or one named after the study and its part."""
    if store is not None:
        return store
    return f"{study.name}.sqlite" if shard is None else f"{study.name}-{shard.number}-of-{shard.of}.sqlite"
