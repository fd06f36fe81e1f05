"""The lean process that forks one child a run, watches it, kills it at its limits and tells how it ended.

It stays single-threaded and imports no more than the runs ask for, since a fork costs what the forking process weighs
(2 ms from a lean one, 50 ms from one of 0.5 GB). It never runs solver code itself, so it can always be talked to; when
the process that started it goes away it sees the end of the control socket, kills the run and ends. It has no
PDEATHSIG of its own: that would fire when the *thread* that started it ends.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import math
import mmap
import os
import pickle
import select
import signal
import socket
import sys
import time
from collections.abc import Callable
from functools import partial
from typing import NoReturn

from nonosat.solvers.child import child, prctl, told
from nonosat.solvers.hoist import has_compiled, load
from nonosat.solvers.wire import (
    AGAIN,
    ENDING,
    ERROR,
    HEADER,
    JOB,
    LAST,
    LOADING,
    MIB,
    NEED,
    NO_MEMORY,
    READY,
    Ending,
    Job,
    Need,
    frame,
    receive,
)

PR_SET_CHILD_SUBREAPER = 36
CHUNK = 1 << 16  # what a pipe holds
DAY_MS = 86_400_000.0  # poll counts in a C int of milliseconds
STDERR_KEPT = 8192
OUTBOX_FULL = 16 * MIB  # beyond it the search waits for its consumer, so that no endless enumeration fills the memory
GROWTH = 8000 * MIB  # bytes/s, more than a process can touch: sets when the next look at its memory is due
LOOKS_S = (0.005, 0.05)  # shortest and longest time between two looks
TICKS = os.sysconf("SC_CLK_TCK")
CPU_LOOK_S = 0.002  # between two looks at a CPU clock that is nearly over
CORES = os.cpu_count() or 1  # a process can use as much CPU time a second
START_S = 600.0  # for a search that says when it is ready to get there; no limit of the user's counts before
REPLACED, MOST_REPLACED = "NONOSAT_ZYGOTE_REPLACED", 8
OWNER_GONE = (EOFError, ConnectionError)
LOOKS_TO_KILL = 3  # in a row that must find several processes over the limit together


def main(fd: int) -> NoReturn:
    """Serve the jobs that come over the socket ``fd``, one after the other, until its other end is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGALRM, signal.SIGUSR1, signal.SIGUSR2):
        signal.signal(number, signal.SIG_DFL)  # whatever was inherited; for the children, once
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)  # ignored, it would be inherited and leave nothing to wait for
    signal.pthread_sigmask(signal.SIG_SETMASK, [])
    prctl(PR_SET_CHILD_SUBREAPER, 1)
    gc.disable()  # nothing here makes cycles, and a collection would unshare every page
    control = socket.socket(fileno=fd)
    with contextlib.suppress(*OWNER_GONE):
        while True:
            kind, body = receive(control)
            if kind == JOB:  # a CANCEL here crossed the ending that it was meant to hasten
                serve(control, pickle.loads(body))
    os._exit(0)


def serve(control: socket.socket, job: Job) -> None:
    """Do one job and send how it ended. No clock runs while what it needs is loaded; then it begins anew."""
    try:
        preload(control, job)
        while (need := Watch(control, job).run()) is not None:
            loading(control, str(need), partial(load, need))
    except OWNER_GONE:
        raise
    except Exception as error:  # an import that fails in any way, no process to be had
        sweep()
        control.sendall(frame(ENDING, pickle.dumps(Ending(error=told(error)))))


def preload(control: socket.socket, job: Job) -> None:
    """Import the job's modules, as from its owner's working directory and path, unless a former job did."""
    if job.cwd is not None:
        os.chdir(job.cwd)
    sys.path[:] = job.path
    if missing := [name for name in job.preload if name not in sys.modules]:
        importlib.invalidate_caches()

        def import_all() -> None:
            for name in missing:
                importlib.import_module(name)

        loading(control, "the solver", import_all)


