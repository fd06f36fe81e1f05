"""The checker of certificates: what is proved is accepted, what is not is refused with its line; nothing is false."""

from __future__ import annotations

import subprocess
from pathlib import Path

import commands
import opb
import pytest
from certificates_made import certificate, opposite
from sampling import repeated

from nonosat.certificates.certify import check_files
from nonosat.certificates.checker import Claim, RefusedError
from nonosat.certificates.checker.proof import Checker, check
from nonosat.certificates.statement import opb_lines, statement_of
from nonosat.errors import FormatError
from nonosat.generators.density import random_density
from nonosat.puzzles.formats import load, save
from nonosat.puzzles.nonogram import Given, Nonogram
from nonosat.puzzles.puzzle import Puzzle
from nonosat.puzzles.skyscrapers import Skyscrapers
from nonosat.rng import Rng
from nonosat.testing.brute import solutions

TWO = Nonogram.from_lengths([[1], [1]], [[1], [1]])
PUZZLES: list[Puzzle] = [
    TWO,
    Nonogram.from_lengths([[1], [1]], [[1], [1]], [(0, 0, 1)]),
    Nonogram.from_lengths([[1], [1]], [[1], [1]], [(0, 0, 1), (1, 0, 1)]),
    Nonogram.from_lengths([[1, 1], [2]], [[1], [1], [2]]),
    Nonogram.from_lengths([[2], [1]], [[1], [1], []]),
    random_density(1, 3, (0.4, 0.4), 1),
    random_density(3, 1, (0.4, 0.4), 3),
    random_density(1, 4, 0.5, 3),
    Skyscrapers.from_clues([0, 0, 2, 0, 0, 0, 0, 0]),
    Skyscrapers.from_clues([0] * 8),
]
VERSIONS = ("1.1", "3.0")

SMALL = ["1 xx 1 yy 1 zz >= 2 ;", "1 ~xx 1 ~yy >= 1 ;", "1 zz = 1 ;"]
"""Four constraints; two models: zz, and one of xx and yy."""


def made(puzzle: Puzzle, version: str) -> tuple[list[str], list[str]]:
    boards = [board.cells.tolist() for board in sorted(solutions(puzzle), key=str)]
    return certificate(statement_of(puzzle), boards, version)


def old(*steps: str) -> list[str]:
    return ["pseudo-Boolean proof version 1.1", "f 4", *steps]


def new(*steps: str) -> list[str]:
    return ["pseudo-Boolean proof version 3.0", "f 4 ;", *steps]


BOTH_MODELS = ("v xx ~yy zz", "v ~xx yy zz", "rup 1 ~xx >= 1 ;", "rup >= 1 ;")
NEW_MODELS = ("solx xx ~yy zz ;", "solx ~xx yy zz ;", "rup 1 ~xx >= 1 : 5 2 3 ;", "rup >= 1 : 7 6 1 3 2 ;")
DONE = ("output NONE ;", "end pseudo-Boolean proof ;")


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("puzzle", PUZZLES, ids=str)
def test_certificates_are_accepted(puzzle: Puzzle, version: str) -> None:
    claim = check(*made(puzzle, version))
    assert (claim.solutions, claim.complete) == (len(solutions(puzzle)), True)
    assert set(claim.listed) == (set(statement_of(puzzle).board) if claim.solutions else set())
    assert claim.version == version
    assert not claim.kept


def test_the_claims_in_words() -> None:
    assert [str(Claim(n, True, (), "3.0", 1, ())) for n in (0, 1, 1000)] == [
        "no solution",
        "one solution, and no other",
        "1,000 solutions, and no other",
    ]
    assert str(Claim(1, False, (), "3.0", 1, ())) == "at least one solution"


ACCEPTED = {
    "both models": (old(*BOTH_MODELS, "c 8"), 2, True),
    "one model, and no word of others": (old("v xx ~yy zz"), 1, False),
    "told by one variable": (old("v xx", "v ~xx", "rup >= 1 ;", "c 7"), 2, True),
    "a comment, an empty line": (old("* a comment", "", *BOTH_MODELS, "c 8"), 2, True),
    "cutting planes": (old("pol 1 2 + s", "v xx", "v ~xx", "pol 6 7 +", "c 8"), 2, True),
    "divided, weakened, from the end": (old("pol 1 zz w 2 * 2 d ~zz +", "pol -1 ;", *BOTH_MODELS, "c 10"), 2, True),
    "a definition": (old("red 1 dd 1 xx >= 1 ; dd -> 1", "red 1 ~dd 1 ~xx >= 1 ; dd -> 0", "v xx"), 1, False),
    "a constant": (old("red 1 dd >= 1 ; dd -> 1", "v xx"), 1, False),
    "half a definition": (old("red 2 dd 1 xx 1 yy >= 2 ; dd -> 1", "v xx"), 1, False),
    "a deletion": (old("rup 1 xx 1 yy >= 1 ;", "del id 5", "v xx"), 1, False),
    "3.0": (new("% a comment", *NEW_MODELS, DONE[0], "conclusion ENUMERATION_COMPLETE 2 : 8 ;", DONE[1]), 2, True),
    "3.0, some": (new("solx xx ~yy zz ;", DONE[0], "conclusion ENUMERATION_PARTIAL 1 ;", DONE[1]), 1, False),
}


