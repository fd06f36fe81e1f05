"""The server's computations for its pages, in processes that can be killed.

A *job* belongs to one request: up to four runs side by side. One job for each core but one is at work at a time. Some
more wait in a queue; further ones are refused at once (429). An accepted job is done to its end, unless its page is
gone: then it is stopped. Its place is free when its processes have ended.
"""

from __future__ import annotations

import asyncio
import os
import secrets
import threading
from collections import OrderedDict, deque
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp
from threading import Lock
from typing import Any

from nonosat.app.requests import RequestError
from nonosat.errors import NonosatError, SolverError
from nonosat.runs.events import Event, Finished, Loading, Stopped, Values
from nonosat.runs.isolation import Stop
from nonosat.runs.limits import Limits
from nonosat.runs.run import run as run_search
from nonosat.runs.run import values_within

# Files of jobs that pages may fetch, under random names. The oldest are deleted.


MOST = 12
"""Folders that are kept at a time."""


class Shelf:
    """Folders of files, each under a key."""

    def __init__(self) -> None:
        self.root: Path | None = None
        self.folders: OrderedDict[str, Path] = OrderedDict()
        self.lock = Lock()

    def folder(self) -> tuple[str, Path]:
        """A new folder, and its key."""
        key = secrets.token_urlsafe(12)
        with self.lock:
            self.root = self.root or Path(mkdtemp(prefix="nonosat-app-"))
            path = self.root / secrets.token_hex(8)
            path.mkdir()
            self.folders[key] = path
            while len(self.folders) > MOST:
                _, oldest = self.folders.popitem(last=False)
                rmtree(oldest, ignore_errors=True)
        return key, path

    def files(self, key: str) -> list[dict[str, str | int]]:
        """What is in a folder and below it: name and bytes of each file."""
        path = self.folders.get(key)
        if path is None:
            return []
        found = [file for file in sorted(path.rglob("*")) if file.is_file()]
        return [{"name": file.relative_to(path).as_posix(), "bytes": file.stat().st_size} for file in found]

    def file(self, key: str, name: str) -> Path:
        """The file ``name`` of a folder. RequestError (404): it is not there. A name is one of ``files``, no path."""
        path = self.folders.get(key)
        if path is None or name not in [file["name"] for file in self.files(key)]:
            raise RequestError("that file is not kept any more: make it again", 404)
        return path / name

    def close(self) -> None:
        """Throw everything away."""
        if self.root is not None:
            rmtree(self.root, ignore_errors=True)


JsonEvent = dict[str, Any]
"""An event of a run as JSON."""
Run = Callable[[Stop], Iterator[JsonEvent]]
"""One of a job's runs; it ends soon after it is stopped."""

WAITING = 16
"""Jobs that wait at most."""
AHEAD = 2_000
"""Events that a run may be ahead of its page; then it waits."""
PATIENCE_S = 0.2
"""Between two looks of a run that waits for its page at whether it is stopped."""


class Jobs:
    """The places for jobs of one server; it belongs to the event loop."""

    def __init__(self, at_once: int = max(1, (os.cpu_count() or 2) - 1), waiting: int = WAITING) -> None:
        self.at_once, self.waiting = at_once, waiting
        self.at_work = 0
        self.queue: deque[AppJob] = deque()
        self.ending: set[asyncio.Task[None]] = set()

    def accept(self, runs: Sequence[Run], pulse_s: float | None = None) -> AppJob:
        """A job of these ``runs``, which begins when it is its turn. It is to ``leave`` in any case.

        ``pulse_s``: a run without events for so many seconds sends one with its time.

        RequestError (429): all places are taken, and those in the queue.
        """
        if self.at_work >= self.at_once and len(self.queue) >= self.waiting:
            raise RequestError(
                f"{self.at_work + len(self.queue)} jobs are at work or wait already: try again soon", 429
            )
        job = AppJob(self, runs, pulse_s)
        self.queue.append(job)
        self.next()
        return job

    def next(self) -> None:
        """Let those begin whose turn it is."""
        while self.queue and self.at_work < self.at_once:
            self.at_work += 1
            self.queue.popleft().turn.set()

    def end(self, job: AppJob) -> None:
        """Stop what is at work of a job; its place is free when that is over."""
        task = asyncio.create_task(self._end(job))
        self.ending.add(task)
        task.add_done_callback(self.ending.discard)

    async def _end(self, job: AppJob) -> None:
        for lane in job.lanes:
            lane.stop.now()
        for lane in job.lanes:
            await lane.over.wait()
        self.at_work -= 1
        self.next()

    async def close(self) -> None:
        """Wait until all that was stopped is over."""
        await asyncio.gather(*self.ending)


