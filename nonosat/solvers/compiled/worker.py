"""A process that compiles: told units on standard input, line by line, it writes their object files."""

from __future__ import annotations

import ctypes
import os
import signal
import sys
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

from nonosat.solvers.compiled.library import LIBRARY
from nonosat.solvers.compiled.translate import object_file, take_over
from nonosat.solvers.compiled.units import kernels_of, name_of

PR_SET_PDEATHSIG = 1


def main() -> None:
    """Until standard input ends: ``unit``, its source, and where its object file goes."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    LIBRARY.compiling = True
    take_over()
    print("ready", flush=True)
    for line in sys.stdin:
        unit, source, target = line.rstrip("\n").split("\t")
        load(unit, source)
        if name_of(unit) != Path(target).name:
            raise RuntimeError(f"{source} was edited while it was in use")
        fresh = Path(f"{target}.{os.getpid()}")
        fresh.write_bytes(object_file(kernels_of(unit)))
        fresh.replace(target)
        print("made", unit, flush=True)


def load(unit: str, source: str) -> None:
    """Import a module; one that was not imported by its name is loaded from its source."""
    try:
        import_module(unit)
    except ModuleNotFoundError:
        spec = spec_from_file_location(unit, source)
        assert spec is not None
        assert spec.loader is not None
        module = module_from_spec(spec)
        sys.modules[unit] = module
        spec.loader.exec_module(module)
