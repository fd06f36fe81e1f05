"""Searches that do to their process what solvers have done: the cases for the tests of isolation."""

from __future__ import annotations

import ctypes
import importlib
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from itertools import combinations, count
from pathlib import Path
from typing import Any

import numpy as np

import nonosat
from nonosat import Nonogram, Picture
from nonosat.encodings.registry import encoding as usual_encoding
from nonosat.errors import SolverError
from nonosat.runs.events import Event, Finished, Found, Progress, Ready, Statistics, Stopped, Verdict
from nonosat.runs.zygote import LATE_S
from nonosat.solvers.sat.session import Session
from nonosat.studies import measure


def nothing() -> Iterator[Event]:
    yield Finished(True, Statistics(conflicts=7))


def pictures(number: int, side: int = 2) -> Iterator[Event]:
    yield Progress("solving")
    for index in range(number):
        yield Found(np.full((side, side), index % 256, dtype=np.uint8))
    yield Finished(True, Statistics())


def given(what: object) -> Iterator[Event]:
    yield Finished(True, Statistics(), reason=repr(what))


def unsupported() -> Iterator[Event]:
    yield Stopped(Verdict.UNSUPPORTED, "no such puzzle")


def whoami() -> Iterator[Event]:
    """Pids of the zygote and of the child, and the child's open files, as the reason."""
    fds = list(Path("/proc/self/fd").iterdir())
    yield Finished(True, Statistics(), reason=f"{os.getppid()} {os.getpid()} {len(fds)}")


def core_limit() -> Iterator[Event]:
    """How many bytes of its memory the kernel would write to a file if it crashed, as the reason."""
    yield Finished(True, Statistics(), reason=str(resource.getrlimit(resource.RLIMIT_CORE)[0]))


# Ends without a verdict.


def segfault() -> Iterator[Event]:
    yield Progress("solving")
    ctypes.string_at(0)


def abort() -> Iterator[Event]:
    yield Progress("solving")
    os.write(2, b"solver: internal error\n\x1b[31m assertion failed \n\n")
    os.abort()


def exits(code: int) -> Iterator[Event]:
    yield Progress("solving")
    os._exit(code)


def kills_itself(number: int = signal.SIGKILL) -> Iterator[Event]:
    yield Progress("solving")
    os.kill(os.getpid(), number)
    yield from sleeps()


def just_stops() -> Iterator[Event]:
    yield Progress("solving")


def raises() -> Iterator[Event]:
    yield Progress("solving")
    raise ValueError("no such\nthing as MEMORY")


def leaves() -> Iterator[Event]:
    yield Progress("solving")
    raise SystemExit(0)


def unpicklable() -> Iterator[Event]:
    yield Progress(lambda: 0)  # type: ignore[arg-type]


def raises_no_memory() -> Iterator[Event]:
    yield Progress("solving")
    raise MemoryError


def wraps_no_memory() -> Iterator[Event]:
    yield Progress("solving")
    try:
        raise MemoryError
    except MemoryError as error:
        raise SolverError("it broke") from error


def says_bad_alloc() -> Iterator[Event]:
    yield Progress("solving")
    os.write(2, b"terminate called after throwing an instance of 'std::bad_alloc'\n")
    os.abort()


# Never ends.


def loops() -> Iterator[Event]:
    yield Progress("solving")
    while True:
        pass


def sleeps() -> Iterator[Event]:
    yield Progress("solving")
    while True:
        time.sleep(1000)


def deaf() -> Iterator[Event]:
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    yield from loops()


def alarms() -> Iterator[Event]:
    """What maplecm does: a handler of its own, and an alarm."""
    signal.signal(signal.SIGALRM, lambda *_: os._exit(0))
    signal.alarm(2500)
    yield from loops()


def alarmed() -> Iterator[Event]:
    signal.setitimer(signal.ITIMER_REAL, 0.05)
    yield from sleeps()


