"""Child processes that answer to signals as they do by default, whatever the tests' own parent did with its signals.

``make test &`` in a script ignores SIGINT, as ``nohup`` does SIGHUP, and children inherit that; a process that is
started so does not hear Ctrl-C at all. Who tests a signal starts its child here.
"""

from __future__ import annotations

import fcntl
import signal
import subprocess
import termios
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT, signal.SIGALRM)


def by_default() -> None:
    """Let this process answer to ``SIGNALS`` by default, and block none."""
    for number in SIGNALS:
        signal.signal(number, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_SETMASK, ())


def started(command: Sequence[str], terminal: int | None = None, **options: Any) -> subprocess.Popen[str]:
    """A child whose signals do by default, with pipes for its output unless ``options`` of ``Popen`` say otherwise.

    ``terminal``: it gets this end of a pseudo-terminal for its stdin and stderr, and is in front there: Ctrl-C typed at
    the other end is SIGINT for it and for all that it starts.
    """

    def prepare() -> None:
        by_default()
        if terminal is not None:
            fcntl.ioctl(terminal, termios.TIOCSCTTY, 0)

    usual: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    if terminal is not None:
        usual |= {"stdin": terminal, "stderr": terminal, "start_new_session": True}
    return subprocess.Popen(command, preexec_fn=prepare, **usual | options)


@contextmanager
def interruptible() -> Iterator[None]:
    """In this context SIGINT is KeyboardInterrupt in the tests' own process."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
