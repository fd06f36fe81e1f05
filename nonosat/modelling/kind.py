"""A kind of puzzle that states itself as a model: the model says what it means, and all else follows from that.

A puzzle's ``model()`` declares an array ``cell``, first of all, which is the board, and adds constraints by the names
that explanations use. Encodings, solvers, counts, the check of a board, JSON, given cells and explanations come with
``model_kind``; certificates with ``pseudo_boolean``. A cell that is not open (a black one) has a domain of one value.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields, replace
from functools import lru_cache
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from nonosat.certificates.statement import Statement
from nonosat.csp.expressions import Expression, folded
from nonosat.csp.model import CSP, Clauses, ints, within
from nonosat.csp.statement import Problem
from nonosat.encodings.parts import INTEGERS, OURS, Chosen, Kind, Part
from nonosat.errors import FormatError, ModelError, PuzzleError
from nonosat.explanations.constraints import ByConstraints, ConstraintGroup, Named
from nonosat.explanations.steps import ConstraintRef
from nonosat.modelling.opb import StatedCSP, named_graphs
from nonosat.puzzles.formats.native import JsonNumber, dumped, shown
from nonosat.puzzles.puzzle import (
    Board,
    Fault,
    Given,
    Members,
    Puzzle,
    PuzzleKind,
    given_cells,
    given_fault,
    size_fault,
)

BOARD = "cell"
"""The name of the array that is the board."""


@dataclass(frozen=True, eq=False)
class ModelBoard(Board):
    """The board of a kind that states itself as a model: a subclass has the name of the kind."""

    def __post_init__(self) -> None:
        cells = np.asarray(self.cells)
        if (
            cells.ndim != 2
            or cells.dtype.kind not in "iu"
            or (cells.size and not 0 <= cells.min() <= cells.max() <= 255)
        ):
            raise PuzzleError(f"a board is a table of numbers from 0 to 255, not of the shape {cells.shape}")
        self._keep(np.array(cells, dtype=np.uint8))

    def rows(self) -> list[str]:
        """The values of each row, one behind the other if all have a digit, else with blanks between them."""
        wide = bool((self.cells > 9).any())
        return [(" " if wide else "").join(map(str, row)) for row in self.cells.tolist()]


@dataclass(frozen=True, kw_only=True)
class ModelPuzzle:
    """A puzzle that states itself: a subclass has ``kind``, ``board``, clues as fields, and ``model``.

    Clues are numbers, texts, and tuples of them, so that our JSON can hold them.
    """

    given: tuple[Given, ...] = ()
    title: str = ""
    author: str = ""
    licence: str = ""
    source: str = ""
    goal: Any = None

    kind: ClassVar[str]
    board: ClassVar[type[ModelBoard]]

    def __post_init__(self) -> None:
        object.__setattr__(self, "given", given_cells(self.given, cells_of(self.model()), 0, 255))
        if self.goal is not None and self.goal.shape != self.shape:
            raise PuzzleError("the goal is not of the puzzle's size")

    def model(self) -> Problem:
        """What the puzzle means, without the given cells."""
        raise NotImplementedError

    @property
    def shape(self) -> tuple[int, int]:
        """(rows, columns) of the board."""
        return cells_of(model_of(self))

    def domains(self) -> list[list[list[int]]]:
        """The values that each cell can have; one, where it is not open."""
        statement = model_of(self)
        height, width = cells_of(statement)
        each = [
            list(range(domain[0], domain[1] + 1)) if isinstance(domain, tuple) else domain.tolist()
            for domain in statement.domains[: height * width]
        ]
        return [each[row * width : (row + 1) * width] for row in range(height)]

    def picture(self, cells: npt.ArrayLike) -> ModelBoard:
        """The board of these values. PuzzleError: a cell cannot have its value."""
        board = self.board(np.asarray(cells))
        if board.shape == self.shape:
            for row, (values, domains) in enumerate(zip(board.cells.tolist(), self.domains(), strict=True)):
                for column, (value, domain) in enumerate(zip(values, domains, strict=True)):
                    if value not in domain:
                        raise PuzzleError(f"row {row + 1}, column {column + 1} cannot be {value}")
        return board

    def facts(self) -> dict[str, int | float]:
        """What records tell of it."""
        return {"given": len(self.given)}

    def contradiction(self) -> str | None:
        """Nothing is seen at a glance."""
        return None


@lru_cache(maxsize=100)  # the check of each board asks
def model_of(puzzle: ModelPuzzle) -> Problem:
    """The model of a puzzle, which is not to be changed."""
    return puzzle.model()


def cells_of(statement: Problem) -> tuple[int, int]:
    """The shape of the board. ModelError: there is none, or it is not declared first."""
    first, shape = statement.blocks.get(BOARD, (-1, ()))
    if first != 0 or len(shape) != 2:
        raise ModelError(
            f"declare the board first: {BOARD} = model.integer({BOARD!r}, low, high, shape=(rows, columns))"
        )
    return shape[0], shape[1]


def model_kind(name: str, puzzle: type[ModelPuzzle], *, default: str = "model+order", **more: Any) -> PuzzleKind:
    """The record of a kind whose puzzles are of the class ``puzzle``.

    ``default``: its usual encoding. ``more``: fields of ``PuzzleKind``, such as drawings and formats.
    """
    part = Part("model", "rules", stated, "the constraints of the model", OURS)
    encodings = Kind(
        name,
        parts=(part,),
        forms=(("rules",),),
        state=_state,
        state_for_cp=_state_for_cp,
        default=default,
        tested=tuple(f"model+{integers}" for integers in INTEGERS.known()),
    )
    about: dict[str, Any] = {
        "puzzle": puzzle,
        "board": puzzle.board,
        "check": fault,
        "encodings": encodings,
        "explain": EXPLAINER,
        "json": _members(puzzle),
    }
    return PuzzleKind(name=name, **{**about, **more})


def _state(puzzle: ModelPuzzle, chosen: Chosen) -> CSP:
    [rules] = chosen("rules")
    csp: CSP = rules(puzzle)
    return named_graphs(csp)


def _state_for_cp(puzzle: ModelPuzzle, chosen: Chosen) -> CSP:
    return named_graphs(stated(puzzle, ranks=True))


def pseudo_boolean(puzzle: ModelPuzzle) -> Statement:
    """The puzzle's constraints as pseudo-Boolean lines, for the field ``statement`` of its kind.

    Of a model that propagation over these lines decides once the board is known: no other variable may be left open,
    which ``nonosat.testing.battery`` tests. Sums, differences, tables and clauses of cells are such.
    """
    return StatedCSP(stated(puzzle)).statement(board=True)


def stated(puzzle: ModelPuzzle, ranks: bool = False) -> CSP:
    """The CSP of a puzzle: its model, and clauses for the given cells."""
    statement = model_of(puzzle)
    csp = _on_board(statement, statement.lowered(ranks=ranks).csp)
    if not puzzle.given:
        return csp
    given = ints(puzzle.given)
    values = Clauses((within(given[:, 0] * csp.board.shape[1] + given[:, 1], given[:, 2], given[:, 2]),))
    return replace(csp, constraints=(*csp.constraints, values))


def _on_board(statement: Problem, csp: CSP) -> CSP:
    shape = cells_of(statement)
    return replace(csp, board=np.arange(shape[0] * shape[1], dtype=np.int32).reshape(shape))


def fault(puzzle: ModelPuzzle, board: Board) -> Fault | None:
    """The first fault: size, given cells, the constraints by what they mean.

    A model with variables beside the board's is asked whether these have values: a solver looks for them.
    """
    as_puzzle: Puzzle = puzzle
    if (wrong := size_fault(as_puzzle, board)) is not None:
        return wrong
    cells = board.cells.tolist()
    if (wrong := given_fault(as_puzzle, cells)) is not None:
        return wrong
    statement, values = model_of(puzzle), board.cells.reshape(-1).tolist()
    if len(statement.domains) > len(values):
        return _fault_beside(statement, values)
    broken = statement.broken(values)
    return None if broken is None else Fault(None, None, broken)


def _fault_beside(statement: Problem, values: list[int]) -> Fault | None:
    from nonosat.modelling.knowledge import without_objective
    from nonosat.modelling.solve import request_of

    statement = without_objective(statement)
    for variable, value in zip(statement.variables, values, strict=False):
        statement.add(variable == value, name=f"{variable} is not {value}")
    answer = request_of(statement, solver="minisat22").solved()
    return None if answer.solution is not None else Fault(None, None, "the constraints do not hold")


# JSON: the fields of the class, as they are.


_TEXTS = ("title", "author", "licence", "source")


def _members(puzzle: type[ModelPuzzle]) -> Members:
    keys = tuple(field.name for field in fields(puzzle) if field.name not in _TEXTS)

    def read(data: dict[str, object], texts: dict[str, str]) -> Any:
        clues = {key: _plain(key, data[key]) for key in keys if key in data}
        goal = clues.pop("goal", None)
        about: dict[str, Any] = {**clues, **texts}
        try:
            made = puzzle(**about)
            return made if goal is None else replace(made, goal=made.picture(np.array(goal)))
        except (PuzzleError, ModelError, TypeError, ValueError, IndexError) as error:
            raise FormatError(f"no {puzzle.kind}: {' '.join(str(error).split())}") from None

    def write(one: Any) -> list[str]:
        written = []
        for key in keys:
            value = getattr(one, key)
            if value is not None and value != ():
                written.append(f'"{key}": {dumped(_listed(value))}')
        return written

    return Members(keys, read, write)


def _plain(key: str, value: object) -> Any:
    if isinstance(value, JsonNumber):
        try:
            return int(value)
        except ValueError:
            raise FormatError(f'"{key}": {shown(value)} is no whole number') from None
    if isinstance(value, list):
        return tuple(_plain(key, entry) for entry in value)
    if isinstance(value, str):
        return value
    raise FormatError(f'"{key}": {shown(value)} is no number, no text and no list of these')


def _listed(value: Any) -> Any:
    if isinstance(value, Board):
        return value.cells.tolist()
    return [_listed(entry) for entry in value] if isinstance(value, tuple) else value


# Explanations: a constraint of the model is a constraint of the puzzle, whatever auxiliaries its statement has.


def named_constraints(puzzle: ModelPuzzle) -> Named:
    """Each constraint of the model with its cells and its own CSP; those that share further variables are one."""
    statement = model_of(puzzle)
    _, width = cells_of(statement)
    found: Named = []
    for place, numbers in enumerate(_groups(statement)):
        csp = _on_board(statement, statement.lowered(numbers).csp)
        cells = _variables(statement, numbers) & set(range(csp.board.size))
        ref = ConstraintRef("constraint", place)
        found.append((ref, tuple(divmod(cell, width) for cell in sorted(cells)), csp))
    return found


def _groups(statement: Problem) -> list[list[int]]:
    """The numbers of the constraints, together where they share variables that are no cells."""
    height, width = cells_of(statement)
    groups: list[tuple[list[int], set[int]]] = []
    for number in range(len(statement.constraints)):
        numbers, beside = [number], {v for v in _variables(statement, [number]) if v >= height * width}
        joined = [group for group in groups if group[1] & beside]
        for group in joined:
            numbers, beside = group[0] + numbers, group[1] | beside
        groups = [group for group in groups if all(group is not other for other in joined)]
        groups.append((numbers, beside))
    return [numbers for numbers, _ in sorted(groups, key=lambda group: group[0][0])]


def _variables(statement: Problem, numbers: Iterable[int]) -> set[int]:
    found: set[int] = set()

    def note(node: Expression, parts: list[None]) -> None:
        if node.op in ("variable", "boolean"):
            found.add(node.data[0])

    for number in numbers:
        folded(statement.constraints[number].constraint, {}, note)
    return found


def _said(puzzle: ModelPuzzle, group: ConstraintGroup) -> str:
    statement = model_of(puzzle)
    return " and ".join(statement.constraints[number].name for number in _groups(statement)[group.constraint.place])


EXPLAINER = ByConstraints(named_constraints, _said).explainer
