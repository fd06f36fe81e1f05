"""The native solvers: against brute force in every variant, their counters by hand, and what they refuse."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import islice, product
from math import comb, prod
from pathlib import Path

import numpy as np
import pytest
from bounds import checked
from brute import ambiguous, pictures, random_puzzle
from brute import placements as brute_placements
from sampling import portions, repeated, spread

from nonosat.errors import UnknownNameError, UnsupportedError
from nonosat.generators.density import random_density
from nonosat.puzzles.formats import load
from nonosat.puzzles.nonogram import Clue, Given, Nonogram, Run
from nonosat.puzzles.nonogram.puzzle import Picture, palette_of
from nonosat.runs.events import Answer, Progress, Statistics, Verdict
from nonosat.solvers import registry
from nonosat.solvers.published import placements, walejko
from nonosat.solvers.published.placements import ListedPlacements, cells, counts, lines_of
from nonosat.solvers.published.walejko import drop
from nonosat.solvers.solve import solve

ELIMINATION = [
    "+".join(("elimination", *(switch for switch in chosen if switch)))
    for chosen in product(
        ("", "nobreak"), ("", "columns"), ("", "min", "max"), ("", "fifo", "unchanged"), ("", "tracking")
    )
]
QUICK = [*ELIMINATION, "axis+partial", "rowsearch"]
ALL = [*QUICK, "axis", "exhaustive"]
AMBIGUOUS = Nonogram.from_lengths([[1], [1]], [[1], [1]])
GCHQ = Path(__file__).parents[1] / "examples" / "gchq.json"


@cache
def small_puzzles(most: int, number: int) -> list[tuple[Nonogram, set[Picture]]]:
    rng = np.random.default_rng(most)
    puzzles = [random_puzzle(rng, most=most) for _ in range(number)]
    return [(puzzle, pictures(puzzle)) for puzzle in puzzles]


def without_time(statistics: Statistics) -> Statistics:
    return replace(statistics, solve_s=None, peak_memory_mb=None)


@pytest.mark.parametrize("number", repeated(5, 40))
@pytest.mark.parametrize("name", ALL)
def test_all_solutions_are_found_once(number: int, name: str) -> None:
    for puzzle, expected in (
        small_puzzles(3, 80)[: 2 * number] if name in ("axis", "exhaustive") else small_puzzles(5, 40)[:number]
    ):
        answer = solve(puzzle, solver=name, count=None)  # a picture that comes twice is a CRASH
        assert set(answer.pictures) == expected
        assert answer.exhausted
        assert answer.verdict == (Verdict.SAT if expected else Verdict.UNSAT)


@pytest.mark.parametrize("number", repeated(4, 30))
@pytest.mark.parametrize("name", ALL)
def test_how_many_are_looked_for(number: int, name: str) -> None:
    for puzzle, expected in small_puzzles(3, 80)[:number]:
        two = solve(puzzle, solver=name, count=2)
        assert len(two.pictures) == min(2, len(expected))
        assert two.exhausted == (len(expected) < 2) or len(expected) == 2
        assert solve(puzzle, solver=name, unique=True).unique == (len(expected) == 1)
    for count, found, exhausted in ((1, 1, False), (3, 2, True)):
        answer = solve(AMBIGUOUS, solver=name, count=count)
        assert (len(answer.pictures), answer.exhausted) == (found, exhausted)


@pytest.mark.slow
@pytest.mark.parametrize("name", QUICK)
def test_all_solutions_are_found_once_at_length(name: str) -> None:
    rng = np.random.default_rng(1)
    for _ in range(500):
        puzzle = random_puzzle(rng, most=6, colours=int(rng.integers(1, 3)))
        assert set(solve(puzzle, solver=name, count=None).pictures) == pictures(puzzle)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["axis", "exhaustive"])
def test_every_filling_at_length(name: str) -> None:
    for puzzle, expected in small_puzzles(4, 60):
        if puzzle.colours < 3 or puzzle.height * puzzle.width < 15:
            assert set(solve(puzzle, solver=name, count=None).pictures) == expected


@pytest.mark.parametrize("name", ALL)
def test_boards_of_one_line_and_empty_clues(name: str) -> None:
    row = Nonogram.from_lengths([[2, 1]], [[1], [1], [], [1], []])
    for puzzle in (row, Nonogram(row.columns, row.rows)):
        assert len(solve(puzzle, solver=name, count=None).pictures) == 1
    blank = solve(Nonogram.from_lengths([[], []], [[], [], []]), solver=name, count=None)
    assert [picture.rows() for picture in blank.pictures] == [["...", "..."]]


@pytest.mark.parametrize("name", ALL)
def test_given_cells_that_no_line_can_have(name: str) -> None:
    puzzle = Nonogram.from_lengths([[2], [1]], [[2], [1]], given=[(0, 1, 0)])
    answer = solve(puzzle, solver=name)
    assert (answer.verdict, answer.exhausted) == (Verdict.UNSAT, True)


def coloured(height: int, width: int, colours: int, density: float, seed: int, given: int) -> Nonogram:
    """A board with ``given`` cells that agree with the picture it was made from."""
    puzzle = random_density(height, width, [density / colours] * colours, seed)
    assert puzzle.goal is not None
    cells = np.random.default_rng(seed).choice(height * width, given, replace=False).tolist()
    values = puzzle.goal.cells.reshape(-1).tolist()
    return replace(puzzle, given=tuple(Given(c // width, c % width, values[c]) for c in cells))


@pytest.mark.parametrize("length", [63, 64, 65, 127, 128, 130])
def test_lines_of_several_words(length: int) -> None:
    for colours, density in ((1, 0.94), (3, 0.94)):
        puzzle = coloured(3, length, colours, density, seed=length, given=length)
        turned = Nonogram(
            puzzle.columns, puzzle.rows, tuple(Given(c, r, v) for r, c, v in puzzle.given), puzzle.palette
        )
        expected = {picture.cells.tobytes() for picture in solve(puzzle, count=500).pictures}
        assert 0 < len(expected) < 500
        for name in (
            "elimination",
            "elimination+fifo+tracking",
            "elimination+min+nobreak",
            "axis+partial",
            "rowsearch",
        ):
            found = solve(puzzle, solver=name, count=None)
            assert {picture.cells.tobytes() for picture in found.pictures} == expected
            found = solve(turned, solver=name, count=None)
            assert {np.ascontiguousarray(picture.cells.T).tobytes() for picture in found.pictures} == expected


@cache
def medium_puzzles() -> list[tuple[Nonogram, Answer]]:
    boards = [random_density(12, 12, 0.5, seed) for seed in range(4)]
    boards += [coloured(10, 11, 2, 0.6, seed, given=6) for seed in range(4)]
    return [(board, solve(board, solver="minisat22", unique=True)) for board in boards]


@pytest.mark.parametrize("numbers", portions(range(8), 2))
@pytest.mark.parametrize("name", QUICK)
def test_variants_agree_with_a_sat_solver(numbers: list[int], name: str) -> None:
    for puzzle, reference in (medium_puzzles()[number] for number in numbers):
        answer = solve(puzzle, solver=name, unique=True)
        assert (answer.verdict, answer.unique) == (reference.verdict, reference.unique)
        if answer.unique:
            assert answer.picture == reference.picture


def test_the_puzzle_of_the_given_cells() -> None:
    puzzle = load(GCHQ)
    for name in ("elimination", "axis+partial", "rowsearch"):
        assert solve(puzzle, solver=name, unique=True).unique is True
    assert solve(replace(puzzle, given=()), solver="elimination", unique=True).unique is False


def test_a_board_that_lines_alone_solve_is_known_to_be_the_only_one() -> None:
    answer = solve(Nonogram.from_lengths([[3], [1]], [[1], [2], [1]]), solver="elimination")
    assert (answer.unique, answer.statistics.assumptions) == (True, 0)
    assert solve(AMBIGUOUS, solver="elimination").unique is None


def one_row(clue: Clue, length: int, colours: int, given: tuple[Given, ...] = ()) -> ListedPlacements:
    return ListedPlacements(Nonogram((clue,), ((),) * length, given, palette_of(colours)), "row")


def rows_of(lines: ListedPlacements, i: int = 0) -> list[tuple[int, ...]]:
    lists = lines.listed()
    return [tuple(cells(lists, i, p).tolist()) for p in range(lines.count[i])]


@pytest.mark.parametrize(("length", "colours"), [(1, 1), (2, 2), (5, 3), (6, 2), (9, 1)])
def test_placements_are_those_of_brute_force(length: int, colours: int) -> None:
    rng = np.random.default_rng(0)
    for runs, expected in brute_placements(length, colours).items():
        clue = tuple(Run(*run) for run in runs)
        assert set(rows_of(one_row(clue, length, colours))) == set(expected)
        cells = np.flatnonzero(rng.random(length) < 0.4).tolist()
        values = rng.integers(0, colours + 1, length).tolist()
        fitting = [line for line in expected if all(line[cell] == values[cell] for cell in cells)]
        found = rows_of(one_row(clue, length, colours, tuple(Given(0, cell, values[cell]) for cell in cells)))
        assert len(found) == len(fitting)
        assert set(found) == set(fitting)


def test_placements_come_in_the_order_of_their_runs() -> None:
    assert rows_of(one_row((Run(1), Run(2)), 6, 1)) == [
        (1, 0, 1, 1, 0, 0),
        (1, 0, 0, 1, 1, 0),
        (1, 0, 0, 0, 1, 1),
        (0, 1, 0, 1, 1, 0),
        (0, 1, 0, 0, 1, 1),
        (0, 0, 1, 0, 1, 1),
    ]
    assert rows_of(one_row((Run(1, 1), Run(1, 2)), 3, 2, (Given(0, 1, 0),))) == [(1, 0, 2)]


def test_placements_are_counted_exactly() -> None:
    assert one_row((Run(1),) * 50, 200, 1).count == [comb(151, 50)]
    assert one_row((Run(2, 1), Run(3, 2)) * 30, 200, 2).count == [comb(110, 60)]  # runs of two colours may touch
    # A given blank in the middle, where every placement of one run is on one side or the other.
    assert one_row((Run(3),), 101, 1, (Given(0, 50, 0),)).count == [2 * 48]
    ones = (Run(1),) * 60
    assert one_row(ones, 200, 1, (Given(0, 0, 1),)).count == [comb(198 - 59 + 1, 59)]
    assert one_row(ones, 200, 1, (Given(0, 0, 0), Given(0, 199, 0))).count == [comb(198 - 60 + 1, 60)]


def test_the_smaller_product_is_found_exactly() -> None:
    big = 10**400
    assert walejko.product_is_smaller([big, big], [big, big + 1])
    assert not walejko.product_is_smaller([big, big + 1], [big + 1, big])
    assert walejko.product_is_smaller([0, big], [1, 1])
    assert not walejko.product_is_smaller([0, big], [0, 1])


def test_the_axis_of_fewer_placements_is_listed() -> None:
    wide = Nonogram.from_lengths([[1], [1]], [[1], [1], [], [], []])
    assert solve(wide, solver="axis", count=None).statistics.placements == 2 + 2 + 1 + 1 + 1
    tall = Nonogram(wide.columns, wide.rows)
    assert solve(tall, solver="axis", count=None).statistics.placements == 2 + 2 + 1 + 1 + 1
    assert solve(wide, solver="rowsearch").statistics.placements == 5 + 5


def test_a_line_over_the_limit() -> None:
    puzzle = Nonogram.from_lengths([[], [1], [1, 1]], [[1], [1], [1], [], []])
    for name, limit, reason in (
        ("elimination", 4, "row 2 has 5 placements, the limit is 4"),
        ("rowsearch", 5, "row 3 has 6 placements, the limit is 5"),
        ("axis", 2, "column 1 has 3 placements, the limit is 2"),
        ("axis+partial", 2, "column 1 has 3 placements, the limit is 2"),
    ):
        answer = solve(puzzle, solver=f"{name}+limit={limit}")
        assert (answer.verdict, answer.stopped, answer.picture) == (Verdict.MEMOUT, Verdict.MEMOUT, None)
        assert answer.reason == reason
        assert solve(puzzle, solver=f"{name}+limit=6").verdict == Verdict.SAT
    long = Nonogram.from_lengths([[1] * 10], [[1]] * 10 + [[]] * 30)
    reason = "row 1 has 44,352,165 placements, the limit is 1,000,000"
    assert solve(long, solver="elimination+limit=1000000").reason == reason


def test_lists_over_the_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    puzzle = random_density(30, 30, 0.6, seed=1)
    monkeypatch.setattr(placements, "BUDGET", 2**20)
    for name, lines in (("elimination", "lines"), ("rowsearch", "rows")):
        answer = solve(puzzle, solver=name)
        assert answer.verdict == Verdict.MEMOUT
        assert answer.reason is not None
        assert f"placements; all {lines} together need" in answer.reason
        assert answer.reason.endswith(" MiB, the budget is 1")


@pytest.mark.parametrize("name", spread(["elimination", "axis", "axis+partial", "rowsearch"], 2))
def test_counts_that_are_astronomical(name: str) -> None:
    puzzle = random_density(200, 200, 0.5, seed=1)
    assert puzzle.goal is not None
    given = tuple(Given(row, 7, int(puzzle.goal.cells[row, 7])) for row in range(200))
    for board in (puzzle, replace(puzzle, given=given)):
        answer = solve(board, solver=name)
        assert answer.verdict == Verdict.MEMOUT
        assert answer.reason is not None
        assert "alone has about 10^" in answer.reason


def test_switches_are_checked() -> None:
    assert registry.solver("elimination+tracking+fifo+limit=7").name == "elimination+fifo+tracking+limit=7"
    with pytest.raises(UnsupportedError, match="exclude each other"):
        solve(AMBIGUOUS, solver="elimination+min+max")
    with pytest.raises(UnknownNameError, match="partial"):
        solve(AMBIGUOUS, solver="axis+fifo")


def counted(puzzle: Nonogram, name: str) -> tuple[int | None, ...]:
    about = solve(puzzle, solver=name, count=None).statistics
    return about.placements, about.lines_checked, about.assumptions, about.nodes, about.contradictions


def test_counters_of_two_by_two() -> None:
    # Four lines of two placements have nothing in common; row 1 is assumed, and then both columns and row 2 follow.
    for name in ELIMINATION:
        assert counted(AMBIGUOUS, name) == (8, 4 + 2 * 3, 2, 3, 0)
    # Two rows of two placements: 1 + 2 + 4 boards, of which two are wrong, each in the first or the second column.
    assert counted(AMBIGUOUS, "axis") == counted(AMBIGUOUS, "axis+partial") == (4, 10, 6, 7, 2)
    assert counted(AMBIGUOUS, "rowsearch") == (4, None, 4, 5, 0)
    # 1 + 2 + 4 + 8 + 16 boards.
    assert counted(AMBIGUOUS, "exhaustive")[2:] == (30, 31, 14)


def test_counters_of_a_board_without_solutions() -> None:
    # Both columns fill the middle row, which wants one cell. The last line put in, column 2, is checked first; then
    # row 2, which it changed, and column 1, which that changed and which has no placement left.
    puzzle = Nonogram.from_lengths([[1], [1], [2]], [[2], [2]])
    assert counted(puzzle, "elimination") == (2 + 2 + 1 + 2 + 2, 3, 0, 1, 1)
    # Rows 1, 2, 3, columns 1, 2, and row 1 again: column 1 and 2 have left it blank.
    assert counted(puzzle, "elimination+fifo") == (9, 6, 0, 1, 1)
    # Column 2, 1, row 3, which puts the columns in again; then row 2.
    assert counted(puzzle, "elimination+unchanged") == (9, 6, 0, 1, 1)
    # After column 1: row 3, column 2, row 1, and column 1 again.
    assert counted(puzzle, "elimination+nobreak") == (9, 7, 0, 1, 1)
    # Row 1 in two ways; in both, row 2 fits in one, and row 3 does not.
    assert counted(puzzle, "rowsearch") == (5, None, 2, 3, 2)
    assert counted(puzzle, "exhaustive")[2:] == (126, 127, 64)


@pytest.mark.slow
def test_what_the_switches_change() -> None:
    puzzles = [random_density(12, 12, 0.42, seed) for seed in range(6)]
    for name in ELIMINATION:
        if "tracking" in name:
            plain = name.replace("+tracking", "")
            assert all(counted(puzzle, name) == counted(puzzle, plain) for puzzle in puzzles[:2])
        if "nobreak" in name:  # the same tree, and more work in its dead branches
            for puzzle in puzzles[:2]:
                more, plain_counts = counted(puzzle, name), counted(puzzle, name.replace("+nobreak", ""))
                assert more[2:] == plain_counts[2:]
                assert (more[1] or 0) >= (plain_counts[1] or 0)
    orders = [[counted(puzzle, f"elimination+{q}") for puzzle in puzzles] for q in ("lifo", "fifo", "unchanged")]
    assert len({tuple(about[1] for about in order) for order in orders}) == 3
    assert len({tuple(about[2:] for about in order) for order in orders}) == 1  # the order changes the work, no board
    assumed = [
        [counted(puzzle, f"elimination+{line}")[2] for puzzle in puzzles] for line in ("first", "columns", "min", "max")
    ]
    assert len({tuple(numbers) for numbers in assumed}) == 4
    for puzzle in puzzles:
        base, partial = counted(puzzle, "elimination"), counted(puzzle, "axis+partial")
        assert (base[3] or 0) < (partial[3] or 0)


@pytest.mark.parametrize(("length", "colours"), spread([(16, 1), (70, 1), (16, 3), (70, 2)], 1))
def test_tracking_looks_at_changed_cells_and_at_no_others(length: int, colours: int) -> None:
    """What no counter shows: a line drops the placements that a cell contradicts if it is told of the cell."""
    clue = (Run(4, 1), Run(3, colours), Run(2, 1))
    puzzle = Nonogram((clue,), ((),) * length, palette=palette_of(colours))
    for tracking in (False, True):
        for contradicted, told in product((2, length - 3), repeat=2):
            listed = ListedPlacements(puzzle, "row", "column")
            some = walejko.EliminationSearch(listed, ["tracking"] if tracking else [], 0.0)
            before = rows_of(listed)
            assert len({line[contradicted] for line in before}) > 1
            some.board.possible[0, 1:, contradicted >> 6] &= ~np.uint64(1 << (contradicted & 63))  # it is blank
            some.queue.changed[0, told >> 6] |= np.uint64(1 << (told & 63))
            drop(some.lists, some.board, some.queue, some.rule, 0)
            first, left = int(some.board.first[0]), int(some.board.left[0])
            kept = [before[number] for number in some.board.order[first : first + left]]
            sees = contradicted == told or not tracking
            assert sorted(kept) == sorted(line for line in before if not (sees and line[contradicted]))
            assert not some.queue.changed.any()


def laid(puzzle: Nonogram) -> int | None:
    """How many placements ``axis+partial`` lays to find all pictures, by brute force; None: it lays columns."""
    known = {(row, column): value for row, column, value in puzzle.given}
    rows = [
        [
            line
            for line in brute_placements(puzzle.width, puzzle.colours).get(clue, [])
            if agrees(line, {c: v for (r, c), v in known.items() if r == i})
        ]
        for i, clue in enumerate(puzzle.rows)
    ]
    columns = [
        [
            line
            for line in brute_placements(puzzle.height, puzzle.colours).get(clue, [])
            if agrees(line, {r: v for (r, c), v in known.items() if c == i})
        ]
        for i, clue in enumerate(puzzle.columns)
    ]
    if prod(map(len, rows)) >= prod(map(len, columns)):
        return None
    count, boards = 0, [()]
    for some in rows:
        longer = [(*board, line) for board in boards for line in some]
        count += len(longer)
        boards = [
            board
            for board in longer
            if all(
                any(line[: len(board)] == tuple(row[i] for row in board) for line in column)
                for i, column in enumerate(columns)
            )
        ]
    return count


def agrees(line: tuple[int, ...], known: dict[int, int]) -> bool:
    return all(line[cell] == value for cell, value in known.items())


@pytest.mark.slow
def test_partial_verification_gives_up_where_a_crossing_line_has_no_completion() -> None:
    seen = 0
    for puzzle, right in (*small_puzzles(4, 250), *small_puzzles(5, 40), *ambiguous(24)):
        expected = laid(puzzle) if right else None
        if expected is not None:
            assert counted(puzzle, "axis+partial")[2] == expected, puzzle
            seen += expected > 4
    assert seen > 20


def test_partial_verification_prunes() -> None:
    puzzle = random_density(5, 5, 0.5, seed=3)
    base, partial = counted(puzzle, "axis"), counted(puzzle, "axis+partial")
    assert base[0] == partial[0]
    assert (base[3] or 0) > (partial[3] or 0)


def test_counters_are_the_same_every_time() -> None:
    puzzle = random_density(12, 14, 0.45, seed=2)
    for name in QUICK:
        first, second = (without_time(solve(puzzle, solver=name, unique=True).statistics) for _ in range(2))
        assert first == second


@pytest.mark.parametrize("name", spread(["exhaustive", "axis", "axis+partial", "elimination+max", "rowsearch"], 2))
def test_a_long_search_shows_signs_of_life(name: str) -> None:
    events = registry.search(random_density(20, 20, 0.4, seed=1), None, None, registry.solver(name))
    seen = list(islice((event for event in events if isinstance(event, Progress)), 4))
    events.close()  # type: ignore[attr-defined]
    assert [event.stage for event in seen] == ["solving"] * 4
    nodes = [event.statistics.nodes or 0 for event in seen]
    assert nodes == sorted(nodes)
    assert nodes[1] < nodes[3]


def test_under_limits() -> None:
    for name in ("exhaustive", "axis", "elimination", "rowsearch"):
        answer = solve(random_density(3, 4, 0.6, seed=2), solver=name, time_limit_s=60, memory_limit_mb=2000)
        assert answer.verdict == Verdict.SAT
        assert answer.statistics.nodes is not None


BOUNDS = """
import numpy as np
from brute import pictures, random_puzzle
from nonosat.solvers.solve import solve
from test_native import ELIMINATION, coloured
rng = np.random.default_rng(7)
for number in range(60):
    puzzle = random_puzzle(rng, most=5)
    expected = pictures(puzzle)
    names = ["rowsearch", "axis+partial", ELIMINATION[number % 72], "axis", "exhaustive"]
    for name in names:
        if puzzle.height * puzzle.width <= 9 or name not in ("axis", "exhaustive"):
            assert set(solve(puzzle, solver=name, count=None).pictures) == expected, (name, puzzle)
for length in (64, 65, 130):
    for colours in (1, 3):
        puzzle = coloured(3, length, colours, 0.94, seed=length, given=length)
        for name in ("elimination", "elimination+tracking+fifo", "rowsearch", "axis+partial"):
            assert solve(puzzle, solver=name, unique=True).picture is not None
print("fine")
"""


@pytest.mark.slow
def test_compiled_functions_keep_to_their_arrays() -> None:
    checked(BOUNDS)


def test_an_empty_clue_has_no_placement_where_a_cell_is_given_a_colour() -> None:
    for column in range(3):
        puzzle = Nonogram.from_lengths([[]], [[1] if at == column else [] for at in range(3)], given=[(0, column, 1)])
        assert counts(lines_of(puzzle, "row")) == [0]
