"""A study on a Dask cluster: the process that writes the store hands out batches of groups and takes records back.

A Dask worker solves nothing itself: a solver holds Python's lock, the scheduler would take the worker for dead, and
start its task again elsewhere. The worker hands a batch to a helper process (``batch.py``) and waits. If a worker is
killed, its helper ends with it, and Dask gives the batch to another worker.
"""

from __future__ import annotations

import contextlib
import json
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

from nonosat.errors import NonosatError, UnsupportedError
from nonosat.files import printable
from nonosat.runs.events import Verdict
from nonosat.studies import plan
from nonosat.studies.batch import Order, order
from nonosat.studies.plan import RunGroup, Settings
from nonosat.studies.provenance import Document, versions
from nonosat.studies.records import Record, complete

POLL_S = 0.1
REFRESH_S = 2.0
"""Seconds after which the cluster's size, which may change, is read again."""

BATCH_S = 2.0
BATCH_GROUPS = 64
"""A batch is as many groups as take about so long, by the runs so far, and at most so many."""

AHEAD = 3
"""Batches that are handed out for each thread of the cluster."""

CONNECT_S = 10.0
PATIENCE_S = 2.0
TRIES = 3
SAME = ("nonosat", "python-sat", "ortools")
"""Packages whose versions are in the keys of runs: a worker with others would give answers to other questions."""


def execute(
    scheduler: str,
    keep: Callable[[Document], str],
    groups: Iterator[RunGroup],
    settings: Settings,
    on_record: Callable[[Record], None],
    stop: threading.Event,
) -> None:
    """As ``run.execute``, by the workers of ``scheduler``. ``keep`` stores where records come from.

    NonosatError: no scheduler there; workers with other versions; a batch that no worker survives.
    """
    client = _client(scheduler)
    try:
        Coordinator(client, keep, groups, settings, on_record, stop).run()
    finally:
        client.close(timeout=2)


def _client(scheduler: str) -> Any:
    try:
        distributed: Any = import_module("distributed")  # its types are half there
    except ImportError:
        raise UnsupportedError("a cluster needs Dask: pip install 'nonosat[dask]'") from None
    try:
        return distributed.Client(scheduler, timeout=CONNECT_S, set_as_default=False)
    except (OSError, ValueError) as error:
        reason = printable(str(error) or type(error).__name__, 200)
        raise NonosatError(f"{printable(scheduler)}: no Dask scheduler answers ({reason})") from None


@dataclass
class Coordinator:
    """What is handed out, and what has come back."""

    client: Any
    keep: Callable[[Document], str]
    groups: Iterator[RunGroup]
    settings: Settings
    on_record: Callable[[Record], None]
    stop: threading.Event
    session: str = field(default_factory=lambda: f"{time.time_ns():x}")
    flight: set[Any] = field(default_factory=set)
    done: queue.SimpleQueue[Any] = field(default_factory=queue.SimpleQueue)
    threads: int = 0
    refreshed: float = float("-inf")
    finished_groups: int = 0
    spent_s: float = 0.0
    seen: set[str] = field(default_factory=set)

    def run(self) -> None:
        """Hand out and take back until all is done."""
        more = True
        try:
            while not self.stop.is_set() and (more or self.flight):
                while more and len(self.flight) < self.window():
                    more = self.hand_out()
                try:
                    self.take(self.done.get(timeout=POLL_S))
                except queue.Empty:
                    continue
                except KeyboardInterrupt:
                    self.stop.set()
        finally:
            if self.flight:
                self.give_up()

    def window(self) -> int:
        """Batches that are to be handed out at a time."""
        if time.monotonic() - self.refreshed > REFRESH_S:
            self.threads = sum(self.client.nthreads().values())
            self.refreshed = time.monotonic()
        return max(1, AHEAD * self.threads)

    def hand_out(self) -> bool:
        """The next batch; False if there is none."""
        each_s = self.spent_s / self.finished_groups if self.finished_groups else BATCH_S
        size = min(BATCH_GROUPS, max(1, int(BATCH_S / max(each_s, 1e-3))))
        batch = [group for _, group in zip(range(size), self.groups, strict=False)]
        if not batch:
            return False
        solvers = sorted({run.solver.name for group in batch for run in group.runs})
        message = order(batch, self.settings, solvers)
        future = self.client.submit(
            carry_out,
            self.session,
            message,
            key=f"nonosat-{batch[0].runs[0].key}-{self.session}",
            pure=False,
            retries=TRIES,
        )
        self.flight.add(future)
        future.add_done_callback(self.done.put)
        return True

    def take(self, future: Any) -> None:
        """The records of a batch that has ended."""
        self.flight.discard(future)
        try:
            replies: list[Reply] = future.result()
        except Exception as error:  # Dask's own are of many kinds
            if self.stop.is_set():
                return
            raise NonosatError(f"the cluster could not carry out a batch: {printable(str(error), 300)}") from None
        finally:
            future.release()
        for reply in replies:
            if "provenance" in reply:
                self.keep(self.checked(reply["provenance"]))
            elif (record := complete(reply["record"]))["key"] not in self.seen:
                self.seen.add(str(record["key"]))
                self.spent_s += float(record["wall_s"] or 0.0)
                self.on_record(record)
        self.finished_groups += len(
            {(r["record"]["instance"], r["record"]["encoding"]) for r in replies if "record" in r}
        )

    def checked(self, document: Document) -> Document:
        """What a worker says of itself, if its versions are ours."""
        own, there = versions(), document["versions"]
        for name in SAME:
            if own[name] != there.get(name):
                raise NonosatError(f"a worker of the cluster has {name} {there.get(name)}, here it is {own[name]}")
        if document.get("plugins", []) != plan.loaded():
            raise NonosatError("a worker of the cluster has other plug-ins than there are here, or other versions")
        return document

    def give_up(self) -> None:
        """End what is at work there; who does not answer soon is left to itself."""

        def tell() -> None:
            with contextlib.suppress(Exception):
                self.client.cancel(list(self.flight), force=True)
                self.client.run(stop_helpers, self.session, on_error="ignore")

        teller = threading.Thread(target=tell, daemon=True)
        teller.start()
        teller.join(PATIENCE_S)


