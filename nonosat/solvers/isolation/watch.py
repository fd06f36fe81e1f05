"""One run under its limits: what its child says is passed on, and the child is killed when it goes over."""

from __future__ import annotations

import contextlib
import math
import os
import pickle
import select
import socket
import time

from nonosat.solvers.isolation.messages import (
    ENDING,
    ERROR,
    HEADER,
    LAST,
    MIB,
    MOMENT,
    NEED,
    NO_MEMORY,
    READY,
    Ending,
    Job,
    Need,
    frame,
)
from nonosat.solvers.isolation.processes import kill_group, made, remove, start, sweep
from nonosat.solvers.isolation.usage import cpu_in_use, memory_in_use

CHUNK = 1 << 16  # what a pipe holds
DAY_MS = 86_400_000.0  # poll counts in a C int of milliseconds
STDERR_KEPT = 8192
OUTBOX_FULL = 16 * MIB  # beyond it the search waits for its consumer, so that no endless enumeration fills the memory
GROWTH = 8000 * MIB  # bytes/s, more than a process can touch: sets when the next look at its memory is due
LOOKS_S = (0.005, 0.05)  # shortest and longest time between two looks
CPU_LOOK_S = 0.002  # between two looks at a CPU clock that is nearly over
CORES = os.cpu_count() or 1  # a process can use as much CPU time a second
START_S = 600.0  # for a search that says when it is ready to get there; no limit of the user's counts before


