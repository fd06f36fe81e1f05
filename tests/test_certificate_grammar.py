"""Files of version 1.1 use nothing that a checker of 2022 does not take: the whole grammar as regular expressions."""

from __future__ import annotations

import re

import pytest
from test_certificates import PUZZLES, made

import nonosat
from nonosat.generators.density import random_density
from nonosat.puzzles.puzzle import Puzzle

LITERAL = r"~?[A-Za-z][A-Za-z0-9_]+"
SUM = rf"(?:[+-]?\d+ {LITERAL} )*"
OPB = [r"\* #variable= \d+ #constraint= \d+", rf"{SUM}(?:>=|=) -?\d+ ;"]
PROOF = [
    rf"rup {SUM}>= \d+ ;",
    rf"red {SUM}>= \d+ ; [A-Za-z][A-Za-z0-9_]+ -> [01]",
    rf"pol (?:\d+|{LITERAL})(?: (?:\d+|{LITERAL}|[+*ds]))*",
    rf"v(?: {LITERAL})*",
    r"del id \d+(?: \d+)*",
]


def wrong(lines: list[str], forms: list[str]) -> list[str]:
    whole = re.compile("|".join(forms))
    return [line for line in lines if not whole.fullmatch(line)]


def is_old(stated: list[str], proof: list[str]) -> None:
    assert re.fullmatch(OPB[0], stated[0])
    assert not wrong(stated[1:], OPB[1:])
    assert proof[0] == "pseudo-Boolean proof version 1.1"
    assert re.fullmatch(r"f \d+", proof[1])
    end = proof[-1:] if proof[-1].startswith("c ") else []
    assert not wrong(end, [r"c \d+"])
    assert not wrong(proof[2 : len(proof) - len(end)], PROOF)


@pytest.mark.parametrize("encoding", [None, "tight+r3+direct", "automaton", "tight+r3+iff+log"])
@pytest.mark.parametrize("puzzle", [random_density(8, 8, 0.4, 1), random_density(6, 6, (0.3, 0.3), 2)], ids=str)
def test_what_is_written_is_of_the_old_grammar(puzzle: Puzzle, encoding: str | None) -> None:
    certificate = nonosat.certify(puzzle, encoding=encoding, proof="1.1")
    is_old(certificate.statement.read_text().splitlines(), certificate.proof.read_text().splitlines())


@pytest.mark.parametrize("puzzle", PUZZLES, ids=str)
def test_what_the_tests_make_is_too(puzzle: Puzzle) -> None:
    is_old(*made(puzzle, "1.1"))


@pytest.mark.parametrize(
    "line", ["rup 1 x >= 1 ;", "rup 1 xx >= 1 : 3 ;", "solx xx ;", "red 1 dd >= 1 : dd -> 1 ;", "del 5", "w xx"]
)
def test_what_is_newer_or_too_short_is_seen(line: str) -> None:
    assert wrong([line], PROOF) == [line]
