"""Every way for a search to end, under limits, and that nothing outlives it."""

from __future__ import annotations

import contextlib
import os
import pickle
import resource
import signal
import socket
import sys
import textwrap
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import hostile
import numpy as np
import pysolvers
import pytest
from children import started
from clock import in_time
from sampling import spread
from strays import marked as marked_processes
from strays import settled, strays

from nonosat.encodings.cnf import CNF
from nonosat.errors import NonosatError, UnsupportedError
from nonosat.interrupts import fatal, fatal_interrupts
from nonosat.runs import isolation, limits
from nonosat.runs.events import Event, Finished, Found, Loading, Progress, Stopped, Verdict
from nonosat.runs.isolation import classify, isolated, shortened
from nonosat.runs.limits import Limits
from nonosat.runs.protocol import MOMENT, READY, Ending, Job, frame
from nonosat.runs.run import limits_of, run
from nonosat.runs.zygote import RunMonitor
from nonosat.solvers.registry import solver
from nonosat.solvers.sat.session import Session, names

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="limits need Linux")

CRASH, MEMOUT, TIMEOUT = Verdict.CRASH, Verdict.MEMOUT, Verdict.TIMEOUT
FREE = Limits()


@pytest.fixture(scope="module", autouse=True)
def marked() -> Iterator[None]:
    with marked_processes():
        yield


@pytest.fixture(autouse=True)
def nothing_left_behind(marked: None) -> Iterator[None]:
    yield
    settled(lambda: not strays())
    assert strays() == []


def ending(name: str, *args: object, limits: Limits = FREE) -> tuple[list[Event], Event]:
    *events, last = (event for event in isolated(getattr(hostile, name), args, limits) if said(event))
    assert not any(isinstance(event, Finished | Stopped) for event in events)
    assert isinstance(last, Finished | Stopped)
    return events, last


def said(event: Event) -> bool:
    """By the search; a new zygote's loading comes before it."""
    return not isinstance(event, Loading)


def stopped(name: str, *args: object, limits: Limits = FREE) -> Stopped:
    _, last = ending(name, *args, limits=limits)
    assert isinstance(last, Stopped)
    return last


def pids() -> tuple[int, int]:
    """The zygote and the child that served one run."""
    _, last = ending("whoami")
    assert isinstance(last, Finished)
    zygote, child, _ = map(int, str(last.reason).split())
    return zygote, child


# Searches that end as they should.


def test_events_come_through_in_order_and_the_last_knows_the_peak() -> None:
    events, last = ending("pictures", 3, limits=Limits(60, 500))
    assert isinstance(events[0], Progress)
    assert [int(event.cells[0, 0]) for event in events if isinstance(event, Found)] == [0, 1, 2]
    assert isinstance(last, Finished)
    assert last.statistics.peak_memory_mb is not None
    assert 5 < last.statistics.peak_memory_mb < 500


def test_statistics_of_the_search_are_kept() -> None:
    _, last = ending("nothing")
    assert isinstance(last, Finished)
    assert (last.exhausted, last.statistics.conflicts) == (True, 7)


def test_a_search_may_stop_by_itself() -> None:
    last = stopped("unsupported")
    assert (last.verdict, last.reason) == (Verdict.UNSUPPORTED, "no such puzzle")
    assert last.peak_memory_mb is not None


def test_large_pictures_and_large_arguments() -> None:
    events, _ = ending("pictures", 3, 2000)
    found = [event.cells for event in events if isinstance(event, Found)]
    assert [(cells.shape, int(cells.min()), int(cells.max())) for cells in found] == [
        ((2000, 2000), k, k) for k in range(3)
    ]
    _, last = ending("given", np.zeros(3_000_000, dtype=np.int64))
    assert isinstance(last, Finished)


def test_noise_on_stdout_goes_nowhere(capfd: pytest.CaptureFixture[str]) -> None:
    _, last = ending("chatters")
    assert isinstance(last, Finished)
    assert capfd.readouterr() == ("", "")


