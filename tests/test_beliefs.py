"""Belief propagation against brute force, and the dives that follow it."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from brute import clue_of, pictures, random_puzzle
from drained import drained
from sampling import repeated, spread

from nonosat.generators.density import random_density
from nonosat.puzzles.nonogram import Given, Nonogram, Run
from nonosat.runs.events import Verdict
from nonosat.solvers.propagation import decimation
from nonosat.solvers.propagation.beliefs import LEAST, Beliefs, beliefs_of, exchange, filled, wake
from nonosat.solvers.propagation.board import (
    DEAD,
    NEVER,
    TRAIL,
    WAITING,
    PropagationBoard,
    assume,
    board_of,
    choices,
    forbid,
    may_be,
    propagate,
    undo,
    unknown,
)
from nonosat.solvers.solve import solve


def one_line(line: tuple[int, ...], colours: int, known: dict[int, int]) -> Nonogram:
    """A puzzle of one row, whose clue is that of ``line``; the columns' clues are of no interest."""
    row = tuple(Run(*run) for run in clue_of(line))
    columns = tuple((Run(1, value),) if value else () for value in line)
    given = tuple(Given(0, column, value) for column, value in known.items())
    return Nonogram((row,), columns, palette=random_density(1, 1, (0.3,) * colours, 0).palette, given=given)


def weighed(line: tuple[int, ...], colours: int, known: dict[int, int], odds: np.ndarray) -> np.ndarray:
    """The share of each value in each cell among the weighed fillings, shape (cells, values), by brute force."""
    shares = np.zeros((len(line), colours + 1))
    for filling in product(range(colours + 1), repeat=len(line)):
        if clue_of(filling) == clue_of(line) and all(filling[at] == value for at, value in known.items()):
            weight = np.prod([odds[at, value] for at, value in enumerate(filling)])
            shares[np.arange(len(line)), filling] += weight
    return shares / shares.sum(axis=1, keepdims=True)


@pytest.mark.parametrize("colours", spread([1, 2, 3], 1))
def test_a_line_computes_the_odds_of_its_cells(colours: int) -> None:
    rng = np.random.default_rng(colours)
    told = 0
    for _ in range(400):
        size = int(rng.integers(1, 11 if colours == 1 else 7))
        line = tuple(rng.integers(0, colours + 1, size).tolist())
        known = {at: value for at, value in enumerate(line) if rng.random() < 0.2}
        puzzle = one_line(line, colours, known)
        board = board_of(puzzle)
        propagate(board, 0)  # the row, not the columns
        m = beliefs_of(board)
        m.waits[1:] = 0
        crossing = np.exp(rng.normal(0, 2, (size, colours)))
        field = np.exp(rng.normal(0, 1, (size, colours)))
        m.down[:], m.field[:] = crossing.reshape(-1), field.reshape(-1)
        exchange(board, m)
        odds = np.concatenate((np.ones((size, 1)), crossing * field), axis=1)
        shares = weighed(line, colours, known, odds)
        for at in (at for at in range(size) if choices(board, 0, at) > 1):
            expected = np.maximum(shares[at, 1:], LEAST) / np.maximum(shares[at, 0], LEAST) / odds[at, 1:]
            expected = np.clip(expected, 1 / m.odds[0], m.odds[0])
            assert m.across.reshape(size, colours)[at] == pytest.approx(expected, rel=1e-6, abs=1e-9)
            told += 1
    assert told > 300


def test_two_pictures_are_believed_in_alike() -> None:
    puzzle = Nonogram.from_lengths([[1, 1], [1, 1]], [[2], [], [1], [1]])
    assert len(pictures(puzzle)) == 2
    board = board_of(puzzle)
    assert propagate(board, NEVER) != DEAD
    m = beliefs_of(board)
    for _ in range(50):
        exchange(board, m)
    assert filled(m, 1)[[2, 3, 6, 7]] == pytest.approx(0.5)


def test_messages_end_where_nothing_is_new() -> None:
    board = board_of(random_density(12, 12, 0.5, 3))
    propagate(board, NEVER)
    m = beliefs_of(board)
    spoke = [exchange(board, m) for _ in range(300)]
    assert spoke[0] == 24
    assert spoke[-1] == 0


