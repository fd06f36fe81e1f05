"""What was answered to the puzzles of a set, checked, and as rows of the table of rivals.py."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from tables import Row, shown

from nonosat.puzzles.nonogram import Nonogram
from nonosat.puzzles.puzzle import fault
from nonosat.rng import Rng

COLUMNS = (
    *("set", "question", "who", "puzzles", "limits_s", "begun", "done", "right", "wrong", "clauses"),
    *("median_ms", "interval_ms", "ratio", "ratio_interval"),
)
RECORDED = ("set", "question", "who", "puzzle", "cpu_ms", "pictures", "clauses")
"""Of each puzzle that was begun: no ``cpu_ms`` means no answer; ``pictures`` is -1 where one was wrong."""


@dataclass(frozen=True)
class Puzzles:
    """A set; ``density`` and ``size`` of a random one, as in ``40 %``."""

    name: str
    puzzles: list[Nonogram]
    density: str = ""
    size: int = 0


def pictures(puzzle: Nonogram, told: Row) -> int:
    """How many pictures of the puzzle were told; -1: a whole one was wrong, or one was told twice."""
    whole = [cells for cells in told.get("pictures", ()) if cells and min(map(min, cells)) >= 0]
    good = [cells for cells in whole if fault(puzzle, puzzle.picture(cells)) is None]
    return len(good) if len(good) == len(whole) and all(good.count(one) == 1 for one in good) else -1


@dataclass
class Measured:
    """A set's answers to one question, by who gave them, with the number of their pictures."""

    chosen: Puzzles
    question: str
    told: dict[str, list[Row]] = field(default_factory=dict)
    counts: dict[str, list[int]] = field(default_factory=dict)

    def add(self, who: str, told: list[Row]) -> None:
        """Keep what ``who`` told of the first puzzles of the set."""
        self.told[who] = told
        self.counts[who] = [pictures(*pair) for pair in zip(self.chosen.puzzles, told, strict=False)]

    def known(self, i: int) -> int:
        """How many pictures puzzle i has, up to as many as are asked for: the most that anybody showed."""
        return max(1, *(counts[i] for counts in self.counts.values() if len(counts) > i))

    def wrong(self, who: str) -> list[int]:
        """Puzzles of which it told a wrong picture, or that there are fewer than there are.

        To leave cells open, or to fail, is not that.
        """
        counts = enumerate(self.counts[who])
        few = {i for i, count in counts if self.question == "second" and count < self.known(i)}
        told = {i for i, one in enumerate(self.told[who]) if "failed" not in one}
        return sorted(few & told | {i for i, count in enumerate(self.counts[who]) if count < 0})

    def done(self, who: str) -> int:
        """How many puzzles it has answered, rightly or not."""
        return sum("failed" not in one for one in self.told[who])

    def spent(self, who: str) -> Any:
        """CPU seconds for each puzzle that was begun; of one without an answer, infinity."""
        seconds = "cnf_s" if self.question == "formula" else "answer_s"
        return np.array([one.get(seconds, np.inf) for one in self.told[who]])

    def records(self) -> Iterator[Row]:
        """A row for each puzzle and who began it."""
        for who, told in self.told.items():
            for i, (one, spent) in enumerate(zip(told, self.spent(who).tolist(), strict=True)):
                row = {"set": self.chosen.name, "question": self.question, "who": who, "puzzle": i}
                row |= {"cpu_ms": finite(1e3 * spent), "clauses": one.get("clauses")}
                yield row | ({} if self.question == "formula" else {"pictures": self.counts[who][i]})

    def row(self, who: str, base: str) -> Row:
        """A row of the table; ``base``: whose times the ratio is to. Of formulas there is no right or wrong."""
        told, mine, own = self.told[who], self.spent(who), self.spent(base)
        name, puzzles = self.chosen.name, len(self.chosen.puzzles)
        row: Row = {"set": name, "question": self.question, "who": who, "puzzles": puzzles}
        clauses = [one["clauses"] for one in told if "clauses" in one]
        row |= {"begun": len(told), "done": self.done(who)}
        if self.question != "formula":
            right = sum(count >= self.known(i) for i, count in enumerate(self.counts[who]))
            row |= {"right": right, "wrong": len(self.wrong(who))}
        row["clauses"] = round(np.median(clauses)) if clauses else None
        row |= {"median_ms": finite(1e3 * np.median(mine)), "interval_ms": interval(1e3 * again(mine))}
        both = min(len(mine), len(own))
        mine, own = mine[:both], own[:both]
        if np.isfinite(own).all():
            row["ratio"] = finite(np.median(mine) / np.median(own))
            row["ratio_interval"] = interval(again(mine) / again(own))
        return row


def again(values: Any) -> Any:
    """Medians of puzzles drawn again, 1,000 times; of as many puzzles, the same ones are drawn."""
    count = len(values)
    return np.median(values[Rng(0).many_below(count, 1000 * count).reshape(1000, count)], axis=1)


def finite(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None


def interval(drawn: Any) -> str:
    """Of 95 %, as in ``1.2..3.4``; ``?`` for what is over the limit."""
    ends = np.quantile(drawn, [0.025, 0.975], method="nearest")
    return "..".join(shown(float(end)) if np.isfinite(end) else "?" for end in ends)
