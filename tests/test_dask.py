"""A study on a Dask cluster of processes of this machine: the same records as here, whatever happens to workers."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from children import interruptible
from strays import settled

from nonosat.errors import NonosatError, UnsupportedError
from nonosat.studies import cluster
from nonosat.studies.export import merge
from nonosat.studies.plan import Study
from nonosat.studies.provenance import versions
from nonosat.studies.session import Shard, StudyProgress, conduct, planned
from nonosat.studies.store import StoreReader
from nonosat.studies.study import parse

pytestmark = pytest.mark.timeout(600)

STUDY = """
name = "clustered"
encodings = ["tight+r3", "2/4"]
solvers = ["minisat22", "glucose4", "rowsearch"]
[limits]
time_limit_s = 60
[[puzzles]]
generator = "density"
sizes = [8]
densities = [0.3, 0.5]
count = 10
"""
SLOW = """
name = "slow"
encodings = ["tight+r3"]
solvers = ["lingeling"]
[limits]
time_limit_s = 12
[[puzzles]]
generator = "density"
sizes = [60]
densities = [0.4]
count = 2
"""
TTL_S = 4
"""A scheduler gives a worker up that it has not heard of for so long. On a busy machine all may be late: then nobody is
left to run anything, and a study waits for others."""
SAME = ("outcome", "solutions", "picture", "cnf", "decisions", "conflicts", "instance", "encoding", "solver")


def study(text: str) -> Study:
    return parse(text, Path("study.toml"))


class Cluster:
    """A scheduler and its workers, each a process; a worker that is not heard of for ``ttl_s`` is given up."""

    def __init__(self, folder: Path, ttl_s: int) -> None:
        self.folder = folder
        self.environment = os.environ | {"DASK_DISTRIBUTED__SCHEDULER__WORKER_TTL": f"{ttl_s}s"}
        self.processes = [self.start("dask_scheduler", "--port", "0", "--host", "127.0.0.1")]
        about = folder / "scheduler.json"
        assert settled(lambda: about.exists() and about.read_text().endswith("}"))  # there before it is written
        self.address = json.loads(about.read_text())["address"]

    def start(self, what: str, *arguments: str) -> subprocess.Popen[bytes]:
        file = ("--scheduler-file", str(self.folder / "scheduler.json"), "--no-dashboard")
        command = [sys.executable, "-m", f"distributed.cli.{what}", *file, *arguments]
        return subprocess.Popen(command, env=self.environment, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)

    def worker(self) -> subprocess.Popen[bytes]:
        worker = self.start("dask_worker", "--nthreads", "1", "--no-nanny", "--host", "127.0.0.1")
        self.processes.append(worker)
        return worker

    def close(self) -> None:
        for process in self.processes:
            process.kill()
            process.wait()


@pytest.fixture
def dask(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Cluster]:
    pytest.importorskip("distributed")
    started = Cluster(tmp_path, getattr(request, "param", 300))
    yield started
    started.close()
    assert settled(lambda: not helpers(tmp_path))


def helpers(folder: Path) -> list[int]:
    """Helper processes that were started by workers in ``folder``'s cluster."""
    found = []
    for path in Path("/proc").glob("[0-9]*"):
        try:
            command, parent = (path / "cmdline").read_bytes(), (path / "stat").read_text().rsplit(")", 1)[1].split()[1]
            above = Path(f"/proc/{parent}/cmdline").read_bytes()
        except OSError:
            continue
        if b"nonosat.studies.batch" in command and (str(folder).encode() in above or parent == "1"):
            found.append(int(path.name))
    return found


def results(path: Path) -> dict[str, tuple[object, ...]]:
    with StoreReader(path) as reader:
        return {str(r["key"]): tuple(r[name] for name in SAME) for r in reader.records()}


