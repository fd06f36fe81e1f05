"""A program: the files it works on, its runs, and what each of them came to."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import subprocess
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

import numpy as np
import numpy.typing as npt

from nonosat.encodings import dimacs
from nonosat.encodings.cnf import CNF
from nonosat.errors import SolverError
from nonosat.files import printable
from nonosat.solvers.sat.external.command import PLACE
from nonosat.solvers.sat.external.listener import CHUNK, Listener, listen

_HEADER = 64  # bytes that the comment and the header take together, so that both can be rewritten in place


@dataclass(frozen=True, eq=False)
class Said:
    """What one run came to. ``satisfiable`` None: no verdict, for ``reason``."""

    satisfiable: bool | None
    literals: npt.NDArray[np.int64]
    counters: dict[str, int | None]
    seconds: float
    reason: str | None = None


class Program:
    """The command, and the files it works on."""

    def __init__(self, words: list[str], folder: Path, began: float) -> None:
        self.words, self.began = words, began
        self.name = printable(Path(words[0]).name, 100)
        self.cnf, self.out = folder / "formula.cnf", folder / "result.out"
        self.reads_stdin = not any("{cnf}" in word for word in words)

    def load(self, cnf: CNF, blocked: list[list[int]]) -> float:
        """Write the formula, or add the newest of the ``blocked`` clauses to it; the seconds that took."""
        begin = perf_counter()
        try:
            with self.cnf.open("r+b" if blocked else "wb") as file:
                file.write(header_of(cnf.variables, cnf.clauses + len(blocked)))
                if not blocked:
                    file.writelines(piece.encode("ascii") for piece in dimacs.body(cnf))
                else:
                    file.seek(0, os.SEEK_END)
                    file.write(b" ".join(b"%d" % literal for literal in (*blocked[-1], 0)) + b"\n")
        except OSError as error:
            raise SolverError(f"cannot write the formula: {error.strerror}") from None
        return perf_counter() - begin

    def run(self, variables: int) -> Said:
        """Run the command once and judge what it says. SolverError: it failed, or contradicts itself."""
        self.out.unlink(missing_ok=True)
        begin = perf_counter()
        # More than this the longest model cannot take ("v -123456" on a line of its own for every variable).
        said = Listener(most=16 * variables + (1 << 20))
        code = self._run(said)
        seconds = perf_counter() - begin
        if self.out.exists():
            result = Listener(said.most)
            with self.out.open("rb") as file:
                while data := file.read(CHUNK):
                    result.hear(data)
            result.end()
            outputs = [said.output(self.name), result.output(self.name)]
        else:
            outputs = [said.output(self.name)]
        return self._judged(outputs, code, said, seconds)

    def _run(self, said: Listener) -> int:
        """Run the command to its end, hearing what it says; its exit code, negative for a signal."""
        try:
            with (self.cnf if self.reads_stdin else Path(os.devnull)).open("rb") as stdin:
                process = subprocess.Popen(
                    [PLACE.sub(self._place, word) for word in self.words],
                    stdin=stdin,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE,
                    process_group=0,  # so that it can be ended with all that it starts
                )
        except OSError as error:
            raise SolverError(f"{self.name} cannot be started: {error.strerror}") from None
        with process:
            try:
                listen(process, said)
            finally:
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.killpg(process.pid, signal.SIGKILL)  # not waited for yet, so the number is still its own
                process.wait()
        return process.returncode

    def _place(self, place: re.Match[str]) -> str:
        if place[1] == "seconds":
            return str(max(1, int(float(place[2]) - (perf_counter() - self.began))))
        return str({"cnf": self.cnf, "out": self.out}[place[1]])

    def _judged(self, outputs: list[dimacs.Output], code: int, said: Listener, seconds: float) -> Said:
        words = said.last_words()
        verdicts = {output.satisfiable for output in outputs if output.satisfiable is not None}
        literals = max((output.literals for output in outputs), key=len)
        if code < 0:
            known = {number.value for number in signal.Signals}
            how = signal.Signals(-code).name if -code in known else f"signal {-code}"
            raise SolverError(f"{self.name} was killed by {how}{words}")
        if len(verdicts) > 1:
            raise SolverError(f"{self.name} says SATISFIABLE in one place and UNSATISFIABLE in another")
        verdict = verdicts.pop() if verdicts else None
        if code not in (0, {True: 10, False: 20, None: 0}[verdict]):
            says = {True: "says SATISFIABLE", False: "says UNSATISFIABLE", None: "gives no verdict"}[verdict]
            raise SolverError(f"{self.name} {says}, but its exit code is {code}{words}")
        if verdict and not len(literals):
            raise SolverError(f"{self.name} says SATISFIABLE and gives no model ('v' lines, or a result in {{out}})")
        reason = None if verdict is not None else f"{self.name} gave no verdict{words}"
        return Said(verdict, literals, said.counters, seconds, reason)


def header_of(variables: int, clauses: int) -> bytes:
    """A comment and the header, always of the same length: some programs want single blanks in the latter."""
    header = f"p cnf {variables} {clauses}\n"
    return f"c {'nonosat'.ljust(_HEADER - len(header) - 3, '.')}\n{header}".encode("ascii")
