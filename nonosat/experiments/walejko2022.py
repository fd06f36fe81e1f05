"""The tables 4.1-4.4 of Wałejko's thesis (2022): its solvers and switches on eighteen pictures, by its protocol.

Five runs of a puzzle; the fastest and the slowest are dropped, the mean of the others is the result; a run over the
limit (five minutes there) ends the measurement, and the result is "exceeded". The pictures are our own, of the thesis'
names and sizes, since the thesis does not hold its own: so the figures beside ours are those of other puzzles of the
same kind, on another machine (an i5-6300HQ with Node.js 14), rounded to whole milliseconds there.

How we time: a first run in a process of its own, under the limit, tells whether there is a result. If it takes less
than a second, the runs that count happen in this process, because the first touch of a forked process's memory costs
milliseconds, which is more than most of these puzzles take; else each is a process under the limit. The time is from
the puzzle to the solution, the listing of placements included, and not the compiling of the solver.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import mean, median

from nonosat.errors import NonosatError, UnsupportedError
from nonosat.experiments.puzzle_files import IMAGES, puzzles_in
from nonosat.files import shown
from nonosat.puzzles.formats import FORMATS
from nonosat.puzzles.nonogram import Nonogram
from nonosat.solvers.answer import Answer, Verdict
from nonosat.solvers.solve import solve

LIMIT_S = 300.0
RUNS = 5
QUICK_S = 1.0
EXCEEDED = None
"""The thesis' "przekroczono": no result within five minutes."""

Milliseconds = float | None

SUFFIXES = (*IMAGES, *(suffix for entry in FORMATS.values() for suffix in entry.suffixes))


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


@dataclass(frozen=True)
class Measured:
    """One cell of a table. ``ms``: our result, None if there is none; ``thesis_ms``: None for "exceeded"."""

    table: str
    puzzle: str
    size: int
    column: str
    solver: str
    verdict: str
    ms: Milliseconds
    thesis_ms: Milliseconds
    runs: int
    placements: int | None
    lines_checked: int | None
    assumptions: int | None
    nodes: int | None
    contradictions: int | None

    @property
    def ratio(self) -> float | None:
        """How many times faster than the thesis' figure; None if either is missing, or the thesis' rounded to 0."""
        return self.thesis_ms / self.ms if self.ms and self.thesis_ms else None


def pictures_in(folder: str | Path) -> dict[str, Nonogram]:
    """The puzzles of the thesis' names that are in ``folder``, as pictures or puzzle files: ``20-cherries.png``.

    NonosatError: no such folder, none of them in it, or one that is twice there or not of its size.
    """
    try:
        files = sorted(path for path in Path(folder).iterdir() if path.suffix.lower() in SUFFIXES)
    except OSError as error:
        raise NonosatError(f"{shown(folder)}: {(error.strerror or str(error)).lower()}") from None
    names = {name.lower(): name for name in PICTURES}
    found: dict[str, Nonogram] = {}
    for path in files:
        name = names.get(path.stem.lower().lstrip("0123456789-_ "))
        if name is None:
            continue
        if name in found:
            raise NonosatError(f"{shown(path)}: {name} is in the folder twice")
        puzzle, *_ = puzzles_in(path)
        if not isinstance(puzzle, Nonogram):
            raise NonosatError(f"{shown(path)}: {puzzle.kind}, not a nonogram")
        if puzzle.shape != (PICTURES[name], PICTURES[name]):
            height, width = puzzle.shape
            raise NonosatError(f"{shown(path)}: {name} is {height}x{width}; the thesis' has {PICTURES[name]} a side")
        found[name] = puzzle
    if not found:
        raise NonosatError(f"{shown(folder)}: none of the thesis' pictures ({', '.join(PICTURES)})")
    return {name: found[name] for name in PICTURES if name in found}


def measure(
    puzzles: Mapping[str, Nonogram],
    tables: Iterable[Table] = TABLES,
    limit_s: float = LIMIT_S,
    runs: int = RUNS,
    on_progress: Callable[[str], None] | None = None,
) -> Iterator[Measured]:
    """Measure all cells, table by table and column by column. A solver that two tables share is measured once.

    UnsupportedError: fewer than three runs, of which none would be left.
    """
    if runs < 3:
        raise UnsupportedError(f"{runs} runs: the fastest and the slowest are dropped, so three are the fewest")
    done: dict[tuple[str, str], tuple[Answer, list[float]]] = {}
    for table in tables:
        names = [name for name in PICTURES if name in puzzles and name in table.thesis]
        for place, (column, _, solver) in enumerate(table.columns):
            for name in names:
                if on_progress is not None:
                    on_progress(f"table {table.number}: {name} with {solver}")
                key = name, solver
                if key not in done:
                    done[key] = timed(puzzles[name], solver, limit_s, runs)
                answer, seconds = done[key]
                about = answer.statistics
                yield Measured(
                    table=table.number,
                    puzzle=name,
                    size=puzzles[name].height,
                    column=column,
                    solver=solver,
                    verdict=str(answer.verdict),
                    ms=trimmed_mean(seconds) * 1e3 if len(seconds) == runs else None,
                    thesis_ms=table.thesis[name][place],
                    runs=len(seconds),
                    placements=about.placements,
                    lines_checked=about.lines_checked,
                    assumptions=about.assumptions,
                    nodes=about.nodes,
                    contradictions=about.contradictions,
                )


