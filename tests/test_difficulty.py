"""How hard a puzzle is: kinds, measures and labels, beside brute force and beside sweeps that were walked by hand."""

from __future__ import annotations

import json
from pathlib import Path

import brute
import numpy as np
import pytest
from commands import complaint, run
from sampling import repeated
from test_cli import GCHQ

import nonosat
from nonosat.generators.density import random_density
from nonosat.making import criteria as judges
from nonosat.puzzles.formats import save
from nonosat.puzzles.nonogram import Nonogram
from nonosat.solvers.propagation.difficulty import Difficulty, difficulty, label, line_solvable, propagated

NEEDS_PROBING = ["...#", "#.#.", "..##", "##.."]
"""No line tells a cell, yet there is one solution only."""


def puzzle_of(*rows: str) -> Nonogram:
    return Nonogram.from_picture([[int(cell == "#") for cell in row] for row in rows])


def pigeons(holes: int) -> Nonogram:
    """One more row than columns, each with one cell: only counting, or a search, finds the contradiction."""
    return Nonogram.from_lengths([[1]] * (holes + 1), [[1]] * holes)


# ---------------------------------------------------------------- by lines


@pytest.mark.parametrize(
    ("rows", "sweeps"),
    [
        (["#.#"], 1),  # the row tells all; columns would too
        (["...", "..."], 1),
        (["##", "##"], 1),
        (["##", "#."], 2),  # row 1, then both columns
        (["##.", "#..", "###"], 2),  # row 3 and the middle of row 1, then all columns
        (["...", "##.", ".#."], 3),  # row 1 and the middle of row 2; columns 2 and 3; the rest of rows 2 and 3
    ],
)
def test_sweeps_by_hand(rows: list[str], sweeps: int) -> None:
    about = difficulty(puzzle_of(*rows))
    assert (about.kind, about.sweeps, about.open_cells, about.solutions) == ("lines", sweeps, 0, 1)
    assert (about.rounds, about.probes, about.nodes, about.depth) == (0, 0, 1, 0)


Left = list[list[set[int]]]


def settle(left: Left, puzzle: Nonogram, rows: bool) -> bool:
    """One sweep of brute force over the rows or the columns; False: a line has no placement left."""
    size = puzzle.shape if rows else puzzle.shape[::-1]
    for i, clue in enumerate(puzzle.rows if rows else puzzle.columns):
        cells = [left[i][j] if rows else left[j][i] for j in range(size[1])]
        fitting = [
            line
            for line in brute.placements(size[1], puzzle.colours).get(clue, [])
            if all(value in cell for value, cell in zip(line, cells, strict=True))
        ]
        if not fitting:
            return False
        for cell, values in zip(cells, zip(*fitting, strict=True), strict=True):
            cell &= set(values)
    return True


def sweeps_of(puzzle: Nonogram, rows: bool) -> tuple[int, Left] | None:
    """The sweeps until nothing changes any more, and what is left; None: a contradiction."""
    left: Left = [[set(range(puzzle.colours + 1)) for _ in range(puzzle.width)] for _ in range(puzzle.height)]
    for row, column, value in puzzle.given:
        left[row][column] = {value}
    last = quiet = count = 0
    while quiet < 2:
        before = json.dumps([[sorted(cell) for cell in line] for line in left])
        if not settle(left, puzzle, rows == (count % 2 == 0)):
            return None
        count += 1
        changed = json.dumps([[sorted(cell) for cell in line] for line in left]) != before
        last, quiet = (count, 0) if changed else (last, quiet + 1)
    return last, left


@pytest.mark.parametrize("number", repeated(80, 250))
def test_lines_beside_brute_force(number: int) -> None:
    rng = np.random.default_rng(11)
    full = 0
    for _ in range(number):
        puzzle = brute.random_puzzle(rng)
        about, cells = difficulty(puzzle), propagated(puzzle)
        across, down = sweeps_of(puzzle, True), sweeps_of(puzzle, False)
        if across is None or down is None:
            assert across is down is cells is None
            assert (about.kind, about.solutions, about.label) == ("lines", 0, "unsolvable")
            continue
        known = [[min(cell) if len(cell) == 1 else -1 for cell in line] for line in across[1]]
        assert cells is not None
        assert cells.tolist() == known
        assert about.sweeps == min(across[0], down[0])
        assert about.open_cells == sum(line.count(-1) for line in known)
        assert line_solvable(puzzle) == (about.open_cells == 0) == (about.kind == "lines")
        full += line_solvable(puzzle)
    assert full > number // 5


# ---------------------------------------------------------------- kinds


