r"""Kakuro as a kind of puzzle that states itself as a model: `nonosat --plugin examples/kakuro.py solve FILE.kakuro`.

Runs of white cells add up to their clue, and no digit is twice in one. In a text, ``across\down`` is a black cell with
the sums of the runs that begin behind and below it, ``#`` a black cell without one, ``.`` a white cell, and a digit a
white cell that is given.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import ClassVar

from nonosat import FormatError, Model
from nonosat.modelling.kind import ModelBoard, ModelPuzzle, model_kind, pseudo_boolean
from nonosat.puzzles.drawing import EDGE, FONTS, document
from nonosat.puzzles.puzzle import Format, given_board

WHITE, DIGITS, SIDE = ".", tuple("123456789"), 36


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


def text(puzzle: Kakuro, board: KakuroBoard | None = None, colour: bool = False) -> str:
    """As it is read; digits are those that are given, or those of ``board``."""
    values = given_board(puzzle) if board is None else board.cells.tolist()
    rows = [zip(*row, strict=True) for row in zip(puzzle.cells, values, strict=True)]
    return "\n".join(" ".join(f"{value or word!s:5}" for word, value in row).rstrip() for row in rows)


def svg(puzzle: Kakuro, board: KakuroBoard | None = None) -> str:
    """Black cells with their sums; on the others what is given, or what ``board`` has."""
    values = given_board(puzzle) if board is None else board.cells.tolist()
    height, width = puzzle.shape
    parts = []
    for r, c in product(range(height), range(width)):
        across, has_sums, down = puzzle.cells[r][c].partition("\\")
        ink, fill = ("black", "white") if across == WHITE else ("white", "#333333")
        parts.append(f'<path d="M{SIDE * c} {SIDE * r}h{SIDE}v{SIDE}h-{SIDE}z" fill="{fill}" stroke="#777777"/>')
        sums = [(across, 0.72, 0.4, 12), (down, 0.28, 0.86, 12)] if has_sums else []
        for word, x, y, size in sums or [(values[r][c] or "", 0.5, 0.7, 22)]:
            place = f'x="{SIDE * (c + x):g}" y="{SIDE * (r + y):g}" font-size="{size}" font-family="{FONTS}"'
            parts.append(f'<text {place} text-anchor="middle" fill="{ink}">{word}</text>')
    return document("Kakuro", EDGE, EDGE, SIDE * width + 2 * EDGE, SIDE * height + 2 * EDGE, parts, SIDE)


ABOUT = "a line a row: . is white, # black, 16\\17 black with sums"
TEXT = Format("kakuro", (".kakuro",), ABOUT, read, lambda puzzles: f"{text(*puzzles)}\n")
PARTS = [model_kind("kakuro", Kakuro, formats=(TEXT,), puzzle_text=text, svg=svg, statement=pseudo_boolean)]
