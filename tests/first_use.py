"""Does what a tutorial says, and no more: from an empty folder and a new environment to what the page promises.

    python tests/first_use.py WHEELS PYTHON [PAGE...]

WHEELS: a folder with nonosat's wheel, which `pip install nonosat` finds; all else is PyPI's. Prints the seconds
of each line, and ends with 1 if a line ends otherwise than the page says, or the page took more than ten minutes.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from pages import Block, blocks, exit_code, saved

TUTORIALS = ("docs/tutorial/first-study.md", "docs/tutorial/first-booklet.md")
PROMISED = {
    "docs/tutorial/first-study.md": ("solved.svg", "my-study-report/index.html", "proof/*.pbp", "records.csv"),
    "docs/tutorial/first-booklet.md": ("mended.json", "steps.txt", "booklet.pdf"),
}
MOST_S = 600


def lines(page: str) -> list[tuple[str, int]]:
    """What a reader types, with the exit code that is to come of it; Python goes to Python's standard input."""
    return [each for block in blocks(page) for each in _typed(block)]


def _typed(block: Block) -> list[tuple[str, int]]:
    if block.language == "sh":
        return [(line, exit_code(line)) for line in block.code.splitlines()]
    if block.language == "python":
        return [(f"python - <<'END'\n{block.code}END", 0)]
    return []


def follow(page: str, folder: Path, wheels: Path, python: Path) -> tuple[list[str], float]:
    """What went wrong, and the seconds of it all. One shell runs the page; ``python3`` is ``python`` there."""
    (folder / "bin").mkdir()
    (folder / "bin" / "python3").symlink_to(python)
    for name, text in saved(page).items():
        (folder / name).write_text(text)
    environment = {
        name: os.environ[name] for name in os.environ if not name.startswith(("PYTHON", "VIRTUAL", "NONOSAT"))
    }
    environment |= {"PATH": f"{folder / 'bin'}:{os.environ['PATH']}", "PIP_FIND_LINKS": str(wheels.resolve())}
    script = "\n".join(f"{line}\nsays $? {code} {index}" for index, (line, code) in enumerate(lines(page)))
    says = 'says() { echo "line $3 $EPOCHREALTIME $1 $2" >> said; [ $1 = $2 ] || exit 1; }\n'
    begun = time.time()
    done = subprocess.run(["bash", "-c", says + script], cwd=folder, env=environment, capture_output=True, text=True)
    spent, before, faults = time.time() - begun, begun, []
    for told in (folder / "said").read_text().splitlines():
        _, index, at, code, wanted = told.split()
        line = lines(page)[int(index)][0]
        print(f"{float(at) - before:7.1f} s  {line.splitlines()[0]}")
        before = float(at)
        if code != wanted:
            faults.append(f"{line}: exit code {code}, not {wanted}: {done.stderr[-2000:]}")
    faults += [f"{name}: not there" for name in PROMISED[page] if not list(folder.glob(name))]
    return faults, spent


def main(wheels: str, python: str, *pages: str) -> int:
    """All pages, each in a folder of its own."""
    failed = 0
    for page in pages or TUTORIALS:
        with tempfile.TemporaryDirectory() as folder:
            faults, spent = follow(page, Path(folder), Path(wheels), Path(python).absolute())
        if spent > MOST_S:
            faults.append(f"{spent:.0f} s: more than {MOST_S}")
        print(f"{page}: {spent:.0f} s, {'; '.join(faults) or 'all is there'}")
        failed += bool(faults)
    return failed


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
