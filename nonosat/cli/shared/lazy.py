"""A group of commands that are imported when they are asked for: a cold start is part of every run."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any

import click

from nonosat.interrupts import plain_interrupts


class LazyGroup(click.Group):
    """The commands of ``package``: its module NAME has the command NAME as ``command`` (``a_b`` the command ``a-b``).

    ``lines``: every command's name, and the first sentence of its help. They stand for the commands (as click's
    ``commands``) in the list of them and where click looks for a name that resembles a wrong one.
    """

    def __init__(self, name: str | None = None, *, package: str, lines: Mapping[str, str], **kwargs: Any) -> None:
        super().__init__(name, [click.Command(name, help=line) for name, line in lines.items()], **kwargs)
        self.package = package

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command itself. Until its module is there, Ctrl-C ends the process, as in ``nonosat.start``."""
        if cmd_name not in self.commands:
            return None
        with plain_interrupts():
            command: click.Command = import_module(f"{self.package}.{cmd_name.replace('-', '_')}").command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list of commands as click writes it, without the commands."""
        click.Group(commands=self.commands).format_commands(ctx, formatter)
