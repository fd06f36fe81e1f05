"""Explanations of nonograms: techniques beside brute force, every step checked, whole explanations replayed."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import brute
import numpy as np
import pytest
from replays import replayed, stated
from sampling import spread

from nonosat import plugins
from nonosat.errors import PuzzleError
from nonosat.explanations.explain import explain, fault
from nonosat.explanations.nonogram.check import fillable, follows
from nonosat.explanations.nonogram.explainer import narrowed, wrong_cells
from nonosat.explanations.nonogram.line import OPEN, ClueLine, LineFinding, names
from nonosat.explanations.smallest import Budget, minimal, minimum
from nonosat.explanations.steps import ERROR, ConstraintRef, Fact
from nonosat.explanations.techniques import TECHNIQUES, Technique, ordered
from nonosat.generators.density import random_density
from nonosat.puzzles.formats import load
from nonosat.puzzles.nonogram import Nonogram, Run
from nonosat.puzzles.nonogram.placements import LinePlacements
from nonosat.puzzles.nonogram.puzzle import palette_of
from nonosat.solvers.propagation.difficulty import line_solvable

REAL = Path(__file__).parents[2].parent / "shared" / "puzzles" / "real"
FINDERS = [technique for technique in ordered("nonogram") if technique.find is not None]


def lines(seed: int, count: int) -> Iterator[tuple[ClueLine, list[tuple[int, ...]]]]:
    """Random lines, half known, with all their fillings: one at least."""
    rnd = random.Random(seed)
    for _ in range(count):
        colours, size = rnd.choice([1, 1, 2, 3]), rnd.randint(1, 7)
        filled = tuple(rnd.randint(0, colours) if rnd.random() < 0.7 else 0 for _ in range(size))
        clue = brute.clue_of(filled)
        known = rnd.random()
        cells = tuple(value if rnd.random() < known else OPEN for value in filled)
        line = ClueLine(tuple(Run(*run) for run in clue), cells, palette=palette_of(colours))
        every = brute.placements(size, colours)[line.clue]
        yield line, [each for each in every if all(c in (OPEN, v) for c, v in zip(cells, each, strict=True))]


def test_placements_are_those_of_brute_force() -> None:
    for line, fillings in lines(1, 1500):
        found = line.placements
        assert found.count == len(fillings)
        assert sorted(found.some(10_000)) == sorted(fillings)
        for value, cells in enumerate(found.possible):
            assert cells == sum(1 << c for c in range(line.size) if any(each[c] == value for each in fillings))
        for k, starts in enumerate(found.starts):
            begins = {nth_run(each, k) for each in fillings}
            assert starts == sum(1 << begin for begin in begins)


def nth_run(cells: tuple[int, ...], k: int) -> int:
    begins = [i for i, value in enumerate(cells) if value and (i == 0 or cells[i - 1] != value)]
    return begins[k]


def test_lines_without_a_filling() -> None:
    line = ClueLine.drawn([2, 1], "#..????")
    assert line.placements.none
    assert line.placements.count == 0
    assert list(line.placements.some(5)) == []
    assert not any(line.placements.possible)
    assert fillable(line.clue, [{0, 1} if v == OPEN else {v} for v in line.cells]) is None


def test_the_checker_of_lines_is_brute_force() -> None:
    for line, fillings in lines(2, 800):
        every = set(range(len(line.palette) + 1))
        options = fillable(line.clue, [every if value == OPEN else {value} for value in line.cells])
        assert options == [{each[c] for each in fillings} for c in range(line.size)]


@pytest.mark.parametrize("technique", spread(FINDERS, 4), ids=lambda technique: technique.name)
def test_every_technique_is_sound(technique: Technique) -> None:
    seen = 0
    assert technique.find is not None
    for line, fillings in lines(3, 1500):
        for found in technique.find(line):
            for cell, value in found.fixes.items():
                assert {each[cell] for each in fillings} == {value}, (line, found)
            if line.open(found.fixes):
                seen += 1
                cells, smaller = narrowed(technique.find, line, found)
                small = line.only(cells)
                assert all(smaller.fixes[cell] == found.fixes[cell] for cell in line.open(found.fixes))
                fixed = {(0, cell): {found.fixes[cell]} for cell in line.open(found.fixes)}
                puzzle = Nonogram((line.clue,), ((),) * line.size, (), line.palette)
                assert stated(puzzle, f"Row 1: {line.says(found)}.") == fixed
                assert list(technique.find(small))
    assert seen > 5


ROOM = re.compile(r": the (.*?)\d+ fits in (?:columns?|rows?) (\d+)(?: (?:to|and) (\d+))? only")


@pytest.mark.slow
def test_a_run_is_said_to_fit_where_it_does_on_the_board_as_it_is() -> None:
    """At both ends of the room the run's colour is possible as far as cells are known."""
    seen = 0
    for seed in range(60):
        puzzle = random_density(6 + seed % 9, 5 + seed % 8, [0.6, [0.4, 0.25], [0.3, 0.2, 0.2]][seed % 3], seed)
        board = np.full(puzzle.shape, OPEN)
        for step in explain(puzzle):
            if (found := ROOM.search(step.sentence)) is not None:
                [line] = step.constraints
                cells = board[line.place] if line.family == "row" else board[:, line.place]
                first, last = int(found[2]) - 1, int(found[3] or found[2]) - 1
                words = found[1].strip()
                wanted = next((v for v, name in enumerate(names(puzzle.palette)) if v and words.endswith(name)), 1)
                assert {int(cells[first]), int(cells[last])} <= {OPEN, wanted}, (seed, step.sentence, cells)
                seen += 1
            for fact in step.fixes:
                [board[fact.row, fact.column]] = fact.values
    assert seen > 100