def test_the_child_has_no_open_files_but_its_own() -> None:
    _, last = ending("whoami")
    assert isinstance(last, Finished)
    assert str(last.reason).split()[2] == "5"  # stdin, stdout, stderr, its events, and the listing itself


def test_a_crash_leaves_no_file_of_its_memory() -> None:
    usual = _, hard = resource.getrlimit(resource.RLIMIT_CORE)
    if hard == 0:
        pytest.skip("there are no such files here")
    isolation.POOL.close()
    resource.setrlimit(resource.RLIMIT_CORE, (hard, hard))
    try:
        _, last = ending("core_limit")
    finally:
        resource.setrlimit(resource.RLIMIT_CORE, usual)
        isolation.POOL.close()
    assert isinstance(last, Finished)
    assert last.reason == "0"


def test_descendants_do_not_outlive_a_search_that_finished() -> None:
    for own_session in (False, True):
        _, last = ending("forks", own_session)
        assert isinstance(last, Finished)
        assert strays() == []


# Searches that end badly.


@pytest.mark.parametrize(
    ("name", "args", "verdict", "reason"),
    [
        ("segfault", (), CRASH, "killed by SIGSEGV"),
        ("abort", (), CRASH, "killed by SIGABRT; last words: [31m assertion failed"),
        ("exits", (0,), CRASH, "exit code 0 without a verdict"),
        ("exits", (3,), CRASH, "exit code 3 without a verdict"),
        ("kills_itself", (), CRASH, "killed by SIGKILL from outside"),
        ("kills_itself", (signal.SIGTERM,), CRASH, "killed by SIGTERM"),
        ("kills_itself", (40,), CRASH, "killed by signal 40"),
        ("alarmed", (), CRASH, "killed by SIGALRM"),
        ("just_stops", (), CRASH, "exit code 0 without a verdict"),
        ("forks", (True, "die"), CRASH, "exit code 0 without a verdict"),
        ("raises", (), CRASH, "ValueError: no such thing as MEMORY"),
        ("leaves", (), CRASH, "SystemExit: 0"),
        ("unpicklable", (), CRASH, "local object"),
        ("nothing", ("too many",), CRASH, "TypeError: nothing() takes 0 positional arguments"),
        ("raises_no_memory", (), MEMOUT, "MemoryError"),
        ("wraps_no_memory", (), MEMOUT, "SolverError: it broke"),
        ("says_bad_alloc", (), MEMOUT, "std::bad_alloc"),
    ],
)
def test_broken_searches(name: str, args: tuple[object, ...], verdict: Verdict, reason: str) -> None:
    last = stopped(name, *args)
    assert last.verdict is verdict
    assert reason in last.reason
    assert last.reason.isprintable()


@pytest.mark.parametrize(
    ("name", "args"),
    spread(
        [
            ("loops", ()),
            ("sleeps", ()),
            ("deaf", ()),
            ("alarms", ()),
            ("forks", (False, "hang")),
            ("forks", (True, "hang")),
            ("pigeons", ("glucose4",)),
            ("pigeons", ("cadical153",)),
            ("pigeons", ("lingeling",)),
            ("pigeons", ("kissat404",)),
        ],
        4,
    ),
)
def test_wall_limit_is_never_early_and_not_late(name: str, args: tuple[object, ...]) -> None:
    """Lateness is what the search works past its limit: CPU time, since others may take the machine."""

    def late_s() -> float:
        started = time.monotonic()
        last = stopped(name, *args, limits=Limits(wall_s=0.3))
        assert last.verdict is TIMEOUT
        assert last.reason == "wall-time limit of 0.3 s reached"
        assert time.monotonic() - started >= 0.3
        assert last.cpu_s is not None
        return last.cpu_s - 0.3

    if name == "loops":  # the start of a zygote is not on the run's clock
        isolation.POOL.close()
        late_s()
    in_time(late_s, times=10)  # a fifth of an empty run


