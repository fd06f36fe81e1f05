"""Counts by the sweep over live states, held against brute force and against the search through components."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from contextlib import closing, contextmanager

import numpy as np
import numpy.typing as npt
import pytest
from brute import ambiguous, pictures, random_puzzle
from sampling import repeated, spread
from three_methods import board

from nonosat.counting import native
from nonosat.counting.answer import CountBounds
from nonosat.counting.count import count, sample
from nonosat.counting.native import ORDERS, CounterPortfolio
from nonosat.counting.sweep import frontier, witnesses
from nonosat.counting.sweep.counts import MET, STOPPED
from nonosat.counting.sweep.frontier import FrontierSweep, States
from nonosat.counting.sweep.halves import DONE, FULL, Clash, Combinations, HalfLayout, HalfWays, RowCrossing
from nonosat.encodings.registry import encoding_of
from nonosat.generators.density import random_density
from nonosat.puzzles.nonogram import Nonogram
from nonosat.runs.events import Verdict
from nonosat.solvers.formulas import formula_of
from nonosat.solvers.propagation.board import PAUSED
from nonosat.solvers.sat.session import Forked, session_of

ROOM = 1 << 30
USUAL = {"FEW": 2_000, "TABLE": 1 << 18, "SAMPLE": 10, "POOL": 1 << 15}
SMALL = {
    "FEW": 3,
    "TABLE": 4,
    "SAMPLE": 5,
    "POOL": 16,
    "SLICE": 50,
    "QUERIES": 3,
    "SOURCES": 4,
    "SAMPLED": 16,
    "WAYS": 2,
    "LEAST": 1,
}
"""Settings with which small boards come to all that large ones do."""


def small(monkeypatch: pytest.MonkeyPatch, **others: int) -> None:
    for name, value in {**SMALL, **others}.items():
        monkeypatch.setattr(frontier, name, value)


@contextmanager
def swept(puzzle: Nonogram) -> Iterator[FrontierSweep]:
    """A sweep that has not begun, without the backbone."""
    formula, _ = formula_of(puzzle, encoding_of(puzzle))
    with closing(session_of(native.SOLVER, formula.cnf)) as session:
        yield FrontierSweep(puzzle, CounterPortfolio(puzzle).root_board, formula, session)


def counted(puzzle: Nonogram, lines: int = 10_000) -> int:
    with swept(puzzle) as sweep:
        while (status := sweep.go_on(lines, ROOM)) == PAUSED:
            pass
        assert status == MET
        return sweep.solutions


def by_components(puzzle: Nonogram) -> int:
    portfolio = CounterPortfolio(puzzle, ORDERS, sweeping=False)
    *_, _ = portfolio.steps()
    return portfolio.solutions


@pytest.mark.parametrize("boards", repeated(60, 400))
def test_counts_are_those_of_brute_force(boards: int, monkeypatch: pytest.MonkeyPatch) -> None:
    small(monkeypatch)
    rng = np.random.default_rng(boards)
    anything = [random_puzzle(rng, 5) for _ in range(boards // 2)]
    known = [(puzzle, pictures(puzzle)) for puzzle in anything] + ambiguous(boards // 2, boards)
    for puzzle, right in known:
        assert counted(puzzle) == len(right), puzzle


@pytest.mark.parametrize("number", [3, 10, 15, *spread(range(16, 60), 1)])
def test_colours_and_given_cells_count_too(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    small(monkeypatch, FEW=20, TABLE=32)
    puzzle = board(number)
    expected = by_components(puzzle)
    assert counted(puzzle) == expected
    assert count(puzzle, counter="frontier").solutions == expected


@pytest.mark.parametrize("shape", [(1, 9), (9, 1), (2, 12), (12, 2), (3, 30), (30, 3), (1, 300), (300, 1)])
def test_boards_of_any_shape(shape: tuple[int, int], monkeypatch: pytest.MonkeyPatch) -> None:
    small(monkeypatch)
    for seed in range(4):
        puzzle = random_density(*shape, 0.4, seed)
        assert counted(puzzle) == by_components(puzzle)


@pytest.mark.parametrize(("size", "seed"), [(10, 4), *spread([(12, 3), (14, 1)], 0)])
def test_pruning_loses_nothing(size: int, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    puzzle = random_density(size, size, 0.35, seed)
    expected = by_components(puzzle)
    found = []
    for settings in ({"FEW": 50, "TABLE": 64, "POOL": 128}, {"FEW": 1 << 60}, {"FEW": 100, "SAMPLE": 7}):
        small(monkeypatch, **{**USUAL, **settings, "SLICE": 3_000_000})
        with swept(puzzle) as sweep:
            while sweep.go_on(10_000, ROOM) == PAUSED:
                pass
            found.append((sweep.solutions, sum(map(len, sweep.nogoods)) > 0))
    assert found == [(expected, True), (expected, False), (expected, True)]


def test_what_nogoods_leave_of_a_pool(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(frontier, "LEAST", 2)
    pool = np.array([[0, 1, 2, 2, 3], [1, 1, 0, 0, 1]], dtype=np.uint8)
    nogoods: list[Clash] = [{5: 0b1100, 6: 0b01}, {5: 0b0001}]  # the second one rules out a single one
    left, useful = frontier.without(pool, 5, nogoods)
    assert (left.tolist(), useful) == ([[1, 3], [1, 1]], nogoods[:1])
    assert frontier.without(pool, 5, [{}])[0].shape == (2, 0)


def test_halves_are_pruned_before_they_are_combined(monkeypatch: pytest.MonkeyPatch) -> None:
    small(monkeypatch)
    dropped, pruned = [0, 0, 0], FrontierSweep._pruned

    def noted(sweep: FrontierSweep, crossing: RowCrossing, part: int, steps: float) -> Generator[int]:
        before = crossing.many(part)
        yield from pruned(sweep, crossing, part, steps)
        dropped[part] += before - crossing.many(part)

    monkeypatch.setattr(FrontierSweep, "_pruned", noted)
    puzzle = random_density(10, 10, 0.35, 4)
    assert counted(puzzle) == by_components(puzzle)
    assert min(dropped) > 0


def test_a_nogood_is_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """No solution has the states of a nogood; and nogoods are what solutions do not have."""
    small(monkeypatch, TABLE=16, SAMPLE=20)
    puzzle = random_density(10, 10, 0.3, 5)
    boards = [picture.cells for picture in sample(puzzle, 300, seed=1).boards]
    with swept(puzzle) as sweep:
        while sweep.go_on(10_000, ROOM) == PAUSED:
            pass
        states = sweep.states
        nogoods = sum(map(len, sweep.nogoods))
        for cells in boards:
            before = states.live.copy(), states.pairs.copy()
            states.learn(cells)
            assert (states.live == before[0]).all()
            assert (states.pairs == before[1]).all()
            turned = cells.T if states.turned else cells
            here = np.zeros(states.width, dtype=np.int64)
            for layer, halves in enumerate(sweep.layout):
                columns = [places for half in halves for places in half.places]
                places = [column[state] for column, state in zip(columns, here.tolist(), strict=True)]
                for nogood in sweep.nogoods[layer]:
                    assert not all(having >> places[c] & 1 for c, having in nogood.items())
                for clash in sweep._clashes(layer):
                    assert not all(having >> places[c] & 1 for c, having in clash.items())
                if layer + 1 < states.layers:
                    here = behind(states, layer, turned, here)
    assert nogoods > 10


def behind(
    states: States, row: int, cells: npt.NDArray[np.uint8], here: npt.NDArray[np.int64]
) -> npt.NDArray[np.int64]:
    """The columns' states behind a row."""
    found = [int(states.down[c].step[row][cells[row, c], here[c]]) for c in range(states.width)]
    return np.array(found, dtype=np.int64)


