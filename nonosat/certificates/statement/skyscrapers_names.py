"""What the variables of a statement of Skyscrapers are called; constants where there is no choice."""

from __future__ import annotations

from nonosat.certificates.statement.model import Literal


def cell_is(row: int, column: int, height: int) -> str:
    """The tower there has that height."""
    return f"x{row}_{column}_{height}"


def most_of(size: int, name: str, towers: int, height: int) -> Literal:
    """The first ``towers`` have that height at most."""
    if not towers or height >= size:
        return True
    return f"m{name}_{towers}_{height}" if height > 0 else False


def seen_of(name: str, at: int, height: int) -> str:
    """The tower there has that height and is seen."""
    return f"s{name}_{at}_{height}"


def heights_of(at: int, size: int) -> range:
    """Those that a tower can be seen with; behind another one, 1 is not."""
    return range(2 if at else 1, size + 1)
