"""The right to write to a store."""

from __future__ import annotations

import contextlib
import fcntl
import os
from pathlib import Path

from nonosat.experiments.store.tables import StoreError
from nonosat.files import shown


class Lock:
    """The right to write to a store: a lock on a file beside it, which the system takes back from the dead."""

    def __init__(self, store: Path) -> None:
        self.path = store.with_name(store.name + ".lock")
        while True:
            try:
                self.file = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
            except FileNotFoundError:
                raise StoreError(f"{shown(store)}: no such directory") from None
            except OSError as error:
                raise StoreError(f"{shown(store)}: cannot write: {(error.strerror or str(error)).lower()}") from None
            try:
                fcntl.flock(self.file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                os.close(self.file)
                raise StoreError(f"{shown(store)}: another process is writing to it") from None
            with contextlib.suppress(OSError):
                if os.fstat(self.file).st_ino == self.path.stat().st_ino:
                    return
            os.close(self.file)  # its last holder removed it between our two calls

    def release(self) -> None:
        """Let others write."""
        self.path.unlink(missing_ok=True)
        os.close(self.file)
