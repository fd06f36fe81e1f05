"""Where records come from: the versions, files and machine that a result may depend on.

An allow-list: only what is named here is recorded, and nothing of the environment's variables, users or paths.
"""

from __future__ import annotations

import hashlib
import json
import os
import platform
import shlex
import shutil
import subprocess
from collections.abc import Iterable
from functools import cache
from importlib import metadata, util
from pathlib import Path
from typing import Any

from nonosat.runs.solver import EXTERNAL, IPASIR
from nonosat.studies import plan
from nonosat.version import __version__

# What a measurement was made on, in one line. Only what is named here is recorded about a machine.


def machine() -> str:
    """The processor, its cores and memory, and the Python: ``Intel(R) Xeon(R), 2 cores, 24 GiB, CPython 3.11.7``."""
    parts = [cpu_model(), f"{os.cpu_count()} cores"]
    if (memory := memory_gib()) is not None:
        parts.append(f"{memory:.0f} GiB")
    return ", ".join((*parts, python()))


def python() -> str:
    """Which Python this is: ``CPython 3.11.7``."""
    return f"{platform.python_implementation()} {platform.python_version()}"


def cpu_model() -> str:
    """From Linux; elsewhere from Python."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        lines = []
    for line in lines:
        name, _, value = line.partition(":")
        if name.strip() == "model name":
            return " ".join(value.split())
    return platform.processor() or platform.machine()


def memory_gib() -> float | None:
    """Physical memory."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    except (ValueError, OSError, AttributeError):
        return None


PACKAGES = ("numpy", "python-sat", "ortools", "numba")
GIT_PATIENCE_S = 10.0

Document = dict[str, Any]


def provenance(solvers: Iterable[str] = ()) -> Document:
    """Everything; ``solvers``: those whose executables count (``exec:COMMAND``; the others are in the packages)."""
    return {
        "versions": versions(),
        "system": {
            "kernel": f"{platform.system()} {platform.release()}",
            "libc": " ".join(platform.libc_ver()).strip(),
        },
        "files": {**_library(), **_programs(solvers)},
        "source": _checkout(),
        **({"plugins": plugins} if (plugins := plan.loaded()) else {}),
        "machine": {"cpu": cpu_model(), "cores": os.cpu_count(), "memory_gib": _rounded(memory_gib())},
    }


def identity(document: Document) -> str:
    """The id of a document: 16 hexadecimal digits of the SHA-256 of its JSON, with sorted keys."""
    return hashlib.sha256(written(document).encode()).hexdigest()[:16]


def written(document: Document) -> str:
    """A document as JSON, the same for equal documents."""
    return json.dumps(document, sort_keys=True, ensure_ascii=False, separators=(",", ":"))


def versions() -> dict[str, str | None]:
    """Of Python, this package and those that solve."""
    found: dict[str, str | None] = {
        "nonosat": __version__,
        "python": python(),
    }
    for name in PACKAGES:
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            found[name] = None
    return found


@cache
def _library() -> dict[str, str | None]:
    """python-sat's solvers, by content: two builds of one version may differ."""
    spec = util.find_spec("pysolvers")
    return {"pysolvers": _sha256(spec.origin) if spec is not None and spec.origin is not None else None}


def _programs(solvers: Iterable[str]) -> dict[str, str | None]:
    found = {}
    for solver in solvers:
        if solver.startswith(EXTERNAL):
            program = shlex.split(solver.removeprefix(EXTERNAL))[0]
            path = shutil.which(program)
            found[Path(program).name] = None if path is None else _sha256(path)
        elif solver.startswith(IPASIR):
            from nonosat.solvers.sat.ipasir import located

            library = located(solver)
            found[Path(library).name] = _sha256(library)
    return found


def _sha256(path: str) -> str | None:
    try:
        with Path(path).open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return None


@cache
def _checkout() -> dict[str, str | bool | None]:
    """The commit of the package's source, and whether files of the package differ from it; absent if it is none."""
    root = Path(__file__).resolve().parents[2]
    if not (root / ".git").exists():  # git would look further up, and find another repository
        return {"commit": None, "dirty": None}
    commit = _git(root, "rev-parse", "HEAD")
    changes = _git(root, "status", "--porcelain", "--", "nonosat")
    return {"commit": commit, "dirty": None if changes is None else bool(changes)}


def _git(root: Path, *arguments: str) -> str | None:
    try:
        done = subprocess.run(
            ["git", "--no-optional-locks", "-C", str(root), *arguments],
            capture_output=True,
            text=True,
            stdin=subprocess.DEVNULL,
            timeout=GIT_PATIENCE_S,
            check=False,
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout.strip() if done.returncode == 0 else None


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 1)
