"""Object files, made once a machine: by processes of their own, on all cores, into a folder where they are kept.

Whoever needs code that is not there makes all of it; who comes at the same time waits for that, and finds it made. A
process that searches never loads the compiler, which would weigh 200 MiB in it, and in each of its forks.
"""

from __future__ import annotations

import fcntl
import os
import selectors
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from nonosat.solvers.compiled.units import kernels_of
from nonosat.waiting import tell

CODE = "import sys; sys.path[:] = sys.argv[1:]; from nonosat.solvers.compiled.worker import main; main()"
STALE_S = 30 * 86_400.0
"""Files of code that nobody has loaded for so long are removed when others are made."""


def make_missing(names: dict[str, str], folder: Path) -> None:
    """Make the object files of units (module: file name) that are not in ``folder`` yet."""
    with _alone(folder):
        if missing := {unit: name for unit, name in names.items() if not (folder / name).exists()}:
            _forget(folder)
            make(missing, folder)


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Nobody else makes files in the folder; the lock ends with the process."""
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _forget(folder: Path) -> None:
    for path in folder.glob("*.o"):
        with suppress(OSError):
            if time.time() - path.stat().st_atime > STALE_S:
                path.unlink()


def make(names: dict[str, str], folder: Path) -> None:
    """Make the object files of units, the largest first, in as many processes as there are cores."""
    todo = sorted(names, key=lambda unit: sum(len(each.function.__code__.co_code) for each in kernels_of(unit)))
    files = {unit: str(sys.modules[unit].__file__) for unit in names}
    many, done = len(todo), 0
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "0", "NUMBA_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    with ExitStack() as stack, selectors.DefaultSelector() as ready, tempfile.TemporaryFile() as complaints:
        for _ in range(min(many, len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 1)):
            worker = subprocess.Popen(
                [sys.executable, "-c", CODE, *sys.path],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=complaints, env=environment,
            )  # fmt: skip
            stack.callback(_end, worker)
            assert worker.stdout is not None
            ready.register(worker.stdout, selectors.EVENT_READ, worker)
        tell(f"compiling native code, once a machine: {many} parts")
        while done < many:
            for key, _ in ready.select():
                worker = key.data
                line = worker.stdout.readline().decode()
                if not line:
                    complaints.seek(0)
                    raise RuntimeError(
                        f"compiling failed: {complaints.read().decode(errors='replace')[-2000:].strip()}"
                    )
                if made := line.split()[1:]:
                    done += 1
                    tell(f"compiling native code, once a machine: {done} of {many}, {made[0].removeprefix('nonosat.')}")
                if todo:
                    unit = todo.pop()
                    worker.stdin.write(f"{unit}\t{files[unit]}\t{folder / names[unit]}\n".encode())
                    worker.stdin.flush()


def _end(worker: subprocess.Popen[bytes]) -> None:
    worker.kill()
    worker.wait()
    for pipe in (worker.stdin, worker.stdout):
        if pipe is not None:
            with suppress(OSError):
                pipe.close()
