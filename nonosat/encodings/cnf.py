"""CNF as two arrays, and the collector that compilers write clauses into, a column of literals at a time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from nonosat.csp.model import AnyInts, Ints, ints
from nonosat.errors import UnsupportedError

TRUE = np.int32(2**31 - 1)
"""The literal that is always true; ``-TRUE`` is always false. Neither gets into a CNF."""

MOST_LITERALS = 2**28
"""A formula with more of them fills the memory of a usual machine before a solver has read it."""


@dataclass(frozen=True, eq=False, repr=False)
class CNF:
    """``literals`` (int32) of all clauses in a row; clause i is ``literals[ends[i-1]:ends[i]]``."""

    variables: int
    literals: Ints
    ends: npt.NDArray[np.int64]

    def __repr__(self) -> str:
        return f"<CNF {self.variables:,} variables, {self.clauses:,} clauses>"

    @property
    def clauses(self) -> int:
        """The number of clauses."""
        return len(self.ends)

    def __iter__(self) -> Iterator[list[int]]:
        """The clauses as lists of Python ints, made chunk by chunk: a big formula never stands there as lists."""
        chunk = 1 << 16
        start = 0
        for at in range(0, len(self.ends), chunk):
            ends = self.ends[at : at + chunk]
            literals = self.literals[start : ends[-1]].tolist()
            left = 0
            for right in (ends - start).tolist():
                yield literals[left:right]
                left = right
            start = int(ends[-1])

    def extended(self, clauses: npt.ArrayLike) -> CNF:
        """With further ``clauses`` of one width, shape (clauses, literals), behind its own."""
        more = np.asarray(clauses, dtype=np.int32)
        count, width = more.shape
        return self._followed(more.reshape(-1), width * np.arange(1, count + 1))

    def extended_by(self, clauses: Sequence[Sequence[int]]) -> CNF:
        """With further ``clauses`` of any widths behind its own."""
        literals = np.array([literal for clause in clauses for literal in clause], dtype=np.int32)
        return self._followed(literals, np.cumsum([len(clause) for clause in clauses], dtype=np.int64))

    def _followed(self, literals: Ints, ends: npt.NDArray[np.int64]) -> CNF:
        return CNF(
            self.variables,
            np.concatenate((self.literals, literals)),
            np.concatenate((self.ends, len(self.literals) + ends)),
        )

    def widths(self) -> npt.NDArray[np.int64]:
        """The number of literals of each clause."""
        return np.diff(self.ends, prepend=0)

    @property
    def has_empty_clause(self) -> bool:
        """Whether some clause has no literal, so that the formula is unsatisfiable as it stands."""
        return bool((self.widths() == 0).any())

    def clause(self, index: int) -> list[int]:
        """The literals of clause number ``index`` (from 0)."""
        begin = int(self.ends[index - 1]) if index else 0
        return [int(literal) for literal in self.literals[begin : self.ends[index]]]

    def first_false(self, true: npt.NDArray[np.bool_]) -> int | None:
        """The first clause (from 0) that the assignment ``true`` (entry v for variable v) does not satisfy, or None."""
        satisfied = true[np.abs(self.literals)] == (self.literals > 0)
        count = np.cumsum(satisfied)
        upto = np.concatenate(([0], count))[self.ends]
        unsatisfied = np.flatnonzero(np.diff(upto, prepend=0) == 0)
        return int(unsatisfied[0]) if len(unsatisfied) else None


class Collector:
    """Takes columns of literals, drops what is constant, and hands out the CNF."""

    def __init__(self, variables: int) -> None:
        self.variables = variables
        self._literals: list[Ints] = []
        self._widths: list[npt.NDArray[np.int64] | tuple[int, int]] = []
        self._count = 0

    def fresh(self, count: int) -> Ints:
        """``count`` new variables, behind all that there are."""
        first = self.variables + 1
        self.variables += count
        return np.arange(first, first + count, dtype=np.int32)

    def expect(self, literals: int) -> None:
        """Before so many more are made. UnsupportedError: a formula of that size fills memory before it is solved."""
        if self._count + literals > MOST_LITERALS:
            raise UnsupportedError(
                f"a formula of over {MOST_LITERALS:,} literals; give smaller domains, encode by log+adder, "
                "or solve by CP-SAT"
            )

    def add(self, *columns: AnyInts) -> None:
        """Clauses: clause i is the disjunction of entry i of every column.

        Clauses that hold a true literal are dropped, false literals are left out of theirs.
        """
        self.expect(len(columns) * len(columns[0]))
        self._count += len(columns) * len(columns[0])
        constant = np.zeros(len(columns[0]), dtype=bool)
        false = []
        for column in columns:
            constant |= column == TRUE
            false.append(column == -TRUE)
        block = np.empty((len(columns[0]), len(columns)), dtype=np.int32)
        for i, column in enumerate(columns):
            block[:, i] = ints(column)
        if constant.any():
            block = block[~constant]
            false = [column[~constant] for column in false]
        if any(column.any() for column in false):
            dead = np.stack(false, axis=1)
            self._literals.append(block[~dead])
            self._widths.append(len(columns) - dead.sum(axis=1))
        else:
            self._literals.append(block.reshape(-1))
            self._widths.append((len(block), len(columns)))

    def add_ragged(self, literals: AnyInts, ends: npt.NDArray[np.int64]) -> None:
        """Clauses of any widths: clause i is ``literals[ends[i-1]:ends[i]]``; constant literals as in ``add``."""
        self.expect(len(literals))
        self._count += len(literals)
        literals = ints(literals)
        constant = np.abs(literals) == TRUE
        widths = np.diff(ends, prepend=0)
        if constant.any():
            clause = np.repeat(np.arange(len(ends)), widths)
            true = np.zeros(len(ends), dtype=bool)
            true[clause[literals == TRUE]] = True
            kept = ~constant & ~true[clause]
            literals = ints(literals[kept])
            widths = np.bincount(clause[kept], minlength=len(ends))[~true]
        self._literals.append(literals)
        self._widths.append(widths)

    def cnf(self) -> CNF:
        """All clauses so far, in the order they came."""
        ends = np.empty(sum(w[0] if isinstance(w, tuple) else len(w) for w in self._widths), dtype=np.int64)
        clause, literal = 0, 0
        for widths in self._widths:
            if isinstance(widths, tuple):
                count, width = widths
                ends[clause : clause + count] = np.arange(literal + width, literal + count * width + 1, width)
            else:
                count = len(widths)
                np.cumsum(widths, out=ends[clause : clause + count])
                ends[clause : clause + count] += literal
            clause += count
            literal = int(ends[clause - 1]) if clause else 0
        literals = np.concatenate(self._literals) if self._literals else np.empty(0, dtype=np.int32)
        return CNF(self.variables, literals, ends)