class AppJob:
    """A job that was accepted: it waits for its ``turn``, and is at work then."""

    def __init__(self, jobs: Jobs, runs: Sequence[Run], pulse_s: float | None = None) -> None:
        self.jobs, self.runs, self.pulse_s = jobs, runs, pulse_s
        self.turn = asyncio.Event()
        self.lanes: list[Lane] = []
        self.left = False

    async def events(self) -> AsyncIterator[JsonEvent]:
        """The events of its runs, each with its run's number as ``lane``; before them, how many jobs it waits for."""
        if not self.turn.is_set():
            yield {"type": "waiting", "before": self.jobs.at_work + self.jobs.queue.index(self)}
            await self.turn.wait()
        events: asyncio.Queue[tuple[Lane, JsonEvent | None]] = asyncio.Queue()
        self.lanes = [Lane(number, run, events) for number, run in enumerate(self.runs)]
        receiving = asyncio.create_task(events.get())
        try:
            while not all(lane.silent for lane in self.lanes):
                await asyncio.wait((receiving,), timeout=self._patience_s())
                if receiving.done():
                    lane, event = receiving.result()
                    receiving = asyncio.create_task(events.get())
                    if event is None:
                        lane.silent = True
                    else:
                        lane.room.release()
                        lane.sent_at = lane.loop.time()
                        yield event
                for pulse in self._pulses():
                    yield pulse
        finally:
            receiving.cancel()

    def _patience_s(self) -> float | None:
        """Seconds until the next pulse; None: there are no pulses."""
        if self.pulse_s is None:
            return None
        last = min(lane.sent_at for lane in self.lanes if not lane.silent)
        return max(0.0, last + self.pulse_s - self.lanes[0].loop.time())

    def _pulses(self) -> Iterator[JsonEvent]:
        """An event for each run that has been silent for ``pulse_s``: for how many seconds it is at work."""
        for lane in self.lanes:
            now = lane.loop.time()
            if self.pulse_s is not None and not lane.silent and now >= lane.sent_at + self.pulse_s:
                lane.sent_at = now
                yield {"type": "pulse", "lane": lane.number, "s": round(now - lane.began_at, 3)}

    def leave(self) -> None:
        """The page is gone: give up the place, in the queue or at work."""
        if self.left:
            return
        self.left = True
        if self.turn.is_set():
            self.jobs.end(self)
        else:
            self.jobs.queue.remove(self)


class Lane:
    """A run in a thread. It posts its events to the event loop, and waits for a slow page."""

    def __init__(self, number: int, run: Run, events: asyncio.Queue[tuple[Lane, JsonEvent | None]]) -> None:
        self.number, self.run, self.events = number, run, events
        self.silent = False
        """It has sent its last event."""
        self.stop, self.over, self.room = Stop(), asyncio.Event(), threading.Semaphore(AHEAD)
        self.loop = asyncio.get_running_loop()
        self.began_at = self.sent_at = self.loop.time()
        threading.Thread(target=self._work, name=f"lane {number}", daemon=True).start()

    def _work(self) -> None:
        try:
            for event in self.run(self.stop):
                while not self.room.acquire(timeout=PATIENCE_S) and not self.stop.wanted:
                    pass
                if self.stop.wanted:
                    continue  # its last events, which no page reads
                self._post(self.events.put_nowait, (self, {**event, "lane": self.number}))
        except Exception as error:
            failed = {"type": "failed", "error": str(error), "lane": self.number}
            self._post(self.events.put_nowait, (self, failed))
            raise
        finally:
            self._post(self.events.put_nowait, (self, None))
            self._post(self.over.set)

    def _post(self, function: Callable[..., object], *arguments: object) -> None:
        if not self.loop.is_closed():
            self.loop.call_soon_threadsafe(function, *arguments)


# A call in a process of its own, which is killed when it takes too much: for input from outside.


WALL_S, MEMORY_MB = 20.0, 1500.0


@dataclass(frozen=True)
class CallResult:
    """What the function returned, or why it refused."""

    value: Any = None
    error: str | None = None


def call_isolated(
    function: Callable[..., Any], *arguments: Any, preload: tuple[str, ...] = (), wall_s: float | None = None
) -> Any:
    """What ``function`` of a module returns for ``arguments``; RequestError: what it refused, or it took too much.

    ``preload``: modules that it will import, which are loaded once, on no clock.
    """
    limits = {"time_limit_s": WALL_S if wall_s is None else wall_s, "memory_limit_mb": MEMORY_MB}
    try:
        *_, result = values_within(_call, (function, arguments), limits, (function.__module__, *preload))
    except SolverError as error:
        raise RequestError(f"that was given up: {error}") from None
    if isinstance(result, Stopped):
        raise RequestError(f"that was given up: {result.reason or result.verdict}")
    if result.error is not None:
        raise RequestError(result.error)
    return result.value


def _call(function: Callable[..., Any], arguments: tuple[Any, ...]) -> Iterator[CallResult]:
    try:
        yield CallResult(function(*arguments))
    except NonosatError as error:
        yield CallResult(error=str(error))


# A search of `work` as the run of a job.


def worked(
    search: Callable[..., Iterator[Event]], *arguments: Any, limits: Limits, then: Callable[[], JsonEvent] = dict
) -> Run:
    """The run that does some ``work`` in a process of its own; ``then`` gives more fields for its last event."""

    def run(stop: Stop) -> Iterator[JsonEvent]:
        begun = False
        for event in run_search(search, arguments, limits, stop=stop):
            match event:
                case Loading(what) if not begun:  # the page clears what it shows
                    yield {"type": "loading", "what": what}
                case Values(bodies):
                    begun = True
                    yield from bodies
                case Finished():
                    yield {"type": "done", **then()}
                case Stopped(verdict, reason):
                    yield {"type": "failed", "verdict": str(verdict), "error": reason}

    return run
