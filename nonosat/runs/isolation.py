"""A search in a process that can be killed, under limits on wall time, CPU time and memory. Linux only.

Solvers hold the GIL while they solve and most cannot be interrupted, so a limit is a process that is killed. An idle
*zygote* (zygote.py) is taken from a pool, forks one child for the run, watches it and reports how it ended; this module
is the side of the caller, and turns that evidence into a verdict.
"""

from __future__ import annotations

import atexit
import contextlib
import logging
import os
import pickle
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Generator, Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

from nonosat import plugins
from nonosat.errors import UnsupportedError
from nonosat.runs.events import Event, Finished, Loading, Statistics, Stopped, Verdict
from nonosat.runs.limits import Limits
from nonosat.runs.protocol import CANCEL, ENDING, EVENT, JOB, LOADING, READY, Ending, Job, frame, receive
from nonosat.runs.zygote import remove

# Why a run has no verdict of its own: from the evidence of how its process ended.


NEAR = 0.9  # of the memory limit: a process that died by itself there died of it
SAYS_NO_MEMORY = re.compile(r"bad_alloc|out of memory|MemoryError|cannot allocate", re.IGNORECASE)


def classify(ending: Ending, limits: Limits, finished: bool) -> Stopped | None:
    """Why a run has no verdict of its own, from the evidence; None if it has one.

    The exit code alone says little: out of memory is a MemoryError (MiniSat and kin), SIGABRT or exit 127 (CaDiCaL),
    SIGABRT (Kissat), SIGSEGV (ergo) and even exit 0 (Lingeling).
    """
    peak, limit = ending.peak_memory_mb, limits.memory_mb
    usage = "" if peak is None else f" at {peak:.0f} MiB" + (f" of {limit:g}" if limit is not None else "")
    near = peak is not None and limit is not None and peak >= NEAR * limit
    if ending.killed_for == "time":
        return Stopped(Verdict.TIMEOUT, f"wall-time limit of {limits.wall_s:g} s reached", peak)
    if ending.killed_for == "start":
        return Stopped(Verdict.CRASH, "what it is to work on was not there after ten minutes", peak, raised=True)
    if ending.killed_for == "cancel":
        return Stopped(Verdict.INTERRUPTED, "interrupted", peak)
    if ending.killed_for == "cpu":
        return Stopped(Verdict.CPUOUT, f"CPU-time limit of {limits.cpu_s:g} s reached", peak)
    if ending.killed_for == "memory":
        return Stopped(Verdict.MEMOUT, f"memory limit reached{usage}", peak)
    if finished:
        return None
    if ending.no_memory or SAYS_NO_MEMORY.search(ending.stderr if ending.error is None else ending.error):
        return Stopped(Verdict.MEMOUT, f"out of memory{usage}: {ending.error or death(ending)}", peak)
    if ending.error is not None:
        return Stopped(Verdict.CRASH, shortened(ending.error, 500), peak)
    if near:
        return Stopped(Verdict.MEMOUT, f"out of memory{usage}: {death(ending)}", peak)
    return Stopped(Verdict.CRASH, death(ending), peak)


def death(ending: Ending) -> str:
    """How a process ended that was not killed by us, and its last message."""
    code = ending.exit_code or 0
    if code >= 0:
        how = f"exit code {code} without a verdict"
    elif -code == signal.SIGKILL:
        how = "killed by SIGKILL from outside"
    else:
        known = {number.value for number in signal.Signals}
        how = f"killed by {signal.Signals(-code).name if -code in known else f'signal {-code}'}"
    lines = [line for line in map(shortened, ending.stderr.splitlines()) if line]
    return f"{how}; last words: {lines[-1]}" if lines else how


def shortened(text: str, most: int = 200) -> str:
    """One printable line of bounded length."""
    line = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    return line if len(line) <= most else line[: most - 1] + "…"


# The zygotes of this process: started when they are needed, kept for the next run.


CODE = "import sys; fd, *sys.path = sys.argv[1:]; from nonosat.runs.zygote import main; main(int(fd))"
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


log = logging.getLogger(__name__)

STOP_PATIENCE_S = 0.5  # for a run that is stopped to end in good order, before its watcher is killed


