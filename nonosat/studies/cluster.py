"""A study on a Dask cluster. Only this process writes the store; a task is a batch of groups.

Nothing is solved in a Dask worker itself: a solver holds Python's lock, so that the worker would not be heard of while
it solves, and Dask would start its task again elsewhere. The worker hands the batch to a helper process (batch.py) and
waits. A worker that is killed takes its helper with it, and Dask gives its batch to another one.
"""

from __future__ import annotations

import contextlib
import queue
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

from nonosat.errors import NonosatError, UnsupportedError
from nonosat.files import printable
from nonosat.studies import plan
from nonosat.studies.batch import order
from nonosat.studies.cluster_worker import Reply, carry_out, stop_helpers
from nonosat.studies.plan import RunGroup, Settings
from nonosat.studies.provenance import Document, versions
from nonosat.studies.records import Record, complete

POLL_S = 0.1
REFRESH_S = 2.0
"""How often the cluster is asked for its size, which may change."""

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
    asked: float = float("-inf")
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
        if time.monotonic() - self.asked > REFRESH_S:
            self.threads = sum(self.client.nthreads().values())
            self.asked = time.monotonic()
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
