"""A run's child process and its folder: made, killed, and cleaned up after."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import time

from nonosat.solvers.isolation.child import child
from nonosat.solvers.isolation.messages import Job
from nonosat.solvers.isolation.usage import children


def made(folder: str | None) -> str | None:
    """``folder``, made; None if it cannot be (a search that needs no files does not mind)."""
    try:
        if folder is not None:
            os.mkdir(folder, 0o700)  # noqa: PTH102 - as above
    except OSError:
        return None
    return folder


def remove(path: str | None) -> None:
    """Remove a folder with all that is in it, if it is there."""
    if path is None:
        return
    try:
        os.rmdir(path)  # noqa: PTH106 - as above
    except FileNotFoundError:
        pass
    except OSError:
        import shutil  # rarely needed

        shutil.rmtree(path, ignore_errors=True)


def kill_group(pid: int) -> None:
    """Kill a child that is not waited for yet, and the group that it leads (it may die before it leads one)."""
    os.kill(pid, signal.SIGKILL)
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)


def sweep(patience_s: float = 1.0) -> None:
    """Kill and reap what outlived the child, even in sessions of its own: a subreaper inherits it all."""
    until = time.monotonic() + patience_s
    with contextlib.suppress(ChildProcessError):  # none left
        while time.monotonic() < until:
            if os.waitpid(-1, os.WNOHANG) == (0, 0):
                for pid in children(os.getpid()):
                    os.kill(pid, signal.SIGKILL)
                time.sleep(0.001)


def start(control: socket.socket, job: Job) -> tuple[int, int, int]:
    """Fork the child; its pid and the ends to read its events and its stderr from (non-blocking)."""
    zygote = os.getpid()
    out, out_end = os.pipe()
    err, err_end = os.pipe()
    try:
        if (pid := os.fork()) == 0:
            child(job, zygote, out_end, err_end, unneeded=(control.fileno(), out, err))
    except OSError:
        os.close(out)
        os.close(err)
        raise
    finally:
        os.close(out_end)
        os.close(err_end)
    os.set_blocking(out, False)
    os.set_blocking(err, False)
    return pid, out, err
