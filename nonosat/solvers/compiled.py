"""Python functions compiled to machine code by numba, once a machine: the code is kept beside the package.

numba's own cache looks only at the file of a function, not at those of the compiled functions it calls, and would go
on with the old code of a callee that was edited. So the code is kept in a folder named after all sources beside it: an
edit in any of them compiles anew. A compiled function may call those of its own folder, and of those that ``CALLS``
names for it.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
import sys
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

F = TypeVar("F", bound=Callable[..., Any])

_KEPT: list[Any] = []
"""The compiled functions whose machine code is kept."""

CALLS = {"counting": ("propagation",)}
"""The folders beside this file whose compiled functions those of another folder call."""

STALE_S = 86_400.0  # a folder of other sources may be in use by another process


def compiled(function: F, inline: bool = False) -> F:
    """``function``, compiled at its first call for the types of its arguments (nopython mode, without the GIL).

    It must not allocate: numba's reference counts are switched off, since counting each array that a line's solver is
    handed made it five times slower. Integer overflow wraps, and indices are not checked: NUMBA_BOUNDSCHECK=1 in the
    environment checks them, and a test does so.
    """
    import numba

    njit: Any = numba.njit  # its types know nothing of _nrt
    options: dict[str, Any] = {"nogil": True, "_nrt": False, "forceinline": inline}
    if (folder := cache_folder(Path(function.__code__.co_filename).parent)) is None:
        jitted: F = njit(function, **options)
        return jitted
    config: Any = numba.config
    before = config.CACHE_DIR
    config.CACHE_DIR = str(folder)  # read while the function is wrapped, and only then
    try:
        jitted = njit(function, cache=True, **options)
    finally:
        config.CACHE_DIR = before
    _KEPT.append(jitted)
    return jitted


def has_compiled() -> bool:
    """Has this process made machine code that is kept for the next one?"""
    return any(jitted.stats.cache_misses for jitted in _KEPT)


def inlined(function: F) -> F:
    """A ``compiled`` function that is always built into its callers."""
    return compiled(function, inline=True)


@cache
def cache_folder(sources: Path) -> Path | None:
    """Where the machine code is kept: beside its sources if possible, else in the user's cache, else nowhere (None)."""
    digest = hashlib.sha256(os.environ.get("NUMBA_BOUNDSCHECK", "").encode())
    called = (
        path for name in CALLS.get(sources.name, ()) for path in sorted(Path(__file__).with_name(name).glob("*.py"))
    )
    stepping = Path(__file__).with_name("stepping.py")  # whose constants they use
    for path in (*sorted(sources.glob("*.py")), *called, stepping):
        digest.update(path.read_bytes())
    kind = f"numba-{sys.implementation.cache_tag}"
    name = f"{kind}-{digest.hexdigest()[:16]}"
    home = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    for parent in (sources / "__pycache__", Path(home).expanduser() / "nonosat"):
        folder = parent / name
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError:
            continue
        if os.access(folder, os.W_OK):
            for other in parent.glob(f"{kind}-*"):
                with contextlib.suppress(OSError):
                    if other != folder and time.time() - other.stat().st_mtime > STALE_S:
                        shutil.rmtree(other)
            return folder
    return None
