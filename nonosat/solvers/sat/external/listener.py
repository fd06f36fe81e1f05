"""What a program says while it runs: the lines that bear its result, its counters and its last words."""

from __future__ import annotations

import os
import re
import selectors
import subprocess
from dataclasses import dataclass, field

from nonosat.encodings import dimacs
from nonosat.errors import FormatError, SolverError
from nonosat.files import printable

CHUNK = 1 << 16
_LONGEST = 4096  # of the lines that are neither model nor status, what is looked at
_STDERR_KEPT = 8192
_PAUSE_S = 0.05  # between two looks at a program that has closed its output, or whose descendants keep it open
UNITS = ("decisions", "conflicts", "propagations", "restarts")
_RESULT = re.compile(rb"s\s|v\s|v$|[-\d]|SAT$|UNSAT$|INDET$|SATISFIABLE$|UNSATISFIABLE$|INDETERMINATE$")
# CaDiCaL and Kissat: "c conflicts:  123   4.5 per second"; MiniSat and Glucose: "conflicts  : 123  (5 /sec)".
_COUNTER = re.compile(rb"(?:c\s)?[\s|-]*(decisions|conflicts|propagations|restarts)(?:\s*[:=]\s*|\s+)(\d+)(?:\s|$)")
# PicoSAT: "c 123 conflicts"; Lingeling: "c 34 decisions, 12 conflicts, 5.0 conflicts/sec".
_COUNTED = re.compile(rb"(?:^c|,)\s+(\d+) (decisions|conflicts|propagations|restarts)(?=,|$)")


@dataclass
class Listener:
    """Keeps the lines of a program's output that bear its result, at most ``most`` bytes of them, and its counters."""

    most: int
    result: bytearray = field(default_factory=bytearray)
    rest: bytearray = field(default_factory=bytearray)
    stderr: bytes = b""
    counters: dict[str, int | None] = field(default_factory=lambda: dict.fromkeys(UNITS))

    def hear(self, data: bytes) -> None:
        """More of its output."""
        *lines, rest = data.split(b"\n")
        if lines:
            self._take(bytes(self.rest) + lines[0])
            self.rest.clear()
            for line in lines[1:]:
                self._take(line)
        self.rest += rest
        if len(self.rest) > _LONGEST and not _RESULT.match(self.rest[:_LONGEST].lstrip()):
            del self.rest[_LONGEST:]  # a line without end that is no model; its begin still tells that
        if len(self.result) + len(self.rest) > self.most:
            raise SolverError("the program prints more than any model of the formula can take")

    def complain(self, data: bytes) -> None:
        """More of what it says on stderr, of which the end is kept."""
        self.stderr = (self.stderr + data)[-_STDERR_KEPT:]

    def end(self) -> None:
        """There is no more: the last line may lack its end."""
        self._take(bytes(self.rest))
        self.rest.clear()

    def _take(self, line: bytes) -> None:
        line = line.strip()
        if _RESULT.match(line):
            # Glucose's own word for what the competitions call UNKNOWN.
            self.result += (b"s UNKNOWN" if line == b"s INDETERMINATE" else line) + b"\n"
        elif len(line) <= _LONGEST:
            if (match := _COUNTER.match(line)) is not None:
                self.counters[match[1].decode()] = int(match[2])
            elif line.startswith(b"c "):
                for match in _COUNTED.finditer(line):
                    self.counters[match[2].decode()] = int(match[1])

    def output(self, program: str) -> dimacs.Output:
        """The verdict and the model. SolverError: they cannot be read."""
        try:
            return dimacs.read_output(self.result.decode("ascii", errors="replace"))
        except FormatError as error:
            raise SolverError(f"{program}: {error.reason}") from None

    def last_words(self) -> str:
        """The last line on stderr, to be put behind a message."""
        lines = [line.strip() for line in self.stderr.decode(errors="replace").splitlines() if line.strip()]
        return f"; last words: {printable(lines[-1], 200)}" if lines else ""


def listen(process: subprocess.Popen[bytes], said: Listener) -> None:
    """Hear ``process`` until it has ended (it is not waited for yet) and all that it said is heard."""
    assert process.stdout is not None
    assert process.stderr is not None
    with selectors.DefaultSelector() as selector:
        for stream, hear in ((process.stdout, said.hear), (process.stderr, said.complain)):
            os.set_blocking(stream.fileno(), False)
            selector.register(stream, selectors.EVENT_READ, hear)
        dead = False
        while selector.get_map():
            ready = selector.select(_PAUSE_S)
            for key, _ in ready:
                if data := os.read(key.fd, CHUNK):
                    key.data(data)
                else:
                    selector.unregister(key.fileobj)
            if not ready and dead:
                break  # what it left behind holds its pipes, and says nothing
            dead = dead or (not ready and _is_dead(process.pid))
    said.end()
    os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)


def _is_dead(pid: int) -> bool:
    """Has our child ended? It is not waited for."""
    return os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT | os.WNOHANG) is not None