@pytest.mark.parametrize("name", ACCEPTED)
def test_proofs_by_hand(name: str) -> None:
    proof, count, complete = ACCEPTED[name]
    claim = check(SMALL, proof)
    assert (claim.solutions, claim.complete) == (count, complete)


REFUSED = {
    "no header": (["f 4"], 1, "expected: header of version"),
    "another version": (["pseudo-Boolean proof version 2.0"], 1, "expected: header of version 3.0 .or 1.1"),
    "another statement": (["pseudo-Boolean proof version 1.1", "f 3"], 2, "expected: f 4, not: f 3"),
    "no count": (["pseudo-Boolean proof version 1.1", "rup >= 1 ;"], 2, "expected: f 4, not: rup"),
    "nothing": (old(), None, "concludes nothing"),
    "rup that is not": (old("rup 1 xx >= 1 ;"), 3, "propagation"),
    "rup of a sum that is not": (old("rup 1 xx 1 yy 1 zz >= 3 ;"), 3, "propagation"),
    "rup of an equality": (old("rup 1 zz = 1 ;"), 3, "'=' is no known variable"),
    "rup without an end": (old("rup 1 zz >= 1"), 3, "expected: step of 1.1"),
    "rup of an unknown variable": (old("rup 1 qq 1 zz >= 1 ;"), 3, "'qq' is no known variable"),
    "rup of nonsense": (old("rup 1 >= 1 ;"), 3, "no constraint"),
    "rup of a number that is none": (old("rup 1_0 zz >= 1 ;"), 3, "whole number"),
    "hints that do not do": (new("rup 1 zz >= 1 : 1 ;"), 3, "propagation"),
    "hints in 1.1": (old("rup 1 zz >= 1 : 3 ;"), 3, "':' is no known variable"),
    "a definition of an old variable": (old("red 1 xx 1 yy >= 1 ; xx -> 1"), 3, "not new"),
    "a definition that its witness breaks": (old("red 1 dd 1 xx >= 1 ; dd -> 0"), 3, "does not hold when dd is 0"),
    "a definition that asks for more": (old("red 1 dd 1 xx >= 2 ; dd -> 1"), 3, "does not hold"),
    "a definition of something else": (old("red 1 xx >= 1 ; dd -> 1"), 3, "does not hold"),
    "a converse that is none": (
        old("red 1 dd 1 xx >= 1 ; dd -> 1", "red 1 ~dd 1 ~yy >= 1 ; dd -> 0"),
        4,
        "not the converse",
    ),
    "a converse too late": (
        old("red 1 dd 1 xx >= 1 ; dd -> 1", "rup 1 zz >= 1 ;", "red 1 ~dd 1 ~xx >= 1 ; dd -> 0"),
        5,
        "not the converse",
    ),
    "a definition of 3.0 in 1.1": (old("red 1 dd >= 1 : dd -> 1"), 3, "expected: step of 1.1"),
    "no name": (old("red 1 d >= 1 ; d -> 1"), 3, "no name"),
    "pol of nothing": (old("pol +"), 3, "too few operands"),
    "pol of several": (old("pol 1 2"), 3, "2 constraints are left"),
    "pol of what is not there": (old("pol 5"), 3, "no constraint 5"),
    "pol by 0": (old("pol 1 0 d"), 3, "0 is no number to divide by"),
    "pol without a number": (old("pol 1 3 w"), 3, "no known variable"),
    "pol without a literal": (old("pol 1 ~xx w"), 3, "no known variable"),
    "pol by less": (old("pol 1 -1 *"), 3, "no number to multiply by"),
    "no solution": (old("v xx yy zz"), 3, "no solution"),
    "a solution again": (old("v xx ~yy zz", "v xx ~yy zz"), 4, "named before"),
    "half a solution": (old("v zz"), 3, "open"),
    "a solution by other variables": (old("v xx", "v ~xx zz"), 4, "other variables"),
    "a solution listed twice": (old("v xx xx"), 3, "twice"),
    "a solution with a definition": (old("red 1 dd >= 1 ; dd -> 1", "v xx dd"), 4, "other variables"),
    "3.0: not all variables": (new("solx xx ;"), 3, "other variables"),
    "deleting the statement": (old("del id 1"), 3, "could be deleted"),
    "deleting what leaves a solution out": (old("v xx ~yy zz", "del id 5"), 4, "could be deleted"),
    "deleting twice": (old("rup 1 zz >= 1 ;", "del id 5", "del id 5"), 5, "could be deleted"),
    "using what is deleted": (old("rup 1 xx 1 yy >= 1 ;", "del id 5", "pol 5"), 5, "no constraint 5"),
    "no deletion": (old("del 5"), 3, "expected: step of 1.1"),
    "a contradiction that is none": (old("c 1"), 3, "no contradiction"),
    "a contradiction that can be met": (old("rup 1 zz >= 1 ;", "c 5"), 4, "no contradiction"),
    "a step behind the end": (old(*BOTH_MODELS, "c 8", "rup >= 1 ;"), 8, "expected: nothing, not: rup"),
    "no such step": (old("obju 1"), 3, "not: obju 1"),
    "a step of 3.0 in 1.1": (old("solx xx"), 3, "not: solx xx"),
    "a step of 1.1 in 3.0": (new("v xx ;"), 3, "expected: step of 3.0, not: v xx"),
    "3.0 without ;": (new("solx xx ~yy zz"), 3, "expected: step of 3.0"),
    "3.0 without an end": (new("solx xx ~yy zz ;"), None, "no end"),
    "3.0, an end too early": (new("solx xx ~yy zz ;", DONE[1]), 4, "expected: step of 3.0, not: end"),
    "3.0, a conclusion too early": (
        new("solx xx ~yy zz ;", "conclusion ENUMERATION_PARTIAL 1 ;"),
        4,
        "expected: step of 3.0, not: conclusion",
    ),
    "3.0, a step behind the output": (new(DONE[0], "rup 1 zz >= 1 ;"), 4, "expected: conclusion of 0, not: rup"),
    "3.0, a wrong count": (
        new("solx xx ~yy zz ;", DONE[0], "conclusion ENUMERATION_PARTIAL 2 ;"),
        5,
        "expected: conclusion of 1, not",
    ),
    "3.0, unsatisfiable with a solution": (
        new(*NEW_MODELS, DONE[0], "conclusion UNSAT : 8 ;"),
        8,
        "expected: conclusion of 2, not",
    ),
    "3.0, an output": (new("output DERIVABLE ;"), 3, "expected: step of 3.0, not: output DERIVABLE"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_misuse_is_refused_with_its_line(name: str) -> None:
    proof, line, reason = REFUSED[name]
    with pytest.raises(RefusedError, match=reason) as refused:
        check(SMALL, proof)
    assert (refused.value.what, refused.value.line) == ("proof", line)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("min: 1 xx ;", "no name"),
        ("1 xx 1 yy > 1 ;", "no name"),
        ("1 x >= 1 ;", "no name"),
        ("1 xx >= 1", "no constraint"),
        ("1 xx 1 ~xx >= 1 ;", "a variable twice"),
        ("1 xx xx >= 1 ;", "no constraint"),
        ("1 1 >= 1 ;", "no constraint"),
        (";", "no constraint"),
        ("preserved: xx ;", "stands once"),
        ("x xx >= 1 ;", "no name"),
    ],
)
def test_a_broken_statement_is_refused_with_its_line(line: str, reason: str) -> None:
    with pytest.raises(RefusedError, match=reason) as refused:
        check([*SMALL, line], old())
    assert (refused.value.what, refused.value.line) == ("statement", 4)


