"""The figures of Wałejko's thesis (2022), tables 4.1-4.4: milliseconds of its solvers on eighteen pictures.

Measured there on an i5-6300HQ with Node.js 14, rounded to whole milliseconds: of five runs the fastest and the slowest
were dropped, and the others' mean taken; a run over five minutes ended the measurement.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

EXCEEDED = None
"""The thesis' "przekroczono": no result within five minutes."""

Milliseconds = float | None


@dataclass(frozen=True)
class Table:
    """A table of the thesis: ``columns`` are (heading, the thesis' heading, solver), and ``thesis`` its figures.

    ``thesis[puzzle]`` has a number of milliseconds for every column, or ``EXCEEDED``.
    """

    number: str
    title: str
    columns: tuple[tuple[str, str, str], ...]
    thesis: Mapping[str, tuple[Milliseconds, ...]]


PICTURES = {
    "Cross": 3, "Flame": 5, "Jellyfish": 8, "Candy": 8, "Shield": 10, "Dog": 10, "Duck": 16, "Shrimp": 16,
    "Cherries": 20, "Potion": 20, "Tape": 25, "Lighter": 25, "Ghost": 32, "Demon": 32, "Butcher": 48, "Ranger": 48,
    "Orc": 64, "Swordsman": 64,
}  # fmt: skip


def _figures(rows: Sequence[str]) -> dict[str, tuple[Milliseconds, ...]]:
    """The thesis' rows, in the order of ``PICTURES``; x is exceeded."""
    return {
        name: tuple(EXCEEDED if word == "x" else float(word) for word in row.split())
        for name, row in zip(PICTURES, rows, strict=False)
    }


TABLES = (
    Table("4.1", "Exhaustive", (("exhaustive", "całościowy", "exhaustive"),), _figures(["1", "46", "x", "x"])),
    Table(
        "4.2",
        "Axis",
        (("plain", "bez modyfikacji", "axis"), ("partial verification", "z częściową weryfikacją", "axis+partial")),
        _figures(
            ["0 0", "0 0", "463 2", "0 0", "x 3", "12004 1", "x 12", "x 14", "x 25", "x 315", "x 1091", "x 60945",
             "x 40040", "x 3997", "x x", "x 59703", "x x", "x x"]
        ),
    ),
    Table(
        "4.3",
        "Elimination, part 1",
        (
            ("base", "bez modyfikacji", "elimination"),
            ("no early exit", "bez przerw.", "elimination+nobreak"),
            ("columns first", "kolumny", "elimination+columns"),
            ("min placements", "min komb.", "elimination+min"),
            ("max placements", "max komb.", "elimination+max"),
        ),
        _figures(
            ["0 0 0 0 0", "0 0 0 0 0", "1 1 1 1 1", "0 0 0 0 0", "2 2 2 2 1", "1 0 0 0 1", "2 1 1 1 1", "1 1 1 1 1",
             "3 3 3 3 3", "12 13 13 13 13", "2 2 2 2 2", "13 13 13 12 13", "47 47 48 45 47",
             "1787 1817 1806 1800 1822", "1811 1809 1819 1790 1791", "46 48 47 47 48", "1463 1454 1446 1465 1456",
             "1440 1467 1451 1429 1432"]
        ),
    ),
    Table(
        "4.4",
        "Elimination, part 2: the queue",
        (
            ("lifo", "lifo", "elimination"),
            ("fifo", "fifo", "elimination+fifo"),
            ("unchanged", "bez zm.", "elimination+unchanged"),
            ("tracking, lifo", "śl. ind. lifo", "elimination+tracking"),
            ("tracking, fifo", "śl. ind. fifo", "elimination+fifo+tracking"),
            ("tracking, unchanged", "śl. ind. bez zm.", "elimination+unchanged+tracking"),
        ),
        _figures(
            ["0 0 0 0 0 0", "0 0 0 0 0 0", "1 2 2 2 1 1", "0 0 0 0 0 0", "2 1 1 2 3 2", "1 1 1 1 0 1", "2 1 2 2 2 2",
             "1 1 1 1 1 1", "3 4 4 3 4 3", "12 13 14 16 16 13", "2 2 2 4 3 3", "13 13 13 13 15 13",
             "47 47 52 56 72 54", "1787 2380 1980 1194 1257 1127", "1811 1884 1798 1854 1962 1717",
             "46 44 53 61 62 59", "1463 1413 1437 1413 1415 1311", "1440 1489 1544 1534 1608 1451"]
        ),
    ),
)  # fmt: skip