def test_keys_have_the_states_of_a_half_and_bits_what_they_clash_with() -> None:
    rng = np.random.default_rng(7)
    for first, width, most in ((0, 3, 2), (10, 10, 9), (15, 15, 16), (3, 1, 5), (1, 18, 16)):
        live = rng.random((width, most)) < 0.7
        live[:, 0] = True
        if width == 18:  # a whole word, and columns that need no bit of it
            live[:16], live[16:, 1:] = True, False
        layout = HalfLayout(first, live)
        places = np.array([[rng.integers(len(states)) for _ in range(200)] for states in layout.states])
        keys = (places.astype(np.uint64) << layout.bit[:, None].astype(np.uint64)).sum(axis=0, dtype=np.uint64)
        assert layout.bits <= 64
        assert layout.states_of(keys).tolist() == places.tolist()
        clashes: list[Clash] = []
        for _ in range(150):
            about = rng.choice(first + width + 2, 2, replace=False).tolist()  # some are about the other half
            clashes.append({c: int(rng.integers(1, 1 << most)) for c in about})
        words = 3
        bars = np.zeros(200 * (words + 2), dtype=np.uint64)
        layout.write_bits(keys, clashes, bars, words + 2, 1)
        for i, own in enumerate(bars.reshape(200, words + 2).tolist()):
            expected = 0
            for number, clash in enumerate(clashes):
                mine = {c - first: having for c, having in clash.items() if 0 <= c - first < width}
                expected |= all(having >> int(places[c, i]) & 1 for c, having in mine.items()) << number
            assert [own[0], own[words + 1]] == [0, 0]
            assert own[1] | own[2] << 64 | own[3] << 128 == expected


