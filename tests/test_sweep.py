"""Counts and draws by a sweep, held against brute force and against the search through components."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import numpy.typing as npt
import pytest
from brute import ambiguous, pictures, random_puzzle
from two_methods import board, compared

import nonosat
from nonosat.chance import Chance
from nonosat.counting import turns
from nonosat.counting.count import count
from nonosat.counting.sweep.automata import reader_of, word_of
from nonosat.counting.sweep.meeting import Sweep
from nonosat.counting.sweep.pages import PAGE, Pages, gather, list_of, no_pages, taken
from nonosat.counting.sweep.prune import Pruning
from nonosat.counting.sweep.sizes import bounds
from nonosat.counting.sweep.step import DONE, FULL, cell_of, joined, step
from nonosat.counting.turns import Turns, counted
from nonosat.counting.values import Reading
from nonosat.puzzles.nonogram import Nonogram
from nonosat.solvers.answer import Verdict
from nonosat.solvers.propagation.propagate import PAUSED


def swept(puzzle: Nonogram, keep: bool = False) -> Turns:
    """A count by the sweep alone."""
    found = Turns(puzzle, (), keep=keep)
    while found.go_on() == PAUSED:
        pass
    assert found.done
    return found


def test_a_word_has_its_blanks_between_runs_of_one_colour() -> None:
    letters, due = word_of(((2, 1), (1, 1), (1, 2)))
    assert letters == (1, 1, 0, 1, 2)
    assert due == (False, False, True, False, False)


def test_an_automaton_reads_the_lines_of_its_clue_and_no_others() -> None:
    may = np.ones((5, 3), dtype=bool)
    may[0, 0] = False
    reader = reader_of(((1, 1), (1, 1), (1, 2)), may)
    ways: dict[tuple[int, ...], int] = {(): 0}
    for i in range(5):
        ways = {
            (*line, v): int(reader.step[i][v, k])
            for line, k in ways.items()
            for v in range(3)
            if reader.step[i][v, k] >= 0
        }
    assert set(ways) == {(1, 0, 1, 2, 0), (1, 0, 1, 0, 2), (1, 0, 0, 1, 2)}
    assert reader_of(((4, 1),), np.ones((3, 2), dtype=bool)).states[0] == []


def against_brute_force(seed: int, boards: int) -> None:
    rng = np.random.default_rng(seed)
    anything = [random_puzzle(rng) for _ in range(2 * boards // 3)]
    known = [(puzzle, pictures(puzzle)) for puzzle in anything] + ambiguous(boards // 3, seed)
    for puzzle, right in known:
        found = swept(puzzle)
        assert found.dead or found.swept
        assert found.solutions == len(right), puzzle


def test_counts_are_those_of_brute_force() -> None:
    against_brute_force(11, 150)


@pytest.mark.slow
def test_counts_are_those_of_brute_force_on_a_thousand_boards() -> None:
    against_brute_force(12, 1000)


@pytest.mark.parametrize(("size", "density", "boards"), [(8, 0.3, 20), (10, 0.4, 10), (12, 0.5, 6), (12, 0.15, 2)])
def test_two_methods_that_share_nothing_agree(size: int, density: float, boards: int) -> None:
    for seed in range(boards):
        puzzle = nonosat.random_density(size, size, density, seed=seed)
        assert swept(puzzle).solutions == Reading(*counted(puzzle)).solutions


def test_the_program_that_compares_the_two() -> None:
    both, several, wrong = compared(0, 12, 2.0)
    assert (wrong, both > 6, several > 3) == ([], True, True)
    assert len({board(number).palette for number in range(4)}) == 2


@pytest.mark.slow
def test_two_methods_that_share_nothing_agree_on_many_boards() -> None:
    both, several, wrong = compared(0, 400, 1.0)
    assert (wrong, both > 200, several > 100) == ([], True, True)


def test_layers_have_no_more_states_than_was_said() -> None:
    puzzle = nonosat.random_density(9, 9, 0.3, seed=4)
    sweep = swept(puzzle).sweep
    assert sweep is not None
    assert sweep.work > 0
    for side in (sweep.above, sweep.below):
        most = bounds(side.across, side.down)
        assert side.states <= most[side.row]


def test_a_board_that_is_not_square_is_swept_either_way() -> None:
    for shape in ((4, 12), (12, 4)):
        puzzle = nonosat.random_density(*shape, 0.4, seed=2)
        assert swept(puzzle).solutions == Reading(*counted(puzzle)).solutions


@pytest.mark.parametrize("shape", [(70, 4), (3, 66), (64, 3), (80, 1), (1, 80)])
def test_boards_of_more_lines_than_a_word_has_bits(shape: tuple[int, int]) -> None:
    puzzle = nonosat.random_density(*shape, 0.4, seed=3)
    assert swept(puzzle).solutions == Reading(*counted(puzzle)).solutions > 0


def test_layers_of_many_pages_lose_no_state() -> None:
    """What is read and written is summed up again by another program: dictionaries."""
    rng = np.random.default_rng(3)
    pages = no_pages()
    pages.grow(8)
    keys = np.sort(rng.choice(60_000, 3 * PAGE, replace=False)).astype(np.uint64)
    counts = rng.integers(1, 100, len(keys)).astype(np.uint64)
    first = listed(pages, keys, counts)
    down, across = np.array([[0, 2, 2, 3], [1, -1, 3, -1]]), np.array([[0], [0]])
    cell, said = cell_of(first, down, across, 4, 20_000, (0, 0)), PAUSED
    while (said := step(pages, cell, 0, 1)) != DONE:
        if said == FULL:
            pages.grow(3)
    found = Counter()
    for key, ways in zip(keys.tolist(), counts.tolist(), strict=True):
        for value in range(2):
            if (digit := int(down[value, key % 4])) >= 0:
                found[digit * 20_000 + key // 4] += ways
    first, states = joined(pages, cell)
    layer = [np.zeros(states, dtype=np.uint64) for _ in range(2)]
    gather(pages, first, *layer)
    assert list(zip(*(array.tolist() for array in layer), strict=True)) == sorted(found.items())
    assert len(list_of(pages, first)) + pages.left[0] + 1 == len(pages.used)


def listed(pages: Pages, keys: npt.NDArray[np.uint64], counts: npt.NDArray[np.uint64]) -> int:
    """These states as a list of pages: the first one."""
    places = [taken(pages) for _ in range(len(keys) // PAGE)]
    for i, page in enumerate(places):
        here, there = slice(page * PAGE, (page + 1) * PAGE), slice(i * PAGE, (i + 1) * PAGE)
        pages.keys[here], pages.counts[here], pages.used[page] = keys[there], counts[there], PAGE
        pages.after[page] = places[i + 1] if i + 1 < len(places) else -1
    return places[0]


def test_rows_below_are_asked_of_all_states_only_if_that_is_worth_it() -> None:
    for share in (0.5, 1.0):
        pruning, seen = Pruning(list(range(100))), []
        while not pruning.over:
            seen += (pages := pruning.next(3))
            pruning.saw(1000 * len(pages), int(1000 * share * len(pages)))
        assert sorted(seen) == (list(range(100)) if share < 1 else [0, 32, 64, 96])
    assert Pruning([]).over


def test_numbers_of_more_than_a_word() -> None:
    """22! is more than 2**64; its layers' counts are not."""
    assert swept(Nonogram.from_lengths([[1]] * 18, [[1]] * 18)).solutions == math.factorial(18)
    assert swept(Nonogram.from_lengths([[1]] * 22, [[1]] * 22)).solutions == math.factorial(22) > 2**64


