"""The SAT solvers of python-sat, as searches over models of a formula.

The installed wheel lists the solvers (``names``), since its own list of names has some that the
wheel lacks. Models are ruled out one by one by a clause over the board's cells alone, in the same solver.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import signal
import socket
import sys
import traceback
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from itertools import chain, repeat
from threading import current_thread, main_thread
from time import perf_counter, process_time
from typing import Any, NoReturn

import pysolvers
from pysat._utils import MainThread
from pysat.solvers import Solver, SolverNames

from nonosat.encodings.cnf import CNF
from nonosat.errors import SolverError
from nonosat.interrupts import answered, fatal, late_interrupts, loading
from nonosat.runs.events import COUNTERS, Statistics
from nonosat.runs.isolation import death
from nonosat.runs.protocol import Ending, frame, receive
from nonosat.runs.solver import IPASIR
from nonosat.runs.zygote import PR_SET_PDEATHSIG, prctl
from nonosat.solvers.formulas import no_garbage_collection

# A second solve call aborts the process (Kissat is not incremental): these get a fresh solver for every model.
_ONE_SHOT = {"kissat404"}
_ALARMING = {"maplechrono", "maplecm"}
_COUNTED = {counter.name for counter in COUNTERS}
# These cannot stop after some conflicts and go on later, or pay for it: MapleCM 80 ms each time, MapleChrono 1.6,
# and CaDiCaL begins its phases anew, so that it took 5.7 times as long (benchmarks/watching.py).
_WHOLE = {"kissat404", "lingeling", "maplecm", "maplechrono", "cadical103", "cadical153", "cadical195", "cadical300"}
# These count no propagations and report 0 of them.
_NO_PROPAGATIONS = {"maplecm", "maplesat"}


@cache
def names() -> dict[str, tuple[str, ...]]:
    """The SAT solvers that the installed python-sat has: each one's name, and what else python-sat calls it."""
    built = {name.removesuffix("_new") for name in dir(pysolvers) if name.endswith("_new")}
    return {
        name: aliases
        for name, aliases in sorted(vars(SolverNames).items())
        if not name.startswith("_") and built.intersection((name, *aliases))
    }


def can_rest(name: str) -> bool:
    """Can that solver stop after some conflicts and go on, at little cost?"""
    return name not in _WHOLE and not name.startswith(IPASIR)


