"""The small process that forks one child a run, watches it, kills it at its limits and reports how it ended.

It stays single-threaded and imports no more than the runs ask for, since a fork costs what the forking process weighs
(2 ms from a small one, 50 ms from one of 0.5 GB). It never runs solver code itself, so it can always be talked to; when
the process that started it goes away it sees the end of the control socket, kills the run and ends. It has no
PDEATHSIG of its own: that would fire when the *thread* that started it ends.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import gc
import importlib
import math
import os
import pickle
import resource
import select
import signal
import socket
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from importlib import import_module
from importlib.machinery import ModuleSpec, PathFinder
from types import ModuleType
from typing import Any, NoReturn

from nonosat.errors import SolverError, UnsupportedError, missing
from nonosat.progress import in_a_run, listening
from nonosat.runs.limits import children, cpu_in_use, memory_in_use
from nonosat.runs.protocol import (
    ENDING,
    ERROR,
    EVENT,
    HEADER,
    JOB,
    LAST,
    LATE_NEED,
    LOADING,
    MIB,
    MOMENT,
    NEED,
    NO_MEMORY,
    READY,
    Ending,
    Job,
    Need,
    frame,
    receive,
)

# No run pays for code that is loaded or compiled: what a child misses, its zygote loads, and the run begins anew.
#
# A solver may import what it needs where it needs it, and machine code is loaded, or compiled, where it is called. On
# the
# clock, and in a process that is killed at its limit before the machine code is kept, that would be a time-out for ever
# on a machine that has not compiled yet, and a cost of the first run elsewhere. So a child that comes to an import, to
# machine code of ours that is not loaded, or to a compilation by numba says what it needs and ends (``on_demand``); the
# zygote does it (``load``), off the clock, and forks a child that has it. This holds for every solver, whatever it
# imports, and needs no list of modules.
#
# A child that has worked for ``LATE_S`` loads what need not be compiled itself, and only tells: its work is worth more
# than the time of an import on its clock. Runs of a study, which are measured, always begin anew.

LATE_S = 0.5
"""CPU seconds."""
COMPILERS = ("numba", "nonosat.compiled.library")


TRIED: set[str] = set()
"""What has been requested once, in this process or in the one that it was forked from, and is not again."""


def load(need: Need) -> None:
    """Load or compile what a child needs. If that fails, the next child that needs it reports the error."""
    TRIED.add(_key(need))
    with contextlib.suppress(Exception):
        module = import_module(need.module)
        if need.machine_code:
            import_module("nonosat.compiled.library").LIBRARY.load(need.module)
        if need.function is not None:
            getattr(module, need.function).compile(need.signature)


def on_demand(ask: Callable[[Need], None]) -> Callable[[], None]:
    """From now on an import of a new module, and a compilation by numba, ``ask`` for it first, once.

    If ``ask`` comes back, it is loaded here. What is returned ends this.
    """

    def ask_once(need: Need) -> None:
        if _key(need) not in TRIED:
            ask(need)
            TRIED.add(_key(need))

    finder = _Finder(ask_once)
    sys.meta_path.insert(0, finder)
    dispatcher = getattr(sys.modules.get("numba.core.dispatcher"), "Dispatcher", None)
    usual = None if dispatcher is None else dispatcher.compile

    def compile_function(self: Any, signature: Any) -> Any:
        module, name = self.py_func.__module__, self.py_func.__qualname__
        if getattr(sys.modules.get(module), name, None) is self:  # else nobody could find it by its name
            ask_once(Need(module, name, signature))
        return usual(self, signature)  # type: ignore[misc] # there is one

    if dispatcher is not None:
        dispatcher.compile = compile_function

    library = sys.modules.get("nonosat.compiled.library")  # without it, it is imported first, on request
    before: list[Callable[[str], None]] = [] if library is None else library.before_loading
    before.append(lambda module: ask_once(Need(module, machine_code=True)))

    def end() -> None:
        before.clear()
        sys.meta_path.remove(finder)
        if dispatcher is not None:
            dispatcher.compile = usual

    return end


class _Finder:
    """The first of the import system's finders; it finds nothing, but hears of every module that is not loaded."""

    def __init__(self, ask: Callable[[Need], None]) -> None:
        self.ask = ask

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Ask for ``name``, if there is such a module (many a module is looked for that is not there)."""
        if PathFinder.find_spec(name, path, target) is not None:
            self.ask(Need(name))
        return None


def _key(need: Need) -> str:
    return f"{need} {need.signature} {need.machine_code}"


# The process that runs a search and nothing else: a fork of the zygote, confined, that writes events to a pipe.


PR_SET_PDEATHSIG = 1
LIBC = ctypes.CDLL(None)  # looked up here, before any fork: it takes 0.3 ms after one


def child(job: Job, zygote: int, out: int, err: int, unneeded: tuple[int, ...]) -> NoReturn:
    """The forked process: run the search, write its events, never return."""
    all_is_there = on_demand(lambda need: tell_need(need, out, measured=job.waits))
    try:
        for fd in unneeded:
            os.close(fd)
        confine(zygote, err, job.memory_mb)
        if job.folder is not None:
            os.environ["TMPDIR"] = job.folder
            if "tempfile" in sys.modules:
                vars(sys.modules["tempfile"])["tempdir"] = None  # it may have looked already
        search, args = pickle.loads(job.payload)
        from nonosat.runs.events import Finished, Found, Glimpse, Progress, Ready, Stopped

        gathered, at_once = b"", (Progress, Glimpse, Found, Ready, Finished, Stopped)
        for event in search(*args):
            last = isinstance(event, Finished | Stopped)
            body = pickle.dumps(event, protocol=5)
            if isinstance(event, Ready):
                gathered += frame(READY, MOMENT.pack(time.monotonic(), event.cpu_s) + body)
            else:
                gathered += frame(LAST if last else EVENT, body)
            if isinstance(event, at_once):  # others are sent with the next one
                write(out, gathered)
                gathered = b""
            if last:
                break
    except BaseException as error:
        all_is_there()
        if isinstance(error, SolverError | UnsupportedError) and not is_no_memory(error):  # as ``run.py`` has it
            from nonosat.runs.events import Stopped, Verdict

            verdict = Verdict.CRASH if isinstance(error, SolverError) else Verdict.UNSUPPORTED
            write(out, frame(LAST, pickle.dumps(Stopped(verdict, str(error)), protocol=5)))
        else:
            code = NO_MEMORY if is_no_memory(error) else ERROR
            write(out, frame(code, one_line_error(error).encode(errors="replace")))
            sys.excepthook(type(error), error, error.__traceback__)
            sys.stderr.flush()
    finally:
        os._exit(0)


def tell_need(need: Need, out: int, measured: bool) -> None:
    """Say what this run needs, and end: the zygote loads it and begins anew. Or come back: it is loaded here."""
    late = not measured and time.process_time() > LATE_S and not compiles(need)
    write(out, frame(LATE_NEED if late else NEED, pickle.dumps(need, protocol=5)))
    if not late:
        os._exit(0)


def compiles(need: Need) -> bool:
    """May loading it compile something? After a compiler all may, unseen by ``on_demand``."""
    if need.machine_code:
        return not import_module("nonosat.compiled.library").LIBRARY.made(need.module)
    return need.function is not None or need.module in COMPILERS


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
    """Peak resident memory of this process since it was last cleared, in MiB; None where it is not reported."""
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


def one_line_error(error: BaseException) -> str:
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


# A run's child process and its folder: made, killed, and cleaned up after.


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


def sweep(patience_s: float = 1.0) -> float:
    """Kill and reap what outlived the child, even in sessions of its own: a subreaper inherits it all.

    CPU seconds of all that is reaped: a program that the child started and that is killed at a limit is here.
    """
    until, cpu_s = time.monotonic() + patience_s, 0.0
    with contextlib.suppress(ChildProcessError):  # none left
        while time.monotonic() < until:
            pid, _, usage = os.wait4(-1, os.WNOHANG)
            cpu_s += usage.ru_utime + usage.ru_stime  # of nobody, it is 0
            if not pid:
                for other in children(os.getpid()):
                    os.kill(other, signal.SIGKILL)
                time.sleep(0.001)
    return cpu_s


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


# One run under its limits: what its child says is passed on, and the child is killed when it goes over.


CHUNK = 1 << 16  # what a pipe holds
DAY_MS = 86_400_000.0  # poll counts in a C int of milliseconds
STDERR_KEPT = 8192
OUTBOX_FULL = 16 * MIB  # beyond it the search waits for its consumer, so that no endless enumeration fills the memory
GROWTH = 8000 * MIB  # bytes/s, more than a process can touch: sets when the next look at its memory is due
LOOKS_S = (0.005, 0.05)  # shortest and longest time between two looks
CPU_LOOK_S = 0.002  # between two looks at a CPU clock that is nearly over
CORES = os.cpu_count() or 1  # a process can use as much CPU time a second
START_S = 600.0  # for a search that says when it is ready to get there; no limit of the user's counts before


class RunMonitor:
    """One run under its limits. Makes the child; ``run`` sees it to its end. ``late``: what the child loaded itself."""

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
        self.late: list[Need] = []
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
        """Watch until the child is dead and all its messages are sent; what it needs, if it is to begin anew.

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
                self.kill("cancel")  # the only message to a zygote at work; a next job follows the ending, sent below
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
            elif kind == LATE_NEED:
                self.late.append(pickle.loads(self.inbox[HEADER.size : end]))
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
        left_s = sweep()
        remove(self.folder)
        return status, usage.ru_maxrss * 1024.0, usage.ru_utime + usage.ru_stime + left_s