def test_solutions_are_drawn_evenly() -> None:
    chi2, freedom = 0.0, 0
    for number, (puzzle, right) in enumerate(ambiguous(30, 5)):
        found, chance = swept(puzzle, keep=True), Chance(number)
        assert found.solutions == len(right)
        times = Counter(puzzle.picture(found.draw(chance)) for _ in range(20 * len(right)))
        assert set(times) <= right
        chi2 += sum((times[board] - 20) ** 2 / 20 for board in right)
        freedom += len(right) - 1
    assert freedom > 60
    z = ((chi2 / freedom) ** (1 / 3) - (1 - 2 / (9 * freedom))) / math.sqrt(2 / (9 * freedom))
    assert abs(z) < 3.1


def test_a_sweep_without_room_says_so() -> None:
    puzzle = Nonogram.from_lengths([[1]] * 16, [[1]] * 16)
    found = Turns(puzzle, (), room_mb=0.1)
    while (said := found.go_on()) == PAUSED:
        pass
    assert said == turns.OUT_OF_ROOM
    assert not found.done


def test_who_was_through_first_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    puzzle = nonosat.random_density(9, 9, 0.2, seed=1)
    assert count(puzzle, counter="sweep").counter == "sweep"
    assert count(puzzle, counter="components").counter == "components"
    monkeypatch.setattr(turns, "FIRST", 1)
    monkeypatch.setattr(turns, "LATER", 1)
    found = count(puzzle)
    assert (found.counter, found.solutions) == ("sweep", count(puzzle, counter="components").solutions)


def test_boards_out_of_reach_are_left_to_the_others() -> None:
    puzzle = Nonogram.from_lengths([[1] * 20] * 45, [[1] * 20] * 45)
    assert Sweep(puzzle, Turns(puzzle).first).expected == math.inf
    stopped = count(puzzle, counter="sweep")
    assert (stopped.verdict, stopped.stopped) == (Verdict.MEMOUT, Verdict.MEMOUT)