class Session:
    """One python-sat solver with a formula in it, and what it has cost so far. ``proof``: it is to write one."""

    def __init__(self, name: str, cnf: CNF, proof: bool = False) -> None:
        self.name = name
        self.options: dict[str, Any] = {"with_proof": True} if proof else {}  # not all know the option
        self.cnf = cnf if name in _ONE_SHOT else None
        self.added: list[list[int]] = []
        self.load_s = self.solve_s = self.solve_cpu_s = 0.0
        self.gave_up = False
        self._load(cnf, [])

    def _load(self, cnf: CNF, added: list[list[int]]) -> None:
        begin = perf_counter()
        with no_garbage_collection():
            name = names()[self.name][0]  # python-sat knows minisatgh by its aliases alone
            with _alarm_kept(self.name):
                self.solver = _call(Solver, name=name, **self.options)
            _add_all(self.solver.solver, self.name, chain(cnf, added))
            if not cnf.clauses:
                free = cnf.variables + 1  # maplesat segfaults on an empty formula; and this variable may be a selector
                self.solver.add_clause([free, -free])
        self.load_s += perf_counter() - begin

    def add(self, clause: Sequence[int]) -> None:
        """Add a clause."""
        if self.cnf is not None:
            self.added.append(list(clause))
            self.close()
            self._load(self.cnf, self.added)
        else:
            self.solver.add_clause(clause)

    def prefer_false(self, clause: list[int]) -> None:
        """Let what makes ``clause`` false be decided first, as far as it agrees with the others (MiniSat alone can)."""
        if self.name.startswith("minisat"):
            with _interrupts():
                _call(self.solver.propagate, [-literal for literal in clause], phase_saving=2, abandon=self)

    def known(self) -> list[int]:
        """The literals that propagation finds to be true, in an order in which each follows (MiniSat alone can)."""
        with _interrupts():
            found: list[int] = _call(self.solver.propagate, abandon=self)[1] or []
        return found

    def solve(self, assumptions: Sequence[int] = (), conflicts: int | None = None) -> list[int] | None:
        """A model in which the ``assumptions`` (literals) are true, or None if there is none.

        None and ``gave_up``: it takes more than so many ``conflicts`` to decide (which not all solvers can count).
        """
        begin, cpu_s = perf_counter(), process_time()
        named = {"assumptions": assumptions} if assumptions else {}  # not all solvers take any
        function = self.solver.solve
        if conflicts is not None:
            self.solver.conf_budget(conflicts)
            function = self.solver.solve_limited
        with _alarm_kept(self.name), _interrupts():
            satisfiable = _call(function, abandon=self, **named)
        self.solve_s += perf_counter() - begin
        self.solve_cpu_s += process_time() - cpu_s
        self.gave_up = conflicts is not None and satisfiable is None
        if satisfiable not in (True, False) and not self.gave_up:
            raise SolverError(f"{self.name} gave no verdict")
        if not satisfiable:
            return None
        model: list[int] = self.solver.get_model()
        return model

    @property
    def consistent(self) -> bool:
        """Does unit propagation of the clauses alone find no contradiction? (Of MiniSat.)"""
        possible, _ = _call(self.solver.propagate, [])
        return bool(possible)

    def refutes(self, literal: int) -> bool:
        """Is ``literal`` false by unit propagation from the clauses and from those learnt? Not for all solvers."""
        try:
            possible, _ = _call(self.solver.propagate, [literal])
        except NotImplementedError:
            return False
        return not possible

    def implies(self, literal: int) -> bool:
        """Is ``literal`` true by unit propagation of the clauses alone? Of MiniSat, which propagates what it is given.

        It decides only a literal that is open, and returns all that follows, with that one.
        """
        possible, implied = _call(self.solver.propagate, [literal])
        return bool(possible) and not implied

    def core(self) -> list[int]:
        """Those of the last solve's assumptions that are to blame, after one without a model."""
        return self.solver.get_core() or []

    def proof(self) -> list[str]:
        """The lines of the DRAT proof, after a solve without a model; it may stop short of the empty clause."""
        return self.solver.get_proof() or []

    def statistics(self, before: Statistics) -> Statistics:
        """``before`` with this session's times and the solver's counters."""
        try:
            counters = self.solver.accum_stats() or {}
        except NotImplementedError:
            counters = {}
        if self.name in _NO_PROPAGATIONS:
            counters.pop("propagations", None)
        counted = {name: counters[name] for name in _COUNTED if name in counters}
        return replace(before, load_s=self.load_s, solve_s=self.solve_s, solve_cpu_s=self.solve_cpu_s, **counted)

    def close(self) -> None:
        """Free the memory of the solver: once. python-sat frees it again if an interrupt keeps it from noting that."""
        if self.solver is not None:
            with late_interrupts():
                self.solver.delete()

    def abandon(self) -> None:
        """Leave the solver alone for good: after an interrupt its state is torn, and even freeing it can abort."""
        inner = self.solver.solver
        for attribute in vars(inner):
            setattr(inner, attribute, None)
        self.solver = None


class Forked(Session):
    """A session in a fork of this process, for the sake of Ctrl-C: KeyboardInterrupt comes here, and the fork is ended.

    The formula need not be sent, and the fork lives until ``close``. One that dies raises ``SolverError``.
    """

    def __init__(self, name: str, cnf: CNF, proof: bool = False) -> None:
        self.name, self.gave_up = name, False
        self.load_s = self.solve_s = self.solve_cpu_s = 0.0
        self.socket, theirs = socket.socketpair()
        with late_interrupts(), warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # threads of numpy, which does nothing in the fork
            self.pid = os.fork()
            if self.pid == 0:
                _serve(theirs, name, cnf, proof)
        theirs.close()
        self._ask("")  # it is loaded

    def _ask(self, method: str, *arguments: Any) -> Any:
        """What ``method`` of the fork's session gives, or raises."""
        try:
            self.socket.sendall(frame(b"A", pickle.dumps((method, arguments), protocol=5)))
            _, body = receive(self.socket)
        except (EOFError, OSError):
            status = self.end()
            raise SolverError(f"{self.name}: {death(Ending(exit_code=os.waitstatus_to_exitcode(status)))}") from None
        except BaseException:
            self.end()
            raise
        value, self.load_s, self.solve_s, self.solve_cpu_s, self.gave_up = pickle.loads(body)
        if isinstance(value, BaseException):
            raise value
        return value

    def end(self) -> int:
        """End the fork; the status that it ended with. Ctrl-C waits until that is done."""
        with late_interrupts():
            pid, self.pid = self.pid, 0
            self.socket.close()
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)  # not waited for yet, so the number is still its own
            return os.waitpid(pid, 0)[1]

    def close(self) -> None:
        """End the fork, once."""
        if self.pid:
            self.end()

    def add(self, clause: Sequence[int]) -> None:
        """See ``Session``."""
        self._ask("add", clause)

    def prefer_false(self, clause: list[int]) -> None:
        """See ``Session``."""
        self._ask("prefer_false", clause)

    def known(self) -> list[int]:
        """See ``Session``."""
        found: list[int] = self._ask("known")
        return found

    def solve(self, assumptions: Sequence[int] = (), conflicts: int | None = None) -> list[int] | None:
        """See ``Session``."""
        model: list[int] | None = self._ask("solve", assumptions, conflicts)
        return model

    def core(self) -> list[int]:
        """See ``Session``."""
        found: list[int] = self._ask("core")
        return found

    def proof(self) -> list[str]:
        """See ``Session``."""
        lines: list[str] = self._ask("proof")
        return lines

    def statistics(self, before: Statistics) -> Statistics:
        """See ``Session``."""
        about: Statistics = self._ask("statistics", before)
        return about