def test_lines_that_a_guess_changed_are_recomputed() -> None:
    board = board_of(random_density(12, 12, 0.5, 3))
    propagate(board, NEVER)
    m = beliefs_of(board)
    assert [exchange(board, m) for _ in range(300)][-1] == 0
    mark, before = int(board.state[TRAIL]), board.may.copy()
    assume(board, *open_values(board)[0])
    assert propagate(board, NEVER) != DEAD
    wake(board, m, mark, int(board.state[TRAIL]))
    changed = np.flatnonzero((board.may != before).reshape(24, 2).any(axis=1))
    assert len(changed) > 1
    assert set(np.flatnonzero(m.waits)) == set(changed)
    assert exchange(board, m) >= len(changed)


def test_extreme_odds_stay_numbers() -> None:
    for shape in ((1, 300), (40, 200), (2, 1200)):
        puzzle = random_density(*shape, 0.5, seed=1)
        board = board_of(puzzle)
        m = beliefs_of(board)
        m.down[:] = 1e300
        m.across[:] = 1e-300
        exchange(board, m)
        assert np.isfinite(m.across).all()
        assert np.isfinite(m.down).all()
        assert ((filled(m, 1) >= 0) & (filled(m, 1) <= 1)).all()


@pytest.mark.parametrize("shares", [0.2, (0.2, 0.2)])
def test_lines_too_long_to_be_weighed_do_no_harm(
    shares: float | tuple[float, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    # Their sums are lost; a dive goes on without them, with whatever value is open, and ends.
    monkeypatch.setattr(decimation, "ATTEMPTS", 5)
    answer = solve(random_density(2, 1300, shares, 1), solver="beliefs")
    assert answer.verdict in (Verdict.SAT, Verdict.UNKNOWN)
    assert answer.statistics.assumptions


@pytest.mark.parametrize("number", repeated(50, 150))
def test_all_pictures_that_dives_find_are_right(number: int) -> None:
    rng = np.random.default_rng(7)
    found = 0
    for _ in range(number):
        puzzle = random_puzzle(rng, 5)
        right = pictures(puzzle)
        answer = solve(puzzle, solver="beliefs")
        assert (answer.verdict == Verdict.SAT) == bool(right)
        assert set(answer.pictures) <= right
        found += len(answer.pictures)
    assert found > number // 3


@pytest.mark.parametrize(("size", "shares"), [(25, 0.4), (30, 0.4), (50, 0.5), (25, (0.2, 0.2)), (20, (0.15,) * 3)])
def test_hard_boards_are_found_and_always_the_same_way(size: int, shares: float | tuple[float, ...]) -> None:
    puzzle = random_density(size, size, shares, 1)
    answer = solve(puzzle, solver="beliefs")
    assert (answer.verdict, answer.unique) == (Verdict.SAT, None)
    about = answer.statistics
    assert about.assumptions
    assert about.lines_checked
    again = solve(puzzle, solver="beliefs")
    assert again.picture == answer.picture
    assert again.statistics.lines_checked == about.lines_checked


def test_several_pictures(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(decimation, "ATTEMPTS", 200)
    puzzle = Nonogram.from_lengths([[1]] * 3, [[1]] * 3)
    answer = solve(puzzle, solver="beliefs", count=None)
    assert set(answer.pictures) == pictures(puzzle)
    assert not answer.exhausted  # nobody has proved that there are no others


def test_it_gives_up_where_there_is_no_picture(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(decimation, "ATTEMPTS", 20)
    # Complete line solving leaves the board open, and no picture is there.
    for seed in range(200):
        rng = np.random.default_rng(seed)
        rows, columns = ([[int(n) for n in rng.integers(1, 3, rng.integers(1, 3))] for _ in range(5)] for _ in "rc")
        if sum(map(sum, rows)) != sum(map(sum, columns)):
            continue
        puzzle = Nonogram.from_lengths(rows, columns)
        board = board_of(puzzle)
        if not pictures(puzzle) and propagate(board, NEVER) != DEAD:
            break
    else:
        pytest.fail("no such puzzle")
    answer = solve(puzzle, solver="beliefs")
    assert (answer.verdict, answer.exhausted) == (Verdict.UNKNOWN, False)
    assert answer.statistics.restarts == 19


def test_a_board_is_as_it_was_between_dives() -> None:
    suspended = 0
    for seed in range(20):
        board = board_of(random_density(20, 20, 0.4, seed))
        propagate(board, NEVER)
        before = board.may.copy()
        some = decimation.Decimation(board)
        for lines in (1, 50, 5000):
            list(some.within(lines))
            assert (board.may == before).all()
            assert not some.under_way
        begun = some.begun + (not some.suspended)
        suspended += some.suspended
        assert some.go_on(1) == decimation.PAUSED  # a dive can be paused, and is gone on with
        assert some.begun == begun
        list(some.within(1))
        assert some.begun == begun
        assert (board.may == before).all()
    assert suspended


@pytest.mark.parametrize(("size", "shares"), [(30, 0.4), (40, 0.4), (25, (0.2, 0.1))])
def test_an_attempt_that_was_suspended_goes_on_as_if_it_had_not_been(
    size: int, shares: float | tuple[float, ...]
) -> None:
    suspended = 0
    for seed in range(8):
        ends = []
        for lines in (10**9, 3 * size):
            board = board_of(random_density(size, size, shares, seed))
            propagate(board, NEVER)
            some, found = decimation.Decimation(board), None
            while found is None:
                found = drained(some.within(lines))
                suspended += some.suspended
            ends.append((found.tobytes(), some.updates, some.repairs, some.begun, some.nearest))
        assert ends[0] == ends[1]
    assert suspended


def test_an_attempt_that_contradicts_what_is_known_now_is_not_gone_on_with() -> None:
    board = board_of(Nonogram.from_lengths([[1]] * 12, [[1]] * 12))
    propagate(board, NEVER)
    some = decimation.Decimation(board)
    some.go_on(1_000)
    cell, value = divmod(int(some.attempt.fixed[0]), 2)
    decimation.suspend(board, some.attempt)
    some.under_way, some.suspended = False, True
    forbid(board, *divmod(cell, 12), value)
    assert propagate(board, NEVER) != DEAD
    before = board.may.copy()
    assert not decimation.resume(board, some.beliefs, some.attempt)
    assert (board.may == before).all()
    assert board.state[WAITING] == 0
    found = drained(some.within(10**6))
    assert some.begun == 2
    assert found.reshape(-1)[cell] != value
    assert (found.sum(axis=0) == 1).all()
    assert (found.sum(axis=1) == 1).all()


@pytest.mark.parametrize("number", repeated(30, 200))
@pytest.mark.parametrize("shares", [0.4, (0.2, 0.2)])
def test_a_repair_opens_what_is_near_a_contradiction(shares: float | tuple[float, ...], number: int) -> None:
    draws, again = np.random.default_rng(number), 0
    for seed in range(number):
        height, width = (int(side) for side in draws.integers(20, 45, 2))
        puzzle = random_density(height, width, shares, seed)
        goal = puzzle.goal.cells.reshape(-1)
        some = decimation.Decimation(board := board_of(puzzle))
        t, values = some.attempt, board.colours + 1
        assert propagate(board, NEVER) != DEAD
        some._begin()
        fixed: list[int] = draws.permutation(height * width)[:60].tolist()
        t.fixed[:60], t.state[decimation.FIXED] = [cell * values + int(goal[cell]) for cell in fixed], 60
        assert decimation.fix_again(board, t)
        place, radius = int(draws.integers(height * width)), decimation.RADIUS
        row, column = divmod(place, width)
        t.state[decimation.PLACE] = place
        while True:
            before, kept = board.may.copy(), [cell for cell in fixed if is_far(cell, row, column, width, radius)]
            some.beliefs.waits[:], some.beliefs.field[:] = 0, 1.0
            if not decimation.repair(board, some.beliefs, t, 5):
                break
            assert radius <= max(height, width)
            assert (t.fixed[: len(kept)] // values).tolist() == kept
            assert t.state[decimation.FIXED] == len(kept)
            other = board_of(puzzle)
            propagate(other, NEVER)
            for cell in kept:
                assume(other, *divmod(cell, width), int(goal[cell]))
                propagate(other, NEVER)
            assert (board.may == other.may).all()
            changed = {int(board.owner[word]) for word in np.flatnonzero(board.may != before)}
            assert set(np.flatnonzero(some.beliefs.waits).tolist()) == changed
            shifted = {at // board.colours for at in np.flatnonzero(some.beliefs.field != 1.0).tolist()}
            square = {
                cell
                for cell in range(height * width)
                if max(abs(cell // width - row), abs(cell % width - column)) <= radius
            }
            assert shifted == square
            radius, fixed, again = radius + radius // 2, kept, again + 1
        assert radius > max(height, width)
        assert (board.may == before).all()
        t.failed[:], t.state[decimation.UPDATES] = 0, 6
        assert t.state[decimation.FIRST_END] == 1
        assert not decimation.repair(board, some.beliefs, t, 5)  # it has had five times the messages
    assert again > 3 * number


def is_far(cell: int, row: int, column: int, width: int, radius: int) -> bool:
    """Is ``cell`` neither near ``row`` and ``column`` nor on the strips along their lines?"""
    down, right = abs(cell // width - row), abs(cell % width - column)
    square = down <= radius and right <= radius
    strips = [down <= radius // 4 and right <= 4 * radius, right <= radius // 4 and down <= 4 * radius]
    return not (square or any(strips))


def test_large_boards_are_found_by_few_attempts() -> None:
    """Each would take dozens without repairs."""
    for size, seed in ((60, 6001), (60, 6003), (80, 6000)):
        board = board_of(puzzle := random_density(size, size, 0.4, seed))
        propagate(board, NEVER)
        some = decimation.Decimation(board)
        found = drained(some.within(10**6))
        assert Nonogram.from_picture(found).rows == puzzle.rows
        assert Nonogram.from_picture(found).columns == puzzle.columns
        assert some.begun <= 3
        assert some.repairs


def test_dives_return_how_they_ended() -> None:
    said = set()
    for seed in range(8):
        board = board_of(random_density(20, 20, 0.4, seed))
        propagate(board, NEVER)
        some = decimation.Decimation(board)
        said |= {some.go_on(10**9) for _ in range(6)}
    assert said == {decimation.FOUND, decimation.STUCK, decimation.PAUSED}  # once, when messages are kept


def test_a_dive_in_pieces_is_the_same_dive() -> None:
    puzzle = random_density(25, 25, 0.4, 5)
    ends = []
    for most in (1, 7, 10**9):
        board = board_of(puzzle)
        propagate(board, NEVER)
        whole = decimation.Decimation(board)
        while (said := whole.go_on(most)) == decimation.PAUSED:
            assert unknown(board) >= 0
        ends.append((said, whole.updates, whole.beliefs.across.tobytes()))
    assert ends[0] == ends[1] == ends[2]


def test_beliefs_have_no_field_of_the_same_memory() -> None:
    m: Beliefs = beliefs_of(board_of(random_density(5, 6, (0.3, 0.3), 1)))
    arrays = [array for array in m if array.size]
    assert len({array.__array_interface__["data"][0] for array in arrays}) == len(arrays)


def open_values(board: PropagationBoard) -> list[tuple[int, int, int]]:
    """Every value that an open cell may have: (row, column, value)."""
    values = product(range(board.height), range(board.width), range(board.colours + 1))
    return [at for at in values if may_be(board, *at) and choices(board, at[0], at[1]) > 1]


def surest(board: PropagationBoard, row: int, column: int, value: int) -> tuple[Beliefs, decimation.DecimationState]:
    """Beliefs that are sure of nothing but a wrong (or right) value of one cell, and a dive that would fix it."""
    m, t = beliefs_of(board), decimation.Decimation(board).attempt
    for values in m.across.reshape(board.height, board.width, board.colours)[row, column : column + 1]:
        values[:] = 0.01
        values[value - 1 : value] = 9.0  # of blank: none
    return m, t


@pytest.mark.parametrize("shares", [0.45, (0.25, 0.2)])
def test_a_value_that_contradicts_is_ruled_out_and_the_dive_goes_on(shares: float | tuple[float, ...]) -> None:
    went_on = stuck = agreed = 0
    for seed in range(12):
        puzzle = random_density(9, 9, shares, seed)
        board = board_of(puzzle)
        propagate(board, NEVER)
        for at in open_values(board):
            mark = board.state[TRAIL]
            # What must come of it, step by step: the value and what follows, or the cell without it and what follows.
            assume(board, *at)
            if contradicts := propagate(board, NEVER) == DEAD:
                undo(board, mark)
                forbid(board, *at)
                dead = propagate(board, NEVER) == DEAD
            expected = board.may.copy()
            undo(board, mark)
            said = decimation.fix(board, *surest(board, *at), 0.0, 1.0)
            assert said == (not contradicts or not dead)
            if said:
                assert (board.may == expected).all()
                assert may_be(board, *at) != contradicts
            undo(board, mark)
            went_on, stuck, agreed = went_on + (contradicts and said), stuck + (not said), agreed + (not contradicts)
    assert min(went_on, agreed) > 20
    assert stuck == 0  # these boards have a picture


def test_a_dive_is_stuck_where_no_value_is_left() -> None:
    # Complete line solving leaves the board open, no picture is there, and some cell shows it by either value.
    puzzle = Nonogram.from_lengths([[1], [1], [1, 1]], [[2], [1], [1]])
    stuck = 0
    for seed in range(300):
        rng = np.random.default_rng(seed)
        rows, columns = ([[int(n) for n in rng.integers(1, 3, rng.integers(1, 3))] for _ in range(5)] for _ in "rc")
        puzzle = Nonogram.from_lengths(rows, columns) if max(map(sum, rows + columns)) < 5 else puzzle
        board = board_of(puzzle)
        if propagate(board, NEVER) == DEAD:
            continue
        for at in open_values(board):
            mark = board.state[TRAIL]
            dead = []
            for step in (assume, forbid):
                step(board, *at)
                dead.append(propagate(board, NEVER) == DEAD)
                undo(board, mark)
            assert decimation.fix(board, *surest(board, *at), 0.0, 1.0) == (not all(dead))
            stuck += all(dead)
            undo(board, mark)
    assert stuck > 20


@pytest.mark.parametrize("column", range(3))
def test_messages_of_columns_queue_rows_and_no_columns(column: int) -> None:
    board = board_of(Nonogram.from_lengths([[2], [1], [2]], [[2], [1], [2]]))
    m = beliefs_of(board)
    m.waits[:] = 0
    m.waits[3 + column] = 1  # the lines of a board are its rows, then its columns
    assert exchange(board, m) == 1
    assert m.waits[:3].any()
    assert not m.waits[3:].any()


@pytest.mark.parametrize(
    ("shape", "shares", "left"),
    [((40, 40), 0.4, 0.8), ((30, 70), 0.35, 0.8), ((90, 130), 0.45, 1.0), ((35, 35), (0.2, 0.15), 0.8)],
)
def test_places_that_are_passed_over_change_no_message(
    shape: tuple[int, int], shares: float | tuple[float, ...], left: float
) -> None:
    # On boards of one colour these are also the messages by bits beside those by sums over all cells.
    for seed in range(3):
        board = board_of(random_density(*shape, shares, seed))
        propagate(board, NEVER)
        some = decimation.Decimation(board)
        for _ in range(12):
            if some.go_on(5 * sum(shape)) == decimation.FOUND:
                break
            narrowed, all_places = some.beliefs, beliefs_of(board)
            runs = slice(int(board.first[-1]))
            all_places.few_places[:] = 0
            for name in ("across", "down", "field"):
                getattr(all_places, name)[:] = getattr(narrowed, name)
            kept = [part.copy() for part in (narrowed.across, narrowed.down, narrowed.waits)]
            narrowed.waits[:] = 1
            assert exchange(board, narrowed) == exchange(board, all_places)
            for name in ("across", "down"):
                np.testing.assert_allclose(getattr(narrowed, name), getattr(all_places, name), rtol=1e-6)
            places = (narrowed.rightmost - narrowed.leftmost)[runs].sum() / all_places.rightmost[runs].sum()
            narrowed.across[:], narrowed.down[:], narrowed.waits[:] = kept
        assert places < left
        assert narrowed.few_places.all() == (board.colours == 1)


def test_a_long_line_with_few_runs_takes_little_memory() -> None:
    m = beliefs_of(board_of(Nonogram.from_lengths([[3] * 10], [[1]] * 30 + [[]] * 99_970)))
    assert m.before.nbytes < 20 * 8 * 100_002


def test_lines_of_one_colour_send_what_the_code_for_any_line_sends() -> None:
    rng, by_bits = np.random.default_rng(7), 0
    sizes = (1, 2, 7, 20, 33, 62, 63, 64, 65, 90, 127, 128, 129)
    for seed in range(60):
        height, width = (int(size) for size in rng.choice(sizes, 2))
        board = board_of(random_density(height, width, float(rng.choice([0.1, 0.35, 0.5, 0.8])), seed))
        propagate(board, NEVER)
        mine, anybody = beliefs_of(board), beliefs_of(board)
        by_bits += int(mine.few_places.sum())
        anybody.few_places[:] = 0
        for _ in range(3):
            assert exchange(board, mine) == exchange(board, anybody)
            for one, other in ((mine.across, anybody.across), (mine.down, anybody.down)):
                np.testing.assert_allclose(one, other, rtol=1e-6)
                other[:] = one
            anybody.waits[:] = mine.waits  # changes at the very threshold
    assert by_bits > 1_000
