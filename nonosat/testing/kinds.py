"""Checks of a kind of puzzle: its record, boards, drawings, formats, and every encoding it calls sound."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from xml.etree import ElementTree

import numpy as np

from nonosat.certificates.statement import Statement, opb_lines, statement_of
from nonosat.encodings.parts import INTEGERS
from nonosat.encodings.registry import encoding
from nonosat.errors import PuzzleError, UnsupportedError
from nonosat.puzzles.drawing import picture_text, png, png_picture, puzzle_text, read_picture, svg, svg_picture
from nonosat.puzzles.puzzle import Fault, Puzzle, PuzzleKind, fault, kind_of
from nonosat.studies.records import complete
from nonosat.testing import encodings, parts
from nonosat.testing.brute import samples, solutions, values_of
from nonosat.testing.encodings import follows

# Checks of a kind's statement: its models are the solutions, by brute force.


def means(puzzles: Sequence[Puzzle]) -> None:
    """The boards that the statement allows are the solutions of each puzzle."""
    for puzzle in puzzles:
        statement = statement_of(puzzle)
        wanted = {tuple(statement.literals(board.cells.tolist())) for board in solutions(puzzle)}
        found = statement_boards(statement)
        assert found >= wanted, f"its statement leaves out {min(wanted - found)}: {puzzle}"
        assert found <= wanted, f"its statement allows {min(found - wanted)}: {puzzle}"


def statement_boards(statement: Statement) -> set[tuple[str, ...]]:
    """The literals of all boards that propagation finds no fault with. AssertionError: it leaves something open."""
    from nonosat.certificates.checker.proof import Checker  # machine code
    from nonosat.certificates.equivalence.cases import extended

    checker = Checker()
    for line in opb_lines(statement, preserved=False):
        checker.state(line)
    checker.begin()
    found: set[tuple[str, ...]] = set()
    ahead: list[tuple[str, ...]] = [()]
    names = list(statement.board)
    while ahead:
        literals = ahead.pop()
        true = extended(checker.database, [checker.codes[literal] for literal in literals])
        if true is None:
            continue
        if len(literals) < len(names):
            ahead += [(*literals, f"{sign}{names[len(literals)]}") for sign in ("", "~")]
            continue
        assert all(map(max, zip(true[::2], true[1::2], strict=True))), f"a board leaves something open: {literals}"
        found.add(literals)
    return found


PNG = b"\x89PNG"


def checks(kind: PuzzleKind, puzzles: Sequence[Puzzle]) -> Iterator[tuple[str, Callable[[], None]]]:
    """Those of one kind, on its ``puzzles``."""
    own = [*samples(kind.name), *(puzzle for puzzle in puzzles if puzzle.kind == kind.name)]
    yield "its record", partial(record, kind)
    yield "has puzzles to test with", partial(enough, own)
    yield "boards", partial(boards, own)
    yield "what it says", partial(words, own)
    yield "drawings", partial(drawings, own)
    for known in kind.all_formats:
        yield from parts.checks_of_format(known, kind.name, own)
    if kind.has("statement"):
        yield "its statement means it", partial(means, own)
    if kind.has("encodings"):
        about = kind.encodings
        default = encoding(about.default, kind.name)
        other = [f"{default.rules}+{name}" for name in INTEGERS.known()]
        for name in dict.fromkeys((about.default, *about.tested, *other)):
            yield f"{name}: all models are all solutions", partial(encodings.exact, name, own)
            if kind.has("statement"):
                yield f"{name}: clauses and statement follow from each other", partial(follows, name, own, kind.name)
            yield from encodings.checks(name, kind.name, own, f"encoding {name} makes Booleans")


def record(kind: PuzzleKind) -> None:
    """The fields agree with each other."""
    assert kind_of(kind.name) is kind, f"{kind.name} is another kind's name"
    assert kind.puzzle.kind == kind.name, f"{kind.puzzle.__name__}.kind is {kind.puzzle.kind!r}"
    assert kind.board.kind == kind.name, f"{kind.board.__name__}.kind is {kind.board.kind!r}"
    if kind.has("encodings"):
        assert kind.encodings.name == kind.name, f"its encodings are for {kind.encodings.name!r}"


def enough(puzzles: Sequence[Puzzle]) -> None:
    """There are puzzles with a solution, and all are small."""
    assert puzzles, "no puzzles to test with: give some to battery(parts, puzzles)"
    assert any(solutions(puzzle) for puzzle in puzzles), "none of the puzzles has a solution"


def boards(puzzles: Sequence[Puzzle]) -> None:
    """Boards and puzzles are values; a board of another size is a fault, and values that no board has an error."""
    for puzzle in puzzles:
        again = pickle.loads(pickle.dumps(puzzle))
        assert again == puzzle, f"{puzzle} is another one after pickling"
        assert hash(again) == hash(puzzle)
        height, width = puzzle.shape
        for board in solutions(puzzle):
            assert board.shape == puzzle.shape
            assert puzzle.picture(board.cells) == board
            assert fault(puzzle, board) is None
        if (found := sorted(solutions(puzzle), key=str)) and height == width:
            larger = np.pad(found[0].cells, ((0, 1), (0, 1)), mode="edge")
            try:
                wrong = fault(puzzle, puzzle.picture(larger))
            except PuzzleError:
                continue
            assert wrong is not None, "a board of another size is taken for a solution"
        if puzzle.goal is not None:
            assert fault(puzzle, puzzle.goal) is None, f"the goal does not solve {puzzle}"


def words(puzzles: Sequence[Puzzle]) -> None:
    """What puzzles and the check say of themselves is of the types that others expect, and true."""
    for puzzle in puzzles:
        reason = puzzle.contradiction()
        assert reason is None or (isinstance(reason, str) and reason), (
            f"contradiction() is {reason!r}: a reason, or None"
        )
        assert reason is None or not solutions(puzzle), f"contradiction() is {reason!r} of a puzzle with a solution"
        complete(dict(puzzle.facts()))  # names and types of the records' fields
        values = values_of(puzzle)
        for cells in ([[value] * puzzle.shape[1]] * puzzle.shape[0] for value in values):
            wrong = fault(puzzle, puzzle.picture(cells))
            assert wrong is None or isinstance(wrong, Fault), f"the check gives {wrong!r}: a Fault, or None"
        for board in solutions(puzzle):
            for row, column, value in puzzle.given:
                assert board.cells[row, column] == value, "the check lets a given cell have another value"


def drawings(puzzles: Sequence[Puzzle]) -> None:
    """Text, SVG and PNG of puzzles and boards; text can be read back, or is refused in one line."""
    for puzzle in puzzles:
        for board in (None, *sorted(solutions(puzzle), key=str)[:2]):
            assert isinstance(puzzle_text(puzzle, board), str)
            assert isinstance(puzzle_text(puzzle, board, colour=True), str)
            ElementTree.fromstring(svg(puzzle, board))
            assert png(puzzle, board).startswith(PNG)
            if board is None:
                continue
            ElementTree.fromstring(svg_picture(board))
            assert png_picture(board).startswith(PNG)
            for text in (picture_text(board), "\n".join(board.rows())):
                try:
                    read = read_picture(text, puzzle)
                except UnsupportedError:
                    break
                assert read == board, f"read back as another board:\n{text}\n{read}"
