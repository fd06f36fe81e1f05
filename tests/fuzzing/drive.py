"""The fuzzer's run: workers that can die, findings that are made small and written, and what came of it."""

from __future__ import annotations

import hashlib
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from fuzzing.alone import Child
from fuzzing.cases import Case, size_of, written
from fuzzing.draw import case_of, proof, steps_of
from fuzzing.judge import Finding, Step, examine
from fuzzing.shrink import TRIES, shrunk
from fuzzing.truth import truth_of
from fuzzing.ways import FIRST, Way, family_of, ways_of
from nonosat.puzzles.nonogram import Nonogram
from nonosat.puzzles.skyscrapers import Skyscrapers

HANG_S, HARD = 20.0, 36
"""How long a solve may work (``Child.hangs``); and boards of more cells may take longer: hard ones are then left."""
EVERY_S = 60.0
"""How often it is told how far the run is."""
WRITTEN = 2
"""Findings with one signature that are made small and written; the others are counted."""


@dataclass
class Result:
    """What a run has done. ``solves``: by (kind, way); ``findings``: how often each signature came."""

    solves: Counter[tuple[str, Way]] = field(default_factory=Counter)
    boards: Counter[str] = field(default_factory=Counter)
    findings: Counter[str] = field(default_factory=Counter)
    guilty: Counter[tuple[str, str]] = field(default_factory=Counter)
    slow: Counter[tuple[str, str]] = field(default_factory=Counter)
    files: list[Path] = field(default_factory=list)
    seconds: float = 0.0


class Workload:
    """Which cases there are: of one seed, and of one ``kind`` if it is named; of n workers each takes every n-th."""

    def __init__(
        self, seed: int, steps: Callable[[Case, int, int, bool], list[Step]] = steps_of, kind: str = ""
    ) -> None:
        self.seed, self.kind, self._steps = seed, kind, steps

    def at(self, number: int) -> tuple[Case, Any, list[Step]]:
        """Case ``number``, the truth about it, and the steps."""
        case = case_of(self.seed, number, self.kind)
        truth = truth_of(case)
        return case, truth, self._steps(case, self.seed, number, truth.whole)

    def go_through(self, child: Child, number: int, step: int, stride: int, last: int | None) -> None:
        """All cases from ``number`` on; of the first one, the steps before ``step`` are left out."""
        while last is None or number < last:
            child.note(number, step)
            case, truth, steps = self.at(number)
            findings = examine(case, steps[step:], lambda at, n=number, s=step: child.note(n, s + at), truth)
            child.send((number, case.kind, [way for way, _ in steps[step:]], findings))
            number, step = number + stride, 0


def run(
    seed: int,
    seconds: float,
    folder: Path,
    cores: int = 1,
    first: int = 0,
    boards: int | None = None,
    tries: float = TRIES,
    workload: Workload | None = None,
    say: Callable[[str], None] = print,
) -> Result:
    """Fuzz for ``seconds``, or until ``boards`` are done; findings are made small in so many
    ``tries`` and written to ``folder``.
    """
    work = workload or Workload(seed)
    result = Result()
    begin = time.monotonic()
    last = None if boards is None else first + boards

    def started(number: int, step: int) -> Child:
        return Child(lambda child: work.go_through(child, number, step, cores, last))

    def found(number: int, finding: Finding, kind: str) -> None:
        signature = f"{kind}: {finding.signature}"
        result.findings[signature] += 1
        result.guilty[kind, str(finding.way)] += 1
        if result.findings[signature] > WRITTEN:
            return
        say(f"seed {seed}, board {number}: {finding}")
        case, where = case_of(seed, number, work.kind), f"board {number} of seed {seed}"
        result.files.append(keep(case, finding, folder, tries, where))
        say(f"  -> {result.files[-1]}")
        for other in workers:
            other.note(*other.where())  # it may have waited for us

    workers: list[Child] = []
    told = begin
    workers += [started(first + k, 0) for k in range(cores)]
    try:
        while workers and time.monotonic() - begin < seconds:
            if time.monotonic() - told > EVERY_S:
                told, result.seconds = time.monotonic(), time.monotonic() - begin
                say(summary(result))
            for at, worker in enumerate(list(workers)):
                messages, ended = worker.receive(0.5 / len(workers))
                for number, kind, ways, findings in messages:
                    result.boards[kind] += 1
                    result.solves.update((kind, way) for way in ways)
                    for finding in findings:
                        found(number, finding, kind)
                hanging = not ended and worker.hangs(HANG_S)
                if not ended and not hanging:
                    continue
                number, step = worker.where()
                death = worker.end_of_a_hang() if hanging else worker.death()
                if death is None:
                    workers.remove(worker)
                    break
                case, truth, steps = work.at(number)
                done = min(step + 1, len(steps))
                result.solves.update((case.kind, way) for way, _ in steps[:done])
                if hanging and size_of(case)[0] > HARD:
                    result.slow[case.kind, str(steps[done - 1][0])] += 1
                    workers[at] = started(number + cores, 0)
                    continue
                workers[at] = started(number, done) if done < len(steps) else started(number + cores, 0)
                sort = "hang" if hanging else "lost"
                found(number, Finding(*steps[done - 1], sort, death, str(truth)), case.kind)
    except KeyboardInterrupt:
        say("interrupted")
    finally:
        for worker in workers:
            worker.kill()
            worker.death()
        result.seconds = time.monotonic() - begin
    return result


