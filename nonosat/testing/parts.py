"""Checks of a solver: what it finds is held against brute force."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

from nonosat import plugins
from nonosat.errors import NonosatError, UnsupportedError
from nonosat.generators.registry import Generator
from nonosat.puzzles.formats import dumps, loads
from nonosat.puzzles.puzzle import Format, Puzzle, is_solution
from nonosat.rng import Rng
from nonosat.runs.events import Verdict
from nonosat.runs.solver import Solver
from nonosat.solvers.solve import solve
from nonosat.testing.brute import SAMPLES, samples, solutions

# Checks of a format: what it writes is read back; a broken text is refused in one line, and nothing else happens.


BROKEN = 300
LETTERS = '0123456789.#,:;/|-+ \n\t"{}[]xX\x00é𝟙'


def checks_of_format(known: Format, kind: str, puzzles: Sequence[Puzzle]) -> Iterator[tuple[str, Callable[[], None]]]:
    """Those of one format, on puzzles of one kind."""
    own = [*samples(kind), *(puzzle for puzzle in puzzles if puzzle.kind == kind)]
    yield f"{known.name}: what is written is read back ({kind})", partial(round_trip, known, own)
    yield f"{known.name}: broken texts are refused ({kind})", partial(broken, known, own)


def written(known: Format, puzzles: Sequence[Puzzle]) -> list[tuple[Puzzle, str]]:
    """The puzzles that the format can hold, each with its text; others are refused in one line."""
    found = []
    for puzzle in puzzles:
        try:
            found.append((puzzle, dumps(puzzle, known.name)))
        except UnsupportedError as error:
            one_line(error)
    assert found or not puzzles, f"{known.name} holds none of these puzzles"
    return found


def round_trip(known: Format, puzzles: Sequence[Puzzle]) -> None:
    """A puzzle comes back with the same solutions, and is written the same again."""
    for puzzle, text in written(known, puzzles):
        [read] = loads(text, known.name)
        assert (read.kind, read.shape) == (puzzle.kind, puzzle.shape)
        assert solutions(read) == solutions(puzzle), f"another puzzle comes back:\n{text}"
        assert dumps(read, known.name) == text, f"what is read is written differently:\n{text}"


def broken(known: Format, puzzles: Sequence[Puzzle]) -> None:
    """Texts cut and changed at random: read, or refused by a NonosatError of one line."""
    stream = Rng(0)
    texts = [text for _, text in written(known, puzzles)] or [""]
    for trial in range(BROKEN):
        text = texts[stream.below(len(texts))]
        for _ in range(stream.below(3) + (trial > 0)):
            at, end = sorted((stream.below(len(text) + 1), stream.below(len(text) + 1)))
            letter = LETTERS[stream.below(len(LETTERS))]
            text = (text[:at], text[:at] + letter + text[at + 1 :], text[:at] + text[end:])[stream.below(3)]
        try:
            loads(text, known.name)
        except NonosatError as error:
            one_line(error)


def one_line(error: Exception) -> None:
    """A message is one line."""
    assert "\n" not in str(error), f"an error of several lines: {error}"


# Checks of a generator: the same seed makes the same puzzle, which has the solution that it was made from.


SEEDS = (0, 1, 2**62)


def checks_of_generator(
    generator: Generator, values: Sequence[Sequence[Any]]
) -> Iterator[tuple[str, Callable[[], None]]]:
    """Those of one generator, for each of ``values`` of its parameters."""
    usual = [parameter.default for parameter in generator.parameters]
    yield "has values to test with", partial(_enough, [*values, *([usual] if None not in usual else [])])
    for chosen in values or ([usual] if None not in usual else []):
        shown = ", ".join(map(str, chosen))
        yield f"{shown}: the same puzzle again, as promised", partial(puzzles, generator, chosen)


def _enough(values: Sequence[object]) -> None:
    assert values, "no values of its parameters to test with: give some to battery(parts, values={name: [...]})"


def puzzles(generator: Generator, chosen: Sequence[Any]) -> None:
    """Made from its texts twice, of its kind, solved by its goal, unique if the generator says so."""
    values = [p.read(value) for p, value in zip(generator.parameters, chosen, strict=True)]
    texts = generator.texts(values)
    for parameter, text, value in zip(generator.parameters, texts, values, strict=True):
        assert "/" not in text, f"{parameter.word}: {text!r} is part of a name, and has no '/'"
        assert parameter.read(text) == value, f"{parameter.word}: {text!r} is read as another value"
    generator.known(texts)
    found = []
    for seed in SEEDS:
        puzzle = generator.puzzle(texts, seed)
        assert puzzle == generator.puzzle(texts, seed), f"seed {seed}: another puzzle the second time"
        assert puzzle.kind == generator.kind
        assert puzzle.goal is None or is_solution(puzzle, puzzle.goal)
        if generator.unique:
            assert solve(puzzle, unique=True).unique, f"seed {seed}: not the only solution"
        assert loads(dumps(puzzle, "json"), "json") == [puzzle]
        found.append(puzzle)
    assert len(set(found)) > 1 or found[0].shape < (3, 3), "every seed makes the same puzzle"


def checks_of_solver(solver: Solver, puzzles: Sequence[Puzzle]) -> Iterator[tuple[str, Callable[[], None]]]:
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
    """All are found, each once; two where two are requested; and whether one is alone."""
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
