"""A program: the files it works on, its runs, and what each of them came to."""

from __future__ import annotations

import contextlib
import os
import re
import selectors
import shlex
import shutil
import signal
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

import numpy as np
import numpy.typing as npt

from nonosat.encodings import dimacs
from nonosat.encodings.cnf import CNF
from nonosat.encodings.formula import Formula
from nonosat.errors import FormatError, SolverError, UnsupportedError
from nonosat.files import printable
from nonosat.runs.events import Event, Finished, Found, Progress, Statistics
from nonosat.runs.solver import EXTERNAL, Solver

# Any program that reads DIMACS, as a solver: ``exec:kissat --time={seconds} {cnf}``.
#
# The command is split as a shell would split it, and started without one. In its words
#
# - ``{cnf}`` is the path of the formula; after the word ``<`` the formula is the standard input, as in a shell;
# - ``{out}`` is the path of a result file, which is read as well as the standard output (MiniSat wants one);
# - ``{proof}`` is the path of a proof (DRAT, binary or not, or LRAT), which is checked after UNSAT;
# - ``{seconds}`` is what is left of the time limit (whole seconds, at least 1), ``{memory}`` the memory limit in MiB.
#
# The answer is what the program *says*: the line ``s SATISFIABLE`` with its ``v`` lines, or a result as MiniSat writes
# it. The exit code must agree: 10 or 20 that contradict it or stand alone, any other than 0 and a signal are failures
# (CRASH). Models are checked against the clauses, so that a bad one is the program's fault (CRASH), while the verdict
# WRONG stays what it is for every solver: a model of the formula whose picture breaks the clues. UNSAT is the program's
# word, unless it writes a proof. Programs are not incremental: every further picture is a run
# from the start, on the formula with the former pictures ruled out; times and counters are sums over the runs.


# The command behind a solver's name: its places, checked beforehand and filled.


PLACE = re.compile(r"\{([a-z]+)(?::([0-9.e+-]+))?\}")
_PLACES = ("cnf", "out", "seconds", "memory", "proof")
_STDIN = "<"
"""The word before ``{cnf}`` that makes the formula the standard input."""


def check(command: str) -> None:
    """UnsupportedError unless ``command`` can be run, as far as is known beforehand."""
    words, name = words_of(command), EXTERNAL + command
    if not words:
        raise UnsupportedError(f"solver {name!r}: expected {EXTERNAL}COMMAND, such as 'exec:cadical {{cnf}}'")
    for word in words:
        for place in PLACE.finditer(word):
            if place[1] not in _PLACES:
                places = ", ".join(f"{{{known}}}" for known in _PLACES)
                raise UnsupportedError(f"solver {printable(name)!r}: nothing is known as {place[0]}, only {places}")
    if shutil.which(words[0]) is None:
        found = Path(words[0]).exists() and os.sep in words[0]
        reason = "cannot be executed" if found else "no such program"
        raise UnsupportedError(f"solver {printable(name)!r}: {printable(words[0])}: {reason}")
    if "{cnf}" not in command:
        how = "write {cnf} where its file goes, or '< {cnf}' for standard input"
        raise UnsupportedError(f"solver {printable(name)!r}: it gets no formula: {how}")


def fill(command: str, time_limit_s: float | None, memory_limit_mb: float | None) -> str:
    """``command`` with the limits in their places: ``{memory}`` becomes its number, ``{seconds}`` ``{seconds:60}``.

    From that the search takes the seconds that have passed. UnsupportedError: a place without its limit.
    """

    def filled(place: re.Match[str]) -> str:
        limit, option = {
            "seconds": (time_limit_s, "limit on wall time (--time-limit, time_limit_s)"),
            "memory": (memory_limit_mb, "limit on memory (--memory-limit, memory_limit_mb)"),
        }.get(place[1], (0.0, ""))
        if limit is None:
            shown = printable(EXTERNAL + command)
            raise UnsupportedError(f"solver {shown!r}: {place[0]} is the {option}, and there is none")
        if place[1] == "seconds":
            return f"{{seconds:{limit:g}}}"
        return str(max(1, int(limit))) if place[1] == "memory" else place[0]

    return PLACE.sub(filled, command)


def proves(command: str) -> bool:
    """Does ``command`` write a proof?"""
    return "{proof}" in command


def words_of(command: str) -> list[str]:
    """The words of ``command``, as a shell would split it."""
    try:
        return shlex.split(command)
    except ValueError as error:  # a quotation without an end
        raise UnsupportedError(f"solver {printable(EXTERNAL + command)!r}: {str(error).lower()}") from None


# What a program says while it runs: the lines that bear its result, its counters and its last words.


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
_BLOCK = re.compile(rb"c --- \[ statistics \] -")
"""The heading of CaDiCaL's counters, which it leaves out where they are 0; Kissat's has four dashes and all of them."""


