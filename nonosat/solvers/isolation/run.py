"""A search in a process that can be killed, under limits on wall time, CPU time and memory. Linux only.

Solvers hold the GIL while they solve and most cannot be interrupted, so a limit is a process that is killed. An idle
*zygote* (zygote.py) is taken from a pool, forks one child for the run, watches it and tells how it ended; this module
is the side of the caller, and turns that evidence into a verdict.
"""

from __future__ import annotations

import contextlib
import logging
import os
import pickle
import sys
import threading
from collections.abc import Callable, Generator, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from nonosat import plugins
from nonosat.errors import UnsupportedError
from nonosat.solvers.answer import Event, Finished, Loading, Statistics, Stopped, Verdict
from nonosat.solvers.isolation.limits import Limits
from nonosat.solvers.isolation.messages import (
    CANCEL,
    ENDING,
    EVENT,
    JOB,
    LOADING,
    READY,
    Ending,
    Job,
    frame,
    receive,
)
from nonosat.solvers.isolation.pool import POOL, Zygote
from nonosat.solvers.isolation.processes import remove
from nonosat.solvers.isolation.verdicts import classify

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


ALWAYS_LOADED = ("nonosat.solvers.answer",)  # imports numpy: 0.1 s that no child should pay


def isolated(
    search: Callable[..., Iterator[Any]],
    args: tuple[Any, ...],
    limits: Limits,
    preload: tuple[str, ...] = (),
    waits: bool = False,
    spent: tuple[float, float] = (0.0, 0.0),
    stop: Stop | None = None,
) -> Generator[Any, None, None]:
    """The events of ``search(*args)``, run in a process of its own; the last is the one Finished or Stopped.

    There may be events of other types, too, which are passed on. What the search needs and is not loaded yet is loaded
    (and compiled) off the clock, whatever it is; it begins anew then (``Loading`` tells; see hoist.py). ``waits``: the
    limits on time count from the search's own event ``Ready`` on, which must come within ten minutes. ``spent``: wall
    and CPU seconds that were spent on this search before, elsewhere, which the limits cover too.

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


def _home(search: Callable[..., Iterator[Any]]) -> str:
    home = getattr(search, "__module__", None)
    if not isinstance(home, str) or home == "__main__":
        raise UnsupportedError(f"{search!r} cannot run in another process: put it into a module that can be imported")
    return home


def _payload(search: Callable[..., Iterator[Any]], args: tuple[Any, ...]) -> bytes:
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
