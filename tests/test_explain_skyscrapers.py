"""Skyscrapers explained: techniques beside brute force, every step checked, replayed, few constraints."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations, permutations

import numpy as np
import pytest
from replays import left_by, replayed, stated
from sampling import spread

from nonosat import plugins
from nonosat.explanations.explain import explain, fault
from nonosat.explanations.skyscrapers import search
from nonosat.explanations.skyscrapers.chains import CandidateChain, Narrowing, agrees
from nonosat.explanations.skyscrapers.check import fillable
from nonosat.explanations.skyscrapers.line import (
    CandidateFinding,
    TowerLine,
    _after,
    heights_of,
    mask_of,
    orders,
    places_in_orders,
)
from nonosat.explanations.skyscrapers.rules import Finder, LineRules, news
from nonosat.explanations.skyscrapers.sentences import format_line_step
from nonosat.explanations.steps import ERROR, GUESS, ConstraintRef, Fact, Step
from nonosat.explanations.techniques import Technique, ordered
from nonosat.generators.skyscrapers import Level
from nonosat.generators.skyscrapers_made import made
from nonosat.puzzles.skyscrapers import Skyscrapers, visible

FINDERS = [technique for technique in ordered("skyscrapers") if technique.find is not None]


def lines(seed: int, count: int) -> Iterator[tuple[TowerLine, list[tuple[int, ...]]]]:
    """Random lines, half known, with all their orders: one at least."""
    rnd = random.Random(seed)
    for _ in range(count):
        size = rnd.randint(2, 6)
        order = rnd.sample(range(1, size + 1), size)
        known, wide = rnd.random() * 0.7, rnd.choice([0.3, 0.6, 1.0])
        heights = tuple(height if rnd.random() < known else 0 for height in order)
        cells = (sum(1 << h - 1 for h in range(1, size + 1) if h == own or rnd.random() < wide) for own in order)
        front, back = (visible(line) if rnd.random() < 0.6 else 0 for line in (order, order[::-1]))
        line = TowerLine.of(heights, cells, front, back)
        agree = [
            each
            for each in permutations(range(1, size + 1))
            if all(mask >> h - 1 & 1 for mask, h in zip(line.cells, each, strict=True))
            and front in (0, visible(each))
            and back in (0, visible(each[::-1]))
        ]
        yield line, agree


def test_orders_are_those_of_brute_force() -> None:
    for line, agree in lines(1, 400):
        found = orders(line.cells, line.front, line.back)
        assert (found.number, found.complete) == (len(agree), True)
        assert [set(heights_of(mask)) for mask in found.possible] == [set(some) for some in zip(*agree, strict=True)]
        assert sorted(found.some(1_000, places_in_orders(line.cells), line.front, line.back)) == agree


@pytest.mark.parametrize("clue", [1, 2, 3, 4, 5])
def test_from_behind_as_much_is_left_out_as_from_the_front(clue: int) -> None:
    def reached(front: int, back: int) -> list[int]:
        states, sizes = {(0, 0, 0)}, []
        for _ in range(5):
            states = {after for state in states for _, after in _after(state, 0b11111, 5, front, back)}
            sizes.append(len(states))
        return sizes

    assert reached(clue, 0) == reached(0, clue)


def test_the_checker_of_lines_is_brute_force() -> None:
    for line, agree in lines(2, 400):
        options = fillable(tuple(frozenset(heights_of(mask)) for mask in line.cells), line.front, line.back)
        assert options == [set(some) for some in zip(*agree, strict=True)]
    assert fillable((frozenset({1, 2}),) * 2, 2, 2) is None


@pytest.mark.parametrize("technique", spread(FINDERS, 2), ids=lambda technique: technique.name)
def test_every_technique_is_sound(technique: Technique) -> None:
    assert technique.find is not None
    seen = 0
    for line, agree in lines(3, 1500):
        for found in technique.find(line):
            assert found.leaves
            for cell, mask in found.leaves.items():
                assert {each[cell] for each in agree} <= set(heights_of(mask)), (line, found)
            if gives := [Fact(0, *one) for one in news(line, found)]:
                seen += 1
                puzzle = Skyscrapers.from_clues([0] * 4 * line.size)
                assert stated(puzzle, format_line_step(line, True, (), gives, found)) == left_by(gives)
            assert all(way in agree for way in found.ways)
    assert seen > 5


def test_any_order_finds_all_that_a_line_implies() -> None:
    assert FINDERS[-1].name == "any-order"
    find = FINDERS[-1].find
    assert find is not None
    for line, agree in lines(4, 400):
        [found] = find(line)
        assert [set(heights_of(mask)) for mask in found.leaves.values()] == [set(s) for s in zip(*agree, strict=True)]


def reaches(puzzle: Skyscrapers, step: Step, constraints: set[ConstraintRef], known: set[Fact]) -> bool:
    """Do techniques up to the step's come to it by these alone?"""
    finder = Finder()
    most = [technique.name for technique, _ in finder.techniques].index(step.technique)
    chain = CandidateChain(finder, LineRules(puzzle, constraints), sorted(known), most, step.fixes)
    return chain.reach(step.fixes) is not None