@pytest.mark.parametrize(
    ("name", "args"),
    spread(
        [
            ("loops", ()),
            ("forks", (False, "loop")),
            ("forks", (True, "loop")),
            ("pigeons", ("glucose4",)),
            ("pigeons", ("cadical153",)),
            ("pigeons", ("lingeling",)),
            ("pigeons", ("kissat404",)),
        ],
        2,
    ),
)
def test_cpu_limit_is_never_early_and_not_late(name: str, args: tuple[object, ...]) -> None:
    def late_s() -> float:
        last = stopped(name, *args, limits=Limits(wall_s=600, cpu_s=0.3))
        assert (last.verdict, last.reason) == (Verdict.CPUOUT, "CPU-time limit of 0.3 s reached")
        assert last.cpu_s is not None
        if name == "forks":  # a process that nobody waited for takes its time with it
            return 0.0
        assert last.cpu_s >= 0.3
        return last.cpu_s - 0.3

    in_time(late_s, times=10)  # a fifth of an empty run


@pytest.mark.slow
@pytest.mark.parametrize("solver", spread(list(names()), 4))
def test_every_sat_solver_under_every_limit(solver: str) -> None:
    """By how much each limit is passed, and the other solvers: benchmarks/limits.py."""
    started = time.monotonic()
    assert stopped("pigeons", solver, limits=Limits(wall_s=0.3)).verdict is TIMEOUT
    assert time.monotonic() - started >= 0.3
    last = stopped("pigeons", solver, limits=Limits(cpu_s=0.3))
    assert last.verdict is Verdict.CPUOUT
    assert last.cpu_s is not None
    assert last.cpu_s >= 0.3
    last = stopped("hogs_clauses", solver, limits=Limits(wall_s=600, memory_mb=400))
    assert last.verdict is MEMOUT
    assert last.peak_memory_mb is not None
    assert last.peak_memory_mb < 400 + 150  # some 1 % on an idle machine


def test_a_search_that_sleeps_uses_no_cpu_time() -> None:
    last = stopped("sleeps", limits=Limits(wall_s=0.5, cpu_s=0.3))
    assert last.verdict is TIMEOUT
    assert last.cpu_s is not None
    assert last.cpu_s < 0.3


def test_a_watcher_sleeps_between_two_looks() -> None:
    zygote, _ = pids()
    clock = (~zygote << 3) | 2  # its CPU clock
    limits = Limits(wall_s=0.5, cpu_s=60, memory_mb=500)
    used = time.clock_gettime(clock)
    assert stopped("sleeps", limits=limits).verdict is TIMEOUT
    assert pids()[0] == zygote
    assert time.clock_gettime(clock) - used < 0.5 / 4  # a fiftieth of the time that it watched


@pytest.mark.parametrize(
    ("name", "args"),
    spread(
        [
            ("hogs", ()),
            ("leaps", ()),
            ("hogs_clauses", ("glucose4",)),
            ("hogs_clauses", ("cadical153",)),
            ("hogs_clauses", ("lingeling",)),
        ],
        2,
    ),
)
def test_memory_limit(name: str, args: tuple[object, ...]) -> None:
    last = stopped(name, *args, limits=Limits(wall_s=600, memory_mb=200))
    assert last.verdict is MEMOUT
    assert last.peak_memory_mb is not None
    assert last.peak_memory_mb < 200 + 150  # some 5 MiB on an idle machine


@pytest.mark.parametrize("own_session", [False, True])
def test_memory_of_all_that_a_search_starts_counts(own_session: bool) -> None:
    last = stopped("has_a_hog", own_session, limits=Limits(wall_s=600, memory_mb=200))
    assert last.verdict is MEMOUT
    assert last.peak_memory_mb is not None
    assert 200 < last.peak_memory_mb < 200 + 150


def test_the_peak_is_that_of_all_processes() -> None:
    _, last = ending("has_a_fat_child", 120)
    assert isinstance(last, Finished)
    assert last.statistics.peak_memory_mb is not None
    assert last.statistics.peak_memory_mb > 120