class Watch:
    """One run under its limits. Makes the child; ``run`` sees it to its end."""

    def __init__(self, control: socket.socket, job: Job) -> None:
        started = time.monotonic()
        self.job = job
        self.deadline, self.cpu, self.cpu_look = started + START_S, math.inf, math.inf
        self.ready, self.began, self.ended = False, started, math.inf
        if not job.waits:
            self.begin(started)
        self.memory = math.inf if job.memory_mb is None else job.memory_mb * MIB
        self.next_look = started if job.memory_mb is not None else started + LOOKS_S[1]
        self.control = control
        self.folder = made(job.folder)
        try:
            self.pid, self.out, self.err = start(control, job._replace(folder=self.folder))
        except OSError:
            remove(self.folder)
            raise
        self.pidfd = os.pidfd_open(self.pid)
        self.watched = {self.pidfd, self.out, self.err}
        self.inbox, self.outbox, self.stderr = bytearray(), bytearray(), b""
        self.error: tuple[bytes, str] | None = None
        self.need: Need | None = None
        self.killed_for: str | None = None
        self.dying = False
        self.peak = 0.0

    def begin(self, now: float, cpu_s: float = 0.0) -> None:
        """Let the limits on time count from ``now``; ``cpu_s``: what has been used before."""
        self.ready, self.began = True, now
        self.deadline = math.inf if self.job.wall_s is None else now + self.job.wall_s
        if self.job.cpu_s is not None:
            self.cpu, self.cpu_look = cpu_s + self.job.cpu_s, now

    def run(self) -> Need | None:
        """Watch until the child is dead and all that it said is sent; what it needs, if it is to begin anew.

        EOFError: the owner is gone; the child is too.
        """
        try:
            while self.pidfd not in (ready := self.wait()):
                self.turn(ready)
                self.check_limits()
            ending = self.conclude()
            need = None if self.killed_for == "cancel" else self.need
            if need is None:
                self.outbox += frame(ENDING, pickle.dumps(ending))
            while self.outbox:
                self.turn(self.wait())
            return need
        except BaseException:
            if self.pidfd in self.watched:
                self.kill(None)
                self.reap()
            raise
        finally:
            for fd in (self.out, self.err, self.pidfd):
                os.close(fd)

    def wait(self) -> set[int]:
        """The file descriptors that are ready; none if a limit is due before."""
        poll = select.poll()
        poll.register(self.control, select.POLLIN | (select.POLLOUT if self.outbox else 0))
        for fd in self.watched:
            if fd != self.out or len(self.outbox) < OUTBOX_FULL:
                poll.register(fd, select.POLLIN)
        due = math.inf if self.dying else min(self.deadline, self.next_look, self.cpu_look)
        pause = None if due == math.inf else min(max(0.0, due - time.monotonic()) * 1000, DAY_MS)
        return {fd for fd, _ in poll.poll(pause)}  # rounds up to whole ms, so that no limit strikes early

    def turn(self, ready: set[int]) -> None:
        """Move what can be moved without waiting. EOFError or ConnectionError: the owner is gone."""
        if self.out in ready:
            self.take_frames(self.read(self.out))
        if self.err in ready:
            self.take_stderr(self.read(self.err))
        with contextlib.suppress(BlockingIOError):
            if self.control.fileno() in ready:
                if not self.control.recv(HEADER.size, socket.MSG_DONTWAIT):
                    raise EOFError
                self.kill("cancel")  # all that is said to a zygote at work; a next job follows the ending, sent below
        with contextlib.suppress(BlockingIOError):
            if self.outbox:
                with memoryview(self.outbox) as view:
                    sent = self.control.send(view[: 4 * CHUNK], socket.MSG_DONTWAIT | socket.MSG_NOSIGNAL)
                del self.outbox[:sent]

    def read(self, fd: int) -> bytes:
        """What a pipe has now; at its end it is watched no more."""
        with contextlib.suppress(BlockingIOError):
            if data := os.read(fd, CHUNK):
                return data
            self.watched.discard(fd)
        return b""

    def take_stderr(self, data: bytes) -> None:
        """Keep the end of what the child says on stderr."""
        self.stderr = (self.stderr + data)[-STDERR_KEPT:]

    def take_frames(self, data: bytes) -> None:
        """Pass on the events that are whole. The last one ends the run: nothing after it counts."""
        self.inbox += data
        while len(self.inbox) >= HEADER.size:
            kind, size = HEADER.unpack_from(self.inbox)
            if len(self.inbox) < (end := HEADER.size + size):
                break
            if kind in (ERROR, NO_MEMORY):
                self.error = kind, self.inbox[HEADER.size : end].decode()
            elif kind == NEED:
                self.need = pickle.loads(self.inbox[HEADER.size : end])
            elif kind == READY:
                event = HEADER.size + MOMENT.size
                self.outbox += frame(READY, bytes(self.inbox[event:end]))
                if not self.dying:
                    self.begin(*MOMENT.unpack_from(self.inbox, HEADER.size))
            else:
                self.outbox += self.inbox[:end]
            del self.inbox[:end]
            if kind == LAST:
                self.kill(None)

    def check_limits(self) -> None:
        """Kill a child that is past a limit."""
        now = time.monotonic()
        if now >= self.deadline:
            self.kill("time" if self.ready else "start")
        elif now >= self.cpu_look:
            used = cpu_in_use()
            if used >= self.cpu:
                self.kill("cpu")
            self.cpu_look = now + max(CPU_LOOK_S, (self.cpu - used) / CORES)
        elif now >= self.next_look:
            used = memory_in_use(self.memory)
            self.peak = max(self.peak, used)
            if used > self.memory:
                self.kill("memory")
            least, most = LOOKS_S
            self.next_look = now + min(most, max(least, (self.memory - used) / GROWTH))

    def kill(self, reason: str | None) -> None:
        """End the child and its group; the first reason counts."""
        if not self.dying:
            self.dying, self.killed_for, self.ended = True, reason, time.monotonic()
            kill_group(self.pid)

    def conclude(self) -> Ending:
        """Bury the dead child, take what it left in its pipes, and say how it ended."""
        status, peak, cpu_s = self.reap()
        wall_s = min(self.ended, time.monotonic()) - self.began if self.ready else None
        while data := self.read(self.out):
            self.take_frames(data)
        while data := self.read(self.err):
            self.take_stderr(data)
        self.watched.clear()
        kind, error = self.error or (None, None)
        stderr = self.stderr.decode(errors="replace")
        code = os.waitstatus_to_exitcode(status)
        peak = max(self.peak, peak) / MIB
        return Ending(self.killed_for, code, peak, stderr, error, kind == NO_MEMORY, cpu_s, wall_s)

    def reap(self) -> tuple[int, float, float]:
        """Wait for the child and end what it left behind; its wait status, peak memory in bytes, and CPU seconds."""
        os.waitid(os.P_PIDFD, self.pidfd, os.WEXITED | os.WNOWAIT)
        kill_group(self.pid)  # while the dead child still holds its number
        _, status, usage = os.wait4(self.pid, 0)
        self.watched.discard(self.pidfd)
        self.dying = True
        sweep()
        remove(self.folder)
        return status, usage.ru_maxrss * 1024.0, usage.ru_utime + usage.ru_stime