def loading(control: socket.socket, what: str, load_it: Callable[[], None]) -> None:
    """Tell the owner, and do it. A process that compiles is replaced by one that loads what was compiled.

    The compiler leaves hundreds of MiB behind, which every child would have, and count as its own memory.
    """
    control.sendall(frame(LOADING, what.encode()))
    load_it()
    if has_compiled() and (tried := int(os.environ.get(REPLACED, "0"))) < MOST_REPLACED:
        os.environ[REPLACED] = str(tried + 1)
        control.sendall(frame(AGAIN))
        os.execv(sys.executable, sys.orig_argv)
    gc.freeze()
    control.sendall(frame(LOADING))


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
            else:
                self.outbox += self.inbox[:end]
            if kind == READY and not self.dying:
                self.begin(time.monotonic(), cpu_in_use() if self.job.cpu_s is not None else 0.0)
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


def cpu_in_use() -> float:
    """CPU seconds, user and system, of all processes below this one, and of those that they have waited for.

    Read from the kernel's clock of each process, to the microsecond; RLIMIT_CPU and profiling timers strike up to 12 %
    too early, since they count ticks.
    """
    used, todo = 0.0, children(os.getpid())
    while todo:
        pid = todo.pop()
        with contextlib.suppress(OSError):
            used += time.clock_gettime((~pid << 3) | 2)  # MAKE_PROCESS_CPUCLOCK(pid, CPUCLOCK_SCHED)
        if below := children(pid):
            todo += below
        fields = contents(f"/proc/{pid}/stat").rpartition(")")[2].split()
        if fields:
            used += (int(fields[13]) + int(fields[14])) / TICKS  # cutime, cstime
    return used


def memory_in_use(limit: float) -> float:
    """Resident memory, in bytes, of all processes below this one: the child, what it started, and what that left.

    Pages that a fork shares with its parent are counted once, but telling them costs milliseconds: so only where they
    decide. A process that has come from vfork shares all its memory until it execs; seldom it is taken for one of its
    own, when it does so between two of these glances, and a second look shows the truth.
    """
    for _ in range(LOOKS_TO_KILL):
        resident = family()
        used = sum(resident.values())
        if used > limit and len(resident) > 1:
            used = sum(proportional(pid) or own for pid, own in resident.items())
        if used <= limit or len(resident) == 1:
            break
        time.sleep(0.001)
    return float(used)


def family() -> dict[int, int]:
    """Resident memory, in bytes, of each process below this one that does not share its parent's."""
    resident: dict[int, int] = {}
    todo = [(pid, 0, "") for pid in children(os.getpid())]
    while todo:
        pid, parent, former = todo.pop()
        statm = contents(f"/proc/{pid}/statm")
        if statm and not (parent and statm in (former, contents(f"/proc/{parent}/statm"))):
            resident[pid] = int(statm.split()[1]) * mmap.PAGESIZE
        todo += [(other, pid, statm) for other in children(pid)]
    return resident


def proportional(pid: int) -> int | None:
    """Resident memory in bytes, each page divided by the number of processes that share it; None if it is not told."""
    for line in contents(f"/proc/{pid}/smaps_rollup").splitlines():
        if line.startswith("Pss:"):
            return int(line.split()[1]) * 1024
    return None


def children(pid: int) -> list[int]:
    """The pids of a process's children; none if it is gone."""
    try:
        tasks = os.listdir(f"/proc/{pid}/task")  # noqa: PTH208 - pathlib costs a third of the start
    except OSError:
        return []
    return [int(child) for task in tasks for child in contents(f"/proc/{pid}/task/{task}/children").split()]


def contents(path: str) -> str:
    """The text of a file in /proc; none if its process is gone."""
    with contextlib.suppress(OSError), open(path) as file:  # noqa: PTH123 - as above
        return file.read()
    return ""


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
