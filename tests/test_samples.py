"""Solutions drawn at random, and what all solutions share: beside brute force."""

from __future__ import annotations

import json
import math
import subprocess
from collections import Counter
from pathlib import Path

import commands
import numpy as np
import pytest
from brute import ambiguous, pictures, random_puzzle

import nonosat
from nonosat.cli.backbone import drawn
from nonosat.counting import backbones, native
from nonosat.counting.answer import CountBounds
from nonosat.counting.count import backbone, sample
from nonosat.encodings.registry import default_for, encoding
from nonosat.errors import NonosatError
from nonosat.puzzles.nonogram import Nonogram, Picture
from nonosat.puzzles.skyscrapers import Skyscrapers
from nonosat.rng import Rng
from nonosat.runs.events import Verdict
from nonosat.testing import brute

GOLDEN = ["304152", "540231", "034251"]
"""Pins the stream: the same on every machine."""


def p_value(chi2: float, freedom: int) -> float:
    """Of a chi-square, by Wilson and Hilferty's cube root, which is good enough for many degrees of freedom."""
    z = ((chi2 / freedom) ** (1 / 3) - (1 - 2 / (9 * freedom))) / math.sqrt(2 / (9 * freedom))
    return 0.5 * math.erfc(z / math.sqrt(2))


@pytest.mark.slow
def test_solutions_are_drawn_evenly() -> None:
    chi2, freedom = 0.0, 0
    for number, (puzzle, right) in enumerate(ambiguous(50)):
        draws = 20 * len(right)
        found = sample(puzzle, draws, seed=number)
        assert found.solutions == len(right)
        times = Counter(found.boards)
        assert set(times) <= right
        chi2 += sum((times[board] - 20) ** 2 / 20 for board in right)
        freedom += len(right) - 1
    assert freedom > 100
    assert 0.001 < p_value(chi2, freedom) < 0.999


def test_p_values() -> None:
    assert p_value(124.342, 100) == pytest.approx(0.05, abs=0.001)  # from tables
    assert p_value(149.449, 100) == pytest.approx(0.001, abs=0.0002)


def test_a_seed_means_the_same_solutions() -> None:
    puzzle = Nonogram.from_lengths([[1]] * 6, [[1]] * 6)
    found = sample(puzzle, 3, seed=5)
    assert found.boards == sample(puzzle, 3, seed=5).boards != sample(puzzle, 3, seed=6).boards
    assert ["".join(str(row.index("#")) for row in board.rows()) for board in found.boards] == GOLDEN
    assert (found.verdict, found.solutions, len(found.boards)) == (Verdict.SAT, 720, 3)


def test_draws_below_any_number() -> None:
    chance = Rng(3)
    large = [chance.below_any(3 * 2**99) for _ in range(400)]
    assert 0 <= min(large) <= max(large) < 3 * 2**99
    thirds = Counter(number >> 99 for number in large)
    assert set(thirds) == {0, 1, 2}
    assert min(thirds.values()) > 90
    assert {chance.below_any(2) for _ in range(20)} == {0, 1}


def test_nothing_is_drawn_where_there_is_nothing() -> None:
    none = sample(Nonogram.from_lengths([[2], [2]], [[2], []]))
    assert (none.verdict, none.boards, none.solutions) == (Verdict.UNSAT, (), 0)
    with pytest.raises(NonosatError, match="solutions of the puzzle skyscrapers cannot be drawn"):
        sample(Skyscrapers.from_clues([0] * 8))
    with pytest.raises(NonosatError, match="at least one"):
        sample(Nonogram.from_lengths([[1]], [[1]]), 0)


def check_backbone(puzzle: Nonogram, right: set[Picture]) -> bool:
    """Is the backbone right? Whether it came from a count."""
    found = backbone(puzzle)
    exact = found.counter == "components"
    if not right:
        assert (found.verdict, found.solutions, found.cells) == (Verdict.UNSAT, 0, None)
        return exact
    boards = np.stack([board.cells.astype(int) for board in right])
    same = (boards == boards[0]).all(axis=0)
    assert found.decided is not None
    assert found.decided.all()
    assert found.cells is not None
    assert found.cells.tolist() == np.where(same, boards[0], -1).tolist()
    assert found.share == pytest.approx(same.mean())
    if exact:
        assert found.solutions == len(right)
        assert found.shares is not None
        for value in range(puzzle.colours + 1):
            assert found.shares[:, :, value] == pytest.approx((boards == value).mean(axis=0))
    else:
        assert found.shares is None
        assert found.solutions == (1 if len(right) == 1 else None)
    return exact


