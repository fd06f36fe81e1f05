"""Which figures a study is worth: the solvers, the encodings and each axis; and the rest for who asks for all.

What would have one line or one point is not drawn.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import pandas as pd

from nonosat.studies.analysis import plots
from nonosat.studies.analysis.axes import FILE, Axis, crossed, grid
from nonosat.studies.analysis.report.tables import ReportedStudy
from nonosat.studies.analysis.style import MOST_LINES, TitledFigure

MOST_HEATS = 8


@dataclass(frozen=True)
class Drawn:
    """A figure under the name of its files and the heading that it stands below."""

    name: str
    section: str
    figure: TitledFigure


def figures(study: ReportedStudy, every: bool = False) -> Iterator[Drawn]:
    """The figures: at most three of solvers and encodings, one or two an axis; ``every``: all that there are."""
    runs = study.runs
    if not study.right:
        yield Drawn("wrong", "Wrong answers", plots.wrong_pictures(runs, "configuration"))
    if not runs["solved"].any():
        return
    yield from _compared(study)
    for axis in study.axes:
        yield from _along(study, axis, every)
    yield from _heats(study, every)
    if every:
        yield from _rest(study)


def _compared(study: ReportedStudy) -> Iterator[Drawn]:
    """All configurations within a time, and the first against the second and against the best other solver."""
    runs, names = study.runs, [name for name in study.names if _solves(study, name)]
    if len(names) < 2:
        return
    if len(runs) > len(study.names):
        yield Drawn(
            "cactus",
            "Solvers and encodings",
            plots.cactus(runs, "configuration", None, "Solved within a time", study.times),
        )
    solvers = runs.drop_duplicates("configuration").set_index("configuration")["solver"]
    other = next((name for name in names[1:] if solvers[name] != solvers[names[0]]), None)
    for rival in dict.fromkeys([names[1], *([other] if other else [])]):
        if runs["instance"].nunique() > 2:
            made = plots.scatter(runs, names[0], rival, study.times.column)
            yield Drawn(f"scatter-{rival}-{names[0]}", "Solvers and encodings", made)


def _solves(study: ReportedStudy, name: str) -> bool:
    return bool(study.runs.loc[study.runs["configuration"].eq(name), "solved"].any())


def _along(study: ReportedStudy, axis: Axis, every: bool) -> Iterator[Drawn]:
    """Time along one axis: the encodings under the best solver, then the solvers with their best encodings."""
    word = axis.words.removesuffix(", %")
    head, runs = f"By {word}", study.runs
    if axis.name == FILE:
        names = [name for name in study.names if _solves(study, name)][:MOST_LINES]
        yield Drawn("by-file", head, plots.by_file(runs, axis, "configuration", names))
        return
    across = next((other for other in study.axes if other.name not in (axis.name, FILE) and crossed(axis, other)), None)
    solvers = [
        solver for solver in study.of_names("solver") if runs.loc[runs["solver"].eq(solver), "label"].nunique() > 1
    ]
    for solver in solvers if every else solvers[:1]:
        here = runs[runs["solver"].eq(solver) & axis.of.notna()]
        labels = [name for name in study.of_names("label") if here.loc[here["label"].eq(name), "solved"].any()]
        for part, names in enumerate(_parts(labels), 1):
            title = f"Encodings by {word}, {solver}"
            title += f" ({part} of {len(_parts(labels))})" if len(labels) > MOST_LINES else ""
            made = plots.along(here, axis, across, "label", title, names, study.times)
            if here["label"].nunique() > 1:
                yield Drawn(f"encodings-by-{axis.name}-{solver}-{part}", head, made)
    here = runs[axis.of.notna()]
    best = best_of(study if len(here) == len(runs) else replace(study, whole=here), "solver")
    if len(best) > 1:
        title = f"Solvers by {word}, each with its best encoding"
        made = plots.along(here, axis, across, "configuration", title, best[:MOST_LINES], study.times)
        yield Drawn(f"solvers-by-{axis.name}", head, made)
    elif not solvers and len(study.names) == 1:
        return


def best_of(study: ReportedStudy, column: str) -> list[str]:
    """The best configuration of each solver (or encoding) that solves anything, in order."""
    found = study.runs.drop_duplicates("configuration").set_index("configuration")[column]
    best: dict[str, str] = {}
    for name in study.names:
        if _solves(study, name):
            best.setdefault(str(found[name]), name)
    return list(best.values())


def _parts(names: Sequence[str]) -> list[list[str]]:
    """The names in groups that one panel can hold, of about the same size."""
    count = -(-len(names) // MOST_LINES) or 1
    size = -(-len(names) // count) or 1
    return [list(names[at : at + size]) for at in range(0, len(names), size)]


def _heats(study: ReportedStudy, every: bool) -> Iterator[Drawn]:
    """Two axes at a time: what is solved, where not all is, and medians."""
    pair = grid(study.axes)
    if pair is None or min(len(axis.values) for axis in pair) < 2:
        return
    down, across = pair
    for solver in study.of_names("solver")[: None if every else 1]:
        runs = study.runs[study.runs["solver"].eq(solver)]
        here = runs[down.of[runs.index].notna() & across.of[runs.index].notna()]
        names = [name for name in study.of_names("label") if here["label"].eq(name).any()]
        names = names if every else names[:MOST_HEATS]
        counted = bool((here["outcome"].eq("MEASURED") & here["counted"].notna()).any())
        worthy = (("share", not here["solved"].all()), ("median", bool(here["solved"].any())), ("solutions", counted))
        for what, worth in worthy:
            if worth and len(here) > len(names):
                made = plots.heat(runs, solver, what, "label", across, down, names, clock=study.times)
                yield Drawn(f"heat-{what}-{solver}", f"By {down.words} and {across.words.removesuffix(', %')}", made)


def _rest(study: ReportedStudy) -> Iterator[Drawn]:
    """Solver by solver: within a time, against the best, and decisions."""
    for solver in study.of_names("solver"):
        runs = study.runs[study.runs["solver"].eq(solver)]
        head = f"Solver {solver}"
        names = [name for name in study.of_names("label") if runs.loc[runs["label"].eq(name), "solved"].any()]
        if len(names) > 1:
            yield Drawn(
                f"cactus-{solver}",
                head,
                plots.cactus(runs, "label", None, f"Solved within a time, {solver}", study.times),
            )
        for name in names[1:]:
            made = plots.scatter(
                runs, names[0], name, study.times.column, by="label", title=f"{name} against {names[0]}, {solver}"
            )
            yield Drawn(f"scatter-{name}-{names[0]}-{solver}", head, made)
        if _counted(runs):
            yield Drawn(f"decisions-{solver}", head, plots.decisions_against_time(runs, solver))


def _counted(runs: pd.DataFrame) -> bool:
    return int((runs["decisions"].notna() & runs["label"].ne("")).sum()) > 1
