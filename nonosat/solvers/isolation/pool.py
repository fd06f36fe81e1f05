"""The zygotes of this process: started when they are needed, kept for the next run."""

from __future__ import annotations

import atexit
import contextlib
import os
import socket
import subprocess
import sys
import threading
import time

from nonosat.solvers.isolation.messages import CANCEL, ENDING, Ending, frame, receive
from nonosat.solvers.isolation.verdicts import death

CODE = "import sys; fd, *sys.path = sys.argv[1:]; from nonosat.solvers.isolation.zygote import main; main(int(fd))"
PATIENCE_S = 0.1  # for a run that is given up to end in good order, before its watcher is killed too


class Zygote:
    """A watcher process and our end of the socket to it."""

    def __init__(self, modules: tuple[str, ...]) -> None:
        self.modules = modules
        self.socket, theirs = socket.socketpair()
        try:
            self.process = subprocess.Popen(
                [sys.executable, "-c", CODE, str(theirs.fileno()), *sys.path],
                pass_fds=[theirs.fileno()],
                env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},  # numpy's threads, and none may be there at a fork
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,  # a terminal's Ctrl-C is for us
            )
        except BaseException:
            self.socket.close()
            raise
        finally:
            theirs.close()

    def send(self, message: bytes) -> None:
        """OSError: it is dead."""
        self.socket.sendall(message, socket.MSG_NOSIGNAL)

    def cancel(self) -> bool:
        """End the run between two events; is the zygote ready for another one?"""
        until = time.monotonic() + PATIENCE_S
        with contextlib.suppress(OSError, EOFError):
            self.send(frame(CANCEL))
            kind = b""
            while kind != ENDING and (left := until - time.monotonic()) > 0:
                self.socket.settimeout(left)
                kind, _ = receive(self.socket)
            self.socket.settimeout(None)
            return kind == ENDING
        return False

    def close(self) -> None:
        """End it; it ends its run at the end of the socket, and is killed (its child with it) if that takes long."""
        self.socket.close()
        try:
            self.process.wait(PATIENCE_S)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def disown(self) -> None:
        """Let go of a zygote that belongs to the process that we were forked from."""
        self.socket.close()
        self.process.returncode = 0  # not ours to wait for

    def how_it_died(self) -> str:
        """For people, after ``close``."""
        return f"the solver's watcher died ({death(Ending(exit_code=self.process.returncode))})"


class Pool:
    """Zygotes by what they have loaded, so that forks for one solver do not weigh what another one needs."""

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self.idle: list[Zygote] = []
        self.busy: list[Zygote] = []

    def take(self, modules: tuple[str, ...]) -> Zygote:
        """An idle zygote that has loaded just these modules, or a new one that will."""
        with self.lock:
            for zygote in [z for z in self.idle if z.modules == modules]:
                self.idle.remove(zygote)
                if zygote.process.poll() is None:
                    break
                zygote.close()
            else:
                zygote = Zygote(modules)
            self.busy.append(zygote)
            return zygote

    def give_back(self, zygote: Zygote, reusable: bool) -> None:
        """Keep a zygote for later, or end it."""
        with self.lock:
            if zygote not in self.busy:
                return  # of a process that we were forked from
            self.busy.remove(zygote)
            if reusable:
                self.idle.append(zygote)
        if not reusable:
            zygote.close()

    def cancel(self) -> None:
        """End all runs at work: their verdict is INTERRUPTED."""
        with self.lock:
            for zygote in self.busy:
                with contextlib.suppress(OSError):
                    zygote.send(frame(CANCEL))

    def close(self) -> None:
        """End the idle zygotes; the next run starts a new one, with modules as they are then."""
        with self.lock:
            closed, self.idle = self.idle, []
        for zygote in closed:
            zygote.close()

    def forget(self) -> None:
        """Own nothing, after a fork."""
        for zygote in (*self.idle, *self.busy):
            zygote.disown()
        self.__init__()  # type: ignore[misc]


POOL = Pool()
atexit.register(POOL.close)
if hasattr(os, "register_at_fork"):
    # No fork while a zygote starts: a copy of its end of the socket would hide its death.
    os.register_at_fork(
        before=lambda: POOL.lock.acquire(),
        after_in_parent=lambda: POOL.lock.release(),
        after_in_child=lambda: POOL.forget(),
    )
