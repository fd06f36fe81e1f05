"""Rows of cells with linear constraints, a kind of puzzle that the package has never heard of: Kakuro and more.

A cell has one of some values; of a row, a weighted sum of its cells and of *margins* is bounded. A margin is an integer
of any sign that is no cell: the statement tells of it by what it is at most.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from itertools import combinations, product
from typing import ClassVar, Literal

import numpy as np
import numpy.typing as npt

from nonosat.certificates.statement import PBConstraint, Statement, constraint
from nonosat.csp.build import Builder
from nonosat.csp.model import CSP
from nonosat.encodings.parts import Chosen, Kind, Part
from nonosat.errors import PuzzleError
from nonosat.puzzles.puzzle import Board, Fault, Given, PuzzleKind, given_fault, size_fault
from nonosat.rng import Rng

Relation = Literal["<=", ">=", "="]
Terms = tuple[tuple[int, int], ...]
"""(Coefficient, number of a cell, or of a margin behind the cells)."""


@dataclass(frozen=True, eq=False)
class Weights(Board):
    kind: ClassVar[str] = "weighed"

    def __post_init__(self) -> None:
        self._keep(np.array(self.cells, dtype=np.uint8))

    def rows(self) -> list[str]:
        return [" ".join(map(str, row)) for row in self.cells.tolist()]


@dataclass(frozen=True)
class Weighed:
    """``values``: of each cell, in order; ``margins``: (lowest, highest); ``sums``: (terms, relation, bound).

    Sum K says of margin K that it is a cell and, or less, another one, up to a constant.

    ``most``: the statement has names for the values up to it, and excludes those that are none of a cell's.
    ``zero``: it has a name for 0 too. ``shifted``: its sums are written in how far a cell is above its lowest value.
    ``different``: no two cells have one value; ``pairs``: the statement has that by pairs.
    """

    values: tuple[tuple[int, ...], ...]
    sums: tuple[tuple[Terms, Relation, int], ...]
    margins: tuple[tuple[int, int], ...] = ()
    most: int = 0
    zero: bool = True
    shifted: bool = False
    different: bool = False
    pairs: bool = False
    given: tuple[Given, ...] = ()
    title: str = ""
    goal: Weights | None = None
    kind: ClassVar[str] = "weighed"

    @property
    def shape(self) -> tuple[int, int]:
        return 1, len(self.values)

    def picture(self, cells: npt.ArrayLike) -> Weights:
        board = np.asarray(cells)
        if board.min() < 0 or board.max() > max(map(max, self.values)):
            raise PuzzleError("no values of cells")
        return Weights(board)

    def facts(self) -> dict[str, int | float]:
        return {"sums": len(self.sums)}

    def contradiction(self) -> str | None:
        return None


def fault(puzzle: Weighed, board: Board) -> Fault | None:
    if (wrong := size_fault(puzzle, board)) is not None:
        return wrong
    [cells] = board.cells.tolist()
    if any(cell not in values for cell, values in zip(cells, puzzle.values, strict=True)):
        return Fault("row", 0, "a value that is none of its cell's")
    if puzzle.different and len(set(cells)) < len(cells):
        return Fault("row", 0, "a value twice")
    for margins in product(*(range(low, high + 1) for low, high in puzzle.margins)):
        if all(_holds(one, [*cells, *margins]) for one in puzzle.sums):
            return given_fault(puzzle, board.cells.tolist())
    return Fault("row", 0, "a sum is wrong")


def _holds(one: tuple[Terms, Relation, int], values: list[int]) -> bool:
    terms, relation, bound = one
    total = sum(coefficient * values[at] for coefficient, at in terms)
    return {"<=": total <= bound, ">=": total >= bound, "=": total == bound}[relation]


def sums(puzzle: Weighed) -> CSP:
    model = Builder()
    cells = [model.integer(f"x_0_{at}", min(values), max(values)) for at, values in enumerate(puzzle.values)]
    every = [*cells, *(model.integer(f"q_{at}", *domain) for at, domain in enumerate(puzzle.margins))]
    for cell, values in zip(cells, puzzle.values, strict=True):
        for value in range(min(values), max(values)):
            if value not in values:
                model.clause(model.at_most(cell, value - 1), model.at_least(cell, value + 1))
    for terms, relation, bound in puzzle.sums:
        model.linear([(coefficient, every[at]) for coefficient, at in terms], relation, bound)
    if puzzle.different:
        model.all_different(cells)
    csp = model.csp()
    return CSP(csp.lower, csp.upper, csp.constraints, csp.board[:, : len(cells)], csp.blocks)


def state(puzzle: Weighed, chosen: Chosen) -> CSP:
    stated: CSP = chosen("sums")[0](puzzle)
    return stated


def statement(puzzle: Weighed) -> Statement:
    """``x0_C_V``: cell C has the value V; ``qK_A``: margin K is A at most, for a few more A than it needs."""
    board = {_cell(at, v): (0, at, v) for at in range(len(puzzle.values)) for v in _named(puzzle, at)}
    return Statement(board, partial(_constraints, puzzle), partial(_at_most, puzzle))


def _cell(at: int, value: int) -> str:
    return f"x0_{at}_{value}"


def _named(puzzle: Weighed, at: int) -> list[int]:
    """The values of a cell that have names."""
    return [v for v in range(max(puzzle.most, *puzzle.values[at]) + 1) if v or (puzzle.zero or puzzle.values[at][0])]


def _is(puzzle: Weighed, at: int, value: int) -> list[tuple[int, str | bool]]:
    """A sum that is 1 if a cell has a value, and less if not."""
    names = _named(puzzle, at)
    return [(1, _cell(at, value))] if value in names else [(1, True), *((-1, _cell(at, v)) for v in names)]


def _margin(puzzle: Weighed, at: int, bound: int) -> str | bool:
    low, high = puzzle.margins[at]
    loose = puzzle.most > 0
    name = f"q{at}_{'m' if bound < 0 else 'p'}{abs(bound)}"
    return name if low - loose <= bound < high + loose else bound >= high + loose


def _at_most(puzzle: Weighed, name: str, bound: int) -> list[str | bool] | None:
    what, _, at = name.partition("_")
    return [_margin(puzzle, int(at), bound)] if what == "q" else None


def _constraints(puzzle: Weighed) -> Iterator[PBConstraint]:
    cells, loose = len(puzzle.values), puzzle.most > 0
    for at, values in enumerate(puzzle.values):
        names = [(1, _cell(at, v)) for v in _named(puzzle, at)]
        if puzzle.zero or values[0]:
            yield from constraint(names, 1, equal=True)
        else:  # a cell with the value 0 has no name
            yield PBConstraint([(-1, name) for _, name in names], -1)
        for v in _named(puzzle, at):
            if v not in values:
                yield from constraint([(1, _cell(at, v))], 0, equal=True)
    for at, (low, high) in enumerate(puzzle.margins):
        for bound in range(low - loose, high + loose):
            one, two = (_margin(puzzle, at, b) for b in (bound, bound + 1))
            yield from constraint([(1, two), (-1, one)], 0)
        if loose:
            yield from constraint([(1, _margin(puzzle, at, low - 1))], 0, equal=True)
            yield from constraint([(1, _margin(puzzle, at, high))], 1)
        ((_, one), (sign, two), _), _, constant = puzzle.sums[at]
        for a, b in product(puzzle.values[one], puzzle.values[two]):  # so that propagation knows it from the cells
            both = [*_is(puzzle, one, a), *_is(puzzle, two, b)]
            for known, is_less in ((a + sign * b - constant, False), (a + sign * b - constant - 1, True)):
                margin = (-1 if is_less else 1, _margin(puzzle, at, known))
                yield from constraint([margin, *((-c, name) for c, name in both)], -is_less - 1)
    for terms, relation, bound in puzzle.sums:
        sign = -1 if relation == "<=" else 1
        said: list[tuple[int, str | bool]] = []
        for coefficient, at in terms:
            if at < cells:
                base = puzzle.values[at][0] if puzzle.shifted else 0
                said += [(sign * coefficient * (v - base), _cell(at, v)) for v in _named(puzzle, at) if v != base]
                bound -= coefficient * base
            else:
                low, high = puzzle.margins[at - cells]
                bound -= coefficient * (high + loose)
                margin = (_margin(puzzle, at - cells, b) for b in range(low - loose, high + loose))
                said += [(-sign * coefficient, name) for name in margin]
        yield from constraint(_merged(said), sign * bound, equal=relation == "=")
    if puzzle.different:
        for v in sorted({value for values in puzzle.values for value in values}):
            have = [at for at in range(cells) if v in puzzle.values[at]]
            for some in combinations(have, 2) if puzzle.pairs else [tuple(have)]:
                yield from constraint([(-c, name) for at in some for c, name in _is(puzzle, at, v)], -1)
    for row, column, value in puzzle.given:
        assert not row
        yield from constraint([(1, _cell(column, value))], 1, equal=True)


def _merged(terms: list[tuple[int, str | bool]]) -> list[tuple[int, str | bool]]:
    """A variable that a sum has twice, once."""
    net: dict[str | bool, int] = {}
    for coefficient, literal in terms:
        net[literal] = net.get(literal, 0) + coefficient
    return [(coefficient, literal) for literal, coefficient in net.items() if coefficient]


def random_weighed(seed: int, most: int = 4) -> Weighed:
    """Two to five cells, a margin now and then, one to four sums of coefficients of both signs."""
    stream = Rng(seed)
    count = 2 + stream.below(4)
    values = []
    for _ in range(count):
        low = stream.below(4)
        some = [low + v for v in range(1 + stream.below(most)) if v == 0 or stream.below(4)]
        values.append(tuple(some))
    found: list[tuple[Terms, Relation, int]] = []
    margins = []
    if stream.below(3) == 0 and count > 2:  # a sum or difference of two cells
        margins.append((-4 + stream.below(4), stream.below(5)))
        found.append((((1, 0), ((-1, 1)[stream.below(2)], 1), (-1, count)), "=", stream.below(5) - 1))
        count += 1
    for _ in range(1 + stream.below(3)):
        size = 1 + stream.below(count)
        terms = tuple(((-3, -2, -1, 1, 1, 1, 2)[stream.below(7)], at) for at in stream.shuffled(count)[:size])
        if stream.below(6) == 0:
            terms += terms[:1]
        domains = [*((v[0], v[-1]) for v in values), *margins]
        middle = sum(c * sum(domains[at]) for c, at in terms) // 2
        relation: Relation = ("<=", ">=", "=")[stream.below(3)]
        found.append((terms, relation, middle + stream.below(5) - 2))
    return Weighed(
        tuple(values),
        tuple(found),
        tuple(margins),
        (0, 0, 5, 9)[stream.below(4)],
        bool(stream.below(2)),
        bool(stream.below(2)),
        stream.below(3) == 0,
        bool(stream.below(2)),
    )


ENCODINGS = Kind("weighed", (Part("sums", "sums", sums, "", ""),), (("sums",),), state, "sums+order", ())
KIND = PuzzleKind(
    name="weighed",
    puzzle=Weighed,
    board=Weights,
    check=fault,
    encodings="weighed:ENCODINGS",
    statement="weighed:statement",
)
