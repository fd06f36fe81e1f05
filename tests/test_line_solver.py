"""The compiled line solver, propagation and probing, against brute force, a plain dynamic program, and SAT."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import numpy.typing as npt
import pytest
from bounds import checked
from brute import pictures, placements, random_puzzle
from lines import complete, random_partial
from sampling import repeated, spread

from nonosat.generators.density import random_density
from nonosat.puzzles.nonogram import Clue, Nonogram, Run, read_clue
from nonosat.puzzles.nonogram.puzzle import Picture, palette_of
from nonosat.runs.events import Verdict
from nonosat.solvers.propagation import lines
from nonosat.solvers.propagation.board import (
    DEAD,
    NEVER,
    PAUSED,
    TRAIL,
    PropagationBoard,
    assume,
    board_of,
    cells_of,
    choices,
    propagate,
    undo,
    unknown,
)
from nonosat.solvers.propagation.lines import filter_long, filter_two, line_consequences
from nonosat.solvers.propagation.probing import LEARNT, NOTHING, Probes, probe, probes_of
from nonosat.solvers.propagation.tree import EXHAUSTED, FOUND, TreeSearch
from nonosat.solvers.solve import solve

VARIANTS = ("propagation", "propagation+noprobe", "propagation+nomemo", "propagation+noprobe+nomemo")
Booleans = npt.NDArray[np.bool_]


def slowly(clue: Clue, may: Booleans) -> Booleans | None:
    """The same by a plain dynamic program, for lines that are too long to list their placements."""
    size = may.shape[1]

    @cache
    def completes(k: int, cell: int, after: int) -> bool:
        """Can the cells from ``cell`` on hold the runs from ``k`` on, after a cell of colour ``after``?"""
        if cell == size:
            return k == len(clue)
        return bool(may[0, cell] and completes(k, cell + 1, 0)) or begins(k, cell, after)

    @cache
    def begins(k: int, cell: int, after: int) -> bool:
        if k == len(clue) or clue[k].colour == after or cell + clue[k].length > size:
            return False
        return bool(may[clue[k].colour, cell : cell + clue[k].length].all()) and completes(
            k + 1, cell + clue[k].length, clue[k].colour
        )

    if not completes(0, 0, 0):
        return None
    left = np.zeros_like(may)
    seen = set()
    waiting = [(0, 0, 0)]
    while waiting:
        k, cell, after = state = waiting.pop()
        if state in seen or cell == size:
            continue
        seen.add(state)
        if may[0, cell] and completes(k, cell + 1, 0):
            left[0, cell] = True
            waiting.append((k, cell + 1, 0))
        if begins(k, cell, after):
            end = cell + clue[k].length
            left[clue[k].colour, cell:end] = True
            waiting.append((k + 1, end, clue[k].colour))
    return left


@pytest.mark.parametrize("number", repeated(1000, 4000))
def test_short_lines_are_settled_as_by_brute_force(number: int) -> None:
    rng = np.random.default_rng(40)
    dead = 0
    for _ in range(number):
        colours = int(rng.integers(1, 4))
        clue, partial = random_partial(rng, colours)
        may = np.array([[known is None or known == v for known in partial] for v in range(colours + 1)])
        expected, found = complete(clue, partial, colours), line_consequences(tuple(Run(*run) for run in clue), may)
        assert (found is None) == expected.conflict
        if found is None:
            dead += 1
            continue
        assert [frozenset(np.flatnonzero(cell).tolist()) for cell in found.T] == list(expected.left)
    assert dead > number // 40


@pytest.mark.parametrize("number", repeated(500, 2000))
def test_short_lines_with_any_knowledge(number: int) -> None:
    """Sets of values, not just known cells: with colours, a cell may be known not to be red."""
    rng = np.random.default_rng(41)
    for _ in range(number):
        colours, size = int(rng.integers(1, 4)), int(rng.integers(1, 7))
        table = placements(size, colours)
        clue = list(table)[rng.integers(len(table))]
        may = rng.random((colours + 1, size)) < 0.8
        fitting = [line for line in table[clue] if all(may[value, cell] for cell, value in enumerate(line))]
        found = line_consequences(tuple(Run(*run) for run in clue), may)
        assert (found is None) == (not fitting)
        if found is not None:
            expected = [[any(line[cell] == v for line in fitting) for cell in range(size)] for v in range(colours + 1)]
            assert found.tolist() == expected


@pytest.mark.parametrize("number", repeated(40, 120))
@pytest.mark.parametrize("sizes", [(1, 30), (30, 64), (62, 67), (64, 130), (126, 131), (180, 260)])
def test_lines_of_any_length(number: int, sizes: tuple[int, int]) -> None:
    rng = np.random.default_rng(sizes[0])
    dead = 0
    for _ in range(number):
        colours, size = int(rng.integers(1, 4)), int(rng.integers(*sizes))
        line = np.where(rng.random(size) < rng.random(), rng.integers(1, colours + 1, size), 0)
        line = np.repeat(line, rng.integers(1, 6))[:size]
        clue = read_clue(line.tolist())
        if rng.random() < 0.3:
            line = line[::-1]
        may = (rng.random((colours + 1, size)) < rng.random()) | (np.arange(colours + 1)[:, None] == line)
        found, expected = line_consequences(clue, may), slowly(clue, may)
        assert (found is None) == (expected is None)
        dead += found is None
        assert found is None or np.array_equal(found, expected)
    assert dead > 0


def test_the_ends_of_words() -> None:
    for size in (63, 64, 65, 71, 72, 73, 79, 80, 81, 95, 96, 97, 127, 128, 129):
        for clue in ((), (Run(size),), (Run(1),), (Run(size - 2), Run(1)), (Run(1), Run(size - 3))):
            may = np.ones((2, size), dtype=bool)
            assert np.array_equal(line_consequences(clue, may), slowly(clue, may)), (size, clue)
        assert line_consequences((Run(size),), np.array([[True] * size, [True] * (size - 1) + [False]])) is None


@pytest.mark.parametrize("number", repeated(750, 3000))
def test_two_words_give_the_result_of_any_number(number: int) -> None:
    rng = np.random.default_rng(2)
    dead = 0
    for i in range(number):
        colours, size = int(rng.integers(1, 3)), 64 + i % 64
        line = np.where(rng.random(size) < rng.random() ** 2, rng.integers(1, colours + 1, size), 0)
        line = np.repeat(line, rng.integers(1, 6))[:size]
        clue = read_clue(line.tolist())
        may = (rng.random((colours + 1, size)) < rng.random()) | (np.arange(colours + 1)[:, None] == line)
        may[:, rng.integers(size)] ^= rng.random() < 0.3
        bits = np.zeros((colours + 1, 128), dtype=bool)
        bits[:, :size] = may
        given = np.packbits(bits, axis=1, bitorder="little").view("<u8").astype(np.uint64).ravel()
        length = np.array([run.length for run in clue], dtype=np.uint64)
        colour = np.array([run.colour for run in clue], dtype=np.int64)
        ready, fit = np.zeros((2, 2 * len(clue)), dtype=np.uint64)
        out, other = np.zeros((2, 2 * colours + 2), dtype=np.uint64)
        fine = filter_two(given, 0, size, length, colour, 0, len(clue), ready, fit, out)
        spares = np.zeros((4, 2), dtype=np.uint64)
        assert fine == filter_long(given, 0, 2, 0, size, length, colour, 0, len(clue), ready, fit, other, spares)
        assert not fine or np.array_equal(out, other)
        dead += not fine
    assert 0 < dead < number // 2


@pytest.mark.parametrize("number", repeated(75, 300))
@pytest.mark.parametrize("name", VARIANTS)
def test_all_solutions_as_by_brute_force(number: int, name: str) -> None:
    rng = np.random.default_rng(42)
    for _ in range(number):
        puzzle = random_puzzle(rng)
        answer = solve(puzzle, solver=name, count=None)
        assert set(answer.pictures) == pictures(puzzle)
        assert answer.exhausted


@pytest.mark.parametrize("name", spread(VARIANTS, 1))
def test_it_agrees_with_sat(name: str) -> None:
    rng = np.random.default_rng(43)
    for seed in range(60):
        height, width = (int(n) for n in rng.integers(1, 16, 2))
        shares = (rng.dirichlet(np.ones(int(rng.integers(2, 5))))[:-1] * rng.random()).tolist()
        puzzle = random_density(height, width, shares, seed)
        native, sat = (solve(puzzle, solver=solver, count=40) for solver in (name, "minisat22"))
        assert (native.verdict, len(native.pictures)) == (sat.verdict, len(sat.pictures))
        assert len(sat.pictures) == 40 or set(native.pictures) == set(sat.pictures)


def test_boards_wider_than_a_word() -> None:
    for shape in ((3, 63), (3, 64), (64, 5), (70, 70), (2, 130)):
        puzzle = random_density(*shape, 0.75, seed=9)
        answer, sat = (solve(puzzle, solver=name, unique=True) for name in ("propagation", "minisat22"))
        assert (answer.verdict, answer.unique) == (Verdict.SAT, sat.unique), shape


def test_what_needs_no_guess_is_known_to_be_unique() -> None:
    """One picture was asked for, and it is known for nothing that there is no other."""
    answer = solve(Nonogram.from_lengths([[2], [1]], [[2], [1]]), solver="propagation")
    assert (answer.unique, answer.exhausted, answer.statistics.assumptions) == (True, True, 0)
    answer = solve(Nonogram.from_lengths([[1], [1]], [[1], [1]]), solver="propagation")
    assert (answer.unique, answer.exhausted, answer.statistics.assumptions) == (None, False, 1)


def test_counters_of_a_small_search() -> None:
    """Two diagonals: lines tell nothing, nor do probes; each guess settles the board."""
    about = solve(Nonogram.from_lengths([[1], [1]], [[1], [1]]), solver="propagation", count=None).statistics
    assert (about.nodes, about.assumptions, about.contradictions) == (3, 1, 0)
    assert about.probes == 8  # two values of four cells, once
    assert about.lines_checked is not None
    assert about.variables is None
    assert about.decisions is None


def test_undo_restores_everything() -> None:
    board = board_of(random_density(12, 70, (0.2, 0.3), seed=3))
    assert propagate(board, NEVER) != DEAD
    before, mark = board.may.copy(), int(board.state[TRAIL])
    rng = np.random.default_rng(1)
    for cell in rng.choice(12 * 70, 60, replace=False):
        row, column = divmod(int(cell), 70)
        assume(board, row, column, int(rng.integers(0, 3)))
        propagate(board, NEVER)
        undo(board, mark)
        assert np.array_equal(board.may, before)
        assert not board.queued.any()


def test_probes_teach_only_what_holds() -> None:
    rng = np.random.default_rng(44)
    said = set()
    for _ in range(200):
        puzzle = random_puzzle(rng)
        board = board_of(puzzle)
        probes = probes_of(board)
        alive = propagate(board, NEVER) != DEAD
        for cell in np.flatnonzero(cells_of(board).ravel() < 0) if alive else ():
            if cells_of(board).ravel()[cell] < 0 and alive:
                what = probe(board, probes, int(cell))
                said.add(what)
                alive = what != DEAD
        solutions = pictures(puzzle)
        assert alive or not solutions
        for picture in solutions if alive else ():
            known = cells_of(board)
            assert ((known < 0) | (known == picture.cells)).all()
            for value in range(puzzle.colours + 1):
                words = board.may[: board.at[board.height]].reshape(board.height, puzzle.colours + 1)
                rows, columns = np.nonzero(picture.cells == value)
                assert ((words[rows, value] >> columns.astype(np.uint64)) & np.uint64(1)).all()
    assert {LEARNT, NOTHING} <= said


@pytest.mark.parametrize(("shape", "boards"), [((15, 15), 12), ((36, 34), 3), ((180, 12), 1)])
def test_a_skipped_probe_would_have_taught_nothing(shape: tuple[int, int], boards: int) -> None:
    """Probing to the end, and then every open cell once more without memory: nothing is learnt.

    The lines that a probe changed are a bit each: more than 64 lines are two words, 192 are three.
    """
    for seed in range(boards):
        board = board_of(random_density(*shape, 0.45, seed))
        propagate(board, NEVER)

        def probed(probes: Probes, board: PropagationBoard = board) -> bool:
            """Was anything learnt from a probe of each open cell?"""
            said = set()
            for cell in np.flatnonzero(cells_of(board).ravel() < 0).tolist():
                if choices(board, cell // board.width, cell % board.width) > 1:
                    said.add(probe(board, probes, cell))
            return bool(said - {NOTHING})

        probes = probes_of(board)
        while probed(probes):
            pass
        assert not probed(probes_of(board))


def test_a_search_in_pieces_reports_its_state() -> None:
    puzzle = Nonogram.from_lengths([[1]] * 4, [[1]] * 4)
    hunt, said = TreeSearch(puzzle), []
    while not said or said[-1] != EXHAUSTED:
        said.append(hunt.go_on(1))
    assert set(said) == {PAUSED, FOUND, EXHAUSTED}
    assert said.count(FOUND) == 24


def test_a_full_board_is_counted() -> None:
    board = board_of(Nonogram.from_picture(Picture(np.array([[1, 2], [0, 1]]), palette_of(2))))
    assert unknown(board) == 8
    propagate(board, NEVER)
    assert (unknown(board) == 0) == bool((cells_of(board) >= 0).all())


def test_given_cells_are_kept() -> None:
    puzzle = Nonogram.from_lengths([[1], [1]], [[1], [1]], given=[(0, 0, 0)])
    answer = solve(puzzle, solver="propagation", unique=True)
    assert answer.picture is not None
    assert answer.picture.rows() == [".#", "#."]
    assert answer.unique


@pytest.mark.slow
@pytest.mark.parametrize("number", [1_000, pytest.param(10_000, marks=pytest.mark.nightly)])
def test_it_never_disagrees_with_sat(number: int) -> None:
    """Boards of mixed size, density and colours, some spoilt: verdict, uniqueness, and the only picture."""
    rng = np.random.default_rng(45)
    seen = {None: 0, True: 0, False: 0}
    for seed in range(number):
        height, width = (int(n) for n in rng.integers(1, 21, 2))
        colours = int(rng.integers(1, 5))
        shares = (rng.dirichlet(np.ones(colours)) * rng.uniform(0.1, 0.95)).tolist()
        puzzle = random_density(height, width, shares, seed)
        if rng.random() < 0.2:
            order = rng.permutation(height)
            puzzle = replace(puzzle, rows=tuple(puzzle.rows[i] for i in order), goal=None)
        native, sat = (solve(puzzle, solver=name, unique=True) for name in ("propagation", "minisat22"))
        assert (native.verdict, native.unique) == (sat.verdict, sat.unique), (seed, puzzle)
        assert sat.unique is not True or native.picture == sat.picture, (seed, puzzle)
        seen[sat.unique if sat.pictures else None] += 1
    assert min(seen.values()) > number // 20


@pytest.mark.slow
def test_no_index_is_out_of_bounds() -> None:
    """All that is compiled, with bounds checks (and compiled anew for them)."""
    code = """
