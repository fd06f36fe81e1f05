"""What a dependency costs and what goes without it: MiB of its files, seconds to import it (docs/how-to/install.md).

    python benchmarks/install_size.py [ENVIRONMENT/bin/python]

Sizes are those of each distribution's files, and with all that only it brings, in an environment into which the wheel
was installed. Seconds are CPU time of `import`, in a process of its own, the least of five.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

IMPORTS = {
    "numba": "numba", "pyarrow": "pyarrow", "pandas": "pandas", "ortools": "ortools.sat.python.cp_model",
    "matplotlib": "matplotlib.figure", "numpy": "numpy", "pillow": "PIL.Image", "rich": "rich.progress",
    "starlette": "starlette.applications", "uvicorn": "uvicorn", "python-sat": "pysat.solvers", "click": "click",
    "dratify": "dratify", "distributed": "distributed", "anywidget": "anywidget", "zstandard": "zstandard",
    "pyganak": "pyganak", "pyapproxmc": "pyapproxmc",
}  # fmt: skip
LOOK = """
import importlib.metadata as m, json
from pathlib import Path
print(json.dumps({
    d.metadata["Name"].lower().replace("_", "-"): [
        sum(p.stat().st_size for f in d.files or [] if (p := Path(d.locate_file(f))).is_file()),
        [r for r in d.requires or []],
    ] for d in m.distributions()
}))
"""
CLOCK = "import time; begin = time.process_time(); import {}; print(time.process_time() - begin)"


def told(python: str, code: str) -> str:
    """What a program prints."""
    return subprocess.run([python, "-c", code], capture_output=True, text=True, check=True).stdout


def needs(name: str, there: dict[str, list[object]], found: set[str] | None = None) -> set[str]:
    """A distribution with all that it needs; extras and other systems' left out."""
    found = set() if found is None else found
    if name in there and name not in found:
        found.add(name)
        for text in there[name][1]:  # type: ignore[attr-defined]
            if "extra ==" not in text:
                needs(re.split(r"[^\w.-]", text)[0].lower().replace("_", "-"), there, found)
    return found


def main(python: str) -> None:
    """A row each, the largest first."""
    there = json.loads(told(python, LOOK))
    wholes = {name: needs(name, there) for name in IMPORTS if name in there}
    print("| package | MiB | MiB with what only it brings | import, s |\n|---|---|---|---|")
    for name in sorted(wholes, key=lambda name: -there[name][0]):
        others = set().union(*(whole for other, whole in wholes.items() if name not in whole), {"numpy"} - {name})
        own = sum(there[each][0] for each in wholes[name] - others)
        seconds = min(float(told(python, CLOCK.format(IMPORTS[name]))) for _ in range(5))
        print(f"| {name} | {there[name][0] / 2**20:.1f} | {own / 2**20:.1f} | {seconds:.2f} |")
    print(f"\nall: {sum(size for size, _ in there.values()) / 2**20:.0f} MiB in {Path(python)}")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else sys.executable)