def test_the_last_technique_of_a_line_finds_all_that_it_implies() -> None:
    [last] = [technique for technique in FINDERS if technique.name == "any-placement"]
    assert last is FINDERS[-1]
    assert last.find is not None
    for line, fillings in lines(4, 800):
        shared = {c: each for c in line.open(range(line.size)) for each in [{f[c] for f in fillings}] if len(each) == 1}
        found = {c: {v} for one in last.find(line) for c, v in one.fixes.items()}
        assert found == shared


@pytest.mark.slow
def test_what_lines_solve_is_explained_by_lines() -> None:
    done = 0
    for seed in range(60):
        puzzle = random_density(4 + seed % 9, 5 + seed % 7, [0.6, [0.4, 0.25], [0.3, 0.2, 0.2]][seed % 3], seed)
        if line_solvable(puzzle):
            replayed(puzzle)
            done += 1
    assert done >= 20


@pytest.mark.skipif(not REAL.is_dir(), reason="no puzzles beside the project")
@pytest.mark.parametrize("name", ["gecode-heart", "gramcracker-house", "gnonograms-spade"])
def test_published_puzzles(name: str) -> None:
    puzzle = load(str(REAL / f"{name}.mk"))
    assert isinstance(puzzle, Nonogram)
    steps = replayed(puzzle)
    assert sum(len(step.fixes) for step in steps) == puzzle.height * puzzle.width


def test_a_position_half_played() -> None:
    puzzle = random_density(10, 10, 0.6, 4)
    assert puzzle.goal is not None
    full = puzzle.goal.cells.astype(int)
    half = np.where(np.arange(100).reshape(10, 10) % 2, full, -1)
    assert replayed(puzzle, half)
    assert list(explain(puzzle, full)) == []


def test_a_wrong_position_is_explained_by_few_cells() -> None:
    puzzle = Nonogram.from_lengths([[2, 1], [1], [1]], [[1], [2], [], [], [1], [1]])
    board = np.full((3, 6), -1)
    board[0] = [-1, -1, 1, 1, -1, 1]  # these are the runs of row 1, but no column has them
    board[0, 0] = 1
    [step] = replayed(puzzle, board)
    assert (step.technique, step.constraints, step.fixes) == (ERROR, (ConstraintRef("column", 2),), ())
    assert [fact[:2] for fact in step.known] == [(0, 2)]
    assert step.sentence == "Column 3: row 1 is filled, and its clue is 0: that is wrong."


def test_the_cells_of_an_error_are_fewest() -> None:
    rnd = random.Random(5)
    for _ in range(150):
        size = rnd.randint(3, 7)
        clue = rnd.choice(list(brute.placements(size, 1)))
        line = ClueLine(tuple(Run(*run) for run in clue), tuple(rnd.choice([OPEN, 0, 1]) for _ in range(size)))
        if not line.placements.none:
            continue
        cells, bounded = wrong_cells(line)
        assert not bounded
        assert line.only(cells).placements.none
        known = [cell for cell, value in enumerate(line.cells) if value != OPEN]
        for number in range(2 ** len(known)):
            some = [cell for i, cell in enumerate(known) if number >> i & 1]
            assert len(some) >= len(cells) or not line.only(some).placements.none