def session_of(name: str, cnf: CNF, proof: bool = False) -> Session:
    """A session with a formula in it: in this process, or in a fork where Ctrl-C is to be answered at once."""
    return (Forked if answered() else Session)(name, cnf, proof)


def _serve(pipe: socket.socket, name: str, cnf: CNF, proof: bool) -> NoReturn:
    """The fork: serve requests until the other end is closed."""
    try:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent answers to it, and ends this process
        MainThread.check = staticmethod(lambda: False)  # python-sat would answer to it, too
        for first, end in ((3, pipe.fileno()), (pipe.fileno() + 1, os.sysconf("SC_OPEN_MAX"))):
            os.closerange(first, end)  # others wait for the end of what the parent writes
        if sys.platform == "linux":
            prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        session: Session | None = None
        while True:
            method, arguments = pickle.loads(receive(pipe)[1])
            try:
                session = session or Session(name, cnf, proof)
                value = getattr(session, method)(*arguments) if method else None
            except Exception as error:
                if not isinstance(error, SolverError | MemoryError | NotImplementedError):
                    error.add_note(traceback.format_exc())
                value = error
            spent = [getattr(session, name, 0.0) for name in ("load_s", "solve_s", "solve_cpu_s", "gave_up")]
            pipe.sendall(frame(b"A", pickle.dumps((value, *spent), protocol=5)))
    finally:
        os._exit(0)


def _add_all(engine: Any, name: str, clauses: Iterable[list[int]]) -> None:
    """Add ``clauses`` to ``engine``, python-sat's class of one solver.

    By the function of its C module where that is found: its methods cost a quarter of a clause's time, those of the
    façade before them as much again (benchmarks/loading.py).
    """
    add = getattr(pysolvers, f"{_built(name)}_add_cl", None)
    pointers = [value for value in vars(engine).values() if type(value).__name__ == "PyCapsule"]
    if add is None or len(pointers) != 1:
        for clause in clauses:
            engine.add_clause(clause)
        return
    if False in set(map(add, repeat(pointers[0]), clauses)):  # a clause that is refuted already; as the methods do
        engine.status = False


@cache
def _built(name: str) -> str:
    """What python-sat's C module calls the solver of our name."""
    return next(word for word in (name, *names()[name]) if f"{word}_new" in dir(pysolvers))


def _call(function: Callable[..., Any], *arguments: Any, abandon: Session | None = None, **named: Any) -> Any:
    """Call into python-sat; its own exception becomes KeyboardInterrupt (Ctrl-C) or ``SolverError``."""
    try:
        return function(*arguments, **named)
    except pysolvers.error as error:
        if abandon is not None:
            abandon.abandon()
        if "interrupt" in str(error).lower():
            raise KeyboardInterrupt from None
        raise SolverError(str(error)) from error


@contextmanager
def _interrupts() -> Iterator[None]:
    """What Ctrl-C does while a solver works in this process: python-sat's way, or the end of the process.

    python-sat jumps out of the solver from the signal handler and raises an exception. Where the solver was allocating
    memory just then, the allocator's lock stays taken, and the process hangs at its next allocation (seen with CaDiCaL
    3.0). A library has no other way in this process; a program can simply end.
    """
    check = vars(MainThread)["check"]
    if fatal():
        MainThread.check = staticmethod(lambda: False)  # python-sat leaves the handler alone if this is no main thread
    try:
        with loading():
            yield
    finally:
        MainThread.check = check


@contextmanager
def _alarm_kept(name: str) -> Iterator[None]:
    """The user's SIGALRM: these solvers set a handler and an alarm of 2,500 s of their own, and leave them behind."""
    if name not in _ALARMING or current_thread() is not main_thread():
        yield
        return
    handler, begin = signal.getsignal(signal.SIGALRM), perf_counter()
    delay, interval = signal.getitimer(signal.ITIMER_REAL)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        if handler is not None:
            signal.signal(signal.SIGALRM, handler)
        if delay:
            signal.setitimer(signal.ITIMER_REAL, max(delay - (perf_counter() - begin), 1e-3), interval)
