"""Counts, held against brute force, against each other, and against Ganak where it is installed."""

from __future__ import annotations

import importlib.util
import json
import math
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import commands
import numpy as np
import pytest
from brute import ambiguous, pictures, random_puzzle
from oracle import BY_LINES, UNIQUE, Table, counter_agrees
from sampling import repeated, spread

from nonosat.cli.shared.tallies import format_number
from nonosat.compiled.words import ZERO
from nonosat.counting.answer import CountBounds, Number, json_text, log10_of
from nonosat.counting.cnf_counters import models
from nonosat.counting.components import cuts_long, cuts_short, key_of, parts_of, split
from nonosat.counting.count import backbone, compared, count, sample
from nonosat.counting.diagram import (
    CHILD,
    DEPTH,
    FINISH,
    MANY,
    NODE,
    NONE,
    PHASE,
    RESULT,
    DiagramValues,
    close_branch,
    empty_diagram,
    grown,
    has_room,
    new_node,
    plus,
    sums,
    times,
)
from nonosat.counting.native import ORDERS, CounterPortfolio, counted
from nonosat.counting.search import ALONG_COLUMNS, ALONG_ROWS, DONE, search
from nonosat.encodings.nonogram import ENCODINGS
from nonosat.encodings.registry import encoding
from nonosat.encodings.skyscrapers import SKYSCRAPERS as SKYSCRAPERS_KIND
from nonosat.errors import NonosatError
from nonosat.generators.density import random_density
from nonosat.puzzles.nonogram import Nonogram
from nonosat.puzzles.nonogram.puzzle import Picture, palette_of
from nonosat.puzzles.puzzle import Given
from nonosat.puzzles.skyscrapers import Skyscrapers
from nonosat.runs.events import Finished, Statistics, Verdict
from nonosat.solvers.propagation.board import NEVER, PAUSED, board_of, propagate
from nonosat.testing import brute

SKYSCRAPERS = SKYSCRAPERS_KIND.tested
GANAK = pytest.mark.skipif(importlib.util.find_spec("pyganak") is None, reason="pyganak is not installed")
APPROXMC = pytest.mark.skipif(importlib.util.find_spec("pyapproxmc") is None, reason="pyapproxmc is not installed")


def exact(puzzle: Nonogram, orders: tuple[int, ...] = ORDERS) -> int:
    return DiagramValues(*counted(puzzle, orders)).solutions


