"""The checker of certificates: it reads a statement and a proof, believes neither, and shares no code with a writer."""

from __future__ import annotations

from dataclasses import dataclass

from nonosat.errors import NonosatError

# What the checker says of a proof.


class RefusedError(NonosatError):
    """A proof, or the statement that it is over, is not accepted: why, and at which line (from 1)."""

    def __init__(self, reason: str, line: int | None = None, what: str = "proof") -> None:
        self.reason, self.line, self.what = reason, line, what
        super().__init__(f"{what}: {reason}" if line is None else f"{what}, line {line}: {reason}")


@dataclass(frozen=True)
class Claim:
    """What was proved: there are so many ``solutions`` (of the statement, each once), and no other if ``complete``.

    ``listed``: the variables whose values distinguish solutions, if there are some. ``kept``: the lines of deletions
    that were not carried out, since what is fixed rests on the constraint; other checkers may refuse them.
    """

    solutions: int
    complete: bool
    listed: tuple[str, ...]
    version: str
    steps: int
    kept: tuple[int, ...]

    def __str__(self) -> str:
        count = {0: "no solution", 1: "one solution"}.get(self.solutions, f"{self.solutions:,} solutions")
        return f"at least {count}" if not self.complete else f"{count}, and no other" if self.solutions else count
