"""A function's result from a process of its own, with a limit on its CPU time."""

from __future__ import annotations

import json
import os
import resource
import traceback
from collections.abc import Callable
from typing import Any


def limited(work: Callable[[], dict[str, Any]], cpu_s: int) -> dict[str, Any] | None:
    """What ``work`` returns, from a fork of this process; None: it took more than ``cpu_s`` CPU seconds.

    The fork has what this process has loaded, so that loading is on no clock. RuntimeError: it failed.
    """
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        code = 1
        try:
            used = resource.getrusage(resource.RUSAGE_SELF)
            spent = int(used.ru_utime + used.ru_stime)
            resource.setrlimit(resource.RLIMIT_CPU, (spent + cpu_s, spent + cpu_s + 1))
            with os.fdopen(writer, "w") as out:
                out.write(json.dumps(work()))
            code = 0
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(code)
    os.close(writer)
    with os.fdopen(reader) as answer:
        text = answer.read()
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        return None
    if not text:
        raise RuntimeError(f"exit code {os.waitstatus_to_exitcode(status)}")
    found: dict[str, Any] = json.loads(text)
    return found
