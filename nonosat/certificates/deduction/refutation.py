"""Why a cell cannot have a value: conclusions of lines until nothing fits, and of these only what it takes."""

from __future__ import annotations

from typing import NamedTuple

from nonosat.certificates.deduction.board import Board, Conclusion, bits, removed
from nonosat.certificates.deduction.line import May

Fact = tuple[int, int, int]
"""A value that a cell does not have: (row, column, value)."""


class Tried(NamedTuple):
    """What assuming a value led to: the ``conclusions`` up to a contradiction, or the ``lines`` that were changed."""

    conclusions: list[Conclusion] | None
    lines: frozenset[int] = frozenset()


def tried(board: Board, row: int, column: int, value: int) -> Tried:
    """Assume that an open cell has a value. The board stays as it is."""
    branch = board.copy()
    branch.assume(row, column, value)
    found = list(branch.settle((row, board.height + column)))
    if found and found[-1].after is None:
        return Tried(_trimmed(board, found))
    changed = (line for line, (was, now) in enumerate(zip(board.may, branch.may, strict=True)) if was != now)
    return Tried(None, frozenset(changed))


def _trimmed(board: Board, found: list[Conclusion]) -> list[Conclusion]:
    """What the last of the conclusions rests on, each from as little as it takes and with no more than is asked."""
    origin: dict[Fact, int] = {}
    for number, (line, before, after) in enumerate(found[:-1]):
        assert after is not None
        for fact in _facts(board, line, before, after):
            origin.setdefault(fact, number)
    asked: dict[int, set[Fact]] = {len(found) - 1: set()}
    kept: list[Conclusion] = []
    while asked:
        number = max(asked)
        line, before, after = found[number]
        wanted = board.may[line] if after is not None else None
        if wanted is not None:
            wanted = _without(board, line, wanted, asked[number])
        del asked[number]
        before = _weakened(board, line, before, wanted, origin)
        for fact in _facts(board, line, board.may[line], before):
            if fact in origin:
                asked.setdefault(origin[fact], set()).add(fact)
        if wanted is not None:
            wanted = tuple(one & other for one, other in zip(before, wanted, strict=True))
        kept.append(Conclusion(line, before, wanted))
    return kept[::-1]


def _weakened(board: Board, line: int, before: May, wanted: May | None, origin: dict[Fact, int]) -> May:
    """As little as can be known of a line so that it still concludes ``wanted`` (None: that nothing fits)."""
    facts = sorted(_facts(board, line, board.may[line], before), key=lambda fact: -origin.get(fact, -1))
    for fact in facts:
        row, column, value = fact
        place = column if line < board.height else row
        more = (*before[:value], before[value] | 1 << place, *before[value + 1 :])
        after = board.settled(line, more)
        if after is None or (
            wanted is not None
            and not any(new & ~most & was for new, most, was in zip(after, wanted, board.may[line], strict=True))
        ):
            before = more
    return before


def _facts(board: Board, line: int, before: May, after: May) -> list[Fact]:
    return [
        (line, place, value) if line < board.height else (place, line - board.height, value)
        for value, gone in removed(before, after)
        for place in bits(gone)
    ]


def _without(board: Board, line: int, may: May, facts: set[Fact]) -> May:
    out = list(may)
    for row, column, value in facts:
        out[value] &= ~(1 << (column if line < board.height else row))
    return tuple(out)
