"""Kill a study with SIGKILL again and again, and count what is lost: ``python benchmarks/kill_study.py [KILLS]``.

A study of some 3,000 runs is started, killed at a random moment, and started again, until it is done and has been
killed as often as was asked (50). Then: every run that was acknowledged is stored, each once; all runs are there; the
store is in order; and a second after each kill no process is left.
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

from nonosat.experiments.checking import check
from nonosat.experiments.reading import read
from nonosat.experiments.store import Reader

KILLS = 50
MARK = "NONOSAT_KILL_STUDY"
STUDY = """
name = "killed"
encodings = ["tight+r3", "2/3", "2/4", "automaton+order"]
solvers = ["minisat22", "glucose4", "cadical195"]
repetitions = 3
[limits]
wall_s = 20
[[puzzles]]
generator = "density"
sizes = [8, 12]
densities = [0.3, 0.5]
count = 21
"""
CHILD = """
import os, sys
from nonosat.experiments.conduct import conduct
from nonosat.experiments.reading import read
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


def main() -> int:
    kills = int(sys.argv[1]) if len(sys.argv) > 1 else KILLS
    lots, acknowledged, orphans, broken = random.Random(0), [], 0, 0
    folder = Path(tempfile.mkdtemp(prefix="kill-study-"))
    study, store = folder / "killed.toml", folder / "killed.sqlite"
    study.write_text(STUDY)
    total, killed, begin = check(read(str(study))).runs, 0, time.monotonic()
    while True:
        process = start(study, store)
        assert process.stdout is not None
        if killed < kills:
            time.sleep(lots.uniform(0.3, 4.0))  # from before the store is there to well into the runs
            process.send_signal(signal.SIGKILL)
            killed += 1
        acknowledged += process.stdout.read().decode().split("\n")[:-1]
        code = process.wait()
        time.sleep(1.0)
        orphans += len(left := strays())
        for command in left:
            print("left behind:", command)
        if store.exists():
            with Reader(store) as reader:
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
    with Reader(store) as reader:
        records = list(reader.records())
    twice = len(acknowledged) - len(set(acknowledged))
    expected = {run.key for group in groups_of(study) for run in group.runs}
    good = {str(r["key"]) for r in records} == expected and len(records) == total
    print(
        f"{killed} kills over {total:,} runs in {time.monotonic() - begin:.0f} s: "
        f"{len(missing)} acknowledged runs lost, "
        f"{len(records) - len({r['key'] for r in records})} keys twice, {twice} acknowledged twice, "
        f"{broken} broken stores, {orphans} processes left a second later; complete: {good}"
    )
    return 0 if good and not (missing or broken or orphans or twice) else 1


def groups_of(study: Path):  # type: ignore[no-untyped-def]
    from nonosat.experiments.study import groups

    return groups(read(str(study)))


if __name__ == "__main__":
    sys.exit(main())