# In a worker: helper processes carry out its batches.

Reply = dict[str, Any]


class HelperProcess:
    """A helper process and its messages."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.session = ""
        self.process = subprocess.Popen(
            [sys.executable, "-m", "nonosat.studies.batch"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,  # a terminal's Ctrl-C is for the coordinator
        )

    def tell(self, message: Order) -> None:
        """Give an order. OSError: it is dead."""
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(message) + "\n")
        self.process.stdin.flush()

    def replies(self) -> list[Reply]:
        """All that it says until it is done."""
        assert self.process.stdout is not None
        found: list[Reply] = []
        for line in self.process.stdout:
            if (reply := json.loads(line)).get("done"):
                return found
            found.append(reply)
        raise NonosatError(f"the helper process of a worker died (exit code {self.process.wait()})")

    def dismiss(self) -> None:
        """End its input, and so its runs and itself, soon."""
        assert self.process.stdin is not None
        with contextlib.suppress(OSError):
            self.process.stdin.close()

    def end(self) -> None:
        """Dismiss it, and wait."""
        assert self.process.stdout is not None
        self.dismiss()
        self.process.stdout.close()
        self.process.wait()


_LOCK = threading.Lock()
_IDLE: list[HelperProcess] = []
_BUSY: list[HelperProcess] = []
_STOPPED: set[str] = set()
"""Sessions of coordinators that want nothing more; a batch of theirs may still be in the queue."""


def carry_out(session: str, message: Order) -> list[Reply]:
    """A task: ask a helper, and wait. Runs in a thread of a worker."""
    with _LOCK:
        if session in _STOPPED:
            raise NonosatError("the study was stopped")
        if _IDLE:
            helper = _IDLE.pop()
        else:
            taken = {busy.number for busy in _BUSY}
            helper = HelperProcess(next(number for number in range(len(taken) + 1) if number not in taken))
        _BUSY.append(helper)
        helper.session = session
    good = False
    try:
        helper.tell(message)
        replies = helper.replies()
        good = True
    except (OSError, ValueError) as error:  # ValueError: its input was closed
        raise NonosatError(f"the helper process of a worker died ({error})") from None
    finally:
        with _LOCK:
            _BUSY.remove(helper)
            stopped = session in _STOPPED
            if good and not stopped:
                _IDLE.append(helper)
        if not good or stopped:
            helper.end()
    records = [reply["record"] for reply in replies if "record" in reply]
    finished = sum(record["outcome"] != Verdict.INTERRUPTED for record in records)
    if finished != sum(len(group["runs"]) for group in message["groups"]):
        raise NonosatError("the helper process of a worker was ended")  # another worker will do it
    for record in records:
        record |= {"slot": helper.number, "slots": _slots()}
    return replies


def stop_helpers(session: str) -> None:
    """End what is at work for a coordinator that has gone; its helpers are not used again."""
    with _LOCK:
        _STOPPED.add(session)
        for helper in _BUSY:
            if helper.session == session:
                helper.dismiss()


def _slots() -> int:
    """Threads of the worker that we are in."""
    worker: Any = import_module("distributed").get_worker()
    return int(worker.state.nthreads)