@pytest.mark.slow
@pytest.mark.parametrize("exact", [True, False], ids=["counted", "by SAT"])
def test_backbones_are_those_of_brute_force(exact: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if not exact:
        monkeypatch.setattr(native, "BACKBONE_LINES", -1)
        monkeypatch.setattr(native, "FEW_LINES", -1)
        monkeypatch.setattr(native, "EVERY", 0)
    rng = np.random.default_rng(8)
    anything = [random_puzzle(rng) for _ in range(40)]
    boards = [*((puzzle, pictures(puzzle)) for puzzle in anything), *ambiguous(30)]
    counted = sum(check_backbone(puzzle, right) for puzzle, right in boards)  # type: ignore[arg-type]
    assert counted == len(boards) if exact else counted < len(boards) - 20


@pytest.mark.slow
@pytest.mark.nightly
def test_sat_results_narrow_a_count_of_shares() -> None:
    """A short count does not come to its end here, and one on what SAT leaves does."""
    puzzle = nonosat.random_density(30, 30, 0.5, seed=100)
    found, right = backbone(puzzle), backbone(puzzle, exact=True)
    assert found.statistics.conflicts
    assert found.statistics.lines_checked
    assert (found.counter, found.solutions, found.encoding) == ("components", 6528, None)
    assert found.cells is not None
    assert found.shares is not None
    assert found.cells.tolist() == right.cells.tolist()  # type: ignore[union-attr]
    assert found.shares == pytest.approx(right.shares)


def test_an_abandoned_search_frees_its_solver(monkeypatch: pytest.MonkeyPatch) -> None:
    freed = []
    monkeypatch.setattr(backbones.Session, "close", lambda session: freed.append(session.name))
    puzzle = Nonogram.from_lengths([[1]] * 4, [[1]] * 4)
    events = backbones.by_sat(puzzle, encoding(default_for(puzzle)), None)
    while not isinstance(next(events), CountBounds):
        pass
    assert freed == []
    events.close()  # type: ignore[attr-defined]
    assert freed == [backbones.SOLVER]


def test_the_backbone_of_skyscrapers() -> None:
    puzzle = Skyscrapers.from_clues([3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0])
    right = brute.solutions(puzzle)
    boards = np.stack([board.cells.astype(int) for board in right])
    found = backbone(puzzle)
    assert found.cells is not None
    assert found.cells.tolist() == np.where((boards == boards[0]).all(axis=0), boards[0], -1).tolist()
    assert (found.counter, found.shares) == ("minisat22", None)


def test_a_backbone_is_drawn() -> None:
    one = backbone(Nonogram.from_lengths([[1], [1], [1, 1]], [[1, 1], [1], [1]]))
    assert drawn(one) == "#..\n.#.\n#.#"
    two = backbone(Nonogram.from_lengths([[1], [], [1, 1]], [[1], [1], [], [1]]))
    assert drawn(two) == "55..\n....\n55.#"


def command(*arguments: str) -> subprocess.CompletedProcess[str]:
    return commands.run(*arguments)


def test_the_commands(tmp_path: Path) -> None:
    path = tmp_path / "two.json"
    path.write_text('{"rows": [[1], [1], []], "columns": [[1], [1], []]}')
    done = command("backbone", str(path))
    assert (done.returncode, done.stdout) == (10, "55.\n55.\n...\n")
    record = json.loads(command("backbone", str(path), "--format", "json").stdout)
    assert record["shares_from"] == "all solutions"
    assert record["settled"]
    done = command("sample", str(path), "--count", "3", "--seed", "1")
    assert done.returncode == 10
    assert len(done.stdout.split("\n\n")) == 3
    record = json.loads(command("sample", str(path), "--format", "json").stdout)
    assert len(record["pictures"]) == 1
    path.write_text('{"rows": [[1], [1]], "columns": [[2], [2]]}')
    for name in ("backbone", "sample"):
        assert command(name, str(path)).returncode == 20
        assert command(name, str(tmp_path / "none.json")).returncode == 2
