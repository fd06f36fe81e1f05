"""What writers of proofs ask of a statement of Skyscrapers beside its constraints; it does not need that itself."""

from __future__ import annotations

from collections.abc import Iterator

from nonosat.certificates.statement.model import Added, Constraint, Literal
from nonosat.certificates.statement.skyscrapers_names import cell_is, heights_of, most_of, seen_of
from nonosat.puzzles.skyscrapers import Skyscrapers


def at_most(size: int, quantity: str, bound: int) -> list[Literal] | None:
    """Of ``m_top2_1``, the highest of the first two towers, and of ``s_top2_1``: 1 if the second is seen, 0 if not."""
    what, view, *rest = quantity.split("_")
    if what not in ("m", "s"):
        return None
    at = int(rest[0])
    if what == "m":
        return [most_of(size, view, at + 1, bound)]
    return ["~" + seen_of(view, at, height) for height in heights_of(at, size)] if bound == 0 else [bound > 0]


def sums(puzzle: Skyscrapers) -> Iterator[Added]:
    """Of each view, what unit propagation does not see: it does not add constraints up."""
    size = puzzle.size
    for view in puzzle.views():
        if view.clue:
            name = f"{view.edge}{view.place}"
            for at, cell in enumerate(view.cells):
                yield from _tower(name, at, cell, size)
            for towers in range(2, size):
                yield _not_all_lower(name, view.cells, towers)


def _tower(name: str, at: int, cell: tuple[int, int], size: int) -> Iterator[Added]:
    """It is seen with one height at most; if the towers up to it have some height at most, it has no other."""
    one = _at_least([(-1, cell_is(*cell, v)) for v in range(1, size + 1)], -1)
    seen = [(cell_is(*cell, v), seen_of(name, at, v)) for v in heights_of(at, size)]
    parts = [_at_least([(1, cell_has), (-1, is_seen)], 0) for cell_has, is_seen in seen]
    yield Added(_at_least([(-1, is_seen) for _, is_seen in seen], -1), [(1, part) for part in (*parts, one)])
    for height in range(1, size if at + 1 < size else 1):
        low, most = [cell_is(*cell, v) for v in range(1, height + 1)], most_of(size, name, at + 1, height)
        part = _at_least([*((1, cell_has) for cell_has in low), (-1, most)], 0)
        higher = [cell_is(*cell, v) for v in range(height + 1, size + 1)]
        yield Added(_at_least([(-1, literal) for literal in (*higher, most)], -1), [(1, part), (1, one)])


def _not_all_lower(name: str, cells: tuple[tuple[int, int], ...], towers: int) -> Added:
    """The first ``towers`` are not all lower than ``towers``: so many do not have fewer heights."""
    size, low = len(cells), range(1, towers)
    parts = [(1, _at_least([(-1, cell_is(*cell, v)) for cell in cells], -1)) for v in low]
    for at, cell in enumerate(cells[:towers]):
        before, after = (most_of(size, name, first, towers - 1) for first in (at, at + 1))
        parts.append((1, _at_least([*((1, cell_is(*cell, v)) for v in low), (-1, after)], 0)))
        if at:
            parts.append((at, _at_least([(1, before), (-1, after)], 0)))
    return Added(_at_least([(-towers, most_of(size, name, towers, towers - 1))], 1 - towers), parts)


def _at_least(terms: list[tuple[int, Literal]], degree: int) -> Constraint:
    """As it is, though it may say nothing on a small board; there are no constants here."""
    return Constraint([(coefficient, literal) for coefficient, literal in terms if isinstance(literal, str)], degree)
