"""Skyscrapers in five phases: against brute force with every phase on and off, and what each phase spares."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from itertools import permutations, product

import numpy as np
import pytest
from bounds import checked
from sampling import spread

from nonosat.errors import UnsupportedError
from nonosat.puzzles.puzzle import Given
from nonosat.puzzles.skyscrapers import Skyscrapers, visible
from nonosat.runs.events import Finished, Found, Progress
from nonosat.solvers.published import majdandzic as phases
from nonosat.solvers.published.majdandzic import permutations_of
from nonosat.solvers.registry import solver

Cells = tuple[int, ...]

EVERY = [
    "+".join(("phases", *(word for word in words if word)))
    for words in product(("", "no1"), ("", "no2"), ("", "no3"), ("", "no4"), ("", "min"))
]
SAMPLE = ["phases", "phases+min", "phases+no4", "phases+no1+no2+no3", "phases+no1+no3+min", "phases+no1+no2+no3+no4"]
WORKED = [(1, 2), (1, 2, 3), (1, 2, 3), (1, 2, 3, 4), (5,)]


def solutions(puzzle: Skyscrapers, name: str = "phases", at_most: int | None = None) -> tuple[set[Cells], Finished]:
    *events, end = phases.search(puzzle, None, at_most, solver(name))
    found = [tuple(event.cells.reshape(-1).tolist()) for event in events if isinstance(event, Found)]
    assert isinstance(end, Finished)
    assert len(found) == len(set(found))
    assert end.exhausted or at_most == len(found)
    return set(found), end


def boards(puzzle: Skyscrapers, name: str, at_most: int | None = None) -> int:
    nodes = solutions(puzzle, name, at_most)[1].statistics.nodes
    assert nodes is not None
    return nodes


@cache
def squares(size: int) -> list[Cells]:
    """All Latin squares, row by row: 576 of 4x4."""
    rows = list(permutations(range(1, size + 1)))
    found: list[tuple[Cells, ...]] = [()]
    for _ in range(size):
        found = [
            (*above, row)
            for above in found
            for row in rows
            if all(a != b for before in above for a, b in zip(before, row, strict=True))
        ]
    return [sum(square, ()) for square in found]


def clues_of(cells: Sequence[int], size: int) -> Cells:
    return Skyscrapers.from_heights(np.reshape(cells, (size, size))).clues


@cache
def by_clues(size: int) -> dict[Cells, set[Cells]]:
    groups = defaultdict(set)
    for square in squares(size):
        groups[clues_of(square, size)].add(square)
    return dict(groups)


def brute(puzzle: Skyscrapers) -> set[Cells]:
    n = puzzle.size
    return {
        square
        for clues, group in by_clues(n).items()
        if all(clue in (0, seen) for clue, seen in zip(puzzle.clues, clues, strict=True))
        for square in group
        if all(square[row * n + column] == height for row, column, height in puzzle.given)
    }


@pytest.mark.parametrize("at_most", [None, 1])
def test_the_phases_that_other_solvers_borrow_are_all_five(at_most: int | None) -> None:
    """The same boards at the same cost as those of the solver ``phases+min``."""
    rng = np.random.default_rng(5)
    for _ in range(30):
        clues = [clue if rng.random() < 0.5 else 0 for clue in clues_of(np.ravel(random_square(rng, 4)).tolist(), 4)]
        puzzle = Skyscrapers.from_clues(clues)
        limited = phases.limited(puzzle, at_most, 10**6)
        with pytest.raises(StopIteration) as ended:
            next(limited)
        found, only, about = ended.value.value
        expected, end = solutions(puzzle, "phases+min", at_most)
        assert found is not None
        assert {tuple(np.ravel(board).tolist()) for board in found} == expected
        assert only == end.exhausted
        assert replace(about, solve_s=None) == replace(end.statistics, solve_s=None)


def random_square(rng: np.random.Generator, size: int) -> list[list[int]]:
    """A Latin square: that of addition with its rows, columns and heights shuffled."""
    rows, columns, heights = (rng.permutation(size) for _ in range(3))
    square: list[list[int]] = (1 + heights[(rows[:, None] + columns) % size]).tolist()
    return square


def some(rng: np.random.Generator, size: int, clues: float, given: float = 0.0) -> Skyscrapers:
    """A puzzle with that part of the clues of a random board, and that part of its heights."""
    square = random_square(rng, size)
    kept = [clue if rng.random() < clues else 0 for clue in clues_of(np.ravel(square).tolist(), size)]
    cells = [(r, c, square[r][c]) for r in range(size) for c in range(size) if rng.random() < given]
    return Skyscrapers.from_clues(kept, cells)


def test_the_worked_line() -> None:
    expected = [(1, 2, 3, 4, 5), (1, 3, 2, 4, 5), (2, 1, 3, 4, 5), (2, 3, 1, 4, 5)]
    assert permutations_of(WORKED, 0, 0) == permutations_of(WORKED, 0, 1) == expected
    assert permutations_of(WORKED, 5, 0) == expected[:1]
    assert permutations_of(WORKED, 4, 1) == expected[1:]
    assert permutations_of(WORKED, 0, 2) == permutations_of(WORKED, 2, 0) == []


def test_permutations_of_a_line() -> None:
    rng = np.random.default_rng(1)
    for _ in range(600):
        size = int(rng.integers(1, 7))
        cells = [set((1 + np.flatnonzero(rng.random(size) < 0.75)).tolist()) for _ in range(size)]
        front, back = (int(clue) for clue in rng.integers(0, size + 1, 2))
        assert permutations_of(cells, front, back) == [
            line
            for line in permutations(range(1, size + 1))
            if all(height in cell for height, cell in zip(line, cells, strict=True))
            and front in (0, visible(line))
            and back in (0, visible(line[::-1]))
        ]


def test_lines_of_many_cells() -> None:
    ascending = tuple(range(1, 65))
    assert permutations_of([ascending] * 64, 64, 0) == [ascending]
    assert permutations_of([ascending] * 64, 0, 64) == [ascending[::-1]]
    assert permutations_of([ascending] * 64, 64, 2) == []
    for wrong in ([], [(1,)] * 65, [(0,)], [(2,)]):
        with pytest.raises(UnsupportedError):
            permutations_of(wrong, 0, 0)


def test_every_square_of_four_by_four() -> None:
    assert len(squares(4)) == 576
    for clues, expected in by_clues(4).items():
        found, end = solutions(Skyscrapers.from_clues(clues))
        assert (found, end.exhausted, end.reason) == (expected, True, None)


@pytest.mark.parametrize("name", spread(EVERY, 10))
def test_all_solutions_are_found_once(name: str) -> None:
    rng = np.random.default_rng(2)
    every = list(by_clues(4).items())
    for number in rng.choice(len(every), 12, replace=False):
        clues, expected = every[number]
        assert solutions(Skyscrapers.from_clues(clues), name)[0] == expected
    for clues_left in (0.8, 0.5, 0.3, 0.1):
        for given in (0.0, 0.2):
            puzzle = some(rng, 4, clues_left, given)
            assert solutions(puzzle, name)[0] == brute(puzzle)


@pytest.mark.parametrize("size", [1, 2, 3, 4])
def test_boards_without_clues(size: int) -> None:
    puzzle = Skyscrapers.from_clues([0] * 4 * size)
    for name in SAMPLE:
        assert solutions(puzzle, name)[0] == set(squares(size))


def test_any_clues_at_all() -> None:
    rng = np.random.default_rng(3)
    unsatisfiable = 0
    for number in range(300):
        size = int(rng.integers(1, 5))
        clues = np.where(rng.random(4 * size) < 0.35, rng.integers(1, size + 1, 4 * size), 0).tolist()
        puzzle = Skyscrapers.from_clues(clues, [(0, 0, 1)] if number % 5 == 0 else [])
        expected = brute(puzzle)
        unsatisfiable += not expected
        for name in ("phases", EVERY[number % len(EVERY)]):
            assert solutions(puzzle, name)[0] == expected
    assert 50 < unsatisfiable < 250


def test_boards_of_five_and_six() -> None:
    rng = np.random.default_rng(4)
    for size, clues, given in ((5, 0.9, 0.0), (5, 0.6, 0.2), (6, 1.0, 0.0), (6, 0.8, 0.15), (6, 0.5, 0.3)) * 3:
        puzzle = some(rng, size, clues, given)
        found, _ = solutions(puzzle)
        assert found
        for cells in found:
            assert all(clue in (0, seen) for clue, seen in zip(puzzle.clues, clues_of(cells, size), strict=True))
            assert all(cells[row * size + column] == height for row, column, height in puzzle.given)
        for name in ("phases+min", "phases+no4", "phases+no1+no2+no3"):
            assert solutions(puzzle, name)[0] == found


def test_full_boards_are_as_the_clues_say() -> None:
    # All heights are given, and the only thing that is wrong is a clue.
    square = random_square(np.random.default_rng(5), 5)
    clues = clues_of(np.ravel(square).tolist(), 5)
    given = [(r, c, square[r][c]) for r in range(5) for c in range(5)]
    for name in EVERY:
        assert len(solutions(Skyscrapers.from_clues(clues, given), name)[0]) == 1
        for wrong in range(20):
            other = [clue % 5 + 1 if i == wrong else clue for i, clue in enumerate(clues)]
            found, end = solutions(Skyscrapers.from_clues(other, given), name)
            assert not found
            assert (end.exhausted, end.statistics.nodes, end.statistics.contradictions) == (True, 1, 1)


def test_clues_that_want_two_heights_in_one_cell() -> None:
    puzzle = Skyscrapers((1, 0, 0), (0, 0, 0), (3, 0, 0), (0, 0, 0))
    for name in EVERY:
        assert solutions(puzzle, name)[0] == set()
    twice = Skyscrapers.from_clues([0] * 12, [(0, 0, 2), (0, 2, 2)])
    assert solutions(twice)[1].statistics.nodes == 1


def test_how_many_are_looked_for() -> None:
    puzzle = Skyscrapers.from_clues([0] * 16)
    for at_most, found, exhausted in ((1, 1, False), (576, 576, False), (577, 576, True)):
        boards_found, end = solutions(puzzle, at_most=at_most)
        assert (len(boards_found), end.exhausted) == (found, exhausted)
    assert not solutions(puzzle, at_most=1)[1].exhausted


def test_counters_of_two_by_two() -> None:
    # Nothing is known; the first cell is guessed, and all others follow. Four walks, and four on each copy.
    _, end = solutions(Skyscrapers.from_clues([0] * 8))
    about = end.statistics
    assert (about.nodes, about.assumptions, about.contradictions, about.lines_checked) == (3, 2, 0, 12)
    # One clue settles all; without the phases the second guess is right.
    puzzle = Skyscrapers.from_clues([1, 0, 0, 0, 0, 0, 0, 0])
    assert boards(puzzle, "phases") == boards(puzzle, "phases+no2+no3+no4") == boards(puzzle, "phases+no1") == 1
    _, end = solutions(puzzle, "phases+no1+no2+no3+no4")
    about = end.statistics
    assert (about.nodes, about.assumptions, about.contradictions, about.lines_checked) == (3, 2, 1, 0)


def plainly(puzzle: Skyscrapers) -> tuple[int, int]:
    """(boards, dead ones) of the search with all phases, by sets of heights: each board as far as its lines tell."""
    n = puzzle.size
    views = [[row * n + column for row, column in view.cells] for view in puzzle.views()]
    clues = [view.clue for view in puzzle.views()]
    given = {row * n + column: height for row, column, height in puzzle.given}

    def settled(board: list[set[int]]) -> bool:
        """All that the permutations of its lines have in common; False: some line has none."""
        before = None
        while before != board:
            before = [set(heights) for heights in board]
            for cells, clue in zip(views, clues, strict=True):
                fitting = [
                    line
                    for line in permutations(range(1, n + 1))
                    if clue in (0, visible(line)) and all(h in board[c] for h, c in zip(line, cells, strict=True))
                ]
                for i, cell in enumerate(cells):
                    board[cell] &= {line[i] for line in fitting}
        return all(board)

    count = dead = 0
    todo = [[{given[cell]} if cell in given else set(range(1, n + 1)) for cell in range(n * n)]]
    while todo:
        board = todo.pop()
        count += 1
        if not settled(board):
            dead += 1
        elif (cell := next((cell for cell in range(n * n) if len(board[cell]) > 1), None)) is not None:
            for height in board[cell]:
                todo.append([{height} if other == cell else set(board[other]) for other in range(n * n)])
    return count, dead


@pytest.mark.slow
def test_no_board_is_left_before_its_lines_are_propagated() -> None:
    rng = np.random.default_rng(6)
    guessed = 0
    for size in (3, 4, 4, 4, 4, 4, 5, 5):
        for share in (0.15, 0.3):
            square = random_square(rng, size)
            clues = [clue if rng.random() < share else 0 for clue in clues_of(np.ravel(square).tolist(), size)]
            corners = [(0, 0, square[0][0]), (1, 2, square[1][2])] + [
                (3, i, square[3][i]) for i in range(3) if size == 5
            ]
            puzzle = Skyscrapers.from_clues(clues, corners[size == 3 :])
            about = solutions(puzzle)[1].statistics
            assert (about.nodes, about.contradictions) == plainly(puzzle)
            guessed += about.nodes or 0
    assert guessed > 100


def test_phases_spare_boards() -> None:
    rng = np.random.default_rng(6)
    sums = []
    for _ in range(12):
        puzzle = some(rng, 5, 0.8)
        counts = [
            boards(puzzle, f"phases{off}") for off in ("+no1+no2+no3+no4", "+no2+no3+no4", "+no3+no4", "+no4", "")
        ]
        assert counts == sorted(counts, reverse=True)
        sums.append(counts)
        # Propagation makes phase 2 of phase 3, and phase 4 knows what 1 to 3 know.
        assert boards(puzzle, "phases+no2+no4") == counts[3]
        assert boards(puzzle, "phases+no1+no2+no3") == boards(puzzle, "phases+no2") == counts[4]
        assert boards(puzzle, "phases+no1+no2+no3+min") == boards(puzzle, "phases+min")
    totals = np.sum(sums, axis=0).tolist()
    assert totals[0] > totals[1] > 2 * totals[3]
    assert totals[3] > 5 * totals[4]


def test_a_bound_on_walks_keeps_answers_right(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(7)
    puzzles = [some(rng, 4, clues, given) for clues, given in ((1.0, 0.0), (0.6, 0.0), (0.4, 0.2), (0.2, 0.0)) * 3]
    free = [boards(puzzle, "phases") for puzzle in puzzles]
    for bound in (0, 1, 3, 7, 20):
        monkeypatch.setattr(phases, "BOUND", bound)
        for puzzle, least in zip(puzzles, free, strict=True):
            found, end = solutions(puzzle, "phases")
            assert found == brute(puzzle)
            assert end.statistics.nodes is not None
            assert end.statistics.nodes >= least
            if bound < 4:
                walks = end.statistics.lines_checked
                assert end.reason is not None
                assert end.reason.endswith(f" of {walks:,} walks along a line were given up after {bound} steps")
    monkeypatch.setattr(phases, "BOUND", 0)  # no walk takes anything away
    assert [boards(puzzle, "phases") for puzzle in puzzles] == [boards(puzzle, "phases+no4") for puzzle in puzzles]


def test_little_work_a_call_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(8)
    puzzles = [some(rng, size, share) for size, share in ((5, 0.7), (5, 0.7), (5, 0.4), (5, 0.35), (4, 0.25), (4, 0.2))]
    before = [[solutions(puzzle, name) for name in SAMPLE[:3]] for puzzle in puzzles]
    monkeypatch.setattr(phases.Climb.go_on, "__defaults__", (1,))  # steps a call
    for puzzle, expected in zip(puzzles, before, strict=True):
        for name, (found, end) in zip(SAMPLE, expected, strict=False):
            again, other = solutions(puzzle, name)
            assert again == found
            for counter in ("nodes", "assumptions", "contradictions", "lines_checked"):
                assert getattr(other.statistics, counter) == getattr(end.statistics, counter)


def test_signs_of_life() -> None:
    events = phases.search(Skyscrapers.from_clues([0] * 32 + [8] * 2 + [0] * 46), None, None, solver("phases+no4"))
    progress = (event for event in events if isinstance(event, Progress))
    assert next(progress).statistics.nodes is None
    assert (next(progress).statistics.nodes or 0) > 0
    events.close()


def test_large_boards() -> None:
    n = 64
    square = [[(r + c) % n + 1 for c in range(n)] for r in range(n)]
    given = tuple(Given(r, c, square[r][c]) for r in range(n) for c in range(n) if (r * c + c) % 3)
    puzzle = Skyscrapers.from_clues(clues_of(np.ravel(square).tolist(), n), given)
    found, _ = solutions(puzzle, "phases+min", at_most=1)
    (cells,) = found
    assert clues_of(cells, n) == puzzle.clues
    with pytest.raises(UnsupportedError, match="65x65"):
        next(phases.search(Skyscrapers.from_clues([0] * 4 * 65), None, 1, solver("phases")))


BOUNDS = """
import test_majdandzic as tests
tests.test_permutations_of_a_line()
tests.test_lines_of_many_cells()
tests.test_any_clues_at_all()
tests.test_boards_of_five_and_six()
tests.test_large_boards()
print("fine")
"""


@pytest.mark.slow
def test_compiled_functions_keep_to_their_arrays() -> None:
    checked(BOUNDS)
