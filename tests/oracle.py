"""All boards of a size at once: how many puzzles have one solution, and how many are solved line by line.

    python tests/oracle.py [--most 25] [--counted 2000]

Every board has clues; boards with the same clues are the solutions of one puzzle. So a table of all boards by their
clues says of every puzzle how many solutions it has, without any search. Counts are held against OEIS: A242876 (n x n
puzzles with a single solution), A391619 (those that lines alone solve), and A384764 (n x m), and against the native
counter.
"""

from __future__ import annotations

import argparse
import math
import sys
from time import perf_counter
from typing import Any

import numba
import numpy as np
import numpy.typing as npt
from oracle_lines import solved

from nonosat.counting.diagram import DiagramValues
from nonosat.counting.native import counted
from nonosat.puzzles.nonogram import Nonogram
from nonosat.solvers.propagation.board import board_of

UNIQUE = {
    1: [2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096],
    2: [4, 14, 52, 210, 816, 3206, 12_536, 48_962, 191_226, 746_456, 2_913_544, 11_371_040],
    3: [8, 52, 384, 3152, 24_230, 189_898, 1_473_674],
    4: [16, 210, 3152, 52_362, 814_632, 12_819_322],
    5: [32, 816, 24_230, 814_632, 25_309_575],
}
"""A384764 (A383345 for two rows; A242876 is its diagonal): of n rows and 1, 2, .. columns."""
BY_LINES = {3: 384, 4: 51_234, 5: 24_976_511}
"""A391619."""

Words = npt.NDArray[np.uint64]


def clues_of(size: int) -> tuple[list[tuple[int, ...]], npt.NDArray[np.int64]]:
    """All clues of lines of so many cells, and the number of the clue of every line (its cells are bits)."""
    known: dict[tuple[int, ...], int] = {}
    numbers = np.zeros(1 << size, dtype=np.int64)
    for line in range(1 << size):
        runs = tuple(map(len, f"{line:0{size}b}"[::-1].replace("0", " ").split()))
        numbers[line] = known.setdefault(runs, len(known))
    return list(known), numbers


@numba.njit
def enter(rows: int, columns: int, of_row: Any, of_column: Any, many_row: int, many_column: int, keys: Any) -> None:
    """The key of every board: its clues as the digits of a number."""
    mask = (1 << columns) - 1
    for board in range(1 << (rows * columns)):
        key = 0
        for r in range(rows):
            key = key * many_row + of_row[(board >> (r * columns)) & mask]
        for c in range(columns):
            line = 0
            for r in range(rows):
                line |= ((board >> (r * columns + c)) & 1) << r
            key = key * many_column + of_column[line]
        keys[board] = key


class Table:
    """Every puzzle of a size by its key, with the number of its solutions."""

    def __init__(self, rows: int, columns: int) -> None:
        self.rows, self.columns = rows, columns
        self.row_clues, of_row = clues_of(columns)
        self.column_clues, of_column = clues_of(rows)
        keys = np.empty(1 << (rows * columns), dtype=np.int64)
        enter(rows, columns, of_row, of_column, len(self.row_clues), len(self.column_clues), keys)
        keys.sort()
        begins = np.flatnonzero(np.concatenate(([True], keys[1:] != keys[:-1])))
        self.keys, self.solutions = keys[begins], np.diff(begins, append=len(keys))

    @property
    def unique(self) -> int:
        """How many have a single solution."""
        return int((self.solutions == 1).sum())

    def puzzle(self, key: int) -> Nonogram:
        """The puzzle of a key."""
        columns = []
        for _ in range(self.columns):
            key, number = divmod(key, len(self.column_clues))
            columns.append(self.column_clues[number])
        rows = []
        for _ in range(self.rows):
            key, number = divmod(key, len(self.row_clues))
            rows.append(self.row_clues[number])
        return Nonogram.from_lengths(rows[::-1], columns[::-1])

    def by_lines(self) -> int:
        """How many of those with a single solution lines alone solve, by the package's line solver."""
        board = board_of(self.puzzle(int(self.keys[0])), memo=False)
        room = (self.rows + self.columns) * (max(self.rows, self.columns) + 1)
        board = board._replace(length=np.zeros(room, dtype=np.uint64), colour=np.ones(room, dtype=np.int64))
        runs = max(self.rows, self.columns)
        board = board._replace(
            ready=np.zeros(2 * runs + 2, dtype=np.uint64),
            fit=np.zeros(2 * runs + 2, dtype=np.uint64),
            trail_at=np.zeros(4 * self.rows * self.columns + 8, dtype=np.int64),
            trail_was=np.zeros(4 * self.rows * self.columns + 8, dtype=np.uint64),
        )
        keys = self.keys[self.solutions == 1]
        numbers = np.zeros(self.rows + self.columns, dtype=np.int64)
        return int(solved(board, keys, padded(self.row_clues), padded(self.column_clues), numbers))


def padded(clues: list[tuple[int, ...]]) -> npt.NDArray[np.int64]:
    """Clues as rows of an array: how many runs, and these."""
    found = np.zeros((len(clues), 2 + max(map(len, clues))), dtype=np.int64)
    for i, clue in enumerate(clues):
        found[i, 0] = len(clue)
        found[i, 1 : 1 + len(clue)] = clue
    return found


def counter_agrees(table: Table, keys: npt.NDArray[np.int64]) -> bool:
    """Does the native counter give the table's number of these puzzles?"""
    numbers = table.solutions[np.searchsorted(table.keys, keys)]
    return all(
        DiagramValues(*counted(table.puzzle(int(key)))).solutions == number
        for key, number in zip(keys, numbers, strict=True)
    )


def main() -> int:
    """Print a line a size, with what it should be; 1 if something differs."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--most", type=int, default=25, help="rows times columns at most")
    parser.add_argument("--counted", type=int, default=2000, help="puzzles a size that the native counter counts too")
    asked, wrong, whole = parser.parse_args(), 0, perf_counter()
    for n in range(1, math.isqrt(asked.most) + 1):
        for m in range(n, asked.most // n + 1 if n > 1 else min(12, asked.most) + 1):  # one row: its columns say all
            begin, table = perf_counter(), Table(n, m)
            lines = table.by_lines()
            chosen = np.random.default_rng(n * 100 + m).permutation(len(table.keys))[: asked.counted]
            agrees = counter_agrees(table, table.keys[chosen])
            known = dict(enumerate(UNIQUE[n], 1)).get(m, table.unique)
            right = agrees and table.unique == known and (n != m or lines == BY_LINES.get(n, lines))
            wrong += not right
            told = f"{n}x{m}: {len(table.keys):,} puzzles, {table.unique:,} with one solution, {lines:,} by lines alone"
            print(f"{told}; {'right' if right else 'WRONG'} ({perf_counter() - begin:.1f} s)", flush=True)
    print(f"{perf_counter() - whole:.0f} s")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
