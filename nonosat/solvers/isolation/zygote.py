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
import os
import pickle
import signal
import socket
import sys
from collections.abc import Callable
from functools import partial
from typing import NoReturn

from nonosat.solvers.isolation.child import prctl, told
from nonosat.solvers.isolation.hoist import load
from nonosat.solvers.isolation.messages import ENDING, JOB, LOADING, Ending, Job, frame, receive
from nonosat.solvers.isolation.processes import sweep
from nonosat.solvers.isolation.watch import Watch
from nonosat.waiting import listening

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
    """Do it, and tell the owner: of what is compiled for it, too (by processes of their own: it stays lean)."""

    def tell(what: str) -> None:
        control.sendall(frame(LOADING, what.encode()))

    tell(what)
    with listening(tell):
        load_it()
    gc.freeze()
    control.sendall(frame(LOADING))
