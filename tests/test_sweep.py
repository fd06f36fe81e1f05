"""Counts and draws by a sweep, held against brute force and against the search through components."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections import Counter
from itertools import accumulate, pairwise

import numpy as np
import pytest
from brute import ambiguous, pictures, random_puzzle
from sampling import spread
from three_methods import board, compared

import nonosat
from nonosat.counting import native
from nonosat.counting.count import count
from nonosat.counting.diagram import DiagramValues
from nonosat.counting.native import CounterPortfolio, counted
from nonosat.counting.sweep import counts, states
from nonosat.counting.sweep.counts import MET, STRETCH, Sweep, sums_of
from nonosat.counting.sweep.states import Layer, SweepPlan, line_automaton, numbered
from nonosat.puzzles.nonogram import Nonogram, Run
from nonosat.puzzles.nonogram.automaton import clue_automaton
from nonosat.rng import Rng
from nonosat.runs.events import Verdict
from nonosat.solvers.propagation.board import PAUSED


def swept(puzzle: Nonogram, keep: bool = False) -> CounterPortfolio:
    """A count by the sweep alone."""
    found = CounterPortfolio(puzzle, (), keep=keep)
    while found.go_on() == PAUSED:
        pass
    assert found.done
    return found


def test_a_word_has_its_blanks_between_runs_of_one_colour() -> None:
    clue = (Run(2, 1), Run(1, 1), Run(1, 2))
    assert line_automaton(clue, np.ones((5, 3), dtype=bool)).letters == (1, 1, 0, 1, 2)
    read, accepting = clue_automaton(clue)
    assert {state for state, value, then in read if state == then and value == 0} == {0, 3, 4, 5}  # no blank is due
    assert [(state, value) for state, value, then in read if state != then] == list(enumerate((1, 1, 0, 1, 2)))
    assert accepting == [5]


def test_an_automaton_reads_the_lines_of_its_clue_and_no_others() -> None:
    may = np.ones((5, 3), dtype=bool)
    may[0, 0] = False
    reader = line_automaton(((1, 1), (1, 1), (1, 2)), may)
    ways: dict[tuple[int, ...], int] = {(): 0}
    for i in range(5):
        ways = {
            (*line, v): int(reader.step[i][v, k])
            for line, k in ways.items()
            for v in range(3)
            if reader.step[i][v, k] >= 0
        }
    assert set(ways) == {(1, 0, 1, 2, 0), (1, 0, 1, 0, 2), (1, 0, 0, 1, 2)}
    assert line_automaton(((4, 1),), np.ones((3, 2), dtype=bool)).states[0] == []


def against_brute_force(seed: int, boards: int) -> None:
    rng = np.random.default_rng(seed)
    anything = [random_puzzle(rng) for _ in range(2 * boards // 3)]
    known = [(puzzle, pictures(puzzle)) for puzzle in anything] + ambiguous(boards // 3, seed)
    for puzzle, right in known:
        found = swept(puzzle)
        assert found.unsatisfiable or found.swept
        assert found.solutions == len(right), puzzle


@pytest.mark.slow
def test_counts_are_those_of_brute_force() -> None:
    against_brute_force(11, 150)


@pytest.mark.slow
@pytest.mark.parametrize("boards", [300, pytest.param(1000, marks=pytest.mark.nightly)])
def test_counts_are_those_of_brute_force_on_many_boards(boards: int) -> None:
    against_brute_force(12, boards)


@pytest.mark.parametrize(
    ("size", "density", "boards"), spread([(8, 0.3, 20), (10, 0.4, 10), (12, 0.5, 6), (12, 0.15, 2)], 1)
)
def test_two_methods_that_share_nothing_agree(size: int, density: float, boards: int) -> None:
    for seed in range(boards):
        puzzle = nonosat.random_density(size, size, density, seed=seed)
        assert swept(puzzle).solutions == DiagramValues(*counted(puzzle)).solutions


@pytest.mark.slow
def test_the_program_that_compares_the_three() -> None:
    every, several, wrong = compared(0, 12, 2.0)
    assert (wrong, every > 6, several > 3) == ([], True, True)
    assert len({board(number).palette for number in range(4)}) == 2


@pytest.mark.slow
@pytest.mark.parametrize("boards", [60, pytest.param(400, marks=pytest.mark.nightly)])
def test_three_methods_agree_on_many_boards(boards: int) -> None:
    every, several, wrong = compared(0, boards, 1.0)
    assert (wrong, every > boards // 2, several > boards // 4) == ([], True, True)


def met(puzzle: Nonogram, turned: bool, row: int) -> int:
    """The number by two sweeps over rows (``turned``: columns) that meet before ``row``."""
    sweep = Sweep(puzzle, CounterPortfolio(puzzle).root_board)
    sweep.plans = [sweep.plans[turned]]
    while not sweep.plans[0].ready:
        sweep.plans[0].read(counts.MOST)
    sweep.plans[0].meet = row
    while (said := sweep.go_on(1, 1 << 30)) == PAUSED:
        pass
    assert said == MET
    return sweep.solutions


@pytest.mark.slow
@pytest.mark.parametrize(("size", "density"), spread([(7, 0.3), (8, 0.4), (10, 0.25)], 1))
def test_wherever_two_sweeps_meet_the_number_is_the_same(size: int, density: float) -> None:
    puzzle = nonosat.random_density(size, size + 1, density, seed=4)
    right = DiagramValues(*counted(puzzle)).solutions
    assert {met(puzzle, False, row) for row in range(size + 1)} == {right}
    assert {met(puzzle, True, row) for row in range(size + 2)} == {right}


def test_the_states_of_halves_are_those_of_solutions_and_few_others() -> None:
    """Each solution's columns are in states that are known, and its rows are ways that are."""
    puzzle = nonosat.random_density(6, 7, 0.3, seed=3)
    plan = SweepPlan(puzzle.rows, puzzle.columns, np.ones((6, 7, 2), dtype=bool), False)
    while not plan.ready:
        plan.read(counts.MOST)
    found = pictures(puzzle)
    assert len(found) > 3
    for half in (plan.left, plan.right):
        for picture in found:
            cells = np.array(picture.cells)[:, half.first : half.end]
            digits, places = np.zeros(cells.shape[1], dtype=np.int64), []
            for r in range(7):
                known = [half.digits(r, state) for state in range(len(half.places[r].keys))]
                places.append(known.index(digits.tolist()))
                if r < 6:
                    digits = np.array(
                        [column.step[r][v, d] for column, v, d in zip(half.down, cells[r], digits, strict=True)]
                    )
            for r, way in enumerate(pairwise(places)):
                ways = zip(half.crossings[r].start.tolist(), half.crossings[r].end.tolist(), strict=True)
                assert way in set(ways)
        for places in half.places:
            assert (np.diff(places.coloured) >= 0).all()