PR_SET_CHILD_SUBREAPER = 36
OWNER_GONE = (EOFError, ConnectionError)
PLUGINS: set[str] = set()
"""What has been loaded here, by what it is loaded by."""


def main(fd: int) -> NoReturn:
    """Serve the jobs that come over the socket ``fd``, one after the other, until its other end is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGALRM, signal.SIGUSR1, signal.SIGUSR2):
        signal.signal(number, signal.SIG_DFL)  # whatever was inherited; for the children, once
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)  # ignored, it would be inherited and leave nothing to wait for
    signal.pthread_sigmask(signal.SIG_SETMASK, [])
    prctl(PR_SET_CHILD_SUBREAPER, 1)
    in_a_run()
    gc.disable()  # nothing here makes cycles, and a collection would unshare every page
    control = socket.socket(fileno=fd)
    with contextlib.suppress(*OWNER_GONE):
        while True:
            kind, body = receive(control)
            if kind == JOB:  # a CANCEL here crossed the ending that it was meant to hasten
                serve(control, pickle.loads(body))
    os._exit(0)


def serve(control: socket.socket, job: Job) -> None:
    """Do one job and send how it ended. No clock runs while what it needs is loaded; then it begins anew.

    What a child loaded itself is loaded for later ones.
    """
    try:
        preload(control, job)
        while (need := (monitor := RunMonitor(control, job)).run()) is not None:
            loading(control, str(need), partial(load, need))
        for need in monitor.late:
            load(need)
        gc.freeze()
    except OWNER_GONE:
        raise
    except Exception as error:  # an import that fails in any way, no process to be had
        sweep()
        control.sendall(frame(ENDING, pickle.dumps(Ending(error=one_line_error(error)))))


def preload(control: socket.socket, job: Job) -> None:
    """Load the job's plug-ins and modules, as from its owner's working directory and path, unless a former job did."""
    if job.cwd is not None:
        os.chdir(job.cwd)
    sys.path[:] = job.path
    strange = [source for source in job.plugins if source not in PLUGINS]
    missing = [name for name in job.preload if name not in sys.modules]
    if strange or missing:
        importlib.invalidate_caches()

        def import_all() -> None:
            for source in strange:
                importlib.import_module("nonosat.plugins").load_same(source)  # which the others need not import
                PLUGINS.add(source)
            for name in missing:
                importlib.import_module(name)

        loading(control, "the solver", import_all)


def loading(control: socket.socket, what: str, load_it: Callable[[], None]) -> None:
    """Do it, and report it to the owner, also what is compiled for it (in other processes: this one stays small)."""

    def tell(what: str) -> None:
        control.sendall(frame(LOADING, what.encode()))

    tell(what)
    with listening(tell):
        load_it()
    gc.freeze()
    control.sendall(frame(LOADING))
