"""Every puzzle, formula, CSP and proof in tests/regressions, through everything that solves or checks it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from fuzzing.alone import folder_of_regressions
from fuzzing.cases import Case, read
from fuzzing.draw import bearable
from fuzzing.drive import survived
from fuzzing.judge import Step, examine
from fuzzing.truth import truth_of
from fuzzing.ways import ALL, COUNTS, FIRST, STEPS, UNIQUE, Question, ways_of
from sampling import nightly, spread

from nonosat.puzzles.formats import FORMATS

pytestmark = pytest.mark.filterwarnings("ignore:.*multi-threaded, use of fork:DeprecationWarning")

FILES = sorted(path for path in folder_of_regressions().iterdir() if path.suffix != ".md")
FEW = ("minisat22",)
"""SAT solvers that every encoding is given to by default; the others get one."""


def several(case: Case) -> tuple[Question, ...]:
    """What is asked: all, where that is few."""
    return ALL if truth_of(case).whole else Question(12), UNIQUE, FIRST


def by_sat(case: Case, everything: bool) -> Iterator[Step]:
    every = ways_of(case.kind)["SAT"]
    for way in every:
        if everything or way.solver in FEW or way.encoding == every[0].encoding:
            for question in several(case) if everything else several(case)[:1]:
                yield way, question


def by_own_ways(case: Case, everything: bool) -> Iterator[Step]:
    """Native solvers, and the functions that users call."""
    for family, ways in ways_of(case.kind).items():
        if family in ("SAT", "auto", "cpsat", "cpsat-automaton"):
            continue
        for way in ways[:: 1 if everything else 40]:
            questions = several(case) if way.through not in (COUNTS, STEPS) else (ALL,)
            for question in questions if bearable(case, way) else ():
                yield way, question


def by_auto(case: Case, everything: bool) -> Iterator[Step]:
    for way in ways_of(case.kind).get("auto", ()):
        for question in several(case):
            yield way, question


def by_cpsat(case: Case, everything: bool) -> Iterator[Step]:
    """In a process of its own each, under a limit: it has aborted."""
    families = ways_of(case.kind)
    ways = (*families.get("cpsat", ())[: None if everything else 1], *families.get("cpsat-automaton", ()))
    for way in ways:
        for question in several(case) if everything else several(case)[:2]:
            yield way._replace(limited=True), question


def parts(in_turn: bool = False) -> Iterator[object]:
    """Each file by everything; or, ``in_turn``, by one of the four."""
    makers = {"SAT": by_sat, "own": by_own_ways, "auto": by_auto, "CP-SAT": by_cpsat}
    for number, path in enumerate(path for path in FILES if path.suffix not in (".cnf", ".proof")):
        for place, (name, make) in enumerate(makers.items()):
            if not in_turn or place == number % len(makers):
                yield pytest.param(path, make, id=f"{path.name}-{name}")


def check(path: Path, make: object, everything: bool) -> None:
    case, _ = read(path)
    steps = list(make(case, everything))  # type: ignore[operator]
    limited = [step for step in steps if step[0].limited]
    findings = survived(case, [step for step in steps if not step[0].limited]) + examine(case, limited)
    assert not findings, "\n".join(map(str, findings))


@pytest.mark.whole
@pytest.mark.parametrize(("path", "make"), spread(parts(in_turn=True), 12))
def test_regressions(path: Path, make: object) -> None:
    check(path, make, everything=False)


@pytest.mark.slow
@pytest.mark.parametrize(("path", "make"), nightly(parts(), 20))
def test_regressions_by_all_ways(path: Path, make: object) -> None:
    check(path, make, everything=True)


@pytest.mark.parametrize("path", [path for path in FILES if path.suffix == ".cnf"], ids=lambda path: path.name)
def test_formulas_that_broke_a_solver(path: Path) -> None:
    case, _ = read(path)
    steps = [(way._replace(limited=True), ALL) for way in ways_of("formula")["SAT"]]
    findings = examine(case, steps)
    assert not findings, "\n".join(map(str, findings))


@pytest.mark.parametrize("path", [path for path in FILES if path.suffix == ".proof"], ids=lambda path: path.name)
def test_proofs_that_were_misjudged(path: Path) -> None:
    case, _ = read(path)
    findings = examine(case, [(way, ALL) for ways in ways_of("proof").values() for way in ways])
    assert not findings, "\n".join(map(str, findings))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_files_have_a_reason(path: Path) -> None:
    case, why = read(path)
    assert len(why) > 10
    assert path.suffix in (".json", ".csp", ".cnf", ".proof")
    if case.kind in ("nonogram", "skyscrapers"):
        assert path.suffix in FORMATS["json"].suffixes  # so that it is solved as it is
