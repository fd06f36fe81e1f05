"""Goals and solutions in files of every format: one that does not solve its puzzle is neither read nor written."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import fields, replace
from typing import Any, TypeVar

from nonosat.errors import FormatError, PuzzleError
from nonosat.files import printable
from nonosat.puzzles.formats.texts import TEXTS
from nonosat.puzzles.puzzle import Board, Puzzle, fault

Known = TypeVar("Known", bound=Puzzle)


def with_goal(puzzle: Known, cells: list[list[int]], line: int | None = None) -> Known:
    """``puzzle`` with the board ``cells`` (of its size and values) as its goal, which must solve it."""
    goal = puzzle.picture(cells)
    if (wrong := fault(puzzle, goal)) is not None:
        raise FormatError(f"the goal does not solve the puzzle: {printable(str(wrong), 200)}", line)
    data: Any = puzzle
    solved: Known = replace(data, goal=goal)
    return solved


def with_solutions(puzzle: Known, several: Sequence[list[list[int]]], line: int | None = None) -> Known:
    """``puzzle`` with the boards ``several`` as further solutions; each must solve it, and none comes twice."""
    found: dict[Board, None] = {}
    for cells in several:
        board = puzzle.picture(cells)
        if (wrong := fault(puzzle, board)) is not None:
            raise FormatError(f"a solution does not solve the puzzle: {printable(str(wrong), 200)}", line)
        found[board] = None
    data: Any = puzzle
    solved: Known = replace(data, solutions=tuple(board for board in found if board != puzzle.goal))
    return solved


def goal_rows(puzzle: Puzzle) -> list[str]:
    """The goal's rows for a file (none without a goal); a goal that no reader would take back raises."""
    return [] if puzzle.goal is None else rows_of(puzzle, puzzle.goal, "the goal")


def rows_of(puzzle: Puzzle, board: Board, what: str) -> list[str]:
    """The rows of a ``board`` for a file; PuzzleError: it does not solve the puzzle."""
    if (wrong := fault(puzzle, board)) is not None:
        raise PuzzleError(f"{what} does not solve the puzzle: {printable(str(wrong), 200)}")
    return board.rows()


# What a puzzle loses on its way from one format into another, in words: a line for each thing.
#
# What a *writer* leaves out is found by reading what it wrote. What a *reader* leaves out no puzzle shows: it reports
# so
# itself (``overlooked``), to any listener (``overheard``).


_MESSAGES: ContextVar[dict[str, None] | None] = ContextVar("overlooked", default=None)


@contextmanager
def collected_losses() -> Iterator[dict[str, None]]:
    """A line for each thing that readers say they overlook, while this is entered."""
    messages: dict[str, None] = {}
    token = _MESSAGES.set(messages)
    try:
        yield messages
    finally:
        _MESSAGES.reset(token)


def overlooked(what: str) -> None:
    """A reader says that the file has more than the puzzle will have: ``what``, such as "a saved state of play"."""
    if (messages := _MESSAGES.get()) is not None:
        messages[f"overlooked: {what}"] = None


def losses(before: Sequence[Puzzle], after: Sequence[Puzzle]) -> list[str]:
    r"""What of the puzzles ``before`` is not in those that were read back, ``after``: a line for each thing.

    >>> from nonosat.puzzles.formats import dumps, loads
    >>> [puzzle] = loads('title "A"\nwidth 2\nheight 1\nrows\n1\ncolumns\n1\n0\ngoal "10"', "non")
    >>> losses([puzzle], loads(dumps(puzzle, "mk"), "mk"))
    ['lost: the title "A"', 'lost: the goal']
    """
    found: dict[str, list[str]] = {}
    for old, new in zip(before, after, strict=True):
        for thing, what in _lost(old, new):
            found.setdefault(thing, []).append(what)
    lines = []
    for thing, each in found.items():
        several = f" ({thing}: {len(each):,} of {len(before):,} puzzles, this is the first)" if len(before) > 1 else ""
        lines.append(each[0] + several)
    return lines


def _lost(old: Any, new: Any) -> Iterator[tuple[str, str]]:
    """(The thing in a word, what became of it)."""
    for field in fields(old):
        was, now = getattr(old, field.name), getattr(new, field.name)
        if was == now:
            continue
        if field.name in TEXTS:
            shown = f'the {field.name} "{printable(was, 60)}"'
            became = f'changed: {shown} to "{printable(now, 60)}"' if was else f'new: the {field.name} "{now}"'
            yield field.name, became if now else f"lost: {shown}"
        elif field.name == "palette":
            yield from _of_colours(was, now)
        elif isinstance(was, tuple) and field.name in ("given", "solutions"):
            words = {"given": "given cell", "solutions": "further solution"}[field.name]
            missing = len(set(was) - set(now))
            yield words + "s", f"lost: {missing} {words}{'s' * (missing != 1)}"
        elif field.name == "goal" and now is None:
            yield "goal", "lost: the goal"
        else:
            yield field.name, f"changed: the {field.name}"


def _of_colours(was: Any, now: Any) -> Iterator[tuple[str, str]]:
    """Symbols and shades are for people: the numbers of colours are the same."""
    for part, word in (("symbol", "letters"), ("rgb", "shades")):
        old, new = ([getattr(colour, part) for colour in palette] for palette in (was, now))
        if old != new:
            changed = [colour for colour, other in zip(old, new, strict=False) if colour != other]
            yield word, f"lost: the {word} of colours, such as {changed[0] if changed else old[-1]}"
