"""How commands are found, how they are run, and how they end."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from enum import IntEnum
from importlib import import_module
from typing import TYPE_CHECKING, Any

import click

from nonosat.errors import InterruptedSolve
from nonosat.interrupts import answered_interrupts, fatal_interrupts, plain_interrupts
from nonosat.progress import ticker

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from nonosat.counting.answer import Tally
    from nonosat.progress import Ticker
    from nonosat.runs.events import Conclusion


class Exit(IntEnum):
    """Exit codes: those of SAT solvers for an answer, and what else a command may end with."""

    DONE = 0
    NO_ANSWER = 0
    FAILED = 1
    BAD_INPUT = 2
    NOT_KNOWN = 3  # whether an encoding is right
    SAT = 10
    UNSAT = 20
    INTERRUPTED = 130
    NO_READER = 141  # as of a process that SIGPIPE ended


def exit_code(answers: Sequence[Conclusion[Any] | Tally]) -> Exit:
    """The exit code of several answers: a failure counts most, then the lack of an answer, then a solution."""
    verdicts = {str(answer.verdict) for answer in answers}
    if verdicts & {"WRONG", "CRASH"} or any(str(answer.stopped) == "CRASH" for answer in answers):
        return Exit.FAILED
    if verdicts - {"SAT", "UNSAT"}:
        return Exit.NO_ANSWER
    return Exit.SAT if "SAT" in verdicts else Exit.UNSAT


class LazyGroup(click.Group):
    """The commands of ``package``, each imported when it is used: a cold start is part of every run.

    The module NAME of the package has the command NAME as ``command`` (``a_b`` the command ``a-b``). ``lines`` maps
    every command's name to what it does, in a line. They stand for the commands (as click's ``commands``) in
    the list of commands, and where click looks for a name that resembles a wrong one. ``groups``: which of them are
    groups, whose commands are named where one of theirs is called as if it were one of these.
    """

    def __init__(
        self,
        name: str | None = None,
        *,
        package: str,
        lines: Mapping[str, str],
        groups: Sequence[str] = (),
        **kwargs: Any,
    ) -> None:
        super().__init__(name, [click.Command(name, help=line) for name, line in lines.items()], **kwargs)
        self.package, self.groups = package, groups

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command itself. Until its module is imported, Ctrl-C ends the process, as in ``nonosat.start``."""
        if cmd_name not in self.commands:
            return None
        with plain_interrupts():
            command: click.Command = import_module(f"{self.package}.{cmd_name.replace('-', '_')}").command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """As click's; a command of one of the groups is named with its group."""
        for group in self.groups if args[0] not in self.commands else ():
            inner = self.get_command(ctx, group)
            if isinstance(inner, click.Group) and args[0] in inner.commands:
                ctx.fail(f"No such command '{args[0]}'. Did you mean '{group} {args[0]}'?")
        return super().resolve_command(ctx, args)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem[str]]:
        """The commands and options that a shell may go on with, without importing the commands."""
        group = click.Group(commands=self.commands, params=self.params)
        return group.shell_complete(click.Context(group, help_option_names=ctx.help_option_names), incomplete)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list of commands as click writes it, without importing the commands."""
        click.Group(commands=self.commands).format_commands(ctx, formatter)


class SearchCommand(click.Command):
    """A command that searches: it shows its progress, and Ctrl-C ends it at once with exit code 130.

    Its function gets the ``Ticker`` as its first argument (``click.pass_obj``). SAT solvers work in a fork, which can
    be ended while they solve. While compiled code is loaded, Ctrl-C ends the process itself; not if the command
    ``leaves_files`` that are to be removed at its end.
    """

    def __init__(self, *args: Any, leaves_files: bool = False, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.interrupts = answered_interrupts if leaves_files else fatal_interrupts

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command."""
        with ticker() as show, self.interrupts():  # the ticker forks, so it comes before numpy is imported
            show("reading")
            ctx.obj = show
            return super().invoke(ctx)


@contextmanager
def printing_if_interrupted(show: Ticker, print_known: Callable[[Any], None]) -> Iterator[None]:
    """Ctrl-C in this context: ``print_known`` prints what was known by then, and the command ends."""
    try:
        yield
    except InterruptedSolve as interrupt:
        show.hide()
        if interrupt.answer is not None:
            print_known(interrupt.answer)
        raise KeyboardInterrupt from None