@pytest.mark.parametrize("how", ["fork", "vfork"])
def test_memory_that_processes_share_is_counted_once(how: str) -> None:
    _, last = ending("shares", how, 120, limits=Limits(wall_s=600, memory_mb=250))
    assert isinstance(last, Finished)


def test_temporary_files_go_with_their_run() -> None:
    for search, limited in (("litters", Limits(wall_s=0.3)), ("litters_and_dies", FREE)):
        events, last = ending(search, limits=limited)
        assert isinstance(last, Stopped)
        assert isinstance(events[0], Progress)
        folder = Path(events[0].stage)  # where it told that it wrote
        assert folder.name.startswith("nonosat-")
        assert not folder.exists()


def test_temporary_files_go_when_the_zygote_is_killed() -> None:
    events = isolated(hostile.litters, (), FREE)
    first = next(events)
    assert isinstance(first, Progress)
    assert Path(first.stage).exists()
    os.kill(isolation.POOL.busy[0].process.pid, signal.SIGKILL)
    list(events)
    assert not Path(first.stage).exists()


def test_what_was_found_before_the_limit_is_kept() -> None:
    events, last = ending("found_then_hangs", 3, limits=Limits(wall_s=0.3))
    assert [int(event.cells[0, 0]) for event in events if isinstance(event, Found)] == [0, 1, 2]
    assert isinstance(last, Stopped)
    assert last.verdict is TIMEOUT


@pytest.mark.slow
def test_a_gigabyte_of_stderr_neither_blocks_nor_is_kept() -> None:
    last = stopped("shouts", 1024, limits=Limits(wall_s=600, memory_mb=200))
    assert (last.verdict, last.reason) == (CRASH, "exit code 5 without a verdict; last words: the end")


def test_a_slow_consumer_does_not_delay_the_limit() -> None:
    events = isolated(hostile.found_endlessly, (1000,), Limits(wall_s=0.3))
    next(events)
    # the child dies, though unread frames are left
    assert settled(lambda: strays() == [zygote.process.pid for zygote in isolation.POOL.busy])
    *_, last = events
    assert isinstance(last, Stopped)
    assert last.verdict is TIMEOUT


def test_a_module_that_cannot_be_imported() -> None:
    *_, last = isolated(hostile.nothing, (), FREE, preload=("nonosat.solvers.no_such_module",))
    assert isinstance(last, Stopped)
    assert last.verdict is CRASH
    assert "ModuleNotFoundError: No module named 'nonosat.solvers.no_such_module'" in last.reason


# The verdict, from the evidence alone.


@pytest.mark.parametrize(
    ("evidence", "finished", "verdict"),
    [
        (Ending("time", -9, 50.0), False, TIMEOUT),
        (Ending("time", -9, 50.0), True, TIMEOUT),  # it finished past the limit
        (Ending("memory", -9, 120.0), False, MEMOUT),
        (Ending("cpu", -9, 50.0, cpu_s=10.0), False, Verdict.CPUOUT),
        (Ending("start", -9, 50.0), False, CRASH),
        (Ending("cancel", -9, 50.0), False, Verdict.INTERRUPTED),
        (Ending(None, 0, 50.0), True, None),
        (Ending(None, -9, 50.0), True, None),
        (Ending(None, -11, 99.0), True, None),
        (Ending(None, 0, 50.0, error="MemoryError", no_memory=True), False, MEMOUT),
        (Ending(None, 0, 50.0, error="RuntimeError: std::bad_alloc"), False, MEMOUT),
        (Ending(None, 0, 99.0, error="ValueError: bad"), False, CRASH),
        (Ending(None, 0, 50.0, "raise ValueError # out of memory", error="ValueError: bad"), False, CRASH),
        (Ending(None, 0, 95.0), False, MEMOUT),  # Lingeling
        (Ending(None, 127, 95.0), False, MEMOUT),  # CaDiCaL
        (Ending(None, -6, 95.0), False, MEMOUT),  # CaDiCaL, Kissat
        (Ending(None, -11, 95.0), False, MEMOUT),  # ergo
        (Ending(None, -9, 95.0), False, MEMOUT),  # the kernel's killer, most likely
        (Ending(None, -9, 50.0), False, CRASH),
        (Ending(None, -6, 50.0, "c kissat: fatal error: out of memory"), False, MEMOUT),
        (Ending(None, -6, 50.0, "Cannot allocate memory"), False, MEMOUT),
        (Ending(None, -6, 50.0, "assertion failed"), False, CRASH),
        (Ending(None, 0, 50.0), False, CRASH),
        (Ending(None, 3, None), False, CRASH),
        (Ending(error="ImportError: no"), False, CRASH),
    ],
)
def test_classification(evidence: Ending, finished: bool, verdict: Verdict | None) -> None:
    said = classify(evidence, Limits(10, 100, 10), finished)
    assert (said.verdict if said else None) is verdict
    assert said is None or said.raised == (evidence.killed_for == "start")  # nothing that a solver did
    if evidence.exit_code in (-11, -9, -6, 0, 127) and verdict is MEMOUT and evidence.peak_memory_mb == 95:
        without = classify(evidence, FREE, finished)
        assert without is not None
        assert without.verdict is CRASH  # near no limit