@dataclass
class ProgramText:
    """Keeps the lines of a program's output that bear its result, at most ``most`` bytes of them, and its counters."""

    most: int
    result: bytearray = field(default_factory=bytearray)
    rest: bytearray = field(default_factory=bytearray)
    stderr: bytes = b""
    counters: dict[str, int | None] = field(default_factory=lambda: dict.fromkeys(UNITS))
    leaves_out_zeros: bool = False

    def read(self, data: bytes) -> None:
        """More of its output."""
        *lines, rest = data.split(b"\n")
        if lines:
            self._take(bytes(self.rest) + lines[0])
            self.rest.clear()
            for line in lines[1:]:
                self._take(line)
        self.rest += rest
        if len(self.rest) > _LONGEST and not _RESULT.match(self.rest[:_LONGEST].lstrip()):
            del self.rest[_LONGEST:]  # a line without end that is no model; its beginning still shows that
        if len(self.result) + len(self.rest) > self.most:
            raise SolverError("the program prints more than any model of the formula can take")

    def read_errors(self, data: bytes) -> None:
        """More of its standard error, of which the end is kept."""
        self.stderr = (self.stderr + data)[-_STDERR_KEPT:]

    def end(self) -> None:
        """There is no more: the last line may lack its end."""
        self._take(bytes(self.rest))
        self.rest.clear()
        if self.leaves_out_zeros and self.result:
            self.counters = {name: value or 0 for name, value in self.counters.items()}

    def _take(self, line: bytes) -> None:
        line = line.strip()
        if _RESULT.match(line):
            # Glucose's own word for what the competitions call UNKNOWN.
            self.result += (b"s UNKNOWN" if line == b"s INDETERMINATE" else line) + b"\n"
        elif len(line) <= _LONGEST:
            if (match := _COUNTER.match(line)) is not None:
                self.counters[match[1].decode()] = int(match[2])
            elif line.startswith(b"c "):
                self.leaves_out_zeros = self.leaves_out_zeros or _BLOCK.match(line) is not None
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


def listen(process: subprocess.Popen[bytes], output: ProgramText) -> None:
    """Read what ``process`` prints until it has ended; it is not waited for yet."""
    assert process.stdout is not None
    assert process.stderr is not None
    with selectors.DefaultSelector() as selector:
        for stream, read in ((process.stdout, output.read), (process.stderr, output.read_errors)):
            os.set_blocking(stream.fileno(), False)
            selector.register(stream, selectors.EVENT_READ, read)
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
    output.end()
    os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)


def _is_dead(pid: int) -> bool:
    """Has our child ended? It is not waited for."""
    return os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT | os.WNOHANG) is not None


_HEADER = 64  # bytes that the comment and the header take together, so that both can be rewritten in place


@dataclass(frozen=True, eq=False)
class ProgramOutput:
    """What one run came to. ``satisfiable`` None: no verdict, for ``reason``."""

    satisfiable: bool | None
    literals: npt.NDArray[np.int64]
    counters: dict[str, int | None]
    seconds: float
    reason: str | None = None


class Program:
    """The command, and the files it works on."""

    def __init__(self, words: list[str], folder: Path, began: float) -> None:
        self.began = began
        at = words.index(_STDIN) if _STDIN in words[:-1] and words[words.index(_STDIN) + 1] == "{cnf}" else None
        self.reads_stdin = at is not None
        self.words = words if at is None else [*words[:at], *words[at + 2 :]]
        self.proves = any(proves(word) for word in words)
        self.name = printable(Path(words[0]).name, 100)
        self.cnf, self.out, self.proof = folder / "formula.cnf", folder / "result.out", folder / "proof"

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

    def run(self, variables: int) -> ProgramOutput:
        """Run the command once and judge what it says. SolverError: it failed, or contradicts itself."""
        self.out.unlink(missing_ok=True)
        self.proof.unlink(missing_ok=True)
        begin = perf_counter()
        # More than this the longest model cannot take ("v -123456" on a line of its own for every variable).
        printed = ProgramText(most=16 * variables + (1 << 20))
        code = self._run(printed)
        seconds = perf_counter() - begin
        if self.out.exists():
            result = ProgramText(printed.most)
            with self.out.open("rb") as file:
                while data := file.read(CHUNK):
                    result.read(data)
            result.end()
            outputs = [printed.output(self.name), result.output(self.name)]
        else:
            outputs = [printed.output(self.name)]
        return self._judged(outputs, code, printed, seconds)

    def _run(self, printed: ProgramText) -> int:
        """Run the command to its end and read its output; its exit code, negative for a signal."""
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
                listen(process, printed)
            finally:
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.killpg(process.pid, signal.SIGKILL)  # not waited for yet, so the number is still its own
                process.wait()
        return process.returncode

    def _place(self, place: re.Match[str]) -> str:
        if place[1] == "seconds":
            return str(max(1, int(float(place[2]) - (perf_counter() - self.began))))
        return str({"cnf": self.cnf, "out": self.out, "proof": self.proof}[place[1]])

    def steps(self, cnf: CNF) -> tuple[str, ...]:
        """The steps of the proof that the last run wrote. SolverError: it wrote none, or something else."""
        try:
            data = self.proof.read_bytes()
        except OSError:
            data = b""
        if not data:
            raise SolverError(f"{self.name} says UNSATISFIABLE and writes no proof")
        try:
            return proof_steps(data, cnf)
        except ValueError as error:
            raise SolverError(f"{self.name} writes a proof that cannot be read: {error}") from None

    def _judged(self, outputs: list[dimacs.Output], code: int, printed: ProgramText, seconds: float) -> ProgramOutput:
        words = printed.last_words()
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
        return ProgramOutput(verdict, literals, printed.counters, seconds, reason)


