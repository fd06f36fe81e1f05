"""The process that runs a search and nothing else: a fork of the zygote, confined, that writes events to a pipe."""

from __future__ import annotations

import contextlib
import ctypes
import errno
import gc
import os
import pickle
import resource
import signal
import sys
import time
from typing import NoReturn

from nonosat.errors import SolverError
from nonosat.packages import missing
from nonosat.solvers.isolation.hoist import on_demand
from nonosat.solvers.isolation.messages import ERROR, EVENT, LAST, MIB, MOMENT, NEED, NO_MEMORY, READY, Job, Need, frame

PR_SET_PDEATHSIG = 1
LIBC = ctypes.CDLL(None)  # looked up here, before any fork: it takes 0.3 ms after one


def child(job: Job, zygote: int, out: int, err: int, unneeded: tuple[int, ...]) -> NoReturn:
    """The forked process: run the search, write its events, never return."""
    all_is_there = on_demand(lambda need: go_without(need, out))
    try:
        for fd in unneeded:
            os.close(fd)
        confine(zygote, err, job.memory_mb)
        if job.folder is not None:
            os.environ["TMPDIR"] = job.folder
            if "tempfile" in sys.modules:
                vars(sys.modules["tempfile"])["tempdir"] = None  # it may have looked already
        search, args = pickle.loads(job.payload)
        from nonosat.solvers.answer import Finished, Found, Glimpse, Progress, Ready, Stopped

        gathered, at_once = b"", (Progress, Glimpse, Found, Ready, Finished, Stopped)
        for event in search(*args):
            last = isinstance(event, Finished | Stopped)
            body = pickle.dumps(event, protocol=5)
            if isinstance(event, Ready):
                gathered += frame(READY, MOMENT.pack(time.monotonic(), event.cpu_s) + body)
            else:
                gathered += frame(LAST if last else EVENT, body)
            if isinstance(event, at_once):  # others are told with the next one
                write(out, gathered)
                gathered = b""
            if last:
                break
    except SolverError as error:  # as in the process of the caller (running.py)
        all_is_there()
        from nonosat.solvers.answer import Stopped, Verdict

        write(out, frame(LAST, pickle.dumps(Stopped(Verdict.CRASH, str(error)), protocol=5)))
    except BaseException as error:
        all_is_there()
        write(out, frame(NO_MEMORY if is_no_memory(error) else ERROR, told(error).encode(errors="replace")))
        sys.excepthook(type(error), error, error.__traceback__)
        sys.stderr.flush()
    finally:
        os._exit(0)


def go_without(need: Need, out: int) -> NoReturn:
    """Say what this run needs, and end: the zygote loads it and begins anew."""
    write(out, frame(NEED, pickle.dumps(need, protocol=5)))
    os._exit(0)


def confine(zygote: int, err: int, memory_mb: float | None) -> None:
    """Make this fork a process of its own that dies with the zygote. Memory is limited by the watch."""
    os.setsid()
    prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != zygote:
        os._exit(1)
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # the others are so in the zygote
    os.dup2(err, 2)
    os.close(err)
    gc.enable()
    clear_peak()
    resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))
    if memory_mb is not None:  # a backstop against one huge leap; RLIMIT_AS would strike for space never used
        hard = resource.getrlimit(resource.RLIMIT_DATA)[1]
        soft = int((2 * memory_mb + 512) * MIB)
        resource.setrlimit(resource.RLIMIT_DATA, (soft if hard == resource.RLIM_INFINITY else min(soft, hard), hard))


def clear_peak() -> None:
    """Let this process's peak memory (ru_maxrss, VmHWM) count from here."""
    with contextlib.suppress(OSError):
        fd = os.open("/proc/self/clear_refs", os.O_WRONLY)  # a tenth of what open() takes in a fresh fork
        try:
            os.write(fd, b"5")
        finally:
            os.close(fd)


def peak_mb() -> float | None:
    """Peak resident memory of this process since it was last cleared, in MiB; None where the system does not tell."""
    with contextlib.suppress(OSError):
        fd = os.open("/proc/self/status", os.O_RDONLY)
        try:
            lines = os.read(fd, 1 << 14)
        finally:
            os.close(fd)
        if found := lines.partition(b"VmHWM:")[2]:
            return int(found.split(None, 1)[0]) / 1024
    return None


def write(fd: int, data: bytes) -> None:
    """Write all of it."""
    with memoryview(data) as rest:
        done = 0
        while done < len(rest):
            done += os.write(fd, rest[done:])


def told(error: BaseException) -> str:
    """An exception in one line."""
    if (line := missing(error)) is not None:
        return line
    text = " ".join(str(error).split())
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def is_no_memory(error: BaseException | None) -> bool:
    """Does the exception, or one behind it, say that memory ran out?"""
    while error is not None:
        if isinstance(error, MemoryError) or (isinstance(error, OSError) and error.errno == errno.ENOMEM):
            return True
        error = error.__cause__ or error.__context__
    return False


def prctl(option: int, value: int) -> None:
    """Set a property of this process (Linux)."""
    LIBC.prctl(option, ctypes.c_ulong(value), 0, 0, 0)
