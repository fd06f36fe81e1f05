"""``nonosat study merge``: several stores in one."""

from __future__ import annotations

import click

from nonosat.cli.shared import completion
from nonosat.cli.shared.commands import Exit
from nonosat.cli.shared.output import note


@click.command("merge")
@click.argument("out", shell_complete=completion.files)
@click.argument("stores", nargs=-1, required=True, shell_complete=completion.files)
def command(out: str, stores: tuple[str, ...]) -> Exit:
    """Put the records of STORES, such as those of shards, into the store OUT.

    A Parquet file that "study export" wrote is a store, too: its study goes on from there.

    Of two records of one run the first is kept. Exit code 1 if two contradict each other; they are listed. A run that a
    limit ended contradicts none.
    """
    from nonosat.studies.export import merge as put_together

    merged = put_together(stores, out)
    for conflict in merged.conflicts:
        note(f"conflict: {conflict}")
    twice = f"{merged.same:,} were there twice"
    twice += f" ({merged.limited:,} with another result, since a limit ended one or both)" if merged.limited else ""
    note(f"{out}: {merged.records:,} records; {twice}, {len(merged.conflicts):,} conflicts")
    return Exit.FAILED if merged.conflicts else Exit.DONE
