"""Counts that SAT narrows: what all solutions share is given, and the number stays the same."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest
from brute import ambiguous, pictures, random_puzzle
from sampling import repeated

from nonosat.counting import native
from nonosat.counting.backbones import BackboneQueries
from nonosat.counting.count import count, sample
from nonosat.counting.native import CounterPortfolio
from nonosat.generators.density import random_density
from nonosat.runs.events import Statistics


@pytest.fixture
def narrowings(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """SAT is asked at once, and the others hardly get on; the list is of the cells given each time."""
    told: list[int] = []
    with_fixed = CounterPortfolio.with_fixed

    def noted(self: CounterPortfolio, cells: npt.NDArray[np.int64], spent: Statistics) -> CounterPortfolio:
        told.append(int((cells >= 0).sum()))
        return with_fixed(self, cells, spent)

    monkeypatch.setattr(CounterPortfolio, "with_fixed", noted)
    monkeypatch.setattr(native, "ALONE", 0)
    monkeypatch.setattr(native, "EVERY", 20)
    return told


@pytest.mark.parametrize(
    ("propagations", "conflict"),
    [(4, 1), *(pytest.param(*each, marks=pytest.mark.slow) for each in ((10**9, 1), (1, 10**9)))],
)
@pytest.mark.parametrize("number", repeated(10, 15, 60))
def test_narrowed_counts_are_those_of_others(
    narrowings: list[int], monkeypatch: pytest.MonkeyPatch, propagations: int, conflict: int, number: int
) -> None:
    """With all that SAT wants, in small turns, with a conflict a question; beside brute force and sweeps."""
    monkeypatch.setattr(native, "ALONE", 1)
    monkeypatch.setattr(native, "PROPAGATIONS", propagations)
    monkeypatch.setattr(native, "CONFLICT", conflict)
    rng = np.random.default_rng(5)
    anything = [random_puzzle(rng) for _ in range(number)]
    boards = [*((puzzle, pictures(puzzle)) for puzzle in anything), *ambiguous(number * 2 // 3)]
    for puzzle, right in boards:
        assert count(puzzle).solutions == len(right), puzzle  # type: ignore[arg-type]
    for seed in range(number * 25 // 60):
        larger = random_density(12, 11, 0.42, seed)
        assert count(larger).solutions == count(larger, counter="sweep").solutions
    assert len(narrowings) > number // 7


@pytest.mark.slow
def test_what_a_question_that_is_given_up_leaves(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is settled by it, and the next one is smaller."""
    seen = []
    query = BackboneQueries.query

    def noted(self: BackboneQueries, conflicts: int | None = None) -> npt.NDArray[np.int64] | None:
        before, chunk = self.fixed.copy(), self.chunk
        found = query(self, conflicts)
        if self.session.gave_up:
            seen.append(chunk)
            assert (self.fixed == before).all()
            assert self.chunk == max(1, chunk // 2)
        return found

    monkeypatch.setattr(BackboneQueries, "query", noted)
    monkeypatch.setattr(native, "ALONE", 100)
    monkeypatch.setattr(native, "PROPAGATIONS", 1000)
    monkeypatch.setattr(native, "CONFLICT", 10**9)
    monkeypatch.setattr(native, "EVERY", 50)
    for seed in range(8):
        puzzle = random_density(20, 20, 0.5, seed)
        assert count(puzzle).solutions == count(puzzle, counter="components").solutions
    assert seen


@pytest.mark.slow
def test_draws_from_a_narrowed_count_are_solutions(narrowings: list[int]) -> None:
    for puzzle, right in ambiguous(12):
        wanted = {tuple(map(tuple, board.cells.tolist())) for board in right}
        drawn = sample(puzzle, 200, seed=3)
        assert drawn.solutions == len(right)
        assert {tuple(map(tuple, board.cells.tolist())) for board in drawn.boards} <= wanted
        assert len(right) > 5 or len({board.cells.tobytes() for board in drawn.boards}) == len(right)
    assert narrowings


@pytest.mark.slow
def test_a_board_that_components_alone_walk_through_for_long() -> None:
    """6,528 solutions: components alone were not through after 15 s; what all solutions share leaves 0.1 s of work."""
    found = count(random_density(30, 30, 0.5, seed=100))
    assert found.solutions == 6528
    assert found.statistics.conflicts
    assert found.statistics.lines_checked


def test_no_formula_is_made_that_takes_gigabytes(narrowings: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*_: object) -> None:
        raise AssertionError("a formula was made")

    monkeypatch.setattr(native, "formula_of", never)
    monkeypatch.setattr(native, "LARGEST", 100)
    puzzle = random_density(12, 11, 0.42, seed=1)
    assert native.places(puzzle) > 100
    assert count(puzzle).solutions == count(puzzle, counter="sweep").solutions
    assert not narrowings
    monkeypatch.setattr(native, "LARGEST", 10**6)
    with pytest.raises(AssertionError, match="a formula was made"):
        count(puzzle)
