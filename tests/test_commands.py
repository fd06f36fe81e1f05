"""The tables of commands: they say what the commands say, and spare importing them."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType

import click
import pytest
from click.testing import CliRunner

import nonosat.cli
import nonosat.cli.study
from nonosat.cli.shared.commands import SearchCommand

GROUPS = [nonosat.cli, nonosat.cli.study]
ALL = [(group, name) for group in GROUPS for name in group.COMMANDS]
NO_COMMANDS = {"main", "shared"}
PROBE = """
import contextlib, io, sys
from click import UsageError
from nonosat.cli import cli
with contextlib.suppress(UsageError), contextlib.redirect_stdout(io.StringIO()):
    cli.main(sys.argv[1:], standalone_mode=False)
ours = (name.removeprefix("nonosat.cli.") for name in sys.modules if name.startswith("nonosat.cli."))
print(*sorted(name for name in ours if not name.startswith("shared")), "numpy" * ("numpy" in sys.modules))
"""


@pytest.mark.parametrize(("group", "name"), ALL)
def test_the_table_has_every_command(group: ModuleType, name: str) -> None:
    command = import_module(f"{group.__name__}.{name.replace('-', '_')}").command
    assert isinstance(command, click.Command)
    assert command.name == name


@pytest.mark.parametrize(("group", "path"), [(nonosat.cli, []), (nonosat.cli.study, ["study"])])
def test_no_line_of_the_lists_is_cut_at_80_columns(group: ModuleType, path: list[str]) -> None:
    said = CliRunner().invoke(nonosat.cli.cli, [*path, "--help"], terminal_width=80).output
    for name, line in group.COMMANDS.items():
        assert f"  {name} " in said
        assert f"  {line}\n" in said


@pytest.mark.parametrize("group", GROUPS)
def test_every_file_is_listed(group: ModuleType) -> None:
    files = {module.name.replace("_", "-") for module in iter_modules(group.__path__)}
    assert files - NO_COMMANDS == set(group.COMMANDS)


OPTIONS = {"out": ["-o", "--output"], "from_format": ["--from"], "to_format": ["--to"]}
"""How every command names what several commands have, if it is an option there."""


@pytest.mark.parametrize(("group", "name"), ALL)
def test_an_option_has_the_same_name_in_all_commands(group: ModuleType, name: str) -> None:
    command = import_module(f"{group.__name__}.{name.replace('-', '_')}").command
    options = {option.name: option for option in command.params if isinstance(option, click.Option)}
    for option in OPTIONS.keys() & options.keys():
        assert options[option].opts == OPTIONS[option]
    written = {flag for option in options.values() for flag in option.opts}
    assert "--json" not in written  # it is --format json
    if "--format" in written and name != "report":
        assert isinstance(options["output"].type, click.Choice)
        assert list(options["output"].type.choices)[:2] == ["text", "json"]


@pytest.mark.parametrize(
    ("arguments", "imported"),
    [
        ("--help", []),
        ("--version", []),
        ("slove", ["study"]),  # is it a command of a group?
        ("study --help", ["study"]),
        ("study runn", ["study"]),
        ("convert --help", ["convert"]),
        ("study merge --help", ["study", "study.merge"]),
        ("generate --help", ["generate"]),
    ],
)
def test_a_command_is_imported_when_it_is_called(arguments: str, imported: list[str]) -> None:
    command = [sys.executable, "-c", PROBE, *arguments.split()]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.split() == imported


LIMITS = {"--time-limit", "--cpu-limit", "--memory-limit"}
NO_LIMITS = {"check-certificate": "checks what was found", "report": "draws what was found"}
"""Commands that take long and have no limits, and why."""
WRITES_LIMITS = {"new"}
"""Commands that write limits into a file, and do not search."""


@pytest.mark.parametrize(("group", "name"), ALL)
def test_a_command_that_searches_has_all_limits(group: ModuleType, name: str) -> None:
    command = import_module(f"{group.__name__}.{name.replace('-', '_')}").command
    written = {flag for option in command.params for flag in option.opts} & LIMITS
    limited = (isinstance(command, SearchCommand) and name not in NO_LIMITS) or name in WRITES_LIMITS
    assert written == (LIMITS if limited else set())


SEARCHES = [
    *("backbone", "certify", "count", "csp", "difficulty", "draw", "equivalent", "explain"),
    *("generate", "print", "prove", "repair", "sample", "solve"),
]


def test_what_searches_is_a_search_command() -> None:
    """So Ctrl-C ends it at once, with what is known."""
    found = [name for group, name in ALL if isinstance(command_of(group, name), SearchCommand)]
    assert sorted(found) == sorted([*SEARCHES, *NO_LIMITS])


def command_of(group: ModuleType, name: str) -> click.Command:
    command: click.Command = import_module(f"{group.__name__}.{name.replace('-', '_')}").command
    return command