def header_of(variables: int, clauses: int) -> bytes:
    """A comment and the header, always of the same length: some programs want single blanks in the latter."""
    header = f"p cnf {variables} {clauses}\n"
    return f"c {'nonosat'.ljust(_HEADER - len(header) - 3, '.')}\n{header}".encode("ascii")


# The proof that a program writes: as lines of DRAT, whatever its form, and the check.


def proof_steps(data: bytes, cnf: CNF) -> tuple[str, ...]:
    r"""The lines of the DRAT proof in ``data``: DRAT as text or in binary form, or LRAT, whose hints are left out.

    ValueError: it is none.

    >>> cnf = CNF(2, np.array([1, 2, -1, 2, -2], dtype=np.int32), np.array([2, 4, 5]))
    >>> proof_steps(b"4 2 0 1 2 0\n4 d 1 2 0\n5 0 4 3 0\n", cnf)
    ('2 0', 'd 1 2 0', 'd -1 2 0', '0')
    >>> proof_steps(b"a\x04\x00d\x02\x04\x00a\x00", cnf)
    ('2 0', 'd 1 2 0', '0')
    """
    if b"\0" in data:
        steps = list(_binary_steps(data))
    else:
        lines = [line.split() for line in data.decode("ascii").splitlines()]
        lines = [words for words in lines if words and not words[0].startswith("c")]
        numbered = bool(lines) and (lines[0].count("0") == 2 or lines[0][1:2] == ["d"])
        steps = list(_numbered_steps(lines, cnf)) if numbered else [" ".join(words) for words in lines]
        if (odd := next((step for step in steps if not _STEP.fullmatch(step)), None)) is not None:
            raise ValueError(f"{printable(odd, 40)!r} is no step")
    return (*(steps[: steps.index("0")] if "0" in steps else steps), "0")


_STEP = re.compile(r"(d )?(-?[1-9][0-9]* )*0")


def _binary_steps(data: bytes) -> Iterator[str]:
    """Each step is ``a`` or ``d``, its literals as numbers of 7 bits a byte (2 n, or 2 n + 1 if negative), and 0."""
    at = 0
    while at < len(data):
        if data[at : at + 1] not in (b"a", b"d"):
            raise ValueError(f"byte {at} is neither a nor d")
        words, at = [] if data[at : at + 1] == b"a" else ["d"], at + 1
        while True:
            number = shift = 0
            while True:
                if at == len(data):
                    raise ValueError("it ends within a step")
                number |= (data[at] & 127) << shift
                shift, at = shift + 7, at + 1
                if data[at - 1] < 128:
                    break
            if not number:
                break
            words.append(str(-(number >> 1) if number & 1 else number >> 1))
        yield " ".join((*words, "0"))


def _numbered_steps(lines: list[list[str]], cnf: CNF) -> Iterator[str]:
    """LRAT: ``ID LITERALS 0 HINTS 0``, and ``ID d IDS 0``; the formula's clauses are numbered from 1."""
    known: dict[int, str] = {}
    for words in lines:
        if words[1:2] == ["d"]:
            for name in map(int, words[2:-1]):
                if name in known:
                    yield f"d {known.pop(name)}"
                elif 1 <= name <= cnf.clauses:
                    yield " ".join(map(str, ("d", *cnf.clause(name - 1), 0)))
                else:
                    raise ValueError(f"it deletes clause {name}, which is not there")
        else:
            end = words.index("0")
            known[int(words[0])] = step = " ".join(words[1 : end + 1])
            yield step