def test_where_the_count_of_a_pair_stands() -> None:
    puzzle = nonosat.random_density(9, 9, 0.3, seed=4)
    sweep = swept(puzzle, keep=True).sweep
    assert sweep is not None
    classes = 0
    for layer in (*sweep.above, *sweep.below):
        numbers = Layer(layer.shape, np.arange(1, layer.shape.states + 1, dtype=np.uint64))
        seen = 0
        for many, panel in layer.shape.panels.items():
            left = np.arange(panel.left, panel.left + panel.line.shape[1])
            right = np.arange(panel.right, panel.right + panel.edge[-1])
            counts = numbers.at(many, left, right)
            classes = max(classes, len(panel.at))
            for i, j in np.argwhere(counts).tolist():
                assert numbers.pair(int(counts[i, j]) - 1) == (left[i], right[j])
            seen += np.count_nonzero(counts)
        assert seen == layer.shape.states
    assert classes > 3


def test_states_are_numbered_by_a_table_or_by_sorting(monkeypatch: pytest.MonkeyPatch) -> None:
    keys = np.array([7, 3, 3, 9, 7], dtype=np.uint64)
    for sparse in (100, 1):
        monkeypatch.setattr(states, "SPARSE", sparse)
        known, which = numbered(keys, 10)
        assert (known.tolist(), which.tolist()) == ([3, 7, 9], [1, 0, 0, 2, 1])


def test_sums_of_products_are_those_of_long_numbers() -> None:
    rng = np.random.default_rng(5)
    one, other = (rng.integers(0, 2**64, 2 * STRETCH + 5, dtype=np.uint64) for _ in range(2))
    one[:9], other[:9], one[STRETCH:] = 2**64 - 1, 2**64 - 1, one[STRETCH:] >> np.uint64(40)
    right = [a * b for a, b in zip(one.tolist(), other.tolist(), strict=True)]
    sums = [sum(right[i : i + STRETCH]) for i in range(0, len(right), STRETCH)]
    assert sums_of(one, other, 0, 3) == sums
    assert sums_of(one, other, 1, 9) == sums[1:]


def test_a_board_that_is_not_square_is_swept_either_way() -> None:
    for shape in ((4, 12), (12, 4)):
        puzzle = nonosat.random_density(*shape, 0.4, seed=2)
        assert swept(puzzle).solutions == DiagramValues(*counted(puzzle)).solutions