@pytest.mark.slow
@pytest.mark.parametrize("runs", [300, pytest.param(1_000, marks=pytest.mark.nightly)])
def test_many_runs_here_on_a_cluster_and_in_shards(dask: Cluster, tmp_path: Path, runs: int) -> None:
    """The same verdicts, decisions and pictures, no gap and nothing twice, though a worker is killed."""
    many = study(STUDY.replace("count = 10", f"count = {runs // 10}"))
    victim, _ = dask.worker(), dask.worker()

    def kill(progress: StudyProgress) -> None:
        if progress.done == runs // 5:
            victim.kill()

    far = conduct(many, tmp_path / "far.sqlite", scheduler=dask.address, on_progress=kill)
    assert (far.total, far.done, far.left, far.interrupted) == (runs, runs, 0, False)
    assert victim.wait(120) != 0
    here = conduct(many, tmp_path / "here.sqlite", jobs=2)
    assert here.done == runs
    parts = [conduct(many, tmp_path / f"{i}.sqlite", jobs=2, shard=Shard(i, 3)) for i in (1, 2, 3)]
    assert sum(part.done for part in parts) == runs
    assert min(part.done for part in parts) > runs // 5
    merged = merge([tmp_path / f"{i}.sqlite" for i in (1, 2, 3)], tmp_path / "merged.sqlite")
    assert (merged.records, merged.same, merged.conflicts) == (runs, 0, ())
    keys = {run.key for group in planned(many, None) for run in group.runs}
    assert results(tmp_path / "here.sqlite").keys() == keys
    assert results(tmp_path / "far.sqlite") == results(tmp_path / "here.sqlite") == results(tmp_path / "merged.sqlite")
    with StoreReader(tmp_path / "far.sqlite") as reader:
        assert {r["provenance"] for r in reader.records()} <= set(reader.provenances())
        assert {(r["slot"], r["slots"]) for r in reader.records()} == {(0, 1)}
    assert conduct(many, tmp_path / "far.sqlite", scheduler=dask.address).done == 0


@pytest.mark.slow
@pytest.mark.parametrize("dask", [TTL_S], indirect=True)
def test_a_run_that_is_longer_than_dask_waits_for_a_worker_is_run_once(dask: Cluster, tmp_path: Path) -> None:
    dask.worker(), dask.worker()
    done = conduct(study(SLOW), tmp_path / "s.sqlite", scheduler=dask.address)
    assert done.outcomes == {"TIMEOUT": 2}
    with StoreReader(tmp_path / "s.sqlite") as reader:
        walls = [float(r["wall_s"] or 0) for r in reader.records()]
    assert min(walls) > 2 * TTL_S
    assert done.elapsed_s < 3 * max(walls)


@pytest.mark.slow
def test_stopping_ends_the_runs_of_the_workers(dask: Cluster, tmp_path: Path) -> None:
    dask.worker()

    stopped = threading.Event()

    def ctrl_c() -> None:
        settled(lambda: bool(helpers(tmp_path)))
        while not stopped.is_set():  # inside of Dask one may get lost; then people press it again
            os.kill(os.getpid(), signal.SIGINT)
            stopped.wait(15)

    stopper = threading.Timer(3, ctrl_c)
    stopper.start()
    with interruptible():
        done = conduct(
            study(SLOW.replace("time_limit_s = 12", "time_limit_s = 300")),
            tmp_path / "s.sqlite",
            scheduler=dask.address,
        )
        stopped.set()
    stopper.join()
    assert (done.interrupted, done.done) == (True, 0)
    assert settled(lambda: not helpers(tmp_path))


@pytest.mark.slow
def test_no_scheduler_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("distributed")
    monkeypatch.setattr(cluster, "CONNECT_S", 0.5)
    with pytest.raises(NonosatError, match=r"tcp://127\.0\.0\.1:9: no Dask scheduler answers"):
        conduct(study(STUDY), tmp_path / "s.sqlite", scheduler="tcp://127.0.0.1:9")


def test_without_dask(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(UnsupportedError, match=r"nonosat\[dask\]"):
        conduct(study(STUDY), tmp_path / "s.sqlite", scheduler="tcp://127.0.0.1:9")


def test_a_worker_with_other_versions_is_refused() -> None:
    coordinator = cluster.Coordinator(None, str, iter(()), study(STUDY).settings, print, threading.Event())
    here = {"versions": versions(), "plugins": []}
    coordinator.checked(here)
    with pytest.raises(NonosatError, match=r"a worker of the cluster has python-sat 0\.1, here it is "):
        coordinator.checked({**here, "versions": versions() | {"python-sat": "0.1"}})


def test_a_helper_ends_with_its_input(tmp_path: Path) -> None:
    helper = cluster.HelperProcess(0)
    groups = [{"instance": vars_of("density/60x60/0.4/1"), "encoding": "tight+r3", "runs": [RUN]}]
    helper.tell({"groups": groups, "settings": SETTINGS, "solvers": [], "plugins": []})
    assert helper.process.stdout is not None
    assert "provenance" in json.loads(helper.process.stdout.readline())
    assert helper.process.stdin is not None
    helper.process.stdin.close()
    helper.process.wait(120)
    helper.process.stdout.close()


RUN = {"key": "k", "solver": "lingeling", "repetition": 0}
SETTINGS = {"study": "s", "limits": {"wall_s": 300.0, "cpu_s": None, "memory_mb": None}, "count": 1}


def vars_of(name: str) -> dict[str, object]:
    return {"name": name, "generator": "density", "values": ["60x60", "0.4"], "seed": 1}
