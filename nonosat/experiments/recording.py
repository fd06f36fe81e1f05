"""What is recorded of a run: what it is, what came out, and what it cost."""

from __future__ import annotations

import hashlib
from functools import partial
from itertools import chain
from typing import Any

import numpy as np

from nonosat.counting.answer import Number, log10_of
from nonosat.experiments.measure import Spent
from nonosat.experiments.plan import Group, Run, Settings
from nonosat.experiments.puzzles import facts_of
from nonosat.experiments.trace import Trace, plus
from nonosat.puzzles.puzzle import Board
from nonosat.solvers.answer import COUNTERS, Answer, Verdict
from nonosat.solvers.judgement import Judge, heard, judge_of, judged, too_few

MOST = 2**63 - 1
"""What stands for more solutions than fit a whole number of SQLite and Parquet; ``counted`` has all digits."""


def described(group: Group, run: Run, settings: Settings) -> dict[str, Any]:
    """What the run is."""
    instance, limits, encoding = group.instance, settings.limits, group.encoding
    return {
        "key": run.key,
        "study": settings.study,
        "instance": instance.name,
        **facts_of(instance),
        "encoding": group.written,
        "parts": run.solver.sees(encoding),
        "sound": None if encoding is None else encoding.sound,
        "solver": run.solver.name,
        "family": run.solver.family,
        "count": settings.count,
        "repetition": run.repetition,
        "limit_wall_s": limits.wall_s,
        "limit_cpu_s": limits.cpu_s,
        "limit_memory_mb": limits.memory_mb,
    }


def outcome(trace: Trace, shared: Trace) -> dict[str, Any]:
    """What came out, from the evidence; every picture is checked, away from the process that found it."""
    puzzle, stopped = trace.puzzle, trace.stopped or shared.stopped
    ended = stopped or trace.finished
    said = chain(trace.found, () if ended is None else (ended,))
    if puzzle is None or trace.measured is not None:  # nothing is found, and no board is denied
        judge: Judge[Board] = Judge(partial(judged, puzzle))  # type: ignore[arg-type]
    else:
        judge = judge_of(puzzle)
    answer = heard(said, Answer(Verdict.UNKNOWN), judge)
    verdict = answer.stopped or answer.verdict
    if stopped is not None and stopped.raised and verdict is Verdict.CRASH:
        verdict = Verdict.ERROR
    measured = trace.measured or {}
    if trace.measured is not None and trace.finished is not None and not answer.found:
        verdict = Verdict.UNSAT if measured.get("counted") == "0" else Verdict.MEASURED
    reason = answer.reason
    if puzzle is not None and "counted" in measured and (why := too_few(puzzle, int(measured["counted"]))) is not None:
        verdict, reason, measured = Verdict.WRONG, why, {}
    result: dict[str, Any] = {"outcome": str(verdict), "reason": reason, "solutions": len(answer.found)}
    result |= measured
    if puzzle is not None:
        result |= {"kind": puzzle.kind, **puzzle.facts()}
        result["rows"], result["columns"] = puzzle.shape
        if answer.found:
            result["goal"] = None if puzzle.goal is None else answer.found[0] == puzzle.goal
    shown = answer.rejected if answer.verdict is Verdict.WRONG else answer.picture
    result["picture"] = None if shown is None else _digest(shown)
    if verdict is Verdict.WRONG:
        return result
    if stopped is not None:
        return result | {"exit_code": stopped.exit_code}
    if trace.finished is not None and answer.stopped is None:
        result["exit_code"] = 0
        if answer.found:
            result["unique"] = answer.unique
        if answer.exhausted and trace.measured is None:
            result |= counted(len(answer.found))
    return result


def counted(solutions: int) -> dict[str, Any]:
    """What records tell of an exact number of solutions.

    >>> counted(10**30)["solutions"], counted(10**30)["counted"], counted(10**30)["unique"]
    (9223372036854775807, '1000000000000000000000000000000', False)
    """
    told: dict[str, Any] = {"solutions": min(solutions, MOST), "counted": str(Number(solutions))}
    return told | ({"log10_solutions": log10_of(solutions), "unique": solutions == 1} if solutions else {})


def _digest(board: Board) -> str:
    return hashlib.sha256(np.ascontiguousarray(board.cells).tobytes()).hexdigest()[:16]


def costs(trace: Trace, shared: Trace, with_formula: bool) -> dict[str, Any]:
    """What it cost: stages that ended, the one that did not, and the counters of a search that ended by itself.

    ``with_formula``: the run works on the formula that was made before, so that its cost is the run's too.
    """
    made = trace.made or shared.made if with_formula else None
    encoding = shared.cost("encoding") if with_formula else None
    wall_s, cpu_s, peak_mb = trace.wall_s, trace.cpu_s, trace.peak_mb
    if encoding is not None:
        wall_s, cpu_s = wall_s + encoding.wall_s, plus(cpu_s, encoding.cpu_s)
        peak_mb = max((peak for peak in (peak_mb, encoding.peak_mb) if peak is not None), default=None)
    result: dict[str, Any] = {"wall_s": wall_s, "cpu_s": cpu_s, "peak_memory_mb": peak_mb}
    if made is not None and made.cnf is not None:
        result |= {"variables": made.variables, "clauses": made.clauses, "cnf": made.cnf}
    for stage, name in (("encoding", "encode"), ("loading", "load"), ("solving", "solve")):
        spent = trace.cost(stage) or (encoding if stage == "encoding" else None)
        if spent is not None:
            result |= {f"{name}_s": spent.wall_s, f"{name}_cpu_s": spent.cpu_s, f"{name}_peak_mb": spent.peak_mb}
    about = trace.statistics
    result |= _first(trace, encoding)
    for name in ("encode", "load", "solve"):  # the search's own times leave out what it does beside
        if (seconds := getattr(about, f"{name}_s")) is not None:
            result[f"{name}_s"] = seconds
    if trace.finished is not None:
        counters = [counter.name for counter in COUNTERS]
        result |= {name: getattr(about, name) for name in counters}
        result["variables"] = result.get("variables") or about.variables
        result["clauses"] = result.get("clauses") or about.clauses
    return result


def _first(trace: Trace, encoding: Spent | None) -> dict[str, Any]:
    """What the first picture cost; ``encoding``: of the formula that was made before."""
    if trace.first is None:
        return {}
    wall_s, cpu_s = trace.first.wall_s, trace.first.cpu_s
    if encoding is not None:
        wall_s, cpu_s = wall_s + encoding.wall_s, cpu_s + (encoding.cpu_s or 0.0)
    about = trace.first_statistics
    return {"first_s": wall_s, "first_cpu_s": cpu_s, "first_conflicts": None if about is None else about.conflicts}
