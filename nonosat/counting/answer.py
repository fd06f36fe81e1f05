"""The results of counts, draws and backbones, and the event by which a running count reports bounds."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from decimal import Decimal
from typing import Any

import numpy as np
import numpy.typing as npt

from nonosat.errors import no_truth
from nonosat.puzzles.puzzle import Board, Puzzle
from nonosat.runs.events import Statistics, Verdict

LONG = 10**4000
"""Python refuses to write and to read integers of more than 4,300 digits, since its algorithm is slow."""


class Number(int):
    """A natural number of any length that can be written and read quickly.

    >>> len(str(Number(10**5000))), f"{Number(10**4998):,}"[:7], Number.read(str(Number(10**5000))) == 10**5000
    (5001, '1,000,0', True)
    """

    @classmethod
    def read(cls, digits: str) -> Number:
        """The number with these decimal digits."""
        return cls(int(Decimal(digits)))

    def __str__(self) -> str:
        return format(Decimal(self), "f") if self >= LONG else super().__repr__()

    __repr__ = __str__

    def __format__(self, spec: str) -> str:
        return format(Decimal(self), spec or "f") if self >= LONG else super().__format__(spec)


def json_text(record: Mapping[str, Any]) -> str:
    """A flat record as JSON on one line; its integers may be longer than those that ``json`` writes.

    Read it back with ``json.loads(text, parse_int=Number.read)``.

    >>> json_text({"title": "ä", "solutions": 10**5000})[:30]
    '{"title": "ä", "solutions": 10'
    """
    entries = []
    for key, value in record.items():
        long = isinstance(value, int) and value >= LONG
        entries.append(f"{json.dumps(key)}: {Number(value) if long else json.dumps(value, ensure_ascii=False)}")
    return "{" + ", ".join(entries) + "}"


@dataclass(frozen=True)
class Estimate:
    """An estimate of the number of solutions by ``method``: ``log10`` of the number.

    ``epsilon`` and ``delta``: the number lies within a factor of 1 + epsilon of the truth with probability 1 - delta at
    least (ApproxMC). None: nothing is promised (Bethe).
    """

    log10: float
    method: str
    epsilon: float | None = None
    delta: float | None = None


@dataclass(frozen=True, eq=False)
class CountBounds:
    """What a running count knows: an event, as those of ``runs.events``. A field that is None has not changed.

    ``solutions``: the exact number. ``boards``: uniform draws, values of shape (draws, rows, columns). ``shares``: of
    each cell and value the share of the solutions, shape (rows, columns, values). ``possible``: of each cell and value,
    whether a solution has it: 1, 0, or -1 for not known. ``counter``: the counter that was first.
    """

    at_least: int = 0
    solutions: int | None = None
    estimate: Estimate | None = None
    boards: npt.NDArray[np.uint8] | None = None
    shares: npt.NDArray[np.float64] | None = None
    possible: npt.NDArray[np.int8] | None = None
    counter: str | None = None


@dataclass(frozen=True, kw_only=True, repr=False)
class Tally:
    """The result of a search that counts. ``verdict`` is UNSAT only if it is known that there is no solution.

    ``solutions``: the exact number, or None; ``at_least``: so many have been found; both are ``Number``s. ``counter``:
    its name. ``stopped`` and ``reason``: why it ended early, if it did.
    """

    verdict: Verdict
    solutions: int | None = None
    at_least: int = 0
    estimate: Estimate | None = None
    counter: str = ""
    encoding: str | None = None
    stopped: Verdict | None = None
    reason: str | None = None
    statistics: Statistics = field(default_factory=Statistics)
    puzzle: Puzzle | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        for name in ("solutions", "at_least"):
            if (value := getattr(self, name)) is not None:
                object.__setattr__(self, name, Number(value))

    def __bool__(self) -> bool:
        raise no_truth("a count", "count.verdict == 'SAT', or count.at_least > 0")

    @property
    def log10(self) -> float | None:
        """The logarithm of the exact number; None: there is none, or it is not known."""
        return log10_of(self.solutions) if self.solutions else None

    @property
    def exact(self) -> bool:
        """Is the number of solutions known?"""
        return self.solutions is not None

    def __repr__(self) -> str:
        """The number of solutions, the counter and seconds on a line; ``record`` has all of it."""
        many = f"at least {self.at_least}" if self.solutions is None else f"{self.solutions}"
        cut = f"then {self.stopped}" if self.stopped is not None else ""
        seconds = f"{self.statistics.total_s:.4f} s" if self.statistics.timed else ""
        words = (f"{self.verdict}", f"{many} solution{'s' * (many != '1')}", cut, self.counter, seconds)
        return f"<{type(self).__name__} {', '.join(word for word in words if word)}>"

    def record(self) -> dict[str, Any]:
        """The result as plain JSON data: one flat object."""
        guess = self.estimate
        return {
            "verdict": str(self.verdict),
            "solutions": self.solutions,
            "log10_solutions": self.log10,
            "at_least": self.at_least,
            "log10_estimated": None if guess is None or not math.isfinite(guess.log10) else guess.log10,
            "estimated_by": None if guess is None else guess.method,
            "epsilon": None if guess is None else guess.epsilon,
            "delta": None if guess is None else guess.delta,
            **self._more(),
            "stopped": None if self.stopped is None else str(self.stopped),
            "reason": self.reason,
            "counter": self.counter,
            "encoding": self.encoding,
            **asdict(self.statistics),
        }

    def _more(self) -> dict[str, Any]:
        """Further fields of the record."""
        return {}


@dataclass(frozen=True, kw_only=True, repr=False)
class Count(Tally):
    """How many solutions a puzzle has. ``checked``: a second counter agrees; None: there was no second count."""

    checked: bool | None = None

    def _more(self) -> dict[str, Any]:
        return {"checked": self.checked}


@dataclass(frozen=True, kw_only=True, repr=False)
class Sample(Tally):
    """Uniform draws from all solutions; each has been checked against the clues."""

    boards: tuple[Board, ...] = ()
    seed: int = 0

    def _more(self) -> dict[str, Any]:
        return {"seed": self.seed, "pictures": [board.rows() for board in self.boards]}


@dataclass(frozen=True, kw_only=True, repr=False)
class Backbone(Tally):
    """The backbone. ``cells``: the value of each cell that has the same value in all solutions, -1 elsewhere.

    ``decided``: for which cells it is known whether they are in the backbone; all, unless the search ended early.
    ``shares``: of each cell and value the share of solutions that have it, shape (rows, columns, values); None: not
    known. ``drawn``: how many solutions the shares were estimated from; None: they are exact.
    """

    cells: npt.NDArray[np.int64] | None = None
    decided: npt.NDArray[np.bool_] | None = None
    shares: npt.NDArray[np.float64] | None = None
    drawn: int | None = None

    @property
    def share(self) -> float | None:
        """The share of the board's cells that are in the backbone; None: not all cells are decided."""
        if self.cells is None or self.decided is None or not self.decided.all():
            return None
        return float((self.cells >= 0).mean())

    def _more(self) -> dict[str, Any]:
        return {
            "backbone": None if self.cells is None else self.cells.tolist(),
            "settled": None if self.decided is None else bool(self.decided.all()),
            "backbone_share": self.share,
            "shares": None if self.shares is None else np.round(self.shares, 6).tolist(),
            "shares_from": None
            if self.shares is None
            else "all solutions"
            if self.drawn is None
            else "solutions drawn",
            "drawn": self.drawn,
        }


def log10_of(number: int) -> float:
    """The decimal logarithm of a positive integer of any size.

    >>> log10_of(10**400)
    400.0
    """
    shift = max(0, number.bit_length() - 64)
    return math.log10(number >> shift) + shift * math.log10(2)
