"""Proofs, good ones and bad ones, before a real checker: dratify, and drat-trim where it is installed."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import commands
import numpy as np
import pytest
from brute import pictures, random_puzzle
from dratify import check_proof, parse_dimacs
from sampling import nightly, spread

from nonosat.encodings import registry as encodings
from nonosat.encodings.cnf import CNF
from nonosat.encodings.dimacs import read
from nonosat.encodings.formula import Formula
from nonosat.encodings.nonogram import ENCODINGS
from nonosat.errors import SolverError, UnsupportedError
from nonosat.generators.density import random_density
from nonosat.puzzles.formats import save
from nonosat.puzzles.nonogram import Given, Nonogram
from nonosat.solvers import registry
from nonosat.solvers.sat import CERTIFICATES, DRAT, PROVERS
from nonosat.solvers.sat.proofs import COMMANDS, Proof, check, prove
from nonosat.solvers.sat.session import Session

AMBIGUOUS = Nonogram.from_lengths([[1], [1]], [[1], [1]])
UNIQUE = random_density(12, 12, 0.45, seed=47)  # some 70 conflicts


def unsatisfiable(size: int, seed: int, *given: int) -> Nonogram:
    """A board with a cell that no solution has, which a solver has to search for."""
    return replace(random_density(size, size, 0.42, seed=seed), given=(Given(*given),), goal=None)


UNSAT = unsatisfiable(20, 0, 3, 0, 0)  # some 170 conflicts
HARDER = unsatisfiable(25, 2, 7, 15, 1)  # some 1,400


def dimacs_text(cnf: CNF) -> str:
    return f"p cnf {cnf.variables} {cnf.clauses}\n" + "".join(" ".join(map(str, (*c, 0))) + "\n" for c in cnf)


def holds(proof: Proof, steps: list[str] | None = None) -> bool:
    """Does the proof hold, with ``steps`` in place of its own?"""
    text = "\n".join(steps if steps is not None else proof.steps or ())
    return bool(check_proof(parse_dimacs(dimacs_text(proof.formula.cnf)), text, engine="python"))


def drat_trim(folder: Path) -> bool | None:
    """What drat-trim makes of the proof in ``folder``; None where it is not installed."""
    if shutil.which("drat-trim") is None:
        return None
    done = subprocess.run(COMMANDS[0].split(), cwd=folder, capture_output=True, text=True, check=False)
    return "s VERIFIED" in done.stdout


# ---------------------------------------------------------------- proofs that hold


@pytest.mark.parametrize("solver", spread(PROVERS, 2))
@pytest.mark.parametrize("puzzle", [UNIQUE, UNSAT], ids=["unique", "unsat"])
def test_the_proofs_of_every_prover_hold(puzzle: Nonogram, solver: str, tmp_path: Path) -> None:
    proof = prove(puzzle, solver=solver)
    assert len(proof.pictures) == (puzzle is UNIQUE)
    assert proof.claim == ("there is no other solution" if puzzle is UNIQUE else "there is no solution")
    proof.write(tmp_path / "new" / "folder")
    assert check(tmp_path / "new" / "folder") is None
    assert proof.fault() is None
    assert repr(proof) == f"<Proof {proof.claim}: {len(proof.steps or ()):,} steps (tight+r3+order, {proof.solver})>"
    assert drat_trim(tmp_path / "new" / "folder") in (True, None)
    assert not holds(proof, ["0"])  # the proof does say something


def test_provers_are_solvers_that_are_there() -> None:
    assert {DRAT, CERTIFICATES} <= set(PROVERS)
    assert set(PROVERS) <= set(registry.solvers())


@pytest.mark.parametrize("name", spread([n for n in ENCODINGS if n != encodings.DEFAULT], 3))
def test_proofs_of_other_encodings(name: str) -> None:
    assert holds(prove(UNIQUE, encoding=name))


def test_small_boards_have_as_many_solutions_as_is_proved() -> None:
    rng = np.random.default_rng(11)
    counts = [0, 0, 0]
    for _ in range(80):
        puzzle = random_puzzle(rng, most=4)
        proof = prove(puzzle)
        expected = pictures(puzzle)
        assert len(proof.pictures) == min(2, len(expected))
        assert set(proof.pictures) <= expected
        assert (proof.steps is None) == (len(expected) > 1)
        assert proof.steps is None or holds(proof)
        counts[len(proof.pictures)] += 1
    assert min(counts) >= 5


@pytest.mark.parametrize("solver", PROVERS)
def test_what_shows_without_a_search_has_a_proof_too(solver: str) -> None:
    for puzzle in (
        Nonogram.from_lengths([[2], [2], []], [[2], [1], [1]]),
        Nonogram.from_lengths([[1]], [[1]]),
        Nonogram.from_lengths([[]], [[1]]),
        Nonogram.from_lengths([[]], [[]], given=[(0, 0, 1)]),
    ):
        proof = prove(puzzle, solver=solver)
        assert proof.steps is not None
        assert proof.steps[-1] == "0"
        assert holds(proof)


def test_a_formula_with_an_empty_clause(monkeypatch: pytest.MonkeyPatch) -> None:
    def formula(self: encodings.Encoding, puzzle: Nonogram) -> Formula:
        made = compiled(self, puzzle)
        return replace(
            made, cnf=CNF(made.cnf.variables, made.cnf.literals, np.append(made.cnf.ends, made.cnf.ends[-1]))
        )

    compiled = encodings.Encoding.formula
    monkeypatch.setattr(encodings.Encoding, "formula", formula)
    proof = prove(AMBIGUOUS)
    assert (proof.pictures, proof.steps) == ((), ("0",))
    assert holds(proof)


@pytest.mark.slow
@pytest.mark.parametrize(
    "solver", nightly([name for name in PROVERS if name != "maplechrono"], 6)
)  # whose takes minutes
def test_proofs_of_a_harder_puzzle_hold(solver: str) -> None:
    assert holds(prove(HARDER, solver=solver))


@pytest.mark.slow
def test_a_long_proof_holds(tmp_path: Path) -> None:
    proof = prove(unsatisfiable(25, 1, 6, 20, 1))
    assert proof.steps is not None
    assert len(proof.steps) > 5000
    proof.write(tmp_path)
    assert check(tmp_path) is None


# ---------------------------------------------------------------- proofs that do not


@pytest.mark.slow
def test_a_proof_without_its_lemmas_is_rejected() -> None:
    proof = prove(UNSAT)
    assert proof.steps is not None
    added = [step for step in proof.steps if not step.startswith("d")]
    assert holds(proof, added)  # nothing need be deleted
    assert not holds(proof, added[len(added) // 2 :])
    assert not holds(proof, added[:-1][: len(added) // 4])  # it never gets to the empty clause


def test_a_proof_with_a_wrong_literal_is_rejected(tmp_path: Path) -> None:
    proof = prove(UNSAT)
    assert proof.steps is not None
    proof.write(tmp_path)
    path = tmp_path / "proof.drat"
    first, *rest = path.read_text().splitlines()
    literal = int(first.split()[0])
    path.write_text("\n".join([first.replace(str(literal), str(-literal), 1), *rest]))
    reason = check(tmp_path)
    assert reason is not None
    assert reason.startswith("step 1: clause is neither RUP nor RAT")
    path.write_text("\n".join([*rest, "1 2"]))
    assert check(tmp_path) is not None
    path.write_text("no proof")
    assert check(tmp_path) == "proof line 1: bad token 'no'"
    path.write_text("")
    assert check(tmp_path) is not None


def test_the_proof_of_another_formula_is_rejected() -> None:
    proof, other = prove(UNSAT), prove(UNIQUE)
    assert not holds(proof, list(other.steps or ()))


def test_the_proof_is_of_the_formula_with_the_picture_ruled_out() -> None:
    proof = prove(UNIQUE)
    cnf = proof.formula.cnf
    satisfiable = CNF(cnf.variables, cnf.literals[: cnf.ends[-2]], cnf.ends[:-1])
    assert not holds(replace(proof, formula=replace(proof.formula, cnf=satisfiable)))


@pytest.mark.slow
def test_proofs_of_maplesat_are_wrong_and_why() -> None:
    """python-sat writes every literal of its proofs one too high. If this fails it has been mended: list it."""
    session = Session("maplesat", prove(UNSAT).formula.cnf, proof=True)
    assert session.solve() is None
    steps = [*session.proof(), "0"]
    session.close()
    proof = prove(UNSAT)
    assert not holds(proof, steps)
    assert holds(proof, [re.sub(r"\d+", lambda n: str(max(0, int(n[0]) - 1)), step) for step in steps])


@pytest.mark.parametrize("solver", ["maplesat", "mpl", "kissat404", "minisat22", "cpsat", "exec:true {cnf}"])
def test_others_are_refused(solver: str) -> None:
    with pytest.raises(UnsupportedError, match=r"writes no proofs that hold; these do: .*glucose4"):
        prove(UNIQUE, solver=solver)


def test_encodings_that_prove_nothing_are_refused() -> None:
    with pytest.raises(UnsupportedError, match="shuts solutions out"):
        prove(UNIQUE, encoding="tight+r4printed")
    with pytest.raises(SolverError, match=r"encoding tight\+r4ends\+order gives a wrong picture \((row|column) "):
        prove(random_density(8, 8, 0.4, seed=0), encoding="tight+r4ends")


# ---------------------------------------------------------------- files and the command


def test_the_files_explain_themselves(tmp_path: Path) -> None:
    proof = prove(UNIQUE)
    proof.write(tmp_path)
    text = (tmp_path / "formula.cnf").read_text()
    blocked = [line.removeprefix("c blocked ") for line in text.splitlines() if line.startswith("c blocked ")]
    assert blocked == proof.pictures[0].rows()
    again = read(text)
    assert np.array_equal(again.formula.cnf.literals, proof.formula.cnf.literals)
    assert again.formula.cnf.clauses == encodings.encoding(encodings.DEFAULT).formula(UNIQUE).cnf.clauses + 1
    said = (tmp_path / "CHECK.txt").read_text()
    assert all(command in said for command in COMMANDS)
    assert "there is no other solution" in said
    prove(UNSAT).write(tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["CHECK.txt", "formula.cnf", "proof.drat"]
    with pytest.raises(UnsupportedError, match="several solutions"):
        prove(AMBIGUOUS).write(tmp_path)


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return commands.run("prove", *arguments)


@pytest.mark.slow
def test_the_command(tmp_path: Path) -> None:
    save(UNIQUE, tmp_path / "unique.mk")
    save(UNSAT, tmp_path / "unsat.json")
    save(AMBIGUOUS, tmp_path / "two.mk")
    out = tmp_path / "out"

    done = run(str(tmp_path / "unique.mk"), "-o", str(out))
    assert done.returncode == 20
    assert done.stdout.splitlines() == list(COMMANDS)
    assert "there is no other solution: proved and checked" in done.stderr
    picture = [sys.executable, "-m", "nonosat", "check", str(tmp_path / "unique.mk"), str(out / "picture.txt")]
    assert subprocess.run(picture, capture_output=True, check=False).returncode == 0
    command = COMMANDS[1].replace("python", sys.executable, 1)
    checked = subprocess.run(command, shell=True, cwd=out, capture_output=True, text=True, check=True)
    assert checked.stdout.startswith("s VERIFIED\n")

    done = run(str(tmp_path / "unsat.json"), "-o", str(out), "--solver", "cadical153", "--no-check")
    assert done.returncode == 20
    assert "there is no solution: proved, not checked · cadical153" in done.stderr
    assert check(out) is None

    done = run(str(tmp_path / "two.mk"), "-o", str(tmp_path / "none"))
    assert done.returncode == 10
    assert sorted(done.stdout.strip().split("\n\n")) == ["··██\n██··", "██··\n··██"]
    assert "there are several solutions, of which these are two" in done.stderr
    assert not (tmp_path / "none").exists()

    done = run(str(tmp_path / "two.mk"), "-o", str(out), "--solver", "minisat22")
    assert (done.returncode, len(done.stderr.splitlines())) == (2, 1)
    done = run(str(tmp_path / "two.mk"), "-o", str(out), "--encoding", "tight+r4printed")
    assert (done.returncode, len(done.stderr.splitlines())) == (2, 1)
    (tmp_path / "file").write_text("")
    done = run(str(tmp_path / "unique.mk"), "-o", str(tmp_path / "file"))
    assert (done.returncode, len(done.stderr.splitlines())) == (2, 1)


@pytest.mark.slow
def test_the_command_prints_json(tmp_path: Path) -> None:
    save(UNIQUE, tmp_path / "one.mk")
    save(AMBIGUOUS, tmp_path / "two.mk")
    (tmp_path / "one.csp").write_text("(int x 0 5) (int y 0 5) (= (+ x y) 10)\n")
    (tmp_path / "two.csp").write_text("(int x 0 5) (int y 0 5) (= (+ x y) 9)\n")

    def told(name: str, code: int, *more: str) -> dict[str, Any]:
        done = run(str(tmp_path / name), "-o", str(tmp_path / "out" / name), "--format", "json", *more)
        assert done.returncode == code, done.stderr
        record: dict[str, Any] = json.loads(done.stdout)
        assert (record["file"], record["solver"]) == (str(tmp_path / name), "glucose4")
        return record

    for name in ("one.mk", "one.csp"):
        record = told(name, 20)
        assert (record["proved"], record["checked"]) == ("there is no other solution", True)
        assert record["steps"] == len(Path(record["proof"]).read_text().splitlines())
        assert Path(record["formula"]).read_text().startswith("c ")
        assert told(name, 20, "--no-check")["checked"] is False
    assert record["solution"] == {"x": 5, "y": 5}
    for name in ("two.mk", "two.csp"):
        record = told(name, 10)
        nothing = (record["proved"], record["steps"], record["checked"], record["formula"], record["proof"])
        assert nothing == (None,) * 5
    assert len(told("two.mk", 10)["pictures"]) == 2
    save(random_density(70, 70, 0.4, seed=1), tmp_path / "hard.mk")
    record = told("hard.mk", 0, "--cpu-limit", "0.5")
    assert (record["stopped"], record["reason"], record["pictures"]) == (
        "CPUOUT",
        "CPU-time limit of 0.5 s reached",
        [],
    )


@pytest.mark.slow
def test_a_limit_leaves_what_was_found(tmp_path: Path) -> None:
    proof = prove(random_density(70, 70, 0.4, seed=1), cpu_limit_s=0.5)
    assert proof.stopped is not None
    assert (proof.stopped.verdict, proof.pictures, proof.steps) == ("CPUOUT", (), None)
    assert proof.claim == "nothing is proved"
    with pytest.raises(UnsupportedError, match="nothing is proved"):
        proof.write(tmp_path)
    within = prove(UNIQUE, time_limit_s=1000, memory_limit_mb=4000)
    assert holds(within)
    assert within.steps == prove(UNIQUE).steps


@pytest.mark.slow
def test_a_limit_that_is_reached_is_no_answer(tmp_path: Path) -> None:
    save(random_density(70, 70, 0.4, seed=1), tmp_path / "hard.mk")
    arguments = ["prove", str(tmp_path / "hard.mk"), "-o", str(tmp_path / "proof"), "--cpu-limit", "0.5"]
    done = subprocess.run([sys.executable, "-m", "nonosat", *arguments], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "CPUOUT\n")
    assert "hard.mk: CPUOUT (CPU-time limit of 0.5 s reached), nothing is proved" in done.stderr
    assert not (tmp_path / "proof").exists()
