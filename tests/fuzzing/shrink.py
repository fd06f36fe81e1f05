"""A case made small while it still fails: whatever can be left out is left out, until nothing can."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from fuzzing import models
from fuzzing.alone import alone
from fuzzing.cases import Case, PlainCsp, PlainFormula, PlainModel, PlainProof, SugarText, size_of
from fuzzing.judge import Finding, Step, examine
from fuzzing.truth import truth_of
from fuzzing.ways import FORMULA, Question, Way
from nonosat.errors import NonosatError
from nonosat.puzzles.nonogram import Clue, Given, Nonogram, Run
from nonosat.puzzles.nonogram.puzzle import Picture
from nonosat.puzzles.skyscrapers import EDGES, Skyscrapers

HANG_S = 10.0
TRIES = 1000
"""How many smaller cases are tried: work and not time, so that a busy machine finds the same ones."""
A_HANG = 200
"""As so many tries counts one that hangs."""


def judged(case: Case, finding: Finding) -> Finding | None:
    """What is found if ``case`` is asked what ``finding`` was asked, in a process of its own."""
    found, death = alone(_examined, case, finding.way, finding.question, seconds=HANG_S)
    if death is not None:
        sort = "hang" if death == "hang" else "lost"
        return Finding(finding.way, finding.question, sort, death, str(truth_of(case)))
    told: Finding | None = found
    return told


def _examined(case: Case, way: Way, question: Question) -> Finding | None:
    """The first finding of the way itself; where brute force does not tell what is true, others do."""
    truth = truth_of(case, 200_000)
    steps: list[Step] = [(way, question)]
    if not truth.whole:
        steps += [(witness, question) for witness in _witnesses(case)]
    return next((finding for finding in examine(case, steps, truth=truth) if finding.way == way), None)


def _witnesses(case: Case) -> list[Way]:
    if isinstance(case, Nonogram):
        return [Way("propagation"), Way("minisat22", "tight+r3+order", FORMULA), Way("auto")]
    if isinstance(case, Skyscrapers):
        return [Way("phases"), Way("minisat22", "permutation+visible+coupled", FORMULA)]
    if isinstance(case, PlainFormula):
        return [Way("minisat22", "", FORMULA)]
    if isinstance(case, PlainProof):
        return []
    return [Way("minisat22", "order", FORMULA), Way("cadical153", "direct", FORMULA)]


def shrunk(
    case: Case, finding: Finding, tries: float, judge: Callable[[Case, Finding], Finding | None] = judged
) -> tuple[Case, Finding] | None:
    """The smallest case found in so many ``tries`` with a finding of the same sort; None if it does not come again."""
    again = judge(case, finding)
    if again is None:
        return None
    finding = replace(finding, sort=again.sort, said=again.said, true=again.true)
    sort = finding.sort
    moved = True
    while moved:
        moved = False
        for smaller in sorted(_smaller(case), key=size_of):
            if tries <= 0:
                return case, finding
            if size_of(smaller) >= size_of(case):
                continue
            found = judge(smaller, finding)
            tries -= 1 if found is None or found.sort != "hang" else A_HANG
            if found is not None and found.sort == sort:
                case, finding, moved = smaller, found, True
                break
    return case, finding


def _smaller(case: Case) -> list[Case]:
    makers: dict[type, Callable[[Any], Iterator[Callable[[], Case]]]] = {
        Nonogram: _nonograms,
        Skyscrapers: _skyscrapers,
        PlainCsp: _csps,
        PlainModel: models.smaller,
        PlainFormula: _formulas,
        PlainProof: _proofs,
        SugarText: lambda _: iter(()),
    }
    cases: dict[Any, Case] = {}
    for make in makers[type(case)](case):
        try:
            made = make()
        except (NonosatError, ValueError):
            continue  # what is left is no puzzle
        cases.setdefault(repr(made), made)
    return list(cases.values())


# Nonograms.


def _nonograms(puzzle: Nonogram) -> Iterator[Callable[[], Nonogram]]:
    """Fewer lines, given cells, runs, colours; and what is read off a solution with lines or cells left out."""
    rows, columns, given = puzzle.rows, puzzle.columns, puzzle.given
    plain = replace(puzzle, goal=None, title="")

    def with_(**changes: Any) -> Callable[[], Nonogram]:
        return lambda: replace(plain, **changes)

    for r in range(puzzle.height):
        left = tuple(Given(g.row - (g.row > r), g.column, g.value) for g in given if g.row != r)
        yield with_(rows=_without(rows, r), given=left)
    for c in range(puzzle.width):
        left = tuple(Given(g.row, g.column - (g.column > c), g.value) for g in given if g.column != c)
        yield with_(columns=_without(columns, c), given=left)
    if given:
        yield with_(given=())
    for at in range(len(given)):
        yield with_(given=_without(given, at))
    across, down = list(_fewer_runs(rows)), list(_fewer_runs(columns))
    for fewer in across:
        yield with_(rows=fewer)
    for fewer in down:
        yield with_(columns=fewer)
    if len(across) * len(down) <= 400:  # the sums stay equal if both lose the same
        for one in across:
            for other in down:
                yield with_(rows=one, columns=other)
    for colour in range(1, puzzle.colours + 1):
        if puzzle.colours > 1:
            yield lambda colour=colour: _recoloured(plain, colour)
    board = next(iter(sorted(truth_of(puzzle, 100_000).boards)), None)
    if board is not None:
        yield from _pictures(plain, np.frombuffer(board, dtype=np.uint8).reshape(puzzle.shape))


def _pictures(puzzle: Nonogram, cells: Any) -> Iterator[Callable[[], Nonogram]]:
    def read(smaller: Any, given: tuple[Given, ...] = ()) -> Callable[[], Nonogram]:
        return lambda: replace(Nonogram.from_picture(Picture(smaller, puzzle.palette)), goal=None, given=given)

    yield read(cells, puzzle.given)
    for r in range(cells.shape[0]):
        yield read(np.delete(cells, r, 0))
    for c in range(cells.shape[1]):
        yield read(np.delete(cells, c, 1))
    for r, c in np.argwhere(cells).tolist():
        fewer = cells.copy()
        fewer[r, c] = 0
        yield read(fewer, tuple(g for g in puzzle.given if (g.row, g.column) != (r, c)))


def _without(items: tuple[Any, ...], at: int) -> tuple[Any, ...]:
    return items[:at] + items[at + 1 :]


def _fewer_runs(clues: tuple[Clue, ...]) -> Iterator[tuple[Clue, ...]]:
    for line, clue in enumerate(clues):
        for at, run in enumerate(clue):
            shorter = (Run(run.length - 1, run.colour),) if run.length > 1 else ()
            for less in {(), shorter}:
                yield (*clues[:line], (*clue[:at], *less, *clue[at + 1 :]), *clues[line + 1 :])


def _recoloured(puzzle: Nonogram, colour: int) -> Nonogram:
    """``colour`` is no more: its runs and given cells are of the next lower one (of the next higher, if it is 1)."""

    def new(value: int) -> int:
        return max(value - 1, 1) if value >= colour and value else value

    def clues(lines: tuple[Clue, ...]) -> tuple[Clue, ...]:
        return tuple(tuple(Run(run.length, new(run.colour)) for run in clue) for clue in lines)

    given = tuple(Given(g.row, g.column, new(g.value)) for g in puzzle.given)
    palette = puzzle.palette[: puzzle.colours - 1]
    return Nonogram(clues(puzzle.rows), clues(puzzle.columns), given, palette)


# Skyscrapers, CSPs, formulas, proofs.


def _skyscrapers(puzzle: Skyscrapers) -> Iterator[Callable[[], Skyscrapers]]:
    clues, given, size = puzzle.clues, puzzle.given, puzzle.size
    for place in range(size) if size > 1 else ():
        edges = [_without(getattr(puzzle, edge), place) for edge in EDGES]
        fewer = [min(clue, size - 1) for edge in edges for clue in edge]
        yield lambda fewer=fewer: Skyscrapers.from_clues(fewer)
    for at in range(len(given)):
        yield lambda at=at: Skyscrapers.from_clues(clues, _without(given, at))
    for at, clue in enumerate(clues):
        if clue:
            yield lambda at=at: Skyscrapers.from_clues((*clues[:at], 0, *clues[at + 1 :]), given)


def _csps(case: PlainCsp) -> Iterator[Callable[[], PlainCsp]]:
    for at in range(len(case.constraints)):
        yield lambda at=at: replace(case, constraints=_without(case.constraints, at))
    for at, (what, *about) in enumerate(case.constraints):
        if what == "precedes":
            continue
        for entry in range(len(about[0])):
            fewer = (what, _without(about[0], entry), *about[1:])
            yield lambda at=at, fewer=fewer: _with_constraint(case, at, fewer)
    for v, (low, high) in enumerate(case.domains):
        yield lambda v=v: _without_variable(case, v)
        for domain in ((low + 1, high), (low, high - 1)) if low < high else ():
            domains = (*case.domains[:v], domain, *case.domains[v + 1 :])
            yield lambda domains=domains: replace(case, domains=domains)


def _with_constraint(case: PlainCsp, at: int, constraint: tuple[Any, ...]) -> PlainCsp:
    return replace(case, constraints=(*case.constraints[:at], constraint, *case.constraints[at + 1 :]))


def _without_variable(case: PlainCsp, gone: int) -> PlainCsp:
    """ValueError if a constraint is about it, or if it is the last one."""

    def new(v: int) -> int:
        if v == gone:
            raise ValueError
        return v - (v > gone)

    if len(case.domains) == 1:
        raise ValueError
    constraints: list[tuple[Any, ...]] = []
    for what, *about in case.constraints:
        match what:
            case "linear":
                constraints.append((what, tuple((a, new(v)) for a, v in about[0]), *about[1:]))
            case "different":
                constraints.append((what, tuple(map(new, about[0]))))
            case "precedes":
                constraints.append((what, new(about[0]), about[1], new(about[2])))
            case _:
                constraints.append((what, tuple((new(entry[0]), *entry[1:]) for entry in about[0])))
    return PlainCsp(_without(case.domains, gone), tuple(constraints))


def _formulas(case: PlainFormula) -> Iterator[Callable[[], PlainFormula]]:
    for at, clause in enumerate(case.clauses):
        yield lambda at=at: replace(case, clauses=_without(case.clauses, at))
        for entry in range(len(clause)) if len(clause) > 1 else ():
            fewer = (*case.clauses[:at], _without(clause, entry), *case.clauses[at + 1 :])
            yield lambda fewer=fewer: replace(case, clauses=fewer)
    for v in range(1, case.variables + 1) if case.variables > 1 else ():
        if all(abs(literal) != v for clause in case.clauses for literal in clause):
            clauses = tuple(tuple(x - (x > v) + (x < -v) for x in clause) for clause in case.clauses)
            yield lambda clauses=clauses: PlainFormula(case.variables - 1, clauses)


def _proofs(case: PlainProof) -> Iterator[Callable[[], PlainProof]]:
    """Fewer lines and terms, and shorter numbers; the proof counts the constraints of what is left."""
    for at in range(len(case.statement)):
        yield lambda at=at: _recounted(_without(case.statement, at), case.proof)
    length = len(case.proof)
    while length:  # many lines at once, then fewer
        for at in range(0, len(case.proof), length):
            yield lambda at=at, end=at + length: PlainProof(case.statement, case.proof[:at] + case.proof[end:])
        length //= 2
    for at, line in enumerate(case.statement):
        for fewer in _shorter(line):
            lines = (*case.statement[:at], fewer, *case.statement[at + 1 :])
            yield lambda lines=lines: _recounted(lines, case.proof)
    for at, line in enumerate(case.proof):
        for fewer in _shorter(line):
            lines = (*case.proof[:at], fewer, *case.proof[at + 1 :])
            yield lambda lines=lines: PlainProof(case.statement, lines)


def _shorter(line: str) -> Iterator[str]:
    words = line.split()
    for at in range(len(words) - 1):
        yield " ".join(words[:at] + words[at + 2 :])
    for at, word in enumerate(words):
        for short in ("1", word.lstrip("~+-")) if word[0] in "~+-" or (len(word) > 1 and word.isdigit()) else ():
            yield " ".join([*words[:at], short, *words[at + 1 :]])


def _recounted(statement: tuple[str, ...], proof: tuple[str, ...]) -> PlainProof:
    constraints = [line.split() for line in statement if line.strip() and not line.startswith(("*", "preserved:"))]
    count = str(sum(2 if "=" in words else 1 for words in constraints))
    lines = (f"f {count}{line[len(line.rstrip(' ;')) :]}" if line.startswith("f ") else line for line in proof)
    return PlainProof(statement, tuple(lines))
