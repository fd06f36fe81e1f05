"""The command ``nonosat``, and how it ends: an error that is no bug is one line on stderr and exit code 2."""

from __future__ import annotations

import contextlib
import os
import sys
from pathlib import Path
from typing import NoReturn

import click

from nonosat.cli import cli
from nonosat.cli.shared.commands import Exit
from nonosat.cli.shared.output import note, warn
from nonosat.errors import NonosatError, missing

COMPLETE = "_NONOSAT_COMPLETE"
"""Set by a shell that wants completions (click's protocol); README.md has the line for it."""


def main() -> NoReturn:
    """Run the command of the process's arguments, and end the process."""
    sys.stdout, sys.stderr = (stream or Path(os.devnull).open("w") for stream in (sys.stdout, sys.stderr))  # noqa: SIM115
    sys.unraisablehook = _unraisable
    try:
        code = _run()
        sys.stdout.flush()
    except click.exceptions.NoArgsIsHelpError as error:
        note(error.format_message())
        code = Exit.BAD_INPUT
    except click.ClickException as error:
        context = getattr(error, "ctx", None)
        hint = f" (see {context.command_path} --help)" if context is not None else ""
        reason = " ".join(error.format_message().split())
        if isinstance(error, click.NoSuchOption) and any(error.option_name in each.opts for each in cli.params):
            reason, hint = reason.removesuffix("."), f": it comes before the command (nonosat {error.option_name} ...)"
        warn(reason + hint)
        code = Exit.BAD_INPUT
    except NonosatError as error:
        warn(str(error))
        code = Exit.BAD_INPUT
    except BrokenPipeError:  # the reader of our output has gone, as `head` does
        code = Exit.NO_READER
    except OSError as error:  # our own files have errors of their own; this is stdout on a full disk
        warn(f"cannot write: {(error.strerror or str(error)).lower()}")
        code = Exit.BAD_INPUT
    except MemoryError:
        warn("out of memory")
        code = Exit.BAD_INPUT
    except (click.Abort, KeyboardInterrupt):
        warn("interrupted")
        code = Exit.INTERRUPTED
    except Exception as error:
        if _interrupted(error):
            warn("interrupted")
            code = Exit.INTERRUPTED
        elif (line := missing(error)) is not None:
            warn(line)
            code = Exit.BAD_INPUT
        else:
            raise
    _leave(code)


def _unraisable(event: sys.UnraisableHookArgs) -> None:
    """Handle an exception in a finalizer or in a callback of a weak reference, which Python prints and forgets.

    Ctrl-C there would be lost, and the command would go on. Every import has such callbacks.
    """
    if not isinstance(event.exc_value, KeyboardInterrupt):
        sys.__unraisablehook__(event)
        return
    warn("interrupted")
    _leave(Exit.INTERRUPTED)


def _interrupted(error: BaseException | None) -> bool:
    """Is Ctrl-C the cause of an exception? Python replaces one that comes while a class is made, as imports do."""
    while error is not None and not isinstance(error, KeyboardInterrupt):
        error = error.__cause__ or error.__context__
    return error is not None


def _run() -> int:
    """The command's exit code. Not by ``cli.main``, which makes an exit code of its own of a broken pipe."""
    if (wanted := os.environ.get(COMPLETE)) is not None:
        from click.shell_completion import shell_complete

        import nonosat.cli.shared.shells  # noqa: F401 - the scripts, instead of click's

        return shell_complete(cli, {}, "nonosat", COMPLETE, wanted)
    try:
        with cli.make_context("nonosat", sys.argv[1:]) as context:
            code = cli.invoke(context)
    except click.exceptions.Exit as leaving:  # --help, --version
        code = leaving.exit_code
    return code if isinstance(code, int) else Exit.DONE


def _leave(code: int) -> NoReturn:
    """End the process at once: failed writes are not repeated, and threads of solvers are not waited for."""
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError):
            stream.flush()
    os._exit(code)
