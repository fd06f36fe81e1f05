"""Every command by click's own help: what it does, its usage, and its options as a table."""

from __future__ import annotations

from collections.abc import Iterator
from inspect import cleandoc

import click
from markup import code, row

from nonosat.cli import cli


def told() -> str:
    """All commands, a heading each, those of groups below their group."""
    return "\n".join(_group(cli, click.Context(cli, info_name="nonosat"), 2))


def _group(group: click.Group, context: click.Context, level: int) -> Iterator[str]:
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        inner = click.Context(command, info_name=name, parent=context)
        yield from _command(command, inner, level)
        if isinstance(command, click.Group):
            yield from _group(command, inner, level + 1)


def _command(command: click.Command, context: click.Context, level: int) -> Iterator[str]:
    yield f"\n{'#' * level} `{context.command_path}`\n"
    yield cleandoc(command.help or "").replace("\b", "").replace("<", "&lt;").replace("*", "\\*")
    yield f"\n```text\n{command.get_usage(context)}\n```\n"
    shown = [each for each in command.get_params(context) if isinstance(each, click.Option)]
    options = [record for each in shown if (record := each.get_help_record(context)) is not None]
    yield row("option", "what it does") + "\n|---|---|"
    yield from (row(code(name), about.replace("<", "&lt;")) for name, about in options)