import numpy as np
from brute import random_puzzle
from nonosat.generators.density import random_density
from nonosat.solvers.solve import solve
rng = np.random.default_rng(5)
for name in ("propagation", "propagation+noprobe"):
    for _ in range(200):
        solve(random_puzzle(rng), solver=name, count=None)
    for shape in ((64, 63), (63, 64), (1, 200), (130, 3), (25, 25)):
        for shares in (0.6, (0.3, 0.3)):
            solve(random_density(*shape, shares, seed=1), solver=name, time_limit_s=None, count=1)
for puzzle in (random_density(25, 25, 0.4, 1), random_density(30, 70, 0.5, 2), random_density(20, 20, (0.3, 0.2), 3)):
    assert solve(puzzle, solver="beliefs").picture or puzzle.width == 70
print("fine")
"""
    checked(code)


def test_shifts_of_several_words_are_those_of_one_large_number() -> None:
    rng = np.random.default_rng(63)
    many = 3
    for words in ([2**64 - 1] * many, *rng.integers(0, 2**64, (20, many), dtype=np.uint64).tolist()):
        source, target = np.array(words, dtype=np.uint64), np.zeros(many, dtype=np.uint64)
        number = sum(int(word) << 64 * i for i, word in enumerate(words))
        for by in range(64 * many):
            for shift, wanted in ((lines.shift_up, number << by), (lines.shift_down, number >> by)):
                shift(source, np.int64(by), target)
                assert [int(word) for word in target] == [wanted >> 64 * i & 2**64 - 1 for i in range(many)], by