def sees(puzzle: Skyscrapers, step: Step, constraints: set[ConstraintRef], known: set[Fact]) -> bool:
    """Does the technique of a step of one inference see it at once by these alone?"""
    rules = LineRules(puzzle, constraints)
    find = next(find for technique, find in Finder().techniques if technique.name == step.technique)
    narrowing = Narrowing(rules, rules.number(step.inferences[0].constraints[0]), sorted(known), len(known))
    return bool(step.fixes) and any(
        agrees(found, {narrowing._cell(fact): mask_of(fact.values) for fact in step.fixes})
        for found in find(narrowing.line(narrowing.elements))
    )


def check_needed(puzzle: Skyscrapers, step: Step) -> None:
    """None of its constraints and known cells can be left out.

    A step of one inference is told at once; that several inferences could come to it by fewer cells is no fault of it.
    """
    if any(inference.branches for inference in step.inferences) or not step.fixes:
        return
    constraints, known = set(step.constraints), set(step.known)
    assert reaches(puzzle, step, constraints, known)
    for one in constraints:
        assert not reaches(puzzle, step, constraints - {one}, known), (step, one)
    by = sees if len(step.inferences) == 1 else reaches
    assert by(puzzle, step, constraints, known)
    for fact in known:
        assert not by(puzzle, step, constraints, known - {fact}), (step, fact)


@pytest.mark.slow
def test_puzzles_of_all_levels_are_explained_by_steps_that_need_what_they_name() -> None:
    names = set()
    for size, difficulty in [(4, "easy"), (4, "hard"), (5, "normal"), (5, "hard"), (6, "normal")]:
        for seed in range(3):
            puzzle = made(Level(size, difficulty), seed)
            for step in replayed(puzzle):
                names.add(step.technique)
                check_needed(puzzle, step)
    assert {"clue-one", "hidden-single", "last-cell", "clue-cut", "before-highest", "few-orders"} <= names
    assert "contradiction" in names
    assert GUESS not in names


