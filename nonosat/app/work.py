"""The work of jobs, besides solving: searches in processes of their own, whose events are JSON."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from pathlib import Path
from time import perf_counter
from typing import Any, ParamSpec

from nonosat.errors import NonosatError
from nonosat.puzzles.puzzle import Puzzle
from nonosat.runs.events import Event, Finished, Progress, Statistics, Values

P = ParamSpec("P")


def page_event(type: str, **more: Any) -> dict[str, Any]:  # noqa: A002 - as the page says
    """An event for the page."""
    return {"type": type, **more}


def plural(count: int, word: str) -> str:
    """``1 step``, ``2 steps``."""
    return f"{count:,} {word}{'' if count == 1 else 's'}"


def work(function: Callable[P, Iterator[dict[str, Any]]]) -> Callable[P, Iterator[Event]]:
    """``function`` as a search whose values are events for the page; an error that is meant for people is one."""

    @functools.wraps(function)
    def search(*args: P.args, **named: P.kwargs) -> Iterator[Event]:
        try:
            for body in function(*args, **named):
                yield Values((body,))
                yield Progress("working")
        except NonosatError as error:
            yield Values((page_event("failed", error=str(error)),))
        yield Finished(False, Statistics())

    return search


@work
def explained(puzzle: Puzzle, values: list[list[int]], most: int) -> Iterator[dict[str, Any]]:
    """At most so many steps from a position; each was checked by its lines alone. The last event describes the end."""
    from nonosat.app.wire import overlay
    from nonosat.explanations.explain import explain, fault
    from nonosat.explanations.techniques import TECHNIQUES, Technique

    still_open = {(row, column) for row, line in enumerate(values) for column, value in enumerate(line) if value < 0}
    techniques: list[str] = []
    hardest: Technique | None = None
    for step in explain(puzzle, values):
        wrong = fault(puzzle, step)
        if wrong is not None:
            raise NonosatError(f"a step does not follow ({wrong}): {step.sentence}")
        yield page_event("step", **step.record(), overlay=overlay(step))
        techniques.append(step.technique)
        known = TECHNIQUES.known().get(step.technique)
        if known is not None and (hardest is None or known.level > hardest.level):
            hardest = known
        still_open -= {fact[:2] for fact in step.fixes if len(fact.values) == 1}
        if len(techniques) == most:
            break
    guesses = techniques.count("guess")
    steps = plural(len(techniques), "step") + (f", {guesses:,} of them guessed" if guesses else "")
    left = f"{plural(len(still_open), 'cell')} left open" if still_open else "solved"
    summary = f"{steps}: {'the position is wrong' if 'error' in techniques else left}."
    summary += " What was guessed holds in this solution; there may be others." if guesses else ""
    most_demanding = None
    if hardest is not None:
        count = techniques.count(hardest.name)
        most_demanding = {"technique": hardest.name, "short": hardest.short or hardest.meaning, "count": count}
    yield page_event("ended", summary=summary, steps=len(techniques), hardest=most_demanding)


@work
def compared(puzzle: Puzzle, names: list[str]) -> Iterator[dict[str, Any]]:
    """The formula of each encoding: its size, which part made which clauses, and what unit propagation fixes."""
    from nonosat.certificates.equivalence.origin import clauses_by_part
    from nonosat.encodings.registry import encoding
    from nonosat.solvers.sat.search import unit_consequences

    for name in names:
        parts = encoding(name, puzzle.kind)
        begin = perf_counter()
        formula = parts.formula(puzzle)
        seconds = perf_counter() - begin
        families = {part or parts.lines or "given": many for part, many in clauses_by_part(puzzle, parts).items()}
        of_which = " · ".join(f"{name} {many:,}" for name, many in families.items() if many)
        cells = unit_consequences(formula)
        yield page_event(
            "encoding",
            name=parts.name,
            sound=parts.sound,
            variables=formula.cnf.variables,
            clauses=formula.cnf.clauses,
            literals=len(formula.cnf.literals),
            of_which=of_which,
            seconds=seconds,
            contradiction=cells is None,
            cells=None if cells is None else cells.reshape(-1).tolist(),
        )


@work
def shared(puzzle: Puzzle) -> Iterator[dict[str, Any]]:
    """The cells that all solutions have in common, and how many solutions there are, if that was counted."""
    from nonosat.counting.count import backbone

    found = backbone(puzzle)
    cells = None if found.cells is None else found.cells.reshape(-1).tolist()
    many = found.solutions
    yield page_event("common", cells=cells, solutions=None if many is None else str(many), verdict=str(found.verdict))


@work
def written(puzzle: Puzzle, what: str, encoding: str, folder: str) -> Iterator[dict[str, Any]]:
    """The formula (``cnf``), the meaning of its variables (``map``), or a proof (``drat``), as files in ``folder``."""
    from nonosat.encodings import dimacs
    from nonosat.encodings.registry import encoding as encoding_named
    from nonosat.puzzles.formats import dumps

    parts = encoding_named(encoding, puzzle.kind)
    if what == "drat":
        from nonosat.solvers.sat import proofs
        from nonosat.solvers.sat.proofs import prove

        proof = prove(puzzle, encoding=parts)
        if proof.steps is None:
            raise NonosatError("there are several solutions, so there is nothing to prove")
        proof.write(folder)
        fault = proofs.check(folder)
        if fault is not None:
            raise NonosatError(f"the proof does not hold: {fault}")
        yield page_event("written", summary=f"{proof.claim}: {len(proof.steps):,} steps, checked")
        return
    formula = parts.formula(puzzle)
    lines = dimacs.write(formula, parts.name, dumps([puzzle], "json"))
    if what == "map":
        lines = (piece for piece in lines if piece.startswith("c"))
    path = Path(folder) / f"puzzle.{what}"
    with path.open("w", encoding="utf-8") as file:
        file.writelines(lines)
    yield page_event("written", summary="")


@work
def reported(store: str, folder: str) -> Iterator[dict[str, Any]]:
    """The report of a store's records, as a page in ``folder``."""
    from nonosat.studies.analysis import frames
    from nonosat.studies.analysis.report.write import write_report
    from nonosat.studies.store import StoreReader
    from nonosat.studies.study import analysis_of

    with StoreReader(store) as reader:
        title, provenance, toml = reader.title, dict(reader.provenances()), reader.toml
        analysis = analysis_of(reader.study)
    write_report(frames.load(store), folder, title, provenance, ("svg",), toml=toml, analysis=analysis)
    yield page_event("written")


