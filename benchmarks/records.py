"""What many records cost: ``python benchmarks/records.py [RUNS]`` (100,000), in CPU and wall seconds.

A study of RUNS runs is made up and stored. Then, in a fresh process each: it is resumed (all keys are there, and
nothing is left to run), its records are loaded, drawn in a figure, and the whole report is written.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from nonosat.studies.provenance import machine, provenance
from nonosat.studies.records import complete
from nonosat.studies.session import planned
from nonosat.studies.store import Store
from nonosat.studies.study import read

RUNS = 100_000
SIZES, DENSITIES = (20, 30, 40, 50), (0.1, 0.2, 0.3, 0.4, 0.5)
ENCODINGS = [f"{domain}/{rules}" for domain in ("2", "2alt") for rules in ("3", "4", "5", "6", "3+4", "5+6")]
SOLVERS = ("minisat22", "glucose4", "lingeling")
STUDY = """
name = "many"
encodings = {encodings}
solvers = {solvers}
limits.time_limit_s = 300
[[puzzles]]
generator = "density"
sizes = {sizes}
densities = {densities}
count = {count}
"""
STAGES = {
    "resume": "from nonosat.studies.session import conduct\nfrom nonosat.studies.study import read\n"
    "assert conduct(read(study), store).left == 0",
    "load": "from nonosat.studies.analysis.frames import load\nassert len(load(store)) > 0",
    "a figure of all": "from nonosat.studies.analysis.frames import load\n"
    "from nonosat.studies.analysis import plots, style as rendering\n"
    "rendering.save(plots.cactus(load(store), 'configuration', None), folder + '/cactus', ['png'])",
    "report": "from nonosat.cli.study import command\n"
    "command(['report', store, '-o', folder + '/report'], standalone_mode=False)",
}
CHILD = """
import json, resource, sys, time
begin = time.perf_counter()
study, store, folder = sys.argv[1:]
{code}
both = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
cpu_s = sum(used.ru_utime + used.ru_stime for used in both)
print(json.dumps([time.perf_counter() - begin, cpu_s, both[0].ru_maxrss / 1024]))
"""


def made_up(study_path: Path, store_path: Path) -> int:
    """A store with a record for every run of the study."""
    study = read(study_path)
    number = 0
    with Store(store_path, study.name, study.text) as store:
        origin = store.provenance(provenance(SOLVERS))
        for group in planned(study, None):
            size, density = group.instance.values
            height, width = map(int, size.split("x"))
            for run in group.runs:
                number += 1
                seconds = 0.001 * (1 + number * 7919 % 1000) * (height / 20) ** 3
                over = seconds > 10
                told = {"solutions": int(not over), "decisions": None if over else number % 5000}
                record = {
                    "key": run.key, "study": study.name, "instance": group.instance.name, "source": "density",
                    "rows": height, "columns": width, "colours": 1, "density": float(density),
                    "seed": group.instance.seed, "encoding": group.written, "solver": run.solver.name, "family": "SAT",
                    "sound": True, "count": 1, "repetition": 0, "time_limit_s": 300.0, "provenance": origin,
                    "outcome": "TIMEOUT" if over else "SAT", "solve_s": seconds, "wall_s": seconds, "slot": 0,
                    "slots": 1, **told,
                }  # fmt: skip
                store.add(complete(record))
    return number


def main() -> None:
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else RUNS
    count = -(-runs // (len(SIZES) * len(DENSITIES) * len(ENCODINGS) * len(SOLVERS)))
    with tempfile.TemporaryDirectory() as name:
        study, store = Path(name, "many.toml"), Path(name, "many.sqlite")
        lists = {"encodings": ENCODINGS, "solvers": list(SOLVERS), "sizes": list(SIZES), "densities": list(DENSITIES)}
        study.write_text(STUDY.format(count=count, **{key: json.dumps(value) for key, value in lists.items()}))
        begin = time.perf_counter()
        many = made_up(study, store)
        print(machine())
        seconds, size_mb = time.perf_counter() - begin, store.stat().st_size / 2**20
        print(f"{many:,} records stored in {seconds:.1f} s ({size_mb:.0f} MiB)")
        for stage, code in STAGES.items():
            child = [sys.executable, "-c", CHILD.format(code=code), str(study), str(store), name]
            done = subprocess.run(child, check=True, capture_output=True, text=True)
            wall_s, cpu_s, peak_mb = json.loads(done.stdout)
            print(f"{stage:<16} {wall_s:6.2f} s wall {cpu_s:6.2f} s CPU {peak_mb:6.0f} MiB", flush=True)


if __name__ == "__main__":
    main()