def survived(case: Case, steps: list[Step]) -> list[Finding]:
    """``examine`` in a process of its own; where that is lost or hangs, a finding says so, and the next one goes on."""
    findings: list[Finding] = []
    truth, begin = truth_of(case, 200_000), 0

    def go_on(child: Child) -> None:
        child.note(0, begin)
        child.send(examine(case, steps[begin:], lambda at: child.note(0, begin + at), truth))

    while begin < len(steps):
        child, ended = Child(go_on), False
        while not ended and not child.hangs(HANG_S):
            messages, ended = child.receive(0.2)
            findings += [finding for message in messages for finding in message]
        _, step = child.where()
        death = child.death() if ended else child.end_of_a_hang()
        if death is None:
            break
        findings.append(Finding(*steps[step], "lost" if ended else "hang", death, str(truth)))
        begin = step + 1
    return findings


def keep(case: Case, finding: Finding, folder: Path, tries: float, where: str) -> Path:
    """Write ``case`` made small, and the line that says why, to ``folder``."""
    smaller = shrunk(case, finding, tries)
    if smaller is None:
        why = f"{finding} ({where}, and not by itself)"
    else:
        case, finding = smaller
        why = f"{finding} ({where})"
    _, text = written(case, "")
    name = hashlib.sha256(text.encode()).hexdigest()[:10]
    suffix, text = written(case, why)
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"found-{name}{suffix}"
    path.write_text(text, encoding="utf-8")
    return path


def warm_up() -> None:
    """Load what workers need once, before they are forked; but start no thread, as CP-SAT would."""
    import ortools.sat.python.cp_model  # noqa: F401

    for case in (
        case_of(0, 0),
        Nonogram.from_lengths([[1, 1], [2]], [[1], [1], [2]]),
        Skyscrapers.from_clues([0] * 12),
        proof(np.random.default_rng(0)),
    ):
        for family, ways in ways_of(case.kind).items():
            if not family.startswith(("SAT", "cpsat")):
                examine(case, [(way, FIRST) for way in ways])


def table(result: Result) -> str:
    """The result as text: solves by families of pairs."""
    families: dict[tuple[str, str], list[tuple[Way, int]]] = {}
    for (kind, way), count in result.solves.items():
        families.setdefault((kind, family_of(kind, way)), []).append((way, count))
    guilty: Counter[tuple[str, str]] = Counter()
    by_name = {(kind, str(way)): family_of(kind, way) for kind, way in result.solves}
    for (kind, way), count in result.guilty.items():
        guilty[kind, by_name[kind, way]] += count
    head = ("kind", "family", "ways", "fewest", "most", "solves", "findings")
    rows = [
        (kind, family, len(ways), min(n for _, n in ways), max(n for _, n in ways), sum(n for _, n in ways))
        for (kind, family), ways in sorted(families.items())
    ]
    lines = [head, *((*row[:2], *(f"{number:,}" for number in (*row[2:], guilty[row[:2]]))) for row in rows)]
    widths = [max(len(line[i]) for line in lines) for i in range(len(head))]
    text = [
        "  ".join(word.ljust(width) if i < 2 else word.rjust(width) for i, (word, width) in enumerate(zipped))
        for zipped in (list(zip(line, widths, strict=True)) for line in lines)
    ]
    text.append(summary(result))
    if result.slow:
        text.append(f"{sum(result.slow.values())} hard boards took some solver more than {HANG_S:g} s, and were left")
    text += [f"{count:6}  {signature}" for signature, count in result.findings.most_common()]
    return "\n".join(text)


def summary(result: Result) -> str:
    """The result in a line."""
    solves, boards = sum(result.solves.values()), sum(result.boards.values())
    return (
        f"{solves:,} solves of {boards:,} boards in {result.seconds:.0f} s"
        f" ({solves / max(result.seconds, 1e-9):,.0f} a second), {sum(result.findings.values())} findings"
    )