def test_reasons_are_one_short_printable_line() -> None:
    said = classify(Ending(None, -6, 1.0, "first\n\x07 bell \x1b[0m" + "x" * 9000 + "\n\n"), FREE, False)
    assert said is not None
    assert len(said.reason) < 300
    assert said.reason.isprintable()
    assert [len(shortened("x" * length)) for length in (199, 200, 201, 9000)] == [199, 200, 200, 200]


@pytest.mark.parametrize("bad", [0, -1, float("nan"), float("inf")])
def test_limits_are_positive_numbers(bad: float) -> None:
    for make in (lambda: Limits(wall_s=bad), lambda: Limits(memory_mb=bad), lambda: Limits(cpu_s=bad)):
        with pytest.raises(NonosatError, match="must be a positive number"):
            make()


# What cannot be isolated.


def test_only_functions_of_importable_modules(monkeypatch: pytest.MonkeyPatch) -> None:
    def local() -> Iterator[Event]:
        yield from ()

    for search, args in ((local, ()), (hostile.given, (threading.Lock(),))):
        with pytest.raises(UnsupportedError, match="another process"):
            isolated(search, args, FREE)
    monkeypatch.setattr(hostile.nothing, "__module__", "__main__")
    with pytest.raises(UnsupportedError, match="module that can be imported"):
        isolated(hostile.nothing, (), FREE)


def test_other_systems_are_refused_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    with pytest.raises(UnsupportedError, match="need Linux"):
        isolated(hostile.nothing, (), FREE)


# The pool.


def test_a_zygote_serves_run_after_run_and_sees_no_other() -> None:
    (first, one), (second, two) = pids(), pids()
    assert first == second
    assert one != two


@pytest.mark.slow
def test_a_dead_idle_zygote_is_replaced() -> None:
    zygote, _ = pids()
    os.kill(zygote, signal.SIGKILL)
    assert settled(lambda: b") Z " in Path(f"/proc/{zygote}/stat").read_bytes())
    assert pids()[0] != zygote


def test_a_dying_zygote_ends_its_child() -> None:
    events = isolated(hostile.sleeps, (), FREE)
    next(events)
    os.kill(isolation.POOL.busy[0].process.pid, signal.SIGKILL)
    (last,) = events
    assert last == Stopped(CRASH, "the solver's watcher died (killed by SIGKILL from outside)")
    assert pids()


