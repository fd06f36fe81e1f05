"""In the workers of a Dask cluster: helper processes, which are asked to carry out batches."""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
import threading
from importlib import import_module
from typing import Any

from nonosat.errors import NonosatError
from nonosat.runs.events import Verdict
from nonosat.studies.batch import Order

Reply = dict[str, Any]


class HelperProcess:
    """A helper process and what it is told and says."""

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
