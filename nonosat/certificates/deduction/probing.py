"""Probing: values that no solution has are assumed, cell by cell, until lines contradict; each is refuted so for good.

A value that was tried in vain is tried again when a line that it changed has changed for good.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from nonosat.certificates.deduction.board import Board, Conclusion
from nonosat.certificates.deduction.lemmas import Lemmas
from nonosat.certificates.deduction.refutation import tried

Probe = tuple[int, int, int]


class Probing:
    """Probes on a board on which nothing waits, and what it says of them in ``lemmas``."""

    def __init__(self, board: Board, lemmas: Lemmas, wrong: Callable[[int, int, int], bool]) -> None:
        self.board, self.lemmas, self.wrong = board, lemmas, wrong
        self.clock = 0
        self.changed = [0] * len(board.lines)
        self.ran: dict[Probe, tuple[int, frozenset[int]]] = {}

    def run(self, work: int) -> None:
        """Probe until nothing more is learnt, the board contradicts itself, or so many lines have been settled."""
        until, learnt = self.board.work[0] + work, True
        while learnt:
            learnt = False
            for probe in self._open():
                if self.board.work[0] > until:
                    return
                learnt |= self._probe(probe)
                if self.board.dead:
                    return

    def _open(self) -> Iterator[Probe]:
        """Values worth a probe, as the board is when they are asked for."""
        for row, column in self.board.open():
            for value in self.board.choices(row, column):
                left = self.board.choices(row, column)
                if value in left and len(left) > 1 and self.wrong(row, column, value):
                    yield row, column, value

    def _probe(self, probe: Probe) -> bool:
        """Try a value, unless it would be in vain; whether it has been refuted."""
        if probe in self.ran:
            when, lines = self.ran[probe]
            if all(self.changed[line] <= when for line in lines):
                return False
        self.clock += 1
        conclusions, lines = tried(self.board, *probe)
        self.ran[probe] = self.clock, lines
        if conclusions is not None:
            self._refute(probe, conclusions)
        return conclusions is not None

    def _refute(self, probe: Probe, conclusions: Sequence[Conclusion]) -> None:
        row, column, value = probe
        self.lemmas.under(self._otherwise(*probe))
        for conclusion in conclusions:
            self.lemmas.conclude(conclusion)
        self.lemmas.leave()
        before = list(self.board.may)
        self.board.forbid(row, column, value)
        for conclusion in self.board.settle((row, self.board.height + column)):
            self.lemmas.conclude(conclusion)
        self.clock += 1
        for line, (was, now) in enumerate(zip(before, self.board.may, strict=True)):
            if was != now:
                self.changed[line] = self.clock

    def _otherwise(self, row: int, column: int, value: int) -> list[str]:
        """The clause that the cell does not have this value."""
        if value:
            return [f"~x{row}_{column}_{value}"]
        return [f"x{row}_{column}_{colour}" for colour in self.board.choices(row, column) if colour]