def test_kinds() -> None:
    ambiguous = difficulty(puzzle_of("#.", ".#"))
    assert (ambiguous.kind, ambiguous.label, ambiguous.solutions) == ("guessing", "ambiguous", 2)
    assert (ambiguous.depth, ambiguous.open_cells, ambiguous.sweeps) == (1, 4, 0)
    hard = difficulty(puzzle_of(*NEEDS_PROBING))
    assert (hard.kind, hard.label, hard.solutions, hard.open_cells) == ("probing", "hard", 1, 16)
    assert (hard.rounds, hard.nodes, hard.depth) == (1, 1, 0)
    assert hard.probes > 0
    deep = difficulty(random_density(13, 13, 0.45, seed=1480))
    assert (deep.kind, deep.label, deep.solutions, deep.depth) == ("guessing", "very hard", 1, 1)
    assert nonosat.solve(random_density(13, 13, 0.45, seed=1480), unique=True).unique


def test_kinds_of_contradictions() -> None:
    lines = difficulty(Nonogram.from_lengths([[2], [], [1]], [[2], [1], []]))
    assert (lines.kind, lines.solutions, lines.label) == ("lines", 0, "unsolvable")
    probing = difficulty(Nonogram.from_lengths([[1, 1], [1, 1], [1, 1], [1]], [[1, 1], [1], [2], [1, 1]]))
    assert (probing.kind, probing.solutions, probing.label) == ("probing", 0, "unsolvable")
    guessing = difficulty(pigeons(3))
    assert (guessing.kind, guessing.solutions, guessing.label) == ("guessing", 0, "unsolvable")
    assert guessing.depth > 0


@pytest.mark.parametrize(
    ("rows", "columns", "given"),
    [
        ([[2], []], [[1], []], []),
        ([[1, 1], [], []], [[2], [], []], []),  # as many cells in the rows as in the columns
        ([[1], [1]], [[1], [1]], [(0, 0, 1), (1, 1, 1), (0, 1, 1), (1, 0, 0)]),
        ([[1], [1]], [[1], [1]], [(0, 0, 1), (1, 1, 0), (0, 1, 0), (1, 0, 1)]),
    ],
)
def test_a_full_board_is_not_believed(
    rows: list[list[int]], columns: list[list[int]], given: list[tuple[int, int, int]]
) -> None:
    """The rows, or the given cells, fill the board; the lines that still wait contradict it."""
    puzzle = Nonogram.from_lengths(rows, columns, given)
    about = difficulty(puzzle)
    assert (about.kind, about.solutions, about.label) == ("lines", 0, "unsolvable")
    assert propagated(puzzle) is None
    assert not line_solvable(puzzle)


@pytest.mark.parametrize("number", repeated(120, 400))
def test_solutions_are_those_of_brute_force(number: int) -> None:
    rng, kinds = np.random.default_rng(5), set()
    for turn in range(number):
        puzzle = brute.random_puzzle(rng, most=5 if turn % 2 else 6, colours=None if turn % 2 else 1)
        about, pictures = difficulty(puzzle), brute.pictures(puzzle)
        count = len(pictures)
        assert about.solutions == min(count, 2), puzzle
        assert about.label == label(about.kind, about.solutions, about.sweeps, about.depth)
        assert about.cells == puzzle.height * puzzle.width
        assert about.rounds > 0 or about.kind != "probing"
        assert about.nodes > 1 or about.kind != "guessing"
        found = judges.solutions(puzzle, 3)
        assert found is not None
        assert len(set(found)) == len(found) == min(count, 3)
        assert set(found) <= pictures
        kinds.add((about.kind, about.solutions))
    assert {("lines", 0), ("lines", 1), ("guessing", 2)} <= kinds


@pytest.mark.parametrize(
    ("kind", "solutions", "sweeps", "depth", "expected"),
    [
        ("lines", 1, 0, 0, "trivial"),
        ("lines", 1, 2, 0, "trivial"),
        ("lines", 1, 3, 0, "easy"),
        ("lines", 1, 10, 0, "easy"),
        ("lines", 1, 11, 0, "medium"),
        ("lines", 1, 30, 0, "medium"),
        ("lines", 1, 31, 0, "long"),
        ("probing", 1, 40, 0, "hard"),
        ("guessing", 1, 4, 3, "very hard"),
        ("guessing", 1, 4, 4, "extreme"),
        ("guessing", None, 4, 1, "extreme"),
        ("guessing", 2, 4, 1, "ambiguous"),
        ("lines", 0, 4, 0, "unsolvable"),
        ("guessing", 0, 4, 9, "unsolvable"),
    ],
)
def test_labels(kind: str, solutions: int | None, sweeps: int, depth: int, expected: str) -> None:
    assert label(kind, solutions, sweeps, depth) == expected
    assert expected in (*judges.LINE_LABELS, "unsolvable")


