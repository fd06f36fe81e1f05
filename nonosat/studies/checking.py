"""What a study would take, and what is wrong with it, before anything is started."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from nonosat.encodings.registry import MODEL
from nonosat.errors import FormatError, NonosatError
from nonosat.files import shown
from nonosat.solvers.optimum import ONE_BEST
from nonosat.solvers.registry import with_limits
from nonosat.studies.counters import COUNTERS
from nonosat.studies.plan import Study, encoding_of, encodings_of, instances, line_of, shapes, solvers_of

MAX_RUNS = 10_000_000


@dataclass(frozen=True)
class Report:
    """``problems`` forbid to start; ``notes`` do not. ``worst_s``: all runs at the wall limit (None: no limit)."""

    instances: int
    groups: int
    runs: int
    worst_s: float | None
    problems: tuple[str, ...]
    notes: tuple[str, ...]

    def refuse(self) -> None:
        """Raise the problems, if there are any, as one line."""
        if self.problems:
            more = f" (and {len(self.problems) - 1} more: see `nonosat study check`)" if len(self.problems) > 1 else ""
            raise NonosatError(self.problems[0] + more)


def check(study: Study, slots: int = 1) -> Report:
    """All that is known beforehand; reads the puzzle files, and solves nothing."""
    problems = [*_names(study), *_entries(study)] or _kinds(study)
    if problems:
        return Report(0, 0, 0, None, tuple(problems), ())
    plans = shapes(study)
    per_instance = sum(len(shape.solvers) for shape in plans) * study.repetitions
    stated = sum(entry.size() for entry in study.puzzles)
    if stated * per_instance > MAX_RUNS:  # counted, not listed: it may be far more than can be
        total = stated * per_instance
        problem = f"{shown(study.path)}: {total:,} runs are more than one study can hold ({MAX_RUNS:,}); split it"
        return Report(stated, stated * len(plans), total, None, (problem,), ())
    distinct = sum(1 for _ in instances(study))
    runs, wall_s = distinct * per_instance, study.settings.limits.wall_s
    notes = [*_doubles(study, stated - distinct), *_unsound(study), *_limits(study), *_analysis(study)]
    worst_s = None if wall_s is None else runs * wall_s / slots
    return Report(distinct, distinct * len(plans), runs, worst_s, (), tuple(notes))


def _names(study: Study) -> list[str]:
    """Encodings and solvers that are unknown or not there, one by one."""
    from nonosat.studies.counters import named

    problems = []
    for key, names, look_up in (
        ("encodings", study.encodings, partial(encoding_of, study)),
        ("solvers", study.solvers, named),
    ):
        for name in names:
            try:
                look_up(name)
            except NonosatError as error:
                problems.append(str(study.fault(key, error)))
    if not problems:
        try:
            shapes(study)
        except FormatError as error:
            problems.append(str(error))
    return problems


def _analysis(study: Study) -> list[str]:
    """That the study's own analysis is not there: the runs do without it."""
    if study.analysis is None or study.analysis.is_file():
        return []
    return [f"no file {shown(study.analysis)}: the report will have no analysis of its own"]


def _entries(study: Study) -> list[str]:
    """What is wrong with the entries of ``[[puzzles]]``, such as files that cannot be had."""
    return [problem for entry in study.puzzles for problem in entry.problems()]


def _kinds(study: Study) -> list[str]:
    """Puzzles of several kinds, and encodings and solvers that are for another kind than the puzzles."""
    kinds = sorted({kind for entry in study.puzzles for kind in entry.kinds()})
    if len(kinds) > 1:
        return [str(study.fault("puzzles", f"of {len(kinds)} kinds ({', '.join(kinds)}): make a study of each"))]
    from nonosat.studies.counters import refuse_models

    problems = []
    for key, entries in (
        ("encodings", [encoding for _, encoding in encodings_of(study)]),
        ("solvers", solvers_of(study)),
    ):
        for named in entries:
            try:
                named.refuse(kinds[0])
                if kinds == [MODEL]:
                    refuse_models(named)
            except NonosatError as error:
                problems.append(str(study.fault(key, error)))
    return problems + _several(study) + _uncounted(study) + _unlimited(study)


