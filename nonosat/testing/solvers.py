"""Checks of a solver: what it finds is held against brute force."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial

from nonosat import plugins
from nonosat.errors import UnsupportedError
from nonosat.puzzles.puzzle import Puzzle
from nonosat.solvers.answer import Verdict
from nonosat.solvers.solve import solve
from nonosat.solvers.solver import Solver
from nonosat.testing.brute import solutions
from nonosat.testing.formats import one_line
from nonosat.testing.samples import SAMPLES, samples


def checks(solver: Solver, puzzles: Sequence[Puzzle]) -> Iterator[tuple[str, Callable[[], None]]]:
    """Those of one solver, on the puzzles that it is for."""
    mine = [puzzle for kind in SAMPLES for puzzle in samples(kind)] + list(puzzles)
    own = [puzzle for puzzle in mine if solver.kind in (None, puzzle.kind)]
    yield "one solution, or none", partial(one, solver, own)
    if solver.complete:
        yield "all solutions", partial(every, solver, own)
    for words in switched(solver):
        yield f"with {words}: one solution, or none", partial(one, solver.switched([words]), own)
    yield "in a process of its own", partial(limited, solver, own)
    yield "refuses other kinds", partial(refuses, solver, [puzzle for puzzle in mine if puzzle not in own])


def switched(solver: Solver) -> list[str]:
    """Each of its switches by itself, numbers large."""
    words = [word for switch in solver.switches for word in switch.words]
    return [word + "1000000" * word.endswith("=") for word in words]


def one(solver: Solver, puzzles: Sequence[Puzzle]) -> None:
    """The first solution found is one; where there is none, a complete solver says so."""
    assert puzzles, "no puzzles to test with: give some to battery(parts, puzzles)"
    for puzzle in puzzles:
        answer, wanted = solve(puzzle, solver=solver.name), solutions(puzzle)
        if answer.verdict is Verdict.UNKNOWN and not solver.complete:
            continue
        right = Verdict.SAT if wanted else Verdict.UNSAT
        assert answer.verdict is right, f"{answer.verdict} ({answer.reason}): {puzzle}"
        assert not wanted or answer.picture in wanted


def every(solver: Solver, puzzles: Sequence[Puzzle]) -> None:
    """All are found, each once; two where two are asked for; and whether one is alone."""
    for puzzle in puzzles:
        wanted = solutions(puzzle)
        answer = solve(puzzle, solver=solver.name, count=None)
        assert answer.verdict in (Verdict.SAT, Verdict.UNSAT), f"{answer.verdict} ({answer.reason}): {puzzle}"
        assert answer.exhausted, f"does not say that there are no others: {puzzle}"
        assert set(answer.pictures) == wanted, f"{len(answer.pictures)} of {len(wanted)} solutions: {puzzle}"
        assert len(solve(puzzle, solver=solver.name, count=2).pictures) == min(2, len(wanted))
        if wanted:
            assert solve(puzzle, solver=solver.name, unique=True).unique is (len(wanted) == 1), f"unique? {puzzle}"


def limited(solver: Solver, puzzles: Sequence[Puzzle]) -> None:
    """It answers there as it does here. A part that only this process knows is left out: nothing could load it."""
    brought = plugins.origin(solver)
    if brought is not None and brought.source is None:
        return
    for puzzle in puzzles[:2]:
        assert solve(puzzle, solver=solver.name, time_limit_s=600).verdict is solve(puzzle, solver=solver.name).verdict


def refuses(solver: Solver, puzzles: Sequence[Puzzle]) -> None:
    """A puzzle of another kind is refused in one line."""
    for puzzle in puzzles:
        try:
            solve(puzzle, solver=solver.name)
        except UnsupportedError as error:
            one_line(error)
        else:
            raise AssertionError(f"{solver.name} is for {solver.kind}, and takes a puzzle of {puzzle.kind}")