def proof_fault(formula: str, proof: str) -> str | None:
    """Why a DRAT ``proof`` does not show that the ``formula`` (DIMACS) has no model, or None: dratify checks it."""
    from dratify import check_proof, parse_dimacs

    try:
        result = check_proof(parse_dimacs(formula), proof, engine="python")
    except ValueError as error:  # it cannot even be read
        return str(error)
    if result.ok:
        return None
    return f"step {result.failed_step}: {result.reason}" if result.failed_step >= 0 else str(result.reason)


def attempted(
    command: str, formula: Formula, began: float
) -> tuple[npt.NDArray[Any] | None, tuple[str, ...], Statistics]:
    """One board of ``formula`` by ``command``; or None, and the steps of its proof. What it has cost.

    SolverError: it failed, or gave no verdict.
    """
    with _folder() as folder:
        program = Program(words_of(command), folder, began)
        loaded = program.load(formula.cnf, [])
        output = program.run(formula.cnf.variables)
        about = Statistics(load_s=loaded, solve_s=output.seconds, **output.counters)
        if output.satisfiable is None:
            raise SolverError(output.reason or f"{program.name} gave no verdict")
        if not output.satisfiable:
            return None, program.steps(formula.cnf), about
        if (reason := _unsatisfied(formula.cnf, [], output.literals)) is not None:
            raise SolverError(f"{program.name} gave a model that {reason}")
        return formula.cells(output.literals), (), about


# The search: a program is run on the formula, and again for every further picture, with the former ones ruled out.


def solved(formula: Formula, statistics: Statistics, at_most: int | None, solver: Solver) -> Iterator[Event]:
    """Find at most ``at_most`` boards (None: all) by the command of ``solver``; ``statistics``: what that has cost."""
    began = perf_counter() - (statistics.encode_s or 0.0)
    cnf = formula.cnf
    statistics = replace(statistics, load_s=0.0, solve_s=0.0)
    yield Progress("loading", statistics)
    if cnf.has_empty_clause:  # programs differ in what they make of one
        yield Finished(True, statistics)
        return
    with _folder() as folder:
        program = Program(words_of(solver.command or ""), folder, began)
        blocked: list[list[int]] = []
        while at_most is None or len(blocked) < at_most:
            statistics = _plus(statistics, load_s=program.load(cnf, blocked))
            yield Progress("solving", statistics)
            result = program.run(cnf.variables)
            statistics = _plus(statistics, solve_s=result.seconds, **result.counters)
            if not result.satisfiable:
                reason = result.reason
                if result.satisfiable is False and program.proves:
                    yield Progress("checking the proof", statistics)
                    steps = program.steps(cnf.extended_by(blocked))
                    if (fault := proof_fault(program.cnf.read_text("ascii"), "\n".join(steps))) is not None:
                        raise SolverError(f"{program.name} says UNSATISFIABLE, but its proof does not hold: {fault}")
                    reason = f"its proof was checked, {len(steps):,} steps"
                yield Finished(result.satisfiable is False, statistics, reason)
                return
            if (reason := _unsatisfied(cnf, blocked, result.literals)) is not None:
                raise SolverError(f"{program.name} gave a model that {reason}")
            cells = formula.cells(result.literals)
            yield Found(cells)
            blocked.append(formula.block(cells))
        yield Finished(False, statistics)


@contextlib.contextmanager
def _folder() -> Iterator[Path]:
    """A folder for the formula and the result that is gone afterwards."""
    try:
        temporary = TemporaryDirectory(prefix="nonosat-", ignore_cleanup_errors=True)
    except OSError as error:
        raise SolverError(f"no folder for the formula: {error.strerror}") from None
    with temporary as path:
        yield Path(path)


def _plus(before: Statistics, **more: float | int | None) -> Statistics:
    """``before`` and what a further run took. A counter that one run does not report is not known at all."""
    ran = bool(before.solve_s)
    sums: dict[str, float | int | None] = {}
    for name, value in more.items():
        had = getattr(before, name)
        if name in UNITS:
            sums[name] = value if not ran else None if had is None or value is None else had + value
        else:
            sums[name] = (had or 0.0) + (value or 0.0)
    return replace(before, **sums)  # type: ignore[arg-type]


def _unsatisfied(cnf: CNF, blocked: list[list[int]], literals: npt.NDArray[np.int64]) -> str | None:
    """Why ``literals`` are no model of the clauses, or None. Variables that are left out count as false."""
    if len(literals) and int(np.abs(literals).max()) > cnf.variables:
        return f"has variables beyond the {cnf.variables} of the formula"
    true = np.zeros(cnf.variables + 1, dtype=bool)
    true[literals[literals > 0]] = True
    if (clause := cnf.first_false(true)) is not None:
        return f"does not satisfy clause {clause + 1}"
    for number, literals_of in enumerate(blocked, 1):
        if not any(true[abs(literal)] == (literal > 0) for literal in literals_of):
            return f"is that of picture {number}, which was ruled out"
    return None