def timed(puzzle: Nonogram, solver: str, limit_s: float, runs: int) -> tuple[Answer, list[float]]:
    """The answer, and the seconds of every run; of fewer runs if one had no result, whose answer it then is."""
    answer = solve(puzzle, solver=solver, time_limit_s=limit_s)
    seconds: list[float] = []
    if answer.verdict is not Verdict.SAT:
        return answer, seconds
    quick = (answer.statistics.solve_s or 0.0) < QUICK_S
    if quick:
        solve(puzzle, solver=solver)  # the first run in this process touches the memory that the next ones use
    for _ in range(runs):
        answer = solve(puzzle, solver=solver, time_limit_s=None if quick else limit_s)
        if answer.verdict is not Verdict.SAT or answer.statistics.solve_s is None:
            break
        seconds.append(answer.statistics.solve_s)
    return answer, seconds


def trimmed_mean(seconds: Sequence[float]) -> float:
    """The mean without the fastest and the slowest.

    >>> trimmed_mean([5.0, 1.0, 2.0, 3.0, 100.0])
    3.3333333333333335
    """
    return mean(sorted(seconds)[1:-1])


def csv_text(results: Iterable[Measured]) -> str:
    """One row a cell; an empty field is a figure that there is not."""
    fields = [*Measured.__dataclass_fields__, "ratio"]
    out = io.StringIO()
    writer = csv.DictWriter(out, fields, lineterminator="\n")
    writer.writeheader()
    for result in results:
        writer.writerow({name: _field(getattr(result, name)) for name in fields})
    return out.getvalue()


def _field(value: object) -> object:
    return "" if value is None else f"{value:.6g}" if isinstance(value, float) else value


def markdown(results: Sequence[Measured], limit_s: float, runs: int, machine: str) -> str:
    """All tables: in each cell our milliseconds, and behind them the thesis' in brackets."""
    parts = [
        "# The tables of Wałejko 2022, measured again",
        f"Milliseconds of {machine}; mean of {runs} runs without the fastest and the slowest; limit {limit_s:g} s. In "
        "brackets the thesis' figures (i5-6300HQ, Node.js 14, limit 300 s, whole milliseconds; *x*: exceeded), which "
        "are those of its own pictures: ours have their names and sizes only.",
    ]
    for table in TABLES:
        cells = {(r.puzzle, r.column): r for r in results if r.table == table.number}
        if cells:
            parts.append(f"## Table {table.number}: {table.title}")
            parts.append(_grid(table, cells))
    parts.append("## How many times faster than the thesis")
    parts.append(_ratios(results))
    return "\n\n".join(parts) + "\n"


def _grid(table: Table, cells: Mapping[tuple[str, str], Measured]) -> str:
    rows = [["puzzle", "size", *(f"{ours} (*{theirs}*)" for ours, theirs, _ in table.columns)]]
    for name in dict.fromkeys(puzzle for puzzle, _ in cells):
        of_puzzle = [cells[name, column] for column, _, _ in table.columns]
        rows.append([name, str(of_puzzle[0].size), *map(_cell, of_puzzle)])
    return _pipes(rows)


def _cell(result: Measured) -> str:
    if result.ms is None:
        ours = "x" if result.verdict == Verdict.TIMEOUT else result.verdict
    else:
        ours = f"{result.ms:.3g}" if result.ms < 100 else f"{result.ms:,.0f}"
    return f"{ours} ({'x' if result.thesis_ms is None else f'{result.thesis_ms:,.0f}'})"


def _ratios(results: Sequence[Measured]) -> str:
    """Per solver: the median ratio over the puzzles that both have a figure above 0 for, least and most."""
    rows = [["solver", "puzzles solved", "compared", "median", "least", "most"]]
    for solver in dict.fromkeys(result.solver for result in results):
        mine = list({r.puzzle: r for r in results if r.solver == solver}.values())
        ratios = [ratio for result in mine if (ratio := result.ratio) is not None]
        shown = [f"{value:,.1f}" for value in (median(ratios), min(ratios), max(ratios))] if ratios else ["", "", ""]
        solved = sum(result.ms is not None for result in mine)
        rows.append([solver, f"{solved} of {len(mine)}", str(len(ratios)), *shown])
    note = "Compared are the puzzles for which both have a figure and the thesis' is not rounded to 0."
    return f"{_pipes(rows)}\n\n{note}"


def _pipes(rows: Sequence[Sequence[str]]) -> str:
    head, *body = rows
    rule = ["---", *("---:" for _ in head[1:])]
    return "\n".join("| " + " | ".join(row) + " |" for row in (head, rule, *body))