@pytest.mark.slow
def test_a_generator_that_is_closed_kills_the_child_and_frees_the_zygote() -> None:
    zygote, _ = pids()
    for search, args in ((hostile.pigeons, ("cadical153",)), (hostile.found_endlessly, (1000,)), (hostile.loops, ())):

        def late_s(search: Callable[..., Iterator[Event]] = search, args: tuple[object, ...] = args) -> float:
            events = isolated(search, args, FREE)
            next(filter(said, events))
            before = time.process_time()
            events.close()
            assert strays() == []
            return time.process_time() - before  # no busy waiting

        in_time(late_s, times=10)
    assert [z.process.pid for z in isolation.POOL.idle].count(zygote) <= 1


def test_a_loop_that_is_left_kills_the_child() -> None:
    for _ in isolated(hostile.found_then_hangs, (3,), FREE):
        break
    assert settled(lambda: not strays())


@pytest.mark.slow
def test_threads_have_a_zygote_each() -> None:
    met = threading.Barrier(4, timeout=120)

    def each(_: int) -> int:
        events = isolated(hostile.sleeps, (), FREE)
        next(filter(said, events))
        met.wait()  # four searches are at work at once, or nobody comes further
        busy = len({zygote.process.pid for zygote in isolation.POOL.busy})
        met.wait()
        events.close()
        return busy

    with ThreadPoolExecutor(4) as threads:
        assert list(threads.map(each, range(8))) == [4] * 8


@pytest.mark.slow
def test_the_thread_that_started_a_zygote_may_end_before_it() -> None:
    isolation.POOL.close()
    with ThreadPoolExecutor(1) as one:
        events = one.submit(lambda: isolated(hostile.pictures, (2,), FREE)).result()
        first = one.submit(next, filter(said, events)).result()
    assert [type(event) for event in (first, *events)] == [Progress, Found, Found, Finished]


@pytest.mark.slow
def test_a_fork_of_the_parent_uses_zygotes_of_its_own() -> None:
    zygote, _ = pids()
    events = isolated(hostile.pictures, (2,), FREE)
    next(events)
    ours, theirs = os.pipe()
    if (pid := os.fork()) == 0:
        with contextlib.suppress(BaseException):
            events.close()
            os.write(theirs, str(pids()[0]).encode())
            isolation.POOL.close()
        os._exit(0)
    os.close(theirs)
    answer = os.read(ours, 100)
    os.close(ours)
    os.waitpid(pid, 0)
    assert int(answer) not in (0, zygote)
    assert [type(event) for event in events] == [Found, Found, Finished]
    assert zygote in [z.process.pid for z in isolation.POOL.idle]


