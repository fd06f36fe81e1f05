"""Certificates of puzzles: for every encoding that says what its Booleans mean, true and accepted."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path

import pytest
from commands import run
from sampling import portions, sampled, spread
from test_statement import more_nonograms

import nonosat
from nonosat.certificates.certify import check_files, who
from nonosat.certificates.checker import RefusedError
from nonosat.certificates.checker.proof import check
from nonosat.encodings.nonogram import ENCODINGS
from nonosat.encodings.parts import INTEGERS
from nonosat.errors import UnsupportedError
from nonosat.generators.density import random_density
from nonosat.puzzles.formats import save
from nonosat.puzzles.nonogram import Nonogram
from nonosat.puzzles.skyscrapers import Skyscrapers
from nonosat.runs.events import Statistics
from nonosat.solvers import registry
from nonosat.solvers.sat import PROVERS
from nonosat.solvers.sat.proofs import Attempt
from nonosat.testing.brute import nonograms, solutions

LARGER = random_density(12, 12, 0.45, seed=47)
AMBIGUOUS = Nonogram.from_lengths([[1], [1]], [[1], [1]])
SMALL = [*nonograms(), *more_nonograms()]


@pytest.mark.parametrize(("name", "version"), sampled(product(ENCODINGS, ["3.0", "1.1"])))
@pytest.mark.parametrize("puzzles", portions(SMALL, 4))
def test_what_is_certified_is_true(name: str, version: str, puzzles: list[Nonogram]) -> None:
    for puzzle in puzzles:
        made = nonosat.certify(puzzle, encoding=name, proof=version)
        count = len(solutions(puzzle))
        assert made.claim is not None
        assert (made.claim.solutions, made.claim.complete) == (min(count, 2), count < 2)
        assert made.claim.version == version
        assert set(made.answer.pictures) <= solutions(puzzle)


@pytest.mark.slow
@pytest.mark.parametrize("version", spread(["3.0", "1.1"], 1))
def test_all_solutions_or_some_of_them(version: str) -> None:
    for puzzle in (Nonogram.from_lengths([[1]] * 3, [[1]] * 3), Nonogram.from_lengths([[1]] * 4, [[1]] * 4)):
        count = len(solutions(puzzle))
        assert count > 3
        for at_most in (1, 3, count, count + 1, None):
            made = nonosat.certify(puzzle, count=at_most, proof=version)
            found = count if at_most is None else min(count, at_most)
            assert made.claim is not None
            assert (made.claim.solutions, made.claim.complete) == (found, at_most is None or at_most > count)
            assert len(set(made.answer.pictures)) == found


@pytest.mark.parametrize("solver", spread(PROVERS, 4))
def test_larger_boards_by_several_solvers(solver: str) -> None:
    """With conflicts, deletions, and clauses that learnt ones rest on."""
    made = nonosat.certify(LARGER, solver=solver)
    assert str(made.claim) == "one solution, and no other"
    with made.statement.open() as opb, made.proof.open() as proof:
        claim = check(opb, proof)
    assert not claim.kept  # those have been left out
    assert claim.steps == made.answer.statistics.certificate_steps
    assert made.answer.statistics.certificate_bytes == made.proof.stat().st_size


def test_an_encoding_without_meanings_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    def untold(_: object) -> None:
        raise NotImplementedError

    monkeypatch.setattr(INTEGERS["order"].map, "meanings", untold)
    with pytest.raises(UnsupportedError, match=r"encoding tight\+r3\+order does not say what its Booleans mean"):
        nonosat.certify(SMALL[5], encoding="tight+r3")


def test_a_wrong_meaning_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """An encoding that takes a Boolean for its opposite: a clause of it does not follow."""
    encodings = INTEGERS["order"].map
    true = encodings.meanings
    monkeypatch.setattr(encodings, "meanings", lambda self: ((-b + 1 + self.booleans, v, a) for b, v, a in true(self)))
    told = (
        r"propagation does not show that it follows: .*line \d+ of the proof: clause \d+, by order: row \d, column \d"
    )
    with pytest.raises(UnsupportedError, match=told):
        nonosat.certify(SMALL[4], solver="cadical195")


@pytest.mark.slow
def test_limits_are_those_of_every_solver() -> None:
    """A limit leaves no claim, and no file; one that is large enough changes nothing."""
    free = nonosat.certify(LARGER)
    made = nonosat.certify(LARGER, time_limit_s=100, cpu_limit_s=100, memory_limit_mb=2000)
    assert (str(made.claim), made.proof.read_text()) == (str(free.claim), free.proof.read_text())
    assert (made.answer.statistics.peak_memory_mb or 0) > 10
    large = random_density(60, 60, 0.6, seed=1)
    for limits in ({"time_limit_s": 0.05}, {"cpu_limit_s": 0.05}, {"memory_limit_mb": 40}):
        made = nonosat.certify(large, **limits)  # type: ignore[arg-type]
        assert made.claim is None
        assert str(made.answer.stopped or made.answer.verdict) in ("TIMEOUT", "CPUOUT", "MEMOUT")
        with pytest.raises(UnsupportedError, match=r"nothing is proved: .*limit"):
            made.write("never", "never")


@pytest.mark.parametrize("limits", [{}, {"time_limit_s": 60}])
def test_unsupported_requests_have_the_same_error_under_limits(limits: dict[str, float]) -> None:
    with pytest.raises(UnsupportedError, match=r"tight\+r4printed\+order shuts solutions out"):
        nonosat.certify(SMALL[5], encoding="tight+r4printed", **limits)  # type: ignore[arg-type]


def test_it_is_a_solver_of_its_own() -> None:
    answer = nonosat.solve(LARGER, solver="certified+glucose4", unique=True)
    assert (answer.unique, answer.encoding) == (True, "tight+r3+order")
    assert (answer.statistics.certificate_steps or 0) > 100
    assert (answer.statistics.certificate_bytes or 0) > 1000
    assert (answer.statistics.check_s or 0) > 0
    assert nonosat.solve(LARGER).statistics.certificate_steps is None
    answer = nonosat.solve(LARGER, solver="certified-auto", unique=True)
    assert (answer.unique, answer.statistics.certificate_steps is None) == (True, False)


def test_a_proof_that_does_not_hold_is_no_certificate(monkeypatch: pytest.MonkeyPatch) -> None:
    """A solver that claims too much: its clause does not follow."""
    monkeypatch.setattr("nonosat.certificates.sat.attempt", lambda *_: Attempt(None, ("1 0", "0"), Statistics()))
    with pytest.raises(UnsupportedError, match="has no certificate with cadical195: propagation does not show"):
        nonosat.certify(LARGER, solver="cadical195")


def test_who_proves() -> None:
    """The own way of a kind, unless a solver or an encoding is named."""
    board, towers = SMALL[0], Skyscrapers.from_heights([[1, 2], [2, 1]])
    assert who(board, None, None) == who(board, None, "auto") == "auto"
    assert who(board, "plain", None) == who(towers, None, None) == who(towers, None, "auto") == "cadical195"
    assert who(board, None, registry.solver("auto")) == "auto"
    assert who(board, None, "g4") == who(board, None, registry.solver("g4")) == "glucose4"
    with pytest.raises(UnsupportedError, match="auto goes its own way, without an encoding"):
        nonosat.certify(board, solver="auto", encoding="plain")
    with pytest.raises(UnsupportedError, match="minisat22 writes no proofs that hold; these do: cadical103"):
        nonosat.certify(board, solver="minisat22")


def test_no_such_version() -> None:
    with pytest.raises(UnsupportedError, match=r"no version '2\.0' of the format; there are 3\.0 and 1\.1"):
        nonosat.certify(AMBIGUOUS, proof="2.0")


def test_a_certificate_is_of_its_puzzle_only(tmp_path: Path) -> None:
    one, other = random_density(8, 8, 0.6, seed=1), random_density(8, 8, 0.6, seed=2)
    files = nonosat.certify(one).write(tmp_path, "one")
    assert check_files(*files, one).solutions >= 1
    with pytest.raises(RefusedError, match="not what the puzzle means"):
        check_files(*files, other)


@pytest.mark.parametrize("version", spread(["3.0", "1.1"], 1))
def test_the_command(version: str, tmp_path: Path) -> None:
    file = tmp_path / "some.json"
    save(random_density(10, 10, 0.6, seed=1), file)
    done = run("certify", file, "-o", tmp_path / "out", "--proof", version)
    assert (done.returncode, done.stdout) == (20, "one solution, and no other\n")
    done = run("check-certificate", tmp_path / "out/some.opb", tmp_path / "out/some.pbp", "--puzzle", file)
    assert (done.returncode, done.stdout) == (0, "one solution, and no other\n")


@pytest.mark.slow
def test_the_command_in_json_and_at_a_limit(tmp_path: Path) -> None:
    file = tmp_path / "some.json"
    save(random_density(60, 60, 0.6, seed=1), file)
    done = run("certify", file, "-o", tmp_path / "out", "--format", "json", "--time-limit", "0.01")
    record = json.loads(done.stdout)
    assert (done.returncode, record["proved"], record["verdict"], record["opb"]) == (0, None, "TIMEOUT", None)
    assert not (tmp_path / "out").exists()
    save(AMBIGUOUS, file)
    done = run("certify", file, "-o", tmp_path / "out", "--format", "json", "--count", "3")
    record = json.loads(done.stdout)
    assert (done.returncode, record["proved"], record["complete"]) == (10, "2 solutions, and no other", True)
    assert len(record["pictures"]) == 2
    assert Path(record["pbp"]).stat().st_size == record["certificate_bytes"]
    assert run("certify", file, "-o", tmp_path, "--count", "3", "--unique").returncode == 2
    assert run("certify", file, "-o", file / "no-folder").returncode == 2


def test_the_command_on_several_solutions_and_on_what_cannot_be(tmp_path: Path) -> None:
    file = tmp_path / "several.json"
    save([AMBIGUOUS, AMBIGUOUS], file)
    done = run("certify", file, "--index", "2", "-o", tmp_path)
    assert (done.returncode, done.stdout) == (10, "at least 2 solutions\n")
    assert (tmp_path / "several-2.opb").exists()
    assert run("certify", file, "--index", "2", "-o", tmp_path, "--solver", "minisat22").returncode == 2