@work
def planned(store: str) -> Iterator[dict[str, Any]]:
    """How many runs the study of a store states in all."""
    from nonosat.app import stores

    yield page_event("planned", runs=stores.planned(Path(store)))


@work
def recorded(store: str, key: str) -> Iterator[dict[str, Any]]:
    """The puzzle of a record."""
    from nonosat.app.wire import puzzle_to_wire
    from nonosat.encodings.registry import MODEL
    from nonosat.studies.models import puzzle_of
    from nonosat.studies.session import planned as groups_of
    from nonosat.studies.store import StoreReader
    from nonosat.studies.study import parse

    with StoreReader(store) as reader:
        record = next(reader.records('"key" = ?', (key,)), None)
        study = parse(reader.toml, Path(store).with_suffix(".toml"))
    if record is None:
        raise NonosatError("there is no such record")
    if record["kind"] == MODEL:
        raise NonosatError(f"{record['instance']} is a model: only puzzles are watched here")
    for group in groups_of(study, None):
        if group.instance.name == record["instance"]:
            yield page_event("puzzle", puzzle=puzzle_to_wire(puzzle_of(group.instance)))
            return
    raise NonosatError(f"the study as it is now has no puzzle {record['instance']}")


@work
def certified(puzzle: Puzzle, folder: str) -> Iterator[dict[str, Any]]:
    """A certificate of what the solutions are, checked, as two files in ``folder``."""
    from nonosat.certificates.certify import certify

    made = certify(puzzle)
    if made.claim is None:
        raise NonosatError(f"nothing is proved: {made.answer.reason or made.answer.verdict}")
    made.write(folder, "puzzle")
    cost, claim = made.answer.statistics, str(made.claim)
    yield page_event(
        "written",
        summary=f"{claim[0].upper()}{claim[1:]}. {cost.certificate_steps or 0:,} lines of proof "
        f"by {made.answer.solver}, solved in {cost.solve_s or 0:.3g} s, checked in {cost.check_s or 0:.3g} s.",
    )
