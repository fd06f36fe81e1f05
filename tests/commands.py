"""The command in a process of its own, forked from a server that has imported the package.

What it does with arguments, files, exit codes and signals is what ``python -m nonosat`` does, in a fiftieth of the CPU
time. Tests of the start itself (imports, environment, terminals, Ctrl-C) start Python.
"""

from __future__ import annotations

import atexit
import contextlib
import importlib
import json
import os
import pkgutil
import signal
import subprocess
import sys
import tempfile
import threading
import traceback
import warnings
from pathlib import Path
from typing import Any, NoReturn

PATIENCE_S = 300.0
PACKAGES = (
    "cli",
    "runs",
    "csp",
    "encodings",
    "puzzles",
    "solvers",
    "counting",
    "certificates",
    "explanations",
    "making",
    "modelling",
    "studies",
    "printing",
)
STREAMS = (("stdin", os.O_RDONLY), ("stdout", os.O_WRONLY), ("stderr", os.O_WRONLY))


class ForkServer:
    """One process of this test session, started when the first command is; it ends with the session."""

    process: subprocess.Popen[str] | None = None

    def code(self, job: dict[str, Any]) -> int:
        """Exit code of a command, negative for a signal."""
        if self.process is None or self.process.poll() is not None:
            self.process = subprocess.Popen(
                [sys.executable, __file__],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
                process_group=0,
                env={name: value for name, value in os.environ.items() if name != "NONOSAT_PLUGINS"},  # those of a job
            )
            atexit.register(self.close)
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        hangs = threading.Timer(PATIENCE_S, self.close)
        hangs.start()
        try:
            print(json.dumps(job), file=self.process.stdin, flush=True)
            answer = self.process.stdout.readline()
        except BaseException:
            self.close()
            raise
        finally:
            hangs.cancel()
        if not answer:
            raise TimeoutError(f"no end of: {job['arguments']}")
        return int(answer)

    def close(self) -> None:
        process, self.process = self.process, None
        if process is not None:
            with contextlib.suppress(OSError):
                os.killpg(process.pid, signal.SIGKILL)
            process.communicate()


SERVER = ForkServer()


def command(
    *arguments: str | Path, stdin: str | bytes = "", cwd: Path | None = None
) -> subprocess.CompletedProcess[bytes]:
    """Run ``nonosat`` with these arguments; warnings are errors."""
    listed = list(map(str, arguments))
    with tempfile.TemporaryDirectory() as folder:
        paths = {name: str(Path(folder, name)) for name, _ in STREAMS}
        for path in paths.values():
            Path(path).touch()
        Path(paths["stdin"]).write_bytes(stdin.encode() if isinstance(stdin, str) else stdin)
        job = {"arguments": listed, "cwd": str(cwd or Path.cwd()), "environment": dict(os.environ), **paths}
        code = SERVER.code(job)
        out, complaint = (Path(paths[name]).read_bytes() for name in ("stdout", "stderr"))
    return subprocess.CompletedProcess(["nonosat", *listed], code, out, complaint)


def run(*arguments: str | Path, stdin: str | bytes = "", cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    """``command`` with texts; no error may show a traceback."""
    done = command(*arguments, stdin=stdin, cwd=cwd)
    text = subprocess.CompletedProcess(done.args, done.returncode, done.stdout.decode(), done.stderr.decode())
    assert "Traceback" not in text.stderr, text.stderr
    return text


def complaint(*arguments: str | Path, stdin: str | bytes = "", cwd: Path | None = None) -> str:
    """The one line that ``arguments`` are refused with."""
    result = run(*arguments, stdin=stdin, cwd=cwd)
    assert result.returncode == 2, result
    assert result.stdout == ""
    [line] = result.stderr.splitlines()
    assert line.startswith("nonosat: ")
    return line.removeprefix("nonosat: ")


# The server.


def serve() -> None:
    """Fork a command for each line of stdin, and answer its exit code."""

    for name in PACKAGES:
        package = importlib.import_module(f"nonosat.{name}")
        for found in pkgutil.walk_packages(package.__path__, f"nonosat.{name}."):
            with contextlib.suppress(ImportError):
                importlib.import_module(found.name)
    for line in sys.stdin:
        if (pid := os.fork()) == 0:
            child(json.loads(line))
        print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), flush=True)


def child(job: dict[str, Any]) -> NoReturn:
    from children import by_default

    from nonosat.cli.main import main

    try:
        by_default()
        signal.signal(signal.SIGINT, signal.default_int_handler)
        os.chdir(job["cwd"])
        os.environ.clear()
        os.environ.update(job["environment"])
        for number, (name, how) in enumerate(STREAMS):
            opened = os.open(job[name], how | os.O_APPEND)
            os.dup2(opened, number)
            os.close(opened)
        sys.stdin, sys.stdout, sys.stderr = (
            os.fdopen(number, mode, encoding="utf-8", closefd=False) for number, mode in enumerate("rww")
        )
        sys.argv[:], sys.path[0] = ["nonosat", *job["arguments"]], job["cwd"]
        warnings.simplefilter("error")
        main()
    except BaseException:
        traceback.print_exc()
        sys.stderr.flush()
    os._exit(1)


if __name__ == "__main__":
    serve()
