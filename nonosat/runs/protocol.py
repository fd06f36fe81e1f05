"""What the owner of a run, the zygote and its child say to each other, and how: frames of a kind and a body."""

from __future__ import annotations

import socket
import struct
from typing import Any, NamedTuple

HEADER = struct.Struct("!cQ")  # kind, length of the body
JOB, CANCEL = b"J", b"C"  # to the zygote
EVENT, LAST, ENDING = b"E", b"L", b"D"  # to its owner; LAST is the event that a search ends with
LOADING = b"O"  # to its owner: what is loaded now ("": all is there)
ERROR, NO_MEMORY = b"X", b"M"  # from the child to the zygote: an exception, as text
READY, NEED = b"R", b"N"  # from the child to the zygote: the clock begins at the ``MOMENT``; a pickled ``Need``
LATE_NEED = b"W"  # from the child to the zygote: a pickled ``Need``, which the child loads itself
MOMENT = struct.Struct("!dd")
"""What stands before a READY event: the monotonic clock, and the CPU seconds of its process at that time.

The zygote may hear of it later, on a busy machine by more than a short search takes.
"""

MIB = 1 << 20


class Job(NamedTuple):
    """One run: its limits, what to import before the clock starts, and the pickled ``(search, args)``.

    ``folder`` is made for the run's temporary files (it is the TMPDIR of all its processes), and removed after it.
    ``waits``: the limits on time count from the event ``Ready`` on, which the search will say. ``plugins``: what is
    loaded before all else.
    """

    wall_s: float | None
    cpu_s: float | None
    memory_mb: float | None
    preload: tuple[str, ...]
    path: list[str]
    cwd: str | None
    payload: bytes
    folder: str | None = None
    waits: bool = False
    plugins: tuple[str, ...] = ()


class Need(NamedTuple):
    """What a child met that is not loaded: a ``module``, its ``machine_code`` (see ``solvers/compiled``), or one of its
    functions that numba compiles, for a ``signature``.
    """

    module: str
    function: str | None = None
    signature: Any = None
    machine_code: bool = False

    def __str__(self) -> str:
        return self.module if self.function is None else f"{self.module}.{self.function}"


class Ending(NamedTuple):
    """The evidence of how a run ended.

    ``killed_for``: "time", "cpu", "memory", "cancel", or "start" (it was never ready) if the zygote killed it,
    ``exit_code``: negative for a signal,
    ``cpu_s``: user and system time of the process and of those that it has waited for,
    ``wall_s``: since its clock began, if that did,
    ``error``: the exception that ended the search, ``no_memory``: that exception says that memory ran out.
    """

    killed_for: str | None = None
    exit_code: int | None = None
    peak_memory_mb: float | None = None
    stderr: str = ""
    error: str | None = None
    no_memory: bool = False
    cpu_s: float | None = None
    wall_s: float | None = None


def frame(kind: bytes, body: bytes = b"") -> bytes:
    """A message as it goes over a pipe or socket."""
    return HEADER.pack(kind, len(body)) + body


def receive(sock: socket.socket) -> tuple[bytes, bytearray]:
    """The next message, as (kind, body). EOFError: the other side is gone."""
    kind, size = HEADER.unpack(_exactly(sock, HEADER.size))
    return kind, _exactly(sock, size)


def _exactly(sock: socket.socket, size: int) -> bytearray:
    data = bytearray(size)
    with memoryview(data) as view:
        filled = 0
        while filled < size:
            if not (got := sock.recv_into(view[filled:])):
                raise EOFError
            filled += got
    return data
