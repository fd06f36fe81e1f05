"""Files that a job has made and the page may fetch: kept under names that nobody guesses, the oldest thrown away."""

from __future__ import annotations

import secrets
from collections import OrderedDict
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp
from threading import Lock

from nonosat.app.errors import RefusedError

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
        """The file ``name`` of a folder. RefusedError (404): it is not there; a name is one that was told, no path."""
        path = self.folders.get(key)
        if path is None or name not in [file["name"] for file in self.files(key)]:
            raise RefusedError("that file is not kept any more: make it again", 404)
        return path / name

    def close(self) -> None:
        """Throw everything away."""
        if self.root is not None:
            rmtree(self.root, ignore_errors=True)