def blocks(number: int) -> Nonogram:
    """So many independent 2x2 boards with two solutions each; all cells between them are given."""
    size = 3 * number
    starts = {3 * i + d for i in range(number) for d in (0, 1)}
    clue = [[1] if i in starts else [] for i in range(size)]
    given = [(r, c, 0) for r in starts for c in starts if r // 3 != c // 3]
    return Nonogram.from_lengths(clue, clue, given)


def against_brute_force(seed: int, boards: int) -> None:
    """Boards of all sorts, with colours, given cells and contradictions; a third of them have several solutions."""
    rng = np.random.default_rng(seed)
    anything = [random_puzzle(rng) for _ in range(2 * boards // 3)]
    known = [(puzzle, pictures(puzzle)) for puzzle in anything] + ambiguous(boards // 3, seed)
    for puzzle, right in known:
        for orders in (*((order,) for order in (*ORDERS, ALONG_ROWS, ALONG_COLUMNS)), ORDERS):
            assert exact(puzzle, orders) == len(right), f"{orders}: {puzzle}"
    found = [len(right) for _, right in known]
    assert min(found) == 0
    assert sum(number > 4 for number in found) >= boards // 9


def test_counts_are_those_of_brute_force() -> None:
    against_brute_force(1, 60)


@pytest.mark.slow
@pytest.mark.parametrize("boards", [300, pytest.param(1000, marks=pytest.mark.nightly)])
def test_counts_are_those_of_brute_force_on_many_boards(boards: int) -> None:
    against_brute_force(2, boards)


@pytest.mark.slow
@pytest.mark.parametrize(("rows", "columns"), spread([(1, 4), (2, 2), (2, 5), (3, 3), (3, 4), (4, 4)], 4))
def test_all_boards_of_a_size(rows: int, columns: int) -> None:
    table = Table(rows, columns)
    assert table.unique == UNIQUE[rows][columns - 1]
    assert table.solutions.sum() == 2 ** (rows * columns)
    if rows == columns and rows in BY_LINES:
        assert table.by_lines() == BY_LINES[rows]
    chosen = np.random.default_rng(1).permutation(len(table.keys))[:300]
    assert counter_agrees(table, table.keys[chosen])


@pytest.mark.slow
def test_all_puzzles_with_several_solutions_of_4x4_are_counted_right() -> None:
    table = Table(4, 4)
    assert counter_agrees(table, table.keys[table.solutions > 1])


@pytest.mark.slow
@pytest.mark.nightly
def test_all_boards_of_25_cells() -> None:
    table = Table(5, 5)
    assert table.unique == UNIQUE[5][4]
    assert table.by_lines() == BY_LINES[5]
    chosen = np.random.default_rng(1).permutation(len(table.keys))[:1000]
    assert counter_agrees(table, table.keys[chosen])


@pytest.mark.slow
def test_permutations() -> None:
    for size in range(1, 13):
        assert exact(Nonogram.from_lengths([[1]] * size, [[1]] * size)) == math.factorial(size)


@pytest.mark.parametrize("order", spread(ORDERS, 1))
def test_numbers_of_any_size(order: int) -> None:
    """More than a word holds, and lines of more than a word."""
    assert exact(blocks(9), (order,)) == 2**9
    assert exact(blocks(30), (order,)) == 2**30
    assert exact(blocks(70), (order,)) == 2**70
    assert log10_of(2**70) == pytest.approx(70 * math.log10(2))


def grid(high: int, wide: int) -> Nonogram:
    """So many 2x2 boards with two solutions each below and beside each other, blank lines between them."""
    rows = [clue for i in range(high) for clue in ([[]] if i else []) + [[1] * wide] * 2]
    columns = [clue for i in range(wide) for clue in ([[]] if i else []) + [[1] * high] * 2]
    return Nonogram.from_lengths(rows, columns)


@pytest.mark.slow
def test_independent_blocks_multiply_and_each_costs_what_it_takes_by_itself() -> None:
    """In lines of many words: a component's propagation looks at its own part of them."""
    puzzle = grid(1, 1000)
    for order in ORDERS:
        portfolio, inside = CounterPortfolio(puzzle, (order,), sweeping=False), 0
        board, frames = portfolio.boards[0], portfolio.frames[0]
        whole = board.window.copy()
        assert sum(array.size for array in portfolio.searches[0][2]) < 30 * 2 * puzzle.width + 4 * 1001 * 3001
        while search(board, *portfolio.searches[0][1:], portfolio.diagram, frames, order, 1) != DONE:
            if frames.state[DEPTH] > 0 and frames.state[PHASE] != FINISH:
                inside += 1
                cells = frames.cells[frames.begin[1] : frames.end[1]] % puzzle.width
                low, high = board.window[:8].reshape(2, 4)[:, :2].T
                assert (low >= cells.min() - 1).all()
                assert (high <= cells.max() + 2).all()
            if not has_room(portfolio.diagram, portfolio.cells):
                portfolio.diagram = grown(portfolio.diagram, portfolio.cells)
        assert inside > 1000
        assert board.window.tolist() == whole.tolist()
        assert DiagramValues(portfolio.diagram, int(frames.state[RESULT])).solutions == 2**1000


@pytest.mark.slow
def test_a_number_of_more_digits_than_python_writes() -> None:
    found = count(grid(120, 120))
    assert found.solutions == 2**14_400
    record = json.loads(json_text(found.record()), parse_int=Number.read)
    assert record["solutions"] == found.solutions
    digits = format_number(found)
    assert (len(digits), Number.read(digits)) == (4335, 2**14_400)
    assert digits in repr(found)
    assert f"{found.solutions:,}".replace(",", "") == digits


@pytest.mark.slow
@pytest.mark.parametrize("number", repeated(3, 24))
def test_parts_of_long_lines_count_as_a_sweep_counts(number: int) -> None:
    rng, several = np.random.default_rng(11), 0
    for seed in range(number):
        shape = [(3, 150), (140, 3), (4, 200), (2, 300)][seed % 4]
        shares: Any = [0.3, 0.4, [0.25, 0.15], [0.15, 0.15, 0.1]][(seed + seed // 4) % 4]
        full = random_density(*shape, shares, seed)
        assert full.goal is not None
        some = [(int(r), int(c), int(full.goal.cells[r, c])) for r, c in np.argwhere(rng.random(shape) < 0.2)]
        puzzle = replace(full, given=tuple(map(Given._make, some)))
        swept = CounterPortfolio(puzzle, (), sweeping=True)
        while swept.go_on() == PAUSED:
            pass
        for order in (*ORDERS, ALONG_ROWS, ALONG_COLUMNS):
            portfolio = CounterPortfolio(puzzle, (order,), sweeping=False)
            if swept.done and any(portfolio.go_on() == DONE for _ in range(12)):
                assert portfolio.solutions == swept.solutions, (seed, order)
                several += swept.solutions > 1000
    assert several > number * 20 // 24


def test_words_of_the_search_are_exact_or_saturate() -> None:
    most = int(MANY)
    rng = np.random.default_rng(1)
    numbers = [0, 1, 2, 3, 2**31, 2**32 - 1, 2**32, 2**32 + 1, 2**63 - 1, 2**63, 2**63 + 1, most - 2, most - 1, most]
    numbers += [int(rng.integers(0, 2**63)) >> int(rng.integers(0, 63)) for _ in range(60)]
    with np.errstate(over="ignore"):
        for one in numbers:
            for other in numbers:
                words = np.uint64(one), np.uint64(other)
                assert int(plus(*words)) == min(one + other, most)
                assert int(times(*words)) == min(one * other, most)


def test_a_sum_that_a_word_does_not_hold_is_many() -> None:
    diagram = empty_diagram()

    def node(*branches: list[int]) -> int:
        head = NONE
        for children in branches:
            diagram.children[diagram.top[CHILD] : diagram.top[CHILD] + len(children)] = children
            diagram.top[CHILD] += len(children)
            head = close_branch(diagram, head)
        return new_node(diagram, head, ZERO)

    two = node([], [])
    half = node([two] * 63)
    numbers = {
        two: 2,
        half: 2**63,
        node([half], [two]): 2**63 + 2,
        node([half], [half]): 2**64,
        node([half], [two], [half]): 2**64 + 2,
        node([half, two]): 2**64,
    }
    solutions = np.zeros_like(diagram.solutions)
    sums(diagram, solutions)
    for number, right in numbers.items():
        assert int(solutions[number]) == min(right, int(MANY))
        diagram.solutions[number] = solutions[number]
    assert {number: DiagramValues(diagram, number).solutions for number in numbers} == numbers


def test_components_meet_their_definition() -> None:
    board = board_of(blocks(5))
    propagate(board, NEVER)
    cells = np.arange(2 * 15 * 15, dtype=np.int64)
    parts = parts_of(board)
    assert split(board, parts, cells, 0, 225, 225) == 5
    assert parts.many[:5].tolist() == [4] * 5
    assert cells[225:229].tolist() == [0, 1, 15, 16]


def key_of_open_cells(line: str) -> tuple[int, int]:
    """The key of the open cells (``?``) of a row with the clue 1 1 1, of which ``line`` tells the others."""
    given = [(0, c, int(symbol == "#")) for c, symbol in enumerate(line) if symbol != "?"]
    board = board_of(Nonogram.from_lengths([[1, 1, 1]], [[1]] * len(line), given))
    cells, parts = np.arange(3 * len(line), dtype=np.int64), parts_of(board)
    assert split(board, parts, cells, 0, len(line), len(line)) == 1
    first, second = key_of(board, parts, cells, len(line), len(line) + line.count("?"), 1)
    return int(first), int(second)


@pytest.mark.parametrize("mirror", [1, -1])
def test_keys_have_all_that_matters_and_nothing_else(mirror: int) -> None:
    keys = [key_of_open_cells(line[::mirror]) for line in ("????..#..", "????....#", "????..#.#", "?????...#")]
    assert keys[0] == keys[1]  # two runs are in the open cells, wherever the third is
    assert len(set(keys)) == 3
    assert len({half for key in keys for half in key}) == 6


def line_cuts(puzzle: Nonogram) -> int:
    """How many cuts the first row has, found by words and by bytes."""
    board, size = board_of(puzzle), puzzle.width
    states, other, ways = (np.full(size + 2, -1, dtype=np.int64) for _ in range(3))
    last = int(board.first[1])
    args = (board.length, board.colour, 0, last)
    cuts = int(cuts_short(board.may, board.at[0], size, *args, board.ready, board.fit, states, 0))
    ahead, fits, back = (np.zeros((last + 1, size + 2), dtype=np.uint8) for _ in range(3))
    cuts_long(board.may, board.at[0], 1, 0, size, *args, 0, args[-1], ahead, fits, back, other, 0, ways)
    places = [p for p in range(size + 1) if cuts >> p & 1]
    assert places == np.flatnonzero(ways[: size + 1] == 1).tolist()
    assert places[0] == 0
    assert places[-1] == size
    assert states[places].tolist() == other[places].tolist()
    return len(places)


def test_cuts_of_short_lines_are_those_of_long_ones() -> None:
    rng, found = np.random.default_rng(5), []
    for _ in range(300):
        line = rng.integers(1, 3, 12) * (rng.random(12) < 0.6)
        made = Nonogram.from_picture(Picture(np.array([line]), palette_of(2)))
        given = tuple((0, int(c), int(line[c])) for c in rng.choice(12, int(rng.integers(0, 9)), replace=False))
        found.append(line_cuts(Nonogram(made.rows, made.columns, given, made.palette)))  # type: ignore[arg-type]
    assert min(found) == 2
    assert 13 in found


def test_numbers_entered_by_the_search_are_those_of_its_diagram() -> None:
    rng = np.random.default_rng(3)
    for _ in range(20):
        diagram, _ = counted(random_puzzle(rng))
        again = np.zeros_like(diagram.solutions)
        sums(diagram, again)
        used = int(diagram.top[NODE])
        assert again[:used].tolist() == diagram.solutions[:used].tolist()


def test_a_count_has_a_description() -> None:
    found = count(Nonogram.from_lengths([[1], [1]], [[1], [1]]))
    assert (found.verdict, found.solutions, found.at_least, found.exact) == (Verdict.SAT, 2, 2, True)
    assert found.record()["log10_solutions"] == pytest.approx(math.log10(2))
    none = count(Nonogram.from_lengths([[2], [2]], [[2], []]))
    assert (none.verdict, none.solutions, none.log10) == (Verdict.UNSAT, 0, None)
    odd = count(Nonogram.from_lengths([[1], [1]], [[2], [2]]))
    assert (odd.verdict, odd.solutions) == (Verdict.UNSAT, 0)
    assert odd.reason is not None


@pytest.mark.slow
def test_a_stopped_count_knows_something() -> None:
    puzzle = Nonogram.from_lengths([[1, 1]] * 26, [[1, 1]] * 26)
    found = count(puzzle, cpu_limit_s=2)
    assert (found.verdict, found.stopped, found.solutions) == (Verdict.SAT, Verdict.CPUOUT, None)
    assert found.at_least > 1
    assert found.estimate is not None
    assert found.estimate.method == "Bethe"
    assert found.record()["solutions"] is None


def test_a_count_without_memory_is_a_lower_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nonosat.counting.native.CounterPortfolio.__init__.__defaults__", (ORDERS, 1.0, True, False))
    found = count(Nonogram.from_lengths([[1]] * 20, [[1]] * 20))
    assert (found.verdict, found.stopped, found.solutions) == (Verdict.SAT, Verdict.MEMOUT, None)
    assert 1 < found.at_least < math.factorial(20)


def test_two_counters_that_disagree_are_wrong() -> None:
    right = count(Nonogram.from_lengths([[1], [1]], [[1], [1]]))
    wrong = compared(right, count(Nonogram.from_lengths([[1]] * 3, [[1]] * 3)))
    assert (wrong.verdict, wrong.solutions, wrong.checked) == (Verdict.WRONG, None, False)
    assert compared(right, right).checked


def test_what_nobody_can_count_is_refused() -> None:
    puzzle = Nonogram.from_lengths([[1]], [[1]])
    with pytest.raises(NonosatError, match="unknown counter 'ganac'"):
        count(puzzle, counter="ganac")
    with pytest.raises(NonosatError, match="counter components does not count the puzzle skyscrapers; ganak"):
        count(Skyscrapers.from_clues([0] * 8), counter="components")


@GANAK
def test_ganak_counts_as_many() -> None:
    rng = np.random.default_rng(4)
    for _ in range(40):
        puzzle = random_puzzle(rng)
        found = count(puzzle, check=True)
        assert found.checked or found.solutions == 0


@GANAK
def test_ganak_prints_nothing_itself(capfd: pytest.CaptureFixture[str]) -> None:
    """Of a formula without models it would, before the record of ``--format json``."""
    puzzle = Nonogram.from_lengths([[1, 1], [], [1, 1]], [[1], [2], [1]])
    assert count(puzzle, counter="ganak").solutions == 0
    assert capfd.readouterr().out == ""
    print("heard", flush=True)
    assert capfd.readouterr().out == "heard\n"


@GANAK
def test_skyscrapers_are_counted_by_ganak() -> None:
    assert count(Skyscrapers.from_clues([0] * 12)).solutions == 12  # Latin squares
    assert count(Skyscrapers.from_clues([0] * 16)).solutions == 576


@APPROXMC
def test_approximate_counts_are_marked() -> None:
    found = count(Nonogram.from_lengths([[1]] * 6, [[1]] * 6), approximate=True, counter="approxmc")
    assert found.solutions is None
    assert found.estimate is not None
    assert (found.estimate.epsilon, found.estimate.delta) == (0.8, 0.2)
    assert 720 / 1.8 <= 10**found.estimate.log10 <= 720 * 1.8


def test_the_estimate_is_exact_where_lines_have_no_circle() -> None:
    found = count(Nonogram.from_lengths([[1]], [[1], []]), counter="bethe")
    assert found.estimate is not None
    assert found.estimate.log10 == pytest.approx(0)
    assert (found.verdict, found.at_least) == (Verdict.UNKNOWN, 0)


@pytest.mark.parametrize("size", [2, 3, 6, 10])
def test_the_estimate_of_permutations_is_known(size: int) -> None:
    """Bethe's permanent of a matrix of ones (Vontobel 2013)."""
    found = count(Nonogram.from_lengths([[1]] * size, [[1]] * size), counter="bethe")
    right = size * (size - 1) * math.log10(size - 1) - size * (size - 2) * math.log10(size)
    assert found.estimate is not None
    assert found.estimate.log10 == pytest.approx(right)


def command(*arguments: str) -> subprocess.CompletedProcess[str]:
    return commands.run(*arguments)


def test_the_command(tmp_path: Path) -> None:
    path = tmp_path / "two.json"
    Path(path).write_text('{"rows": [[1], [1]], "columns": [[1], [1]]}')
    done = command("count", str(path))
    assert (done.returncode, done.stdout) == (10, "2\n")
    assert "components" in done.stderr
    record = json.loads(command("count", str(path), "--format", "json").stdout)
    assert (record["solutions"], record["counter"]) == (2, "components")
    path.write_text('{"rows": [[1], [1]], "columns": [[2], [2]]}')
    assert command("count", str(path)).returncode == 20
    assert command("count", str(tmp_path / "none.json")).returncode == 2
    assert command("count", str(path), "--counter", "x").returncode == 2


def raw_models(name: str, puzzle: Nonogram | Skyscrapers) -> int:
    """The models of a formula with all its auxiliaries."""
    import pyganak

    cnf = encoding(name).formula(puzzle).cnf
    counter = pyganak.Counter()
    counter.new_vars(cnf.variables)
    counter.add_clauses(list(cnf))
    return 0 if cnf.has_empty_clause else int(counter.count())


@GANAK
@pytest.mark.parametrize("name", spread(ENCODINGS, 4))
def test_a_formula_has_as_many_models_as_the_puzzle_has_pictures(name: str) -> None:
    """With the auxiliaries or without: they are functions of the picture."""
    rng = np.random.default_rng(9)
    anything = [random_puzzle(rng) for _ in range(6)]
    for puzzle, right in [*((puzzle, pictures(puzzle)) for puzzle in anything), *ambiguous(12, 9)]:
        assert models(encoding(name).formula(puzzle)) == len(right)
        assert raw_models(name, puzzle) == len(right)


@pytest.mark.slow
@GANAK
@pytest.mark.parametrize("name", spread(SKYSCRAPERS, 4))
def test_a_formula_of_skyscrapers_has_as_many_models(name: str) -> None:
    for clues in ([0] * 12, [3, *[0] * 11], [0, 2, 0, 0, 2, 0, 0, 0, 0, 0, 2, 0]):
        puzzle = Skyscrapers.from_clues(clues)
        right = len(brute.solutions(puzzle))
        assert models(encoding(name).formula(puzzle)) == right
        assert raw_models(name, puzzle) == right


@pytest.mark.parametrize("counted", [0, 1])
def test_a_count_below_the_solutions_that_come_with_the_puzzle_is_wrong(
    counted: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    puzzle = Nonogram.from_lengths([[1], [1]], [[1], [1]])
    one, other = pictures(puzzle)
    events = [CountBounds(solutions=counted), Finished(True, Statistics())]
    for door in (count, sample):
        monkeypatch.setattr(sys.modules[door.__module__], "run", lambda *_: iter(events))
    for told in (replace(puzzle, goal=one, solutions=(other,)), replace(puzzle, solutions=(one, other))):
        for found in (count(told), sample(told, 1)):
            assert (found.verdict, found.solutions, found.at_least) == (Verdict.WRONG, None, 0)
            few = f"{counted} solutions are counted, and 2 come with the puzzle"
            assert found.reason == few
    assert count(puzzle).solutions == counted


def test_a_backbone_that_a_known_solution_breaks_is_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    puzzle = Nonogram.from_lengths([[1], [1]], [[1], [1]])
    one, other = pictures(puzzle)
    possible = np.zeros((2, 2, 2), dtype=np.int8)
    np.put_along_axis(possible, one.cells[:, :, np.newaxis].astype(np.int64), 1, axis=2)
    events = [CountBounds(at_least=1, possible=possible), Finished(True, Statistics())]
    monkeypatch.setattr(sys.modules[backbone.__module__], "run", lambda *_: iter(events))
    assert backbone(replace(puzzle, goal=one)).verdict is Verdict.SAT
    found = backbone(replace(puzzle, solutions=(other,)))
    assert (found.verdict, found.cells) == (Verdict.WRONG, None)
    assert "has another value in a cell" in str(found.reason)
