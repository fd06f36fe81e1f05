"""One battery over every sound encoding: all models are all solutions."""

from __future__ import annotations

import numpy as np
import pytest
from brute import pictures, placements, random_puzzle

from nonosat.csp.model import Precedes
from nonosat.encodings.nonogram import domains
from nonosat.encodings.nonogram.runs import Runs
from nonosat.encodings.registry import ENCODINGS, PARTS, encoding
from nonosat.errors import UnknownNameError, UnsupportedError
from nonosat.generators.density import random_density
from nonosat.puzzles.nonogram import Nonogram, Run
from nonosat.puzzles.palette import palette_of
from nonosat.puzzles.picture import Picture
from nonosat.solvers.answer import Verdict
from nonosat.solvers.solve import solve


@pytest.mark.parametrize("name", ENCODINGS)
def test_all_models_are_all_solutions(name: str) -> None:
    rng = np.random.default_rng(11)
    verdicts = {Verdict.SAT: 0, Verdict.UNSAT: 0}
    for _ in range(1500):
        puzzle = random_puzzle(rng)
        expected = pictures(puzzle)
        answer = solve(puzzle, encoding=name, count=None)
        assert set(answer.pictures) == expected, puzzle
        assert len(answer.pictures) == len(expected)
        assert answer.exhausted
        assert answer.unique == (len(expected) == 1)
        verdicts[answer.verdict] += 1
    assert min(verdicts.values()) > 150


def test_tight_starts_are_the_first_and_last_that_placements_have() -> None:
    for colours, length in ((1, 7), (2, 5)):
        for clue, lines in placements(length, colours).items():
            if not clue:
                continue
            row = tuple(Run(*run) for run in clue)
            columns = tuple((Run(1, value),) if value else () for value in lines[0])
            runs = Runs.of(Nonogram((row,), columns, palette=palette_of(colours)))
            lower, upper = (bounds[: len(row)].tolist() for bounds in domains.tight(runs))
            begins = [_starts(line) for line in lines]
            assert lower == [min(starts) for starts in zip(*begins, strict=True)]
            assert upper == [max(starts) for starts in zip(*begins, strict=True)]


def _starts(line: tuple[int, ...]) -> list[int]:
    return [j for j, value in enumerate(line) if value and (j == 0 or line[j - 1] != value)]


def test_numbering_is_by_meaning() -> None:
    puzzle = Nonogram.from_lengths([[1], [1]], [[1], [1]])
    csp = encoding("plain+r3+order").csp(puzzle)
    assert csp.names() == ["x_0_0", "x_0_1", "x_1_0", "x_1_1", "h_0_0", "h_1_0", "v_0_0", "v_1_0"]
    formula = encoding("plain+r3+order").formula(puzzle)
    assert formula.map.lines(csp.names())[:2] == ["order x_0_0 1 0 1", "order x_0_1 2 0 1"]
    # As many as Sugar 2.3.3 makes of it: 8 variables, 16 clauses.
    assert (formula.cnf.variables, formula.cnf.clauses) == (8, 16)


def test_the_same_puzzle_gives_the_same_formula() -> None:
    one, two = (encoding("tight+r3+order").formula(random_density(15, 15, 0.5, seed=3)).cnf for _ in range(2))
    assert np.array_equal(one.literals, two.literals)
    assert np.array_equal(one.ends, two.ends)


def test_clause_and_variable_counts_are_as_stated() -> None:
    """Per run of slack d = upper - lower: d variables, d - 1 axioms; the rules by their own formulas."""
    for seed in range(20):
        puzzle = random_density(12, 9, 0.5, seed=seed)
        for name in ("tight+r3+order", "plain+r3+order"):
            csp = encoding(name).csp(puzzle)
            formula = encoding(name).formula(puzzle)
            slack = (csp.upper - csp.lower).astype(int)
            assert formula.cnf.variables == slack.sum()
            widths = formula.cnf.widths()
            assert widths.min() >= 1
            assert widths.max() <= 3
            assert int(np.abs(formula.cnf.literals).max()) <= formula.cnf.variables
            order = next(c for c in csp.constraints if isinstance(c, Precedes))
            assert len(order.before) == sum(max(len(clue) - 1, 0) for _, _, clue in puzzle.lines())


def test_names_are_written_and_read_back() -> None:
    for name in ENCODINGS:
        assert encoding(name).name == name
        assert encoding(encoding(name).rules).name == name
    assert encoding("tight+r3+gaps").name == "tight+r3+order"


def test_wrong_names_list_the_right_ones() -> None:
    with pytest.raises(UnknownNameError, match="unknown encoding part 'nope'; known: plain, tight, r3"):
        encoding("nope")
    with pytest.raises(UnsupportedError, match="needs a ordering: r3"):
        encoding("tight+order")
    with pytest.raises(UnsupportedError, match="needs one domain: plain, tight"):
        encoding("tight+plain+r3")


def test_every_part_has_a_meaning_and_a_source() -> None:
    for part in PARTS.values():
        assert part.meaning
        assert part.source
        assert part.make.__doc__


def test_a_board_of_one_cell_and_boards_of_one_line() -> None:
    for cells in ([[0]], [[1]], [[1, 0, 1, 1]], [[1], [0], [1]], [[0, 0, 0]]):
        puzzle = Nonogram.from_picture(Picture(np.array(cells)))
        for name in ENCODINGS:
            answer = solve(puzzle, encoding=name, count=None)
            assert answer.pictures == (puzzle.goal,)
