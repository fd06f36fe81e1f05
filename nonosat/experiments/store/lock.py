"""The right to write to a store."""

from __future__ import annotations

import contextlib
import fcntl
import os
import time
from pathlib import Path

from nonosat.experiments.store.tables import StoreError
from nonosat.files import shown

TRIES, PAUSE_S = 10, 0.01
"""Who asks whether a store is written to (``written_to``) has its lock for microseconds: a writer tries again."""


class Lock:
    """The right to write to a store: a lock on a file beside it, which the system takes back from the dead."""

    def __init__(self, store: Path) -> None:
        self.path = _beside(store)
        while True:
            try:
                self.file = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
            except FileNotFoundError:
                raise StoreError(f"{shown(store)}: no such directory") from None
            except OSError as error:
                raise StoreError(f"{shown(store)}: cannot write: {(error.strerror or str(error)).lower()}") from None
            if not _locked(self.file, fcntl.LOCK_EX, TRIES):
                os.close(self.file)
                raise StoreError(f"{shown(store)}: another process is writing to it")
            with contextlib.suppress(OSError):
                if os.fstat(self.file).st_ino == self.path.stat().st_ino:
                    return
            os.close(self.file)  # its last holder removed it between our two calls

    def release(self) -> None:
        """Let others write."""
        self.path.unlink(missing_ok=True)
        os.close(self.file)


def written_to(store: Path) -> bool:
    """Whether a process has the right to write to ``store`` now; the file may be left of one that was killed."""
    try:
        file = os.open(_beside(store), os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        return not _locked(file, fcntl.LOCK_SH)
    finally:
        os.close(file)


def _beside(store: Path) -> Path:
    return store.with_name(store.name + ".lock")


def _locked(file: int, how: int, tries: int = 1) -> bool:
    for left in reversed(range(tries)):
        try:
            fcntl.flock(file, how | fcntl.LOCK_NB)
        except OSError:
            time.sleep(PAUSE_S if left else 0)
        else:
            return True
    return False