def pigeons(solver: str, holes: int = 14) -> Iterator[Event]:
    """A solve that holds the GIL for hours."""

    def at(pigeon: int, hole: int) -> int:
        return pigeon * holes + hole + 1

    with engine_of(solver) as engine:
        for pigeon in range(holes + 1):
            engine.add_clause([at(pigeon, hole) for hole in range(holes)])
        for hole in range(holes):
            for one, two in combinations(range(holes + 1), 2):
                engine.add_clause([-at(one, hole), -at(two, hole)])
        yield Progress("solving")
        engine.solve()
    yield Finished(True, Statistics())


def found_then_hangs(number: int) -> Iterator[Event]:
    for index in range(number):
        yield Found(np.full((3, 3), index, dtype=np.uint8))
    yield from loops()


def found_endlessly(side: int = 100) -> Iterator[Event]:
    for index in count():
        yield Found(np.full((side, side), index % 256, dtype=np.uint8))


# Takes too much.


def hogs(step_mb: int = 4) -> Iterator[Event]:
    yield Progress("solving")
    kept = []
    while True:
        kept.append(bytearray(b"x") * (step_mb << 20))


def leaps() -> Iterator[Event]:
    """One allocation far beyond the limit, never touched."""
    yield Progress("solving")
    bytearray(64 << 30)
    yield Finished(True, Statistics())


def hogs_clauses(solver: str) -> Iterator[Event]:
    yield Progress("loading")
    with engine_of(solver) as engine:
        for start in count(1):
            if solver == "ergo":  # it loads in time quadratic in the variables
                clauses = [list(range(1, 2001))] * 20
            else:
                clauses = [[v, v + 1, -v - 2, v + 3] for v in range(start * 200, start * 200 + 200)]
            engine.append_formula(clauses, no_return=True)


def engine_of(solver: str) -> Any:
    """python-sat's solver of our name."""
    from pysat.solvers import Solver

    from nonosat.solvers.sat.session import names

    return Solver(name=names()[solver][0])


def shouts(megabytes: int) -> Iterator[Event]:
    yield Progress("solving")
    block = b"x" * 127 + b"\n"
    for _ in range(megabytes):
        os.write(2, block * 8192)
    os.write(2, b"the end\n")
    os._exit(5)


def chatters() -> Iterator[Event]:
    print("v 1 2 3")
    os.write(1, b"s SATISFIABLE\n" * 100_000)
    yield Finished(True, Statistics())


# Starts others that take too much.

HOG = "kept = []\nwhile True: kept.append(bytearray(b'x') * (4 << 20))"
FAT = "import time; fat = bytearray(b'x') * ({0} << 20); time.sleep(0.5)"


def has_a_hog(own_session: bool = False) -> Iterator[Event]:
    yield Progress("solving")
    subprocess.run([sys.executable, "-c", HOG], start_new_session=own_session, check=False)


def has_a_fat_child(megabytes: int) -> Iterator[Event]:
    yield Progress("solving")
    subprocess.run([sys.executable, "-c", FAT.format(megabytes)], check=True)
    yield Finished(True, Statistics())


def shares(how: str, megabytes: int) -> Iterator[Event]:
    """A fat process that starts others over and over: for a moment each has all of its memory."""
    yield Progress("solving")
    fat = bytearray(b"x") * (megabytes << 20)
    until = time.monotonic() + 1
    while time.monotonic() < until:
        if how == "vfork":
            subprocess.run(["/bin/true"], check=True)
        elif pid := os.fork():
            os.waitpid(pid, 0)
        else:
            time.sleep(0.1)
            os._exit(0)
    yield Finished(True, Statistics(), reason=str(len(fat)))


def litters() -> Iterator[Event]:
    folder = Path(tempfile.gettempdir())
    (folder / "deep").mkdir()
    (folder / "deep" / "litter").write_text("x")
    yield Progress(str(folder))
    yield from sleeps()


def litters_and_dies() -> Iterator[Event]:
    yield next(litters())
    os._exit(0)


# Leaves others behind.


