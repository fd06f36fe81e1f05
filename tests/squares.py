"""Latin squares: a kind of puzzle, and an integer encoding, that the package has never heard of."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from nonosat.csp.build import Builder
from nonosat.csp.flatten import flatten
from nonosat.csp.model import CSP, Ints
from nonosat.encodings.direct import DirectMap
from nonosat.encodings.expand import compiled
from nonosat.encodings.formula import BooleanMeaning, Formula
from nonosat.encodings.parts import Chosen, Integers, Kind, Part
from nonosat.errors import FormatError, PuzzleError
from nonosat.puzzles.formats.native import JsonNumber, dumped
from nonosat.puzzles.puzzle import Board, Fault, Given, Members, PuzzleKind, given_fault, size_fault


@dataclass(frozen=True, eq=False)
class Square(Board):
    kind: ClassVar[str] = "latin"

    def __post_init__(self) -> None:
        self._keep(np.array(self.cells, dtype=np.uint8))

    def rows(self) -> list[str]:
        return ["".join(map(str, row)) for row in self.cells.tolist()]


@dataclass(frozen=True)
class Latin:
    size: int
    given: tuple[Given, ...] = ()
    title: str = ""
    goal: Square | None = None
    kind: ClassVar[str] = "latin"

    @property
    def shape(self) -> tuple[int, int]:
        return self.size, self.size

    def picture(self, cells: npt.ArrayLike) -> Square:
        values = np.asarray(cells)
        if values.min() < 1 or values.max() > self.size:
            raise PuzzleError(f"values from 1 to {self.size}")
        return Square(values)

    def facts(self) -> dict[str, int | float]:
        return {"given": len(self.given)}

    def contradiction(self) -> str | None:
        return None


def fault(puzzle: Latin, board: Board) -> Fault | None:
    if (wrong := size_fault(puzzle, board)) is not None:
        return wrong
    for axis, lines in (("row", board.cells), ("column", board.cells.T)):
        for index, line in enumerate(lines.tolist()):
            if sorted(line) != list(range(1, puzzle.size + 1)):
                return Fault(axis, index, "not every number once")
    return given_fault(puzzle, board.cells.tolist())


def read(data: dict[str, object], texts: dict[str, str]) -> Latin:
    size, given = data.get("size"), data.get("given", [])
    if not isinstance(size, JsonNumber) or not isinstance(given, list):
        raise FormatError("no square")
    return Latin(int(size), tuple(Given(*map(int, cell)) for cell in given), texts["title"])


def write(puzzle: Latin) -> list[str]:
    return [f'"size": {puzzle.size}', f'"given": {dumped([list(cell) for cell in puzzle.given])}']


def differ(puzzle: Latin) -> CSP:
    model, every = Builder(), range(puzzle.size)
    cells = [[model.integer(f"x_{r}_{c}", 1, puzzle.size) for c in every] for r in every]
    for line in (*cells, *zip(*cells, strict=True)):
        model.all_different(line)
    for row, column, value in puzzle.given:
        model.linear([(1, cells[row][column])], "=", value)
    csp = model.csp()
    return replace(csp, board=csp.board.reshape(puzzle.shape))


def state(puzzle: Latin, chosen: Chosen) -> CSP:
    stated: CSP = chosen("squares")[0](puzzle)
    return stated


class BackwardsMap(DirectMap):
    """``first[v] + i`` is ``[v = upper[v] - i]``: read as the direct encoding it would be another board."""

    kind = "backwards"

    def _mirrored(self, variables: Ints, values: Ints) -> Ints:
        low, high = self.lower[variables], self.upper[variables]
        return np.where(high - low > 1, low + high - values, values).astype(np.int32)

    def equal(self, variables: Ints, values: Ints) -> Ints:
        return super().equal(variables, self._mirrored(variables, values))

    def meanings(self) -> Iterator[BooleanMeaning]:
        for boolean, variable, [value] in super().meanings():
            low, high = int(self.lower[variable]), int(self.upper[variable])
            yield boolean, variable, [low + high - value if high - low > 1 else value]

    def decode(self, true: npt.NDArray[np.bool_], variables: Ints) -> Ints:
        return self._mirrored(variables, super().decode(true, variables))


def compile_backwards(csp: CSP) -> Formula:
    flat = flatten(csp, supports=True, memberships=True)
    return compiled(flat, BackwardsMap.of(flat.lower, flat.upper))


BACKWARDS = Integers(
    "backwards", compile_backwards, "direct, from the largest value on", "these tests", map=BackwardsMap
)
ENCODINGS = Kind("latin", (Part("squares", "squares", differ, "", ""),), (("squares",),), state, "squares+order", ())
KIND = PuzzleKind(
    name="latin",
    puzzle="squares:Latin",  # where it is, or
    board=Square,  # what it is
    check=fault,
    json=Members(("size", "given"), read, write),
    encodings="squares:ENCODINGS",
)