class Stop:
    """A run's end, to be called for from another thread: ``Stopped`` with the verdict INTERRUPTED is its last event."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.wanted = False
        self.zygote: Zygote | None = None

    def now(self) -> None:
        """End the run, or let it not begin."""
        with self.lock:
            self.wanted = True
            self._call()

    def holds(self, zygote: Zygote | None) -> None:
        """Who has been sent the run now; None: nobody any more."""
        with self.lock:
            self.zygote = zygote
            if self.wanted:
                self._call()

    def _call(self) -> None:
        if self.zygote is not None:
            with contextlib.suppress(OSError):
                self.zygote.send(frame(CANCEL))
            patience = threading.Timer(STOP_PATIENCE_S, self._kill, (self.zygote,))
            patience.daemon = True
            patience.start()

    def _kill(self, zygote: Zygote) -> None:
        with self.lock:
            if self.zygote is zygote:  # it is loading code, and hears nothing
                zygote.process.kill()


ALWAYS_LOADED = ("nonosat.runs.events",)  # imports numpy: 0.1 s that no child should pay


def isolated(
    search: Callable[..., Iterable[Any]],
    args: tuple[Any, ...],
    limits: Limits,
    preload: tuple[str, ...] = (),
    waits: bool = False,
    spent: tuple[float, float] = (0.0, 0.0),
    stop: Stop | None = None,
) -> Generator[Any, None, None]:
    """The events of ``search(*args)``, run in a process of its own; the last is the one Finished or Stopped.

    There may be events of other types, too, which are passed on. What the search needs and is not loaded yet is loaded
    (and compiled) off the clock, whatever it is; it begins anew then (``Loading``), unless it has worked for long (see
    ``zygote.py``). ``waits``: the limits on time count from the search's own event ``Ready`` on, which must come within
    ten minutes; it always begins anew. ``spent``: wall and CPU seconds that were spent on this search before,
    elsewhere, which the limits cover too.

    ``search`` is a function of a module that the process can import; ``args`` and events are pickled. ``preload`` names
    modules to import once, before the clock starts, for this and all later runs; the search's own is among them anyway.
    Closing the generator ends the run at once: wrap it in ``contextlib.closing`` where a loop may be left early.
    ``stop`` ends it from another thread.

    UnsupportedError: not on Linux, or something that cannot be sent to another process.
    """
    if sys.platform != "linux":
        raise UnsupportedError("time and memory limits need Linux: they are processes that are watched through /proc")
    modules = tuple(dict.fromkeys((*ALWAYS_LOADED, *preload, _home(search))))
    wall_s, cpu_s = (
        None if limit is None else max(0.0, limit - before)
        for limit, before in zip((limits.wall_s, limits.cpu_s), spent, strict=True)
    )
    job = Job(
        wall_s,
        cpu_s,
        limits.memory_mb,
        modules,
        list(sys.path),
        _cwd(),
        _payload(search, args),
        _folder(),
        waits,
        plugins.sources(),
    )
    return _events(job, limits, stop or Stop())


def _home(search: Callable[..., Iterable[Any]]) -> str:
    home = getattr(search, "__module__", None)
    if not isinstance(home, str) or home == "__main__":
        raise UnsupportedError(f"{search!r} cannot run in another process: put it into a module that can be imported")
    return home


def _payload(search: Callable[..., Iterable[Any]], args: tuple[Any, ...]) -> bytes:
    try:
        return pickle.dumps((search, args), protocol=5)
    except (pickle.PicklingError, AttributeError, TypeError) as error:
        raise UnsupportedError(f"{search!r} or its arguments cannot be sent to another process: {error}") from error


def _cwd() -> str | None:
    try:
        return str(Path.cwd())
    except FileNotFoundError:  # removed under our feet
        return None


def _folder() -> str:
    """A name for the run's folder; it is made there, since a process that dies by a limit cannot clean up."""
    return f"{os.environ.get('TMPDIR') or '/tmp'}/nonosat-{os.urandom(8).hex()}"


def _events(job: Job, limits: Limits, stop: Stop) -> Generator[Event, None, None]:
    zygote = POOL.take((*job.plugins, *job.preload))
    last: Event | None = None
    ending: Ending | None = None
    reusable = False
    try:
        order = frame(JOB, pickle.dumps(job, protocol=5))
        zygote.send(order)
        stop.holds(zygote)
        while ending is None:
            kind, body = receive(zygote.socket)
            if kind in (EVENT, READY):
                yield pickle.loads(body)
            elif kind == LOADING:
                yield Loading(body.decode())
            elif kind == ENDING:
                ending = pickle.loads(body)
            else:
                last = pickle.loads(body)
        reusable = True
    except (EOFError, OSError):
        pass  # the watcher died; its child did with it
    except GeneratorExit:
        reusable = zygote.cancel()
        raise
    finally:
        stop.holds(None)
        POOL.give_back(zygote, reusable)
        if not reusable:
            remove(job.folder)  # its watcher may have been killed before it could
    if ending is not None:
        yield _closing(last, ending, limits)
    else:
        why = (Verdict.INTERRUPTED, "stopped") if stop.wanted else (Verdict.CRASH, zygote.how_it_died())
        yield Stopped(*why)


def _closing(last: Event | None, ending: Ending, limits: Limits) -> Event:
    """The event that a run ends with."""
    stopped = classify(ending, limits, finished=last is not None)
    if stopped is not None:
        log.debug("%s; stderr ends with:\n%s", stopped, ending.stderr)
        raised = stopped.raised or (ending.error is not None and ending.killed_for is None)
        return replace(stopped, cpu_s=ending.cpu_s, wall_s=ending.wall_s, exit_code=ending.exit_code, raised=raised)
    if isinstance(last, Finished) and not isinstance(last.statistics, Statistics):
        last = Stopped(Verdict.CRASH, f"the search finished with {last.statistics!r:.60} in place of its statistics")
    if isinstance(last, Finished):
        about = replace(last.statistics, peak_memory_mb=ending.peak_memory_mb, cpu_s=ending.cpu_s, wall_s=ending.wall_s)
        return replace(last, statistics=about)
    assert isinstance(last, Stopped)  # the child marks no other event as the last
    # The exit code is 0 by the child's word: its watcher kills it after that, unless it is gone already.
    return replace(last, peak_memory_mb=ending.peak_memory_mb, cpu_s=ending.cpu_s, wall_s=ending.wall_s, exit_code=0)