@pytest.mark.parametrize("limit", [1, 10, 10_000])
def test_combinations_that_cross_a_row_are_those_of_both_halves(limit: int) -> None:
    """Held against all pairs of ways, one by one, with clashes that are found on the way."""
    rng = np.random.default_rng(limit)
    for round_ in range(40):
        layout = HalfLayout(0, np.ones((2, 6), dtype=bool)), HalfLayout(2, np.ones((2, 6), dtype=bool))
        old = some_combinations(rng, int(rng.integers(1, 9)), int(rng.integers(1, 150)))
        left, right = (some_ways(rng, len(keys)) for keys in (old.left, old.right))
        clashes = [{int(rng.integers(0, 2)): 1, int(rng.integers(2, 4)): 5}] * int(rng.integers(0, 2))
        later = [{c: 1 << int(rng.integers(0, 4)) for c in rng.choice(4, 2, replace=False).tolist()} for _ in range(3)]
        crossing = RowCrossing(old, 1, layout, left, right, clashes)
        crossing.begin_with(rng.permutation(len(left.keys)))
        status, done = PAUSED, 0
        while status != DONE:
            status = crossing.cross(limit, 5)
            if status == FULL or (status == DONE and not done):
                crossing.prune(later)
                done, limit = 1, 1 << 20
        if round_ % 2:  # what is ruled out stays so
            crossing.begin_with(rng.permutation(len(left.keys)))
            while crossing.cross(limit, 5) == PAUSED:
                pass
        expected = crossed_one_by_one(old, left, right, layout, [*clashes, *later])
        found = crossing.result()
        assert counts_of(found) == expected, round_
        assert len(found.left) == len({one for one, _ in expected})
        assert len(found.right) == len({other for _, other in expected})
        # Some of them alone, and others that there are not.
        known = some_combinations(rng, 8, 12)
        again = RowCrossing(old, 1, layout, left, right, [])
        again.only(known)
        while again.cross(1, 5) == PAUSED:
            pass
        all_of_them = crossed_one_by_one(old, left, right, layout, [])
        assert again.counts.tolist() == [all_of_them.get(pair, 0) for pair in counts_of(known)]


def some_combinations(rng: np.random.Generator, rows: int, columns: int) -> Combinations:
    there = rng.random((rows, columns)) < 0.5
    there[rng.integers(rows), rng.integers(columns)] = True
    some, which = np.nonzero(there)
    begin = np.searchsorted(some, np.arange(rows + 1))
    keys = [rng.choice(1 << 6, many, replace=many > 64).astype(np.uint64) for many in (rows, columns)]
    if columns > 64:
        keys[1] = np.arange(columns, dtype=np.uint64)
    counts = rng.integers(1, 100, len(which)).astype(np.uint64)
    room = np.zeros(3, dtype=np.uint64)
    return Combinations(*keys, begin, np.append(which, [0] * 3).astype(np.int32), np.append(counts, room))