def test_preserved_stands_once() -> None:
    for first in ("preserved: ;", "preserved: zz ;"):
        with pytest.raises(RefusedError, match=r"statement, line 2: preserved: .* stands once"):
            check([first, "preserved: xx ;", *SMALL], new())


def test_1_1_knows_no_preserved() -> None:
    with pytest.raises(RefusedError, match="without preserved"):
        check(["preserved: xx ;", *SMALL], old())


def test_a_deletion_that_the_root_rests_on_is_ignored_and_reported() -> None:
    """``aa`` is true because of line 3 alone: a checker that takes it back refuses line 5, ours tells of line 4."""
    stated = ["1 aa 1 bb 1 cc >= 2 ;", "1 ~bb 1 ~cc >= 1 ;"]
    proof = ["pseudo-Boolean proof version 1.1", "f 2", "rup 1 aa >= 1 ;", "del id 3", "v aa bb ~cc"]
    assert check(stated, proof).kept == (4,)


def test_what_is_deleted_is_used_no_more() -> None:
    stated = ["1 xx 1 yy 1 aa >= 1 ;", "1 xx 1 ~yy 1 aa >= 1 ;", "1 ~xx 1 yy 1 aa >= 1 ;", "1 ~xx 1 ~yy 1 aa >= 1 ;"]
    lemma, wanted = "rup 1 xx 1 aa >= 1 ;", "rup 1 aa >= 1 ;"
    assert check(stated, old(lemma, wanted, "del id 5", "v aa xx yy")).solutions == 1
    with pytest.raises(RefusedError, match="line 5: propagation"):
        check(stated, old(lemma, "del id 5", wanted))


