"""What is said of a puzzle while it is edited, held against brute force and the slow way."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from brute import pictures
from sampling import sampled

import nonosat
from nonosat import rng
from nonosat.counting.backbones import bounded_backbone
from nonosat.generators.density import random_density
from nonosat.making import editing
from nonosat.making import unique_changes as changing
from nonosat.making.criteria import repair
from nonosat.making.editing import analyse, unique_changes
from nonosat.making.repair import with_cell
from nonosat.making.unique_changes import UNTRIED, left_open, same_clues, swapped
from nonosat.puzzles.nonogram import Nonogram
from nonosat.puzzles.nonogram.puzzle import Picture, palette_of
from nonosat.puzzles.puzzle import Given, fault
from nonosat.puzzles.skyscrapers import Skyscrapers
from nonosat.solvers.propagation.difficulty import difficulty, line_solvable, propagated


def coloured(height: int, width: int, seed: int) -> Nonogram:
    cells = np.array(rng.Rng(seed).many_below(3, height * width)).reshape(height, width)
    return Nonogram.from_picture(Picture(cells, palette_of(2)))


PICTURES = [
    *(random_density(5, 7, density, seed) for density in (0.3, 0.5, 0.7) for seed in range(3)),
    *(coloured(5, 4, seed) for seed in range(3)),
]


@pytest.mark.parametrize("puzzle", PICTURES)
def test_each_change_leaves_open_what_the_slow_method_does(puzzle: Nonogram) -> None:
    puzzle = Nonogram(
        puzzle.rows,
        puzzle.columns,
        given=(Given(1, 1, int(puzzle.goal.cells[1, 1])),),
        palette=puzzle.palette,
        goal=puzzle.goal,
    )
    values = puzzle.colours + 1
    left = left_open(puzzle, puzzle.goal.cells, np.arange(puzzle.goal.cells.size * values), 1 << 40)
    for (row, column, value), said in np.ndenumerate(left):
        if (row, column) == (1, 1) or value == puzzle.goal.cells[row, column]:
            assert said == UNTRIED
        else:
            assert said == (propagated(with_cell(puzzle, row, column, value)) < 0).sum()


@pytest.mark.parametrize("seed", sampled(range(60), 20))
def test_verdict_and_shared_cells_are_those_of_brute_force(seed: int) -> None:
    puzzle = coloured(3, 4, seed) if seed % 3 == 0 else random_density(4, 4, 0.25 + seed % 4 / 8, seed)
    if seed % 5 == 0:  # clues alone; some have no solution
        puzzle = Nonogram(puzzle.rows[::-1], puzzle.columns, palette=puzzle.palette)
    boards = np.array([board.cells for board in pictures(puzzle)], dtype=int)
    about = analyse(puzzle)
    verdict = about.verdict
    if len(boards) == 0:
        assert (verdict.word, verdict.solutions, about.left) == ("none", 0, None)
        return
    assert verdict.word == ("several" if len(boards) > 1 else "lines" if line_solvable(puzzle) else "unique")
    assert verdict.solutions == len(boards)
    assert verdict.exact
    same = (boards == boards[0]).all(axis=0)
    assert (verdict.shared == np.where(same, boards[0], -1)).all()
    assert (about.left is None) == (verdict.word == "lines")
    assert about.picture.cells.tolist() in boards.tolist()
    assert verdict.label == difficulty(puzzle).label


@pytest.mark.parametrize("seed", range(20))
def test_a_bounded_backbone_finds_all_that_differs(seed: int) -> None:
    puzzle = random_density(5, 5, 0.4, seed)
    boards = np.array([board.cells for board in pictures(puzzle)], dtype=int)
    found = bounded_backbone(puzzle, [], 10_000, 100)
    assert found.complete
    assert (len(found.solutions) == 1) == (len(boards) == 1)
    assert ((found.shared >= 0) == (boards == boards[0]).all(axis=0)).all()
    for cells in found.solutions:
        assert cells.tolist() in boards.tolist()


def test_heat_is_one_where_lines_solve_what_is_changed() -> None:
    puzzle = random_density(8, 8, 0.5, 4)
    about = analyse(puzzle)
    heat = about.heat()
    assert about.verdict.word == "several"
    assert about.tried_all
    assert 0 < (heat == 1).sum() < heat.size
    for (row, column), share in np.ndenumerate(heat):
        changed = with_cell(puzzle, row, column, 1 - int(puzzle.goal.cells[row, column]))
        assert (share == 1) == line_solvable(changed)


def small(seed: int) -> Nonogram:
    """Plain or coloured, with a given cell or none."""
    puzzle = coloured(4, 4, seed) if seed % 3 == 0 else random_density(5, 5, 0.2 + seed % 4 / 8, seed)
    given = (Given(1, 2, int(puzzle.goal.cells[1, 2])),) if seed % 4 == 0 else ()
    return replace(puzzle, given=given)


@pytest.mark.parametrize("by_sat_alone", [False, True])
def test_unique_changes_are_those_of_brute_force(by_sat_alone: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if by_sat_alone:
        monkeypatch.setattr(changing, "PATIENCE", ())
        monkeypatch.setattr(changing, "TRIED_ON_OTHERS", 0)
    several, helped = 0, 0
    for seed in range(60):
        puzzle = small(seed)
        about = analyse(puzzle)
        changes = unique_changes(puzzle, about)
        assert (changes is None) == (about.verdict.word != "several")
        if changes is None:
            continue
        several += 1
        changes.go_on(60)
        assert changes.done
        picture = about.picture.cells
        fixed = {(row, column) for row, column, _ in puzzle.given}
        for (row, column, value), said in np.ndenumerate(changes.unique):
            changed = with_cell(replace(puzzle, goal=about.picture), row, column, value)
            wanted = picture[row, column] != value and (row, column) not in fixed and len(list(pictures(changed))) == 1
            assert said == wanted, (seed, row, column, value)
            helped += wanted
    assert several > 8
    assert helped > 50


def test_what_is_not_settled_within_the_bounds_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(changing, "PATIENCE", (1,))
    monkeypatch.setattr(changing, "BY_SAT", 3)
    monkeypatch.setattr(changing, "TRIED_ON_OTHERS", 0)
    puzzle = random_density(14, 14, 0.5, 0)
    about = analyse(puzzle)
    bounded = unique_changes(puzzle, about)
    bounded.go_on(60)
    assert bounded.done
    assert (bounded.cells() == changing.OPEN).any()
    monkeypatch.undo()
    whole = unique_changes(puzzle, about)
    steps = 0
    while not whole.done:  # as often as it rests, it comes to the same
        whole.go_on(0)
        steps += 1
    assert steps > 5
    assert (whole.cells() == changing.YES).sum() > 5
    assert not (whole.unique == changing.OPEN).any()
    settled = bounded.unique != changing.OPEN
    assert (bounded.unique[settled] == whole.unique[settled]).all()
    for (row, column, value), said in np.ndenumerate(whole.unique):
        if (row + column) % 5 == 0 and about.picture.cells[row, column] != value:
            assert (said == changing.YES) == nonosat.solve(
                with_cell(replace(puzzle, goal=about.picture), row, column, value), unique=True
            ).unique


def test_what_a_repair_changes_alone_is_hot() -> None:
    puzzle = random_density(8, 8, 0.5, 4)
    done = repair(puzzle, line_solvable=True)
    assert len(done.changes) == 1
    row, column, _, new = done.changes[0]
    assert analyse(puzzle).left[row, column, new] == 0
    assert analyse(done.puzzle).verdict.word == "lines"


def test_contradicting_clues_have_a_reason() -> None:
    verdict = analyse(Nonogram.from_lengths([[1], []], [[2], []])).verdict
    assert (verdict.word, verdict.reason) == ("none", "the rows fill 1 cells, the columns 2")


def test_clues_without_a_solution_need_no_reason() -> None:
    puzzle = Nonogram.from_lengths([[1, 1], [], [1, 1]], [[1], [2], [1]])
    assert analyse(puzzle).verdict.word == "none"


def test_bounds_are_kept_and_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    puzzle = random_density(15, 15, 0.35, 1)
    whole = analyse(puzzle)
    assert whole.tried_all
    monkeypatch.setattr(editing, "CHANGES", 1_000)
    some = analyse(puzzle)
    assert not some.tried_all
    tried = some.left > UNTRIED
    assert 0 < tried.sum() < (whole.left > UNTRIED).sum()
    assert (some.left[tried] == whole.left[tried]).all()
    heat = some.heat()
    assert np.isnan(heat).any()
    assert heat[some.verdict.shared < 0].size == 0 or not np.isnan(heat[some.verdict.shared < 0]).all()
    monkeypatch.setattr(editing, "SEARCH", 1)
    monkeypatch.setattr(editing, "MODELS", 1)
    unsettled = analyse(puzzle).verdict
    assert (unsettled.word, unsettled.exact, unsettled.solutions) == ("unsettled", False, None)
    assert (unsettled.shared == propagated(puzzle)).all()


def test_the_same_puzzle_gets_the_same_answer() -> None:
    puzzle = random_density(20, 20, 0.4, 2)
    one, two = analyse(puzzle), analyse(puzzle)
    assert (one.left == two.left).all()
    assert (one.verdict.shared == two.verdict.shared).all()
    assert one.verdict.at_least == two.verdict.at_least


def test_skyscrapers_have_a_verdict() -> None:
    full = Skyscrapers.from_heights([[2, 1, 3], [3, 2, 1], [1, 3, 2]])
    assert analyse(full).verdict.word == "unique"
    several = analyse(Skyscrapers((0, 0, 0), (0, 0, 0), (0, 0, 0), (0, 0, 0))).verdict
    assert several.word == "several"
    assert (several.shared == -1).all()
    assert several.exact


def test_of_a_large_board_only_lines_and_swaps_are_tried() -> None:
    drawn = random_density(60, 60, 0.5, 1)
    typed = Nonogram(drawn.rows, drawn.columns)
    about = analyse(typed)
    assert (about.verdict.word, about.left, about.tried_all) == ("unsettled", None, False)
    assert (about.verdict.shared == propagated(typed)).all()
    assert analyse(random_density(60, 60, 0.8, 1)).verdict.word == "lines"


@pytest.mark.parametrize("place", [(0, 0), (0, 5), (50, 50), (3, 4), (99, 0)])
def test_a_change_of_a_large_diagonal_is_decided_by_a_swap(place: tuple[int, int]) -> None:
    cells = np.eye(100, dtype=np.uint8)
    cells[place] ^= 1
    puzzle = Nonogram.from_picture(cells)
    about = analyse(puzzle)
    assert (about.verdict.word, about.verdict.at_least, about.verdict.exact) == ("several", 2, False)
    differ = about.verdict.shared < 0
    assert differ.sum() == 4
    assert fault(puzzle, puzzle.picture(np.where(differ, 1 - cells, cells))) is None


def test_a_swap_is_looked_for_in_open_cells_and_within_its_budget() -> None:
    cells = np.eye(6, dtype=np.int64)
    everywhere = np.ones(cells.shape, dtype=bool)
    found = swapped(cells, everywhere, 1000)
    assert found is not None
    assert same_clues(cells, found)
    assert (found != cells).sum() == 4
    assert swapped(cells, everywhere, 0) is None
    only = np.zeros(cells.shape, dtype=bool)
    only[np.ix_([0, 5], [0, 5])] = True
    far = swapped(cells, only, 1000)
    assert far is not None
    assert sorted(zip(*np.nonzero(far != cells), strict=True)) == [(0, 0), (0, 5), (5, 0), (5, 5)]
    assert swapped(np.ones((6, 6), dtype=np.int64), everywhere, 1000) is None
    for seed in range(20):
        board = random_density(8, 8, 0.4, seed)
        assert board.goal is not None
        again = swapped(board.goal.cells.astype(np.int64), np.ones((8, 8), dtype=bool), 10_000)
        assert again is None or fault(board, board.picture(again)) is None
