"""Kill a study with SIGKILL again and again, and count what is lost: ``python benchmarks/kill_study.py [KILLS]``.

A study of some 3,000 runs is started, killed at a random moment, and started again, until it is done and has been
killed as often as was asked (50). Then: every run that was acknowledged is stored, each once; all runs are there; the
store is in order; and no process outlives its study. A watcher that loads code when its study dies ends when it has
loaded it, which takes as long as the machine takes: the longest time is printed.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from nonosat.studies.checking import check
from nonosat.studies.plan import groups
from nonosat.studies.store import StoreReader
from nonosat.studies.study import read

KILLS = 50
PATIENCE_S = 60.0  # for what the study started to end by itself
MARK = "NONOSAT_KILL_STUDY"
STUDY = """
name = "killed"
encodings = ["tight+r3", "2/3", "2/4", "automaton+order"]
solvers = ["minisat22", "glucose4", "cadical195"]
repetitions = 3
[limits]
time_limit_s = 20
[[puzzles]]
generator = "density"
sizes = [8, 12]
densities = [0.3, 0.5]
count = 21
"""
CHILD = """
import os, sys
from nonosat.studies.session import conduct
from nonosat.studies.study import read
def stored(keys):
    os.write(1, "".join(key + "\\n" for key in keys).encode())
conduct(read(sys.argv[1]), sys.argv[2], jobs=2, on_stored=stored)
"""


def start(study: Path, store: Path) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-c", CHILD, str(study), str(store)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, env={**os.environ, MARK: str(os.getpid())})


def strays() -> list[str]:
    """Processes that were started under the study and are still there."""
    mark, found = f"{MARK}={os.getpid()}".encode(), []
    for path in Path("/proc").glob("[0-9]*"):
        try:
            if mark in (path / "environ").read_bytes().split(b"\0"):
                found.append((path / "cmdline").read_bytes().replace(b"\0", b" ").decode()[:100])
        except OSError:
            continue
    return found


def outlived() -> tuple[list[str], float]:
    """What is still there after ``PATIENCE_S``, and the seconds that it took the others to end."""
    begin = time.monotonic()
    while (left := strays()) and time.monotonic() < begin + PATIENCE_S:
        time.sleep(0.05)
    return left, time.monotonic() - begin


class Told(NamedTuple):
    """What came of it. ``lost``: acknowledged runs that are not stored; ``whole``: all runs are there, each once."""

    kills: int
    runs: int
    lost: int
    twice: int
    broken: int
    orphans: int
    longest_end_s: float
    whole: bool

    @property
    def good(self) -> bool:
        """Nothing lost, nothing twice, nothing left behind."""
        return self.whole and not (self.lost or self.twice or self.broken or self.orphans)


def killed_again_and_again(folder: Path, text: str, kills: int, longest_s: float = 4.0) -> Told:
    """Run the study in ``text`` to its end, killed ``kills`` times before.

    Every other kill waits for some runs to be stored, the others for ``longest_s`` at most.
    """
    lots, acknowledged, orphans, broken, longest_end_s = random.Random(0), [], 0, 0, 0.0
    study, store = folder / "killed.toml", folder / "killed.sqlite"
    study.write_text(text)
    total, killed = check(read(str(study))).runs, 0
    while True:
        process = start(study, store)
        assert process.stdout is not None
        if killed < kills:
            if killed % 2:  # among the runs, however slow the machine is
                for _ in range(lots.randrange(1, 2 + total // kills)):
                    acknowledged += process.stdout.readline().decode().split()
                time.sleep(lots.uniform(0.0, 0.1))
            else:  # perhaps before the store is there
                time.sleep(lots.uniform(0.3, longest_s))
            process.send_signal(signal.SIGKILL)
            killed += 1
        acknowledged += process.stdout.read().decode().split("\n")[:-1]
        process.stdout.close()
        code = process.wait()
        left, took_s = outlived()
        orphans += len(left)
        longest_end_s = max(longest_end_s, took_s)
        for command in left:
            print("left behind:", command)
        if store.exists() and store.stat().st_size:  # it may have been killed before it made the tables
            with StoreReader(store) as reader:
                broken += reader.connection.execute("PRAGMA integrity_check").fetchone() != ("ok",)
                done, missing = reader.finished_keys(), set(acknowledged)
                missing -= set(reader.outcomes())
            print(
                f"kill {killed}: {len(done):,} of {total:,} stored, {len(missing)} acknowledged ones lost", flush=True
            )
            if len(done) == total and killed >= kills:
                break
        if code == 0 and killed < kills:
            print(f"done after {killed} kills; the store is removed, and it goes on")
            store.unlink()
            acknowledged = []
    with StoreReader(store) as reader:
        keys = [str(record["key"]) for record in reader.records()]
    expected = {run.key for group in groups(read(str(study))) for run in group.runs}
    twice = len(acknowledged) - len(set(acknowledged)) + len(keys) - len(set(keys))
    whole = set(keys) == expected and len(keys) == total
    return Told(killed, total, len(missing), twice, broken, orphans, longest_end_s, whole)


def main() -> int:
    begin = time.monotonic()
    kills = int(sys.argv[1]) if len(sys.argv) > 1 else KILLS
    told = killed_again_and_again(Path(tempfile.mkdtemp(prefix="kill-study-")), STUDY, kills)
    print(
        f"{told.kills} kills over {told.runs:,} runs in {time.monotonic() - begin:.0f} s: "
        f"{told.lost} acknowledged runs lost, {told.twice} keys stored or acknowledged twice, "
        f"{told.broken} broken stores, {told.orphans} processes left "
        f"(the last ended {told.longest_end_s:.1f} s after its study); "
        f"complete: {told.whole}"
    )
    return 0 if told.good else 1


if __name__ == "__main__":
    sys.exit(main())