ZEROS = (
    "pseudo-Boolean proof version 3.0",
    "f 299 ;",
    "rup 0 h0_1_3 1 h0_1_2 1 ~h0_1_1 >= 1 ;",
    "rup >= 1 ;",
    "output NONE ;",
    "conclusion UNSAT : 301 ;",
    "end pseudo-Boolean proof ;",
)
"""Of examples/heart.mk, which has a solution: line 3 follows, line 4 does not."""


@pytest.mark.slow
def test_terms_with_the_coefficient_0_prove_nothing(tmp_path: Path) -> None:
    puzzle = Path(__file__).parent.parent / "examples/heart.mk"
    stated, proof = tmp_path / "heart.opb", tmp_path / "heart.pbp"
    stated.write_text("\n".join(opb_lines(statement_of(load(puzzle)), preserved=True)) + "\n")
    proof.write_text("\n".join(ZEROS) + "\n")
    with pytest.raises(RefusedError, match="line 4: propagation"):
        check_files(stated, proof)
    for more in ((), ("--puzzle", puzzle)):
        done = run(stated, proof, *more)
        assert (done.returncode, done.stdout) == (1, "")
        assert "heart.pbp:4: propagation" in done.stderr


@pytest.mark.parametrize("coefficient", [0, 1, 2, 999_999_999])
def test_terms_change_places_as_a_whole(coefficient: int) -> None:
    """Line 3 of the proof makes the first term of constraint 1 false, and another one is watched in its place."""
    stated = [f"{coefficient} dd 1 aa 1 bb 1 cc >= 1 ;", "1 dd 1 gg >= 1 ;", "1 dd 1 ~gg >= 1 ;"]
    checker = Checker()
    checker.take(stated, checker.state, "statement")
    checker.begin()
    before = checker.database.constraint("1")
    assert (sorted(before[0].values()), before[1]) == ([1, 1, 1, coefficient] if coefficient else [1, 1, 1], 1)
    checker.take(["pseudo-Boolean proof version 1.1", "f 3", "rup 1 dd >= 1 ;"], checker.step, "proof")
    assert checker.database.constraint("1") == before


class Mutator:
    """Changes lines by chance: tokens, and whole lines."""

    def __init__(self, seed: int) -> None:
        self.stream = Rng(seed)

    def pick(self, several: list[str]) -> str:
        return several[self.stream.below(len(several))]

    def token(self, token: str, lines: list[str]) -> str:
        if token.lstrip("-").isdigit():
            return str(int(token) + (-2, -1, 1, 2)[self.stream.below(4)])
        if len(token) > 2 and self.stream.below(2):
            return opposite(token)
        return self.pick(self.pick(lines).split() or [token])

    def mutated(self, lines: list[str]) -> list[str]:
        found = list(lines)
        for _ in range(1 + self.stream.below(3)):
            at = self.stream.below(len(found))
            way = self.stream.below(7)
            if way == 0:
                del found[at]
            elif way == 1:
                found.insert(at, self.pick(lines))
            elif way == 2:
                other = self.stream.below(len(found))
                found[at], found[other] = found[other], found[at]
            elif tokens := found[at].split():
                place = self.stream.below(len(tokens))
                if way == 3:
                    del tokens[place]
                else:
                    tokens[place] = self.token(tokens[place], lines)
                found[at] = " ".join(tokens)
            if not found:
                return list(lines)
        return found


