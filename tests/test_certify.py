"""Certificates of puzzles: for every encoding that says what its Booleans mean, true and accepted."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from test_statement import more_nonograms

import nonosat
from nonosat.certificates.checker import RefusedError, check
from nonosat.certificates.files import check_files
from nonosat.certificates.statement import opb_lines, statement_of
from nonosat.encodings.integers import INTEGERS
from nonosat.encodings.nonogram.parts import ENCODINGS
from nonosat.errors import UnsupportedError
from nonosat.generators.density import random_density
from nonosat.puzzles.formats import save
from nonosat.puzzles.nonogram import Nonogram
from nonosat.puzzles.skyscrapers import Skyscrapers
from nonosat.testing.brute import solutions
from nonosat.testing.samples import nonograms

AMBIGUOUS = Nonogram.from_lengths([[1], [1]], [[1], [1]])
SMALL = [*nonograms(), *more_nonograms()]


@pytest.mark.parametrize("version", ["3.0", "1.1"])
@pytest.mark.parametrize("name", ENCODINGS)
def test_what_is_certified_is_true(name: str, version: str) -> None:
    for puzzle in SMALL:
        made = nonosat.certify(puzzle, encoding=name, format=version)
        count = len(solutions(puzzle))
        assert (made.claim.solutions, made.claim.complete) == (min(count, 2), count < 2)
        assert made.claim.version == version
        assert set(made.pictures) <= solutions(puzzle)


@pytest.mark.parametrize("solver", ["cadical195", "cadical153", "glucose4", "maplecm", "lingeling"])
def test_larger_boards_by_several_solvers(solver: str) -> None:
    """With conflicts, deletions, and clauses that learnt ones rest on."""
    made = nonosat.certify(random_density(12, 12, 0.45, seed=47), solver=solver)
    assert str(made.claim) == "one solution, and no other"
    assert not check(list(opb_lines(statement_of(made.puzzle))), made.lines).kept  # those have been left out


def test_a_kind_whose_variables_are_not_told_is_refused() -> None:
    with pytest.raises(UnsupportedError, match=r"permutation\+visible\+coupled does not say what s_0_1 means"):
        nonosat.certify(Skyscrapers.from_heights([[2, 1, 3], [3, 2, 1], [1, 3, 2]]))


def test_a_wrong_meaning_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """An encoding that takes a Boolean for its opposite: a clause of it does not follow."""
    encodings = INTEGERS["order"].map
    true = encodings.meanings
    monkeypatch.setattr(encodings, "meanings", lambda self: ((-b + 1 + self.booleans, v, a) for b, v, a in true(self)))
    with pytest.raises(UnsupportedError, match="propagation does not show that it follows"):
        nonosat.certify(SMALL[4])


def test_no_such_version() -> None:
    with pytest.raises(UnsupportedError, match=r"no version '2\.0' of the format; there are 3\.0 and 1\.1"):
        nonosat.certify(AMBIGUOUS, format="2.0")


def test_a_certificate_is_of_its_puzzle_only(tmp_path: Path) -> None:
    one, other = random_density(8, 8, 0.6, seed=1), random_density(8, 8, 0.6, seed=2)
    files = nonosat.certify(one).write(tmp_path, "one")
    assert check_files(*files, one).solutions >= 1
    with pytest.raises(RefusedError, match="not what the puzzle means"):
        check_files(*files, other)


def run(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "nonosat", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("version", ["3.0", "1.1"])
def test_the_command(version: str, tmp_path: Path) -> None:
    file = tmp_path / "some.json"
    save(random_density(10, 10, 0.6, seed=1), file)
    done = run("certify", file, "-o", tmp_path / "out", "--format", version)
    assert (done.returncode, done.stdout) == (20, "one solution, and no other\n")
    done = run("check-certificate", tmp_path / "out/some.opb", tmp_path / "out/some.pbp", "--puzzle", file)
    assert (done.returncode, done.stdout) == (0, "one solution, and no other\n")


def test_the_command_on_several_solutions_and_on_what_cannot_be(tmp_path: Path) -> None:
    file = tmp_path / "several.json"
    save([AMBIGUOUS, AMBIGUOUS], file)
    done = run("certify", file, "--index", "2", "-o", tmp_path)
    assert (done.returncode, done.stdout) == (10, "at least 2 solutions\n")
    assert (tmp_path / "several-2.opb").exists()
    assert run("certify", file, "--index", "2", "-o", tmp_path, "--solver", "minisat22").returncode == 2
