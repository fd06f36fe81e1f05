"""Where object files are kept, and how they are got."""

from __future__ import annotations

import os
from collections.abc import Iterable
from contextlib import ExitStack, suppress
from functools import cache
from pathlib import Path


@cache
def kept_in() -> Path | None:
    """Where machine code is kept: beside this package if possible, else in the user's cache, else nowhere (None)."""
    home = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    for folder in (Path(__file__).parent / "__pycache__" / "machine", Path(home).expanduser() / "nonosat" / "machine"):
        with suppress(OSError):
            folder.mkdir(parents=True, exist_ok=True)
            if os.access(folder, os.W_OK):
                return folder
    return None


def all_there(names: Iterable[str]) -> bool:
    """Are there object files of these names?"""
    folder = kept_in()
    return folder is not None and all((folder / name).exists() for name in names)


def object_files(names: dict[str, str]) -> list[bytes]:
    """The object files of units (module: file name), made now if they are not there."""
    with ExitStack() as stack:
        folder = kept_in()
        if folder is None:
            from tempfile import TemporaryDirectory

            folder = Path(stack.enter_context(TemporaryDirectory(prefix="nonosat-")))
        if any(not (folder / name).exists() for name in names.values()):
            from nonosat.solvers.compiled.making import make_missing  # not where all is there: it starts processes

            make_missing(names, folder)
        return [(folder / name).read_bytes() for name in names.values()]