def some_ways(rng: np.random.Generator, states: int) -> HalfWays:
    many = 3 * states
    keys = np.unique(rng.integers(0, 36, max(1, states)).astype(np.uint64) % np.uint64(36))
    keys = (keys // np.uint64(6) << np.uint64(3)) | keys % np.uint64(6)
    chosen = [rng.integers(0, below, many).astype(np.int32) for below in (states, 4, len(keys))]
    return HalfWays(*chosen, keys)


def counts_of(found: Combinations) -> dict[tuple[int, int], int]:
    """Of each combination, the keys of its halves: the count."""
    lefts = np.repeat(np.arange(len(found.left)), np.diff(found.begin))
    pairs = zip(found.left[lefts].tolist(), found.right[found.which[: found.many]].tolist(), strict=True)
    return dict(zip(pairs, found.counts[: found.many].tolist(), strict=True))


def crossed_one_by_one(
    old: Combinations, left: HalfWays, right: HalfWays, layout: tuple[HalfLayout, HalfLayout], clashes: list[Clash]
) -> dict[tuple[int, int], int]:
    """What combinations lead to, way by way."""
    counts = np.zeros((len(old.left), len(old.right)), dtype=np.int64)
    lefts = np.repeat(np.arange(len(old.left)), np.diff(old.begin))
    counts[lefts, old.which[: old.many]] = old.counts[: old.many]
    found: dict[tuple[int, int], int] = {}
    for i, middle, new in zip(left.old.tolist(), left.middle.tolist(), left.new.tolist(), strict=True):
        for j, other, then in zip(right.old.tolist(), right.middle.tolist(), right.new.tolist(), strict=True):
            if middle == other and counts[i, j]:
                pair = int(left.keys[new]), int(right.keys[then])
                found[pair] = found.get(pair, 0) + int(counts[i, j])

    def clashing(pair: tuple[int, int]) -> bool:
        states = [
            *layout[0].states_of(np.array(pair[:1], np.uint64)),
            *layout[1].states_of(np.array(pair[1:], np.uint64)),
        ]
        return any(all(having >> int(states[c][0]) & 1 for c, having in clash.items()) for clash in clashes)

    return {pair: count for pair, count in found.items() if not clashing(pair)}


def has(states: list[int], column: int, state: int, side: int) -> bool:
    """Are the columns in states that have this bound?"""
    return states[column] >= state if side == witnesses.AT_LEAST else states[column] <= state


@pytest.mark.parametrize("room", [64, 1 << 15])
def test_witnesses_show_which_bounds_are_needed(room: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(witnesses, "MOST", room)
    rng = np.random.default_rng(room)
    shown = 0
    for layers, width, most, many in ((3, 5, 3, 10), (2, 9, 2, 200), (4, 6, 4, 700)):
        known, states = witnesses.Witnesses(layers, width, most), []
        for _ in range(many):
            known.add(rng.integers(0, most, (layers, width)).astype(np.uint8))
            states.append(known.states[min(known.used, room) - 1].tolist())
            if rng.random() < 0.1:
                known.look_at(int(rng.integers(layers)))
            if known.layer >= 0:
                chosen = rng.choice(2 * width, rng.integers(2, 2 * width + 1), replace=False).tolist()
                about = [(c, int(rng.integers(0, most)), side) for c, side in (divmod(number, 2) for number in chosen)]
                here = [each[known.layer] for each in states[:room]]
                missing = [[bound for bound in about if not has(each, *bound)] for each in here]
                expected = {lacks[0] for lacks in missing if len(lacks) == 1}
                numbers = [(c * most + state) * 2 + side for c, state, side in about]
                assert known.needed(numbers) == [int(bound in expected) for bound in about]
                shown += len(expected)
        assert known.used == min(many, room)
    assert shown > 300


@pytest.mark.parametrize("number", [0, 3])
def test_literals_say_in_which_state_a_line_is(number: int) -> None:
    puzzle = board(number)
    boards = {found.cells.tobytes(): found.cells for found in sample(puzzle, 5, seed=1).boards}
    with swept(puzzle) as sweep:
        for cells in boards.values():
            literals = [-literal for literal in sweep.formula.block(cells)]
            for states in sweep.both:
                turned = cells.T if states.turned else cells
                here, read = np.zeros(states.width, dtype=np.int64), states.read(cells)
                for layer in range(states.layers):
                    assert read[layer].tolist() == here.tolist()
                    for c, reader in enumerate(states.down):
                        for state in range(len(reader.states[layer])):
                            said = states.literals_of((layer, c, state))
                            possible = -frontier.TRUE not in said and sweep.session.solve([*literals, *said])
                            assert bool(possible) == (state == here[c])
                    if layer + 1 < states.layers:
                        here = behind(states, layer, turned, here)


def test_a_pause_anywhere_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    puzzle = random_density(8, 8, 0.35, 5)
    small(monkeypatch, SLICE=1)
    expected = by_components(puzzle)
    assert counted(puzzle, 1) == counted(puzzle, 10**9) == expected


def test_what_is_known_before_it_ends() -> None:
    puzzle = random_density(10, 10, 0.3, 5)
    events = native.run_frontier(CounterPortfolio(puzzle, ()), 0.0)
    known = [event for event in events if isinstance(event, CountBounds)][-1]
    assert 2 <= known.at_least <= by_components(puzzle)
    assert known.estimate is not None


@pytest.mark.slow
def test_numbers_of_more_than_a_word() -> None:
    puzzle = Nonogram.from_lengths([[1]] * 48, [[1] * 12] * 4)
    found = count(puzzle, counter="frontier").solutions
    assert found == count(puzzle, counter="components").solutions
    assert found is not None
    assert found > 2**64


def test_counts_that_no_word_holds_are_refused() -> None:
    with swept(Nonogram.from_lengths([[1]] * 4, [[1]] * 4)) as sweep:
        while not sweep.layout:
            sweep.go_on(1, ROOM)
        sweep.room = ROOM
        one = Combinations.start()
        one.counts[0] = 1 << 63
        crossed = run_out(sweep, one, 0)
        assert isinstance(crossed, Combinations)
        assert crossed.many == 4
        assert run_out(sweep, crossed, 1) == STOPPED


def run_out(sweep: FrontierSweep, old: Combinations, layer: int) -> Combinations | int:
    """The combinations behind the next row, or STOPPED."""

    def run() -> Generator[int, None, Combinations]:
        sweep.ends[0] = old
        crossing = yield from sweep._crossing(0, layer, layer + 1)
        return (yield from sweep._crossed(crossing))

    steps = run()
    try:
        while next(steps) != STOPPED:
            pass
    except StopIteration as end:
        made: Combinations = end.value
        return made
    return STOPPED


def test_what_is_too_large_stops(monkeypatch: pytest.MonkeyPatch) -> None:
    puzzle = random_density(10, 10, 0.35, 4)
    for name, value in (("MOST_PAIRS", 100), ("MOST_STATES", 3), ("LARGEST_KEY", 8), ("LARGEST", 8), ("MOST_WAYS", 8)):
        with monkeypatch.context() as patched:
            patched.setattr(frontier, "TABLE", 8)
            patched.setattr(frontier, name, value)
            with swept(puzzle) as sweep:
                while (status := sweep.go_on(10_000, ROOM)) == PAUSED:
                    pass
                assert status == STOPPED
            found = count(puzzle, counter="frontier")
            assert (found.verdict, found.stopped, found.solutions) == (Verdict.SAT, Verdict.MEMOUT, None)
    with swept(puzzle) as sweep:
        monkeypatch.setattr(frontier, "TABLE", 8)
        while (status := sweep.go_on(10_000, 1_000)) == PAUSED:
            pass
        assert status == STOPPED


def test_it_has_its_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    puzzle = random_density(12, 12, 0.35, 3)
    expected = by_components(puzzle)
    monkeypatch.setattr(native, "ALONE", 100)
    monkeypatch.setattr(native, "LIVE", 10_000)
    found = count(puzzle)
    assert (found.solutions, found.counter) == (expected, "frontier")
    assert found.statistics.conflicts
    monkeypatch.setattr(frontier, "MOST_STATES", 1)
    stopped = count(puzzle)
    assert stopped.solutions == expected
    assert stopped.counter in ("components", "sweep")


def test_ctrl_c_is_answered_while_it_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    """The command has the solver in a fork, which must do all that the sweep asks of it."""
    small(monkeypatch)
    puzzle = random_density(10, 10, 0.35, 3)
    expected = by_components(puzzle)
    monkeypatch.setattr(native, "session_of", Forked)
    assert count(puzzle, counter="frontier").solutions == expected


def test_what_a_count_has_cost_is_counted_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where SAT narrows nothing, so that the search goes on, and does not begin again."""
    monkeypatch.setattr(native, "ALONE", 100)
    monkeypatch.setattr(native, "EVERY", 100)
    monkeypatch.setattr(native, "LIVE", 0)
    puzzle = Nonogram.from_lengths([[1]] * 7, [[1]] * 7)
    events = native.run_with_backbone(CounterPortfolio(puzzle), 0.0)
    try:
        while True:
            next(events)
    except StopIteration as end:
        portfolio = end.value
    assert portfolio.done
    assert portfolio.statistics(0.0).lines_checked == portfolio.lines > 1_000


def test_a_board_that_is_too_large_for_a_formula_stops(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(native, "LARGEST", 10)
    found = count(random_density(8, 8, 0.35, 5), counter="frontier")
    assert (found.verdict, found.solutions, found.stopped) == (Verdict.MEMOUT, None, Verdict.MEMOUT)


def test_without_a_solution_there_are_none() -> None:
    clash = Nonogram.from_lengths([[1, 1], [1], [1, 1]], [[2], [1], [2]])
    assert count(clash, counter="frontier").solutions == len(pictures(clash))
    assert counted(clash) == len(pictures(clash))
