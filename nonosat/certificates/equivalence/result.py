"""What came of comparing an encoding with a puzzle's statement: both say the same, or what does not follow."""

from __future__ import annotations

from dataclasses import dataclass

from nonosat.puzzles.puzzle import Board, Puzzle
from nonosat.solvers.answer import Verdict


@dataclass(frozen=True, eq=False)
class Difference:
    """What does not follow. ``lost``: it is a constraint of the statement, and no clause of the encoding.

    ``part``: of the encoding's parts the one that made the clause (None: none of them, or a constraint is lost);
    ``said``: the clause, or what is wrong without the constraint, in words. ``board``: a solution that the clause shuts
    out, or a board that the encoding lets through, if it is one of the puzzle's kind. ``given_up``: none was found, but
    after so many cases it was not seen to follow.
    """

    lost: bool
    part: str | None
    said: str
    board: Board | None
    given_up: bool = False

    @property
    def about_board(self) -> str:
        """What the ``board`` shows."""
        return "the encoding lets this through" if self.lost else "a solution that it shuts out"

    def __str__(self) -> str:
        where, colon, what = self.said.partition(": ")
        part = f"{self.part}: " if self.part else ""
        told = f"{where}: {part}{what}" if colon and not self.lost else f"{part}{self.said}"
        if self.given_up:
            return f"{told}: after so many cases nothing is known of that"
        return told if self.lost else f"{told}: that does not follow"


@dataclass(frozen=True, eq=False)
class Equivalence:
    """How many ``clauses`` and ``constraints`` follow, by so many ``lines`` of proof, and the first that does not.

    ``stopped``: a limit was reached before that was known, and the ``reason`` tells which; nothing is counted then.
    """

    puzzle: Puzzle
    encoding: str
    clauses: int
    constraints: int
    lines: int
    difference: Difference | None
    stopped: Verdict | None = None
    reason: str | None = None

    def __bool__(self) -> bool:
        return self.settled is True

    @property
    def settled(self) -> bool | None:
        """Whether the two are equivalent; None: it is not known, since a limit was reached or a lemma given up."""
        if self.stopped is not None or (self.difference is not None and self.difference.given_up):
            return None
        return self.difference is None

    def __str__(self) -> str:
        if self.stopped is not None:
            return f"{self.encoding}: not settled: {self.reason}"
        if self.difference is not None:
            return f"{self.encoding}: {self.difference}"
        told = f"its {self.clauses:,} clauses follow from the statement, whose {self.constraints:,} constraints follow"
        return f"{self.encoding}: {told} from them"