@pytest.mark.slow
@pytest.mark.parametrize("share", [6, pytest.param(1, marks=pytest.mark.nightly)])
@pytest.mark.parametrize("size", [4, 5, 6, 7, 9])
def test_many_puzzles_are_explained(size: int, share: int) -> None:
    for seed in range({4: 150, 5: 100, 6: 50, 7: 20, 9: 3}[size] // share):
        puzzle = made(Level(size, ("easy", "normal", "hard")[seed % 3]), 1000 + seed)
        steps = replayed(puzzle)
        assert {GUESS, "constraints"}.isdisjoint(step.technique for step in steps)
        for step in steps if size < 7 else []:
            check_needed(puzzle, step)


def test_the_next_step_is_that_of_the_position() -> None:
    puzzle = made(Level(5, "hard"), 2)
    rows = np.full(puzzle.shape, -1)
    for row, column, value in puzzle.given:
        rows[row, column] = value
    for step in explain(puzzle):
        assert next(explain(puzzle, rows)) == step
        for row, column, (value,) in step.fixes:
            rows[row, column] = value


def refuted(puzzle: Skyscrapers, known: list[Fact], constraints: tuple[ConstraintRef, ...], assumed: Fact) -> bool:
    """By these constraints alone, lines settled one after the other, in plain Python."""
    size = puzzle.size
    left = {(r, c): frozenset(range(1, size + 1)) for r in range(size) for c in range(size)}
    left |= {fact[:2]: frozenset(fact.values) for fact in (*known, assumed)}
    rules, before = LineRules(puzzle, constraints), None
    while before != left:
        before = dict(left)
        for number in range(2 * size):
            if rules.differ[number]:
                cells = [rules.place(number, cell) for cell in range(size)]
                options = fillable(tuple(left[cell] for cell in cells), *rules.clues[number])
                if options is None:
                    return True
                left.update(zip(cells, options, strict=True))
    return False


def check_fewest(puzzle: Skyscrapers) -> int:
    """Exhaustive search for fewer constraints, of the first contradiction in each step that takes one."""
    known = [Fact(*cell[:2], (cell.value,)) for cell in puzzle.given]
    every = [ConstraintRef(family, i) for family in ("row", "column") for i in range(puzzle.size)]
    every += [ConstraintRef(view.edge, view.place) for view in puzzle.views() if view.clue]
    done = 0
    for step in explain(puzzle):
        first = next((one for one in step.inferences if one.branches), None)
        if first is not None and not step.bounded and all(fact.known for fact in first.uses):
            assumed = first.branches[0].assumed
            assert refuted(puzzle, known, first.constraints, assumed)
            for one in first.constraints:
                assert not refuted(puzzle, known, tuple({*first.constraints} - {one}), assumed)
            for count in range(1, len(first.constraints)):
                for some in combinations(every, count):
                    assert not refuted(puzzle, known, some, assumed), (step, some)
            done += 1
        known += step.fixes
    return done


@pytest.mark.slow
def test_the_constraints_of_a_contradiction_are_the_fewest() -> None:
    assert sum(check_fewest(puzzle) for puzzle in stuck_boards(40)) >= 2


def stuck_boards(count: int) -> Iterator[Skyscrapers]:
    """Boards of 4x4 with few clues and heights."""
    rnd = random.Random(9)
    for seed in range(count):
        goal = made(Level(4, "easy"), seed).goal
        assert goal is not None
        full = Skyscrapers.from_heights(goal)
        clues = [clue if rnd.random() < 0.4 else 0 for clue in full.clues]
        given = [(r, c, int(goal.cells[r, c])) for r in range(4) for c in range(4) if rnd.random() < 0.2]
        puzzle = Skyscrapers.from_clues(clues, given)
        if any(step.technique == "contradiction" for step in explain(puzzle)):
            yield puzzle


def test_a_wrong_position_is_explained_by_few_cells() -> None:
    puzzle = made(Level(5, "easy"), 1)
    assert puzzle.goal is not None
    right = puzzle.goal.cells.astype(int)
    rnd, told = random.Random(5), set()
    for _ in range(30):
        rows = np.where(np.array([[rnd.random() < 0.5 for _ in range(5)] for _ in range(5)]), right, -1)
        rows[rnd.randrange(5), rnd.randrange(5)] = rnd.randint(1, 5)
        for row, column, value in puzzle.given:
            rows[row, column] = value
        if ((rows == -1) | (rows == right)).all():
            continue
        last = replayed(puzzle, rows)[-1]
        assert (last.technique, last.fixes) == (ERROR, ())
        told.add((len(last.known), len(last.constraints)))
    assert len(told) > 2
    [step] = explain(Skyscrapers((0, 0, 0), (0, 0, 0), (3, 0, 0), (0, 0, 0)), [[3, -1, -1]] + [[-1] * 3] * 2)
    assert step.sentence == "Row 1: column 1 is 3 and 3 towers are seen from the left: these cannot both be right."
    twice = [[1, -1, 1], [-1, -1, 2], [-1, -1, -1]]
    [step] = explain(Skyscrapers.from_clues([0] * 12), twice)
    assert (step.constraints, [fact[:2] for fact in step.known]) == ((ConstraintRef("row", 0),), [(0, 0), (0, 2)])
    assert step.sentence == "Row 1: columns 1 and 3 are 1: these cannot both be right."


def test_guesses_and_puzzles_without_a_solution() -> None:
    open_board = Skyscrapers.from_clues([0] * 12)
    steps = replayed(open_board)
    assert steps[0].technique == GUESS
    both = Skyscrapers((0, 0, 0), (0, 0, 0), (3, 0, 0), (2, 0, 0))
    [step] = explain(both)
    assert step.technique == ERROR
    assert step.sentence == (
        "Row 1: 3 towers are seen from the left and 2 towers are seen from the right: these cannot both be right."
    )
    thrice = Skyscrapers((1, 1, 0), (0, 0, 0), (0, 0, 0), (0, 0, 0))
    steps = list(explain(thrice))
    assert [each.technique for each in steps] == ["clue-one", "clue-one", ERROR]
    assert fault(thrice, steps[-1]) is None


@pytest.mark.slow
def test_where_nothing_else_sees_anything(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "LARGEST", 0)
    puzzle = made(Level(5, "hard"), 2)
    names = [step.technique for step in replayed(puzzle)]
    assert "constraints" in names
    assert "contradiction" not in names


def test_the_checker_refuses_what_does_not_follow() -> None:
    puzzle, seen = made(Level(5, "hard"), 2), set()
    for step in explain(puzzle):
        [fact, *_] = step.fixes
        wrong = fact._replace(values=(fact.values[0] % 5 + 1,))
        assert fault(puzzle, replace(step, fixes=(wrong,)))
        assert fault(puzzle, replace(step, constraints=()))
        if step.known:
            assert fault(puzzle, replace(step, known=step.known[1:]))
        last = step.inferences[-1]
        assert fault(puzzle, replace(step, inferences=(*step.inferences[:-1], replace(last, gives=(wrong,)))))
        if (branching := next((one for one in step.inferences if one.branches), None)) is not None:
            [branch] = branching.branches
            for broken in (
                replace(branching, branches=(replace(branch, inferences=branch.inferences[:-1]),)),
                replace(
                    branching,
                    branches=(replace(branch, assumed=branch.assumed._replace(row=(branch.assumed.row + 1) % 5)),),
                ),
                replace(branching, constraints=branching.constraints[:-1]),
            ):
                changed = tuple(broken if one is branching else one for one in step.inferences)
                assert fault(puzzle, replace(step, inferences=changed)), broken
            seen.add("branch")
        if step.placements:
            assert fault(puzzle, replace(step, placements=((1, 2, 3, 4, 4),)))
            seen.add("orders")
    assert seen == {"branch", "orders"}


def test_json_of_a_step() -> None:
    puzzle = made(Level(4, "hard"), 7)
    steps = list(explain(puzzle))
    first = steps[0].record()
    assert first["candidates"][0] == {"row": 3, "column": 0, "values": (1, 2)}
    keys = [
        "technique",
        "constraints",
        "known",
        "settles",
        "sentence",
        "details",
        "bounded",
        "placements",
        "candidates",
    ]
    assert list(first) == keys
    told = {tuple(each["settles"][0].values()) for each in map(Step.record, steps)}
    assert len(told) == len(steps)


def corner(line: TowerLine) -> Iterator[CandidateFinding]:
    """The first cell of the first row is 2."""
    if line.axis == "row" and line.index == 0 and line.front == 2 and line.size == 3:
        yield CandidateFinding({0: 0b10}, "that is how it is")


def test_a_technique_from_outside_stands_at_its_level() -> None:
    puzzle = Skyscrapers((0, 0, 0), (0, 0, 0), (2, 0, 0), (2, 0, 0), ((0, 1, 3), (1, 0, 1)))
    own = Technique(name="corner", level=5, meaning="the first cell", kind="skyscrapers", find=corner)
    assert "corner" not in {step.technique for step in explain(puzzle)}
    with plugins.registered(own):
        step = next(explain(puzzle))
        assert (step.technique, step.fixes) == ("corner", (Fact(0, 0, (2,)),))
        assert step.sentence == "Row 1: that is how it is, so column 1 is 2."


@pytest.mark.slow
def test_a_large_board() -> None:
    puzzle = made(Level(12, "easy"), 1)
    rows = np.full(puzzle.shape, -1)
    for _, step in zip(range(12), explain(puzzle), strict=False):
        assert fault(puzzle, step) is None
        for row, column, (value,) in step.fixes:
            rows[row, column] = value
    assert puzzle.goal is not None
    assert ((rows == -1) | (rows == puzzle.goal.cells)).all()