def test_jobs_see_the_path_and_directory_of_their_owner(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pids()
    (tmp_path / "late_module.py").write_text("from hostile import nothing\ndef search(): yield from nothing()\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.chdir(tmp_path)
    import late_module

    *_, last = isolated(late_module.search, (), FREE)
    assert isinstance(last, Finished)


# Interrupts.

SCRIPT = """
    import signal, sys
    sys.path[:] = {path!r}
    import hostile
    from nonosat.runs.events import Loading
    from nonosat.runs.limits import Limits
    from nonosat.runs.isolation import isolated

    for event in isolated(getattr(hostile, sys.argv[1]), tuple(sys.argv[2:]), Limits(wall_s=600)):
        if not isinstance(event, Loading):  # what is being loaded is loaded to its end
            print("working", flush=True)
"""


@pytest.mark.parametrize(
    ("search", "number"),
    spread([("pigeons cadical153", signal.SIGINT), ("forks", signal.SIGINT), ("loops", signal.SIGKILL)], 1),
)
def test_an_interrupt_ends_all(search: str, number: int) -> None:
    script = textwrap.dedent(SCRIPT).format(path=sys.path)
    name, *args = search.split()
    args = ["1", "hang"] if name == "forks" else args
    with started([sys.executable, "-c", script, name, *args]) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "working\n"
        time.sleep(0.1)
        process.send_signal(number)
        process.wait(120)
        assert settled(lambda: not strays())
        if number == signal.SIGINT:
            assert process.stderr is not None
            assert process.stderr.read().rstrip().endswith("KeyboardInterrupt")
    assert process.returncode == -number


def test_evidence_can_travel() -> None:
    assert pickle.loads(pickle.dumps(Ending("time", -9))) == Ending("time", -9)


def test_a_solver_that_may_end_its_process_gets_one_of_its_own() -> None:
    entry = solver("cpsat")
    assert entry.aborts
    assert limits_of(solver("minisat22"), None, None) is None
    *_, last = run(hostile.abort, (), limits_of(entry, None, None))
    assert isinstance(last, Stopped)
    assert last.verdict is CRASH
    assert "SIGABRT" in last.reason
    mine = os.getpid()
    *_, last = run(hostile.whoami, (), limits_of(entry, None, None))
    assert isinstance(last, Finished)
    assert str(mine) not in str(last.reason).split()[:2]


def test_interrupts_may_end_the_process_within_a_context_alone() -> None:
    assert not fatal()
    with fatal_interrupts():
        assert fatal()
        with ThreadPoolExecutor(1) as other:
            assert not other.submit(fatal).result()
    assert not fatal()


def test_processes_that_use_just_the_limit_together_are_within_it(monkeypatch: pytest.MonkeyPatch) -> None:
    looks: list[int] = []

    def family() -> dict[int, int]:
        looks.append(1)
        return {1: 60, 2: 40}

    monkeypatch.setattr(limits, "family", family)
    monkeypatch.setattr(limits, "proportional", lambda pid: None)
    assert (limits.memory_in_use(100), len(looks)) == (100, 1)
    assert (limits.memory_in_use(99), len(looks)) == (100, 1 + limits.LOOKS_TO_KILL)


def test_a_watch_notices_that_its_owner_is_gone() -> None:
    ours, theirs = socket.socketpair()
    theirs.close()
    watch = RunMonitor.__new__(RunMonitor)
    watch.control, watch.out, watch.err, watch.outbox = ours, -1, -1, bytearray()
    with ours, pytest.raises(EOFError):
        watch.turn({ours.fileno()})


def test_an_interrupt_while_a_sat_solver_is_freed_frees_it_once() -> None:
    """python-sat notes that memory is freed after it has freed it, and frees it again if it could not note that."""
    script = """
        import signal
        import numpy as np
        import pysolvers
        from nonosat.encodings.cnf import CNF
        from nonosat.solvers.sat.session import Session

        free = pysolvers.minisat22_del

        def interrupted(pointer):
            free(pointer)
            signal.raise_signal(signal.SIGINT)

        pysolvers.minisat22_del = interrupted
        session = Session("minisat22", CNF(100, np.arange(1, 101, dtype=np.int32), np.arange(1, 101)))
        try:
            session.close()
        except KeyboardInterrupt:
            pysolvers.minisat22_del = free
            del session
            print("interrupted")
    """
    with started([sys.executable, "-c", textwrap.dedent(script)]) as process:
        told, complaint = process.communicate(timeout=120)
    assert (process.returncode, told, complaint) == (0, "interrupted\n", "")


def test_an_interrupt_while_a_sat_solver_propagates_leaves_it_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    def torn(*_: object) -> None:
        raise pysolvers.error("Caught keyboard interrupt")

    session = Session("minisat22", CNF(1, np.array([1], dtype=np.int32), np.array([1])))
    monkeypatch.setattr(pysolvers, "minisat22_propagate", torn)
    with pytest.raises(KeyboardInterrupt):
        session.prefer_false([1])
    assert session.solver is None


def test_a_clock_begins_at_the_time_in_the_message() -> None:
    watch = RunMonitor.__new__(RunMonitor)
    watch.job = Job(10.0, 3.0, None, (), [], None, b"")
    watch.inbox, watch.outbox, watch.dying, watch.ready = bytearray(), bytearray(), False, False
    said = time.monotonic() - 5.0
    watch.take_frames(frame(READY, MOMENT.pack(said, 0.25) + b"event"))
    assert (watch.ready, watch.began, watch.deadline, watch.cpu) == (True, said, said + 10.0, 3.25)
    assert bytes(watch.outbox) == frame(READY, b"event")
