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
_HEADS = ("stack trace", "thread 0x")
"""Lines of last words that say nothing."""
PATIENCE = 6
"""How many times as long as it may work a process may wait: for its turn on a busy machine, or for another one."""


class Child:
    """A forked process that calls ``work(child)`` and ends; its parent hears what it sends, and how it ended.

    ``note(case, step)`` tells the parent where it is, and costs next to nothing.
    """

    def __init__(self, work: Callable[[Child], None]) -> None:
        shared = memoryview(mmap(-1, 32))  # a number is written at once: packed together, others see them half written
        self._where, self._since = shared[:16].cast("q"), shared[16:].cast("d")
        self._buffer = b""
        self.stderr = tempfile.TemporaryFile()  # noqa: SIM115 - it lives as long as this
        self._clock = time.CLOCK_PROCESS_CPUTIME_ID  # its own
        self._where[0], self._where[1], self._since[0], self._since[1] = -1, -1, time.monotonic(), 0.0
        self.pipe, theirs = os.pipe()
        self.pid = os.fork()
        if self.pid == 0:
            self._be_the_child(work, theirs)
        os.close(theirs)
        self._clock = (~self.pid << 3) | 2  # the same, as Linux numbers it for others

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
            faulthandler.register(signal.SIGUSR1, file=2)
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
        self._where[0], self._where[1] = case, step
        self._since[0], self._since[1] = time.monotonic(), time.clock_gettime(self._clock)

    def where(self) -> tuple[int, int]:
        """The case and the step that were noted last."""
        return self._where[0], self._where[1]

    def silent_s(self) -> tuple[float, float]:
        """For how long it has noted nothing: seconds of wall time, and of its own CPU time."""
        wall, cpu = self._since
        return time.monotonic() - wall, time.clock_gettime(self._clock) - cpu

    def hangs(self, seconds: float) -> bool:
        """Has it worked for so long without a word, or been silent for ``PATIENCE`` times as long?"""
        wall, cpu = self.silent_s()
        return cpu > seconds or wall > PATIENCE * seconds

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

    def kill(self, by: int = signal.SIGKILL) -> None:
        """End it, or send it another signal; it may have ended by itself meanwhile."""
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.pid, by)

    def end_of_a_hang(self) -> str:
        """End it, and tell how long it was silent, and where it was."""
        wall, cpu = self.silent_s()
        before = last = os.fstat(self.stderr.fileno()).st_size
        self.kill(signal.SIGUSR1)
        for _ in range(50):  # it writes where it is, if it can, and when it has its turn
            time.sleep(0.2)
            size = os.fstat(self.stderr.fileno()).st_size
            if before < size == last:
                break
            last = size
        self.kill()
        return f"silent for {wall:.1f} s, {cpu:.1f} s of them at work; {self.death()}"

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
        telling = [line.strip() for line in lines if line.strip() and not any(word in line for word in _HEADS)]
        return f"{how}: {telling[-1] if code > 0 and telling else (telling or ['no last words'])[0]}"


def alone(function: Callable[..., Any], *arguments: Any, seconds: float) -> tuple[Any, str | None]:
    """What ``function(*arguments)`` returns in a process of its own, or None and how that died, or that it hangs."""
    child = Child(lambda this: this.send(function(*arguments)))
    said: list[Any] = []
    ended = False
    while not ended and not child.hangs(seconds):
        messages, ended = child.receive(0.2)
        said += messages
    if not ended:
        child.end_of_a_hang()
        return None, "hang"
    death = child.death()
    return (said[0], None) if death is None else (None, death)


def free_cores() -> int:
    """How many there are for this process."""
    return len(os.sched_getaffinity(0))


def folder_of_regressions() -> Path:
    """Where finds are written."""
    return Path(__file__).parents[1] / "regressions"
