"""A group of commands that are imported when they are asked for: a cold start is part of every run."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any

import click

from nonosat.interrupts import plain_interrupts

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem


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

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem[str]]:
        """The commands and options that a shell may go on with, as click finds them, without the commands."""
        group = click.Group(commands=self.commands, params=self.params)
        return group.shell_complete(click.Context(group, help_option_names=ctx.help_option_names), incomplete)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list of commands as click writes it, without the commands."""
        click.Group(commands=self.commands).format_commands(ctx, formatter)
