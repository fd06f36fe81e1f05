"""Why a run has no verdict of its own: from the evidence of how its process ended."""

from __future__ import annotations

import re
import signal

from nonosat.solvers.answer import Stopped, Verdict
from nonosat.solvers.isolation.limits import Limits
from nonosat.solvers.isolation.messages import Ending

NEAR = 0.9  # of the memory limit: a process that died by itself there died of it
SAYS_NO_MEMORY = re.compile(r"bad_alloc|out of memory|MemoryError|cannot allocate", re.IGNORECASE)


def classify(ending: Ending, limits: Limits, finished: bool) -> Stopped | None:
    """Why a run has no verdict of its own, from the evidence; None if it has one.

    The exit code alone says little: out of memory is a MemoryError (MiniSat and kin), SIGABRT or exit 127 (CaDiCaL),
    SIGABRT (Kissat), SIGSEGV (ergo) and even exit 0 (Lingeling).
    """
    peak, limit = ending.peak_memory_mb, limits.memory_mb
    usage = "" if peak is None else f" at {peak:.0f} MiB" + (f" of {limit:g}" if limit is not None else "")
    near = peak is not None and limit is not None and peak >= NEAR * limit
    if ending.killed_for == "time":
        return Stopped(Verdict.TIMEOUT, f"wall-time limit of {limits.wall_s:g} s reached", peak)
    if ending.killed_for == "start":
        return Stopped(Verdict.CRASH, "what it is to work on was not there after ten minutes", peak, raised=True)
    if ending.killed_for == "cancel":
        return Stopped(Verdict.INTERRUPTED, "interrupted", peak)
    if ending.killed_for == "cpu":
        return Stopped(Verdict.CPUOUT, f"CPU-time limit of {limits.cpu_s:g} s reached", peak)
    if ending.killed_for == "memory":
        return Stopped(Verdict.MEMOUT, f"memory limit reached{usage}", peak)
    if finished:
        return None
    if ending.no_memory or SAYS_NO_MEMORY.search(ending.stderr if ending.error is None else ending.error):
        return Stopped(Verdict.MEMOUT, f"out of memory{usage}: {ending.error or death(ending)}", peak)
    if ending.error is not None:
        return Stopped(Verdict.CRASH, shortened(ending.error, 500), peak)
    if near:
        return Stopped(Verdict.MEMOUT, f"out of memory{usage}: {death(ending)}", peak)
    return Stopped(Verdict.CRASH, death(ending), peak)


def death(ending: Ending) -> str:
    """How a process ended that was not killed by us, and the last that it said."""
    code = ending.exit_code or 0
    if code >= 0:
        how = f"exit code {code} without a verdict"
    elif -code == signal.SIGKILL:
        how = "killed by SIGKILL from outside"
    else:
        known = {number.value for number in signal.Signals}
        how = f"killed by {signal.Signals(-code).name if -code in known else f'signal {-code}'}"
    lines = [line for line in map(shortened, ending.stderr.splitlines()) if line]
    return f"{how}; last words: {lines[-1]}" if lines else how


def shortened(text: str, most: int = 200) -> str:
    """One printable line of bounded length."""
    line = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    return line if len(line) <= most else line[: most - 1] + "…"