def forks(own_session: bool = False, then: str = "finish") -> Iterator[Event]:
    """A grandchild that sleeps for a minute (``then`` is "loop": that works without end), holding all pipes."""
    if os.fork() == 0:
        if own_session:
            os.setsid()
        while then == "loop":
            pass
        time.sleep(60)
        os._exit(0)
    yield Progress("solving")
    if then == "finish":
        yield Finished(True, Statistics())
    elif then in ("hang", "loop"):
        yield from sleeps()
    else:
        os._exit(0)


def solves(size: int, density: float, solver: str, encoding: str) -> Iterator[Event]:
    """All pictures of a random board, which is made in this process."""
    from nonosat.generators.density import random_density
    from nonosat.solvers import registry

    board = random_density(size, size, density, 7)
    yield from registry.search(board, usual_encoding(encoding), None, registry.solver(solver))


# As the processes of a study's run: the "encoding" says which of the above, and its argument.


def prepared(*_: object) -> Iterator[Event | Ready]:
    yield Ready(0.0)
    yield Finished(False, Statistics())


def from_file(path: str, encoding: str, *_: object) -> Iterator[Event | Ready]:
    yield Ready(0.0)
    name, *words = encoding.split()
    yield from globals()[name](*(int(word) if word.isdigit() else word for word in words))


# Searches that need what is not loaded. Their modules are made by the tests.


def needs(module: str) -> Iterator[Event]:
    """Finds a picture, imports a module, finds another one, and tells what the module's function says."""
    yield Progress("solving")
    yield Found(np.zeros((1, 1), dtype=np.uint8))
    said = importlib.import_module(module).said()
    yield Found(np.ones((1, 1), dtype=np.uint8))
    yield Finished(True, Statistics(), reason=said)


def works_and_needs(module: str) -> Iterator[Event]:
    """As ``needs``, after work that is worth more than the time of an import."""
    takes(LATE_S + 0.1)
    yield from needs(module)


def numbers(module: str) -> Iterator[int]:
    """Three numbers; a module is imported between them."""
    yield from (0, 1)
    importlib.import_module(module)
    yield 2


def tells_where() -> Iterator[Event]:
    """Where the package is that a process of its own imports."""
    yield Finished(True, Statistics(), reason=str(Path(nonosat.__file__).parent))


def needs_a_broken_one(module: str) -> Iterator[Event]:
    try:
        importlib.import_module(module)
    except ValueError as error:
        yield Finished(True, Statistics(), reason=str(error))


# A study's processes in which making the puzzle, encoding and solving take as long as the "encoding" says (busily).


def takes(seconds: float, clock: str = "cpu_s") -> None:
    if clock == "wall_s":
        time.sleep(seconds)
        return
    until = time.process_time() + seconds
    while time.process_time() < until:
        pass


def prepared_slowly(instance: Any, encoding: str, path: str) -> Iterator[Any]:
    clock, making, encode = encoding.split()[0], *map(float, encoding.split()[1:3])
    usual_puzzle, usual_formula = measure.puzzle_of, measure.formula_of
    measure.puzzle_of = lambda which: (takes(making, clock), usual_puzzle(which))[1]
    measure.formula_of = lambda puzzle, _: (takes(encode, clock), usual_formula(puzzle, usual_encoding("tight+r3")))[1]
    yield from measure.prepared(instance, usual_encoding("tight+r3"), path)


def from_file_slowly(path: str, encoding: str, *rest: Any) -> Iterator[Any]:
    clock, solving = encoding.split()[0], float(encoding.split()[3])
    usual = Session.solve
    Session.solve = lambda *arguments, **named: (takes(solving, clock), usual(*arguments, **named))[1]  # type: ignore
    yield from measure.from_file(path, usual_encoding("tight+r3"), *rest)


def dies_on_wide(puzzle: Nonogram, encoding: object, at_most: int | None, solver: object) -> Iterator[Event]:
    """A search that ends its process where a board is nine cells wide, and knows the picture of others."""
    if puzzle.width == 9:
        os.kill(os.getpid(), signal.SIGSEGV)
    assert isinstance(puzzle.goal, Picture)
    yield Found(puzzle.goal.cells)
    yield Finished(False, Statistics())
