"""Processes that answer puzzles for rivals.py: one that lives on and is sent sets, or one a puzzle."""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import time
from pathlib import Path
from select import select
from typing import Any, NamedTuple

from tables import Row

from nonosat.puzzles.formats import dumps
from nonosat.puzzles.nonogram import Clue, Nonogram

HERE = Path(__file__).parent
PYTHON = HERE.parent / ".venv-rivals" / "bin" / "python"
PACKAGES = [
    *("cpmpy==1.1.1", "pindakaas==0.6.1", "python-sat==1.9.dev17", "ortools==9.15.6755", "nonogram==3.1.1"),
    *("multi-puzzle-solver==1.1.10", "puzzlekit==0.3.4", "picross-solver==1.1.2", "nonogram-cracker==1.0.1"),
]
UNTOLD = "marshmallow==4.4.0"
"""What nonogram-cracker imports, and does not say so."""
PATIENCE_S = 30
"""Of wall time, for a whole process."""
OURS = ("nonosat, auto", "nonosat, minisat22")


def installed() -> None:
    """The rivals' environment, made if it is not there."""
    if not PYTHON.exists():
        subprocess.run([sys.executable, "-m", "venv", str(PYTHON.parents[1])], check=True)
        subprocess.run([str(PYTHON), "-m", "pip", "install", "-q", *PACKAGES, UNTOLD], check=True)


def lengths(clues: tuple[Clue, ...]) -> list[list[int]]:
    return [[run.length for run in clue] for clue in clues]


class Limit(NamedTuple):
    """CPU seconds: what a set gets for each of its puzzles, and what a puzzle gets at most."""

    mean_s: float
    most_s: float


class Rival:
    """A process that answers puzzles; ``slow``: densities and questions of which it gets no larger boards."""

    def __init__(self, who: str) -> None:
        self.who = who
        self.slow: set[tuple[str, str]] = set()
        self.begin()

    def begin(self) -> None:
        """Start the process, which has imported everything when it says that it is ready."""
        command = [sys.executable if self.who in OURS else str(PYTHON), str(HERE / "rival_models.py"), self.who]
        pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
        self.process = subprocess.Popen(command, **pipes)
        if self.process.stdout is None or self.process.stdout.readline() != '{"ready": true}\n':
            raise SystemExit(f"{self.who} does not work")

    def spent(self) -> float:
        """CPU seconds so far. A limit of the kernel's own would make Linux count them in ticks of 4 ms."""
        return time.clock_gettime((~self.process.pid << 3) | 2)  # Linux: the CPU clock of a process

    def answers(self, puzzles: list[Nonogram], count: int, limit: Limit) -> list[Row]:
        """What it says of each puzzle, until the set's CPU seconds are up; at most ``count`` pictures each."""
        told: list[Row] = []
        left = limit.mean_s * len(puzzles)
        for puzzle in puzzles:
            begun, process = self.spent(), self.process
            told.append(self.answer(puzzle, count, min(left, limit.most_s)))
            left -= self.spent() - begun if self.process is process else limit.most_s
            if left <= 0:
                break
        return told

    def answer(self, puzzle: Nonogram, count: int, limit_s: float) -> Row:
        """What it says of a puzzle; over the limit it is ended, and begun anew."""
        if self.process.stdin is None or self.process.stdout is None:
            raise AssertionError
        until = self.spent() + limit_s
        asked = json.dumps([lengths(puzzle.rows), lengths(puzzle.columns), count])
        print(asked, file=self.process.stdin, flush=True)
        while not select([self.process.stdout], [], [], 0.05)[0]:
            if self.spent() > until:
                self.process.kill()
                self.process.wait()
                self.begin()
                return {"failed": "over the limit"}
        said: Row = json.loads(self.process.stdout.readline())
        return said


def whole_process(who: str, puzzle: Nonogram, folder: Path) -> Row:
    """CPU seconds of a process, from a file to the picture that it prints; it is ended after ``PATIENCE_S``."""
    if who in OURS:
        file, text = folder / "puzzle.mk", dumps(puzzle, "mk")
        command = [str(Path(sys.executable).parent / "nonosat"), "solve", str(file)]
    else:
        rows, columns = lengths(puzzle.rows), lengths(puzzle.columns)
        file, text = folder / "puzzle.json", json.dumps({"rows": rows, "columns": columns})
        command = [str(PYTHON), str(HERE / "rival_models.py"), who, str(file)]
    file.write_text(text)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_S)
    except subprocess.TimeoutExpired:
        return {"failed": "not in time"}
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    picture = [["·█".find(cell) for cell in line[::2]] for line in done.stdout.splitlines()]
    return {"answer_s": spent, "pictures": [picture]} if picture else {"failed": done.stderr[-200:]}
