"""``nonosat app``: the workbench in the browser."""

from __future__ import annotations

import contextlib

import click

from nonosat.cli.shared import completion
from nonosat.cli.shared.commands import Exit
from nonosat.cli.shared.output import note


@click.command("app")
@click.option("--port", type=click.IntRange(0, 65535), help="Port to listen at [default: 8610, or any that is free].")
@click.option(
    "--host",
    default="127.0.0.1",
    show_default=True,
    metavar="ADDRESS",
    shell_complete=completion.nothing,
    help="Address to listen at.",
)
@click.option("--no-open", is_flag=True, help="Print the address and open no browser.")
@click.option(
    "--data",
    metavar="DIR",
    shell_complete=completion.files,
    help="Folder for what is played and made [default: ~/.local/share/nonosat].",
)
@click.option(
    "--studies",
    metavar="DIR",
    shell_complete=completion.files,
    help="Folder with the stores of studies [default: this one].",
)
def command(port: int | None, host: str, no_open: bool, data: str | None, studies: str | None) -> Exit:
    """Open the workbench: play, make, watch and explain puzzles in the browser.

    Prints one line, the address with a token that opens it once, in one browser; Ctrl-C ends it. Only this machine can
    reach it, unless --host names another address: then whoever reaches that first with the token can play and solve
    here, and the connection is not encrypted.
    """
    from nonosat.app.server import address, opened, serve

    guard, on = opened(host, port, data, studies)
    if not guard.hosts.loopback:
        note(f"listening at {host}: other machines can reach this, unencrypted; the token is all that keeps them out")
    print(address(guard), flush=True)
    with contextlib.suppress(KeyboardInterrupt):
        serve(guard, on, browser=not no_open)
    return Exit.DONE
