"""Explanations where lines are stuck: few lines, each needed, on small boards the fewest; nested, guesses, errors."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from replays import replayed
from sampling import RARE, nightly
from test_explain import REAL

from nonosat.explanations.explain import explain, fault
from nonosat.explanations.nonogram.chains import LineChain
from nonosat.explanations.nonogram.check import fillable
from nonosat.explanations.nonogram.position import Position
from nonosat.explanations.nonogram.refutations import ValueRefutations
from nonosat.explanations.nonogram.stuck import guess
from nonosat.explanations.steps import ERROR, GUESS, Step
from nonosat.generators.density import random_density
from nonosat.puzzles.formats import load
from nonosat.puzzles.nonogram import Nonogram
from nonosat.solvers.propagation.difficulty import difficulty

NEEDS_PROBING = ["...#", "#.#.", "..##", "##.."]
"""No line tells a cell, yet there is one solution only."""


def puzzle_of(*rows: str) -> Nonogram:
    return Nonogram.from_picture([[int(cell == "#") for cell in row] for row in rows])


def refuted(
    puzzle: Nonogram, values: list[list[int]], lines: tuple[int, ...], cell: tuple[int, int], value: int
) -> bool:
    """By ``lines`` alone, settled one after the other, in plain Python."""
    every = set(range(puzzle.colours + 1))
    left = {(r, c): {v} if v >= 0 else set(every) for r, row in enumerate(values) for c, v in enumerate(row)}
    left[cell] = {value}
    before = None
    while before != left:
        before = {place: set(some) for place, some in left.items()}
        for line in lines:
            row = line < puzzle.height
            cells = (
                [(line, c) for c in range(puzzle.width)]
                if row
                else [(r, line - puzzle.height) for r in range(puzzle.height)]
            )
            clue = puzzle.rows[line] if row else puzzle.columns[line - puzzle.height]
            options = fillable(clue, [left[place] for place in cells])
            if options is None:
                return True
            left.update(zip(cells, options, strict=True))
    return False


def numbers(puzzle: Nonogram, step: Step) -> list[int]:
    return [c.place + (puzzle.height if c.family == "column" else 0) for c in step.constraints]


def assumptions(puzzle: Nonogram) -> list[tuple[list[list[int]], Step]]:
    """Each step by a contradiction, with the position that it is in."""
    position, found = Position(puzzle), []
    for step in explain(puzzle):
        if step.technique == "contradiction":
            found.append(([list(row) for row in position.values], step))
        position.fix(step.fixes)
    return found


def stuck_boards(size: int, count: int) -> list[Nonogram]:
    """Random boards that take assumptions and no guess."""
    boards = (random_density(size, size, 0.5, seed) for seed in range(1000))
    return [
        board for board, _ in zip((b for b in boards if difficulty(b).kind == "probing"), range(count), strict=False)
    ]


def check_minimum(puzzle: Nonogram, at_most: int | None = None) -> int:
    """Exhaustive search for fewer lines, in the first ``at_most`` positions that take an assumption."""
    steps = assumptions(puzzle)[:at_most]
    for values, step in steps:
        assert not step.bounded
        lines = numbers(puzzle, step)
        [fact] = step.fixes
        wrong = 1 - fact.values[0]
        assert refuted(puzzle, values, tuple(lines), fact[:2], wrong)
        for line in lines:  # each of them is needed
            assert not refuted(puzzle, values, tuple(set(lines) - {line}), fact[:2], wrong)
        trial = step.inferences[0].branches[0].assumed
        trials = ValueRefutations(Position(puzzle, values))
        assert all(trials.few((*trial[:2], wrong, -1, 0), set(lines) - {line}) is None for line in lines)  # type: ignore[arg-type]
        for row, column in Position(puzzle, values).open_cells():
            for some in combinations(range(puzzle.height + puzzle.width), len(lines) - 1):
                if {row, puzzle.height + column} & set(some):
                    for value in (0, 1):
                        assert not refuted(puzzle, values, some, (row, column), value), (values, some)
    return len(steps)


@pytest.mark.slow
def test_the_lines_of_an_assumption_are_the_fewest() -> None:
    assert check_minimum(puzzle_of(*NEEDS_PROBING)) > 0
    assert sum(check_minimum(puzzle) for puzzle in stuck_boards(5, 3)) >= 3


@pytest.mark.slow
def test_no_line_of_a_story_could_be_left_out() -> None:
    told = 0
    for size, seed in ((12, 13), (15, 6)):
        puzzle = random_density(size, size, 0.47, seed)
        for values, step in assumptions(puzzle):
            position, [branch] = Position(puzzle, values), step.inferences[0].branches
            story = [position.number(one.constraints[0]) for one in branch.inferences]
            for left_out in range(-1, len(story)):
                chain = LineChain(position, (branch.assumed,))
                dead = any(chain.solve(line) is None for i, line in enumerate(story) if i != left_out)
                assert dead == (left_out == -1), (step, left_out)
            told += 1
    assert told > 8


@pytest.mark.slow
@pytest.mark.parametrize(("size", "boards"), nightly([(8, 2), (8, 1), (10, 2)], 1))
def test_the_lines_of_an_assumption_are_the_fewest_on_larger_boards(size: int, boards: int) -> None:
    done = 0
    for puzzle in stuck_boards(size, 40):
        steps = assumptions(puzzle)[:1]
        if steps and len(steps[0][1].constraints) <= 4 and done < boards:
            done += check_minimum(puzzle, 1)
    assert done == boards


@pytest.mark.slow
def test_what_probing_solves_is_explained_without_a_guess() -> None:
    names = set()
    for size in (6, 9, 12):
        for puzzle in stuck_boards(size, 4):
            steps = replayed(puzzle)
            names |= {step.technique for step in steps}
            assert sum(len(step.fixes) for step in steps) == puzzle.height * puzzle.width
    assert "contradiction" in names
    assert GUESS not in names


@pytest.mark.slow
def test_assumptions_within_an_assumption() -> None:
    """Probing is stuck on this board, which has one solution; trying cells under an assumption is not."""
    steps = []
    for step in explain(random_density(13, 13, 0.45, seed=1480)):
        steps.append(step)
        if step.technique == "nested":
            break
    assert steps[-1].technique == "nested"
    assert GUESS not in {step.technique for step in steps}
    assert fault(random_density(13, 13, 0.45, seed=1480), steps[-1]) is None
    [branch] = steps[-1].inferences[-1].branches
    assert any(inference.branches for inference in branch.inferences)
    assert steps[-1].sentences[1].startswith("  ")


@pytest.mark.slow
def test_colours_that_lines_rule_out_together() -> None:
    names = set()
    for seed in range(25):
        puzzle = random_density(7, 8, [[0.3, 0.25], [0.25, 0.2, 0.2]][seed % 2], seed)
        steps = replayed(puzzle)
        names |= {step.technique for step in steps}
        assert sum(len(step.fixes) for step in steps) == puzzle.height * puzzle.width
    assert {"lines-together", "contradiction"} <= names


def left_by(
    puzzle: Nonogram, values: list[list[int]], lines: Iterable[int], assumed: dict[tuple[int, int], set[int]]
) -> dict[tuple[int, int], set[int]] | None:
    """What ``lines``, settled one after the other in plain Python, leave to cells; None: one has no filling."""
    every = set(range(puzzle.colours + 1))
    left = {(r, c): {v} if v >= 0 else set(every) for r, row in enumerate(values) for c, v in enumerate(row)} | assumed
    before = None
    while before != left:
        before = {place: set(some) for place, some in left.items()}
        for line in lines:
            row, index = line < puzzle.height, line if line < puzzle.height else line - puzzle.height
            count = puzzle.width if row else puzzle.height
            cells = [(index, i) if row else (i, index) for i in range(count)]
            options = fillable((puzzle.rows if row else puzzle.columns)[index], [left[place] for place in cells])
            if options is None:
                return None
            left.update(zip(cells, options, strict=True))
    return left


def shows(puzzle: Nonogram, values: list[list[int]], lines: Iterable[int], trying: bool) -> set[tuple[int, int]] | None:
    """The open cells that ``lines`` settle; ``trying``: by refuting values, too. None: they contradict each other."""
    some = list(lines)
    if (left := left_by(puzzle, values, some, {})) is None:
        return None
    found = set()
    for cell in Position(puzzle, values).open_cells():
        options = left[cell]
        if trying and len(options) > 1:
            options = {v for v in options if left_by(puzzle, values, some, {cell: {v}}) is not None}
        if len(options) < 2:
            found.add(cell)
    return found


def check_colours(puzzle: Nonogram, most: int) -> dict[str, int]:
    """Each line of a step is needed; fewer lines, ``most`` at most, settle no other cell. The steps, by technique."""
    position, done = Position(puzzle), dict.fromkeys(("lines-together", "contradiction"), 0)
    count = puzzle.height + puzzle.width
    for step in explain(puzzle):
        if step.technique in done and not step.bounded:  # a step is, that begins with values refuted before
            trying, lines = step.technique == "contradiction", numbers(puzzle, step)
            cells = {fact[:2] for fact in step.fixes}
            assert cells <= (shows(puzzle, position.values, lines, trying) or set())
            for line in lines:
                assert not cells <= (shows(puzzle, position.values, set(lines) - {line}, trying) or set()), step
            if len(lines) - 1 <= most:
                for some in combinations(range(count), len(lines) - 1):
                    assert shows(puzzle, position.values, some, trying) == set(), (some, step)
            done[step.technique] += 1
        position.fix(step.fixes)
    return done


@pytest.mark.slow
def test_lines_together_are_the_fewest() -> None:
    boards = [random_density(6, 7, [[0.3, 0.25], [0.25, 0.2, 0.2]][seed % 2], seed) for seed in range(10)]
    assert sum(check_colours(board, 2)["lines-together"] for board in boards) > 20
    assert check_colours(random_density(7, 7, [0.2, 0.2, 0.2], 5118), 2)["contradiction"] == 2


def test_values_refuted_before_are_in_the_lines_that_a_step_needs() -> None:
    steps = replayed(random_density(8, 7, [0.3, 0.25], 358))
    begun = [step for step in steps if step.bounded and step.technique == "contradiction"]
    assert [len(step.constraints) for step in begun][:1] == [7]  # of 10 that the refutations before took
    assert all(len(one.constraints) > 1 for step in begun for one in step.inferences if one.branches)


@pytest.mark.parametrize("boards", [pytest.param(70, marks=pytest.mark.slow), pytest.param(150, marks=RARE)])
def test_lines_together_are_the_fewest_on_many_boards(boards: int) -> None:
    done = Counter[str]()
    for seed in range(boards):
        shares = [[0.3, 0.3], [0.2, 0.2, 0.2], [0.4, 0.2], [0.25, 0.25, 0.1]][seed % 4]
        done.update(check_colours(random_density(5 + seed % 6, 5 + seed % 5, shares, 5000 + seed), 2))
    assert min(done.values()) > 3


@pytest.mark.slow
@pytest.mark.parametrize("boards", [50, pytest.param(1_000, marks=pytest.mark.nightly)])
def test_many_boards_in_colours(boards: int) -> None:
    for seed in range(boards):
        shares = [[0.3, 0.3], [0.2, 0.2, 0.2], [0.4, 0.2], [0.25, 0.25, 0.1]][seed % 4]
        puzzle = random_density(5 + seed % 8, 5 + seed % 7, shares, 5000 + seed)
        steps = replayed(puzzle)
        assert sum(len(step.fixes) for step in steps) == puzzle.height * puzzle.width


@pytest.mark.slow
@pytest.mark.skipif(not REAL.is_dir(), reason="no puzzles beside the project")
@pytest.mark.parametrize("path", sorted(REAL.glob("*.mk")), ids=lambda path: path.stem)
def test_published_puzzles_that_lines_and_probing_solve(path: Path) -> None:
    puzzle = load(str(path))
    assert isinstance(puzzle, Nonogram)
    if difficulty(puzzle, 1e-9).kind == "guessing":
        pytest.skip("takes guesses")
    steps = replayed(puzzle)
    assert GUESS not in {step.technique for step in steps}
    assert sum(len(step.fixes) for step in steps) == puzzle.height * puzzle.width


def test_a_guess_is_labelled_as_one() -> None:
    steps = replayed(puzzle_of("#.", ".#"))
    assert steps[0].technique == GUESS
    assert steps[0].sentence.startswith("A guess, since nothing short fixes a cell: row 1, column 1 is ")
    assert steps[0].sentence.endswith("(a solution has it, and others may not).")
    assert [step.technique for step in steps[1:]].count(GUESS) == 0


def test_a_wrong_position_that_no_line_shows() -> None:
    puzzle = puzzle_of(*NEEDS_PROBING)
    assert puzzle.goal is not None
    board = np.full((4, 4), -1)
    board[0, 0] = 1  # which is blank in the only solution
    steps = replayed(puzzle, board)
    assert steps[-1].technique == ERROR
    assert not steps[-1].fixes


def test_a_puzzle_without_a_solution_ends_with_an_error() -> None:
    small = Nonogram.from_lengths([[1]] * 4, [[1]] * 3)
    assert list(explain(small))[-1].technique == ERROR


@pytest.mark.slow
def test_a_large_puzzle_without_a_solution_ends_with_an_error() -> None:
    """By lines each of which is needed; the checker refuses fewer, though it would take long to try."""
    pigeons = Nonogram.from_lengths([[1]] * 10 + [[]], [[1]] * 9)
    last = list(explain(pigeons))[-1]
    lines = "Rows 1 to 10 and columns 1 to 9"
    assert last.sentence == f"{lines} cannot all be right: whatever is tried, no picture has them."
    assert (last.technique, last.known, fault(pigeons, last)) == (ERROR, (), None)
    for one in last.constraints[::10]:
        fewer = tuple(each for each in last.constraints if each != one)
        assert fault(pigeons, replace(last, constraints=fewer))


def test_known_cells_of_an_error_that_no_line_shows_are_needed() -> None:
    """Seven rows have six columns left."""
    puzzle = Nonogram.from_lengths([[1]] * 9, [[1]] * 9)
    board = np.full((9, 9), -1)
    board[:7, 6:] = 0
    wrong = guess(Position(puzzle, board.tolist()))
    assert (wrong.technique, len(wrong.known)) == (ERROR, 21)
    assert fault(puzzle, wrong) is None
    for one in wrong.known[::7]:
        assert fault(puzzle, replace(wrong, known=tuple(fact for fact in wrong.known if fact != one)))
