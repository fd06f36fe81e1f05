r"""Kakuro as a kind of puzzle that states itself as a model: `nonosat --plugin examples/kakuro.py solve FILE.kakuro`.

Runs of white cells add up to their clue, and no digit is twice in one. In a text, ``across\down`` is a black cell with
the sums of the runs that begin behind and below it, ``#`` a black cell without one, ``.`` a white cell, and a digit a
white cell that is given.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

from nonosat import FormatError, Model
from nonosat.modelling.kind import ModelBoard, ModelPuzzle, model_kind, pseudo_boolean
from nonosat.puzzles.puzzle import Format

WHITE, DIGITS = ".", tuple("123456789")


@dataclass(frozen=True, eq=False)
class KakuroBoard(ModelBoard):
    """Digits, and 0 for black cells."""

    kind: ClassVar[str] = "kakuro"


@dataclass(frozen=True)
class Kakuro(ModelPuzzle):
    r"""``cells``: a text for each cell, row by row: ``.``, ``#`` or ``across\\down``."""

    cells: tuple[tuple[str, ...], ...]

    kind: ClassVar[str] = "kakuro"
    board: ClassVar[type[ModelBoard]] = KakuroBoard

    def runs(self) -> Iterator[tuple[str, int, list[tuple[int, int]]]]:
        """The name, the sum and the cells of every run."""
        for r, row in enumerate(self.cells):
            for c, text in enumerate(row):
                across, _, down = text.partition("\\")
                for clue, (dr, dc), way in ((across, (0, 1), "across"), (down, (1, 0), "down")):
                    if clue.isdecimal():
                        places, at = [], (r + dr, c + dc)
                        while at[0] < len(self.cells) and at[1] < len(row) and self.cells[at[0]][at[1]] == WHITE:
                            places.append(at)
                            at = at[0] + dr, at[1] + dc
                        yield f"{clue} {way} from row {r + 1}, column {c + 1}", int(clue), places

    def model(self) -> Model:
        """Digits that differ and add up."""
        model = Model(self.title or "Kakuro")
        low, high = ([[digit * (text == WHITE) for text in row] for row in self.cells] for digit in (1, 9))
        cell = model.integer("cell", low, high, shape=(len(self.cells), len(self.cells[0])))
        for name, total, places in self.runs():
            run = model.array([cell[place] for place in places])
            model.add(model.all_different(run) & (run.sum() == total), name=name)
        return model


def read(text: str) -> list[Kakuro]:
    """A line a row, blanks between cells."""
    rows = [(number, tuple(line.split())) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
    for number, row in rows:
        if len(row) != len(rows[0][1]):
            raise FormatError(f"{len(row)} cells in a row, and {len(rows[0][1])} in the first", number)
    if not rows:
        raise FormatError("no rows")
    given = [(r, c, int(text)) for r, (_, row) in enumerate(rows) for c, text in enumerate(row) if text in DIGITS]
    return [Kakuro(tuple(tuple(WHITE if text in DIGITS else text for text in row) for _, row in rows), given=given)]


def write(puzzles: Sequence[Kakuro]) -> str:
    """The text of one puzzle."""
    [puzzle] = puzzles
    rows = [list(row) for row in puzzle.cells]
    for row, column, digit in puzzle.given:
        rows[row][column] = str(digit)
    return "".join(" ".join(row) + "\n" for row in rows)


TEXT = Format("kakuro", (".kakuro",), "a line a row: . is white, # black, 16\\17 black with sums", read, write)
PARTS = [model_kind("kakuro", Kakuro, formats=(TEXT,), statement=pseudo_boolean)]