def false(stated: list[str], claim: Claim) -> bool:
    """Whether brute force says that the claim is false."""
    names = [name for line in stated if line.startswith("preserved:") for name in line.split()[1:-1]]
    count = len(opb.models(opb.read(stated), names))
    return claim.solutions != count if claim.complete else claim.solutions > count


def fuzz(count: int, seed: int) -> int:
    """How many mutated certificates are accepted; AssertionError: one that claims what is false."""
    mutator = Mutator(seed)
    bases = [made(puzzle, version) for puzzle in PUZZLES for version in VERSIONS]
    accepted = 0
    for _ in range(count):
        stated, proof = bases[mutator.stream.below(len(bases))]
        if mutator.stream.below(4):
            proof = mutator.mutated(proof)
        else:
            stated = mutator.mutated(stated)
        try:
            claim = check(stated, proof)
        except RefusedError:
            continue
        accepted += 1
        assert not false(stated, claim), "\n".join([f"{claim}", *stated, "", *proof])
    return accepted


@pytest.mark.parametrize("number", repeated(600, 3000))
def test_no_mutated_certificate_proves_what_is_false(number: int) -> None:
    assert fuzz(number, 1) > number // 10  # many mutants are proofs of something true


@pytest.mark.slow
@pytest.mark.parametrize("number", [10_000, pytest.param(100_000, marks=pytest.mark.nightly)])
def test_no_mutated_certificate_proves_what_is_false_of_many(number: int) -> None:
    assert fuzz(number, 2) > number // 10


def written(folder: Path, puzzle: Puzzle, version: str = "3.0") -> tuple[Path, Path, Path]:
    """The puzzle, its statement and its certificate as files."""
    stated, proof = made(puzzle, version)
    files = folder / "puzzle.json", folder / "puzzle.opb", folder / "puzzle.pbp"
    save(puzzle, files[0])
    files[1].write_text("\n".join(stated) + "\n")
    files[2].write_text("\n".join(proof) + "\n")
    return files


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("puzzle", PUZZLES, ids=str)
def test_the_statement_is_compared_with_the_puzzle(puzzle: Puzzle, version: str, tmp_path: Path) -> None:
    _, stated, proof = written(tmp_path, puzzle, version)
    assert check_files(stated, proof, puzzle).complete
    lines = stated.read_text().splitlines()
    for at, line in enumerate(lines):
        if line[0] not in "*p":
            stated.write_text("\n".join([*lines[:at], line.replace("1 ", "2 ", 1), *lines[at + 1 :]]))
            with pytest.raises(RefusedError, match="not what the puzzle means") as refused:
                check_files(stated, proof, puzzle)
            assert refused.value.line == at + 1
    for wrong in (lines[:-1], [*lines, lines[-1]]):
        stated.write_text("\n".join(wrong))
        with pytest.raises(RefusedError, match="not what the puzzle means"):
            check_files(stated, proof, puzzle)


def test_solutions_distinguished_by_more_than_the_board(tmp_path: Path) -> None:
    _, stated, proof = written(tmp_path, TWO, "1.1")
    proof.write_text("pseudo-Boolean proof version 1.1\nf 16\nv h0_0_0\n")
    assert check_files(stated, proof).solutions == 1
    with pytest.raises(RefusedError, match="do not list the cells"):
        check_files(stated, proof, TWO)


def test_a_broken_statement_is_bad_input(tmp_path: Path) -> None:
    _, stated, proof = written(tmp_path, TWO)
    stated.write_text("nonsense\n")
    with pytest.raises(FormatError, match=r"puzzle\.opb:1: no constraint"):
        check_files(stated, proof)


def run(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return commands.run("check-certificate", *arguments)


@pytest.mark.slow
def test_the_command(tmp_path: Path) -> None:
    puzzle, stated, proof = written(tmp_path, TWO)
    done = run(stated, proof, "--puzzle", puzzle)
    assert (done.returncode, done.stdout) == (0, "2 solutions, and no other\n")
    assert "proved of" in done.stderr
    save(Nonogram.from_lengths([[1], [1]], [[1], [1]], [Given(0, 0, 1)]), puzzle)
    done = run(stated, proof, "--puzzle", puzzle)
    assert (done.returncode, done.stdout) == (1, "")
    assert "puzzle.opb" in done.stderr
    assert "not what the puzzle means" in done.stderr
    proof.write_text("\n".join(new("rup >= 1 ;")))
    done = run(stated, proof)
    assert (done.returncode, len(done.stderr.splitlines())) == (1, 1)
    assert "puzzle.pbp:2: expected: f 16 ;" in done.stderr
    assert run(stated, tmp_path / "none.pbp").returncode == 2