@pytest.mark.parametrize("shape", [(70, 4), (3, 66), (64, 3), (80, 1), (1, 80)])
def test_boards_of_more_lines_than_a_word_has_bits(shape: tuple[int, int]) -> None:
    puzzle = nonosat.random_density(*shape, 0.4, seed=3)
    assert swept(puzzle).solutions == DiagramValues(*counted(puzzle)).solutions > 0


@pytest.mark.slow
def test_numbers_of_more_than_a_word() -> None:
    """22! is more than 2**64; its layers' counts are not."""
    assert swept(Nonogram.from_lengths([[1]] * 18, [[1]] * 18)).solutions == math.factorial(18)
    assert swept(Nonogram.from_lengths([[1]] * 22, [[1]] * 22)).solutions == math.factorial(22) > 2**64


def test_the_state_where_sweeps_meet_is_drawn_as_often_as_it_has_solutions() -> None:
    """The n-th solution goes through the state at which the sum of all before it passes n."""
    puzzle = Nonogram.from_lengths([[1, 1, 1]] * 10, [[1, 1, 1]] * 10)
    found = swept(puzzle, keep=True)
    assert found.sweep is not None
    one, other = found.sweep.above[-1], found.sweep.below[-1]
    sums = list(accumulate(a * b for a, b in zip(one.counts.tolist(), other.counts.tolist(), strict=True)))
    assert len(sums) > 2 * STRETCH
    assert sums[-1] == found.solutions

    class Fixed(Rng):
        def below_any(self, bound: int) -> int:
            return number

    for number in range(0, sums[-1], sums[-1] // 200):
        assert found.drawer._met(Fixed(0)) == one.pair(bisect_right(sums, number))


@pytest.mark.slow
def test_solutions_are_drawn_evenly() -> None:
    chi2, freedom = 0.0, 0
    for number, (puzzle, right) in enumerate(ambiguous(30, 5)):
        found, chance = swept(puzzle, keep=True), Rng(number)
        assert found.solutions == len(right)
        times = Counter(puzzle.picture(found.draw(chance)) for _ in range(20 * len(right)))
        assert set(times) <= right
        chi2 += sum((times[board] - 20) ** 2 / 20 for board in right)
        freedom += len(right) - 1
    assert freedom > 60
    z = ((chi2 / freedom) ** (1 / 3) - (1 - 2 / (9 * freedom))) / math.sqrt(2 / (9 * freedom))
    assert abs(z) < 3.1


def test_a_sweep_without_memory_stops() -> None:
    puzzle = Nonogram.from_lengths([[1]] * 16, [[1]] * 16)
    found = CounterPortfolio(puzzle, (), room_mb=0.1)
    while (said := found.go_on()) == PAUSED:
        pass
    assert said == native.OUT_OF_ROOM
    assert not found.done


def test_the_first_counter_to_finish_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    puzzle = nonosat.random_density(9, 9, 0.2, seed=1)
    assert count(puzzle, counter="sweep").counter == "sweep"
    assert count(puzzle, counter="components").counter == "components"
    monkeypatch.setattr(native, "FIRST", 1)
    monkeypatch.setattr(native, "LATER", 1)
    found = count(puzzle)
    assert (found.counter, found.solutions) == ("sweep", count(puzzle, counter="components").solutions)


def test_boards_out_of_reach_are_left_to_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    puzzle = nonosat.random_density(9, 9, 0.3, seed=4)
    right = count(puzzle, counter="components").solutions
    monkeypatch.setattr(counts, "LEAST", 1)
    monkeypatch.setattr(counts, "MOST", 10)
    stopped = count(puzzle, counter="sweep")
    assert (stopped.verdict, stopped.stopped) == (Verdict.MEMOUT, Verdict.MEMOUT)
    monkeypatch.setattr(counts, "MOST", 1 << 22)
    monkeypatch.setattr(native, "REACH", 10)
    monkeypatch.setattr(native, "LIVE", 0)  # the sweep over live states has no turns
    monkeypatch.setattr(native, "FIRST", 1)
    monkeypatch.setattr(native, "LATER", 1)
    found = count(puzzle)
    assert (found.counter, found.solutions) == ("components", right)


@pytest.mark.slow
def test_counts_that_no_word_holds_are_refused() -> None:
    """Words of three letters, each 50 times, and no two of one letter side by side."""
    stopped = count(Nonogram.from_lengths([[1]] * 150, [[1] * 50] * 3), counter="sweep")
    assert (stopped.verdict, stopped.stopped) == (Verdict.MEMOUT, Verdict.MEMOUT)
    found = count(Nonogram.from_lengths([[1]] * 60, [[1] * 20] * 3), counter="sweep").solutions
    assert found == count(Nonogram.from_lengths([[1]] * 60, [[1] * 20] * 3), counter="components").solutions
    assert found is not None
    assert found > 2**50