def test_the_time_limit() -> None:
    puzzle = random_density(40, 40, 0.35, seed=1)
    about = difficulty(puzzle, 1e-9)
    assert (about.kind, about.solutions, about.label) == ("guessing", None, "extreme")
    assert about.nodes > 0
    easy = random_density(20, 20, 0.7, seed=1)
    assert difficulty(easy, 1e-9) == difficulty(easy)  # lines and probing have no limit
    several = difficulty(random_density(5, 5, 0.3, seed=3), 1e-9)
    assert several.solutions == 2  # found in the first bit of work: known, whatever the clock says


def test_counts_are_the_same_every_time() -> None:
    for seed in range(12):
        puzzle = random_density(12, 14, [0.25, 0.2], seed)
        assert difficulty(puzzle) == difficulty(puzzle, 1000.0)
    assert difficulty(puzzle_of(*NEEDS_PROBING)) == Difficulty("probing", "hard", 1, 16, 0, 8, 16, 1, 2, 1, 0)


def test_it_is_at_the_front_door() -> None:
    assert nonosat.difficulty is difficulty


# ---------------------------------------------------------------- the command


def test_one_puzzle() -> None:
    result = run("difficulty", GCHQ)
    assert (result.returncode, result.stderr) == (0, "")
    table = {line[:12].strip(): line[12:] for line in result.stdout.splitlines()}
    assert table == {
        "difficulty": "easy",
        "reasoning": "lines",
        "solutions": "a single solution",
        "lines": "8 sweeps, 143 lines checked",
        "left open": "0 of 625 cells",
        "probing": "0 rounds, 0 probes",
        "search": "1 node, 0 deep",
    }


@pytest.fixture
def many(tmp_path: Path) -> str:
    puzzles = [puzzle_of("#.", ".#"), puzzle_of(*NEEDS_PROBING), puzzle_of("##", "##"), puzzle_of("##", "#.")]
    save([*puzzles, random_density(40, 40, 0.35, seed=1)], tmp_path / "many.txt")
    return str(tmp_path / "many.txt")


def test_many_puzzles(many: str) -> None:
    result = run("difficulty", many, "--time-limit", "0.01")
    assert result.returncode == 0
    lines = result.stdout.splitlines()
    assert lines[0].startswith("1: ambiguous · guessing, 3 nodes, 1 deep, several solutions")
    assert lines[1].startswith("2: hard · probing, 1 round, a single solution")
    assert lines[2].startswith("3: trivial · lines, 1 sweep, a single solution")
    assert "not decided in time" in lines[4]
    assert lines[5:] == ["5 puzzles: 2 trivial, 1 ambiguous, 1 hard, 1 extreme; 1 not decided in time"]


def test_json(many: str) -> None:
    lines = run("difficulty", many, "--time-limit", "0.01", "--format", "json").stdout.splitlines()
    records = [json.loads(line) for line in lines]
    assert [record["index"] for record in records] == [1, 2, 3, 4, 5]
    assert [record["solutions"] for record in records] == [2, 1, 1, 1, None]
    assert set(Difficulty.__dataclass_fields__) <= set(records[0])
    [line] = run("difficulty", many, "--index", "2", "--format", "json").stdout.splitlines()
    assert json.loads(line) == records[1]


def test_usage(many: str) -> None:
    for limit in ("0", "-1", "nan", "inf"):
        assert complaint("difficulty", many, "--time-limit", limit).startswith(
            f"Invalid value for '--time-limit': {limit}: expected"
        )
    assert complaint("difficulty", many, "--index", "9")
    assert complaint("difficulty", "nowhere.mk") == "nowhere.mk: no such file"
    said = run("difficulty", "--help").stdout
    assert all(source in said for source in ("2009", "2012", "Wu et al. 2013"))


@pytest.mark.slow
def test_limits_on_cpu_time_and_memory() -> None:
    """They hold for all of the measuring, and what was measured before stands."""
    about = difficulty(random_density(150, 150, 0.4, seed=1), cpu_limit_s=1)
    assert (about.solutions, about.label, about.cells) == (None, "extreme", 150 * 150)
    puzzle = random_density(12, 14, 0.4, 1)
    assert difficulty(puzzle, cpu_limit_s=1000, memory_limit_mb=10_000) == difficulty(puzzle)