def test_smallest_sets() -> None:
    rnd = random.Random(6)
    for _ in range(60):
        cuts = [set(rnd.sample(range(8), rnd.randint(1, 4))) for _ in range(rnd.randint(1, 6))]

        def holds(kept: list[int], cuts: list[set[int]] = cuts) -> bool:
            return all(cut & set(kept) for cut in cuts)

        few = minimal(range(8), holds)
        assert holds(few)
        assert not any(holds([each for each in few if each != one]) for one in few)
        least = min(bin(n).count("1") for n in range(256) if holds([i for i in range(8) if n >> i & 1]))
        found = minimum(range(8), holds, 8, Budget(10_000))
        assert found is not None
        assert holds(found)
        assert len(found) == least
        assert minimum(range(8), holds, least - 1, Budget(10_000)) is None
        spent = Budget(1)
        assert minimum(range(8), holds, 8, spent) is None
        assert spent.spent


def test_the_checker_of_several_lines_is_brute_force() -> None:
    """Of all lines together, by every picture; of some of them, by every picture of the puzzle without the others."""
    rng, said = np.random.default_rng(8), set()
    for _ in range(80):
        puzzle = brute.random_puzzle(rng, most=4)
        pictures = [picture.cells for picture in brute.pictures(replace(puzzle, given=()))]
        lines = (
            *(ConstraintRef("row", i) for i in range(puzzle.height)),
            *(ConstraintRef("column", i) for i in range(puzzle.width)),
        )
        known = tuple(Fact(row, column, (value,)) for row, column, value in puzzle.given)
        agree = [cells for cells in pictures if all(cells[f.row, f.column] in f.values for f in known)]
        assert follows(puzzle, lines, known, ()) == (not agree)
        for row in range(puzzle.height):
            for column in range(puzzle.width):
                for value in range(puzzle.colours + 1):
                    true = all(cells[row, column] == value for cells in agree)
                    assert follows(puzzle, lines, known, (Fact(row, column, (value,)),)) == true
                    said.add((bool(agree), true))
    assert said == {(True, True), (True, False), (False, True)}


def test_the_checker_refuses_what_does_not_follow() -> None:
    puzzle = random_density(10, 10, 0.6, 4)
    refused = 0
    for step in explain(puzzle):
        assert fault(puzzle, step) is None
        wrong = tuple(fact._replace(values=(1 - fact.values[0],)) for fact in step.fixes)
        assert fault(puzzle, replace(step, fixes=wrong))
        assert fault(puzzle, replace(step, constraints=()))
        if step.known and step.technique != "any-placement":  # of that, what rules out a placement is used
            refused += 1
            assert any(fault(puzzle, replace(step, known=tuple({*step.known} - {fact}))) for fact in step.known)
        extra = replace(step.inferences[0], uses=(*step.known, Fact(0, 0, (0,)), Fact(0, 0, (1,))))
        assert fault(puzzle, replace(step, inferences=(extra,)))
    assert refused > 10


@pytest.mark.parametrize(
    ("board", "reason"),
    [
        (np.zeros((2, 2)), "the board is 2 x 2"),
        (np.full((10, 10), 3), "given value 3"),
        (np.full((10, 10), -2), "given value -2"),
        (np.zeros(5), "the board is 5 "),
    ],
)
def test_boards_that_are_none(board: object, reason: str) -> None:
    with pytest.raises(PuzzleError, match=reason):
        explain(random_density(10, 10, 0.6, 4), board)  # type: ignore[arg-type]


def corner(line: ClueLine) -> Iterator[LineFinding]:
    """The first cell of a full line."""
    if line.clue and line.clue[0].length == line.size:
        yield LineFinding({0: line.clue[0].colour}, "that fills the line")


def test_a_technique_from_outside_stands_at_its_level() -> None:
    puzzle = Nonogram.from_lengths([[3]], [[1], [1], [1]])
    assert next(explain(puzzle)).technique == "overlap"
    own = Technique(name="corner", level=5, meaning="the first cell of a full line", kind="nonogram", find=corner)
    with plugins.registered(own):
        assert ordered("nonogram")[0] is own
        step = next(explain(puzzle))
        assert (step.technique, step.fixes) == ("corner", (Fact(0, 0, (1,)),))
        assert step.sentence == "Row 1: that fills the line, so column 1 is filled."
        assert fault(puzzle, step) is None
    assert "corner" not in TECHNIQUES


def test_a_line_of_two_hundred_cells() -> None:
    runs = tuple(Run(3) for _ in range(40))
    found = LinePlacements(runs, 200, ((1 << 200) - 1,) * 2)
    assert found.count > 10**20
    assert len(list(found.some(3))) == 3