def _several(study: Study) -> list[str]:
    """Models with an objective where solvers are to look for more than one solution; counters count what they count."""
    count = study.settings.count
    if count == 1 or all(solver.name in COUNTERS for solver in solvers_of(study)):
        return []
    path = next((path for entry in study.puzzles if (path := entry.with_objective()) is not None), None)
    if path is None:
        return []
    unique = count == 2 and line_of(study.text, "", "unique") is not None
    return [str(study.fault("unique" if unique else "count", f"{shown(path)}: {ONE_BEST}"))]


def _uncounted(study: Study) -> list[str]:
    """Encodings through which a counter would count something else than the puzzle's solutions."""
    from nonosat.studies.counters import refuse

    problems = []
    for _, encoding in encodings_of(study):
        for solver in solvers_of(study):
            try:
                refuse(solver, encoding)
            except NonosatError as error:
                problems.append(str(study.fault("solvers", error)))
    return problems


def _unlimited(study: Study) -> list[str]:
    """Commands with a place for a limit that the study does not set."""
    limits, problems = study.settings.limits, []
    for solver in solvers_of(study):
        try:
            with_limits(solver, limits.wall_s, limits.memory_mb)
        except NonosatError as error:
            problems.append(str(study.fault("solvers", error)))
    return problems


def _doubles(study: Study, instances_twice: int) -> list[str]:
    """What is stated twice and run once."""
    notes = []
    if instances_twice:
        notes.append(f"puzzles that are named twice, and run once: {instances_twice:,}")
    if (dropped := len(study.solvers) - len(solvers_of(study))) > 0:
        notes.append(f"solvers that are named twice, and run once: {dropped}")
    first: dict[str, str] = {}
    for written, encoding in encodings_of(study):
        same = first.setdefault(encoding.name, written)
        if same is not written:
            notes.append(f"encodings {same} and {written} are the same: {same} is run")
    families = {solver.family for solver in solvers_of(study)}
    rules = {encoding.rules for _, encoding in encodings_of(study)}
    if "CP" in families and len(rules) < len(first) and rules != {""}:
        notes.append(
            f"CP solvers see an encoding's rules only: {len(rules)} of the {len(first)} encodings are distinct"
        )
    if study.encodings and families == {"own"}:
        notes.append("no solver uses the encodings: each runs once a puzzle")
    return notes


def _unsound(study: Study) -> list[str]:
    notes = []
    unsound = [name for name, encoding in encodings_of(study) if not encoding.sound]
    if unsound:
        notes.append(f"unsound, may give WRONG: {', '.join(unsound)}")
    incomplete = [name for name, encoding in encodings_of(study) if not encoding.complete]
    if incomplete:
        notes.append(f"incomplete, may give UNSAT for a puzzle with a solution: {', '.join(incomplete)}")
    return notes


def _limits(study: Study) -> list[str]:
    limits = study.settings.limits
    if limits.wall_s is None and limits.cpu_s is None:
        return ["no limit on time: a run may never end"]
    return []


def duration(seconds: float) -> str:
    """For people: two units at most.

    >>> duration(0.4), duration(75), duration(93_600), duration(86_400 * 800)
    ('under a second', '1 min 15 s', '1 d 2 h', '2 y 70 d')
    """
    parts: list[tuple[int, str]] = []
    left = round(seconds)
    for unit, length in (("y", 365 * 86_400), ("d", 86_400), ("h", 3600), ("min", 60), ("s", 1)):
        number, rest = divmod(left, length)
        if number or parts:
            parts.append((number, unit))
            left = rest
    return " ".join(f"{number} {unit}" for number, unit in parts[:2] if number) or "under a second"
