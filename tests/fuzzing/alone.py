"""Work in a forked process, whose death is told and survived."""

from __future__ import annotations

import contextlib
import ctypes
import faulthandler
import os
import pickle
import resource
import select
import signal
import struct
import tempfile
import time
from collections.abc import Callable
from mmap import mmap
from pathlib import Path
from typing import Any

_HEAD = struct.Struct("<Q")


class Child:
    """A forked process that calls ``work(child)`` and ends; its parent hears what it sends, and how it ended.

    ``note(case, step)`` tells the parent where it is, and costs next to nothing.
    """

    def __init__(self, work: Callable[[Child], None]) -> None:
        self._where = mmap(-1, 24)
        self._buffer = b""
        self.stderr = tempfile.TemporaryFile()  # noqa: SIM115 - it lives as long as this
        self.note(-1, -1)
        self.pipe, theirs = os.pipe()
        self.pid = os.fork()
        if self.pid == 0:
            self._be_the_child(work, theirs)
        os.close(theirs)

    def _be_the_child(self, work: Callable[[Child], None], pipe: int) -> None:
        code = 1
        try:
            signal.signal(signal.SIGINT, signal.SIG_DFL)
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG: die with the parent, even in a solver
            os.close(self.pipe)
            self.pipe = pipe
            faulthandler.disable()  # pytest's, which would write over the terminal
            os.dup2(self.stderr.fileno(), 2)
            work(self)
            code = 0
        except BaseException:
            import traceback

            with contextlib.suppress(OSError):
                os.write(2, traceback.format_exc().encode())
        finally:
            os._exit(code)

    def note(self, case: int, step: int) -> None:
        """Say where it is."""
        struct.pack_into("<qqd", self._where, 0, case, step, time.monotonic())

    def where(self) -> tuple[int, int]:
        """The case and the step that were noted last."""
        case, step, _ = struct.unpack_from("<qqd", self._where)
        return case, step

    def silent_s(self) -> float:
        """For how long nothing has been noted."""
        since: float = struct.unpack_from("<qqd", self._where)[2]
        return time.monotonic() - since

    def send(self, message: Any) -> None:
        """Tell the parent."""
        data = pickle.dumps(message)
        data = _HEAD.pack(len(data)) + data
        while data:
            data = data[os.write(self.pipe, data) :]

    def receive(self, seconds: float) -> tuple[list[Any], bool]:
        """The messages that come within ``seconds`` at the latest; and is that all there will be?"""
        if not select.select([self.pipe], [], [], seconds)[0]:
            return [], False
        data = os.read(self.pipe, 1 << 20)
        self._buffer += data
        messages = []
        while len(self._buffer) >= 8 and len(self._buffer) >= 8 + (size := _HEAD.unpack_from(self._buffer)[0]):
            messages.append(pickle.loads(self._buffer[8 : 8 + size]))
            self._buffer = self._buffer[8 + size :]
        return messages, not data

    def kill(self) -> None:
        """End it."""
        os.kill(self.pid, signal.SIGKILL)

    def death(self) -> str | None:
        """Wait for its end, and tell how it died; None if it ended well."""
        _, status = os.waitpid(self.pid, 0)
        code = os.waitstatus_to_exitcode(status)
        os.close(self.pipe)
        self.stderr.seek(0)
        lines = self.stderr.read()[-20_000:].decode(errors="replace").splitlines()
        self.stderr.close()
        if code == 0:
            return None
        how = signal.Signals(-code).name if code < 0 else f"exit code {code}"
        telling = [line.strip() for line in lines if line.strip() and "stack trace" not in line]
        return f"{how}: {telling[-1] if code > 0 and telling else (telling or ['no last words'])[0]}"


def alone(function: Callable[..., Any], *arguments: Any, seconds: float) -> tuple[Any, str | None]:
    """What ``function(*arguments)`` returns in a process of its own, or None and how that died (or "hang")."""
    child = Child(lambda this: this.send(function(*arguments)))
    until = time.monotonic() + seconds
    said: list[Any] = []
    ended = False
    while not ended and time.monotonic() < until:
        messages, ended = child.receive(0.2)
        said += messages
    if not ended:
        child.kill()
    death = child.death()
    if not ended:
        return None, "hang"
    return (said[0], None) if death is None else (None, death)


def free_cores() -> int:
    """How many there are for this process."""
    return len(os.sched_getaffinity(0))


def folder_of_regressions() -> Path:
    """Where finds are written."""
    return Path(__file__).parents[1] / "regressions"
